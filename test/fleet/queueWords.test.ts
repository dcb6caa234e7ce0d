import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type BatchError, batchOf, errorIn, errorText, tasksOf } from '../../src/fleet/queue/batch.ts'
import { readAddress } from '../../src/fleet/queue/link.ts'
import { queueText } from '../../src/cli/queue.ts'

describe('the address of a queue', () => {
  it('is a URL of Redis, and is told without its password', () => {
    expect(readAddress('redis://localhost:6379')).toEqual({ url: 'redis://localhost:6379', place: 'redis://localhost:6379', prefix: 'parlor' })
    expect(readAddress('rediss://me:secret@queue.example:7000/2?prefix=team')).toEqual({ url: 'rediss://me:secret@queue.example:7000/2', place: 'rediss://queue.example:7000/2', prefix: 'team' })
  })

  it.each([
    ['localhost', 'is no URL'], ['http://localhost', 'is a URL of http'], ['redis://', 'names no host'], ['redis://h/one', 'names a database that is no number'],
    ['redis://h?prefx=a', 'has prefx, which nobody reads'], ['redis://h?prefix=a*', 'has a prefix that is no name'],
  ])('%s %s', (text, why) => {
    expect(() => readAddress(text)).toThrow(why)
  })
})

describe('a batch', () => {
  const TERMS = { results: '/r', isTrusted: false, limitMs: null, limits: { callLimitMs: 1, memoryLimitMiB: 2 } }
  const tasks = [['a', 1], ['b', 1], ['a', 2]].map(([margin, replication]) => ({ id: `${margin}${replication}`, spec: { scenario: resolve('s.yaml'), set: [`m=${margin}`], seed: `1/${replication}` } }))

  it('has what its tasks share once, and gives them back', () => {
    const batch = batchOf(tasks, { build: 'b', run: 'r', terms: TERMS })
    expect(batch.points).toEqual([{ scenario: resolve('s.yaml'), set: ['m=a'] }, { scenario: resolve('s.yaml'), set: ['m=b'] }])
    expect(batch.tasks).toEqual([[0, '1/1', 'a1'], [1, '1/1', 'b1'], [0, '1/2', 'a2']])
    expect(tasksOf(JSON.parse(JSON.stringify(batch)) as typeof batch)).toEqual(tasks)
  })

  it('names files as workers find them that were started elsewhere', () => {
    const [path, text] = [{ id: 'a', spec: { scenario: 's.yaml', set: [], seed: '1' } }, { id: 'b', spec: { scenario: { name: 's', folder: '.', text: 'version: 1', isObject: false }, set: [], seed: '1' } }]
    expect(batchOf([path!, text!], { build: 'b', run: 'r', terms: TERMS }).points.map(({ scenario }) => scenario)).toEqual([
      join(process.cwd(), 's.yaml'), { name: 's', folder: process.cwd(), text: 'version: 1', isObject: false },
    ])
  })

  it('fails with words that come through, and others are those of the queue', () => {
    const error: BatchError = { kind: 'refused', worker: 'w', message: 'no "file"\nhere' }
    expect(errorIn(errorText(error))).toEqual(error)
    for (const text of ['job stalled more than allowable limit', '', '{}', 'null', '{"kind":1,"message":"m"}']) expect(errorIn(text)).toBeNull()
  })
})

it('a queue is told as what waits, what is played by whom, and what failed', () => {
  const build = { sourceTree: 'ab'.repeat(32), node: 'v24.1.0', platform: 'linux-x64' }
  const text = queueText({
    workers: [{ kind: 'worker', name: 'host-1-aa', build, threads: 4, played: 1200, batches: ['r-1'] }], runs: [{ kind: 'run', name: 'host-2-bb', build, about: 'sweep small', done: 640, of: 1000 }],
    queues: [
      { name: 'n', build, waiting: 12, running: 1, failed: 1, batches: [
        { batch: 'r-1', state: 'running', sessions: 100, worker: 'host-1-aa', reason: null }, { batch: 'r-0', state: 'failed', sessions: 1, worker: null, reason: 'job stalled' },
      ] },
      { name: '0123', build: null, waiting: 1, running: 0, failed: 0, batches: [] },
    ],
  })
  expect(text.split('\n').map((line) => line.trim().replaceAll(/ +/g, ' '))).toEqual([
    '1 worker, 4 threads; 1 command', '', 'worker threads sessions batches', 'host-1-aa 4 1,200 1', '', 'command plays done of at most', 'host-2-bb sweep small 640 1,000', '',
    'source tree abababababab, Node v24.1.0, linux-x64: 12 batches waiting, 1 played, 1 failed', '', 'batch state sessions worker reason', 'r-1 running 100 host-1-aa', 'r-0 failed 1 job stalled', '',
    'build 0123, of which nobody is there: 1 batch waiting, 0 played, 0 failed',
  ])
})
