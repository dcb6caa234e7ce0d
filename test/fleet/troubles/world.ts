import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import type { Ended } from '../../cli/parlor.ts'
import { type Draw, drawsOf, oneOf } from '../../draws.ts'
import { newFolder, put } from '../../scenario/small.ts'
import { bytesOf, filesIn, until } from '../queueProcesses.ts'
import { pauseQueues, RedisServer } from '../redis.ts'
import { SHORT } from '../scenes.ts'
import { Machine } from './machine.ts'
import { Network } from './network.ts'

/** A session of a few seconds that takes hardly any of the processor, and one in three that fails. */
const SLOW = `const still = new Int32Array(new SharedArrayBuffer(4))
export default { role: 'maker', parameters: { margin: { default: 0.04, min: 0, max: 1, unit: 'fraction' } }, create: (p) => ({
  onRequest(request, desk) {
    if (p.margin === 0.06) throw new Error('boom')
    Atomics.wait(still, 0, 0, 15)
    const fair = desk.price(request.legs, { priceType: 'ask', maxAgeUs: 60_000_000 })
    if (!(fair > 0)) return desk.pass('no price')
    desk.quote(request, { probability: fair * (1 + p.margin), validUs: 8_000_000 })
  },
}) }
`
export const SESSIONS = 12
const FAILED = 4
const SWEEP = ['sweep', 'slow.yaml', '--trusted', '--axis', 'makers.0.params.margin=2%,6%,9%', '--replications', '4']

/** Nobody is started more often. */
const TRIES_MAX = 20
/** A process so young may not listen to signals yet. */
const YOUNG_MS = 20_000
/** Who is silent for so long is taken for dead (docs/scale-out.md). */
const LIFE_MS = 9000
const HOUR_MS = 3_600_000

/** What one machine gave for all rounds: its result, and its sessions as shards leave them. */
export interface Whole {
  readonly folder: string
  readonly bytes: readonly string[]
}

/** A folder with the scenario. */
export function sceneFolder(): string {
  const folder = newFolder()
  put(folder, 'slow.ts', SLOW)
  put(folder, 'slow.yaml', SHORT.replace('use: fixed-margin', 'use: ./slow.ts'))
  return folder
}

/** Plays all on one machine. */
export async function playWhole(parlor: (folder: string, ...args: string[]) => Promise<Ended>): Promise<Whole> {
  const folder = sceneFolder()
  for (const [more, code] of [[['--shard', '1/1', '--results', 'results'], 0], [['--out', 'whole'], 1]] as const) {
    const ended = await parlor(folder, ...SWEEP, '--tasks', 'tasks', ...more)
    if (ended.code !== code) throw new Error(`one machine does not play it: ${ended.err}`)
  }
  return { folder, bytes: bytesOf('sweep', folder, 'whole') }
}

/** What happens to a fleet. */
export const TROUBLES = [
  'a worker is killed', 'the command is killed', 'the server is killed', 'a worker stands still', 'the network of a worker stands still', 'the network of the command stands still',
  'connections are cut', 'the queue is paused', 'a disk is full', 'sessions are half written',
] as const
export type Trouble = (typeof TROUBLES)[number]

interface Trial {
  readonly trouble: Trouble
  /** It comes when so many sessions lie there, and so much later. */
  readonly after: number
  readonly laterMs: number
}

/** Troubles of a round: half of all. */
const TRIALS = 5

/** What a seed draws: different troubles, whether the server keeps what it has, and clocks. */
export interface Plan {
  readonly seed: number
  readonly trials: readonly Trial[]
  readonly isKept: boolean
  /** Of the command, and of two workers, ms. */
  readonly aheadMs: readonly number[]
}

/** @param troubles those that can be had here */
export function planOf(seed: number, troubles: readonly Trouble[] = TROUBLES): Plan {
  const draw = drawsOf(seed)
  const left = [...troubles]
  const trials = Array.from({ length: TRIALS }, () => ({ trouble: left.splice(draw(left.length), 1)[0]!, after: draw(SESSIONS - FAILED), laterMs: draw(400) }))
  return { seed, trials, isKept: draw(2) === 0, aheadMs: [0, 0, 0].map(() => (draw(3) - 1) * HOUR_MS) }
}

export const planText = ({ seed, trials, isKept, aheadMs }: Plan): string =>
  `seed ${seed}: ${trials.map(({ trouble, after, laterMs }) => `${trouble} ${laterMs} ms after session ${after}`).join(', ')}; the server ${isKept ? 'keeps what it has' : 'loses what it has when it is killed'}; clocks ${aheadMs.map((ms) => ms / HOUR_MS).join(', ')} h ahead`

export interface Outcome {
  readonly ended: Ended
  readonly bytes: readonly string[]
  readonly sessions: number
  readonly failures: number
  /** Ends of processes, and failures of troubles, that nobody meant. */
  readonly unmeant: readonly string[]
}

/** Plays the sweep on two workers of a queue, with the troubles of a plan, until its command ends by itself. */
export async function play(plan: Plan, whole: Whole): Promise<Outcome> {
  const world = await World.of(plan, whole)
  return world.play()
}

class World {
  private readonly plan: Plan
  private readonly draw: Draw
  private readonly folder = sceneFolder()
  private readonly server: RedisServer
  private readonly command: Machine
  private readonly workers: readonly Machine[]
  /** Workers whose disk is full. */
  private readonly full = new Set<Machine>()
  private readonly unmeant: string[] = []
  /** The command has ended: nothing happens to it any more. */
  private isEnded = false
  /** Workers are asked to end. */
  private isOver = false

  private constructor(plan: Plan, server: RedisServer, networks: readonly Network[]) {
    this.plan = plan
    this.draw = drawsOf(plan.seed + 1)
    this.server = server
    const [command, ...workers] = ['command', 'a', 'b'].map((name, i) => new Machine({ name, folder: this.folder, network: networks[i]!, aheadMs: plan.aheadMs[i]! }))
    this.command = command!
    this.workers = workers
    onTestFinished(async () => {
      this.isEnded = this.isOver = true
      await Promise.all([command!, ...workers].map((machine) => machine.kill()))
      await Promise.all(networks.map((network) => network.close()))
    })
  }

  static async of(plan: Plan, whole: Whole): Promise<World> {
    const server = await RedisServer.start(...(plan.isKept ? ['--appendonly', 'yes', '--appendfsync', 'always'] : []))
    const world = new World(plan, server, await Promise.all([0, 1, 2].map(() => Network.to(server.port))))
    if (plan.trials.some(({ trouble }) => trouble === 'sessions are half written')) world.leaveHalf(join(whole.folder, 'results'))
    return world
  }

  async play(): Promise<Outcome> {
    const { plan: { trials }, workers } = this
    if (this.wasFull) this.full.add(oneOf(this.draw, workers))
    const kept = workers.map((worker) => this.keep(worker))
    const troubles = trials.map((trial) => this.happen(trial).catch((error: unknown) => { this.unmeant.push(`${trial.trouble}: ${String(error)}`) }))
    const ended = await this.commanded()
    this.isEnded = true
    await Promise.all(troubles)
    this.isOver = true
    // Of a worker on a small disk only what made the disk would hear it.
    for (const worker of workers) {
      if (this.full.has(worker)) await worker.kill()
      else worker.signal('SIGTERM')
    }
    await Promise.all(kept)
    return {
      ended, unmeant: this.unmeant, bytes: existsSync(join(this.folder, 'queued')) ? bytesOf('sweep', this.folder, 'queued') : [], sessions: this.sessions, failures: filesIn(join(this.folder, 'results'), 'failures').length,
    }
  }

  private get wasFull(): boolean {
    return this.plan.trials.some(({ trouble }) => trouble === 'a disk is full')
  }

  /** Sessions that lie whole or in part in the folder of results. */
  private get sessions(): number {
    return filesIn(join(this.folder, 'results')).length
  }

  /** Runs a worker, again whenever it was killed or found no server, until all is over. */
  private async keep(worker: Machine): Promise<void> {
    for (let tries = 0; tries < TRIES_MAX; tries++) {
      const tasks = `tasks-${worker.name}`
      const beganMs = performance.now()
      const { code, signal, err } = await worker.start(['worker', '--queue', worker.network.url, '--tasks', tasks, '--threads', '1', '--trusted'], this.full.has(worker) ? tasks : undefined)
      // One that has hardly begun does not hear yet that it is asked to end.
      const isAsked = this.isOver && (code === 0 || (signal === 'SIGTERM' && performance.now() - beganMs < YOUNG_MS))
      if (!worker.isKilled && !isAsked && !(this.mayBeAway && isUnanswered(code, err))) this.unmeant.push(`worker ${worker.name} ended with ${signal ?? code}: ${err}`)
      if (this.isOver) return
    }
  }

  /** Runs the command, again when it was killed, when every worker has refused, or when the server did not answer as it began. */
  private async commanded(): Promise<Ended> {
    for (let tries = 1; ; tries++) {
      const { command } = this
      const ended = await command.start([...SWEEP, '--queue', command.network.url, '--results', 'results', '--tasks', 'reading', '--out', 'queued', '--json'])
      const isRefused = this.wasFull && ended.code === 2 && ended.err.includes('no worker plays sessions of this command')
      const isAgain = command.isKilled || isRefused || (this.mayBeAway && isUnanswered(ended.code, ended.err))
      if (!isAgain || tries === TRIES_MAX) return ended
    }
  }

  /** Whether somebody who begins may find no server. */
  private get mayBeAway(): boolean {
    return this.plan.trials.some(({ trouble }) => ['the server is killed', 'connections are cut', 'the network of a worker stands still', 'the network of the command stands still'].includes(trouble))
  }

  private async happen({ trouble, after, laterMs }: Trial): Promise<void> {
    const { draw, server, command } = this
    // A signal to a worker on a small disk reaches what made the disk, and not the worker.
    const worker = oneOf(draw, trouble === 'a worker stands still' ? this.workers.filter((one) => !this.full.has(one)) : this.workers)
    const longMs = LIFE_MS + 1000 + draw(3000)
    await until(() => this.isEnded || this.sessions >= after)
    await sleep(laterMs)
    if (this.isEnded) return
    switch (trouble) {
      case 'a worker is killed': return worker.kill()
      case 'the command is killed': return command.kill()
      case 'the server is killed':
        await server.kill()
        await sleep(draw(3000))
        if (!this.isOver) await server.begin()
        return
      case 'a worker stands still':
        worker.signal('SIGSTOP')
        await sleep(longMs)
        worker.signal('SIGCONT')
        return
      case 'the network of a worker stands still': return standing(worker.network, longMs)
      case 'the network of the command stands still': return standing(command.network, longMs)
      case 'connections are cut':
        for (const { network } of [command, ...this.workers]) network.cut()
        return
      case 'the queue is paused': return pauseQueues(server.port).catch(unlessAway)
      case 'a disk is full':
        // Somebody makes room.
        await sleep(draw(3000))
        for (const one of this.full) {
          this.full.delete(one)
          await one.kill()
        }
        return
      case 'sessions are half written':
    }
  }

  /** Up to three sessions as a power cut leaves them. */
  private leaveHalf(results: string): void {
    const names = readdirSync(results, { recursive: true }).map(String).filter((name) => name.endsWith('.arrow')).toSorted()
    for (let i = 0; i < 3; i++) {
      const name = oneOf(this.draw, names)
      const bytes = readFileSync(join(results, name))
      const path = join(this.folder, 'results', name)
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, bytes.subarray(0, this.draw(bytes.length)))
    }
    cpSync(join(dirname(results), 'results', 'builds'), join(this.folder, 'results', 'builds'), { recursive: true })
  }
}

const isUnanswered = (code: number | null, err: string): boolean => code === 2 && err.includes('nobody answers')

/** The server may be killed at the time. */
function unlessAway(error: unknown): void {
  if (!/ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|Connection is closed|max retries/.test(String(error))) throw error
}

async function standing(network: Network, ms: number): Promise<void> {
  network.stand()
  await sleep(ms)
  network.flow()
}
