import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { queueText } from '../../src/cli/queue.ts'
import { answerIn, answerText, type Batch, type BatchAnswer, batchIn, batchOf, begunOf, markOf, tasksOf } from '../../src/fleet/queue/batch.ts'
import { readAddress } from '../../src/fleet/queue/link.ts'
import { ARRIVAL_MS, soonEnough } from '../../src/fleet/queue/queuePool.ts'

describe('the address of a queue', () => {
  it('is a URL of Redis, and is told without its password', () => {
    expect(readAddress('redis://localhost:6379')).toEqual({ url: 'redis://localhost:6379', place: 'redis://localhost:6379', prefix: 'parlor' })
    expect(readAddress('rediss://me:secret@queue.example:7000/2?prefix=team')).toEqual({ url: 'rediss://me:secret@queue.example:7000/2', place: 'rediss://queue.example:7000/2', prefix: 'team' })
  })

  it.each([
    ['localhost', 'is no URL'], ['http://localhost', 'is a URL of http'], ['redis://', 'names no host'], ['redis://h/one', 'names a database that is no number'],
    ['redis://h?prefx=a', 'has words behind the question mark that nobody reads'], ['redis://h?prefix=a*', 'has a prefix that is no name'],
  ])('%s %s', (text, why) => {
    expect(() => readAddress(text)).toThrow(why)
  })
})

describe('a batch', () => {
  const TERMS = { results: '/r', isTrusted: false, limitMs: null, limits: { callLimitMs: 1, memoryLimitMiB: 2 } }
  const id = (mark: string): string => mark.padEnd(64, '0')
  const tasks = [['a', 1], ['b', 1], ['a', 2]].map(([margin, replication]) => ({ id: id(`${margin}${replication}`), spec: { scenario: resolve('s.yaml'), set: [`m=${margin}`], seed: `1/${replication}` } }))

  it('has what its tasks share once, and gives them back', () => {
    const batch = batchOf(tasks, TERMS, true)
    expect(batch).toMatchObject({ isAlone: true, points: [{ scenario: resolve('s.yaml'), set: ['m=a'] }, { scenario: resolve('s.yaml'), set: ['m=b'] }] })
    expect(batch.tasks).toEqual([[0, '1/1', id('a1')], [1, '1/1', id('b1')], [0, '1/2', id('a2')]])
    const read = batchIn(JSON.parse(JSON.stringify(batch)))
    expect(read).not.toBeNull()
    expect(tasksOf(read!)).toEqual(tasks)
  })

  it('names files as workers find them that were started elsewhere', () => {
    const [path, text] = [{ id: id('a'), spec: { scenario: 's.yaml', set: [], seed: '1' } }, { id: id('b'), spec: { scenario: { name: 's', folder: '.', text: 'version: 1', isObject: false }, set: [], seed: '1' } }]
    expect(batchOf([path!, text!], TERMS, false).points.map(({ scenario }) => scenario)).toEqual([
      join(process.cwd(), 's.yaml'), { name: 's', folder: process.cwd(), text: 'version: 1', isObject: false },
    ])
  })

  const wrong: [string, Record<string, unknown>][] = [
    ['of another version', { version: 2 }], ['without terms', { terms: null }], ['with limits that are none', { terms: { ...TERMS, limits: { callLimitMs: -1, memoryLimitMiB: 2 } } }],
    ['with a point that is none', { points: [{ scenario: 1, set: [] }] }], ['with a task of no point', { tasks: [[2, '1/1', id('a')]] }], ['with an identity that is a path', { tasks: [[0, '1/1', '../../etc/passwd']] }],
    ['without tasks', { tasks: {} }], ['without saying whether it is alone', { isAlone: 1 }],
  ]
  it.each(wrong)('%s is none', (_, part) => {
    const batch: Batch = batchOf(tasks, TERMS, false)
    expect(batchIn({ ...batch, ...part })).toBeNull()
    for (const other of [null, 1, 'batch', []]) expect(batchIn(other)).toBeNull()
  })

  it('is answered with words that come through, and others are nobody\'s', () => {
    const about = { version: 1, batch: 'r-1', worker: 'w' } as const
    const answers: BatchAnswer[] = [
      { ...about, kind: 'refused', message: 'no "file"\nhere' }, { ...about, kind: 'bug', message: 'at' },
      { ...about, kind: 'played', played: 2, ms: 1.5, failures: [{ id: id('a'), kind: 'endless', who: null, message: 'm' }] },
    ]
    for (const answer of answers) expect(answerIn(answerText(answer))).toEqual(answer)
    const torn = ['', '{}', 'null', '{"kind":1}', ...answers.flatMap((answer) => [
      answerText(answer).slice(1), JSON.stringify({ ...answer, version: 2 }), JSON.stringify({ ...answer, batch: 1 }), JSON.stringify({ ...answer, kind: 'done' }),
    ])]
    for (const text of [...torn, JSON.stringify({ ...answers[2], failures: [{ id: 1 }] }), JSON.stringify({ ...answers[2], ms: 'NaN' })]) expect(answerIn(text)).toBeNull()
  })
})

it('a batch of which nothing is marked has begun with no task', () => {
  // BullMQ's own value is 0.
  expect([0, undefined, 'x', {}, -1, 0.5].map(begunOf)).toEqual([null, null, null, null, null, null])
  expect([0, 1, 499].map((begun) => begunOf(markOf(begun)))).toEqual([0, 1, 499])
})

describe('a result that a worker says to have left', () => {
  it('is looked for again, in pauses that grow, for a minute and a half', async () => {
    const pauses: number[] = []
    const pause = (ms: number): Promise<unknown> => Promise.resolve(pauses.push(ms))
    expect(await soonEnough(() => Promise.resolve(pauses.length === 3 ? 'here' : null), pause)).toBe('here')
    expect(pauses).toEqual([100, 200, 400])
    pauses.length = 0
    expect(await soonEnough(() => Promise.resolve(null), pause)).toBeNull()
    const waited = pauses.reduce((sum, ms) => sum + ms, 0)
    expect(waited).toBeGreaterThanOrEqual(ARRIVAL_MS)
    expect(waited).toBeLessThan(ARRIVAL_MS + 5000)
    expect(Math.max(...pauses)).toBe(5000)
  })
})

it('a queue is told as who is there, what waits, what is played by whom, what failed and who refused', () => {
  const build = { sourceTree: 'ab'.repeat(32), node: 'v24.1.0', platform: 'linux-x64' }
  const text = queueText({
    workers: [{ name: 'host-1-aa', build, threads: 4, played: 1200, batches: ['r-1'] }],
    runs: [{
      name: 'host-2-bb', build, about: 'sweep small', done: 640, failed: 1, of: 1000, waiting: 12, playing: 1, batches: [{ batch: 'r-1', sessions: 100, worker: 'host-1-aa' }],
      refusals: [{ worker: 'host-3-cc', message: 'no such file' }], failures: [{ worker: 'host-1-aa', message: 'task 12: boom' }],
    }],
  })
  expect(text.split('\n').map((line) => line.trim().replaceAll(/ +/g, ' '))).toEqual([
    '1 worker, 4 threads; 1 command', '', 'worker threads sessions batches build', 'host-1-aa 4 1,200 1 source tree abababababab, Node v24.1.0, linux-x64', '',
    'host-2-bb: sweep small, 640 of at most 1,000 sessions done, 1 failed; 12 batches waiting, 1 played; source tree abababababab, Node v24.1.0, linux-x64', '',
    'batch sessions worker', 'r-1 100 host-1-aa', 'failed with host-1-aa: task 12: boom', 'refused by host-3-cc: no such file',
  ])
})
