import { describe, expect, it } from 'vitest'
import type { TaskFailure } from '../../src/sweep/task.ts'
import { type Ending, type Given, Handout } from '../../src/fleet/queue/handout.ts'

const task = (id: string): Parameters<Handout['want']>[0] => ({ id, spec: { scenario: 's.yaml', set: [], seed: id } })
const ids = (given: Given | null): string[] => given?.tasks.map(({ id }) => id) ?? []

/** All batches that can be given now, by their tasks. */
function given(handout: Handout, nowMs = 0): Given[] {
  const all: Given[] = []
  for (let next = handout.next(nowMs); next !== null; next = handout.next(nowMs)) all.push(next)
  return all
}

function wantAll(handout: Handout, tasks: readonly string[]): Map<string, Ending> {
  const endings = new Map<string, Ending>()
  for (const id of tasks) void handout.want(task(id)).then((ending) => { endings.set(id, ending) }, () => {})
  return endings
}

const played = (batch: Given, count: number, ms: number, failures: readonly TaskFailure[] = []): Parameters<Handout['answered']>[0] =>
  ({ version: 1, batch: batch.batch, worker: 'w', kind: 'played', played: count, ms, failures })

/** Lets what was resolved be heard. */
const heard = (): Promise<void> => new Promise((resolve) => { setTimeout(resolve) })

const tasks = (count: number): string[] => Array.from({ length: count }, (_, i) => String(i))

describe('a handout', () => {
  it('gives two batches for each thread and no more, each at most twice as large as one that was played, of about five seconds', () => {
    const handout = new Handout('r')
    handout.fleet = { workers: 1, threads: 2 }
    wantAll(handout, tasks(2000))
    const first = given(handout)
    expect(first.map(ids)).toEqual([['0'], ['1'], ['2'], ['3']])
    const sizes: number[] = []
    // 10 ms each: 500 in five seconds.
    for (let next = first[0]!, i = 0; i < 11; i++) {
      handout.answered(played(next, next.tasks.length, 10 * next.tasks.length))
      next = handout.next(0)!
      sizes.push(next.tasks.length)
    }
    expect(sizes).toEqual([2, 4, 8, 16, 32, 64, 128, 256, 500, 500, 486])
    // 2 s each.
    const slow = new Handout('r')
    wantAll(slow, tasks(100))
    for (const batch of given(slow)) slow.answered(played(batch, 1, 2000))
    expect(ids(slow.next(0))).toHaveLength(2)
  })

  it('takes back what a worker left of a batch, and believes the first of two endings', async () => {
    const handout = new Handout('r')
    const endings = wantAll(handout, ['a', 'b', 'c', 'd'])
    for (const batch of given(handout)) handout.answered(played(batch, 1, 1))
    const more = wantAll(handout, ['e', 'f'])
    const batch = handout.next(0)!
    expect(ids(batch)).toEqual(['e', 'f'])
    const failure: TaskFailure = { id: 'e', kind: 'strategy', who: 'm', message: 'boom' }
    handout.answered(played(batch, 1, 1, [failure]))
    handout.answered(played(batch, 2, 1))
    await heard()
    expect([...endings.values()]).toEqual([1, 2, 3, 4].map(() => ({ kind: 'played' })))
    expect([...more]).toEqual([['e', { kind: 'failed', failure, worker: 'w' }]])
    expect(ids(handout.next(0))).toEqual(['f'])
  })

  it('suspects all that a dead process had, gives suspects to processes that play nothing else, and counts deaths only there', async () => {
    const handout = new Handout('r')
    handout.fleet = { workers: 1, threads: 4 }
    const endings = wantAll(handout, tasks(6))
    const [a, b] = given(handout)
    // What is marked counts only where nothing else was played.
    for (const batch of [a!, b!]) handout.died(batch.batch, 'w', 0)
    // Suspects come before what waits, one batch at a time where there are fewer than sixteen workers.
    wantAll(handout, ['late'])
    let [alone, ...others] = given(handout)
    expect([alone!.isAlone, ids(alone!)]).toEqual([true, ['0']])
    expect(others.map(ids)).toEqual([['late']])
    handout.answered(played(alone!, 1, 1))
    ;[alone, ...others] = given(handout)
    expect([alone!.isAlone, ids(alone!)]).toEqual([true, ['1']])
    expect(others).toEqual([])
    // Before it has begun, another batch of the process may be to blame.
    handout.died(alone!.batch, 'w', null)
    for (const worker of ['x', 'y', 'z']) {
      alone = handout.next(0)!
      expect(ids(alone)).toEqual(['1'])
      handout.died(alone.batch, worker, 0)
    }
    await heard()
    expect(endings.get('1')).toMatchObject({ kind: 'failed', worker: 'z', failure: { id: '1', kind: 'worker', message: '3 worker processes died over it that played nothing else' } })
    expect(endings.get('0')).toEqual({ kind: 'played' })
    expect(handout.next(0)).toBeNull()
  })

  it('knows of suspects in one batch over which of them a process died', async () => {
    const handout = new Handout('r')
    handout.fleet = { workers: 1, threads: 1 }
    wantAll(handout, tasks(4))
    for (const batch of given(handout)) handout.answered(played(batch, 1, 1))
    const endings = wantAll(handout, ['a', 'b', 'c', 'd'])
    const batches = given(handout)
    expect(batches.map(ids)).toEqual([['a', 'b'], ['c', 'd']])
    handout.died(batches[0]!.batch, 'w', null)
    handout.answered(played(batches[1]!, 2, 1))
    const alone = handout.next(0)!
    expect([alone.isAlone, ids(alone)]).toEqual([true, ['a', 'b']])
    handout.died(alone.batch, 'w', 1)
    await heard()
    // What it played before may be there.
    expect(endings.get('a')).toEqual({ kind: 'unknown' })
    expect(ids(handout.next(0))).toEqual(['b'])
  })

  it('counts no death for suspects behind the one that was begun, which stay suspects', async () => {
    const handout = new Handout('r')
    handout.fleet = { workers: 1, threads: 1 }
    wantAll(handout, tasks(4))
    for (const batch of given(handout)) handout.answered(played(batch, 1, 1))
    const endings = wantAll(handout, ['a', 'b'])
    handout.died(handout.next(0)!.batch, 'w', null)
    for (let death = 0; death < 3; death++) {
      const alone = handout.next(0)!
      expect(ids(alone)).toEqual(['a', 'b'])
      handout.died(alone.batch, 'w', 0)
    }
    await heard()
    expect([...endings.keys()]).toEqual(['a'])
    const [left] = given(handout)
    expect([left!.isAlone, ids(left!)]).toEqual([true, ['b']])
    // A worker that ends has not played it.
    handout.answered(played(left!, 0, 1))
    expect(handout.next(0)).toMatchObject({ isAlone: true, tasks: [{ id: 'b' }] })
  })

  it('has those played elsewhere that one refuses, and does not know of what is gone', async () => {
    const handout = new Handout('r')
    const endings = wantAll(handout, ['a', 'b'])
    const [a, b] = given(handout)
    handout.returned(a!.batch)
    handout.gone(b!.batch)
    await heard()
    expect([...endings]).toEqual([['b', { kind: 'unknown' }]])
    expect(given(handout).map(ids)).toEqual([['a']])
  })

  it('gives tasks of slow batches a second time to idle threads, once, from their ends, when nothing else is left', () => {
    const handout = new Handout('r')
    wantAll(handout, tasks(4))
    for (const batch of given(handout)) handout.answered(played(batch, 1, 1000))
    wantAll(handout, ['a', 'b', 'c', 'd'])
    handout.fleet = { workers: 2, threads: 4 }
    const batches = given(handout, 0)
    expect(batches.map(ids)).toEqual([['a', 'b'], ['c', 'd']])
    expect(handout.slow(20_000)).toEqual([])
    handout.isEnd = true
    expect(handout.slow(10_000)).toEqual([])
    handout.answered(played(batches[1]!, 2, 2000))
    expect(handout.slow(10_001).map(ids)).toEqual([['b'], ['a']])
    expect(handout.slow(60_000)).toEqual([])
  })

  it('shares the last tasks out', () => {
    const handout = new Handout('r')
    handout.fleet = { workers: 3, threads: 3 }
    wantAll(handout, tasks(18))
    for (let round = 0; round < 2; round++) for (const batch of given(handout)) handout.answered(played(batch, batch.tasks.length, 1))
    wantAll(handout, tasks(9))
    handout.isEnd = true
    expect(given(handout).map((batch) => batch.tasks.length)).toEqual([3, 2, 2, 1, 1])
  })

  it('is given up with an error for all that is wanted, now and later', async () => {
    const handout = new Handout('r')
    const wanted = handout.want(task('a'))
    const [batch] = given(handout)
    handout.stop(new Error('over'))
    await expect(wanted).rejects.toThrow('over')
    await expect(handout.want(task('b'))).rejects.toThrow('over')
    expect(handout.clear(new Error('left'))).toEqual([batch!.batch])
    expect(given(handout)).toEqual([])
  })
})
