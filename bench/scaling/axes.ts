import type { WorkloadSettings } from '../workload.ts'
import type { Growth } from './line.ts'

/** What is played at one size of an axis. */
export interface Plan {
  readonly requests: number
  readonly settings: WorkloadSettings
  /** Requests at the end that are timed; all by default. */
  readonly timed?: number
}

/** The part of a session that a cost belongs to: listing its markets, its requests, or the end, when markets resolve and positions settle. */
export type Phase = 'opening' | 'requests' | 'ending'

/** A cost that is told for each of something. */
export interface Cost {
  readonly name: string
  readonly phase: Phase
  readonly per: 'requests' | 'quotes' | 'markets' | 'positions'
  /** How the cost grows with the size without extra effects: not at all, or linearly. Without this it is not compared. */
  readonly growth?: Growth
}

export interface Axis {
  readonly name: string
  /** What grows along the axis. */
  readonly size: string
  readonly sizes: readonly number[]
  /** Larger sizes than this are played only when they are asked for. */
  readonly usualMax: number
  /** The same for the outcome service. */
  readonly outcomeMax: number
  readonly costs: readonly Cost[]
  readonly plan: (size: number) => Plan
}

const GAP_US = 200_000
/** Nobody stops for lack of capital or because of a limit, however much is open. */
const UNLIMITED: WorkloadSettings = { capitalMicros: 1e14, exposureLimitMicros: Infinity, betMaxMicros: 2_000_000 }
/** Share of the requests that trade where nobody stops. */
const TRADED = 0.595
/** Life of markets of which all but a few outlive the requests. */
const longerThan = (requests: number): number => 100 * requests * GAP_US

const perRequest: Cost = { name: 'µs/request', phase: 'requests', per: 'requests', growth: 'flat' }

const REQUESTS: Axis = {
  name: 'requests', size: 'requests', sizes: [1e3, 1e4, 1e5, 1e6, 1e7], usualMax: 1e6, outcomeMax: 1e5,
  costs: [perRequest],
  // A tick in a hundred requests, and markets that live for 100,000 requests on average: the history takes little room.
  plan: (requests) => ({
    requests, settings: { ...UNLIMITED, liveMarkets: 100, ticksPerRequest: 0.01, marketLifeUs: 100_000 * GAP_US },
  }),
}

const MAKERS: Axis = {
  name: 'makers', size: 'makers', sizes: [1, 2, 5, 10, 20, 50, 100, 200], usualMax: 200, outcomeMax: 100,
  costs: [{ ...perRequest, growth: 'line' }, { name: 'µs/quote', phase: 'requests', per: 'quotes' }],
  plan: (makers) => ({ requests: Math.max(5_000, Math.floor(100_000 / makers)), settings: { makers, exposureLimitMicros: Infinity } }),
}

const MARKETS: Axis = {
  name: 'markets', size: 'markets', sizes: [100, 300, 1e3, 3e3, 1e4, 3e4, 1e5], usualMax: 1e5, outcomeMax: 1e4,
  costs: [
    perRequest,
    { name: 'µs/listing', phase: 'opening', per: 'markets', growth: 'flat' },
  ],
  plan: (liveMarkets) => ({ requests: 50_000, settings: { ...UNLIMITED, liveMarkets, marketLifeUs: longerThan(50_000) } }),
}

const POSITIONS: Axis = {
  name: 'positions', size: 'open', sizes: [1e3, 1e4, 1e5, 1e6], usualMax: 1e6, outcomeMax: 1e5,
  costs: [perRequest, { name: 'µs/settlement', phase: 'ending', per: 'positions', growth: 'flat' }],
  // Each of 36 markets is in a tenth of the positions.
  plan(open) {
    const requests = Math.ceil(open / TRADED)
    const settings = { ...UNLIMITED, liveMarkets: 36, ticksPerRequest: 0.01, marketLifeUs: longerThan(requests) }
    return { requests, timed: Math.min(20_000, Math.floor(requests / 2)), settings }
  },
}

export const AXES: readonly Axis[] = [REQUESTS, MAKERS, MARKETS, POSITIONS]
