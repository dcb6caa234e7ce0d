import { z } from 'zod'
import type { Faults } from '../agent/faults.ts'
import { type Latency, NO_DELAY } from '../agent/latency.ts'
import type { MakerStrategy } from '../agent/maker.ts'
import type { Parameters } from '../agent/parameters.ts'
import type { LayOffEntry, ServiceName } from '../engine/config.ts'
import { entityOfName } from '../engine/names.ts'
import type { SettlementPolicy } from '../engine/operatorInputs.ts'
import type { Store } from '../feed/store.ts'
import { InputError } from '../unit/inputError.ts'
import { SERVICE_NAMES } from '../unit/services.ts'
import { betLimitsOf } from './betLimits.ts'
import { checkChain } from './chainSchema.ts'
import { arrivalsOf, type ResolvedArrivals } from './cohortArrivals.ts'
import { inOrder, type LoadedScenario, mistakesOf, type ScenarioSource } from './load.ts'
import { type Mistake, ScenarioMistakes } from './mistakes.ts'
import { BETTOR_KEYS, type BettorFile, type MakerFile, SCENARIO_VERSION, type ScenarioFile } from './schema.ts'
import { type ResolvedDelisting, type ResolvedHalt, type ResolvedServices, servicesOf, stopsOf } from './services.ts'
import { type ResolvedRequest, resolveScripts, settlementOf } from './script.ts'
import { parameterSchema, parameterShape, parameterText, parameterValueText, strict } from './settings.ts'
import { builtInNames, importOnce, type LoadedStrategy, loadStrategy, type Role, type StrategyImport } from './strategies.ts'
import { instantText, quantityText } from './units.ts'
import { type ResolvedWithdrawal, withdrawalsOf } from './withdrawals.ts'

/** One seat. */
export interface ResolvedMaker {
  readonly name: string
  readonly service: ServiceName
  /** As `use` names it. */
  readonly strategy: string
  readonly parameters: Readonly<Record<string, number>>
  readonly capitalMicros: number
  readonly latency: Latency
  readonly faults: Faults
  /** Absent: it cannot lay off. */
  readonly layOff?: LayOffEntry
}

export interface ResolvedCohort {
  readonly name: string
  readonly service: ServiceName
  readonly strategy: string
  readonly parameters: Readonly<Record<string, number>>
  readonly bettors: number
  /** Of each; means nothing beside `account`. */
  readonly bankrollMicros: number
  /** The maker with whose account the one bettor bets; absent: with its own. */
  readonly account?: string
  readonly everyUs: number
  /** Absent: Poisson. */
  readonly arrivals?: ResolvedArrivals
  readonly latency: Latency
  /** What a scripted bettor asks for, and nothing else; absent for the others. `everyUs` then means nothing. */
  readonly script?: readonly ResolvedRequest[]
}

/**
 * A scenario with every default filled in, as plain data: all that a session depends on besides its history and its
 * strategies. Without record, chain and worker settings (design.md, decision 13).
 */
export interface ResolvedScenario {
  readonly version: typeof SCENARIO_VERSION
  readonly mode: ScenarioFile['mode']
  readonly seed: string
  /** Whether a gate stands before a venue. */
  readonly gate: boolean
  readonly services: ResolvedServices
  readonly halts?: readonly ResolvedHalt[]
  readonly delistings?: readonly ResolvedDelisting[]
  readonly withdrawals?: readonly ResolvedWithdrawal[]
  readonly history: {
    /** As the scenario names it. */
    readonly store: string
    readonly fromUs: number
    readonly toUs: number
    readonly legs: ScenarioFile['history']['legs']
  }
  readonly arrivals: { readonly untilUs: number; readonly max: number | null }
  readonly settlement: SettlementPolicy
  readonly bettors: readonly ResolvedCohort[]
  readonly makers: readonly ResolvedMaker[]
  /** Cohorts whose view of prices lies ahead, and how far: their informants see a future price, never a result. */
  readonly oracles: readonly { readonly cohort: string; readonly horizonUs: number }[]
  readonly inference: { readonly cluster: ScenarioFile['inference']['cluster']; readonly replications: number }
}

/** Strategies by the name or path that a scenario gives, per role. */
export type StrategySet = Readonly<Record<Role, ReadonlyMap<string, LoadedStrategy>>>

/** What a scenario needs to know of its history. */
export type ScenarioHistory = Pick<Store, 'catalogue' | 'ticks'>

/** Loads every strategy that a scenario names. Throws ScenarioMistakes for those that are not there or are none. */
export async function loadStrategies({ file, source, folder }: LoadedScenario, importFile: StrategyImport = importOnce): Promise<StrategySet> {
  const mistakes: Mistake[] = []
  const load = async (role: Role, list: 'makers' | 'bettors'): Promise<Map<string, LoadedStrategy>> => {
    const loaded = new Map<string, LoadedStrategy>()
    for (const [i, entry] of file[list].entries()) {
      const { use } = entry
      if (loaded.has(use) || ('requests' in entry && entry.requests !== undefined)) continue
      try {
        loaded.set(use, await loadStrategy(use, role, folder, importFile))
      } catch (error) {
        // A mistake inside of a strategy file is shown there.
        if (!(error instanceof InputError) || error.position !== undefined) throw error
        mistakes.push(source.mistake([list, i, 'use'], error.message, error.hint === undefined ? {} : { hint: error.hint }))
      }
    }
    return loaded
  }
  const set = { maker: await load('maker', 'makers'), bettor: await load('bettor', 'bettors') }
  if (mistakes.length > 0) throw new ScenarioMistakes(inOrder(mistakes))
  return set
}

/** Fills in what a scenario leaves open. Throws ScenarioMistakes for what does not fit together. */
export function resolveScenario({ file, source, folder }: LoadedScenario, strategies: StrategySet, history: ScenarioHistory): ResolvedScenario {
  const mistakes: Mistake[] = []
  const window = windowOf(file, source, history.ticks, mistakes)
  const names = new Names(source, mistakes)
  const context: Context = { file, source, folder, window, strategies, mistakes, scripts: resolveScripts({ file, source }, window, history, mistakes) }
  const bettors = file.bettors.map((entry, i) => cohortOf(context, names, entry, i))
  const makers = file.makers.flatMap((entry, i) => seatsOf(context, names, entry, i))
  checkAccounts(context, bettors, makers)
  const services = servicesOf({ file, source, window, mistakes }, bettors, makers)
  const stops = stopsOf({ file, source, window, mistakes }, history)
  const withdrawals = withdrawalsOf({ file, source, window, mistakes }, bettors, makers)
  checkChain({ file, source, mistakes })
  if (mistakes.length > 0 || window === undefined) throw new ScenarioMistakes(inOrder(mistakes))
  return {
    version: SCENARIO_VERSION, mode: file.mode, seed: file.seed, gate: services.parlay?.gate !== undefined || services.outcome?.gate !== undefined,
    services, ...stops, ...withdrawals,
    history: { store: file.history.store, fromUs: window.fromUs, toUs: window.toUs, legs: file.history.legs },
    arrivals: { untilUs: window.untilUs, max: file.arrivals.max ?? null },
    settlement: settlementOf(file),
    bettors, makers, oracles: oraclesOf(bettors, strategies),
    inference: { cluster: file.inference.cluster, replications: file.inference.replications },
  }
}

interface Context {
  readonly file: ScenarioFile
  readonly source: ScenarioSource
  readonly folder: string
  readonly window: Window | undefined
  readonly strategies: StrategySet
  readonly mistakes: Mistake[]
  /** Requests of the scripted bettors, by their place in the file. */
  readonly scripts: ReadonlyMap<number, readonly ResolvedRequest[]>
}

/** A session's bounds, µs; `untilUs` is the first instant at which nobody arrives. */
export interface Window {
  readonly fromUs: number
  readonly toUs: number
  readonly untilUs: number
}

/** Undefined, with a mistake, for bounds that do not fit the prices or each other. */
function windowOf(
  { history, arrivals }: ScenarioFile, source: ScenarioSource, ticks: ScenarioHistory['ticks'], mistakes: Mistake[],
): Window | undefined {
  const fail = (path: readonly string[], message: string): undefined => {
    mistakes.push(source.mistake(path, message))
  }
  if (ticks.count === 0) return fail(['history', 'store'], 'the store holds no prices')
  const firstUs = ticks.atUs[0]!
  const lastUs = ticks.atUs[ticks.count - 1]!
  const held = `the prices of the store reach from ${instantText(firstUs)} to ${instantText(lastUs)}`
  const fromUs = history.from ?? firstUs
  const toUs = history.to ?? lastUs + 1
  if (fromUs > lastUs) return fail(['history', 'from'], `lies after the last price: ${held}`)
  if (toUs <= firstUs) return fail(['history', 'to'], `lies before the first price: ${held}`)
  if (toUs <= fromUs) return fail(['history', 'to'], 'is not after `from`')
  const { until } = arrivals
  const untilUs = until === undefined ? toUs : 'atUs' in until ? until.atUs : toUs - until.spanUs
  if (untilUs <= fromUs || untilUs > toUs) return fail(['arrivals', 'until'], `is not within the session, ${instantText(fromUs)} to ${instantText(toUs)}`)
  return { fromUs, toUs, untilUs }
}

/** Gives participants their names, all different: draws and results go by them. */
class Names {
  private readonly source: ScenarioSource
  private readonly mistakes: Mistake[]
  private readonly taken = new Map<string, string>()
  private readonly entities = new Map<string, string>()
  private readonly made = new Map<string, number>()

  constructor(source: ScenarioSource, mistakes: Mistake[]) {
    this.source = source
    this.mistakes = mistakes
  }

  /** The name given, or one after the strategy: `shade`, `shade-2`, …: a participant more renames nobody before it. */
  of(role: Role, path: readonly PropertyKey[], given: string | undefined, use: string, seat: number, key: 'name' | 'account' = 'name'): string {
    const base = given ?? use.replaceAll('\\', '/').split('/').at(-1)!.replace(/\.[cm]?[jt]s$/, '')
    const ordinal = given === undefined ? (this.made.get(base) ?? 0) + 1 : seat
    if (given === undefined) this.made.set(base, ordinal)
    const name = ordinal === 1 ? base : `${base}-${ordinal}`
    const entity = `${role} ${entityOfName(name)}`
    const twin = this.taken.get(name) ?? this.entities.get(entity)
    if (twin !== undefined) {
      const at = given === undefined ? path : [...path, key]
      const why = this.taken.has(name) ? `the name ${name} is taken by ${twin}` : `the name ${name} draws the same numbers as ${twin}`
      this.mistakes.push(this.source.mistake(at, why, { hint: `give one of them another \`${key}\`` }))
    }
    this.taken.set(name, path.map(String).join('.'))
    this.entities.set(entity, path.map(String).join('.'))
    return name
  }
}

function cohortOf(context: Context, names: Names, entry: BettorFile, i: number): ResolvedCohort {
  const path = ['bettors', i] as const
  const service = serviceOf(context, path, entry)
  const script = context.scripts.get(i)
  if (script !== undefined) return { ...cohortWith(context, path, entry, service, names.of('bettor', path, entry.name, entry.use, 1), {}), script }
  const { strategy } = context.strategies.bettor.get(entry.use)!
  const parameters = parametersOf(context, path, entry, strategy.parameters)
  const name = names.of('bettor', path, entry.name, entry.use, 1)
  if (builtInNames('bettor').includes(entry.use)) fitBets(context, path, service, parameters, strategy.parameters)
  return cohortWith(context, path, entry, service, name, parameters)
}

function cohortWith(
  context: Context, path: readonly PropertyKey[], entry: BettorFile, service: ServiceName, name: string, parameters: Record<string, number>,
): ResolvedCohort {
  checkDeposit(context, [...path, 'bankroll'], service, entry.bankroll)
  const { feed, broadcast, submit } = entry.latency
  const arrivals = arrivalsOf(context, [...path, 'arrivals'], entry.arrivals)
  return {
    name, service, strategy: entry.use, parameters, bettors: entry.n, bankrollMicros: entry.bankroll, everyUs: entry.every,
    latency: { feedUs: feed, broadcast, submit, confirm: NO_DELAY },
    ...(entry.account === undefined ? {} : { account: entry.account }), ...(arrivals === undefined ? {} : { arrivals }),
  }
}

/** The service of a participant: the one that is named, or the only one. A mistake when neither is there. */
function serviceOf({ file, source, mistakes }: Context, path: readonly PropertyKey[], { service }: BettorFile | MakerFile): ServiceName {
  const there = SERVICE_NAMES.filter((name) => file.services[name] !== undefined)
  if (service === undefined && there.length > 1) mistakes.push(source.mistake(path, 'does not say on which service it trades', { hint: `expected service: ${there.join(' or ')}` }))
  if (service !== undefined && !there.includes(service)) mistakes.push(source.mistake([...path, 'service'], `the scenario has no ${service} service`))
  return service !== undefined && there.includes(service) ? service : there[0]!
}

/** A cohort that bets with a maker's account is one bettor, and the maker is there, on the same service, and may ask for prices. */
function checkAccounts(context: Context, bettors: readonly ResolvedCohort[], makers: readonly ResolvedMaker[]): void {
  const { file, source, mistakes } = context
  for (const [i, { account, n }] of file.bettors.entries()) {
    if (account === undefined) continue
    const { service } = bettors[i]!
    const there = makers.filter((maker) => maker.service === service)
    if (service === 'outcome') mistakes.push(source.mistake(['bettors', i, 'account'], 'on the outcome service an account either makes or takes (OM-015)'))
    else if (!there.some(({ name }) => name === account)) {
      mistakes.push(source.mistake(['bettors', i, 'account'], `no maker is named ${account}`, { hint: `expected ${there.map(({ name }) => name).join(', ')}` }))
    }
    if (n !== 1) mistakes.push(source.mistake(['bettors', i, 'n'], `${n} bettors cannot share the account of ${account}, expected 1`))
  }
}

function seatsOf(context: Context, names: Names, entry: MakerFile, i: number): ResolvedMaker[] {
  const path = ['makers', i] as const
  const { strategy } = context.strategies.maker.get(entry.use)!
  const parameters = parametersOf(context, path, entry, strategy.parameters)
  if (strategy.role === 'maker') checkTogether(context, path, strategy.check, parameters)
  const { feed, broadcast, quote, confirm } = entry.latency
  const { ignore, missConfirm, disconnect } = entry.faults
  const service = serviceOf(context, path, entry)
  checkDeposit(context, [...path, 'capital'], service, entry.capital)
  return Array.from({ length: entry.count }, (_, seat) => {
    const name = names.of('maker', path, entry.name, entry.use, seat + 1)
    const layOff = layOffOf(context, names, path, entry, service, name, seat)
    return {
      name, service, strategy: entry.use, parameters, capitalMicros: entry.capital,
      latency: { feedUs: feed, broadcast, submit: quote, confirm },
      faults: { ignore, missConfirm, disconnectEveryUs: disconnect?.every ?? 0, disconnectForUs: disconnect?.for ?? 0 },
      ...(layOff === undefined ? {} : { layOff }),
    }
  })
}

/** What a strategy's own check says of its parameters together, at the one that it names; a check that throws is a mistake of the strategy, told where it is used. */
function checkTogether(
  { source, mistakes }: Context, path: readonly PropertyKey[], check: MakerStrategy['check'], parameters: Record<string, number>,
): void {
  try {
    const fault = check?.(parameters)
    if (fault !== undefined) mistakes.push(source.mistake([...path, 'params', fault.parameter], `${fault.parameter} ${fault.message}`))
  } catch (error) {
    const why = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
    mistakes.push(source.mistake([...path, 'use'], `the strategy's check of its parameters throws ${why}`, { hint: 'expected it to return a fault, or undefined' }))
  }
}

/** The account with which a seat takes on the service that it does not quote on. */
function layOffOf(
  context: Context, names: Names, path: readonly PropertyKey[], entry: MakerFile, service: ServiceName, name: string, seat: number,
): LayOffEntry | undefined {
  if (entry.layOff === undefined) return undefined
  const { file, source, mistakes } = context
  const at = [...path, 'layOff']
  const other = SERVICE_NAMES.find((one) => one !== service && file.services[one] !== undefined)
  if (other === undefined) {
    mistakes.push(source.mistake(at, 'there is no other service to lay off on'))
    return undefined
  }
  const { account, bankroll, latency } = entry.layOff
  checkDeposit(context, [...at, 'bankroll'], other, bankroll)
  return {
    service: other, account: names.of('bettor', at, account ?? `${name} lay-off`, entry.use, account === undefined ? 1 : seat + 1, 'account'),
    bankrollMicros: bankroll,
    latency: { feedUs: entry.latency.feed, broadcast: latency.broadcast, submit: latency.submit, confirm: NO_DELAY },
  }
}

/** The values of a strategy's parameters: what is written, else the history's `maxAge`, else the defaults. */
function parametersOf(
  context: Context, path: readonly PropertyKey[], entry: BettorFile | MakerFile, parameters: Parameters,
): Record<string, number> {
  const { file, source, mistakes } = context
  const given: Record<string, number> = entry.params ?? {}
  if (entry.written !== undefined) {
    const beside = Object.fromEntries(BETTOR_KEYS.map((key) => [key, z.unknown().optional()]))
    const parts = [
      { at: path, parsed: strict({ ...beside, ...parameterShape(parameters) }).safeParse(entry.written.inline, { reportInput: true }) },
      { at: [...path, 'params'], parsed: parameterSchema(parameters).safeParse(entry.written.params, { reportInput: true }) },
    ]
    for (const { at, parsed } of parts) {
      if (!parsed.success) mistakes.push(...parsed.error.issues.flatMap((issue) => mistakesOf(source, issue, at)))
      else for (const [name, value] of Object.entries(parsed.data)) {
        if (name in given) mistakes.push(source.mistake([...at, name], `${name} is given twice`))
        if (value !== undefined) given[name] = value as number
      }
    }
  }
  const { maxAge } = file.history
  const own = parameters['maxAge']
  if (maxAge !== undefined && own?.unit === 'us' && given['maxAge'] === undefined) {
    if (maxAge < own.min || maxAge > own.max) {
      const message = `is not within ${parameterText(own).range}, the range of maxAge of ${path.map(String).join('.')}`
      mistakes.push(source.mistake(['history', 'maxAge'], message))
    }
    given['maxAge'] = maxAge
  }
  const values = Object.fromEntries(Object.entries(parameters).map(([name, parameter]) => [name, given[name] ?? parameter.default]))
  for (const name of Object.keys(parameters)) {
    const high = name.replace(/Min$/, 'Max')
    if (high === name || values[high] === undefined || values[name]! <= values[high]) continue
    const text = (of: string): string => `${of} ${parameterValueText(parameters[of]!, values[of]!)}`
    mistakes.push(source.mistake([...path, given[high] === undefined ? name : high], `${text(name)} is above ${text(high)}`))
  }
  return values
}

/**
 * What a built-in bettor asks for must be what the service takes: else every request would be refused. A default that is not is
 * moved to the nearest that is.
 */
function fitBets(
  { file, source, mistakes }: Context, path: readonly PropertyKey[], service: ServiceName, values: Record<string, number>, parameters: Parameters,
): void {
  const { legsMin, legsMax, betMinMicros, betMaxMicros } = betLimitsOf(file.services, service)
  const limits = [
    ['legsMin', legsMin, legsMax], ['legsMax', legsMin, legsMax], ['betMin', betMinMicros, betMaxMicros], ['betMax', betMinMicros, betMaxMicros],
  ] as const
  for (const [name, low, high] of limits) {
    const value = values[name]
    if (value === undefined || (value >= low && value <= high)) continue
    if (value === parameters[name]!.default) values[name] = Math.max(low, Math.min(high, value))
    else {
      const text = (of: number): string => parameterValueText(parameters[name]!, of)
      mistakes.push(source.mistake([...path, name], `${text(value)} is not what the service takes, ${text(low)} to ${text(high)}`))
    }
  }
  const { betMin = 0, betMax = Infinity, betMedian = 0 } = values
  if (betMedian !== 0 && (betMedian < betMin || betMedian > betMax)) {
    const [median, low, high] = [betMedian, betMin, betMax].map((micros) => quantityText('money', micros))
    mistakes.push(source.mistake([...path, 'betMedian'], `${median} is not within betMin and betMax, ${low} to ${high}`))
  }
}

function checkDeposit({ file, source, mistakes }: Context, path: readonly PropertyKey[], service: ServiceName, amountMicros: number): void {
  const { depositMaxMicros } = betLimitsOf(file.services, service)
  if (amountMicros <= depositMaxMicros) return
  mistakes.push(source.mistake(path, `is above ${quantityText('money', depositMaxMicros)}, the largest deposit that the service takes`))
}

function oraclesOf(cohorts: readonly ResolvedCohort[], strategies: StrategySet): { cohort: string; horizonUs: number }[] {
  return cohorts.flatMap(({ name, strategy: use, parameters, script }) => {
    if (script !== undefined) return []
    const { strategy } = strategies.bettor.get(use)!
    if (strategy.role !== 'bettor' || strategy.horizonUs === undefined) return []
    return [{ cohort: name, horizonUs: strategy.horizonUs(parameters) }]
  })
}
