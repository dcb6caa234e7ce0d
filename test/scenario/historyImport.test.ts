import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { loadScenario } from '../../src/scenario/load.ts'
import { prepareScenario } from '../../src/scenario/run.ts'
import { InputError } from '../../src/unit/inputError.ts'
import { newFolder, put } from './small.ts'

const QUOTES = 'at,id,game,bid,ask\n2025-06-19T22:31:00Z,A,G1,0.40,0.42\n2025-06-19T22:31:00Z,B,G1,0.50,0.52\n2025-06-19T22:32:00Z,C,G2,0.60,0.62\n'
const MAPPING = `files:
  - { kind: markets, match: quotes.csv, market: id, event: game }
  - { kind: quotes, match: quotes.csv, time: at, market: id, bid: bid, ask: ask }
`
const GROUPS = `version: 1
rules:
  - { name: games, match: { event: '{game}' }, game: 'g:{game}' }
`

function scenarioOf(folder: string, origin: string): string {
  put(folder, 'data/quotes.csv', QUOTES)
  put(folder, 'data/mapping.yaml', MAPPING)
  put(folder, 'data/groups.yaml', GROUPS)
  return put(folder, 'own.yaml', `version: 1
mode: interactive
services: { parlay: { profile: parlay@2.1 } }
history: { store: ./store, import: ${origin} }
settlement: { missing: draw }
bettors: [{ kind: noise, n: 1 }]
makers: [{ use: fixed-margin, capital: 1000 USDC }]
`)
}

describe('a scenario makes its store', () => {
  it('of files of any layout by a mapping, with groups where it names rules', async () => {
    const folder = newFolder()
    const said: string[] = []
    const { store } = await prepareScenario(loadScenario(scenarioOf(folder, '{ format: csv, files: [./data/quotes.csv], map: data/mapping.yaml, groups: data/groups.yaml }')), (line) => { said.push(line) })
    expect(said).toEqual([`importing ./data/quotes.csv (csv) into ${join(folder, 'store')}, once`])
    expect(store.catalogue.markets.map(({ ticker, game, exclusionKeys }) => [ticker, game, exclusionKeys.filter((key) => key.startsWith('game:'))])).toEqual([
      ['A', 'g:g1', ['game:g:g1']], ['B', 'g:g1', ['game:g:g1']], ['C', 'g:g2', ['game:g:g2']],
    ])
    expect(store.ticks.count).toBe(3)
  })

  it.each([
    ['{ format: csv, files: [./data/quotes.csv] }', 'history.import.format: format csv needs a mapping'],
    ['{ format: kalshi-mlb-close, files: [./data/quotes.csv], map: data/mapping.yaml }', 'history.import.format: format kalshi-mlb-close takes no mapping'],
    ['{ format: csw, files: [./data/quotes.csv], map: data/mapping.yaml }', 'history.import.format: no format csw; did you mean csv?'],
    ['{ format: csv, files: [./data/quotes.csv], map: data/none.yaml }', /^history\.import\.map: no such file: .*none\.yaml$/],
    ['{ format: csv, files: [./data/quotes.csv], map: data/mapping.yaml, groups: none.yaml }', /^history\.import\.groups: no such file: .*none\.yaml$/],
    ['{ format: csv, files: [./data/quotes.csv], map: data/groups.yaml }', /^files: /],
  ])('and %s is refused with its place', async (origin, message) => {
    const error = await prepareScenario(loadScenario(scenarioOf(newFolder(), origin))).then(() => null, (refused: unknown) => refused as InputError)
    expect(error).toBeInstanceOf(InputError)
    expect(error!.message).toMatch(message)
    expect(error!.position?.line).toBeGreaterThan(0)
  })

  it('and makes none of a file that has a header alone', async () => {
    const folder = newFolder()
    const path = scenarioOf(folder, '{ format: csv, files: [./data/quotes.csv], map: data/mapping.yaml }')
    put(folder, 'data/quotes.csv', `${QUOTES.split('\n')[0]!}\n`)
    await expect(prepareScenario(loadScenario(path))).rejects.toThrow(/no row is accepted as mapping, of 0 in .*quotes\.csv/)
    expect(existsSync(join(folder, 'store'))).toBe(false)
  })
})
