import { PostingRows } from '../../src/ledger/postingRows.ts'
import type { Batch } from '../../src/record/sink.ts'
import { EventRows, Field } from '../../src/venue/eventRows.ts'
import { ParlayEvent } from '../../src/venue/parlay/protocol/events.ts'
import { ParlayJournal } from '../../src/venue/parlay/protocol/journal.ts'

/** A batch of the parlay service's rows, written by hand. */
export class HandRows implements Batch {
  readonly parlay = this
  readonly outcome = null
  readonly sequence = { next: 1 }
  readonly events = new EventRows(this.sequence, 0, 4)
  readonly postings = new PostingRows(this.sequence, 0, 4)
  readonly journal = new ParlayJournal(0, 4)

  row(atUs: number, kind: number, fields: Partial<Record<keyof typeof Field, number>>, list: readonly number[] = []): this {
    this.events.open(atUs, kind, fields.cause ?? -1)
    for (const [name, value] of Object.entries(fields)) this.events.set(Field[name as keyof typeof Field], value)
    for (const item of list) this.events.push(item)
    return this
  }

  request(atUs: number, number: number, list: readonly number[]): this {
    return this.row(atUs, ParlayEvent.requestCreated, { request: number, version: 1, account: 0, amountA: 5_000_000, untilUs: atUs + 100 }, list)
  }

  quote(atUs: number, number: number, request: number): this {
    return this.row(atUs, ParlayEvent.quoteSubmitted, {
      request, version: 1, quote: number, account: 1, oddsE4: 20_000, amountA: 4_950_000, amountB: 100, amountC: 4_950_000, untilUs: atUs + 50, bookSeq: 1,
    })
  }
}
