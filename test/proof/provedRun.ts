import { createHash } from 'node:crypto'
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tableFromIPC, tableToIPC } from 'apache-arrow'
import { readTable } from '../../src/arrow/tableReader.ts'
import { writeWholeJson } from '../../src/arrow/wholeFile.ts'
import type { Manifest, RunIdentity } from '../../src/record/manifest.ts'
import { writeRunReport } from '../../src/report/runReport.ts'
import { identityOf, type PreparedScenario, runScenario } from '../../src/scenario/run.ts'
import { summariseRun } from '../../src/score/summary.ts'
import { newFolder, prepared, put, QUICKSTART_STORE, SMALL } from '../scenario/small.ts'

/** A scenario of a few requests on a history that lies beside the runs. */
const PROVED = `${SMALL.replace(/store: [^,]*/, 'store: ./prices').replace('max: 200', 'max: 40')}record: { marks: [30s], equityEvery: 2m }\n`

/** How a run is made other than usual. */
interface Making {
  readonly made?: (identity: RunIdentity) => RunIdentity
  readonly change?: (ready: PreparedScenario) => PreparedScenario
}

export interface ProvedRuns {
  readonly folder: string
  /** Plays the scenario into a folder of its own, with summary and page. */
  readonly run: (name: string, making?: Making) => Promise<string>
  /** A copy of a run, in a folder of its own. */
  readonly copy: (name: string) => string
}

export function provedRuns(): ProvedRuns {
  const folder = newFolder()
  cpSync(QUICKSTART_STORE, join(folder, 'prices'), { recursive: true })
  const run = async (name: string, { made = (identity) => identity, change = (ready) => ready }: Making = {}): Promise<string> => {
    const { loaded, prepared: ready } = await prepared(PROVED.replace('./prices', join(folder, 'prices')))
    const changed = change(ready)
    const path = put(folder, 'small.yaml', PROVED)
    await runScenario({ ...loaded, path }, changed, {
      target: { path: join(folder, name), force: false, numbered: false }, identity: made(identityOf(changed)),
      finishing: async (dir) => {
        const summary = await summariseRun(dir)
        writeWholeJson(join(dir, 'summary.json'), summary)
        await writeRunReport(dir, join(dir, 'report.html'), { summary })
      },
    })
    return join(folder, name)
  }
  let copies = 0
  const copy = (name: string): string => {
    const path = join(folder, `copy-${++copies}`)
    cpSync(join(folder, name), path, { recursive: true })
    return path
  }
  return { folder, run, copy }
}

const textOf = (dir: string, file: string): string => readFileSync(join(dir, file), 'utf8')
export const manifestOf = (dir: string): Manifest => JSON.parse(textOf(dir, 'manifest.json')) as Manifest

/** A manifest that may be changed. */
export type Loose = { -readonly [name in keyof Manifest]: any }

/** Edits what a manifest says, and writes it as parlor does. */
export function editManifest(dir: string, edit: (manifest: Loose) => void): void {
  const manifest = manifestOf(dir) as Loose
  edit(manifest)
  writeFileSync(join(dir, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`)
}

/** Gives a file that was edited its new length and hash in the manifest. */
export function hashAlong(dir: string, file: string): void {
  const bytes = readFileSync(join(dir, file))
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  editManifest(dir, ({ files, tables }) => {
    files[file] = { bytes: bytes.length, sha256 }
    for (const table of Object.values<{ file: string; sha256: string }>(tables)) if (table.file === file) table.sha256 = sha256
  })
}

export function editText(dir: string, file: string, from: RegExp, to: string): void {
  const text = textOf(dir, file)
  if (!from.test(text)) throw new Error(`${file} has no ${from}`)
  writeFileSync(join(dir, file), text.replace(from, to))
}

export function flipBit(dir: string, file: string, share: number): void {
  const bytes = readFileSync(join(dir, file))
  bytes[Math.floor(bytes.length * share)]! ^= 1
  writeFileSync(join(dir, file), bytes)
}

/** Adds 1 to a 64-bit integer of a table, in the bytes of its file. Rows are counted from 1. Returns the integer before. */
export function addOne(dir: string, table: string, column: string, row: number): number {
  const path = join(dir, 'tables', `${table}.arrow`)
  const numbers = [...readTable(path).numbers(column)]
  const pattern = Buffer.alloc(numbers.length * 8)
  numbers.forEach((number, i) => pattern.writeBigInt64LE(BigInt(number), i * 8))
  const bytes = readFileSync(path)
  const at = bytes.indexOf(pattern)
  if (at < 0 || bytes.indexOf(pattern, at + 1) >= 0) throw new Error(`${column} of ${table} is not found once`)
  bytes.writeBigInt64LE(BigInt(numbers[row - 1]! + 1), at + (row - 1) * 8)
  writeFileSync(path, bytes)
  return numbers[row - 1]!
}

/** Takes the last row, or the first one, out of a table. */
export function withoutRow(dir: string, table: string, which: 'first' | 'last'): void {
  const path = join(dir, 'tables', `${table}.arrow`)
  const whole = tableFromIPC(readFileSync(path))
  writeFileSync(path, tableToIPC(which === 'first' ? whole.slice(1) : whole.slice(0, -1), 'file'))
}
