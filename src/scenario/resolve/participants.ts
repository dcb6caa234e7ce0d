import { NO_DELAY, NO_LATENCY } from '../../agent/latency.ts'
import type { LayOffEntry, ServiceName } from '../../engine/config.ts'
import { SERVICE_NAMES } from '../../unit/services.ts'
import { betLimitsOf } from '../betLimits.ts'
import type { LoadedScenario } from '../load.ts'
import type { Fail, Path } from '../mistakes.ts'
import type { ResolvedRequest } from '../resolved.ts'
import type { BettorFile, MakerFile, RequestFile, ScenarioFile } from '../schema.ts'
import { builtInNames } from '../strategies.ts'
import type { StrategySet } from '../strategySet.ts'
import { readArrivals } from './cohortArrivals.ts'
import type { CohortDraft, Draft, MakerDraft } from './draft.ts'
import { Names } from './names.ts'
import { readParameters } from './parameterValues.ts'
import { type LogContext, logsOf, recordedMaker, recordedTerms, seatNameOf } from './recordedLogs.ts'
import type { TradingPlan } from './tradingPlan.ts'
import { instantOf, type Window } from './window.ts'

interface Context extends Pick<LoadedScenario, 'file' | 'folder'>, LogContext {
  readonly window: Window | undefined
  readonly names: Names
}

/** Fills in who takes part. Tells of parameters and arrivals that cannot be read; all else is for the checks. */
export function participantsOf(
  { file, folder }: Pick<LoadedScenario, 'file' | 'folder'>, strategies: StrategySet, plan: TradingPlan, window: Window | undefined, fail: Fail,
): Pick<Draft, 'cohorts' | 'makers' | 'names'> {
  const names = new Names()
  const context: Context = { file, folder, strategies, window, names, logs: window === undefined ? undefined : logsOf(file, strategies, plan, window), fail }
  const cohorts = file.bettors.map((entry, i) => cohortOf(context, ['bettors', i], entry))
  const makers = file.makers.map((entry, i) => makerOf(context, ['makers', i], entry))
  return { cohorts, makers, names: names.claims }
}

export const servicesThere = ({ services }: ScenarioFile): ServiceName[] => SERVICE_NAMES.filter((name) => services[name] !== undefined)

/** The service of a participant: the one that is named, if the scenario has it, else the first. */
export function serviceOf(file: ScenarioFile, { service }: BettorFile | MakerFile): ServiceName {
  const there = servicesThere(file)
  return service !== undefined && there.includes(service) ? service : there[0]!
}

function cohortOf(context: Context, path: Path, entry: BettorFile): CohortDraft {
  const { file, folder, strategies, window, names, fail } = context
  const service = serviceOf(file, entry)
  const isBound = entry.requests !== undefined || entry.recorded !== undefined
  const parameters = !isBound
    ? readParameters(path, entry, strategies.bettor.get(entry.use)!.strategy.parameters, file.history.maxAge, fail) : {}
  if (!isBound && builtInNames('bettor').includes(entry.use)) {
    fitDefaults(file, service, parameters, strategies.bettor.get(entry.use)!.strategy.parameters)
  }
  const { feed, broadcast, submit } = entry.latency
  const arrivals = readArrivals([...path, 'arrivals'], entry.arrivals, folder, window, fail)
  const cohort = {
    name: names.of('bettor', path, entry.name, entry.use, 1), service, strategy: entry.use, parameters,
    bettors: entry.n, bankrollMicros: entry.bankroll, everyUs: entry.every,
    latency: { feedUs: feed, broadcast, submit, confirm: NO_DELAY },
    ...(entry.external === undefined ? {} : { external: entry.external }),
    ...(entry.account === undefined ? {} : { account: entry.account }), ...(arrivals === undefined ? {} : { arrivals }),
    ...(entry.requests === undefined ? {} : { script: entry.requests.map((request) => requestOf(request, window)) }),
    ...(entry.recorded === undefined ? {} : recordedTerms(context, path, entry.recorded, service, entry.bankroll)),
  }
  return { path, entry, cohort }
}

const requestOf = ({ at, legs, bet, floor, decide, cancel }: RequestFile, window: Window | undefined): ResolvedRequest =>
  ({ atUs: instantOf(at, window), legs, betMicros: bet, floorOddsE4: floor, decideUs: decide, cancel })

function makerOf(context: Context, path: Path, entry: MakerFile): MakerDraft {
  const { file, strategies, names, fail } = context
  const { strategy } = strategies.maker.get(entry.use)!
  const parameters = readParameters(path, entry, strategy.parameters, file.history.maxAge, fail)
  const { feed, broadcast, quote, confirm } = entry.latency
  const { ignore, missConfirm, disconnect } = entry.faults
  const service = serviceOf(file, entry)
  const seats = Array.from({ length: entry.count }, (_, seat) => {
    const name = names.of('maker', path, entry.name, entry.maker === undefined ? entry.use : seatNameOf(entry.maker), seat + 1)
    const layOff = layOffOf(context, path, entry, service, name, seat)
    return {
      name, service, strategy: entry.use, ...(entry.external === undefined ? {} : { external: entry.external }), parameters, capitalMicros: entry.capital,
      latency: entry.log === undefined ? { feedUs: feed, broadcast, submit: quote, confirm } : NO_LATENCY,
      faults: { ignore, missConfirm, disconnectEveryUs: disconnect?.every ?? 0, disconnectForUs: disconnect?.for ?? 0 },
      ...(layOff === undefined ? {} : { layOff }),
      ...(entry.log === undefined ? {} : recordedMaker(context, path, entry.log, entry.maker!)),
    }
  })
  return { path, entry, service, parameters, seats }
}

/** The service on which a maker of another lays off; undefined when there is none. */
export const layOffServiceOf = (file: ScenarioFile, service: ServiceName): ServiceName | undefined => servicesThere(file).find((one) => one !== service)

/** The account with which a seat takes on the service that it does not quote on. */
function layOffOf({ file, names }: Context, path: Path, entry: MakerFile, service: ServiceName, name: string, seat: number): LayOffEntry | undefined {
  const other = layOffServiceOf(file, service)
  if (entry.layOff === undefined || other === undefined) return undefined
  const { account, bankroll, latency } = entry.layOff
  return {
    service: other,
    account: names.of('bettor', [...path, 'layOff'], account ?? `${name} lay-off`, entry.use, account === undefined ? 1 : seat + 1, 'account'),
    bankrollMicros: bankroll,
    latency: { feedUs: entry.latency.feed, broadcast: latency.broadcast, submit: latency.submit, confirm: NO_DELAY },
  }
}

/** The bets that a built-in bettor asks for, by the parameters that bound them, and what a service takes of each. */
export function betBounds(file: ScenarioFile, service: ServiceName): readonly (readonly [parameter: string, low: number, high: number])[] {
  const { legsMin, legsMax, betMinMicros, betMaxMicros } = betLimitsOf(file.services, service)
  return [['legsMin', legsMin, legsMax], ['legsMax', legsMin, legsMax], ['betMin', betMinMicros, betMaxMicros], ['betMax', betMinMicros, betMaxMicros]]
}

/** Moves a default that the service does not take to the nearest value that it does: else every request would be refused. */
function fitDefaults(file: ScenarioFile, service: ServiceName, values: Record<string, number>, parameters: Readonly<Record<string, { readonly default: number }>>): void {
  for (const [name, low, high] of betBounds(file, service)) {
    if (values[name] !== undefined && values[name] === parameters[name]?.default) values[name] = Math.max(low, Math.min(high, values[name]))
  }
}
