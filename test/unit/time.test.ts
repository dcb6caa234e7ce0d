import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isoOfTimeUs } from '../../src/unit/time.ts'

/** The last millisecond that is a safe integer of µs. */
const LAST_MS = Math.floor(Number.MAX_SAFE_INTEGER / 1000)

describe('isoOfTimeUs', () => {
  it.each([
    [0, '1970-01-01T00:00:00.000000Z'], [-1, '1969-12-31T23:59:59.999999Z'], [59_999_999, '1970-01-01T00:00:59.999999Z'], [60_000_000, '1970-01-01T00:01:00.000000Z'],
    [951_782_400_000_007, '2000-02-29T00:00:00.000007Z'], [1_750_372_200_120_000, '2025-06-19T22:30:00.120000Z'],
  ])('writes %i µs as %s', (us, iso) => {
    expect(isoOfTimeUs(us)).toBe(iso)
  })

  it('agrees with the platform about every whole millisecond, in whatever order instants are asked for', () => {
    const ms = fc.integer({ min: -LAST_MS, max: LAST_MS })
    fc.assert(fc.property(fc.array(fc.tuple(ms, fc.integer({ min: 0, max: 61_000 })), { maxLength: 8 }), (instants) => {
      for (const [at, later] of instants) {
        for (const one of [at, at + later]) if (one <= LAST_MS) expect(isoOfTimeUs(one * 1000)).toBe(new Date(one).toISOString().replace('Z', '000Z'))
      }
    }))
  })

  it('refuses what is no instant', () => {
    for (const us of [NaN, Infinity, Number.MAX_SAFE_INTEGER * 1000]) expect(() => isoOfTimeUs(us)).toThrow(RangeError)
    expect(isoOfTimeUs(1)).toBe('1970-01-01T00:00:00.000001Z')
  })
})
