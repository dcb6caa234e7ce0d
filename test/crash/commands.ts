import { cpSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { LAUNCHER } from '../cli/parlor.ts'
import { type Draw, drawsOf } from '../draws.ts'
import { Dice } from '../vopr/dice.ts'
import { recordingsOf } from '../vopr/recordings.ts'
import { put as write, QUICKSTART_STORE, SMALL } from '../scenario/small.ts'
import { Disk, distinctCuts, imageOf, put } from './disk.ts'
import { contentsOf, faultOf, forgetLeases, type Results, resultIn } from './outcome.ts'
import { type Call, ended, type Fault, faulty, recorded, straceVersion } from './strace.ts'

/** A command that leaves a result in the folder `result` of a room. */
interface Program {
  readonly name: string
  readonly args: readonly string[]
  /** The command that left something there before, null for nothing. */
  readonly before: readonly string[] | null
  readonly manifest?: string
}

const RUN = ['run', 'small.yaml', '--out', 'result', '--force', '--quiet']
const SWEEP = ['sweep', 'small.yaml', '--axis', 'makers.0.params.margin=2%,6%', '--replications', '1', '--workers', '1', '--out', 'result', '--tasks', 'tasks', '--quiet']
const ON_CHAIN = [...RUN, '--set', 'chain=svm']
const IMPORTED = ['run', 'imported.yaml', '--out', 'result', '--force', '--quiet']
const LEAGUE = ['league', 'league.yaml', '--workers', '1', '--out', 'result', '--tasks', 'tasks', '--quiet']
const VALIDATE = ['validate', '--items', '7', '--samples', 'small', '--out', 'result']
// A command that failed after it committed finds a store when it is repeated.
const IMPORT = ['import', 'kalshi-mlb-close', 'games.csv', '--into', './result', '--force']
const FEWER = ['import', 'kalshi-mlb-close', 'fewer.csv', '--into', './result']

const PROGRAMS: readonly Program[] = [
  { name: 'run', args: RUN, before: null },
  { name: 'run over a run', args: [...RUN, '--seed', '2'], before: RUN },
  { name: 'run on a chain', args: ON_CHAIN, before: null },
  { name: 'run on a chain over a run', args: [...ON_CHAIN, '--seed', '2'], before: RUN },
  { name: 'run that imports its history', args: IMPORTED, before: null },
  { name: 'report of a run', args: ['report', 'result', '--request', '1'], before: RUN },
  { name: 'report of a run into a file', args: ['report', 'result', '--out', 'page.html'], before: RUN },
  { name: 'report of a sweep', args: ['report', 'result'], before: SWEEP },
  { name: 'report of a league', args: ['report', 'result'], before: LEAGUE },
  { name: 'import', args: IMPORT, before: null, manifest: 'store.json' },
  { name: 'import over a store', args: IMPORT, before: FEWER, manifest: 'store.json' },
  { name: 'import that adds to a store', args: [...IMPORT.slice(0, -1), '--append'], before: FEWER, manifest: 'store.json' },
  { name: 'sweep', args: SWEEP, before: null },
  { name: 'sweep over a sweep', args: [...SWEEP, '--seed', '2'], before: SWEEP },
  { name: 'league', args: LEAGUE, before: null },
  { name: 'league over a league', args: [...LEAGUE, '--seed', '2'], before: LEAGUE },
  { name: 'validate', args: VALIDATE, before: null },
  { name: 'validate over a validation', args: [...VALIDATE, '--seed', '2'], before: VALIDATE },
]

const GAMES = 'date,ticker,event,yes_team,winner,close_bid,close_ask,close_mid,volume,open_interest,result,settled_ts'
/** Some games that end. */
const RECORDED_SEED = 1
const game = (number: number): string => `2025-06-19,G${number}-A,G${number},A,A,${40 + number},${42 + number},${41 + number},100,10,yes,1750388400`

function furnish(room: string): void {
  const small = SMALL.replace(/store: [^,]*/, 'store: ./prices').replace('max: 200', 'max: 20')
  cpSync(QUICKSTART_STORE, join(room, 'prices'), { recursive: true })
  write(room, 'small.yaml', small)
  write(room, 'league.yaml', `${small}league:\n  entries:\n    - { name: thin, use: fixed-margin, params: { margin: 2% } }\n    - { name: wide, use: fixed-margin, params: { margin: 9% } }\n  replications: 1\n`)
  for (const [name, rows] of Object.entries(recordingsOf(new Dice(RECORDED_SEED)))) write(room, `recorded/${name}`, `${rows.join('\n')}\n`)
  write(room, 'imported.yaml', small.replace(/history: .*/, 'history: { store: ./imported, import: { format: polymarket-mlb-book, files: [./recorded] }, from: 2025-06-19T19:00:00Z }'))
  write(room, 'games.csv', [GAMES, game(1), game(2), game(3), ''].join('\n'))
  write(room, 'fewer.csv', [GAMES, game(1), ''].join('\n'))
}

/** Crashes of one command. */
class Crashes {
  private readonly program: Program
  private readonly home: string
  private readonly room: string
  private readonly result: string
  private readonly draw: Draw
  private readonly whole = new Map<string | null, Map<string, string | null>>() satisfies Results
  private fresh = new Map<string, string | null>()
  private calls: Call[] = []
  private readonly missed: string[] = []

  constructor(program: Program, home: string, draw: Draw) {
    this.program = program
    this.home = home
    this.draw = draw
    this.room = join(home, 'room')
    this.result = join(this.room, 'result')
  }

  private get command(): string[] {
    return [process.execPath, LAUNCHER, ...this.program.args]
  }

  /** Plays the command once undisturbed, and once with its calls recorded. */
  async prepare(): Promise<void> {
    const { before, manifest } = this.program
    rmSync(this.room, { recursive: true, force: true })
    furnish(this.room)
    if (before !== null) await ended([process.execPath, LAUNCHER, ...before], this.room)
    rmSync(join(this.home, 'base'), { recursive: true, force: true })
    cpSync(this.room, join(this.home, 'base'), { recursive: true })
    this.whole.set(resultIn(this.result, manifest), contentsOf(this.result))
    const { code, err } = await ended(this.command, this.room)
    if (code !== 0) throw new Error(`${this.program.name} ends with ${code}: ${err}`)
    this.whole.set(resultIn(this.result, manifest), contentsOf(this.result))
    this.fresh = contentsOf(this.room)
    this.restore()
    this.calls = await recorded(this.command, this.room, this.room, join(this.home, 'log'))
  }

  /** Faults of `count` calls of each kind, or of all calls. */
  * faults(count: number): Generator<Fault & { readonly call: Call }> {
    for (const kind of ['KILL', 'EIO', 'ENOSPC'] as const) {
      // Threads take turns, so that a sample has calls of each.
      const left = [...Map.groupBy(this.calls.filter(({ aim }) => aim !== null), ({ thread }) => thread).values()]
      for (let i = 0; i < count && left.length > 0; i++) {
        const own = left[i % left.length]!
        const call = own.splice(this.draw(own.length), 1)[0]!
        if (own.length === 0) left.splice(i % left.length, 1)
        yield { kind, call, isLasting: kind === 'ENOSPC' && this.draw(2) === 0 }
      }
    }
  }

  /** How many calls there are in each thread, how many of them nothing tells from those of another thread, and how many were not met again. */
  reach(): string {
    const counts = [...Map.groupBy(this.calls, ({ thread }) => thread).values()].map(({ length }) => length)
    const unreached = this.calls.filter(({ aim }) => aim === null).length
    return `${counts.join(' + ')} calls in ${counts.length} threads${unreached === 0 ? '' : `, ${unreached} of them out of reach`}${this.missed.length === 0 ? '' : `; not made again: ${this.missed.join(', ')}`}`
  }

  /** What is wrong after a fault, null when nothing is. */
  async after(fault: Fault & { readonly call: Call }): Promise<string | null> {
    const { program: { manifest }, result, whole } = this
    this.restore()
    const { code, signal, err } = await faulty(this.command, this.room, fault)
    if (fault.kind === 'KILL' && signal !== 'SIGKILL') this.missed.push(placeOf(fault))
    if (err.includes('bug of parlor')) return `the disk's fault is called a bug: ${err}`
    if (code === 0 && resultIn(result, manifest) !== [...whole.keys()].at(-1)) return 'it ended with 0, and the result is the old one'
    const wrong = faultOf(result, whole, manifest)
    if (wrong !== null) return wrong
    forgetLeases(this.room)
    const again = await ended(this.command, this.room)
    if (again.code !== 0) return `the same command ends with ${again.code}: ${again.err}`
    const left = contentsOf(this.room)
    const differing = [...new Set([...left.keys(), ...this.fresh.keys()])].filter((name) => left.get(name) !== this.fresh.get(name))
    return differing.length === 0 ? null : `after the same command again differ: ${differing.join(', ')}`
  }

  /** What is wrong after `count` power cuts, drawn from all. */
  * cuts(count: number): Generator<string | null> {
    const { program: { manifest }, home, result, calls, draw } = this
    const own = calls.filter(({ paths }) => paths.some((path) => path === result || path.startsWith(`${result}/`)))
    const left = distinctCuts(new Disk(result, imageOf(contentsOf(join(home, 'base', 'result')))), own, draw)
    const cut = join(home, 'cut')
    for (let i = 0; i < count && left.length > 0; i++) {
      const { at, image } = left.splice(draw(left.length), 1)[0]!
      put(image, cut)
      const wrong = faultOf(cut, this.whole, manifest)
      yield wrong === null ? null : `power cut after ${at} calls (${own[at - 1]!.name}): ${wrong}`
      rmSync(cut, { recursive: true, force: true })
    }
  }

  private restore(): void {
    rmSync(this.room, { recursive: true, force: true })
    const copy = join(this.home, 'copy')
    cpSync(join(this.home, 'base'), copy, { recursive: true })
    renameSync(copy, this.room)
  }
}

const placeOf = ({ call: { name, nth, thread, aim }, isLasting }: { readonly call: Call; readonly isLasting?: boolean }): string =>
  (isLasting === true || aim === null ? `${name} ${nth} of each thread${isLasting === true ? ' and later' : ''}` : `${name} ${aim.nth} of ${aim.path}, thread ${thread}`)

export interface CrashOptions {
  readonly seed: number
  /** Calls of each kind of fault, and power cuts, of each command; Infinity: all. */
  readonly sample: number
  /** Part of the name of a command; empty: all. */
  readonly only: string
}

/** Crashes each command at its system calls and prints what is wrong. Returns whether nothing is. */
export async function crashCommands({ seed, sample, only }: CrashOptions): Promise<boolean> {
  if (straceVersion() === null) throw new Error('there is no strace here (apt-get install strace)')
  const draw = drawsOf(seed)
  const home = mkdtempSync(join(tmpdir(), 'parlor-crash-'))
  let wrong = 0
  const tell = (program: Program, where: string, fault: string | null): void => {
    if (fault === null) return
    wrong++
    console.log(`${program.name}, ${where}: ${fault}`)
  }
  try {
    for (const program of PROGRAMS.filter(({ name }) => name.includes(only))) {
      const crashes = new Crashes(program, home, draw)
      await crashes.prepare()
      let [count, cuts] = [0, 0]
      for (const fault of crashes.faults(sample)) {
        count++
        tell(program, `${fault.kind} at ${placeOf(fault)}`, await crashes.after(fault))
      }
      for (const fault of crashes.cuts(sample)) {
        cuts++
        tell(program, 'power', fault)
      }
      console.log(`${program.name}: ${count} faults, ${cuts} power cuts, seed ${seed}; ${crashes.reach()}`)
    }
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
  console.log(wrong === 0 ? 'nothing lost' : `${wrong} faults`)
  return wrong === 0
}
