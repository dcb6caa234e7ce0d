import { describe, expect, it } from 'vitest'
import {
  OperationKind, OperationStatus, OutcomeEvent, PositionState, RfqState, STREAM_EVENT_NAMES,
} from '../../../src/venue/outcome/protocol/events.ts'
import type { OutcomeProfile } from '../../../src/venue/outcome/protocol/profile.ts'
import { type Driver, ms, sec, table, unix, usd } from './driver.ts'

type Fields = Partial<Record<string, number>>

/** Operation 1 is the fill of RFQ 1, quote 1 and acceptance 1: 25 USDC of participant 10, 75.05 of maker 20; its step is at 2 s. */
function filling(fields: Fields = {}, overrides: Partial<OutcomeProfile> = {}): Driver {
  const d = table(overrides)
  d.create(10)
  d.quote(20, 1, usd(100))
  d.accept(10, 1, fields)
  d.confirm(20, 1)
  return d
}

/** Operation 2 sells position 1 of participant 10 to maker 21 for 30 USDC; its step is at 4 s. */
function selling(overrides: Partial<OutcomeProfile> = {}): Driver {
  const d = table(overrides)
  d.cashout(10, d.open(10, 20, usd(100)))
  d.quote(21, 2, usd(30))
  d.accept(10, 2)
  d.confirm(21, 2)
  return d
}

/** The fields of every row of the fill of `filling`. */
const FILL = {
  account: 10, maker: 20, rfq: 1, generation: 2, quote: 1, acceptance: 1, operation: 1, operationKind: 'fill', amountMicros: 100_050_000,
}

describe('a fill', () => {
  it('OM-051 OM-089 OM-154 is told when it starts and when it is done', () => {
    const d = filling()
    expect(d.of('operationStarted')).toEqual([{ event: 'operationStarted', at: 0, cause: d.seq, ...FILL, nextStepAtUs: sec(2) }])
    expect(d.view.operation(1)).toEqual({
      number: 1, kind: OperationKind.fill, status: OperationStatus.pending, account: 10, acceptance: 1, amountMicros: 100_050_000,
    })
    expect(d.pulse(sec(2) - 1)).toEqual([])
    expect(d.pulse(sec(2)).map((row) => row.event)).toEqual(['operationUpdated', 'positionOpened'])
    expect(d.rows[0]).toEqual({ event: 'operationUpdated', at: sec(2), cause: -1, ...FILL, status: OperationStatus.done })
    expect(d.view.operation(1)).toMatchObject({ status: OperationStatus.done })
    expect([OutcomeEvent.operationStarted, OutcomeEvent.operationUpdated].map((kind) => STREAM_EVENT_NAMES[kind])).toEqual(
      ['OPERATION_UPDATED', 'OPERATION_UPDATED'],
    )
  })

  it('OM-008 moves nothing before it is done, then the net stake, the fee and the risk', () => {
    const d = filling()
    expect(d.moved).toEqual([])
    expect(d.balances(10, 20)).toEqual([[usd(975), usd(25)], [924_950_000, 75_050_000]])
    d.pulse(sec(2))
    expect(d.moved).toEqual([
      'commit: reserved 10 -> pot 1 24950000', 'takerFee: reserved 10 -> house 50000', 'commit: reserved 20 -> pot 1 75050000',
    ])
    expect(d.balances(10, 20)).toEqual([[usd(975), 0], [924_950_000, 0]])
  })

  it('OM-059 the operations of an account are known by number while they are pending', () => {
    const d = filling()
    d.create(10)
    d.quote(20, 2, usd(100))
    d.accept(10, 2)
    d.at(sec(1)).confirm(20, 2)
    expect(d.view.operationsOf(10)).toEqual([1, 2])
    d.pulse(sec(2))
    expect(d.view.operationsOf(10)).toEqual([2])
    expect(d.view.operationsOf(20)).toEqual([])
  })

  it('OM-059 fails while the chain drops what it is sent: what was reserved is free, the RFQ stays filled', () => {
    const d = filling()
    d.fault('chainDropped', 1)
    expect(d.pulse(sec(2))).toEqual([
      { event: 'operationUpdated', at: sec(2), cause: -1, ...FILL, status: OperationStatus.failed },
    ])
    expect(d.moved).toEqual(['release: reserved 10 -> free 10 25000000', 'release: reserved 20 -> free 20 75050000'])
    expect(d.balances(10, 20)).toEqual([[usd(1000), 0], [usd(1000), 0]])
    expect(d.view.rfq(1)).toMatchObject({ state: RfqState.filled })
    expect([d.view.position(1), d.view.operation(1)!.status]).toEqual([null, OperationStatus.failed])
  })

  it('OM-059 a fault that is over before the step changes nothing', () => {
    const d = filling()
    d.fault('chainDropped', 1)
    d.fault('chainStalled', 1)
    d.fault('chainDropped', 0)
    d.fault('chainStalled', 0)
    d.pulse(sec(2))
    expect(d.view.position(1)).not.toBeNull()
  })

  it('OM-154 OM-059 is put off while the chain is stalled, and goes on after it', () => {
    const d = filling({ validBeforeS: unix(5) })
    d.fault('chainStalled', 1)
    expect(d.pulse(sec(2))).toEqual([
      { event: 'operationUpdated', at: sec(2), cause: -1, ...FILL, status: OperationStatus.pending, nextStepAtUs: sec(4) },
    ])
    d.fault('chainStalled', 0)
    expect(d.pulse(sec(4)).map((row) => row.event)).toEqual(['operationUpdated', 'positionOpened'])
  })

  it('OM-059 is put off by a second at least', () => {
    const d = filling({}, { operationMs: 1 })
    d.fault('chainStalled', 1)
    expect(d.pulse(ms(1))).toMatchObject([{ status: OperationStatus.pending, nextStepAtUs: ms(1_001) }])
    expect(d.pulse(ms(1_001))).toMatchObject([{ nextStepAtUs: ms(2_001) }])
  })

  it.each<[string, number, number]>([
    ['a microsecond before', sec(5) - 1, OperationStatus.done],
    ['at', sec(5), OperationStatus.failed],
  ])('OM-059 a step %s its valid_before', (_, stepAt, status) => {
    const d = table({ operationMs: 4_000 })
    d.create(10)
    d.quote(20, 1, usd(100))
    d.accept(10, 1, { validBeforeS: unix(5) })
    d.at(stepAt - sec(4)).confirm(20, 1)
    expect(d.pulse(stepAt)[0]).toMatchObject({ event: 'operationUpdated', status: status })
    expect(d.balances(10)).toEqual([status === OperationStatus.done ? [usd(975), 0] : [usd(1000), 0]])
  })

  it('OM-059 one that is too late fails though the chain is stalled', () => {
    const d = filling({ validBeforeS: unix(5) })
    d.fault('chainStalled', 1)
    d.pulse(sec(4))
    expect(d.pulse(sec(6))).toMatchObject([{ event: 'operationUpdated', status: OperationStatus.failed }])
  })

  it('OM-211 the core part is under way with the fill, and comes into the vault when it is done', () => {
    const d = filling({ coreMicros: usd(10) })
    expect(d.view.balance(10)).toMatchObject({ core: 'moving', freeMicros: usd(985), reservedMicros: usd(15) })
    expect(d.pulse(sec(2)).map((row) => row.event)).toEqual(['fundsDeposited', 'operationUpdated', 'positionOpened'])
    expect(d.rows[0]).toEqual({ event: 'fundsDeposited', at: sec(2), cause: -1, account: 10, amountMicros: usd(10), accountBalanceMicros: usd(985) })
    expect(d.moved).toEqual([
      'deposit: external -> reserved 10 10000000', 'commit: reserved 10 -> pot 1 24950000', 'takerFee: reserved 10 -> house 50000',
      'commit: reserved 20 -> pot 1 75050000',
    ])
    expect(d.view.balance(10)).toMatchObject({ core: 'idle', freeMicros: usd(985), reservedMicros: 0 })
  })

  it.each([['done', 0], ['failed', 1]] as const)('OM-211 a fill without a core part that is %s leaves a withdrawal under way', (_, dropped) => {
    const d = filling()
    d.at(sec(1)).withdraw(10, usd(1))
    d.fault('chainDropped', dropped)
    d.pulse(sec(2))
    expect(d.of('operationUpdated')).toMatchObject([{ operation: 1, operationKind: 'fill' }])
    expect(d.view.balance(10).core).toBe('moving')
    expect(d.withdraw(10, usd(1)).code).toBe('coreMoveInFlight')
    d.pulse(sec(3))
    expect(d.view.balance(10).core).toBe('idle')
  })

  it('OM-211 a core part whose fill fails never came', () => {
    const d = filling({ coreMicros: usd(10) })
    d.fault('chainDropped', 1)
    d.pulse(sec(2))
    expect(d.moved).toEqual(['release: reserved 10 -> free 10 15000000', 'release: reserved 20 -> free 20 75050000'])
    expect(d.view.balance(10)).toMatchObject({ core: 'idle', freeMicros: usd(1000) })
    expect(d.view.totals().netDepositsMicros).toBe(usd(5000))
  })

  it('OM-059 a fill outlives its RFQ, and keeps what its position is made of', () => {
    const d = table({ retentionMs: 100, operationMs: 5_000 })
    d.create(10, [[3, 'no'], [5, 'yes']], usd(40))
    d.quote(20, 1, usd(100))
    d.accept(10, 1)
    d.confirm(20, 1)
    d.setFees(0, 0)
    d.at(sec(1)).create(10, [[1, 'yes']], usd(2))
    d.quote(21, 2, usd(9))
    expect([d.view.rfq(1), d.view.quote(1), d.view.acceptance(1)]).toEqual([null, null, null])
    d.pulse(sec(5))
    expect(d.view.position(1)).toMatchObject({
      rfq: 1, quote: 1, holder: 10, backer: 20, netStakeMicros: 39_920_000, payoutMicros: 100_000_000, costMicros: 40_000_000,
      entryFeeMicros: 80_000, feeBps: 100, legs: [{ outcome: 3, side: 0 }, { outcome: 5, side: 1 }],
    })
  })
})

describe('a sale', () => {
  it('OM-154 OM-051 names the position, the price and the buyer, and makes the position closing meanwhile', () => {
    const d = selling()
    const sale = {
      account: 10, maker: 21, rfq: 2, generation: 2, position: 1, quote: 2, acceptance: 2, operation: 2, operationKind: 'cashout',
      amountMicros: usd(30),
    }
    expect(d.of('operationStarted')).toEqual([{ event: 'operationStarted', at: sec(2), cause: d.seq, ...sale, nextStepAtUs: sec(4) }])
    expect(d.view.position(1)).toMatchObject({ state: PositionState.closing })
    expect(d.pulse(sec(4)).map((row) => row.event)).toEqual(['operationUpdated', 'positionTransferred'])
    expect(d.rows[0]).toEqual({ event: 'operationUpdated', at: sec(4), cause: -1, ...sale, status: OperationStatus.done })
  })

  it('OM-059 one that the chain drops leaves the position open and the price with the buyer', () => {
    const d = selling()
    d.fault('chainDropped', 1)
    expect(d.pulse(sec(4)).map((row) => row.event)).toEqual(['operationUpdated'])
    expect(d.moved).toEqual(['release: reserved 21 -> free 21 30000000'])
    expect(d.view.position(1)).toMatchObject({ state: PositionState.open, holder: 10 })
    expect(d.view.rfq(2)).toMatchObject({ state: RfqState.filled })
    expect(d.cashout(10, 1).code).toBe('ok')
  })

  it('OM-059 has no valid_before: put off for as long as the chain is stalled, it is done in the end', () => {
    const d = selling()
    d.fault('chainStalled', 1)
    d.pulse(sec(2_000))
    d.fault('chainStalled', 0)
    expect(d.pulse(sec(2_002)).map((row) => row.event)).toEqual(['operationUpdated', 'positionTransferred'])
  })
})

describe('order and memory', () => {
  it('OM-059 steps of one instant go by number, before quotes, confirmations and windows of that instant', () => {
    const d = table({ entryOpenMs: 2_000, confirmMs: 1_999 })
    for (let rfq = 1; rfq <= 5; rfq++) d.create(10)
    d.quote(20, 1, usd(100))
    d.quote(20, 2, usd(100))
    d.quote(21, 3, usd(100), { expiryS: unix(2) })
    d.quote(22, 4, usd(100), { expiryS: unix(4) })
    d.accept(10, 2)
    d.confirm(20, 2)
    d.accept(10, 1)
    d.confirm(20, 1)
    d.quote(21, 5, usd(50))
    d.at(ms(1) - 1).accept(10, 5)
    expect(d.pulse(sec(2)).map((row) => [row.event, row['operation'] ?? row['quote'] ?? row['rfq']])).toEqual([
      ['operationUpdated', 1], ['positionOpened', 2], ['operationUpdated', 2], ['positionOpened', 1],
      ['bestQuoteChanged', 4], ['quoteExpired', 3], ['quoteFailed', 5], ['rfqClosed', 5], ['reply', 5], ['rfqClosed', 3], ['rfqClosed', 4],
    ])
  })

  it('OM-059 an operator\'s command of that instant comes before the step, a participant\'s after it', () => {
    const d = filling()
    d.at(sec(2)).fault('chainDropped', 1)
    d.pulse(sec(2))
    expect(d.view.operation(1)!.status).toBe(OperationStatus.failed)
    const other = filling()
    other.at(sec(2)).withdraw(10, usd(1))
    expect(other.names()).toEqual(['operationUpdated', 'positionOpened', 'operationStarted', 'reply ok'])
  })

  it.each([['done', 0], ['failed', 1]] as const)('OM-059 an operation that is %s is known for the retention', (_, dropped) => {
    const d = filling()
    d.fault('chainDropped', dropped)
    d.pulse(sec(62) - 1)
    expect(d.view.operation(1)).not.toBeNull()
    expect(d.pulse(sec(62))).toEqual([])
    expect(d.view.operation(1)).toBeNull()
  })

  it('OM-059 one that is put off is not forgotten', () => {
    const d = filling({ validBeforeS: unix(800) })
    d.fault('chainStalled', 1)
    d.pulse(sec(700))
    expect(d.view.operation(1)).toMatchObject({ status: OperationStatus.pending })
    d.fault('chainStalled', 0)
    d.pulse(sec(702))
    expect(d.view.position(1)).not.toBeNull()
  })
})
