import { createHook } from 'node:async_hooks'
import { setImmediate } from 'node:timers/promises'
import { calledStrategy } from '../engine/calledStrategy.ts'

/**
 * What may still call back is none of these: a promise is settled by something else, the others are done within a turn, and the last frees what
 * the library held that took the types out of a strategy.
 */
const HARMLESS = new Set(['PROMISE', 'TickObject', 'Microtask', 'CustomGC'])

const NAMES: Readonly<Record<string, string>> = { Timeout: 'a timer', Immediate: 'an immediate', FSREQCALLBACK: 'a file operation', FSREQPROMISE: 'a file operation' }

/** Something that a session left running: in words, and whose strategy began it, null where that is not known. */
export interface OpenHandle {
  readonly what: string
  readonly who: string | null
}

/** Watches what a thread has begun and what of it may still call back, a timer that keeps no process alive among it. */
export class OpenHandles {
  private readonly live = new Map<number, { readonly type: string; readonly who: string | null }>()
  private before: ReadonlyMap<string, number> = new Map()
  private timersBefore = 0

  constructor() {
    createHook({
      // What a callback begins is whose the callback is.
      init: (id, type, triggeredBy) => {
        if (HARMLESS.has(type)) return
        this.live.set(id, { type, who: calledStrategy.who ?? this.live.get(triggeredBy)?.who ?? null })
      },
      destroy: (id) => { this.live.delete(id) },
    }).enable()
  }

  /** What is there before a session is none of its leftovers. */
  async start(): Promise<void> {
    await settled()
    this.before = this.counts()
    this.timersBefore = timersRunning()
  }

  /** What the session since `start` left running; null when nothing. Of several things one. */
  async found(): Promise<OpenHandle | null> {
    // Before the loop turns, which may be all that a short timer waits for.
    if (timersRunning() > this.timersBefore) return this.newest('Timeout')
    await settled()
    const more = [...this.counts()].find(([type, count]) => count > (this.before.get(type) ?? 0))
    return more === undefined ? null : this.newest(more[0])
  }

  private newest(type: string): OpenHandle {
    const who = [...this.live.values()].findLast((one) => one.type === type && one.who !== null)?.who ?? null
    return { what: NAMES[type] ?? `something (${type})`, who }
  }

  private counts(): Map<string, number> {
    const counts = new Map<string, number>()
    for (const { type } of this.live.values()) counts.set(type, (counts.get(type) ?? 0) + 1)
    return counts
  }
}

/** Those that keep a thread alive. */
const timersRunning = (): number => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length

/** Two turns of the loop: in the first, what is over is told to be. A promise that was left rejected ends this thread in them. */
async function settled(): Promise<void> {
  await setImmediate()
  await setImmediate()
}
