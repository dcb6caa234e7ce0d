import { describe, expect, it } from 'vitest'
import { type BettorStrategy, bettor } from '../../src/agent/bettor.ts'
import { type MakerStrategy, maker } from '../../src/agent/maker.ts'
import { BettorClient } from '../../src/trade/bettor/bettorClient.ts'
import type { Act, Link, Turn } from '../../src/trade/link.ts'
import { MakerTrader } from '../../src/trade/maker/makerTrader.ts'
import { microsOfUsdc, ParlayMakerWords } from '../../src/trade/parlay/makerWords.ts'
import { ParlayBettor } from '../../src/trade/parlay/bettor.ts'
import { callStrategy } from '../../src/trade/strategyFailure.ts'
import { assert } from '../../src/unit/assert.ts'

const OURS = { role: 'maker', name: 'ours' } as const
const fails = (): never => { throw new RangeError('no such leg') }

/** A link whose only turn has a request, told at its instant. */
const oneRequest: Link = {
  read: (path) => Promise.resolve({
    status: 200, headers: {}, body: JSON.stringify({
      now_us: 5, next: 1, has_more: false, markets: 1, seats: [{ name: 'ours', role: 'maker', capital: 1, feed_us: 0, way_us: null }], prices: [],
      told: path.endsWith('limit=1') ? [] : [{ n: 0, at_us: 5, what: 'onRequest', request: 'a', version: 1, expires_at_us: 9, bet: 1, net_stake: 1, best_odds: null, book_changes: null, legs: [] }],
    }),
  }),
  async play(act: (turn: Turn) => Promise<readonly Act[]>) {
    await act({ atUs: 5, why: 'begin', frames: [{ path: '/v1/mm/stream', text: 'event: quote_request\ndata: {"id":"a","version":1,"request_hash":"h"}' }] })
  },
}
const traded = (strategy: MakerStrategy): Promise<MakerTrader> =>
  MakerTrader.create({ link: oneRequest, words: new ParlayMakerWords('key'), name: 'ours', seed: 's', strategy, values: {}, microsOf: microsOfUsdc })

describe('a strategy that throws outside is the author’s failure', () => {
  it('in a handler of a maker, with the place in its cause', async () => {
    const trader = await traded(maker({}, () => ({ onRequest: fails })) as unknown as MakerStrategy)
    const failure = { name: 'StrategyFailure', message: 'the maker ours fails in onRequest: no such leg', cause: expect.any(RangeError) as RangeError }
    await expect(trader.play(new AbortController().signal)).rejects.toMatchObject(failure)
  })

  it('when it is created', async () => {
    await expect(traded(maker({}, fails) as unknown as MakerStrategy)).rejects.toMatchObject({ name: 'StrategyFailure', message: 'the maker ours fails in create: no such leg' })
    const strategy = bettor({}, fails) as unknown as BettorStrategy
    expect(() => new BettorClient({ name: 'me', seed: 's', strategy, values: {}, ratePerHour: 1 }, new ParlayBettor())).toThrow(expect.objectContaining({ name: 'StrategyFailure', message: 'the bettor me fails in create: no such leg' }) as Error)
  })

  it('but a bug of parlor stays one', () => {
    expect(() => callStrategy(OURS, 'onRequest', () => { assert(false, 'a slot is free') })).toThrow(expect.objectContaining({ name: 'Bug' }) as Error)
    expect(callStrategy(OURS, 'onRequest', () => 7)).toBe(7)
  })
})

describe('a strategy that waits for moves of prices', () => {
  const said = 'a session calls it when a price moves, and no service tells a client of that'

  it.each(['onPrice', 'onPositionPrice'])('is refused by the name %s before a maker plays', async (handler) => {
    await expect(traded(maker({}, () => ({ onRequest() {}, [handler]() {} })) as unknown as MakerStrategy)).rejects.toMatchObject({ name: 'InputError', message: `the maker has ${handler}: ${said}` })
  })

  it('is refused before a bettor plays', () => {
    const strategy = bettor({}, () => ({ onArrival() {}, onDecision() {}, onPrice() {} })) as unknown as BettorStrategy
    expect(() => new BettorClient({ name: 'me', seed: 's', strategy, values: {}, ratePerHour: 1 }, new ParlayBettor())).toThrow(expect.objectContaining({ name: 'InputError', message: `the bettor has onPrice: ${said}` }) as Error)
  })
})

it('a bettor that waits for settlements is refused before it plays', () => {
  const strategy = bettor({}, () => ({ onArrival() {}, onDecision() {}, onSettled() {} })) as unknown as BettorStrategy
  expect(() => new BettorClient({ name: 'me', seed: 's', strategy, values: {}, ratePerHour: 1 }, new ParlayBettor()))
    .toThrow(expect.objectContaining({ name: 'InputError', message: expect.stringMatching(/^the bettor has onSettled: .* its client asks the service for neither$/) }) as Error)
})
