import type { LoadedScenario } from '../scenario/load.ts'
import { type PreparedScenario, prepareScenario } from '../scenario/run.ts'
import { callLimitsOf, refuseUnreproducible } from '../scenario/strategyLimits.ts'
import { type Axis, AXIS_EXPECTED, type DesignKind, DESIGNS, POINTS_MAX, readSpan, REPLICATIONS_MAX } from '../scenario/sweepSchema.ts'
import type { Expectation } from '../sweep/expectation.ts'
import type { StoppingRule } from '../sweep/stoppingRule.ts'
import { strategySource } from '../sweep/sandbox/strategySource.ts'
import type { Sweep, SweepPlan, SweepReport } from '../sweep/sweep.ts'
import { InputError, type InputPosition } from '../unit/inputError.ts'
import type { QueueOptions } from './elsewhere.ts'
import { loadedOf } from './loaded.ts'
import { Merge } from './merge.ts'
import { openPlayers } from './queue.ts'
import { throwIfAborted } from '../unit/interrupted.ts'
import { acting, calling, sayOf, signalOf, throwIfAbortedMeanwhile } from './options.ts'
import { leavePage } from './pages.ts'
import { limitOf, type PlayedSessions, playedOf, type PoolOptions, sandboxOf, toldInterrupted } from './pools.ts'
import { beginOrScratch, checkResultFolder } from './resultFolder.ts'
import type { Scenario } from './scenario.ts'

/** What replaces parts of the scenario's section `sweep`. */
export interface SweepOptions extends PoolOptions, QueueOptions {
  /** The folder of the result. Without it the result is not left on the disk; the finished sessions are kept in `tasks` all the same. */
  readonly out?: string
  /**
   * Settings and what each runs through, as `{ 'makers.0.params.margin': '2%..8%:7' }`, or in the words of the command line, `path=values`. They
   * replace the axes of the scenario.
   */
  readonly axes?: Readonly<Record<string, string>> | readonly string[]
  /** All combinations; the first values, the second ones, …; or points that are drawn. */
  readonly design?: DesignKind
  /** Number of points of a random or a Sobol design. */
  readonly points?: number
  /** The most sessions of each point. */
  readonly replications?: number
  /** Stops at a point as soon as an interval is as narrow as this, as `profit of fixed-margin within 50 USDC`. */
  readonly until?: string
  /**
   * Finds the point with the most, as `luck-adjusted of fixed-margin`, by successive halving: all points few replications, the better half twice as many, and so on
   * up to `replications`. The winner is then judged by as many new replications. Not together with `until`.
   */
  readonly maximise?: string
  /** Number of the point that the others are compared with. The first unless given. */
  readonly baseline?: number
}

export interface SweptScenario extends PlayedSessions {
  /** Null without `out`. */
  readonly path: string | null
  /** The contents of `sweep.json`: the same bytes for any number of workers. */
  readonly result: SweepReport
}

/**
 * Plays a scenario at the points of a design, with the same seeds at each point, in parallel. Every finished session is kept: the same call goes
 * on where it was stopped.
 *
 * @param scenario what `loadScenario` returns, with or without a section `sweep`
 * @returns the figures of each point with their intervals, and how much was played; failed sessions stand in the points' `failures`
 * @throws InputError for axes, rules, strategies or a folder that cannot be
 * @throws Interrupted by the signal; what finished is kept
 * @example
 * const scenario = loadScenario('scenarios/quickstart.yaml')
 * const { result } = await sweep(scenario, { axes: { 'makers.0.params.margin': '2%..8%:4' }, replications: 2 })
 * for (const { settings, makers } of result.points) console.log(settings, makers.map(({ maker, figures }) => [maker, figures.profit.estimate]))
 */
export const sweep = (scenario: Scenario, options: SweepOptions = {}): Promise<SweptScenario> => acting(async () => {
  const signal = signalOf(options)
  throwIfAborted(signal)
  const { out, onPlanned, onPlayed } = options
  const { task, loaded } = await plannedSweep(scenario, options)
  if (out !== undefined) checkResultFolder(out, 'sweep')
  const merge = await Merge.open(options, loaded)
  const { sessionsMax } = task
  await onPlanned?.({ sessionsMax, isAtMost: task.hasRounds })
  const pool = merge?.pool ?? await openPlayers(options, loaded, { about: `sweep ${scenario.name}`, sessionsMax })
  const startedMs = performance.now()
  try {
    await pool.check(task.pointsToCheck)
    await (merge === null ? task.play(pool) : merge.survey(task.hasRounds, (rounds) => task.play(rounds)))
    const { progress } = pool
    calling(onPlayed)()
    const place = await beginOrScratch(out, 'sweep', { signal, say: sayOf(options) })
    try {
      const result = await task.write(pool, place.folder)
      if (out !== undefined) await leavePage(place.folder, sayOf(options))
      await throwIfAbortedMeanwhile(signal)
      place.commit()
      return { path: out ?? null, result, ...playedOf(progress, startedMs) }
    } catch (error) {
      throw place.giveUp(error)
    }
  } catch (error) {
    throw toldInterrupted(error, pool.progress)
  } finally {
    await pool.close()
  }
})

/** A sweep that can be played: its scenario and its options fit together. Throws InputError, and Interrupted by the signal. */
export async function plannedSweep(scenario: Scenario, options: Omit<SweepOptions, keyof QueueOptions>): Promise<{ readonly task: Sweep; readonly loaded: LoadedScenario }> {
  const { Sweep: Task } = await import('../sweep/sweep.ts')
  const loaded = loadedOf(scenario)
  return { task: new Task(await planOf(loaded, await readScenario(loaded, options), scenario.name, options)), loaded }
}

/** Reads a scenario whose sessions are played in workers: none of its strategy files runs in this thread. */
async function readScenario(loaded: LoadedScenario, options: PoolOptions): Promise<PreparedScenario> {
  refuseUnreproducible(loaded)
  const reader = strategySource({ limits: callLimitsOf(loaded.file.strategies), ...limitOf(options), signal: signalOf(options), isTrusted: options.trusted === true, sandbox: sandboxOf(options), say: sayOf(options) })
  try {
    return await prepareScenario(loaded, sayOf(options), { importFile: reader.read })
  } finally {
    await reader.close()
  }
}

/** The plan of the scenario's section, with what the options replace. Mistakes are told by the names of the command line's options. */
async function planOf({ file, source, origin, overrides }: LoadedScenario, prepared: PreparedScenario, name: string, options: Omit<SweepOptions, keyof QueueOptions>): Promise<SweepPlan> {
  const [{ axisName }, { checkMeasured }, { readUntil }, { readExpectation }, { readMaximise }, { historyLicence }] = await Promise.all([
    import('../sweep/axisNames.ts'), import('../sweep/figures.ts'), import('../sweep/stoppingRule.ts'), import('../sweep/expectation.ts'), import('../sweep/maximise.ts'), import('../sweep/historyClusters.ts'),
  ])
  const { resolved, record } = prepared
  const { sweep: section } = file
  const kind = options.design ?? section?.design ?? 'grid'
  if (!DESIGNS.includes(kind)) throw new InputError(`expected --design ${DESIGNS.join(', ')}, got ${kind}`)
  const points = checkedCount(options.points, '--points', POINTS_MAX) ?? section?.points
  const sought = options.maximise ?? section?.maximise
  // A search that is asked for replaces the scenario's rule.
  const written = options.until ?? (options.maximise === undefined ? section?.until : undefined)
  if (sought !== undefined && written !== undefined) {
    throw new InputError('a search has its own schedule: leave out --until', { position: source.mistake(['sweep'], '').position, hint: 'expected maximise or until' })
  }
  const checked = <T extends Expectation | StoppingRule>(read: (text: string, position: InputPosition) => T, text: string, position: InputPosition): T => {
    const rule = read(text, position)
    checkMeasured(rule, { makers: resolved.makers.map((maker) => maker.name), horizonsUs: record.marks }, position)
    return rule
  }
  const until = written === undefined ? null
    : checked(readUntil, written, options.until === undefined ? source.mistake(['sweep', 'until'], '').position : { file: `--until ${written}` })
  const axes = options.axes === undefined ? section?.axes ?? [] : axesOf(options.axes)
  // The expectations of a scenario are about its own axes.
  const expected = options.axes === undefined ? section?.expect ?? [] : []
  const maximise = sought === undefined ? null
    : readMaximise(sought, resolved.makers, options.maximise === undefined ? source.mistake(['sweep', 'maximise'], '').position : { file: `--maximise ${sought}` })
  const baseline = checkedCount(options.baseline, '--baseline', POINTS_MAX)
  const makersAt = file.makers.map((_, entry) => resolved.makers[file.makers.slice(0, entry).reduce((sum, { count }) => sum + count, 0)]?.name)
  return {
    name, axisNames: Object.fromEntries(axes.map(({ path }) => [path, axisName(path, makersAt, resolved.bettors.map((cohort) => cohort.name))])), ...(baseline === undefined ? {} : { baseline }),
    label: resolved.mode, scenario: origin, set: overrides.set ?? [], seed: resolved.seed,
    design: { kind, axes, seed: resolved.seed, ...(points === undefined ? {} : { points }) },
    replications: checkedCount(options.replications, '--replications', REPLICATIONS_MAX) ?? section?.replications ?? resolved.inference.replications, until, maximise, licence: historyLicence(prepared),
    expect: expected.map((text, i) => checked(readExpectation, text, source.mistake(['sweep', 'expect', i], '').position)),
  }
}

function checkedCount(value: number | undefined, what: string, max: number): number | undefined {
  if (value === undefined) return undefined
  if (!Number.isSafeInteger(value) || value < 1) throw new InputError(`expected ${what}, 1 or more, got ${value}`)
  if (value > max) throw new InputError(`expected ${what}, at most ${max}, got ${value}`)
  return value
}

const axesOf = (axes: NonNullable<SweepOptions['axes']>): Axis[] =>
  (isList(axes) ? axes : Object.entries(axes).map(([path, values]) => `${path}=${values}`)).map((text): Axis => {
    const equals = text.indexOf('=')
    const position = { file: `--axis ${text}` }
    if (equals <= 0) throw new InputError('is no axis: expected path=values', { position, hint: AXIS_EXPECTED })
    const span = readSpan(text.slice(equals + 1))
    if ('fault' in span) throw new InputError(span.fault, { position })
    return { path: text.slice(0, equals), span }
  })

const isList = (axes: NonNullable<SweepOptions['axes']>): axes is readonly string[] => Array.isArray(axes)
