import { InputError } from '../unit/inputError.ts'

/** The part of all tasks that one of several shards plays. */
export interface Share {
  /** From 1. */
  readonly shard: number
  readonly of: number
}

/** The most shards. With more of them a share is a handful of tasks, and a queue serves better. */
export const SHARDS_MAX = 10_000

/** Throws InputError for a share that there is not. `what` stands in the place of its file. */
export function checkedShare({ shard, of }: Share, what: string): Share {
  if (!(Number.isSafeInteger(of) && of >= 1 && of <= SHARDS_MAX && Number.isSafeInteger(shard) && shard >= 1 && shard <= of)) {
    throw new InputError('is no share', { position: { file: what }, hint: `expected i/n, as 1/3, 2/3 and 3/3; n is at most ${SHARDS_MAX}` })
  }
  return { shard, of }
}

/** Digits of an identity that choose the shard: as many as are an exact number. */
const DIGITS = 13

/**
 * The shard that plays a task, from 1. It follows from the task's identity alone, so that each task is one shard's, whatever a shard knows of
 * the others' sessions and failures.
 */
export const shardOf = (id: string, of: number): number => 1 + (Number.parseInt(id.slice(0, DIGITS), 16) % of)
