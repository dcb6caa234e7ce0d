import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { shardingOf } from '../../src/cli/shards.ts'
import { buildName } from '../../src/fleet/build.ts'
import { type Ended, parlorHere, start } from '../cli/parlor.ts'
import { newFolder, put } from '../scenario/small.ts'
import { odd, Oddity, oddScenario } from '../sweep/odd.ts'
import { BROKEN, LEAGUE, SHORT } from './scenes.ts'

const SWEEP = ['sweep', 'small.yaml', '--axis', 'makers.0.params.margin=2%,6%', '--replications', '3', '--workers', '1']
const FILES = (kind: string): string[] => ['manifest.json', `${kind}.json`, `${kind}.arrow`, 'report.html']

const bytesOf = (folder: string, out: string, files: readonly string[]): string[] => files.map((name) => readFileSync(join(folder, out, name), 'latin1'))
const filesIn = (folder: string, ending: string): string[] =>
  (existsSync(folder) ? readdirSync(folder, { recursive: true }) : []).map(String).filter((name) => name.endsWith(ending)).toSorted()
const told = ({ out }: Ended): { played: number; kept: number; failed: number; awaited: number } => JSON.parse(out) as ReturnType<typeof told>

/** Plays one shard as on a machine of its own, which has kept nothing. */
async function shard(folder: string, command: readonly string[], share: string): Promise<ReturnType<typeof told>> {
  const ended = await parlorHere(folder, ...command, '--shard', share, '--results', 'results', '--tasks', `tasks-${share.replace('/', '-')}`, '--json')
  expect(ended).toMatchObject({ code: 0, err: '' })
  return told(ended)
}

/** Reduces as on a machine that has kept nothing. */
const merged = (folder: string, command: readonly string[], ...more: string[]): Promise<Ended> => {
  rmSync(join(folder, 'merging'), { recursive: true, force: true })
  return parlorHere(folder, ...command, '--merge', '--results', 'results', '--tasks', 'merging', '--out', 'merged', ...more)
}

describe('shards of a sweep', () => {
  it('give the bytes of one machine with one worker in any order, and what is missing, damaged or of another build is told', async () => {
    const folder = newFolder()
    put(folder, 'small.yaml', SHORT)
    const results = join(folder, 'results')
    expect(await parlorHere(folder, ...SWEEP, '--tasks', 'own', '--out', 'whole')).toMatchObject({ code: 0, err: '' })
    const none = await merged(folder, SWEEP, '--shards', '3')
    expect(none).toMatchObject({ code: 2, err: expect.stringContaining('results: 6 sessions have no result here:') })

    // One shard is missing. Its sessions are named, as commands. Which shard plays what follows from the place of the history too: one that plays something is left out.
    const left = /shard [123](?=\/3: task )/.exec(none.err)![0].at(-1)!
    const others = ['3', '2', '1'].filter((shard) => shard !== left)
    let played = 0
    for (const other of others) played += (await shard(folder, SWEEP, `${other}/3`)).played
    expect(played).toBeLessThan(6)
    const missing = await merged(folder, SWEEP, '--shards', '3')
    expect(missing.code).toBe(2)
    expect(missing.err.match(/^ {2}shard [123]\/3: task [0-9a-f]{12} \(small\.yaml --set makers\.0\.params\.margin=[26]% --seed 1\/[1-3]\)$/gm)).toHaveLength(6 - played)
    expect(missing.err.match(/^ {2}shard [123]/gm)!.map((line) => line.at(-1))).toEqual(Array.from({ length: 6 - played }, () => left))
    expect(missing.err).toContain('hint: give the commands with --shard again')
    expect(existsSync(join(folder, 'merged'))).toBe(false)

    played += (await shard(folder, SWEEP, `${left}/3`)).played
    expect(played).toBe(6)
    const whole = await merged(folder, SWEEP)
    expect(whole).toMatchObject({ code: 0, err: '', out: expect.stringContaining('merged: 0 sessions played, 6 kept from before') })
    expect(bytesOf(folder, 'merged', FILES('sweep'))).toEqual(bytesOf(folder, 'whole', FILES('sweep')))
    expect(readdirSync(results).toSorted()).toEqual(['builds', 'results'])

    // A bit of the data, and a file that was cut off.
    const [first, second] = filesIn(results, '.arrow').map((name) => join(results, name)) as [string, string]
    const sound = readFileSync(first)
    writeFileSync(first, sound.map((byte, i) => (i === 200 ? byte ^ 1 : byte)))
    writeFileSync(second, readFileSync(second).subarray(0, 500))
    const damaged = await merged(folder, SWEEP)
    expect(damaged.code).toBe(2)
    expect(damaged.err.match(/the kept task is damaged; it counts for nothing until its task is played again/g)).toHaveLength(2)
    expect(damaged.err).toContain('results: 2 sessions have no result here:')
    const again = await parlorHere(folder, ...SWEEP, '--shard', '1/1', '--results', 'results', '--tasks', 'another', '--json')
    expect(told(again)).toMatchObject({ played: 2, kept: 4 })
    expect(again.err.match(/the kept task is damaged; the task is played again/g)).toHaveLength(2)
    expect(readFileSync(first).equals(sound)).toBe(true)

    // The same files, as if another parlor had left them.
    const [own] = readdirSync(join(results, 'builds')) as [string]
    const build = JSON.parse(readFileSync(join(results, 'builds', own), 'utf8')) as { sourceTree: string; node: string; platform: string }
    expect(build).toMatchObject({ node: process.version, platform: `${process.platform}-${process.arch}` })
    const other = { sourceTree: '0'.repeat(64), node: 'v1.2.3', platform: 'amiga-m68k' }
    rmSync(join(results, 'builds', own))
    put(results, `builds/${buildName(other)}.json`, JSON.stringify(other))
    renameSync(join(results, 'results', own.replace('.json', '')), join(results, 'results', buildName(other)))
    const refused = await merged(folder, SWEEP)
    expect(refused.code).toBe(2)
    expect(refused.err).toContain('6 sessions have no result here')
    expect(refused.err).toContain(`results that are here and do not count: 6 of another source tree (000000000000, here ${build.sourceTree.slice(0, 12)}) `
      + `and another Node (v1.2.3, here ${build.node}) and another platform (amiga-m68k, here ${build.platform})`)
    expect(refused.err).toContain('hint: merge with the source tree and the Node that played them')
  })

  it('go on where one was killed, and two may play the same at once', async () => {
    const folder = dirname(oddScenario())
    const slow = ['sweep', 'odd.yaml', '--trusted', '--axis', 'makers.0.params.margin=2%,6%', '--replications', '4', '--workers', '1', '--set', odd(Oddity.slow)]
    const results = join(folder, 'results')
    const { child, ended } = start(folder, [...slow, '--shard', '1/1', '--results', 'results', '--tasks', 'first'])
    while (filesIn(results, '.arrow').length < 2) await sleep(5)
    child.kill('SIGKILL')
    await ended
    const before = filesIn(results, '.arrow').length
    expect(before).toBeLessThan(8)
    // Neither has what the one that was killed kept on its own disk, and both play all of the rest.
    const both = await Promise.all(['second', 'third'].map((tasks) => start(folder, [...slow, '--shard', '1/1', '--results', 'results', '--tasks', tasks, '--json']).ended))
    for (const one of both) expect(told(one).played + told(one).kept).toBe(8)
    expect(Math.min(...both.map((one) => told(one).kept))).toBeGreaterThanOrEqual(before)
    expect(filesIn(results, '.arrow')).toHaveLength(8)
    expect(await merged(folder, slow)).toMatchObject({ code: 0, err: '' })
    expect(await parlorHere(folder, ...slow, '--tasks', 'third', '--out', 'whole')).toMatchObject({ code: 0 })
    expect(bytesOf(folder, 'merged', FILES('sweep'))).toEqual(bytesOf(folder, 'whole', FILES('sweep')))
  })
})

describe('shards of a league', () => {
  it('give its bytes around an entry that fails, and try failures again', async () => {
    const folder = newFolder()
    put(folder, 'broken.ts', BROKEN)
    put(folder, 'small.yaml', LEAGUE)
    const league = ['league', 'small.yaml', '--workers', '1']
    expect(await parlorHere(folder, ...league, '--tasks', 'own', '--out', 'whole')).toMatchObject({ code: 1 })
    const failed = [(await shard(folder, league, '2/2')).failed, (await shard(folder, league, '1/2')).failed]
    expect(failed[0]! + failed[1]!).toBeGreaterThan(0)
    expect(await merged(folder, league)).toMatchObject({ code: 1, err: '', out: expect.stringContaining('failed    broken') })
    expect(bytesOf(folder, 'merged', FILES('league'))).toEqual(bytesOf(folder, 'whole', FILES('league')))

    // What is told of failures has a hash too.
    const words = filesIn(join(folder, 'results', 'failures'), '.json').map((name) => join(folder, 'results', 'failures', name))
    expect(words).toHaveLength(failed[0]! + failed[1]!)
    for (const word of words) writeFileSync(word, readFileSync(word, 'utf8').replace('boom', 'room'))
    const damaged = await merged(folder, league)
    expect(damaged.code).toBe(2)
    expect(damaged.err).toContain('word of a failure that is damaged')
    expect(await shard(folder, league, '1/2')).toMatchObject({ failed: failed[1] })
    expect(await shard(folder, league, '2/2')).toMatchObject({ failed: failed[0] })
    expect(await merged(folder, league)).toMatchObject({ code: 1, err: '' })
  })
})

describe('options of shards', () => {
  it.each<[string[], string]>([
    [['--shard', '1/2'], '--shard needs --results'],
    [['--shards', '2', '--results', 'r'], '--shards needs JOB_COMPLETION_INDEX in the environment'],
    [['--merge'], '--merge needs --results'],
    [['--results', 'r'], '--results goes with --shard, --merge or --queue'],
    [['--merge', '--shard', '1/2', '--results', 'r'], 'give one of them'],
    [['--shard', '1/2', '--shards', '2', '--results', 'r'], 'leave out --shards'],
    [['--shard', '3/2', '--results', 'r'], '--shard 3/2: is no share'],
    [['--shard', 'two', '--results', 'r'], '--shard two: is no share'],
    [['--shard', '1/2', '--results', 'r', '--out', 'o'], 'leave --out to --merge'],
    [['--shard', '1/2', '--results', 'r', '--open'], 'leave --open to --merge'],
    [['--merge', '--results', 'r', '--recheck', '1'], 'leave out --recheck'],
    [['--merge', '--results', 'r', '--shards', '0'], 'expected --shards, 1 or more'],
  ])('%j are refused: %s', async (options, why) => {
    const folder = newFolder()
    put(folder, 'small.yaml', SHORT)
    expect(await parlorHere(folder, ...SWEEP, ...options)).toMatchObject({ code: 2, err: expect.stringContaining(why) })
  })

  it('take the shard from the environment, as in an Indexed Job', () => {
    const options = { shards: '3', results: 'r' }
    expect(shardingOf(options, {}, { JOB_COMPLETION_INDEX: '0' })).toMatchObject({ kind: 'shard', shard: 1, shards: 3, results: 'r' })
    expect(shardingOf(options, {}, { JOB_COMPLETION_INDEX: '2' })).toMatchObject({ shard: 3 })
    for (const index of ['3', '-1', 'x', '']) expect(() => shardingOf(options, {}, { JOB_COMPLETION_INDEX: index })).toThrow('is no shard')
    // The variable alone asks for nothing.
    expect(shardingOf({}, {}, { JOB_COMPLETION_INDEX: '0' })).toEqual({ kind: 'none' })
  })
})
