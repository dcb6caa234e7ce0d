import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, isAbsolute, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { readTable } from '../arrow/tableReader.ts'
import type { TableSpec } from '../arrow/tableSchema.ts'
import { TableWriter } from '../arrow/tableWriter.ts'
import { writeWholeJson, writeWholeText } from '../arrow/wholeFile.ts'
import { checkCatalogue } from '../market/catalogue.ts'
import type { Catalogue, Market } from '../market/market.ts'
import type { Ticks } from '../market/ticks.ts'
import { settleIfAllowed } from '../result/check.ts'
import { type BegunGeneration, Generation, isFree } from '../result/generation.ts'
import { describeFile } from '../result/head.ts'
import type { LeaseWait } from '../result/lease.ts'
import { placeOf } from '../result/place.ts'
import { Bug } from '../unit/assert.ts'
import { InputError } from '../unit/inputError.ts'
import type { ImportReport, ImportResult } from './importer.ts'

/** Raised when importers keep more of a history. Version 2 has which markets are exclusive. */
const STORE_VERSION = 2
/** The version of the table of ticks alone. Stores of different versions with the same data have the same bytes in this table. */
const TICKS_VERSION = 1
const BATCH_ROWS = 262_144
const STORE_FILE = 'store.json'
const MARKETS_FILE = 'markets.json'
const TICKS_FILE = 'ticks.arrow'
const REPORT_FILE = 'import.json'
/** The files that the data hash covers. It leaves out the report, which names the files that an import read. */
const DATA_FILES = [MARKETS_FILE, TICKS_FILE] as const

/** `ticks.arrow` of a store. */
export const TICKS_TABLE: TableSpec = {
  name: 'ticks',
  about: 'top of book of YES, one row per update, in time order; -1 where there is nothing',
  columns: [
    { name: 'at', type: 'timeUs', about: 'when the update could be seen' },
    { name: 'market', type: 'int32', about: 'number of the market in markets.json' },
    { name: 'bid_e6', type: 'int32', about: 'best bid, millionths of a dollar' },
    { name: 'ask_e6', type: 'int32', about: 'best ask, millionths of a dollar' },
    { name: 'bid_size', type: 'int32', about: 'contracts at the best bid' },
    { name: 'ask_size', type: 'int32', about: 'contracts at the best ask' },
    { name: 'last_e6', type: 'int32', about: 'last trade or the only price of the source, millionths of a dollar' },
  ],
}

const count = z.int().nonnegative()
const instant = z.int().nullable()
const sha256Hex = z.string().regex(/^[0-9a-f]{64}$/)

const storeSchema = z.strictObject({
  format: z.literal('parlor-store'),
  version: z.int().min(1).max(STORE_VERSION),
  markets: count,
  ticks: count,
  /** Stamps of the first and the last tick, null without ticks. */
  firstUs: instant,
  lastUs: instant,
  dataHash: sha256Hex,
  files: z.record(z.string(), z.strictObject({ bytes: count, sha256: sha256Hex })),
})
export type StoreHead = z.infer<typeof storeSchema>

const marketsSchema = z.array(z.strictObject({
  number: count,
  ticker: z.string(),
  venue: z.enum(['venue_a', 'venue_b']),
  event: z.string(),
  series: z.string(),
  category: z.string(),
  title: z.string(),
  game: z.string(),
  ladder: z.string(),
  exclusionKeys: z.array(z.string()),
  openUs: z.int(),
  scheduledCloseUs: instant,
  scheduledCloseKnownUs: instant,
  actualCloseUs: instant,
  outcome: z.enum(['yes', 'no', 'void', 'scalar']).nullable(),
  settlementE6: z.int().nullable(),
  settledUs: instant,
  listing: z.strictObject({
    subcategory: z.string().optional(),
    frequency: z.enum(['hourly', 'daily', 'weekly', 'monthly', 'other']).optional(),
    eventTitle: z.string().optional(),
    isExclusive: z.boolean().optional(),
  }).optional(),
}))

const reportSchema = z.strictObject({
  format: z.string(),
  files: z.array(z.strictObject({ file: z.string(), inputRows: count, acceptedRows: count, quarantinedRows: count })),
  inputRows: count,
  acceptedRows: count,
  quarantinedRows: count,
  troubles: z.array(z.strictObject({
    kind: z.string(), file: z.string(), rows: count, handling: z.enum(['noted', 'quarantined']), firstRow: count, about: z.string(),
  })),
  markets: count,
  ticks: count,
  coverage: z.record(z.string(), z.number()),
})

/** A price history that has been read. */
export interface Store {
  readonly path: string
  readonly catalogue: Catalogue
  readonly ticks: Ticks
  readonly report: ImportReport
  /** SHA-256 over markets and ticks, hex. The same data have the same hash wherever they came from. */
  readonly dataHash: string
}

/** What `parlor data` shows of a store, without reading its ticks. */
export interface StoreDescription extends StoreHead {
  readonly path: string
  readonly name: string
  readonly bytes: number
  readonly report: ImportReport
}

function dataHashOf(files: StoreHead['files']): string {
  const hash = createHash('sha256')
  for (const name of DATA_FILES) hash.update(`${files[name]!.sha256}  ${name}\n`)
  return hash.digest('hex')
}

function checkTicks(ticks: Ticks, marketCount: number, fail: (message: string) => never): void {
  const { atUs, market } = ticks
  for (let i = 0; i < ticks.count; i++) {
    if (i > 0 && !(atUs[i]! >= atUs[i - 1]!)) fail(`tick ${i + 1} is earlier than the one before`)
    if (!(market[i]! >= 0 && market[i]! < marketCount)) fail(`tick ${i + 1} names market ${market[i]} of ${marketCount}`)
  }
}

function writeTicks(path: string, ticks: Ticks): void {
  const writer = new TableWriter(TICKS_TABLE, path, { version: String(TICKS_VERSION) }, { batchRows: BATCH_ROWS })
  try {
    for (let i = 0; i < ticks.count; i++) {
      writer.row()
      writer.int(0, ticks.atUs[i]!)
      writer.int(1, ticks.market[i]!)
      writer.int(2, ticks.bidE6[i]!)
      writer.int(3, ticks.askE6[i]!)
      writer.int(4, ticks.bidSize[i]!)
      writer.int(5, ticks.askSize[i]!)
      writer.int(6, ticks.lastE6[i]!)
    }
    writer.finish()
  } catch (error) {
    writer.abort()
    throw error
  }
}

function writeFiles(folder: string, result: ImportResult): Omit<StoreHead, 'files'> {
  const { markets, ticks, report } = result
  const lines = markets.map((market) => JSON.stringify(market))
  writeWholeText(join(folder, MARKETS_FILE), lines.length === 0 ? '[]\n' : `[\n${lines.join(',\n')}\n]\n`)
  writeTicks(join(folder, TICKS_FILE), ticks)
  writeWholeJson(join(folder, REPORT_FILE), report)
  const files = Object.fromEntries([...DATA_FILES, REPORT_FILE].map((name) => [name, describeFile(join(folder, name))]))
  return {
    format: 'parlor-store',
    version: STORE_VERSION,
    markets: markets.length,
    ticks: ticks.count,
    firstUs: ticks.count === 0 ? null : ticks.atUs[0]!,
    lastUs: ticks.count === 0 ? null : ticks.atUs[ticks.count - 1]!,
    dataHash: dataHashOf(files),
  }
}

export interface StoreWriting extends LeaseWait {
  /** Told before anything is written. */
  readonly begun?: ((generation: BegunGeneration) => void) | undefined
}

/**
 * Writes the result of an import as a store: a folder of `markets.json`, `ticks.arrow`, `import.json` and `store.json`, the manifest that
 * commits them (`Generation`). A store of that name is replaced. A folder that is something else is refused with an InputError. Waits while
 * another process writes the store. The same data give the same bytes.
 */
export async function writeStore(folder: string, result: ImportResult, { begun, ...waiting }: StoreWriting = {}): Promise<StoreHead> {
  const path = resolve(folder)
  checkCatalogue({ markets: result.markets }, path)
  checkTicks(result.ticks, result.markets.length, (message) => {
    throw new Bug(message)
  })
  if (!isFree(path) && !existsSync(join(path, STORE_FILE))) {
    throw new InputError('there is something here that is not a store', { position: { file: path }, hint: 'choose another name' })
  }
  const generation = await Generation.begin(path, { ...waiting, isPatient: true, manifest: STORE_FILE })
  begun?.(generation.begun)
  try {
    generation.commit(writeFiles(generation.folder, result), { order: [...DATA_FILES, REPORT_FILE] })
  } catch (error) {
    throw generation.giveUp(error)
  }
  return readHead(path)
}

/** @param check throws for what has better words than the schema's */
function readJson<T>(path: string, schema: z.ZodType<T>, check: (value: unknown) => void = () => {}): T {
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) throw new InputError('is missing, or no plain file', { position: { file: path }, hint: 'import the history again' })
  let value: unknown
  try {
    value = JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    throw new InputError('not readable as JSON', { position: { file: path }, hint: 'import the history again', cause: error })
  }
  check(value)
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]!
  throw new InputError(`${issue.path.join('.') || 'the file'}: ${issue.message}`, { position: { file: path }, hint: 'import the history again' })
}

function readHead(path: string): StoreHead {
  settleIfAllowed(path, STORE_FILE)
  if (!existsSync(path)) throw new InputError('there is no store here', { position: { file: path } })
  if (!existsSync(join(path, STORE_FILE))) {
    throw new InputError(`not a store, or an incomplete one: ${STORE_FILE} is missing`, {
      position: { file: path }, hint: 'import the history again',
    })
  }
  const file = join(path, STORE_FILE)
  return readJson(file, storeSchema, (value) => {
    const { version } = (value ?? {}) as { readonly version?: unknown }
    if (typeof version !== 'number' || version <= STORE_VERSION) return
    throw new InputError(`a newer parlor imported the store: it has version ${version}, and this one reads ${STORE_VERSION}`, {
      position: { file }, hint: 'use the parlor that imported it, or import the history again',
    })
  })
}

/** Compares every file with what `store.json` says about it: always its length, and its hash when `hashes` is set. */
function checkFiles(path: string, head: StoreHead, hashes: boolean): void {
  for (const name of [...DATA_FILES, REPORT_FILE]) {
    const file = placeOf(path, name, STORE_FILE)
    const said = head.files[name]
    const fail = (message: string): never => {
      throw new InputError(message, { position: { file }, hint: 'the store was changed or cut off: import the history again' })
    }
    if (said === undefined) return fail(`${STORE_FILE} does not name it`)
    if (!existsSync(file)) return fail('the file is missing')
    const stat = statSync(file)
    if (!stat.isFile()) return fail('is no plain file')
    const { size } = stat
    if (size !== said.bytes) fail(`the file has ${size} bytes, and ${STORE_FILE} says ${said.bytes}`)
    if (hashes && describeFile(file).sha256 !== said.sha256) fail(`its SHA-256 is not the one in ${STORE_FILE}`)
  }
  if (dataHashOf(head.files) !== head.dataHash) {
    throw new InputError('dataHash does not follow from the files', { position: { file: join(path, STORE_FILE) } })
  }
}

/**
 * Reads a store. `verify` (default) compares the files with their hashes. A worker that reads what its parent has just
 * verified may leave that out. Throws InputError for a folder that is missing, incomplete, truncated or changed, and for a
 * store that an older version imported.
 */
export function readStore(path: string, options: { readonly verify?: boolean } = {}): Store {
  const head = readHead(path)
  if (head.version < STORE_VERSION) {
    throw new InputError(`the store has version ${head.version}, and lacks facts that imports keep from version ${STORE_VERSION} on`, {
      position: { file: path }, hint: 'import the history again (a scenario with history.import does so by itself)',
    })
  }
  checkFiles(path, head, options.verify ?? true)
  const catalogue: Catalogue = { markets: readJson<Market[]>(placeOf(path, MARKETS_FILE, STORE_FILE), marketsSchema) }
  checkCatalogue(catalogue, join(path, MARKETS_FILE))
  const report: ImportReport = readJson(placeOf(path, REPORT_FILE, STORE_FILE), reportSchema)
  const file = placeOf(path, TICKS_FILE, STORE_FILE)
  const table = readTable(file)
  const words = (name: string): Int32Array => table.numbers(name, 'int32') as Int32Array
  const ticks: Ticks = {
    count: table.rowCount,
    atUs: table.numbers('at', 'timeUs') as Float64Array,
    market: words('market'),
    bidE6: words('bid_e6'),
    askE6: words('ask_e6'),
    bidSize: words('bid_size'),
    askSize: words('ask_size'),
    lastE6: words('last_e6'),
  }
  const fail = (message: string): never => {
    throw new InputError(message, { position: { file }, hint: 'import the history again' })
  }
  if (ticks.count !== head.ticks || catalogue.markets.length !== head.markets) fail(`the number of its rows is not the one in ${STORE_FILE}`)
  checkTicks(ticks, catalogue.markets.length, fail)
  return { path, catalogue, ticks, report, dataHash: head.dataHash }
}

/** Whether there is a store that `readStore` refuses because an older version imported it. */
export const isOlderStore = (path: string): boolean => existsSync(join(path, STORE_FILE)) && readHead(path).version < STORE_VERSION

/** What `store.json` and `import.json` say about a store. Of its files only the lengths are checked. */
export function describeStore(path: string): StoreDescription {
  const head = readHead(path)
  checkFiles(path, head, false)
  const report: ImportReport = readJson(placeOf(path, REPORT_FILE, STORE_FILE), reportSchema)
  const bytes = Object.values(head.files).reduce((sum, file) => sum + file.bytes, 0)
  return { path, name: basename(path), bytes, report, ...head }
}

/** The folders in which stores are looked up by name: `store/` of the working folder, then `data/` of the repository. */
export const storeRoots = (): readonly string[] => [resolve('store'), fileURLToPath(new URL('../../data', import.meta.url))]

/** Paths of the complete stores under the roots, by root and then by name. */
export function listStores(roots: readonly string[] = storeRoots()): string[] {
  return roots.flatMap((root) => {
    if (!existsSync(root)) return []
    return readdirSync(root).sort().map((name) => join(root, name)).filter((path) => existsSync(join(path, STORE_FILE)))
  })
}

const isPath = (name: string): boolean => isAbsolute(name) || /[\\/]/.test(name) || name.startsWith('.')

/**
 * The folder of a store that is given by name or as a path (a text with a slash or a leading dot, relative to `base`,
 * which is the working folder by default). Throws InputError with the known stores when there is none.
 */
export function resolveStore(name: string, options: { readonly base?: string; readonly roots?: readonly string[] } = {}): string {
  const roots = options.roots ?? storeRoots()
  const candidates = isPath(name) ? [resolve(options.base ?? '.', name)] : roots.map((root) => join(root, name))
  // A folder in which a store is only about to be is none.
  const found = candidates.find((path) => !isFree(path))
  if (found !== undefined) return found
  const known = listStores(roots).map((path) => basename(path))
  throw new InputError(`no store ${isPath(name) ? 'at' : 'named'} ${name}`, {
    hint: known.length === 0
      ? 'there are no stores yet: `parlor import FORMAT FILE… --into NAME` makes one'
      : `known stores: ${[...new Set(known)].join(', ')}`,
  })
}

/** Where an import writes a store that is given by name or as a path, which is relative to `base`, the working folder by default. */
export const newStorePath = (name: string, base = '.'): string => (isPath(name) ? resolve(base, name) : join(storeRoots()[0]!, name))

