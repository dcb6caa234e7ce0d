import { mkdirSync, rmSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { StrategyFailure } from '../engine/strategyFailure.ts'
import { identityOf, playInto, type PreparedScenario } from '../scenario/run.ts'
import { type Scores, scoresOf } from '../score/scores.ts'
import { InputError, type InputPosition } from '../unit/inputError.ts'
import type { Points } from './points.ts'
import type { TaskSpec } from './task.ts'
import { taskIdOf, withSeed } from './taskIdentity.ts'

/** A task as a worker gets it. */
export interface SessionOrder {
  readonly spec: TaskSpec
  /** Identity of the task as its sender found it. */
  readonly id: string
  /** Digest of the source tree, as its sender found it. */
  readonly sourceTree: string
  /** Where the session's tables may grow; nothing of it stays. */
  readonly folder: string
  /** Whether it is played twice in a row, to see if both give the same. */
  readonly twice: boolean
}

/** What a worker answers: errors as data, since their classes do not cross. */
export type SessionAnswer =
  | { readonly kind: 'played'; readonly digest: string; readonly scores: readonly Scores[]; readonly differs: boolean }
  | { readonly kind: 'strategy' | 'bug'; readonly who: string | null; readonly message: string }
  | { readonly kind: 'input'; readonly message: string; readonly position: InputPosition | undefined; readonly hint: string | undefined }

interface ScoredSession {
  readonly digest: string
  readonly scores: readonly Scores[]
}

/** What a worker says on its own: a play of a session begins; a strategy has left something running, and the worker ends itself. */
export interface SessionNotice {
  readonly folder: string
  readonly kind: 'begins' | 'leaves'
}

/**
 * Plays the session of a task in this thread, scores it, and removes its tables again. `loaded`: digest of the source tree as this
 * thread loaded it. `begins` is called before each play.
 */
export async function playSession(points: Points, loaded: string, { spec, id, sourceTree, folder, twice }: SessionOrder, begins: () => void): Promise<SessionAnswer> {
  try {
    if (loaded !== sourceTree) throw new InputError('the source of parlor was edited while sessions were played', { hint: 'start again' })
    const point = await points.of(spec)
    const record = { ...point.record, tables: true, parquet: false }
    const prepared = withSeed({ ...point, record }, spec.seed)
    if (taskIdOf(prepared, sourceTree) !== id) {
      throw new InputError('the scenario, a strategy or the history was edited while sessions were played', {
        position: { file: spec.scenario }, hint: 'start again: what is finished is kept',
      })
    }
    const identity = identityOf(prepared, sourceTree)
    begins()
    const first = await playScored(folder, prepared, identity)
    if (!twice) return { kind: 'played', ...first, differs: false }
    begins()
    return { kind: 'played', ...first, differs: !isDeepStrictEqual(await playAgain(folder, prepared, identity), first) }
  } catch (error) {
    return answerOf(error)
  }
}

async function playScored(folder: string, prepared: PreparedScenario, identity: ReturnType<typeof identityOf>): Promise<ScoredSession> {
  try {
    mkdirSync(folder, { recursive: true })
    const { digest } = await playInto(folder, prepared, { identity, isScratch: true })
    return { digest, scores: scoresOf(folder) }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Null when a strategy throws that did not throw before. */
async function playAgain(folder: string, prepared: PreparedScenario, identity: ReturnType<typeof identityOf>): Promise<ScoredSession | null> {
  try {
    return await playScored(folder, prepared, identity)
  } catch (error) {
    if (error instanceof StrategyFailure) return null
    throw error
  }
}

function answerOf(error: unknown): SessionAnswer {
  if (error instanceof InputError) {
    const { message, position, hint } = error
    return { kind: 'input', message, position, hint }
  }
  if (error instanceof StrategyFailure) return { kind: 'strategy', who: error.participant, message: error.message }
  return { kind: 'bug', who: null, message: error instanceof Error ? (error.stack ?? error.message) : String(error) }
}
