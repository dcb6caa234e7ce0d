import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openStoreHistory } from '../../../src/feed/history/storeHistory.ts'
import { playInto } from '../../../src/scenario/run.ts'
import { newFolder, prepared, QUICKSTART_STORE, SMALL } from '../../scenario/small.ts'

const PARTS = ['2025-06-19', '2025-06-20'].flatMap((day) => [`parts/${day}.0.arrow`, `parts/${day}.0.last.arrow`])

it('what one session read of a history counts for no other, though it is in memory', () => {
  const history = openStoreHistory(QUICKSTART_STORE)
  const [first, second, third] = [history.forSession(), history.forSession(), history.forSession()]
  expect(first.unread()).toEqual(PARTS)
  first.ticks.chunk(0)
  first.ticks.has!(0, 0)
  first.ticks.digestAt!(0)!.lasts()
  expect(first.unread()).toEqual(PARTS.slice(2))
  expect(second.unread()).toEqual(PARTS)
  // What a part leaves behind is in memory by now, and is asked for again.
  second.ticks.has!(0, 0)
  third.ticks.digestAt!(0)!.lasts()
  for (const one of [second, third]) expect(one.unread()).toEqual(PARTS.filter((name) => name !== PARTS[1]))
  second.ticks.chunk(0)
  expect(second.unread()).toEqual(PARTS.slice(2))
  expect(history.unread()).toEqual(PARTS)
})

it('a run says the same of what it did not read, whatever was played of the history before', async () => {
  const { prepared: ready } = await prepared(SMALL.replace('max: 200', 'max: 5'))
  const second = { ...ready.resolved, history: { ...ready.resolved.history, fromUs: Date.UTC(2025, 5, 20, 0, 30) * 1000, toUs: Date.UTC(2025, 5, 20, 1) * 1000 } }
  const unread = async (name: string, resolved: typeof second): Promise<unknown> => (await playInto(join(newFolder(), name), { ...ready, resolved }, { isDurable: false })).unread
  expect(await unread('first day', ready.resolved)).toBeUndefined()
  expect(await unread('second day', second)).toEqual([PARTS[0]])
})
