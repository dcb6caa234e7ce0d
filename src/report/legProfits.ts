import { legListsOf } from '../arrow/legLists.ts'
import { listOf } from '../arrow/tableReader.ts'
import { eachBatch, indicesOf, namesOf, numbersOf } from './pageRows.ts'
import type { ServicePage } from './pageService.ts'

/** What positions with one leg were worth to those that backed them. */
export interface LegEarnings {
  /** Numbers of those that ended, without void ones, in the order of the table. */
  readonly positions: readonly number[]
  readonly stakeMicros: number
  readonly profitMicros: number
}

/** What makers earned on the positions with one leg. A position counts with each of its legs. */
export interface LegProfit extends LegEarnings {
  readonly market: string
  readonly side: string
  /** By maker of the page, of those positions that it backed. */
  readonly byMaker: readonly LegEarnings[]
}

interface Sums extends LegEarnings {
  readonly positions: number[]
  stakeMicros: number
  profitMicros: number
}

const nothing = (): Sums => ({ positions: [], stakeMicros: 0, profitMicros: 0 })

function count(sums: Sums, position: number, { stakeMicros, profitMicros }: Pick<LegEarnings, 'stakeMicros' | 'profitMicros'>): void {
  sums.positions.push(position)
  sums.stakeMicros += stakeMicros
  sums.profitMicros += profitMicros
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
  const legs = new Map<string, Sums & { readonly market: string; readonly side: string; readonly byMaker: readonly Sums[] }>()
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
        const leg = legs.get(key) ?? { market, side, ...nothing(), byMaker: names.map(nothing) }
        legs.set(key, leg)
        count(leg, position[row]!, end)
        if (end.maker >= 0) count(leg.byMaker[end.maker]!, position[row]!, end)
      }
    }
  })
  return [...legs.values()].toSorted(byProfit(({ profitMicros }) => profitMicros))
}

/** Legs whose positions are the same, such as all legs of a parlay that nothing else has in common with another. */
export interface LegGroup {
  readonly legs: readonly LegProfit[]
  readonly earnings: LegEarnings
}

/** Legs with the same positions as one, in the order of their first. `of` gives what of a leg counts: all of it, or what one maker backed. */
export function legGroups(legs: readonly LegProfit[], of: (leg: LegProfit) => LegEarnings = (leg) => leg): LegGroup[] {
  const groups = new Map<string, { readonly legs: LegProfit[]; readonly earnings: LegEarnings }>()
  for (const leg of legs) {
    const earnings = of(leg)
    const key = earnings.positions.join(' ')
    const group = groups.get(key) ?? { legs: [], earnings }
    groups.set(key, group)
    group.legs.push(leg)
  }
  return [...groups.values()]
}

/** What cost one maker of the page money, the most first. */
export function groupsThatCost(legs: readonly LegProfit[], maker: number): LegGroup[] {
  const of = ({ byMaker }: LegProfit): LegEarnings => byMaker[maker]!
  const profit = (leg: LegProfit): number => of(leg).profitMicros
  return legGroups(legs.filter((leg) => profit(leg) < 0).toSorted(byProfit(profit)), of)
}

/** The least profit first, equal ones by the names of market and side. */
const byProfit = (profit: (leg: LegProfit) => number) => (a: LegProfit, b: LegProfit): number =>
  profit(a) - profit(b) || (`${a.market} ${a.side}` < `${b.market} ${b.side}` ? -1 : 1)
