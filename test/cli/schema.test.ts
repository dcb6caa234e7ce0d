import { tmpdir } from 'node:os'
import { expect, it } from 'vitest'
import { tableDictionary } from '../../src/record/dictionary.ts'
import { parlorHere } from './parlor.ts'

it('parlor schema tables prints the dictionary of the tables, and parlor schema the schema of scenarios', async () => {
  const tables = await parlorHere(tmpdir(), 'schema', 'tables', '--json')
  const scenario = await parlorHere(tmpdir(), 'schema')
  const wrong = await parlorHere(tmpdir(), 'schema', 'columns')
  expect([tables.code, scenario.code, wrong.code]).toEqual([0, 0, 2])
  expect(JSON.parse(tables.out)).toEqual(tableDictionary())
  expect(JSON.parse(scenario.out)).toHaveProperty('properties.makers')
  expect(wrong.err).toContain('Allowed choices are scenario, mapping, tables')
})
