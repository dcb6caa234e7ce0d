import { DAY_US } from '../../src/unit/time.ts'

/** What one import of the soak brings. Markets are numbers; those of a stretch are `from`…`to`−1. */
export interface PartPlan {
  readonly part: number
  /** Of the whole soak. */
  readonly parts: number
  readonly markets: number
  readonly ticks: number
  readonly fromUs: number
  readonly toUs: number
  /** Rows are so far apart, before each is moved by up to `SPREAD` times as much. */
  readonly stepUs: number
  /** Those that began to trade in the part before or begin in this one: each trades in two parts. */
  readonly traded: Stretch
  /** The first part names all markets, so that what grows from part to part is due to ticks. */
  readonly listed: Stretch
  /** Those of which the part has the results. */
  readonly resolved: Stretch
}

export interface Stretch {
  readonly from: number
  readonly to: number
}

/** When market `i` closes, as SQL says it: with the part after the one in which it began to trade. */
export const closesUsOf = (markets: number, parts: number, i: string): string =>
  `${FIRST_US} + (((${i} + 1) * ${parts} - 1) // ${markets} + 2) * ${DAYS_A_PART * DAY_US}`

export const DAYS_A_PART = 2
/** Rows are out of order by up to so many places, and rows of one market never share an instant. */
export const SPREAD = 64
const FIRST_US = 20_254 * DAY_US
const [PART_TICKS, PARTS_MIN, PARTS_MAX] = [5_000_000, 4, 40]

/** Parts of two days each that follow each other, which have so many ticks and markets together. */
export function planOf(ticks: number, markets: number): PartPlan[] {
  const parts = Math.max(PARTS_MIN, Math.min(PARTS_MAX, Math.ceil(ticks / PART_TICKS)))
  if (!Number.isSafeInteger(ticks) || !Number.isSafeInteger(markets) || markets < parts || ticks < markets) throw new Error(`a soak has whole numbers of ticks and of markets, at least ${parts} markets, and as many ticks as markets`)
  const bound = (total: number, part: number): number => Math.floor((total * Math.max(0, Math.min(part, parts))) / parts)
  const born = (from: number, to: number): Stretch => ({ from: bound(markets, from), to: bound(markets, to) })
  return Array.from({ length: parts }, (_, part) => {
    const own = bound(ticks, part + 1) - bound(ticks, part)
    const isLast = part === parts - 1
    return {
      part, parts, markets, ticks: own, fromUs: FIRST_US + part * DAYS_A_PART * DAY_US, toUs: FIRST_US + (part + 1) * DAYS_A_PART * DAY_US,
      stepUs: Math.floor((DAYS_A_PART * DAY_US) / (own + SPREAD) / SPREAD) * SPREAD,
      traded: born(part - 1, part + 1), listed: part === 0 ? born(0, parts) : { from: 0, to: 0 }, resolved: born(part - 2, isLast ? parts : part - 1),
    }
  })
}

/** Reads what a part is made of. */
export const SOAK_MAP = `venue: kalshi
files:
  - { kind: markets, match: 'markets*', market: ticker, title: title, event: event, category: category, open: opened_at, close: closes_at }
  - { kind: results, match: 'results*', market: ticker, result: result, settled: settled_at }
  - { kind: quotes, match: 'prices*', market: ticker, time: ts, bid: bid, ask: ask, bid_size: bid_size, ask_size: ask_size }
`

/** What of a day is compared: ticks, and a sum over them that each cell of each tick changes. */
export interface DaySum {
  readonly day: number
  readonly ticks: number
  readonly sum: number
}

/** What is compared of markets. */
export interface MarketCounts {
  readonly markets: number
  readonly yes: number
  readonly no: number
}

/** Sums are taken modulo 2⁵², so that one and a tick's weight are a safe integer together. */
export const SUM_MODULUS = 2 ** 52
export const [INSTANTS, NUMBERS] = [99_991, 5_501]
export const [BID, ASK, BID_SIZE, ASK_SIZE] = [3, 5, 7, 11]

export const [LATER_PEAK_MAX, PEAK_BYTES_MAX] = [1.25, 1e9]

/** What is wrong with the peak memory of imports, the first of which makes the store, bytes. */
export function peakTroubles(peaks: readonly number[]): string[] {
  const appends = peaks.slice(1)
  const early = Math.max(1, Math.floor(appends.length / 3))
  const [first, later] = [Math.max(...appends.slice(0, early)), Math.max(...appends.slice(early))]
  const megabytes = (bytes: number): number => Math.round(bytes / 1e6)
  return [
    ...later > first * LATER_PEAK_MAX ? [`later appends took ${megabytes(later)} MB, and the first ${early === 1 ? 'one' : early} took ${megabytes(first)} MB`] : [],
    ...peaks.flatMap((peak, i) => (peak > PEAK_BYTES_MAX ? [`import ${i} took ${megabytes(peak)} MB`] : [])),
  ]
}

/** How two accounts of the days differ, the first differences first. */
export function dayTroubles(made: readonly DaySum[], found: readonly DaySum[]): string[] {
  const of = (sums: readonly DaySum[]) => new Map(sums.map((one) => [one.day, one]))
  const [before, after] = [of(made), of(found)]
  const text = (one: DaySum | undefined): string => (one === undefined ? 'nothing' : `${one.ticks} ticks with the sum ${one.sum}`)
  return [...new Set([...before.keys(), ...after.keys()])].sort((a, b) => a - b).flatMap((day) => {
    const [a, b] = [text(before.get(day)), text(after.get(day))]
    return a === b ? [] : [`day ${day}: ${a} were made, and the store has ${b}`]
  })
}
