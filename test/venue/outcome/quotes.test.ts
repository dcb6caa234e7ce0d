import { describe, expect, it } from 'vitest'
import { InvalidField } from '../../../src/venue/outcome/protocol/codes.ts'
import { OutcomeEvent, QuoteState, STREAM_EVENT_NAMES } from '../../../src/venue/outcome/protocol/events.ts'
import { type Driver, sec, T0, table, TWO_LEGS, unix, usd } from './driver.ts'
import { asked, selling } from './scenes.ts'

const stateOf = (d: Driver, quote: number): number | undefined => d.view.quote(quote)?.state

describe('quoting', () => {
  it('OM-046 OM-152 tells the taker of risk, rates, net stake, payout and expiry', () => {
    const d = asked()
    expect(d.quote(20, 1, usd(100))).toEqual({
      event: 'reply', at: 0, cause: d.seq, account: 20, op: 'submitQuote', code: 'ok', rfq: 1, generation: 1, quote: 1,
      oddsE4: 40_080,
      riskMicros: 75_050_000, expiresAtUs: sec(10),
    })
    expect(d.names()).toEqual(['quoteCreated', 'bestQuoteChanged', 'reply ok'])
    expect(d.rows[0]).toEqual({
      event: 'quoteCreated', at: 0, cause: d.seq, maker: 20, owner: 10, rfq: 1, generation: 1, quote: 1, oddsE4: 40_080,
      riskMicros: 75_050_000, takerFeeBps: 20, netStakeMicros: 24_950_000, payoutMicros: 100_000_000, expiresAtUs: sec(10),
    })
    expect(STREAM_EVENT_NAMES[OutcomeEvent.quoteCreated]).toBe('QUOTE_CREATED')
    expect(d.view.quote(1)).toEqual({
      number: 1, rfq: 1, maker: 20, state: QuoteState.live, generation: 1, netStakeMicros: 24_950_000, payoutMicros: 100_000_000,
      riskMicros: 75_050_000, takerFeeBps: 20, feeBps: 100, signer: 20, expiresAtUs: T0 + sec(10),
    })
  })

  it('OM-046 a cash-out quote tells its price, without odds, stake or taker fee', () => {
    const d = selling()
    expect(d.quote(21, 2, usd(30))).toEqual({
      event: 'reply', at: sec(2), cause: d.seq, account: 21, op: 'submitQuote', code: 'ok', rfq: 2, generation: 1, position: 1,
      quote: 2,
      riskMicros: 30_000_000, expiresAtUs: sec(32),
    })
    expect(d.rows[0]).toEqual({
      event: 'quoteCreated', at: sec(2), cause: d.seq, maker: 21, owner: 10, rfq: 2, generation: 1, position: 1, quote: 2,
      priceMicros: 30_000_000, payoutMicros: 30_000_000, expiresAtUs: sec(32),
    })
    expect(d.view.quote(2)).toMatchObject({
      netStakeMicros: -1, takerFeeBps: -1, feeBps: 100, payoutMicros: 30_000_000, riskMicros: 30_000_000,
    })
  })

  it('a cash-out quote has the rate of its position, whatever is in force', () => {
    const d = selling()
    d.setFees(90, 900)
    expect(d.quote(21, 2, usd(30)).code).toBe('ok')
    expect(d.view.quote(2)).toMatchObject({ takerFeeBps: -1, feeBps: 100 })
  })

  it('OM-008 a quote locks nothing', () => {
    const d = asked()
    d.quote(20, 1, usd(100))
    expect(d.moved).toEqual([])
    expect(d.balances(10, 20)).toEqual([[usd(1000), 0], [usd(1000), 0]])
  })

  it('OM-252 takes the rates in force when it is made, not those of its RFQ', () => {
    const d = asked()
    d.setFees(100, 250)
    expect(d.quote(20, 1, usd(100))).toMatchObject({ code: 'ok', oddsE4: 40_404, riskMicros: 75_250_000 })
    expect(d.view.quote(1)).toMatchObject({ netStakeMicros: 24_750_000, takerFeeBps: 100, feeBps: 250 })
    d.setFees(0, 0)
    expect(d.view.quote(1)).toMatchObject({ netStakeMicros: 24_750_000, takerFeeBps: 100, feeBps: 250 })
  })

  it('OM-250 needs a net stake of 1 USDC at the rate in force, which is told after the generation and before all else', () => {
    const d = table()
    // 1.25 USDC less 2000 bps is 1 USDC; less 2001 bps, floor(250,125), 0.999875.
    d.create(10, TWO_LEGS, 1_250_000)
    d.setFees(2_001, 100)
    expect(d.quote(20, 1, usd(100))).toEqual({
      event: 'reply', at: 0, cause: d.seq, account: 20, op: 'submitQuote', code: 'stateConflict', rfq: 1, generation: 1,
    })
    expect(d.quote(20, 1, usd(100), { generation: 2 }).code).toBe('rfqGenerationStale')
    d.fault('quoteExposureStale', 1)
    expect(d.quote(20, 1, usd(100), { expiryS: 0 }).code).toBe('stateConflict')
    d.fault('quoteExposureStale', 0)
    d.setFees(2_000, 100)
    expect(d.quote(20, 1, usd(100)).code).toBe('ok')
    expect(d.view.quote(1)).toMatchObject({ netStakeMicros: 1_000_000 })
  })

  it('OM-250 asks no net stake of a cash-out', () => {
    const d = selling()
    d.setFees(10_000, 100)
    expect(d.quote(21, 2, usd(30)).code).toBe('ok')
  })
})

describe('expiry', () => {
  it.each([[0, 'invalidRequest'], [1, 'ok'], [29, 'ok'], [30, 'ok'], [31, 'invalidRequest'], [-5, 'invalidRequest']])(
    'OM-256 an entry quote that expires %d s ahead: %s', (ahead, code) => {
      const d = asked()
      expect(d.quote(20, 1, usd(100), { expiryS: unix(ahead) }).code).toBe(code)
      if (code !== 'ok') expect(d.rows).toMatchObject([{ invalidField: InvalidField.expiry }])
    },
  )

  it('OM-256 counts to the microsecond', () => {
    const d = asked()
    d.at(sec(1) - 1)
    expect(d.quote(20, 1, usd(100), { expiryS: unix(1) }).code).toBe('ok')
    expect(d.quote(20, 1, usd(100), { expiryS: unix(31) }).code).toBe('invalidRequest')
    d.at(sec(1))
    expect(d.quote(20, 1, usd(100), { expiryS: unix(1) }).code).toBe('invalidRequest')
    expect(d.quote(20, 1, usd(100), { expiryS: unix(31) }).code).toBe('ok')
  })

  it.each([
    [24, 'invalidRequest'], [25, 'ok'], [60, 'ok'], [61, 'invalidRequest'],
  ])('OM-258 a cash-out quote that expires %d s ahead: %s', (ahead, code) => {
    const d = selling()
    expect(d.quote(21, 2, usd(30), { expiryS: unix(2 + ahead) }).code).toBe(code)
  })

  it('OM-258 counts to the microsecond', () => {
    const d = selling()
    d.at(sec(3) - 1)
    expect(d.quote(21, 2, usd(30), { expiryS: unix(63) }).code).toBe('invalidRequest')
    expect(d.quote(21, 2, usd(30), { expiryS: unix(28) }).code).toBe('ok')
    d.at(sec(3))
    expect(d.quote(21, 2, usd(30), { expiryS: unix(63) }).code).toBe('ok')
    expect(d.at(sec(3) + 1).quote(21, 2, usd(30), { expiryS: unix(28) }).code).toBe('invalidRequest')
  })

  it('OM-054 OM-204 ends at its expiry, and not a microsecond before', () => {
    const d = asked()
    d.quote(20, 1, usd(100))
    d.pulse(sec(10) - 1)
    expect(stateOf(d, 1)).toBe(QuoteState.live)
    expect(d.pulse(sec(10))).toEqual([
      { event: 'quoteExpired', at: sec(10), cause: -1, maker: 20, owner: 10, quote: 1, rfq: 1, generation: 1 },
    ])
    expect(stateOf(d, 1)).toBe(QuoteState.expired)
    expect(d.accept(10, 1)).toEqual({
      event: 'reply', at: sec(10), cause: d.seq, account: 10, op: 'acceptQuote', code: 'quoteExpired', rfq: 1, generation: 1,
      quote: 1,
    })
  })
})

describe('limits of the payout', () => {
  it.each([
    [24_950_000, 'invalidRequest'], [24_950_001, 'ok'], [100_000_000_000, 'ok'], [100_000_000_001, 'invalidRequest'],
    [0, 'invalidRequest'], [50_000_000.5, 'invalidRequest'], [NaN, 'invalidRequest'], [1e300, 'invalidRequest'],
  ])('OM-251 OM-269 INV-19 a payout of %d micros: %s', (payoutMicros, code) => {
    const d = asked()
    d.deposit(20, usd(200_000))
    expect(d.quote(20, 1, payoutMicros).code).toBe(code)
    if (code === 'ok') return
    expect(d.rows).toEqual([
      { event: 'reply', at: 0, cause: d.seq, account: 20, op: 'submitQuote', code: 'invalidRequest', invalidField: InvalidField.payout },
    ])
  })

  it.each([[0, 'invalidRequest'], [1, 'ok'], [100_000_000, 'ok'], [100_000_001, 'invalidRequest']])(
    'OM-269 a price of %d micros for a position that pays 100 USDC: %s', (priceMicros, code) => {
      expect(selling().quote(21, 2, priceMicros).code).toBe(code)
    },
  )
})

describe('capital', () => {
  it('OM-208 needs free capital for the risk, to the micro-unit, and says how much', () => {
    const d = asked()
    d.reduce(20, usd(1000) - 75_049_999)
    expect(d.quote(20, 1, usd(100))).toEqual({
      event: 'reply', at: 0, cause: d.seq, account: 20, op: 'submitQuote', code: 'quoteCapacityExceeded', rfq: 1, generation: 1,
      requiredMicros: 75_050_000, availableMicros: 75_049_999,
    })
    d.deposit(20, 1)
    expect(d.quote(20, 1, usd(100)).code).toBe('ok')
  })

  it('OM-208 a cash-out quote risks its price, the backing maker\'s nothing (readings B16)', () => {
    const d = selling()
    for (const maker of [20, 21]) d.reduce(maker, d.free(maker) - usd(10))
    expect([d.quote(21, 2, usd(10)).code, d.quote(21, 2, usd(10) + 1).code]).toEqual(['ok', 'quoteCapacityExceeded'])
    expect(d.quote(20, 2, usd(100))).toMatchObject({ code: 'ok', riskMicros: 0 })
    expect(d.view.quote(3)).toMatchObject({ riskMicros: 0 })
    expect(d.view.capital(20)).toMatchObject({ quotedMicros: 0 })
  })

  it('OM-220 OM-221 the risks of live quotes together stay within the multiple of free capital', () => {
    const d = asked({ exposureMultiple: 2 })
    d.create(10)
    d.create(10)
    d.reduce(20, usd(1000) - 75_050_000)
    expect([d.quote(20, 1, usd(100)).code, d.quote(20, 2, usd(100)).code]).toEqual(['ok', 'ok'])
    expect(d.view.capital(20)).toMatchObject({ freeMicros: 75_050_000, quotedMicros: 150_100_000 })
    expect(d.quote(20, 3, 24_950_001)).toEqual({
      event: 'reply', at: 0, cause: d.seq, account: 20, op: 'submitQuote', code: 'quoteExposureLimit', rfq: 3, generation: 1,
      requiredMicros: 150_100_001, availableMicros: 150_100_000,
    })
    expect(d.quote(20, 2, usd(100) - 1).code).toBe('ok')
    expect(d.quote(20, 3, 24_950_001).code).toBe('ok')
    expect(d.quote(20, 3, 24_950_002).code).toBe('quoteExposureLimit')
  })

  it('OM-221 counts a replaced quote no more, nor one that was pulled, expired, accepted or dead', () => {
    const d = asked({ exposureMultiple: 1 })
    for (let rfq = 2; rfq <= 3; rfq++) d.create(10)
    const quoted = (): number => d.view.capital(20)!.quotedMicros
    d.quote(20, 1, usd(1000))
    expect(quoted()).toBe(975_050_000)
    d.quote(20, 1, usd(1000) + 1)
    expect(quoted()).toBe(975_050_001)
    expect(d.quote(20, 2, usd(100)).code).toBe('quoteExposureLimit')
    d.cancelQuote(20, 2)
    expect(quoted()).toBe(0)
    d.quote(20, 1, usd(100))
    d.quote(20, 2, usd(100))
    d.quote(20, 3, usd(100), { expiryS: unix(3) })
    expect(quoted()).toBe(225_150_000)
    d.pulse(sec(3))
    expect(quoted()).toBe(150_100_000)
    d.accept(10, 3)
    expect(quoted()).toBe(75_050_000)
    d.decline(20, 3)
    expect(quoted()).toBe(75_050_000)
    d.cancel(10, 2)
    expect(quoted()).toBe(0)
  })
})

describe('refusals', () => {
  it('OM-212 a signature of other terms, or none, is invalid', () => {
    const d = asked()
    d.quote(20, 1, usd(100))
    const { termsTag } = d.command
    expect(d.quote(20, 1, usd(100) + 1, { termsTag })).toEqual({
      event: 'reply', at: 0, cause: d.seq, account: 20, op: 'submitQuote', code: 'invalidSignature', rfq: 1, generation: 1,
    })
    for (const signer of [-1, -2, NaN, 0.5]) expect(d.quote(20, 1, usd(100), { signer }).code).toBe('invalidSignature')
    for (const tag of [-1, NaN, termsTag + 1]) expect(d.quote(20, 1, usd(100), { termsTag: tag }).code).toBe('invalidSignature')
    expect(d.quote(20, 1, usd(100), { termsTag }).code).toBe('ok')
  })

  it('OM-212 binds to the generation and to the rates in force', () => {
    const d = asked()
    d.quote(20, 1, usd(100))
    const { termsTag } = d.command
    d.accept(10, 1)
    d.decline(20, 1)
    expect(d.quote(20, 1, usd(100), { termsTag }).code).toBe('invalidSignature')
    d.create(10)
    d.quote(20, 2, usd(100))
    const ofTwo = d.command.termsTag
    d.setFees(20, 101)
    expect(d.quote(20, 2, usd(100), { termsTag: ofTwo }).code).toBe('invalidSignature')
    d.setFees(20, 100)
    expect(d.quote(20, 2, usd(100), { termsTag: ofTwo }).code).toBe('ok')
  })

  it('OM-213 OM-215 only the maker\'s current quote signer may sign', () => {
    const d = asked()
    d.setSigner(20, 777)
    expect(d.quote(20, 1, usd(100), { signer: 20 })).toEqual({
      event: 'reply', at: 0, cause: d.seq, account: 20, op: 'submitQuote', code: 'wrongAuthority', rfq: 1, generation: 1,
    })
    expect(d.quote(20, 1, usd(100), { signer: 777 }).code).toBe('ok')
    expect(d.view.quote(1)).toMatchObject({ signer: 777 })
    d.setSigner(20, 20)
    expect(d.quote(20, 1, usd(100), { signer: 20 }).code).toBe('ok')
  })

  it('OM-231 is refused while the exposure projection is stale', () => {
    const d = asked()
    d.fault('quoteExposureStale', 1)
    expect(d.quote(20, 1, usd(100))).toEqual({
      event: 'reply', at: 0, cause: d.seq, account: 20, op: 'submitQuote', code: 'quoteExposureStale', rfq: 1, generation: 1,
    })
    d.fault('quoteExposureStale', 0)
    expect(d.quote(20, 1, usd(100)).code).toBe('ok')
  })

  it('OM-227 is refused while financial actions are off', () => {
    const d = asked()
    d.fault('financialActionsDisabled', 1)
    expect(d.quote(20, 1, usd(100))).toEqual({
      event: 'reply', at: 0, cause: d.seq, account: 20, op: 'submitQuote', code: 'financialActionsDisabled',
    })
  })

  it('OM-200 OM-202 an RFQ in flight, or no longer open, takes no quote', () => {
    const d = asked()
    d.quote(20, 1, usd(100))
    d.accept(10, 1)
    expect(d.quote(21, 1, usd(100))).toMatchObject({ code: 'rfqGenerationInFlight', rfq: 1, generation: 1 })
    // The maker whose quote is accepted cannot replace it (readings B10).
    expect(d.quote(20, 1, usd(100))).toMatchObject({ code: 'stateConflict', rfq: 1, generation: 1 })
    d.confirm(20, 1)
    expect(d.quote(20, 1, usd(100)).code).toBe('rfqNotOpen')
    expect(d.quote(21, 1, usd(100))).toMatchObject({ code: 'rfqNotOpen', rfq: 1, generation: 2 })
    expect(d.quote(21, 2, usd(100))).toEqual({
      event: 'reply', at: 0, cause: d.seq, account: 21, op: 'submitQuote', code: 'notFound',
    })
  })

  it.each([
    [-1, 'ok'], [2, 'ok'], [1, 'rfqGenerationStale'], [3, 'rfqGenerationStale'], [0, 'invalidRequest'], [-2, 'invalidRequest'],
    [1.5, 'invalidRequest'], [NaN, 'invalidRequest'],
  ])('OM-201 OM-203 naming generation %d where the second one is: %s', (generation, code) => {
    const d = asked()
    d.quote(20, 1, usd(100))
    d.accept(10, 1)
    d.decline(20, 1)
    expect(d.quote(21, 1, usd(100), { generation }).code).toBe(code)
    if (code === 'invalidRequest') expect(d.rows).toMatchObject([{ invalidField: InvalidField.generation }])
  })

  it('OM-059 a holder that is a maker may not quote its own cash-out', () => {
    const d = selling()
    d.quote(21, 2, usd(30))
    d.accept(10, 2)
    d.confirm(21, 2)
    d.pulse(sec(4))
    expect(d.cashout(21, 1).code).toBe('ok')
    expect(d.quote(21, 3, usd(30))).toMatchObject({ code: 'forbidden', rfq: 3, generation: 1 })
    expect(d.quote(22, 3, usd(30)).code).toBe('ok')
  })

  it('OM-059 answers in the order of the checks', () => {
    const d = asked({ exposureMultiple: 1 })
    d.create(10, TWO_LEGS, usd(25))
    d.quote(22, 1, usd(100))
    d.quote(20, 2, usd(1000))
    d.accept(10, 1)
    d.fault('financialActionsDisabled', 1)
    d.fault('quoteExposureStale', 1)
    const all = { generation: 7, expiryS: unix(99), signer: 3, termsTag: 1 }
    const quote = (rfq: number, payoutMicros: number, fields = {}): [string, unknown] => {
      const row = d.quote(20, rfq, payoutMicros, fields)
      return [row.code!, row.code === 'invalidRequest' ? row['invalidField'] : 0]
    }
    expect(quote(0.5, 0, { ...all, generation: 0, expiryS: NaN })).toEqual(['invalidRequest', InvalidField.rfq])
    expect(quote(9, 0, { ...all, generation: 0, expiryS: NaN })).toEqual(['invalidRequest', InvalidField.generation])
    expect(quote(9, 0, { ...all, expiryS: NaN })).toEqual(['invalidRequest', InvalidField.payout])
    expect(quote(9, 1, { ...all, expiryS: NaN })).toEqual(['invalidRequest', InvalidField.expiry])
    expect(quote(9, 1, all)).toEqual(['financialActionsDisabled', 0])
    d.fault('financialActionsDisabled', 0)
    expect(quote(9, 1, all)).toEqual(['notFound', 0])
    expect(quote(1, 1, all)).toEqual(['rfqGenerationInFlight', 0])
    d.decline(22, 1)
    expect(quote(1, 1, all)).toEqual(['rfqGenerationStale', 0])
    expect(quote(1, 1, { ...all, generation: 2 })).toEqual(['quoteExposureStale', 0])
    d.fault('quoteExposureStale', 0)
    expect(quote(1, 1, { ...all, generation: 2 })).toEqual(['invalidRequest', InvalidField.expiry])
    expect(quote(1, 1, { signer: 3, termsTag: 1 })).toEqual(['invalidRequest', InvalidField.payout])
    expect(quote(1, usd(2000), { signer: 3, termsTag: 1 })).toEqual(['invalidSignature', 0])
    expect(quote(1, usd(2000), { signer: 3 })).toEqual(['wrongAuthority', 0])
    expect(quote(1, usd(2000))).toEqual(['quoteCapacityExceeded', 0])
    expect(quote(1, usd(1000))).toEqual(['quoteExposureLimit', 0])
    d.cancel(10, 1)
    expect(quote(1, 1, all)).toEqual(['rfqNotOpen', 0])
  })
})
