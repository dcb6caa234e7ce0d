import type { BettorStrategy } from '../agent/bettor.ts'
import type { Faults } from '../agent/faults.ts'
import type { Latency } from '../agent/latency.ts'
import type { MakerStrategy } from '../agent/maker.ts'
import type { Seeds } from '../kernel/seeds.ts'
import type { MarketKeys } from '../market/exclusion.ts'
import type { MarketFacts } from '../market/marketFacts.ts'
import type { PublicList } from '../market/publicList.ts'
import type { TickHistory } from '../market/tickSource.ts'
import type { Sink } from '../record/sink.ts'
import type { SERVICE_NAMES } from '../unit/services.ts'
import type { DeliveredRows } from '../unit/deliveredRows.ts'
import type { RequestArrivals } from '../unit/requestArrivals.ts'
import type { ToldRows } from '../unit/toldRows.ts'
import type { OutcomeGateProfile } from '../venue/outcome/protocol/gate.ts'
import type { OutcomeProfile } from '../venue/outcome/protocol/profile.ts'
import type { ParlayGateProfile } from '../venue/parlay/protocol/gate.ts'
import type { ParlayProfile } from '../venue/parlay/protocol/profile.ts'
import type { ShownLevels } from './boards.ts'
import type { EndpointBehaviour } from './parlay/endpointBehaviour.ts'

export type ServiceName = (typeof SERVICE_NAMES)[number]

/**
 * How a maker lays off risk on the other service: with an account that only takes (a firm that also makes there has two accounts), and
 * with money of its own there, because no money crosses between services.
 */
export interface LayOffEntry {
  readonly service: ServiceName
  /** Name of the account, by which its draws go. No other participant may have it. */
  readonly account: string
  readonly bankrollMicros: number
  /** The latency of a bettor. Its feed is the maker's. */
  readonly latency: Latency
}

/** A maker of the session. Its draws depend on `name` alone, so the others' do not move when it is added. */
export interface MakerEntry {
  readonly name: string
  readonly strategy: MakerStrategy
  readonly values: Readonly<Record<string, number>>
  readonly capitalMicros: number
  readonly latency: Latency
  readonly faults: Faults
  /** Without it `desk.layOff` asks for nothing. */
  readonly layOff?: LayOffEntry
  /** A client opens and closes the streams of the seat at the gate, as it likes. Without it the session holds one for the seat. */
  readonly opensOwnStreams?: true
}

/** How an arrival causes others of its cohort, at a rate that decays (arrivals.ts). */
export interface SelfExcitation {
  /** Mean number of arrivals that each arrival causes directly, from 0 to less than 1. */
  readonly branching: number
  /** Mean time from an arrival to one that it causes, µs. */
  readonly decayUs: number
}

/** A cohort of bettors that share a strategy. Its draws depend on `name` alone. */
export interface CohortEntry {
  readonly name: string
  readonly strategy: BettorStrategy
  readonly values: Readonly<Record<string, number>>
  readonly bettors: number
  /** What is paid in for each bettor. It is not read beside `account`. */
  readonly bankrollMicros: number
  /** Name of the maker with whose account the cohort's one bettor bets. The bettor then has no account of its own, and no deposit. */
  readonly account?: string
  /** Mean time between two intents of one bettor, not counting intents that others cause, µs. It is not read beside `arrivalsUs`. */
  readonly everyUs: number
  /** Without it the cohort's arrivals are Poisson. It is not read beside `arrivalsUs`. */
  readonly excitation?: SelfExcitation
  /** Instants of the cohort's arrivals, µs, in order and from the session's begin on: then nothing is drawn, and there are no others. */
  readonly arrivalsUs?: readonly number[]
  /** Which bettor each arrival is, from 0. Absent: that is drawn. */
  readonly bettorOf?: readonly number[]
  readonly latency: Latency
}

/** An operator input of the engine's own: a market's trading hours end. The venue knows that by the market's close time. */
export const MARKET_CLOSES = 0

/** An operator input that stands for a participant: an account takes money out of its vault (`Withdraws`). The input names the service. */
export const WITHDRAWS = -1
export const Withdraws = { from: 'value', amountMicros: 'value2' } as const

/**
 * Something that the operator does at an instant (design.md, decision 3): an operator's opcode of the service, MARKET_CLOSES or WITHDRAWS.
 * Opcodes about a market (`MarketOp`) have the same numbers on both services, and a market's number is its outcome's.
 */
export interface OperatorInput {
  readonly atUs: number
  readonly op: number
  /** The service, by default every one of the session. */
  readonly service?: ServiceName
  /** Number of the market, −1 where the opcode names none. */
  readonly market: number
  readonly closeUs?: number
  /** The opcode says what these two mean (`commands.ts` of the services' protocols). */
  readonly value?: number
  readonly value2?: number
}

/** Simulated webhook endpoints: that of a maker, or one for each bettor of a cohort. */
export interface EndpointEntry {
  /** Name of the maker or the cohort. */
  readonly of: string
  /** So many of a cohort's first bettors have one, by default all. */
  readonly first?: number
  /** An `OwnerKind`. */
  readonly owner: number
  /** Mask of `WebhookEvent` bits. */
  readonly events: number
  readonly behaviour: EndpointBehaviour
  /** Whether the endpoint, once reachable again, requests the deliveries that it missed. By default it does not. */
  readonly redelivers?: boolean
}

/** The gate before the parlay venue (docs/conformance/parlay-gate.md), and how participants live with it. */
export interface GateConfig {
  readonly profile: ParlayGateProfile
  readonly keys: {
    /** Life of a key, µs; 0: for ever. */
    readonly lifeUs: number
    /** From the expiry of a key to the next one, µs: all that its account sends in between is refused. */
    readonly renewAfterUs: number
  }
  /** At most one for each account and owner kind. */
  readonly endpoints: readonly EndpointEntry[]
}

/** The gate before the outcome venue (docs/conformance/outcome-gate.md), and how participants live with it. */
export interface OutcomeGateConfig {
  readonly profile: OutcomeGateProfile
  readonly keys: {
    /** Life of a key, whole days; 0: for ever. */
    readonly lifeDays: number
    /** From the expiry of a key to the next one, µs: all that its account sends in between is refused. */
    readonly renewAfterUs: number
  }
  /** How participants repeat a call: after BACKOFF with the same key, after REFRESH with a new one (OM-169). */
  readonly retries: {
    /** Most repetitions of one call; 0: none. */
    readonly most: number
    /** Wait before the first repetition of a call that was told no Retry-After, µs; it doubles with each. */
    readonly backoffUs: number
  }
}

/** Other strategies that take makers' seats at an instant. All else of an entry is that of the maker whose seat it takes. */
export interface Swap {
  readonly atUs: number
  readonly makers: readonly (MakerEntry & { readonly service: ServiceName })[]
}

/** Who trades on a service. A name that stands on both is one participant with one account number; money never crosses. */
export interface ServiceParticipants {
  readonly makers: readonly MakerEntry[]
  readonly cohorts: readonly CohortEntry[]
}

export interface ParlayServiceConfig extends ServiceParticipants {
  readonly profile: ParlayProfile
  /** Absent: commands reach the venue unchecked. */
  readonly gate?: GateConfig
}

/** How signed terms become tags: as EIP-712 digests, or by a cheap mixing (protocol/terms.ts). */
export type SignatureKind = 'eip712' | 'tag'

export interface OutcomeServiceConfig extends ServiceParticipants {
  readonly profile: OutcomeProfile
  /** Absent: commands reach the venue unchecked. */
  readonly gate?: OutcomeGateConfig
  readonly signatures: SignatureKind
  /** Limbs of each market's outcome_id (protocol/outcomeId.ts), by market number; all different. */
  readonly outcomeIds: readonly (readonly number[])[]
}

/** What all services of a session have in common. */
export interface SessionTerms {
  readonly seed: string
  /** Absent: everything is drawn from `seed`. Outcomes are drawn before a session begins. */
  readonly seeds?: Seeds
  readonly startUs: number
  /** No bettor arrives at or after it; the session then runs until nothing is left to happen (closing.ts says until when participants are heard). */
  readonly arrivalsUntilUs: number
  /** Most arrivals over all cohorts together. */
  readonly arrivalsMax?: number
  readonly marketCount: number
  readonly keys: MarketKeys
  /** Without it makers know of no market what it is about. */
  readonly facts?: MarketFacts
  /** Without it desks know no market's name. */
  readonly list?: PublicList
  readonly ticks: TickHistory
  /** The levels of books that strategies see. Absent: the best prices alone. */
  readonly depth?: ShownLevels
  /** Most commands of a maker (calls of a cohort) at one instant, not counting answers to market events. Absent: ACTIONS_PER_INSTANT_MAX. */
  readonly actionsPerInstant?: number
  /** Most times that a participant is called again about one request, selection or position because it asked for that. Absent: LOOKS_AGAIN_MAX. */
  readonly looksAgain?: number
  /** The operator's inputs in order of time. Those of equal times are in the order given. */
  readonly operator: readonly OperatorInput[]
  /** Takes what strategies say of themselves. Absent: nobody hears it. */
  readonly told?: ToldRows
  /** Takes which arrival each request comes of. Absent: nobody asks for it. */
  readonly requestArrivals?: RequestArrivals
  /** Takes what makers are told, and what they miss. Absent: nobody asks for it. */
  readonly deliveries?: DeliveredRows
  /** Whether each handler gets views of its own, so that a view that a strategy kept never shows a later row (tests). */
  readonly freshViews?: boolean
}

/** Everything that one session depends on: equal configurations give equal bytes. A session has one service or both. */
export interface SessionConfig extends SessionTerms {
  /** Absent: every maker keeps its strategy. */
  readonly swap?: Swap
  readonly parlay?: ParlayServiceConfig
  readonly outcome?: OutcomeServiceConfig
  readonly sinks: readonly Sink[]
}
