import type { Draws } from '../kernel/random.ts'

/** A delay: a fixed part and an exponential part with the given mean, both µs. */
export interface Delay {
  readonly baseUs: number
  readonly jitterUs: number
}

/** Delays of a participant, one for each way that a message takes. */
export interface Latency {
  /** Price source to participant: constant, so that a price board can follow it. */
  readonly feedUs: number
  /** Venue to participant: requests, best quotes, selections, replies. */
  readonly broadcast: Delay
  /** Participant to venue: quotes, withdrawals, requests, commits; thinking included. */
  readonly submit: Delay
  /** Selection to confirmation at the venue. */
  readonly confirm: Delay
}

export const NO_DELAY: Delay = { baseUs: 0, jitterUs: 0 }

/** One draw of a delay, whole µs, for (entity, index). */
export const delayUs = (delay: Delay, draws: Draws, entity: number, index: number): number =>
  delay.jitterUs === 0 ? delay.baseUs : delay.baseUs + Math.floor(draws.exponential(entity, index, delay.jitterUs))
