import { expect, it } from 'vitest'
import { ClientKeyBook } from '../../../src/serve/outcome/clientKeys.ts'
import { OutcomeOp } from '../../../src/venue/outcome/protocol/commands.ts'

const { createRfq, acceptQuote } = OutcomeOp
const FIRST = 134_217_728
const ANSWER = { status: 201, body: {} }
/** Answers are remembered for 10 ms, those of accepts for 50 ms. */
const book = (): ClientKeyBook => new ClientKeyBook({ idempotencyRetentionMs: 10, acceptRetentionMs: 50 })

/** What another call shows of the book at an instant, µs: the answer to it may let keys go. */
function at(keys: ClientKeyBook, nowUs: number): void {
  keys.answered(9, keys.enter(9, `other ${nowUs}`), createRfq, true, nowUs)
}

it('numbers the keys of each account as they come, and a key that comes again as before', () => {
  const keys = book()
  expect([keys.enter(1, 'a'), keys.enter(1, 'b'), keys.enter(2, 'b'), keys.enter(1, 'a')]).toEqual([FIRST, FIRST + 1, FIRST, FIRST])
  expect([keys.textOf(1, FIRST), keys.textOf(1, FIRST + 1), keys.textOf(2, FIRST), keys.textOf(2, FIRST + 1), keys.textOf(3, FIRST)]).toEqual(['a', 'b', 'b', null, null])
})

it.each([['any other', createRfq, 10_000], ['an accept', acceptQuote, 50_000]])('OM-112 knows the key of %s as long as the gate remembers the answer', (_, op, keptUs) => {
  const keys = book()
  const key = keys.enter(1, 'a')
  keys.answered(1, key, op, true, 500)
  keys.keep(1, key, ANSWER)
  at(keys, 500 + keptUs - 1)
  expect([keys.textOf(1, key), keys.kept(1, key)]).toEqual(['a', ANSWER])
  at(keys, 500 + keptUs)
  expect([keys.textOf(1, key), keys.kept(1, key)]).toEqual([null, null])
  // It is another one now, and no number stands for two.
  expect(keys.enter(1, 'a')).toBe(FIRST + 1)
})

it('OM-112 knows a key that was used again for longer, whatever it was used for', () => {
  const keys = book()
  const [key, accept] = [keys.enter(1, 'a'), keys.enter(1, 'b')]
  keys.answered(1, key, createRfq, true, 0)
  keys.answered(1, accept, acceptQuote, true, 0)
  keys.answered(1, keys.enter(1, 'a'), createRfq, true, 4000)
  keys.answered(1, keys.enter(1, 'b'), createRfq, true, 4000)
  at(keys, 13_999)
  expect(keys.textOf(1, key)).toBe('a')
  at(keys, 14_000)
  expect([keys.textOf(1, key), keys.textOf(1, accept)]).toEqual([null, 'b'])
  at(keys, 50_000)
  expect(keys.textOf(1, accept)).toBe(null)
})

it('knows a key as long as a call with it waits', () => {
  const keys = book()
  const key = keys.enter(1, 'a')
  keys.enter(1, 'a')
  keys.answered(1, key, createRfq, true, 0)
  at(keys, 20_000)
  expect(keys.textOf(1, key)).toBe('a')
  keys.answered(1, key, createRfq, true, 30_000)
  at(keys, 39_999)
  expect(keys.textOf(1, key)).toBe('a')
  at(keys, 40_000)
  expect(keys.textOf(1, key)).toBe(null)
})

it('OM-112 forgets a key at once that the gate does not remember', () => {
  const keys = book()
  const [refused, other] = [keys.enter(1, 'a'), keys.enter(1, 'b')]
  keys.answered(1, refused, createRfq, false, 0)
  expect([keys.textOf(1, refused), keys.textOf(1, other)]).toEqual([null, 'b'])
  expect(keys.enter(1, 'a')).toBe(FIRST + 2)
})

it('OM-112 OM-171 knows a key that a refusal did not bind as long as the answer before it, and another call with it, go on', () => {
  const keys = book()
  const [bound, waiting] = [keys.enter(1, 'a'), keys.enter(1, 'b')]
  keys.answered(1, bound, createRfq, true, 0)
  keys.answered(1, keys.enter(1, 'a'), createRfq, false, 4000)
  keys.answered(1, keys.enter(1, 'b'), createRfq, false, 4000)
  at(keys, 9999)
  expect([keys.textOf(1, bound), keys.textOf(1, waiting)]).toEqual(['a', 'b'])
  at(keys, 10_000)
  expect([keys.textOf(1, bound), keys.textOf(1, waiting)]).toEqual([null, 'b'])
  keys.answered(1, waiting, createRfq, false, 10_000)
  expect(keys.textOf(1, waiting)).toBe(null)
})

it('OM-080 knows the text of a key that became the id of an acceptance to the end, and not its answer', () => {
  const keys = book()
  const key = keys.enter(1, 'a')
  keys.accepted(1, key)
  keys.answered(1, key, acceptQuote, true, 0)
  keys.keep(1, key, ANSWER)
  at(keys, 60_000)
  expect([keys.textOf(1, key), keys.kept(1, key), keys.enter(1, 'a')]).toEqual(['a', null, key])
})

it('passes over the keys that a session makes up', () => {
  const keys = book()
  keys.answered(1, 7, createRfq, true, 0)
  keys.keep(1, 7, ANSWER)
  keys.accepted(1, 7)
  expect([keys.textOf(1, 7), keys.kept(1, 7)]).toEqual([null, null])
})

it('begins again with the numbers of forgotten keys when all have been given out', () => {
  const keys = new ClientKeyBook({ idempotencyRetentionMs: 10, acceptRetentionMs: 50 }, FIRST + 3)
  const numbers = ['a', 'b', 'c', 'd'].map((text) => keys.enter(1, text))
  expect(numbers).toEqual([FIRST, FIRST + 1, FIRST + 2, FIRST + 3])
  for (const number of [FIRST + 1, FIRST + 3]) keys.answered(1, number, createRfq, false, 0)
  // Those of the first and of the third key are still theirs.
  expect([keys.enter(1, 'e'), keys.enter(1, 'f')]).toEqual([FIRST + 1, FIRST + 3])
  expect(['a', 'e', 'c', 'f']).toEqual(numbers.map((number) => keys.textOf(1, number)))
  expect(() => keys.enter(1, 'g')).toThrow('memory ends')
})
