import { expect, it } from 'vitest'
import { calledStrategy, callNumber } from '../../src/agent/calledStrategy.ts'
import { CallWatch, listenToCalls } from '../../src/scenario/callWatch.ts'

const MIB = 2 ** 20
const NAMES = ['mine']
const LIMITS = { callLimitMs: 1000, memoryLimitMiB: 64 }

/** A watch of this thread, whose strategy is being called, and whose arrays took so much before that. */
function watching(arrayBytes: number): CallWatch {
  const watch = new CallWatch(LIMITS)
  watch.begin({ ...listenToCalls(NAMES), arrayBytes })
  calledStrategy.enter(1, callNumber('onRequest'))
  return watch
}

/** A thread whose arrays take so much. */
const threadWith = (bytes: number) => ({ getHeapStatistics: () => Promise.resolve({ external_memory: bytes } as never) })
/** Lets the answers of a thread come. */
const answered = (): Promise<void> => new Promise((resolve) => { setImmediate(resolve) })

it('a call that lasts from look to look is over its limit at the limit', () => {
  const watch = watching(0)
  const looks = [0, 250, 750, 999].map((nowMs) => watch.look(nowMs, null))
  expect([looks, watch.stillMs]).toEqual([[null, null, null, null], 250 + 500 + 249])
  expect(watch.look(1000, null)).toEqual({ kind: 'endless', who: 'mine', message: 'strategy of mine did not return from onRequest within 1 s' })
  calledStrategy.enter(1, callNumber('onRequest'))
  expect([watch.look(1250, null), watch.stillMs]).toEqual([null, 0])
})

it('a strategy answers for what arrays take beyond what they took before it was called, and more than the limit', async () => {
  const watch = watching(50 * MIB)
  watch.look(0, threadWith(114 * MIB))
  await answered()
  expect(watch.look(1, threadWith(114 * MIB + 1))).toBeNull()
  await answered()
  expect(watch.look(2, null)).toMatchObject({ kind: 'memory', who: 'mine' })
})

it('what a thread says of its arrays after other strategies began to be called is not about those', async () => {
  const watch = watching(0)
  watch.look(0, threadWith(65 * MIB))
  watch.begin({ ...listenToCalls(NAMES), arrayBytes: 0 })
  await answered()
  expect(watch.look(1, null)).toBeNull()
})
