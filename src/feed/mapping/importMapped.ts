import { createHash } from 'node:crypto'
import { InputError } from '../../unit/inputError.ts'
import { throwIfAborted } from '../../unit/interrupted.ts'
import type { ImportedMarkets, Importer, KnownMarkets } from '../importer.ts'
import type { FileTally, ImportTally } from '../importTally.ts'
import type { Cells } from '../rows/cells.ts'
import { requireOnce } from '../rows/csvTable.ts'
import { documentPlaces } from '../rows/documentPlaces.ts'
import { type InputFile, openInputFiles } from '../rows/inputFiles.ts'
import { type ObjectAccount } from '../rows/objectAccount.ts'
import { formatOf } from '../rows/openTable.ts'
import { plainBytes } from '../rows/plainBytes.ts'
import { ReadAhead } from '../rows/readAhead.ts'
import type { PieceSizes, RowFormat, RowTable } from '../rows/rowBatch.ts'
import { isFirstOfContent } from '../sourceContent.ts'
import { ImportThreads } from '../threads/importThreads.ts'
import type { TickSink } from '../tickSink.ts'
import { DamagedRows } from './damagedRows.ts'
import { DepthBooks } from './depthBooks.ts'
import { AskedColumns, bareName } from './fields.ts'
import type { Mapping, MappingSection } from './mapping.ts'
import { MarketList } from './marketList.ts'
import { type Fit, layoutOf, offeredObjects, offeredTo, openPart, setUnknownAside } from './offeredParts.ts'
import { mayBePieced, PIECE_SIZES, type PiecedFile, PiecesAhead, piecesOf, takePieces } from './pieces.ts'
import { type LeftRows, noteLeft, othersOf, placeOf, UntakenRows } from './leftRows.ts'
import { batchesOf, neededColumns, type Reading, readersOf } from './sectionReading.ts'
import { tickerFacts } from './tickerFacts.ts'
import type { SectionRows } from './sectionRows.ts'
import { TradeShelf } from './tradeShelf.ts'

/** A file that a section of a mapping reads. */
interface ReadFile {
  readonly section: MappingSection
  readonly file: InputFile
  readonly table: RowTable
  /** Damaged rows of the file that its account has been told of; null where no other section reads the file. */
  readonly damaged: Set<number> | null
  readonly place: string
  /** Other sections that find the same rows; null where one of them counts what none takes. */
  readonly others: readonly MappingSection[] | null
  /** Of a file of JSON whose objects are offered to several sections. */
  readonly account?: ObjectAccount | undefined
  /** Sections that do not read it, each with what it lacks for them. */
  readonly lacks?: readonly string[] | undefined
  /** Why no section would read the file by its first rows. */
  readonly why?: string | undefined
}

/** What becomes of a row, for previews. */
export interface WatchedRow {
  readonly tally: FileTally
  readonly section: MappingSection
  readonly number: number
}

/** Rows of which somebody wants to know where they lie. */
export interface PlacedRows {
  of(tally: FileTally): readonly number[]
  take(tally: FileTally, places: ReadonlyMap<number, string>): void
}

export interface MappedReading {
  readonly format?: RowFormat | undefined
  readonly signal?: AbortSignal | undefined
  /** The account names the contents of files. Content that is there twice is read once. */
  readonly isKept?: boolean | undefined
  /** Only so many rows of each file. */
  readonly rowsMax?: number | undefined
  /** Told before each row, and of undefined after the last one of a section. What a row changes is shown at once then. */
  readonly onRow?: ((row: WatchedRow | undefined) => void) | undefined
  readonly input?: NodeJS.ReadableStream | undefined
  /** Of files that are one JSON document: rows of a file that are looked at one by one, and who is told where they lie. */
  readonly placed?: PlacedRows | undefined
  /** What the store has that is added to. */
  readonly known?: KnownMarkets | undefined
  /** Who reads pieces of files; this thread where it is left out. What is read does not depend on it. */
  readonly threads?: ImportThreads | undefined
  readonly pieceSizes?: PieceSizes | undefined
}

/** Facts come first, then trades, which books take their last price from, then whole books, which changes begin from. */
const ORDER: readonly ((section: MappingSection) => boolean)[] = [
  ({ kind }) => kind === 'markets',
  ({ kind }) => kind === 'results',
  ({ kind }) => kind === 'trades',
  (section) => section.kind === 'depth' && section.depth.snapshot === 'always',
  () => true,
]
const rankOf = (section: MappingSection): number => ORDER.findIndex((fits) => fits(section))

/**
 * Reads files as a mapping says: ticks go to `ticks` in order of arrival, and every row into the account of `tally`. Throws InputError for files that
 * are missing, damaged, or that no part of the mapping fits.
 */
export async function readMapped(mapping: Mapping, paths: readonly string[], ticks: TickSink, tally: ImportTally, options: MappedReading = {}): Promise<ImportedMarkets> {
  const { files, close } = await openInputFiles(paths, options)
  try {
    const fitting = await readFiles(mapping, files, tally, options.format)
    const kept = options.isKept === true ? withContents(fitting, tally, mapping, options.signal) : Promise.resolve(fitting)
    // What it refuses is told below, where it is awaited.
    kept.catch(() => {})
    // A file is read while its content is made out, unless others may have the same.
    const isAlone = fitting.every(({ file }) => file === fitting[0]!.file)
    const read = isAlone ? fitting : await kept
    const list = new MarketList(options.known, tickerFacts(mapping.tickers))
    const sink = list.numbering(ticks)
    const hasTrades = read.some(({ section }) => section.kind === 'trades')
    const hasBooks = read.some(({ section }) => ['quotes', 'candles', 'depth'].includes(section.kind))
    // Who looks at rows one by one sees what each becomes by itself.
    const shelf = hasTrades && hasBooks && options.onRow === undefined ? new TradeShelf() : undefined
    const bookSink = shelf?.under(sink) ?? sink
    const isAlways = ({ section }: ReadFile) => section.kind === 'depth' && section.depth.snapshot === 'always'
    const hasChanges = read.some((one) => one.section.kind === 'depth' && !isAlways(one))
    const books = new DepthBooks(list, bookSink, hasChanges && read.some(isAlways))
    let isShelved = shelf === undefined
    const pieced = shelf === undefined && options.onRow === undefined && options.rowsMax === undefined ? piecedOf(mapping, read, options) : new Map<ReadFile, PiecedFile>()
    const ahead = new PiecesAhead(mapping, [...pieced.values()], options.threads ?? new ImportThreads(1))
    if (isAlone) ahead.begin()
    await kept
    const left: LeftRows[] = []
    for (const one of read) {
      if (!isShelved && rankOf(one.section) > 2) {
        shelf!.close(list.count)
        isShelved = true
      }
      const byPieces = pieced.get(one)
      left.push(byPieces === undefined
        ? await readFile(one, { mapping, list, books, tally, ticks, shelf, sink: one.section.kind === 'trades' ? shelf?.sink ?? sink : bookSink }, options)
        : await readByPieces(one, byPieces, { ahead, list, ticks, tally }, options))
    }
    await closeAccounts(read, left, options)
    noteLeft(left)
    ticks.comeFrom?.('', 0)
    books.end()
    shelf?.showRest(sink, list)
    const markets = list.drafts(mapping.venues.get(mapping.venue)!)
    for (const [i, { tally: ofPart }] of left.entries()) await placeRows(read[i]!, ofPart, options)
    return { markets, coverage: { 'without prices': markets.filter(({ ticker }) => !list.hasTicks(ticker)).length } }
  } finally {
    await close()
  }
}

/** Reads files as a mapping says, for a store: those of which the store has the content already are known by it (`NothingNew`). */
export const mappedImporter = (mapping: Mapping, options: MappedReading = {}): Importer => ({
  format: mapping.name, about: mapping.about,
  read: (files, ticks, tally, known) => readMapped(mapping, files, ticks, tally, { ...options, isKept: true, known }),
})

/** Files that are read by pieces. A single piece is read by this thread. */
function piecedOf(mapping: Mapping, read: readonly ReadFile[], { known, threads, pieceSizes = PIECE_SIZES }: MappedReading): Map<ReadFile, PiecedFile> {
  const pieced = new Map<ReadFile, PiecedFile>()
  for (const one of read) {
    const { section, file, table, damaged, others } = one
    const pieces = mayBePieced(section, known !== undefined) ? piecesOf(file, table, pieceSizes) : []
    // Without other threads it is less work to read a file as a whole, and the same.
    if (pieces.length > 1 || (pieces.length === 1 && (threads?.count ?? 1) > 1)) pieced.set(one, { file, section: mapping.sections.indexOf(section), others: others?.map((other) => mapping.sections.indexOf(other)) ?? null, areDamagedTold: damaged !== null, account: one.account, pieces })
  }
  const all = [...pieced.values()]
  const bytes = all.reduce((sum, { file }) => sum + file.length, 0)
  // A few small files are read before another thread has begun.
  return all.some(({ pieces }) => pieces.length > 1) || (all.length > 1 && bytes > pieceSizes.csvBytes / 4) ? pieced : new Map()
}

async function readByPieces({ section, place, file, damaged, account }: ReadFile, pieced: PiecedFile, { ahead, list, ticks, tally: all }: { readonly ahead: PiecesAhead; readonly list: MarketList; readonly ticks: TickSink; readonly tally: ImportTally }, { signal }: MappedReading): Promise<LeftRows> {
  const tally = all.file(file.name)
  const proceed = (): void => {
    throwIfAborted(signal)
  }
  ticks.comeFrom?.('', 0)
  const { taken, left, untaken, firstUntaken } = await takePieces(pieced, ahead, { list, ticks, tally, damaged: damaged === null ? tally : new DamagedRows(tally, damaged), proceed })
  if (account === undefined) noteEmpty(tally, section, left)
  return { file, tally, place, taken, left, untaken, firstUntaken }
}

/** Tells of the objects of files of JSON that no section knows. Where only the first rows were read, the others may know them by rows behind these. */
async function closeAccounts(read: readonly ReadFile[], left: readonly LeftRows[], { rowsMax = Infinity }: MappedReading): Promise<void> {
  for (const [file, { account, lacks = [], why }] of new Map(read.map((one) => [one.file, one]))) {
    const parts = left.filter((one) => one.file === file)
    if (account === undefined || parts.some(({ taken }) => taken >= rowsMax)) continue
    const { tally } = parts[0]!
    // The names of its columns stand for something else.
    if (why !== undefined && !account.isAnyKnown) {
      noteNotRead(file, tally, why)
      continue
    }
    await setUnknownAside(file, { account, lacks }, tally)
    const hasShape = read.some((one) => one.file === file && one.section.layout.shape !== undefined)
    if (!hasShape && parts.every((part) => part.tally.inputRows === 0 && part.left === 0)) tally.note('no rows', 1, 'the file has none', 0)
  }
}

/** Says of rows with troubles where they lie in a JSON document, which has no lines to tell. */
async function placeRows({ file, section }: ReadFile, tally: FileTally, { placed }: MappedReading): Promise<void> {
  const numbers = new Set([...tally.unplaced, ...placed?.of(tally) ?? []])
  if (ownFormat(file) !== 'ndjson' || numbers.size === 0) return
  const places = await documentPlaces(file, layoutOf(section), numbers)
  tally.place(places)
  placed?.take(tally, places)
}

/** A file that a shape finds nothing in may have rows of other parts. */
function noteEmpty(tally: FileTally, { layout }: MappingSection, left: number): void {
  if (tally.inputRows === 0 && left === 0 && layout.shape === undefined) tally.note('no rows', 1, 'the file has none', 0)
}

async function readFiles(mapping: Mapping, files: readonly InputFile[], tally: ImportTally, format: RowFormat | undefined): Promise<ReadFile[]> {
  const read: Omit<ReadFile, 'others'>[] = []
  for (const file of files) {
    const own = ownFormat(file)
    const asked = own === undefined ? [] : mapping.sections.filter((section) => (section.format ?? format ?? own) === own)
    const { fits: byFirst, refusals, columns } = await fitsOf(mapping, asked, file)
    const { fits, account, lacks } = own === 'ndjson' ? await offeredTo(mapping, asked, file, byFirst) : { fits: byFirst, account: undefined, lacks: [] }
    const damaged = fits.length > 1 ? new Set<number>() : null
    const refused = refusals.join('; ')
    read.push(...fits.map((one) => ({ ...one, place: placeOf(one.section, account && neededColumns(mapping, one.section)), file, damaged, account, lacks, why: byFirst.length === 0 ? refused : undefined })))
    if (fits.length > 0) continue
    const why = own === undefined ? 'it is empty' : asked.length === 0 ? `it is ${own}, and parts that read it say format: ${own}` : refused || 'no pattern of the mapping fits its name'
    noteNotRead(file, tally.file(file.name), why, columns)
  }
  if (read.length === 0) throw new InputError('no file that the mapping reads', { hint: 'give files and mapping that fit; `parlor import auto FILE` writes one' })
  const inOrder = read.toSorted((a, b) => rankOf(a.section) - rankOf(b.section))
  return inOrder.map((one) => ({ ...one, others: othersOf(one, inOrder) }))
}

/** Columns of a file that no part reads which are told. */
const COLUMNS_SHOWN = 12

/** Throws InputError for a file that was named itself. */
function noteNotRead(file: InputFile, tally: FileTally, why: string, columns: readonly string[] = []): void {
  const has = columns.length === 0 ? '' : `its columns are ${columns.slice(0, COLUMNS_SHOWN).join(', ')}${columns.length > COLUMNS_SHOWN ? ', …' : ''}; `
  if (!file.isFound) throw new InputError(`no part of the mapping reads it: ${why}`, { position: { file: file.name }, hint: `${has}give files and mapping that fit; \`parlor import auto FILE\` writes one` })
  tally.note('file not read', 1, `${why}${has === '' ? '' : `; ${has.slice(0, -2)}`}`, 0)
}

const ownFormat = (file: InputFile): RowFormat | undefined => (file.head.length === 0 ? undefined : formatOf(file))

/** Which of some sections of a mapping read a file, and what the file lacks for the others. Throws InputError for a file of a section's pattern that lacks columns. */
async function fitsOf(mapping: Mapping, sections: readonly MappingSection[], file: InputFile) {
  const fits: Fit[] = []
  const refusals: string[] = []
  let columns: readonly string[] = []
  for (const section of sections) {
    // Standard input has no name: its columns tell what it is.
    const match = file.ownName === null ? null : section.match
    if (match !== null && !match.some((pattern) => namesOf(file.ownName!).some((name) => isMatch(name, pattern)))) continue
    const table = await openPart(file, section)
    columns = table.columns
    const missing = neededColumns(mapping, section).filter((any) => any.length > 0 && !any.some((column) => (match === null ? table.shows(column) : table.has(column))))
    if (missing.length === 0) fits.push({ section, table })
    else if (match !== null) requireOnce(file.name, missing.map(([first]) => first!), table.columns)
    else refusals.push(`${section.kind}: no column ${missing.map((any) => any.join(' or ')).join(', ')}`)
  }
  return { fits, refusals, columns }
}

/** Whether a mapping, of which no part has a pattern of names, reads a file. */
export const isRead = async (mapping: Mapping, file: InputFile): Promise<boolean> => ownFormat(file) !== undefined && (await fitsOf(mapping, mapping.sections.filter(({ format }) => format === undefined || format === ownFormat(file)), file)).fits.length > 0

/** Notes what files hold, and leaves out those that hold what another does. Throws NothingNew where the store has the contents of all. */
async function withContents(read: readonly ReadFile[], tally: ImportTally, mapping: Mapping, signal: AbortSignal | undefined): Promise<ReadFile[]> {
  const hash = hashOf(mapping)
  // What such a file says depends on its name.
  const isNamed = namesFiles(mapping.sections)
  const hashFor = ({ ownName }: InputFile): string => (isNamed ? createHash('sha256').update(`${hash}:${bareName(ownName ?? '')}`).digest('hex') : hash)
  const doubles = new Set<InputFile>()
  for (const file of new Set(read.map((one) => one.file))) if (!await isFirstOfContent(file.name, untilAborted(contentOf(file), signal), tally, hashFor(file))) doubles.add(file)
  tally.refuseKnown()
  return read.filter(({ file }) => !doubles.has(file))
}

/** Bytes that are looked at and not kept. */
const contentOf = (file: InputFile): AsyncGenerator<Buffer, void> => (file.compression === 'none' ? ReadAhead.chunks(file) : plainBytes(file))

async function* untilAborted(chunks: AsyncIterable<Buffer>, signal: AbortSignal | undefined): AsyncGenerator<Buffer, void> {
  for await (const chunk of chunks) {
    throwIfAborted(signal)
    yield chunk
  }
}

/** SHA-256, hex, of what a mapping says, whatever it is called and however its file is written. */
function hashOf({ venue, venues, tickers, depth, sections }: Mapping): string {
  const text = JSON.stringify({ venue, venues, tickers, depth, sections }, (_key, value: unknown) => (value instanceof Map || value instanceof Set ? [...value] : value))
  return createHash('sha256').update(text).digest('hex')
}

/** Whether something of a mapping is a file's name. */
const namesFiles = (value: unknown): boolean => typeof value === 'object' && value !== null && ('isFileName' in value || Object.values(value).some(namesFiles))

/** What a file may be called by: a compressed one also as it was called before. */
const namesOf = (name: string): string[] => [name, name.replace(/\.(gz|gzip|zst|zstd)$/i, '')]

/** Whether a file's name has the form of a pattern, where `*` stands for any text and `?` for one character. */
export function isMatch(name: string, pattern: string): boolean {
  const source = pattern.replace(/[.+^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*').replaceAll('?', '.')
  return new RegExp(`^${source}$`, 's').test(name)
}

async function readFile({ section, place, file, table, damaged, others, account }: ReadFile, reading: Reading & { readonly tally: ImportTally; readonly ticks: TickSink }, options: MappedReading): Promise<LeftRows> {
  const { rowsMax = Infinity, onRow, signal } = options
  const columns = new AskedColumns(file.ownName)
  const { rows, filter } = readersOf(section, reading, columns)
  const untaken = new UntakenRows(others, columns)
  const tally = reading.tally.file(file.name)
  rows.begin(tally)
  let left = 0
  let taken = 0
  // The changes of a book go on from file to file.
  const isOfRows = section.kind !== 'depth'
  const { ticks } = reading
  ticks.comeFrom?.('', 0)
  for await (const { count, numbers, cells, empty } of batchesOf(table, columns.names, damaged === null ? tally : new DamagedRows(tally, damaged), null, account && offeredObjects(section, account))) {
    throwIfAborted(signal)
    for (let row = 0; row < count && taken < rowsMax; row += 1) {
      if (!filter.isOpen && !filter.passes(cells, row)) {
        left += 1
        rows.passOver?.(cells, row)
        untaken.leave(cells, row, numbers[row]!)
        continue
      }
      taken += 1
      if (isOfRows) ticks.comeFrom?.(file.name, numbers[row]!)
      takeRow({ rows, cells, row, number: numbers[row]!, isEmpty: empty?.has(row) === true, tally, section }, onRow)
    }
    if (taken >= rowsMax) break
  }
  onRow?.(undefined)
  if (account === undefined) noteEmpty(tally, section, left)
  return { file, tally, place, taken, left, untaken: untaken.rows, firstUntaken: untaken.first }
}

interface TakenRow {
  readonly rows: SectionRows
  readonly cells: readonly Cells[]
  readonly row: number
  readonly number: number
  readonly isEmpty: boolean
  readonly tally: FileTally
  readonly section: MappingSection
}

function takeRow({ rows, cells, row, number, isEmpty, tally, section }: TakenRow, onRow: MappedReading['onRow']): void {
  tally.read()
  if (onRow === undefined) return rows.row(cells, row, number, isEmpty)
  onRow({ tally, section, number })
  rows.row(cells, row, number, isEmpty)
  rows.show()
}
