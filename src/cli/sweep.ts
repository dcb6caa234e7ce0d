import { join, relative } from 'node:path'
import type { Command } from 'commander'
import type { Generation } from '../result/generation.ts'
import type { LoadedScenario } from '../scenario/load.ts'
import type { PreparedScenario } from '../scenario/run.ts'
import type { Axis, DesignKind } from '../scenario/sweepSchema.ts'
import type { Interval } from '../stats/interval.ts'
import type { Expectation, ExpectationOutcome } from '../sweep/expectation.ts'
import type { PoolProgress, WorkerPool } from '../sweep/pool.ts'
import type { SweepPlan, SweepReport } from '../sweep/sweep.ts'
import type { StoppingRule } from '../sweep/stoppingRule.ts'
import { InputError, type InputPosition } from '../unit/inputError.ts'
import { grouped, percent, secondsText, significant, thousands } from '../unit/numberText.ts'
import { collect, columnsText, common, type CommonOptions, print, printJson, remark, wholeNumber, type TrustOptions, withTrust } from './common.ts'
import { ExitCode } from './failure.ts'
import { leavePage } from './report.ts'
import { RUNS_FOLDER } from './run.ts'
import type { Interruption } from './signals.ts'
import { taskBar } from './taskBar.ts'

/** Options of commands that play tasks in a pool. */
export interface PoolOptions extends TrustOptions {
  readonly workers?: string
  readonly tasks?: string
  readonly limit?: string
  readonly recheck?: string
}

interface SweepCommandOptions extends CommonOptions, PoolOptions {
  readonly axis?: readonly string[]
  readonly design?: string
  readonly points?: string
  readonly replications?: string
  readonly until?: string
  readonly seed?: string
  readonly set?: readonly string[]
  readonly out?: string
  readonly quiet?: boolean
}

/** The most rows of the table on the terminal. All rows are in sweep.json. */
const ROWS_MAX = 60

/** Adds the options that say how sessions are played. */
export const withPool = (command: Command): Command => withTrust(command)
  .option('--workers <n>', 'sessions at a time; default: one for each core')
  .option('--tasks <dir>', 'folder of the finished tasks, which all sweeps and leagues share (default: runs/tasks)')
  .option('--limit <duration>', 'time after which a session counts as endless (default: 10m)')
  .option('--recheck <n>', 'play this many kept tasks again and compare the bytes')

export function addSweep(program: Command, interruption: () => Interruption): void {
  const command = program.command('sweep').argument('<scenario>', 'scenario file (YAML), with or without a section `sweep`')
    .summary('play a scenario at many settings, many times each')
    .description(`Play a scenario at the points of a design, with the same seeds at each point, in parallel. Every finished session is kept: the same command goes on where it was stopped. The result is left in ${RUNS_FOLDER}/sweep-NAME: sweep.json, sweep.arrow and a page, the same bytes for any number of workers.`)
    .option('--axis <path=values>', 'a setting and its values, 2%..8%:7 or a,b,c; may be repeated, and replaces the axes of the scenario', collect)
    .option('--design <kind>', 'grid (all combinations), list (first values, second values, …), random or sobol')
    .option('--points <n>', 'number of points of a random or a Sobol design')
    .option('--replications <n>', 'most sessions of each point')
    .option('--until <rule>', 'stop at a point as soon as an interval is as narrow as this, from end to end: "profit of fixed-margin within 50 USDC"')
    .option('--seed <seed>', 'seed of all replications, and of the points of a random or Sobol design')
    .option('--set <path=value>', 'replace a setting of the scenario; may be repeated', collect)
    .option('--out <dir>', 'folder of the results')
    .option('--quiet', 'print no progress and no table')
  withPool(command)
  common(command,
    'parlor sweep scenarios/quickstart.yaml --axis makers.0.params.margin=2%..8%:4 --replications 4',
    'parlor sweep scenarios/quickstart.yaml --axis makers.0.params.margin=1%..9% --axis makers.1.params.margin=1%..9% --design sobol --points 16 --replications 32 --until "hold of fixed-margin within 2%"')
    .action(async (scenario: string, options: SweepCommandOptions) => { await sweep(scenario, options, interruption()) })
}

async function sweep(path: string, options: SweepCommandOptions, interruption: Interruption): Promise<void> {
  const [{ loadScenario }, { runNameOf }, { Sweep }] = await Promise.all([
    import('../scenario/load.ts'), import('../scenario/run.ts'), import('../sweep/sweep.ts'),
  ])
  const loaded = loadScenario(path, { set: options.set ?? [], ...(options.seed === undefined ? {} : { seed: options.seed }) })
  const plan = await planOf(path, loaded, await readScenario(loaded, options, interruption), runNameOf(loaded), options)
  const task = new Sweep(plan)
  const out = options.out ?? join(RUNS_FOLDER, `sweep-${plan.name}`)
  const { beginResult, checkResultFolder, commitResult } = await import('./resultFolder.ts')
  checkResultFolder(out, 'sweep')
  const isQuiet = options.quiet === true || options.json === true
  const bar = await taskBar(task.sessionsMax, plan.until !== null, isQuiet)
  const pool = await openPool(options, interruption, (progress) => { bar.step(progress) }, loaded)
  const startedMs = Date.now()
  let generation: Generation | undefined
  try {
    await pool.check(task.pointsToCheck)
    await task.play(pool)
    const progress = pool.progress
    bar.stop()
    generation = await beginResult(out, 'sweep', interruption.signal)
    const report = await task.write(pool, generation.folder)
    await leavePage(generation.folder)
    commitResult(generation, 'sweep')
    tell(report, progress, relative('.', out), (Date.now() - startedMs) / 1000, options)
  } catch (error) {
    bar.stop()
    tellInterrupted(generation === undefined ? error : generation.giveUp(error), pool.progress)
  } finally {
    bar.stop()
    await pool.close()
  }
}

/** Reads a scenario whose sessions are played in workers: none of its strategy files runs in this thread. */
async function readScenario(loaded: LoadedScenario, options: PoolOptions, { signal }: Interruption): Promise<PreparedScenario> {
  const [{ prepareScenario }, { callLimitsOf, refuseUnreproducible }, { StrategyReader }] = await Promise.all([
    import('../scenario/run.ts'), import('../scenario/strategyLimits.ts'), import('../sweep/strategyReader.ts'),
  ])
  refuseUnreproducible(loaded)
  const reader = new StrategyReader({ limits: callLimitsOf(loaded.file.strategies), ...await limitOf(options), signal, isTrusted: options.trusted === true })
  try {
    return await prepareScenario(loaded, remark, { importFile: reader.read })
  } finally {
    await reader.close()
  }
}

/** Rethrows an error. That of Ctrl-C says how to go on. */
export function tellInterrupted(error: unknown, { played, kept }: PoolProgress): never {
  if (!(error instanceof Error) || error.name !== 'Interrupted') throw error
  throw Object.assign(error, { message: `interrupted: ${played} sessions were played and are kept${kept > 0 ? `, as ${kept} were before` : ''}; the same command goes on from there` })
}

/** Opens a pool with the options of the command line. Throws InputError for a text that is no number. */
export async function openPool(options: PoolOptions, interruption: Interruption, onProgress: (progress: PoolProgress) => void, { file }: Pick<LoadedScenario, 'file'>): Promise<WorkerPool> {
  const [{ WorkerPool: Pool }, { callLimitsOf }] = await Promise.all([import('../sweep/pool.ts'), import('../scenario/strategyLimits.ts')])
  const { workers, tasks, recheck } = options
  return new Pool({
    signal: interruption.signal, onProgress, say: remark, limits: callLimitsOf(file.strategies), isTrusted: options.trusted === true,
    ...(workers === undefined ? {} : { workers: atLeastOne(workers, '--workers') }), ...(tasks === undefined ? {} : { tasksDir: tasks }),
    ...await limitOf(options), ...(recheck === undefined ? {} : { recheck: wholeNumber(recheck, '--recheck') }),
  })
}

/** The time that a session, or the loading of a strategy file, may take. Throws InputError for a text that is no duration. */
export async function limitOf({ limit }: PoolOptions): Promise<{ readonly limitMs?: number }> {
  if (limit === undefined) return {}
  const { readWithin } = await import('../scenario/units.ts')
  const limitMs = readWithin('ms', limit, 1000, 86_400_000)
  if ('fault' in limitMs) throw new InputError(`--limit: ${limitMs.fault}`)
  return { limitMs: limitMs.value }
}

function atLeastOne(text: string, what: string): number {
  const value = wholeNumber(text, what)
  if (value < 1) throw new InputError(`expected ${what}, 1 or more, got ${text}`)
  return value
}

/** The plan of the scenario's section, with what the command line replaces. */
async function planOf(path: string, { file, source }: LoadedScenario, { resolved, record }: PreparedScenario, name: string, options: SweepCommandOptions): Promise<SweepPlan> {
  const [{ DESIGNS, POINTS_MAX, REPLICATIONS_MAX }, { checkMeasured }, { readUntil }, { readExpectation }] = await Promise.all([
    import('../scenario/sweepSchema.ts'), import('../sweep/figures.ts'), import('../sweep/stoppingRule.ts'), import('../sweep/expectation.ts'),
  ])
  const { sweep: section } = file
  const kind = options.design ?? section?.design ?? 'grid'
  if (!(DESIGNS as readonly string[]).includes(kind)) throw new InputError(`expected --design ${DESIGNS.join(', ')}, got ${kind}`)
  const number = (text: string | undefined, what: string, max: number): number | undefined => {
    if (text === undefined) return undefined
    const value = atLeastOne(text, what)
    if (value > max) throw new InputError(`expected ${what}, at most ${max}, got ${text}`)
    return value
  }
  const points = number(options.points, '--points', POINTS_MAX) ?? section?.points
  const written = options.until ?? section?.until
  const checked = <T extends Expectation | StoppingRule>(read: (text: string, position: InputPosition) => T, text: string, position: InputPosition): T => {
    const rule = read(text, position)
    checkMeasured(rule, { makers: resolved.makers.map((maker) => maker.name), horizonsUs: record.marks }, position)
    return rule
  }
  const until = written === undefined ? null
    : checked(readUntil, written, options.until === undefined ? source.mistake(['sweep', 'until'], '').position : { file: `--until ${written}` })
  const axes = options.axis === undefined ? section?.axes ?? [] : await axesOf(options.axis)
  // The expectations of a scenario are about its own axes.
  const expected = options.axis === undefined ? section?.expect ?? [] : []
  return {
    name, label: resolved.mode, scenario: path, set: options.set ?? [], seed: resolved.seed,
    design: { kind: kind as DesignKind, axes, seed: resolved.seed, ...(points === undefined ? {} : { points }) },
    replications: number(options.replications, '--replications', REPLICATIONS_MAX) ?? section?.replications ?? resolved.inference.replications, until,
    expect: expected.map((text, i) => checked(readExpectation, text, source.mistake(['sweep', 'expect', i], '').position)),
  }
}

async function axesOf(written: readonly string[]): Promise<Axis[]> {
  const { AXIS_EXPECTED, readSpan } = await import('../scenario/sweepSchema.ts')
  return written.map((text): Axis => {
    const equals = text.indexOf('=')
    const position = { file: `--axis ${text}` }
    if (equals <= 0) throw new InputError('is no axis: expected path=values', { position, hint: AXIS_EXPECTED })
    const span = readSpan(text.slice(equals + 1))
    if ('fault' in span) throw new InputError(span.fault, { position })
    return { path: text.slice(0, equals), span }
  })
}

function tell(report: SweepReport, progress: PoolProgress, out: string, seconds: number, options: SweepCommandOptions): void {
  const { played, kept, rechecked } = progress
  // Also failures of sessions whose kept results were lost, and that failed when they were played again for writing.
  const failed = report.points.reduce((sum, { failures }) => sum + failures.length, 0)
  if (failed > 0 || report.expectations.some(({ holds }) => !holds)) process.exitCode = ExitCode.failed
  if (options.json === true) return printJson({ sweep: out, played, kept, failed, rechecked, seconds, result: report })
  if (options.quiet !== true) print(tableText(report))
  for (const expectation of report.expectations) print(expectationText(expectation))
  for (const { point, failures } of report.points) {
    for (const { seed, kind, message } of failures) remark(`point ${point}, seed ${seed}: ${kind === 'strategy' ? '' : `${kind}: `}${message}`)
  }
  const also = [kept > 0 ? `${thousands(kept)} kept from before` : '', rechecked > 0 ? `${thousands(rechecked)} kept ones played again, the same bytes` : '', failed > 0 ? `${thousands(failed)} failed` : '']
  print([`${out}: ${thousands(played)} sessions played`, ...also.filter((part) => part !== ''), secondsText(seconds)].join(', '))
}

/** A row per point and maker. */
export function tableText({ points, design, until }: SweepReport): string {
  const labels = new Set<string>()
  const rows = points.flatMap(({ point, settings, replications, narrow, makers }) => makers.map(({ maker, figures }) => {
    if (figures['profit']!.low !== null) labels.add(figures['profit']!.label)
    return [
      String(point), ...design.axes.map((path) => settings[path]!), `${replications}${narrow === false ? '*' : ''}`, maker,
      grouped(figures['profit']!.estimate, 0), spanText(figures['profit']!, 0, 1), percent(figures['hold']!.estimate, 1), spanText(figures['hold']!, 1, 100),
      percent(figures['hit ratio']!.estimate, 1), grouped(figures['fills']!.estimate, 1), grouped(figures['cash drawdown']!.estimate, 1),
    ]
  }))
  const head = ['point', ...design.axes, 'sessions', 'maker', 'profit, USDC', '95 %', 'hold', '95 %', 'hit ratio', 'fills', 'drawdown, USDC']
  const right = head.flatMap((name, i) => (design.axes.includes(name) || name === 'maker' ? [] : [i]))
  const text = columnsText([head, ...rows.slice(0, ROWS_MAX)], right)
  const notes = [
    rows.length > ROWS_MAX ? `… ${thousands(rows.length - ROWS_MAX)} more rows in sweep.json` : '',
    `per session on average; intervals: ${[...labels].join('; ') || 'none'}`,
    until !== null && points.some(({ narrow }) => narrow === false) ? `* not as narrow as wanted (${until})` : '',
  ]
  return [text, ...notes.filter((note) => note !== '')].join('\n')
}

const expectationText = ({ text, difference, holds }: ExpectationOutcome): string => (difference === null || difference.estimate === null
  ? `not shown: ${text}` : `${holds ? 'as expected' : 'not shown'}: ${text}, by ${significant(difference.estimate)} [${significant(difference.low)}, ${significant(difference.high)}] (${difference.label})`)

const spanText = ({ low, high }: Interval, decimals: number, scale: number): string =>
  (low === null || high === null ? '' : `${grouped(scale * low, decimals)} … ${grouped(scale * high, decimals)}`)
