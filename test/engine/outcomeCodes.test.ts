import { describe, expect, it } from 'vitest'
import { BID_OUT } from '../../src/agent/bettors/selling.ts'
import { toldCode, toldSellerCode } from '../../src/engine/outcome/codes.ts'
import { OUTCOME_CODES, OutcomeCode } from '../../src/venue/outcome/protocol/codes.ts'
import { ParlayCode } from '../../src/venue/parlay/protocol/codes.ts'

describe('what strategies are told of the outcome service’s answers', () => {
  it('is a code that they know, and ok for ok alone', () => {
    const known: number[] = Object.values(ParlayCode)
    for (const code of Object.values(OutcomeCode)) {
      expect(known).toContain(toldCode(code))
      expect([toldCode(code) === ParlayCode.ok, toldSellerCode(code) === ParlayCode.ok]).toEqual([code === OutcomeCode.ok, code === OutcomeCode.ok])
    }
  })

  it('is what lets a bettor look again: a quote that is gone, and a maker that did not stand by it', () => {
    for (const code of [OutcomeCode.quoteNotFound, OutcomeCode.quoteExpired, OutcomeCode.quoteCancelled, OutcomeCode.quoteReplaced, OutcomeCode.quoteSignerChanged]) {
      expect(toldCode(code)).toBe(ParlayCode.quoteExpired)
    }
    for (const code of [OutcomeCode.declined, OutcomeCode.timedOut]) expect(toldCode(code)).toBe(ParlayCode.mmConfirmationTimeout)
  })

  it('puts a bid out for its seller, who may take the next', () => {
    for (const code of [OutcomeCode.declined, OutcomeCode.timedOut, OutcomeCode.quoteExpired, OutcomeCode.quoteReplaced, OutcomeCode.quoteCapacityExceeded]) {
      expect(BID_OUT).toContain(toldSellerCode(code))
    }
    expect(BID_OUT).not.toContain(toldSellerCode(OutcomeCode.stateConflict))
  })

  it('OM-242 OM-219 stands for a service that does not work, where it is one', () => {
    expect(toldCode(OutcomeCode.rateLimited)).toBe(ParlayCode.rateLimited)
    expect(toldCode(OutcomeCode.rfqIntentLimit)).toBe(ParlayCode.conflict)
    for (const [code, { status }] of Object.entries(OUTCOME_CODES)) if (status === 503) expect(toldCode(Number(code))).toBe(ParlayCode.commitFailedRetryable)
  })
})
