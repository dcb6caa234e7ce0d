import { expect } from 'vitest'
import type { BettorHandlers, BettorStrategy } from '../../src/agent/bettor.ts'
import { scripted, type ScriptedRequest } from '../../src/agent/bettors/scripted.ts'
import { type Faults, NO_FAULTS } from '../../src/agent/faults.ts'
import type { Delay, Latency } from '../../src/agent/latency.ts'
import { type MakerHandlers, type MakerStrategy, maker } from '../../src/agent/maker.ts'
import type { MakerEntry, OperatorInput, OutcomeServiceConfig } from '../../src/engine/config.ts'
import { Session } from '../../src/engine/session.ts'
import { MarketResult, Side } from '../../src/market/sides.ts'
import { OUTCOME_CODES } from '../../src/venue/outcome/protocol/codes.ts'
import { OutcomeOp, OUTCOME_OP_NAMES } from '../../src/venue/outcome/protocol/commands.ts'
import { OUTCOME_EVENT_NAMES, OutcomeEvent, Reply } from '../../src/venue/outcome/protocol/events.ts'
import { OUTCOME_SETTINGS } from '../../src/venue/outcome/protocol/profile.ts'
import { profileOf } from '../../src/venue/profile.ts'
import { ofKind } from './loggedRow.ts'
import { OutcomeLog } from './outcomeLog.ts'
import { outcomeIds } from './outcomeWorld.ts'

/** 100 s after a batch of settlement: the next ones are 200 s and 500 s after the start. */
export const START = 1_750_000_000_000_000
export const START_S = START / 1_000_000
export const usd = (amount: number): number => Math.round(amount * 1_000_000)
export const sec = (s: number): number => Math.round(s * 1_000_000)
export const fixed = (s: number): Delay => ({ baseUs: sec(s), jitterUs: 0 })
/** Venue to participant 20 ms, back 50 ms, a confirmation 200 ms. */
export const LATENCY: Latency = { feedUs: sec(0.1), broadcast: fixed(0.02), submit: fixed(0.05), confirm: fixed(0.2) }
/**
 * The entry fee of 25 USDC is 0.05 and the net stake 24.95. At a probability of 0.25 the stake pays 99.8, and the maker risks 74.85. The
 * bettor asks at 10.05 s and accepts at 15.05 s. The maker confirms at 15.27 s, and the position opens at 17.27 s.
 */
export const REQUEST: ScriptedRequest = {
  legs: [{ market: 0, side: Side.yes }, { market: 1, side: Side.yes }], betMicros: usd(25), minOddsE4: 20_000, decideUs: sec(5), cancel: false,
}

export type Told = [at: number, name: string, event: string, value: number]
export const note = (told: Told[], name: string) => (atUs: number, event: string, value: number): void => void told.push([(atUs - START) / 1e6, name, event, value])

/** A maker that quotes `probability` (0: never), bids `bid` USDC (0: never), and notes what it is told. */
export function quoting(told: Told[], name: string, probability: number, bid = 0, handlers: MakerHandlers = {}, faults: Faults = NO_FAULTS): MakerEntry {
  const tell = note(told, name)
  const strategy = maker({}, () => ({
    onRequest: (request, desk) => { if (probability > 0) desk.quote(request, { probability, validUs: 15_000_000 }) },
    onOpened: (position) => tell(position.deliveredAtUs, 'fill', position.costMicros),
    onBought: (position) => tell(position.deliveredAtUs, 'bought', position.costMicros),
    onSettled: (position) => tell(position.deliveredAtUs, position.isHolder ? 'held ended' : position.isBoughtBack ? 'bought back' : 'settled', position.profitMicros),
    onCashOut(auction, desk) {
      tell(auction.deliveredAtUs, auction.isBackingMaker ? 'own auction' : 'auction', auction.maxPriceMicros)
      if (bid > 0) desk.bid(auction, { priceMicros: usd(bid), validUs: 15_000_000 })
    },
    ...handlers,
  })) as unknown as MakerStrategy
  return { name, strategy, values: {}, capitalMicros: usd(10_000), latency: LATENCY, faults }
}

export const holding = (handlers: Partial<BettorHandlers>, requests = [REQUEST]): BettorStrategy => ({
  role: 'bettor', parameters: {}, create: () => ({ ...scripted(requests).create({}), ...handlers }),
})

/** Offers the position as it opens and takes the first bid that comes; notes what it is told. */
export function selling(told: Told[], handlers: Partial<BettorHandlers> = {}): BettorStrategy {
  const tell = note(told, 'bettor')
  return holding({
    onOpened(position, desk) {
      tell(desk.nowUs, 'opened', position.costMicros)
      desk.openCashOut(position)
    },
    onBid(position, desk) {
      tell(desk.nowUs, 'bid', position.bestPriceMicros)
      if (position.isAuctioned && position.bestPriceMicros > 0) desk.takeBid(position, 1)
    },
    onAuctionEnded: (position, outcome, desk) => tell(desk.nowUs, `ended ${outcome}`, position.bestPriceMicros),
    onCashOutRefused: (_position, { refusal }, desk) => tell(desk.nowUs, 'refused', refusal),
    ...handlers,
  })
}

export const resolved = (atS: number, value: number): OperatorInput[] =>
  [0, 1].map((market) => ({ atUs: START + sec(atS), op: OutcomeOp.resolveOutcome, market, value }))

/** One bettor with 1000 USDC that arrives at those seconds; the legs resolve as `results` say. */
export function play(
  makers: readonly MakerEntry[], strategy: BettorStrategy, { results = resolved(199, MarketResult.yes), faults = [], arrivals = [10], begins = () => {}, ...replaced }:
  Partial<OutcomeServiceConfig> & { results?: readonly OperatorInput[]; faults?: readonly OperatorInput[]; arrivals?: readonly number[]; begins?: (session: Session) => void } = {},
) {
  const log = new OutcomeLog()
  const none = new Int32Array(0)
  const operator = [
    ...[0, 1].map((market) => ({ atUs: START, op: OutcomeOp.listOutcome, market, closeUs: START + sec(400_000) })), ...faults, ...results,
  ]
  const session = new Session({
    seed: 'a', startUs: START, arrivalsUntilUs: START + sec(400_000), marketCount: 2,
    keys: { texts: ['a', 'b'], start: Int32Array.of(0, 1, 2), keys: Int32Array.of(0, 1) },
    ticks: { count: 0, atUs: new Float64Array(0), market: none, bidE6: none, askE6: none, bidSize: none, askSize: none, lastE6: none },
    operator, freshViews: true,
    outcome: {
      profile: profileOf(OUTCOME_SETTINGS), signatures: 'tag', outcomeIds: outcomeIds(2), makers,
      cohorts: [{ name: 'bettor', strategy, values: {}, bettors: 1, bankrollMicros: usd(1000), everyUs: 0, arrivalsUs: arrivals.map((at) => START + sec(at)), latency: LATENCY }],
      ...replaced,
    },
    sinks: [log],
  })
  begins(session)
  session.runToEnd()
  const { view } = session.outcome!.venue
  for (const { account, freeMicros, capitalMicros, openPositions, heldPositions } of session.desks()) {
    expect([freeMicros, capitalMicros, openPositions, heldPositions]).toEqual([view.balance(account).freeMicros, freeMicros, 0, 0])
  }
  const free = (account: number): number => view.balance(account).freeMicros
  const rows = (...names: string[]) => log.rows.map((row) => [(row.atUs - START) / 1e6, OUTCOME_EVENT_NAMES[row.kind]!] as const).filter(([, name]) => names.includes(name))
  const replies = () => ofKind(log.rows, OutcomeEvent.reply, Reply).filter(({ op }) => op >= OutcomeOp.createRfq)
    .map(({ atUs, op, code }) => [(atUs - START) / 1e6, OUTCOME_OP_NAMES[op]!, OUTCOME_CODES[code]!.name] as const)
  return { session, log, free, rows, replies }
}
