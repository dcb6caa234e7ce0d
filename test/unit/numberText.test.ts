import { describe, expect, it } from 'vitest'
import { brief, exactUsd, fixed, grouped, odds, percent, plural, secondsText, signed, significant, thousands, usd } from '../../src/unit/numberText.ts'

const HUGE = Number.MAX_SAFE_INTEGER

describe('the text of a number', () => {
  it.each([
    [0, '0'], [-0, '0'], [999, '999'], [1000, '1,000'], [12_345, '12,345'], [123_456, '123,456'], [1_234_567_890, '1,234,567,890'],
    [-999, '-999'], [-1000, '-1,000'], [-123_456, '-123,456'], [HUGE, '9,007,199,254,740,991'],
  ])('sets the thousands of the count %d apart', (whole, text) => {
    expect(thousands(whole)).toBe(text)
  })

  it.each([
    [0, 2, '0.00', '0.00'], [-0, 2, '0.00', '0.00'], [-0.004, 2, '0.00', '0.00'], [-0.006, 2, '-0.01', '-0.01'], [0.5, 0, '1', '1'], [-0.5, 0, '-1', '-1'],
    [2.5, 0, '3', '3'], [0.25, 1, '0.3', '0.3'], [999.96, 1, '1000.0', '1,000.0'], [-1234.5, 2, '-1234.50', '-1,234.50'], [1_234_567.875, 3, '1234567.875', '1,234,567.875'],
    [HUGE, 0, '9007199254740991', '9,007,199,254,740,991'], [1e21, 2, '1e+21', '1e+21'],
    [null, 2, '-', '-'], [NaN, 2, '-', '-'], [Infinity, 0, '-', '-'], [-Infinity, 0, '-', '-'],
  ])('has the decimals asked for: %d to %d', (value, decimals, plain, set) => {
    expect(fixed(value, decimals)).toBe(plain)
    expect(grouped(value, decimals)).toBe(set)
  })

  it.each([
    [0, '0.00', '0.00'], [-0, '0.00', '0.00'], [0.5, '0.50', '0.500'], [0.0004, '0.00', '0.000'], [-0.0004, '0.00', '0.000'], [-0.25, '-0.25', '-0.250'],
    [0.9994, '1.00', '0.999'], [0.9996, '1.00', '1.00'], [9.994, '9.99', '9.99'], [9.996, '10.0', '10.0'], [99.94, '99.9', '99.9'], [99.96, '100', '100'],
    [-99.96, '-100', '-100'], [999.6, '1,000', '1,000'], [12_345.6, '12,346', '12,346'], [null, '-', '-'], [NaN, '-', '-'],
  ])('has three digits that count: %d', (value, narrow, wide) => {
    expect(brief(value, 2)).toBe(narrow)
    expect(brief(value, 3)).toBe(wide)
  })

  it.each([
    [0, '0.00'], [-0, '0.00'], [0.001234, '0.00123'], [-0.05, '-0.0500'], [1.004, '1.00'], [12.5, '12.5'], [999.4, '999'], [999.6, '1,000'], [-12_345, '-12,345'], [null, '-'], [NaN, '-'],
  ])('has three digits that count, however small: %d', (value, text) => {
    expect(significant(value)).toBe(text)
  })

  it.each([
    [0, 1, '0.0%'], [-0, 1, '0.0%'], [-0.0001, 1, '0.0%'], [0.125, 0, '13%'], [0.40171, 2, '40.17%'], [-0.0625, 1, '-6.3%'], [1, 2, '100.00%'], [12.5, 1, '1,250.0%'], [null, 1, '-'], [NaN, 1, '-'],
  ])('of the share %d is a percentage', (share, decimals, text) => {
    expect(percent(share, decimals)).toBe(text)
  })

  it.each([[1.0001, '1.0001'], [2.5, '2.5000'], [4.664, '4.6640'], [1000, '1000.0000']])('of the odds %d has the decimals of their grid', (value, text) => {
    expect(odds(value)).toBe(text)
  })

  it.each([
    [0, '0.00'], [-0, '0.00'], [1, '0.00'], [-4_999, '0.00'], [5_000, '0.01'], [-5_000, '-0.01'], [1_005_000, '1.01'], [-1_005_000, '-1.01'], [1_004_999, '1.00'],
    [999_995_000, '1,000.00'], [-1_154_290_000, '-1,154.29'], [85_680_000, '85.68'], [12_500.4, '0.01'], [HUGE, '9,007,199,254.74'], [null, '-'], [NaN, '-'],
  ])('of %d microUSDC has cents, half away from zero', (micros, text) => {
    expect(usd(micros)).toBe(text)
  })

  it.each([
    [0, '0.00', '0.000000'], [-0, '0.00', '0.000000'], [1, '0.000001', '0.000001'], [-1, '-0.000001', '-0.000001'], [84_823_200, '84.8232', '84.823200'],
    [500_000, '0.50', '0.500000'], [63_179_730, '63.17973', '63.179730'], [-1_234_000_000, '-1,234.00', '-1,234.000000'], [1_000_100_010, '1,000.10001', '1,000.100010'],
    [HUGE, '9,007,199,254.740991', '9,007,199,254.740991'], [null, '-', '-'],
  ])('of %d microUSDC is exact', (micros, short, long) => {
    expect(exactUsd(micros, 2)).toBe(short)
    expect(exactUsd(micros, 6)).toBe(long)
  })

  it.each([['0.00', '+0.00'], ['84.82', '+84.82'], ['-85.68', '-85.68'], ['-', '-']])('may show the sign of %s', (text, shown) => {
    expect(signed(text)).toBe(shown)
  })

  it.each([[0, '0.0 s'], [0.04, '0.0 s'], [12.25, '12.3 s'], [3600, '3600.0 s']])('of %d seconds has tenths', (value, text) => {
    expect(secondsText(value)).toBe(text)
  })

  it.each([[0, '0 legs'], [1, '1 leg'], [2, '2 legs'], [1000, '1,000 legs']])('counts %d of a thing', (count, text) => {
    expect(plural(count, 'leg')).toBe(text)
  })

  it('takes a plural of its own', () => {
    expect([plural(1, 'auction', 'sales'), plural(2, 'auction', 'sales')]).toEqual(['1 auction', '2 sales'])
  })
})
