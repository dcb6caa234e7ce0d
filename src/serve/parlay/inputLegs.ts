import { readCell } from '../../venue/eventRows.ts'
import { RequestCreated } from '../../venue/parlay/protocol/events.ts'
import { legsOfRow } from '../../venue/parlay/wire/legBody.ts'
import type { KindOf } from '../../venue/eventCells.ts'
import type { KeptRow } from '../keptRow.ts'

/** The content of a call that makes a version of a request: the legs as numbers and as they were sent. */
export interface SentLegs {
  readonly account: number
  readonly betMicros: number
  /** Market and side of each. */
  readonly legs: readonly (readonly [market: number, side: number])[]
  readonly asSent: readonly unknown[]
}

/**
 * `input_legs` of requests whose clients call here (PQ-045). The row of a version comes before the answer to its call. The row is therefore
 * matched to the waiting call with the same legs and bet. The answer settles which call it was.
 */
export class InputLegs {
  private readonly waiting = new Set<SentLegs>()
  private readonly ofRequest = new Map<number, Map<number, readonly unknown[]>>()

  waitFor(sent: SentLegs): void {
    this.waiting.add(sent)
  }

  take(row: KeptRow<KindOf<typeof RequestCreated>>): void {
    if (this.waiting.size === 0) return
    const owner = readCell(row, RequestCreated.owner)
    const betMicros = readCell(row, RequestCreated.betMicros)
    const content = legsOfRow(row)
    const isSame = ({ account, legs, betMicros: bet }: SentLegs): boolean => account === owner && bet === betMicros && legs.length === content.length &&
      legs.every(([market, side], i) => market === content[i]!.market && side === content[i]!.side)
    for (const sent of this.waiting) {
      if (isSame(sent)) return this.set(readCell(row, RequestCreated.request), readCell(row, RequestCreated.version), sent)
    }
  }

  /** The call is answered: with a version of a request, or with null. */
  settle(sent: SentLegs, made: { readonly request: number; readonly version: number } | null): void {
    this.waiting.delete(sent)
    if (made !== null) this.set(made.request, made.version, sent)
  }

  /** Undefined where no client sent the version. */
  of(request: number, version: number): readonly unknown[] | undefined {
    return this.ofRequest.get(request)?.get(version)
  }

  requestForgotten(request: number): void {
    this.ofRequest.delete(request)
  }

  private set(request: number, version: number, { asSent }: SentLegs): void {
    const versions = this.ofRequest.get(request)
    if (versions === undefined) this.ofRequest.set(request, new Map([[version, asSent]]))
    else versions.set(version, asSent)
  }
}
