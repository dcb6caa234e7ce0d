import type { ImportReport } from '../feed/importReport.ts'
import { RECORDED, RECORDED_FOLDER, type RecordedData } from '../feed/recorded.ts'
import { describeStore as describe, type StoreDescription } from '../feed/store/describeStore.ts'
import { openStore as open, type OpenStore } from '../feed/store/openStore.ts'
import { listStores as list, resolveStore } from '../feed/store/storePlaces.ts'

/** A price store, without its prices. */
export interface DescribedStore {
  readonly path: string
  readonly name: string
  readonly bytes: number
  readonly markets: number
  /** Prices. */
  readonly ticks: number
  /** Files of prices: of each day as many as imports added some. Null of a store that an older version imported. */
  readonly parts: number | null
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
export const listStores = (): DescribedStore[] => list().map((path) => described(describe(path)))

/**
 * What is in a price store.
 *
 * @param store name or path of a store
 * @returns the store, without its prices
 * @throws InputError where there is none
 * @example
 * const { ticks } = describeStore('quickstart')
 */
export const describeStore = (store: string): DescribedStore => described(describe(resolveStore(store)))

const described = (store: StoreDescription): DescribedStore => ({ ...store, parts: 'parts' in store ? store.parts.length : null })

/**
 * A price store of which single record batches are read, with the state that each of its parts leaves behind (docs/store.md). Of its files
 * the hashes are compared when they are read first.
 *
 * @param store name or path of a store
 * @returns the store
 * @throws InputError where there is none, and for one that is damaged or that an older version imported
 * @example
 * const store = openStore('quickstart')
 * for (const part of store.parts) console.log(part.name, store.readBatch(part, 0).count)
 */
export const openStore = (store: string): OpenStore => open(resolveStore(store))

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
  const { knownFormats } = await import('../scenario/formats.ts')
  return knownFormats()
}

/**
 * Recorded data that scenarios of the repository import and that belongs to others, with the folder in which they look for it.
 *
 * @returns one for each format
 * @example
 * for (const { format, folder, source } of listRecorded()) console.log(format, folder, source)
 */
export const listRecorded = (): (RecordedData & { readonly folder: string })[] => RECORDED.map((data) => ({ ...data, folder: `${RECORDED_FOLDER}/${data.folder ?? data.format}` }))
