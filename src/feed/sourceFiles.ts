import { readdir, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { InputError } from '../unit/inputError.ts'
import { csvColumns, requireColumns } from './csvRows.ts'
import type { ImportTally } from './importTally.ts'
import { parquetColumns } from './parquetRows.ts'
import { inputFile } from './rows/inputFiles.ts'
import { plainBytes } from './rows/plainBytes.ts'
import { isFirstOfContent } from './sourceContent.ts'

/**
 * Sorts files into the parts of a format by their columns. The first part must be there. A folder stands for its
 * files and those of folders in it, in order of name, and a file in it that fits no part is noted as `file not read`. Files of one content are read once. Throws InputError for a path
 * that is missing or named twice, and for a file of another format that is named itself. Throws NothingNew where the store has all of them.
 */
export async function sourceFiles<Part extends string>(
  paths: readonly string[],
  parts: Readonly<Record<Part, readonly string[]>>,
  tally: ImportTally,
): Promise<Record<Part, string[]>> {
  const names = Object.keys(parts) as Part[]
  const required = names[0]!
  const found = Object.fromEntries(names.map((part) => [part, []])) as unknown as Record<Part, string[]>
  const seen = new Set<string>()
  for (const path of paths) {
    const kind = await stat(path).catch((cause: unknown) => {
      throw new InputError('no such file or folder', { position: { file: path }, cause })
    })
    for (const file of kind.isDirectory() ? await filesIn(path) : [path]) {
      if (seen.has(resolve(file))) throw new InputError('named twice', { position: { file } })
      seen.add(resolve(file))
      const columns = await columnsOf(file)
      const part = names.find((name) => parts[name].every((column) => columns?.includes(column)))
      if (part !== undefined) {
        if (await isFirstOfContent(file, plainBytes(await inputFile(file)), tally)) found[part].push(file)
      }
      else if (kind.isDirectory()) tally.file(file).note('file not read', 1, 'no file of this format', 0)
      else refuse(file, columns, parts[required])
    }
  }
  if (found[required].length === 0) {
    const columns = parts[required].join(', ')
    throw new InputError(`no ${required} file`, { position: { file: paths.join(', ') }, hint: `its columns are ${columns}` })
  }
  tally.refuseKnown()
  return found
}

/** Hidden folders are somebody's own, and a link to a folder may lead back. */
async function filesIn(folder: string): Promise<string[]> {
  const entries = (await readdir(folder, { withFileTypes: true })).toSorted((a, b) => (a.name < b.name ? -1 : 1))
  const paths: string[] = []
  for (const entry of entries) {
    const path = join(folder, entry.name)
    if (!entry.isDirectory()) paths.push(path)
    else if (!entry.name.startsWith('.')) paths.push(...await filesIn(path))
  }
  return paths
}

/** Undefined for what is no file of a known kind. A pipe would be waited for without end. */
async function columnsOf(file: string): Promise<readonly string[] | undefined> {
  if (!await isPlain(file)) return undefined
  if (/\.csv(\.gz)?$/.test(file)) return csvColumns(file)
  if (file.endsWith('.parquet')) return parquetColumns(file)
  return undefined
}

const isPlain = async (file: string): Promise<boolean> => (await stat(file)).isFile()

function refuse(file: string, columns: readonly string[] | undefined, wanted: readonly string[]): never {
  if (columns !== undefined) requireColumns(file, wanted, columns)
  throw new InputError('is neither CSV nor Parquet', { position: { file }, hint: 'expected a plain file whose name ends in .csv, .csv.gz or .parquet' })
}
