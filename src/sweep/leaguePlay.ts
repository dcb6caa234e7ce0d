import { pathOf } from '../scenario/load.ts'
import { counterUniform } from '../stats/counterUniform.ts'
import { assert } from '../unit/assert.ts'
import { InputError } from '../unit/inputError.ts'
import { bandPoints, bandReplications, marginPoints } from './leagueBands.ts'
import { accountColumns } from './leagueAccounts.ts'
import { LeagueScores, measureColumn, sessionSums } from './leagueScores.ts'
import type { LeagueFailure } from './leagueResult.ts'
import type { LeaguePlan } from './leaguePlan.ts'
import type { LeagueSession, Setting } from './leagueSessions.ts'
import { hopeless, raceLooks } from './racing.ts'
import type { TaskFailure, TaskPool, TaskResult } from './task.ts'

export interface LeaguePlayOptions {
  /** Called for each session with a result, in an order that depends on the tasks alone. */
  readonly onResult?: (session: LeagueSession, result: TaskResult) => void
}

/** The status of a contestant. */
export type Standing = { readonly status: 'played' } | { readonly status: 'dropped'; readonly after: number; readonly p: number } | { readonly status: 'failed' | 'unmet' }

const PLAYED: Standing = { status: 'played' }

/** Plays the sessions of a league and keeps their scores. Everything is decided in the order of the sessions, whatever finished first. */
export class LeaguePlay {
  readonly plan: LeaguePlan
  readonly failures: LeagueFailure[] = []
  /** Sessions with a result. */
  sessions = 0
  private readonly pool: TaskPool
  private readonly options: LeaguePlayOptions
  private readonly standings: Standing[]
  private readonly scores = new Map<string, { readonly of: readonly (number | undefined)[]; readonly scores: LeagueScores }>()
  private readonly failedPairs = new Set<string>()
  /** Settings of contestants in which a session failed and the fault is not known. */
  private readonly lost = new Set<string>()
  /** The chosen variant by entry, once the race is over. */
  private choices: readonly (number | undefined)[] = []
  private readonly clusters: ReadonlyMap<string, number>
  private readonly told: readonly string[]

  constructor(plan: LeaguePlan, pool: TaskPool, options: LeaguePlayOptions = {}) {
    this.plan = plan
    this.pool = pool
    this.options = options
    this.standings = plan.contestants.map(() => PLAYED)
    this.clusters = new Map(plan.history.names.map((name, cluster) => [name, cluster]))
    this.told = accountColumns(plan.loaded.file.record.marks)
  }

  /** Plays everything. Throws what the pool throws, and InputError where a maker or bettor of the scenario itself fails. */
  async play(): Promise<void> {
    await this.race()
    this.choices = this.plan.league.entries.map((_, entry) => this.best(entry))
    await this.playAll(this.pairSessions())
    if (this.plan.ranking === 'pairs') this.forgetUnmet()
    await this.playAll(this.bandSessions())
  }

  standing(contestant: number): Standing {
    return this.standings[contestant]!
  }

  /** Whether a contestant has results. */
  hasResults(contestant: number): boolean {
    const { status } = this.standings[contestant]!
    return status === 'played' || status === 'dropped'
  }

  /** The scores of a contestant in a setting, for pairs against `other`. */
  scoresOf(setting: Setting, contestant: number, other?: number): LeagueScores {
    const key = keyOf(setting, contestant, other)
    const known = this.scores.get(key) ?? { of: [contestant, other], scores: new LeagueScores(this.clusters.size) }
    this.scores.set(key, known)
    return known.scores
  }

  /** Whether no session of a contestant in a setting was lost. */
  isWhole(setting: Setting, contestant: number): boolean {
    return !this.lost.has(keyOf(setting, contestant, undefined))
  }

  /** The clusters in which a position of any maker ended. A maker without a position in such a cluster chose to have none. */
  active(clusters: readonly number[]): number[] {
    const all = [...this.scores.values()]
    return clusters.filter((cluster) => all.some(({ scores }) => scores.has(cluster)))
  }

  /** Whether two contestants met in every replication. */
  haveMet(first: number, second: number): boolean {
    return this.scoresOf({ kind: 'pairs' }, first, second).replications === this.plan.league.replications && !this.failedPairs.has(pairKey(first, second))
  }

  /** The variant that represents an entry after the race. Undefined where all of its variants failed. */
  chosen(entry: number): number | undefined {
    return this.choices[entry]
  }

  /** The variant with the greatest profit, by the plan's measure, over the training part, among those that still play or else among the dropped ones. */
  private best(entry: number): number | undefined {
    const variants = this.plan.contestants.flatMap((contestant, i) => (contestant.entry === entry ? [i] : []))
    for (const status of ['played', 'dropped'] as const) {
      const left = variants.filter((i) => this.standings[i]!.status === status)
      // Nothing is to be chosen, and a shard of a league may have no results to choose by.
      if (left.length === 1) return left[0]
      const profits = left.map((i) => this.trainingProfit(i))
      if (left.length > 0) return left[profits.indexOf(Math.max(...profits))]
    }
    return undefined
  }

  /** The chosen variants that still play, in the order of the entries. */
  live(): number[] {
    return this.choices.filter((chosen) => chosen !== undefined).filter((chosen) => this.standings[chosen]!.status === 'played')
  }

  private trainingProfit(contestant: number): number {
    const { ranking, split, measure } = this.plan
    if (ranking === 'pairs') return 0
    const scores = this.scoresOf({ kind: ranking }, contestant)
    const { cells, width } = scores.over(split.training)
    return cells.reduce((sum, cell, i) => (i % width === measureColumn(measure) ? sum + cell : sum), 0) / scores.replications
  }

  /** Plays all variants of all entries alone and in the field, and drops hopeless ones on the way. */
  private async race(): Promise<void> {
    const { league: { replications, racing }, formats, ranking, sessions, split, measure } = this.plan
    const kinds = formats.filter((format) => format !== 'pairs')
    if (kinds.length === 0) return
    let from = 0
    for (const look of raceLooks(replications, racing?.after)) {
      const block: LeagueSession[] = []
      for (let r = from + 1; r <= look; r++) {
        for (const kind of kinds) for (const contestant of this.racers()) block.push(kind === 'alone' ? sessions.alone(contestant, r) : sessions.field(contestant, r))
      }
      await this.playAll(block)
      from = look
      if (racing === undefined || look < racing.after || look === replications) continue
      const racers = this.racers()
      const training = this.active(split.training)
      const sums = racers.map((contestant) => this.scoresOf({ kind: ranking }, contestant).over(training))
      for (const { racer, p } of hopeless(sums, racing.level, counterUniform(`league/race/${look}`), measureColumn(measure))) {
        this.standings[racers[racer]!] = { status: 'dropped', after: look, p }
      }
    }
  }

  private racers(): number[] {
    return this.standings.flatMap(({ status }, i) => (status === 'played' ? [i] : []))
  }

  private pairSessions(): LeagueSession[] {
    const { formats, sessions, league: { replications } } = this.plan
    if (!formats.includes('pairs')) return []
    const live = this.live()
    const pairs = live.flatMap((first, i) => live.slice(i + 1).map((second) => [first, second] as const))
    return range(replications).flatMap((r) => pairs.map(([first, second]) => sessions.pair(first, second, r + 1)))
  }

  private bandSessions(): LeagueSession[] {
    const { plan, plan: { sessions } } = this
    const live = this.live()
    return range(bandReplications(plan)).flatMap((r) => [
      ...bandPoints(plan).flatMap(({ rivals, demand }) => live.map((contestant) => sessions.band(contestant, rivals, demand, r + 1))),
      ...marginPoints(plan).flatMap(({ rivals, margin }) => live.map((contestant) => sessions.against(contestant, rivals, margin, r + 1))),
    ])
  }

  /** After a session that did not end, the play goes on without that contestant or meeting, because each further session could take as long. */
  private async playAll(sessions: readonly LeagueSession[]): Promise<void> {
    let rest = sessions
    while (rest.length > 0) rest = (await this.playBlock(rest)).filter((session) => !this.isLost(session))
  }

  private isLost({ setting, contestants }: LeagueSession): boolean {
    const [first, second] = contestants
    return contestants.some((contestant) => !this.hasResults(contestant))
      || (setting.kind === 'pairs' ? this.failedPairs.has(pairKey(first!, second!)) : !this.isWhole(setting, first!))
  }

  /** Plays up to a session that does not end. Returns the sessions after it. */
  private async playBlock(sessions: readonly LeagueSession[]): Promise<readonly LeagueSession[]> {
    let at = 0
    for await (const outcome of this.pool.play(sessions.map(({ spec }) => spec))) {
      const session = sessions[at++]!
      // A contestant that failed earlier has no results any more.
      if (session.contestants.some((contestant) => !this.hasResults(contestant))) {
        if ('missing' in outcome) this.pool.forgo?.(outcome.missing)
        continue
      }
      // Others play it, and nobody looks at it here.
      if ('missing' in outcome) continue
      if ('result' in outcome) {
        this.keep(session, outcome.result)
        continue
      }
      this.fail(session, outcome.failure)
      if (outcome.failure.kind === 'endless') return sessions.slice(at)
    }
    assert(at === sessions.length, 'an outcome for each session')
    return []
  }

  private keep(session: LeagueSession, result: TaskResult): void {
    const { setting, contestants, replication } = session
    this.sessions++
    for (const [i, contestant] of contestants.entries()) {
      const scores = this.scoresOf(setting, contestant, contestants[1 - i])
      // A pair with a failed session goes on without being counted.
      if (scores.replications < replication - 1) continue
      scores.add(replication, sessionSums(result.scores, this.plan.contestants[contestant]!.name, this.clusters, this.told))
    }
    this.options.onResult?.(session, result)
  }

  /**
   * A failure counts against the contestant that is named, or that was alone with bettors. Where nobody is named, the setting (for a pair
   * their meeting) is lost. Throws InputError where a maker or bettor of the scenario is named, because no contestant can be judged beside it.
   */
  private fail({ setting, contestants, spec }: LeagueSession, { kind, who, message }: TaskFailure): void {
    const { plan } = this
    const named = contestants.filter((contestant) => plan.contestants[contestant]!.name === who)
    if (who !== null && named.length === 0) {
      throw new InputError(`${who} failed, which is part of the scenario and no entry: ${message.split('\n', 1)[0]}`, {
        position: { file: pathOf(spec.scenario) }, hint: `fix ${who}, or leave it out of the league: what is finished is kept`,
      })
    }
    const guilty = setting.kind === 'alone' && kind !== 'bug' ? contestants : named
    const [only] = guilty
    this.failures.push({
      entries: (guilty.length === 0 ? contestants : guilty).map((contestant) => plan.contestants[contestant]!.name),
      choice: contestants.length === 1 || only !== undefined ? plan.contestants[only ?? contestants[0]!]!.choice : {}, setting, kind, who, message, task: { ...spec, scenario: pathOf(spec.scenario) },
    })
    if (only === undefined) this.lose(setting, contestants)
    else this.forget(only)
  }

  /** No fault is known. A contestant that cannot be ranked is out all the same. */
  private lose(setting: Setting, contestants: readonly number[]): void {
    const [first, second] = contestants
    if (second !== undefined) this.failedPairs.add(pairKey(first!, second))
    else if (setting.kind === this.plan.ranking) this.forget(first!)
    else this.lost.add(keyOf(setting, first!, undefined))
  }

  /** Where meetings alone rank, an entry without a finished meeting cannot be judged. One whose meetings failed, and by whose fault is not known, has failed. */
  private forgetUnmet(): void {
    const live = this.live()
    const unmet = live.filter((one) => !live.some((other) => other !== one && this.haveMet(one, other)))
    const suspects = new Set(unmet.filter((one) => live.some((other) => this.failedPairs.has(pairKey(one, other)))))
    for (const contestant of unmet) this.forget(contestant, suspects.has(contestant) ? 'failed' : 'unmet')
  }

  /** A contestant that failed, or cannot be judged, has no results, and those of others do not show it. */
  private forget(contestant: number, status: 'failed' | 'unmet' = 'failed'): void {
    this.standings[contestant] = { status }
    for (const [key, { of }] of this.scores) if (of.includes(contestant)) this.scores.delete(key)
  }
}

const pairKey = (first: number, second: number): string => `${Math.min(first, second)} ${Math.max(first, second)}`

const keyOf = ({ kind, rivals, demand, margin }: Setting, contestant: number, other: number | undefined): string =>
  [kind, rivals ?? '', demand ?? '', margin ?? '', contestant, other ?? ''].join(' ')

const range = (length: number): number[] => Array.from({ length }, (_, i) => i)
