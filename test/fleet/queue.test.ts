import { dirname } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parlorHere } from '../cli/parlor.ts'
import { newFolder, put } from '../scenario/small.ts'
import { odd, Oddity, oddScenario } from '../sweep/odd.ts'
import { begin, beginWorker, bytesOf, filesIn, type Process, told, until } from './queueProcesses.ts'
import { RedisServer, redisVersion } from './redis.ts'
import { BROKEN, LEAGUE, SHORT } from './scenes.ts'

const AXIS = ['--axis', 'makers.0.params.margin=2%,6%']

interface State {
  readonly workers: readonly { readonly name: string; readonly threads: number; readonly played: number }[]
  readonly runs: readonly { readonly about: string; readonly of: number; readonly failed: number; readonly batches: readonly { readonly worker: string }[] }[]
}
const stateOf = async (folder: string, url: string): Promise<State> => JSON.parse((await parlorHere(folder, 'queue', '--queue', url, '--json')).out) as State

describe.skipIf(redisVersion() === null)('a queue', () => {
  it('gives the bytes of one machine from 1, 2 and 4 worker processes, to two commands at once', async () => {
    const folder = newFolder()
    put(folder, 'small.yaml', SHORT)
    put(folder, 'night.yaml', LEAGUE)
    put(folder, 'broken.ts', BROKEN)
    const { url } = await RedisServer.start()
    const workers: Process[] = []
    for (const count of [1, 2, 4]) {
      // One works where the command does, the others elsewhere, and one has two threads, each in a sandbox.
      while (workers.length < count) workers.push(beginWorker(workers.length === 0 ? folder : newFolder(), url, String(workers.length), ...(workers.length === 1 ? ['--threads', '2', '--sandbox=weak'] : [])))
      const [sweep, league] = [['sweep', 'small.yaml', ...AXIS, '--replications', '3', '--seed', String(count)], ['league', 'night.yaml', '--seed', String(count)]]
      const queued = [['sweep', sweep, 0], ['league', league, 1]].map(([kind, command]) =>
        begin(folder, ...command as string[], '--queue', url, '--results', `results-${count}`, '--tasks', `reading-${kind as string}-${count}`, '--out', `${kind as string}-${count}`, '--json'))
      const [swept, played] = await Promise.all(queued.map(({ ended }) => ended))
      expect(swept).toMatchObject({ code: 0 })
      expect(played).toMatchObject({ code: 1 })
      expect(told(swept!)).toMatchObject({ played: 6, kept: 0 })
      expect(await parlorHere(folder, ...sweep, '--workers', '1', '--tasks', 'own', '--out', 'sweep')).toMatchObject({ code: 0 })
      expect(await parlorHere(folder, ...league, '--workers', '1', '--tasks', 'own', '--out', 'league')).toMatchObject({ code: 1 })
      expect(bytesOf('sweep', folder, `sweep-${count}`)).toEqual(bytesOf('sweep', folder, 'sweep'))
      expect(bytesOf('league', folder, `league-${count}`)).toEqual(bytesOf('league', folder, 'league'))
    }
    expect((await stateOf(folder, url)).workers.map(({ threads }) => threads).toSorted()).toEqual([1, 1, 1, 2])

    // Where results decide what is played next.
    for (const rule of [['--until', 'profit of fixed-margin within 1 USDC', ...AXIS, '--replications', '4'], ['--maximise', 'profit of fixed-margin', '--axis', 'makers.0.params.margin=2%,4%,6%', '--replications', '4']]) {
      const sweep = ['sweep', 'small.yaml', ...rule]
      expect(await parlorHere(folder, ...sweep, '--queue', url, '--results', 'results', '--tasks', 'reading', '--out', 'queued')).toMatchObject({ code: 0 })
      expect(await parlorHere(folder, ...sweep, '--tasks', 'own', '--out', 'whole')).toMatchObject({ code: 0 })
      expect(bytesOf('sweep', folder, 'queued')).toEqual(bytesOf('sweep', folder, 'whole'))
    }

    // All is there: another machine needs nobody.
    for (const worker of workers) worker.kill('SIGTERM')
    const ended = await Promise.all(workers.map((worker) => worker.ended))
    for (const [i, { code, err, out }] of ended.entries()) {
      expect(code).toBe(0)
      expect(err).toContain(`waiting for sessions at ${url}, ${i === 1 ? 2 : 1} at a time\n`)
      expect(Object.keys(JSON.parse(out) as object)).toEqual(['worker', 'batches', 'sessions', 'failed', 'seconds'])
    }
    const again = await parlorHere(folder, 'sweep', 'small.yaml', ...AXIS, '--replications', '3', '--seed', '4', '--queue', url, '--results', 'results-4', '--tasks', 'another', '--out', 'again', '--json')
    expect(told(again)).toMatchObject({ played: 0, kept: 6 })
    expect(bytesOf('sweep', folder, 'again')).toEqual(bytesOf('sweep', folder, 'sweep'))
    expect((await parlorHere(folder, 'queue', '--queue', url)).out).toContain('0 workers, 0 threads; 0 commands')
  })

  it('tells what is played by whom, and a worker that is asked to end plays a session to its end and leaves the others', async () => {
    const folder = dirname(oddScenario())
    const { url } = await RedisServer.start()
    const first = beginWorker(folder, url, 'a', '--trusted')
    const command = begin(folder, 'sweep', 'odd.yaml', '--trusted', ...AXIS, '--replications', '5', '--set', odd(Oddity.slow), '--queue', url, '--results', 'results', '--json')
    await until(() => filesIn(`${folder}/results`).length >= 3)
    let state = await stateOf(folder, url)
    await until(async () => {
      state = await stateOf(folder, url)
      return state.runs[0]!.batches.length > 0
    })
    expect(state.runs).toMatchObject([{ about: 'sweep small', of: 10, failed: 0 }])
    expect(state.runs[0]!.batches[0]!.worker).toBe(state.workers[0]!.name)
    first.kill('SIGTERM')
    const { code, out, err } = await first.ended
    expect(code).toBe(0)
    expect(err).toContain('stopping: what is begun is played to its end')
    expect((JSON.parse(out) as { sessions: number }).sessions).toBeLessThan(10)
    beginWorker(folder, url, 'b', '--trusted')
    expect(told(await command.ended)).toMatchObject({ played: 10, failed: 0 })
  })
})
