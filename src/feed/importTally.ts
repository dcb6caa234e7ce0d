import { assert } from '../unit/assert.ts'
import type { ImportTrouble } from './importer.ts'

interface Entry {
  rows: number
  firstRow: number
  readonly about: string
}

/** What became of one file's rows. Rows count from 1. In CSV the header is row 1, so that a row is a line. */
export class FileTally {
  declare readonly file: string
  inputRows = 0
  acceptedRows = 0
  quarantinedRows = 0
  private readonly noted = new Map<string, Entry>()
  private readonly setAside = new Map<string, Entry>()

  constructor(file: string) {
    this.file = file
  }

  /** Counts rows as they are read. What becomes of them is counted separately. */
  read(rows = 1): void {
    this.inputRows += rows
  }

  accept(rows = 1): void {
    this.acceptedRows += rows
  }

  /** Sets rows aside. Of each kind, the `about` of the first call is kept. */
  quarantine(kind: string, row: number, about: string, rows = 1): void {
    this.quarantinedRows += rows
    enter(this.setAside, kind, row, about, rows)
  }

  /** Reports rows that stay accepted. `rows` may be 0 for a remark on the file itself. */
  note(kind: string, row: number, about: string, rows = 1): void {
    enter(this.noted, kind, row, about, rows)
  }

  troubles(): ImportTrouble[] {
    return [
      ...entries(this.file, this.setAside, 'quarantined'),
      ...entries(this.file, this.noted, 'noted'),
    ]
  }
}

function enter(entries: Map<string, Entry>, kind: string, row: number, about: string, rows: number): void {
  const entry = entries.get(kind)
  if (entry === undefined) {
    entries.set(kind, { rows, firstRow: row, about })
    return
  }
  entry.rows += rows
  if (row < entry.firstRow) entry.firstRow = row
}

function entries(file: string, from: Map<string, Entry>, handling: ImportTrouble['handling']): ImportTrouble[] {
  return [...from].map(([kind, { rows, firstRow, about }]) => ({ kind, file, rows, handling, firstRow, about }))
}

/** The account of one import: every row that was read is accepted or quarantined, per file and in total. */
export class ImportTally {
  private readonly files: FileTally[] = []

  file(path: string): FileTally {
    const tally = new FileTally(path)
    this.files.push(tally)
    return tally
  }

  /** Closes the account. A row that is neither accepted nor quarantined, or both, is a bug. */
  close() {
    for (const f of this.files) {
      assert(f.acceptedRows + f.quarantinedRows === f.inputRows, `${f.file}: accepted and quarantined rows are not the input`)
    }
    const sum = (of: (f: FileTally) => number) => this.files.reduce((total, f) => total + of(f), 0)
    return {
      files: this.files.map(({ file, inputRows, acceptedRows, quarantinedRows }) => ({ file, inputRows, acceptedRows, quarantinedRows })),
      inputRows: sum((f) => f.inputRows),
      acceptedRows: sum((f) => f.acceptedRows),
      quarantinedRows: sum((f) => f.quarantinedRows),
      troubles: this.files.flatMap((f) => f.troubles()),
    }
  }
}
