import fc from 'fast-check'
import { deserialize, serialize } from 'node:v8'
import { describe, expect, it } from 'vitest'
import { PostingRows } from '../../../src/ledger/postingRows.ts'
import type { Image } from '../../../src/unit/snapshot.ts'
import { EventRows } from '../../../src/venue/eventRows.ts'
import { COMMAND_FIELDS, OutcomeCommand, OutcomeOp } from '../../../src/venue/outcome/protocol/commands.ts'
import { OUTCOME_SETTINGS, type OutcomeProfile } from '../../../src/venue/outcome/protocol/profile.ts'
import { cheapTermsTag, SignedTerms, TermsKind } from '../../../src/venue/outcome/protocol/terms.ts'
import { outcomeVenue, type OutcomeVenue } from '../../../src/venue/outcome/venue.ts'
import { profileOf } from '../../../src/venue/profile.ts'
import { drawsOf } from '../../draws.ts'
import { Driver, ms, sec, T0, table, unix, usd } from './driver.ts'
import { ACCOUNTS, startMoneyWalk, stepMoneyWalk } from './moneyWalk.ts'

const seeds = fc.integer({ min: 0, max: 2 ** 31 - 1 })
const QUICK: Partial<OutcomeProfile> = { settlementEveryMs: 20_000, reductionDelayMs: 30_000, retentionMs: 10_000 }

/** Lets `d` go on where `other` stands. */
function placeAt(d: Driver, other: Pick<Driver, 'now' | 'seq' | 'lastRfq' | 'nextKey' | 'rates'>, nextSequence: number): Driver {
  const { now, seq, lastRfq, nextKey, rates } = other
  Object.assign(d, { now, seq, lastRfq, nextKey, rates: { ...rates } })
  d.sequence.next = nextSequence
  return d
}

function forked(d: Driver): Driver {
  const fork = new Driver(d.profile)
  fork.venue.restore(deserialize(serialize(d.venue.snapshot())) as Image)
  return placeAt(fork, d, d.sequence.next)
}

function openPositions(d: Driver): number[] {
  const numbers = new Set<number>()
  for (let account = 0; account < ACCOUNTS; account++) for (const number of d.view.positionsOf(account)) numbers.add(number)
  return [...numbers].sort((a, b) => a - b)
}

/** A driver that has walked `steps` random steps. */
function walked(seed: number, steps: number): Driver {
  const d = new Driver(QUICK)
  const draw = drawsOf(seed)
  startMoneyWalk(d)
  for (let step = 0; step < steps; step++) stepMoneyWalk(d, draw, openPositions(d))
  return d
}

/** Walks both alike and compares every row, posting and, at the end, the state. */
function walkAlike(a: Driver, b: Driver, seed: number, steps: number): void {
  const [drawA, drawB] = [drawsOf(seed), drawsOf(seed)]
  for (let step = 0; step < steps; step++) {
    stepMoneyWalk(a, drawA, openPositions(a))
    stepMoneyWalk(b, drawB, openPositions(b))
    expect(b.rows).toEqual(a.rows)
    expect(b.moved).toEqual(a.moved)
    expect(b.venue.nextDeadlineUs()).toBe(a.venue.nextDeadlineUs())
  }
  expect(b.venue.stateHash()).toBe(a.venue.stateHash())
}

/** A venue with more rows than a walk makes in every column, whose accounts, outcomes and slots mean something else. */
function grownWider(): Driver {
  const d = new Driver(QUICK).listOutcomes(700)
  for (let account = 0; account < 900; account++) d.bind(account, account % 2 === 0 ? 'maker' : 'participant')
  for (const account of [2, 3, 701]) d.deposit(account, usd(10_000))
  for (let i = 0; i < 150; i++) {
    d.create(3, [[1 + (i % 600), 'no']])
    d.quote(2, i * 2 + 1, usd(50))
    d.accept(3, i * 2 + 1)
    d.confirm(2, i * 2 + 1)
    d.create(701)
    d.quote(2, i * 2 + 2, usd(60))
    d.cancel(701, i * 2 + 2)
  }
  d.at(sec(2)).resolve(7, 'yes')
  d.fault('chainStalled', 1)
  d.setFees(33, 44)
  return d
}

describe('snapshot and restore', () => {
  it('INV-30 a restored venue has the same hash and goes on alike, wherever it was cut', () => {
    fc.assert(fc.property(seeds, fc.integer({ min: 0, max: 250 }), (seed, cut) => {
      const d = walked(seed, cut)
      const fork = forked(d)
      expect(fork.venue.stateHash()).toBe(d.venue.stateHash())
      walkAlike(d, fork, seed + 1, 120)
    }), { numRuns: 8 })
  })

  it('INV-30 a restore into a venue that has grown wider forgets all of it, and goes on like a fresh venue', () => {
    fc.assert(fc.property(seeds, (seed) => {
      const d = walked(seed, 120)
      const wider = grownWider()
      wider.venue.restore(d.venue.snapshot())
      expect(wider.venue.stateHash()).toBe(d.venue.stateHash())
      expect(wider.view.balance(701)).toMatchObject({ role: null, freeMicros: 0, signer: -1 })
      placeAt(wider, d, d.sequence.next)
      for (const one of [d, wider]) {
        one.at(one.now + 1).bind(800, 'maker')
        one.list(650)
      }
      walkAlike(d, wider, seed + 1, 120)
    }), { numRuns: 4 })
  })

  it('INV-30 a restored venue knows the outcome_ids and the accept keys that are taken', () => {
    const d = table()
    d.create(10)
    d.quote(20, 1, usd(100))
    d.accept(10, 1, { key: 77 })
    d.decline(20, 1)
    d.quote(20, 1, usd(90))
    const wider = grownWider()
    wider.venue.restore(d.venue.snapshot())
    for (const one of [forked(d), placeAt(wider, d, d.sequence.next)]) {
      expect(one.list(9, 1_001).code).toBe('stateConflict')
      expect(one.list(9, 1_699).code).toBe('ok')
      expect(one.accept(10, 2, { key: 77 })!.code).toBe('idempotencyKeyReused')
      expect(one.accept(10, 2, { key: 78 })).toBeUndefined()
    }
  })

  it('INV-26 a pending acceptance goes on in a restored copy, and its accept is answered there', () => {
    const d = table()
    d.create(10)
    d.quote(20, 1, usd(100))
    d.accept(10, 1, { coreMicros: usd(5) })
    const accept = d.seq
    const fork = forked(d)
    expect(fork.pulse(sec(2))).toEqual([])
    expect(fork.pulse(sec(2) + 1).filter((row) => row.event === 'reply')).toMatchObject([{ cause: accept, code: 'timedOut' }])
    expect(d.confirm(20, 1).code).toBe('ok')
    const filling = forked(d)
    expect(filling.pulse(sec(2)).map((row) => row.event)).toEqual(['fundsDeposited', 'operationUpdated', 'positionOpened'])
  })

  it('an image is a copy: later commands do not reach it', () => {
    const d = table()
    d.create(10)
    const image = d.venue.snapshot()
    const hash = d.venue.stateHash()
    d.quote(20, 1, usd(100))
    d.list(9)
    expect(d.venue.stateHash()).not.toBe(hash)
    d.venue.restore(image)
    expect(d.venue.stateHash()).toBe(hash)
    d.deposit(10, 5)
    d.venue.restore(image)
    expect(d.venue.stateHash()).toBe(hash)
    expect(d.list(9).code).toBe('ok')
  })

  it('an image with room for other legs is refused', () => {
    expect(() => new Driver({ legsMax: 6 }).venue.restore(table().venue.snapshot())).toThrow('another legsMax')
  })

  it.each<[string, (d: Driver) => unknown]>([
    ['a deposit', (d) => d.deposit(10, 1)],
    ['an account', (d) => d.bind(12, 'maker')],
    ['a signer', (d) => d.setSigner(20, 5)],
    ['a fault', (d) => d.fault('coreFundingUnavailable', 1)],
    ['a fault of the chain', (d) => d.fault('chainDropped', 1)],
    ['a fee', (d) => d.setFees(20, 101)],
    ['a halt', (d) => d.halt(1)],
    ['a close', (d) => d.list(1, 1_001, sec(77))],
    ['an outcome', (d) => d.list(9)],
    ['a result', (d) => d.resolve(6, 'void')],
    ['an RFQ', (d) => d.create(10)],
    ['a quote', (d) => d.quote(21, 1, usd(30))],
    ['an acceptance', (d) => d.accept(10, 1)],
    ['a withdrawal', (d) => d.withdraw(10, 1)],
    ['a reduction', (d) => d.reduce(20, 1)],
    ['a microsecond', (d) => d.pulse(1)],
  ])('the hash sees %s', (_, change) => {
    const d = table()
    d.create(10)
    d.quote(20, 1, usd(100))
    const before = d.venue.stateHash()
    change(d)
    expect(d.venue.stateHash()).not.toBe(before)
  })
})

describe('malformed commands', () => {
  const odd = fc.constantFrom(
    NaN, Infinity, -Infinity, -0, 0, -1, 1, 2, 0.5, 10, 20, 2 ** 31, 2 ** 53, -(2 ** 53), 1e300, unix(5), unix(900), usd(25), T0,
  )
  const fields = fc.dictionary(fc.constantFrom(...COMMAND_FIELDS, 'legCount', 'listCount'), odd, { maxKeys: 6 })
  const call = fc.tuple(fc.constantFrom(...Object.values(OutcomeOp), 15, 50), fc.constantFrom(-1, 0, 10, 20, 21), fields)
  const calls = fc.array(call, { maxLength: 40 })

  it('never throw, and each gets one reply at once or in time', () => {
    fc.assert(fc.property(calls, (sent) => {
      const d = table()
      d.create(10)
      d.quote(20, 1, usd(100))
      const c = new OutcomeCommand()
      const answered = new Map<number, number>()
      const count = (): void => {
        for (const row of d.of('reply')) answered.set(row.cause, (answered.get(row.cause) ?? 0) + 1)
      }
      const from = d.seq + 1
      for (const [op, account, given] of sent) {
        c.reset(op, account)
        c.leg(1, 1).leg(2, 3).item(5)
        Object.assign(c, given)
        d.at(d.now + ms(1))
        d.apply(c)
        count()
      }
      d.pulse(d.now + sec(10))
      count()
      for (let seq = from; seq <= d.seq; seq++) expect(answered.get(seq)).toBe(1)
    }), { numRuns: 150 })
  })
})

describe('memory', () => {
  /** Plays an RFQ each 10 s, of which half are filled, a quarter is declined and a quarter left, and shows the venue after each. */
  function playRfqs(count: number, show: (number: number, venue: OutcomeVenue) => void): void {
    const sequence = { next: 1 }
    const events = new EventRows(sequence, 2)
    const postings = new PostingRows(sequence, 2)
    const venue = outcomeVenue(profileOf(OUTCOME_SETTINGS, { acceptKeyRetentionMs: 86_400_000 }), events, postings)
    const c = new OutcomeCommand()
    const terms = new SignedTerms()
    let now = T0
    let seq = 0
    const play = (): void => {
      c.seq = ++seq
      venue.apply(now, c)
      events.clear()
      postings.clear()
    }
    const sign = (signer: number): void => {
      c.signer = signer
      c.termsTag = cheapTermsTag(terms)
      play()
    }
    for (let account = 1; account <= 2; account++) {
      c.reset(OutcomeOp.bindAccount, -1)
      c.value = account
      c.value2 = account - 1
      play()
      c.reset(OutcomeOp.deposit, account).amountMicros = 1e15
      play()
    }
    for (let number = 1; number <= count; number++) {
      now += 10_000_000
      show(number - 1, venue)
      const outcome = number % 500
      if (number <= 500) {
        c.reset(OutcomeOp.listOutcome, -1).item(outcome).outcome = outcome
        c.closeUs = T0 * 2
        play()
      }
      c.reset(OutcomeOp.createRfq, 1).leg(outcome, 1).stakeMicros = usd(25)
      play()
      const second = now / 1_000_000
      c.reset(OutcomeOp.submitQuote, 2).payoutMicros = usd(50)
      c.rfq = number
      c.expiryS = second + 10
      terms.reset(TermsKind.quote, 2).leg(outcome, 1)
      Object.assign(terms, {
        rfq: number, generation: 1, stakeMicros: 24_950_000, payoutMicros: usd(50), takerFeeBps: 20, feeBps: 100, expiryS: second + 10,
      })
      sign(2)
      if (number % 4 === 0) continue
      c.reset(OutcomeOp.acceptQuote, 1).quote = number
      Object.assign(c, { key: number, validAfterS: second, validBeforeS: second + 100 })
      terms.reset(TermsKind.acceptance, 1)
      Object.assign(terms, {
        rfq: number, quote: number, key: number, payoutMicros: usd(50), stakeMicros: usd(25), coreMicros: 0, takerFeeBps: 20, feeBps: 100,
        validAfterS: second, validBeforeS: second + 100,
      })
      sign(1)
      c.reset(number % 4 === 3 ? OutcomeOp.declineQuote : OutcomeOp.confirmQuote, 2).quote = number
      terms.reset(TermsKind.confirmation, 2)
      Object.assign(terms, {
        rfq: number, quote: number, value: venue.view.acceptanceOfQuote(number)!.number, payoutMicros: usd(50), takerFeeBps: 20, feeBps: 100,
      })
      sign(2)
    }
    show(count, venue)
  }

  it('stays flat over 20,000 RFQs that are filled, declined and left', () => {
    type Counted = { index: { slotCount: number } }
    type Counts = Record<'rfqs' | 'quotes' | 'acceptances' | 'operations', Counted> & { deadlines: { size: number }; acceptKeys: { keys: Float64Array } }
    const counts: number[][] = []
    let opened = 0
    playRfqs(20_000, (number, venue) => {
      if (number % 5_000 !== 0 || number === 0) return
      const { rfqs, quotes, acceptances, operations, deadlines, acceptKeys } = venue.snapshot() as unknown as Counts
      counts.push([...[rfqs, quotes, acceptances, operations].map((part) => part.index.slotCount), deadlines.size, acceptKeys.keys.length])
      opened = venue.view.positionsOf(1).length
    })
    expect(opened).toBe(10_000)
    expect(counts).toHaveLength(4)
    for (const [rfqs, quotes, acceptances, operations, deadlines, keys] of counts) {
      // One RFQ each 10 s, known for up to 20 s + 60 s, an operation for 2 s + 60 s.
      expect(rfqs).toBeLessThanOrEqual(9)
      expect(quotes).toBeLessThanOrEqual(9)
      expect(acceptances).toBeLessThanOrEqual(9)
      expect(operations).toBeLessThanOrEqual(7)
      expect(deadlines).toBeLessThanOrEqual(40)
      // Three accepts of four RFQs, 8,640 RFQs in a day.
      expect(keys).toBeLessThanOrEqual(6_480)
    }
  })
})

describe('INV-30 an outcome venue that is set back in place', () => {
  it('INV-30 has nothing of the quotes that came after', () => {
    const d = table()
    const image = d.venue.snapshot()
    const { now, seq, lastRfq, nextKey, rates } = d
    const next = d.sequence.next
    d.create(10)
    d.quote(20, d.lastRfq, 50_000_000)
    d.venue.restore(image)
    placeAt(d, { now, seq, lastRfq, nextKey, rates }, next)
    d.create(10)
    expect(d.quote(20, d.lastRfq, 60_000_000)).toMatchObject({ code: 'ok' })
    expect(d.names()).toEqual(['quoteCreated', 'bestQuoteChanged', 'reply ok'])
  })
})
