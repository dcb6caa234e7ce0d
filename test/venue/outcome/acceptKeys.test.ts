import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AcceptKeys } from '../../../src/venue/outcome/machine/acceptKeys.ts'
import { ACCOUNT_MAX, KEY_MAX } from '../../../src/venue/outcome/protocol/commands.ts'
import { drawsOf } from '../../draws.ts'

const RETENTION_US = 1_000

/** What the table stands for: the end of every key that was taken. */
class PlainKeys {
  readonly ends = new Map<string, number>()

  isTaken(account: number, key: number, nowUs: number): boolean {
    return nowUs < (this.ends.get(`${account} ${key}`) ?? 0)
  }

  take(account: number, key: number, nowUs: number): void {
    this.ends.set(`${account} ${key}`, nowUs + RETENTION_US)
  }

  standing(nowUs: number): number {
    return [...this.ends.values()].filter((end) => end > nowUs).length
  }
}

describe('the keys of acceptances', () => {
  it('INV-24 a key is taken from its use to the end of the retention, and free at that instant', () => {
    const keys = new AcceptKeys(RETENTION_US)
    expect(keys.isTaken(10, 1, 0)).toBe(false)
    keys.take(10, 1, 0)
    expect([keys.isTaken(10, 1, 0), keys.isTaken(10, 1, 999), keys.isTaken(10, 1, 1_000)]).toEqual([true, true, false])
    keys.take(10, 1, 1_000)
    expect([keys.isTaken(10, 1, 1_999), keys.isTaken(10, 1, 2_000)]).toEqual([true, false])
  })

  it('INV-24 a key is the account\'s own: equal keys of others, and the widest numbers, do not meet', () => {
    const keys = new AcceptKeys(RETENTION_US)
    keys.take(0, 1, 0)
    keys.take(5, KEY_MAX, 0)
    keys.take(ACCOUNT_MAX, KEY_MAX, 0)
    expect([keys.isTaken(6, 1, 0), keys.isTaken(6, 2, 0)]).toEqual([false, false])
    expect([keys.isTaken(1, 1, 0), keys.isTaken(0, 2, 0), keys.isTaken(ACCOUNT_MAX, KEY_MAX - 1, 0)]).toEqual([false, false, false])
    expect([keys.isTaken(0, 1, 0), keys.isTaken(ACCOUNT_MAX, KEY_MAX, 0)]).toEqual([true, true])
  })

  it('INV-24 looking changes nothing', () => {
    const keys = new AcceptKeys(RETENTION_US)
    keys.take(10, 1, 0)
    const before = keys.snapshot()
    keys.isTaken(10, 1, 5_000)
    expect(keys.snapshot()).toEqual(before)
  })

  it('INV-24 ended keys leave memory with the next that is taken', () => {
    const keys = new AcceptKeys(RETENTION_US)
    for (let key = 1; key <= 5_000; key++) keys.take(10, key, key)
    // Keys 4,001…5,000 have not ended at 5,000.
    expect(keys.count).toBe(1_000)
    keys.take(10, 1, 50_000)
    expect(keys.count).toBe(1)
    expect((keys.snapshot() as { keys: Float64Array }).keys.length).toBe(1)
  })

  it('INV-24 says what a plain map says, through growth, forgetting and a restore', () => {
    fc.assert(fc.property(fc.integer({ min: 0, max: 2 ** 31 - 1 }), (seed) => {
      const draw = drawsOf(seed)
      const plain = new PlainKeys()
      let keys = new AcceptKeys(RETENTION_US)
      let nowUs = 0
      for (let step = 0; step < 2_000; step++) {
        nowUs += [0, 0, 1, 3, 50][draw(5)]!
        if (draw(300) === 0) nowUs += 900
        const [account, key] = [draw(4) * 4_000_000, 1 + draw(300)]
        expect(keys.isTaken(account, key, nowUs)).toBe(plain.isTaken(account, key, nowUs))
        if (plain.isTaken(account, key, nowUs)) continue
        keys.take(account, key, nowUs)
        plain.take(account, key, nowUs)
        expect(keys.count).toBe(plain.standing(nowUs))
        if (draw(100) > 0) continue
        const copy = new AcceptKeys(RETENTION_US)
        copy.restore(keys.snapshot())
        expect(copy.snapshot()).toEqual(keys.snapshot())
        keys = copy
      }
    }), { numRuns: 20 })
  })
})
