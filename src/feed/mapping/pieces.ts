import type { FileTally } from '../importTally.ts'
import type { InputFile } from '../rows/inputFiles.ts'
import type { ObjectAccount } from '../rows/objectAccount.ts'
import type { PieceSizes, RowTable, TablePiece } from '../rows/rowBatch.ts'
import type { ImportThreads } from '../threads/importThreads.ts'
import { addAllTo, type TickSink } from '../tickSink.ts'
import { LastTicks, TICK_VALUES } from './lastTicks.ts'
import type { Mapping, MappingSection } from './mapping.ts'
import { type MarketHint, type MarketList, says } from './marketList.ts'
import type { MarketBefore, PieceOrder, PieceRows } from './readPiece.ts'
import { CONTRADICTION } from './sectionRows.ts'

/** A piece is so large that a thread has some tenths of a second of work, and that a dozen of them fit into memory. */
export const PIECE_SIZES: PieceSizes = { csvBytes: 1 << 24, parquetRows: 1 << 18 }
/** A file that cannot be read by pieces is one if it is so small, when it is decompressed or not. */
const WHOLE_BYTES_MAX = 1 << 23
const WHOLE_PACKED_BYTES_MAX = 1 << 20
/** Pieces that wait to be taken, beside those that are read. */
const WAITING = 2

/** A file by its pieces. */
export interface PiecedFile {
  readonly file: InputFile
  readonly section: number
  readonly others: PieceOrder['others']
  readonly areDamagedTold: boolean
  /** Of a file whose objects are offered to other sections, too. */
  readonly account: ObjectAccount | undefined
  readonly pieces: readonly (TablePiece | null)[]
}

/**
 * Whether rows of a section may be read by pieces that do not know of each other: none changes what another one becomes, but for those that stand
 * twice, which are looked for where pieces meet. Changes of a book follow each other, and so do times of which clocks repeat some. `hasStore` says
 * that there is a store, which trades are held against.
 */
export function mayBePieced({ kind, ...section }: MappingSection, hasStore: boolean): boolean {
  if (kind !== 'quotes' && kind !== 'candles' && kind !== 'trades') return false
  const { time, received } = (section as Extract<MappingSection, { kind: 'quotes' | 'candles' | 'trades' }>).clock
  return !(kind === 'trades' && hasStore) && ![...time ?? [], ...received ?? []].some(({ repeated }) => repeated === 'order')
}

/** The pieces of a file, none where this thread reads it as a whole. They do not depend on how many threads there are. */
export function piecesOf({ length, compression }: InputFile, table: RowTable, sizes: PieceSizes): readonly (TablePiece | null)[] {
  const pieces = table.pieces?.(sizes) ?? []
  if (pieces.length > 1) return pieces
  return length <= (compression === 'none' ? WHOLE_BYTES_MAX : WHOLE_PACKED_BYTES_MAX) || pieces.length === 1 ? [null] : []
}

/** Has pieces of files read ahead of the one that is taken. */
export class PiecesAhead {
  private declare readonly mapping: Mapping
  private declare readonly threads: ImportThreads
  private readonly orders: PieceOrder[] = []
  private readonly results = new Map<number, Promise<PieceRows>>()
  private readonly firsts = new Map<PiecedFile, number>()
  private given = 0

  constructor(mapping: Mapping, files: readonly PiecedFile[], threads: ImportThreads) {
    this.mapping = mapping
    this.threads = threads
    for (const one of files) {
      this.firsts.set(one, this.orders.length)
      for (const piece of one.pieces) this.orders.push({ mapping, section: one.section, others: one.others, file: one.file, piece, before: [], areDamagedTold: one.areDamagedTold, isOffered: one.account !== undefined })
    }
  }

  /** Has other threads read the first pieces, which are asked for later. */
  begin(): void {
    if (this.threads.count > 1) this.readUntil(this.threads.count)
  }

  /** What a piece holds. Pieces are asked for in order. */
  of(file: PiecedFile, index: number): Promise<PieceRows> {
    const at = this.firsts.get(file)! + index
    this.readUntil(at + (this.threads.count === 1 ? 1 : this.threads.count + WAITING))
    const result = this.results.get(at)!
    this.results.delete(at)
    return result
  }

  private readUntil(end: number): void {
    for (; this.given < Math.min(this.orders.length, end); this.given += 1) {
      const result = this.threads.run('piece', this.orders[this.given]!)
      // It is thrown when the piece is taken.
      result.catch(() => {})
      this.results.set(this.given, result)
    }
  }

  /** Takes back what a piece held, of which nothing is used any more. */
  over({ ticks }: PieceRows): void {
    this.threads.giveRoom(ticks)
  }

  /** Reads a piece again, knowing more. */
  again({ section, others, file, areDamagedTold, account }: PiecedFile, piece: TablePiece | null, before: readonly MarketBefore[]): Promise<PieceRows> {
    return this.threads.run('piece', { mapping: this.mapping, section, others, file, piece, before, areDamagedTold, isOffered: account !== undefined })
  }
}

/** What pieces become. */
export interface PiecesTo {
  readonly list: MarketList
  readonly ticks: TickSink
  readonly tally: FileTally
  /** Who is told of damaged rows. */
  readonly damaged: FileTally
  /** Told before each piece is taken. */
  proceed(): void
}

/** Rows that the mapping asks for, and those that it does not ask for. */
export interface TakenRows {
  readonly taken: number
  readonly left: number
  /** Rows that no section asks for, and the first of them. */
  readonly untaken: number
  readonly firstUntaken: number
}

/**
 * Takes the pieces of a file in order, as if its rows had been read one after the other. A piece is read again where it does not begin where the one
 * before ended, and where what came before matters to its rows (`doesMatter`).
 */
export async function takePieces(file: PiecedFile, ahead: PiecesAhead, to: PiecesTo): Promise<TakenRows> {
  const last = new LastTicks()
  let rowsBefore = 0
  let ended: number | null = null
  let taken = 0
  let left = 0
  let untaken = 0
  let firstUntaken = 0
  for (const [i, piece] of file.pieces.entries()) {
    let rows = await ahead.of(file, i)
    to.proceed()
    let exact = piece
    if (piece !== null) {
      const began: number = ended ?? rows.ends.began
      exact = { from: began, to: Math.max(began, piece.to), isExact: true }
      if (rows.ends.began !== began) {
        ahead.over(rows)
        rows = await ahead.again(file, exact, [])
      }
      ended = rows.ends.ended
    }
    let places = rows.tickers.map((ticker) => to.list.placeOf(ticker))
    if (doesMatter(rows, places, last, to.list)) {
      const known = knownOf(rows, places, last, to.list)
      ahead.over(rows)
      rows = await ahead.again(file, exact, known)
      places = rows.tickers.map((ticker) => to.list.placeOf(ticker))
    }
    rows.compared.forEach((market, k) => { last.set(places[market]!, rows.lasts, k) })
    rows.hints.forEach((hint, market) => { to.list.hint(places[market]!, hint) })
    taken += rows.taken
    left += rows.left
    if (rows.untaken > 0 && untaken === 0) firstUntaken = rows.firstUntaken + rowsBefore
    untaken += rows.untaken
    if (rows.objects !== null) file.account?.merge(rows.objects)
    tell(rows, places, rowsBefore, file.file.name, to)
    ahead.over(rows)
    rowsBefore += rows.ends.lines
  }
  return { taken, left, untaken, firstUntaken }
}

/**
 * Whether what came before a piece matters to its rows: the last tick before of a market is of the same instant as its first one, rows contradict what
 * is known of their market, or other files call two names of the piece one market.
 */
function doesMatter({ compared, firsts, tickers, hints, counts }: PieceRows, places: readonly number[], last: LastTicks, list: MarketList): boolean {
  if (compared.some((market, k) => last.isAt(places[market]!, firsts[k * TICK_VALUES]!))) return true
  if ([...hints].some(([market, hint]) => contradicts(list.hintOf(places[market]!), hint))) return true
  if (new Set(places).size < places.length) return true
  // What a row contradicts, and the name of the market, are told.
  return counts.setAside.some(([kind]) => kind === CONTRADICTION) && places.some((place, market) => says(list.hintOf(place)) || list.tickerOf(place) !== tickers[market])
}

/** All that is known of the markets of a piece. */
function knownOf({ tickers }: PieceRows, places: readonly number[], last: LastTicks, list: MarketList): MarketBefore[] {
  const names = new Map<number, string[]>()
  places.forEach((place, market) => {
    const of = names.get(place) ?? []
    names.set(place, of)
    if (tickers[market] !== list.tickerOf(place)) of.push(tickers[market]!)
  })
  return [...names].map(([place, of]) => ({ ticker: list.tickerOf(place), names: of, hint: list.hintOf(place), tick: last.has(place) ? last.valuesOf(place) : undefined }))
}

const contradicts = (before: MarketHint, now: MarketHint): boolean =>
  (before.event !== undefined && now.event !== undefined && before.event !== now.event) || (before.venue !== undefined && now.venue !== undefined && before.venue !== now.venue)

function tell({ ticks, withTicks, firstUs, counts, damaged }: PieceRows, places: readonly number[], rowsBefore: number, file: string, { list, ticks: sink, tally, damaged: toDamaged }: PiecesTo): void {
  // Kinds of troubles come in the order in which they were met.
  const waiting = { quarantined: damaged.filter(({ handling }) => handling === 'quarantined').values(), noted: damaged.filter(({ handling }) => handling === 'noted').values() }
  const next = { quarantined: waiting.quarantined.next().value, noted: waiting.noted.next().value }
  const tellUntil = (handling: 'quarantined' | 'noted', kinds: number): void => {
    for (let one = next[handling]; one !== undefined && one.after <= kinds; one = next[handling] = waiting[handling].next().value) {
      const { kind, row, about, rows } = one
      if (handling === 'noted') toDamaged.note(kind, row + rowsBefore, about, rows)
      else toDamaged.quarantine(kind, row + rowsBefore, about, rows)
    }
  }
  tally.absorb(counts, rowsBefore, tellUntil)
  tellUntil('noted', Infinity)
  tellUntil('quarantined', Infinity)
  const numberOf = new Int32Array(places.length)
  withTicks.forEach((market, k) => {
    const place = places[market]!
    numberOf[market] = list.numberOf(place)
    list.seen(place, firstUs[k]!)
  })
  addAllTo(sink, { columns: ticks, count: ticks.atUs.length, numberOf, file, rowsBefore })
}
