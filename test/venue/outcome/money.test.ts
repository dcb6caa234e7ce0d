import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { QuoteState, RfqState } from '../../../src/venue/outcome/protocol/events.ts'
import type { OutcomeProfile } from '../../../src/venue/outcome/protocol/profile.ts'
import type { OutcomeQuoteView, RfqView } from '../../../src/venue/outcome/protocol/view.ts'
import { drawsOf } from '../parlay/walk.ts'
import { Driver, type Row, sec } from './driver.ts'
import { Audited } from './moneyBook.ts'
import { ACCOUNTS, startMoneyWalk, stepMoneyWalk } from './moneyWalk.ts'

const STEPS = 400
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
  for (let step = 0; step < STEPS; step++) {
    stepMoneyWalk(d, draw, [...d.standing.keys()])
    each(d)
  }
  return d
}

function count(total: Record<string, number>, seen: Readonly<Record<string, number>>): void {
  for (const [name, times] of Object.entries(seen)) total[name] = (total[name] ?? 0) + times
}

/** Plays walks whose every row `Audited` checks, and checks that they met each of the events more than three times. */
function checkWalks(numRuns: number, met: readonly string[] = []): void {
  const seen: Record<string, number> = {}
  fc.assert(fc.property(seeds, (seed) => {
    const d = walkOf(seed)
    for (let fault = 1; fault <= 5; fault++) d.at(d.now + 1).send('setFault', -1, { value: fault, value2: 0 })
    d.pulse(d.now + sec(100))
    for (let account = 0; account < ACCOUNTS; account++) expect(d.view.balance(account).reservedMicros).toBe(0)
    count(seen, d.seen)
  }), { numRuns })
  for (const name of met) expect([name, (seen[name] ?? 0) > 3]).toEqual([name, true])
}

describe('a random walk', () => {
  it('INV-01 INV-04 INV-29 money adds up after every row: in postings, in what rows tell, and in the view', () => checkWalks(12, EVENTS))

  it('INV-02 INV-03 INV-23 what is reserved is what acceptances, operations, withdrawals and reductions hold, never more than there was', () => checkWalks(2))

  it('INV-05 INV-06 INV-07 fees are floors of stake and profit, and a pot is paid out once and in full', () => checkWalks(2))

  it('INV-08 INV-21 a position keeps its rates, payout and backing maker, and has one holder', () => checkWalks(2))

  it('INV-09 INV-16 positions come of confirmations in time; a maker has one live quote per RFQ', () => checkWalks(2))

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
    }), { numRuns: 4 })
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
