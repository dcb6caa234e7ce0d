import { describe, expect, it } from 'vitest'
import { InvalidField } from '../../../src/venue/outcome/protocol/codes.ts'
import { OutcomeEvent, RfqState, STREAM_EVENT_NAMES } from '../../../src/venue/outcome/protocol/events.ts'
import { Driver, type Leg, sec, table, TWO_LEGS, unix, usd } from './driver.ts'

/** A bench with outcomes 1…60 and a participant 10. */
function wide(): Driver {
  const d = new Driver().listOutcomes(60)
  d.bind(10, 'participant')
  return d
}

const legs = (count: number): Leg[] => Array.from({ length: count }, (_, i) => [i + 1, 'yes'] as const)

describe('creating an RFQ', () => {
  it('OM-045 OM-070 OM-151 tells makers of stake, net stake, rates, window and legs', () => {
    const d = table()
    expect(d.create(10)).toEqual({
      event: 'reply', at: 0, cause: d.seq, account: 10, op: 'createRfq', code: 'ok', rfq: 1, generation: 1, openUntilUs: sec(20),
    })
    expect(d.names()).toEqual(['rfqCreated', 'reply ok'])
    expect(d.rows[0]).toEqual({
      event: 'rfqCreated', at: 0, cause: d.seq, owner: 10, rfq: 1, generation: 1, betMicros: 25_000_000, netStakeMicros: 24_950_000,
      takerFeeBps: 20,
      profitFeeBps: 100, openUntilUs: sec(20), list: [1, 1, 2, 0],
    })
    expect(STREAM_EVENT_NAMES[OutcomeEvent.rfqCreated]).toBe('RFQ_CREATED')
    expect(d.view.rfq(1)).toEqual({
      number: 1, owner: 10, state: RfqState.open, generation: 1, position: -1, stakeMicros: 25_000_000, netStakeMicros: 24_950_000,
      openUntilUs: unix(20) * 1e6, legs: [{ outcome: 1, side: 1 }, { outcome: 2, side: 0 }], acceptedQuote: -1, bestQuote: -1,
    })
  })

  it.each([[0, 'invalidRequest'], [1, 'ok'], [50, 'ok'], [51, 'invalidRequest']])('OM-248 %d legs: %s', (count, code) => {
    const d = wide()
    expect(d.create(10, legs(count)).code).toBe(code)
    if (code !== 'ok') expect(d.rows).toMatchObject([{ op: 'createRfq', account: 10, invalidField: InvalidField.legs }])
  })

  it('OM-248 a number of legs that is none is refused', () => {
    const d = wide()
    for (const legCount of [NaN, 1.5, -1, Infinity]) {
      expect(d.send('createRfq', 10, { stakeMicros: usd(25), legCount }, legs(2))).toMatchObject({
        code: 'invalidRequest', invalidField: InvalidField.legs,
      })
    }
  })

  it.each<[string, number, number, string]>([
    ['equal to its neighbour', 1, 1, 'invalidRequest'],
    ['below its neighbour', 2, 1, 'invalidRequest'],
    ['above its neighbour', 1, 2, 'ok'],
  ])('OM-249 an outcome_id %s', (_, first, second, code) => {
    const d = table()
    expect(d.create(10, [[first, 'yes'], [second, 'no']]).code).toBe(code)
    if (code !== 'ok') expect(d.rows).toMatchObject([{ invalidField: InvalidField.legOutcome, legIndex: 1 }])
  })

  it('OM-249 INV-18 compares outcome_ids as integers of any size, and not numbers of outcomes (readings B13)', () => {
    const d = table()
    const listAs = (outcome: number, ...limbs: number[]): void => {
      expect(d.send('listOutcome', -1, { outcome, closeUs: 2e15 }, [], limbs)!.code).toBe('ok')
    }
    listAs(25, 2, 0, 0)
    listAs(29, 10)
    listAs(27, 1, 0, 0)
    listAs(28, 1, 0)
    listAs(24, 1, 1, 0)
    listAs(30, 9)
    listAs(26, 1, 0, 1)
    const ascending = [30, 29, 28, 27, 26, 24, 25]
    expect(d.create(10, ascending.map((outcome) => [outcome, 'yes'] as const)).code).toBe('ok')
    for (let i = 1; i < ascending.length; i++) {
      expect(d.create(10, [[ascending[i]!, 'yes'], [ascending[i - 1]!, 'yes']])).toMatchObject({
        invalidField: InvalidField.legOutcome, legIndex: 1,
      })
    }
  })

  it.each([
    [1_002_003, 'invalidRequest'], [1_002_004, 'ok'], [0, 'invalidRequest'], [1e15, 'ok'], [1e15 + 1, 'invalidRequest'],
    [1_002_004.5, 'invalidRequest'], [NaN, 'invalidRequest'],
  ])(
    'OM-250 OM-269 a stake of %d micros is %s', (stakeMicros, code) => {
      const d = table()
      expect(d.create(10, TWO_LEGS, stakeMicros).code).toBe(code)
      if (code === 'ok') return
      expect(d.rows).toEqual([
        { event: 'reply', at: 0, cause: d.seq, account: 10, op: 'createRfq', code: 'invalidRequest', invalidField: InvalidField.stake },
      ])
    },
  )

  it('OM-250 measures the stake at the entry fee in force', () => {
    const d = table()
    d.setFees(0, 100)
    expect([d.create(10, TWO_LEGS, 999_999).code, d.create(10, TWO_LEGS, 1_000_000).code]).toEqual(['invalidRequest', 'ok'])
    d.setFees(10_000, 100)
    expect(d.create(10, TWO_LEGS, usd(1000)).code).toBe('invalidRequest')
  })

  it.each<[string, (d: Driver) => void, string]>([
    ['never listed', () => {}, 'invalidRequest'],
    ['listed', (d) => d.list(9), 'ok'],
    ['delisted', (d) => (d.list(9), d.send('delistOutcome', -1, { outcome: 9 })), 'invalidRequest'],
    ['relisted', (d) => (d.list(9), d.send('delistOutcome', -1, { outcome: 9 }), d.list(9)), 'ok'],
    ['resolved', (d) => (d.list(9), d.resolve(9, 'yes')), 'invalidRequest'],
    ['halted', (d) => (d.list(9), d.halt(9)), 'ok'],
  ])('OM-269 a leg on an outcome that is %s', (_, prepare, code) => {
    const d = table()
    prepare(d)
    expect(d.create(10, [[1, 'yes'], [9, 'no']]).code).toBe(code)
    if (code !== 'ok') expect(d.rows).toMatchObject([{ invalidField: InvalidField.legOutcome, legIndex: 1 }])
  })

  it('takes a leg up to the last microsecond before its outcome closes', () => {
    const d = table()
    d.list(9, 1_009, sec(5))
    expect(d.at(sec(5) - 1).create(10, [[9, 'yes']]).code).toBe('ok')
    expect(d.at(sec(5)).create(10, [[9, 'yes']])).toMatchObject({
      code: 'invalidRequest', invalidField: InvalidField.legOutcome, legIndex: 0,
    })
  })

  it('refuses a side that is none, after the outcome of its leg and before the order', () => {
    const d = table()
    const create = (outcomes: number[], sides: number[]) => {
      const c = d.command.reset(30, 10)
      c.stakeMicros = usd(25)
      outcomes.forEach((outcome, i) => c.leg(outcome, sides[i]!))
      return d.apply()
    }
    expect(create([1, 2], [1, 2])).toMatchObject({ invalidField: InvalidField.legSide, legIndex: 1 })
    expect(create([2, 1], [1, 2])).toMatchObject({ invalidField: InvalidField.legSide, legIndex: 1 })
    expect(create([1, 99], [2, 2])).toMatchObject({ invalidField: InvalidField.legSide, legIndex: 0 })
    expect(create([1, 99], [1, 2])).toMatchObject({ invalidField: InvalidField.legOutcome, legIndex: 1 })
  })

  it('OM-218 OM-219 an account has at most 20 RFQs that are open or in flight', () => {
    const d = table()
    for (let i = 0; i < 20; i++) expect(d.create(10).code).toBe('ok')
    expect(d.create(10)).toEqual({ event: 'reply', at: 0, cause: d.seq, account: 10, op: 'createRfq', code: 'rfqIntentLimit' })
    expect(d.create(11).code).toBe('ok')
    d.cancel(10, 1)
    expect([d.create(10).code, d.create(10).code]).toEqual(['ok', 'rfqIntentLimit'])
    d.quote(20, 2, usd(100))
    d.accept(10, 1)
    expect(d.create(10).code).toBe('rfqIntentLimit')
    d.confirm(20, 1)
    expect([d.create(10).code, d.create(10).code]).toEqual(['ok', 'rfqIntentLimit'])
    d.at(sec(20))
    expect(d.create(10).code).toBe('ok')
  })

  it('OM-219 a closed RFQ counts again while its acceptance is pending, and a cash-out counts too', () => {
    const d = table({ rfqIntentLimit: 1 })
    const position = d.open(10, 20, usd(100))
    d.create(10)
    d.quote(20, 2, usd(50), { expiryS: unix(30) })
    expect(d.at(sec(22)).view.openRfqsOf(10)).toEqual([2])
    d.pulse()
    expect(d.view.openRfqsOf(10)).toEqual([])
    expect(d.accept(10, 2)).toBeUndefined()
    expect([d.create(10).code, d.cashout(10, position).code]).toEqual(['rfqIntentLimit', 'rfqIntentLimit'])
    d.decline(20, 2)
    expect(d.cashout(10, position).code).toBe('ok')
    expect(d.create(10).code).toBe('rfqIntentLimit')
    expect(d.view.openRfqsOf(10)).toEqual([3])
  })

  it('OM-219 a closed cash-out that the next one supersedes was not counted any more', () => {
    const d = table({ rfqIntentLimit: 1 })
    const position = d.open(10, 20, usd(100))
    d.cashout(10, position)
    d.at(sec(32)).cashout(10, position)
    expect(d.names()).toEqual(['rfqClosed', 'rfqCancelled', 'rfqCreated', 'reply ok'])
    expect(d.create(10).code).toBe('rfqIntentLimit')
    d.cancel(10, 3)
    expect([d.create(10).code, d.create(10).code]).toEqual(['ok', 'rfqIntentLimit'])
  })

  it('OM-227 is refused while financial actions are off, after its fields and before its limit', () => {
    const d = table({ rfqIntentLimit: 1 })
    d.create(10)
    d.fault('financialActionsDisabled', 1)
    expect(d.create(10, [])).toMatchObject({ code: 'invalidRequest' })
    expect(d.create(10)).toEqual({
      event: 'reply', at: 0, cause: d.seq, account: 10, op: 'createRfq', code: 'financialActionsDisabled',
    })
    d.fault('financialActionsDisabled', 0)
    expect(d.create(10).code).toBe('rfqIntentLimit')
  })

  it('checks stake, then legs, then each leg', () => {
    const d = table()
    expect(d.create(10, [], 0)).toMatchObject({ invalidField: InvalidField.stake })
    expect(d.create(10, [])).toMatchObject({ invalidField: InvalidField.legs })
    expect(d.create(10, [[99, 'yes'], [1, 'yes']])).toMatchObject({ invalidField: InvalidField.legOutcome, legIndex: 0 })
  })
})

describe('who may send what', () => {
  it('an account without an identity is told so, one of the other role that it may not', () => {
    const d = table()
    expect(d.create(12)).toEqual({ event: 'reply', at: 0, cause: d.seq, account: 12, op: 'createRfq', code: 'identityNotFound' })
    expect(d.create(20)).toEqual({ event: 'reply', at: 0, cause: d.seq, account: 20, op: 'createRfq', code: 'forbidden' })
    d.create(10)
    expect(d.quote(10, 1, usd(100)).code).toBe('forbidden')
    for (const op of ['withdraw'] as const) expect(d.send(op, 20)!.code).toBe('forbidden')
    for (const op of ['reduceCollateral', 'setSigner', 'submitQuote', 'cancelQuote', 'confirmQuote', 'declineQuote'] as const) {
      expect(d.send(op, 10)!.code).toBe('forbidden')
    }
    for (const op of ['deposit', 'cancelRfq', 'openCashout', 'acceptQuote'] as const) {
      for (const account of [10, 20]) expect(d.send(op, account)!.code).not.toBe('forbidden')
    }
  })

  it.each([[-1], [16_777_216], [0.5], [NaN], [Infinity]])('account %d is no account of a participant', (account) => {
    const d = table()
    const shown = Number.isNaN(account) || account === -1 ? {} : { account }
    expect(d.send('createRfq', account)).toEqual({
      event: 'reply', at: 0, cause: d.seq, ...shown, op: 'createRfq', code: 'invalidRequest', invalidField: InvalidField.account,
    })
    expect(d.send('createRfq', 16_777_215)!.code).toBe('identityNotFound')
  })

  it('an unknown opcode, also one of the gate, is refused after the account', () => {
    const d = table()
    const send = (op: number, account: number) => {
      d.command.reset(op, account)
      return d.apply()
    }
    for (const op of [9, 10, 15, -3, 21.5, 50, 60, 69, 1000]) {
      expect(send(op, 10)).toMatchObject({ code: 'invalidRequest', invalidField: InvalidField.op })
    }
    expect(send(15, -1)).toMatchObject({ invalidField: InvalidField.op })
    expect(send(50, -1)).toMatchObject({ invalidField: InvalidField.account })
    expect(send(15, -2)).toMatchObject({ invalidField: InvalidField.account })
  })
})

describe('the window', () => {
  it('OM-254 an entry RFQ takes quotes up to the last microsecond of its 20 s', () => {
    const d = table()
    d.create(10)
    expect(d.at(sec(20) - 1).quote(20, 1, usd(100)).code).toBe('ok')
    expect(d.pulse(sec(20))).toEqual([{ event: 'rfqClosed', at: sec(20), cause: -1, owner: 10, rfq: 1, generation: 1 }])
    expect(d.quote(21, 1, usd(100))).toEqual({
      event: 'reply', at: sec(20), cause: d.seq, account: 21, op: 'submitQuote', code: 'rfqNotOpen', rfq: 1, generation: 1,
    })
    expect(d.view.rfq(1)).toMatchObject({ state: RfqState.closed })
  })

  it('OM-255 a cash-out RFQ takes quotes up to the last microsecond of its 30 s', () => {
    const d = table()
    const position = d.open(10, 20, usd(100))
    const opened = d.now
    expect(d.cashout(10, position)).toMatchObject({ code: 'ok', openUntilUs: opened + sec(30) })
    expect(d.at(opened + sec(30) - 1).quote(21, 2, usd(50)).code).toBe('ok')
    expect(d.at(opened + sec(30)).quote(22, 2, usd(50)).code).toBe('rfqNotOpen')
  })

  it('OM-057 is open, closed, in flight, filled or cancelled', () => {
    const d = table()
    const state = (rfq: number): number => d.view.rfq(rfq)!.state
    for (let rfq = 1; rfq <= 3; rfq++) d.create(10)
    expect(state(1)).toBe(RfqState.open)
    d.quote(20, 1, usd(100))
    d.accept(10, 1)
    expect(state(1)).toBe(RfqState.inFlight)
    d.confirm(20, 1)
    expect(state(1)).toBe(RfqState.filled)
    d.cancel(10, 2)
    expect(state(2)).toBe(RfqState.cancelled)
    d.pulse(sec(20))
    expect([1, 2, 3].map(state)).toEqual([RfqState.filled, RfqState.cancelled, RfqState.closed])
  })

  it.each<[string, number, boolean, number]>([
    ['a microsecond before its end', sec(20) - 1, false, RfqState.open],
    ['at its end', sec(20), true, RfqState.closed],
  ])('OM-267 an acceptance that fails %s of the window', (_, at, closes, state) => {
    const d = table()
    d.create(10)
    d.quote(20, 1, usd(100), { expiryS: unix(25) })
    d.at(sec(19)).accept(10, 1)
    d.at(at).decline(20, 1)
    expect(d.of('rfqClosed')).toHaveLength(closes ? 1 : 0)
    expect(d.view.rfq(1)).toMatchObject({ state, generation: 2 })
    d.pulse(sec(21))
    expect(d.view.rfq(1)).toMatchObject({ state: RfqState.closed })
  })

  it('OM-059 the end of the window says nothing of an RFQ in flight, which closes when it comes back', () => {
    const d = table()
    d.create(10)
    d.quote(20, 1, usd(100), { expiryS: unix(25) })
    d.at(sec(19)).accept(10, 1)
    expect(d.pulse(sec(21))).toEqual([])
    expect(d.pulse(sec(21) + 1).map((row) => row.event)).toEqual(['quoteFailed', 'rfqClosed', 'reply'])
    expect(d.rows[1]).toMatchObject({ generation: 2, owner: 10 })
  })

  it('OM-059 an acceptance that began after the window closes its RFQ again without telling', () => {
    const d = table()
    d.create(10)
    d.quote(20, 1, usd(100), { expiryS: unix(25) })
    d.at(sec(20)).accept(10, 1)
    d.decline(20, 1)
    expect(d.names()).toEqual(['quoteFailed', 'reply declined', 'reply ok'])
    expect(d.view.rfq(1)).toMatchObject({ state: RfqState.closed, generation: 2 })
  })

  it('OM-059 the confirm deadline that falls on the end of the window comes first', () => {
    const d = table()
    d.create(10)
    d.quote(20, 1, usd(100), { expiryS: unix(25) })
    d.at(sec(18) - 1).accept(10, 1)
    expect(d.pulse(sec(20)).map((row) => row.event)).toEqual(['quoteFailed', 'rfqClosed', 'reply'])
  })
})

describe('cancelling', () => {
  it('OM-072 a cancelled RFQ is open to no quote any more, and its live ones are dead, by number', () => {
    const d = table()
    d.create(10)
    d.quote(20, 1, usd(90))
    d.quote(21, 1, usd(100))
    d.quote(22, 1, usd(80))
    d.cancelQuote(20, 1)
    expect(d.cancel(10, 1)).toEqual({
      event: 'reply', at: 0, cause: d.seq, account: 10, op: 'cancelRfq', code: 'ok', rfq: 1, generation: 1,
    })
    expect(d.names()).toEqual(['quoteDead', 'quoteDead', 'bestQuoteChanged', 'rfqCancelled', 'reply ok'])
    expect(d.rows.slice(0, 4)).toEqual([
      { event: 'quoteDead', at: 0, cause: d.seq, maker: 21, owner: 10, quote: 2, rfq: 1, generation: 1 },
      { event: 'quoteDead', at: 0, cause: d.seq, maker: 22, owner: 10, quote: 3, rfq: 1, generation: 1 },
      { event: 'bestQuoteChanged', at: 0, cause: d.seq, owner: 10, rfq: 1, generation: 1 },
      { event: 'rfqCancelled', at: 0, cause: d.seq, owner: 10, reason: 'byOwner', rfq: 1, generation: 1 },
    ])
    expect(d.quote(20, 1, usd(90)).code).toBe('rfqNotOpen')
    expect(d.pulse(sec(19))).toEqual([])
  })

  it('OM-199 OM-063 is refused once the RFQ is past cancellation', () => {
    const d = table()
    for (let rfq = 1; rfq <= 3; rfq++) d.create(10)
    const codes = (): (string | undefined)[] => [1, 2, 3].map((rfq) => d.cancel(10, rfq).code)
    d.quote(20, 1, usd(100))
    d.accept(10, 1)
    expect(d.cancel(10, 1)).toEqual({
      event: 'reply', at: 0, cause: d.seq, account: 10, op: 'cancelRfq', code: 'rfqNotCancellable', rfq: 1, generation: 1,
    })
    d.confirm(20, 1)
    d.cancel(10, 2)
    d.at(sec(20) - 1)
    expect(codes()).toEqual(['rfqNotCancellable', 'rfqNotCancellable', 'ok'])
    d.create(10)
    d.at(sec(40))
    expect(d.cancel(10, 4).code).toBe('rfqNotCancellable')
  })

  it('OM-193 answers an unknown RFQ and another\'s alike', () => {
    const d = table()
    d.create(10)
    const refused = { event: 'reply', at: 0, account: 11, op: 'cancelRfq', code: 'notFound' }
    expect(d.cancel(11, 1)).toEqual({ ...refused, cause: d.seq })
    expect(d.cancel(11, 2)).toEqual({ ...refused, cause: d.seq })
    expect(d.cancel(11, 0)).toEqual({ ...refused, cause: d.seq })
    for (const rfq of [NaN, 0.5, 2 ** 53]) {
      expect(d.cancel(10, rfq)).toMatchObject({ code: 'invalidRequest', invalidField: InvalidField.rfq })
    }
  })

  it('goes on while financial actions are off', () => {
    const d = table()
    d.create(10)
    d.fault('financialActionsDisabled', 1)
    expect(d.cancel(10, 1).code).toBe('ok')
  })

  it('INV-17 a filled, cancelled or closed RFQ takes no quote', () => {
    const d = table()
    for (let rfq = 1; rfq <= 3; rfq++) d.create(10)
    d.quote(20, 1, usd(100))
    d.accept(10, 1)
    d.confirm(20, 1)
    d.cancel(10, 2)
    d.pulse(sec(20))
    expect([1, 2, 3].map((rfq) => d.quote(21, rfq, usd(100)).code)).toEqual(['rfqNotOpen', 'rfqNotOpen', 'rfqNotOpen'])
  })
})
