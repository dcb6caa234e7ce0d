import { expect, it } from 'vitest'
import { LeftCalls } from '../../src/engine/leftCalls.ts'
import { MessageKind, MessageWord } from '../../src/engine/messages.ts'
import type { Transit } from '../../src/engine/transit.ts'

const STRIDE = 16
const [SEAT, OTHER] = [3, 4] as const

/** Messages under way, by place: to whom, and of which kind. */
function underWay(...messages: readonly (readonly [target: number, kind: number])[]): Transit {
  const words = new Int32Array(messages.length * STRIDE)
  for (const [i, [target, kind]] of messages.entries()) {
    words[i * STRIDE + MessageWord.target] = target
    words[i * STRIDE + MessageWord.kind] = kind
  }
  return { messages: { words }, pending: () => messages.map((_, i) => i * STRIDE) } as unknown as Transit
}

it('calls and decisions of a strategy that left its seat are told from those of others, and each is one once', () => {
  const calls = new LeftCalls()
  expect([calls.take(0), calls.takePutOff(0)]).toEqual([false, false])
  calls.leave(underWay([SEAT, MessageKind.timer], [SEAT, MessageKind.decideLater], [SEAT, MessageKind.selected], [OTHER, MessageKind.timer], [OTHER, MessageKind.decideLater], [SEAT, MessageKind.later]), SEAT)
  const slots = [0, 1, 2, 3, 4, 5].map((i) => i * STRIDE)
  expect(slots.map((slot) => calls.take(slot))).toEqual([true, false, false, false, false, true])
  expect(slots.map((slot) => calls.takePutOff(slot))).toEqual([false, true, false, false, false, false])
  expect(slots.map((slot) => calls.take(slot) || calls.takePutOff(slot))).toEqual([false, false, false, false, false, false])
})
