import type { Faults } from '../agent/faults.ts'
import type { Latency } from '../agent/latency.ts'
import type { GateConfig, LayOffEntry, OutcomeGateConfig, ServiceName, SignatureKind } from '../engine/config.ts'
import type { SettlementPolicy } from '../engine/operatorInputs.ts'
import type { GroupRules } from '../feed/groups/groupRules.ts'
import type { Seeds } from '../kernel/seeds.ts'
import type { OutcomeProfile } from '../venue/outcome/protocol/profile.ts'
import type { ChannelBit } from '../venue/outcome/protocol/access.ts'
import type { ParlayFault } from '../venue/parlay/protocol/commands.ts'
import type { ParlayProfile } from '../venue/parlay/protocol/profile.ts'
import type { OutcomeFaultName } from './outcomeSchema.ts'
import type { Takes } from './recordedSchema.ts'
import type { SCENARIO_VERSION, ScenarioFile } from './schema.ts'
import type { Permission } from './strategySchema.ts'

/** One seat of a maker. */
export interface ResolvedMaker {
  readonly name: string
  readonly service: ServiceName
  /** As `use` names it. */
  readonly strategy: string
  /** A client outside of the session holds the seat; absent: the strategy does. */
  readonly external?: true
  readonly parameters: Readonly<Record<string, number>>
  readonly capitalMicros: number
  readonly latency: Latency
  readonly faults: Faults
  /** Absent: it cannot lay off. */
  readonly layOff?: LayOffEntry
  /** Which maker of which log it is; absent for the others. */
  readonly recorded?: ResolvedLog & { readonly maker: string }
}

export interface ResolvedCohort {
  readonly name: string
  readonly service: ServiceName
  readonly strategy: string
  /** A client plays the cohort, as it may play a maker. The cohort is one bettor then, and none of its arrivals is simulated. */
  readonly external?: true
  readonly parameters: Readonly<Record<string, number>>
  readonly bettors: number
  /** The money of each bettor. It means nothing beside `account`. */
  readonly bankrollMicros: number
  /** The maker with whose account the one bettor bets; absent: with its own. */
  readonly account?: string
  readonly everyUs: number
  /** Absent: Poisson. */
  readonly arrivals?: ResolvedArrivals
  readonly latency: Latency
  /** What a scripted bettor asks for, and nothing else; absent for the others. `everyUs` then means nothing. */
  readonly script?: readonly ResolvedRequest[]
  /** The log whose requests a recorded cohort makes, and what it does with prices; absent for the others. `everyUs` then means nothing. */
  readonly recorded?: ResolvedLog & {
    readonly takes: Takes
    /** Of the log, and those of them that are not made, by cause. */
    readonly requests: number
    readonly leftOut: Readonly<Record<string, LeftOutCount>>
  }
}

export interface LeftOutCount {
  readonly count: number
  /** What shows that of the first of them: a ticker, or the request's id. */
  readonly first: string
}

/** A recorded log, as the scenario names it, and its hash. */
export interface ResolvedLog {
  readonly log: string
  readonly sha256: string
}

/** Arrivals of a cohort that are not Poisson. */
export type ResolvedArrivals =
  | { readonly kind: 'hawkes'; readonly excitation: number; readonly decayUs: number }
  /** Instants within the session, in order. */
  | { readonly kind: 'replay'; readonly timesUs: readonly number[] }

/** One request of a scripted bettor. */
export interface ResolvedRequest {
  readonly atUs: number
  readonly legs: readonly { readonly ticker: string; readonly side: 'yes' | 'no' }[]
  readonly betMicros: number
  /** Lowest odds taken, four decimals. */
  readonly floorOddsE4: number
  /** From the request to the decision. */
  readonly decideUs: number
  readonly cancel: boolean
}

export interface ResolvedWithdrawal {
  readonly of: string
  readonly service: ServiceName
  /** Absent: every account of that name. */
  readonly first?: number
  readonly atUs: number
  readonly amountMicros: number
}

/** A fault that is on from `fromUs` on and off again at `untilUs`. */
export interface ResolvedFault<F extends string> {
  readonly fault: F
  readonly fromUs: number
  readonly untilUs: number
}

/** A market that is halted; `untilUs` is null where its trading ends before it would go on. */
export interface ResolvedHalt {
  readonly market: string
  readonly fromUs: number
  readonly untilUs: number | null
}

export interface ResolvedDelisting {
  readonly market: string
  readonly atUs: number
}

/** The parlay service of a session; a key is absent where a scenario has nothing of it. */
export interface ResolvedParlay {
  readonly profile: string
  readonly settings: ParlayProfile
  readonly gate?: GateConfig
  readonly faults?: readonly ResolvedFault<keyof typeof ParlayFault>[]
  readonly walletsOff?: readonly string[]
  readonly deliveriesOff?: readonly string[]
}

/** Streams of a channel that close for their clients to load state anew. */
export interface ResolvedResnapshot {
  readonly channel: keyof typeof ChannelBit
  readonly atUs: number
}

/** The outcome service of a session. */
export interface ResolvedOutcome {
  readonly profile: string
  readonly settings: OutcomeProfile
  readonly signatures: SignatureKind
  readonly gate?: OutcomeGateConfig
  readonly faults?: readonly ResolvedFault<OutcomeFaultName>[]
  readonly resnapshots?: readonly ResolvedResnapshot[]
  /** Names of clients' seats. */
  readonly embeddedWallets?: readonly string[]
}

export interface ResolvedServices {
  readonly parlay?: ResolvedParlay
  readonly outcome?: ResolvedOutcome
}

/** What stops markets, on every service; a key is absent where a scenario has nothing of it. */
export interface ResolvedStops {
  readonly halts?: readonly ResolvedHalt[]
  readonly delistings?: readonly ResolvedDelisting[]
}

/** What strategies may do, as far as rows are a function of it. A key is absent where it has its default. */
export interface ResolvedLimits {
  readonly allow?: readonly Permission[]
  readonly actionsPerInstant?: number
  readonly looksAgain?: number
}

/** Rules for groups, as they are written in their file, with their defaults. */
export interface ResolvedGroups {
  /** SHA-256 over the rules, hex. */
  readonly sha256: string
  readonly rules: GroupRules
}

/**
 * A scenario with every default filled in, as plain data: all that a session depends on besides its history and its
 * strategies. Without record, chain and worker settings (design.md, decision 13).
 */
export interface ResolvedScenario {
  readonly version: typeof SCENARIO_VERSION
  readonly mode: ScenarioFile['mode']
  readonly seed: string
  /** Those that the scenario gives: replications do not move them. Absent: none. */
  readonly seeds?: Seeds
  /** Whether a gate stands before a venue. */
  readonly gate: boolean
  readonly services: ResolvedServices
  readonly halts?: readonly ResolvedHalt[]
  readonly delistings?: readonly ResolvedDelisting[]
  readonly withdrawals?: readonly ResolvedWithdrawal[]
  readonly history: {
    /** As the scenario names it. */
    readonly store: string
    readonly fromUs: number
    readonly toUs: number
    readonly legs: ScenarioFile['history']['legs']
    /** How many levels of a side strategies see. Absent: the best prices alone. */
    readonly depth?: number
    /** Rules that are laid over the markets of the store. Absent: none. */
    readonly groups?: ResolvedGroups
  }
  readonly arrivals: { readonly untilUs: number; readonly max: number | null }
  readonly settlement: SettlementPolicy
  readonly bettors: readonly ResolvedCohort[]
  readonly makers: readonly ResolvedMaker[]
  /** Strategies that take seats at an instant, each in the seat of the maker of its name (`parlor whatif --from`). Absent: none. */
  readonly swap?: { readonly atUs: number; readonly makers: readonly ResolvedMaker[] }
  /** Absent where all has its default. */
  readonly strategies?: ResolvedLimits
  /** Cohorts whose view of prices lies ahead, and how far: their informants see a future price, never a result. */
  readonly oracles: readonly { readonly cohort: string; readonly horizonUs: number }[]
  readonly inference: { readonly cluster: ScenarioFile['inference']['cluster']; readonly replications: number }
}
