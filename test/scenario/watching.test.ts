import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { loadScenario } from '../../src/scenario/load.ts'
import { needsNoWatch } from '../../src/scenario/watching.ts'
import { newFolder, put, QUICKSTART_STORE, SMALL } from './small.ts'

const isFree = (text: string, set: readonly string[] = []): boolean => needsNoWatch(loadScenario(put(newFolder(), 'small.yaml', text), { set }))

/** The path of a store of which there is only the manifest, with a file of a certain size. */
function storeOf(bytes: number): string {
  const store = join(newFolder(), 'store')
  mkdirSync(store)
  writeFileSync(join(store, 'store.json'), JSON.stringify({ format: 'parlor-store', version: 3, files: { 'parts/2025-06-19.0.arrow': { bytes, sha256: '0'.repeat(64) } } }))
  return store
}

it('a short session of built-in strategies needs no watch', () => {
  expect(isFree(SMALL)).toBe(true)
})

it.each([
  ['a strategy file makes prices', 'use: fixed-margin', 'use: ./mine.ts'],
  ['a strategy file bets', 'kind: informed', 'use: ./mine.ts'],
  ['a client holds a seat', 'use: fixed-margin', 'external: true'],
  ['a log is read', '{ use: fixed-margin, capital: 50000 USDC }', '{ use: recorded, log: log.ndjson, maker: one }'],
  ['nobody says how many arrive', ', max: 200', ''],
  ['more arrive than 20,000', 'max: 200', 'max: 20001'],
  ['there is no store yet', QUICKSTART_STORE, '/nowhere/store'],
])('a session is watched where %s', (_, from, to) => {
  expect(SMALL).toContain(from)
  expect(isFree(SMALL.replace(from, to))).toBe(false)
})

it('a session on a chain is watched', () => {
  expect(isFree(`${SMALL}chain: svm\n`)).toBe(false)
})

it.each([[16 * 1024 * 1024, true], [16 * 1024 * 1024 + 1, false]])('a store of %i bytes is opened without a watch: %s', (bytes, expected) => {
  expect(isFree(SMALL.replace(QUICKSTART_STORE, storeOf(bytes)))).toBe(expected)
})
