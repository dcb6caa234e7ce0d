import { assert } from '../unit/assert.ts'
import { type ImportedFile, type ImportTrouble, type SourceContent, sourceOf } from './importReport.ts'

interface Entry {
  rows: number
  firstRow: number
  readonly about: string
  /** Where the first row lies in a JSON document. */
  place?: string | undefined
}

type Told = readonly [kind: string, rows: number, firstRow: number, about: string]

/** An account that was kept apart, as data. */
export interface TallyCounts {
  readonly inputRows: number
  readonly acceptedRows: number
  readonly quarantinedRows: number
  readonly noted: readonly Told[]
  readonly setAside: readonly Told[]
}

/** What became of one file's rows. Rows count from 1. In CSV the header is row 1, so that a row is a line. */
export class FileTally {
  declare readonly file: string
  inputRows = 0
  acceptedRows = 0
  quarantinedRows = 0
  /** Told of each row that is set aside, for those who show rows one by one. */
  onQuarantine: ((kind: string, row: number, about: string) => void) | undefined = undefined
  private readonly noted = new Map<string, Entry>()
  private readonly setAside = new Map<string, Entry>()

  constructor(file: string) {
    this.file = file
  }

  /** The account itself, where this one leaves out what another part of a mapping told it of. */
  get whole(): FileTally {
    return this
  }

  /** Counts rows as they are read. What becomes of them is counted separately. */
  read(rows = 1): void {
    this.inputRows += rows
  }

  accept(rows = 1): void {
    this.acceptedRows += rows
  }

  /** Sets rows aside. Of each kind, the `about` of the first call is kept. */
  quarantine(kind: string, row: number, about: string, rows = 1, place?: string): void {
    this.quarantinedRows += rows
    this.onQuarantine?.(kind, row, about)
    enter(this.setAside, kind, row, about, rows, place)
  }

  /** Reports rows that stay accepted. `rows` may be 0 for a remark on the file itself. */
  note(kind: string, row: number, about: string, rows = 1, place?: string): void {
    enter(this.noted, kind, row, about, rows, place)
  }

  /** First rows of troubles of which nobody has said where they lie in a JSON document. */
  get unplaced(): number[] {
    return [...this.setAside.values(), ...this.noted.values()].filter(({ rows, place }) => rows > 0 && place === undefined).map(({ firstRow }) => firstRow)
  }

  /** Says where rows lie in a JSON document, by number. */
  place(places: ReadonlyMap<number, string>): void {
    for (const entry of [...this.setAside.values(), ...this.noted.values()]) if (entry.rows > 0) entry.place ??= places.get(entry.firstRow)
  }

  /** How many kinds of troubles it has been told of: of rows that are set aside, or of notes. */
  kinds(handling: ImportTrouble['handling']): number {
    return (handling === 'noted' ? this.noted : this.setAside).size
  }

  counts(): TallyCounts {
    const told = (entries: Map<string, Entry>): Told[] => [...entries].map(([kind, { rows, firstRow, about }]) => [kind, rows, firstRow, about])
    const { inputRows, acceptedRows, quarantinedRows } = this
    return { inputRows, acceptedRows, quarantinedRows, noted: told(this.noted), setAside: told(this.setAside) }
  }

  /** Adds the account of rows that follow those before. `rowsBefore` is added to their numbers. `onKind` is told before a kind is added, and how many were before it. */
  absorb({ inputRows, acceptedRows, quarantinedRows, noted, setAside }: TallyCounts, rowsBefore: number, onKind: (handling: ImportTrouble['handling'], place: number) => void = () => {}): void {
    this.inputRows += inputRows
    this.acceptedRows += acceptedRows
    this.quarantinedRows += quarantinedRows
    for (const [place, [kind, rows, firstRow, about]] of noted.entries()) {
      onKind('noted', place)
      enter(this.noted, kind, firstRow + rowsBefore, about, rows)
    }
    for (const [place, [kind, rows, firstRow, about]] of setAside.entries()) {
      onKind('quarantined', place)
      enter(this.setAside, kind, firstRow + rowsBefore, about, rows)
    }
  }

  troubles(): ImportTrouble[] {
    return [
      ...entries(this.file, this.setAside, 'quarantined'),
      ...entries(this.file, this.noted, 'noted'),
    ]
  }
}

/** What is wrong is told with the beginning of what was found: a cell may have a mebibyte. */
const ABOUT_MAX = 300

function enter(entries: Map<string, Entry>, kind: string, row: number, about: string, rows: number, place?: string): void {
  const entry = entries.get(kind)
  if (entry === undefined) {
    entries.set(kind, { rows, firstRow: row, about: about.length > ABOUT_MAX ? `${about.slice(0, ABOUT_MAX)}…` : about, place })
    return
  }
  entry.rows += rows
  if (row >= entry.firstRow) return
  entry.firstRow = row
  entry.place = place
}

function entries(file: string, from: Map<string, Entry>, handling: ImportTrouble['handling']): ImportTrouble[] {
  return [...from].map(([kind, { rows, firstRow, about, place }]) => ({ kind, file, rows, handling, firstRow, about, ...(place === undefined ? {} : { place }) }))
}

/** Thrown where a store has all files of an import already. */
export class NothingNew extends Error {
  override name = 'NothingNew'
}

/** The account of one import: every row that was read is accepted or quarantined, per file and in total. */
export class ImportTally {
  /** Told of each file as it is begun. */
  onFile: ((tally: FileTally) => void) | undefined = undefined
  private readonly files: FileTally[] = []
  private readonly contents = new Map<string, SourceContent>()
  private declare readonly known: ReadonlySet<string>

  /** @param known the sources that the store has already (`sourceOf`). */
  constructor(known: ReadonlySet<string> = new Set()) {
    this.known = known
  }

  file(path: string): FileTally {
    const tally = new FileTally(path)
    this.files.push(tally)
    this.onFile?.(tally)
    return tally
  }

  /** Notes the content of a file that is going to be read. */
  source(path: string, content: SourceContent): void {
    this.contents.set(path, content)
  }

  /** The file of this import that has a content and is read by the same mapping, if there is one. */
  fileOf(source: SourceContent): string | undefined {
    return [...this.contents].find(([, content]) => sourceOf(content) === sourceOf(source))?.[0]
  }

  /** Throws NothingNew where the store has the contents of all files. */
  refuseKnown(): void {
    if (this.contents.size > 0 && [...this.contents.values()].every((content) => this.known.has(sourceOf(content)))) throw new NothingNew('the store has these files already')
  }

  /** Closes the account. A row that is neither accepted nor quarantined, or both, is a bug. */
  close() {
    for (const f of this.files) {
      assert(f.acceptedRows + f.quarantinedRows === f.inputRows, `${f.file}: accepted and quarantined rows are not the input`)
    }
    const sum = (of: (f: FileTally) => number) => this.files.reduce((total, f) => total + of(f), 0)
    return {
      files: this.files.map(({ file, inputRows, acceptedRows, quarantinedRows }): ImportedFile => ({ file, inputRows, acceptedRows, quarantinedRows, ...this.contents.get(file) })),
      inputRows: sum((f) => f.inputRows),
      acceptedRows: sum((f) => f.acceptedRows),
      quarantinedRows: sum((f) => f.quarantinedRows),
      troubles: this.files.flatMap((f) => f.troubles()),
    }
  }
}
