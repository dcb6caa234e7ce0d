import type { Outage } from '../agent/endpoint.ts'
import {
  type EndpointEntry, type GateConfig, MARKET_CLOSES, type OperatorInput, type OutcomeGateConfig, type ServiceName, type SignatureKind,
} from '../engine/config.ts'
import { planOperator } from '../engine/operatorInputs.ts'
import { rootKey } from '../kernel/random.ts'
import { CatalogueIndex } from '../market/catalogue.ts'
import { ticksBetween } from '../market/tickWindow.ts'
import { OutcomeOp } from '../venue/outcome/protocol/commands.ts'
import type { OutcomeProfile } from '../venue/outcome/protocol/profile.ts'
import { ParlayFault, ParlayOp } from '../venue/parlay/protocol/commands.ts'
import type { ParlayProfile } from '../venue/parlay/protocol/profile.ts'
import { ALL_WEBHOOK_EVENTS, MAKER_WEBHOOK_EVENTS, OwnerKind, WEBHOOK_EVENT_NAMES } from '../venue/parlay/protocol/webhooks.ts'
import type { ScenarioSource } from './load.ts'
import type { Mistake } from './mistakes.ts'
import { OUTCOME_FAULTS, type OutcomeFaultName } from './outcomeSchema.ts'
import type { ResolvedCohort, ResolvedMaker, ScenarioHistory, Window } from './resolve.ts'
import type { EndpointFile, OutcomeFile, ParlayFile, ScenarioFile } from './schema.ts'
import { settlementOf } from './script.ts'
import { instantText, nearestName } from './units.ts'

/** A fault that is on from `fromUs` on and off again at `untilUs`. */
export interface ResolvedFault<F extends string> {
  readonly fault: F
  readonly fromUs: number
  readonly untilUs: number
}

/** A market that is halted; `untilUs` is null where its trading ends before it would go on. */
export interface ResolvedHalt {
  readonly market: string
  readonly fromUs: number
  readonly untilUs: number | null
}

export interface ResolvedDelisting {
  readonly market: string
  readonly atUs: number
}

/** The parlay service of a session; a key is absent where a scenario has nothing of it. */
export interface ResolvedParlay {
  readonly profile: string
  readonly settings: ParlayProfile
  readonly gate?: GateConfig
  readonly faults?: readonly ResolvedFault<keyof typeof ParlayFault>[]
  readonly walletsOff?: readonly string[]
}

/** The outcome service of a session. */
export interface ResolvedOutcome {
  readonly profile: string
  readonly settings: OutcomeProfile
  readonly signatures: SignatureKind
  readonly gate?: OutcomeGateConfig
  readonly faults?: readonly ResolvedFault<OutcomeFaultName>[]
}

export interface ResolvedServices {
  readonly parlay?: ResolvedParlay
  readonly outcome?: ResolvedOutcome
}

/** What stops markets, on every service; a key is absent where a scenario has nothing of it. */
export interface ResolvedStops {
  readonly halts?: readonly ResolvedHalt[]
  readonly delistings?: readonly ResolvedDelisting[]
}

interface Context {
  readonly file: ScenarioFile
  readonly source: ScenarioSource
  readonly window: Window | undefined
  readonly mistakes: Mistake[]
}

type Path = readonly PropertyKey[]
type Start = { atUs: number } | { spanUs: number }

const PARLAY = ['services', 'parlay'] as const
const OUTCOME = ['services', 'outcome'] as const

/** Fills in the services of a scenario: gates, faults, wallets. What does not fit its participants is a mistake. */
export function servicesOf(context: Context, bettors: readonly ResolvedCohort[], makers: readonly ResolvedMaker[]): ResolvedServices {
  const { parlay, outcome } = context.file.services
  const on = (service: ServiceName) => ({ bettors: bettors.filter((one) => one.service === service), makers: makers.filter((one) => one.service === service) })
  return {
    ...(parlay === undefined ? {} : { parlay: parlayOf(context, parlay, on('parlay').bettors, on('parlay').makers) }),
    ...(outcome === undefined ? {} : { outcome: outcomeOf(context, outcome) }),
  }
}

function parlayOf(context: Context, file: ParlayFile, bettors: readonly ResolvedCohort[], makers: readonly ResolvedMaker[]): ResolvedParlay {
  const { profile, settings, gate, faults, walletsOff } = file
  const names = new Set([...bettors, ...makers].map(({ name }) => name))
  walletsOff.forEach((name, i) => { if (!names.has(name)) failName(context, [...PARLAY, 'walletsOff', i], name, names) })
  const endpoints = gate?.endpoints.flatMap((entry, i) => endpointOf(context, [...PARLAY, 'gate', 'endpoints', i], entry, bettors, makers)) ?? []
  checkTwins(context, endpoints, bettors)
  return {
    profile, settings,
    ...(gate === undefined ? {} : { gate: { profile: gate.settings, keys: gate.keys, endpoints } }),
    ...(faults.length === 0 ? {} : { faults: faultsOf(context, PARLAY, faults) }),
    ...(walletsOff.length === 0 ? {} : { walletsOff }),
  }
}

function outcomeOf(context: Context, { profile, settings, signatures, gate, faults }: OutcomeFile): ResolvedOutcome {
  return {
    profile, settings, signatures,
    ...(gate === undefined ? {} : { gate: { profile: gate.settings, keys: gate.keys, retries: gate.retries } }),
    ...(faults.length === 0 ? {} : { faults: faultsOf(context, OUTCOME, faults) }),
  }
}

function failName({ source, mistakes }: Context, path: Path, name: string, names: Iterable<string>): void {
  mistakes.push(source.mistake(path, `no maker and no cohort is named ${name}`, { hint: `expected ${[...names].join(', ')}` }))
}

/** The instant of a start, which must not lie before the session. */
function startOf({ source, window, mistakes }: Context, path: Path, start: Start): number {
  const fromUs = window?.fromUs ?? 0
  const atUs = 'atUs' in start ? start.atUs : fromUs + start.spanUs
  if (atUs < fromUs) mistakes.push(source.mistake(path, `is before the session, which begins at ${instantText(fromUs)}`))
  return atUs
}

function endpointOf(
  context: Context, path: Path, entry: EndpointFile, bettors: readonly ResolvedCohort[], makers: readonly ResolvedMaker[],
): EndpointEntry[] {
  const { source, mistakes } = context
  const fail = (key: string, message: string): void => { mistakes.push(source.mistake([...path, key], message)) }
  const { of, first, answers, delay } = entry
  const cohort = bettors.find(({ name }) => name === of)
  if (cohort === undefined && !makers.some(({ name }) => name === of)) {
    failName(context, [...path, 'of'], of, [...bettors, ...makers].map(({ name }) => name))
    return []
  }
  const as = entry.as ?? (cohort === undefined ? 'maker' : 'user')
  if (as === 'maker' && cohort !== undefined) fail('as', `${of} is a cohort of bettors, which hears what users hear`)
  const most = cohort?.bettors ?? 1
  if (first !== undefined && first > most) fail('first', `${of} has ${most === 1 ? 'one account' : `${most} bettors`}, not ${first}`)
  const allowed = as === 'maker' ? MAKER_WEBHOOK_EVENTS : ALL_WEBHOOK_EVENTS
  let events = entry.events === undefined ? allowed : 0
  for (const [i, name] of (entry.events ?? []).entries()) {
    const bit = 1 << WEBHOOK_EVENT_NAMES.indexOf(name)
    if ((allowed & bit) === 0) mistakes.push(source.mistake([...path, 'events', i], `a maker's endpoint does not hear ${name}`))
    events |= bit
  }
  const outages = entry.down.map(({ from, for: lengthUs }, i): Outage => {
    const fromUs = startOf(context, [...path, 'down', i, 'from'], from)
    return { fromUs, untilUs: fromUs + lengthUs }
  })
  return [{
    of, ...(first === undefined ? {} : { first }), owner: OwnerKind[as], events,
    behaviour: { ...answers, delay, downEveryUs: entry.outages?.every ?? 0, downForUs: entry.outages?.for ?? 0, outages },
    ...(entry.redeliver ? { redelivers: true } : {}),
  }]
}

/** An account has one endpoint of a kind; a bettor with a maker's account shares the maker's. */
function checkTwins({ source, mistakes }: Context, endpoints: readonly EndpointEntry[], bettors: readonly ResolvedCohort[]): void {
  const taken = new Set<string>()
  for (const [i, { of, owner }] of endpoints.entries()) {
    const key = `${bettors.find(({ name }) => name === of)?.account ?? of} ${owner}`
    if (taken.has(key)) mistakes.push(source.mistake([...PARLAY, 'gate', 'endpoints', i, 'of'], `${of} has an endpoint of this kind already`))
    taken.add(key)
  }
}

interface FaultFile<F extends string> {
  readonly fault: F
  readonly from: Start
  readonly for: number
}

function faultsOf<F extends string>(context: Context, path: Path, faults: readonly FaultFile<F>[]): ResolvedFault<F>[] {
  const { source, mistakes } = context
  const endUs = new Map<string, number>()
  const resolved = faults.map(({ fault, from, for: lengthUs }, i) => {
    const fromUs = startOf(context, [...path, 'faults', i, 'from'], from)
    return { fault, fromUs, untilUs: fromUs + lengthUs, i }
  })
  return resolved.toSorted((a, b) => a.fromUs - b.fromUs).map(({ fault, fromUs, untilUs, i }) => {
    if (fromUs < (endUs.get(fault) ?? -Infinity)) {
      mistakes.push(source.mistake([...path, 'faults', i, 'from'], `${fault} is on at that time already`))
    }
    endUs.set(fault, untilUs)
    return { fault, fromUs, untilUs }
  })
}

/** When a market is traded, as history has it. */
interface Trading {
  readonly listedUs: number
  readonly endUs: number
}

/** Fills in the halts and delistings of a scenario; what does not fit its history is a mistake. */
export function stopsOf(context: Context, { catalogue, ticks }: ScenarioHistory): ResolvedStops {
  const { file, source, window, mistakes } = context
  if (window === undefined || file.halts.length + file.delist.length === 0) return {}
  const { fromUs: beginUs, toUs } = window
  const { inputs } = planOperator(catalogue.markets, ticksBetween(ticks, -Infinity, toUs), beginUs, toUs, settlementOf(file), rootKey(file.seed))
  const index = new CatalogueIndex(catalogue)
  const tradingOf = (path: Path, ticker: string, atUs: number, key: string): Trading | undefined => {
    const market = index.ofTicker(ticker)
    if (market === undefined) {
      const near = nearestName(ticker, catalogue.markets.map((other) => other.ticker))
      const message = `no market ${ticker} in the store${near === undefined ? '' : `; did you mean ${near}?`}`
      mistakes.push(source.mistake([...path, 'market'], message, { hint: 'expected a ticker of its catalogue' }))
      return undefined
    }
    const trading = tradingIn(inputs, market.number)
    if (trading === undefined) mistakes.push(source.mistake([...path, 'market'], `${ticker} is not traded in the session`))
    else if (atUs < trading.listedUs || atUs >= trading.endUs) {
      const span = `${instantText(trading.listedUs)} to ${instantText(trading.endUs)}`
      mistakes.push(source.mistake([...path, key], `${instantText(atUs)} is not within the trading of ${ticker}, ${span}`))
    }
    return trading
  }
  const delistings = file.delist.map(({ market, at }, i): ResolvedDelisting => {
    const path = ['delist', i]
    const atUs = startOf(context, [...path, 'at'], at)
    tradingOf(path, market, atUs, 'at')
    if (file.delist.findIndex((other) => other.market === market) < i) mistakes.push(source.mistake([...path, 'market'], `${market} is delisted twice`))
    return { market, atUs }
  })
  const haltedUntilUs = new Map<string, number>()
  const halts = file.halts.map(({ market, from, for: lengthUs }, i) => {
    const path = ['halts', i]
    const fromUs = startOf(context, [...path, 'from'], from)
    const listed = tradingOf(path, market, fromUs, 'from')
    const offUs = delistings.find((delisting) => delisting.market === market)?.atUs ?? Infinity
    if (fromUs >= offUs) mistakes.push(source.mistake([...path, 'from'], `${market} is delisted by then`))
    return { market, fromUs, untilUs: fromUs + lengthUs, overUs: Math.min(listed?.endUs ?? 0, offUs), i }
  }).toSorted((a, b) => a.fromUs - b.fromUs).map(({ market, fromUs, untilUs, overUs, i }): ResolvedHalt => {
    if (fromUs < (haltedUntilUs.get(market) ?? -Infinity)) mistakes.push(source.mistake(['halts', i, 'from'], `${market} is halted at that time already`))
    haltedUntilUs.set(market, untilUs)
    return { market, fromUs, untilUs: untilUs < overUs ? untilUs : null }
  })
  return { ...(halts.length === 0 ? {} : { halts }), ...(delistings.length === 0 ? {} : { delistings }) }
}

function tradingIn(inputs: readonly OperatorInput[], market: number): Trading | undefined {
  const own = inputs.filter((input) => input.market === market)
  const listed = own.find(({ op }) => op === ParlayOp.listMarket)
  const end = own.find(({ op }) => op === MARKET_CLOSES || op === ParlayOp.haltMarket || op === ParlayOp.resolveMarket)
  return listed === undefined || end === undefined ? undefined : { listedUs: listed.atUs, endUs: end.atUs }
}

/**
 * The operator's inputs: those of history, with the faults, halts and delistings of a scenario among them. An announcement
 * would put a market back on the list, so that of a halted one waits for its resumption, and a delisted one has none.
 */
export function operatorWith(
  inputs: readonly OperatorInput[], { parlay, outcome }: ResolvedServices, { halts = [], delistings = [] }: ResolvedStops, parts: {
    fromUs: number; marketOf: (ticker: string) => number; accountsOf: (name: string) => readonly number[]
  },
): readonly OperatorInput[] {
  const { fromUs, marketOf, accountsOf } = parts
  const added = [
    ...(parlay?.walletsOff ?? []).flatMap(accountsOf)
      .map((account): OperatorInput => ({ atUs: fromUs, op: ParlayOp.setWallet, service: 'parlay', market: -1, value: account, value2: 0 })),
    ...(parlay?.faults ?? []).flatMap((fault) => switches('parlay', ParlayOp.setFault, ParlayFault[fault.fault], fault)),
    ...(outcome?.faults ?? []).flatMap((fault) => switches('outcome', OutcomeOp.setFault, OUTCOME_FAULTS[fault.fault], fault)),
  ]
  if (added.length + halts.length + delistings.length === 0) return inputs
  const offUs = new Map(delistings.map(({ market, atUs }) => [marketOf(market), atUs]))
  const stops = halts.map(({ market, fromUs: atUs, untilUs }) => ({ market: marketOf(market), fromUs: atUs, untilUs }))
  const listing: ReadonlySet<number> = new Set([ParlayOp.listMarket, ParlayOp.haltMarket])
  const kept = inputs.flatMap((input): OperatorInput[] => {
    if (listing.has(input.op) && input.atUs >= (offUs.get(input.market) ?? Infinity)) return []
    if (input.op !== ParlayOp.listMarket) return [input]
    const stop = stops.find((halt) => halt.market === input.market && input.atUs > halt.fromUs && input.atUs < (halt.untilUs ?? Infinity))
    if (stop === undefined) return [input]
    return stop.untilUs === null ? [] : [{ ...input, atUs: stop.untilUs }]
  })
  const stopped: OperatorInput[] = [
    ...stops.flatMap(({ market, fromUs: atUs, untilUs }) => [
      { atUs, op: ParlayOp.haltMarket, market },
      ...(untilUs === null ? [] : [{ atUs: untilUs, op: ParlayOp.resumeMarket, market }]),
    ]),
    ...delistings.map(({ market, atUs }) => ({ atUs, op: ParlayOp.delistMarket, market: marketOf(market) })),
  ]
  // Array.prototype.sort is stable: at equal instants what history has comes first.
  return [...kept, ...added, ...stopped].sort((a, b) => a.atUs - b.atUs)
}

/** A fault that goes on and off. */
const switches = (service: ServiceName, op: number, fault: number, { fromUs, untilUs }: Pick<ResolvedFault<string>, 'fromUs' | 'untilUs'>): OperatorInput[] => [
  { atUs: fromUs, op, service, market: -1, value: fault, value2: 1 },
  { atUs: untilUs, op, service, market: -1, value: fault, value2: 0 },
]
