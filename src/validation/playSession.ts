import type { BettorStrategy } from '../agent/bettor.ts'
import { NO_FAULTS } from '../agent/faults.ts'
import type { Latency } from '../agent/latency.ts'
import type { MakerStrategy } from '../agent/maker.ts'
import { parameterValues } from '../agent/parameters.ts'
import { Accounts } from '../engine/accounts.ts'
import type { CohortEntry, MakerEntry, ServiceName, SessionConfig } from '../engine/config.ts'
import { rostersOf } from '../engine/roster.ts'
import { Session } from '../engine/session.ts'
import { play } from '../scenario/play.ts'
import { USDC } from '../unit/micros.ts'
import { MS_US } from '../unit/time.ts'
import { OUTCOME_SETTINGS, type OutcomeProfile } from '../venue/outcome/protocol/profile.ts'
import { PARLAY_SETTINGS, type ParlayProfile } from '../venue/parlay/protocol/profile.ts'
import { profileOf } from '../venue/profile.ts'
import { FillLog } from './fillLog.ts'
import { WORLD_BEGIN_US, type World } from './world.ts'

/** Money enough that no figure meets a limit of capital. */
const MAKER_CAPITAL_MICROS = 100_000_000 * USDC
const BANKROLL_MICROS = 1_000_000 * USDC

/** Delays of a participant, unless a session says otherwise: tens of milliseconds, as over a network. */
export const WAYS: Latency = {
  feedUs: 0, broadcast: { baseUs: 5 * MS_US, jitterUs: 0 }, submit: { baseUs: 20 * MS_US, jitterUs: 10 * MS_US },
  confirm: { baseUs: 100 * MS_US, jitterUs: 200 * MS_US },
}

/** A participant's strategy; values that are not given are its defaults. */
export interface PlayedMaker {
  readonly name: string
  readonly strategy: MakerStrategy
  readonly values?: Readonly<Record<string, number>>
  readonly latency?: Latency
}

export interface PlayedCohort {
  readonly name: string
  readonly strategy: BettorStrategy
  readonly values?: Readonly<Record<string, number>>
  readonly bettors: number
  /** Instants of arrivals, µs. Absent for Poisson arrivals until `untilUs` with mean gap `gapUs` over the whole cohort. */
  readonly arrivalsUs?: readonly number[]
  readonly gapUs?: number
  readonly latency?: Latency
}

/** One session of one service on a made-up history. */
export interface PlayedSession {
  readonly seed: string
  readonly world: World
  readonly makers: readonly PlayedMaker[]
  readonly cohorts: readonly PlayedCohort[]
  readonly service: ServiceName
  readonly parlay?: Partial<ParlayProfile>
  readonly outcome?: Partial<OutcomeProfile>
  /** No bettor arrives at or after this instant. Absent when that is the end of the history. */
  readonly untilUs?: number
  readonly arrivalsMax?: number
}

/** The abort signal that ends a session, and the callback for how many more requests were made. */
export interface Stage {
  readonly signal?: AbortSignal | undefined
  readonly onRequests?: ((more: number) => void) | undefined
}

/** No fees, no limit on RFQs in flight, and a limit on quoted exposure that is never reached. An item may change more. */
const OUTCOME_WIDENED: Partial<OutcomeProfile> = { takerFeeBps: 0, feeBps: 0, rfqIntentLimit: 1_000_000, exposureMultiple: 1_000_000 }
/** No fees, legs from one on, larger bets. */
const PARLAY_WIDENED: Partial<ParlayProfile> = { takerFeeBps: 0, profitFeeBps: 0, legsMin: 1, betMaxMicros: 10_000 * USDC }

const MONEY = 'makers hold 100,000,000 USDC and bettors 1,000,000 each; the gate is off'

/** What every session of a service widens or leaves out, for the remarks of figures. */
export const WIDENED: Readonly<Record<ServiceName, string>> = {
  parlay: `parlay service without fees, from one leg on, bets up to 10,000 USDC; ${MONEY}`,
  outcome: `outcome service without fees, up to a million RFQs in flight, quotes up to a million times free capital, signatures as tags; ${MONEY}`,
}

/** Plays the session to its end; returns its fills, counted at the commit and at the ledger. Throws Interrupted on an abort. */
export async function playSession(session: PlayedSession, stage: Stage = {}): Promise<FillLog> {
  const participants = { makers: session.makers.map(makerEntry), cohorts: session.cohorts.map(cohortEntry) }
  const { world: { markets, ticks, keys, operator, endUs, values }, service } = session
  const services: Pick<SessionConfig, 'parlay' | 'outcome'> = service === 'parlay'
    ? { parlay: { profile: profileOf(PARLAY_SETTINGS, { ...PARLAY_WIDENED, ...session.parlay }), ...participants } }
    : {
        outcome: {
          profile: profileOf(OUTCOME_SETTINGS, { ...OUTCOME_WIDENED, ...session.outcome }), signatures: 'tag',
          outcomeIds: markets.map(({ number }) => [number]), ...participants,
        },
      }
  const fills = new FillLog(values(), new Accounts(rostersOf(services)).list.map(({ role }) => role === 'maker'))
  const untilUs = session.untilUs ?? endUs
  const arrivalsMax = session.arrivalsMax ?? null
  const played = new Session({
    seed: session.seed, startUs: WORLD_BEGIN_US, arrivalsUntilUs: untilUs, marketCount: markets.length, keys, ticks, operator, ...services,
    ...(arrivalsMax === null ? {} : { arrivalsMax }), sinks: [fills],
  })
  let told = 0
  await play(played, [fills], {
    startUs: WORLD_BEGIN_US, untilUs, arrivalsMax, signal: stage.signal,
    onProgress: ({ arrivals }) => {
      stage.onRequests?.(arrivals - told)
      told = arrivals
    },
  })
  return fills
}

const makerEntry = ({ name, strategy, values = {}, latency = WAYS }: PlayedMaker): MakerEntry => ({
  name, strategy, values: parameterValues(strategy.parameters, values), capitalMicros: MAKER_CAPITAL_MICROS, latency, faults: NO_FAULTS,
})

const cohortEntry = ({ name, strategy, values = {}, bettors, arrivalsUs, gapUs, latency = WAYS }: PlayedCohort): CohortEntry => ({
  name, strategy, values: parameterValues(strategy.parameters, values), bettors, bankrollMicros: BANKROLL_MICROS,
  everyUs: (gapUs ?? 0) * bettors, ...(arrivalsUs === undefined ? {} : { arrivalsUs }), latency,
})
