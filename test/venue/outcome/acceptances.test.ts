import { describe, expect, it } from 'vitest'
import { InvalidField } from '../../../src/venue/outcome/protocol/codes.ts'
import { AcceptanceState, OutcomeEvent, QuoteState, RfqState, STREAM_EVENT_NAMES } from '../../../src/venue/outcome/protocol/events.ts'
import type { OutcomeProfile } from '../../../src/venue/outcome/protocol/profile.ts'
import { type Driver, ms, sec, T0, table, unix, usd } from './driver.ts'

const DAY = 86_400

/** Quote 1 of maker 20 on RFQ 1 of participant 10: 25 USDC (24.95 net) for 100, at risk 75.05. */
function quoted(overrides: Partial<OutcomeProfile> = {}): Driver {
  const d = table(overrides)
  d.create(10)
  d.quote(20, 1, usd(100), { expiryS: unix(30) })
  return d
}

function accepted(overrides: Partial<OutcomeProfile> = {}): Driver {
  const d = quoted(overrides)
  d.accept(10, 1)
  return d
}

/** Quote 2 of maker 21 on RFQ 2: 30 USDC for position 1 of participant 10, which maker 20 backs; at 2 s. */
function selling(overrides: Partial<OutcomeProfile> = {}): Driver {
  const d = table(overrides)
  d.cashout(10, d.open(10, 20, usd(100)))
  d.quote(21, 2, usd(30))
  return d
}

const quoteState = (d: Driver, quote: number): number | undefined => d.view.quote(quote)?.state

describe('accepting', () => {
  it('OM-153 OM-008 tells the maker, reserves both sides, and fills nothing', () => {
    const d = quoted()
    expect(d.accept(10, 1, { key: 9 })).toBeUndefined()
    expect(d.names()).toEqual(['quoteAccepted', 'bestQuoteChanged'])
    expect(d.rows[0]).toEqual({
      event: 'quoteAccepted', at: 0, cause: d.seq, account: 20, other: 10, rfq: 1, generation: 1, quote: 1, acceptance: 1, oddsE4: 40_080,
      amountA: 75_050_000, amountB: 25_000_000, amountC: 24_950_000, amountD: 100_000_000, until: sec(2), list: [1, 1, 2, 0],
    })
    expect(STREAM_EVENT_NAMES[OutcomeEvent.quoteAccepted]).toBe('QUOTE_ACCEPTED')
    expect(d.moved).toEqual(['hold: free 10 -> reserved 10 25000000', 'hold: free 20 -> reserved 20 75050000'])
    expect(d.balances(10, 20)).toEqual([[usd(975), usd(25)], [924_950_000, 75_050_000]])
    expect([d.view.position(1), d.view.operation(1)]).toEqual([null, null])
  })

  it('OM-053 OM-047 OM-080 the acceptance is accepted, and its key is the accept\'s', () => {
    const d = quoted()
    d.at(sec(1)).accept(10, 1, { key: 9 })
    const acceptance = {
      number: 1, key: 9, quote: 1, rfq: 1, taker: 10, maker: 20, state: AcceptanceState.accepted, acceptedAtUs: T0 + sec(1),
      confirmUntilUs: T0 + sec(3), stakeMicros: 25_000_000, coreMicros: 0, operation: -1,
    }
    expect(d.view.acceptance(1)).toEqual(acceptance)
    expect(d.view.acceptanceOfQuote(1)).toEqual(acceptance)
    expect(d.view.acceptancesOf(20)).toEqual([1])
    expect(d.view.rfq(1)).toMatchObject({ state: RfqState.inFlight, acceptedQuote: 1, generation: 1 })
    expect(quoteState(d, 1)).toBe(QuoteState.accepted)
  })

  it('OM-153 a cash-out reserves the buyer\'s price, and the backing maker\'s not', () => {
    const d = selling()
    d.quote(20, 2, usd(40))
    d.accept(10, 3)
    expect(d.moved).toEqual([])
    expect(d.rows[0]).toEqual({
      event: 'quoteAccepted', at: sec(2), cause: d.seq, account: 20, other: 10, rfq: 2, generation: 1, position: 1, quote: 3, acceptance: 2,
      amountA: 40_000_000, amountD: 40_000_000, until: sec(4), list: [1, 1, 2, 0],
    })
    expect(d.view.acceptance(2)).toMatchObject({ stakeMicros: -1, coreMicros: 0 })
    d.decline(20, 3)
    expect(d.moved).toEqual([])
    d.accept(10, 2)
    expect(d.moved).toEqual(['hold: free 21 -> reserved 21 30000000'])
  })

  it.each([[0, 'invalidIdempotencyKey'], [1, undefined], [268_435_455, undefined], [268_435_456, 'invalidIdempotencyKey'],
    [-1, 'invalidIdempotencyKey'], [-2, 'invalidIdempotencyKey'], [1.5, 'invalidIdempotencyKey'], [NaN, 'invalidIdempotencyKey']])(
    'OM-080 with key %d: %s', (key, code) => {
      const d = quoted()
      const reply = d.accept(10, 1, { key })
      expect(reply?.code).toBe(code)
      if (code !== undefined) expect(reply).toEqual({ event: 'reply', at: 0, cause: d.seq, account: 10, op: 'acceptQuote', code })
    },
  )

  it('OM-081 OM-194 a key that made an acceptance is taken for every quote of the account, not for others', () => {
    const d = quoted()
    d.create(10)
    d.quote(20, 2, usd(100))
    d.create(11)
    d.quote(20, 3, usd(100))
    d.accept(10, 1, { key: 7 })
    d.decline(20, 1)
    expect(d.accept(10, 2, { key: 7 })).toEqual({
      event: 'reply', at: 0, cause: d.seq, account: 10, op: 'acceptQuote', code: 'idempotencyKeyReused',
    })
    expect(d.accept(10, 1, { key: 7 })!.code).toBe('idempotencyKeyReused')
    expect(d.accept(10, 1, { key: 8 })!.code).toBe('stateConflict')
    expect(d.accept(11, 3, { key: 7 })).toBeUndefined()
    expect(d.accept(10, 2, { key: 8 })).toBeUndefined()
  })

  it('OM-081 a refused accept takes no key, and a key is free again after its retention', () => {
    const d = quoted({ acceptKeyRetentionMs: DAY * 1000 })
    expect(d.accept(10, 1, { key: 7, signer: 3 })!.code).toBe('wrongAuthority')
    d.accept(10, 1, { key: 7 })
    d.decline(20, 1)
    d.at(sec(DAY) - 1).create(10)
    d.quote(20, 2, usd(100))
    expect(d.accept(10, 2, { key: 7 })!.code).toBe('idempotencyKeyReused')
    expect(d.at(sec(DAY)).accept(10, 2, { key: 7 })).toBeUndefined()
  })
})

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
      event: 'reply', at: sec(2) + 1, cause: d.seq, account: 20, op: 'confirmQuote', code: 'stateConflict', rfq: 1, generation: 2, quote: 1,
    })
    expect(d.rows.slice(0, 2)).toEqual([
      { event: 'quoteFailed', at: sec(2) + 1, cause: -1, account: 20, other: 10, rfq: 1, generation: 2, quote: 1, acceptance: 1, amountA: 0 },
      {
        event: 'reply', at: sec(2) + 1, cause: accept, account: 10, op: 'acceptQuote', code: 'timedOut', rfq: 1, generation: 2, quote: 1,
        acceptance: 1, other: 20, oddsE4: 40_080, amountB: 25_000_000, amountD: 100_000_000,
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
    expect([quoteState(d, 1), quoteState(d, 2)]).toEqual([QuoteState.failed, QuoteState.live])
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
  it('OM-006 OM-007 create, quote, accept and confirm lead to a fill', () => {
    const d = quoted()
    d.quote(21, 1, usd(90))
    d.quote(22, 1, usd(80))
    d.accept(10, 1)
    const accept = d.seq
    expect(d.at(sec(1)).confirm(20, 1)).toEqual({
      event: 'reply', at: sec(1), cause: d.seq, account: 20, op: 'confirmQuote', code: 'ok', rfq: 1, generation: 2, quote: 1, acceptance: 1,
      operation: 1,
    })
    const row = { at: sec(1), cause: d.seq, rfq: 1, generation: 2 }
    expect(d.rows.slice(0, -1)).toEqual([
      { ...row, event: 'quoteFilled', account: 20, other: 10, quote: 1, acceptance: 1, operation: 1 },
      { ...row, event: 'quoteDead', account: 21, other: 10, quote: 2 },
      { ...row, event: 'quoteDead', account: 22, other: 10, quote: 3 },
      { ...row, event: 'bestQuoteChanged', other: 10 },
      { ...row, event: 'rfqFilled', account: 10, quote: 1, acceptance: 1 },
      {
        ...row, event: 'operationStarted', account: 10, other: 20, quote: 1, acceptance: 1, operation: 1, code: 'fill', amountA: 100_050_000,
        until: sec(3),
      },
      {
        ...row, event: 'reply', cause: accept, account: 10, op: 'acceptQuote', code: 'ok', quote: 1, acceptance: 1, operation: 1, other: 20,
        oddsE4: 40_080, amountB: 25_000_000, amountD: 100_000_000,
      },
    ])
    expect(d.moved).toEqual([])
    expect(d.view.acceptance(1)).toMatchObject({ state: AcceptanceState.confirmed, operation: 1 })
    expect(d.view.rfq(1)).toMatchObject({ state: RfqState.filled, acceptedQuote: -1, bestQuote: -1 })
    expect([1, 2, 3].map((quote) => quoteState(d, quote))).toEqual([QuoteState.filled, QuoteState.dead, QuoteState.dead])
    d.pulse(sec(3))
    expect(d.view.position(1)).toMatchObject({ holder: 10, backer: 20, rfq: 1, quote: 1 })
  })

  it('OM-009 a cash-out is accepted and confirmed like an entry', () => {
    const d = selling()
    d.accept(10, 2)
    const accept = d.seq
    d.confirm(21, 2)
    expect(d.names()).toEqual(['quoteFilled', 'rfqFilled', 'operationStarted', 'reply ok', 'reply ok'])
    expect(d.rows[2]).toEqual({
      event: 'operationStarted', at: sec(2), cause: d.seq, account: 10, other: 21, rfq: 2, generation: 2, position: 1, quote: 2, acceptance: 2,
      operation: 2, code: 'cashout', amountA: 30_000_000, until: sec(4),
    })
    expect(d.rows[3]).toEqual({
      event: 'reply', at: sec(2), cause: accept, account: 10, op: 'acceptQuote', code: 'ok', rfq: 2, generation: 2, position: 1, quote: 2,
      acceptance: 2, operation: 2, other: 21, amountD: 30_000_000,
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
    expect(d.confirm(21, 1)).toEqual({ ...refused, cause: d.seq, account: 21, op: 'confirmQuote', rfq: 1, generation: 1, quote: 1 })
    expect(d.decline(21, 1)).toEqual({ ...refused, cause: d.seq, account: 21, op: 'declineQuote', rfq: 1, generation: 1, quote: 1 })
    expect(d.confirm(20, 2)).toEqual({ ...refused, cause: d.seq, account: 20, op: 'confirmQuote' })
    expect(d.decline(20, 2)).toEqual({ ...refused, cause: d.seq, account: 20, op: 'declineQuote' })
    for (const quote of [NaN, 0.5, 2 ** 53]) {
      expect(d.confirm(20, quote)).toMatchObject({ code: 'invalidRequest', amountC: InvalidField.quote })
      expect(d.decline(20, quote)).toMatchObject({ code: 'invalidRequest', amountC: InvalidField.quote })
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
    const d = selling()
    d.quote(22, 2, usd(20))
    d.accept(10, 2)
    d.resolve(1, 'no')
    expect(d.names()).toEqual(['outcomeResolved', 'reply ok'])
    expect(d.confirm(21, 2).code).toBe('stateConflict')
    expect(d.decline(21, 2).code).toBe('ok')
    expect(d.names()).toEqual(['quoteFailed', 'quoteDead', 'bestQuoteChanged', 'rfqCancelled', 'reply declined', 'reply ok'])
    expect(d.of('rfqCancelled')).toMatchObject([{ code: 'decided', account: 10, rfq: 2, generation: 2, position: 1 }])
    expect(d.view.rfq(2)).toMatchObject({ state: RfqState.cancelled })
    expect(d.accept(10, 3)!.code).toBe('rfqNotOpen')
    expect(d.view.openRfqsOf(10)).toEqual([])
  })

  it('OM-227 OM-007 confirming stops while financial actions are off, declining does not', () => {
    const d = accepted()
    d.fault('financialActionsDisabled', 1)
    expect(d.confirm(20, 1)).toEqual({ event: 'reply', at: 0, cause: d.seq, account: 20, op: 'confirmQuote', code: 'financialActionsDisabled' })
    expect(d.decline(20, 1).code).toBe('ok')
    expect(d.accept(10, 1)!.code).toBe('financialActionsDisabled')
  })
})

describe('declining', () => {
  it('OM-007 OM-267 releases what was reserved and answers both at once', () => {
    const d = accepted()
    const accept = d.seq
    expect(d.at(ms(500)).decline(20, 1)).toEqual({
      event: 'reply', at: ms(500), cause: d.seq, account: 20, op: 'declineQuote', code: 'ok', rfq: 1, generation: 2, quote: 1, acceptance: 1,
    })
    expect(d.names()).toEqual(['quoteFailed', 'reply declined', 'reply ok'])
    expect(d.rows[0]).toMatchObject({ amountA: 1, acceptance: 1, generation: 2 })
    expect(d.rows[1]).toMatchObject({ cause: accept, account: 10, op: 'acceptQuote', other: 20, amountB: 25_000_000, amountD: 100_000_000 })
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

describe('which quotes can be accepted', () => {
  it('OM-193 an unknown quote, and one on another\'s RFQ, is not found', () => {
    const d = quoted()
    expect(d.accept(11, 1)).toEqual({
      event: 'reply', at: 0, cause: d.seq, account: 11, op: 'acceptQuote', code: 'quoteNotFound', rfq: 1, generation: 1, quote: 1,
    })
    expect(d.accept(10, 2)).toEqual({ event: 'reply', at: 0, cause: d.seq, account: 10, op: 'acceptQuote', code: 'quoteNotFound' })
    for (const quote of [NaN, 0.5, 2 ** 53]) expect(d.accept(10, quote)).toMatchObject({ code: 'invalidRequest', amountC: InvalidField.quote })
  })

  it('OM-204 OM-205 OM-206 an ended quote gives the code of its end, also while the RFQ is in flight', () => {
    const d = table()
    d.create(10)
    d.quote(20, 1, usd(100), { expiryS: unix(3) })
    d.quote(21, 1, usd(90))
    d.quote(21, 1, usd(91))
    d.cancelQuote(21, 3)
    d.quote(22, 1, usd(80))
    d.at(sec(3)).accept(10, 4)
    const codes = [1, 2, 3].map((quote) => d.accept(10, quote)!.code)
    expect(codes).toEqual(['quoteExpired', 'quoteReplaced', 'quoteCancelled'])
  })

  it('OM-195 OM-200 a failed quote is a conflict, a dead or filled one\'s RFQ not open', () => {
    const d = quoted()
    d.quote(21, 1, usd(90))
    d.accept(10, 1)
    d.decline(20, 1)
    expect(d.accept(10, 1)!.code).toBe('stateConflict')
    d.cancel(10, 1)
    expect(d.accept(10, 2)).toEqual({
      event: 'reply', at: 0, cause: d.seq, account: 10, op: 'acceptQuote', code: 'rfqNotOpen', rfq: 1, generation: 2, quote: 2,
    })
  })

  it('OM-202 while one acceptance is pending no other begins', () => {
    const d = quoted()
    d.quote(21, 1, usd(90))
    d.accept(10, 1)
    expect(d.accept(10, 2)).toEqual({
      event: 'reply', at: 0, cause: d.seq, account: 10, op: 'acceptQuote', code: 'rfqGenerationInFlight', rfq: 1, generation: 1, quote: 2,
    })
    expect(d.accept(10, 1)!.code).toBe('rfqGenerationInFlight')
  })

  it.each([[-1, undefined], [2, undefined], [1, 'rfqGenerationStale'], [3, 'rfqGenerationStale'], [0, 'invalidRequest'], [NaN, 'invalidRequest']])(
    'OM-201 naming generation %d where the second one is: %s', (generation, code) => {
      const d = quoted()
      d.quote(21, 1, usd(90))
      d.accept(10, 1)
      d.decline(20, 1)
      expect(d.accept(10, 2, { generation })?.code).toBe(code)
    },
  )

  it('OM-265 OM-266 a live quote can be accepted after the window, up to its expiry', () => {
    const d = quoted()
    expect(d.at(sec(30) - 1).accept(10, 1)).toBeUndefined()
    expect(d.confirm(20, 1).code).toBe('ok')
    const late = quoted()
    expect(late.at(sec(30)).accept(10, 1)!.code).toBe('quoteExpired')
  })

  it('OM-265 with a strict window only up to its end', () => {
    const d = quoted({ strictWindow: 1 })
    expect(d.at(sec(20)).accept(10, 1)).toMatchObject({ code: 'rfqNotOpen', quote: 1 })
    const early = quoted({ strictWindow: 1 })
    expect(early.at(sec(20) - 1).accept(10, 1)).toBeUndefined()
  })

  it('INV-25 INV-14 no quote is accepted at or after its expiry, however its deadlines fall', () => {
    const d = quoted()
    d.quote(20, 1, usd(100), { expiryS: unix(4) })
    expect(d.at(sec(4)).accept(10, 2)!.code).toBe('quoteExpired')
    d.quote(20, 1, usd(100), { expiryS: unix(8) })
    expect(d.at(sec(8) - 1).accept(10, 3)).toBeUndefined()
    expect(d.pulse(sec(8)).map((row) => row.event)).toEqual([])
    expect(d.confirm(20, 3).code).toBe('ok')
  })

  it('OM-207 a quote signed by another than the maker\'s current signer is stale', () => {
    const d = quoted()
    d.setSigner(20, 500)
    expect(d.accept(10, 1)).toEqual({
      event: 'reply', at: 0, cause: d.seq, account: 10, op: 'acceptQuote', code: 'quoteSignerChanged', rfq: 1, generation: 1, quote: 1,
    })
    d.setSigner(20, 20)
    expect(d.accept(10, 1)).toBeUndefined()
  })

  it('OM-214 OM-213 OM-016 the authority of an accept is the account\'s wallet', () => {
    const d = quoted()
    expect(d.accept(10, 1, { signer: 11 })).toEqual({
      event: 'reply', at: 0, cause: d.seq, account: 10, op: 'acceptQuote', code: 'wrongAuthority', rfq: 1, generation: 1, quote: 1,
    })
    expect(d.accept(10, 1, { signer: -1 })!.code).toBe('invalidSignature')
    expect(d.accept(10, 1, { termsTag: 4 })!.code).toBe('invalidSignature')
    expect(d.accept(10, 1)).toBeUndefined()
  })

  it('OM-214 a holder that is a maker accepts with its wallet too, not with its quote signer', () => {
    const d = selling()
    d.accept(10, 2)
    d.confirm(21, 2)
    d.pulse(sec(4))
    d.setSigner(21, 500)
    d.cashout(21, 1)
    d.quote(22, 3, usd(30))
    expect(d.accept(21, 3, { signer: 500 })!.code).toBe('wrongAuthority')
    expect(d.accept(21, 3, { signer: 21 })).toBeUndefined()
  })

  it.each<[string, (d: Driver) => unknown, string | undefined]>([
    ['delisted', (d) => d.send('delistOutcome', -1, { outcome: 2 }), 'stateConflict'],
    ['halted', (d) => d.halt(2), 'stateConflict'],
    ['resolved', (d) => d.resolve(2, 'no'), 'stateConflict'],
    ['closed at this instant', (d) => d.list(2, 1_002, sec(5)), 'stateConflict'],
    ['about to close', (d) => d.list(2, 1_002, sec(5) + 1), undefined],
    ['halted and resumed', (d) => (d.halt(2), d.send('resumeOutcome', -1, { outcome: 2 })), undefined],
  ])('OM-195 a leg that is %s: %s', (_, change, code) => {
    const d = quoted()
    change(d)
    expect(d.at(sec(5)).accept(10, 1)?.code).toBe(code)
  })

  it('OM-009 OM-195 the legs of a cash-out may be halted, delisted or closed', () => {
    const d = selling()
    d.at(sec(3)).halt(1)
    d.send('delistOutcome', -1, { outcome: 2 })
    expect(d.accept(10, 2)).toBeUndefined()
  })
})

describe('money of an accept', () => {
  it('OM-195 the taker needs the stake free, to the micro-unit', () => {
    const d = quoted()
    d.withdraw(10, usd(975) + 1)
    expect(d.accept(10, 1)).toEqual({
      event: 'reply', at: 0, cause: d.seq, account: 10, op: 'acceptQuote', code: 'stateConflict', rfq: 1, generation: 1, quote: 1,
    })
    d.deposit(10, 1)
    expect(d.accept(10, 1)).toBeUndefined()
  })

  it('OM-208 the maker needs the risk free, to the micro-unit, and the reply says how much', () => {
    const d = quoted()
    d.reduce(20, usd(1000) - 75_049_999)
    expect(d.accept(10, 1)).toEqual({
      event: 'reply', at: 0, cause: d.seq, account: 10, op: 'acceptQuote', code: 'quoteCapacityExceeded', rfq: 1, generation: 1, quote: 1,
      amountC: 75_050_000, amountD: 75_049_999,
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
    expect(d.accept(11, 2)).toMatchObject({ code: 'quoteCapacityExceeded', amountC: 75_050_000 })
    d.decline(20, 1)
    expect(d.accept(11, 2)).toBeUndefined()
  })

  it.each([[-1, undefined], [0, undefined], [usd(25), undefined], [usd(25) + 1, 'invalidRequest'], [-2, 'invalidRequest'], [0.5, 'invalidRequest'],
    [NaN, 'invalidRequest']])('OM-228 a core part of %d micros of 25 USDC: %s', (coreMicros, code) => {
    const d = quoted()
    const reply = d.accept(10, 1, { coreMicros })
    expect(reply?.code).toBe(code)
    if (code !== undefined) expect(reply).toEqual({ event: 'reply', at: 0, cause: d.seq, account: 10, op: 'acceptQuote', code, amountC: InvalidField.core })
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
    expect(d.deposit(11, 1)).toMatchObject({ code: 'invalidRequest', amountC: InvalidField.amount })
    d.confirm(20, 1)
    expect(d.deposit(11, 1).code).toBe('invalidRequest')
    d.pulse(sec(2))
    expect(d.view.totals().netDepositsMicros).toBe(4e15)
    expect(d.deposit(11, 1).code).toBe('invalidRequest')
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
      if (code !== undefined) expect(reply).toMatchObject({ amountC: InvalidField.validBefore })
    },
  )

  it('OM-270 OM-271 valid_before is measured from now and from valid_after, to the microsecond', () => {
    const fields = (after: number, before: number) => ({ validAfterS: unix(after), validBeforeS: unix(before) })
    expect(quoted().at(1).accept(10, 1, fields(0, 5))!.code).toBe('invalidRequest')
    expect(quoted().at(1).accept(10, 1, fields(0, 6))).toBeUndefined()
    expect(quoted().accept(10, 1, fields(-896, 5))!.code).toBe('invalidRequest')
    expect(quoted().accept(10, 1, fields(-895, 5))).toBeUndefined()
  })

  it.each([[unix(0), undefined], [unix(1), 'invalidRequest'], [-1, 'invalidRequest'], [unix(0) - 0.5, 'invalidRequest'], [NaN, 'invalidRequest']])(
    'OM-271 valid_after %d: %s', (validAfterS, code) => {
      const reply = quoted().accept(10, 1, { validAfterS })
      expect(reply?.code).toBe(code)
      if (code !== undefined) expect(reply).toMatchObject({ amountC: InvalidField.validAfter })
    },
  )

  it('OM-270 a cash-out has no funding', () => {
    expect(selling().accept(10, 2, { validAfterS: NaN, validBeforeS: -5, coreMicros: 9e9 })).toBeUndefined()
  })
})

it('OM-059 an accept is answered in the order of its checks', () => {
  const d = quoted({ strictWindow: 1 })
  d.quote(21, 1, usd(90), { expiryS: unix(30) })
  d.at(sec(1)).accept(10, 2, { key: 1 })
  const accept = (quote: number, fields = {}): [string, unknown] => {
    const row = d.accept(10, quote, fields)!
    return [row.code!, row.code === 'invalidRequest' ? row['amountC'] : 0]
  }
  const funds = { validAfterS: -5, validBeforeS: -5, coreMicros: -5 }
  d.fault('financialActionsDisabled', 1)
  expect(accept(0.5, { key: 0, generation: 0 })).toEqual(['invalidIdempotencyKey', 0])
  expect(accept(0.5, { key: 1, generation: 0 })).toEqual(['invalidRequest', InvalidField.quote])
  expect(accept(9, { key: 1, generation: 0 })).toEqual(['invalidRequest', InvalidField.generation])
  expect(accept(9, { key: 1 })).toEqual(['financialActionsDisabled', 0])
  d.at(sec(1) + 1).fault('financialActionsDisabled', 0)
  expect(accept(9, { key: 1 })).toEqual(['quoteNotFound', 0])
  expect(accept(1, { key: 1, generation: 9 })).toEqual(['idempotencyKeyReused', 0])
  expect(accept(1, { generation: 9, ...funds })).toEqual(['rfqGenerationInFlight', 0])
  d.decline(21, 2)
  expect(accept(2, { generation: 9, ...funds })).toEqual(['stateConflict', 0])
  expect(accept(1, { generation: 9, ...funds })).toEqual(['rfqGenerationStale', 0])
  expect(accept(1, { ...funds })).toEqual(['invalidRequest', InvalidField.core])
  expect(accept(1, { ...funds, coreMicros: 1 })).toEqual(['invalidRequest', InvalidField.validAfter])
  expect(accept(1, { ...funds, coreMicros: 1, validAfterS: unix(0) })).toEqual(['invalidRequest', InvalidField.validBefore])
  d.setSigner(20, 500)
  d.at(sec(1) + 2).halt(1)
  d.fault('coreFundingUnavailable', 1)
  d.reduce(20, usd(990), { signer: 20 })
  d.withdraw(10, usd(990))
  const poor = { coreMicros: usd(1) }
  expect(accept(1, { ...poor, termsTag: 1, signer: 3 })).toEqual(['quoteSignerChanged', 0])
  d.setSigner(20, 20)
  expect(accept(1, { ...poor, termsTag: 1, signer: 3 })).toEqual(['invalidSignature', 0])
  expect(accept(1, { ...poor, signer: 3 })).toEqual(['wrongAuthority', 0])
  expect(accept(1, poor)).toEqual(['stateConflict', 0])
  d.at(sec(1) + 3).send('resumeOutcome', -1, { outcome: 1 })
  expect(accept(1, poor)).toEqual(['coreFundingUnavailable', 0])
  d.at(sec(1) + 4).fault('coreFundingUnavailable', 0)
  expect(accept(1, poor)).toEqual(['coreMoveInFlight', 0])
  expect(accept(1)).toEqual(['stateConflict', 0])
  d.pulse(sec(4))
  expect(accept(1, poor)).toEqual(['coreVaultReservation', 0])
  expect(accept(1, { coreMicros: usd(25) })).toEqual(['quoteCapacityExceeded', 0])
  expect(d.at(sec(20)).accept(10, 1, { generation: 9, ...funds })!.code).toBe('rfqNotOpen')
})
