import type { Interval } from '../stats/interval.ts'
import { quantile } from '../stats/quantile.ts'
import type { ClusteredSums } from './clusteredSums.ts'
import { VALUED } from './figureBasis.ts'
import { MakerColumn } from './columns.ts'
import { tallyOf, type RequestVersions, type Tally } from './requests.ts'
import { codesIn, type Names, orNaN, type RunTables, type TableRows } from './runTables.ts'

/** In the order of the `acceptances` table. */
export const OUTCOMES = ['confirmed', 'declined', 'timed_out', 'open'] as const
const [CONFIRMED, DECLINED] = [0, 1] as const

export type OutcomeTally = Tally<(typeof OUTCOMES)[number]>

export interface LastLookSummary extends OutcomeTally {
  readonly selected: number
  /** From the selection until the service received the maker's confirmation or decline, µs. Null without any. */
  readonly latencyP50Us: number | null
  readonly latencyP99Us: number | null
  /** 100[mean(V_decide − V_submit given declined) − (same given confirmed)], cents per dollar of payout. */
  readonly asymmetryCents: Interval
  /** Declined and confirmed selections with a known V at both instants: the two sides of the asymmetry. */
  readonly asymmetryOf: { readonly declined: number; readonly confirmed: number }
}

/** One pass over the acceptances. */
export class LastLooks {
  /** Outcomes of all makers. */
  readonly outcomes = new Float64Array(OUTCOMES.length)
  /** By quote: V when it was confirmed, NaN when unknown. */
  readonly confirmedAt = new Map<number, number>()
  private readonly byMaker: Float64Array[]
  private readonly latenciesUs: number[][]
  /** By maker: declined and confirmed selections of known drift. */
  private readonly drifts: { declined: number; confirmed: number }[]
  private readonly sums: ClusteredSums

  constructor(tables: RunTables, makers: Names, versions: RequestVersions, sums: ClusteredSums) {
    this.sums = sums
    this.byMaker = makers.list.map(() => new Float64Array(OUTCOMES.length))
    this.latenciesUs = makers.list.map(() => [])
    this.drifts = makers.list.map(() => ({ declined: 0, confirmed: 0 }))
    for (const batch of tables.batches('acceptances')) this.read(batch, makers.of(batch, 'maker'), versions)
  }

  all(): OutcomeTally {
    return tallyOf(OUTCOMES, this.outcomes)
  }

  /** Selections of a maker's quotes. */
  selected(maker: number): number {
    return this.byMaker[maker]!.reduce((sum, count) => sum + count, 0)
  }

  of(maker: number): LastLookSummary {
    const latencies = Float64Array.from(this.latenciesUs[maker]!).sort()
    const at = (p: number): number | null => (latencies.length === 0 ? null : quantile(latencies, p))
    const counts = this.byMaker[maker]!
    const columns = [MakerColumn.declinedPayout, MakerColumn.declinedDrift, MakerColumn.confirmedPayout, MakerColumn.confirmedDrift]
    return {
      selected: this.selected(maker), ...tallyOf(OUTCOMES, counts),
      latencyP50Us: at(0.5), latencyP99Us: at(0.99),
      asymmetryCents: this.sums.interval(maker, VALUED, columns, differenceOfMeans), asymmetryOf: this.drifts[maker]!,
    }
  }

  private read(batch: TableRows, makers: Int32Array, versions: RequestVersions): void {
    const request = batch.numbers('request', 'int64')
    const version = batch.numbers('version', 'int32')
    const quote = batch.numbers('quote', 'int64')
    const selected = batch.numbers('selected_at', 'timeUs')
    const decided = orNaN(batch, 'decided_at')
    const stake = batch.numbers('net_stake_micros', 'micros')
    const risk = batch.numbers('risk_micros', 'micros')
    const outcome = codesIn(OUTCOMES, batch, 'outcome')
    const before = orNaN(batch, 'reference_at_submission')
    const after = orNaN(batch, 'reference_at_decision')
    for (let row = 0; row < batch.rowCount; row++) {
      const maker = makers[row]!
      const what = outcome[row]!
      this.outcomes[what]!++
      this.byMaker[maker]![what]!++
      if (what !== CONFIRMED && what !== DECLINED) continue
      if (what === CONFIRMED) this.confirmedAt.set(quote[row]!, after[row]!)
      this.latenciesUs[maker]!.push(decided[row]! - selected[row]!)
      const drift = after[row]! - before[row]!
      const at = versions.find(request[row]!, version[row]!)
      if (Number.isNaN(drift) || at < 0) continue
      this.drifts[maker]![what === DECLINED ? 'declined' : 'confirmed']++
      const payout = stake[row]! + risk[row]!
      const cluster = versions.clusterOf(at)
      this.sums.add(maker, cluster, what === DECLINED ? MakerColumn.declinedPayout : MakerColumn.confirmedPayout, payout)
      this.sums.add(maker, cluster, what === DECLINED ? MakerColumn.declinedDrift : MakerColumn.confirmedDrift, Math.round(payout * drift))
    }
  }
}

/** Difference of two weighted means in cents, of two pairs of sums (weight, product). */
export const differenceOfMeans = (totals: Float64Array): number =>
  totals[0] === 0 || totals[2] === 0 ? NaN : 100 * (totals[1]! / totals[0]! - totals[3]! / totals[2]!)
