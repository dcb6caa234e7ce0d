import { legListsOf } from '../arrow/legLists.ts'
import { listOf } from '../arrow/tableReader.ts'
import { eachBatch, indicesOf, namesOf, numbersOf } from './pageRows.ts'
import type { ServicePage } from './pageService.ts'

/** What makers earned on the positions with one leg. A position counts with each of its legs. */
export interface LegProfit {
  readonly market: string
  readonly side: string
  /** Positions that ended, without void ones. */
  readonly positions: number
  readonly stakeMicros: number
  readonly profitMicros: number
  /** By maker of the page, of those positions that it backed. */
  readonly byMaker: readonly number[]
}

/** The legs of backed positions by what the positions earned, the least first. */
export function legProfits({ tables, names }: ServicePage): LegProfit[] {
  const ends = new Map<number, { readonly maker: number; readonly stakeMicros: number; readonly profitMicros: number }>()
  eachBatch(tables, 'settlements', (batch) => {
    const [position, stake, payout, toMaker] = ['position', 'net_stake_micros', 'payout_micros', 'to_maker_micros'].map((name) => numbersOf(batch, name))
    const [maker, outcome] = [indicesOf(batch, 'maker', names), namesOf(batch, 'outcome')]
    for (let row = 0; row < batch.rowCount; row++) {
      if (outcome[row] === 'failed' || outcome[row] === 'void') continue
      ends.set(position![row]!, { maker: maker[row]!, stakeMicros: stake![row]!, profitMicros: toMaker![row]! - (payout![row]! - stake![row]!) })
    }
  })
  const legs = new Map<string, { market: string; side: string; positions: number; stakeMicros: number; profitMicros: number; byMaker: number[] }>()
  eachBatch(tables, 'positions', (batch) => {
    const position = numbersOf(batch, 'position')
    const { markets, sides } = legListsOf(batch)
    for (let row = 0; row < batch.rowCount; row++) {
      const end = ends.get(position[row]!)
      if (end === undefined) continue
      const [marketsOf, sidesOf] = [listOf(markets, row), listOf(sides, row)]
      for (const [i, market] of marketsOf.entries()) {
        const side = sidesOf[i]!
        const key = `${side} ${market}`
        const leg = legs.get(key) ?? { market, side, positions: 0, stakeMicros: 0, profitMicros: 0, byMaker: names.map(() => 0) }
        legs.set(key, leg)
        leg.positions++
        leg.stakeMicros += end.stakeMicros
        leg.profitMicros += end.profitMicros
        if (end.maker >= 0) leg.byMaker[end.maker]! += end.profitMicros
      }
    }
  })
  return [...legs.values()].toSorted((a, b) => a.profitMicros - b.profitMicros || (`${a.market} ${a.side}` < `${b.market} ${b.side}` ? -1 : 1))
}
