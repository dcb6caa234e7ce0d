import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { FigureSpec, Program } from './figures.ts'
import type { Room } from './room.ts'
import { startUpMs } from './startUp.ts'

const RECORDING = join(import.meta.dirname, '../../shared/data/polymarket-mlb-book')

/** The workload through the whole engine: key, row title, options of engine.ts. */
const ENGINE_RUNS: readonly (readonly [key: string, name: string, ...options: string[]])[] = [
  ['parlay', 'parlay service, no sink'],
  ['parlay.rooms', 'parlay service, no sink, ten files in rooms', '--makers', 'rooms'],
  ['parlay.trusted', 'parlay service, no sink, ten files, trusted', '--makers', 'trusted'],
  ['parlay.answers', 'parlay service, no sink, answers given', '--answers'],
  ['parlay.digest', 'parlay service, digest', '--record', 'digest'],
  ['parlay.tables', 'parlay service, all tables and digest', '--record', 'tables'],
  ['parlay.gate', 'parlay service behind its gate, no sink', '--gate'],
  ['outcome', 'outcome service, no sink', '--service', 'outcome'],
  ['outcome.digest', 'outcome service, digest', '--service', 'outcome', '--record', 'digest'],
]

/** What a part of the engine costs: the rate with it and that without it. */
export const COSTS: readonly { readonly name: string; readonly slower: string; readonly faster: string }[] = [
  { name: 'strategy callbacks', slower: 'parlay', faster: 'parlay.answers' },
  { name: 'digest', slower: 'parlay.digest', faster: 'parlay' },
  { name: 'all tables', slower: 'parlay.tables', faster: 'parlay.digest' },
  { name: 'gate', slower: 'parlay.gate', faster: 'parlay' },
  { name: 'digest of the outcome service', slower: 'outcome.digest', faster: 'outcome' },
]

const spec = (key: string, name: string, unit: string, more: Partial<FigureSpec> = {}): FigureSpec =>
  ({ key, name, unit, better: 'more', comparedBy: 'calibration', ...more })

/** Measured in wall time. A loop measured in CPU-seconds does not show how busy the machine was. */
const WALL: Partial<FigureSpec> = { comparedBy: 'nothing' }

export function enginePrograms(room: Room, requests: number): Program[] {
  return ENGINE_RUNS.map(([key, name, ...args]) => ({
    name,
    figures: [spec(key, name, 'requests/s'), spec(`${key}.events`, name, 'events/s', { comparedBy: 'nothing' })],
    run: () => {
      const { requestsPerSecond, eventsPerSecond } = room.play('engine.ts', requests, ...args)
      return { [key]: requestsPerSecond!, [`${key}.events`]: eventsPerSecond! }
    },
  }))
}

/** Sizes of what is measured beside the engine. */
export interface OtherSizes {
  readonly sweepTasks: number
  readonly ticks: number
  readonly arrowRows: number
}

export interface OtherPrograms {
  readonly programs: readonly Program[]
  /** What is missing, and why. */
  readonly leftOut: readonly string[]
}

/** Sweep, replay, import, Arrow and start-up. */
export function otherPrograms(room: Room, { sweepTasks, ticks, arrowRows }: OtherSizes): OtherPrograms {
  // Nothing is compiled in a measured process.
  for (const script of ['sweep.ts', 'history.ts', 'arrowTable.ts']) room.play(script, 1)
  const recording = existsSync(RECORDING) ? [RECORDING] : []
  let sweepRuns = 0
  const sweep: Program = {
    name: 'sweep on 1 and 2 workers',
    figures: [
      spec('sweep.1', 'sweep on 1 worker', 'sessions/s (wall)', WALL), spec('sweep.2', 'sweep on 2 workers', 'sessions/s (wall)', WALL),
      spec('sweep.ratio', 'sweep, 2 workers to 1', 'times', { comparedBy: 'itself' }),
      spec('sweep.machine', 'a loop, in 2 processes to 1', 'times', { comparedBy: 'nothing' }),
    ],
    run: () => {
      // Each goes first in every other round, because the second one meets a machine in another state.
      const { onOne, onTwo, ratio } = room.play('sweep.ts', sweepTasks, 1 + sweepRuns++ % 2)
      return { 'sweep.1': onOne!, 'sweep.2': onTwo!, 'sweep.ratio': ratio!, 'sweep.machine': room.play('twice.ts').ratio! }
    },
  }
  const history: Program = {
    name: 'replay and import',
    figures: [
      spec('replay', 'replay through a price board', 'million ticks/s'),
      ...recording.map(() => spec('import', 'import of polymarket-mlb-book', 'rows/s')),
    ],
    run: () => {
      const { replayed, imported } = room.play('history.ts', ticks, ...recording)
      return { replay: replayed! / 1e6, ...(imported === undefined ? {} : { import: imported }) }
    },
  }
  const arrow: Program = {
    name: 'Arrow file', figures: [spec('arrow', 'rows of 20 columns into an Arrow file', 'million rows/s')],
    run: () => ({ arrow: room.play('arrowTable.ts', arrowRows).millionRows! }),
  }
  const startUp: Program = {
    name: 'start-up', figures: [spec('startUp', 'start-up, parlor --help', 'ms (wall)', { better: 'less', ...WALL })],
    run: () => ({ startUp: startUpMs() }),
  }
  return { programs: [sweep, history, arrow, startUp], leftOut: recording.length > 0 ? [] : [`import: nothing at ${RECORDING}`] }
}
