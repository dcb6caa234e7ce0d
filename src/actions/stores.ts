import type { ImportReport } from '../feed/importer.ts'
import { RECORDED, RECORDED_FOLDER, type RecordedData } from '../feed/recorded.ts'
import { describeStore as describe, listStores as list, resolveStore } from '../feed/store.ts'

/** A price store, without its prices. */
export interface DescribedStore {
  readonly path: string
  readonly name: string
  readonly bytes: number
  readonly markets: number
  /** Prices. */
  readonly ticks: number
  /** Instants of the first and the last price, µs since the epoch, null without prices. */
  readonly firstUs: number | null
  readonly lastUs: number | null
  /** SHA-256 over markets and prices, hex. */
  readonly dataHash: string
  /** What its import reported. */
  readonly report: ImportReport
}

/**
 * The price stores that scenarios find by name: those under `store/`, and those of the package.
 *
 * @returns the stores, without their prices
 * @throws InputError for a store that cannot be read
 * @example
 * for (const { name, markets } of listStores()) console.log(name, markets)
 */
export const listStores = (): DescribedStore[] => list().map(describe)

/**
 * What is in a price store.
 *
 * @param store name or path of a store
 * @returns the store, without its prices
 * @throws InputError where there is none
 * @example
 * const { ticks } = describeStore('quickstart')
 */
export const describeStore = (store: string): DescribedStore => describe(resolveStore(store))

/** A format of `importData`. */
export interface DescribedFormat {
  readonly format: string
  readonly about: string
}

/**
 * The formats of `importData`.
 *
 * @returns each with a line about it
 * @example
 * for (const { format, about } of await listFormats()) console.log(format, about)
 */
export async function listFormats(): Promise<DescribedFormat[]> {
  const { IMPORTERS } = await import('../feed/importers/index.ts')
  return Object.values(IMPORTERS).map(({ format, about }) => ({ format, about }))
}

/**
 * Recorded data that scenarios of the repository import and that belongs to others, with the folder in which they look for it.
 *
 * @returns one for each format
 * @example
 * for (const { format, folder, source } of listRecorded()) console.log(format, folder, source)
 */
export const listRecorded = (): (RecordedData & { readonly folder: string })[] => RECORDED.map((data) => ({ ...data, folder: `${RECORDED_FOLDER}/${data.format}` }))
