import type { Market } from '../market/market.ts'
import type { Ticks } from '../market/ticks.ts'

/** One kind of trouble in the files of an import. */
export interface ImportTrouble {
  /** Short name of the trouble, e.g. `ragged row`, `duplicate`, `crossed book`, `unknown market`. */
  readonly kind: string
  readonly file: string
  /** Rows concerned, and whether they were kept (`noted`) or set aside (`quarantined`). */
  readonly rows: number
  readonly handling: 'noted' | 'quarantined'
  /** The first line or row number concerned, from 1. */
  readonly firstRow: number
  readonly about: string
}

/** What an import read and what became of the rows: accepted + quarantined = input, per file and in total. */
export interface ImportReport {
  readonly format: string
  readonly files: readonly { readonly file: string; readonly inputRows: number; readonly acceptedRows: number; readonly quarantinedRows: number }[]
  readonly inputRows: number
  readonly acceptedRows: number
  readonly quarantinedRows: number
  readonly troubles: readonly ImportTrouble[]
  readonly markets: number
  readonly ticks: number
  /** Markets by what is known about them: resolved yes/no/void/scalar, unresolved, without a settlement time. */
  readonly coverage: Readonly<Record<string, number>>
}

export interface ImportResult {
  /** Numbers are dense from 0, in order of ticker. */
  readonly markets: readonly Market[]
  /** Sorted by (atUs, order of arrival in the source). */
  readonly ticks: Ticks
  readonly report: ImportReport
}

/** Reads files of one format. Throws InputError for files that are missing, unreadable or of another format. */
export interface Importer {
  readonly format: string
  /** One line for `parlor import --help`. */
  readonly about: string
  read(files: readonly string[]): Promise<ImportResult>
}
