import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ChainBook } from '../../../src/chain/mirror/chainBook.ts'
import { ParlayReader } from '../../../src/chain/mirror/parlayReader.ts'
import { callsOf, type SettlementStep } from '../../../src/chain/mirror/settlementStep.ts'
import { StepReader } from '../../../src/chain/mirror/stepReader.ts'
import { sec, usd } from '../../venue/parlay/driver.ts'
import { drawsOf } from '../../draws.ts'
import { walk } from './mirrorWalk.ts'
import { type FlushedDriver, mirroredTable, RATES, type Take } from './parlayMirror.ts'

/** The steps of what is played on a bench. */
function ticksOf(act: (take: Take) => FlushedDriver): { readonly steps: SettlementStep[]; readonly d: FlushedDriver; readonly size: number } {
  const of = new ParlayReader(RATES)
  const reader = new StepReader('parlay', of)
  const steps: SettlementStep[] = []
  const d = act((batch) => { steps.push(...reader.read(batch)) })
  steps.push(...reader.finish())
  return { steps, d, size: of.size }
}

/** After each step but the first, of deposits: calls, what the book has of bettor 10, maker 20 and position 1, and what is pending. */
function told(steps: readonly SettlementStep[]): unknown[] {
  const book = new ChainBook()
  return steps.map((step) => {
    book.take(step)
    book.assertPending()
    return {
      calls: callsOf(step).map(({ kind }) => kind),
      chain: [book.chain.balanceMicros(10), book.chain.balanceMicros(20), book.positionMoney(1).potMicros, book.holder(1)],
      ledger: [book.ledger.balanceMicros(10), book.ledger.balanceMicros(20), book.ledger.positionMoney(1).potMicros],
      pending: book.pending().map((one) => (one.kind === 'fill' ? `fill ${one.position}` : `${one.account} ${one.amountMicros}`)),
    }
  }).slice(1)
}

/** A bench with its chain's faults 2 s after the start, and recovery after 20 s on the chain and 10 s in the mirror. */
const faulty = (fault: 'chainUnclear' | 'chainDropped' | 'mirrorBehind', act: (d: FlushedDriver) => void): SettlementStep[] => ticksOf((take) => {
  const d = mirroredTable(take)
  d.at(sec(2)).fault(fault, 1)
  d.at(sec(3))
  act(d)
  d.at(sec(4)).fault(fault, 0)
  d.pulse(sec(100))
  return d
}).steps

const FULL = usd(1000)
/** A bet of 25 and a risk of 74.25 make a pot of 99. */
const [BETTOR, MAKER, POT] = [FULL - usd(25), FULL - usd(74.25), usd(99)]

/** StoppingRule every request and auction that is open has expired. */
function pulsedOut(d: FlushedDriver): FlushedDriver {
  d.pulse(d.now + sec(3600))
  return d
}

describe('the book of what the chain must hold', () => {
  it('has a fill whose broadcast is unclear when the chain has it, and until then on a list', () => {
    expect(told(faulty('chainUnclear', (d) => { d.open(10, 20, 4) }))).toEqual([
      { calls: [], chain: [FULL, FULL, 0, -1], ledger: [BETTOR, MAKER, POT], pending: ['fill 1'] },
      { calls: ['open'], chain: [BETTOR, MAKER, POT, 10], ledger: [BETTOR, MAKER, POT], pending: [] },
    ])
  })

  it('never has a fill that the chain drops', () => {
    expect(told(faulty('chainDropped', (d) => { d.open(10, 20, 4) }))).toEqual([
      { calls: [], chain: [FULL, FULL, 0, -1], ledger: [BETTOR, MAKER, POT], pending: ['fill 1'] },
      { calls: [], chain: [FULL, FULL, 0, -1], ledger: [FULL, FULL, 0], pending: [] },
    ])
  })

  it('has a fill at once that is only mirrored late', () => {
    expect(told(faulty('mirrorBehind', (d) => { d.open(10, 20, 4) }))).toEqual([
      { calls: ['open'], chain: [BETTOR, MAKER, POT, 10], ledger: [BETTOR, MAKER, POT], pending: [] },
    ])
  })

  it('has a deposit before the ledger from when the chain has it', () => {
    const more = FULL + usd(5)
    expect(told(faulty('chainUnclear', (d) => { d.deposit(10, usd(5)) }))).toEqual([
      { calls: ['deposit'], chain: [more, FULL, 0, -1], ledger: [FULL, FULL, 0], pending: ['10 5000000'] },
      { calls: [], chain: [more, FULL, 0, -1], ledger: [more, FULL, 0], pending: [] },
    ])
    expect(told(faulty('mirrorBehind', (d) => { d.deposit(10, usd(5)) }))).toHaveLength(2)
    expect(told(faulty('chainDropped', (d) => { d.deposit(10, usd(5)) }))).toEqual([])
  })

  it('has a withdrawal before the ledger from when the chain has it', () => {
    const less = FULL - usd(5)
    expect(told(faulty('chainUnclear', (d) => { d.withdraw(10, usd(5)) }))).toEqual([
      { calls: ['withdraw'], chain: [less, FULL, 0, -1], ledger: [FULL, FULL, 0], pending: ['10 -5000000'] },
      { calls: [], chain: [less, FULL, 0, -1], ledger: [less, FULL, 0], pending: [] },
    ])
    expect(told(faulty('chainDropped', (d) => { d.withdraw(10, usd(5)) }))).toEqual([])
  })

  it('names who a position belongs to, and what opened it', () => {
    const { steps } = ticksOf((take) => {
      const d = mirroredTable(take)
      d.setFees(200, 300)
      const position = d.at(sec(2)).open(10, 20, 4)
      d.setFees(100, 100)
      const auction = d.at(sec(3)).cashout(10, position)['auction'] as number
      d.bid(21, auction, usd(40))
      d.sell(10, auction)
      return d
    })
    const [, [open] = [], [transfer] = []] = steps.map(callsOf)
    // 2 % of 25 is 0.5, the stake of 24.5 pays 98.
    expect(open).toMatchObject({
      kind: 'open', position: 1, holder: 10, backer: 20, stakeMicros: usd(24.5), riskMicros: usd(73.5), takerFeeMicros: usd(0.5), takerFeeBps: 200,
      profitFeeBps: 300, coreMicros: 0, signed: null,
    })
    expect(transfer).toMatchObject({ kind: 'transfer', position: 1, buyer: 21, priceMicros: usd(40) })
  })

  it('differs from the ledger by what is pending alone, and the ledger from the venue by nothing, whatever happens', () => {
    const seen = { fill: 0, deposit: 0, withdrawal: 0, failed: 0, calls: 0 }
    fc.assert(fc.property(fc.integer(), (seed) => {
      const { steps, d, size } = ticksOf((take) => pulsedOut(walk(take, drawsOf(seed), 250)))
      const book = new ChainBook()
      for (const step of steps) {
        book.take(step)
        book.assertPending()
        seen.calls += callsOf(step).length
        for (const entry of step.entries) if (entry.kind === 'failed') seen.failed++
        for (const one of book.pending()) seen[one.kind === 'fill' ? 'fill' : one.amountMicros > 0 ? 'deposit' : 'withdrawal']++
      }
      for (const account of [10, 11, 20, 21, 22]) {
        const { freeMicros, reservedMicros } = d.view.balance(account)
        expect([book.ledger.balanceMicros(account), book.chain.balanceMicros(account)]).toEqual([freeMicros + reservedMicros, freeMicros + reservedMicros])
      }
      expect([book.chain.houseMicros, book.chain.heldMicros]).toEqual([d.view.totals().houseMicros, d.view.totals().netDepositsMicros])
      expect([book.pending(), size]).toEqual([[], 0])
    }), { seed: 61, numRuns: 30 })
    for (const times of Object.values(seen)) expect(times).toBeGreaterThan(10)
  })

  it('has money that moves for a position which is neither on the chain nor pending, where the chain has none', () => {
    const { steps } = ticksOf((take) => {
      const d = mirroredTable(take)
      d.at(sec(2)).open(10, 20, 4)
      return d
    })
    const book = new ChainBook()
    book.take(steps[0]!)
    const entries = steps[1]!.entries.filter(({ kind }) => kind !== 'call')
    const { accounts, positions } = book.take({ ...steps[1]!, entries })
    expect([[...accounts], [...positions]]).toEqual([[10, 20], [1]])
    expect([book.positionMoney(1).potMicros, book.holder(1), book.pending()]).toEqual([POT, -1, []])
  })
})
