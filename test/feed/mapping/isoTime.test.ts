import fc from 'fast-check'
import { expect, test } from 'vitest'
import { IsoTime } from '../../../src/feed/mapping/isoTime.ts'

test('every time that Date writes is read, with and without an offset', () => {
  const iso = new IsoTime()
  fc.assert(fc.property(fc.date({ min: new Date(Date.UTC(2000)), max: new Date(Date.UTC(2100)), noInvalidDate: true }), fc.integer({ min: -12 * 60, max: 14 * 60 }), (date, minutes) => {
    const text = date.toISOString()
    expect([iso.read(text), iso.isNaive]).toEqual([date.getTime() * 1000, false])
    expect([iso.read(text.slice(0, -1).replace('T', ' ')), iso.isNaive]).toEqual([date.getTime() * 1000, true])
    const offset = `${minutes < 0 ? '-' : '+'}${String(Math.floor(Math.abs(minutes) / 60)).padStart(2, '0')}:${String(Math.abs(minutes) % 60).padStart(2, '0')}`
    expect(iso.read(text.replace('Z', offset))).toBe((date.getTime() - minutes * 60_000) * 1000)
  }))
})

test('decimals beyond the microsecond are rounded up', () => {
  const iso = new IsoTime()
  expect(iso.read('2025-06-19T19:00:00.000001Z') - iso.read('2025-06-19T19:00:00Z')).toBe(1)
  expect(iso.read('2025-06-19T19:00:00.000001000Z') - iso.read('2025-06-19T19:00:00Z')).toBe(1)
  expect(iso.read('2025-06-19T19:00:00.999999001Z') - iso.read('2025-06-19T19:00:00Z')).toBe(1_000_000)
})

test.each(['', '2025-06-19', '2025-02-29T00:00:00Z', '2025-13-01T00:00:00Z', '2025-06-19T24:00:00Z', '2025-06-19T19:00:60Z', '2025-06-19T19:00:00.Z', '2025-06-19T19:00:00.0000000000Z', '2025-06-19T19:00:00ZZ', '2025-06-19T19:00:00+1', '2025-06-19T19:00:00+99:99', '2025-06-19T19:00:00+14:01', '2025-06-19T19:00:00-12:01', '2025-06-19T19:00:00+05:60', '2025-06-19x19:00:00Z', '20x5-06-19T19:00:00Z'])(
  '%j is none of them', (text) => { expect(new IsoTime().read(text)).toBeNaN() })
