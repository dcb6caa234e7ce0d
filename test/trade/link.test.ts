import { expect, it } from 'vitest'
import { type Act, fresh } from '../../src/trade/link.ts'
import { sleepMs } from '../../src/trade/wallLink.ts'

it.each([
  // µs until the wake, ms of sleep: a twentieth, between one and a thousand.
  [0, 1], [-5_000_000, 1], [20_000, 1], [40_000, 2], [3_000_000, 150], [20_000_000, 1000], [60_000_000, 1000],
])('sleeps until %i µs hence for %i ms at a time', (us, ms) => {
  expect(sleepMs(7_000_000, 7_000_000 + us)).toBe(ms)
})

it('what was called before is not called again, but waited for', () => {
  const made = new Set<string>()
  const call = (method: 'GET' | 'PUT', path: string): Act => ({ method, path, tag: null })
  const wake: Act = { wakeUs: 5, tag: null }
  expect(fresh([call('GET', '/a'), wake, call('PUT', '/a'), call('GET', '/a')], made)).toEqual([call('GET', '/a'), wake, call('PUT', '/a')])
  expect(fresh([call('PUT', '/a'), wake, call('GET', '/b')], made)).toEqual([wake, call('GET', '/b')])
})
