import type { Format } from '../scenario/leagueSchema.ts'
import type { Interval } from '../stats/interval.ts'
import type { Crossing } from '../stats/isotonic.ts'
import type { HistoryClusters } from './historyClusters.ts'
import type { Setting } from './leagueSessions.ts'
import type { TaskFailure, TaskSpec } from './task.ts'

/** Parameters as written. */
export type Choice = Readonly<Record<string, string | number | boolean>>

/**
 * What a league says: `league.json`. Money is USDC of one session on average; intervals are 95 %, by settlement clusters; shares are
 * fractions; null stands for what is undefined or was not asked for. A function of the tasks alone.
 */
export interface LeagueResult {
  readonly version: 1
  readonly name: string
  /** Path of the scenario, what the command line laid over it, and its seed. */
  readonly scenario: string
  readonly set: readonly string[]
  readonly seed: string
  /** `replay`: history is fixed; `interactive`: agents respond. */
  readonly label: 'interactive' | 'replay'
  /** All that was profitable or not happened in one settlement cluster: intervals tell of other bettors in this history, not of another one. */
  readonly isConditional: boolean
  readonly history: LeagueHistory
  readonly replications: number
  /** Horizon of `LeagueFigures.valued`, µs. */
  readonly valuedAtUs: number
  readonly formats: readonly Format[]
  /** The format whose profits rank the entries, and the part of the history that they are ranked on. */
  readonly ranking: { readonly format: Format; readonly part: HistoryPart; readonly comparison: string | null }
  /** What the ratings count as games; null without. */
  readonly ratingOf: Format | null
  /** By rank; those that were dropped after the others, those that failed last. */
  readonly entries: readonly LeagueEntry[]
  readonly pairs: readonly LeaguePair[]
  readonly failures: readonly LeagueFailure[]
  /** Sessions that were played to their end. */
  readonly sessions: number
  /** Things that a reader should know before trusting the figures. */
  readonly remarks: readonly string[]
}

export type HistoryPart = 'all' | 'training' | 'holdout'

export interface LeagueHistory {
  readonly store: string
  readonly fromUs: number
  readonly toUs: number
  readonly coverage: HistoryClusters['coverage']
  /** What a cluster is: `inference.cluster`. */
  readonly clusterBy: string
  /** In which a market settles; and of them those in which any position ended, on which the figures rest. */
  readonly clusters: number
  readonly active: number
  readonly training: number
  readonly holdout: number
  /** Name of the first that is held out; null without. */
  readonly firstHeldOut: string | null
}

export interface LeagueEntry {
  /** From 1; null of one that failed. */
  readonly rank: number | null
  readonly name: string
  /** Strategy, as written. */
  readonly use: string
  /** Written parameters, with what was chosen by tuning. */
  readonly params: Choice
  /** `dropped`: hopeless in the race, with figures over fewer replications; `failed`: its strategy threw or did not end, or a session that ranks it failed by nobody knows whose fault; without figures. */
  readonly status: 'played' | 'dropped' | 'failed'
  readonly figures: LeagueFigures | null
  /** Of an entry that was dropped. */
  readonly dropped: { readonly after: number; readonly p: number } | null
  readonly tuning: LeagueTuning | null
}

export interface LeagueFigures {
  readonly replications: number
  /** Requests and versions that reached it and quotes that it made, in a session of the ranking format on average; null where unknown. */
  readonly delivered: number | null
  readonly quotes: number | null
  /** In the ranking format, by part of the history; null of a part that is empty. */
  readonly profit: Readonly<Record<HistoryPart, Interval | null>>
  /** By format, over the ranking part; of pairs a session's mean. */
  readonly byFormat: Readonly<Partial<Record<Format, Interval>>>
  /** Profit for each 1,000 USDC that bettors staked with it, and its hold (docs/metrics.md); ranking format and part. */
  readonly perThousand: Interval
  readonly hold: Interval
  /** Its profit less the leader's, paired; null of the leader. p-values of zero difference; null where none can be given. */
  readonly toLeader: {
    readonly difference: Interval
    readonly p: number | null
    /** For all pairs of entries: of any false difference, and of the share of false ones (Benjamini and Hochberg). */
    readonly adjusted: number | null
    readonly falseDiscovery: number | null
  } | null
  /** What its fills were worth by the reference at the longest horizon of `record.marks`, before results had their say; and the same less the leader's. Far less noise than profit. */
  readonly valued: { readonly value: Interval; readonly toLeader: Interval | null }
  /** Chess scale, mean 1500. */
  readonly rating: Interval | null
  /** Of the profits by cluster that nothing was held out of. */
  readonly sharpe: { readonly perCluster: number | null; readonly deflated: number | null; readonly trials: number }
  readonly band: LeagueBand | null
  readonly breakEven: BreakEven | null
}

/** Of a tuned entry: what was tried, and whether the choice is to be trusted. */
export interface LeagueTuning {
  readonly variants: readonly {
    readonly choice: Choice
    readonly status: LeagueEntry['status']
    readonly replications: number
    /** Over the training part in the ranking format; null of one that failed. */
    readonly training: Interval | null
    readonly isChosen: boolean
  }[]
  /** Probability of backtest overfitting over the training part; null where it is undefined. */
  readonly overfitting: { readonly probability: number; readonly lossProbability: number; readonly blocks: number; readonly combinations: number; readonly replications: number } | null
}

/** Profit over numbers of rivals and shares of demand, which history never shows. */
export interface LeagueBand {
  /** Least and greatest estimate. */
  readonly low: number | null
  readonly high: number | null
  readonly points: readonly { readonly rivals: number; readonly demand: number; readonly profit: Interval }[]
}

/** The margin of its rivals at which an entry's profit crosses zero: below it, it loses. Not of one that nothing ended for. */
export interface BreakEven {
  readonly rivals: number
  /** A fraction; at the end of the grid where the crossing lies beyond it. */
  readonly margin: Interval
  readonly side: Crossing['side']
  readonly points: readonly { readonly margin: number; readonly profit: Interval }[]
}

/** Two head to head, over the ranking part: profits in the same sessions. */
export interface LeaguePair {
  readonly first: string
  readonly second: string
  /** The first's profit less the second's. */
  readonly difference: Interval
}

/** A session that has no result, as it can be played again. */
export interface LeagueFailure {
  readonly entries: readonly string[]
  readonly choice: Choice
  readonly setting: Setting
  readonly kind: TaskFailure['kind']
  /** The participant whose strategy threw, did not end or ended its worker; null where it is not known. */
  readonly who: string | null
  readonly message: string
  readonly task: TaskSpec
}
