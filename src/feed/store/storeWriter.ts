import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { writeWholeJson } from '../../arrow/wholeFile.ts'
import { checkCatalogue } from '../../market/catalogue.ts'
import type { Market } from '../../market/market.ts'
import { type BegunGeneration, Generation, isFree } from '../../result/generation.ts'
import { describeFile, type NamedFile } from '../../result/head.ts'
import type { LeaseWait } from '../../result/lease.ts'
import { InputError } from '../../unit/inputError.ts'
import { throwIfAborted } from '../../unit/interrupted.ts'
import { inBlocks } from '../../unit/rowBlocks.ts'
import { isoOfTimeUs, NEVER_US } from '../../unit/time.ts'
import type { TickCounts } from '../importedHistory.ts'
import { type ImportReport, sourceOf } from '../importReport.ts'
import { byText, catalogueOf, completed, type MarketDraft } from '../marketDraft.ts'
import type { FileTicks, TickSink } from '../tickSink.ts'
import type { ImportThreads } from '../threads/importThreads.ts'
import { DayRuns } from './dayRuns.ts'
import { type DayOrder, type DayOverlap, DayWriter, type DayWritten } from './dayWriter.ts'
import { DEPTH_VERSION } from './depthTable.ts'
import { DepthWriter } from './depthWriter.ts'
import { MarketCodes } from './marketCodes.ts'
import { contradictsResult, isSameMarket, mergedFacts, withoutResult } from './marketFacts.ts'
import { openStore, type OpenStore } from './openStore.ts'
import { Origins, type Origin } from './origins.ts'
import type { Difference, OverlapRule } from './overlap.ts'
import { RunBuffer, type RunColumns, TICK_RUNS } from './runColumns.ts'
import { dataHashOf, dayOf, type DepthPartHead, extentOf, importsOf, inOrder, lastName, marketsName, type PartHead, partName, readStoreHead, reportName, STORE_FILE, STORE_VERSION, type StoreHead } from './storeHead.ts'
import { writeMarkets } from './storeMarkets.ts'

/** Ticks that are sorted at once: 42 MB of columns. */
const RUN_ROWS = 1 << 20
const FIRST_ROWS = 1 << 12
/** Sorted ticks that wait on the disk to be merged. */
const SPILL_FILE = 'runs.bin'

/** How far an import has come. */
export interface ImportProgress {
  /** Prices that were read. */
  readonly read: number
  /** Share of the days that are written, 0…1: 0 while files are read. */
  readonly share: number
}

export interface StoreWriting extends LeaseWait {
  /** Told before anything is written. */
  readonly begun?: ((generation: BegunGeneration) => void) | undefined
  /** The most ticks that are sorted in memory at once. */
  readonly runRows?: number | undefined
  /** Adds to the store that is there. Without it a store that is there is replaced. */
  readonly isAdded?: boolean | undefined
  /** What becomes of ticks of which the store, or an earlier file, has others of the same market and instant; `refuse` by default. */
  readonly overlap?: OverlapRule | undefined
  /** How many levels of both sides of books are kept beside ticks. By default as many as the store has that is added to, else none. */
  readonly depth?: number | undefined
  /** Who writes parts, several at once. */
  readonly threads?: ImportThreads | undefined
  /** Told after each run of prices that were read, and after each day that was written. */
  readonly onProgress?: ((progress: ImportProgress) => void) | undefined
}

/** What is known when all ticks have been added. */
export interface StoreContent {
  /** Ticks name them by their place. */
  readonly markets: readonly MarketDraft[]
  /** What the import reports, which may depend on what was counted meanwhile, and on its markets as the store knows them now. */
  report(counted: TickCounts, markets: readonly MarketDraft[]): ImportReport
}

/**
 * Writes a store from ticks that come in any order, with memory that does not grow with them: they are sorted in runs, which wait on the disk
 * in the folder of the store that is about to be, and are merged into parts at the end. What is added to a store are files of their own: no byte of an old part is copied. The store is whole or not there: `finish` commits it
 * by renaming `store.json` (`Generation`). The same data give the same bytes.
 */
export class StoreWriter implements TickSink {
  count = 0
  /** The store that is added to. */
  declare readonly before: OpenStore | null
  private declare readonly path: string
  private declare readonly generation: Generation
  private declare readonly runRows: number
  private declare readonly overlap: OverlapRule
  private declare readonly signal: AbortSignal | undefined
  private declare readonly onProgress: (progress: ImportProgress) => void
  /** Null where this thread writes all parts. */
  private declare threads: ImportThreads | null
  /** Which import of the store this is. */
  private declare readonly number: number
  private declare buffer: RunBuffer
  private declare readonly runs: DayRuns<RunColumns>
  /** Null where no depth is kept. */
  private declare readonly depth: DepthWriter | null
  private readonly origins = new Origins()

  private constructor(path: string, generation: Generation, before: OpenStore | null, { runRows, overlap = 'refuse', depth, threads, signal, onProgress = () => {} }: StoreWriting) {
    this.path = path
    this.generation = generation
    this.before = before
    this.runRows = runRows ?? RUN_ROWS
    this.overlap = overlap
    this.signal = signal
    this.onProgress = onProgress
    this.threads = threads === undefined || threads.count === 1 ? null : threads
    this.number = before === null ? 0 : importsOf(before.head).length
    this.buffer = new RunBuffer(Math.min(FIRST_ROWS, this.runRows))
    this.runs = new DayRuns(TICK_RUNS, join(generation.folder, SPILL_FILE))
    const levels = depth ?? before?.depth?.levels
    const known = before?.depth?.levels ?? levels
    if (levels !== known) throw new InputError(`the store keeps ${known} levels of books, and not ${levels}`, { position: { file: path }, hint: 'what is added has as many; --force makes the store anew' })
    this.depth = levels === undefined ? null : new DepthWriter(levels, generation.folder, runRows)
  }

  /**
   * Begins to write a store, or to add to the one in its folder. Waits while another process writes it. Throws InputError for a folder that
   * is something else, and for a store that is to be added to and that cannot be read.
   */
  static async begin(folder: string, options: StoreWriting = {}): Promise<StoreWriter> {
    const { begun, isAdded = false, signal, say } = options
    const path = resolve(folder)
    const isStore = (): boolean => existsSync(join(path, STORE_FILE))
    if (!isFree(path) && !isStore()) {
      throw new InputError('there is something here that is not a store', { position: { file: path }, hint: 'choose another name' })
    }
    const generation = await Generation.begin(path, { signal, say, isPatient: true, manifest: STORE_FILE })
    begun?.(generation.begun)
    try {
      return new StoreWriter(path, generation, isAdded && isStore() ? openStore(path) : null, options)
    } catch (error) {
      throw generation.giveUp(error)
    }
  }

  add(atUs: number, market: number, bidE6: number, askE6: number, bidSize: number, askSize: number, lastE6: number): void {
    if (this.buffer.count === this.runRows) this.spill(false)
    this.buffer.add(atUs, market, bidE6, askE6, bidSize, askSize, lastE6)
    this.buffer.origin[this.buffer.count - 1] = this.origins.now
    this.origins.at(atUs)
    this.count += 1
  }

  addAll({ columns, count, numberOf, file, rowsBefore }: FileTicks): void {
    if (count === 0) return
    this.origins.comeFrom(file, 0)
    const first = this.origins.now + rowsBefore
    for (let from = 0; from < count;) {
      if (this.buffer.count === this.runRows) this.spill(false)
      const { buffer } = this
      const rows = Math.min(count - from, this.runRows - buffer.count)
      buffer.ensure(buffer.count + rows)
      for (const name of ['atUs', 'bidE6', 'askE6', 'bidSize', 'askSize', 'lastE6'] as const) buffer[name].set(columns[name].subarray(from, from + rows), buffer.count)
      const begin = from
      inBlocks(rows, (one, end) => { numberRows(columns, begin + one, begin + end, { numberOf, first, buffer, at: buffer.count + one }) })
      buffer.count += rows
      from += rows
    }
    inBlocks(count, (from, to) => { this.origins.atAll(columns.atUs, from, to) })
    this.count += count
  }

  get depthLevels(): number {
    return this.depth?.levels ?? 0
  }

  /** Books of which depth is kept. */
  get depthCount(): number {
    return this.depth?.count ?? 0
  }

  addDepth(atUs: number, market: number, levels: Int32Array): void {
    this.depth!.add(atUs, market, levels)
  }

  comeFrom(file: string, row: number): void {
    this.origins.comeFrom(file, row)
  }

  /** Merges what was added, and commits the store. Throws InputError for ticks that contradict those of the store. */
  async finish(content: StoreContent): Promise<StoreHead> {
    // So few ticks are written before another thread has begun.
    if (this.count <= this.runRows / 2) this.threads = null
    this.spill(this.threads === null)
    const { folder } = this.generation
    const { before, number } = this
    const { marketCount, changed, own, contradictions } = this.factsOf(content.markets)
    // Those of the store were checked when it was opened.
    checkCatalogue(catalogueOf(own), this.path)
    const counts = { ticks: 0, afterClose: 0, equal: 0, twice: 0, different: 0, contradictions: 0 }
    const codes = new MarketCodes(own)
    const added = await this.writeParts(own, codes, counts)
    this.runs.close()
    const deeper = this.depth?.finish({ before, number, markets: own, codes, rule: this.overlap }) ?? []
    if (before === null || changed.length > 0) writeMarkets(join(folder, marketsName(number)), changed)
    const report = content.report({ ...counts, contradictions }, own)
    writeWholeJson(join(folder, reportName(number)), report)
    const parts = inOrder([...before?.head.parts ?? [], ...added])
    const kept = before?.head.files ?? {}
    const sources = [...new Set([...before?.head.sources ?? [], ...report.files.flatMap(({ sha256, mapping }) => (sha256 === undefined ? [] : sourceOf({ sha256, mapping })))])]
    const dataHash = dataHashOf({ ...kept, ...this.dataFiles([...added, ...deeper]) })
    this.generation.commit({ format: 'parlor-store', version: STORE_VERSION, markets: marketCount, ...extentOf(parts), dataHash, sources, parts, ...this.depthOf(deeper) }, { kept })
    return readStoreHead(this.path)
  }

  /** Gives the store up; what was there stays. Returns what to throw. Harmless after `finish`. */
  giveUp(error: unknown): unknown {
    this.runs.close()
    this.depth?.close()
    return this.generation.giveUp(error)
  }

  /** What `store.json` says of depth, where there is some. */
  private depthOf(added: readonly DepthPartHead[]): Pick<StoreHead, 'depth'> {
    const { depth, before } = this
    const parts = [...before?.head.depth?.parts ?? [], ...added]
    return depth === null || parts.length === 0 ? {} : { depth: { version: DEPTH_VERSION, levels: depth.levels, parts: inOrder(parts) } }
  }

  /** @param isLast whether the run stays in memory. */
  private spill(isLast: boolean): void {
    throwIfAborted(this.signal)
    this.runs.take(this.buffer, isLast)
    if (isLast) this.buffer = new RunBuffer(1)
    this.buffer.count = 0
    this.onProgress({ read: this.count, share: 0 })
  }

  /** How many markets the store has afterwards, those of which more is known than before, and those of the import in its order. */
  private factsOf(drafts: readonly MarketDraft[]): { marketCount: number; changed: readonly MarketDraft[]; own: readonly MarketDraft[]; contradictions: number } {
    const known = new Map<string, Market>(this.before?.catalogue.markets.map((market) => [market.ticker, market]))
    let marketCount = known.size
    const changed: MarketDraft[] = []
    let contradictions = 0
    const own = drafts.map((draft) => {
      const before = known.get(draft.ticker)
      const isContradicted = before !== undefined && this.overlap !== 'last' && contradictsResult(before, draft)
      if (isContradicted) contradictions++
      const now = before === undefined ? completed(draft) : mergedFacts(before, isContradicted ? withoutResult(draft) : draft)
      if (before === undefined) marketCount++
      if (before === undefined || !isSameMarket(before, now)) changed.push(now)
      return now
    })
    return { marketCount, changed: changed.sort((a, b) => byText(a.ticker, b.ticker)), own, contradictions }
  }

  /** Writes the part of each day. As many are written at once as there are threads. */
  private async writeParts(markets: readonly MarketDraft[], codes: MarketCodes, counts: { -readonly [Name in keyof Required<TickCounts>]: number }): Promise<PartHead[]> {
    const closeUs = Float64Array.from(markets, ({ scheduledCloseUs }) => scheduledCloseUs ?? NEVER_US)
    const { threads, runs, runRows, generation: { folder } } = this
    const { days } = runs
    const orderOf = (day: number): DayOrder => {
      const { tickers, codeOf } = codes.of(runs.marketsOf(day))
      return {
        day, folder, name: partName(day, this.number), tickers, codeOf, closeUs, path: runs.path, budgetRows: threads === null ? runRows : Math.ceil(runRows / threads.count),
        runs: threads === null ? runs.runsOf(day) : runs.placesOf(day), overlap: this.overlapOn(day, markets),
      }
    }
    const own = new DayWriter(this.before)
    let daysDone = 0
    const written = await inOrderAtOnce(days, threads?.count ?? 1, async (day) => {
      // Whoever aborts it has a turn between days.
      await setImmediate()
      throwIfAborted(this.signal)
      const one = await (threads === null ? own.write(orderOf(day)) : threads.run('day', orderOf(day)))
      daysDone++
      this.onProgress({ read: this.count, share: daysDone / days.length })
      return one
    })
    const sum = (of: (day: DayWritten) => number): number => written.reduce((total, one) => total + of(one), 0)
    for (const name of ['ticks', 'afterClose', 'equal', 'twice', 'different'] as const) counts[name] = sum((one) => one[name])
    if (this.overlap === 'refuse' && counts.different > 0) this.refuseOverlap(written.find(({ first }) => first !== null)!.first!, counts.different, markets)
    return written.flatMap(({ part }) => part ?? [])
  }

  private overlapOn(day: number, markets: readonly MarketDraft[]): DayOverlap | null {
    const { before, origins, overlap: rule } = this
    const isAdded = before?.parts.some(({ firstUs }) => dayOf(firstUs) === day) ?? false
    if (!isAdded && !origins.areSeveral) return null
    // A thread that opens the store has all of its markets in memory.
    const numbers = new Map(isAdded ? before!.catalogue.markets.map(({ ticker, number }) => [ticker, number]) : [])
    return { store: isAdded ? this.path : null, numberOf: Int32Array.from(markets, ({ ticker }) => numbers.get(ticker) ?? -1), origins: origins.image(), rule }
  }

  private refuseOverlap({ market, atUs, origin, earlier }: Difference, count: number, markets: readonly MarketDraft[]): void {
    const of = `of ${markets[market]!.ticker} at ${isoOfTimeUs(atUs)}`
    const at = (row: Origin | null): string => (row === null ? '' : ` (${row.file}:${row.row})`)
    throw new InputError(`${count} ticks are others than ${earlier === null ? 'the store' : 'an earlier file'} has of the same market and instant; the first is ${of}${at(origin)}${earlier === null ? '' : `, against${at(earlier)}`}`, {
      position: earlier === null || origin === null ? { file: this.path } : { file: origin.file, line: origin.row },
      hint: `--overlap first keeps those of the ${earlier === null ? 'store' : 'earlier file'}, --overlap last lets these follow them`,
    })
  }

  /** Lengths and hashes of the files of markets, ticks and depth. */
  private dataFiles(parts: readonly Pick<PartHead, 'name'>[]): Record<string, NamedFile> {
    const markets = marketsName(this.number)
    const names = [...(existsSync(join(this.generation.folder, markets)) ? [markets] : []), ...parts.flatMap(({ name }) => [name, lastName(name)])]
    return Object.fromEntries(names.map((name) => [name, describeFile(join(this.generation.folder, name))]))
  }
}

interface Numbering {
  readonly numberOf: Int32Array
  /** Is added to the rows. */
  readonly first: number
  readonly buffer: RunBuffer
  /** Where they go. */
  readonly at: number
}

/** Puts rows `from`…`to`−1 into a buffer, with the numbers of their markets and of their rows. */
function numberRows({ market, origin }: Pick<RunColumns, 'market' | 'origin'>, from: number, to: number, { numberOf, first, buffer, at: begin }: Numbering): void {
  const { market: markets, origin: origins } = buffer
  for (let row = from, at = begin; row < to; row++, at++) {
    markets[at] = numberOf[market[row]!]!
    origins[at] = first + origin[row]!
  }
}

/** Does something with each item, with so many at once, and gives what comes of them in order of the items. Throws the first error, when all have ended. */
async function inOrderAtOnce<Item, Result>(items: readonly Item[], atOnce: number, act: (item: Item) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = []
  const errors = new Map<number, unknown>()
  let next = 0
  const walk = async (): Promise<void> => {
    while (next < items.length && errors.size === 0) {
      const i = next++
      try {
        results[i] = await act(items[i]!)
      } catch (error) {
        errors.set(i, error)
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, walk))
  if (errors.size > 0) throw errors.get(Math.min(...errors.keys()))
  return results
}
