import { describe, expect, it } from 'vitest'
import { RfqState } from '../../../src/venue/outcome/protocol/events.ts'
import { type Driver, ms, sec, table, unix, usd } from './driver.ts'

describe('forgetting', () => {
  it('OM-059 a closed RFQ is known for the retention, with its quotes', () => {
    const d = table()
    d.create(10)
    d.quote(20, 1, usd(100))
    expect(d.pulse(sec(80) - 1).length).toBeGreaterThan(0)
    expect([d.view.rfq(1) === null, d.view.quote(1) === null]).toEqual([false, false])
    expect(d.cancel(10, 1).code).toBe('rfqNotCancellable')
    expect(d.pulse(sec(80))).toEqual([])
    expect([d.view.rfq(1), d.view.quote(1)]).toEqual([null, null])
    expect(d.cancel(10, 1).code).toBe('notFound')
    expect(d.cancelQuote(20, 1).code).toBe('quoteNotFound')
  })

  it.each<[string, (d: Driver) => void, number]>([
    ['cancelled', (d) => d.at(sec(5)).cancel(10, 1), sec(65)],
    ['filled in its window', (d) => (d.at(sec(5)).accept(10, 1), d.confirm(20, 1)), sec(65)],
    ['filled after its window', (d) => (d.at(sec(25)).accept(10, 1), d.confirm(20, 1)), sec(85)],
    ['closed again after a failure', (d) => (d.at(sec(25)).accept(10, 1), d.decline(20, 1)), sec(85)],
  ])('OM-059 the retention of an RFQ that was %s counts from then', (_, end, gone) => {
    const d = table()
    d.create(10)
    d.quote(20, 1, usd(100), { expiryS: unix(30) })
    end(d)
    d.pulse(gone - 1)
    expect(d.view.rfq(1)).not.toBeNull()
    expect(d.view.acceptance(1) !== null).toBe(d.view.acceptanceOfQuote(1) !== null)
    d.pulse(gone)
    expect([d.view.rfq(1), d.view.quote(1), d.view.acceptance(1)]).toEqual([null, null, null])
  })

  it('OM-059 it waits another retention while a quote is live or accepted', () => {
    const d = table({ retentionMs: 1_000 })
    d.create(10)
    d.quote(20, 1, usd(100), { expiryS: unix(25) })
    d.at(sec(24.5)).accept(10, 1)
    d.pulse(sec(25))
    expect(d.view.rfq(1)).toMatchObject({ state: RfqState.inFlight })
    d.pulse(sec(26.5))
    expect(d.view.rfq(1)).toMatchObject({ state: RfqState.inFlight })
    d.pulse(sec(26.5) + 1)
    expect(d.view.rfq(1)).toMatchObject({ state: RfqState.closed })
    d.pulse(sec(27.5))
    expect(d.view.rfq(1)).not.toBeNull()
    d.pulse(sec(27.5) + 1)
    expect(d.view.rfq(1)).toBeNull()
  })

  it('gives slots to later RFQs, which start with nothing of the former', () => {
    const d = table({ retentionMs: 1 })
    d.create(10, [[1, 'yes'], [2, 'yes'], [3, 'yes']])
    d.quote(20, 1, usd(100))
    d.accept(10, 1)
    d.decline(20, 1)
    d.quote(21, 1, usd(90))
    d.cancel(10, 1)
    d.pulse(ms(1))
    d.create(11, [[6, 'no']], usd(30))
    expect(d.view.rfq(2)).toMatchObject({
      owner: 11, generation: 1, bestQuote: -1, acceptedQuote: -1, legs: [{ outcome: 6, side: 0 }],
    })
    expect(d.view.listedQuotes(2)).toEqual([])
    expect(d.quote(22, 2, usd(70)).code).toBe('ok')
    expect(d.view.acceptanceOfQuote(3)).toBeNull()
    expect(d.view.listedQuotes(2)).toEqual([3])
  })
})
