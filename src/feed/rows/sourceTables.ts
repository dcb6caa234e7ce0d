import { InputError } from '../../unit/inputError.ts'
import type { FileTally, ImportTally } from '../importTally.ts'
import { isFirstOfContent } from '../sourceContent.ts'
import { type Cells, ValueCells } from './cells.ts'
import { requireOnce } from './csvTable.ts'
import { type InputFile, isParquet, openInputFiles } from './inputFiles.ts'
import { openTable } from './openTable.ts'
import { plainBytes } from './plainBytes.ts'
import type { RowTable } from './rowBatch.ts'

/** A file of a part of a format. */
export interface SourceTable {
  readonly file: InputFile
  readonly table: RowTable
  /** What it calls the part's columns, in their order. Undefined for one that may be missing, and is. */
  readonly columns: readonly (string | undefined)[]
}

export interface SourceTables<Part extends string> {
  readonly tables: Readonly<Record<Part, readonly SourceTable[]>>
  /** Removes what was spooled. */
  close(): Promise<void>
}

/** `a|b` are names of one column, of which the first that is there counts. A column that ends in `?` may be missing. */
export type PartColumns = readonly string[]

const isOptional = (column: string): boolean => column.endsWith('?')
const namesOf = (column: string): string[] => column.replace(/\?$/, '').split('|')

/**
 * Sorts files into the parts of a format by their columns: CSV, NDJSON or Parquet, plain or compressed, in folders and archives. The first part must be
 * there. What is found in a folder and fits no part is noted as `file not read`, and files of one content are read once. Throws InputError for what is
 * missing or named twice, and for a file of another format that is named itself. Throws NothingNew where the store has all of them.
 */
export async function sourceTables<Part extends string>(paths: readonly string[], parts: Readonly<Record<Part, PartColumns>>, tally: ImportTally): Promise<SourceTables<Part>> {
  const { files, close } = await openInputFiles(paths)
  try {
    return { tables: await sorted(files, parts, paths, tally), close }
  } catch (error) {
    await close()
    throw error
  }
}

async function sorted<Part extends string>(files: readonly InputFile[], parts: Readonly<Record<Part, PartColumns>>, paths: readonly string[], tally: ImportTally) {
  const names = Object.keys(parts) as Part[]
  const required = names[0]!
  const found = Object.fromEntries(names.map((part) => [part, []])) as unknown as Record<Part, SourceTable[]>
  for (const file of files) {
    const table = file.head.length === 0 && !isParquet(file) ? undefined : await openTable(file)
    const part = table === undefined ? undefined : names.find((name) => missingOf(parts[name], table).length === 0)
    if (table !== undefined && part !== undefined) {
      if (await isFirstOfContent(file.name, plainBytes(file), tally)) found[part].push({ file, table, columns: parts[part].map((column) => nameIn(column, table)) })
    } else if (file.isFound) tally.file(file.name).note('file not read', 1, 'no file of this format', 0)
    else requireOnce(file.name, missingOf(parts[required], table), table?.columns ?? [])
  }
  if (found[required].length === 0) {
    throw new InputError(`no ${required} file`, { position: { file: paths.join(', ') }, hint: `its columns are ${parts[required].map((column) => namesOf(column)[0]).join(', ')}` })
  }
  tally.refuseKnown()
  return found
}

const nameIn = (column: string, table: RowTable): string | undefined => namesOf(column).find((name) => table.columns.includes(name))

/** Of a file that has nothing, and is no table, all columns are missing. */
const missingOf = (columns: PartColumns, table: RowTable | undefined): string[] =>
  columns.filter((column) => !isOptional(column) && (table === undefined || nameIn(column, table) === undefined)).map((column) => namesOf(column)[0]!)

/** A column in which each cell is empty. */
const NO_CELLS: Cells = new ValueCells([])

/** Reads a file row by row, and counts each row. `cells` are in the order of the part's columns, and undefined for one that is missing. */
export async function readRows({ table, columns }: SourceTable, tally: FileTally, onRow: (cells: readonly Cells[], row: number, number: number) => void): Promise<void> {
  const asked = [...new Set(columns.filter((name) => name !== undefined))]
  for await (const { count, numbers, cells } of table.batches(asked, tally)) {
    const ordered = columns.map((name) => (name === undefined ? NO_CELLS : cells[asked.indexOf(name)]!))
    tally.read(count)
    for (let row = 0; row < count; row += 1) onRow(ordered, row, numbers[row]!)
  }
}
