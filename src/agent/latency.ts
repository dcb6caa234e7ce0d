import type { Draws } from '../kernel/random.ts'

/** A delay, uniform over the whole µs from `baseUs` to `baseUs + jitterUs`. */
export interface Delay {
  readonly baseUs: number
  readonly jitterUs: number
}

/** Delays of a participant, one for each path that a message takes. */
export interface Latency {
  /** Price source to participant: constant, so that a price board can follow it. */
  readonly feedUs: number
  /** Venue to participant: requests, best quotes, selections, replies. */
  readonly broadcast: Delay
  /** Participant to venue: quotes, withdrawals, requests, commits. The time for thinking is included. */
  readonly submit: Delay
  /** Selection to confirmation at the venue. */
  readonly confirm: Delay
}

export const NO_DELAY: Delay = { baseUs: 0, jitterUs: 0 }

export const NO_LATENCY: Latency = { feedUs: 0, broadcast: NO_DELAY, submit: NO_DELAY, confirm: NO_DELAY }

/** One draw of a delay, whole µs, for (entity, index). */
export const delayUs = (delay: Delay, draws: Draws, entity: number, index: number): number =>
  delay.jitterUs === 0 ? delay.baseUs : delay.baseUs + draws.below(entity, index, delay.jitterUs + 1)
