import type { ByteCells } from './byteCells.ts'

const QUOTE = 34
const NEWLINE = 10
const RETURN = 13

/** A row may have so many bytes. A longer one is damaged: mostly a quote that is never closed. */
export const ROW_BYTES_MAX = 1 << 20

/** Where the rows of a scan go. */
interface RowPlaces {
  /** By column of the file: its place in `cells`, −1 for one that nobody asked for. */
  readonly places: readonly number[]
  readonly cells: readonly ByteCells[]
  /** Lines of the rows, from 1. */
  readonly numbers: number[]
  readonly width: number
  readonly hasHeader: boolean
}

/** What came of a try to read a record. */
const Ending = { whole: 0, incomplete: 1, open: 2, misquoted: 3 } as const

/**
 * Finds the fields of CSV in bytes (RFC 4180, any one-byte delimiter, lines that end with or without a return). One bad row is one bad row: where a
 * quote is opened and not closed, or closed within a field, its line is set aside, and reading goes on in the next line.
 */
export class CsvScan {
  onHeader: (fields: readonly string[]) => void = () => {}
  /** Told of the line of a row with which the file ends, and not the line: it may be cut off. */
  onUnended: (line: number) => void = () => {}
  private declare readonly delimiter: number
  private declare readonly to: RowPlaces | null
  private declare readonly onBad: (kind: string, line: number, about: string) => void
  /** By field of the file: its cells, null for one that nobody asked for. */
  private declare readonly columns: readonly (ByteCells | null)[]
  private line = 1
  private declare awaitsHeader: boolean
  /** A row that is too long is being passed over. */
  private isPassing = false
  /** The record that was read last: where its fields lie, where it ends, and its lines. */
  private starts = new Int32Array(64)
  private ends = new Int32Array(64)
  private fields = 0
  private doubled = false
  private end = 0
  private newlines = 0

  /** The lines that were read. */
  get lines(): number {
    return this.line - 1
  }

  /** Whether the line that was read last goes on. */
  get isWithin(): boolean {
    return this.isPassing
  }

  constructor(delimiter: string, to: RowPlaces | null, onBad: (kind: string, line: number, about: string) => void) {
    this.delimiter = delimiter.charCodeAt(0)
    this.to = to
    this.onBad = onBad
    this.awaitsHeader = to?.hasHeader ?? true
    this.columns = to?.places.map((place) => (place < 0 ? null : to.cells[place]!)) ?? []
  }

  /** Reads the header in the first bytes of a file. */
  header(head: Buffer): void {
    let at = 0
    while (at < head.length && isBlank(head, at)) at = head.indexOf(NEWLINE, at) + 1
    if (at < head.length && this.record(head, at, true) === Ending.whole) this.onHeader(this.texts(head))
  }

  /**
   * Takes the whole rows of `data` that begin before `until`, which are valid as long as it is. Returns the bytes that it used; the rest comes again
   * with what follows.
   */
  rows(data: Buffer, isLast: boolean, until = Infinity): number {
    const { cells, numbers } = this.to!
    numbers.length = 0
    for (const column of cells) column.data = data
    let at = 0
    while (at < data.length && (at < until || this.isPassing)) {
      if (!this.isPassing && !this.awaitsHeader) {
        at = this.plainRows(data, at, Math.min(until, data.length))
        if (at >= data.length || at >= until) break
      }
      if (this.isPassing) {
        const end = data.indexOf(NEWLINE, at)
        if (end < 0) return data.length
        this.isPassing = false
        this.line += 1
        at = end + 1
        continue
      }
      if (isBlank(data, at)) {
        at += data[at] === RETURN ? 2 : 1
        this.line += 1
        continue
      }
      const ending = this.record(data, at, isLast)
      if (ending === Ending.whole) {
        at = this.whole(data, at)
        continue
      }
      const isTooLong = data.length - at > ROW_BYTES_MAX
      if ((ending === Ending.incomplete || ending === Ending.open) && !isLast && !isTooLong) return at
      at = this.bad(data, at, ending === Ending.incomplete ? 'row too long' : ending === Ending.open ? 'open quote' : 'misplaced quote')
    }
    return at
  }

  /** Takes rows in which no field begins with a quote, as many as follow each other. Returns where the first other one begins. */
  private plainRows(data: Buffer, from: number, until: number): number {
    const { delimiter, columns } = this
    const { numbers, width } = this.to!
    const { length } = data
    let first = from
    for (let row = numbers.length; first < until; row += 1) {
      if (isBlank(data, first)) return first
      let at = first
      for (let field = 0; field < width; field += 1) {
        const start = at
        if (data[at] === QUOTE) return first
        const last = field === width - 1 ? NEWLINE : delimiter
        const other = last === NEWLINE ? delimiter : NEWLINE
        while (at < length && data[at] !== last) {
          if (data[at] === other) return first
          at += 1
        }
        if (at === length) return first
        const column = columns[field]!
        if (column !== null) {
          if (row >= column.starts.length) widen(column)
          column.starts[row] = start
          column.ends[row] = last === NEWLINE && at > start && data[at - 1] === RETURN ? at - 1 : at
        }
        at += 1
      }
      numbers.push(this.line)
      this.line += 1
      first = at
    }
    return first
  }

  /** Takes a whole record, or sets its first line aside. Returns where the next one begins. */
  private whole(data: Buffer, at: number): number {
    const { places, cells, numbers, width } = this.to!
    if (this.awaitsHeader) this.awaitsHeader = false
    else if (this.fields !== width) {
      // A quote that is closed in a later line by chance makes one record of many rows.
      if (this.newlines > 1) return this.bad(data, at, 'open quote')
      this.onBad('ragged row', this.line, `${this.fields} fields where the header has ${width}`)
    } else {
      const row = numbers.length
      for (let field = 0; field < width; field += 1) {
        const place = places[field]!
        if (place < 0) continue
        const column = cells[place]!
        if (row >= column.starts.length) widen(column)
        column.starts[row] = this.starts[field]!
        column.ends[row] = this.doubled ? withoutDoubled(data, this.starts[field]!, this.ends[field]!) : this.ends[field]!
      }
      numbers.push(this.line)
      if (this.end === data.length && data[this.end - 1] !== NEWLINE) this.onUnended(this.line)
    }
    this.line += this.newlines
    return this.end
  }

  /** Sets the first line of a record aside. Returns where the next line begins. */
  private bad(data: Buffer, at: number, kind: string): number {
    if (this.awaitsHeader) this.awaitsHeader = false
    const end = data.indexOf(NEWLINE, at)
    this.onBad(kind, this.line, kind === 'row too long' ? `more than ${ROW_BYTES_MAX} bytes` : shown(data, at, end))
    if (end < 0) {
      this.isPassing = true
      return data.length
    }
    this.line += 1
    return end + 1
  }

  private texts(data: Buffer): string[] {
    return Array.from({ length: this.fields }, (_, i) => data.toString('utf8', this.starts[i], withoutDoubled(data, this.starts[i]!, this.ends[i]!)))
  }

  private record(data: Buffer, from: number, isLast: boolean): number {
    const { delimiter } = this
    const { length } = data
    let at = from
    this.fields = 0
    this.doubled = false
    this.newlines = 1
    for (;;) {
      let start = at
      let end: number
      if (data[at] === QUOTE) {
        end = this.closing(data, at + 1)
        if (end < 0 || (end + 1 === length && !isLast)) return Ending.open
        start = at + 1
        at = end + 1
        if (data[at] === RETURN) at += 1
        if (at < length && data[at] !== delimiter && data[at] !== NEWLINE) return Ending.misquoted
        this.newlines += newlinesIn(data, start, end)
      } else {
        while (at < length && data[at] !== delimiter && data[at] !== NEWLINE) at += 1
        end = at > start && data[at - 1] === RETURN && data[at] !== delimiter ? at - 1 : at
      }
      if (this.fields === this.starts.length) this.grow()
      this.starts[this.fields] = start
      this.ends[this.fields] = end
      this.fields += 1
      if (at >= length) {
        this.end = length
        return isLast ? Ending.whole : Ending.incomplete
      }
      const isEnd = data[at] === NEWLINE
      at += 1
      if (isEnd) {
        this.end = at
        return Ending.whole
      }
    }
  }

  /** Where the quote that closes a field stands, −1 for nowhere. */
  private closing(data: Buffer, from: number): number {
    let at = data.indexOf(QUOTE, from)
    while (at >= 0 && data[at + 1] === QUOTE) {
      this.doubled = true
      at = data.indexOf(QUOTE, at + 2)
    }
    return at
  }

  private grow(): void {
    this.starts = doubledLength(this.starts)
    this.ends = doubledLength(this.ends)
  }
}

function doubledLength(array: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const longer = new Int32Array(Math.max(1024, array.length * 2))
  longer.set(array)
  return longer
}

function widen(column: ByteCells): void {
  column.starts = doubledLength(column.starts)
  column.ends = doubledLength(column.ends)
}

const isBlank = (data: Buffer, at: number): boolean => data[at] === NEWLINE || (data[at] === RETURN && data[at + 1] === NEWLINE)

function newlinesIn(data: Buffer, start: number, end: number): number {
  let count = 0
  for (let at = data.indexOf(NEWLINE, start); at >= 0 && at < end; at = data.indexOf(NEWLINE, at + 1)) count += 1
  return count
}

/** Makes one quote of two in a field that was quoted, in its place. Returns where the field ends then. */
function withoutDoubled(data: Buffer, start: number, end: number): number {
  let to = start
  for (let from = start; from < end; from += 1) {
    if (data[from] === QUOTE && data[from + 1] === QUOTE && from + 1 < end) from += 1
    data[to] = data[from]!
    to += 1
  }
  return to
}

const SHOWN_BYTES = 60
const shown = (data: Buffer, at: number, end: number): string => data.toString('utf8', at, Math.min(end < 0 ? data.length : end, at + SHOWN_BYTES)).replace(/\r$/, '')
