import { eachBatch, indicesOf, laterNumbersOf, numbersOf } from './pageRows.ts'
import type { ServicePage } from './pageService.ts'

/** One cent per dollar of payout, as a share. */
const CENT = 0.01
/** Versions of a request are fewer. */
const VERSIONS_MAX = 4096

/** What a cent per dollar of payout would have changed for a maker, with rivals and bettors as they were. Money is USDC. */
export interface CentCounts {
  readonly fills: number
  /** Fills that it would have kept at a cent more: no other live quote was within a cent of its own. */
  readonly kept: number
  /** What a cent of the payouts of `kept` comes to. */
  readonly keptUsdc: number
  /** Versions that another maker filled while its own quote lived, and those of them that a cent less would have won. */
  readonly lost: number
  readonly near: number
  /** What the quotes of `near` would have been worth at a cent less, by V at their submission. NaN without V at any. */
  readonly nearUsdc: number
  /** Versions that another maker was selected on, and filled, before its own quote came or without one, on requests that it did not pass. Null without a table of passes. */
  readonly late: number | null
}

interface Filled {
  readonly maker: number
  /** q = user_stake / total_payout. */
  readonly probability: number
  readonly payoutUsdc: number
  /** The least probability of other makers' live quotes. */
  nextBest: number
  /** By maker, its least live quote that lost. */
  readonly losers: Map<number, { readonly probability: number; readonly payoutUsdc: number; readonly reference: number }>
}

/** What a cent would have changed for each maker of a page, and how often each came too late. */
export function centCounts(page: ServicePage): CentCounts[] {
  const filled = readFilled(page)
  const counts = page.names.map(() => ({ fills: 0, kept: 0, keptUsdc: 0, lost: 0, near: 0, nearUsdc: 0, valued: 0 }))
  for (const { maker, probability, payoutUsdc, nextBest, losers } of filled.values()) {
    const own = counts[maker]
    if (own !== undefined) {
      own.fills++
      if (gapOf(nextBest, probability) > CENT) {
        own.kept++
        own.keptUsdc += CENT * payoutUsdc
      }
    }
    for (const [loser, quote] of losers) {
      const other = counts[loser]!
      other.lost++
      if (gapOf(quote.probability, probability) >= CENT) continue
      other.near++
      if (Number.isNaN(quote.reference)) continue
      other.valued++
      other.nearUsdc += (quote.probability - CENT - quote.reference) * quote.payoutUsdc
    }
  }
  const late = lateCounts(page, filled)
  return counts.map(({ valued, nearUsdc, ...own }, maker) => ({ ...own, nearUsdc: valued === 0 ? NaN : nearUsdc, late: late?.[maker] ?? null }))
}

/** The difference of two probabilities, without the rounding of either. */
const gapOf = (a: number, b: number): number => Math.round((a - b) * 1e9) / 1e9

const keyOf = (request: number, version: number): number => request * VERSIONS_MAX + version

/** Versions that were filled, with the quotes that lived meanwhile. */
function readFilled({ tables, names }: ServicePage): Map<number, Filled> {
  const filled = new Map<number, Filled>()
  const read = (isLoser: boolean): void => {
    eachBatch(tables, 'quotes', (batch) => {
      const [request, version, stake, risk, reference] = ['request', 'version', 'net_stake_micros', 'risk_micros', 'reference'].map((name) => numbersOf(batch, name))
      const maker = indicesOf(batch, 'maker', names)
      const chosen = isLoser ? laterNumbersOf(batch, 'traded_away') : indicesOf(batch, 'state', ['filled']).map((code) => code + 1)
      for (let row = 0; row < batch.rowCount; row++) {
        if (chosen[row] !== 1) continue
        const key = keyOf(request![row]!, version![row]!)
        const payout = stake![row]! + risk![row]!
        const quote = { probability: stake![row]! / payout, payoutUsdc: payout / 1e6, reference: reference![row]! }
        if (!isLoser) {
          filled.set(key, { maker: maker[row]!, probability: quote.probability, payoutUsdc: quote.payoutUsdc, nextBest: Infinity, losers: new Map() })
          continue
        }
        const of = filled.get(key)
        if (of === undefined || maker[row] === of.maker) continue
        of.nextBest = Math.min(of.nextBest, quote.probability)
        if (maker[row]! >= 0 && quote.probability < (of.losers.get(maker[row]!)?.probability ?? Infinity)) of.losers.set(maker[row]!, quote)
      }
    })
  }
  read(false)
  read(true)
  return filled
}

/** Versions that others filled without a live quote of a maker, on requests that it did not pass. */
function lateCounts({ tables, names }: ServicePage, filled: ReadonlyMap<number, Filled>): number[] | null {
  if (!tables.has('passes')) return null
  const passed = names.map(() => new Set<number>())
  eachBatch(tables, 'passes', (batch) => {
    const [maker, request] = [indicesOf(batch, 'maker', names), numbersOf(batch, 'request')]
    for (let row = 0; row < batch.rowCount; row++) if (maker[row]! >= 0) passed[maker[row]!]!.add(request[row]!)
  })
  return names.map((_, maker) => {
    let late = 0
    for (const [key, of] of filled) if (of.maker !== maker && !of.losers.has(maker) && !passed[maker]!.has(Math.floor(key / VERSIONS_MAX))) late++
    return late
  })
}
