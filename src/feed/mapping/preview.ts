import { NO_PRICE } from '../../market/ticks.ts'
import { completed, type MarketDraft } from '../marketDraft.ts'
import type { ImportTrouble } from '../importReport.ts'
import { type FileTally, ImportTally } from '../importTally.ts'
import { TickBuffer } from '../tickBuffer.ts'
import { type MappedReading, readMapped, type WatchedRow } from './importMapped.ts'
import type { Mapping, MappingKind } from './mapping.ts'
import { WITHOUT_MARKET, WITHOUT_PRICES } from './marketList.ts'

/** What one row becomes: a price, a part of a book or of what is known about a market, or nothing, and why. Prices are dollars. */
export interface PreviewRow {
  readonly file: string
  /** Line of a text, or row of a Parquet file, from 1. */
  readonly row: number
  /** Where it lies in a file that is one JSON document, as `$.markets[12]`. Null in any other file. */
  readonly place: string | null
  readonly kind: MappingKind | null
  readonly market: string | null
  /** µs since the epoch. */
  readonly seenUs: number | null
  readonly bid: number | null
  readonly ask: number | null
  readonly bidSize: number | null
  readonly askSize: number | null
  readonly last: number | null
  /** Why the row is set aside, null for one that is not. */
  readonly setAside: string | null
}

export interface Preview {
  readonly rows: readonly PreviewRow[]
  /** Markets as they would be listed, in order of appearance. */
  readonly markets: readonly MarketDraft[]
  readonly troubles: readonly ImportTrouble[]
}

/** Reads the first rows of each file as a mapping says, and keeps what each row becomes. Throws InputError as an import does. */
export async function previewMapped(mapping: Mapping, paths: readonly string[], rowsMax: number, options: MappedReading = {}): Promise<Preview> {
  const tally = new ImportTally()
  const ticks = new TickBuffer()
  const rows: (Omit<PreviewRow, 'place'> & { readonly inMarket: number; readonly tally: FileTally })[] = []
  const placesOf = new Map<FileTally, ReadonlyMap<number, string>>()
  let before: WatchedRow | undefined
  let count = 0
  let setAside: string | null = null
  const close = () => {
    if (before === undefined) return
    const { tally: ofRow, number, section: { kind } } = before
    rows.push({ tally: ofRow, file: ofRow.file, row: number, kind, ...shown(ticks, count), setAside })
    before = undefined
  }
  tally.onFile = (fileTally) => {
    fileTally.onQuarantine = (kind, row, about) => {
      // A market may have its prices in rows that are not looked at.
      if (kind === WITHOUT_PRICES || kind === WITHOUT_MARKET) return
      const why = `${kind}: ${about}`
      if (before !== undefined && before.tally === fileTally && before.number === row) setAside = why
      // A row that is damaged in itself is set aside before anybody reads it.
      else if (rows.length < rowsMax * 10) rows.push({ tally: fileTally, file: fileTally.file, row, kind: null, ...NOTHING, setAside: why })
    }
  }
  const { markets } = await readMapped(mapping, paths, ticks, tally, {
    ...options, rowsMax,
    placed: { of: (ofRows) => rows.filter((one) => one.tally === ofRows).map(({ row }) => row), take: (ofRows, places) => placesOf.set(ofRows, places) },
    onRow: (row) => {
      close()
      before = row
      count = ticks.count
      setAside = null
    },
  })
  close()
  const files = [...new Set(rows.map(({ file }) => file))]
  const inOrder = rows.toSorted((a, b) => files.indexOf(a.file) - files.indexOf(b.file) || a.row - b.row)
  const troubles = tally.close().troubles.filter(({ kind }) => kind !== WITHOUT_PRICES && kind !== WITHOUT_MARKET)
  return { rows: inOrder.map(({ inMarket, tally: ofRow, ...row }) => ({ ...row, place: placesOf.get(ofRow)?.get(row.row) ?? null, market: inMarket < 0 ? null : markets[inMarket]!.ticker })), markets: markets.map(completed), troubles }
}

const NOTHING = { inMarket: -1, market: null, seenUs: null, bid: null, ask: null, bidSize: null, askSize: null, last: null }

/** The tick that a row added. */
function shown(ticks: TickBuffer, before: number) {
  const at = ticks.count - 1
  if (at < before) return NOTHING
  const dollars = (e6: number) => (e6 === NO_PRICE ? null : e6 / 1e6)
  const size = (contracts: number) => (contracts === NO_PRICE ? null : contracts)
  return {
    inMarket: ticks.market[at]!, market: null, seenUs: ticks.atUs[at]!, bid: dollars(ticks.bidE6[at]!), ask: dollars(ticks.askE6[at]!),
    bidSize: size(ticks.bidSize[at]!), askSize: size(ticks.askSize[at]!), last: dollars(ticks.lastE6[at]!),
  }
}
