import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { importedFiles } from '../../../src/feed/importedHistory.ts'
import type { ImportResult } from '../../../src/feed/importer.ts'
import { IMPORTERS } from '../../../src/feed/importers/index.ts'
import { mappingOfText } from '../../../src/scenario/mappingFile.ts'
import { recorded } from '../recordedData.ts'
import { importMapped } from './mapped.ts'

/** Each tick as a text, without what the market is called. */
const ticksOf = ({ ticks }: ImportResult): string[] => Array.from({ length: ticks.count }, (_, i) =>
  [ticks.atUs[i], ticks.bidE6[i], ticks.askE6[i], ticks.bidSize[i], ticks.askSize[i], ticks.lastE6[i]].join(' ')).sort()

const rowsOf = ({ report: { inputRows, acceptedRows, quarantinedRows } }: ImportResult) => ({ inputRows, acceptedRows, quarantinedRows })
const troubleRows = ({ report }: ImportResult, kind: string) => report.troubles.filter((one) => one.kind === kind).map(({ rows, firstRow }) => [rows, firstRow])

test('a mapping of Kalshi’s deltas and snapshots gives the books that the importer of the format gives, tick for tick', async (ctx) => {
  const folder = recorded(ctx, 'kalshi-btc15m-book')
  const levels = 'market: market_ticker, received: { column: recv_ns, unit: ns }, side: side, price: price_dollars, both_sides_are_bids: true, sequence: seq'
  const mapping = mappingOfText('mapping.yaml', `
files:
  - { kind: depth, match: deltas*, ${levels}, size: delta_fp, change: add }
  - { kind: depth, match: snapshots*, ${levels}, size: size_fp, snapshot: always, group: connection_id }
  - { kind: results, match: settlement*, market: market_ticker, result: binary_result, settled: settlement_ts_utc }`)
  const own = await importMapped(mapping, [folder])
  const named = await importedFiles(IMPORTERS['kalshi-btc15m-book']!, [folder])
  expect(own.ticks.count).toBeGreaterThan(200_000)
  expect({ at: own.ticks.atUs, market: own.ticks.market, bid: own.ticks.bidE6, ask: own.ticks.askE6, bidSize: own.ticks.bidSize, askSize: own.ticks.askSize })
    .toEqual({ at: named.ticks.atUs, market: named.ticks.market, bid: named.ticks.bidE6, ask: named.ticks.askE6, bidSize: named.ticks.bidSize, askSize: named.ticks.askSize })
  expect(rowsOf(own)).toEqual(rowsOf(named))
  for (const kind of ['sequence gap', 'crossed book']) expect(troubleRows(own, kind)).toEqual(troubleRows(named, kind))
  expect(own.markets.map(({ ticker, outcome, settledUs }) => [ticker, outcome, settledUs])).toEqual(named.markets.map(({ ticker, outcome, settledUs }) => [ticker, outcome, settledUs]))
})

test('a mapping of Polymarket’s books gives those of its importer, but for the file that the importer knows to be another game', async (ctx) => {
  const folder = recorded(ctx, 'polymarket-mlb-book')
  const files = readdirSync(folder).filter((name) => name.includes('market-events') && !name.includes('hou-bal')).map((name) => `${folder}/${name}`)
  const mapping = mappingOfText('mapping.yaml', `
venue: polymarket
files:
  - { kind: depth, market: '{market_slug}:{asset_id}', time: { column: timestamp, unit: ms }, side: side, price: price, size: size, snapshot: { column: event_type, words: book }, group: hash }`)
  const own = await importMapped(mapping, files)
  const named = await importedFiles(IMPORTERS['polymarket-mlb-book']!, [folder])
  expect(ticksOf(own)).toEqual(ticksOf(named))
  expect(own.ticks.count).toBeGreaterThan(10_000)
})
