import { setTimeout } from 'node:timers/promises'
import { Interrupted, throwIfAborted } from '../unit/interrupted.ts'
import { InputError } from '../unit/inputError.ts'
import { describeFailure, RunFailure } from './failure.ts'

/** What every action takes that may take long. */
export interface ActionOptions {
  /** Gives the action up: it throws `Interrupted`, and leaves complete files or none. */
  readonly signal?: AbortSignal
  /** Gets a line for people: that a history is imported, that another process is waited for, or why there is no page. */
  readonly onNote?: (line: string) => void
}

/** What every action takes that plays strategy files. */
export interface TrustOption {
  /** Runs strategy files as any module of Node, with files, network, clock and packages. Otherwise each runs in a room, where it has none of these. */
  readonly trusted?: boolean
}

/** How far a session is. */
export interface SessionProgress {
  /** Share of the session that is done, 0…1. */
  readonly share: number
  /** Bettors that have come. */
  readonly arrivals: number
  readonly commands: number
}

/** The same once the caller's timers and listeners have had their turn: work that never waits would keep them from it. */
export async function throwIfAbortedMeanwhile(signal: AbortSignal | undefined): Promise<void> {
  await setTimeout(0)
  throwIfAborted(signal)
}

/** A signal that is never aborted, for those who ask for one. */
export const signalOf = ({ signal }: ActionOptions): AbortSignal => signal ?? new AbortController().signal

export const sayOf = ({ onNote }: ActionOptions): (line: string) => void => calling(onNote)

/** What a function of the caller's threw, on its way to the caller. It may be anything. */
class ThrownByCaller extends Error {
  override name = 'ThrownByCaller'
}

/** A function of the caller's. An action throws what the function throws, as it is. */
export function calling<Told extends readonly unknown[]>(callback: ((...told: Told) => void) | undefined): (...told: Told) => void {
  return (...told) => {
    try {
      callback?.(...told)
    } catch (cause) {
      throw new ThrownByCaller('a function of the caller threw', { cause })
    }
  }
}

/** Does what an action does. What it throws is a mistake of the caller's, an interruption, a bug, a `RunFailure`, or what a function of the caller's threw. */
export async function acting<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (error) {
    if (error instanceof ThrownByCaller) throw error.cause
    if (error instanceof InputError || error instanceof Interrupted || error instanceof RunFailure) throw error
    const isOfStrategy = error instanceof Error && error.name === 'StrategyFailure'
    const failure = isOfStrategy ? describeFailure(error, (await import('./watch/strategyFrame.ts')).frameAt) : describeFailure(error)
    throw failure.kind === 'bug' ? error : new RunFailure(failure, error)
  }
}
