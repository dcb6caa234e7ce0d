import { setTimeout as wait } from 'node:timers/promises'
import type { Connection, Finality } from '@solana/web3.js'
import { InputError } from '../../unit/inputError.ts'

/** How a chain is reached: the VM inside the process or a validator by URL, through the same `Connection`. */
export interface SvmNetwork {
  readonly connection: Connection
  /** What counts as final. */
  readonly commitment: Finality
  /**
   * How long an unseen transaction may still be under way, and how long a refused or unanswered request is repeated. 0 in the process,
   * where transactions land when they are sent.
   */
  readonly patienceMs: number
  /** It is a validator by URL, which may refuse a request now and take it later. */
  readonly isRemote: boolean
}

/** There are at least this many tries. */
const TRIES_MIN = 6
/** Wait between tries, which doubles. */
const FIRST_PAUSE_MS = 50
const LAST_PAUSE_MS = 2_000

/**
 * Asks a validator, and asks again while it refuses (too many requests, behind the others) or does not answer. Throws an InputError
 * with its last answer when the time is over.
 */
export async function ask<T>(network: SvmNetwork, request: (connection: Connection) => Promise<T>): Promise<T> {
  const { connection, patienceMs, isRemote } = network
  if (!isRemote) return request(connection)
  let waitedMs = 0
  for (let tries = 1, pauseMs = FIRST_PAUSE_MS; ; tries++, pauseMs = Math.min(2 * pauseMs, LAST_PAUSE_MS)) {
    try {
      return await request(connection)
    } catch (cause) {
      if (tries >= TRIES_MIN && waitedMs >= patienceMs) {
        throw new InputError(`the validator at ${connection.rpcEndpoint} has refused a request ${tries} times: ${messageOf(cause)}`, {
          cause, hint: 'this was its last answer; a session that has begun there is not resumed: reset the validator or take another seed',
        })
      }
    }
    await wait(pauseMs)
    waitedMs += pauseMs
  }
}

/** The error's words, and those of what it comes from: a connection that fails says why in its cause only. */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message
}
