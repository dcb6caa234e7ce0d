import { ratio } from '../stats/clusterInterval.ts'
import type { Interval } from '../stats/interval.ts'
import { type Terms, TERMS } from './attribution.ts'
import { ClusteredSums, microsOf } from './clusteredSums.ts'
import { BookLegs } from './figureBasis.ts'
import type { Positions } from './positions.ts'
import type { Quotes } from './quotes.ts'
import { RIVAL_GROUPS, rivalGroupOf } from './winCurve.ts'

/** Columns of a group's sums. Those of the terms follow. */
export const GroupColumn = { fills: 0, stake: 1, ended: 2, profit: 3, holdStake: 4, hold: 5, terms: 6 } as const
const COLUMNS = GroupColumn.terms + TERMS.length

/** A maker's fills of one kind, microUSDC. */
export interface GroupSummary {
  readonly group: string
  /** Positions that the maker backs, including open ones, and their stakes. */
  readonly fills: number
  readonly stakeMicros: number
  /** Backed positions and holdings that ended, and the profit with them. */
  readonly ended: number
  readonly profitMicros: number
  /** USDC. */
  readonly profit: Interval
  /** Σ(s − paid)/Σs over non-void positions, before fees. */
  readonly hold: Interval
  readonly attribution: Readonly<Terms>
}

export interface BreakdownSummary {
  /** By number of legs, ascending. */
  readonly legs: readonly GroupSummary[]
  /** By the category that the markets of all legs share (`mixed` where they differ), ordered by code unit. */
  readonly category: readonly GroupSummary[]
  /** By live rivals at the submission of the quote, or of the bid that took the position over. */
  readonly rivals: readonly GroupSummary[]
}

/** Sums of makers' positions by leg count, category and number of rivals. */
export class Breakdowns {
  private readonly positions: Positions
  private readonly sums: ClusteredSums
  private readonly legs: BookLegs
  private readonly legCounts: readonly number[]
  private readonly categories: readonly string[]
  private readonly groupCount: number

  constructor(positions: Positions, quotes: Quotes, makerCount: number, clusterCount: number) {
    this.positions = positions
    this.legCounts = [...new Set(positions.legCount)].sort((a, b) => a - b)
    this.categories = positions.categories.list
    this.groupCount = this.legCounts.length + this.categories.length + RIVAL_GROUPS.length
    this.sums = new ClusteredSums(makerCount * this.groupCount, clusterCount, COLUMNS)
    this.legs = new BookLegs(makerCount * this.groupCount)
    for (let row = 0; row < positions.count; row++) {
      if (!positions.isFunded(row)) continue
      const rivals = quotes.filled.get(positions.quote[row]!)?.rivals ?? 0
      this.add(positions.maker[row]!, row, rivals, GroupColumn.fills, 1)
      this.add(positions.maker[row]!, row, rivals, GroupColumn.stake, positions.stakeMicros[row]!)
    }
  }

  /** Adds to the three groups of a position. @param row of the positions; @param rivals of the deal. */
  add(maker: number, row: number, rivals: number, column: number, integer: number): void {
    for (const group of this.groupsOf(maker, row, rivals)) {
      this.sums.add(group, this.positions.cluster[row]!, column, integer)
      if (column === GroupColumn.ended) this.legs.add(group, this.positions.legCount[row]!, this.positions.payoutOf(row))
    }
  }

  private groupsOf(maker: number, row: number, rivals: number): readonly number[] {
    const { positions, legCounts, categories } = this
    const first = maker * this.groupCount
    return [
      first + legCounts.indexOf(positions.legCount[row]!), first + legCounts.length + positions.category[row]!,
      first + legCounts.length + categories.length + rivalGroupOf(rivals),
    ]
  }

  /** The groups in which the maker had positions. */
  of(maker: number): BreakdownSummary {
    const { legCounts, categories } = this
    const groups = (from: number, labels: readonly string[]): GroupSummary[] =>
      labels.flatMap((label, i) => this.group(maker * this.groupCount + from + i, label) ?? [])
    return {
      legs: groups(0, legCounts.map(String)),
      category: groups(legCounts.length, categories).toSorted((a, b) => (a.group < b.group ? -1 : 1)),
      rivals: groups(legCounts.length + categories.length, RIVAL_GROUPS),
    }
  }

  private group(owner: number, group: string): GroupSummary | null {
    const { sums } = this
    const total = (column: number): number => microsOf(sums.total(owner, column))
    const [fills, ended] = [total(GroupColumn.fills), total(GroupColumn.ended)]
    if (fills === 0 && ended === 0) return null
    const cash = this.legs.cash(owner)
    return {
      group, fills, stakeMicros: total(GroupColumn.stake), ended, profitMicros: total(GroupColumn.profit),
      profit: sums.sumInterval(owner, cash, { column: GroupColumn.profit, count: GroupColumn.ended, scale: 1e-6 }),
      hold: sums.interval(owner, cash, [GroupColumn.hold, GroupColumn.holdStake], ratio(0, 1)),
      attribution: Object.fromEntries(TERMS.map((term, t) => [term, total(GroupColumn.terms + t)])) as Terms,
    }
  }
}
