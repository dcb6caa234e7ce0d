import { setInterval } from 'node:timers/promises'
import { vi } from 'vitest'

const LOOK_MS = 10

/**
 * Plays what runs into a limit of `limitMs`. The timers of this thread stand still, and the limit is over when `isDue` says so: what never
 * ends is given up at once, and what is sound has all the time that a busy machine takes.
 */
export async function overLimit<T>(limitMs: number, isDue: () => boolean, play: () => Promise<T>): Promise<T> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const watch = new AbortController()
  const watched = passWhenDue(limitMs, isDue, watch.signal)
  try {
    return await play()
  } finally {
    watch.abort()
    await watched
    vi.useRealTimers()
  }
}

/** Looks again and again: the timer may not have been set yet. */
async function passWhenDue(limitMs: number, isDue: () => boolean, signal: AbortSignal): Promise<void> {
  for await (const _ of setInterval(LOOK_MS)) {
    if (signal.aborted) return
    if (isDue()) vi.advanceTimersByTime(limitMs)
  }
}
