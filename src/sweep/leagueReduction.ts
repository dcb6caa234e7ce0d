import type { Format } from '../scenario/leagueSchema.ts'
import { isShort } from '../score/figureBasis.ts'
import { ratio } from '../stats/clusterInterval.ts'
import { counterUniform, type Uniform } from '../stats/counterUniform.ts'
import type { Interval } from '../stats/interval.ts'
import { crossing } from '../stats/isotonic.ts'
import { meanResult, overfitting } from '../stats/overfitting.ts'
import { ratings } from '../stats/rating.ts'
import { pairedDifference, replicatedInterval, type ReplicatedSums } from '../stats/replicatedSums.ts'
import { deflatedSharpe, sharpeOf } from '../stats/sharpe.ts'
import { heldOver } from './bookBasis.ts'
import { compareAll, type Comparisons, profitDifference, profitOf, profitsByCluster } from './comparisons.ts'
import { accountOf, type AccountSums } from './leagueAccounts.ts'
import { bandPoints, marginPoints } from './leagueBands.ts'
import type { LeaguePlay } from './leaguePlay.ts'
import type { BreakEven, HistoryPart, LeagueAccount, LeagueBand, LeagueFigures, LeaguePair, LeagueTuning } from './leagueResult.ts'
import { ADJUSTED, basisOfColumn, beside, besideColumn, ENDED, HOLD, type LeagueScores, meanOf, measureColumn, occupiedOnly, PROFIT, STAKE, VALUED } from './leagueScores.ts'

const orNull = (value: number): number | null => (Number.isFinite(value) ? value : null)

/** Makes the figures of contestants from the sessions of a league. */
export class LeagueReduction {
  readonly play: LeaguePlay
  /** Clusters in which any position ended, by part of the history, and those on which the ranking rests. */
  private readonly parts: Readonly<Record<HistoryPart, readonly number[]>>
  private readonly judged: readonly number[]
  private readonly leader: number | undefined
  private readonly live: readonly number[]
  /** Kept columns of what ranks, and of the other measure. */
  private readonly ranks: number
  private readonly ranksNot: number
  readonly comparisons: Comparisons | undefined
  readonly ratingOf: Format | null
  private readonly ratingsOf: readonly Interval[]
  /** Sharpe ratios per cluster of everything that was tried, where they are defined. */
  private readonly trials: readonly number[]

  constructor(play: LeaguePlay) {
    const { plan } = play
    this.play = play
    this.ranks = measureColumn(plan.measure)
    this.ranksNot = this.ranks === PROFIT ? ADJUSTED : PROFIT
    const { training, holdout } = plan.split
    this.parts = { all: play.active([...training, ...holdout]), training: play.active(training), holdout: play.active(holdout) }
    this.judged = play.active(plan.judged)
    this.live = play.live()
    const totals = this.live.map((contestant) => this.rankingProfit(contestant))
    this.leader = this.live[totals.indexOf(Math.max(...totals))]
    this.comparisons = compareAll(this.live.map((contestant) => this.judgedSums(contestant)), this.uniform('comparisons'), this.ranks)
    this.ratingOf = this.live.length < 2 ? null : plan.formats.includes('pairs') ? 'pairs' : plan.ranking
    this.ratingsOf = this.ratingOf === null ? [] : this.rate(this.ratingOf)
    const raced = plan.contestants.flatMap((_, i) => (play.hasResults(i) ? [i] : []))
    this.trials = raced.map((contestant) => sharpeOf(profitsByCluster([this.trainingSums(contestant)], this.ranks)).ratio).filter(Number.isFinite)
  }

  /** Average profit of a session over the ranking part, by the measure that ranks, USDC. */
  rankingProfit(contestant: number): number {
    return profitOf(this.judgedSums(contestant), this.ranks).estimate ?? 0
  }

  figures(contestant: number): LeagueFigures {
    const { plan } = this.play
    const scores = this.rankingScores(contestant)
    const judged = this.judgedSums(contestant)
    const earned = occupiedOnly(judged)
    const { delivered, quotes } = scores.requests()
    const ratioOf = (column: number, scale: number): Interval =>
      heldOver(replicatedInterval(earned, ratio(column, STAKE, scale)), basisOfColumn(column, [judged]))
    const at = this.live.indexOf(contestant)
    return {
      replications: judged.replications, delivered: orNull(delivered), quotes: orNull(quotes),
      profit: this.profitByPart(contestant, PROFIT), luckAdjusted: this.profitByPart(contestant, ADJUSTED),
      byFormat: Object.fromEntries(plan.formats.flatMap((format) => {
        const sums = this.sumsIn(format, contestant)
        return sums === undefined ? [] : [[format, profitOf(sums, this.ranks)]]
      })),
      perThousand: ratioOf(PROFIT, 1000), hold: ratioOf(HOLD, 1),
      toLeader: this.toLeader(contestant), valued: this.valued(contestant), account: this.account(contestant), rating: this.ratingsOf[at] ?? null, sharpe: this.sharpe(contestant),
      band: at < 0 ? null : this.band(contestant), breakEven: at < 0 ? null : this.breakEven(contestant),
    }
  }

  tuning(entry: number): LeagueTuning | null {
    const { plan } = this.play
    const variants = plan.contestants.flatMap((contestant, i) => (contestant.entry === entry ? [i] : []))
    if (variants.length < 2) return null
    const chosen = this.play.chosen(entry)
    const sound = variants.filter((i) => this.play.hasResults(i))
    return {
      variants: variants.map((i) => {
        const { status } = this.play.standing(i)
        const { choice } = plan.contestants[i]!
        return {
          choice, status, replications: this.rankingScores(i).replications, isChosen: i === chosen,
          training: !this.play.hasResults(i) ? null : profitOf(this.trainingSums(i), this.ranks),
        }
      }),
      overfitting: this.overfitting(sound),
    }
  }

  pairs(): LeaguePair[] {
    return this.met().map(([first, second]) => {
      const names = [this.nameOf(first), this.nameOf(second)] as const
      return {
        first: names[0], second: names[1],
        difference: this.difference(this.pairSums(first, second), this.pairSums(second, first)),
      }
    })
  }

  /** Sums over the ranking part, in the ranking format. */
  judgedSums(contestant: number): ReplicatedSums {
    return this.sumsIn(this.play.plan.ranking, contestant) ?? this.rankingScores(contestant).over(this.judged)
  }

  private trainingSums(contestant: number): ReplicatedSums {
    return this.sumsIn(this.play.plan.ranking, contestant, this.parts.training) ?? this.rankingScores(contestant).over(this.parts.training)
  }

  /** Sums in a format. For pairs they are the mean over the opponents that it met, undefined where it met nobody. */
  private sumsIn(format: Format, contestant: number, clusters: readonly number[] = this.judged): ReplicatedSums | undefined {
    if (format !== 'pairs') return this.play.isWhole({ kind: format }, contestant) ? this.play.scoresOf({ kind: format }, contestant).over(clusters) : undefined
    const met = this.opponents(contestant)
    return met.length === 0 ? undefined : meanOf(met.map((other) => this.play.scoresOf({ kind: 'pairs' }, contestant, other).over(clusters)))
  }

  private rankingScores(contestant: number): LeagueScores {
    const { ranking } = this.play.plan
    if (ranking !== 'pairs') return this.play.scoresOf({ kind: ranking }, contestant)
    const other = this.live.find((one) => one !== contestant && this.play.haveMet(contestant, one))
    return this.play.scoresOf({ kind: 'pairs' }, contestant, other)
  }

  private met(): (readonly [number, number])[] {
    if (!this.play.plan.formats.includes('pairs')) return []
    return this.live.flatMap((first, i) => this.live.slice(i + 1).filter((second) => this.play.haveMet(first, second)).map((second) => [first, second] as const))
  }

  /** Whom a contestant met in every replication. */
  private opponents(contestant: number): number[] {
    return this.met().flatMap(([first, second]) => (first === contestant ? [second] : second === contestant ? [first] : []))
  }

  private pairSums(contestant: number, other: number): ReplicatedSums {
    return this.play.scoresOf({ kind: 'pairs' }, contestant, other).over(this.judged)
  }

  private profitByPart(contestant: number, column: number): Record<HistoryPart, Interval | null> {
    const { split, ranking } = this.play.plan
    const over = (part: HistoryPart): Interval | null => {
      const clusters = this.parts[part]
      const sums = clusters.length === 0 ? undefined : this.sumsIn(ranking, contestant, clusters)
      return sums === undefined ? null : profitOf(sums, column)
    }
    const isSplit = split.holdout.length > 0
    return {
      all: over('all'), training: isSplit ? over('training') : null, holdout: over('holdout'),
    }
  }

  /** The difference to the leader, over the replications that both have. */
  private toLeader(contestant: number): LeagueFigures['toLeader'] {
    const { leader } = this
    if (leader === undefined || contestant === leader) return null
    const at = this.live.indexOf(contestant)
    const [own, others] = this.besideLeader(contestant, leader)
    const test = at < 0 ? undefined : this.comparisons?.of(at, this.live.indexOf(leader))
    const difference = this.difference(own, others)
    // Where an interval would not hold, a test would not either.
    const { p = null, adjusted = null, falseDiscovery = null } = isShort(difference) ? {} : test ?? {}
    return {
      difference, beside: this.difference(own, others, this.ranksNot), p, adjusted, falseDiscovery,
    }
  }

  /** Sums of a contestant and the leader, over the same replications. */
  private besideLeader(contestant: number, leader: number): readonly [ReplicatedSums, ReplicatedSums] {
    if (this.live.includes(contestant)) return [this.judgedSums(contestant), this.judgedSums(leader)]
    const { replications } = this.rankingScores(contestant)
    return [this.rankingScores(contestant).over(this.judged, replications), this.rankingScores(leader).over(this.judged, replications)]
  }

  /** How a contestant came to its profit. */
  private account(contestant: number): LeagueAccount {
    const { leader, play: { plan } } = this
    const isLive = this.live.includes(contestant)
    const { replications } = this.rankingScores(contestant)
    const sumsOf = (one: number): AccountSums => ({
      judged: isLive ? this.judgedSums(one) : this.rankingScores(one).over(this.judged, replications),
      told: (places) => (isLive ? this.toldSums(one, places) : this.rankingScores(one).told(places, this.judged, replications)),
    })
    return accountOf(sumsOf(contestant), plan.loaded.file.record.marks, leader === undefined || contestant === leader ? undefined : sumsOf(leader))
  }

  /** Told sums over the ranking part, in the ranking format. For pairs they are the mean over the opponents. */
  private toldSums(contestant: number, places: readonly number[]): ReplicatedSums {
    const { ranking } = this.play.plan
    const met = ranking !== 'pairs' ? [] : this.opponents(contestant)
    return met.length === 0 ? this.rankingScores(contestant).told(places, this.judged)
      : meanOf(met.map((other) => this.play.scoresOf({ kind: 'pairs' }, contestant, other).told(places, this.judged)))
  }

  private valued(contestant: number): LeagueFigures['valued'] {
    const { leader } = this
    const value = (totals: Float64Array): number => totals[VALUED]! / 1e6
    return {
      value: replicatedInterval(this.judgedSums(contestant), value),
      toLeader: leader === undefined || contestant === leader
        ? null : pairedDifference(...this.besideLeader(contestant, leader), value),
    }
  }

  private difference(first: ReplicatedSums, second: ReplicatedSums, column: number = this.ranks): Interval {
    return profitDifference(first, second, column)
  }

  private rate(format: Format): Interval[] {
    const { judged } = this
    const scores = (contestant: number, other: number): LeagueScores =>
      this.play.scoresOf({ kind: format }, contestant, ...(format === 'pairs' ? [other] : []))
    const pairs = format === 'pairs' ? this.met() : this.live.flatMap((first, i) => this.live.slice(i + 1).map((second) => [first, second] as const))
    const meetings = pairs.map(([first, second]) => {
      const [own, others] = [scores(first, second), scores(second, first)]
      return {
        first: this.live.indexOf(first), second: this.live.indexOf(second),
        firstResults: own.resultsBeside(others, judged, this.ranks), secondResults: others.resultsBeside(own, judged, this.ranks),
      }
    })
    return ratings(meetings, this.live.length, this.play.plan.league.replications, judged.length)
  }

  private sharpe(contestant: number): LeagueFigures['sharpe'] {
    const moments = sharpeOf(profitsByCluster([this.trainingSums(contestant)], this.ranks))
    return { perCluster: orNull(moments.ratio), deflated: orNull(deflatedSharpe(moments, this.trials)), trials: this.trials.length }
  }

  /** Overfitting, over the replications that all variants without a failure have. Variants are chosen by their profit. */
  private overfitting(variants: readonly number[]): LeagueTuning['overfitting'] {
    if (variants.length < 2) return null
    const replications = Math.min(...variants.map((i) => this.rankingScores(i).replications))
    const sums = variants.map((i) => this.rankingScores(i).over(this.parts.training, replications))
    const found = overfitting(profitsByCluster(sums, this.ranks), variants.length, meanResult)
    if (found === undefined) return null
    const { probability, lossProbability, blocks, combinations } = found
    return { probability, lossProbability, blocks, combinations, replications }
  }

  private band(contestant: number): LeagueBand | null {
    const { plan } = this.play
    const whole = bandPoints(plan).filter((point) => this.play.isWhole({ kind: 'band', ...point }, contestant))
    const points = whole.map(({ rivals, demand }) => {
      const sums = this.play.scoresOf({ kind: 'band', rivals, demand }, contestant).over(this.judged)
      return { rivals, demand, profit: profitOf(sums, this.ranks) }
    })
    if (points.length === 0) return null
    const estimates = points.map(({ profit }) => profit.estimate).filter((estimate) => estimate !== null)
    return { low: orNull(Math.min(...estimates)), high: orNull(Math.max(...estimates)), points }
  }

  private breakEven(contestant: number): BreakEven | null {
    const { plan } = this.play
    const margins = marginPoints(plan)
    if (margins.length === 0 || !margins.every((point) => this.play.isWhole({ kind: 'aggressiveness', ...point }, contestant))) return null
    const sums = margins.map((point) => this.play.scoresOf({ kind: 'aggressiveness', ...point }, contestant).over(this.judged))
    const places = margins.map(({ margin }) => margin)
    const found = (of: Float64Array) => crossing(places, margins.map((_, i) => of[besideColumn(i, this.ranks)]!))
    const all = beside(sums)
    const totals = totalsOf(all)
    if (margins.every((_, i) => totals[besideColumn(i, ENDED)] === 0)) return null
    return {
      rivals: margins[0]!.rivals,
      margin: heldOver(replicatedInterval(all, (of) => found(of).at), basisOfColumn(this.ranks, sums)),
      side: found(totals).side,
      points: margins.map(({ margin }, i) => ({ margin, profit: profitOf(sums[i]!, this.ranks) })),
    }
  }

  private nameOf(contestant: number): string {
    return this.play.plan.contestants[contestant]!.name
  }

  private uniform(figure: string): Uniform {
    return counterUniform(`league/${figure}`)
  }
}

/** Sums over replications and clusters. They are exact, because the cells are integers far below 2⁵³. */
function totalsOf({ width, cells }: ReplicatedSums): Float64Array {
  const totals = new Float64Array(width)
  for (let i = 0; i < cells.length; i++) totals[i % width]! += cells[i]!
  return totals
}
