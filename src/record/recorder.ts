import { join } from 'node:path'
import type { MemoryTables } from '../arrow/memoryTable.ts'
import type { RowWriter } from '../arrow/rowWriter.ts'
import type { TableSpec } from '../arrow/tableSchema.ts'
import { TableWriter } from '../arrow/tableWriter.ts'
import { POSTING_STRIDE, PostingField } from '../ledger/postingRows.ts'
import { assert } from '../unit/assert.ts'
import type { DeliveredRows } from '../unit/deliveredRows.ts'
import { NONE } from '../unit/none.ts'
import { Service, SERVICE_NAMES } from '../unit/services.ts'
import { MINUTE_US, MS_US, SECOND_US } from '../unit/time.ts'
import type { RequestArrivals } from '../unit/requestArrivals.ts'
import type { ToldRows } from '../unit/toldRows.ts'
import { EventCell } from '../venue/eventRows.ts'
import { PARLAY_GATE_SETTINGS } from '../venue/parlay/protocol/gate.ts'
import { DeliveryTable, deliveryTable } from './deliveryTable.ts'
import { type Directory, DirectoryCodes } from './directory.ts'
import { JournalRows } from './journalRows.ts'
import { removeManifest, type TableFile } from './manifest.ts'
import type { ProfitFeeRules } from './openPositions.ts'
import { type ListedMarket, marketTable, writeMarkets } from './marketTable.ts'
import { type OpenTable, openTables } from './openTables.ts'
import { OutcomeRows } from './outcomeRows.ts'
import { ParlayRows } from './parlayRows.ts'
import type { ReferencePort } from './reference.ts'
import { RowCursor, takeInOrder } from './rowCursor.ts'
import { ServiceRows } from './serviceRows.ts'
import type { Batch, ServiceBatch, Sink } from './sink.ts'
import { SCHEMA_VERSION, type TableShape } from './tableShape.ts'
import { logTable, passTable, ToldTables } from './toldTables.ts'

/** Cells of a recorder's clock: instant and seq of the last row, and the earliest due sample, so that a row costs one comparison. */
const NOW_US = 0
const SEQ = 1
const NEXT_SAMPLE_US = 2

export const DEFAULT_HORIZONS_US: readonly number[] = [10 * SECOND_US, MINUTE_US, 10 * MINUTE_US]
export const DEFAULT_EQUITY_EVERY_US = MINUTE_US
/** The profile's defaults. */
export const DEFAULT_PROFIT_FEES: ProfitFeeRules = { onTransfer: true, onMaker: false }
export const DEFAULT_DELIVERY_RETENTION_US = PARLAY_GATE_SETTINGS.deliveryRetentionMs.default * MS_US

/** What a recorder needs to know about the parlay service. */
export interface ParlayRecording {
  /** Most legs of a parlay, by the profile. */
  readonly legsMax: number
  /** Where profit fees fall, by the profile. The value of an open position depends on it. */
  readonly profitFees?: ProfitFeeRules
  /** How long an ended webhook delivery can be asked for again, µs, by the gate's profile. After that it is forgotten. */
  readonly deliveryRetentionUs?: number
}

/** What a recorder needs to know about the outcome service, from its profile. */
export interface OutcomeRecording {
  /** Most legs of an RFQ. */
  readonly legsMax: number
  /** Whether a cash-out takes the fee on its profit and sets the basis to the price. */
  readonly feeOnCashout: boolean
  /** Whether profit is the payout minus the stake, and not minus the net stake. */
  readonly profitOverGross: boolean
}

export interface RecorderOptions {
  /** The run's folder. Tables go into its folder `tables/`. An older manifest there is removed. Absent where they stay in memory. */
  readonly dir?: string
  /** The tables that stay in memory, in the place of files. */
  readonly memory?: MemoryTables
  readonly directory: Directory
  /** Absent when the session does not have the service. */
  readonly parlay?: ParlayRecording
  readonly outcome?: OutcomeRecording
  /** What identifies the run. It goes into every table's schema metadata, with `schema_version`, the names of the `services` and the `horizons_us` of marks. */
  readonly identity: Readonly<Record<string, string>>
  /** Null makes every reference null. */
  readonly reference: ReferencePort | null
  /** Horizons of the `marks` table, µs, rising. The default is 10 s, 60 s, 10 min. */
  readonly horizonsUs?: readonly number[]
  /** Span between rows of the `equity` table, µs. The default is 60 s, and 0 means no rows. */
  readonly equityEveryUs?: number
  /** Rows of a record batch. The default is 65,536. */
  readonly batchRows?: number
  /** The markets that the session lists, for the table `markets`, which is absent without them. */
  readonly markets?: readonly ListedMarket[]
  /** The correlation of the outcomes of a group, for the metadata of that table. The default is 0. */
  readonly outcomeCorrelation?: number
  /** What strategies say of themselves, for the tables `passes` and `logs`, which are absent without it. Read at each flush, and cleared. */
  readonly told?: ToldRows
  /** What makers are told, for the table `deliveries`, which is absent without it. Read at each flush, and cleared. */
  readonly deliveries?: DeliveredRows
  /** Which arrivals requests come of. Without it their column is empty. */
  readonly requestArrivals?: RequestArrivals
  /** False for tables that are read and removed at once, so that nothing waits for the disk. The default is true. */
  readonly isDurable?: boolean
}

/** What builds the rows of one service. */
type Part = ParlayRows | OutcomeRows

/** The rows of one service in a batch, and the part that takes them. */
class PartCursor extends RowCursor {
  declare readonly part: Part

  constructor(batch: ServiceBatch, part: Part) {
    super(batch)
    this.part = part
  }
}

/**
 * Builds a session's tables (design.md, "What a run leaves") from the rows of both services, in the order of seq. An entity's row
 * is written when the entity ends, so that memory is bounded by what is open. Marks and equity are samples. A sample due at an
 * instant is taken when a row passes that instant, so that it counts everything up to and at the instant.
 */
export class Recorder implements Sink {
  private readonly writers: RowWriter[] = []
  private declare readonly journal: JournalRows
  private declare readonly parlay: ParlayRows | null
  private declare readonly outcome: OutcomeRows | null
  private declare readonly parts: readonly Part[]
  private declare readonly told: ToldTables | null
  private declare readonly deliveries: DeliveryTable | null
  /** Indexed by `NOW_US`, `SEQ` and `NEXT_SAMPLE_US`. Fields that change would allocate a box for each number. */
  private readonly clock = Float64Array.of(NONE, 0, Infinity)

  constructor(options: RecorderOptions) {
    const { directory, parlay, outcome, dir } = options
    const codes = new DirectoryCodes(directory)
    if (dir !== undefined) removeManifest(dir)
    try {
      const metadata = metadataOf(options, codes)
      const open = <S extends TableShape<string>>(shape: S, more: Readonly<Record<string, string>> = {}): OpenTable<S> => [this.writerOf(shape, options, { ...metadata, ...more }), shape.at]
      const tables = openTables(open, codes)
      this.told = options.told === undefined ? null : new ToldTables(options.told, open(passTable(codes)), open(logTable()))
      this.deliveries = options.deliveries === undefined ? null : new DeliveryTable(options.deliveries, open(deliveryTable(codes)))
      const { markets, outcomeCorrelation = 0 } = options
      if (markets !== undefined) writeMarkets(open(marketTable(codes, markets), { outcome_correlation: String(outcomeCorrelation) }), codes, markets)
      const journal = new JournalRows(...tables.journal)
      this.journal = journal
      const common = {
        codes, accountCount: directory.accounts.length, marketCount: directory.markets.length, reference: options.reference, arrivals: options.requestArrivals ?? null,
        horizonsUs: options.horizonsUs ?? DEFAULT_HORIZONS_US, equityEveryUs: options.equityEveryUs ?? DEFAULT_EQUITY_EVERY_US,
        due: (atUs: number): void => { if (atUs < this.clock[NEXT_SAMPLE_US]!) this.clock[NEXT_SAMPLE_US] = atUs },
      }
      this.parlay = parlay === undefined ? null : new ParlayRows(tables, new ServiceRows(tables, { ...common, ...parlayTerms(parlay) }), {
        codes, journal, deliveryRetentionUs: parlay.deliveryRetentionUs ?? DEFAULT_DELIVERY_RETENTION_US,
      })
      this.outcome = outcome === undefined
        ? null : new OutcomeRows(tables, new ServiceRows(tables, { ...common, ...outcomeTerms(outcome) }), { codes, journal })
      this.parts = [this.parlay, this.outcome].filter((part) => part !== null)
    } catch (error) {
      this.abort()
      throw error
    }
  }

  /** Files of tables in the order of the design, with the rows that they have so far. */
  tables(): TableFile[] {
    return this.writers.filter((writer) => writer instanceof TableWriter).map((writer) => ({ name: writer.spec.name, path: writer.path, rows: writer.rowCount }))
  }

  flush(batch: Batch): void {
    this.journal.begin(batch)
    takeInOrder(cursorOf(batch.parlay, this.parlay), cursorOf(batch.outcome, this.outcome), (cursor, belowSeq) => this.take(cursor, belowSeq))
    this.journal.end()
    this.told?.take()
    this.deliveries?.take()
  }

  finish(endUs: number): void {
    const { clock } = this
    assert(endUs >= clock[NOW_US]!, 'a session ends at or after its last row')
    const started = clock[NOW_US] !== NONE
    if (started) this.sampleBefore(endUs + 1)
    this.journal.finish()
    for (const part of this.parts) {
      part.finish()
      part.rows.finish(endUs, clock[SEQ]!, started)
    }
    this.told?.take()
    this.deliveries?.take()
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

  private writerOf({ spec }: TableShape<string>, options: RecorderOptions, metadata: Readonly<Record<string, string>>): RowWriter {
    const writer = options.memory?.begin(spec, metadata) ?? fileWriter(spec, options, metadata)
    this.writers.push(writer)
    return writer
  }

  /** Takes the rows of one service whose seq is below `belowSeq`. */
  private take(cursor: PartCursor, belowSeq: number): void {
    const { events, postings, part } = cursor
    const { clock, journal } = this
    const postingCells = postings.cells
    let { event, posting } = cursor
    for (;;) {
      const row = events.row(event)
      const postingAt = posting * POSTING_STRIDE
      const eventSeq = event < events.count ? events.read(row, EventCell.seq) : Infinity
      const postingSeq = posting < postings.count ? postingCells[postingAt + PostingField.seq]! : Infinity
      if (eventSeq >= belowSeq && postingSeq >= belowSeq) break
      if (postingSeq < eventSeq) {
        const atUs = postingCells[postingAt + PostingField.atUs]!
        if (atUs !== clock[NOW_US]) this.advance(atUs)
        clock[SEQ] = postingSeq
        part.rows.posted(postings, posting++)
      } else {
        const atUs = events.read(row, EventCell.atUs)
        if (atUs !== clock[NOW_US]) this.advance(atUs)
        clock[SEQ] = eventSeq
        const cause = events.read(row, EventCell.cause)
        if (cause !== NONE) journal.caused(cause, eventSeq)
        part.happened(events, row)
        event++
      }
    }
    cursor.event = event
    cursor.posting = posting
  }

  /** Rows at `atUs` follow: takes the samples due before it. */
  private advance(atUs: number): void {
    const { clock } = this
    if (clock[NOW_US] === NONE) {
      for (const part of this.parts) part.rows.start(atUs)
      clock[NEXT_SAMPLE_US] = this.dueUs()
    }
    if (clock[NEXT_SAMPLE_US]! < atUs) this.sampleBefore(atUs)
    clock[NOW_US] = atUs
  }

  /** Takes the samples due before `atUs`. At one instant those of the parlay service come first. */
  private sampleBefore(atUs: number): void {
    const { clock, parts } = this
    for (;;) {
      const dueUs = this.dueUs()
      clock[NEXT_SAMPLE_US] = dueUs
      if (dueUs >= atUs) return
      for (let i = 0; i < parts.length; i++) {
        const { rows } = parts[i]!
        if (rows.nextSampleUs() !== dueUs) continue
        rows.sample(dueUs, clock[SEQ]!)
        break
      }
    }
  }

  private dueUs(): number {
    let dueUs = Infinity
    for (let i = 0; i < this.parts.length; i++) dueUs = Math.min(dueUs, this.parts[i]!.rows.nextSampleUs())
    return dueUs
  }
}

function fileWriter(spec: TableSpec, { dir, batchRows, isDurable }: RecorderOptions, metadata: Readonly<Record<string, string>>): TableWriter {
  assert(dir !== undefined, 'tables go into a folder or stay in memory')
  return new TableWriter(spec, join(dir, 'tables', `${spec.name}.arrow`), metadata, {
    ...(batchRows === undefined ? {} : { batchRows }), ...(isDurable === undefined ? {} : { isDurable }),
  })
}

/** The metadata also name the sets of markets of which at most one comes true, as a JSON list of lists of tickers. */
function metadataOf(options: RecorderOptions, codes: DirectoryCodes): Record<string, string> {
  const services = SERVICE_NAMES.filter((name) => options[name] !== undefined).join(' ')
  const exclusive = codes.exclusive.length === 0 ? {} : { exclusive: JSON.stringify(codes.exclusive) }
  const horizons = (options.horizonsUs ?? DEFAULT_HORIZONS_US).join(' ')
  return { ...options.identity, schema_version: SCHEMA_VERSION, services, horizons_us: horizons, ...exclusive }
}

/** Rows of a service that the recorder does not know are a bug. */
function cursorOf(batch: ServiceBatch | null, part: Part | null): PartCursor | null {
  if (batch === null) return null
  assert(part !== null, 'a session has a service that its recorder was not told of')
  return new PartCursor(batch, part)
}

/** The taker fee lies in escrow until the position ends. */
const parlayTerms = ({ legsMax, profitFees = DEFAULT_PROFIT_FEES }: ParlayRecording) =>
  ({ service: Service.parlay, legsMax, fees: { ...profitFees, overGross: false, inEscrow: true }, lossBeatsVoid: false })

/** A maker pays no fee, and a loss beats a void until the batch (docs/conformance/outcome.md, Settlement). */
const outcomeTerms = ({ legsMax, feeOnCashout, profitOverGross }: OutcomeRecording) => ({
  service: Service.outcome, legsMax, fees: { onTransfer: feeOnCashout, onMaker: false, overGross: profitOverGross, inEscrow: false },
  lossBeatsVoid: true,
})
