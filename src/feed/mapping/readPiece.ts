import type { ImportTrouble } from '../importReport.ts'
import { FileTally, type TallyCounts } from '../importTally.ts'
import type { InputFile } from '../rows/inputFiles.ts'
import { ObjectAccount, type ObjectStates } from '../rows/objectAccount.ts'
import type { PieceEnds, RowTable, TablePiece } from '../rows/rowBatch.ts'
import { RunBuffer, type RunColumns, runOf } from '../store/runColumns.ts'
import type { TickRows, TickSink } from '../tickSink.ts'
import { DepthBooks } from './depthBooks.ts'
import { AskedColumns } from './fields.ts'
import { LastTicks } from './lastTicks.ts'
import { UntakenRows } from './leftRows.ts'
import type { Mapping } from './mapping.ts'
import { type MarketHint, MarketList } from './marketList.ts'
import { offeredObjects, openPart } from './offeredParts.ts'
import { batchesOf, readersOf } from './sectionReading.ts'

/** Asks for the rows of a piece of a file, or of a whole file, that a section reads. */
export interface PieceOrder {
  readonly mapping: Mapping
  /** Its place among the sections of the mapping. */
  readonly section: number
  /** The places of the other sections that find the same rows; null where one of them counts what none takes. */
  readonly others: readonly number[] | null
  readonly file: InputFile
  /** Null for a file that is read as a whole. */
  readonly piece: TablePiece | null
  /** What is known of markets of the piece, where it matters. */
  readonly before: readonly MarketBefore[]
  /** Whether damaged rows are told one by one: another section reads the file, too. */
  readonly areDamagedTold: boolean
  /** Whether its objects are offered to other sections, too. */
  readonly isOffered: boolean
}

/** What is known of a market before a piece. */
export interface MarketBefore {
  readonly ticker: string
  /** What the piece may call it, too. */
  readonly names: readonly string[]
  readonly hint: MarketHint
  /** Its last tick in the rows before, if there is one. */
  readonly tick: Float64Array | undefined
}

/** A damaged row, or a remark of whoever read the table. */
export interface DamagedRow {
  readonly handling: ImportTrouble['handling']
  /** How many kinds the account of the piece had before it. */
  readonly after: number
  readonly kind: string
  readonly row: number
  readonly about: string
  readonly rows: number
}

/** What a piece holds, as if nothing came before it but what the order names. Rows count from the first of the piece where `ends.lines` says so. */
export interface PieceRows {
  readonly ends: PieceEnds
  /** Markets in order of appearance, after those that the order names. */
  readonly tickers: readonly string[]
  /** What rows say of markets beside their prices, by place. */
  readonly hints: ReadonlyMap<number, MarketHint>
  /** Places of those that have ticks, in order of their first tick, and the earliest instant of each. */
  readonly withTicks: Int32Array
  readonly firstUs: Float64Array
  /** Ticks in order of arrival: of markets by place, and with their rows as origin. */
  readonly ticks: RunColumns
  /** Places of the markets of which rows were compared, with the first and the last tick of each (`TICK_VALUES`). */
  readonly compared: Int32Array
  readonly firsts: Float64Array
  readonly lasts: Float64Array
  readonly counts: TallyCounts
  readonly damaged: readonly DamagedRow[]
  /** Which objects the section knows, of those that it was offered. */
  readonly objects: ObjectStates | null
  /** Rows that the mapping asks for, and those that it does not ask for. */
  readonly taken: number
  readonly left: number
  /** Rows that no section asks for, and the first of them. */
  readonly untaken: number
  readonly firstUntaken: number
}

/** Where the ticks of a piece go. */
class PieceTicks implements TickSink {
  declare readonly buffer: RunBuffer
  readonly withTicks: number[] = []
  private row = 0
  private firstUs = new Float64Array(1 << 10).fill(Infinity)

  constructor(room: RunColumns | undefined) {
    this.buffer = new RunBuffer(1 << 14, room)
  }

  get count(): number {
    return this.buffer.count
  }

  comeFrom(_file: string, row: number): void {
    this.row = row
  }

  add(atUs: number, market: number, bidE6: number, askE6: number, bidSize: number, askSize: number, lastE6: number): void {
    this.buffer.add(atUs, market, bidE6, askE6, bidSize, askSize, lastE6)
    this.buffer.origin[this.buffer.count - 1] = this.row
    this.see(market, atUs)
  }

  addRows(rows: TickRows, numbers: ArrayLike<number>, from: number, to: number, first: number): void {
    const { buffer } = this
    const { count } = buffer
    buffer.ensure(count + to - from)
    buffer.atUs.set(rows.atUs.subarray(from, to), count)
    buffer.market.set(rows.market.subarray(from, to), count)
    putWords(rows.bidE6, from, to, buffer.bidE6, count)
    putWords(rows.askE6, from, to, buffer.askE6, count)
    putWords(rows.bidSize, from, to, buffer.bidSize, count)
    putWords(rows.askSize, from, to, buffer.askSize, count)
    putWords(rows.lastE6, from, to, buffer.lastE6, count)
    for (let row = from, at = count; row < to; row += 1, at += 1) buffer.origin[at] = numbers[first + row]!
    buffer.count = count + to - from
    this.seeAll(rows, from, to)
  }

  private seeAll({ atUs, market }: TickRows, from: number, to: number): void {
    for (let row = from; row < to; row += 1) this.see(market[row]!, atUs[row]!)
  }

  private see(market: number, atUs: number): void {
    if (market >= this.firstUs.length) this.grow(market)
    const first = this.firstUs[market]!
    if (atUs >= first) return
    if (first === Infinity) this.withTicks.push(market)
    this.firstUs[market] = atUs
  }

  /** Makes room for so many ticks at once. */
  expect(more: number): void {
    this.buffer.ensure(this.buffer.count + more)
  }

  firstsOf(markets: readonly number[]): Float64Array {
    return Float64Array.from(markets, (market) => this.firstUs[market]!)
  }

  private grow(market: number): void {
    const longer = new Float64Array(market * 2).fill(Infinity)
    longer.set(this.firstUs)
    this.firstUs = longer
  }
}

function putWords(of: Float64Array, from: number, to: number, into: Int32Array, first: number): void {
  for (let row = from, at = first; row < to; row += 1, at += 1) into[at] = of[row]!
}

/** Lists what it is told, beside the account of the piece. */
class DamagedList extends FileTally {
  readonly list: DamagedRow[] = []
  private declare readonly piece: FileTally

  constructor(piece: FileTally) {
    super(piece.file)
    this.piece = piece
  }

  override get whole(): FileTally {
    return this.piece
  }

  override read(): void {}

  override quarantine(kind: string, row: number, about: string, rows = 1): void {
    this.list.push({ handling: 'quarantined', after: this.piece.kinds('quarantined'), kind, row, about, rows })
  }

  override note(kind: string, row: number, about: string, rows = 1): void {
    this.list.push({ handling: 'noted', after: this.piece.kinds('noted'), kind, row, about, rows })
  }
}

/** The markets that are known, whose places are those that they have in `before`. */
function listOf(before: readonly MarketBefore[]): MarketList {
  const list = new MarketList()
  for (const { ticker, hint } of before) list.hint(list.placeOf(ticker), hint)
  for (const { ticker, names } of before) for (const name of names) list.call(name, ticker)
  return list
}

/** Reads pieces. The table that was read last stays open. */
export class PieceReader {
  private table: { readonly key: string; readonly opened: Promise<RowTable> } | null = null

  /**
   * Throws InputError where the file cannot be read.
   *
   * @param room for ticks, which is used up
   */
  async read({ mapping, section: place, others, file, piece, before, areDamagedTold, isOffered }: PieceOrder, room?: RunColumns): Promise<PieceRows> {
    const section = mapping.sections[place]!
    const table = await this.tableOf(file, place, mapping)
    const list = listOf(before)
    const ticks = new PieceTicks(room)
    const last = new LastTicks((market) => before[market]?.tick)
    const columns = new AskedColumns(file.ownName)
    const { rows, filter } = readersOf(section, { mapping, list, sink: ticks, books: new DepthBooks(list, ticks, false), last }, columns)
    const untaken = new UntakenRows(others?.map((other) => mapping.sections[other]!) ?? null, columns)
    const tally = new FileTally(file.name)
    const damaged = new DamagedList(tally)
    rows.begin(tally)
    let taken = 0
    let left = 0
    const ends: PieceEnds = { began: 0, ended: 0, lines: 0 }
    const told = areDamagedTold ? damaged : tally
    const account = isOffered ? new ObjectAccount() : null
    const plain = filter.isOpen ? rows.plain?.() ?? null : null
    for await (const batch of batchesOf(table, columns.names, told, piece === null ? null : { of: piece, ends }, account === null ? undefined : offeredObjects(section, account))) {
      const { count, numbers, cells } = batch
      const take = (row: number): void => {
        ticks.comeFrom('', numbers[row]!)
        rows.row(cells, row, numbers[row]!)
      }
      if (plain !== null) {
        ticks.expect(count)
        taken += count
        tally.read(count)
        plain.take(batch, tally, take)
        continue
      }
      for (let row = 0; row < count; row += 1) {
        if (!filter.isOpen && !filter.passes(cells, row)) {
          left += 1
          untaken.leave(cells, row, numbers[row]!)
          continue
        }
        taken += 1
        tally.read()
        take(row)
      }
    }
    const { withTicks, buffer } = ticks
    return {
      ends, tickers: Array.from({ length: list.count }, (_, i) => list.tickerOf(i)), hints: list.saidHints(),
      withTicks: Int32Array.from(withTicks), firstUs: ticks.firstsOf(withTicks), ticks: runOf(buffer),
      compared: Int32Array.from(last.fresh), ...last.firstsAndLasts(), counts: tally.counts(), damaged: damaged.list, objects: account?.data() ?? null, taken, left,
      untaken: untaken.rows, firstUntaken: untaken.first,
    }
  }

  private tableOf(file: InputFile, section: number, { sections }: Mapping): Promise<RowTable> {
    const key = `${file.path}:${file.start} ${section}`
    if (this.table?.key !== key) this.table = { key, opened: openPart(file, sections[section]!) }
    return this.table.opened
  }
}
