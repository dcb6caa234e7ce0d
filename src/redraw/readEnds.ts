import { codesIn, type Names, orNaN, type RunTables } from '../score/runTables.ts'

/** Outcomes of a settled position, in the order of the table. */
export const ENDS = ['lost', 'won', 'void', 'bought_back', 'failed'] as const

/** Who was paid what when a position ended, microUSDC. `holderMaker` is a place among the makers, −1 where a bettor held the position, and `cohort` one among the cohorts. */
export interface PositionEnd {
  readonly outcome: (typeof ENDS)[number]
  readonly atUs: number
  readonly holderMaker: number
  readonly cohort: number
  readonly holderCostMicros: number
  readonly toHolderMicros: number
  readonly toMakerMicros: number
}

/** A position that was sold to another holder. `seller` is the maker that sold it, −1 where a bettor did. */
export interface Sale {
  readonly seller: number
  readonly cohort: number
  readonly profitMicros: number
}

/** The ends of positions, by their numbers. */
export function readEnds(tables: RunTables, names: { readonly makers: Names; readonly cohorts: Names }): Map<number, PositionEnd> {
  const ends = new Map<number, PositionEnd>()
  for (const batch of tables.batches('settlements')) {
    const [position, atUs] = [batch.numbers('position', 'int64'), batch.numbers('at', 'timeUs')]
    const [holderMaker, cohort, outcome] = [names.makers.of(batch, 'holder_maker'), names.cohorts.of(batch, 'holder_cohort'), codesIn(ENDS, batch, 'outcome')]
    const [cost, toHolder, toMaker] = (['holder_cost_micros', 'to_holder_micros', 'to_maker_micros'] as const).map((name) => batch.numbers(name, 'micros'))
    for (let row = 0; row < batch.rowCount; row++) {
      ends.set(position[row]!, {
        outcome: ENDS[outcome[row]!]!, atUs: atUs[row]!, holderMaker: holderMaker[row]!, cohort: cohort[row]!,
        holderCostMicros: cost![row]!, toHolderMicros: toHolder![row]!, toMakerMicros: toMaker![row]!,
      })
    }
  }
  return ends
}

/** The sales of positions to another holder, which stay as they were. */
export function readSales(tables: RunTables, names: { readonly makers: Names; readonly cohorts: Names }): Sale[] {
  const sales: Sale[] = []
  for (const batch of tables.batches('auctions')) {
    const [seller, cohort] = [names.makers.of(batch, 'seller_maker'), names.cohorts.of(batch, 'cohort')]
    const [cost, paid] = [orNaN(batch, 'seller_cost_micros'), orNaN(batch, 'to_seller_micros')]
    const [state, route] = [codesIn(['committed'], batch, 'state'), codesIn(['transferred'], batch, 'route')]
    for (let row = 0; row < batch.rowCount; row++) {
      if (state[row] === 0 && route[row] === 0) sales.push({ seller: seller[row]!, cohort: cohort[row]!, profitMicros: paid[row]! - cost[row]! })
    }
  }
  return sales
}
