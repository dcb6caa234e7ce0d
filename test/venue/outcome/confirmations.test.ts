import { describe, expect, it } from 'vitest'
import { InvalidField } from '../../../src/venue/outcome/protocol/codes.ts'
import { AcceptanceState, QuoteState, RfqState } from '../../../src/venue/outcome/protocol/events.ts'
import { type Driver, ms, sec, unix, usd } from './driver.ts'
import { accepted, offered, quoted } from './scenes.ts'

const stateOf = (d: Driver, quote: number): number | undefined => d.view.quote(quote)?.state

describe('the confirm deadline', () => {
  it('OM-062 OM-260 INV-26 a confirmation counts in the last microsecond of the 2 s', () => {
    const d = accepted()
    expect(d.at(sec(2)).confirm(20, 1).code).toBe('ok')
    expect(d.of('reply').map((row) => [row['op'], row.code])).toEqual([['acceptQuote', 'ok'], ['confirmQuote', 'ok']])
  })

  it('OM-260 OM-261 OM-062 a microsecond later the accept has been answered and a confirmation has no effect', () => {
    const d = accepted()
    const accept = d.seq
    expect(d.pulse(sec(2))).toEqual([])
    d.at(sec(2) + 1)
    expect(d.confirm(20, 1)).toEqual({
      event: 'reply', at: sec(2) + 1, cause: d.seq, account: 20, op: 'confirmQuote', code: 'stateConflict', rfq: 1, generation: 2,
      quote: 1,
    })
    expect(d.rows.slice(0, 2)).toEqual([
      { event: 'quoteFailed', at: sec(2) + 1, cause: -1, maker: 20, owner: 10, rfq: 1, generation: 2, quote: 1, acceptance: 1, isDeclined: 0 },
      {
        event: 'reply', at: sec(2) + 1, cause: accept, account: 10, op: 'acceptQuote', code: 'timedOut', rfq: 1, generation: 2,
        quote: 1,
        acceptance: 1, maker: 20, oddsE4: 40_080, betMicros: 25_000_000, payoutMicros: 100_000_000,
      },
    ])
    expect(d.moved).toEqual(['release: reserved 10 -> free 10 25000000', 'release: reserved 20 -> free 20 75050000'])
    expect(d.balances(10, 20)).toEqual([[usd(1000), 0], [usd(1000), 0]])
    expect([d.view.operation(1), d.view.position(1)]).toEqual([null, null])
  })

  it('OM-267 OM-059 after it the acceptance is timed out, the quote failed, and the RFQ open with its other quotes', () => {
    const d = quoted()
    d.quote(21, 1, usd(90))
    d.accept(10, 1)
    d.pulse(sec(2) + 1)
    expect(d.view.acceptance(1)).toMatchObject({ state: AcceptanceState.timedOut, operation: -1 })
    expect(d.view.rfq(1)).toMatchObject({ state: RfqState.open, generation: 2, acceptedQuote: -1, bestQuote: 2 })
    expect([stateOf(d, 1), stateOf(d, 2)]).toEqual([QuoteState.failed, QuoteState.live])
    expect(d.accept(10, 2)).toBeUndefined()
    expect(d.confirm(21, 2).code).toBe('ok')
  })

  it('OM-062 lasts as long as the profile says', () => {
    const d = accepted({ confirmMs: 0 })
    expect(d.confirm(20, 1).code).toBe('ok')
    const late = accepted({ confirmMs: 0 })
    expect(late.pulse(1).map((row) => row.event)).toEqual(['quoteFailed', 'reply'])
  })
})

describe('confirming', () => {
  it('OM-007 OM-083 create, quote, accept and confirm lead to a fill', () => {
    const d = quoted()
    d.quote(21, 1, usd(90))
    d.quote(22, 1, usd(80))
    d.accept(10, 1)
    const accept = d.seq
    expect(d.at(sec(1)).confirm(20, 1)).toEqual({
      event: 'reply', at: sec(1), cause: d.seq, account: 20, op: 'confirmQuote', code: 'ok', rfq: 1, generation: 2, quote: 1,
      acceptance: 1,
      operation: 1,
    })
    const row = { at: sec(1), cause: d.seq, rfq: 1, generation: 2 }
    expect(d.rows.slice(0, -1)).toEqual([
      { ...row, event: 'quoteFilled', maker: 20, owner: 10, quote: 1, acceptance: 1, operation: 1 },
      { ...row, event: 'quoteDead', maker: 21, owner: 10, quote: 2 },
      { ...row, event: 'quoteDead', maker: 22, owner: 10, quote: 3 },
      { ...row, event: 'bestQuoteChanged', owner: 10 },
      { ...row, event: 'rfqFilled', owner: 10, quote: 1, acceptance: 1 },
      {
        ...row, event: 'operationStarted', account: 10, maker: 20, quote: 1, acceptance: 1, operation: 1, operationKind: 'fill',
        amountMicros: 100_050_000,
        nextStepAtUs: sec(3),
      },
      {
        ...row, event: 'reply', cause: accept, account: 10, op: 'acceptQuote', code: 'ok', quote: 1, acceptance: 1, operation: 1,
        maker: 20,
        oddsE4: 40_080, betMicros: 25_000_000, payoutMicros: 100_000_000,
      },
    ])
    expect(d.moved).toEqual([])
    expect(d.view.acceptance(1)).toMatchObject({ state: AcceptanceState.confirmed, operation: 1 })
    expect(d.view.rfq(1)).toMatchObject({ state: RfqState.filled, acceptedQuote: -1, bestQuote: -1 })
    expect([1, 2, 3].map((quote) => stateOf(d, quote))).toEqual([QuoteState.filled, QuoteState.dead, QuoteState.dead])
    d.pulse(sec(3))
    expect(d.view.position(1)).toMatchObject({ holder: 10, backer: 20, rfq: 1, quote: 1 })
  })

  it('OM-009 a cash-out is accepted and confirmed like an entry', () => {
    const d = offered()
    d.accept(10, 2)
    const accept = d.seq
    d.confirm(21, 2)
    expect(d.names()).toEqual(['quoteFilled', 'rfqFilled', 'operationStarted', 'reply ok', 'reply ok'])
    expect(d.rows[2]).toEqual({
      event: 'operationStarted', at: sec(2), cause: d.seq, account: 10, maker: 21, rfq: 2, generation: 2, position: 1, quote: 2,
      acceptance: 2,
      operation: 2, operationKind: 'cashout', amountMicros: 30_000_000, nextStepAtUs: sec(4),
    })
    expect(d.rows[3]).toEqual({
      event: 'reply', at: sec(2), cause: accept, account: 10, op: 'acceptQuote', code: 'ok', rfq: 2, generation: 2, position: 1,
      quote: 2,
      acceptance: 2, operation: 2, maker: 21, payoutMicros: 30_000_000,
    })
  })

  it('INV-11 INV-17 a filled RFQ is filled once: no quote of it can be accepted any more', () => {
    const d = quoted()
    d.quote(21, 1, usd(90))
    d.accept(10, 1)
    d.confirm(20, 1)
    expect([1, 2].map((quote) => d.accept(10, quote)!.code)).toEqual(['rfqNotOpen', 'rfqNotOpen'])
    expect(d.confirm(20, 1).code).toBe('stateConflict')
    expect(d.decline(20, 1).code).toBe('stateConflict')
  })

  it('OM-193 only the maker of a known quote answers an accept', () => {
    const d = accepted()
    const refused = { event: 'reply', at: 0, code: 'quoteNotFound' }
    expect(d.confirm(21, 1)).toEqual({ ...refused, cause: d.seq, account: 21, op: 'confirmQuote' })
    expect(d.decline(21, 1)).toEqual({ ...refused, cause: d.seq, account: 21, op: 'declineQuote' })
    expect(d.confirm(20, 2)).toEqual({ ...refused, cause: d.seq, account: 20, op: 'confirmQuote' })
    expect(d.decline(20, 2)).toEqual({ ...refused, cause: d.seq, account: 20, op: 'declineQuote' })
    for (const quote of [NaN, 0.5, 2 ** 53]) {
      expect(d.confirm(20, quote)).toMatchObject({ code: 'invalidRequest', invalidField: InvalidField.quote })
      expect(d.decline(20, quote)).toMatchObject({ code: 'invalidRequest', invalidField: InvalidField.quote })
    }
  })

  it('OM-195 a quote that is not accepted cannot be confirmed or declined', () => {
    const d = quoted()
    expect([d.confirm(20, 1).code, d.decline(20, 1).code]).toEqual(['stateConflict', 'stateConflict'])
    d.cancelQuote(20, 1)
    expect([d.confirm(20, 1).code, d.decline(20, 1).code]).toEqual(['stateConflict', 'stateConflict'])
  })

  it('OM-215 OM-213 the authority of a confirmation is the maker\'s signer of that moment', () => {
    const d = accepted()
    d.setSigner(20, 500)
    expect(d.confirm(20, 1, { signer: 20 })).toEqual({
      event: 'reply', at: 0, cause: d.seq, account: 20, op: 'confirmQuote', code: 'wrongAuthority', rfq: 1, generation: 1, quote: 1,
    })
    expect(d.confirm(20, 1, { signer: 500 }).code).toBe('ok')
  })

  it('OM-212 OM-016 a confirmation signs its own acceptance', () => {
    const d = accepted()
    expect(d.confirm(20, 1, { termsTag: 5 }).code).toBe('invalidSignature')
    expect(d.confirm(20, 1, { signer: -1 }).code).toBe('invalidSignature')
    d.confirm(20, 1, { signer: 21 })
    expect(d.names()).toEqual(['reply wrongAuthority'])
    const { termsTag } = d.command
    d.create(10)
    d.quote(20, 2, usd(100))
    d.accept(10, 2)
    expect(d.confirm(20, 2, { termsTag }).code).toBe('invalidSignature')
    expect(d.confirm(20, 1).code).toBe('ok')
  })

  it.each<[string, (d: Driver) => unknown, string]>([
    ['resolved', (d) => d.resolve(2, 'no'), 'stateConflict'],
    ['halted', (d) => d.halt(2), 'ok'],
    ['delisted', (d) => d.send('delistOutcome', -1, { outcome: 2 }), 'ok'],
    ['closed', (d) => d.list(2, 1_002, sec(1)), 'ok'],
  ])('OM-195 a leg that is %s since the accept: %s', (_, change, code) => {
    const d = accepted()
    change(d)
    expect(d.at(sec(2)).confirm(20, 1).code).toBe(code)
  })

  it('OM-195 OM-267 a cash-out whose position is decided meanwhile can only fail, and is cancelled then', () => {
    const d = offered()
    d.quote(22, 2, usd(20))
    d.accept(10, 2)
    d.resolve(1, 'no')
    expect(d.names()).toEqual(['outcomeResolved', 'reply ok'])
    expect(d.confirm(21, 2).code).toBe('stateConflict')
    expect(d.decline(21, 2).code).toBe('ok')
    expect(d.names()).toEqual(['quoteFailed', 'quoteDead', 'bestQuoteChanged', 'rfqCancelled', 'reply declined', 'reply ok'])
    expect(d.of('rfqCancelled')).toMatchObject([{ reason: 'decided', owner: 10, rfq: 2, generation: 2, position: 1 }])
    expect(d.view.rfq(2)).toMatchObject({ state: RfqState.cancelled })
    expect(d.accept(10, 3)!.code).toBe('rfqNotOpen')
    expect(d.view.openRfqsOf(10)).toEqual([])
  })

  it('OM-227 OM-007 confirming stops while financial actions are off, declining does not', () => {
    const d = accepted()
    d.fault('financialActionsDisabled', 1)
    expect(d.confirm(20, 1)).toEqual({
      event: 'reply', at: 0, cause: d.seq, account: 20, op: 'confirmQuote', code: 'financialActionsDisabled',
    })
    expect(d.decline(20, 1).code).toBe('ok')
    expect(d.accept(10, 1)!.code).toBe('financialActionsDisabled')
  })
})

describe('declining', () => {
  it('OM-007 OM-083 OM-267 releases what was reserved and answers both at once', () => {
    const d = accepted()
    const accept = d.seq
    expect(d.at(ms(500)).decline(20, 1)).toEqual({
      event: 'reply', at: ms(500), cause: d.seq, account: 20, op: 'declineQuote', code: 'ok', rfq: 1, generation: 2, quote: 1,
      acceptance: 1,
    })
    expect(d.names()).toEqual(['quoteFailed', 'reply declined', 'reply ok'])
    expect(d.rows[0]).toMatchObject({ isDeclined: 1, acceptance: 1, generation: 2 })
    expect(d.rows[1]).toMatchObject({
      cause: accept, account: 10, op: 'acceptQuote', maker: 20, betMicros: 25_000_000, payoutMicros: 100_000_000,
    })
    expect(d.rows[1]).not.toHaveProperty('operation')
    expect(d.view.acceptance(1)).toMatchObject({ state: AcceptanceState.declined })
    expect(d.balances(10, 20)).toEqual([[usd(1000), 0], [usd(1000), 0]])
    expect(d.pulse(sec(3))).toEqual([])
  })

  it('OM-203 OM-267 the generation rises by 1 with each resolved acceptance, whatever its end', () => {
    const d = accepted()
    const generation = (): number => d.view.rfq(1)!.generation
    d.decline(20, 1)
    expect(generation()).toBe(2)
    d.quote(20, 1, usd(100), { expiryS: unix(30) })
    expect(d.view.quote(2)).toMatchObject({ generation: 2 })
    d.accept(10, 2)
    expect(generation()).toBe(2)
    d.pulse(sec(2) + 1)
    expect(generation()).toBe(3)
    d.quote(20, 1, usd(100), { expiryS: unix(30) })
    d.accept(10, 3)
    d.confirm(20, 3)
    expect(generation()).toBe(4)
  })
})
