import { scripted, type ScriptedRequest } from '../agent/bettors/scripted.ts'
import { calledStrategy } from '../agent/calledStrategy.ts'
import { type Latency, NO_DELAY } from '../agent/latency.ts'
import { Accounts, type NumberedAccount } from '../engine/accounts.ts'
import type { CohortEntry, MakerEntry, ServiceName, ServiceParticipants, SessionConfig } from '../engine/config.ts'
import { type Coverage, planOperator } from '../engine/operatorInputs.ts'
import { rostersOf } from '../engine/roster.ts'
import type { Reference } from '../engine/reference.ts'
import { StrategyFailure } from '../engine/strategyFailure.ts'
import { redrawPlaces } from '../draw/redrawPlaces.ts'
import { foldedHistory } from '../feed/history/foldedHistory.ts'
import { rootKey } from '../kernel/random.ts'
import { seedOfPart } from '../kernel/seeds.ts'
import { CatalogueIndex } from '../market/catalogue.ts'
import { internKeys } from '../market/exclusion.ts'
import { internFacts } from '../market/marketFacts.ts'
import { listOfCatalogue } from '../market/publicList.ts'
import type { Market } from '../market/market.ts'
import { Side } from '../market/sides.ts'
import { sourceOf } from '../market/tickSource.ts'
import { sourceBefore } from '../market/tickWindow.ts'
import type { Directory, DirectoryAccount } from '../record/directory.ts'
import type { ListedMarket } from '../record/marketTable.ts'
import { assert } from '../unit/assert.ts'
import { InputError } from '../unit/inputError.ts'
import { clusterOf } from './clusters.ts'
import { EXTERNAL_BETTOR, externalMaker, type SeatListener } from './externalSeats.ts'
import { creatingKnownHandlers, HandlerMistakes } from './knownHandlers.ts'
import { legSource } from './legPrices.ts'
import { listedMarkets, type Redrawing } from './listedMarkets.ts'
import { PlayedLogs } from './recorded/playableLog.ts'
import { recordedCohort, recordedSeat } from './recorded/recordedEntries.ts'
import { outcomeLimbs } from './outcomeIds.ts'
import { operatorWith, withWithdrawals } from './operatorSchedule.ts'
import type { ResolvedCohort, ResolvedMaker, ResolvedRequest, ResolvedScenario } from './resolved.ts'
import type { ScenarioHistory } from './resolve/tradingPlan.ts'
import { referencesOf } from './sessionReferences.ts'
import type { StrategySet } from './strategySet.ts'

/** A session that is ready to be played, and what a recorder needs to know of it. */
export interface BuiltSession {
  /** Add the sinks. */
  readonly config: Omit<SessionConfig, 'sinks'>
  readonly directory: Directory
  /** The markets that the session lists. */
  readonly listedMarkets: () => ListedMarket[]
  /** What results are scored against; reads the recorded prices, whatever participants see. Used up by one session. */
  readonly reference: Reference
  /** Another one, for who looks at other instants. */
  readonly anotherReference: () => Reference
  readonly coverage: Coverage
  readonly logs: PlayedLogs
}

/** A history as sessions are made of it. */
export interface SessionStore extends ScenarioHistory {
  readonly path: string
}

/** Where the clients of a session are, for the seats that are theirs. */
export interface Outside {
  /** `wall`: virtual time follows the wall's. `lockstep`: it waits for clients. */
  readonly clock: 'wall' | 'lockstep'
  readonly hear: SeatListener
}

const NOBODY_OUTSIDE: Outside = { clock: 'lockstep', hear: () => {} }

/** Turns a resolved scenario, its strategies and its history into a session. Throws InputError when no market can be traded. */
export function buildSession(
  resolved: ResolvedScenario, strategies: StrategySet, store: SessionStore, outside: Outside = NOBODY_OUTSIDE,
): BuiltSession {
  const { fromUs, toUs, legs, store: storeName, depth: levels } = resolved.history
  const { markets } = store.catalogue
  // Prices before the window are known at its begin; those after it nobody may see.
  const history = sourceOf(store.ticks)
  const ticks = sourceBefore(history, toUs)
  // A client may ask for all prices that a session has shown, and for their numbers.
  const foldUs = outside === NOBODY_OUTSIDE ? fromUs - longestFeedUs(resolved) : -Infinity
  const seen = foldedHistory(ticks, markets.length, foldUs)?.ticks ?? ticks
  const plan = planOperator(markets, ticks, fromUs, toUs, resolved.settlement, rootKey(seedOfPart(resolved, 'outcomes')))
  if (plan.coverage.listed === 0) {
    const { universe, withoutPrices, closed, unresolved, scalar } = plan.coverage
    throw new InputError(`no market of the store ${storeName} can be traded`, {
      position: { file: store.path },
      hint: `of ${universe} markets ${withoutPrices} have no prices in the window, ${closed} have prices only after their close, ${unresolved} have no outcome, ${scalar} have a scalar one; see settlement.missing`,
    })
  }
  const index = new CatalogueIndex(store.catalogue)
  const isTraded = ({ number }: Market): boolean => plan.outcomes.atUs[number] !== Infinity
  const logs = new PlayedLogs(strategies.logs, { index, isTraded, fromUs, untilUs: resolved.arrivals.untilUs }, resolved.services)
  const services = servicesOf(resolved, strategies, index, logs, outside)
  const swap = resolved.swap && {
    atUs: resolved.swap.atUs, makers: resolved.swap.makers.map((seat) => ({ service: seat.service, ...makerEntry(seat, strategies, resolved, logs, outside) })),
  }
  const accounts = new Accounts(rostersOf(services)).list
  const accountsOfName = (name: string): readonly number[] => accountsOf(resolved, accounts, name)
  const inputs = operatorWith(plan.inputs, resolved.services, resolved, {
    fromUs, marketOf: (ticker) => marketOf(index, ticker), accountsOf: accountsOfName,
  })
  const operator = withWithdrawals(inputs, resolved.withdrawals ?? [], accountsOfName)
  const config = {
    seed: resolved.seed,
    ...(resolved.seeds && { seeds: resolved.seeds }),
    startUs: fromUs,
    arrivalsUntilUs: resolved.arrivals.untilUs,
    ...(resolved.arrivals.max === null ? {} : { arrivalsMax: resolved.arrivals.max }),
    marketCount: markets.length,
    keys: internKeys(markets),
    facts: internFacts(markets),
    list: listOfCatalogue(markets),
    ticks: legSource(seen, legs),
    ...(levels === undefined ? {} : { depth: { levels, source: store.depth!.between(foldUs, toUs) } }),
    operator,
    ...sessionLimits(resolved),
    ...services,
    ...(swap && { swap }),
  }
  const directory: Directory = {
    accounts: accounts.map((account) => directoryAccount(resolved, account)),
    markets: markets.map((market) => {
      const { ticker, category, event, listing } = market
      const settledUs = plan.outcomes.atUs[market.number]!
      const cluster = clusterOf(market, resolved.inference.cluster, settledUs)
      return { ticker, cluster, settledUs, category, exclusive: listing?.isExclusive ? event : '' }
    }),
  }
  const newReference = referencesOf({ markets, plan, history, foldUs, toUs, share: resolved.settlement.correlation?.share ?? 0 })
  const reference = newReference()
  const redrawing = (): Redrawing => {
    const closes = Float64Array.from(markets, ({ number }) => reference.closingValue(1, [number], [Side.yes], 0))
    const redraws = resolved.settlement.outcomes === 'drawn'
    return { closes, places: redrawPlaces(markets, { ties: plan.ties, redraws, within: resolved.settlement.correlation?.within ?? 'all', closes, ticks, untilUs: toUs }) }
  }
  return {
    config, directory, listedMarkets: () => listedMarkets(markets, plan, resolved.services.outcome !== undefined, redrawing()), reference, anotherReference: newReference,
    coverage: plan.coverage, logs,
  }
}

/** How late the slowest participant sees prices, µs: at the begin it sees what stood so long before. */
export const longestFeedUs = ({ makers, bettors, swap }: ResolvedScenario): number =>
  [...makers, ...bettors, ...(swap?.makers ?? [])].reduce((longest, { latency }) => Math.max(longest, latency.feedUs), 0)

/** The limits of strategies that a session's rows are a function of. */
function sessionLimits({ strategies: { actionsPerInstant, looksAgain } = {} }: ResolvedScenario): Pick<SessionConfig, 'actionsPerInstant' | 'looksAgain'> {
  return { ...(actionsPerInstant === undefined ? {} : { actionsPerInstant }), ...(looksAgain === undefined ? {} : { looksAgain }) }
}

/** Each service with those that trade on it. */
function servicesOf(
  resolved: ResolvedScenario, strategies: StrategySet, index: CatalogueIndex, logs: PlayedLogs, outside: Outside,
): Pick<SessionConfig, 'parlay' | 'outcome'> {
  const { parlay, outcome } = resolved.services
  const participantsOf = (service: ServiceName): ServiceParticipants => ({
    makers: resolved.makers.filter((seat) => seat.service === service).map((seat) => makerEntry(seat, strategies, resolved, logs, outside)),
    cohorts: resolved.bettors.filter((cohort) => cohort.service === service).map((cohort) => {
      if (cohort.external === true) return externalEntry(cohort, outside)
      if (cohort.recorded !== undefined) return { ...termsOf(cohort), ...recordedCohort(cohort.name, logs.made(cohort.recorded.log, service), service, cohort.recorded.takes) }
      return cohort.script === undefined ? cohortEntry(cohort, strategies, resolved) : scriptedEntry(cohort, cohort.script, index)
    }),
  })
  return {
    ...(parlay === undefined ? {} : {
      parlay: { profile: parlay.settings, ...(parlay.gate && { gate: parlay.gate }), ...participantsOf('parlay') },
    }),
    ...(outcome === undefined ? {} : {
      outcome: {
        profile: outcome.settings, ...(outcome.gate && { gate: outcome.gate }), signatures: outcome.signatures,
        outcomeIds: index.catalogue.markets.map(outcomeLimbs), ...participantsOf('outcome'),
      },
    }),
  }
}

function directoryAccount({ bettors, makers }: ResolvedScenario, { name, role, group }: NumberedAccount): DirectoryAccount {
  // Any account of the parlay service may quote (PQ-011), and that of a client may try.
  const isClients = bettors.some((cohort) => cohort.external === true && cohort.service === 'parlay' && cohort.name === group)
  if (role === 'bettor' && isClients) return { name, role: 'both', group, services: ['parlay'] }
  if (role !== 'maker') return { name, role: 'bettor', group: role === 'layOff' ? name : group }
  const alsoBets = bettors.some(({ account }) => account === name)
  return { name, role: alsoBets ? 'both' : 'maker', group, services: makers.filter((maker) => maker.name === name).map(({ service }) => service) }
}

function marketOf(index: CatalogueIndex, ticker: string): number {
  const market = index.ofTicker(ticker)
  assert(market !== undefined, `no market ${ticker}`)
  return market.number
}

/** Account numbers of a cohort or a maker. */
function accountsOf({ bettors }: ResolvedScenario, accounts: readonly NumberedAccount[], name: string): number[] {
  const owner = bettors.find((cohort) => cohort.name === name)?.account ?? name
  return accounts.flatMap(({ group, role }, number) => (group === owner && role !== 'layOff' ? [number] : []))
}

function makerEntry(seat: ResolvedMaker, strategies: StrategySet, { history: { fromUs: startUs }, services }: ResolvedScenario, logs: PlayedLogs, outside: Outside): MakerEntry {
  if (seat.external === true) {
    const { name, capitalMicros, latency, faults } = seat
    return {
      name, strategy: externalMaker((message) => { outside.hear(seat, message) }), values: {}, capitalMicros, latency: wayOf(latency, outside), faults,
      // Where time waits for clients, every message for a seat is theirs to wait for, whether or not they have come.
      ...(outside.clock === 'wall' && { opensOwnStreams: true }),
    }
  }
  const { recorded, service } = seat
  const { strategy, path } = recorded === undefined ? strategies.maker.get(seat.strategy)! : { strategy: recordedSeat(logs.made(recorded.log, service), recorded.maker, service, services), path: undefined }
  if (strategy.role !== 'maker') throw new InputError(`${seat.strategy} is no maker`)
  const { name, parameters: values, capitalMicros, latency, faults, layOff } = seat
  return {
    name, strategy: { ...strategy, create: guarded(name, startUs, creatingKnownHandlers(strategy.create, 'maker', path)) }, values, capitalMicros, latency, faults,
    ...(layOff && { layOff }),
  }
}

/** How far ahead the cohort sees is what the manifest says. A strategy that is asked again could answer otherwise. */
function cohortEntry(cohort: ResolvedCohort, strategies: StrategySet, { oracles, history }: ResolvedScenario): CohortEntry {
  const { strategy, path } = strategies.bettor.get(cohort.strategy)!
  if (strategy.role !== 'bettor') throw new InputError(`${cohort.strategy} is no bettor`)
  const { name, parameters: values } = cohort
  const oracle = oracles.find((one) => one.cohort === name)
  const ahead = oracle === undefined ? {} : { horizonUs: () => oracle.horizonUs }
  return { name, strategy: { ...strategy, create: guarded(name, history.fromUs, creatingKnownHandlers(strategy.create, 'bettor', path)), ...ahead }, values, ...termsOf(cohort) }
}

/** A bettor for whom a client acts: none of its arrivals is simulated. */
const externalEntry = (cohort: ResolvedCohort, outside: Outside): CohortEntry =>
  ({ name: cohort.name, strategy: EXTERNAL_BETTOR, values: {}, ...termsOf(cohort), arrivalsUs: [], latency: wayOf(cohort.latency, outside) })

/** With the wall's clock, the way of what a client sends and is sent is its own: none is simulated but that of prices. */
const wayOf = (latency: Latency, { clock }: Outside): Latency =>
  (clock === 'wall' ? { feedUs: latency.feedUs, broadcast: NO_DELAY, submit: NO_DELAY, confirm: NO_DELAY } : latency)

const termsOf = ({ bettors, bankrollMicros, account, everyUs, arrivals, latency }: ResolvedCohort): Omit<CohortEntry, 'name' | 'strategy' | 'values'> => ({
  bettors, bankrollMicros, everyUs, latency,
  ...(account === undefined ? {} : { account }),
  ...(arrivals?.kind === 'hawkes' ? { excitation: { branching: arrivals.excitation, decayUs: arrivals.decayUs } } : {}),
  ...(arrivals?.kind === 'replay' ? { arrivalsUs: arrivals.timesUs } : {}),
})

/** Precondition: the script has been checked against this catalogue. */
function scriptedEntry(cohort: ResolvedCohort, script: readonly ResolvedRequest[], index: CatalogueIndex): CohortEntry {
  const { name } = cohort
  const requests = script.map(({ legs, betMicros, floorOddsE4, decideUs, cancel }): ScriptedRequest => ({
    legs: legs.map(({ ticker, side }) => ({ market: marketOf(index, ticker), side: Side[side] })),
    betMicros, minOddsE4: floorOddsE4, decideUs, cancel,
  }))
  return { name, strategy: scripted(requests), values: {}, arrivalsUs: script.map(({ atUs }) => atUs), ...termsOf(cohort) }
}

/** A strategy that throws while its handlers are made, or makes none, fails the run as one that throws in a handler does. */
function guarded<A extends unknown[], H extends object>(name: string, startUs: number, create: (...args: A) => H): (...args: A) => H {
  return (...args) => {
    let handlers: H
    try {
      handlers = calledStrategy.calling(name, 'create', () => create(...args))
    } catch (cause) {
      if (!(cause instanceof HandlerMistakes)) throw new StrategyFailure(name, 'create', startUs, cause)
      cause.participant = name
      throw cause
    }
    if (typeof handlers !== 'object' || handlers === null) throw new StrategyFailure(name, 'create', startUs, 'it returned no handlers')
    for (const [handler, body] of Object.entries(handlers)) {
      // An async handler would act after its call, when its views mean something else, and fail where nobody listens.
      if (typeof body === 'function' && body.constructor.name !== 'Function') {
        throw new StrategyFailure(name, 'create', startUs, `${handler} is no plain function: handlers answer at once, they cannot be async`)
      }
    }
    return handlers
  }
}
