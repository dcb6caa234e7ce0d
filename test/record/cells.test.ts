import { describe, expect, it } from 'vitest'
import { orEmpty, present } from '../../src/record/cells.ts'
import { isOutcomeRejection, isParlayRejection } from '../../src/record/rejectionRows.ts'
import { Bug } from '../../src/unit/assert.ts'
import { OutcomeCode } from '../../src/venue/outcome/protocol/codes.ts'
import { ParlayCode } from '../../src/venue/parlay/protocol/codes.ts'

describe('a cell that may be empty', () => {
  it('is empty for "none" and nothing else', () => {
    expect([-1, 0, -2, 5].map(orEmpty)).toEqual([NaN, 0, -2, 5])
    expect(() => orEmpty(NaN)).toThrow(Bug)
  })

  it('that has a value is not NaN', () => {
    expect([-1, 0, 7.5, Infinity].map(present)).toEqual([-1, 0, 7.5, Infinity])
    expect(() => present(NaN)).toThrow(Bug)
  })
})

describe('a reply code', () => {
  it('is a success or an error of its service', () => {
    expect([ParlayCode.ok, ParlayCode.alreadyExpired, ParlayCode.invalid, ParlayCode.rateLimited].map(isParlayRejection)).toEqual([false, false, true, true])
    expect([OutcomeCode.ok, OutcomeCode.declined, OutcomeCode.invalidRequest, OutcomeCode.rateLimited].map(isOutcomeRejection)).toEqual([false, false, true, true])
    for (const code of Object.values(ParlayCode)) expect(() => isParlayRejection(code)).not.toThrow()
    for (const code of Object.values(OutcomeCode)) expect(() => isOutcomeRejection(code)).not.toThrow()
  })

  it.each([-1, 5, 9, 1.5, 10_000, NaN])('that no service has, %d, is a bug', (code) => {
    expect(() => isParlayRejection(code)).toThrow(`no reply has code ${code}`)
    expect(() => isOutcomeRejection(code)).toThrow(Bug)
  })
})
