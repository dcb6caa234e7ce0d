import { readTable } from '../../arrow/tableReader.ts'
import type { DepthRows } from '../../market/depth.ts'
import type { Catalogue } from '../../market/market.ts'
import type { Ticks } from '../../market/ticks.ts'
import { assert } from '../../unit/assert.ts'
import { InputError } from '../../unit/inputError.ts'
import type { ImportReport } from '../importReport.ts'
import type { TickColumns } from '../tickBuffer.ts'
import { PartDepth, lastDepthByRows } from './partDepth.ts'
import { lastIn } from './lastTable.ts'
import { lastByTicks, type PartLast } from './partLast.ts'
import { PartTicks } from './partTicks.ts'
import { checkFiles, storePlace } from './storeFiles.ts'
import { dataHashOf, type DepthBatch, type DepthPartHead, extentOf, importOf, importsOf, isData, lastName, marketsFiles, type PartBatch, type PartHead, readStoreHead, type StoreHead } from './storeHead.ts'
import { readMarkets } from './storeMarkets.ts'
import { mergedReport, readReport } from './storeReports.ts'
import { VerifiedFiles } from './verifiedFiles.ts'

/** Ticks of one UTC day that one import added. */
export interface StorePart {
  /** Relative to the store: `parts/YYYY-MM-DD.K.arrow`. */
  readonly name: string
  /** K: which import of the store added it, from 0. */
  readonly import: number
  readonly ticks: number
  /** Stamps of its first and its last tick, µs since the epoch. */
  readonly firstUs: number
  readonly lastUs: number
  /** Markets that have ticks in it. */
  readonly markets: number
}

/** Books of one UTC day that one import added. */
export interface DepthPart {
  /** Relative to the store: `depth/YYYY-MM-DD.K.arrow`. */
  readonly name: string
  /** K: which import of the store added it, from 0. */
  readonly import: number
  readonly rows: number
  /** Stamps of its first and its last row, µs since the epoch. */
  readonly firstUs: number
  readonly lastUs: number
  /** Markets that have rows in it. */
  readonly markets: number
}

/** The depth of a store. */
export interface StoreDepth {
  /** How many levels of each side are kept. */
  readonly levels: number
  /** In order of (firstUs, import). */
  readonly parts: readonly DepthPart[]
}

/** A price store of which single batches are read. */
export interface OpenStore {
  readonly path: string
  readonly head: StoreHead
  /** The markets of all its imports, numbered by ticker. */
  readonly catalogue: Catalogue
  /** In order of (firstUs, import). Ticks of one day lie in as many parts as imports added some. Ticks of one instant are in order of import. */
  readonly parts: readonly StorePart[]
  /** The record batches of a part, in order of time. */
  batchesOf(part: StorePart): readonly PartBatch[]
  /**
   * Ticks of one record batch of a part, markets numbered as in `catalogue`. Where `into` is given they are put into the beginning of its
   * columns, which may lie in shared memory and of which each word is written once. Throws InputError, with file and row, for ticks that a store may not have.
   */
  readBatch(part: StorePart, batch: number, into?: TickColumns): Ticks
  /** What a part leaves behind: read, or made from the part where the store has no such file. */
  lastOf(part: StorePart): PartLast
  /** Books beside the prices, as deep as an import kept them; null where the store keeps none. */
  readonly depth: StoreDepth | null
  /** The record batches of a part of depth, in order of time. */
  depthBatchesOf(part: DepthPart): readonly DepthBatch[]
  /** Rows of one record batch of a part of depth, markets numbered as in `catalogue`. Throws InputError, with file and row, for books that a store may not have. */
  readDepth(part: DepthPart, batch: number): DepthRows
  /** The last book of each market of a part, by market: read, or made from the part where the store has no such file. */
  lastDepthOf(part: DepthPart): DepthRows
  /**
   * The same store with only these of its files: what an old run used. Of a part it may have used only the file of what it leaves behind. Compares
   * all of them with their hashes, read or not. Throws InputError for a file that the store does not have, and for one that is missing or has
   * changed, unless `spares` says of it that the run can do without: whoever reads it all the same is refused.
   */
  asOf(files: readonly string[], spares?: (name: string) => boolean): OpenStore
  /** What its imports reported, as if they were one. */
  report(): ImportReport
}

/**
 * Opens a store: reads what it says of itself, and its markets. `verify` (default) compares files with their hashes, each part when it is
 * read first. A worker that reads what its parent has just verified may leave that out. `needs`: which of its files must be there, by default
 * all. Throws InputError for a folder that is missing,
 * incomplete, cut off or changed, and for a store that an older version imported.
 */
export function openStore(path: string, { verify = true, needs }: { readonly verify?: boolean; readonly needs?: (name: string) => boolean } = {}): OpenStore {
  const head = readStoreHead(path)
  checkFiles(path, head, needs)
  return new StoreOfFiles(path, head, Object.keys(head.files).filter(isData), new VerifiedFiles(path, head, !verify))
}

class StoreOfFiles implements OpenStore {
  declare readonly path: string
  declare readonly head: StoreHead
  declare readonly catalogue: Catalogue
  declare readonly parts: readonly StorePart[]
  private declare readonly whole: StoreHead
  private declare readonly files: VerifiedFiles
  private declare readonly numberOf: ReadonlyMap<string, number>
  declare readonly depth: StoreDepth | null
  private readonly opened = new Map<string, PartTicks>()
  private readonly openedDepth = new Map<string, PartDepth>()

  /** @param names the files of markets and ticks that it has. */
  constructor(path: string, whole: StoreHead, names: readonly string[], verified: VerifiedFiles) {
    const has = new Set(names)
    const isWhole = Object.keys(whole.files).filter(isData).every((name) => has.has(name))
    const parts = isWhole ? whole.parts : whole.parts.filter(({ name }) => has.has(name) || has.has(lastName(name)))
    const files = Object.fromEntries(Object.entries(whole.files).filter(([name]) => !isData(name) || has.has(name)))
    this.path = path
    this.whole = whole
    this.files = verified
    const marketFiles = marketsFiles(files)
    this.catalogue = verified.whole(marketFiles, () => readMarkets(path, marketFiles))
    this.numberOf = new Map(this.catalogue.markets.map(({ ticker, number }) => [ticker, number]))
    const deeper = whole.depth && { ...whole.depth, parts: whole.depth.parts.filter(({ name }) => has.has(name)) }
    this.depth = deeper === undefined ? null : { levels: deeper.levels, parts: deeper.parts.map(({ name, rows, firstUs, lastUs, markets }) => ({ name, import: importOf(name), rows, firstUs, lastUs, markets })) }
    this.head = isWhole ? whole : { ...whole, ...(deeper && { depth: deeper }), markets: this.catalogue.markets.length, ...extentOf(parts), dataHash: dataHashOf(files), parts, files }
    this.parts = parts.map(({ name, ticks, firstUs, lastUs, markets }) => ({ name, import: importOf(name), ticks, firstUs, lastUs, markets }))
    const found = this.catalogue.markets.length
    if (found !== this.head.markets) throw new InputError(`it has ${found} markets, and store.json says ${this.head.markets}`, { position: { file: path } })
    const { ticks, firstUs, lastUs } = extentOf(parts)
    if (ticks !== this.head.ticks || firstUs !== this.head.firstUs || lastUs !== this.head.lastUs) {
      throw new InputError('store.json says of all ticks what its parts do not have', { position: { file: path } })
    }
  }

  batchesOf({ name }: StorePart): readonly PartBatch[] {
    return this.part(name).batchHeads
  }

  readBatch({ name }: StorePart, batch: number, into?: TickColumns): Ticks {
    return this.part(name).read(batch, into)
  }

  lastOf(part: StorePart): PartLast {
    const name = lastName(part.name)
    const { markets } = this.catalogue
    if (this.whole.files[name] === undefined) return lastByTicks(this.batchesOf(part).map((_, batch) => () => this.readBatch(part, batch)), markets.length)
    const table = this.files.whole([name], () => readTable(storePlace(this.path, name)))
    return lastIn(table, part, (ticker) => this.numberOf.get(ticker) ?? -1, markets.length)
  }

  depthBatchesOf({ name }: DepthPart): readonly DepthBatch[] {
    return this.depthTable(name).batchHeads
  }

  readDepth({ name }: DepthPart, batch: number): DepthRows {
    return this.depthTable(name).read(batch)
  }

  lastDepthOf(part: DepthPart): DepthRows {
    const name = lastName(part.name)
    const { levels } = this.depth!
    if (this.whole.files[name] === undefined) return lastDepthByRows(levels, this.depthBatchesOf(part).map((_, batch) => () => this.readDepth(part, batch)), this.catalogue.markets.length)
    return this.depthFile(name, { ...part, rows: part.markets }, true).last()
  }

  asOf(files: readonly string[], spares: (name: string) => boolean = () => false): OpenStore {
    const missing = files.find((name) => this.head.files[name] === undefined)
    if (missing !== undefined) throw new InputError(`the store does not have the file ${missing}`, { position: { file: this.path } })
    const names = [...new Set(files.flatMap((name) => [name, ...this.beside(name)]))]
    for (const name of names) {
      try {
        this.files.check(name)
      } catch (error) {
        if (!(error instanceof InputError) || !spares(name)) throw error
      }
    }
    return new StoreOfFiles(this.path, this.whole, names, this.files)
  }

  report(): ImportReport {
    return mergedReport(importsOf(this.head).map((name) => this.files.whole([name], () => readReport(this.path, name))), this.catalogue.markets)
  }

  private depthTable(name: string): PartDepth {
    let table = this.openedDepth.get(name)
    if (table === undefined) {
      const head = this.head.depth?.parts.find((one) => one.name === name)
      assert(head !== undefined, `no part ${name} in ${this.path}`)
      this.openedDepth.set(name, table = this.depthFile(name, head))
    }
    return table
  }

  private depthFile(name: string, head: DepthPartHead, isByMarket = false): PartDepth {
    return new PartDepth(storePlace(this.path, name), head, this.depth!.levels, (ticker) => this.numberOf.get(ticker), (file) => { this.files.checkOpen(name, file) }, isByMarket)
  }

  private beside(name: string): string[] {
    return this.head.files[lastName(name)] === undefined ? [] : [lastName(name)]
  }

  private part(name: string): PartTicks {
    let part = this.opened.get(name)
    if (part === undefined) {
      const head: PartHead | undefined = this.head.parts.find((one) => one.name === name)
      assert(head !== undefined, `no part ${name} in ${this.path}`)
      if (this.head.files[name] === undefined) throw new InputError(`ticks of ${name} are read, of which a run used only what they leave behind`, { position: { file: this.path } })
      part = new PartTicks(storePlace(this.path, name), head, (ticker) => this.numberOf.get(ticker), (file) => { this.files.checkOpen(name, file) })
      this.opened.set(name, part)
    }
    return part
  }
}
