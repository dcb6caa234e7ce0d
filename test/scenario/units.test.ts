import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nearestName } from '../../src/unit/nearestName.ts'
import { durationText, readInstant, readQuantity, readWithin } from '../../src/scenario/units.ts'

describe('written quantities', () => {
  it.each([
    ['duration', '120ms', 120_000], ['duration', '5s', 5_000_000], ['duration', '10m', 600_000_000], ['duration', '2h', 7_200_000_000],
    ['duration', '1d', 86_400_000_000], ['duration', '0.000001s', 1], ['duration', '1.5 s', 1_500_000], ['duration', 0, 0], ['duration', '7us', 7],
    ['ms', '5s', 5_000], ['ms', '1000us', 1],
    ['money', '5 USDC', 5_000_000], ['money', '5000 USDC', 5_000_000_000], ['money', '0.000001 USDC', 1], ['money', '1e3 USDC', 1_000_000_000],
    ['money', '0.1USDC', 100_000],
    ['share', '4%', 0.04], ['share', '2c', 0.02], ['share', 0.07, 0.07], ['share', '250bps', 0.025], ['share', '0.07', 0.07],
    ['bps', '1%', 100], ['bps', '0.25%', 25], ['bps', '7bps', 7],
    ['odds', 1.0001, 10_001], ['odds', '1000', 10_000_000], ['count', 3, 3], ['count', '1e3', 1_000], ['number', -2.5, -2.5], ['flag', true, 1],
  ] as const)('reads %s %j as %d', (kind, text, value) => {
    expect(readQuantity(kind, text)).toEqual({ value })
  })

  it.each([
    ['money', '0.0000001 USDC', 'finer than a micro-unit'], ['duration', '0.1us', 'finer than a microsecond'], ['ms', '1us', 'finer than a millisecond'],
    ['bps', '0.001%', 'finer than a hundredth of a per cent'], ['odds', '1.00001', 'finer than four decimals'], ['count', 1.5, 'must be a whole number'],
    ['money', '-5 USDC', 'must not be negative'], ['duration', '-1s', 'must not be negative'], ['share', '-4%', 'must not be negative'],
    ['money', '1e30 USDC', 'is too large'], ['money', '9007199255 USDC', 'is too large'],
    ['money', 5, 'expected an amount such as 5 USDC, got 5'], ['duration', 60, 'expected a duration'], ['money', '5 EUR', 'got "5 EUR"'],
    ['share', NaN, 'got NaN'], ['number', Infinity, 'got Infinity'], ['odds', NaN, 'got NaN'], ['number', 'NaN', 'got "NaN"'], ['count', 'Infinity', 'got'],
    ['duration', '5 s s', 'got'], ['money', '1,000 USDC', 'got'], ['share', '4 %%', 'got'], ['number', null, 'got nothing'], ['count', [1], 'got a list'],
    ['flag', 1, 'expected true or false'], ['duration', '5constructor', 'expected a duration'],
  ] as const)('refuses %s %j: %s', (kind, text, fault) => {
    expect(readQuantity(kind, text)).toEqual({ fault: expect.stringContaining(fault) })
  })

  it('holds a value within its range, both ends included', () => {
    expect(readWithin('ms', '5s', 5_000, 8_000)).toEqual({ value: 5_000 })
    expect(readWithin('ms', '8s', 5_000, 8_000)).toEqual({ value: 8_000 })
    expect(readWithin('ms', '4999ms', 5_000, 8_000)).toEqual({ fault: 'must be 5s to 8s, got "4999ms"' })
    expect(readWithin('ms', '8001ms', 5_000, 8_000)).toEqual({ fault: 'must be 5s to 8s, got "8001ms"' })
    expect(readWithin('money', '0 USDC', 1, 1e12)).toEqual({ fault: 'must be 0.000001 USDC to 1000000 USDC, got "0 USDC"' })
  })

  it('reads a share below zero where the range reaches there, as the mark-up of a yardstick does', () => {
    expect(readWithin('share', '-2%', -0.5, 1)).toEqual({ value: -0.02 })
    expect(readWithin('share', '-50%', -0.5, 1)).toEqual({ value: -0.5 })
    expect(readWithin('share', '-50.1%', -0.5, 1)).toEqual({ fault: 'must be -50% to 100%, got "-50.1%"' })
    expect(readWithin('share', '-0%', -0.5, 1)).toEqual({ value: 0 })
    expect(readWithin('share', '-2%', 0, 1)).toEqual({ fault: 'must not be negative: "-2%"' })
  })

  it('reads every amount of micro-units back, and every span', () => {
    fc.assert(fc.property(fc.nat({ max: Number.MAX_SAFE_INTEGER }), (n) => {
      const text = `${n / 1_000_000 >= 1 ? String(n).slice(0, -6) : '0'}.${String(n).padStart(6, '0').slice(-6)} USDC`
      expect(readQuantity('money', text)).toEqual({ value: n })
    }))
    fc.assert(fc.property(fc.nat({ max: 1e12 }), (us) => {
      expect(readQuantity('duration', durationText(us))).toEqual({ value: us })
    }))
  })
})

describe('instants', () => {
  it.each([
    ['2025-06-19', 1_750_291_200_000_000], ['2025-06-19T19:23:00Z', 1_750_360_980_000_000], ['2025-06-19 19:23Z', 1_750_360_980_000_000],
    ['2025-06-19T15:23:00-04:00', 1_750_360_980_000_000], ['2025-06-19T19:23:00.000001Z', 1_750_360_980_000_001],
  ])('reads %s', (text, value) => {
    expect(readInstant(text)).toEqual({ value })
  })

  it.each(['2025-02-30', '2025-06-19T19:23:00', '2025-13-01', '2025-06-19T24:00:00Z', 'yesterday', 20250619, null])('refuses %s', (text) => {
    expect(readInstant(text)).toHaveProperty('fault')
  })
})

describe('did you mean', () => {
  it.each([['latencyMS', 'latency'], ['mrgin', 'margin'], ['betMaxMicros', 'betMax'], ['shde', 'shade']])('%s: %s', (slip, meant) => {
    expect(nearestName(slip, ['margin', 'latency', 'betMin', 'betMax', 'shade'])).toBe(meant)
  })

  it('stays silent when nothing is near', () => {
    expect(nearestName('colour', ['margin', 'latency'])).toBeUndefined()
  })
})
