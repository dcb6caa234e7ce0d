import { describe, expect, it } from 'vitest'
import { InvalidField } from '../../../src/venue/outcome/protocol/codes.ts'
import {
  AcceptanceState, OutcomeEvent, QuoteState, RfqState, STREAM_EVENT_NAMES,
} from '../../../src/venue/outcome/protocol/events.ts'
import { type Driver, sec, T0, table, unix, usd } from './driver.ts'
import { offered, quoted } from './scenes.ts'

const stateOf = (d: Driver, quote: number): number | undefined => d.view.quote(quote)?.state

const DAY = 86_400

describe('accepting', () => {
  it('OM-008 OM-078 OM-153 tells the maker, reserves both sides, and fills nothing', () => {
    const d = quoted()
    expect(d.accept(10, 1, { key: 9 })).toBeUndefined()
    expect(d.names()).toEqual(['quoteAccepted', 'bestQuoteChanged'])
    expect(d.rows[0]).toEqual({
      event: 'quoteAccepted', at: 0, cause: d.seq, maker: 20, owner: 10, rfq: 1, generation: 1, quote: 1, acceptance: 1,
      oddsE4: 40_080,
      riskMicros: 75_050_000, betMicros: 25_000_000, netStakeMicros: 24_950_000, payoutMicros: 100_000_000, confirmUntilUs: sec(2), list: [1, 1, 2, 0],
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
    expect(stateOf(d, 1)).toBe(QuoteState.accepted)
  })

  it('OM-013 OM-082 OM-085 an accept whose answer was lost is found by its quote, and a maker\'s acceptances by the maker', () => {
    const d = quoted()
    d.quote(21, 1, usd(90))
    d.create(11)
    d.quote(20, 2, usd(100))
    d.accept(11, 3, { key: 5 })
    d.accept(10, 1, { key: 6 })
    d.decline(20, 1)
    d.accept(10, 2, { key: 7 })
    d.confirm(21, 2)
    const found = [1, 2, 3].map((quote) => d.view.acceptanceOfQuote(quote)!)
    expect(found.map(({ number, key, quote, state }) => [number, key, quote, state])).toEqual([
      [2, 6, 1, AcceptanceState.declined], [3, 7, 2, AcceptanceState.confirmed], [1, 5, 3, AcceptanceState.accepted],
    ])
    expect([20, 21, 22].map((maker) => d.view.acceptancesOf(maker))).toEqual([[1, 2], [3], []])
    d.quote(22, 2, usd(95))
    expect([d.view.acceptanceOfQuote(4), d.view.acceptanceOfQuote(9)]).toEqual([null, null])
  })

  it('OM-153 a cash-out reserves the buyer\'s price, and the backing maker\'s not', () => {
    const d = offered()
    d.quote(20, 2, usd(40))
    d.accept(10, 3)
    expect(d.moved).toEqual([])
    expect(d.rows[0]).toEqual({
      event: 'quoteAccepted', at: sec(2), cause: d.seq, maker: 20, owner: 10, rfq: 2, generation: 1, position: 1, quote: 3,
      acceptance: 2,
      priceMicros: 40_000_000, payoutMicros: 40_000_000, confirmUntilUs: sec(4), list: [1, 1, 2, 0],
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
      expect(d.view.acceptance(1)?.key).toBe(code === undefined ? key : undefined)
      if (code !== undefined) expect(reply).toEqual({ event: 'reply', at: 0, cause: d.seq, account: 10, op: 'acceptQuote', code })
    },
  )

  it('OM-081 OM-194 INV-24 a key that made an acceptance is taken for every quote of the account, not for others', () => {
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
    expect([d.view.acceptance(1)?.key, d.view.acceptance(2), d.moved]).toEqual([7, null, []])
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

describe('which quotes can be accepted', () => {
  it('OM-193 an unknown quote, and one on another\'s RFQ, is not found', () => {
    const d = quoted()
    expect(d.accept(11, 1)).toEqual({ event: 'reply', at: 0, cause: d.seq, account: 11, op: 'acceptQuote', code: 'quoteNotFound' })
    expect(d.accept(10, 2)).toEqual({ event: 'reply', at: 0, cause: d.seq, account: 10, op: 'acceptQuote', code: 'quoteNotFound' })
    for (const quote of [NaN, 0.5, 2 ** 53]) {
      expect(d.accept(10, quote)).toMatchObject({ code: 'invalidRequest', invalidField: InvalidField.quote })
    }
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
      event: 'reply', at: 0, cause: d.seq, account: 10, op: 'acceptQuote', code: 'rfqGenerationInFlight', rfq: 1, generation: 1,
      quote: 2,
    })
    expect(d.accept(10, 1)!.code).toBe('rfqGenerationInFlight')
  })

  it.each([
    [-1, undefined], [2, undefined], [1, 'rfqGenerationStale'], [3, 'rfqGenerationStale'], [0, 'invalidRequest'],
    [NaN, 'invalidRequest'],
  ])(
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

  it('INV-25 no quote is accepted at or after its expiry, however its deadlines fall', () => {
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
      event: 'reply', at: 0, cause: d.seq, account: 10, op: 'acceptQuote', code: 'quoteSignerChanged', rfq: 1, generation: 1,
      quote: 1,
    })
    d.setSigner(20, 20)
    d.setSigner(21, 500)
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
    const d = offered()
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

  it.each([[21, 100, 'stateConflict'], [20, 101, 'stateConflict'], [19, 99, 'stateConflict'], [20, 100, undefined]])(
    'OM-195 OM-252 an entry quote made at 20 and 100 bps while %d and %d are in force: %s', (takerFeeBps, feeBps, code) => {
      const d = quoted()
      d.setFees(333, 333)
      d.setFees(takerFeeBps, feeBps)
      expect(d.accept(10, 1)?.code).toBe(code)
      if (code === undefined) return
      expect(d.rows).toEqual([{
        event: 'reply', at: 0, cause: d.seq, account: 10, op: 'acceptQuote', code, rfq: 1, generation: 1, quote: 1,
      }])
      // Made anew at the rates in force it is taken; another signature is told first.
      expect(d.accept(10, 1, { signer: -1 })!.code).toBe('invalidSignature')
      d.quote(20, 1, usd(100))
      expect(d.accept(10, 2)).toBeUndefined()
      expect(d.view.quote(2)).toMatchObject({ takerFeeBps, feeBps })
    },
  )

  it('OM-253 a cash-out keeps the rate of its position, and is accepted at whatever is in force', () => {
    const d = offered()
    d.setFees(21, 101)
    expect(d.accept(10, 2)).toBeUndefined()
  })

  it('OM-009 OM-195 the legs of a cash-out may be halted, delisted or closed', () => {
    const d = offered()
    d.at(sec(3)).halt(1)
    d.send('delistOutcome', -1, { outcome: 2 })
    expect(d.accept(10, 2)).toBeUndefined()
  })
})

it('OM-059 an accept is answered in the order of its checks', () => {
  const d = quoted({ strictWindow: 1 })
  d.quote(21, 1, usd(90), { expiryS: unix(30) })
  d.at(sec(1)).accept(10, 2, { key: 1 })
  const accept = (quote: number, fields = {}): [string, unknown] => {
    const row = d.accept(10, quote, fields)!
    return [row.code!, row.code === 'invalidRequest' ? row['invalidField'] : 0]
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
