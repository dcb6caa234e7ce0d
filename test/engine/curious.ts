import type { BettorStrategy } from '../../src/agent/bettor.ts'
import { maker, type MakerStrategy } from '../../src/agent/maker.ts'
import type { CohortEntry, OutcomeGateConfig, ServiceName, SessionConfig } from '../../src/engine/config.ts'
import { OUTCOME_GATE_SETTINGS } from '../../src/venue/outcome/protocol/gate.ts'
import { profileOf } from '../../src/venue/profile.ts'
import { outcomeAuctionConfig } from './outcomeWorld.ts'
import { auctionConfig, makerEntry } from './world.ts'

/** Numbers and flags of a view: its own fields, or those that it reads elsewhere. */
function textOf(view: object | number): string {
  if (typeof view === 'number') return String(view)
  const names = [...Object.keys(view), ...Object.keys(Object.getOwnPropertyDescriptors(Object.getPrototypeOf(view)))]
  const fields = names.map((name) => [name, (view as Record<string, unknown>)[name]] as const)
  return fields.filter(([name, value]) => name !== 'slot' && ['number', 'boolean'].includes(typeof value)).map(([name, value]) => `${name} ${value}`).join(', ')
}

/** The same handlers, which write down first what they are shown. */
function telling<H extends object>(handlers: H, heard: string[]): H {
  const entries = Object.entries(handlers).map(([name, handle]) => [name, typeof handle !== 'function' ? handle : (view: object, ...more: unknown[]) => {
    heard.push(`${name}: ${textOf(view)}; ${more.filter((value) => typeof value === 'number').join(' ')}`)
    return (handle as (...all: unknown[]) => unknown).call(handlers, view, ...more)
  }])
  return Object.fromEntries(entries) as H
}

const tellingStrategy = <S extends { create: (...all: never[]) => object }>(strategy: S, heard: string[]): S =>
  ({ ...strategy, create: (...all: never[]) => telling(strategy.create(...all), heard) })

/** Makes use of every message that a maker can get, and of each way to put a thing off. */
const curious = maker({}, () => {
  const state = { seen: 0 }
  return {
    state,
    onStart: (desk) => desk.after(1_000_000, 1),
    onTimer(tag, desk) {
      if (tag < 40) desk.after(500_000 + tag, tag + 1)
      if (tag % 3 === 0 && tag <= state.seen) desk.withdrawQuote(tag)
    },
    onEnd: (desk) => desk.log('over'),
    onRequest(request, desk) {
      state.seen = request.request
      if (request.request % 2 === 0) desk.later(request, 30_000)
      desk.quote(request, { probability: 0.2, validUs: 3_000_000 })
      if (request.request % 3 === 0) desk.watch(request, { priceType: 'mid', movedBy: 0.01 })
    },
    onPrice(request, desk) {
      desk.quote(request, { probability: 0.15, validUs: 3_000_000 })
      desk.watch(request, { priceType: 'mid', movedBy: 0.01 })
    },
    onRequestEnded: (request, desk) => {
      if (request.request % 5 === 0) desk.withdrawQuote(request)
    },
    onPositionPrice: (position, desk) => desk.watchPosition(position, { priceType: 'bid', movedBy: 0.01 }),
    onLater(request, desk) {
      if (request.request % 4 === 0) desk.withdrawQuote(request)
      else desk.quote(request, { probability: 0.05, validUs: 3_000_000, fair: 0.04 })
    },
    onBest(request, desk) {
      if (request.bookChanges === 2) desk.quote(request, { probability: 0.06, validUs: 3_000_000 })
    },
    onSelected: (selection, desk) => desk.decideLater(selection, 1000),
    onDecision: (selection, desk) => desk.confirm(selection),
    onBidTaken: (selection, desk) => desk.confirm(selection),
    onAck() {}, onSettled() {}, onBestBid() {}, onCashOutRefused() {},
    onOpened(position, desk) {
      desk.layOff(position, { betMicros: 10_000_000, minOddsE4: 12_000, decideInUs: 2_000_000 })
      desk.watchPosition(position, { priceType: 'ask', movedBy: 0.01 })
    },
    onBought(position, desk) {
      if (position.canCashOut) desk.openCashOut(position)
      desk.checkIn(position, 2_000_000)
      desk.watchPosition(position, { priceType: 'ask', movedBy: 0.01 })
    },
    onBid(position, desk) {
      if (position.isAuctioned && position.bestPriceMicros > 0) desk.takeBid(position, position.bestPriceMicros)
    },
    onCheck(position, desk) {
      if (position.isAuctioned) desk.cancelCashOut(position)
      else if (position.canCashOut) desk.openCashOut(position)
    },
    onCashOut: (auction, desk) => desk.bid(auction, { probability: 0.3, validUs: 5_000_000 }),
  }
}) as unknown as MakerStrategy

type Entries = Pick<NonNullable<SessionConfig['parlay']>, 'makers' | 'cohorts'>

/** The service with one curious maker more, who lays off on `other`; what all its strategies are shown goes into `heard`. */
function withCurious<E extends Entries>(service: E, heard: string[], other: ServiceName | null): E {
  const cohorts = service.cohorts.map((entry): CohortEntry => ({ ...entry, strategy: tellingStrategy(entry.strategy as BettorStrategy, heard) as CohortEntry['strategy'] }))
  const entry = makerEntry('curious', curious)
  const layOff = other === null ? {} : { layOff: { service: other, account: `desk on ${other}`, bankrollMicros: 5_000_000_000, latency: entry.latency } }
  const makers = [...service.makers, { ...entry, ...layOff }].map((entry) => ({ ...entry, strategy: tellingStrategy(entry.strategy, heard) }))
  return { ...service, makers, cohorts }
}

const outcomeGate: OutcomeGateConfig = {
  profile: profileOf(OUTCOME_GATE_SETTINGS, { limitWindowMs: 5_000, quoteLimit: 60, heartbeatMs: 4_000 }),
  keys: { lifeDays: 0, renewAfterUs: 0 }, retries: { most: 3, backoffUs: 500_000 },
}

export const behindGate = (seconds: number): SessionConfig => {
  const config = outcomeAuctionConfig(seconds)
  return { ...config, outcome: { ...config.outcome, gate: outcomeGate } }
}

export const onBoth = (seconds: number): SessionConfig => ({ ...auctionConfig(seconds), outcome: outcomeAuctionConfig(seconds).outcome! })

/** The session with curious makers. */
export function curiousSession(config: SessionConfig, heard: string[]): SessionConfig {
  const { parlay, outcome, ...terms } = config
  return {
    ...terms, ...(parlay === undefined ? {} : { parlay: withCurious(parlay, heard, outcome === undefined ? null : 'outcome') }),
    ...(outcome === undefined ? {} : { outcome: withCurious(outcome, heard, parlay === undefined ? null : 'parlay') }),
  }
}
