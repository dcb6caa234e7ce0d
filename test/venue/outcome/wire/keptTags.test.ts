import { expect, it } from 'vitest'
import { SignedTerms, TERMS_FIELDS, TermsKind } from '../../../../src/venue/outcome/protocol/terms.ts'
import { KeptTags } from '../../../../src/venue/outcome/wire/keptTags.ts'

const quote = (payoutMicros: number): SignedTerms => {
  const terms = new SignedTerms().reset(TermsKind.quote, 3)
  terms.payoutMicros = payoutMicros
  return terms.leg(5, 1).leg(6, 0)
}

it('a fingerprint is found by the same terms, and by no others', () => {
  const kept = new KeptTags()
  expect(kept.find(quote(7))).toBe(-1)
  expect([kept.keep(quote(7), 42), kept.keep(quote(9), 43), kept.find(quote(7)), kept.find(quote(9))]).toEqual([42, 43, 42, 43])
  for (const field of TERMS_FIELDS) {
    const other = quote(7)
    other[field]++
    expect([field, kept.find(other)]).toEqual([field, -1])
  }
  for (const place of [0, 1, 2, 3]) {
    const other = quote(7)
    other.legs[place]!++
    expect([place, kept.find(other)]).toEqual([place, -1])
  }
})

it('terms are told apart by their fields where the cheap fingerprint is one', () => {
  // The fingerprint takes the low 32 bits of a number and what is above them as an integer: beyond 2⁶⁴ the latter is 0 again.
  const [low, high] = [quote(0), quote(2 ** 64)]
  const kept = new KeptTags()
  kept.keep(low, 42)
  expect(kept.find(high)).toBe(-1)
})

it('old fingerprints go, and what was kept since is found', () => {
  const kept = new KeptTags()
  for (let payout = 0; payout < 10_000; payout++) kept.keep(quote(payout), payout)
  expect([kept.find(quote(0)), kept.find(quote(9_999))]).toEqual([-1, 9_999])
})
