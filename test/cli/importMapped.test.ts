import { spawn } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import { lines, written } from '../feed/writtenFiles.ts'
import { endOf, LAUNCHER, parlorHere } from './parlor.ts'

afterEach(() => {
  process.exitCode = undefined
})

const QUOTES = lines('ts,ticker,bid,ask', '1750359600000,A,0.4,0.5', '1750359600001,A,0.6,0.5', '1750359600002,B,0.333333333,0.5')
const MAPPING = lines('files:', '  - kind: quotes', '    market: ticker', '    time: { column: ts, unit: ms }', '    bid: bid', '    ask: ask')

describe('parlor import with a mapping', () => {
  test('guesses one, shows what rows become, and imports', async () => {
    const folder = written({ 'q.csv': QUOTES })
    expect((await parlorHere(folder, 'import', 'auto', 'q.csv', '--write', 'm.yaml')).code).toBe(0)
    expect(readFileSync(`${folder}/m.yaml`, 'utf8')).toContain('    time: { column: ts, unit: ms }\n')
    const preview = await parlorHere(folder, 'import', 'csv', 'q.csv', '--map', 'm.yaml', '--preview')
    expect(preview.out).toMatch(/q\.csv:2 +2025-06-19T19:00:00\.000Z +0\.4 +0\.5 +A\n/)
    expect(preview.out).toMatch(/q\.csv:3 +set aside +crossed book: bid 0\.6 over ask 0\.5\n/)
    const { out, code } = await parlorHere(folder, 'import', 'csv', 'q.csv', '--map', 'm.yaml', '--into', './store')
    expect([code, out]).toEqual([0, expect.stringMatching(/^3 rows read: 2 accepted, 1 set aside\n[^]*store: 2 markets, 2 prices, data [0-9a-f]{12}\n$/)])
  })

  test('a format that has a mapping of its own is previewed without one', async () => {
    const folder = written({ 'v.csv': 'exchange,ticker,exchange_timestamp,local_timestamp,bid_price,bid_size,ask_price,ask_size\nkalshi,A,1750359600000,1750359600000,0.4,10,0.5,20\n' })
    const { out, code } = await parlorHere(folder, 'import', 'top-of-book', 'v.csv', '--preview')
    expect([code, out]).toEqual([0, expect.stringMatching(/v\.csv:2 +2025-06-19T19:00:00\.000Z +0\.4 +0\.5 +10 +20 +A\n/)])
  })

  test('takes a share with or without its sign', async () => {
    const folder = written({ 'q.csv': QUOTES, 'm.yaml': MAPPING })
    const run = (share: string) => parlorHere(folder, 'import', 'csv', 'q.csv', '--map', 'm.yaml', '--into', './store', '--force', '--max-quarantine', share)
    expect((await run('34%')).code).toBe(0)
    for (const share of ['33%', '33']) expect((await run(share)).err).toContain('1 of 3 rows are set aside, more than 33 %')
    expect((await run('101%')).err).toContain('--max-quarantine 101% is more than 100')
    expect((await run('%')).err).toContain('expected --max-quarantine, a whole number, got')
  })

  test('a guess is printed as it is, and written over nothing', async () => {
    const folder = written({ 'q.csv': QUOTES, 'm.yaml': 'mine' })
    const { out } = await parlorHere(folder, 'import', 'auto', 'q.csv')
    expect(out).toMatch(/^# Guessed by .*\nvenue: kalshi # unsure: .*\nfiles:\n {2}# q\.csv\n {2}- kind: quotes\n/)
    const again = await parlorHere(folder, 'import', 'auto', 'q.csv', '--write', 'm.yaml')
    expect([again.code, again.err]).toEqual([2, expect.stringContaining('m.yaml: there is a file here')])
    expect(readFileSync(`${folder}/m.yaml`, 'utf8')).toBe('mine')
  })

  test.each([
    ['a format that needs a mapping', ['csv', 'q.csv', '--into', 'x'], 'format csv needs a mapping'],
    ['a format that takes none', ['kalshi-mlb-close', 'q.csv', '--map', 'm.yaml', '--into', 'x'], 'format kalshi-mlb-close takes no mapping'],
    ['no store', ['csv', 'q.csv', '--map', 'm.yaml'], '--into is missing'],
    ['a preview and a store', ['csv', 'q.csv', '--map', 'm.yaml', '--preview', '--into', 'x'], '--preview writes nothing'],
    ['a preview without a mapping', ['csv', 'q.csv', '--preview'], 'format csv needs a mapping'],
    ['a preview of a format that code reads', ['kalshi-mlb-close', 'q.csv', '--preview'], 'format kalshi-mlb-close is read by code'],
    ['a preview of a format with a mapping of its own and another', ['top-of-book', 'q.csv', '--map', 'm.yaml', '--preview'], 'format top-of-book takes no mapping'],
    ['a preview of no format', ['top-of-boat', 'q.csv', '--preview'], 'no format top-of-boat; did you mean top-of-book?'],
    ['a guess into a store', ['auto', 'q.csv', '--into', 'x'], 'auto writes a mapping, and imports nothing'],
    ['another format', ['parquet', 'q.csv', '--map', 'm.yaml', '--into', './x'], 'no part of the mapping reads it: it is csv'],
    ['no mapping there', ['csv', 'q.csv', '--map', 'n.yaml', '--into', './x'], 'n.yaml: no such file'],
    ['a mapping with a mistake', ['csv', 'q.csv', '--map', 'bad.yaml', '--into', './x'], "bad.yaml:5:5: files.0: unknown key bidd; did you mean bid?"],
  ])('%s is refused', async (_, args, message) => {
    const folder = written({ 'q.csv': QUOTES, 'm.yaml': MAPPING, 'bad.yaml': MAPPING.replace('    bid:', '    bidd:') })
    const { code, err } = await parlorHere(folder, 'import', ...args)
    expect([code, err]).toEqual([2, expect.stringContaining(message)])
    expect(err).not.toContain('\n    at ')
  })

  test('is given up by Ctrl-C while it waits for standard input, and leaves nothing', async () => {
    const folder = written({ 'm.yaml': MAPPING })
    const spooled = join(folder, 'tmp')
    mkdirSync(spooled)
    const child = spawn(process.execPath, [LAUNCHER, 'import', 'csv', '-', '--map', 'm.yaml', '--into', './store'], { cwd: folder, stdio: 'pipe', env: { ...process.env, TMPDIR: spooled } })
    const ended = endOf(child)
    child.stdin.write(QUOTES)
    const isSpooled = (): boolean => readdirSync(spooled).some((name) => name.startsWith('parlor-import-'))
    while (!isSpooled() && child.exitCode === null && child.signalCode === null) await sleep(10)
    expect(isSpooled()).toBe(true)
    child.kill('SIGINT')
    expect(await ended).toMatchObject({ signal: 'SIGINT', err: 'interrupted: nothing was left\n' })
    expect([readdirSync(folder), readdirSync(spooled).filter((name) => name.startsWith('parlor-'))]).toEqual([['m.yaml', 'tmp'], []])
  })

  test('parlor schema mapping is JSON', async () => {
    const { out } = await parlorHere('.', 'schema', 'mapping')
    expect((JSON.parse(out) as { properties: object }).properties).toHaveProperty('files')
  })
})
