import { expect, it } from 'vitest'
import type { Act } from '../../../src/trade/link.ts'
import { Waiting } from '../../../src/trade/bettor/waiting.ts'

const NOW_US = 1_000_000_000
const call = (tag: string): Act => ({ method: 'POST', path: `/${tag}`, tag })
const turnedAway = (status: number) => ({ status, headers: {}, body: '' })

it.each<[number, boolean, boolean]>([[429, true, true], [503, true, true], [200, true, false], [409, true, false], [500, true, false], [429, false, false], [503, false, false]])(
  'an answer of %i to a call that was made before (%s) says nothing: %s', (status, isRepeated, isAgain) => {
    const waiting = new Waiting()
    waiting.add([call('a'), { wakeUs: 5, tag: 'w' }])
    if (isRepeated) waiting.repeat([call('a'), { wakeUs: 5, tag: 'w' }])
    expect(waiting.again('a', turnedAway(status), NOW_US)).toEqual(isAgain ? { wakeUs: NOW_US + 1_000_000, tag: { of: 'again', call: call('a') } } : null)
    expect(waiting.again('w', turnedAway(429), NOW_US)).toBeNull()
    // Once it has been answered, it may be made anew.
    expect(waiting.again('a', turnedAway(429), NOW_US) !== null).toBe(isAgain)
  },
)

it('what is over is waited for no longer, nor what was taken', () => {
  const waiting = new Waiting()
  waiting.add([call('a'), call('b'), call('c'), { wakeUs: 5, tag: 'v' }, { wakeUs: 3, tag: 'w' }, { wakeUs: 4, tag: 'x' }])
  for (const tag of ['b', 'x']) waiting.over(tag)
  expect(waiting.take()).toEqual({ calls: [call('a'), call('c')], wakes: [{ wakeUs: 3, tag: 'w' }, { wakeUs: 5, tag: 'v' }] })
  expect(waiting.take()).toEqual({ calls: [], wakes: [] })
})
