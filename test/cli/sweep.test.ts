import { spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync, utimesSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { odd, Oddity, oddScenario } from '../sweep/odd.ts'
import { put } from '../scenario/small.ts'
import { type Ended, endOf, filesNamed, LAUNCHER, parlor, parlorHere, start } from './parlor.ts'

/** Sessions that wait while as many are kept as the file `held` says, so that a process can be stopped half-way. */
const SWEEP = ['sweep', 'odd.yaml', '--set', odd(Oddity.held), '--axis', 'makers.0.params.margin=2%,6%', '--replications', '3', '--trusted', '--json']
const SESSIONS = 6

const filesOf = (folder: string): [json: string, table: string] =>
  [readFileSync(join(folder, 'sweep.json'), 'utf8'), readFileSync(join(folder, 'sweep.arrow'), 'latin1')]
const counts = ({ out }: Ended): { played: number; kept: number } => JSON.parse(out) as { played: number; kept: number }

/** Starts a sweep, stops it by a signal when `tasks` tasks are kept, and one more by each other worker, and says how many were in the end. */
async function stopped(folder: string, signal: NodeJS.Signals, tasks: number): Promise<{ ended: Ended; kept: number }> {
  put(folder, 'held', String(tasks))
  const tasksDir = join(folder, 'runs', 'tasks')
  const kept = (): number => (existsSync(tasksDir) ? readdirSync(tasksDir).filter((name) => name.endsWith('.arrow')).length : 0)
  const { child, ended } = start(folder, [...SWEEP, '--workers', '2'])
  while (kept() < tasks && child.exitCode === null && child.signalCode === null) await sleep(5)
  child.kill(signal)
  const end = await ended
  forgetLeases(tasksDir)
  return { ended: end, kept: kept() }
}

/** Makes leases of dead processes stale: by the clock of the disk, an hour has gone by. */
function forgetLeases(folder: string): void {
  const longAgo = Date.now() / 1000 - 3600
  for (const name of filesNamed(folder, 'lease')) utimesSync(join(folder, name), longAgo, longAgo)
}

describe('parlor sweep', () => {
  it('leaves the same bytes for one worker, and for two that are killed, interrupted and started again, and plays nothing twice', async () => {
    const [alone, cut] = [dirname(oddScenario()), dirname(oddScenario())]
    const whole = await parlorHere(alone, ...SWEEP, '--workers', '1')
    expect(whole).toMatchObject({ code: 0, err: '' })
    expect(counts(whole)).toMatchObject({ played: SESSIONS, kept: 0 })
    const killed = await stopped(cut, 'SIGKILL', 1)
    expect(killed.ended.signal).toBe('SIGKILL')
    expect(killed.kept).toBeGreaterThanOrEqual(1)
    const interrupted = await stopped(cut, 'SIGINT', killed.kept + 1)
    expect(interrupted.ended).toMatchObject({ code: null, signal: 'SIGINT', err: expect.stringContaining('the same command goes on from there') })
    expect(interrupted.kept).toBeLessThan(SESSIONS)
    expect(existsSync(join(cut, 'runs', 'sweep-small'))).toBe(false)
    rmSync(join(cut, 'held'))
    const resumed = await parlor(cut, ...SWEEP, '--workers', '2')
    expect(counts(resumed)).toMatchObject({ played: SESSIONS - interrupted.kept, kept: interrupted.kept })
    expect(filesOf(join(cut, 'runs', 'sweep-small'))).toEqual(filesOf(join(alone, 'runs', 'sweep-small')))
    // What the processes that were cut off had begun is gone.
    expect(readdirSync(join(cut, 'runs', 'tasks')).filter((name) => !name.endsWith('.arrow'))).toEqual([])
    const points = (JSON.parse(filesOf(join(cut, 'runs', 'sweep-small'))[0]) as { points: { settings: object }[] }).points
    expect(points.map(({ settings }) => settings)).toEqual([{ 'makers.0.params.margin': '2%' }, { 'makers.0.params.margin': '6%' }])
  })

  it('searches with the same bytes for one worker, for two, and where half of the sessions were kept', async () => {
    const folder = dirname(oddScenario())
    const search = ['sweep', 'odd.yaml', '--trusted', '--axis', 'makers.0.params.margin=2%..8%:4', '--replications', '4', '--maximise', 'luck-adjusted of odd']
    const one = await parlorHere(folder, ...search, '--workers', '1', '--tasks', 'one', '--out', 'first')
    expect(one).toMatchObject({ code: 0, err: '' })
    // Four points twice, the better two twice more, and the winner four times more.
    expect(one.out).toContain('first: 16 sessions played')
    expect(one.out.replaceAll(/\s+/g, ' ')).toMatch(/ maximised luck-adjusted of odd over 4 points: 4 points to 2 replications, 2 points to 4 replications;.* odd: of 4 points margin \d%/)
    const tasks = readdirSync(join(folder, 'one')).filter((name) => name.endsWith('.arrow')).toSorted()
    for (const name of tasks.slice(0, 8)) rmSync(join(folder, 'one', name))
    const two = await parlorHere(folder, ...search, '--workers', '2', '--tasks', 'one', '--out', 'second', '--json')
    expect(counts(two)).toMatchObject({ played: 8, kept: 8 })
    const bytes = (out: string): string[] => ['sweep.json', 'sweep.arrow', 'report.html'].map((name) => readFileSync(join(folder, out, name), 'latin1'))
    expect(bytes('second')).toEqual(bytes('first'))
  })

  it('takes its design from the scenario, prints a table, and ends with 1 when a strategy fails at a point', async () => {
    const folder = dirname(oddScenario())
    put(folder, 'swept.yaml', `${readFileSync(join(folder, 'odd.yaml'), 'utf8')}sweep: { axes: { makers.0.params.oddity: [0, 1] }, replications: 1 }\n`)
    const { code, out, err } = await parlorHere(folder, 'sweep', 'swept.yaml', '--trusted', '--workers', '1')
    expect(code).toBe(1)
    expect(err).toMatch(/^point 2, seed 1\/1: strategy of odd threw in onRequest .*: boom\n$/)
    expect(out).toMatch(/^interactive sweep small, seed \d+: 2 points over oddity of odd, 1 replication at most, 1 session\n\nmaker +best at +luck-adjusted USDC .*\nodd +oddity 0 /)
    expect(out).toContain('runs/sweep-small: 1 sessions played, 1 failed')
    const full = await parlorHere(folder, 'sweep', 'swept.yaml', '--trusted', '--workers', '1', '--full', '--out', 'full')
    expect(full.out).toMatch(/^point +oddity of odd +sessions +maker +luck-adjusted +95% +cash, USDC/)
    expect(full.out).toMatch(/\n +1 +0 +1 +odd /)
    expect((await parlorHere(folder, 'sweep', 'swept.yaml', '--trusted', '--baseline', '3')).err).toContain('there is no point 3 to compare with')
  })

  it('ends where a disk takes no more, and says so, instead of going on with fewer sessions', async () => {
    const folder = dirname(oddScenario())
    // No file may have more than 16 kB.
    const command = ['ulimit -f 32; exec "$@"', 'sh', process.execPath, LAUNCHER, 'sweep', 'odd.yaml', '--trusted', '--axis', 'makers.0.params.margin=2%,6%', '--replications', '1', '--workers', '1']
    const { code, err } = await endOf(spawn('/bin/sh', ['-c', ...command], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] }))
    expect(code).toBe(1)
    expect(err).toMatch(/^error: EFBIG: file too large, write at \S+\/tasks\/\S+\.arrow\S*\n$/)
    expect(existsSync(join(folder, 'runs'))).toBe(false)
  })

  it('refuses what is wrong with 2, and says where', async () => {
    const scenario = oddScenario()
    const odd = readFileSync(scenario, 'utf8')
    const line = odd.split('\n').length
    for (const [name, rule] of Object.entries({ maker: 'expect: [profit of nobody falls]', horizon: 'until: mark-out 45s of odd within 1c' })) {
      put(dirname(scenario), `${name}.yaml`, `${odd}sweep: { axes: { makers.0.params.margin: [2%, 6%] }, ${rule} }\n`)
    }
    const refused = async (args: readonly string[], ...said: string[]): Promise<void> => {
      const file = args[0]!.startsWith('--') ? ['odd.yaml'] : []
      const { code, err } = await parlorHere(dirname(scenario), 'sweep', '--trusted', ...file, ...args)
      expect(code).toBe(2)
      for (const text of said) expect(err).toContain(text)
    }
    await refused(['--axis', 'makers.0.params.margin=2%..8%'], 'a grid needs values on the axis makers.0.params.margin')
    await refused(['--axis', 'makers.0.params.margin=2%,400%'], '--set makers.0.params.margin=400%: ', 'must be')
    await refused(['--until', 'profit of nobody within 5 USDC'], 'no maker nobody', 'the makers are odd, shade, shade-2')
    await refused(['--axis', 'makers.0.params.margin=2%,6%', '--until', 'mark-out 45s of odd within 1c'], '--until mark-out 45s of odd within 1c: no mark-out 45s')
    await refused(['--axis', 'makers.0.params.margin=2%,6%', '--maximise', 'luck-adjusted'], '--maximise luck-adjusted: of which maker?', 'the makers are odd, shade, shade-2')
    await refused(['--maximise', 'profit of odd'], 'a search needs two points or more')
    await refused(['--axis', 'makers.0.params.margin=2%,6%', '--maximise', 'profit of odd', '--until', 'profit of odd within 5 USDC'], 'a search has its own schedule')
    await refused(['maker.yaml'], `maker.yaml:${line}:`, 'no maker nobody', 'the makers are odd, shade, shade-2')
    await refused(['horizon.yaml'], `horizon.yaml:${line}:`, 'no mark-out 45s', 'record.marks has the horizons')
    await refused(['--workers', '0'], 'expected --workers, 1 or more, got 0')
    expect(existsSync(join(dirname(scenario), 'runs'))).toBe(false)
  })
})
