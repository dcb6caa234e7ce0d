import { describe, expect, it } from 'vitest'
import { PostingRows } from '../../../src/ledger/postingRows.ts'
import { rowOfKind } from '../../../src/venue/eventCells.ts'
import { EventRows } from '../../../src/venue/eventRows.ts'
import type { OutcomeOp } from '../../../src/venue/outcome/protocol/commands.ts'
import { OutcomeEvent, type OutcomeKind, Reply } from '../../../src/venue/outcome/protocol/events.ts'
import { cheapTermsTag, SignedTerms, TERMS_FIELDS, TermsKind } from '../../../src/venue/outcome/protocol/terms.ts'
import { outcomeVenue } from '../../../src/venue/outcome/venue.ts'
import { Driver, type Row, sec, T0, table, unix, usd } from './driver.ts'
import { BindAccount } from '../../../src/venue/outcome/protocol/commands.ts'

type Fields = Partial<Record<string, number>>
type TermsField = (typeof TERMS_FIELDS)[number]

const PAYOUT = 99_800_000
const LEGS = [[1, 1], [2, 0]] as const
/** In force, in bps: the profile's. */
const RATES = { takerFeeBps: 20, feeBps: 100 }

/** A signed command: what is sent, and what its signer must have put its name to. */
interface Signed {
  readonly op: keyof typeof OutcomeOp
  readonly account: number
  readonly fields: Fields
  readonly kind: keyof typeof TermsKind
  readonly terms: Partial<Record<TermsField, number>>
  readonly legs: readonly (readonly [outcome: number, side: number])[]
}

function termsOf(signed: Signed): SignedTerms {
  const terms = new SignedTerms().reset(TermsKind[signed.kind], signed.account)
  Object.assign(terms, signed.terms)
  for (const [outcome, side] of signed.legs) terms.leg(outcome, side)
  return terms
}

const sendAs = (d: Driver, { op, account, fields }: Signed, signer: number, termsTag: number): Row | undefined =>
  d.send(op, account, { ...fields, signer, termsTag })

const WITHDRAWAL: Signed = {
  op: 'withdraw', account: 10, kind: 'withdrawal', legs: [],
  fields: { key: 55, amountMicros: usd(7), exitUntilS: unix(60), validAfterS: unix(0), validBeforeS: unix(400) },
  terms: { key: 55, payoutMicros: usd(7), ...RATES, expiryS: unix(60), validAfterS: unix(0), validBeforeS: unix(400) },
}
const REDUCTION: Signed = {
  op: 'reduceCollateral', account: 20, kind: 'reduction', legs: [], fields: { key: 66, amountMicros: usd(7) }, terms: { key: 66, payoutMicros: usd(7), ...RATES },
}
/** On RFQ 1 of participant 10: 25 USDC, less 20 bps. */
const QUOTE: Signed = {
  op: 'submitQuote', account: 20, kind: 'quote', legs: LEGS,
  fields: { rfq: 1, payoutMicros: PAYOUT, expiryS: unix(10) },
  terms: { rfq: 1, generation: 1, stakeMicros: 24_950_000, payoutMicros: PAYOUT, ...RATES, expiryS: unix(10) },
}
const ACCEPTANCE: Signed = {
  op: 'acceptQuote', account: 10, kind: 'acceptance', legs: [],
  fields: { quote: 1, key: 77, coreMicros: usd(5), validAfterS: unix(0), validBeforeS: unix(60) },
  terms: { rfq: 1, quote: 1, key: 77, payoutMicros: PAYOUT, stakeMicros: usd(25), coreMicros: usd(5), ...RATES, validAfterS: unix(0), validBeforeS: unix(60) },
}
const CONFIRMATION: Signed = {
  op: 'confirmQuote', account: 20, kind: 'confirmation', legs: [], fields: { quote: 1 },
  terms: { rfq: 1, quote: 1, value: 1, payoutMicros: PAYOUT, ...RATES },
}

/** A table on which each of them can be sent. */
const TABLES: readonly (readonly [Signed, () => Driver])[] = [
  [WITHDRAWAL, table],
  [REDUCTION, table],
  [QUOTE, () => withRfq()],
  [ACCEPTANCE, () => withQuote()],
  [CONFIRMATION, () => withAcceptance()],
]

function withRfq(): Driver {
  const d = table()
  d.create(10)
  return d
}

function withQuote(): Driver {
  const d = withRfq()
  d.quote(20, 1, PAYOUT)
  return d
}

function withAcceptance(): Driver {
  const d = withQuote()
  d.accept(10, 1)
  return d
}

const SIGNED_BY_SIGNER: ReadonlySet<string> = new Set(['submitQuote', 'confirmQuote'])

describe('signatures', () => {
  it('OM-016 OM-212 a command that moves funds or binds to is refused unsigned, or with no terms, and changes nothing', () => {
    for (const [signed, at] of TABLES) {
      const d = at()
      const tag = cheapTermsTag(termsOf(signed))
      const before = d.venue.stateHash()
      for (const [signer, termsTag] of [[-1, tag], [Number.NaN, tag], [signed.account + 0.5, tag], [signed.account, -1], [signed.account, Number.NaN], [-1, -1]]) {
        expect(sendAs(d, signed, signer!, termsTag!)!.code).toBe('invalidSignature')
        expect([d.rows.length, d.moved]).toEqual([1, []])
      }
      expect(d.venue.stateHash()).toBe(before)
      expect(sendAs(d, signed, signed.account, tag)?.code ?? 'ok').toBe('ok')
    }
  })

  it('OM-148 OM-212 a signature holds for its terms alone: any other field, and any other leg, and it does not verify', () => {
    for (const [signed, at] of TABLES) {
      const d = at()
      for (const field of TERMS_FIELDS) {
        const other = termsOf(signed)
        other[field]++
        expect([signed.op, field, sendAs(d, signed, signed.account, cheapTermsTag(other))!.code]).toEqual([signed.op, field, 'invalidSignature'])
      }
      for (let i = 0; i < signed.legs.length * 2; i++) {
        const other = termsOf(signed)
        other.legs[i]! ^= 1
        expect(sendAs(d, signed, signed.account, cheapTermsTag(other))!.code).toBe('invalidSignature')
      }
      expect(sendAs(d, signed, signed.account, cheapTermsTag(termsOf(signed)))?.code ?? 'ok').toBe('ok')
    }
  })

  it('OM-107 OM-212 a signature of a withdrawal or a reduction is good for the request of its key alone', () => {
    for (const signed of [WITHDRAWAL, REDUCTION]) {
      const d = table()
      const tag = cheapTermsTag(termsOf(signed))
      for (const key of [signed.fields['key']! + 1, 1, 268_435_455, -1, -2, 0, 0.5, Number.NaN, 268_435_456]) {
        expect([key, d.send(signed.op, signed.account, { ...signed.fields, key, signer: signed.account, termsTag: tag })!.code]).toEqual([key, 'invalidSignature'])
        expect([d.rows.length, d.moved]).toEqual([1, []])
      }
      expect(sendAs(d, signed, signed.account, tag)!.code).toBe('ok')
    }
  })

  it('OM-107 OM-212 a withdrawal or a reduction without a key, which no gate lets pass, is signed without one', () => {
    for (const signed of [WITHDRAWAL, REDUCTION]) {
      const termsTag = cheapTermsTag(termsOf({ ...signed, terms: { ...signed.terms, key: -1 } }))
      const codeOf = (key: number) => table().send(signed.op, signed.account, { ...signed.fields, key, signer: signed.account, termsTag })!.code
      expect([-1, -2, 0, 0.5, Number.NaN, 268_435_456].map(codeOf)).toEqual(Array(6).fill('ok'))
      expect([1, 55, 66, 268_435_455].map(codeOf)).toEqual(Array(4).fill('invalidSignature'))
    }
  })

  it('OM-213 good terms under another name are of the wrong authority; bad terms are told first', () => {
    for (const [signed, at] of TABLES) {
      const d = at()
      const tag = cheapTermsTag(termsOf(signed))
      expect(sendAs(d, signed, 21, tag)!.code).toBe('wrongAuthority')
      expect(sendAs(d, signed, 2_147_483_647, tag)!.code).toBe('wrongAuthority')
      expect(sendAs(d, signed, 21, tag + 1)!.code).toBe('invalidSignature')
      expect(sendAs(d, signed, signed.account, tag)?.code ?? 'ok').toBe('ok')
    }
  })

  it('OM-214 OM-215 a maker\'s quote signer signs its quotes and confirmations, its wallet the rest', () => {
    for (const [signed, at] of TABLES) {
      const d = at()
      if (signed.op === 'acceptQuote') continue
      const signer = SIGNED_BY_SIGNER.has(signed.op) ? 500 : signed.account
      const tag = cheapTermsTag(termsOf(signed))
      d.setSigner(20, 500)
      expect(sendAs(d, signed, signer === 500 ? 20 : 500, tag)!.code).toBe('wrongAuthority')
      expect(sendAs(d, signed, signer, tag)!.code).toBe('ok')
    }
  })

  it('OM-214 the seller\'s wallet accepts the price of its position, a maker\'s too', () => {
    const d = table()
    d.open(10, 20, PAYOUT)
    d.sell(10, 21, 1, usd(40))
    d.setSigner(21, 500)
    const rfq = d.cashout(21, 1)['rfq'] as number
    const quote = d.quote(20, rfq, usd(50))['quote'] as number
    expect(d.accept(21, quote, { signer: 500 })!.code).toBe('wrongAuthority')
    expect(d.accept(21, quote)).toBeUndefined()
  })

  it('OM-215 a confirmation is signed by the signer of its instant, whoever signed the quote', () => {
    const d = withAcceptance()
    d.setSigner(20, 500)
    expect(d.confirm(20, 1, { signer: 20 }).code).toBe('wrongAuthority')
    expect(d.confirm(20, 1).code).toBe('ok')
  })

  it('OM-148 a cash-out quote binds to the position and its rate, an acceptance of it to no funding', () => {
    const d = table()
    d.open(10, 20, PAYOUT)
    d.setFees(90, 900)
    const rfq = d.cashout(10, 1)['rfq'] as number
    const quote: Signed = {
      op: 'submitQuote', account: 21, kind: 'quote', legs: LEGS, fields: { rfq, payoutMicros: usd(40), expiryS: unix(32) },
      terms: { rfq, generation: 1, payoutMicros: usd(40), feeBps: 100, expiryS: unix(32), position: 1 },
    }
    for (const terms of [{ ...quote.terms, position: -1 }, { ...quote.terms, feeBps: 900 }, { ...quote.terms, takerFeeBps: 90 }]) {
      expect(sendAs(d, quote, 21, cheapTermsTag(termsOf({ ...quote, terms })))!.code).toBe('invalidSignature')
    }
    expect(sendAs(d, quote, 21, cheapTermsTag(termsOf(quote)))!.code).toBe('ok')
    const acceptance: Signed = {
      op: 'acceptQuote', account: 10, kind: 'acceptance', legs: [], fields: { quote: 2, key: 88, coreMicros: 5, validAfterS: unix(0), validBeforeS: unix(60) },
      terms: { rfq, quote: 2, key: 88, payoutMicros: usd(40), feeBps: 100, position: 1 },
    }
    expect(sendAs(d, acceptance, 10, cheapTermsTag(termsOf({ ...acceptance, terms: { ...acceptance.terms, coreMicros: 5 } })))!.code).toBe('invalidSignature')
    expect(sendAs(d, acceptance, 10, cheapTermsTag(termsOf(acceptance)))).toBeUndefined()
  })

  it('OM-148 no core part is signed as a core part of 0', () => {
    for (const coreMicros of [-1, 0]) {
      const d = withQuote()
      const signed = { ...ACCEPTANCE, fields: { ...ACCEPTANCE.fields, coreMicros }, terms: { ...ACCEPTANCE.terms, coreMicros: 0 } }
      expect(sendAs(d, signed, 10, cheapTermsTag(termsOf({ ...signed, terms: { ...signed.terms, coreMicros: -1 } })))!.code).toBe('invalidSignature')
      expect(sendAs(d, signed, 10, cheapTermsTag(termsOf(signed)))).toBeUndefined()
    }
  })

  it('OM-105 OM-212 a signature binds to the rates in force: at other rates it does not verify', () => {
    for (const [signed, at] of TABLES) {
      // A confirmation's rates are the quote's, below.
      if (signed.op === 'confirmQuote') continue
      for (const [takerFeeBps, feeBps] of [[21, 100], [20, 101]] as const) {
        const d = at()
        const tag = cheapTermsTag(termsOf(signed))
        d.setFees(takerFeeBps, feeBps)
        expect([signed.op, sendAs(d, signed, signed.account, tag)!.code]).toEqual([signed.op, 'invalidSignature'])
        const anew = cheapTermsTag(termsOf({ ...signed, terms: { ...signed.terms, takerFeeBps, feeBps } }))
        if (signed.op === 'withdraw' || signed.op === 'reduceCollateral') expect(sendAs(d, signed, signed.account, anew)!.code).toBe('ok')
        else d.setFees(20, 100)
        if (signed.op === 'submitQuote' || signed.op === 'acceptQuote') expect(sendAs(d, signed, signed.account, tag)?.code ?? 'ok').toBe('ok')
      }
    }
  })

  it('OM-105 OM-212 a confirmation binds to the rates of its quote, whatever is in force by then', () => {
    const d = withAcceptance()
    d.setFees(21, 101)
    const { terms } = CONFIRMATION
    for (const rates of [{ takerFeeBps: 21 }, { feeBps: 101 }, { takerFeeBps: 21, feeBps: 101 }]) {
      expect(sendAs(d, CONFIRMATION, 20, cheapTermsTag(termsOf({ ...CONFIRMATION, terms: { ...terms, ...rates } })))!.code).toBe('invalidSignature')
    }
    expect(sendAs(d, CONFIRMATION, 20, cheapTermsTag(termsOf(CONFIRMATION)))!.code).toBe('ok')
  })

  it('OM-105 OM-212 quote, acceptance and confirmation of a cash-out bind to the position, to its rate and to no entry rate', () => {
    const d = table()
    d.open(10, 20, PAYOUT)
    d.setFees(90, 900)
    const rfq = d.cashout(10, 1)['rfq'] as number
    const price = usd(40)
    const calls: readonly Signed[] = [
      {
        op: 'submitQuote', account: 21, kind: 'quote', legs: LEGS, fields: { rfq, payoutMicros: price, expiryS: unix(32) },
        terms: { rfq, generation: 1, payoutMicros: price, feeBps: 100, expiryS: unix(32), position: 1 },
      },
      { op: 'acceptQuote', account: 10, kind: 'acceptance', legs: [], fields: { quote: 2, key: 88 }, terms: { rfq, quote: 2, key: 88, payoutMicros: price, feeBps: 100, position: 1 } },
      { op: 'confirmQuote', account: 21, kind: 'confirmation', legs: [], fields: { quote: 2 }, terms: { rfq, quote: 2, value: 2, payoutMicros: price, feeBps: 100, position: 1 } },
    ]
    for (const signed of calls) {
      for (const rates of [{ feeBps: 900 }, { takerFeeBps: 90 }, { takerFeeBps: 20 }, { takerFeeBps: 90, feeBps: 900 }, { feeBps: -1 }, { position: -1 }, { position: 2 }]) {
        const other = cheapTermsTag(termsOf({ ...signed, terms: { ...signed.terms, ...rates } }))
        expect(sendAs(d, signed, signed.account, other)!.code).toBe('invalidSignature')
      }
      expect(sendAs(d, signed, signed.account, cheapTermsTag(termsOf(signed)))?.code ?? 'ok').toBe('ok')
    }
  })

  it('OM-203 OM-212 a quote binds to the generation that is current, named or not', () => {
    const d = withAcceptance()
    d.decline(20, 1)
    expect(d.view.rfq(1)!.generation).toBe(2)
    expect(sendAs(d, QUOTE, 20, cheapTermsTag(termsOf(QUOTE)))!.code).toBe('invalidSignature')
    const second = { ...QUOTE, terms: { ...QUOTE.terms, generation: 2 } }
    expect(sendAs(d, second, 20, cheapTermsTag(termsOf(second)))!.code).toBe('ok')
  })

  it('OM-148 a signature is of the digest of its terms that the venue was given', () => {
    const { profile } = new Driver()
    const sequence = { next: 1 }
    const events = new EventRows(sequence, 2)
    const kinds: number[] = []
    const venue = outcomeVenue(profile, events, new PostingRows(sequence, 2), (terms) => kinds.push(terms.kind))
    const d = new Driver()
    const reply = (): number => {
      const row = events.row(events.count - 1)
      const kind = events.kindOf(row) as OutcomeKind
      return kind === OutcomeEvent.reply ? events.read(rowOfKind(row, kind), Reply.code) : NaN
    }
    const send = (op: keyof typeof OutcomeOp, account: number, fields: Fields): number => {
      d.send(op, account, fields)
      venue.apply(T0 + sec(1), d.command)
      return reply()
    }
    d.at(sec(1))
    send('bindAccount', -1, { [BindAccount.bound]: 20, [BindAccount.role]: 1 })
    send('deposit', 20, { amountMicros: usd(1) })
    // The digest of the first terms is 1, of the second 2.
    expect(send('reduceCollateral', 20, { amountMicros: 5, signer: 20, termsTag: 1 })).toBe(0)
    expect(send('reduceCollateral', 20, { amountMicros: 5, signer: 20, termsTag: 1 })).toBe(50)
    expect(kinds).toEqual([TermsKind.reduction, TermsKind.reduction])
  })
})

describe('the quote signer', () => {
  it('is the maker\'s wallet until it names another, and told', () => {
    const d = table()
    expect(d.view.balance(20).signer).toBe(20)
    expect(d.setSigner(20, 500)).toEqual({ event: 'reply', at: 0, cause: d.seq, code: 'ok', op: 'setSigner', account: 20 })
    expect(d.rows[0]).toEqual({ event: 'signerChanged', at: 0, cause: d.seq, account: 20, signer: 500 })
    expect(d.view.balance(20).signer).toBe(500)
    for (const bad of [-1, 0.5, Number.NaN, 2_147_483_648]) expect(d.setSigner(20, bad)).toMatchObject({ code: 'invalidRequest', invalidField: 21 })
    expect([d.setSigner(20, 0).code, d.setSigner(20, 2_147_483_647).code]).toEqual(['ok', 'ok'])
    expect(d.view.balance(20).signer).toBe(2_147_483_647)
    expect(d.setSigner(10, 500).code).toBe('forbidden')
  })
})
