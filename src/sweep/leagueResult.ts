import type { Format } from '../scenario/leagueSchema.ts'
import type { TERMS } from '../score/attribution.ts'
import type { Licence, Measure } from '../score/licence.ts'
import type { Interval } from '../stats/interval.ts'
import type { Crossing } from '../stats/isotonic.ts'
import type { HistoryClusters } from './historyClusters.ts'
import type { Setting } from './leagueSessions.ts'
import type { TaskFailure, TaskSpec } from './task.ts'

/** Parameters as written. */
export type Choice = Readonly<Record<string, string | number | boolean>>

/**
 * The result of a league: `league.json`. Money is USDC of one session on average, intervals are 95 % by settlement clusters, and shares
 * are fractions. Null stands for what is undefined or was not asked for. Profit without another word is by `ranking.measure`: cash, or cash
 * less luck. The result is a function of the tasks alone.
 */
export interface LeagueResult {
  readonly version: 2
  readonly name: string
  /** Path of the scenario, settings of the command line, and the seed. */
  readonly scenario: string
  readonly set: readonly string[]
  readonly seed: string
  /** `replay`: history is fixed and nothing responds. `interactive`: agents respond to each other. */
  readonly label: 'interactive' | 'replay'
  /** All profit and loss was in one settlement cluster, so that intervals are about other bettors in this history, not about another history. */
  readonly isConditional: boolean
  readonly history: LeagueHistory
  /** How far closing prices are calibrated on this history, holdout included. */
  readonly licence: Licence
  readonly replications: number
  /** Horizon of `LeagueFigures.valued`, µs. */
  readonly valuedAtUs: number
  readonly formats: readonly Format[]
  /** What ranks the entries: the measure, the format whose profits count, and the part of the history. */
  readonly ranking: { readonly measure: Measure; readonly format: Format; readonly part: HistoryPart; readonly comparison: string | null }
  /** The format whose meetings the ratings count as games, null without ratings. */
  readonly ratingOf: Format | null
  /** By rank. Dropped entries come after the others, those without figures last. */
  readonly entries: readonly LeagueEntry[]
  readonly pairs: readonly LeaguePair[]
  readonly failures: readonly LeagueFailure[]
  /** Sessions that were played to their end. */
  readonly sessions: number
  /** What a reader should know before trusting the figures. */
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
  /** Clusters in which a market settles, and those among them in which any position ended. The figures rest on the latter. */
  readonly clusters: number
  readonly active: number
  readonly training: number
  readonly holdout: number
  /** Name of the first cluster that is held out, null without any. */
  readonly firstHeldOut: string | null
}

export interface LeagueEntry {
  /** The rank from 1, null for an entry without figures. */
  readonly rank: number | null
  readonly name: string
  /** Strategy, as written. */
  readonly use: string
  /** The written parameters and those that tuning chose. */
  readonly params: Choice
  /**
 * `dropped`: hopeless in the race, with figures over fewer replications. `failed`, without figures: its strategy threw or did not end,
 * or a session that ranks it failed and the fault is not known. `unmet`, without figures: meetings alone rank, and all whom it was to meet
 * failed or were unmet.
 */
  readonly status: 'played' | 'dropped' | 'failed' | 'unmet'
  readonly figures: LeagueFigures | null
  /** When a dropped entry was dropped, and at which p-value. */
  readonly dropped: { readonly after: number; readonly p: number } | null
  readonly tuning: LeagueTuning | null
}

export interface LeagueFigures {
  readonly replications: number
  /** Requests and versions that reached it, and quotes that it made, in an average session of the ranking format. Null where unknown. */
  readonly delivered: number | null
  readonly quotes: number | null
  /** Cash in the ranking format, by part of the history, and the same less luck. Null for an empty part. */
  readonly profit: Readonly<Record<HistoryPart, Interval | null>>
  readonly luckAdjusted: Readonly<Record<HistoryPart, Interval | null>>
  /** By format, over the ranking part. For pairs it is the mean of a session. */
  readonly byFormat: Readonly<Partial<Record<Format, Interval>>>
  /** Cash profit for each 1,000 USDC that bettors staked with it, and its hold (docs/metrics.md), in the ranking format and part. */
  readonly perThousand: Interval
  readonly hold: Interval
  /**
   * Its profit minus the leader's, paired, and the same by the measure that does not rank. Null for the leader. p-values are of zero
   * difference by the measure that ranks, null where none can be given, and where the difference has no interval because its clusters are too few.
   */
  readonly toLeader: {
    readonly difference: Interval
    readonly beside: Interval
    readonly p: number | null
    /** Adjusted for all pairs of entries: for any false difference, and for the share of false differences (Benjamini and Hochberg). */
    readonly adjusted: number | null
    readonly falseDiscovery: number | null
  } | null
  /**
 * What its fills were worth by the reference at the longest horizon of `record.marks`, whatever the results were, and the same minus
 * the leader's. These figures have far less noise than profit.
 */
  readonly valued: { readonly value: Interval; readonly toLeader: Interval | null }
  /** How it came to its profit, in the ranking format and part. Absent in a result of an older version. */
  readonly account?: LeagueAccount
  /** The rating on the scale of chess ratings, with mean 1500. */
  readonly rating: Interval | null
  /** The Sharpe ratio of the profits by cluster of the whole history. */
  readonly sharpe: { readonly perCluster: number | null; readonly deflated: number | null; readonly trials: number }
  readonly band: LeagueBand | null
  readonly breakEven: BreakEven | null
}

/** How an entry came to its profit: sums and means of one session on average, USDC. */
export interface LeagueAccount {
  readonly fills: number
  /** What its bettors staked on positions that were not voided. */
  readonly stake: number
  /** Fills over quoted versions, a fraction. */
  readonly hitRatio: Interval
  /** The terms of its cash profit, which add up to it (docs/scorecard.md). Without luck they add up to luck-adjusted profit. */
  readonly terms: Readonly<Record<(typeof TERMS)[number], Interval>>
  /** Each term minus the leader's, paired. Null for the leader. */
  readonly toLeader: LeagueAccount['terms'] | null
  /** What V fell after its fills, by horizon, cents per dollar of payout. Undefined under 20 fills in all. */
  readonly markOuts: readonly { readonly horizonUs: number; readonly cents: Interval }[]
}

/** For a tuned entry: what was tried, and whether the choice can be trusted. */
export interface LeagueTuning {
  readonly variants: readonly {
    readonly choice: Choice
    readonly status: LeagueEntry['status']
    readonly replications: number
    /** The profit over the training part in the ranking format, null for a variant without figures. */
    readonly training: Interval | null
    readonly isChosen: boolean
  }[]
  /** Probability of backtest overfitting over the training part, null where it is undefined. */
  readonly overfitting: { readonly probability: number; readonly lossProbability: number; readonly blocks: number; readonly combinations: number; readonly replications: number } | null
}

/** Profit over numbers of rivals and shares of demand, which history never shows. */
export interface LeagueBand {
  /** Least and greatest estimate. */
  readonly low: number | null
  readonly high: number | null
  readonly points: readonly { readonly rivals: number; readonly demand: number; readonly profit: Interval }[]
}

/** The margin of its rivals at which an entry's profit crosses zero. Below that margin the entry loses. Only for entries with ended positions. */
export interface BreakEven {
  readonly rivals: number
  /** A fraction. It is the end of the grid where the crossing lies beyond the grid. */
  readonly margin: Interval
  readonly side: Crossing['side']
  readonly points: readonly { readonly margin: number; readonly profit: Interval }[]
}

/** Two entries head to head, over the ranking part: profits in the same sessions. */
export interface LeaguePair {
  readonly first: string
  readonly second: string
  /** The profit of the first minus that of the second. */
  readonly difference: Interval
}

/** A session without a result, with what is needed to play it again. */
export interface LeagueFailure {
  readonly entries: readonly string[]
  readonly choice: Choice
  readonly setting: Setting
  readonly kind: TaskFailure['kind']
  /** The participant whose strategy threw, did not end or ended its worker. Null where it is not known. */
  readonly who: string | null
  readonly message: string
  readonly task: Omit<TaskSpec, 'scenario'> & { readonly scenario: string }
}
