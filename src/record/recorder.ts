import { join } from 'node:path'
import { TableWriter } from '../arrow/tableWriter.ts'
import { assert } from '../unit/assert.ts'
import { MINUTE_US, MS_US, SECOND_US } from '../unit/time.ts'
import { PostingField } from '../ledger/postingRows.ts'
import { type EventRows, Field, NONE } from '../venue/eventRows.ts'
import { ParlayCode } from '../venue/parlay/protocol/codes.ts'
import { ParlayOp } from '../venue/parlay/protocol/commands.ts'
import { ParlayEvent } from '../venue/parlay/protocol/events.ts'
import { PARLAY_GATE_SETTINGS } from '../venue/parlay/protocol/gate.ts'
import { AuctionRows } from './auctionRows.ts'
import { type Cast, CastCodes } from './cast.ts'
import { auctionTable, BidEnd, bidTable } from './cashOutTables.ts'
import { EquityRows } from './equityRows.ts'
import { JournalRows } from './journalRows.ts'
import { LedgerRows } from './ledgerRows.ts'
import { journalTable, rejectionTable, webhookTable } from './logTables.ts'
import { removeManifest } from './manifest.ts'
import { MarkRows } from './markRows.ts'
import { equityTable, ledgerTable, markTable, vaultTransactionTable } from './moneyTables.ts'
import type { ProfitFeeRules } from './openPositions.ts'
import { PositionRows } from './positionRows.ts'
import { QuoteRows } from './quoteRows.ts'
import { Reference, type ReferencePort } from './reference.ts'
import { isRejection, RejectionRows } from './rejectionRows.ts'
import { RequestRows } from './requestRows.ts'
import type { Batch, ParlayBatch, Sink } from './sink.ts'
import { acceptanceTable, positionTable, QuoteEnd, quoteTable, RequestEnd, requestTable, settlementTable } from './tables.ts'
import { SCHEMA_VERSION, type TableShape } from './tableShape.ts'
import { VaultRows } from './vaultRows.ts'
import { WebhookRows } from './webhookRows.ts'

export const DEFAULT_HORIZONS_US: readonly number[] = [10 * SECOND_US, MINUTE_US, 10 * MINUTE_US]
export const DEFAULT_EQUITY_EVERY_US = MINUTE_US
/** As the profile has them by default. */
export const DEFAULT_PROFIT_FEES: ProfitFeeRules = { onTransfer: true, onMaker: false }
export const DEFAULT_DELIVERY_RETENTION_US = PARLAY_GATE_SETTINGS.deliveryRetentionMs.default * MS_US

export interface RecorderOptions {
  /** The run's folder; tables go into `tables/` under it. An older manifest there is removed. */
  readonly dir: string
  readonly cast: Cast
  /** Most legs of a parlay, of the profile. Tables show the first 8. */
  readonly legsMax: number
  /** What identifies the run; goes into every table's schema metadata beside `schema_version`. */
  readonly identity: Readonly<Record<string, string>>
  /** Null: every reference is null. */
  readonly reference: ReferencePort | null
  /** Horizons of the `marks` table, µs; default 10 s, 60 s, 10 min. */
  readonly horizonsUs?: readonly number[]
  /** Span between rows of the `equity` table, µs; default 60 s; 0: none. */
  readonly equityEveryUs?: number
  /** Where profit fees fall, of the profile: what an open position is worth depends on it. */
  readonly profitFees?: ProfitFeeRules
  /** How long an ended webhook delivery can be asked for again, µs, of the gate's profile: it is forgotten then. */
  readonly deliveryRetentionUs?: number
  /** Rows of a record batch; default 65,536. */
  readonly batchRows?: number
}

/** A table that a run left. */
export interface TableFile {
  readonly name: string
  readonly path: string
  readonly rows: number
}

/**
 * Builds a session's tables (design.md, "What a run leaves") from its rows. An entity's row is written when the entity
 * ends, so memory is bounded by what is open. Marks and equity are samples: one due at an instant is taken when a row
 * passes it, and so counts everything up to and at that instant.
 */
export class Recorder implements Sink {
  private readonly writers: TableWriter[] = []
  private readonly reference: Reference
  private readonly requests: RequestRows
  private readonly quotes: QuoteRows
  private readonly positions: PositionRows
  private readonly auctions: AuctionRows
  private readonly vaults: VaultRows
  private readonly webhooks: WebhookRows
  private readonly ledger: LedgerRows
  private readonly marks: MarkRows
  private readonly equity: EquityRows
  private readonly rejections: RejectionRows
  private readonly journal: JournalRows
  /** Instant and seq of the last row. */
  private nowUs = NONE
  private seq = 0
  /** The earliest sample, kept so that a row costs one comparison. */
  private nextSampleUs = Infinity

  constructor(options: RecorderOptions) {
    const { cast, legsMax } = options
    const codes = new CastCodes(cast)
    removeManifest(options.dir)
    const open = <T extends TableShape<string>>(shape: T): [TableWriter, T['at']] => [this.writerOf(shape, options), shape.at]
    try {
      this.reference = new Reference(options.reference, cast.markets.length)
      this.requests = new RequestRows(...open(requestTable(codes, legsMax)), codes, legsMax)
      const quotes = open(quoteTable(codes))
      const acceptances = open(acceptanceTable(codes))
      const positions = open(positionTable(codes, legsMax))
      const fees = options.profitFees ?? DEFAULT_PROFIT_FEES
      this.positions = new PositionRows(...positions, ...open(settlementTable(codes)), codes, legsMax, fees)
      this.auctions = new AuctionRows(...open(auctionTable(codes)), ...open(bidTable(codes)), {
        codes, positions: this.positions.open, reference: this.reference,
      })
      const funded = (position: number, atUs: number): void => this.positions.funded(position, atUs)
      this.vaults = new VaultRows(...open(vaultTransactionTable(codes)), codes, funded)
      this.webhooks = new WebhookRows(...open(webhookTable()), options.deliveryRetentionUs ?? DEFAULT_DELIVERY_RETENTION_US)
      this.ledger = new LedgerRows(...open(ledgerTable()))
      this.rejections = new RejectionRows(...open(rejectionTable(codes)), codes)
      this.journal = new JournalRows(...open(journalTable()))
      this.marks = new MarkRows(...open(markTable(codes)), this.reference, options.horizonsUs ?? DEFAULT_HORIZONS_US)
      this.equity = new EquityRows(...open(equityTable(codes)), options.equityEveryUs ?? DEFAULT_EQUITY_EVERY_US, {
        codes, accountCount: cast.accounts.length, ledger: this.ledger, positions: this.positions.open, reference: this.reference,
      })
      const parts = { codes, requests: this.requests, marks: this.marks, reference: this.reference }
      this.quotes = new QuoteRows(...quotes, ...acceptances, parts)
    } catch (error) {
      this.abort()
      throw error
    }
  }

  /** Tables in the order of the design, with the rows that they have so far. */
  tables(): TableFile[] {
    return this.writers.map((writer) => ({ name: writer.spec.name, path: writer.path, rows: writer.rowCount }))
  }

  flush({ parlay: batch }: Batch): void {
    if (batch === null) return
    const { events, postings } = batch
    this.journal.begin(batch.journal)
    let posting = 0
    for (let event = 0; event < events.count; event++) {
      const seq = events.get(event, Field.seq)
      while (posting < postings.count && postings.get(posting, PostingField.seq) < seq) this.posted(batch, posting++)
      this.advance(events.get(event, Field.atUs))
      this.seq = seq
      const cause = events.get(event, Field.cause)
      if (cause !== NONE) this.journal.caused(cause, seq)
      this.happened(events, event)
    }
    while (posting < postings.count) this.posted(batch, posting++)
    this.journal.end()
  }

  finish(endUs: number): void {
    assert(endUs >= this.nowUs, 'a session ends at or after its last row')
    if (this.nowUs !== NONE) {
      this.sampleBefore(endUs + 1)
      this.marks.finish(endUs)
      this.equity.finish(endUs, this.seq)
    }
    this.quotes.finish()
    this.requests.finish()
    this.auctions.finish()
    this.positions.finish()
    this.vaults.finish()
    this.webhooks.finish()
    try {
      for (const writer of this.writers) writer.finish()
    } catch (error) {
      this.abort()
      throw error
    }
  }

  abort(): void {
    for (const writer of this.writers) writer.abort()
  }

  private writerOf(shape: TableShape<string>, options: RecorderOptions): TableWriter {
    const path = join(options.dir, 'tables', `${shape.spec.name}.arrow`)
    const metadata = { ...options.identity, schema_version: SCHEMA_VERSION }
    const { batchRows } = options
    const writer = new TableWriter(shape.spec, path, metadata, batchRows === undefined ? {} : { batchRows })
    this.writers.push(writer)
    return writer
  }

  private posted(batch: ParlayBatch, row: number): void {
    this.advance(batch.postings.get(row, PostingField.atUs))
    this.seq = batch.postings.get(row, PostingField.seq)
    this.ledger.posted(batch.postings, row)
  }

  /** A row stands at `atUs`: the samples due before it are taken first. */
  private advance(atUs: number): void {
    if (atUs === this.nowUs) return
    if (this.nowUs === NONE) {
      this.equity.start(atUs)
      this.nextSampleUs = this.equity.nextDueUs()
    }
    if (this.nextSampleUs < atUs) this.sampleBefore(atUs)
    this.nowUs = atUs
  }

  private sampleBefore(atUs: number): void {
    for (;;) {
      const markUs = this.marks.nextDueUs()
      const equityUs = this.equity.nextDueUs()
      this.nextSampleUs = Math.min(markUs, equityUs)
      if (this.nextSampleUs >= atUs) return
      if (markUs <= equityUs) this.marks.mark(markUs)
      else this.equity.sample(equityUs, this.seq)
    }
  }

  private happened(events: EventRows, row: number): void {
    switch (events.get(row, Field.kind)) {
      case ParlayEvent.reply: return this.replied(events, row)
      case ParlayEvent.bestQuoteChanged: return this.requests.bestChanged(events, row)
      case ParlayEvent.requestCreated: return this.requests.created(events, row)
      case ParlayEvent.requestUpdated: return this.requests.updated(events, row)
      case ParlayEvent.requestCancelled: return this.requests.ended(events, row, RequestEnd.cancelled)
      case ParlayEvent.requestExpired: return this.requests.ended(events, row, RequestEnd.expired)
      case ParlayEvent.requestCommitted: return this.requests.ended(events, row, RequestEnd.committed)
      case ParlayEvent.quoteSubmitted:
        return this.quotes.submitted(events, row, this.journal.fairOf(events.get(row, Field.cause)))
      case ParlayEvent.quoteReplaced: return this.quotes.ended(events, row, QuoteEnd.replaced)
      case ParlayEvent.quoteWithdrawn: return this.quotes.ended(events, row, QuoteEnd.withdrawn)
      case ParlayEvent.quoteExpired: return this.quotes.ended(events, row, QuoteEnd.expired)
      case ParlayEvent.quoteInvalidated: return this.quotes.invalidated(events, row)
      case ParlayEvent.quoteSelected: return this.quotes.selected(events, row)
      case ParlayEvent.quoteFilled:
        this.quotes.filled(events, row)
        this.nextSampleUs = Math.min(this.nextSampleUs, this.marks.nextDueUs())
        return
      case ParlayEvent.quoteFailed:
        this.quotes.failed(events, row)
        this.nextSampleUs = Math.min(this.nextSampleUs, this.marks.nextDueUs())
        return
      case ParlayEvent.positionOpened: return this.positions.opened(events, row)
      case ParlayEvent.positionSettled: return this.positions.settled(events, row)
      case ParlayEvent.marketResolved:
        return this.reference.resolve(events.get(row, Field.amountA), events.get(row, Field.amountB), events.get(row, Field.atUs))
      default: return this.soldOrTold(events, row)
    }
  }

  /** Cash-outs, what the chain does late, and deliveries. */
  private soldOrTold(events: EventRows, row: number): void {
    switch (events.get(row, Field.kind)) {
      case ParlayEvent.auctionOpened: return this.auctions.opened(events, row)
      case ParlayEvent.auctionCancelled: return this.auctions.cancelled(events, row)
      case ParlayEvent.auctionExpired: return this.auctions.expired(events, row)
      case ParlayEvent.auctionCommitted: return this.auctions.committed(events, row)
      case ParlayEvent.bestBidChanged: return this.auctions.bestChanged(events, row)
      case ParlayEvent.bidSubmitted:
        return this.auctions.submitted(events, row, this.journal.fairOf(events.get(row, Field.cause)))
      case ParlayEvent.bidReplaced: return this.auctions.bidEnded(events, row, BidEnd.replaced)
      case ParlayEvent.bidExpired: return this.auctions.bidEnded(events, row, BidEnd.expired)
      case ParlayEvent.bidInvalidated: return this.auctions.bidInvalidated(events, row)
      case ParlayEvent.bidWon: return this.auctions.bidWon(events, row)
      case ParlayEvent.bidFailed: return this.auctions.bidFailed(events, row)
      case ParlayEvent.positionBoughtBack: return this.positions.boughtBack(events, row)
      case ParlayEvent.positionTransferred: return this.positions.transferred(events, row)
      case ParlayEvent.positionFailed: return this.positions.failed(events, row)
      case ParlayEvent.settlementDelayed: return this.positions.delayed(events, row)
      case ParlayEvent.vaultTransactionStarted: return this.vaults.started(events, row)
      case ParlayEvent.vaultTransactionChanged: return this.vaults.changed(events, row)
      case ParlayEvent.deliveryQueued: return this.webhooks.queued(events, row)
      case ParlayEvent.deliveryAttempted: return this.webhooks.attempted(events, row)
      case ParlayEvent.deliveryChanged: return this.webhooks.changed(events, row)
      case ParlayEvent.deliveryRequeued: return this.webhooks.requeued(events, row)
    }
  }

  private replied(events: EventRows, row: number): void {
    const code = events.get(row, Field.code)
    if (!isRejection(code)) return
    this.rejections.refused(events, row)
    // A selection counts where it is made, so its late refusal is no second attempt.
    const attempt = events.get(row, Field.amountA) === ParlayOp.commitRequest && code !== ParlayCode.mmConfirmationTimeout
    if (attempt) this.requests.attempted(events.get(row, Field.request))
  }
}
