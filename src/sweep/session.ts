import { isDeepStrictEqual } from 'node:util'
import { StrategyFailure } from '../engine/strategyFailure.ts'
import { isOfSystem, type SystemWords, systemWordsOf } from '../result/failures.ts'
import type { WatchedCalls } from '../scenario/callWatch.ts'
import type { SharedHistory } from '../scenario/history.ts'
import { HandlerMistakes } from '../scenario/knownHandlers.ts'
import { identityOf, playInMemory, type PreparedScenario } from '../scenario/run.ts'
import { pathOf } from '../scenario/load.ts'
import { importOf, withoutFresh } from '../scenario/strategies.ts'
import { SCORED_COLUMNS } from '../score/scoredColumns.ts'
import { type Scores, scoresInMemory } from '../score/scores.ts'
import { InputError, type InputPosition } from '../unit/inputError.ts'
import { changedBuiltIn } from './builtIns.ts'
import { EditedInput, type Points, reloaded } from './points.ts'
import type { TaskSpec } from './task.ts'
import { taskIdOf, withSeed } from './taskIdentity.ts'

/** A task as a worker gets it. */
export interface SessionOrder {
  readonly spec: TaskSpec
  /** Identity of the task as its sender worked it out. */
  readonly id: string
  /** Digest of the source tree as its sender worked it out. */
  readonly sourceTree: string
  /** Names this play of the task among all that run. */
  readonly name: string
  /** Ticks of its history, where threads share them. */
  readonly ticks: SharedHistory | null
  /** Whether the session is played twice in a row, to see whether both give the same. */
  readonly twice: boolean
  /** Whether strategy files run as any module of Node does, and in no room. */
  readonly isTrusted: boolean
}

/** What a worker answers. Errors are data, because their classes do not survive the message. */
export type SessionAnswer =
  | { readonly kind: 'played'; readonly digest: string; readonly scores: readonly Scores[]; readonly differs: boolean }
  | { readonly kind: 'strategy' | 'bug'; readonly who: string | null; readonly message: string }
  /** The operating system refused, such as for a full disk. It is no fault of the session. */
  | { readonly kind: 'system' } & SystemWords
  | { readonly kind: 'input'; readonly message: string; readonly position: InputPosition | undefined; readonly hint: string | undefined }

interface ScoredSession {
  readonly digest: string
  readonly scores: readonly Scores[]
}

/** What a worker says on its own while it has a task. */
export type SessionNotice = { readonly name: string } & (
  /** The time limit starts anew. */
  | { readonly kind: 'begins'; readonly thread: number; readonly calls: WatchedCalls }
  /** No strategy runs, so that the time limit stands still. */
  | { readonly kind: 'rests' }
  /** The worker's answer, after which it ends itself. Another thread plays what comes next. */
  | { readonly kind: 'ends'; readonly answer: SessionAnswer }
)

/** The thread that plays sessions. */
export interface SessionThread {
  readonly points: Points
  /** Digest of the source tree as this thread loaded it. */
  readonly sourceTree: string
  /** Called before each play. A play begins with the loading of strategies. */
  readonly begins: (prepared: PreparedScenario) => void
}

/**
 * Plays the session of a task in this thread and scores it, from tables that stay in memory. Strategy files are imported anew for each play,
 * so that nothing that their modules keep reaches another session.
 */
export async function playSession({ points, sourceTree: loaded, begins }: SessionThread, order: SessionOrder): Promise<SessionAnswer> {
  const { spec, sourceTree } = order
  try {
    if (loaded !== sourceTree) throw new InputError('the source of parlor was edited while sessions were played', { hint: 'start again' })
    if (order.ticks !== null) points.share(order.ticks)
    const point = await points.of(spec)
    const prepared = withSeed({ ...point, record: { ...point.record, tables: true, parquet: false } }, spec.seed)
    begins(prepared)
    const first = await playScored(prepared, order)
    if (!order.twice) return { kind: 'played', ...first, differs: false }
    begins(prepared)
    return { kind: 'played', ...first, differs: !isDeepStrictEqual(await playAgain(prepared, order), first) }
  } catch (error) {
    return answerOf(order.isTrusted && error instanceof EditedInput ? blamed(error, points.files) : error)
  }
}

/** A trusted strategy shares the language with parlor. Where it has changed a built-in, what parlor reads may seem to be another input. */
function blamed(error: EditedInput, files: readonly string[]): InputError {
  const changed = changedBuiltIn()
  const [file, ...more] = files
  if (changed === null || file === undefined) return error
  const message = more.length === 0 ? `the strategy changed ${changed}` : `one of the strategies ${files.join(', ')} changed ${changed}`
  return new InputError(`${message}, which parlor uses too: its task cannot be told from another`, {
    position: { file }, hint: 'under --trusted a strategy shares the built-in objects with parlor: leave them as they are',
  })
}

async function playScored(prepared: PreparedScenario, { spec, id, sourceTree, isTrusted }: SessionOrder): Promise<ScoredSession> {
  const fresh = await reloaded(prepared, importOf(isTrusted))
  if (taskIdOf(fresh, sourceTree) !== id) {
    throw new EditedInput('the scenario, a strategy or the history was edited while sessions were played', {
      position: { file: pathOf(spec.scenario) }, hint: 'start again: what is finished is kept',
    })
  }
  const { tables, ...played } = await playInMemory(fresh, identityOf(fresh, sourceTree), SCORED_COLUMNS)
  return { digest: played.digest, scores: scoresInMemory(played, tables) }
}

/** Plays a session again. Returns null when a strategy throws that did not throw in the first play. */
async function playAgain(prepared: PreparedScenario, order: SessionOrder): Promise<ScoredSession | null> {
  try {
    return await playScored(prepared, order)
  } catch (error) {
    if (error instanceof StrategyFailure) return null
    throw error
  }
}

function answerOf(error: unknown): SessionAnswer {
  // Found as the session is made: one entry of a league does not end the league.
  if (error instanceof HandlerMistakes) return { kind: 'strategy', who: error.participant, message: error.describe() }
  if (error instanceof InputError) {
    const { message, position, hint } = error
    return { kind: 'input', message, position, hint }
  }
  if (error instanceof StrategyFailure) return { kind: 'strategy', who: error.participant, message: withoutFresh(error.message) }
  if (isOfSystem(error)) return { kind: 'system', ...systemWordsOf(error as NodeJS.ErrnoException) }
  return { kind: 'bug', who: null, message: withoutFresh(error instanceof Error ? (error.stack ?? error.message) : String(error)) }
}
