import fc from 'fast-check'
import { deserialize, serialize } from 'node:v8'
import { describe, expect, it } from 'vitest'
import type { Image } from '../../../src/unit/snapshot.ts'
import { EventRows } from '../../../src/venue/eventRows.ts'
import { PostingRows } from '../../../src/ledger/postingRows.ts'
import { contentTag, ParlayCommand, ParlayOp, SetWallet } from '../../../src/venue/parlay/protocol/commands.ts'
import { PARLAY_SETTINGS } from '../../../src/venue/parlay/protocol/profile.ts'
import { parlayVenue } from '../../../src/venue/parlay/venue.ts'
import { profileOf } from '../../../src/venue/profile.ts'
import { Driver, ms, sec, T0, table, usd } from './driver.ts'
import { drawsOf } from '../../draws.ts'
import { startWalk, stepWalk } from './walk.ts'
import { SetFault } from '../../../src/venue/contract.ts'

/** A new driver that goes on where `d` stands. */
function forked(d: Driver): Driver {
  const fork = new Driver()
  fork.venue.restore(deserialize(serialize(d.venue.snapshot())) as Image)
  fork.now = d.now
  fork.seq = d.seq
  fork.sequence.next = d.sequence.next
  fork.lastRequest = d.lastRequest
  return fork
}

/** A venue with more rows than `table` in every column, whose further markets are halted or resolved and backed by makers. */
function grownWider(): Driver {
  const d = new Driver()
  for (const account of [4_500, 5_000, 5_001]) d.deposit(account, usd(1_000))
  d.list(100_000)
  d.listMarkets(50)
  d.open(4_500, 4_500, 3, [[30, 'yes'], [31, 'yes']])
  d.open(5_000, 5_001, 4, [[41, 'yes'], [49, 'yes']])
  for (let i = 0; i < 2000; i++) d.create(10)
  d.halt(42)
  d.at(1).resolve(40, 'void')
  d.pulse(2)
  d.open(5_000, 4_500, 4, [[43, 'yes'], [44, 'yes']])
  return d
}

describe('snapshot and restore', () => {
  it('INV-30 a restored venue has the same hash and goes on alike', () => {
    fc.assert(fc.property(fc.integer({ min: 0, max: 2 ** 31 - 1 }), fc.integer({ min: 0, max: 400 }), (seed, cut) => {
      const d = new Driver()
      const draw = drawsOf(seed)
      startWalk(d)
      for (let step = 0; step < cut; step++) stepWalk(d, draw)
      const fork = forked(d)
      expect(fork.venue.stateHash()).toBe(d.venue.stateHash())
      const [a, b] = [drawsOf(seed + 1), drawsOf(seed + 1)]
      for (let step = 0; step < 150; step++) {
        stepWalk(d, a)
        stepWalk(fork, b)
        expect(fork.rows).toEqual(d.rows)
        expect(fork.moved).toEqual(d.moved)
      }
      expect(fork.venue.stateHash()).toBe(d.venue.stateHash())
    }), { numRuns: 8 })
  })

  it('INV-30 a restore into a venue that has grown wider forgets all of it, and goes on like a fresh venue', () => {
    const small = table()
    small.open(10, 20, 4)
    const image = small.venue.snapshot()
    const grown = grownWider()
    expect([4_500, 5_001].map((maker) => grown.view.balance(maker).lockedMicros > 0)).toEqual([true, true])
    grown.venue.restore(image)
    expect(grown.venue.stateHash()).toBe(small.venue.stateHash())
    expect(grown.view.balance(5_000)).toMatchObject({ hasVault: false, grossMicros: 0 })
    expect(grown.view.request(2)).toBeNull()
    expect(grown.view.position(1)).toEqual(small.view.position(1))

    const both = [small, grown]
    grown.now = small.now
    grown.seq = small.seq
    grown.sequence.next = small.sequence.next
    const alike = (play: (d: Driver) => unknown): void => {
      for (const d of both) play(d)
      expect(grown.rows).toEqual(small.rows)
      expect(grown.moved).toEqual(small.moved)
      expect(grown.venue.stateHash()).toBe(small.venue.stateHash())
    }
    alike((d) => d.list(60))
    // Between the highest listed number and the former one lie markets that the grown venue once listed.
    alike((d) => d.create(10, [[40, 'yes'], [41, 'yes']]))
    expect(grown.rows).toMatchObject([{ code: 'legMarketNotFound' }])
    for (const market of [40, 41, 42]) alike((d) => d.list(market, [market]))
    alike((d) => d.deposit(6_000, usd(100)))
    expect(grown.view.balance(5_000)).toEqual(small.view.balance(5_000))
    alike((d) => d.withdraw(5_000, 1))
    expect(grown.rows).toMatchObject([{ code: 'noVault' }])
    for (const maker of [4_500, 5_001]) {
      alike((d) => d.deposit(maker, usd(100)))
      expect(grown.view.balance(maker)).toMatchObject({ lockedMicros: 0, grossMicros: usd(100) })
    }
    alike((d) => d.open(6_000, 4_500, 3, [[40, 'yes'], [41, 'no'], [42, 'yes']]))
    expect(grown.rows.map((row) => row.event)).toContain('positionOpened')
    for (const market of [40, 42, 60]) alike((d) => d.at(d.now + 1).resolve(market, 'yes'))
    alike((d) => d.at(d.now + 1).resolve(41, 'yes'))
    alike((d) => d.pulse(d.now + sec(200)))
    expect(grown.of('positionSettled')).toMatchObject([{ outcome: 'lost' }])
  })

  it('INV-30 a venue that is set back has nothing of the bids that came after', () => {
    const d = table()
    const position = d.open(10, 20, 4)
    const image = d.venue.snapshot()
    const { now, seq, lastRequest } = d
    const next = d.sequence.next
    d.cashout(10, position)
    d.bid(21, 1, 5_000_000)
    d.venue.restore(image)
    Object.assign(d, { now, seq, lastRequest })
    d.sequence.next = next
    d.cashout(10, position)
    expect(d.bid(21, 1, 6_000_000)).toMatchObject({ code: 'ok' })
    expect(d.names()).toEqual(['bidSubmitted', 'bestBidChanged', 'reply ok'])
  })

  it('INV-30 a venue that walked on and is set back walks again as it did', () => {
    fc.assert(fc.property(fc.integer({ min: 0, max: 2 ** 31 - 1 }), (seed) => {
      const d = new Driver()
      const draw = drawsOf(seed)
      startWalk(d)
      for (let step = 0; step < 40; step++) stepWalk(d, draw)
      const fresh = forked(d)
      const { now, seq, lastRequest } = d
      const next = d.sequence.next
      const image = d.venue.snapshot()
      for (let market = 200; market < 900; market++) d.list(market)
      for (let step = 0; step < 150; step++) stepWalk(d, draw)
      d.venue.restore(image)
      Object.assign(d, { now, seq, lastRequest })
      d.sequence.next = next
      const [a, b] = [drawsOf(seed + 1), drawsOf(seed + 1)]
      for (const one of [d, fresh]) one.list(1_000)
      for (let step = 0; step < 150; step++) {
        stepWalk(d, a)
        stepWalk(fresh, b)
        expect(d.rows).toEqual(fresh.rows)
        expect(d.moved).toEqual(fresh.moved)
      }
      expect(d.venue.stateHash()).toBe(fresh.venue.stateHash())
    }), { numRuns: 6 })
  })

  it('an image is a copy: later commands do not reach it', () => {
    const d = table()
    d.create(10)
    const image = d.venue.snapshot()
    const hash = d.venue.stateHash()
    d.submit(20, 1, 4)
    d.deposit(10, 5)
    expect(d.venue.stateHash()).not.toBe(hash)
    d.venue.restore(image)
    expect(d.venue.stateHash()).toBe(hash)
    d.deposit(10, 5)
    d.venue.restore(image)
    expect(d.venue.stateHash()).toBe(hash)
  })

  it('an image with room for other legs is refused', () => {
    expect(() => new Driver({ legsMax: 6 }).venue.restore(table().venue.snapshot())).toThrow('another legsMax')
  })

  it.each<[string, (d: Driver) => unknown]>([
    ['a deposit', (d) => d.deposit(10, 1)],
    ['a fault', (d) => d.send('setFault', 0, { [SetFault.fault]: 1, [SetFault.isOn]: 1 })],
    ['a fault of the chain', (d) => d.fault('chainDropped', 1)],
    ['a wallet off record', (d) => d.send('setWallet', 0, { [SetWallet.walletOf]: 20, [SetWallet.isOnRecord]: 0 })],
    ['a fee', (d) => d.setFees(100, 101)],
    ['a halt', (d) => d.halt(1)],
    ['a key', (d) => d.list(1, [77])],
    ['a quote', (d) => d.submit(21, 1, 3)],
    ['a selection', (d) => d.commit(10, 1)],
    ['an update of equal content', (d) => d.update(10, 1)],
    ['a microsecond', (d) => d.pulse(1)],
  ])('the hash sees %s', (_, change) => {
    const d = table()
    d.create(10)
    d.submit(20, 1, 4)
    const before = d.venue.stateHash()
    change(d)
    expect(d.venue.stateHash()).not.toBe(before)
  })
})

describe('vault transactions in an image', () => {
  /** A pending deposit, withdrawal and fill, a decided position that waits, and a wallet off record. */
  function waiting(): Driver {
    const d = table()
    d.open(10, 20, 4)
    d.fault('chainUnclear', 1)
    d.open(21, 20, 2, [[3, 'yes'], [4, 'yes']])
    d.deposit(7, usd(5))
    d.withdraw(22, usd(5))
    d.send('setWallet', 0, { [SetWallet.walletOf]: 20, [SetWallet.isOnRecord]: 0 })
    d.at(1).resolve(1, 'void')
    d.pulse(sec(1))
    return d
  }

  it('INV-30 go on in a restored copy, also in one that had grown wider, as if nothing had been', () => {
    const d = waiting()
    const wider = grownWider()
    wider.fault('chainDropped', 1)
    for (let account = 300; account < 700; account++) wider.deposit(account, 1)
    for (let account = 0; account < 40; account++) wider.send('setWallet', 0, { [SetWallet.walletOf]: account, [SetWallet.isOnRecord]: 0 })
    wider.venue.restore(d.venue.snapshot())
    const copies = [forked(d), wider]
    Object.assign(wider, { now: d.now, seq: d.seq, lastRequest: d.lastRequest })
    wider.sequence.next = d.sequence.next
    const alike = (play: (one: Driver) => unknown): void => {
      play(d)
      for (const copy of copies) {
        play(copy)
        expect([copy.rows, copy.moved, copy.venue.stateHash()]).toEqual([d.rows, d.moved, d.venue.stateHash()])
        for (const account of [7, 10, 20, 22, 350]) expect(copy.view.portfolio(account)).toEqual(d.view.portfolio(account))
      }
    }
    for (const copy of copies) expect(copy.venue.stateHash()).toBe(d.venue.stateHash())
    alike((one) => one.deposit(20, 1))
    expect(d.names()).toEqual(['reply vaultFenced'])
    alike((one) => one.deposit(350, 1))
    expect(d.of('vaultTransactionStarted')).toMatchObject([{ transaction: 4 }])
    alike((one) => one.pulse(sec(30)))
    expect(d.of('fundsDeposited')).toMatchObject([{ account: 7 }])
    alike((one) => one.at(sec(31)).fault('chainUnclear', 0))
    alike((one) => one.pulse(sec(200)))
    expect(d.names()).toEqual(['vaultTransactionChanged', 'fundsDeposited', 'positionSettled'])
    alike((one) => one.cashout(21, 2))
    alike((one) => one.bid(20, 1, usd(1)))
    expect(d.names()).toEqual(['reply buybackWalletMissing'])
  })

  it.each<[string, (d: Driver) => unknown]>([
    ['a pending deposit', (d) => d.deposit(21, 1)],
    ['a pending withdrawal', (d) => d.withdraw(21, 1)],
    ['a pending fill', (d) => d.confirm(20, 1, 1)],
    ['a counted cancellation', (d) => d.cancel(10, 2)],
  ])('the hash sees %s', (_, change) => {
    const [d, other] = [table(), table()]
    for (const one of [d, other]) {
      one.create(10)
      one.create(10)
      one.submit(20, 1, 4)
      one.commit(10, 1)
      one.fault('chainUnclear', 1)
    }
    expect(other.venue.stateHash()).toBe(d.venue.stateHash())
    change(other)
    expect(other.venue.stateHash()).not.toBe(d.venue.stateHash())
  })
})

describe('memory', () => {
  it('stays flat over 3,000 deposits, withdrawals and fills that a chain at fault holds up', () => {
    const d = new Driver().listMarkets(2)
    d.deposit(10, usd(1e6))
    d.deposit(20, usd(1e6))
    d.fault('mirrorBehind', 1)
    for (let i = 0; i < 1_000; i++) {
      d.deposit(10, usd(2))
      d.withdraw(20, usd(1))
      d.at(d.now + sec(10))
      d.open(10, 20, 1.5)
      d.at(d.now + sec(10))
    }
    d.pulse()
    const { vaultTransactions } = d.venue.snapshot() as unknown as Record<'vaultTransactions', { index: { slotCount: number } }>
    expect(vaultTransactions.index.slotCount).toBeLessThanOrEqual(3)
  })

  it('stays flat over 40,000 requests', () => {
    const sequence = { next: 1 }
    const events = new EventRows(sequence, 1)
    const postings = new PostingRows(sequence, 1)
    const venue = parlayVenue(profileOf(PARLAY_SETTINGS), events, postings)
    const c = new ParlayCommand()
    let now = T0
    let seq = 0
    const play = (): void => {
      c.seq = ++seq
      venue.apply(now, c)
      if (events.count > 4000) events.clear()
      if (postings.count > 4000) postings.clear()
    }
    const operate = (op: number, market: number, value: number): void => {
      c.reset(op, 0).item(market)
      c.market = market
      c.closeUs = now + ms(1e9)
      c.value = value
      play()
    }
    for (let account = 1; account <= 3; account++) {
      c.reset(ParlayOp.deposit, account).amountMicros = usd(1e8)
      play()
    }
    const request = (number: number, market: number): void => {
      c.reset(ParlayOp.createRequest, 1).leg(market, 1).leg(market + 1, 1).betMicros = usd(25)
      const tag = contentTag(2, c.legMarkets, c.legSides, usd(25))
      play()
      for (let maker = 2; maker <= 3; maker++) {
        c.reset(ParlayOp.submitQuote, maker)
        c.request = number
        c.version = 1
        c.contentTag = tag
        c.oddsE4 = 20_000 + maker
        play()
      }
      if (number % 3 === 0) return
      c.reset(ParlayOp.commitRequest, 1)
      c.request = number
      c.version = c.quote = 1
      c.bookSeq = 0
      c.oddsE4 = 10_001
      play()
      c.reset(number % 3 === 1 ? ParlayOp.confirmSelection : ParlayOp.declineSelection, 3)
      c.request = number
      c.quote = venue.view.request(number)!.pendingQuote
      play()
    }
    const slots: number[][] = []
    for (let number = 1; number <= 40_000; number++) {
      const market = 2 * (Math.floor(number / 50) % 5000)
      now += ms(100)
      if (number === 1 || number % 50 === 0) for (const m of [market, market + 1]) operate(ParlayOp.listMarket, m, 0)
      request(number, market)
      if (number % 50 !== 49) continue
      now += 1
      for (const m of [market, market + 1]) operate(ParlayOp.resolveMarket, m, number & 1)
      if (number % 10_000 === 9_999) {
        const image = venue.snapshot() as unknown as Record<'requests' | 'quotes' | 'positions', { index: { slotCount: number } }> & {
          deadlines: { size: number }
        }
        slots.push([image.requests.index.slotCount, image.quotes.index.slotCount, image.positions.index.slotCount, image.deadlines.size])
      }
    }
    // Known for at most 90 s + 60 s of 10 requests a second, two quotes each; a few hundred deadlines per 15 s of quotes.
    for (const [requests, quotes, positions, deadlines] of slots) {
      expect(requests).toBeLessThanOrEqual(1_500)
      expect(quotes).toBeLessThanOrEqual(3_000)
      expect(positions).toBeLessThanOrEqual(50)
      expect(deadlines).toBeLessThanOrEqual(4_500)
    }
    expect(slots[3]!.slice(0, 3)).toEqual(slots[1]!.slice(0, 3))
  })
})
