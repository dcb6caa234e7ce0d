import { syncBuiltinESMExports } from 'node:module'
import threads from 'node:worker_threads'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'

/** What each thread that was begun was told. */
const told: unknown[][] = []

class Told {
  private readonly messages: unknown[] = []

  constructor() {
    told.push(this.messages)
  }

  postMessage(message: unknown): void {
    this.messages.push(message)
  }

  unref(): void {}
}

const { Worker } = threads
let heart: typeof import('../../src/result/heart.ts')
let imports = 0

function replaceWorker(by: unknown): void {
  Object.assign(threads, { Worker: by })
  syncBuiltinESMExports()
}

beforeEach(async () => {
  told.length = 0
  replaceWorker(Told)
  vi.useFakeTimers()
  // A module of its own, which keeps nothing of the test before.
  heart = await import(`../../src/result/heart.ts?own=${imports++}`) as typeof heart
})
afterEach(() => {
  vi.useRealTimers()
  replaceWorker(Worker)
})

it('renews the lease of a busy holder from the first moment on', () => {
  heart.beat('busy', 'a')
  expect(told).toEqual([[['busy', 'a']]])
})

it('renews the lease of a prompt holder once a beat has passed, with all that are held by then', () => {
  heart.beat('first', 'a', true)
  heart.beat('second', 'b', true)
  vi.advanceTimersByTime(heart.BEAT_MS - 1)
  expect(told).toEqual([])
  vi.advanceTimersByTime(1)
  expect(told).toEqual([[['first', 'a'], ['second', 'b']]])
})

it('begins no thread for a prompt holder that is done before', () => {
  heart.beat('short', 'a', true)
  heart.stopBeating('short')
  vi.advanceTimersByTime(10 * heart.BEAT_MS)
  expect(told).toEqual([])
})

it('has one thread, which a busy holder begins for prompt ones too', () => {
  heart.beat('prompt', 'a', true)
  heart.beat('busy', 'b')
  heart.beat('later', 'c', true)
  heart.stopBeating('prompt')
  vi.advanceTimersByTime(10 * heart.BEAT_MS)
  expect(told).toEqual([[['prompt', 'a'], ['busy', 'b'], ['later', 'c'], ['prompt', null]]])
})
