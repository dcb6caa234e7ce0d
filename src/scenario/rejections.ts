import { fileOfPromise } from './room.ts'
import type { PreparedScenario } from './run.ts'

const TEXT_MAX = 2000

/** A promise that a strategy left rejected. */
export interface Rejection {
  /** The strategy file that left it, null where that is not known. */
  readonly file: string | null
  /** What it was rejected with. */
  readonly message: string
  readonly reason: unknown
}

/** Tells of promises that strategies of this thread left rejected. In a thread where nobody listens such a promise ends the thread. */
export function onRejected(tell: (rejection: Rejection) => void): void {
  process.on('unhandledRejection', (reason, promise) => { tell({ file: fileOfPromise(promise), message: textOf(reason), reason }) })
}

/** A strategy left a promise rejected: the play fails (exit code 1), as when a handler throws. */
export class RejectedPromise extends Error {
  override name = 'StrategyFailure'
  /** Null where the file is not known, or several participants play it. */
  declare readonly participant: string | null

  /** @param prepared the scenario that is played, null before its strategies are loaded. */
  constructor({ file, message, reason }: Rejection, prepared: Pick<PreparedScenario, 'resolved' | 'strategies'> | null) {
    const stack = textIn(reason, 'stack') ?? ''
    const names = prepared === null ? [] : namesOf(prepared, (path) => path === file || (file === null && stack.includes(path)))
    const who = names.length > 0 ? `strategy of ${names.join(', ')}` : file === null ? 'a strategy' : `the strategy ${file}`
    super(`${who} left a promise that was rejected: ${message}`, { cause: Object.assign(new Error(message), { stack }) })
    this.participant = names.length === 1 ? names[0]! : null
  }
}

/** Participants whose strategy file is one of some. */
function namesOf({ resolved: { makers, bettors }, strategies: { maker, bettor } }: Pick<PreparedScenario, 'resolved' | 'strategies'>, isOne: (path: string) => boolean): string[] {
  const playing = [
    ...makers.map(({ name, strategy }) => ({ name, path: maker.get(strategy)?.path })), ...bettors.map(({ name, strategy }) => ({ name, path: bettor.get(strategy)?.path })),
  ]
  return playing.filter(({ path }) => path !== undefined && isOne(path)).map(({ name }) => name)
}

const textOf = (reason: unknown): string => (typeof reason === 'object' && reason !== null ? textIn(reason, 'message') ?? 'something that is no error' : String(reason))

/** A text of what a strategy threw, without trusting it. */
function textIn(reason: unknown, name: string): string | null {
  if (typeof reason !== 'object' || reason === null) return null
  try {
    const text: unknown = Reflect.get(reason, name)
    return typeof text === 'string' ? text.slice(0, TEXT_MAX) : null
  } catch {
    return null
  }
}
