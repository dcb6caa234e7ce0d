import { setImmediate } from 'node:timers/promises'
import { promiseHooks } from 'node:v8'
import { callNumber, calledStrategy } from '../agent/calledStrategy.ts'
import { shownWords } from '../unit/visibleText.ts'
import { roomOfPromise } from './room.ts'
import type { PreparedScenario } from './run.ts'

const TEXT_MAX = 2000

/** Participants that play in this thread, with the files of their strategies; undefined for a built-in one. */
export type Players = readonly { readonly name: string; readonly path: string | undefined }[]

/** Those of a scenario, nobody while its strategies are loaded. */
export function playersOf(playing: Pick<PreparedScenario, 'resolved' | 'strategies'> | null): Players {
  if (playing === null) return []
  const { resolved: { makers, bettors }, strategies: { maker, bettor } } = playing
  return [
    ...makers.map(({ name, strategy }) => ({ name, path: maker.get(strategy)?.path })), ...bettors.map(({ name, strategy }) => ({ name, path: bettor.get(strategy)?.path })),
  ]
}

/** A promise that a strategy left rejected. */
export interface Rejection {
  /** The strategy file that left it, null where that is not known. */
  readonly file: string | null
  /** The participant that was being called when it was rejected, or when it was made; null where nobody was. */
  readonly participant: string | null
  /** What it was rejected with. */
  readonly message: string
  /** Where that comes from, null where nobody knows. */
  readonly stack: string | null
}

/** Participants by the promises that were made or settled while they were called. A strategy can hide what its promises are, and not this. */
const callees = new WeakMap<object, string>()

function rememberCallee(promise: object): void {
  const { who } = calledStrategy
  if (who !== null) callees.set(promise, who)
}

/**
 * Tells of promises that strategies of this thread left rejected. In a thread where nobody listens such a promise ends the thread. `players` gives
 * nobody while strategies are loaded: reading what a promise was rejected with is a call of the strategy.
 */
export function onRejected(players: () => Players, tell: (rejection: Rejection) => void): void {
  promiseHooks.createHook({ init: rememberCallee, settled: rememberCallee })
  process.on('unhandledRejection', (reason, promise) => { tell(rejectionOf(reason, promise, players())) })
  // An object of a strategy must not be written out by Node, which calls what it finds in it.
  process.setUncaughtExceptionCaptureCallback((thrown: unknown) => { throw thrown instanceof Error ? thrown : new Error('something was thrown that is no error') })
}

/** A promise that a strategy left rejected before is told of in these turns. */
export async function rejectionsTold(): Promise<void> {
  await setImmediate()
  await setImmediate()
}

function rejectionOf(reason: unknown, promise: object, players: Players): Rejection {
  const room = roomOfPromise(promise)
  const participant = callees.get(promise) ?? null
  if (room === null) return { file: null, participant, ...textsOf(reason) }
  const { file } = room
  const name = participant ?? namesOf(players, (path) => path === file)[0]
  calledStrategy.enter(name === undefined ? 0 : calledStrategy.numberOf(name), callNumber('a rejected promise'))
  try {
    const { message, stack = null } = room.errorOf(reason)
    return { file, participant, message, stack }
  } finally {
    calledStrategy.leave()
  }
}

/** The texts of a promise that no room made. A reason that is no error of this realm may be a strategy's, and is not touched. */
function textsOf(reason: unknown): Pick<Rejection, 'message' | 'stack'> {
  if (reason instanceof Error) return { message: reason.message.slice(0, TEXT_MAX), stack: reason.stack?.slice(0, TEXT_MAX) ?? null }
  const isObject = typeof reason === 'object' || typeof reason === 'function'
  return { message: isObject && reason !== null ? 'something that is no error' : String(reason).slice(0, TEXT_MAX), stack: null }
}

/** A strategy left a promise rejected: the play fails (exit code 1), as when a handler throws. */
export class RejectedPromise extends Error {
  override name = 'StrategyFailure'
  /** Null where nobody was called, and the file is not known or several participants play it. */
  declare readonly participant: string | null

  /** @param players those who play, nobody before strategies are loaded. */
  constructor({ file, participant, message, stack }: Rejection, players: Players) {
    // A file in no room is known by its error's own frames.
    const isOne = (path: string): boolean => (file === null ? stack?.includes(path) === true : path === file)
    const names = participant !== null ? [participant] : namesOf(players, isOne)
    const who = names.length > 0 ? `strategy of ${names.join(', ')}` : file === null ? 'a strategy' : `the strategy ${file}`
    super(`${who} left a promise that was rejected: ${shownWords(message)}`, { cause: Object.assign(new Error(message), { stack: stack ?? '' }) })
    this.participant = names.length === 1 ? names[0]! : null
  }
}

/** Participants whose strategy file is one of some. */
const namesOf = (players: Players, isOne: (path: string) => boolean): string[] => players.filter(({ path }) => path !== undefined && isOne(path)).map(({ name }) => name)
