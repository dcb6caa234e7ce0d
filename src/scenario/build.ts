import { scripted, type ScriptedRequest } from '../agent/bettors/scripted.ts'
import type { CohortEntry, MakerEntry, SessionConfig } from '../engine/config.ts'
import { type Coverage, planOperator } from '../engine/operatorInputs.ts'
import { Reference } from '../engine/reference.ts'
import { StrategyFailure } from '../engine/strategyFailure.ts'
import type { Store } from '../feed/store.ts'
import { rootKey } from '../kernel/random.ts'
import { CatalogueIndex } from '../market/catalogue.ts'
import { internKeys } from '../market/exclusion.ts'
import { ticksBetween } from '../market/tickWindow.ts'
import type { Cast } from '../record/cast.ts'
import { assert } from '../unit/assert.ts'
import { InputError } from '../unit/inputError.ts'
import { Side } from '../venue/parlay/protocol/commands.ts'
import { clusterOf } from './clusters.ts'
import { legTicks } from './legPrices.ts'
import type { ResolvedCohort, ResolvedMaker, ResolvedScenario, StrategySet } from './resolve.ts'
import type { ResolvedRequest } from './script.ts'
import { operatorWith } from './services.ts'

/** A session that is ready to be played, and what a recorder needs to know of it. */
export interface BuiltSession {
  /** Add the sinks. */
  readonly config: Omit<SessionConfig, 'sinks'>
  readonly cast: Cast
  /** What results are scored against; reads the recorded prices, whatever participants see. Used up by one session. */
  readonly reference: Reference
  readonly coverage: Coverage
}

/** Turns a resolved scenario, its strategies and its history into a session. Throws InputError when no market can be traded. */
export function buildSession(resolved: ResolvedScenario, strategies: StrategySet, store: Pick<Store, 'catalogue' | 'ticks' | 'path'>): BuiltSession {
  const { fromUs, toUs, legs, store: storeName } = resolved.history
  const { markets } = store.catalogue
  // Prices before the window are known at its begin; those after it nobody may see.
  const ticks = ticksBetween(store.ticks, -Infinity, toUs)
  const plan = planOperator(markets, ticks, fromUs, toUs, resolved.settlement, rootKey(resolved.seed))
  if (plan.coverage.listed === 0) {
    const { universe, withoutPrices, closed, unresolved, scalar } = plan.coverage
    throw new InputError(`no market of the store ${storeName} can be traded`, {
      position: { file: store.path },
      hint: `of ${universe} markets ${withoutPrices} have no prices in the window, ${closed} only after their close, ${unresolved} no outcome, ${scalar} a scalar one; see settlement.missing`,
    })
  }
  const { settings: profile, gate, ...conditions } = resolved.services.parlay
  const { halts, delistings } = resolved
  const index = new CatalogueIndex(store.catalogue)
  const operator = operatorWith(plan.inputs, { ...conditions, ...(halts && { halts }), ...(delistings && { delistings }) }, {
    fromUs, marketOf: (ticker) => marketOf(index, ticker), accountsOf: (name) => accountsOf(resolved, name),
  })
  const config = {
    seed: resolved.seed,
    startUs: fromUs,
    arrivalsUntilUs: resolved.arrivals.untilUs,
    ...(resolved.arrivals.max === null ? {} : { arrivalsMax: resolved.arrivals.max }),
    marketCount: markets.length,
    keys: internKeys(markets),
    ticks: legTicks(ticks, legs),
    operator,
    parlay: {
      profile,
      ...(gate === undefined ? {} : { gate }),
      makers: resolved.makers.map((seat) => makerEntry(seat, strategies, fromUs)),
      cohorts: resolved.bettors.map((cohort) => (cohort.script === undefined
        ? cohortEntry(cohort, strategies, fromUs) : scriptedEntry(cohort, cohort.script, index))),
    },
  }
  const cast: Cast = {
    accounts: [
      ...resolved.bettors.flatMap(({ name, bettors, account }) =>
        Array.from({ length: account === undefined ? bettors : 0 }, (_, i) => ({ name: `${name}-${i + 1}`, role: 'bettor' as const, group: name }))),
      ...resolved.makers.map(({ name }) =>
        ({ name, role: resolved.bettors.some(({ account }) => account === name) ? 'both' as const : 'maker' as const, group: name })),
    ],
    markets: markets.map((market) => {
      const settledUs = plan.outcomes.atUs[market.number]!
      return { ticker: market.ticker, cluster: clusterOf(market, resolved.inference.cluster, settledUs), settledUs }
    }),
  }
  return { config, cast, reference: new Reference(store.ticks, markets.length, plan.outcomes), coverage: plan.coverage }
}

function marketOf(index: CatalogueIndex, ticker: string): number {
  const market = index.ofTicker(ticker)
  assert(market !== undefined, `no market ${ticker}`)
  return market.number
}

/** Accounts of a cohort or a maker: bettors' come first. */
function accountsOf({ bettors, makers }: Pick<ResolvedScenario, 'bettors' | 'makers'>, name: string): number[] {
  let first = 0
  let found: number[] = []
  for (const cohort of bettors) {
    const own = cohort.account === undefined ? cohort.bettors : 0
    if (cohort.name === name) {
      if (cohort.account !== undefined) return accountsOf({ bettors, makers }, cohort.account)
      found = Array.from({ length: own }, (_, i) => first + i)
    }
    first += own
  }
  const seat = makers.findIndex((maker) => maker.name === name)
  return seat < 0 ? found : [first + seat]
}

function makerEntry(seat: ResolvedMaker, strategies: StrategySet, startUs: number): MakerEntry {
  const { strategy } = strategies.maker.get(seat.strategy)!
  if (strategy.role !== 'maker') throw new InputError(`${seat.strategy} is no maker`)
  const { name, parameters: values, capitalMicros, latency, faults } = seat
  return { name, strategy: { ...strategy, create: guarded(name, startUs, strategy.create) }, values, capitalMicros, latency, faults }
}

function cohortEntry(cohort: ResolvedCohort, strategies: StrategySet, startUs: number): CohortEntry {
  const { strategy } = strategies.bettor.get(cohort.strategy)!
  if (strategy.role !== 'bettor') throw new InputError(`${cohort.strategy} is no bettor`)
  const { name, parameters: values } = cohort
  return { name, strategy: { ...strategy, create: guarded(name, startUs, strategy.create) }, values, ...termsOf(cohort) }
}

const termsOf = ({ bettors, bankrollMicros, account, everyUs, latency }: ResolvedCohort): Omit<CohortEntry, 'name' | 'strategy' | 'values'> =>
  ({ bettors, bankrollMicros, everyUs, latency, ...(account === undefined ? {} : { account }) })

/** Precondition: the script has been checked against this catalogue. */
function scriptedEntry(cohort: ResolvedCohort, script: readonly ResolvedRequest[], index: CatalogueIndex): CohortEntry {
  const { name } = cohort
  const requests = script.map(({ legs, betMicros, floorOddsE4, decideUs, cancel }): ScriptedRequest => ({
    legs: legs.map(({ ticker, side }) => ({ market: marketOf(index, ticker), side: Side[side] })),
    betMicros, floorOddsE4, decideUs, cancel,
  }))
  return { name, strategy: scripted(requests), values: {}, arrivalsUs: script.map(({ atUs }) => atUs), ...termsOf(cohort) }
}

/** A strategy that throws while its handlers are made, or makes none, fails the run as one that throws in a handler does. */
function guarded<A extends unknown[], H extends object>(name: string, startUs: number, create: (...args: A) => H): (...args: A) => H {
  return (...args) => {
    let handlers: H
    try {
      handlers = create(...args)
    } catch (cause) {
      throw new StrategyFailure(name, 'create', startUs, cause)
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
