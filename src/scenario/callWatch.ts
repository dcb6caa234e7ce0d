import { getHeapStatistics } from 'node:v8'
import type { Worker } from 'node:worker_threads'
import { type Called, calledIn, type CallName, calledStrategy } from '../agent/calledStrategy.ts'
import type { CallLimits } from './strategyLimits.ts'
import { quantityText } from './units.ts'

const MIB = 2 ** 20

/** What a strategy did that ends the play: the participant, and what is to be said of it. */
export interface Excess {
  readonly kind: 'endless' | 'memory'
  readonly who: string
  readonly message: string
}

/** What a thread that plays tells the one that watches it, before it calls strategies. */
export interface WatchedCalls {
  /** Participants, by the numbers that stand for them in `called`. */
  readonly names: readonly string[]
  /** The memory in which the thread says whom it calls (calledStrategy.ts). */
  readonly called: Int32Array
  /** What its arrays take by now, beside its heap. */
  readonly arrayBytes: number
}

/** Listens to the calls of these participants' strategies in this thread from now on, until the next call of it. Returns what a watching thread is told. */
export function listenToCalls(names: readonly string[]): WatchedCalls {
  calledStrategy.listen(names)
  return { names, called: calledStrategy.cell, arrayBytes: getHeapStatistics().external_memory }
}

/** The participant whose strategy this thread is calling, null for nobody. */
export const calledHere = (): string | null => calledStrategy.who

/** Looks at a thread that plays, from another one: how long one call of a strategy goes on there, and how much memory arrays take. */
export class CallWatch {
  private readonly limits: CallLimits
  private calls: WatchedCalls | null = null
  private pulse = NaN
  private lookedMs = 0
  private forMs = 0
  /** What the thread's arrays took at the last look. */
  private arrayBytes = 0
  private isAsking = false

  constructor(limits: CallLimits) {
    this.limits = limits
  }

  /** From now on strategies may be called. */
  begin(calls: WatchedCalls): void {
    this.calls = calls
    this.pulse = NaN
    this.forMs = 0
    this.arrayBytes = calls.arrayBytes
  }

  /** The participant whose strategy is being called, or was when the thread ended, and for what. */
  get called(): (Called & { readonly who: string }) | null {
    const called = this.calls === null ? null : calledIn(this.calls.called, this.calls.names)
    return called === null || called.who === null ? null : { ...called, who: called.who }
  }

  /** What is to be said when the thread is ended by a signal: whose call did not return, if there is one. */
  interruption(loading: string | null): string {
    const { called } = this
    if (loading !== null) return `interrupted: nothing was left; the loading of ${loading} did not end`
    return called === null ? 'interrupted' : `interrupted: nothing was left; strategy of ${called.who} did not return from ${called.handler}`
  }

  /** For how long the present call has been seen to go on, ms; 0 while nobody is called. */
  get stillMs(): number {
    return this.forMs
  }

  /** What is over its limit. Ask for it every `LOOK_MS`, with the time of a `WorkClock`. */
  look(nowMs: number, thread: Pick<Worker, 'getHeapStatistics'> | null): Excess | null {
    const { called, limits: { callLimitMs, memoryLimitMiB } } = this
    const pulse = called?.pulse ?? NaN
    this.forMs = pulse === this.pulse ? this.forMs + nowMs - this.lookedMs : 0
    this.pulse = pulse
    this.lookedMs = nowMs
    if (thread !== null && this.calls !== null) this.askForArrays(thread)
    if (called === null) return null
    const { who, handler } = called
    if (this.forMs >= callLimitMs) return { kind: 'endless', who, message: `strategy of ${who} did not return from ${handler} within ${callLimitMs / 1000} s` }
    if (this.arrayBytes - this.calls!.arrayBytes > memoryLimitMiB * MIB) return { kind: 'memory', ...this.outOfMemory(who, handler) }
    return null
  }

  /** What is to be said of a thread that ended for want of memory, null where no strategy was called. */
  endedForMemory(): Excess | null {
    const { called } = this
    return called === null ? null : { kind: 'memory', ...this.outOfMemory(called.who, called.handler) }
  }

  private outOfMemory(who: string, handler: CallName): { readonly who: string; readonly message: string } {
    return { who, message: `strategy of ${who} ran out of memory in ${handler}: more than ${quantityText('memory', this.limits.memoryLimitMiB)}` }
  }

  /** The limit of a thread's heap is no limit for arrays, which lie outside of it. The thread answers also in the middle of a call. */
  private askForArrays(thread: Pick<Worker, 'getHeapStatistics'>): void {
    if (this.isAsking) return
    this.isAsking = true
    const { calls } = this
    thread.getHeapStatistics().then(({ external_memory: bytes }) => {
      if (calls === this.calls) this.arrayBytes = bytes
    }, () => {}).finally(() => { this.isAsking = false })
  }
}
