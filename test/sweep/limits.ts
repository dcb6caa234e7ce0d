import { setTimeout } from 'node:timers/promises'
import { vi } from 'vitest'

const LOOK_MS = 10

/**
 * Plays what runs into a limit of `limitMs`. The clock by which this thread looks at others stands still, and the limit is over when `isDue`
 * says so: what never ends is given up at once, and what is sound has all the time that a busy machine takes.
 */
export async function overLimit<T>(limitMs: number, isDue: () => boolean, play: () => Promise<T>): Promise<T> {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
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

/** Looks again and again: nobody may look at the thread yet, and time in which this process does not work counts for less. */
async function passWhenDue(limitMs: number, isDue: () => boolean, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await setTimeout(LOOK_MS)
    if (!signal.aborted && isDue()) vi.advanceTimersByTime(limitMs)
  }
}

/** Goes on as after a stop of this process: all at once it is later than any limit. Resolves when threads were looked at again, or all of `playing` is over. */
export async function stoppedFor(ms: number, playing: Promise<unknown>): Promise<void> {
  const real = performance.now.bind(performance)
  const spy = vi.spyOn(performance, 'now').mockImplementation(() => real() + ms)
  // Timers that were due meanwhile.
  vi.advanceTimersByTime(ms)
  const end = { hasCome: false }
  playing.finally(() => { end.hasCome = true }).catch(() => {})
  while (spy.mock.calls.length < 2 && !end.hasCome) await setTimeout(LOOK_MS)
}
