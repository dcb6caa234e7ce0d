import { describe, expect, it } from 'vitest'
import { Bug } from '../../src/unit/assert.ts'
import { NONE } from '../../src/unit/none.ts'
import { CallWindows } from '../../src/venue/callWindows.ts'

const WINDOW_US = 100

describe('windows of calls', () => {
  it('take as many calls as the limit, until they are over', () => {
    const windows = new CallWindows(4)
    const row = windows.countCall(7, NONE, 10, WINDOW_US)
    expect(windows.isFull(row, 2, 10, WINDOW_US)).toBe(false)
    windows.countCall(7, row, 20, WINDOW_US)
    // The window began at 10, and 110 is the first instant after it.
    expect([20, 109, 110].map((nowUs) => windows.isFull(row, 2, nowUs, WINDOW_US))).toEqual([true, true, false])
  })

  it('that have not begun have room, which a limit below 1 would deny', () => {
    const windows = new CallWindows(4)
    expect(windows.isFull(NONE, 1, 10, WINDOW_US)).toBe(false)
    for (const limit of [0, -1, NaN]) expect(() => windows.isFull(NONE, limit, 10, WINDOW_US)).toThrow(Bug)
  })
})
