import { describe, expect, it } from 'vitest'
import { apart, thousands } from '../../src/unit/thousands.ts'

describe('thousands', () => {
  it.each([
    [0, '0'], [999, '999'], [1000, '1,000'], [12_345, '12,345'], [123_456, '123,456'], [1_234_567_890, '1,234,567,890'],
    [-999, '-999'], [-1000, '-1,000'], [-123_456, '-123,456'],
  ])('sets those of %d apart', (whole, text) => {
    expect(thousands(whole)).toBe(text)
  })

  it('leaves what is not a number as it is', () => {
    expect(apart('–')).toBe('–')
  })
})
