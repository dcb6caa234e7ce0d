import { describe, expect, it } from 'vitest'
import { InvalidField } from '../../../src/venue/outcome/protocol/codes.ts'
import { QuoteState } from '../../../src/venue/outcome/protocol/events.ts'
import { type Driver, sec, unix, usd } from './driver.ts'
import { asked, selling } from './scenes.ts'

const stateOf = (d: Driver, quote: number): number | undefined => d.view.quote(quote)?.state

describe('the listing', () => {
  it('OM-257 OM-060 INV-25 an entry quote is listed while more than 2 s are left to its expiry', () => {
    const d = asked()
    d.quote(20, 1, usd(100))
    d.pulse(sec(8) - 1)
    expect(d.view.listedQuotes(1)).toEqual([1])
    expect(d.pulse(sec(8))).toEqual([{ event: 'bestQuoteChanged', at: sec(8), cause: -1, owner: 10, rfq: 1, generation: 1 }])
    expect(d.view.listedQuotes(1)).toEqual([])
    expect(stateOf(d, 1)).toBe(QuoteState.live)
  })

  it('OM-257 OM-266 quotes that leave the listing at one instant leave it together: none of them is the best for no time', () => {
    const d = asked()
    d.quote(20, 1, usd(100))
    d.quote(21, 1, usd(95))
    d.quote(22, 1, usd(90), { expiryS: unix(30) })
    d.pulse(sec(8) - 1)
    expect(d.view.listedQuotes(1)).toEqual([1, 2, 3])
    // From the first at once to the third, which is listed for longer. The second is the best at no time.
    expect(d.pulse(sec(8)).map(({ event, quote }) => [event, quote])).toEqual([['bestQuoteChanged', 3]])
    expect(d.view.listedQuotes(1)).toEqual([3])
  })

  it('OM-259 OM-060 INV-25 a cash-out quote is listed while more than 22 s are left to its expiry', () => {
    const d = selling()
    d.quote(21, 2, usd(30), { expiryS: unix(27) })
    d.pulse(sec(5) - 1)
    expect(d.view.listedQuotes(2)).toEqual([2])
    expect(d.pulse(sec(5))).toEqual([
      { event: 'bestQuoteChanged', at: sec(5), cause: -1, owner: 10, rfq: 2, generation: 1, position: 1 },
    ])
    expect(d.view.listedQuotes(2)).toEqual([])
  })

  it('OM-266 an unlisted quote can be accepted up to its expiry', () => {
    const d = asked()
    d.quote(20, 1, usd(100))
    d.pulse(sec(10) - 1)
    expect(d.accept(10, 1)).toBeUndefined()
    expect(d.names()).toEqual(['quoteAccepted'])
  })

  it('OM-257 a quote made within 2 s of its expiry is never listed', () => {
    const d = asked()
    d.quote(20, 1, usd(100), { expiryS: unix(2) })
    expect(d.names()).toEqual(['quoteCreated', 'reply ok'])
    expect(d.view.listedQuotes(1)).toEqual([])
    expect(d.pulse(sec(2)).map((row) => row.event)).toEqual(['quoteExpired'])
    d.quote(20, 1, usd(100), { expiryS: unix(5) })
    expect(d.names()).toEqual(['quoteCreated', 'bestQuoteChanged', 'reply ok'])
  })

  it('OM-060 the best is the highest payout, then the lowest number', () => {
    const d = asked()
    const best = (): number => d.view.rfq(1)!.bestQuote
    d.quote(20, 1, usd(90))
    d.quote(21, 1, usd(90))
    expect(d.names()).toEqual(['quoteCreated', 'reply ok'])
    expect([best(), d.view.listedQuotes(1)]).toEqual([1, [1, 2]])
    d.quote(22, 1, usd(90) + 1)
    expect(d.of('bestQuoteChanged')).toEqual([{
      event: 'bestQuoteChanged', at: 0, cause: d.seq, maker: 22, owner: 10, quote: 3, oddsE4: 36_072, payoutMicros: 90_000_001,
      expiresAtUs: sec(10),
      rfq: 1, generation: 1,
    }])
    expect([best(), d.view.listedQuotes(1)]).toEqual([3, [3, 1, 2]])
    d.cancelQuote(22, 3)
    expect(best()).toBe(1)
    d.quote(20, 1, usd(90))
    expect(d.names()).toEqual(['quoteReplaced', 'quoteCreated', 'bestQuoteChanged', 'reply ok'])
    expect([best(), d.view.listedQuotes(1)]).toEqual([2, [2, 4]])
  })

  it('OM-060 the next best takes over where the best leaves', () => {
    const d = asked()
    d.quote(20, 1, usd(90), { expiryS: unix(20) })
    d.quote(21, 1, usd(100), { expiryS: unix(10) })
    d.quote(22, 1, usd(110), { expiryS: unix(10) })
    expect(d.pulse(sec(8))).toMatchObject([{ event: 'bestQuoteChanged', maker: 20, quote: 1, payoutMicros: 90_000_000 }])
    expect(d.view.listedQuotes(1)).toEqual([1])
    expect(d.pulse(sec(10)).map((row) => [row.event, row['quote']])).toEqual([['quoteExpired', 2], ['quoteExpired', 3]])
  })

  it('OM-060 OM-266 of two that leave at one instant the second is the best at no time', () => {
    const d = asked()
    d.quote(20, 1, usd(100))
    d.quote(21, 1, usd(90))
    expect(d.pulse(sec(8)).map((row) => [row.event, row['quote']])).toEqual([['bestQuoteChanged', undefined]])
    expect(d.view.listedQuotes(1)).toEqual([])
  })

  it('OM-060 OM-266 the best is told of as it leaves itself, not as a worse one leaves at that instant before it', () => {
    const d = asked()
    d.create(10)
    d.quote(20, 2, usd(90))
    d.quote(20, 1, usd(90))
    d.quote(21, 2, usd(100))
    // The worse quote on RFQ 2 leaves first, then RFQ 1's only one, then the best on RFQ 2.
    expect(d.pulse(sec(8)).map((row) => [row.event, row['rfq']])).toEqual([['bestQuoteChanged', 1], ['bestQuoteChanged', 2]])
  })

  it('OM-060 quotes leave from the middle, the end and the front, and only the live ones die with their RFQ', () => {
    const d = asked()
    for (const maker of [23, 24]) {
      d.bind(maker, 'maker')
      d.deposit(maker, usd(1000))
    }
    for (const maker of [20, 21, 22, 23, 24]) d.quote(maker, 1, usd(50 + maker))
    d.cancelQuote(21, 2)
    d.cancelQuote(22, 3)
    expect(d.view.listedQuotes(1)).toEqual([5, 4, 1])
    d.cancelQuote(24, 5)
    d.quote(21, 1, usd(60))
    d.cancelQuote(20, 1)
    expect(d.view.listedQuotes(1)).toEqual([4, 6])
    d.cancel(10, 1)
    expect(d.of('quoteDead').map((row) => row['quote'])).toEqual([4, 6])
  })

  it('OM-060 a worse quote that leaves the listing changes nothing', () => {
    const d = asked()
    d.quote(20, 1, usd(90), { expiryS: unix(10) })
    d.quote(21, 1, usd(100), { expiryS: unix(15) })
    expect(d.pulse(sec(8))).toEqual([])
    expect(d.view.listedQuotes(1)).toEqual([2])
  })
})

describe('replacing and pulling', () => {
  it('OM-061 OM-056 INV-16 the next quote of a maker takes the place of its live one', () => {
    const d = asked()
    d.quote(20, 1, usd(100))
    d.quote(20, 1, usd(90))
    expect(d.names()).toEqual(['quoteReplaced', 'quoteCreated', 'bestQuoteChanged', 'reply ok'])
    expect(d.rows[0]).toEqual({
      event: 'quoteReplaced', at: 0, cause: d.seq, maker: 20, owner: 10, quote: 1, rfq: 1, generation: 1,
    })
    expect([stateOf(d, 1), stateOf(d, 2)]).toEqual([QuoteState.replaced, QuoteState.live])
    expect(d.view.liveQuotesOf(20)).toEqual([2])
    expect(d.view.listedQuotes(1)).toEqual([2])
  })

  it('OM-061 a maker has a live quote on each of several RFQs, and several makers on one', () => {
    const d = asked()
    d.create(10)
    expect([d.quote(20, 1, usd(50)).code, d.quote(20, 2, usd(50)).code, d.quote(21, 1, usd(50)).code]).toEqual(['ok', 'ok', 'ok'])
    expect([d.view.liveQuotesOf(20), d.view.liveQuotesOf(21)]).toEqual([[1, 2], [3]])
  })

  it.each<[string, (d: Driver) => unknown, string]>([
    ['its expiry', (d) => d.quote(20, 1, usd(90), { expiryS: unix(31) }), 'invalidRequest'],
    ['its payout', (d) => d.quote(20, 1, usd(20)), 'invalidRequest'],
    ['its signature', (d) => d.quote(20, 1, usd(90), { signer: 3 }), 'wrongAuthority'],
    ['its risk', (d) => d.quote(20, 1, usd(5000)), 'quoteCapacityExceeded'],
  ])('OM-061 a new quote refused for %s leaves the old one (readings B10)', (_, requote, code) => {
    const d = asked()
    d.quote(20, 1, usd(100))
    requote(d)
    expect(d.names()).toEqual([`reply ${code}`])
    expect(stateOf(d, 1)).toBe(QuoteState.live)
  })

  it('OM-056 the deadlines of a replaced quote do nothing', () => {
    const d = asked()
    d.quote(20, 1, usd(100), { expiryS: unix(5) })
    d.quote(20, 1, usd(100), { expiryS: unix(15) })
    expect(d.pulse(sec(13) - 1)).toEqual([])
    expect(d.pulse(sec(15)).map((row) => [row.event, row['quote']])).toEqual([['bestQuoteChanged', undefined], ['quoteExpired', 2]])
  })

  it('OM-012 OM-074 OM-076 a maker places a quote, replaces it and pulls what replaced it', () => {
    const d = asked()
    expect(d.quote(20, 1, usd(100))).toMatchObject({ code: 'ok', quote: 1 })
    expect(d.view.listedQuotes(1)).toEqual([1])
    expect(d.quote(20, 1, usd(90))).toMatchObject({ code: 'ok', quote: 2 })
    expect(d.view.listedQuotes(1)).toEqual([2])
    expect(d.cancelQuote(20, 2).code).toBe('ok')
    expect([stateOf(d, 1), stateOf(d, 2)]).toEqual([QuoteState.replaced, QuoteState.cancelled])
    expect([d.view.listedQuotes(1), d.view.liveQuotesOf(20)]).toEqual([[], []])
    expect(d.accept(10, 2)!.code).toBe('quoteCancelled')
  })

  it('OM-055 a maker pulls its live quote', () => {
    const d = asked()
    d.quote(20, 1, usd(100))
    expect(d.cancelQuote(20, 1)).toEqual({
      event: 'reply', at: 0, cause: d.seq, account: 20, op: 'cancelQuote', code: 'ok', rfq: 1, generation: 1, quote: 1,
    })
    expect(d.names()).toEqual(['quoteCancelled', 'bestQuoteChanged', 'reply ok'])
    expect(stateOf(d, 1)).toBe(QuoteState.cancelled)
    expect(d.pulse(sec(15))).toEqual([])
  })

  it('OM-055 pulling works while financial actions are off, after the window, and out of the listing', () => {
    const d = asked()
    d.quote(20, 1, usd(100), { expiryS: unix(25) })
    d.at(sec(24)).fault('financialActionsDisabled', 1)
    expect(d.cancelQuote(20, 1).code).toBe('ok')
    expect(d.names()).toEqual(['quoteCancelled', 'reply ok'])
  })

  it('OM-204 OM-205 OM-206 pulling an ended quote gives the code of its end', () => {
    const d = asked()
    d.quote(20, 1, usd(100))
    d.quote(20, 1, usd(90))
    d.cancelQuote(20, 2)
    d.quote(20, 1, usd(80))
    d.pulse(sec(10))
    expect([1, 2, 3].map((quote) => d.cancelQuote(20, quote).code)).toEqual(['quoteReplaced', 'quoteCancelled', 'quoteExpired'])
  })

  it('OM-195 pulling an accepted, failed, filled or dead quote is a conflict', () => {
    const d = asked()
    d.quote(20, 1, usd(100))
    d.quote(21, 1, usd(90))
    d.accept(10, 1)
    expect(d.cancelQuote(20, 1)).toEqual({
      event: 'reply', at: 0, cause: d.seq, account: 20, op: 'cancelQuote', code: 'stateConflict', rfq: 1, generation: 1, quote: 1,
    })
    d.decline(20, 1)
    expect(d.cancelQuote(20, 1).code).toBe('stateConflict')
    d.quote(20, 1, usd(95))
    d.accept(10, 3)
    d.confirm(20, 3)
    expect([d.cancelQuote(20, 3).code, d.cancelQuote(21, 2).code]).toEqual(['stateConflict', 'stateConflict'])
  })

  it('OM-193 an unknown quote and another\'s are not found', () => {
    const d = asked()
    d.quote(20, 1, usd(100))
    const refused = { event: 'reply', at: 0, op: 'cancelQuote', code: 'quoteNotFound' }
    expect(d.cancelQuote(21, 1)).toEqual({ ...refused, cause: d.seq, account: 21 })
    expect(d.cancelQuote(20, 2)).toEqual({ ...refused, cause: d.seq, account: 20 })
    for (const quote of [NaN, 0.5, 2 ** 53]) {
      expect(d.cancelQuote(20, quote)).toMatchObject({ code: 'invalidRequest', invalidField: InvalidField.quote })
    }
  })
})
