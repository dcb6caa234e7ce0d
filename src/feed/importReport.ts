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
  /** Where that row lies in a file that is one JSON document, as `$.markets[12]`. */
  readonly place?: string | undefined
}

/** A file of an import, and what became of its rows. */
export interface ImportedFile {
  readonly file: string
  readonly inputRows: number
  readonly acceptedRows: number
  readonly quarantinedRows: number
  /** Length and SHA-256 of its content, as it is when it is decompressed. Absent of a file that was not read. */
  readonly bytes?: number | undefined
  readonly sha256?: string | undefined
  /** SHA-256 of the mapping that read it. Absent of a format that parlor knows by name. */
  readonly mapping?: string | undefined
  /** The licence that the source states. */
  readonly licence?: string | undefined
}

/** What an import read and what became of the rows: accepted + quarantined = input, per file and in total. */
export interface ImportReport {
  readonly format: string
  readonly files: readonly ImportedFile[]
  readonly inputRows: number
  readonly acceptedRows: number
  readonly quarantinedRows: number
  readonly troubles: readonly ImportTrouble[]
  readonly markets: number
  readonly ticks: number
  /** Markets by what is known about them: resolved yes/no/void/scalar, unresolved, without a settlement time. */
  readonly coverage: Readonly<Record<string, number>>
}

/** What a source file holds, whatever it is called and however it is compressed. */
export interface SourceContent {
  readonly bytes: number
  /** Hex. */
  readonly sha256: string
  /** SHA-256, hex, of the mapping that reads it: another one may see something else in it. */
  readonly mapping?: string | undefined
}

/** What a store knows a source by. */
export const sourceOf = ({ sha256, mapping }: Pick<SourceContent, 'sha256' | 'mapping'>): string => (mapping === undefined ? sha256 : `${sha256}:${mapping}`)
