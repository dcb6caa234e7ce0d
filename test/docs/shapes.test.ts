import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { SHAPES } from '../../src/feed/rows/shapes/shapes.ts'

/** Names in bold that a table follows, each with the first cells of its rows. */
function tablesOf(page: string): Record<string, string[]> {
  const tables = page.matchAll(/^\*\*`([\w-]+)`\*\*: .+\n\n\| column \| what it is \|\n\|---\|---\|\n((?:\|.+\n)+)/gm)
  return Object.fromEntries([...tables].map(([, name, rows]) => [name!, rows!.trimEnd().split('\n').map((row) => /^\| `(\w+)` \| \S.* \|$/.exec(row)?.[1] ?? row)]))
}

test('docs/import.md has a table of each shape, with its columns in order', () => {
  const page = readFileSync(new URL('../../docs/import.md', import.meta.url), 'utf8')
  expect(tablesOf(page)).toEqual(Object.fromEntries(Object.entries(SHAPES).map(([name, { columns }]) => [name, columns])))
})
