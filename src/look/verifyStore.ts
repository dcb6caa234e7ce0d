import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { lastDepthByRows } from '../feed/store/partDepth.ts'
import { type DepthPart, openStore, type OpenStore, type StorePart } from '../feed/store/openStore.ts'
import { lastByTicks, type PartLast } from '../feed/store/partLast.ts'
import { checkFiles, storePlace } from '../feed/store/storeFiles.ts'
import { isCurrent, lastName, type OlderHead, readAnyHead, STORE_FILE, type StoreHead } from '../feed/store/storeHead.ts'
import { describeFile } from '../result/head.ts'
import { InputError } from '../unit/inputError.ts'
import type { Proceed } from './storeRuns.ts'

/** What is wrong with a file of a store. */
export interface StoreFault {
  readonly file: string
  /** Row of a table, from 1, where the fault is in one. */
  readonly row?: number
  readonly message: string
}

/** What was looked at in a store, and what is wrong. */
export interface VerifiedStore {
  readonly path: string
  readonly files: number
  readonly bytes: number
  readonly parts: number
  readonly ticks: number
  readonly faults: readonly StoreFault[]
}

/**
 * Reads a store through and looks for all that may be wrong: lengths and hashes of its files, markets, ranges and order of ticks and books, what parts
 * leave behind, and the sums in `store.json`. Where a file is missing or cut off, no price is read: the others are compared with their hashes alone.
 *
 * @param proceed is told the ticks that were read.
 * @throws InputError where there is no store, or its `store.json` cannot be read
 */
export async function verifyStore(path: string, proceed: Proceed = () => {}): Promise<VerifiedStore> {
  const head = readAnyHead(path)
  const faults = await faultsOfFiles(path, head, proceed)
  const found = { path, files: Object.keys(head.files).length, bytes: Object.values(head.files).reduce((sum, { bytes }) => sum + bytes, 0) }
  if (!isCurrent(head)) return { ...found, parts: 0, ticks: 0, faults }
  // A file that is not as it was written would be said to be wrong again, in other words.
  const broken = new Set(faults.map(({ file }) => file))
  const attempt = attempting(faults, broken)
  if (broken.size === 0) attempt(() => { checkFiles(path, head) })
  const store = attempt(() => openStore(path, { verify: false }))
  let ticks = 0
  if (store !== undefined) {
    attempt(() => store.report())
    for (const part of store.parts) {
      await proceed(ticks)
      if (!broken.has(storePlace(path, part.name))) ticks += attempt(() => verifyPart(store, part, faults)) ?? 0
    }
    for (const part of store.depth?.parts ?? []) {
      await proceed(ticks)
      if (!broken.has(storePlace(path, part.name))) attempt(() => { verifyDepth(store, part, faults) })
    }
    if (ticks !== head.ticks && faults.length === 0) faults.push({ file: join(path, STORE_FILE), message: `its parts have ${ticks} ticks, and it says ${head.ticks}` })
  }
  return { ...found, parts: head.parts.length, ticks, faults }
}

/** Calls, and keeps the mistake in the input that is thrown, unless it is about a file of which one is known. */
const attempting = (faults: StoreFault[], broken: ReadonlySet<string>) => <T>(call: () => T): T | undefined => {
  try {
    return call()
  } catch (error) {
    if (!(error instanceof InputError)) throw error
    if (error.position !== undefined && broken.has(error.position.file)) return undefined
    const row = /^row (\d+): /.exec(error.message)
    faults.push({ file: error.position?.file ?? '', ...(row === null ? {} : { row: Number(row[1]) }), message: row === null ? error.message : error.message.slice(row[0].length) })
    return undefined
  }
}

async function faultsOfFiles(path: string, { files }: StoreHead | OlderHead, proceed: Proceed): Promise<StoreFault[]> {
  const faults: StoreFault[] = []
  for (const [name, { bytes, sha256 }] of Object.entries(files)) {
    await proceed(0)
    const file = storePlace(path, name)
    const fail = (message: string): void => { faults.push({ file, message }) }
    if (!existsSync(file)) fail('the file is missing')
    else if (!statSync(file).isFile()) fail('is no plain file')
    else if (statSync(file).size !== bytes) fail(`the file has ${statSync(file).size} bytes, and ${STORE_FILE} says ${bytes}`)
    else if (describeFile(file).sha256 !== sha256) fail(`its SHA-256 is not the one in ${STORE_FILE}`)
  }
  return faults
}

/** Reads a part, and compares it with what the store says of it. Returns its ticks. */
function verifyPart(store: OpenStore, part: StorePart, faults: StoreFault[]): number {
  const found = lastByTicks(store.batchesOf(part).map((_, batch) => () => store.readBatch(part, batch)), store.catalogue.markets.length)
  const ticks = found.ticks.reduce((sum, count) => sum + count, 0)
  const file = storePlace(store.path, part.name)
  if (found.markets.length !== part.markets) faults.push({ file, message: `it has ticks of ${found.markets.length} markets, and ${STORE_FILE} says ${part.markets}` })
  const [firstUs, lastUs] = [least(found.firstUs), most(found.lastUs)]
  if (firstUs !== part.firstUs || lastUs !== part.lastUs) faults.push({ file, message: `its ticks are of ${firstUs} to ${lastUs} µs, and ${STORE_FILE} says ${part.firstUs} to ${part.lastUs}` })
  const beside = lastName(part.name)
  if (store.head.files[beside] === undefined) return ticks
  const market = differenceOf(store.lastOf(part), found)
  if (market !== null) faults.push({ file: storePlace(store.path, beside), message: `it does not say of ${market < 0 ? 'which markets there are ticks' : store.catalogue.markets[market]!.ticker} what follows from ${part.name}` })
  return ticks
}

/** Reads a part of depth, and compares it with what the store says of it. */
function verifyDepth(store: OpenStore, part: DepthPart, faults: StoreFault[]): void {
  const file = storePlace(store.path, part.name)
  let [firstUs, lastUs] = [Infinity, -Infinity]
  const found = lastDepthByRows(store.depth!.levels, store.depthBatchesOf(part).map((_, batch) => () => {
    const rows = store.readDepth(part, batch)
    firstUs = Math.min(firstUs, rows.atUs[0]!)
    lastUs = Math.max(lastUs, rows.atUs[rows.count - 1]!)
    return rows
  }), store.catalogue.markets.length)
  if (found.count !== part.markets) faults.push({ file, message: `it has books of ${found.count} markets, and ${STORE_FILE} says ${part.markets}` })
  if (firstUs !== part.firstUs || lastUs !== part.lastUs) faults.push({ file, message: `its books are of ${firstUs} to ${lastUs} µs, and ${STORE_FILE} says ${part.firstUs} to ${part.lastUs}` })
  const beside = lastName(part.name)
  if (store.head.files[beside] === undefined) return
  const said = store.lastDepthOf(part)
  const isAsSaid = isSame(said.market, found.market) && said.atUs.every((at, row) => at === found.atUs[row]) && said.cells.every((column, cell) => isSame(column, found.cells[cell]!))
  if (!isAsSaid) faults.push({ file: storePlace(store.path, beside), message: `it does not say what follows from ${part.name}` })
}

const least = (values: Float64Array): number => values.reduce((a, b) => Math.min(a, b), Infinity)
const most = (values: Float64Array): number => values.reduce((a, b) => Math.max(a, b), -Infinity)

/** The first market of which two say different things, −1 where they have other markets, or null. */
function differenceOf(said: PartLast, found: PartLast): number | null {
  if (!isSame(said.markets, found.markets)) return -1
  for (const name of ['ticks', 'firstUs', 'lastUs'] as const) {
    const place = found[name].findIndex((value, i) => value !== said[name][i])
    if (place >= 0) return found.markets[place]!
  }
  for (const kind of ['latest', 'withBook', 'withPrice'] as const) {
    const [a, b] = [said[kind], found[kind]]
    if (!isSame(a.market, b.market)) return -1
    for (const name of ['atUs', 'bidE6', 'askE6', 'bidSize', 'askSize', 'lastE6'] as const) {
      const place = b[name].findIndex((value, i) => value !== a[name][i])
      if (place >= 0) return b.market[place]!
    }
  }
  return null
}

const isSame = (a: Int32Array, b: Int32Array): boolean => a.length === b.length && a.every((value, i) => value === b[i])
