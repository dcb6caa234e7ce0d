import { expect, test } from 'vitest'
import { inputFile } from '../../src/feed/rows/inputFiles.ts'
import { ItemNames } from '../../src/feed/rows/itemNames.ts'
import { written } from './writtenFiles.ts'

const found = async (column: string, content: string, hasTexts = false): Promise<boolean> => {
  const names = new ItemNames([column], hasTexts)
  await names.lookInto(await inputFile(`${written({ 'a.json': content })}/a.json`))
  return names.has(column)
}

test.each<[column: string, content: string, isFound: boolean]>([
  ['title', '{"title":1}', true], ['title', '{"event_title":1}', false], ['title', '{"event_title":1,"title":2}', true], ['msg.title', '{"msg":{"title":1}}', true],
  ['msg.title', '{"msg.title":1}', true], ['teams.*', '{"teams":{}}', true], ['*', '{}', true], ['title', '{titles:1}', false], ['title', '', false],
])('%s in %s: %s', async (column, content, isFound) => expect(await found(column, content)).toBe(isFound))

test('a text within a text has names where it may', async () => {
  const content = JSON.stringify({ raw: JSON.stringify({ title: 1 }) })
  expect([await found('title', content), await found('title', content, true)]).toEqual([false, true])
})

test('a name is found wherever two stretches of a file meet', async () => {
  const places = Array.from({ length: 12 }, (_, i) => (1 << 18) - i)
  const missed: number[] = []
  for (const at of places) if (!await found('title', `${' '.repeat(at)}"title":1`)) missed.push(at)
  expect(missed).toEqual([])
})
