// How fast everything is, beside the programs of ../shared/peers (bench/README.md): `npm run bench [-- --quick] [--requests N] [--rounds N]
// [--json FILE] [--compare FILE] [--only KEYS]`; `--show FILE [--short]` prints again what an earlier run wrote with --json.
import { parseArgs } from 'node:util'
import { InputError } from '../src/unit/inputError.ts'
import { SERVICE_NAMES } from '../src/unit/services.ts'
import { FALL_MAX, refuseUnlike, warningsOf } from './comparison.ts'
import { type Figure, measure, type Program } from './figures.ts'
import { thisMachine } from './machine.ts'
import { enginePrograms, otherPrograms, type OtherSizes } from './ownPrograms.ts'
import { type Peers, peersIn } from './peers.ts'
import { type HoldCounts, queuesIn } from './queue/holds.ts'
import { readResults, type Results, writeResults } from './results.ts'
import { Room } from './room.ts'
import type { Shares } from './shares.ts'
import { textOf } from './table.ts'
import { tickProgramsIn } from './tickPeers.ts'

interface Sizes extends OtherSizes {
  readonly requests: number
  readonly rounds: number
  readonly holds: HoldCounts
  /** Changes of prices that a maker follows. */
  readonly changes: number
}

const FULL: Sizes = {
  requests: 200_000, rounds: 5, holds: { measured: 2_000_000, warm: 500_000 }, sweepTasks: 40, ticks: 4_000_000, arrowRows: 1_000_000,
  changes: 1_000_000,
}
const QUICK: Sizes = {
  requests: 20_000, rounds: 3, holds: { measured: 500_000, warm: 200_000 }, sweepTasks: 8, ticks: 1_000_000, arrowRows: 300_000,
  changes: 200_000,
}
/** Shares are counted over as many requests as those of the C++ program. */
const SHARES_REQUESTS = 100_000

interface Options {
  readonly sizes: Sizes
  readonly isQuick: boolean
  readonly json: string | undefined
  readonly earlier: Results | undefined
  readonly show: string | undefined
  readonly isShort: boolean
  /** Keys of figures, or how they begin with a dot at the end: programs without any of them are not run. */
  readonly only: readonly string[] | undefined
}

/** Throws InputError for options that are none. */
function optionsOf(args: readonly string[]): Options {
  const { values } = parsed(args)
  const preset = values.quick ? QUICK : FULL
  const requests = countOf('requests', values.requests) ?? preset.requests
  const sizes = { ...preset, requests, rounds: countOf('rounds', values.rounds) ?? preset.rounds }
  const earlier = values.compare === undefined ? undefined : readResults(values.compare)
  if (earlier !== undefined) refuseUnlike(earlier, { requests, rounds: sizes.rounds, isQuick: values.quick }, values.compare!)
  return { sizes, isQuick: values.quick, json: values.json, earlier, show: values.show, isShort: values.short, only: values.only?.split(',') }
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        quick: { type: 'boolean', default: false }, requests: { type: 'string' }, rounds: { type: 'string' }, json: { type: 'string' },
        compare: { type: 'string' }, show: { type: 'string' }, short: { type: 'boolean', default: false }, only: { type: 'string' },
      },
    })
  } catch (cause) {
    throw new InputError((cause as Error).message, { cause })
  }
}

function countOf(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (!(Number.isSafeInteger(Number(text)) && Number(text) > 0)) throw new InputError(`--${name} is a whole number above 0, not ${text}`)
  return Number(text)
}

const progress = (line: string): void => {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${line}`)
}

/** Whether a key was asked for. */
const isAsked = (key: string, only: readonly string[] | undefined): boolean =>
  only === undefined || only.some((asked) => key === asked || (asked.endsWith('.') && key.startsWith(asked)))

const NOTHING: Peers = { programs: [], shares: [], leftOut: [] }

/** The programs that were asked for. Nothing is installed or built for the others. */
function programsIn(room: Room, { sizes, isQuick, only }: Options): Peers {
  const has = (...keys: readonly string[]): boolean => keys.some((key) => only === undefined || only.some((asked) => asked.startsWith(key)))
  const parts: (Omit<Peers, 'shares'> & Partial<Peers>)[] = [
    has('cpp', 'simpy') ? peersIn(room, isQuick) : NOTHING,
    { programs: enginePrograms(room, sizes.requests), leftOut: [] },
    has('follow') ? tickProgramsIn(room, sizes.changes) : NOTHING,
    has('queue') ? queuesIn(room, sizes.holds) : NOTHING,
    has('sweep', 'replay', 'import', 'arrow', 'startUp') ? otherPrograms(room, sizes) : NOTHING,
  ]
  return {
    programs: parts.flatMap(({ programs }) => programs.filter(({ figures }) => figures.some(({ key }) => isAsked(key, only)))),
    shares: parts.flatMap(({ shares = [] }) => shares), leftOut: parts.flatMap(({ leftOut }) => leftOut),
  }
}

function run(options: Options): void {
  const { sizes: { requests, rounds }, isQuick, json, earlier, only } = options
  const room = new Room()
  try {
    const { programs, shares, leftOut } = programsIn(room, options)
    if (programs.length === 0) throw new InputError(`--only ${only!.join(',')}: no figure has such a key`)
    const calibrate = (): number => room.play('calibration.ts').millionSteps!
    calibrate()
    const counted = Math.min(requests, SHARES_REQUESTS)
    const ownShares = only === undefined ? SERVICE_NAMES.map((service) => ({ name: `${service} service`, ...sharesOf(room, counted, service) })) : []
    const figures = measure(programs, rounds, calibrate, progress)
    progress('')
    const results: Results = { machine: thisMachine(), requests, rounds, isQuick, leftOut, shares: only === undefined ? [...shares, ...ownShares] : [], figures }
    console.log(textOf(results))
    if (json !== undefined) writeResults(json, results)
    if (earlier !== undefined) compare(results, earlier, (figure) => measuredAgain(figure, programs, rounds, calibrate))
  } finally {
    room.close()
  }
}

const sharesOf = (room: Room, requests: number, service: string): Shares =>
  room.play('engine.ts', requests, '--shares', '--service', service) as unknown as Shares

function measuredAgain({ key }: Figure, programs: readonly Program[], rounds: number, calibrate: () => number): Figure {
  const program = programs.find(({ figures }) => figures.some((figure) => figure.key === key))!
  return measure([program], rounds, calibrate).find((figure) => figure.key === key)!
}

function compare({ figures, machine }: Results, earlier: Results, again: (figure: Figure) => Figure): void {
  // How much two workers are worth is a matter of the cores.
  const compared = ['calibration', ...(machine.cores === earlier.machine.cores ? ['itself'] : [])]
  const comparable = figures.filter(({ comparedBy }) => compared.includes(comparedBy))
  const warnings = warningsOf(comparable, earlier.figures, again)
  for (const line of warnings) console.log(line)
  const { commit, cpu } = earlier.machine
  console.log(`compared with commit ${commit} on ${cpu}: ${warnings.length} of ${comparable.length} figures fell by over ${FALL_MAX * 100} %`)
}

try {
  const options = optionsOf(process.argv.slice(2))
  if (options.show === undefined) run(options)
  else console.log(textOf(readResults(options.show), options.isShort))
} catch (error) {
  if (!(error instanceof InputError)) throw error
  console.error(error.describe())
  process.exitCode = 2
}
