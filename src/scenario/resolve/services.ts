import type { EndpointEntry } from '../../engine/config.ts'
import type { Outage } from '../../engine/parlay/endpointBehaviour.ts'
import { ALL_WEBHOOK_EVENTS, MAKER_WEBHOOK_EVENTS, OwnerKind, WEBHOOK_EVENT_NAMES } from '../../venue/parlay/protocol/webhooks.ts'
import type { Fail, Path } from '../mistakes.ts'
import type { ResolvedFault, ResolvedOutcome, ResolvedParlay, ResolvedServices } from '../resolved.ts'
import type { EndpointFile, OutcomeFile, ParlayFile, ScenarioFile } from '../schema.ts'
import { instantText } from '../../unit/time.ts'
import type { Check, CohortDraft, Draft } from './draft.ts'
import { instantOf, type Start, type Window } from './window.ts'

const PARLAY = ['services', 'parlay'] as const
const OUTCOME = ['services', 'outcome'] as const

/** Fills in the services of a scenario: gates, faults, wallets. */
export function servicesOf({ services: { parlay, outcome } }: ScenarioFile, window: Window, cohorts: readonly CohortDraft[]): ResolvedServices {
  return {
    ...(parlay === undefined ? {} : { parlay: parlayOf(parlay, window, cohorts) }),
    ...(outcome === undefined ? {} : { outcome: outcomeOf(outcome, window) }),
  }
}

function parlayOf({ profile, settings, gate, faults, walletsOff }: ParlayFile, window: Window, cohorts: readonly CohortDraft[]): ResolvedParlay {
  return {
    profile, settings,
    ...(gate === undefined ? {} : {
      gate: { profile: gate.settings, keys: gate.keys, endpoints: gate.endpoints.map((entry) => endpointOf(entry, window, cohortOnParlay(cohorts, entry.of))) },
    }),
    ...(faults.length === 0 ? {} : { faults: faultsOf(faults, window) }),
    ...(walletsOff.length === 0 ? {} : { walletsOff }),
    ...(gate === undefined || gate.deliveriesOff.length === 0 ? {} : { deliveriesOff: gate.deliveriesOff }),
  }
}

function outcomeOf({ profile, settings, signatures, gate, faults, embeddedWallets }: OutcomeFile, window: Window): ResolvedOutcome {
  const resnapshots = (gate?.resnapshots ?? []).map(({ channel, at }) => ({ channel, atUs: instantOf(at, window) })).toSorted((a, b) => a.atUs - b.atUs)
  return {
    profile, settings, signatures,
    ...(gate === undefined ? {} : { gate: { profile: gate.settings, keys: gate.keys, retries: gate.retries } }),
    ...(faults.length === 0 ? {} : { faults: faultsOf(faults, window) }),
    ...(resnapshots.length === 0 ? {} : { resnapshots }),
    ...(embeddedWallets.length === 0 ? {} : { embeddedWallets }),
  }
}

const cohortOnParlay = (cohorts: readonly CohortDraft[], of: string): CohortDraft | undefined =>
  cohorts.find(({ cohort: { service, name } }) => service === 'parlay' && name === of)

/** As whom an endpoint hears: a cohort's hears what users hear, a maker's what makers do, unless the scenario says otherwise. */
const ownerOf = ({ as }: EndpointFile, cohort: CohortDraft | undefined): keyof typeof OwnerKind => as ?? (cohort === undefined ? 'maker' : 'user')

const eventsOf = (owner: keyof typeof OwnerKind): number => (owner === 'maker' ? MAKER_WEBHOOK_EVENTS : ALL_WEBHOOK_EVENTS)

const eventBit = (name: (typeof WEBHOOK_EVENT_NAMES)[number]): number => 1 << WEBHOOK_EVENT_NAMES.indexOf(name)

function endpointOf(entry: EndpointFile, window: Window, cohort: CohortDraft | undefined): EndpointEntry {
  const { of, first, answers, delay } = entry
  const owner = ownerOf(entry, cohort)
  const events = entry.events === undefined ? eventsOf(owner) : entry.events.reduce((bits, name) => bits | eventBit(name), 0)
  const outages = entry.down.map(({ from, for: lengthUs }): Outage => {
    const fromUs = instantOf(from, window)
    return { fromUs, untilUs: fromUs + lengthUs }
  })
  return {
    of, ...(first === undefined ? {} : { first }), owner: OwnerKind[owner], events,
    behaviour: { ...answers, delay, downEveryUs: entry.outages?.every ?? 0, downForUs: entry.outages?.for ?? 0, outages },
    ...(entry.redeliver ? { redelivers: true } : {}),
  }
}

interface FaultFile<F extends string> {
  readonly fault: F
  readonly from: Start
  readonly for: number
}

const faultsOf = <F extends string>(faults: readonly FaultFile<F>[], window: Window): ResolvedFault<F>[] =>
  faults.map(({ fault, from, for: lengthUs }) => ({ fault, fromUs: instantOf(from, window), untilUs: instantOf(from, window) + lengthUs }))
    .toSorted((a, b) => a.fromUs - b.fromUs)

/** A start does not lie before the session. */
export function checkStart(path: Path, start: Start, window: Window | undefined, fail: Fail): void {
  const fromUs = window?.fromUs ?? 0
  if (instantOf(start, window) < fromUs) fail(path, `is before the session, which begins at ${instantText(fromUs)}`)
}

function namesOnParlay({ cohorts, makers }: Draft): string[] {
  const bettors = cohorts.filter(({ cohort }) => cohort.service === 'parlay').map(({ cohort }) => cohort.name)
  return [...bettors, ...makers.filter(({ service }) => service === 'parlay').flatMap(({ seats }) => seats.map(({ name }) => name))]
}

function clientsOnOutcome({ cohorts, makers }: Draft): string[] {
  const bettors = cohorts.filter(({ cohort, entry }) => cohort.service === 'outcome' && entry.external === true).map(({ cohort }) => cohort.name)
  return [...bettors, ...makers.filter(({ service, entry }) => service === 'outcome' && entry.external === true).flatMap(({ seats }) => seats.map(({ name }) => name))]
}

function failName(path: Path, name: string, names: readonly string[], fail: Fail): void {
  fail(path, `no maker and no cohort is named ${name}`, { hint: `expected ${names.join(', ')}` })
}

/** Whoever a service lists as without a wallet or deliveries must be in the scenario, and whoever has an embedded one must be a client's seat. */
export const checkListed: Check = (draft, fail) => {
  const names = [...new Set(namesOnParlay(draft))]
  for (const [i, name] of (draft.file.services.parlay?.walletsOff ?? []).entries()) {
    if (!names.includes(name)) failName([...PARLAY, 'walletsOff', i], name, names, fail)
  }
  for (const [i, name] of (draft.file.services.parlay?.gate?.deliveriesOff ?? []).entries()) {
    if (!names.includes(name)) failName([...PARLAY, 'gate', 'deliveriesOff', i], name, names, fail)
  }
  const clients = clientsOnOutcome(draft)
  for (const [i, name] of (draft.file.services.outcome?.embeddedWallets ?? []).entries()) {
    if (!clients.includes(name)) fail([...OUTCOME, 'embeddedWallets', i], `no seat of a client is named ${name}`, { hint: `expected ${clients.join(', ')}` })
  }
}

/** An endpoint belongs to somebody who is there and hears what its owner can hear; an account has one of a kind. */
export const checkEndpoints: Check = (draft, fail) => {
  const names = namesOnParlay(draft)
  const taken = new Set<string>()
  for (const [i, entry] of (draft.file.services.parlay?.gate?.endpoints ?? []).entries()) {
    const path = [...PARLAY, 'gate', 'endpoints', i]
    const { of } = entry
    if (!names.includes(of)) {
      failName([...path, 'of'], of, names, fail)
      continue
    }
    const cohort = cohortOnParlay(draft.cohorts, of)
    checkEndpoint(path, entry, cohort, draft.window, fail)
    // A bettor with a maker's account shares the maker's.
    const key = `${cohort?.cohort.account ?? of} ${ownerOf(entry, cohort)}`
    if (taken.has(key)) fail([...path, 'of'], `${of} has an endpoint of this kind already`)
    taken.add(key)
  }
}

function checkEndpoint(path: Path, entry: EndpointFile, cohort: CohortDraft | undefined, window: Window | undefined, fail: Fail): void {
  const { of, first } = entry
  const owner = ownerOf(entry, cohort)
  if (owner === 'maker' && cohort !== undefined) fail([...path, 'as'], `${of} is a cohort of bettors, which hears what users hear`)
  const most = cohort?.cohort.bettors ?? 1
  if (first !== undefined && first > most) fail([...path, 'first'], `${of} has ${most === 1 ? 'one account' : `${most} bettors`}, not ${first}`)
  for (const [i, name] of (entry.events ?? []).entries()) {
    if ((eventsOf(owner) & eventBit(name)) === 0) fail([...path, 'events', i], `a maker's endpoint does not hear ${name}`)
  }
  for (const [i, { from }] of entry.down.entries()) checkStart([...path, 'down', i, 'from'], from, window, fail)
}

/** Faults begin within the session, each when it is off, and resnapshots are within it too. */
export const checkFaults: Check = ({ file: { services: { parlay, outcome } }, window }, fail) => {
  for (const [i, { at }] of (outcome?.gate?.resnapshots ?? []).entries()) checkStart([...OUTCOME, 'gate', 'resnapshots', i, 'at'], at, window, fail)
  for (const [path, faults] of [[PARLAY, parlay?.faults ?? []], [OUTCOME, outcome?.faults ?? []]] as const) {
    const endUs = new Map<string, number>()
    for (const [i, { from }] of faults.entries()) checkStart([...path, 'faults', i, 'from'], from, window, fail)
    const inTime = faults.map(({ fault, from, for: lengthUs }, i) => ({ fault, fromUs: instantOf(from, window), lengthUs, i })).toSorted((a, b) => a.fromUs - b.fromUs)
    for (const { fault, fromUs, lengthUs, i } of inTime) {
      if (fromUs < (endUs.get(fault) ?? -Infinity)) fail([...path, 'faults', i, 'from'], `${fault} is on at that time already`)
      endUs.set(fault, fromUs + lengthUs)
    }
  }
}
