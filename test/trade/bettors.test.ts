import { describe, expect, it } from 'vitest'
import { type BettorStrategy, bettor } from '../../src/agent/bettor.ts'
import impatient from '../../src/agent/bettors/impatient.ts'
import takeProfit from '../../src/agent/bettors/takeProfit.ts'
import { OutcomeEvent, PositionOpened as OutcomeOpened, RfqCancelled, RfqCreated, SaleRow } from '../../src/venue/outcome/protocol/events.ts'
import { ParlayEvent, PositionBoughtBack, PositionOpened, PositionTransferred, RequestCreated, RequestEnded } from '../../src/venue/parlay/protocol/events.ts'
import { ofKind } from '../engine/loggedRow.ts'
import { OutcomeLog } from '../engine/outcomeLog.ts'
import { RowLog } from '../engine/rowLog.ts'
import { playBettor } from './bettorPlay.ts'

const SECOND_US = 1_000_000
/** Two legs each, of any price, and sold after some seconds to the first bid of a tenth of the value. */
const QUICK = { legsMin: 2, legsMax: 2, maxAge: 1e12, patience: 10, toleranceMin: 0.9, toleranceMax: 0.95, shareMin: 0.1, shareMax: 0.1, listen: SECOND_US }
const STRATEGIES: Readonly<Record<string, readonly [BettorStrategy, Readonly<Record<string, number>>]>> = {
  impatient: [impatient as unknown as BettorStrategy, { ...QUICK, holdMin: 5 * SECOND_US, holdMax: 10 * SECOND_US }],
  'take-profit': [takeProfit as unknown as BettorStrategy, { ...QUICK, every: 5 * SECOND_US, level: 0.01 }],
}

/**
 * Bets 25 USDC on two legs, and takes whatever is offered after a second. Every other bettor takes its request back. `asked` and `cancelled` count
 * what it wished.
 */
function fickle(): { readonly strategy: BettorStrategy; readonly wished: { asked: number; cancelled: number } } {
  const wished = { asked: 0, cancelled: 0 }
  const strategy = bettor({}, () => ({
    onArrival(intent, desk) {
      if (!desk.pickLegs(intent, 2, 0.005, 1e15)) return
      wished.asked++
      desk.requestQuote(intent, { betMicros: 25 * 1_000_000, minOddsE4: 10_001, decideInUs: SECOND_US })
    },
    onDecision(intent, desk) {
      if (wished.cancelled * 2 < wished.asked) {
        wished.cancelled++
        desk.cancelRequest(intent)
      } else desk.commit(intent)
    },
  }))
  return { strategy: strategy as unknown as BettorStrategy, wished }
}

/** Sixteen fickle bettors, of whom some find legs. */
async function played(more: Pick<Parameters<typeof playBettor>[1] & {}, 'service' | 'sinks'>) {
  const { strategy, wished } = fickle()
  const { summary } = await playBettor(strategy, { ...more, betsMax: 16, ratePerHour: 600 })
  expect(wished.cancelled).toBeGreaterThan(1)
  expect(wished.asked - wished.cancelled).toBeGreaterThan(1)
  return { wished, summary }
}

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0)

describe('a bettor that is a client of the parlay service', () => {
  it('bets what its strategy says, and takes back what its strategy takes back', async () => {
    const log = new RowLog()
    const { wished: { asked, cancelled }, summary } = await played({ sinks: [log] })
    const created = ofKind(log.rows, ParlayEvent.requestCreated, RequestCreated)
    expect(created.map(({ betMicros, list }) => [betMicros, list.length])).toEqual(Array.from({ length: asked }, () => [25_000_000, 4]))
    expect(ofKind(log.rows, ParlayEvent.requestCancelled, RequestEnded)).toHaveLength(cancelled)
    const opened = ofKind(log.rows, ParlayEvent.positionOpened, PositionOpened)
    expect(opened).toHaveLength(asked - cancelled)
    // The fee of 1 % is 0.25 of 25 USDC, and the odds are those of the net stake.
    for (const { netStakeMicros, takerFeeMicros, payoutMicros, oddsE4 } of opened) expect([netStakeMicros, takerFeeMicros, payoutMicros]).toEqual([24_750_000, 250_000, 2475 * oddsE4])
    expect(summary).toMatchObject({ arrivals: 16, requests: asked, fills: asked - cancelled, sales: 0, stakedMicros: 25_000_000 * (asked - cancelled), soldMicros: 0 })
    expect([...summary.refusals]).toEqual([])
  })

  it.each(['impatient', 'take-profit'])('sells its positions as %s does, and twice in the same way', async (name) => {
    const [strategy, values] = STRATEGIES[name]!
    const log = new RowLog()
    const { summary, digest } = await playBettor(strategy, { values, sinks: [log] })
    const opened = ofKind(log.rows, ParlayEvent.positionOpened, PositionOpened)
    const bought = ofKind(log.rows, ParlayEvent.positionBoughtBack, PositionBoughtBack)
    const transferred = ofKind(log.rows, ParlayEvent.positionTransferred, PositionTransferred)
    expect(summary.sales).toBeGreaterThan(2)
    expect([summary.fills, summary.stakedMicros]).toEqual([opened.length, sumOf(opened.map(({ netStakeMicros, takerFeeMicros }) => netStakeMicros + takerFeeMicros))])
    const received = [...bought.map(({ toHolderMicros }) => toHolderMicros), ...transferred.map(({ toSellerMicros }) => toSellerMicros)]
    expect([summary.sales, summary.soldMicros]).toEqual([received.length, sumOf(received)])
    expect((await playBettor(strategy, { values })).digest).toBe(digest)
  })

  it('bets with latencies too, twice in the same way', async () => {
    const [strategy, values] = STRATEGIES['impatient']!
    const latency = '{ feed: 250ms, submit: { base: 30ms, jitter: 200ms }, broadcast: { base: 20ms, jitter: 100ms } }'
    const { summary, digest } = await playBettor(strategy, { values, latency })
    expect(summary.sales).toBeGreaterThan(0)
    expect((await playBettor(strategy, { values, latency })).digest).toBe(digest)
  })
})

describe('a bettor that is a client of the outcome service', () => {
  it('bets what its strategy says, and takes back what its strategy takes back', async () => {
    const log = new OutcomeLog()
    const { wished: { asked, cancelled }, summary } = await played({ service: 'outcome', sinks: [log] })
    const created = ofKind(log.rows, OutcomeEvent.rfqCreated, RfqCreated)
    expect(created.map(({ betMicros, list }) => [betMicros, list.length])).toEqual(Array.from({ length: asked }, () => [25_000_000, 4]))
    expect(ofKind(log.rows, OutcomeEvent.rfqCancelled, RfqCancelled)).toHaveLength(cancelled)
    const opened = ofKind(log.rows, OutcomeEvent.positionOpened, OutcomeOpened)
    expect(opened.map(({ netStakeMicros, takerFeeMicros }) => netStakeMicros + takerFeeMicros)).toEqual(Array.from({ length: asked - cancelled }, () => 25_000_000))
    expect(summary).toMatchObject({ arrivals: 16, requests: asked, fills: asked - cancelled, sales: 0, stakedMicros: 25_000_000 * (asked - cancelled), soldMicros: 0 })
  })

  it.each(['impatient', 'take-profit'])('sells its positions as %s does, and twice in the same way', async (name) => {
    const [strategy, values] = STRATEGIES[name]!
    const log = new OutcomeLog()
    const { summary, digest } = await playBettor(strategy, { service: 'outcome', values, sinks: [log] })
    const sold = ofKind(log.rows, [OutcomeEvent.positionClosed, OutcomeEvent.positionTransferred], SaleRow)
    expect(summary.sales).toBeGreaterThan(2)
    expect([summary.sales, summary.soldMicros]).toEqual([sold.length, sumOf(sold.map(({ priceMicros }) => priceMicros))])
    expect((await playBettor(strategy, { service: 'outcome', values })).digest).toBe(digest)
  })
})
