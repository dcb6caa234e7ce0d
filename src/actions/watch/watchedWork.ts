import { parentPort } from 'node:worker_threads'
import { listenToCalls } from '../../scenario/callWatch.ts'
import { onRejected, type Players, RejectedPromise, rejectionsTold } from '../../scenario/rejections.ts'
import { readyForRooms } from '../../scenario/roomModules.ts'
import { describeFailure } from '../failure.ts'
import { frameAt } from './strategyFrame.ts'
import type { WatchedNotice } from './watchedThread.ts'

/** What a thread in which strategies run tells the one that watches it (watchedThread.ts). */

export function tell<Notice extends { readonly kind: string } = WatchedNotice>(notice: Notice): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port of a worker has no origin
  parentPort!.postMessage(notice)
}

/** Does what runs code of a strategy file outside of every call, such as its loading. */
export async function whileLoading<T>(path: string, isTrusted: boolean, act: () => Promise<T>): Promise<T> {
  if (!isTrusted) await readyForRooms()
  tell({ kind: 'loading', path })
  try {
    const result = await act()
    // Reading what it left rejected is a call of its code.
    await rejectionsTold()
    return result
  } finally {
    tell({ kind: 'loading', path: null })
  }
}

/** From now on strategies of these participants may be called. */
export function tellBegins(names: readonly string[]): void {
  tell({ kind: 'begins', calls: listenToCalls(names) })
}

export function tellFailure(error: unknown): void {
  if (error instanceof Error && error.name === 'Interrupted') tell({ kind: 'interrupted' })
  else tell({ kind: 'failed', failure: describeFailure(error, frameAt) })
}

/** A promise that a strategy leaves rejected ends the thread. */
export function tellRejections(players: () => Players): void {
  onRejected(players, (rejection) => {
    tellFailure(new RejectedPromise(rejection, players()))
    process.exit(1)
  })
}
