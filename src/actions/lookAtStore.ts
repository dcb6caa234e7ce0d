import { openStore } from '../feed/store/openStore.ts'
import { resolveStore } from '../feed/store/storePlaces.ts'
import { readAnyHead } from '../feed/store/storeHead.ts'
import type { GroupsAccount } from '../look/groupsAccount.ts'
import type { StoreContents } from '../look/storeContents.ts'
import type { StoreCoverage } from '../look/coverage.ts'
import type { VerifiedStore } from '../look/verifyStore.ts'
import type { Answer } from '../sql/answer.ts'
import { InputError } from '../unit/inputError.ts'
import { HOUR_US } from '../unit/time.ts'
import { chosenOf, lookingUp, type ReadingOptions, spanOf, type StretchOptions, stretchOf } from './dataOptions.ts'
import { acting, signalOf } from './options.ts'
import type { Quantity } from './quantity.ts'

export type { ReadingOptions, ReadingProgress, StretchOptions } from './dataOptions.ts'
export type { MarketsOfKind, StoreContents } from '../look/storeContents.ts'
export type { BookState, CoverageDay, CoverageGap, StateTimes, StoreCoverage, Unaskable, UnaskableReason } from '../look/coverage.ts'
export type { GroupsAccount, RuleAccount } from '../look/groupsAccount.ts'
export type { StoreFault, VerifiedStore } from '../look/verifyStore.ts'

/**
 * The markets of a price store by venue, category and result, and what each of its imports read.
 *
 * @param store name or path of a store
 * @returns the markets and the reports
 * @throws InputError where there is no store, and for one that is damaged or that an older version imported
 * @example
 * const { kinds } = await storeContents('quickstart')
 * for (const { venue, category, markets } of kinds) console.log(venue, category, markets)
 */
export const storeContents = (store: string): Promise<StoreContents> => acting(async () => {
  const { contentsOf } = await import('../look/storeContents.ts')
  return contentsOf(resolveStore(store))
})

export interface CoverageOptions extends ReadingOptions {
  /** Stretches without ticks that are longer are gaps. One hour by default. */
  readonly gap?: Quantity
  /** Path of an HTML page with pictures, which needs no network and no other file. Without it, no page is made. */
  readonly page?: string
}

/**
 * Reads a price store through and tells what it covers: by day ticks and markets, gaps while markets traded, how long books were crossed or
 * empty, and markets that can never be asked for.
 *
 * @param store name or path of a store
 * @returns the coverage
 * @throws InputError where there is no store, and for one that is damaged or that an older version imported
 * @throws Interrupted by the signal
 * @example
 * const { days, unaskable } = await coverage('quickstart', { gap: '30m', page: 'coverage.html' })
 */
export const coverage = (store: string, options: CoverageOptions = {}): Promise<StoreCoverage> => acting(async () => {
  const gapUs = options.gap === undefined ? HOUR_US : spanOf('gap', options.gap)
  const opened = openStore(resolveStore(store))
  const { coverageOf } = await import('../look/coverage.ts')
  const found = await coverageOf(opened, gapUs, lookingUp(opened.head.ticks, options))
  if (options.page !== undefined) {
    const [{ coveragePage }, { writeWholeText }, { basename }] = await Promise.all([import('../report/coveragePage.ts'), import('../arrow/wholeFile.ts'), import('node:path')])
    writeWholeText(options.page, coveragePage(basename(opened.path), found))
  }
  return found
})

/**
 * Looks for all that may be wrong with a price store: hashes of its files, ranges and order of its prices, its markets, what its parts leave
 * behind, and its sums.
 *
 * @param store name or path of a store
 * @returns what was looked at, and the faults
 * @throws InputError where there is no store, or its `store.json` cannot be read
 * @throws Interrupted by the signal
 * @example
 * const { faults } = await verifyStore('quickstart')
 */
export const verifyStore = (store: string, options: ReadingOptions = {}): Promise<VerifiedStore> => acting(async () => {
  const path = resolveStore(store)
  const { verifyStore: verify } = await import('../look/verifyStore.ts')
  return verify(path, lookingUp(readAnyHead(path).ticks, options))
})

export interface ExportOptions extends ReadingOptions, StretchOptions {
  readonly format: 'csv' | 'parquet'
  /** Path of the file, or for CSV a function that gets the text in pieces. The next piece is made when it has returned. */
  readonly out: string | ((text: string) => void | Promise<void>)
  /** Tickers. Without any, all markets are exported. */
  readonly markets?: readonly string[]
  /** Writes the levels of books in place of prices. Refused for a store that keeps none. */
  readonly depth?: boolean
}

/** Prices, or books, that were exported. */
export interface ExportedTicks {
  readonly rows: number
}

/**
 * Writes prices of a price store, or the levels of its books, for other programs, in order of time, whole or not at all. The columns are those of the store (docs/data.md).
 * Memory does not grow with the store.
 *
 * @param store name or path of a store
 * @returns the rows that were written
 * @throws InputError where there is no store, for one that is damaged or that an older version imported, and for a market that it does not have
 * @throws Interrupted by the signal
 * @example
 * const { rows } = await exportTicks('quickstart', { format: 'parquet', out: 'june-19.parquet', from: '2025-06-19', to: '2025-06-20' })
 */
export const exportTicks = (store: string, options: ExportOptions): Promise<ExportedTicks> => acting(async () => {
  const { format, out, markets, depth } = options
  const opened = openStore(resolveStore(store))
  const [{ csvOf, writeCsv, writeParquet }, { depthExport, tickExport }] = await Promise.all([import('../look/exportTicks.ts'), import('../look/exportTable.ts')])
  const table = (depth === true ? depthExport : tickExport)(opened, stretchOf(options), chosenOf(opened, markets))
  const all = depth === true ? opened.depth!.parts.reduce((sum, { rows }) => sum + rows, 0) : opened.head.ticks
  const exporting = { table, proceed: lookingUp(all, options) }
  if (typeof out === 'string') return { rows: await (format === 'csv' ? writeCsv : writeParquet)(opened, out, exporting) }
  if (format !== 'csv') throw new InputError('out: expected the path of a file for Parquet')
  const pieces = csvOf(opened, exporting)
  for (;;) {
    const { value, done } = await pieces.next()
    if (done === true) return { rows: value }
    await out(value)
  }
})

export interface GroupsOptions {
  /** A file of rules (docs/groups.md). Without it, exclusion keys of imports are counted by kind. */
  readonly groups?: string
}

/**
 * Which markets of a price store exclude each other, rule by rule: what rules would do before they are used.
 *
 * @param store name or path of a store
 * @returns markets, groups and pairs of each rule, and of the keys that imports made
 * @throws InputError where there is no store, for one that is damaged or that an older version imported, and for rules that are wrong
 * @example
 * const { rules } = await groups('quickstart')
 * for (const { name, pairs } of rules) console.log(name, pairs)
 */
export const groups = (store: string, options: GroupsOptions = {}): Promise<GroupsAccount> => acting(async () => {
  const rules = options.groups === undefined ? null : (await import('../feed/groups/readGroups.ts')).readGroups(options.groups)
  const { groupsAccount } = await import('../look/groupsAccount.ts')
  return groupsAccount(openStore(resolveStore(store)).catalogue.markets, rules)
})

export interface SqlStoreOptions extends ReadingOptions, StretchOptions {}

/**
 * Answers one SELECT about a price store, whose views are `ticks` and `markets` (docs/data.md). The ticks that the query may see are made
 * ready first, those from `from` on and before `to` alone: a day of a long store costs no more than a day. The store is only read. Needs the
 * package `@duckdb/node-api`, which parlor comes without.
 *
 * @param store name or path of a store
 * @param query a SELECT in DuckDB's SQL
 * @returns the columns and the rows
 * @throws InputError where there is no store, for one that is damaged or that an older version imported, for a wrong query, with DuckDB's
 * message, and where DuckDB is not installed
 * @throws Interrupted by the signal
 * @example
 * const { rows } = await sqlStore('quickstart', 'select market, count(*) from ticks group by market order by 2 desc', { to: '2025-06-20' })
 */
export const sqlStore = (store: string, query: string, options: SqlStoreOptions = {}): Promise<Answer> => acting(async () => {
  const [opened, stretch] = [openStore(resolveStore(store)), stretchOf(options)]
  const { queryStore } = await import('../sql/queryStore.ts')
  return queryStore(query, { store: opened, stretch, proceed: lookingUp(opened.head.ticks, options), signal: signalOf(options) })
})
