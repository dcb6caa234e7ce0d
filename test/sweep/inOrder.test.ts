import { setImmediate as breathe } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { inOrder } from '../../src/sweep/inOrder.ts'

/** Work that ends when the test says so. */
class Bench {
  readonly begun: number[] = []
  private readonly ends = new Map<number, PromiseWithResolvers<string>>()

  readonly work = (item: number): Promise<string> => {
    this.begun.push(item)
    const end = Promise.withResolvers<string>()
    this.ends.set(item, end)
    return end.promise
  }

  async end(item: number): Promise<void> {
    this.ends.get(item)!.resolve(`${item} done`)
    await breathe()
  }

  async fail(item: number): Promise<void> {
    this.ends.get(item)!.reject(new Error(`${item} failed`))
    await breathe()
  }
}

describe('work in order', () => {
  it('gives outcomes in the order of the items, whatever ends first, and begins no more than it may', async () => {
    const bench = new Bench()
    const taken: string[] = []
    const all = (async () => {
      for await (const outcome of inOrder([0, 1, 2, 3, 4, 5], bench.work, { atOnce: 2, ahead: 4 })) taken.push(outcome)
    })()
    expect(bench.begun).toEqual([0, 1])
    await bench.end(1)
    await bench.end(2)
    expect(taken).toEqual([])
    expect(bench.begun).toEqual([0, 1, 2, 3])
    await bench.end(3)
    // Item 0 has not been taken, and four are begun beyond what was.
    expect(bench.begun).toEqual([0, 1, 2, 3])
    await bench.end(0)
    expect(taken).toEqual(['0 done', '1 done', '2 done', '3 done'])
    expect(bench.begun).toEqual([0, 1, 2, 3, 4, 5])
    await bench.end(5)
    await bench.end(4)
    await all
    expect(taken.slice(4)).toEqual(['4 done', '5 done'])
  })

  it('throws what an item threw when its turn comes, and begins nothing from then on', async () => {
    const bench = new Bench()
    const taken: string[] = []
    const all = (async () => {
      for await (const outcome of inOrder([0, 1, 2, 3, 4], bench.work, { atOnce: 2, ahead: 5 })) taken.push(outcome)
    })()
    const ended = all.then(() => 'took all', (error: Error) => error.message)
    await bench.fail(1)
    expect(bench.begun).toEqual([0, 1, 2])
    await bench.end(0)
    expect(await ended).toBe('1 failed')
    const begun = bench.begun.length
    await bench.end(2)
    expect(bench.begun).toHaveLength(begun)
    expect(taken).toEqual(['0 done'])
  })

  it('begins nothing any more once its taker has left', async () => {
    const bench = new Bench()
    const outcomes = inOrder([0, 1, 2, 3], bench.work, { atOnce: 2, ahead: 4 })
    const first = outcomes.next()
    await bench.end(0)
    await expect(first).resolves.toEqual({ done: false, value: '0 done' })
    await outcomes.return(undefined)
    const begun = bench.begun.length
    await bench.end(1)
    expect(bench.begun).toHaveLength(begun)
  })
})
