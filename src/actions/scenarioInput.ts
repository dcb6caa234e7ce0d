import type { ChannelBit, GateFault } from '../venue/outcome/protocol/access.ts'
import type { OutcomeFault } from '../venue/outcome/protocol/commands.ts'
import type { ParlayFault } from '../venue/parlay/protocol/commands.ts'
import type { WEBHOOK_EVENT_NAMES } from '../venue/parlay/protocol/webhooks.ts'
import type { BettorParameters } from './bettorParameters.ts'
import type { Quantity } from './quantity.ts'

/** An instant such as `2025-06-19T19:23:00Z`, or a duration from where the setting says. */
export type InstantOrSpan = string | number
/** A duration, or a fixed part and the width of a uniform one. */
export type DelayInput = Quantity | { readonly base: Quantity; readonly jitter?: Quantity }
export type ServiceNameInput = 'parlay' | 'outcome'
/** Values of a strategy's parameters, each in its own unit. */
export type ParamsInput = Readonly<Record<string, Quantity | boolean>>

/** A scenario as an object, with the keys of a scenario file. `parlor schema` describes each setting, with its default. */
export interface ScenarioInput {
  readonly version: 1
  /** Of the run. */
  readonly name?: string
  /** Label of the results: agents respond, or history is fixed. */
  readonly mode: 'interactive' | 'replay'
  /** Everything random is drawn from it. */
  readonly seed?: string | number
  /** Seeds of parts of the session. The default of each is `seed`, and replications do not move those that are given. */
  readonly seeds?: { readonly outcomes?: string | number; readonly bettors?: string | number; readonly makers?: string | number }
  /** One service, or both on one clock. */
  readonly services: { readonly parlay?: ParlayInput; readonly outcome?: OutcomeInput }
  readonly history: HistoryInput
  readonly arrivals?: { readonly until?: InstantOrSpan; readonly max?: Quantity }
  readonly settlement?: SettlementInput
  /** Markets that stop trading for a time. */
  readonly halts?: readonly { readonly market: string; readonly from: InstantOrSpan; readonly for: Quantity }[]
  /** Markets that are taken off the list. */
  readonly delist?: readonly { readonly market: string; readonly at: InstantOrSpan }[]
  /** Money that participants take out while the session runs. */
  readonly withdrawals?: readonly { readonly of: string; readonly first?: Quantity; readonly at: InstantOrSpan; readonly amount: Quantity }[]
  readonly bettors: readonly BettorInput[]
  readonly makers: readonly MakerInput[]
  readonly inference?: { readonly cluster?: 'gameDay' | 'game' | 'event' | 'day' | 'week'; readonly replications?: Quantity }
  readonly record?: { readonly tables?: boolean; readonly marks?: readonly Quantity[]; readonly equityEvery?: Quantity; readonly parquet?: boolean; readonly deliveries?: boolean }
  readonly strategies?: StrategiesInput
  /** `svm`, `evm`, `both` or `none`, or a map with more to say. */
  readonly chain?: string | ChainInput
  readonly league?: LeagueInput
  readonly sweep?: SweepInput
}

export interface HistoryInput {
  /** Name or path of a price store. */
  readonly store: string
  /** How to make the store when it is not there. Files are relative to the scenario's folder. */
  readonly import?: { readonly format: string; readonly files: readonly string[]; readonly map?: string; readonly groups?: string }
  /** Begin of the session. */
  readonly from?: string
  /** First instant that is no longer part of it. */
  readonly to?: string
  /** What participants see of a book. */
  readonly legs?: 'executable' | 'mid' | 'bid' | 'ask' | 'devigged'
  /** How many levels of a side of each book strategies see, of those that the store keeps. Default: the best prices alone. */
  readonly depth?: number
  /** Default of every strategy parameter `maxAge`. */
  readonly maxAge?: Quantity
  /** A file of rules that say which markets exclude each other, relative to the scenario's folder. */
  readonly groups?: string
}

export interface SettlementInput {
  readonly lag?: Quantity
  readonly missing?: 'exclude' | 'void' | 'draw'
  readonly scalar?: 'void' | 'exclude'
  readonly outcomes?: 'recorded' | 'drawn'
  readonly correlation?: Quantity
  readonly within?: 'all' | 'category' | 'game' | 'day'
}

export interface ParlayInput {
  readonly profile: string
  /** Settings of the profile to replace. */
  readonly set?: Readonly<Record<string, Quantity | boolean>>
  /** Absent: commands reach the service unchecked. */
  readonly gate?: ParlayGateInput
  readonly faults?: readonly { readonly fault: keyof typeof ParlayFault; readonly from: InstantOrSpan; readonly for: Quantity }[]
  readonly walletsOff?: readonly string[]
}

export interface ParlayGateInput {
  readonly profile?: 'parlay-gate@2.1'
  readonly set?: Readonly<Record<string, Quantity | boolean>>
  readonly keys?: { readonly life?: Quantity; readonly renewAfter?: Quantity }
  readonly endpoints?: readonly EndpointInput[]
  readonly deliveriesOff?: readonly string[]
}

/** A webhook endpoint of a maker or a cohort. */
export interface EndpointInput {
  readonly of: string
  readonly first?: Quantity
  readonly as?: 'user' | 'maker'
  readonly events?: readonly (typeof WEBHOOK_EVENT_NAMES)[number][]
  readonly answers?: { readonly [answer in 'timeout' | 'serverError' | 'requestTimeout' | 'tooManyRequests' | 'clientError' | 'networkError']?: Quantity }
  readonly delay?: DelayInput
  readonly outages?: { readonly every: Quantity; readonly for: Quantity }
  readonly down?: readonly { readonly from: InstantOrSpan; readonly for: Quantity }[]
  readonly redeliver?: boolean
}

export interface OutcomeInput {
  readonly profile: string
  readonly set?: Readonly<Record<string, Quantity | boolean>>
  readonly signatures?: 'tag' | 'eip712'
  /** Absent: commands reach the service unchecked. */
  readonly gate?: OutcomeGateInput
  readonly faults?: readonly { readonly fault: keyof typeof OutcomeFault | keyof typeof GateFault; readonly from: InstantOrSpan; readonly for: Quantity }[]
  readonly embeddedWallets?: readonly string[]
}

export interface OutcomeGateInput {
  readonly profile?: 'outcome-gate@1'
  readonly set?: Readonly<Record<string, Quantity | boolean>>
  readonly keys?: { readonly life?: Quantity; readonly renewAfter?: Quantity }
  readonly retries?: { readonly most?: Quantity; readonly backoff?: Quantity }
  readonly resnapshots?: readonly { readonly channel: keyof typeof ChannelBit; readonly at: InstantOrSpan }[]
}

/** What all bettors have. */
export interface BettorTerms {
  /** Of the cohort. */
  readonly name?: string
  readonly service?: ServiceNameInput
  /** Name of a maker: the one bettor bets with its account and money. */
  readonly account?: string
  readonly bankroll?: Quantity
  readonly latency?: { readonly feed?: Quantity; readonly broadcast?: DelayInput; readonly submit?: DelayInput }
}

/** What all cohorts have whose bettors a strategy plays. */
export interface CohortTerms extends BettorTerms {
  /** Bettors. */
  readonly n: Quantity
  /** Mean time between two intents of one bettor. */
  readonly every?: Quantity
  readonly arrivals?: ArrivalsInput
}

export type ArrivalsInput =
  | { readonly kind: 'poisson' }
  | { readonly kind: 'hawkes'; readonly excitation: Quantity; readonly decay?: Quantity }
  | { readonly kind: 'replay'; readonly file?: string; readonly column?: string; readonly times?: readonly InstantOrSpan[]; readonly first?: InstantOrSpan }

export type BettorKind = keyof BettorParameters

/** A cohort of a built-in strategy. Its parameters stand beside `kind`, or under `params`, each once. */
export type BuiltInBettorInput = {
  readonly [K in BettorKind]: CohortTerms & Omit<BettorParameters[K], keyof CohortTerms> & { readonly kind: K; readonly params?: BettorParameters[K] }
}[BettorKind]

/**
 * A cohort of a strategy file, or of a strategy that `run` is given as an object under that name. Its parameters stand beside `use`, or under
 * `params`, each once.
 */
export interface StrategyBettorInput extends CohortTerms {
  readonly use: string
  readonly kind?: never
  readonly external?: never
  readonly params?: ParamsInput
  readonly [parameter: string]: unknown
}

/** One bettor that makes the requests of a list, and no others. */
export interface ScriptedBettorInput extends BettorTerms {
  readonly kind: 'scripted'
  readonly requests: readonly {
    readonly at: InstantOrSpan
    /** Each a ticker and yes or no, as `TICKER yes`. */
    readonly legs: readonly string[]
    readonly bet: Quantity
    readonly floor?: Quantity
    readonly decide?: Quantity
    readonly cancel?: boolean
  }[]
}

/** One bettor for whom a client acts, in a session that is served. */
export interface ExternalBettorInput extends BettorTerms {
  readonly external: true
  readonly kind?: never
}

/** Whoever asked in a recorded log (docs/rfq-logs.md). How many they are says the log. */
export interface RecordedBettorInput {
  readonly kind: 'recorded'
  /** Of the cohort. */
  readonly name?: string
  readonly service?: ServiceNameInput
  /** The log, relative to the scenario. */
  readonly log: string
  /** Which prices are taken: at least as good as what was accepted at the recorded instant, or at or above the floor of the log. */
  readonly takes?: 'recorded' | 'floor'
  readonly bankroll?: Quantity
}

export type BettorInput = BuiltInBettorInput | StrategyBettorInput | ScriptedBettorInput | RecordedBettorInput | ExternalBettorInput

export interface MakerInput {
  /** A built-in strategy, the path of a strategy file, or the name of a strategy that `run` is given as an object. */
  readonly use?: string
  /** With `use: recorded` a recorded log, and which maker of the log it is. */
  readonly log?: string
  readonly maker?: string
  /** A client of a served session holds the seat. */
  readonly external?: true
  readonly name?: string
  readonly service?: ServiceNameInput
  /** Seats with these terms. */
  readonly count?: Quantity
  readonly capital?: Quantity
  readonly params?: ParamsInput
  readonly latency?: { readonly feed?: Quantity; readonly broadcast?: DelayInput; readonly quote?: DelayInput; readonly confirm?: DelayInput }
  readonly faults?: { readonly ignore?: Quantity; readonly missConfirm?: Quantity; readonly disconnect?: { readonly every: Quantity; readonly for: Quantity } }
  readonly layOff?: { readonly account?: string; readonly bankroll?: Quantity; readonly latency?: { readonly broadcast?: DelayInput; readonly submit?: DelayInput } }
}

/** What strategy files may do, and how much. */
export interface StrategiesInput {
  readonly allow?: readonly ('clock' | 'random')[]
  readonly actionsPerInstant?: Quantity
  readonly looksAgain?: Quantity
  readonly callLimit?: Quantity
  readonly memoryLimit?: Quantity
}

export interface ChainInput {
  readonly on: 'svm' | 'evm' | 'both' | 'none'
  readonly rpc?: { readonly svm?: string; readonly evm?: string }
  readonly start?: 'solana-test-validator'
  readonly patience?: Quantity
  readonly batch?: Quantity
  readonly faults?: {
    readonly dropped?: Quantity
    readonly unconfirmed?: Quantity
    readonly reorganisations?: { readonly every: Quantity; readonly depth: Quantity }
    readonly sponsorOutages?: Quantity
    readonly unfunded?: Quantity
  }
}

export interface LeagueInput {
  readonly entries: readonly LeagueEntryInput[]
  readonly capital?: Quantity
  readonly play?: readonly ('alone' | 'field' | 'pairs')[]
  readonly replications?: Quantity
  readonly racing?: { readonly after?: Quantity; readonly level?: Quantity }
  readonly holdout?: Quantity
  readonly bands?: {
    readonly rivals?: readonly Quantity[]
    readonly demand?: readonly Quantity[]
    readonly aggressiveness?: { readonly margins: readonly Quantity[]; readonly rivals?: Quantity }
    readonly replications?: Quantity
  }
}

/** The terms of a maker, with values of parameters to choose from. */
export interface LeagueEntryInput extends Omit<MakerInput, 'name' | 'count' | 'capital' | 'external'> {
  readonly name: string
  readonly tune?: Readonly<Record<string, readonly (string | number | boolean)[]>>
}

export interface SweepInput {
  readonly design?: 'grid' | 'list' | 'random' | 'sobol'
  /** Settings, and what each runs through: `2%..8%:7`, or a list. */
  readonly axes?: Readonly<Record<string, string | readonly (string | number | boolean)[]>>
  readonly points?: Quantity
  readonly replications?: Quantity
  readonly expect?: readonly string[]
  readonly maximise?: string
  readonly until?: string
}
