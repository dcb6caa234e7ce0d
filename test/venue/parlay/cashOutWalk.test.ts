import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { assert } from '../../../src/unit/assert.ts'
import { AuctionState, BidState } from '../../../src/venue/parlay/protocol/events.ts'
import { Driver, sec, T0, table, usd } from './driver.ts'
import { type Draw, drawsOf } from '../../draws.ts'
import { SetWallet } from '../../../src/venue/parlay/protocol/commands.ts'

const ACCOUNTS = [10, 20, 21, 22]

/** What a walk knows besides the venue: closes of the markets by number, from T0, and the numbers in use. */
class Walk {
  readonly d: Driver
  readonly closes: number[] = []
  /** Markets of the positions, winners of the auctions, by number. */
  readonly closing = new Map<number, number[]>()
  readonly winners = new Map<number, number>()
  positions = 0
  auctions = 0

  constructor(d: Driver) {
    this.d = d
    for (let market = 1; market <= 40; market++) this.relist(market, sec(20 + 8 * market))
    for (const account of ACCOUNTS) d.deposit(account, usd(400))
  }

  relist(market: number, close: number): void {
    if (this.d.list(market, [market], close).code === 'ok') this.closes[market] = close
  }

  step(draw: Draw): void {
    const { d } = this
    d.at(d.now + [0, 1, sec(0.3), sec(0.3), sec(1), sec(3)][draw(6)]!)
    const account = ACCOUNTS[draw(4)]!
    const auction = Math.max(1, this.auctions - draw(3))
    const known = d.view.auction(auction)
    switch (draw(16)) {
      case 0: case 1: return this.open(account, draw)
      case 2: case 3: case 4: {
        const position = Math.max(1, this.positions - draw(6))
        d.cashout(draw(4) > 0 ? (d.view.position(position)?.holder ?? account) : account, position)
        break
      }
      case 5: case 6: case 7: case 8: case 9:
        d.bid(account, auction, [1, 24_750_000, usd(40), usd(60), 98_257_500, 98_257_501, usd(99), 99_000_001][draw(8)]!, [5_000, 60_000, -1][draw(3)]!)
        break
      case 10: case 11: case 12: d.sell(draw(6) > 0 ? (known?.seller ?? account) : account, auction); break
      case 13:
        if (draw(3) === 0) d.cancelCashout(known?.seller ?? account, auction)
        else d.pulse()
        break
      case 14: return this.operate(draw)
      default: d.pulse()
    }
    this.look()
  }

  /** Looks at the rows of the last command, then at the state. */
  look(): void {
    const { d } = this
    for (const row of d.rows) {
      const number = row['auction'] as number
      if (row.event === 'positionOpened') this.positions = row['position'] as number
      if (row.event === 'auctionOpened') this.auctions = number
      if (['auctionOpened', 'bidSubmitted', 'auctionCommitted'].includes(row.event)) this.expectBeforeCutoff(row.at, row['position'] as number, row)
      if (row.event === 'bidSubmitted') this.expectBound(number, row['maker'] as number, row['priceMicros'] as number)
      if (row.event === 'bidWon') {
        assert(!this.winners.has(number), `auction ${number} has two winners`)
        this.winners.set(number, row['maker'] as number)
      }
    }
    const totals = d.view.totals()
    const sum = totals.heldMicros + totals.potMicros + totals.escrowMicros + totals.houseMicros
    assert(sum === totals.netDepositsMicros, 'money is not conserved')
    for (let auction = Math.max(1, this.auctions - 4); auction <= this.auctions; auction++) this.expectBest(auction)
  }

  private open(account: number, draw: Draw): void {
    const { d } = this
    const maker = ACCOUNTS[draw(4)]!
    const first = 1 + draw(36)
    const request = d.create(account, [[first, 'yes'], [first + 1 + draw(3), 'yes']])['request']
    if (request === undefined) return
    const quote = d.submit(maker, request as number, 4)['quote']
    if (quote === undefined) return
    d.commit(account, request as number)
    d.confirm(maker, request as number, quote as number)
    for (const row of d.rows) if (row.event === 'positionOpened') this.closing.set(row['position'] as number, row.list!.filter((_, i) => i % 2 === 0))
    this.look()
  }

  private operate(draw: Draw): void {
    const { d } = this
    d.at(d.now + 1)
    const market = 1 + draw(40)
    const what = draw(6)
    if (what === 0) this.relist(market, d.now + sec(60 + draw(60)))
    else if (what === 1) d.send('setWallet', 0, { [SetWallet.walletOf]: ACCOUNTS[draw(4)]!, [SetWallet.isOnRecord]: draw(2) })
    else if (what === 2) d.send('delistMarket', 0, { market })
    else d.resolve(market, draw(5) === 0 ? 'no' : 'yes')
    this.look()
  }

  private expectBeforeCutoff(at: number, position: number, row: object): void {
    for (const market of this.closing.get(position)!) assert(at < this.closes[market]! - sec(30), `near the close: ${JSON.stringify(row)}`)
  }

  private expectBound(number: number, maker: number, price: number): void {
    const auction = this.d.view.auction(number)!
    assert(maker !== auction.seller, `auction ${number} has a bid of its seller`)
    assert(price <= (maker === auction.backer ? 98_257_500 : usd(99)), `auction ${number} has a bid of ${price} by ${maker}`)
  }

  /** The best bid by a look at all: live, highest price, lowest number; of a committed auction the one that won. */
  private expectBest(number: number): void {
    const { view } = this.d
    const auction = view.auction(number)
    if (auction === null) return
    const bids = auction.bids.map((bid) => view.bid(bid)!)
    assert(new Set(bids.map((bid) => bid.maker)).size === bids.length, `auction ${number} has two bids of one maker`)
    const live = bids.filter((bid) => bid.state === BidState.live)
    const isActive = auction.state === AuctionState.active
    assert(live.every((bid) => isActive && bid.validUntilUs >= T0 + this.d.now), `auction ${number} has a live bid too many`)
    const best = live.sort((a, b) => b.priceMicros - a.priceMicros || a.number - b.number)[0] ?? bids.find((bid) => bid.state === BidState.won)
    assert(auction.bestBid === (best?.number ?? -1), `auction ${number} has another best bid`)
    assert(auction.winner === (this.winners.get(number) ?? -1), `auction ${number} has another winner`)
    assert(!isActive || view.position(auction.position)!.holder === auction.seller, `auction ${number} has another seller`)
  }
}

describe('a walk of cash-outs', () => {
  it('INV-20 INV-22 INV-01 no bid of a seller or above its bound, nothing near a close, money conserved', () => {
    let [opened, won] = [0, 0]
    fc.assert(fc.property(fc.integer({ min: 0, max: 2 ** 31 - 1 }), (seed) => {
      const draw = drawsOf(seed)
      const walk = new Walk(new Driver())
      for (let step = 0; step < 250; step++) walk.step(draw)
      opened += walk.auctions
      won += walk.winners.size
    }), { numRuns: 15, seed: 20_250_619 })
    expect(opened).toBeGreaterThan(100)
    expect(won).toBeGreaterThan(30)
  })

  it('INV-30 a restored copy goes on alike, with auctions in every state', () => {
    const d = table({ cashoutWindowMs: 30_000 })
    for (let i = 0; i < 4; i++) d.open(10, 20, 4)
    for (let i = 1; i <= 4; i++) d.cashout(10, i)
    for (let auction = 1; auction <= 4; auction++) {
      d.bid(21, auction, usd(40), 5_000)
      d.bid(22, auction, usd(30))
    }
    d.at(sec(1)).sell(10, 1)
    d.cancelCashout(10, 2)
    const copy = new Driver({ cashoutWindowMs: 30_000 })
    copy.venue.restore(d.venue.snapshot())
    Object.assign(copy, { now: d.now, seq: d.seq })
    expect(copy.venue.stateHash()).toBe(d.venue.stateHash())
    copy.sequence.next = d.sequence.next
    const both = (what: (one: Driver) => unknown) => {
      what(d)
      what(copy)
      expect(copy.rows).toEqual(d.rows)
      expect(copy.moved).toEqual(d.moved)
      expect(copy.venue.stateHash()).toBe(d.venue.stateHash())
    }
    both((one) => one.at(sec(4)).bid(20, 3, usd(90)))
    both((one) => one.pulse(sec(5)))
    expect(d.names()).toEqual(['bidExpired', 'bidExpired', 'bestBidChanged'])
    both((one) => one.sell(10, 3))
    expect(d.names()).toContain('positionBoughtBack')
    both((one) => one.at(sec(6)).cashout(21, 1))
    both((one) => one.sell(10, 4))
    expect(d.of('positionTransferred')).toMatchObject([{ buyer: 22, priceMicros: usd(30) }])
    both((one) => one.pulse(sec(200)))
    for (let auction = 1; auction <= 5; auction++) expect(d.view.auction(auction)).toBeNull()
  })

  it.each<[string, (d: Driver) => unknown]>([
    ['an auction', (d) => d.cashout(10, 2)],
    ['a bid', (d) => d.bid(22, 1, usd(30))],
    ['a replaced bid', (d) => d.bid(21, 1, usd(40))],
    ['a commit', (d) => d.sell(10, 1)],
    ['a cancel', (d) => d.cancelCashout(10, 1)],
  ])('the hash sees %s', (_, change) => {
    const d = table()
    for (let i = 0; i < 2; i++) d.open(10, 20, 4)
    d.cashout(10, 1)
    d.bid(21, 1, usd(40))
    const before = d.venue.stateHash()
    change(d)
    expect(d.venue.stateHash()).not.toBe(before)
  })

  it('memory stays flat over 3,000 auctions', () => {
    const d = table()
    d.deposit(10, usd(1e6))
    d.deposit(20, usd(1e6))
    const slots: number[][] = []
    for (let i = 1; i <= 3_000; i++) {
      d.at(d.now + sec(1))
      const position = d.open(10, 20, 4)
      d.cashout(10, position)
      d.bid(21, i, usd(20), 60_000)
      d.bid(20, i, usd(30))
      d.bid(20, i, usd(31))
      if (i % 3 > 0) d.sell(10, i)
      else d.cancelCashout(10, i)
      if (i % 1_000 === 0) {
        const image = d.venue.snapshot() as unknown as Record<'auctions' | 'bids', { index: { slotCount: number } }>
        slots.push([image.auctions.index.slotCount, image.bids.index.slotCount])
      }
    }
    // Known for 60 s at one a second, two makers each.
    for (const [auctions, bids] of slots) {
      expect(auctions).toBeLessThanOrEqual(62)
      expect(bids).toBeLessThanOrEqual(125)
    }
    expect(slots[2]).toEqual(slots[1])
  })
})
