import { type PostingRows, PostingField } from '../../ledger/postingRows.ts'
import type { Batch, ServiceBatch } from '../../record/sink.ts'
import { SECOND_US } from '../../unit/time.ts'
import { EventCell } from '../../venue/eventRows.ts'
import type { VaultCall } from '../vaultCall.ts'
import { isBalance } from './parties.ts'
import type { MirrorLog, ServiceReader } from './serviceReader.ts'
import type { Movement, SettlementStep, StepEntry } from './settlementStep.ts'

/**
 * Reads the rows of one service, events and postings in the order of seq, into steps. The last second of a batch is kept until a
 * later one begins, so steps do not depend on how a session was cut into batches.
 */
export class StepReader {
  private readonly service: 'parlay' | 'outcome'
  private readonly reader: ServiceReader
  private readonly log: EntryLog
  private atS = -1
  private entries: StepEntry[] = []
  private done: SettlementStep[] = []

  constructor(service: 'parlay' | 'outcome', reader: ServiceReader) {
    this.service = service
    this.reader = reader
    this.log = new EntryLog((entry) => { this.entries.push(entry) })
  }

  /** The steps that the batch completes. */
  read(batch: Batch): SettlementStep[] {
    const own = batch[this.service]
    if (own === null) return []
    this.reader.begin(batch)
    this.readRows(own)
    return this.taken()
  }

  /** The step that no later row can add to. */
  finish(): SettlementStep[] {
    this.endStep()
    return this.taken()
  }

  private readRows({ events, postings }: ServiceBatch): void {
    let posting = 0
    for (let i = 0; i < events.count; i++) {
      const row = events.row(i)
      const seq = events.read(row, EventCell.seq)
      while (posting < postings.count && postings.get(posting, PostingField.seq) < seq) this.posted(postings, posting++)
      const atUs = events.read(row, EventCell.atUs)
      this.advance(atUs)
      this.log.row = { seq, atUs, event: this.reader.eventNames[events.kindOf(row)] ?? '' }
      this.reader.happened(events, row, this.log)
    }
    while (posting < postings.count) this.posted(postings, posting++)
  }

  private posted(postings: PostingRows, row: number): void {
    this.advance(postings.get(row, PostingField.atUs))
    const position = this.reader.positionOf(postings, row)
    const movement = movementOf(postings, row, position)
    if (!isHoldOrRelease(movement)) this.entries.push({ kind: 'posting', movement })
  }

  private advance(atUs: number): void {
    const atS = Math.floor(atUs / SECOND_US)
    if (atS === this.atS) return
    this.endStep()
    this.atS = atS
  }

  private endStep(): void {
    if (this.entries.length === 0) return
    this.done.push({ atS: this.atS, entries: this.entries })
    this.entries = []
  }

  private taken(): SettlementStep[] {
    const done = this.done
    this.done = []
    return done
  }
}

/** Makes entries of what a reader says about a row. */
class EntryLog implements MirrorLog {
  /** The one that is being read. */
  row: { readonly seq: number; readonly atUs: number; readonly event: string } = { seq: -1, atUs: -1, event: '' }
  private readonly add: (entry: StepEntry) => void

  constructor(add: (entry: StepEntry) => void) {
    this.add = add
  }

  call(call: VaultCall): void {
    this.add({ kind: 'call', call, event: this.row.event })
  }

  waits(position: number): void {
    this.add({ kind: 'waits', position })
  }

  failed(position: number): void {
    this.add({ kind: 'failed', position, ...this.row })
  }

  ahead(transaction: number, account: number, amountMicros: number): void {
    this.add({ kind: 'ahead', transaction, account, amountMicros })
  }

  caughtUp(transaction: number): void {
    this.add({ kind: 'caughtUp', transaction })
  }
}

const movementOf = (postings: PostingRows, row: number, position: number): Movement => ({
  seq: postings.get(row, PostingField.seq),
  atUs: postings.get(row, PostingField.atUs),
  cause: postings.get(row, PostingField.cause),
  debitKind: postings.get(row, PostingField.debitKind),
  debitOwner: postings.get(row, PostingField.debitOwner),
  creditKind: postings.get(row, PostingField.creditKind),
  creditOwner: postings.get(row, PostingField.creditOwner),
  amountMicros: postings.get(row, PostingField.amountMicros),
  position,
})

/** Whether money only changes between free and reserved of one account, which a chain does not tell apart. */
const isHoldOrRelease = ({ debitKind, debitOwner, creditKind, creditOwner }: Movement): boolean =>
  debitOwner === creditOwner && isBalance(debitKind) && isBalance(creditKind)
