import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeWholeJson } from '../arrow/wholeFile.ts'
import { type Licence, type Measure, measureOf } from '../score/licence.ts'
import type { Scores } from '../score/scores.ts'
import type { Interval } from '../stats/interval.ts'
import type { ScenarioOrigin } from '../scenario/load.ts'
import type { DesignKind } from '../scenario/sweepSchema.ts'
import { assert } from '../unit/assert.ts'
import { InputError } from '../unit/inputError.ts'
import { differencesTo } from './baseline.ts'
import { bestOfPoints, type SweepBest } from './bestOfPoints.ts'
import { type Design, pointsOf, type Settings } from './design.ts'
import { type Expectation, type ExpectationOutcome, meet } from './expectation.ts'
import { columnPlaces, columnsOf, figuresOf, keyText, makersIn, pooledInterval, SESSION_FIGURES, sessionInterval } from './figures.ts'
import { betterOnes, type Maximise, profitOfSession, rungsOf, sessionsOfSearch } from './maximise.ts'
import { PointProfits } from './pointProfits.ts'
import { type Session, SweepTable } from './sweepTable.ts'
import { seedOf, type TaskFailure, type TaskPool, type TaskSpec } from './task.ts'
import { isEnough, lookTimes, type StoppingRule } from './stoppingRule.ts'
import { type SearchRound, type SweepSearch, winnerOf } from './winner.ts'

/** What a sweep plays. */
export interface SweepPlan {
  readonly name: string
  readonly label: 'replay' | 'interactive'
  /** The scenario, and settings that all points have. */
  readonly scenario: ScenarioOrigin
  readonly set: readonly string[]
  readonly seed: string
  readonly design: Design
  /** The most replications of each point. */
  readonly replications: number
  readonly until: StoppingRule | null
  /** What successive halving looks for the most of; null: every point is played alike. Not together with `until`. */
  readonly maximise: Maximise | null
  /** How far closing prices are calibrated on the scenario's history. */
  readonly licence: Licence
  readonly expect: readonly Expectation[]
  /** What axes are called, by path. An axis without a name is called by its path. */
  readonly axisNames?: Readonly<Record<string, string>>
  /** The point that others are compared with, counted from 1. The first unless given. */
  readonly baseline?: number
}

/** The contents of `sweep.json`. Nothing in it depends on how, when or where the sweep was played. */
export interface SweepReport {
  readonly version: 2
  readonly name: string
  readonly label: SweepPlan['label']
  readonly seed: string
  /** Axes by path, and what they are called. Names are absent in a result of an older version. */
  readonly design: { readonly kind: DesignKind; readonly axes: readonly string[]; readonly names?: Readonly<Record<string, string>> }
  readonly replications: number
  readonly until: string | null
  /** How far closing prices are calibrated on the history of the scenario as written, and what best points are told by. */
  readonly licence: Licence
  readonly measure: Measure
  /** Number of the point that `toBaseline` of others is by. Absent for one point, for a search, and in a result of an older version. */
  readonly baseline?: number
  /** By maker. Empty for one point, and for a search. */
  readonly best: readonly SweepBest[]
  /** What `maximise` found, null without it. */
  readonly search: SweepSearch | null
  /** Present where all sessions of each point are the same: a sentence that says so. */
  readonly repeats?: string
  readonly expectations: readonly ExpectationOutcome[]
  readonly points: readonly SweepPoint[]
  /** Null when no session has a result. */
  readonly tables: { readonly sweep: { readonly file: string; readonly rows: number; readonly sha256: string } | null }
}

export interface SweepPoint {
  /** Number of the point, from 1. */
  readonly point: number
  /** The values of the point, by axis. */
  readonly settings: Readonly<Record<string, string>>
  /** Sessions that were asked for. Failed sessions count in no figure, and neither do those that judge the winner of a search. */
  readonly replications: number
  /** Whether the interval became as narrow as wanted, null without a rule. */
  readonly narrow: boolean | null
  readonly makers: readonly SweepMaker[]
  readonly failures: readonly SweepFailure[]
}

/** Figures of a maker by name, of one replication on average, each with its 95 % interval. */
export interface SweepMaker {
  readonly service: string
  readonly maker: string
  readonly figures: Readonly<Record<string, Interval>>
  /** Its profit by `measure` less that at the baseline, paired by cluster, or by replication where there is one cluster. Absent at the baseline, and without one. */
  readonly toBaseline?: Interval
}

export interface SweepFailure extends Pick<TaskFailure, 'kind' | 'who' | 'message'> {
  readonly replication: number
  readonly seed: string
}

/** Points whose makers have their differences to the baseline. */
function comparedWith(baseline: number, points: readonly SweepPoint[], profits: PointProfits): SweepPoint[] {
  const differences = differencesTo(baseline - 1, profits)
  return points.map(({ makers, ...point }) => ({
    ...point, makers: makers.map((maker): SweepMaker => {
      const toBaseline = differences.get(keyText(maker))?.get(point.point - 1)
      return toBaseline === undefined ? maker : { ...maker, toBaseline }
    }),
  }))
}

export const SWEEP_NAME = 'sweep.json'
const TABLE_NAME = 'sweep.arrow'

const REPEATS = 'sessions cannot vary: all replications of a point are the same session, as where the scenario gives all seeds; they say nothing about other bettors, and new ones judge nothing anew'

/** Whether replications repeat each other, by the digests of each point's sessions. */
function areRepeats(digests: readonly (readonly string[])[]): boolean {
  const several = digests.filter((own) => own.length > 1)
  return several.length > 0 && several.every((own) => new Set(own).size === 1)
}

/** The most points that are checked before the first is played. Mistakes of other points are found when they are reached. */
const CHECKED_MAX = 256

/** How far the play of a point has come. */
interface Extent {
  readonly settings: Settings
  replications: number
  /** Replications after those, which judge the winner of a search. */
  fresh: number
  narrow: boolean | null
  /** A session did not end, and each further one could take the whole time limit. */
  isEndless: boolean
}

/** A session to be played. Points count from 0. */
interface Cell {
  readonly point: number
  readonly replication: number
}

/** A sweep: points of a design, each with the same replications. */
export class Sweep {
  readonly plan: SweepPlan
  readonly extents: readonly Extent[]
  private readonly failed = new Map<string, SweepFailure>()
  /** By point, what is maximised, over its replications so far, microUSDC. */
  private readonly totals = new Map<number, number>()
  private readonly rounds: SearchRound[] = []
  private readonly measure: Measure

  /** Throws InputError where the axes do not make a design, or make too few points to search. */
  constructor(plan: SweepPlan) {
    this.plan = plan
    this.measure = measureOf(plan.licence)
    this.extents = pointsOf(plan.design).map((settings) => ({ settings, replications: 0, fresh: 0, narrow: plan.until === null ? null : false, isEndless: false }))
    const { baseline } = plan
    if (baseline !== undefined && baseline > this.extents.length) throw new InputError(`there is no point ${baseline} to compare with`, { hint: `the design has ${this.extents.length}` })
    if (plan.maximise !== null && this.extents.length < 2) throw new InputError('a search needs two points or more', { hint: 'expected axes, such as --axis makers.0.params.margin=2%..8%:7' })
  }

  /** Whether results decide what is played next. */
  get hasRounds(): boolean {
    return this.plan.until !== null || this.plan.maximise !== null
  }

  /** The most sessions that the sweep can take. */
  get sessionsMax(): number {
    const { maximise, replications } = this.plan
    return maximise === null ? this.extents.length * replications : sessionsOfSearch(this.extents.length, replications)
  }

  /** Points to check before any is played: the first points, and those that differ from the first in one axis. */
  get pointsToCheck(): Pick<TaskSpec, 'scenario' | 'set'>[] {
    const first = this.extents[0]!.settings
    return [...this.extents.keys()].filter((point) => point < CHECKED_MAX || this.extents[point]!.settings.filter((value, i) => value !== first[i]).length === 1)
      .map((point) => this.taskOf(point, 1))
  }

  /** Plays the sessions whose results are not kept. Throws as the pool does. */
  async play(pool: TaskPool): Promise<void> {
    const { until, replications, maximise } = this.plan
    if (maximise !== null) return this.search(pool)
    const sessions = this.extents.map((): Scores[][] => [])
    for (const look of lookTimes(until, replications)) {
      const open = [...this.extents.keys()].filter((point) => this.isOpen(point))
      let cells = open.flatMap((point) => replicationsBetween(this.extents[point]!.replications, look).map((replication): Cell => ({ point, replication })))
      // After a session that did not end, the play is broken off and goes on without its point.
      while (cells.length > 0) cells = (await this.playCells(pool, cells, sessions)).filter(({ point }) => this.isOpen(point))
      if (until !== null) for (const point of open) this.extents[point]!.narrow = isEnough(until, sessions[point]!)
    }
  }

  /** Plays rounds of successive halving, and then the winner again. A point with a session that failed goes no further. */
  private async search(pool: TaskPool): Promise<void> {
    const { replications } = this.plan
    let left = [...this.extents.keys()]
    const rungs = rungsOf(left.length, replications)
    for (const [round, { replications: look }] of rungs.entries()) {
      await this.playAlike(pool, left, look)
      const sound = left.filter((point) => this.isSound(point))
      const kept = betterOnes(sound, this.totals, round === rungs.length - 1 ? 1 : Math.ceil(sound.length / 2))
      this.rounds.push({ replications: look, points: left.length, kept: kept.map((point) => point + 1) })
      left = kept.toSorted((a, b) => a - b)
    }
    const [winner] = left
    if (winner === undefined) return
    const extent = this.extents[winner]!
    const chosenBy = extent.replications
    await this.playAlike(pool, left, chosenBy + replications)
    extent.fresh = extent.replications - chosenBy
    extent.replications = chosenBy
  }

  /** Plays points up to a number of replications. */
  private async playAlike(pool: TaskPool, points: readonly number[], look: number): Promise<void> {
    let cells = points.flatMap((point) => replicationsBetween(this.extents[point]!.replications, look).map((replication): Cell => ({ point, replication })))
    while (cells.length > 0) cells = (await this.playCells(pool, cells, [])).filter(({ point }) => this.isOpen(point))
  }

  private isSound(point: number): boolean {
    const { replications, isEndless } = this.extents[point]!
    return !isEndless && replicationsBetween(0, replications).every((replication) => !this.failed.has(keyOf(point, replication)))
  }

  private isOpen(point: number): boolean {
    const { narrow, isEndless } = this.extents[point]!
    return narrow !== true && !isEndless
  }

  /** Plays up to a session that does not end. Returns the sessions after it. */
  private async playCells(pool: TaskPool, cells: readonly Cell[], sessions: readonly Scores[][][]): Promise<Cell[]> {
    const { until, maximise } = this.plan
    let at = 0
    for await (const outcome of pool.play(cells.map((cell) => this.taskOf(cell.point, cell.replication)))) {
      const { point, replication } = cells[at++]!
      const extent = this.extents[point]!
      extent.replications = replication
      // Others play it, and nobody looks at it here.
      if ('missing' in outcome) continue
      if ('result' in outcome) {
        if (maximise !== null) this.totals.set(point, (this.totals.get(point) ?? 0) + profitOfSession(maximise, outcome.result.scores))
        if (until !== null) sessions[point]!.push(outcome.result.scores.map((scores) => onlyColumns(scores, columnsOf(until.figure))))
        continue
      }
      this.fail(point, replication, outcome.failure)
      extent.isEndless = outcome.failure.kind === 'endless'
      if (extent.isEndless) break
    }
    return cells.slice(at)
  }

  /** Reads the kept tasks again, in the order of points and replications, and writes the sweep's files into a folder, `sweep.json` last. */
  async write(pool: TaskPool, dir: string): Promise<SweepReport> {
    const { plan, measure } = this
    const { axes, kind } = plan.design
    const profits = new PointProfits(plan.maximise?.measure ?? measure)
    const first = plan.maximise === null ? Infinity : rungsOf(this.extents.length, plan.replications)[0]!.replications
    let fresh: { readonly point: number; readonly sessions: readonly Session[] } | undefined
    const table = new SweepTable(join(dir, TABLE_NAME), plan)
    const points: SweepPoint[] = []
    const ends: Session[][] = []
    const digests: string[][] = []
    try {
      for await (const { point, sessions } of this.sessionsByPoint(pool)) {
        digests.push(sessions.map(({ result }) => result.digest))
        for (const session of sessions) table.add(point, this.extents[point]!.settings, session)
        const { replications, fresh: judging } = this.extents[point]!
        const played = sessions.filter(({ replication }) => replication <= replications)
        if (judging > 0) fresh = { point, sessions: sessions.slice(played.length) }
        profits.add(point, played.filter(({ replication }) => replication <= first))
        points.push(this.pointOf(point, played.map(({ result }) => result.scores)))
        if (point === 0 || point === this.extents.length - 1) ends.push(played)
      }
      table.finish()
    } catch (error) {
      table.abort()
      throw error
    }
    const { axisNames: names = {}, baseline = 1 } = plan
    const isCompared = plan.maximise === null && points.length > 1
    const report: SweepReport = {
      version: 2, name: plan.name, label: plan.label, seed: plan.seed, design: { kind, axes: axes.map(({ path }) => path), names },
      replications: plan.replications, until: plan.until?.text ?? null, licence: plan.licence, measure, ...(isCompared ? { baseline } : {}),
      best: plan.maximise === null ? bestOfPoints(profits, measure, (point) => this.settingsOf(point), names) : [], search: this.searchOf(fresh, profits),
      ...(areRepeats(digests) ? { repeats: REPEATS } : {}),
      expectations: plan.expect.map((expectation) => meet(expectation, pairedScores(ends[0]!, ends.at(-1)!), pairedScores(ends.at(-1)!, ends[0]!))),
      points: isCompared ? comparedWith(baseline, points, profits) : points,
      tables: { sweep: table.rows === 0 ? null : { file: TABLE_NAME, rows: table.rows, sha256: createHash('sha256').update(readFileSync(table.path)).digest('hex') } },
    }
    writeWholeJson(join(dir, SWEEP_NAME), report)
    return report
  }

  /** The sessions of one point after another, so that memory holds one point at a time. */
  private async * sessionsByPoint(pool: TaskPool): AsyncGenerator<{ readonly point: number; readonly sessions: Session[] }> {
    const all = [...this.extents.keys()].flatMap((point) => replicationsBetween(0, this.extents[point]!.replications + this.extents[point]!.fresh)
      .filter((replication) => !this.failed.has(keyOf(point, replication))).map((replication): Cell => ({ point, replication })))
    const outcomes = pool.play(all.map(({ point, replication }) => this.taskOf(point, replication)))
    try {
      let at = 0
      for (const point of this.extents.keys()) {
        const sessions: Session[] = []
        for (; all[at]?.point === point; at++) {
          const { value: outcome } = await outcomes.next()
          const { replication } = all[at]!
          assert(!('missing' in outcome), 'a sweep is written where its sessions are')
          if ('failure' in outcome) this.fail(point, replication, outcome.failure)
          else sessions.push({ replication, seed: outcome.spec.seed, result: outcome.result })
        }
        yield { point, sessions }
      }
    } finally {
      await outcomes.return(undefined)
    }
  }

  private taskOf(point: number, replication: number): TaskSpec {
    const { scenario, set, seed, design } = this.plan
    const { settings } = this.extents[point]!
    return { scenario, set: [...set, ...design.axes.map(({ path }, i) => `${path}=${settings[i]!}`)], seed: seedOf(seed, replication) }
  }

  private fail(point: number, replication: number, { kind, who, message }: TaskFailure): void {
    const [line] = message.split('\n', 1)
    this.failed.set(keyOf(point, replication), { replication, seed: seedOf(this.plan.seed, replication), kind, who, message: line! })
  }

  private searchOf(fresh: { readonly point: number; readonly sessions: readonly Session[] } | undefined, profits: PointProfits): SweepSearch | null {
    const { maximise } = this.plan
    if (maximise === null) return null
    const { text, measure, service, maker } = maximise
    const points = this.extents.length
    return {
      text, measure, service, maker, points, rounds: this.rounds,
      winner: fresh === undefined ? null : winnerOf(maximise, { ...fresh, settings: this.settingsOf(fresh.point), names: this.plan.axisNames ?? {} }, profits, points),
    }
  }

  private settingsOf(point: number): Readonly<Record<string, string>> {
    return Object.fromEntries(this.plan.design.axes.map(({ path }, i) => [path, this.extents[point]!.settings[i]!]))
  }

  private pointOf(point: number, sessions: readonly (readonly Scores[])[]): SweepPoint {
    const { replications, fresh, narrow } = this.extents[point]!
    const columns = sessions[0]?.[0]?.columns ?? []
    const failures = replicationsBetween(0, replications + fresh).flatMap((replication) => this.failed.get(keyOf(point, replication)) ?? [])
    return {
      point: point + 1, settings: this.settingsOf(point), replications, narrow,
      makers: makersIn(sessions).map((key): SweepMaker => ({
        ...key,
        figures: Object.fromEntries([
          ...figuresOf(columns).map((figure) => [figure.name, pooledInterval(sessions, key, figure)] as const),
          ...SESSION_FIGURES.map((figure) => [figure.name, sessionInterval(sessions, key, figure)] as const),
        ]),
      })),
      failures,
    }
  }
}

const keyOf = (point: number, replication: number): string => `${point} ${replication}`

/** Scores of the sessions whose replication the other point has too. */
const pairedScores = (sessions: readonly Session[], others: readonly Session[]): (readonly Scores[])[] =>
  sessions.filter(({ replication }) => others.some((other) => other.replication === replication)).map(({ result }) => result.scores)

/** Replications after the first `done` up to `last`. */
const replicationsBetween = (done: number, last: number): number[] => Array.from({ length: last - done }, (_, i) => done + i + 1)

/** Scores with some of their columns and no figures, because a stopping rule keeps those of thousands of sessions. */
function onlyColumns(scores: Scores, names: readonly string[]): Scores {
  const { columns, sums } = scores
  const from = columnPlaces(columns, names)
  const kept = new Float64Array((sums.length / columns.length) * names.length)
  for (let i = 0; i < kept.length; i++) kept[i] = sums[Math.floor(i / names.length) * columns.length + from[i % names.length]!]!
  return { ...scores, columns: names, sums: kept, figures: [], values: new Float64Array() }
}
