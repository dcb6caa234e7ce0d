import { createHook } from 'node:async_hooks'
import { setImmediate } from 'node:timers/promises'
import { calledHere } from '../scenario/callWatch.ts'
import { isOwnWork } from '../unit/ownWork.ts'

/**
 * Resources that cannot call back later: something else settles a promise, and the others are done within a turn of the event loop. The
 * last one frees memory of the library that strips the types of a strategy.
 */
const HARMLESS = new Set(['PROMISE', 'TickObject', 'Microtask', 'CustomGC'])

const NAMES: Readonly<Record<string, string>> = { Timeout: 'a timer', Immediate: 'an immediate', FSREQCALLBACK: 'a file operation', FSREQPROMISE: 'a file operation' }

/** Something that a session left running, in words, and the participant whose strategy began it, null where that is not known. */
export interface OpenHandle {
  readonly what: string
  readonly who: string | null
}

/** Watches what a thread has begun and which of it may still call back, including timers that do not keep a process alive. */
export class OpenHandles {
  private readonly live = new Map<number, { readonly type: string; readonly who: string | null }>()
  private before: ReadonlyMap<string, number> = new Map()
  private timersBefore = 0

  constructor() {
    createHook({
      // What a callback begins belongs to the callback's participant.
      init: (id, type, triggeredBy) => {
        if (HARMLESS.has(type) || isOwnWork()) return
        this.live.set(id, { type, who: calledHere() ?? this.live.get(triggeredBy)?.who ?? null })
      },
      destroy: (id) => { this.live.delete(id) },
      // They are harmless, and Node would call its own code with each promise of a strategy.
      trackPromises: false,
    }).enable()
  }

  /** What exists before a session is not counted as left by the session. */
  async start(): Promise<void> {
    await settled()
    this.before = this.counts()
    this.timersBefore = timersRunning()
  }

  /** What the session since `start` left running, one of several things, null for nothing. */
  async found(): Promise<OpenHandle | null> {
    // This is checked before the event loop turns, because a short timer could end in that turn.
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

/** The number of timers that keep a thread alive. */
const timersRunning = (): number => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length

/** Two turns of the event loop: in the first, ended resources are reported. A promise that was left rejected ends this thread in them. */
async function settled(): Promise<void> {
  await setImmediate()
  await setImmediate()
}
