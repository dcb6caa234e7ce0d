import { readFileSync, writeFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { importedFiles } from '../../src/feed/importedHistory.ts'
import type { Importer, ImportResult } from '../../src/feed/importer.ts'
import { kalshiBtc15mBook } from '../../src/feed/importers/kalshiBtc15mBook.ts'
import { kalshiMlbClose } from '../../src/feed/importers/kalshiMlbClose.ts'
import { kalshiWeatherCandles } from '../../src/feed/importers/kalshiWeatherCandles.ts'
import { polymarketMlbBook } from '../../src/feed/importers/polymarketMlbBook.ts'
import { polymarketPriceHistory } from '../../src/feed/importers/polymarketPriceHistory.ts'
import { broken, countedRows, manifestRows, recorded, temporaryFolder, troubleRows } from './recordedData.ts'

const read = new Map<string, Promise<ImportResult>>()

/** What an importer makes of recorded files, which no test changes; read once. */
function readOnce(importer: Importer, path: string): Promise<ImportResult> {
  const result = read.get(path) ?? importedFiles(importer, [path])
  read.set(path, result)
  return result
}

describe('polymarket-mlb-book', () => {
  test('reads the folder, row for row, and sets the mislabelled game aside', async (ctx) => {
    const folder = recorded(ctx, 'polymarket-mlb-book')
    const result = await readOnce(polymarketMlbBook, folder)
    const { report, markets } = result
    expect(broken(result)).toEqual([])
    const events = report.files.filter(({ file }) => file.includes('market-events'))
    expect(events.length).toBe(12)
    expect(events.map(({ inputRows }) => inputRows)).toEqual(events.map(({ file }) => countedRows(file)))
    const results = report.files.find(({ file }) => file.endsWith('DERIVED_results.csv'))
    expect(results?.inputRows).toBe(countedRows(`${folder}/DERIVED_results.csv`))

    const mislabelled = report.troubles.filter(({ kind }) => kind === 'mislabelled file')
    expect(mislabelled.map(({ file, rows, handling }) => [file.split('/').at(-1)?.slice(9, 31), rows, handling])).toEqual([
      ['mlb-hou-bal-2025-06-19', 12_901, 'quarantined'],
    ])
    expect(mislabelled[0]?.about).toContain('mlb-mil-chc-2025-06-17')
    expect(markets.some(({ event }) => event === 'mlb-hou-bal-2025-06-19')).toBe(false)
    expect(markets.length).toBe(22)
  })

  test('names a token by its team only where the final book says who won', async (ctx) => {
    const { markets, report } = await readOnce(polymarketMlbBook, recorded(ctx, 'polymarket-mlb-book'))
    const resolved = markets.filter(({ outcome }) => outcome !== null)
    expect(resolved.map(({ ticker, outcome }) => `${ticker} ${outcome}`)).toEqual([
      'mlb-col-wsh-2025-06-19:col no',
      'mlb-col-wsh-2025-06-19:wsh yes',
      'mlb-laa-nyy-2025-06-19:laa no',
      'mlb-laa-nyy-2025-06-19:nyy yes',
      'mlb-min-cin-2025-06-19:cin no',
      'mlb-min-cin-2025-06-19:min yes',
    ])
    expect(resolved.every(({ settledUs, actualCloseUs }) => settledUs === null && actualCloseUs === null)).toBe(true)
    expect(troubleRows(report, 'token without team', 'noted')).toBe(6)
    expect(troubleRows(report, 'game without result', 'noted')).toBe(2)
    expect(markets.filter(({ event }) => event === 'mlb-pit-det-2025-06-19').map(({ outcome }) => outcome)).toEqual([null, null])
  })

  test('both teams of a game share its exclusion key, and no other game does', async (ctx) => {
    const { markets } = await readOnce(polymarketMlbBook, recorded(ctx, 'polymarket-mlb-book'))
    for (const { event, exclusionKeys, game } of markets) {
      expect(exclusionKeys).toEqual([`game:${event}`])
      expect(game).toBe(event)
      expect(markets.filter((other) => other.exclusionKeys[0] === exclusionKeys[0]).length).toBe(2)
    }
  })
})

test('nothing later in a recording changes what was seen before', async (ctx) => {
  const file = recorded(ctx, 'polymarket-mlb-book/20250619_mlb-col-wsh-2025-06-19_polymarket-market-events.csv.gz')
  const lines = gunzipSync(readFileSync(file)).toString().split('\n')
  const folder = temporaryFolder()
  // The last columns of later rows are altered: price 0.5, size 7 from row 6000 on.
  const altered = lines.map((line, i) => (i < 6000 || line === '' ? line : line.replace(/,[^,]+,(bid|ask),[^,]+,/, ',0.5,$1,7,')))
  writeFileSync(`${folder}/whole.csv`, lines.join('\n'))
  writeFileSync(`${folder}/altered.csv`, altered.join('\n'))
  const fromUs = Number(lines[6000]!.split(',').at(-1)) * 1000
  const before = async (name: string) => {
    const { ticks } = await importedFiles(polymarketMlbBook, [`${folder}/${name}.csv`])
    const seen: string[] = []
    for (let i = 0; i < ticks.count; i += 1) {
      if (ticks.atUs[i]! < fromUs) seen.push(`${ticks.atUs[i]} ${ticks.market[i]} ${ticks.bidE6[i]} ${ticks.askE6[i]} ${ticks.bidSize[i]} ${ticks.askSize[i]}`)
    }
    return { seen, count: ticks.count }
  }
  const whole = await before('whole')
  const other = await before('altered')
  expect(other.seen).toEqual(whole.seen)
  expect(whole.seen.length).toBeGreaterThan(100)
  expect(other.count).not.toBe(whole.count)
})

describe('polymarket-price-history', () => {
  test('quarantines the 848 duplicates and takes outcomes without settlement times', async (ctx) => {
    const path = recorded(ctx, 'polymarket-price-history/resolved_markets.parquet')
    const result = await importedFiles(polymarketPriceHistory, [path])
    const { report, markets, ticks } = result
    expect(broken(result)).toEqual([])
    expect(report.inputRows).toBe(manifestRows('polymarket-price-history/resolved_markets.parquet'))
    expect(markets.length).toBe(192)
    expect(troubleRows(report, 'duplicate', 'quarantined')).toBe(848)
    expect(report.quarantinedRows).toBe(848)
    expect(markets.every(({ outcome, settledUs }) => outcome !== null && settledUs === null)).toBe(true)
    expect(ticks.bidE6.every((price) => price === -1) && ticks.askE6.every((price) => price === -1)).toBe(true)
    expect(troubleRows(report, 'ends on the day of capture', 'noted')).toBe(192)
  })

  test('keeps apart the markets of one game, one city and day, and one election', async (ctx) => {
    const { markets } = await importedFiles(polymarketPriceHistory, [recorded(ctx, 'polymarket-price-history')])
    const keys = (ticker: string) => markets.find((market) => market.ticker === ticker)?.exclusionKeys ?? []
    const share = (a: string, b: string) => keys(a).some((key) => keys(b).includes(key))
    expect(share('nba-hou-ind-2026-02-02-assists-reed-sheppard-3pt5', 'nba-hou-ind-2026-02-02-rebounds-clint-capela-6pt5')).toBe(true)
    expect(share('arg-aaj-bel-2026-02-02-aaj', 'arg-aaj-bel-2026-02-02-draw')).toBe(true)
    expect(share('arg-aaj-bel-2026-02-02-draw', 'arg-uni-gye-2026-02-02-draw')).toBe(false)
    expect(share('highest-temperature-in-miami-on-february-2-60-61f', 'highest-temperature-in-miami-on-february-2-70forhigher')).toBe(true)
    expect(share('highest-temperature-in-miami-on-february-2-60-61f', 'highest-temperature-in-chicago-on-february-2-26-27f')).toBe(false)
    const seats = '-win-the-most-seats-in-the-2026-costa-rican-legislative-assembly-election'
    expect(share(`will-pln${seats}`, `will-ppso${seats}`)).toBe(true)
    expect(share('will-the-us-next-strike-iran-in-january-2026-et', 'will-the-us-not-strike-iran-by-january-31-2026-314')).toBe(true)
    expect(share('will-tria-launch-a-token-by-june-30-2026', 'will-tria-launch-a-token-by-march-31-2026')).toBe(true)
  })
})

describe('kalshi-weather-candles', () => {
  test('reads 840 markets, 24 unresolved, each resolved ladder with one winner', async (ctx) => {
    const result = await readOnce(kalshiWeatherCandles, recorded(ctx, 'kalshi-weather-candles'))
    const { report, markets } = result
    expect(broken(result)).toEqual([])
    const stated = report.files.map(({ file }) => manifestRows(`kalshi-weather-candles/${file.split('/').at(-1)}`))
    expect(report.files.map(({ inputRows }) => inputRows)).toEqual(stated)
    expect(markets.length).toBe(840)
    expect(markets.filter(({ outcome }) => outcome === null).length).toBe(24)
    expect(markets.every(({ settledUs }) => settledUs === null)).toBe(true)
    expect(troubleRows(report, 'ladder without one winner', 'noted')).toBe(0)
    expect(troubleRows(report, 'nothing traded', 'noted')).toBe(5660)
    expect(troubleRows(report, 'irregular step', 'noted')).toBe(690)
    expect(troubleRows(report, 'holds the scheduled close', 'noted')).toBe(406)
    expect(troubleRows(report, 'begins after the scheduled close', 'noted')).toBe(534)
    const winners = new Map<string, number>()
    for (const { ladder, outcome } of markets) if (outcome !== null) winners.set(ladder, (winners.get(ladder) ?? 0) + (outcome === 'yes' ? 1 : 0))
    expect(winners.size).toBe(136)
    expect([...winners.values()].every((count) => count === 1)).toBe(true)
  })

  test('a candle is seen at its end and never before the market opens', async (ctx) => {
    const { markets, ticks } = await readOnce(kalshiWeatherCandles, recorded(ctx, 'kalshi-weather-candles'))
    // First candle of KXHIGHNY-26APR01-B72.5: end_ts 1774969200, bid 0.01, ask 0.02, price 0.03, by the file's own rows.
    const number = markets.findIndex(({ ticker }) => ticker === 'KXHIGHNY-26APR01-B72.5')
    const row = ticks.market.indexOf(number)
    expect([ticks.atUs[row], ticks.bidE6[row], ticks.askE6[row], ticks.lastE6[row]]).toEqual([1_774_969_200_000_000, 10_000, 20_000, 30_000])
    expect(ticks.bidSize[row]).toBe(-1)
    // Naive times are UTC: the close stands at 04:59, and nothing trades in the hours that begin after it.
    expect(markets[number]?.scheduledCloseUs).toBe(Date.UTC(2026, 3, 2, 4, 59) * 1000)
  })
})

describe('kalshi-mlb-close', () => {
  test('gives each settled game its closing quote at the settlement', async (ctx) => {
    const file = recorded(ctx, 'kalshi-mlb-close/kalshi_history.csv.gz')
    const result = await importedFiles(kalshiMlbClose, [file])
    expect(broken(result)).toEqual([])
    expect(result.report.inputRows).toBe(countedRows(file))
    expect(result.report.coverage['closing quotes only']).toBe(3797)
    const number = result.markets.findIndex(({ ticker }) => ticker === 'KXMLBGAME-25APR16AZMIA-MIA')
    expect(result.markets[number]).toMatchObject({ outcome: 'no', settledUs: 1_744_840_697_000_000, game: 'KXMLBGAME-25APR16AZMIA' })
    const row = result.ticks.market.indexOf(number)
    expect([result.ticks.atUs[row], result.ticks.bidE6[row], result.ticks.askE6[row]]).toEqual([1_744_840_697_000_000, 420_000, 440_000])
  })
})

describe('kalshi-btc15m-book', () => {
  test('reads 1.2 million rows and rebuilds every book from its own session', async (ctx) => {
    const folder = recorded(ctx, 'kalshi-btc15m-book')
    const result = await importedFiles(kalshiBtc15mBook, [folder])
    const { report, markets, ticks } = result
    expect(broken(result)).toEqual([])
    const rows = (name: string) => report.files.find(({ file }) => file.endsWith(`/${name}`))?.inputRows
    expect(rows('deltas.csv.gz')).toBe(countedRows(`${folder}/deltas.csv.gz`))
    expect(rows('snapshots.csv.gz')).toBe(countedRows(`${folder}/snapshots.csv.gz`))
    expect(rows('settlement_labels.csv')).toBe(countedRows(`${folder}/settlement_labels.csv`))
    expect(markets.length).toBe(34)
    expect(troubleRows(report, 'negative level', 'noted')).toBe(0)
    expect(troubleRows(report, 'sequence gap', 'quarantined')).toBe(1147)
    const settledAfterUs = markets.map(({ scheduledCloseUs, settledUs }) => (settledUs ?? 0) - (scheduledCloseUs ?? 0))
    expect(Math.min(...settledAfterUs)).toBeGreaterThan(0)
    expect(Math.max(...settledAfterUs)).toBeLessThan(60_000_000)
    const first = markets[0]!
    expect(first.scheduledCloseUs).toBe(Date.UTC(2026, 4, 11, 12, 15) * 1000)

    const shown = shownTops(folder, first.ticker)
    const ours: string[] = []
    for (let i = 0; i < ticks.count; i += 1) {
      if (ticks.market[i] === 0) ours.push(`${ticks.atUs[i]} ${ticks.bidE6[i]} ${ticks.askE6[i]} ${ticks.bidSize[i]} ${ticks.askSize[i]}`)
    }
    expect(ours).toEqual(shown)
  })
})

type Change = readonly [recvNs: string, side: string, price: string, size: string]
type Level = readonly [priceE6: number, size: number]

/** The tops of a market with one session, rebuilt by a plain map of levels and a scan for the best. */
function shownTops(folder: string, ticker: string): string[] {
  const rowsOf = (name: string) => gunzipSync(readFileSync(`${folder}/${name}`)).toString('latin1').split('\n').filter((line) => line.includes(ticker))
  const levels = new Map<string, number>()
  const tops: string[] = []
  const steps = new Map<string, Change[]>()
  // Side, price and size stand together, after other columns in each file.
  const changes = (name: string, side: number) => rowsOf(name).map((line) => line.split(',')).map(
    (fields): Change => [fields[0]!, fields[side]!, fields[side + 1]!, fields[side + 2]!],
  )
  for (const row of [...changes('snapshots.csv.gz', 4), ...changes('deltas.csv.gz', 5)]) {
    const us = String((BigInt(row[0]) + 999n) / 1000n)
    steps.set(us, [...(steps.get(us) ?? []), row])
  }
  let last = ''
  for (const [us, rows] of steps) {
    for (const [, side, price, change] of rows) {
      const key = `${side} ${Math.round(Number(price) * 1e6)}`
      levels.set(key, Math.round(((levels.get(key) ?? 0) + Number(change)) * 100) / 100)
    }
    const best = (side: string): Level => {
      const open = [...levels].filter(([key, size]) => key.startsWith(side) && size > 0).map(([key, size]): Level => [Number(key.split(' ')[1]), size])
      return open.reduce((a, b) => (b[0] > a[0] ? b : a), [-1, -1] as const)
    }
    const [bid, bidSize] = best('yes')
    const [no, noSize] = best('no')
    const top = `${bid} ${no < 0 ? -1 : 1_000_000 - no} ${Math.floor(bidSize)} ${Math.floor(noSize)}`
    if (top !== last && bid + no <= 1_000_000) tops.push(`${us} ${(last = top)}`)
  }
  return tops
}
