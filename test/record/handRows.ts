import { PostingRows } from '../../src/ledger/postingRows.ts'
import type { Batch } from '../../src/record/sink.ts'
import type { Kind } from '../../src/venue/eventCells.ts'
import { EventCell, EventRows } from '../../src/venue/eventRows.ts'
import { ParlayEvent } from '../../src/venue/parlay/protocol/events.ts'
import { ParlayJournal } from '../../src/venue/parlay/protocol/journal.ts'
import { cellNamed } from '../venue/namedCells.ts'
import { kindNames, replyNames } from '../venue/parlay/cellNames.ts'

/** A batch of the parlay service's rows, written by hand. */
export class HandRows implements Batch {
  readonly parlay = this
  readonly outcome = null
  readonly sequence = { next: 1 }
  readonly events = new EventRows(this.sequence, 0, 4)
  readonly postings = new PostingRows(this.sequence, 0, 4)
  readonly journal = new ParlayJournal(0, 4)

  /** @param fields by the names of the kind, of a reply by those of its opcode and code; `cause` is the command. */
  row(atUs: number, kind: Kind, { cause = -1, ...fields }: Readonly<Record<string, number>>, list: readonly number[] = []): this {
    const row = this.events.open(atUs, kind, cause)
    const names = { ...EventCell, ...(Number(kind) === ParlayEvent.reply ? replyNames(fields['op']!, fields['code']!) : kindNames(kind)) }
    for (const [name, value] of Object.entries(fields)) this.events.write(row, cellNamed(names, name), value)
    for (const item of list) this.events.push(item)
    return this
  }

  request(atUs: number, number: number, list: readonly number[]): this {
    return this.row(atUs, ParlayEvent.requestCreated, { request: number, version: 1, owner: 0, betMicros: 5_000_000, expiresAtUs: atUs + 100 }, list)
  }

  quote(atUs: number, number: number, request: number): this {
    return this.row(atUs, ParlayEvent.quoteSubmitted, {
      request, version: 1, quote: number, maker: 1, oddsE4: 20_000, riskMicros: 4_950_000, takerFeeBps: 100, netStakeMicros: 4_950_000,
      expiresAtUs: atUs + 50, bookSeq: 1,
    })
  }
}
