import { type Act, type Answer, type Call, isWake, type Wake } from '../link.ts'

/** Statuses of a call that was turned away before it was looked at. */
const TURNED_AWAY = new Set([429, 503])
const SECOND_US = 1_000_000

/** A call that was turned away is made again. */
export interface AgainTag {
  readonly of: 'again'
  readonly call: Call
}

/** What a client waits for: answers and times. A session that drops the client forgets both. No two acts have one tag. */
export class Waiting {
  private readonly calls = new Map<unknown, Call>()
  private readonly wakes = new Map<unknown, Wake>()
  /** Tags of what was done before: a call may have been carried out then. */
  private readonly repeated = new Set<unknown>()

  add(acts: readonly Act[]): void {
    for (const act of acts) {
      if (isWake(act)) this.wakes.set(act.tag, act)
      else this.calls.set(act.tag, act)
    }
  }

  /** Its answer or its time has come. */
  over(tag: unknown): void {
    this.calls.delete(tag)
    this.wakes.delete(tag)
  }

  /** All of it, which is waited for no longer: calls in their order, and times as they come. */
  take(): { readonly calls: readonly Call[]; readonly wakes: readonly Wake[] } {
    const taken = { calls: [...this.calls.values()], wakes: [...this.wakes.values()].sort((a, b) => a.wakeUs - b.wakeUs) }
    this.calls.clear()
    this.wakes.clear()
    return taken
  }

  /** These are done once more. */
  repeat(acts: readonly Act[]): void {
    for (const { tag } of acts) this.repeated.add(tag)
  }

  /**
   * When a call that was made once more is to be made again, because its answer says nothing about what became of it; null for any other answer.
   * @param call before `over` was called.
   */
  again(tag: unknown, { status, headers }: Answer, nowUs: number): Wake | null {
    const call = this.calls.get(tag)
    if (call === undefined || !this.repeated.has(tag)) return null
    if (TURNED_AWAY.has(status)) return { wakeUs: nowUs + Number(headers['retry-after'] ?? 1) * SECOND_US, tag: { of: 'again', call } satisfies AgainTag }
    this.repeated.delete(tag)
    return null
  }
}
