import { generateKeyPairSync } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { loadScenario } from '../../src/actions/loadScenario.ts'
import { run } from '../../src/actions/run.ts'
import { documentedActions } from '../../tools/docs/actions.ts'
import { newFolder, put, SMALL } from '../scenario/small.ts'

const SHORT = SMALL.replace('max: 200', 'max: 40')
const LEAGUE = `${SHORT}league:\n  entries:\n    - { name: thin, use: fixed-margin, params: { margin: 2% } }\n    - { name: wide, use: fixed-margin, params: { margin: 9% } }\n  play: [alone]\n`
const LIVE = SMALL.replace('parlay@2.1 }', 'parlay@2.1, gate: {} }').replace('max: 200', 'max: 20').replace('{ use: shade, capital: 50000 USDC, count: 2 }', '{ external: true, name: ours, capital: 50000 USDC }')
const MINE = "import { maker, pct } from 'parlor'\nexport default maker({ margin: pct(4) }, () => ({}))\n"
const GAMES = 'date,ticker,event,yes_team,no_team,close_bid,close_ask,close_last,volume,winner,result,settled_ts\n2025-04-16,T1,E1,A,B,40,44,42,1000,1,yes,1744840697\n'
const QUOTES = 'ts,ticker,bid,ask\n1744840000,T1,0.40,0.44\n'
const RESULTS = 'ticker,result\nT1,yes\n'
const MAPPING = 'files: [{ kind: quotes, market: ticker, time: { column: ts, unit: s }, bid: bid, ask: ask }]\n'

/** Actions whose examples take part in one session. */
const TOGETHER = ['serve', 'trade']

const source = (path: string): string => pathToFileURL(join(import.meta.dirname, '../../src', path)).href

let folder: string
let before: string
const FRAMES = '{"msg":{"id":"r","market_ticker":"NYY","target_cost_dollars":"10.0000","created_ts":"2026-07-06T01:55:01Z"}}\n'

beforeAll(async () => {
  folder = newFolder()
  for (const [name, text] of [['quickstart', SHORT], ['league', LEAGUE], ['live', LIVE]] as const) put(folder, `scenarios/${name}.yaml`, text)
  put(folder, 'mine.ts', MINE)
  for (const [name, text] of [['games.csv', GAMES], ['quotes.csv', QUOTES], ['results.csv', RESULTS], ['mapping.yaml', MAPPING]] as const) put(folder, name, text)
  put(folder, 'frames.jsonl', FRAMES)
  put(folder, 'key.pem', generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }) as string)
  before = process.cwd()
  process.chdir(folder)
  vi.spyOn(console, 'log').mockImplementation(() => {})
  vi.spyOn(console, 'warn').mockImplementation(() => {})
  vi.spyOn(console, 'error').mockImplementation(() => {})
  await run(loadScenario('scenarios/quickstart.yaml'), { out: 'runs/quickstart' })
})
afterAll(() => {
  process.chdir(before)
  vi.restoreAllMocks()
})

/** Runs an example as a module of its own, with all that the package exports. */
async function play(name: string): Promise<void> {
  const { example } = documentedActions().get(name)!
  const taken = [...new Set(example.match(/[A-Za-z]\w*/g))]
  const imports = await Promise.all(['index.ts', 'actions.ts'].map(async (path) => {
    const offered = Object.keys(await import(source(path)) as object).filter((word) => taken.includes(word))
    return `import { ${offered.join(', ')} } from '${source(path)}'`
  }))
  const path = put(folder, `examples/${name}.ts`, `import { writeFileSync } from 'node:fs'\n${imports.join('\n')}\n\n${example}\nvoid writeFileSync\n`)
  await import(pathToFileURL(path).href)
}

it.each([...documentedActions().keys()].filter((name) => !TOGETHER.includes(name)))('the example of %s runs', async (name) => {
  await expect(play(name)).resolves.toBeUndefined()
})

it('the examples of serve and trade run, the second as a client of the first', async () => {
  const serving = play('serve')
  const over = { isOver: false }
  void serving.finally(() => { over.isOver = true })
  while (!over.isOver && !existsSync('runs/live.credentials.json')) await sleep(20)
  await expect(play('trade')).resolves.toBeUndefined()
  await serving
  expect(existsSync('runs/live/manifest.json')).toBe(true)
})

it('what the examples name was made', () => {
  expect(['runs/stored/manifest.json', 'page.html', 'scenario.schema.json', 'store/closes/store.json'].filter((path) => !existsSync(path))).toEqual([])
})
