import { describe, expect, it } from 'vitest'
import { FIRST_PARTICIPANT_OP, SetFault } from '../../../src/venue/contract.ts'
import { InvalidField } from '../../../src/venue/outcome/protocol/codes.ts'
import { BindAccount, OutcomeCommand, OutcomeOp } from '../../../src/venue/outcome/protocol/commands.ts'
import { Driver, type Row, sec, T0, table, usd } from './driver.ts'

const list = (d: Driver, outcome: number, limbs: readonly number[], closeUs = T0 + sec(100)): Row =>
  d.send('listOutcome', -1, { outcome, closeUs }, [], limbs)!
const change = (d: Driver, op: 'haltOutcome' | 'resumeOutcome' | 'delistOutcome', outcome: number): Row => d.send(op, -1, { outcome })!
const resolve = (d: Driver, outcome: number, value: number): Row => d.send('resolveOutcome', -1, { outcome, value })!

describe('listing', () => {
  it('OM-023 tells the outcome, its close and its outcome_id in limbs', () => {
    const d = new Driver()
    expect(list(d, 7, [1, 0, 999_999_999])).toEqual({ event: 'reply', at: 0, cause: 1, op: 'listOutcome', code: 'ok' })
    expect(d.rows[0]).toEqual({ event: 'outcomeListed', at: 0, cause: 1, outcome: 7, closeUs: sec(100), list: [1, 0, 999_999_999] })
    expect(d.view.isListed(7)).toBe(true)
    expect([6, 8, -1, 0.5, NaN].map((outcome) => d.view.isListed(outcome))).toEqual([false, false, false, false, false])
  })

  it.each([
    [-1, 'invalidRequest'], [0, 'ok'], [1_048_575, 'ok'], [1_048_576, 'invalidRequest'], [1.5, 'invalidRequest'],
    [NaN, 'invalidRequest'],
  ])(
    'outcome %d: %s', (outcome, code) => {
      const d = new Driver()
      expect(list(d, outcome, [5]).code).toBe(code)
      if (code !== 'ok') expect(d.rows).toMatchObject([{ invalidField: InvalidField.outcome }])
    },
  )

  it.each([
    [0, 'invalidRequest'], [1, 'ok'], [2 ** 53 - 1, 'ok'], [2 ** 53, 'invalidRequest'], [1.5, 'invalidRequest'],
    [NaN, 'invalidRequest'],
  ])(
    'a close of %d: %s', (closeUs, code) => {
      const d = new Driver()
      expect(list(d, 1, [5], closeUs).code).toBe(code)
      if (code !== 'ok') expect(d.rows).toMatchObject([{ invalidField: InvalidField.close }])
    },
  )

  it.each<[string, readonly number[], string]>([
    ['no limbs', [], 'invalidRequest'],
    ['0', [0], 'ok'],
    ['leading zeros', [0, 5], 'invalidRequest'],
    ['a limb of ten digits', [1_000_000_000], 'invalidRequest'],
    ['the largest limb', [999_999_999], 'ok'],
    ['a negative limb', [-1], 'invalidRequest'],
    ['sixteen limbs', Array.from({ length: 16 }, () => 1), 'ok'],
    ['seventeen limbs', Array.from({ length: 17 }, () => 1), 'invalidRequest'],
  ])('OM-023 an outcome_id of %s: %s', (_, limbs, code) => {
    const d = new Driver()
    expect(list(d, 1, limbs).code).toBe(code)
    if (code !== 'ok') expect(d.rows).toMatchObject([{ invalidField: InvalidField.outcomeId }])
  })

  it('OM-023 a list count that is none is no outcome_id', () => {
    const d = new Driver()
    for (const listCount of [NaN, -1, 0.5, 600]) {
      expect(d.send('listOutcome', -1, { outcome: 1, closeUs: T0, listCount })).toMatchObject({ invalidField: InvalidField.outcomeId })
    }
  })

  it('OM-195 an outcome has one outcome_id for good, and no other has it', () => {
    const d = new Driver()
    list(d, 1, [5])
    expect(list(d, 1, [6]).code).toBe('stateConflict')
    expect(list(d, 2, [5]).code).toBe('stateConflict')
    change(d, 'delistOutcome', 1)
    expect(list(d, 2, [5]).code).toBe('stateConflict')
    expect(list(d, 1, [6]).code).toBe('stateConflict')
    expect([list(d, 1, [5]).code, list(d, 2, [6]).code, list(d, 3, [5, 0]).code]).toEqual(['ok', 'ok', 'ok'])
  })

  it('replaces the close of a listed one, and lifts a halt', () => {
    const d = table()
    d.halt(1)
    d.list(1, 1_001, sec(5))
    d.create(10, [[1, 'yes']])
    d.quote(20, 1, usd(50))
    expect(d.at(sec(5) - 1).accept(10, 1)).toBeUndefined()
    expect(d.pulse(sec(5))).toEqual([])
    expect(d.view.isListed(1)).toBe(false)
  })

  it('keeps the positions on an outcome that is listed anew', () => {
    const d = table()
    const position = d.open(10, 20, usd(50))
    d.list(1)
    change(d, 'delistOutcome', 1)
    d.list(1)
    d.cashout(10, position)
    d.resolve(1, 'no')
    expect(d.names()).toEqual(['outcomeResolved', 'rfqCancelled', 'reply ok'])
  })

  it('OM-195 a resolved one is not listed again', () => {
    const d = table()
    d.resolve(1, 'yes')
    expect(d.list(1).code).toBe('stateConflict')
    expect(d.view.isListed(1)).toBe(false)
  })
})

describe('halting, resuming and delisting', () => {
  it.each([['haltOutcome', 'outcomeHalted'], ['resumeOutcome', 'outcomeResumed'], ['delistOutcome', 'outcomeDelisted']] as const)(
    '%s tells %s', (op, event) => {
      const d = table()
      expect(change(d, op, 1)).toEqual({ event: 'reply', at: 0, cause: d.seq, op, code: 'ok' })
      expect(d.rows[0]).toEqual({ event, at: 0, cause: d.seq, outcome: 1 })
    },
  )

  it('repeats the event of a halt, and not that of a delisting', () => {
    const d = table()
    d.halt(1)
    d.halt(1)
    expect(d.names()).toEqual(['outcomeHalted', 'reply ok'])
    change(d, 'delistOutcome', 1)
    expect(change(d, 'delistOutcome', 1).code).toBe('notFound')
  })

  it('OM-195 needs a listed outcome without a result', () => {
    for (const op of ['haltOutcome', 'resumeOutcome', 'delistOutcome'] as const) {
      const d = table()
      for (const outcome of [-1, 1_048_576, 0.5, NaN]) {
        expect(change(d, op, outcome)).toMatchObject({ code: 'invalidRequest', invalidField: InvalidField.outcome })
      }
      expect(change(d, op, 7).code).toBe('notFound')
      d.resolve(1, 'no')
      expect(change(d, op, 1).code).toBe('stateConflict')
      change(d, 'delistOutcome', 2)
      expect(change(d, op, 2).code).toBe('notFound')
      d.resolve(2, 'no')
      expect(change(d, op, 2).code).toBe('notFound')
    }
  })
})

describe('resolving', () => {
  it.each([
    [0, 'ok'], [1, 'ok'], [2, 'ok'], [3, 'invalidRequest'], [-1, 'invalidRequest'], [0.5, 'invalidRequest'],
    [NaN, 'invalidRequest'],
  ])(
    'a result of %d: %s', (value, code) => {
      const d = table()
      expect(resolve(d, 1, value).code).toBe(code)
      if (code === 'ok') expect(d.rows[0]).toEqual({ event: 'outcomeResolved', at: 0, cause: d.seq, outcome: 1, result: value })
      else expect(d.rows).toMatchObject([{ invalidField: InvalidField.value }])
    },
  )

  it('OM-195 gives each outcome one result, a delisted or closed one too', () => {
    const d = table()
    expect(resolve(d, 0.5, 9)).toMatchObject({ invalidField: InvalidField.outcome })
    expect(resolve(d, 7, 1).code).toBe('notFound')
    change(d, 'delistOutcome', 1)
    d.list(2, 1_002, 1)
    d.at(sec(1))
    expect([resolve(d, 1, 1).code, resolve(d, 1, 1).code, resolve(d, 2, 0).code]).toEqual(['ok', 'stateConflict', 'ok'])
  })

  it('tells the cash-outs that it ends after the result, by number of the position', () => {
    const d = table()
    const [first, second, third] = [d.open(10, 20, usd(50)), d.open(11, 20, usd(50), [[2, 'no']]), d.open(10, 21, usd(50))]
    d.cashout(10, third!)
    d.cashout(11, second!)
    d.cashout(10, first!)
    d.quote(22, 6, usd(20))
    d.resolve(1, 'no')
    expect(d.names()).toEqual(['outcomeResolved', 'quoteDead', 'bestQuoteChanged', 'rfqCancelled', 'rfqCancelled', 'reply ok'])
    expect(d.of('rfqCancelled')).toMatchObject([
      { owner: 10, reason: 'decided', rfq: 6, position: first }, { owner: 10, reason: 'decided', rfq: 4, position: third },
    ])
  })
})

describe('rates, faults and accounts', () => {
  it('OM-252 OM-253 the operator sets both rates', () => {
    const d = table()
    expect(d.setFees(0, 10_000)).toEqual({ event: 'reply', at: 0, cause: d.seq, op: 'setFees', code: 'ok' })
    expect(d.rows[0]).toEqual({ event: 'feesChanged', at: 0, cause: d.seq, takerFeeBps: 0, profitFeeBps: 10_000 })
    d.create(10)
    expect(d.rows[0]).toMatchObject({ betMicros: 25_000_000, netStakeMicros: 25_000_000, takerFeeBps: 0, profitFeeBps: 10_000 })
    for (const value of [-1, 10_001, 0.5, NaN]) {
      expect(d.setFees(value, 0)).toMatchObject({ code: 'invalidRequest', invalidField: InvalidField.value })
      expect(d.setFees(0, value)).toMatchObject({ code: 'invalidRequest', invalidField: InvalidField.value2 })
    }
  })

  it.each([[1_002_004, 2_004], [1_002_499, 2_004], [1_002_500, 2_005], [3_333_333, 6_666]])(
    'OM-252 OM-263 the entry fee on %d micros rounds down to %d (readings B01)', (stakeMicros, feeMicros) => {
      const d = table()
      d.create(10, [[1, 'yes']], stakeMicros)
      expect(d.rows[0]).toMatchObject({ betMicros: stakeMicros, netStakeMicros: stakeMicros - feeMicros })
      const position = d.open(10, 20, usd(10), [[1, 'yes']], stakeMicros)
      expect(d.view.position(position)).toMatchObject({ entryFeeMicros: feeMicros, netStakeMicros: stakeMicros - feeMicros })
      expect(d.view.totals().houseMicros).toBe(feeMicros)
    },
  )

  it('switches its faults', () => {
    const d = table()
    expect(d.fault('quoteExposureStale', 1)).toEqual({ event: 'reply', at: 0, cause: d.seq, op: 'setFault', code: 'ok' })
    expect(d.rows[0]).toEqual({ event: 'faultChanged', at: 0, cause: d.seq, fault: 3, isOn: 1 })
    for (const value of [0, 6, 1.5, NaN]) {
      expect(d.send('setFault', -1, { value, [SetFault.isOn]: 1 })).toMatchObject({ invalidField: InvalidField.value })
    }
    for (const value2 of [-1, 2, 0.5, NaN]) {
      expect(d.send('setFault', -1, { [SetFault.fault]: 1, value2 })).toMatchObject({ invalidField: InvalidField.value2 })
    }
  })

  it('OM-195 gives an account its identity and role once', () => {
    const d = new Driver()
    expect(d.bind(5, 'maker')).toEqual({ event: 'reply', at: 0, cause: d.seq, op: 'bindAccount', code: 'ok' })
    expect(d.rows[0]).toEqual({ event: 'accountBound', at: 0, cause: d.seq, account: 5, role: 'maker' })
    expect(d.view.balance(5)).toMatchObject({ role: 1, signer: 5, core: 'idle' })
    expect([d.bind(5, 'maker').code, d.bind(5, 'participant').code]).toEqual(['stateConflict', 'stateConflict'])
    expect(d.view.balance(4)).toMatchObject({ role: null, signer: -1 })
    expect(d.bind(0, 'participant').code).toBe('ok')
    for (const value of [-1, 16_777_216, 0.5, NaN]) {
      expect(d.send('bindAccount', -1, { value, [BindAccount.role]: 0 })).toMatchObject({ code: 'invalidRequest', invalidField: InvalidField.value })
    }
    for (const value2 of [-1, 2, 0.5, NaN]) {
      expect(d.send('bindAccount', -1, { [BindAccount.bound]: 6, value2 })).toMatchObject({ invalidField: InvalidField.value2 })
    }
  })

  it('OM-227 financial actions that are off stop what moves funds or binds to, and nothing else', () => {
    const d = table()
    d.create(10)
    d.quote(20, 1, usd(100))
    d.fault('financialActionsDisabled', 1)
    const off = [
      d.withdraw(10, usd(1)), d.reduce(20, usd(1)), d.create(10), d.cashout(10, 1), d.quote(20, 1, usd(90)), d.accept(10, 1),
      d.confirm(20, 1),
    ]
    expect(off.map((row) => row!.code)).toEqual(Array.from({ length: 7 }, () => 'financialActionsDisabled'))
    const on = [d.deposit(10, usd(1)), d.setSigner(20, 20), d.cancelQuote(20, 1), d.cancel(10, 1)]
    expect(on.map((row) => row.code)).toEqual(['ok', 'ok', 'ok', 'ok'])
  })
})

describe('numbers that are none', () => {
  it('numbers of −0 are 0', () => {
    const d = new Driver()
    list(d, -0, [0])
    expect(d.rows[0]!['outcome']).toBe(0)
    d.send('bindAccount', -0, { [BindAccount.bound]: -0, [BindAccount.role]: -0 })
    expect([d.rows[0]!['account'], d.rows[1]!['account']]).toEqual([0, 0])
    expect(d.rows[0]!['role']).toBe('participant')
    resolve(d, -0, -0)
    expect([d.rows[0]!['outcome'], d.rows[0]!['result']]).toEqual([0, 0])
    d.setFees(-0, -0)
    expect([d.rows[0]!['takerFeeBps'], d.rows[0]!['profitFeeBps']]).toEqual([0, 0])
    d.fault('chainStalled', 1)
    d.send('setFault', -1, { [SetFault.fault]: 5, [SetFault.isOn]: -0 })
    expect(d.rows[0]!['isOn']).toBe(0)
    d.deposit(-0, 5)
    expect([d.rows[0]!['account'], d.rows[1]!['account']]).toEqual([0, 0])
    expect(d.view.balance(0).freeMicros).toBe(5)
  })

  it('a known row of −0 is that of 0 in every field, so that the digest sees one zero', () => {
    const d = new Driver()
    list(d, -0, [0])
    expect(d.rows.flatMap((row) => Object.values(row)).filter((value) => Object.is(value, -0))).toEqual([])
  })

  it('no command with numbers that are none is taken, throws or stops the next', () => {
    const d = table()
    d.create(10)
    d.quote(20, 1, usd(100))
    const { termsTag, expiryS } = d.command
    const c = new OutcomeCommand()
    const fields = [
      'rfq', 'generation', 'quote', 'position', 'outcome', 'stakeMicros', 'payoutMicros', 'amountMicros', 'coreMicros', 'expiryS', 'exitUntilS',
      'validAfterS', 'validBeforeS', 'closeUs', 'signer', 'termsTag', 'key', 'value', 'value2', 'legCount', 'listCount',
    ] as const
    for (const op of Object.values(OutcomeOp)) {
      for (const account of op < FIRST_PARTICIPANT_OP ? [-1] : [10, 20]) {
        for (const value of [NaN, Infinity, -Infinity, 0.5, -7, 2 ** 60, 1e300]) {
          c.reset(op, account)
          for (const field of fields) c[field] = value
          const reply = d.apply(c)
          expect(reply).toBeDefined()
          expect(reply!.code).not.toBe('ok')
        }
      }
    }
    expect(d.view.quote(1)).not.toBeNull()
    expect(d.quote(20, 1, usd(100), { termsTag, expiryS }).code).toBe('ok')
  })
})
