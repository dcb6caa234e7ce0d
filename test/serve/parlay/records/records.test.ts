import { describe, expect, it } from 'vitest'
import type { ParlayRecordStatus } from '../../../../src/venue/parlay/wire/parlayBody.ts'
import { QuoteState } from '../../../../src/venue/parlay/protocol/events.ts'
import { sec, T0, usd } from '../../../venue/parlay/driver.ts'
import { startWalk, stepWalk } from '../../../venue/parlay/walk.ts'
import { drawsOf } from '../../../draws.ts'
import { Recorded, recordedTable } from './recorded.ts'

const STATE_NAMES = Object.fromEntries(Object.entries(QuoteState).map(([name, state]) => [state, name]))

describe('records of a walk', () => {
  it.each([1, 2, 3])('PQ-073 say what the venue says, seed %i', (seed) => {
    const accounts = [0, 1, 2, 3, 4, 5]
    const d = new Recorded(accounts)
    const draw = drawsOf(seed)
    startWalk(d)
    let compared = 0
    for (let step = 0; step < 400; step++) {
      stepWalk(d, draw)
      for (let number = Math.max(1, d.lastRequest - 8); number <= d.lastRequest; number++) {
        const told = d.view.request(number)
        if (told === null) continue
        const { owner, state, version, bookSeq, betMicros, expiresAtUs, legs, bestQuote, pendingQuote, contents } = d.records.request(number)!
        expect({ number, owner, state, version, bookSeq, betMicros, expiresAtUs, legs, bestQuote, pendingQuote, contentTag: contents.at(-1)!.tag }).toEqual(told)
        compared++
      }
      for (const account of accounts) {
        for (const number of d.view.quotesOf(account)) {
          const { submittedAtUs: _, endedAtUs, bookSeq: __, ...quote } = d.records.quotes.quote(number)!
          expect(quote).toEqual(d.view.quote(number))
          expect(endedAtUs >= 0).toBe(quote.state !== QuoteState.live && quote.state !== QuoteState.reserved)
        }
        expect(d.records.trades.backedBy(account).map(({ number }) => number)).toEqual(
          d.view.positionsOf(account).filter((number) => d.view.position(number)!.backer === account).toReversed(),
        )
      }
    }
    expect(compared).toBeGreaterThan(1000)
    for (const account of accounts) {
      const { counts } = d.view.portfolio(account)
      const count = (status: ParlayRecordStatus): number => d.records.trades.holdingsOf(account).filter((parlay) => parlay.status === status).length
      expect({
        open: count('open'), quoted: count('quoted'), accepted: count('accepted'), confirmed: count('confirmed'), executed: count('executed'),
        totalSettled: count('settled'), totalCancelled: count('cancelled'), totalExpired: count('expired'), totalFailed: count('failed'),
      }).toEqual(counts)
    }
  })
})

describe("a maker's quotes", () => {
  const statuses = (d: Recorded, maker: number): (string | undefined)[] => d.records.quotes.of(maker).map(({ state }) => STATE_NAMES[state])

  it('PQ-203 are all there with what became of them, the newest first', () => {
    const d = recordedTable()
    const request = d.create(10)['request'] as number
    d.submit(20, request, 3)
    d.submit(20, request, 4)
    expect(statuses(d, 20)).toEqual(['live', 'replaced'])
    d.withdrawQuote(20, request)
    d.submit(20, request, 4)
    d.update(10, request)
    expect(statuses(d, 20)).toEqual(['invalidated', 'withdrawn', 'replaced'])
    d.submit(20, request, 4, { validMs: 5000 })
    d.pulse(sec(5))
    expect(statuses(d, 20)[0]).toBe('expired')
    const failing = d.submit(20, request, 4)['quote'] as number
    d.commit(10, request)
    expect(statuses(d, 20)[0]).toBe('reserved')
    d.decline(20, request, failing)
    expect(statuses(d, 20)[0]).toBe('failed')
    const filled = d.submit(20, request, 4)['quote'] as number
    d.commit(10, request)
    d.confirm(20, request, filled)
    expect(statuses(d, 20)).toEqual(['filled', 'failed', 'expired', 'invalidated', 'withdrawn', 'replaced'])
  })

  it('PQ-203 stay when the venue has forgotten them, for an account that is kept', () => {
    const d = recordedTable()
    const request = d.create(10)['request'] as number
    d.submit(20, request, 4)
    d.submit(22, request, 3)
    d.cancel(10, request)
    // An ended request is known for 60 s.
    d.at(sec(60) - 1).deposit(10, 1)
    expect([d.records.request(request) === null, d.records.quotes.quote(2) === null]).toEqual([false, false])
    d.at(sec(60)).deposit(10, 1)
    expect([d.view.request(request), d.records.request(request), d.records.quotes.quote(2)]).toEqual([null, null, null])
    expect([statuses(d, 20), statuses(d, 22)]).toEqual([['invalidated'], []])
  })

  it('PQ-203 say when they ended', () => {
    const d = recordedTable()
    const request = d.create(10)['request'] as number
    d.at(sec(1)).submit(20, request, 4)
    d.at(sec(3)).withdrawQuote(20, request)
    expect(d.records.quotes.quote(1)).toMatchObject({ submittedAtUs: T0 + sec(1), endedAtUs: T0 + sec(3), bookSeq: 1 })
  })
})

describe('a parlay', () => {
  it('PQ-256 can be read after it has ended', () => {
    const d = recordedTable()
    const position = d.open(10, 20, 4)
    expect(d.records.trades.holding(10, 1)).toMatchObject({ status: 'executed', end: null, trade: { position, backer: 20, oddsE4: 40_000 } })
    d.resolve(1, 'yes')
    d.resolve(2, 'no')
    d.pulse(sec(1))
    d.at(sec(3600)).deposit(10, 1)
    expect(d.view.position(position)).toBe(null)
    // 25 USDC at 4.0: stake 24.75, payout 99, profit 74.25, profit fee 0.7425, received 98.2575.
    expect(d.records.trades.holding(10, 1)).toMatchObject({
      status: 'settled', costMicros: usd(25), trade: { stakeMicros: 24_750_000, payoutMicros: usd(99), takerFeeMicros: 250_000 },
      end: { outcome: 'won', receivedMicros: 98_257_500, profitFeeMicros: 742_500 },
    })
    expect(d.records.trades.backedBy(20)).toEqual([])
  })

  it.each(['lost', 'void'] as const)('PQ-256 that is %s says so', (outcome) => {
    const d = recordedTable()
    d.open(10, 20, 4)
    d.resolve(1, outcome === 'lost' ? 'no' : 'void')
    d.resolve(2, 'no')
    d.pulse(sec(1))
    expect(d.records.trades.holding(10, 1)).toMatchObject({ status: 'settled', end: { outcome } })
  })

  it('PQ-255 has a record from its request on, the newest first', () => {
    const d = recordedTable()
    const [first, second] = [d.create(10)['request'] as number, d.create(10)['request'] as number]
    const statuses = () => d.records.trades.holdingsOf(10).map(({ request, status }) => [request, status])
    expect(statuses()).toEqual([[second, 'open'], [first, 'open']])
    d.submit(20, first, 4)
    expect(statuses()).toEqual([[second, 'open'], [first, 'quoted']])
    d.commit(10, first)
    expect(statuses()).toEqual([[second, 'open'], [first, 'accepted']])
    d.cancel(10, second)
    d.confirm(20, first, 1)
    expect(statuses()).toEqual([[second, 'cancelled'], [first, 'executed']])
  })

  it('PQ-288 belongs to its holder alone', () => {
    const d = recordedTable()
    d.open(10, 20, 4)
    expect([d.records.trades.holding(20, 1), d.records.trades.holding(22, 1), d.records.trades.heldBy(20, 1)]).toEqual([null, null, -1])
  })

  it('is not kept of accounts that nobody reads', () => {
    const d = recordedTable()
    d.open(22, 20, 4)
    expect(d.records.trades.holdingsOf(22)).toEqual([])
  })
})

describe('a cash-out', () => {
  /** A position of bettor 10, backed by 20, in an auction with bids of 30 by 20 and 40 by 21. */
  function auctioned(): Recorded {
    const d = recordedTable()
    d.cashout(10, d.open(10, 20, 4))
    d.bid(20, 1, usd(30))
    d.bid(21, 1, usd(40))
    return d
  }

  it('PQ-092 PQ-093 has no winner while it runs, and its best price', () => {
    expect(auctioned().records.auctions.auction(1)).toMatchObject({ seller: 10, backer: 20, winner: -1, bestPriceMicros: usd(40), stakeMicros: 24_750_000, payoutMicros: usd(99) })
  })

  it('PQ-093 names the maker that won and took the position over', () => {
    const d = auctioned()
    d.sell(10, 1)
    // The profit is 40 less the stake of 24.75: 15.25, of which 1% is 0.1525.
    expect(d.records.auctions.auction(1)).toMatchObject({ winner: 21, bestPriceMicros: usd(40), profitFeeMicros: 152_500 })
    expect(d.records.trades.holding(10, 1)).toMatchObject({ status: 'settled', end: { outcome: 'sold', receivedMicros: 39_847_500, profitFeeMicros: 152_500 } })
    expect(d.records.trades.holding(21, 1)).toMatchObject({ status: 'executed', costMicros: usd(40), end: null, trade: { backer: 20, oddsE4: 40_000 } })
    expect([d.records.trades.heldBy(10, 1), d.records.trades.heldBy(21, 1)]).toEqual([1, 1])
    d.resolve(1, 'no')
    d.pulse(sec(1))
    expect(d.records.trades.holding(21, 1)).toMatchObject({ status: 'settled', end: { outcome: 'lost', receivedMicros: 0 } })
    expect(d.records.trades.holding(10, 1)).toMatchObject({ end: { outcome: 'sold' } })
  })

  it('PQ-093 names the backing maker that bought back', () => {
    const d = auctioned()
    d.bid(20, 1, usd(50))
    d.sell(10, 1)
    expect(d.records.auctions.auction(1)).toMatchObject({ winner: 20, bestPriceMicros: usd(50) })
    // 50 less 1% of 25.25.
    expect(d.records.trades.holding(10, 1)).toMatchObject({ status: 'settled', end: { outcome: 'bought_back', receivedMicros: 49_747_500 } })
  })

  it('PQ-401 is forgotten when the venue forgets it', () => {
    const d = auctioned()
    d.pulse(sec(10))
    expect(d.records.auctions.auction(1)).toMatchObject({ state: 4, bestPriceMicros: -1, winner: -1 })
    d.at(sec(70) - 1).deposit(10, 1)
    expect(d.records.auctions.auction(1)).not.toBe(null)
    d.at(sec(70)).deposit(10, 1)
    expect([d.records.auctions.auction(1), d.records.auctions.bid(1), d.view.auction(1)]).toEqual([null, null, null])
  })

  it('has bids with what became of them', () => {
    const d = auctioned()
    d.bid(21, 1, usd(41))
    const states = () => [1, 2, 3].map((bid) => d.records.auctions.bid(bid)!.state)
    expect(states()).toEqual([1, 2, 1])
    d.sell(10, 1)
    expect(states()).toEqual([4, 2, 5])
  })
})

it('PQ-356 PQ-357 PQ-358 markets are known as they are at an instant', () => {
  const d = new Recorded([])
  d.list(1, [7, 9], sec(10))
  d.list(2, [9], sec(100))
  const read = (us: number) => {
    const markets = d.records.markets.at(T0 + us)
    return [1, 2, 3].map((market) => [markets.isListed(market), markets.isOver(market), markets.exclusionKeys(market).length])
  }
  expect(read(sec(10) - 1)).toEqual([[true, false, 2], [true, false, 1], [false, false, 0]])
  expect(read(sec(10))[0]).toEqual([true, true, 2])
  d.resolve(2, 'yes')
  expect(read(0)[1]).toEqual([true, true, 1])
  d.send('delistMarket', 0, { market: 1 })
  expect(read(0)[0]).toEqual([false, false, 2])
})
