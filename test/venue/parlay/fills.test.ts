import { describe, expect, it } from 'vitest'
import { ParlayStatus, PositionState } from '../../../src/venue/parlay/protocol/events.ts'
import { type Driver, sec, table, usd } from './driver.ts'

/** Position 1 of bettor 10 and maker 20, 25 USDC at 4.0: confirmed at time 0 under the fault, which stays on. */
function confirmed(fault: 'chainUnclear' | 'chainDropped' | 'mirrorBehind', overrides = {}): Driver {
  const d = table(overrides)
  d.fault(fault, 1)
  d.open(10, 20, 4)
  return d
}

const FILL = { account: 10, backer: 20, request: 1, version: 1, position: 1, amountMicros: 99_250_000, effect: 3, transaction: 1 }
const settlements = (d: Driver) => d.rows.filter((row) => row.event === 'settlementDelayed' || row.event === 'positionSettled')
  .map((row) => [row.event === 'positionSettled' ? 'settled' : 'delayed', row.at, row['outcome']])

describe('a fill while the chain is at fault', () => {
  it('PQ-079 PQ-123 is confirmed, not executed: its pot stands, both vaults are fenced', () => {
    const d = confirmed('chainUnclear')
    expect(d.names()).toEqual([
      'quoteFilled', 'statusChanged', 'statusChanged', 'bestQuoteChanged', 'requestCommitted', 'positionOpened', 'vaultTransactionStarted',
      'reply ok', 'reply ok',
    ])
    expect(d.of('vaultTransactionStarted')).toEqual([{
      event: 'vaultTransactionStarted', at: 0, cause: d.seq, ...FILL, status: 'chain pending', nextStepAtUs: sec(20),
    }])
    expect(d.moved).toEqual([
      'commit: reserved 10 -> pot 1 24750000', 'commit: reserved 10 -> escrow 1 250000', 'commit: reserved 20 -> pot 1 74250000',
    ])
    expect(d.view.position(1)!.state).toBe(PositionState.confirmed)
    expect([10, 20].map((account) => d.view.balance(account).fenced)).toEqual([true, true])
    expect(d.view.balance(20)).toMatchObject({ lockedMicros: 74_250_000 })
  })

  it('PQ-078 PQ-123 is executed once the chain is final and the mirror has caught up', () => {
    const d = confirmed('chainUnclear')
    d.pulse(sec(20))
    expect(d.rows).toEqual([{ event: 'vaultTransactionChanged', at: sec(20), cause: -1, ...FILL, status: 'balance pending', nextStepAtUs: sec(30) }])
    expect(d.pulse(sec(30) - 1)).toEqual([])
    expect(d.pulse(sec(30))).toEqual([
      { event: 'vaultTransactionChanged', at: sec(30), cause: -1, ...FILL, status: 'completed' },
      { event: 'statusChanged', at: sec(30), cause: -1, owner: 10, request: 1, version: 1, quote: 1, status: ParlayStatus.executed },
    ])
    expect(d.moved).toEqual([])
    expect(d.view.position(1)!.state).toBe(PositionState.executed)
    expect([10, 20].map((account) => d.view.balance(account).fenced)).toEqual([false, false])
  })

  it('PQ-306 PQ-079 pays everything back when the chain drops it, with the reason that the chain failed', () => {
    const d = confirmed('chainDropped')
    expect(d.pulse(sec(20) - 1)).toEqual([])
    const about = { at: sec(20), cause: -1, request: 1, version: 1 }
    expect(d.pulse(sec(20))).toEqual([
      { event: 'vaultTransactionChanged', at: sec(20), cause: -1, ...FILL, status: 'failed' },
      { event: 'statusChanged', ...about, owner: 10, quote: 1, status: ParlayStatus.cancelled },
      { event: 'positionCancelled', ...about, owner: 10, backer: 20, reason: 'chain failed' },
      { event: 'positionFailed', ...about, holder: 10, backer: 20, position: 1, toHolderMicros: usd(25), toBackerMicros: 74_250_000 },
    ])
    expect(d.moved).toEqual([
      'void: pot 1 -> free 10 24750000', 'void: pot 1 -> free 20 74250000', 'void: escrow 1 -> free 10 250000',
    ])
    expect(d.balances(10, 20)).toEqual([[usd(1000), 0], [usd(1000), 0]])
    expect(d.view.balance(20)).toMatchObject({ lockedMicros: 0, fenced: false })
    expect([d.view.position(1), d.view.positionsOf(10), d.view.positionsOf(20)]).toEqual([null, [], []])
    // Its legs are off the markets' lists.
    expect(d.at(sec(21)).resolve(1, 'no').code).toBe('ok')
    d.pulse()
    expect(d.names()).toEqual([])
  })

  it('is known beyond its request, which is forgotten first', () => {
    const d = confirmed('chainDropped', { chainRecoveryMs: 100_000 })
    d.pulse(sec(100))
    expect(d.view.request(1)).toBeNull()
    expect(d.of('positionFailed')).toMatchObject([{ request: 1, version: 1, position: 1 }])
    expect(d.of('statusChanged')).toMatchObject([{ request: 1, version: 1, quote: 1 }])
  })

  it('of an account with itself fences and frees its vault', () => {
    const d = table()
    d.fault('chainDropped', 1)
    d.open(20, 20, 4)
    expect(d.view.balance(20)).toMatchObject({ freeMicros: 900_750_000, fenced: true })
    d.pulse(sec(20))
    expect(d.view.balance(20)).toMatchObject({ freeMicros: usd(1000), lockedMicros: 0, fenced: false })
  })

  it.each([[1, PositionState.confirmed], [0, PositionState.executed]] as const)(
    'follows the fault at its confirmation, the last microsecond of the window included: switched to %d during the wait', (on, state) => {
      const d = table()
      d.create(10)
      d.submit(20, 1, 4)
      d.fault('mirrorBehind', on === 1 ? 0 : 1)
      d.commit(10, 1)
      d.at(sec(5) - 1).fault('mirrorBehind', on)
      expect(d.confirm(20, 1, 1).code).toBe('ok')
      expect(d.view.position(1)!.state).toBe(state)
    },
  )
})

describe('a decided position while the chain is at fault', () => {
  it('PQ-081 is not paid, is told with its outcome, and is tried again every 30 s until the chain is well', () => {
    const d = table()
    d.open(10, 20, 4)
    d.at(sec(1)).fault('mirrorBehind', 1)
    d.resolve(1, 'yes')
    d.resolve(2, 'no')
    d.pulse()
    const delayed = { event: 'settlementDelayed', cause: -1, holder: 10, backer: 20, request: 1, version: 1, position: 1, outcome: 'won' }
    expect(d.rows).toEqual([{ ...delayed, at: sec(1), nextTryAtUs: sec(31) }])
    expect([d.moved, d.view.position(1)!.state]).toEqual([[], PositionState.decided])
    expect(d.pulse(sec(31) - 1)).toEqual([])
    expect(d.pulse(sec(31))).toEqual([{ ...delayed, at: sec(31), nextTryAtUs: sec(61) }])
    d.at(sec(40)).fault('mirrorBehind', 0)
    expect(d.pulse(sec(61) - 1)).toEqual([])
    d.pulse(sec(61))
    expect(d.rows).toMatchObject([{ event: 'positionSettled', at: sec(61), outcome: 'won', toHolderMicros: 98_257_500 }])
    expect(d.pulse(sec(999))).toEqual([])
  })

  it('a fault that was on and off between two tries delays nothing; one on at the instant of a try does', () => {
    const d = table()
    d.open(10, 20, 4)
    d.at(1).fault('chainUnclear', 1)
    d.at(2).fault('chainUnclear', 0)
    d.resolve(1, 'no')
    d.open(21, 22, 4, [[3, 'yes'], [4, 'yes']])
    expect(settlements(d)).toEqual([])
    // An operator's command comes before the deadlines of its instant.
    d.at(3).resolve(3, 'no')
    d.fault('chainUnclear', 1)
    d.pulse()
    expect(settlements(d)).toEqual([['delayed', 3, 'lost']])
    d.at(3 + sec(30)).fault('chainUnclear', 0)
    d.pulse()
    expect(settlements(d)).toEqual([['settled', 3 + sec(30), 'lost']])
  })

  it('PQ-428 its outcome is that of the instant that decided it: a later loss does not beat the void', () => {
    const d = table()
    d.open(10, 20, 4)
    d.fault('chainUnclear', 1)
    d.resolve(1, 'void')
    d.at(1).resolve(2, 'yes')
    expect(settlements(d)).toEqual([['delayed', 0, 'void']])
    d.at(2).fault('chainUnclear', 0)
    d.pulse(sec(30))
    expect(settlements(d)).toEqual([['settled', sec(30), 'void']])
  })

  it('settles while the parties\' vaults are fenced by other transactions', () => {
    const d = table()
    d.open(10, 20, 4)
    d.fault('mirrorBehind', 1)
    d.deposit(10, 1)
    d.deposit(20, 1)
    d.fault('mirrorBehind', 0)
    d.at(1).resolve(1, 'no')
    d.pulse()
    expect(settlements(d)).toEqual([['settled', 1, 'lost']])
  })
})

describe('a decided position that is not funded yet', () => {
  it('waits for its funding though the fault is off, and stays confirmed', () => {
    const d = confirmed('chainUnclear')
    d.fault('chainUnclear', 0)
    d.at(sec(1)).resolve(1, 'no')
    d.pulse()
    expect(settlements(d)).toEqual([['delayed', sec(1), 'lost']])
    expect(d.view.position(1)!.state).toBe(PositionState.confirmed)
    d.pulse(sec(30))
    expect(d.view.position(1)!.state).toBe(PositionState.decided)
    d.pulse(sec(31))
    expect(settlements(d)).toEqual([['settled', sec(31), 'lost']])
  })

  it('is paid at once when it is funded at the instant of the try: a transaction\'s step comes first', () => {
    const d = confirmed('chainUnclear')
    d.fault('chainUnclear', 0)
    d.at(0).resolve(1, 'no')
    d.pulse(sec(30))
    expect(d.names()).toEqual(['settlementDelayed', 'vaultTransactionChanged', 'vaultTransactionChanged', 'statusChanged', 'positionSettled'])
    expect(d.rows.at(-1)).toMatchObject({ at: sec(30), outcome: 'lost', toBackerMicros: 99_000_000 })
  })

  it('is paid back and forgotten when its fill fails, decided or not', () => {
    const d = confirmed('chainDropped')
    d.fault('chainDropped', 0)
    d.at(sec(1)).resolve(1, 'no')
    d.pulse(sec(20))
    expect(d.names()).toEqual([
      'settlementDelayed', 'vaultTransactionChanged', 'statusChanged', 'positionCancelled', 'positionFailed',
    ])
    expect(d.balances(10, 20)).toEqual([[usd(1000), 0], [usd(1000), 0]])
    expect(d.pulse(sec(999))).toEqual([])
  })

  it('a result during the wait for the confirmation decides it at the instant it opens, without a pay', () => {
    const d = table()
    d.create(10)
    d.submit(20, 1, 4)
    d.commit(10, 1)
    d.at(1).resolve(1, 'no')
    d.fault('mirrorBehind', 1)
    d.at(2).confirm(20, 1, 1)
    d.pulse()
    expect(settlements(d)).toEqual([['delayed', 2, 'lost']])
    d.at(3).fault('mirrorBehind', 0)
    d.pulse(2 + sec(30))
    expect(settlements(d)).toEqual([['settled', 2 + sec(30), 'lost']])
  })
})

describe('a profit fee on makers', () => {
  it.each<[0 | 1, number, number, string[]]>([
    [0, 99_000_000, 0, ['settle: pot 1 -> free 20 99000000', 'takerFee: escrow 1 -> house 250000']],
    // 1 % of the stake of 24.75 that the maker gains.
    [1, 98_752_500, 247_500, [
      'settle: pot 1 -> free 20 98752500', 'profitFee: pot 1 -> house 247500', 'takerFee: escrow 1 -> house 250000',
    ]],
  ])('PQ-419 set to %d pays the maker of a lost position %d', (profitFeeOnMaker, toBackerMicros, profitFeeMicros, moved) => {
    const d = table({ profitFeeOnMaker })
    d.open(10, 20, 4)
    d.resolve(1, 'no')
    d.pulse()
    expect(d.of('positionSettled')).toMatchObject([{ outcome: 'lost', toHolderMicros: 0, toBackerMicros, profitFeeMicros, takerFeeKeptMicros: 250_000 }])
    expect(d.moved).toEqual(moved)
  })

  it('PQ-431 is rounded down: 1 % of a stake of 990,099 is 9,900', () => {
    const d = table({ profitFeeOnMaker: 1 })
    d.open(10, 20, 1.0001, [[1, 'yes'], [2, 'yes']], 1_000_099)
    d.resolve(1, 'no')
    d.pulse()
    expect(d.of('positionSettled')).toMatchObject([{ toBackerMicros: 990_198 - 9_900, profitFeeMicros: 9_900, takerFeeKeptMicros: 10_000 }])
  })
})

describe('the words of an end', () => {
  it('PQ-306 outcomes are lost, won and void, reasons are the user\'s and the chain\'s', () => {
    const d = table()
    const market = (n: number) => [[n, 'yes'], [n + 1, 'yes']] as const
    d.open(10, 20, 2, market(1))
    d.open(10, 20, 2, market(3))
    d.open(10, 20, 2, market(5))
    d.resolve(1, 'no')
    for (const n of [3, 4]) d.resolve(n, 'yes')
    d.resolve(5, 'void')
    d.pulse()
    expect(d.of('positionSettled').map((row) => row['outcome'])).toEqual(['lost', 'won', 'void'])
    d.create(10, [[2, 'yes'], [6, 'yes']])
    d.cancel(10, 4)
    expect(d.of('positionCancelled')).toMatchObject([{ reason: 'by user' }])
  })
})
