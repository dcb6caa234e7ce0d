// Plays one size of an axis in a process of its own and prints one line of JSON: `node --expose-gc tools/bundle/run.mjs bench/scaling/point.ts AXIS SIZE SERVICE`.
import { widenInlining } from '../../src/cli/v8.ts'
import type { ServiceName, SessionConfig } from '../../src/engine/config.ts'
import { Session } from '../../src/engine/session.ts'
import { assert } from '../../src/unit/assert.ts'
import { ParlayOp } from '../../src/venue/parlay/protocol/commands.ts'
import { workload } from '../workload.ts'
import { AXES, type Axis, type Phase, type Plan } from './axes.ts'

/** Figures of one session, or of several. */
export interface Point {
  readonly size: number
  /** CPU time of the main thread in each phase, µs. */
  readonly mainUs: Readonly<Record<Phase, number>>
  /** How many there were: of requests and quotes those that were timed, of positions those open when the requests ended. */
  readonly counts: { readonly requests: number; readonly quotes: number; readonly markets: number; readonly positions: number }
  /** Bytes after a full collection: of the history that was made before, and of what the session had added to it when the requests ended. */
  readonly historyBytes: number
  readonly sessionBytes: number
  /** Most memory of the process at any time, bytes. */
  readonly peakBytes: number
}

/** Steps between two looks at the clock, by which a phase ends late at most. */
const CHUNK = 64
/** Requests that are played for the compiler alone. */
const WARM_REQUESTS = 30_000
/** Short sessions are played again until they took so long together. */
const PLAYED_US = 2_000_000

const mainUs = (): number => {
  const { user, system } = process.threadCpuUsage()
  return user + system
}

function keptBytes(): number {
  // The second collection clears what the first one has released, such as unused code.
  globalThis.gc!()
  globalThis.gc!()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

const quotesOf = (session: Session): number => session.deliveredRequests().reduce((sum, { requests }) => sum + requests, 0)
const openOf = (session: Session): number => session.desks().reduce((sum, { openPositions }) => sum + openPositions, 0)

/** Plays a session phase by phase. */
export function play(size: number, { requests, timed = requests }: Plan, configOf: () => SessionConfig, kept: () => number): Point {
  const before = kept()
  const config = configOf()
  // A short history takes less than what the collector may have let go meanwhile.
  const historyBytes = Math.max(0, kept() - before)
  const session = new Session(config)
  const spentUs = (until: () => boolean): number => {
    const beforeUs = mainUs()
    while (!until() && session.run(CHUNK));
    return mainUs() - beforeUs
  }
  // All first deposits come before the first step and belong to no phase.
  session.run(1)
  const openingUs = spentUs(() => session.nowUs > config.startUs)
  spentUs(() => session.counts.arrivals >= requests - timed)
  const untimed = { arrivals: session.counts.arrivals, quotes: quotesOf(session) }
  const requestsUs = spentUs(() => session.counts.arrivals >= requests)
  const counts = {
    requests: session.counts.arrivals - untimed.arrivals, quotes: quotesOf(session) - untimed.quotes,
    markets: config.operator.filter(({ op, atUs }) => op === ParlayOp.listMarket && atUs === config.startUs).length, positions: openOf(session),
  }
  const sessionBytes = kept() - before - historyBytes
  const endingUs = spentUs(() => false)
  return {
    size, mainUs: { opening: openingUs, requests: requestsUs, ending: endingUs }, counts, historyBytes, sessionBytes,
    peakBytes: process.resourceUsage().maxRSS * 1024,
  }
}

/** One session played several times, by the mean of its figures: the clock of a thread ticks in milliseconds, which short phases feel. */
export const mean = (points: readonly Point[]): Point => combined(points, (figures) => figures.reduce((sum, figure) => sum + figure, 0) / figures.length)

/** The same by the least of each figure, because other load of the machine adds to figures. */
export const least = (points: readonly Point[]): Point => combined(points, (figures) => Math.min(...figures))

function combined(points: readonly Point[], one: (figures: readonly number[]) => number): Point {
  const of = (figure: (point: Point) => number): number => one(points.map(figure))
  const phase = (name: Phase): number => of(({ mainUs }) => mainUs[name])
  return {
    ...points[0]!, mainUs: { opening: phase('opening'), requests: phase('requests'), ending: phase('ending') },
    historyBytes: of(({ historyBytes }) => historyBytes), sessionBytes: of(({ sessionBytes }) => sessionBytes),
  }
}

function measured(axis: Axis, size: number, service: ServiceName): Point {
  const plan = axis.plan(size)
  const points: Point[] = []
  const untilUs = mainUs() + PLAYED_US
  do points.push(play(size, plan, () => workload(plan.requests, [], { service, ...plan.settings }), keptBytes))
  while (mainUs() < untilUs)
  return mean(points)
}

if (import.meta.main) {
  const [name, size, service] = process.argv.slice(2) as [string, string, ServiceName]
  // The command line does the same.
  widenInlining()
  // Kept to the end, because compiled code that is bound to a session's parts goes when they are collected.
  const warm = new Session(workload(WARM_REQUESTS, [], { service }))
  warm.runToEnd()
  console.log(JSON.stringify(measured(AXES.find((axis) => axis.name === name)!, Number(size), service)))
  assert(warm.counts.arrivals === WARM_REQUESTS, 'the compiler has been warmed up')
}
