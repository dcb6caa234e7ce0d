import { existsSync, readdirSync, readFileSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readTable } from '../../src/arrow/tableReader.ts'
import type { LeagueResult } from '../../src/sweep/leagueResult.ts'
import { newFolder, put, SMALL } from '../scenario/small.ts'
import { parlorHere, start } from './parlor.ts'

const LEAGUE = `${SMALL.replace('max: 200', 'max: 40').replace(/makers:[^]*/, '')}makers:
  - { use: shade, capital: 50000 USDC }
league:
  entries:
    - { name: thin, use: fixed-margin, params: { margin: 2% } }
    - { name: broken, use: ./broken.ts }
    - { name: tuned, use: fixed-margin, tune: { margin: [4%, 9%] } }
  replications: 2
  bands: { rivals: [0, 1], replications: 1 }
`

const BROKEN = `import { maker, pct } from 'parlor'

export default maker({ margin: pct(4) }, () => ({
  onRequest() {
    throw new Error('boom')
  },
}))
`

function newLeague(): string {
  const folder = newFolder()
  put(folder, 'broken.ts', BROKEN)
  put(folder, 'small.yaml', LEAGUE)
  return folder
}

const bytes = (folder: string, out: string): Buffer[] => ['league.json', 'league.arrow', 'report.html'].map((name) => readFileSync(join(folder, out, name)))

/** Waits until so many tasks are kept. */
async function kept(folder: string, count: number): Promise<void> {
  for (let waited = 0; waited < 300_000; waited += 20) {
    if (existsSync(folder) && readdirSync(folder).filter((name) => name.endsWith('.arrow')).length >= count) return
    await new Promise((resolve) => { setTimeout(resolve, 20) })
  }
  throw new Error(`${count} tasks are not kept after five minutes`)
}

describe('parlor league', () => {
  it('plays to the end around a strategy that throws, the same bytes for one worker and two, and after a kill', async () => {
    const folder = newLeague()
    const one = await parlorHere(folder, 'league', 'small.yaml', '--workers', '1', '--tasks', 'one', '--out', 'first')
    // The league is whole, and something failed.
    expect(one.code).toBe(1)
    expect(one.err).toBe('')
    expect(one.out).toContain('failed    broken (alone): strategy:')
    expect(one.out).toMatch(/first: \d+ sessions played, \d/)
    const result = JSON.parse(readFileSync(join(folder, 'first', 'league.json'), 'utf8')) as LeagueResult
    expect(result.entries.map(({ name, status }) => [name, status]).toSorted()).toEqual([['broken', 'failed'], ['thin', 'played'], ['tuned', 'played']])
    expect(result.failures).toHaveLength(1)
    expect(result.failures[0]).toMatchObject({ who: 'broken', kind: 'strategy', message: expect.stringContaining('boom') })
    // Three variants alone and in the field, one pair, twice each; two points of the band for two entries.
    expect(result.sessions).toBe(3 * 2 * 2 + 2 + 4)
    expect(result.entries[0]!.figures!.profit.all!.label).toContain('2 replications')

    const table = readTable(join(folder, 'first', 'league.arrow'))
    const rows = table.column('entries').texts!
    expect(new Set(rows)).toEqual(new Set(['thin', 'tuned', 'thin | tuned']))
    // What the table says of an entry alone is what the league says of it.
    const [kind, maker] = [table.column('setting'), table.column('maker').texts!]
    const [profit, luck] = [table.column('profit').numbers!, table.column('luck').numbers!]
    const alone = rows.reduce((sum, _, row) => (kind.values![kind.codes![row]!] === 'alone' && maker[row] === 'thin' ? sum + profit[row]! - luck[row]! : sum), 0)
    expect(result.entries.find(({ name }) => name === 'thin')!.figures!.byFormat.alone!.estimate).toBeCloseTo(alone / 2 / 1e6, 9)

    const { child, ended } = start(folder, ['league', 'small.yaml', '--workers', '2', '--tasks', 'two', '--out', 'second', '--quiet'])
    await kept(join(folder, 'two'), 3)
    child.kill('SIGKILL')
    await ended
    const longAgo = Date.now() / 1000 - 3600
    utimesSync(join(folder, 'second', '.lease'), longAgo, longAgo)
    const two = await parlorHere(folder, 'league', 'small.yaml', '--workers', '2', '--tasks', 'two', '--out', 'second', '--json')
    const document = JSON.parse(two.out) as { kept: number; result: LeagueResult }
    expect(document.kept).toBeGreaterThanOrEqual(3)
    expect(document.result).toEqual(result)
    expect(bytes(folder, 'second')).toEqual(bytes(folder, 'first'))
    expect(readdirSync(join(folder, 'second')).toSorted()).toEqual(['league.arrow', 'league.json', 'manifest.json', 'report.html'])
  })

  it('plays the sessions that parlor run plays', async () => {
    const folder = newLeague()
    const { out } = await parlorHere(folder, 'league', 'small.yaml', '--workers', '1', '--set', 'league.replications=1', '--json')
    const { result: { failures: [failure] } } = JSON.parse(out) as { result: LeagueResult }
    const { scenario, set, seed } = failure!.task
    const again = await parlorHere(folder, 'run', scenario, '--seed', seed, ...set.flatMap((setting) => ['--set', setting]))
    expect(again.code).toBe(1)
    expect(again.err).toContain('boom')
  })

  it('needs a league, and leaves alone what is none', async () => {
    const folder = newLeague()
    put(folder, 'none.yaml', SMALL)
    const none = await parlorHere(folder, 'league', 'none.yaml')
    expect([none.code, none.err]).toEqual([2, expect.stringContaining('the scenario has no `league`')])
    put(folder, 'mine/notes.txt', 'mine')
    const mine = await parlorHere(folder, 'league', 'small.yaml', '--out', 'mine')
    expect([mine.code, mine.err]).toEqual([2, expect.stringContaining('there is something here that is no league')])
  })
})
