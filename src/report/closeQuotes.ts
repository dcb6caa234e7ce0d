import { eachBatch, indicesOf, namesOf, numbersOf } from './pageRows.ts'
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
  /** What the fills were worth at their submission: Σ(q − V)·payout over those with a V. */
  readonly valueUsdc: number
  /**
   * What all fills together would have brought more at a cent more, by V at their submission: a cent of the payouts of those that are kept, less
   * what the others were worth. Of the others those without V count nothing.
   */
  readonly moreUsdc: number
  /** The same at a cent less: `nearUsdc`, or nothing, less a cent of the payouts of all fills. */
  readonly lessUsdc: number
  /** Versions that another maker filled while its own quote lived. */
  readonly lost: number
  /** Those of them that it could have won at a cent less: its quote stood when the other was chosen, and was no better. */
  readonly near: number
  /** What the quotes of `near` would have been worth at a cent less, by V at their submission, over the `valued` ones that have a V. NaN without any. */
  readonly nearUsdc: number
  readonly valued: number
  /** Fills that a cent more loses, and quotes of `near`, without V. */
  readonly unvalued: number
  /** Versions that another maker filled, for which its first quote came after the other's was chosen, be it taken or refused. */
  readonly late: number
}

interface Lost {
  readonly probability: number
  readonly payoutUsdc: number
  readonly reference: number
}

interface Filled {
  readonly maker: number
  /** q = user_stake / total_payout. */
  readonly probability: number
  readonly payoutUsdc: number
  /** V at its submission, NaN where unknown. */
  readonly reference: number
  /** When its quote was chosen. */
  readonly selectedUs: number
  /** The least probability of other makers' quotes that could have been chosen instead. */
  nextBest: number
  /** Makers whose live quote lost, each with its least one that could have been chosen and was no better. */
  readonly losers: Map<number, Lost | null>
  /** By maker, when its first quote came. */
  readonly firstUs: Map<number, number>
}

/** What a cent would have changed for each maker of a page, and how often each came too late. */
export function centCounts(page: ServicePage): CentCounts[] {
  const filled = readFilled(page)
  readOthers(page, filled)
  readRefused(page, filled)
  const counts = page.names.map(() => ({ fills: 0, kept: 0, valueUsdc: 0, moreUsdc: 0, lessUsdc: 0, lost: 0, near: 0, nearUsdc: 0, valued: 0, unvalued: 0, late: 0 }))
  for (const { maker, probability, payoutUsdc, reference, selectedUs, nextBest, losers, firstUs } of filled.values()) {
    const own = counts[maker]
    if (own !== undefined) {
      own.fills++
      if (!Number.isNaN(reference)) own.valueUsdc += (probability - reference) * payoutUsdc
      own.lessUsdc -= CENT * payoutUsdc
      if (gapOf(nextBest, probability) > CENT) {
        own.kept++
        own.moreUsdc += CENT * payoutUsdc
      } else if (Number.isNaN(reference)) own.unvalued++
      else own.moreUsdc -= (probability - reference) * payoutUsdc
    }
    for (const [other, atUs] of firstUs) if (atUs > selectedUs) counts[other]!.late++
    for (const [loser, quote] of losers) addLost(counts[loser]!, quote, probability)
  }
  return counts.map((own) => ({ ...own, lessUsdc: own.lessUsdc + own.nearUsdc, nearUsdc: own.valued === 0 ? NaN : own.nearUsdc, unvalued: own.unvalued + own.near - own.valued }))
}

function addLost(counts: { lost: number; near: number; nearUsdc: number; valued: number }, quote: Lost | null, winner: number): void {
  counts.lost++
  if (quote === null || gapOf(quote.probability, winner) >= CENT) return
  counts.near++
  if (Number.isNaN(quote.reference)) return
  counts.valued++
  counts.nearUsdc += (quote.probability - CENT - quote.reference) * quote.payoutUsdc
}

/** The difference of two probabilities, without the rounding of either. */
const gapOf = (a: number, b: number): number => Math.round((a - b) * 1e9) / 1e9

const keyOf = (request: number, version: number): number => request * VERSIONS_MAX + version

/** Versions that were filled. */
function readFilled({ tables, names }: ServicePage): Map<number, Filled> {
  const selected = new Map<number, number>()
  eachBatch(tables, 'acceptances', (batch) => {
    const [quote, selectedUs] = [numbersOf(batch, 'quote'), numbersOf(batch, 'selected_at')]
    for (let row = 0; row < batch.rowCount; row++) selected.set(quote[row]!, selectedUs[row]!)
  })
  const filled = new Map<number, Filled>()
  eachBatch(tables, 'quotes', (batch) => {
    const [quote, request, version, stake, risk, reference] = ['quote', 'request', 'version', 'net_stake_micros', 'risk_micros', 'reference'].map((name) => numbersOf(batch, name))
    const [maker, state] = [indicesOf(batch, 'maker', names), indicesOf(batch, 'state', ['filled'])]
    for (let row = 0; row < batch.rowCount; row++) {
      if (state[row] !== 0) continue
      const payout = stake![row]! + risk![row]!
      filled.set(keyOf(request![row]!, version![row]!), {
        maker: maker[row]!, probability: stake![row]! / payout, payoutUsdc: payout / 1e6, reference: reference![row]!, selectedUs: selected.get(quote![row]!) ?? NaN,
        nextBest: Infinity, losers: new Map(), firstUs: new Map(),
      })
    }
  })
  return filled
}

/** The quotes that other makers had on versions that were filled. */
function readOthers({ tables, names }: ServicePage, filled: ReadonlyMap<number, Filled>): void {
  eachBatch(tables, 'quotes', (batch) => {
    const [request, version, stake, risk, reference, submittedUs, lost] = ['request', 'version', 'net_stake_micros', 'risk_micros', 'reference', 'submitted_at', 'traded_away'].map((name) => numbersOf(batch, name))
    const maker = indicesOf(batch, 'maker', names)
    for (let row = 0; row < batch.rowCount; row++) {
      const of = filled.get(keyOf(request![row]!, version![row]!))
      if (of === undefined || maker[row] === of.maker) continue
      const [by, atUs] = [maker[row]!, submittedUs![row]!]
      if (by >= 0) of.firstUs.set(by, Math.min(atUs, of.firstUs.get(by) ?? Infinity))
      if (lost![row] !== 1) continue
      const payout = stake![row]! + risk![row]!
      const probability = stake![row]! / payout
      // One that came later could not be chosen, and a better one was left out.
      const couldWin = atUs <= of.selectedUs && gapOf(probability, of.probability) >= 0
      if (couldWin) of.nextBest = Math.min(of.nextBest, probability)
      if (by < 0) continue
      const known = of.losers.get(by) ?? null
      of.losers.set(by, couldWin && probability < (known?.probability ?? Infinity) ? { probability, payoutUsdc: payout / 1e6, reference: reference![row]! } : known)
    }
  })
}

/** Quotes that were refused, of makers that had none on the version before: they name the request alone, and are of the version that was filled. */
function readRefused({ tables, names }: ServicePage, filled: ReadonlyMap<number, Filled>): void {
  const versionsOf = new Map<number, Filled[]>()
  for (const [key, of] of filled) {
    const request = Math.floor(key / VERSIONS_MAX)
    versionsOf.set(request, [...versionsOf.get(request) ?? [], of])
  }
  eachBatch(tables, 'rejections', (batch) => {
    const [request, atUs] = [numbersOf(batch, 'request'), numbersOf(batch, 'at')]
    const [maker, op] = [indicesOf(batch, 'cohort', names), namesOf(batch, 'op')]
    for (let row = 0; row < batch.rowCount; row++) {
      if (maker[row]! < 0 || op[row] !== 'submitQuote') continue
      for (const of of versionsOf.get(request[row]!) ?? []) if (maker[row] !== of.maker) of.firstUs.set(maker[row]!, Math.min(atUs[row]!, of.firstUs.get(maker[row]!) ?? Infinity))
    }
  })
}
