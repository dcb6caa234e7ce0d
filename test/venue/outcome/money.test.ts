import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { QuoteState, RfqState } from '../../../src/venue/outcome/protocol/events.ts'
import type { OutcomeProfile } from '../../../src/venue/outcome/protocol/profile.ts'
import type { OutcomeQuoteView, RfqView } from '../../../src/venue/outcome/protocol/view.ts'
import { drawsOf } from '../../draws.ts'
import { Driver, type Row, sec } from './driver.ts'
import { Audited } from './moneyBook.ts'
import { ACCOUNTS, startMoneyWalk, stepMoneyWalk } from './moneyWalk.ts'
import { SetFault } from '../../../src/venue/contract.ts'

const STEPS = 400
const WALKS = 16
const EVENTS = [
  'positionOpened', 'positionSettled', 'positionClaimed', 'positionClosed', 'positionTransferred', 'fundsWithdrawn', 'quoteFailed', 'rfqCancelled',
]
const seeds = fc.integer({ min: 0, max: 2 ** 31 - 1 })

/** Batches come every 20 s, so that walks of minutes meet many; the readings of the fee and the chain's delay take turns. */
const profileOf = (seed: number): Partial<OutcomeProfile> => ({
  settlementEveryMs: 20_000, feeOnCashout: seed & 1, profitOverGross: (seed >> 1) & 1, operationMs: [2_000, 500, 0][seed % 3]!,
  reductionDelayMs: 30_000, retentionMs: seed % 5 === 0 ? 1_000 : 60_000,
})

function walkOf(seed: number, each: (d: Audited) => void = () => {}): Audited {
  const d = new Audited(profileOf(seed))
  const draw = drawsOf(seed)
  startMoneyWalk(d)
  for (let step = 0; step < STEPS && d.breaches.length === 0; step++) {
    stepMoneyWalk(d, draw, [...d.standing.keys()])
    each(d)
  }
  return d
}

/** A walk with time for all that is under way to end. */
function finished(seed: number): Audited {
  try {
    const d = walkOf(seed)
    for (let fault = 1; fault <= 5; fault++) d.at(d.now + 1).send('setFault', -1, { [SetFault.fault]: fault, [SetFault.isOn]: 0 })
    d.pulse(d.now + sec(100))
    return d
  } catch (error) {
    throw new Error(`the walk of seed ${seed} broke off`, { cause: error })
  }
}

function count(total: Record<string, number>, seen: Readonly<Record<string, number>>): void {
  for (const [name, times] of Object.entries(seen)) total[name] = (total[name] ?? 0) + times
}

/** What `Audited` claims of every row and after every command. */
const CLAIMS: readonly (readonly [id: string, what: string])[] = [
  ['INV-01', 'what accounts, pots and the house have is what came in less what left, as postings, rows and the view tell it'],
  ['INV-02', 'free and reserved money are what postings made them and what is under way, and never negative'],
  ['INV-03', 'a maker\'s risk is reserved while it is pending, and in the pot of its position then'],
  ['INV-04', 'a pot is the payout of its position until that ends'],
  ['INV-05', 'net stake and entry fee are the stake, the fee rounded down'],
  ['INV-06', 'a pot is paid out once and in full'],
  ['INV-07', 'a winner gets no more than the payout, and pays nothing without profit'],
  ['INV-08', 'a position keeps its rate'],
  ['INV-09', 'positions come of confirmations in time'],
  ['INV-16', 'a maker has one live quote per RFQ'],
  ['INV-21', 'a position keeps its backing maker and its terms, and has one holder'],
  ['INV-23', 'what leaves was held of free money'],
  ['INV-29', 'postings go the ways of their causes'],
]

describe('a random walk', () => {
  const seen: Record<string, number> = {}
  const claims: Record<string, number> = {}
  const breaches: string[] = []

  beforeAll(() => {
    for (const seed of fc.sample(seeds, { numRuns: WALKS, seed: 4 })) {
      const d = finished(seed)
      const left = Array.from({ length: ACCOUNTS }, (_, account) => d.view.balance(account).reservedMicros)
      if (left.some((micros) => micros !== 0)) breaches.push(`INV-02: ${left.join()} reserved at the end, seed ${seed}`)
      breaches.push(...d.breaches.map((breach) => `${breach}, seed ${seed}`))
      count(seen, d.seen)
      count(claims, d.claims)
    }
  })

  it.each(CLAIMS)('%s %s', (id) => {
    expect(breaches.filter((breach) => breach.startsWith(id))).toEqual([])
    expect(claims[id]).toBeGreaterThan(3)
  })

  it('claims nothing else, and meets all that can happen to a position', () => {
    expect(Object.keys(claims).sort()).toEqual(CLAIMS.map(([id]) => id))
    for (const name of EVENTS) expect([name, (seen[name] ?? 0) > 3]).toEqual([name, true])
  })

  it('INV-17 what has ended stays as it ended, or is forgotten for good', () => {
    let ended = 0
    fc.assert(fc.property(seeds, (seed) => {
      const rfqs = new Map<number, RfqView | null>()
      const quotes = new Map<number, OutcomeQuoteView | null>()
      walkOf(seed, (d) => {
        for (let number = Math.max(1, d.lastRfq - 20); number <= d.lastRfq; number++) {
          const rfq = d.view.rfq(number)
          const isOver = rfq === null || rfq.state === RfqState.filled || rfq.state === RfqState.cancelled
          if (isOver && !rfqs.has(number)) rfqs.set(number, rfq)
        }
        for (const row of d.of('quoteCreated')) quotes.set(row['quote'] as number, null)
        stays(rfqs, (number) => d.view.rfq(number))
        staysOver(quotes, (number) => d.view.quote(number))
      })
      ended += rfqs.size + quotes.size
    }), { numRuns: 4, seed: 17 })
    expect(ended).toBeGreaterThan(100)
  })

  it('INV-30 a venue restored in the middle goes on as the first does', () => {
    fc.assert(fc.property(seeds, (seed) => {
      const d = new Doubled(profileOf(seed))
      const draw = drawsOf(seed)
      startMoneyWalk(d)
      for (let step = 0; step < STEPS; step++) {
        if (step === STEPS / 2) d.double()
        stepMoneyWalk(d, draw, [...d.standing.keys()])
        expect(d.copy?.rows).toEqual(d.copy === null ? undefined : d.rows)
        expect(d.copy?.venue.stateHash()).toBe(d.copy === null ? undefined : d.venue.stateHash())
      }
    }), { numRuns: 2 })
  })
})

/** A venue and, once it is doubled, a restored copy that gets the same commands. */
class Doubled extends Audited {
  copy: Driver | null = null

  double(): void {
    this.copy = new Driver(this.profile)
    this.copy.venue.restore(this.venue.snapshot())
    this.copy.seq = this.seq
  }

  override apply(command = this.command): Row | undefined {
    const reply = super.apply(command)
    this.copy?.at(this.now).apply(command)
    return reply
  }
}

function stays<T>(ended: Map<number, T | null>, read: (number: number) => T | null): void {
  for (const [number, end] of ended) {
    const now = read(number)
    if (now === null) ended.set(number, null)
    else expect(now).toEqual(end)
  }
}

/** Quotes while they are live or accepted wait as null; one that has ended is kept as it ended. */
function staysOver(quotes: Map<number, OutcomeQuoteView | null>, read: (number: number) => OutcomeQuoteView | null): void {
  for (const [number, end] of quotes) {
    const now = read(number)
    if (now === null) quotes.delete(number)
    else if (end !== null) expect(now).toEqual(end)
    else if (now.state !== QuoteState.live && now.state !== QuoteState.accepted) quotes.set(number, now)
  }
}
