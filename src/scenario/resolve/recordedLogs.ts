import type { ServiceName } from '../../engine/config.ts'
import { nearestName } from '../../unit/nearestName.ts'
import type { Fail, Path } from '../mistakes.ts'
import { bettorsOf, countLeftOut, mostStaked, PlayedLogs } from '../recorded/playableLog.ts'
import type { Takes } from '../recordedSchema.ts'
import type { ResolvedCohort, ResolvedMaker } from '../resolved.ts'
import type { ScenarioFile } from '../schema.ts'
import type { StrategySet } from '../strategySet.ts'
import type { TradingPlan } from './tradingPlan.ts'
import type { Window } from './window.ts'

/** What is known where participants are filled in. */
export interface LogContext {
  readonly strategies: StrategySet
  /** What the session makes of logs. Undefined where its window is not known. */
  readonly logs: PlayedLogs | undefined
  readonly fail: Fail
}

/** What a session with this plan makes of the scenario's logs. */
export const logsOf = (file: ScenarioFile, { logs }: StrategySet, plan: TradingPlan, { fromUs, untilUs }: Window): PlayedLogs =>
  new PlayedLogs(logs, { index: plan.index, isTraded: (market) => plan.leftOut(market) === undefined, fromUs, untilUs }, file.services)

type RecordedTerms = Pick<ResolvedCohort, 'bettors' | 'bankrollMicros' | 'recorded'>

/**
 * What the log says of a cohort: how many they are, and with `bankrollMicros` 0 what money they need. A log of which no request can be made is a
 * mistake; a file that could not be read is one already.
 */
export function recordedTerms(
  { logs, strategies, fail }: LogContext, path: Path, { log, takes }: { readonly log: string; readonly takes: Takes }, service: ServiceName, bankrollMicros: number,
): Partial<RecordedTerms> {
  if (logs === undefined || !strategies.logs.has(log)) return {}
  const { sha256 } = logs.log(log)
  const all = logs.requests(log, service)
  const made = logs.made(log, service)
  const leftOut = countLeftOut(all)
  if (made.length === 0) {
    const causes = Object.entries(leftOut).map(([cause, { count, first }]) => `${count} ${cause} (first ${first})`).join(', ')
    fail([...path, 'log'], `none of the ${all.length} requests can be made: ${causes}`)
  }
  return {
    bettors: bettorsOf(made).count, bankrollMicros: bankrollMicros === 0 ? mostStaked(made) : bankrollMicros,
    recorded: { log, sha256, takes, requests: all.length, leftOut },
  }
}

/** Which maker of which log a seat is. A name that the log does not have is a mistake. */
export function recordedMaker(
  { strategies, fail }: LogContext, path: Path, log: string, maker: string,
): Pick<ResolvedMaker, 'recorded'> {
  const read = strategies.logs.get(log)
  if (read === undefined) return {}
  if (!read.makers.includes(maker)) {
    const near = nearestName(maker, read.makers)
    fail([...path, 'maker'], `no maker ${maker} in the log${near === undefined ? '' : `; did you mean ${near}?`}`, { hint: read.makers.length === 0 ? 'it has no quotes' : `expected ${read.makers.join(', ')}` })
  }
  return { recorded: { log, sha256: read.sha256, maker } }
}

const NAME_LENGTH = 64

/** The name of a seat after a maker of a log, in the letters that names have. */
export function seatNameOf(maker: string): string {
  const letters = maker.replaceAll(/[^A-Za-z0-9 _-]/g, '-')
  return (/^[A-Za-z0-9]/.test(letters) ? letters : `maker ${letters}`).slice(0, NAME_LENGTH)
}
