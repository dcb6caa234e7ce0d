import { isUtf8 as isUtf8Text } from 'node:buffer'
import { InputError } from '../../unit/inputError.ts'
import type { FileTally } from '../importTally.ts'
import { ByteCells } from './byteCells.ts'
import { CsvScan } from './csvScan.ts'
import type { InputFile } from './inputFiles.ts'
import { ReadAhead } from './readAhead.ts'
import type { PieceEnds, RowBatch, RowLayout, RowTable, TablePiece } from './rowBatch.ts'
import { isUtf8, markBytes, textBytes, textHead } from './textBytes.ts'

const DELIMITERS = [',', ';', '\t', '|']
const FOREIGN = 'not UTF-8'
const UNENDED = 'no line end'
const NEWLINE = 10

/** Looks into a CSV file: its delimiter is the one of `,` `;` tab and `|` that its first line has most of, unless it is given. */
export function csvTable(file: InputFile, { delimiter, names }: RowLayout): RowTable {
  const head = textHead(file)
  const between = delimiter ?? guessedDelimiter(head)
  const columns = names ?? headerOf(head, between)
  return {
    format: 'csv',
    columns,
    delimiter: between,
    shows: (column) => columns.includes(column),
    has: (column) => columns.includes(column),
    batches: (wanted, tally) => csvBatches(file, { between, columns, hasHeader: names === undefined, wanted }, tally),
    ...(file.compression === 'none' && isUtf8(file) ? {
      pieces: ({ csvBytes }) => piecesOf(file, csvBytes),
      pieceBatches: (wanted, tally, piece, ends) => csvPiece(file, { between, columns, hasHeader: names === undefined && piece.isExact && piece.from === markBytes(file), wanted }, tally, piece, ends),
    } : {}),
  }
}

function piecesOf(file: InputFile, bytes: number): TablePiece[] {
  const first = markBytes(file)
  const count = Math.max(1, Math.ceil((file.length - first) / bytes))
  return Array.from({ length: count }, (_, i) => ({ from: first + i * bytes, to: Math.min(file.length, first + (i + 1) * bytes), isExact: i === 0 }))
}

function guessedDelimiter(head: Buffer): string {
  const first = head.toString('utf8', 0, firstEnd(head)).replace(/"(?:[^"]|"")*"/g, '')
  const count = (delimiter: string) => first.split(delimiter).length
  return DELIMITERS.reduce((best, delimiter) => (count(delimiter) > count(best) ? delimiter : best))
}

const firstEnd = (head: Buffer): number => {
  const end = head.indexOf('\n')
  return end < 0 ? head.length : end
}

function headerOf(head: Buffer, delimiter: string): readonly string[] {
  let names: readonly string[] = []
  const scan = new CsvScan(delimiter, null, () => {})
  scan.onHeader = (fields) => {
    names = fields.map((name) => name.trim())
  }
  // Like a cell, a header that is no UTF-8 is Latin-1.
  const isForeign = !isUtf8Text(head.subarray(0, firstEnd(head)))
  scan.header(isForeign ? Buffer.from(head.toString('latin1')) : Buffer.from(head))
  return names
}

interface Asked {
  readonly between: string
  readonly columns: readonly string[]
  readonly hasHeader: boolean
  readonly wanted: readonly string[]
}

/** The scan of a table, and the cells of the rows that it found last. */
function scanOf(file: InputFile, { between, columns, hasHeader, wanted }: Asked, tally: FileTally) {
  requireOnce(file.name, wanted, columns)
  const numbers: number[] = []
  const cells = wanted.map(() => new ByteCells())
  const places = columns.map((name) => wanted.indexOf(name))
  const scan = new CsvScan(between, { places, cells, numbers, width: columns.length, hasHeader }, (kind, line, about) => {
    tally.read()
    tally.quarantine(kind, line, about)
  })
  scan.onUnended = (line) => { tally.note(UNENDED, line, 'the file ends within this line: what stands last in it may be cut off') }
  const batch = (): RowBatch => {
    noteForeign(cells, numbers, tally)
    return { count: numbers.length, numbers, cells }
  }
  return { scan, numbers, batch }
}

/** Notes the rows of which a cell is of bytes that are no UTF-8. */
function noteForeign(cells: readonly ByteCells[], numbers: readonly number[], tally: FileTally): void {
  // A character that the end of the chunk cuts belongs to no row yet.
  const doubtful = cells.filter(({ isWhollyUtf8 }) => !isWhollyUtf8)
  if (doubtful.length === 0) return
  for (const [row, number] of numbers.entries()) if (doubtful.some((column) => column.isForeign(row))) tally.note(FOREIGN, number, 'bytes that are no UTF-8 are read as Latin-1')
}

async function* csvBatches(file: InputFile, asked: Asked, tally: FileTally): AsyncGenerator<RowBatch, void> {
  const { scan, numbers, batch } = scanOf(file, asked, tally)
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of textBytes(file, tally)) {
    const data = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    const used = scan.rows(data, false)
    if (numbers.length > 0) yield batch()
    rest = data.subarray(used)
  }
  scan.rows(rest, true)
  if (numbers.length > 0) yield batch()
}

/**
 * The rows that begin in a piece, the last of which may reach beyond it. Where a line ends within quotes, a piece that is not exact may begin in the
 * middle of a row: whoever puts pieces together sees by their ends that it does.
 */
async function* csvPiece(file: InputFile, asked: Asked, tally: FileTally, { from, to, isExact }: TablePiece, ends: PieceEnds): AsyncGenerator<RowBatch, void> {
  const { scan, numbers, batch } = scanOf(file, asked, tally)
  // The byte before tells whether a line begins with the piece.
  const start = isExact ? from : from - 1
  let isBegun = isExact
  let at = start
  ends.began = ends.ended = isExact ? from : file.length
  const bytes = await ReadAhead.open({ ...file, start: file.start + start, length: file.length - start })
  try {
    let used = 0
    for (let data = await bytes.next(0); data !== undefined; data = await bytes.next(used)) {
      used = 0
      if (!isBegun) {
        const end = data.indexOf(NEWLINE)
        used = end < 0 ? data.length : end + 1
        at += used
        if (end < 0) continue
        isBegun = true
        ends.began = at
        data = data.subarray(used)
      }
      const taken = scan.rows(data, false, to - at)
      if (numbers.length > 0) yield batch()
      at += taken
      used += taken
      if (at >= to && !scan.isWithin) break
    }
    if (isBegun && at < to) {
      at += scan.rows(bytes.rest, true, to - at)
      if (numbers.length > 0) yield batch()
    }
  } finally {
    await bytes.close()
  }
  ends.ended = isBegun ? at : ends.began
  ends.lines = scan.lines
}

/** Throws InputError at line 1 unless each wanted column is there once. */
export function requireOnce(file: string, wanted: readonly string[], found: readonly string[]): void {
  const position = { file, line: 1 }
  const missing = wanted.filter((name) => !found.includes(name))
  if (missing.length > 0) throw new InputError(`no column ${missing.join(', ')}`, { position, hint: `its columns are ${found.slice(0, 40).join(', ') || 'none'}` })
  const double = wanted.find((name) => found.indexOf(name) !== found.lastIndexOf(name))
  if (double !== undefined) throw new InputError(`has two columns ${double}`, { position, hint: 'expected each name once' })
}
