import { describe, expect, it } from 'vitest'
import { InvalidField } from '../../../src/venue/outcome/protocol/codes.ts'
import { sec, unix, usd } from './driver.ts'
import { offered, quoted } from './scenes.ts'

describe('money of an accept', () => {
  it.each([-1, 0])('OM-195 the taker needs the stake free, to the micro-unit, with a core part of %d', (coreMicros) => {
    const d = quoted()
    d.withdraw(10, usd(975) + 1)
    expect(d.accept(10, 1, { coreMicros })).toEqual({
      event: 'reply', at: 0, cause: d.seq, account: 10, op: 'acceptQuote', code: 'stateConflict', rfq: 1, generation: 1, quote: 1,
    })
    d.deposit(10, 1)
    expect(d.accept(10, 1, { coreMicros })).toBeUndefined()
  })

  it('OM-208 the maker needs the risk free, to the micro-unit, and the reply says how much', () => {
    const d = quoted()
    d.reduce(20, usd(1000) - 75_049_999)
    expect(d.accept(10, 1)).toEqual({
      event: 'reply', at: 0, cause: d.seq, account: 10, op: 'acceptQuote', code: 'quoteCapacityExceeded', rfq: 1, generation: 1,
      quote: 1,
      requiredMicros: 75_050_000, availableMicros: 75_049_999,
    })
    d.deposit(20, 1)
    expect(d.accept(10, 1)).toBeUndefined()
  })

  it('OM-208 the same money cannot back two fills', () => {
    const d = quoted()
    d.reduce(20, usd(1000) - 75_050_000)
    d.create(11)
    d.quote(20, 2, usd(100), { expiryS: unix(30) })
    d.accept(10, 1)
    expect(d.accept(11, 2)).toMatchObject({ code: 'quoteCapacityExceeded', requiredMicros: 75_050_000 })
    d.decline(20, 1)
    expect(d.accept(11, 2)).toBeUndefined()
  })

  it.each([[-1, undefined], [0, undefined], [usd(25), undefined], [usd(25) + 1, 'invalidRequest'], [-2, 'invalidRequest'], [0.5, 'invalidRequest'],
    [NaN, 'invalidRequest']])('OM-228 a core part of %d micros of 25 USDC: %s', (coreMicros, code) => {
    const d = quoted()
    const reply = d.accept(10, 1, { coreMicros })
    expect(reply?.code).toBe(code)
    if (code !== undefined) expect(reply).toEqual({
      event: 'reply', at: 0, cause: d.seq, account: 10, op: 'acceptQuote', code, invalidField: InvalidField.core,
    })
  })

  it('OM-210 with a core part only the rest must be free in the vault', () => {
    const d = quoted()
    d.withdraw(10, usd(985) + 1)
    d.pulse(sec(2))
    expect(d.accept(10, 1, { coreMicros: usd(10) })).toMatchObject({ code: 'coreVaultReservation', quote: 1 })
    d.deposit(10, 1)
    expect(d.accept(10, 1, { coreMicros: usd(10) })).toBeUndefined()
    expect(d.moved).toEqual(['hold: free 10 -> reserved 10 15000000', 'hold: free 20 -> reserved 20 75050000'])
    expect(d.view.balance(10)).toMatchObject({ freeMicros: 0, reservedMicros: usd(15), core: 'funding' })
    expect(d.view.acceptance(1)).toMatchObject({ coreMicros: usd(10), stakeMicros: usd(25) })
  })

  it('OM-209 OM-211 one core funding at a time: while it is pending, then while its fill is', () => {
    const d = quoted()
    d.create(10)
    d.quote(21, 2, usd(100), { expiryS: unix(30) })
    d.accept(10, 1, { coreMicros: usd(10) })
    expect(d.accept(10, 2, { coreMicros: 1 })).toMatchObject({ code: 'coreFundingConflict', quote: 2 })
    d.confirm(20, 1)
    expect(d.view.balance(10).core).toBe('moving')
    expect(d.accept(10, 2, { coreMicros: 1 })).toMatchObject({ code: 'coreMoveInFlight', quote: 2 })
    d.pulse(sec(2) - 1)
    expect(d.accept(10, 2, { coreMicros: 1 })!.code).toBe('coreMoveInFlight')
    d.pulse(sec(2))
    expect(d.view.balance(10).core).toBe('idle')
    expect(d.accept(10, 2, { coreMicros: 1 })).toBeUndefined()
  })

  it('OM-209 an accept without a core part does not wait for the core, and a failed one leaves it idle', () => {
    const d = quoted()
    d.create(10)
    d.quote(21, 2, usd(100), { expiryS: unix(30) })
    d.accept(10, 1, { coreMicros: usd(25) })
    expect(d.moved).toEqual(['hold: free 20 -> reserved 20 75050000'])
    expect(d.accept(10, 2)).toBeUndefined()
    d.decline(20, 1)
    expect(d.moved).toEqual(['release: reserved 20 -> free 20 75050000'])
    expect(d.view.balance(10).core).toBe('idle')
  })

  it('OM-211 a withdrawal moves the core as well', () => {
    const d = quoted()
    d.withdraw(10, usd(1))
    expect(d.accept(10, 1, { coreMicros: 1 })!.code).toBe('coreMoveInFlight')
    expect(d.accept(10, 1)).toBeUndefined()
  })

  it('OM-228 core funding is refused while it is unavailable; one without a core part is not', () => {
    const d = quoted()
    d.fault('coreFundingUnavailable', 1)
    expect(d.accept(10, 1, { coreMicros: 1 })).toMatchObject({ code: 'coreFundingUnavailable', quote: 1 })
    expect(d.accept(10, 1, { coreMicros: 0 })).toBeUndefined()
  })

  it('OM-228 core parts count towards what the vault can hold, while they are pending and after', () => {
    const d = quoted()
    for (let i = 0; i < 3; i++) d.deposit(11, 1e15)
    d.deposit(11, 1e15 - usd(5000) - usd(10))
    expect(d.accept(10, 1, { coreMicros: usd(10) + 1 })!.code).toBe('coreFundingUnavailable')
    expect(d.accept(10, 1, { coreMicros: usd(10) })).toBeUndefined()
    expect(d.deposit(11, 1)).toMatchObject({ code: 'invalidRequest', invalidField: InvalidField.amount })
    d.confirm(20, 1)
    expect(d.deposit(11, 1).code).toBe('invalidRequest')
    d.pulse(sec(2))
    expect(d.view.totals().netDepositsMicros).toBe(4e15)
    expect(d.deposit(11, 1).code).toBe('invalidRequest')
  })

  it.each([[0, usd(5)], [1, usd(10)]] as const)('OM-228 once its fill has ended (dropped %d) there is room for %d micros', (dropped, room) => {
    const d = quoted()
    for (let i = 0; i < 3; i++) d.deposit(11, 1e15)
    d.deposit(11, 1e15 - usd(5000) - usd(10))
    d.accept(10, 1, { coreMicros: usd(5) })
    d.confirm(20, 1)
    expect(d.deposit(11, usd(5) + 1).code).toBe('invalidRequest')
    d.fault('chainDropped', dropped)
    d.pulse(sec(2))
    expect([d.deposit(11, room + 1).code, d.deposit(11, room).code]).toEqual(['invalidRequest', 'ok'])
  })

  it('OM-228 a core part that was declined makes room again', () => {
    const d = quoted()
    for (let i = 0; i < 3; i++) d.deposit(11, 1e15)
    d.deposit(11, 1e15 - usd(5000) - usd(10))
    d.accept(10, 1, { coreMicros: usd(10) })
    d.decline(20, 1)
    expect([d.deposit(11, usd(10)).code, d.deposit(11, 1).code]).toEqual(['ok', 'invalidRequest'])
  })

  it.each([[4, 'invalidRequest'], [5, undefined], [900, undefined], [901, 'invalidRequest']])(
    'OM-270 OM-271 valid_before %d s ahead, and as long after valid_after: %s', (ahead, code) => {
      const d = quoted()
      const reply = d.accept(10, 1, { validBeforeS: unix(ahead) })
      expect(reply?.code).toBe(code)
      if (code !== undefined) expect(reply).toMatchObject({ invalidField: InvalidField.validBefore })
    },
  )

  it('OM-270 OM-271 valid_before is measured from now and from valid_after, to the microsecond', () => {
    const fields = (after: number, before: number) => ({ validAfterS: unix(after), validBeforeS: unix(before) })
    expect(quoted().at(1).accept(10, 1, fields(0, 5))!.code).toBe('invalidRequest')
    expect(quoted().at(1).accept(10, 1, fields(0, 6))).toBeUndefined()
    expect(quoted().accept(10, 1, fields(-896, 5))!.code).toBe('invalidRequest')
    expect(quoted().accept(10, 1, fields(-895, 5))).toBeUndefined()
  })

  it.each([
    [unix(0), undefined], [unix(1), 'invalidRequest'], [-1, 'invalidRequest'], [unix(0) - 0.5, 'invalidRequest'],
    [NaN, 'invalidRequest'],
  ])(
    'a valid_after of %d: %s', (validAfterS, code) => {
      const reply = quoted().accept(10, 1, { validAfterS })
      expect(reply?.code).toBe(code)
      if (code !== undefined) expect(reply).toMatchObject({ invalidField: InvalidField.validAfter })
    },
  )

  it('OM-271 a valid_after of 0 is a time, though the span from it to valid_before is too long', () => {
    expect(quoted().accept(10, 1, { validAfterS: 0 })).toMatchObject({ code: 'invalidRequest', invalidField: InvalidField.validBefore })
  })

  it('a valid_after is not ahead, to the microsecond', () => {
    const at = (offsetUs: number) => quoted().at(offsetUs).accept(10, 1, { validAfterS: unix(1) })
    expect(at(sec(1) - 1)).toMatchObject({ code: 'invalidRequest', invalidField: InvalidField.validAfter })
    expect(at(sec(1))).toBeUndefined()
  })

  it('OM-270 a cash-out has no funding', () => {
    expect(offered().accept(10, 2, { validAfterS: NaN, validBeforeS: -5, coreMicros: 9e9 })).toBeUndefined()
  })
})
