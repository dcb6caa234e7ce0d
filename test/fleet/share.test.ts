import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { checkedShare, shardOf } from '../../src/fleet/share.ts'

const idOf = (i: number): string => createHash('sha256').update(String(i)).digest('hex')

describe('shares', () => {
  it.each([[0, 3], [4, 3], [1, 0], [1, 10_001], [-1, 3], [1.5, 3], [NaN, 3], [1, NaN]])('refuse %d of %d', (shard, of) => {
    expect(() => checkedShare({ shard, of }, '--shard')).toThrow('is no share')
  })

  it('give each task to one shard, by the first 13 digits of its identity', () => {
    // 0x0000000000007 = 7 = 2·3 + 1, the second of three; the digits after the 13th do not count.
    expect(shardOf(`0000000000007${'f'.repeat(51)}`, 3)).toBe(2)
    expect(shardOf(`0000000000006${'f'.repeat(51)}`, 3)).toBe(1)
    expect(shardOf('f'.repeat(64), 1)).toBe(1)
    // 2^52 − 1 = 4503599627370495, which ends with 495, is the last of a thousand's 496th.
    expect(shardOf('f'.repeat(64), 1000)).toBe(496)
  })

  it('are about alike', () => {
    const counts = [0, 0, 0]
    for (let i = 0; i < 3000; i++) counts[shardOf(idOf(i), 3) - 1]!++
    // Four standard deviations of a third of 3,000 are 103.
    for (const count of counts) expect(Math.abs(count - 1000)).toBeLessThan(103)
  })
})
