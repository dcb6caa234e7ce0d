import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { OpenStore } from '../../src/feed/store/openStore.ts'
import type { Dice } from './dice.ts'
import type { Tell } from './recomputation.ts'

/**
 * Recorded order books as a recorder of baseball games leaves them (docs/data.md, polymarket-mlb-book), drawn with every trouble that such
 * files have; and a count of what an import must make of them that shares nothing with the importer.
 */

/** Files by name, row by row, the header first. */
export interface Recordings {
  [file: string]: string[]
}

const EVENTS = 'market_slug,asset_id,market_id,event_type,price,side,size,hash,timestamp'
const RESULTS = 'slug,away,home,winner,asset_ids,note'
const DAY = '2025-06-19'
const DAY_MS = Date.UTC(2025, 5, 19)
const HOUR_MS = 3_600_000
export const RECORDED_FROM_MS = DAY_MS + 19 * HOUR_MS
export const RECORDED_MINUTES = 45
/** A recording belongs to its game's day from midnight until noon UTC of the next one. */
const DAY_ENDS_MS = DAY_MS + 36 * HOUR_MS
const TEAMS = ['col', 'wsh', 'hou', 'bal', 'nyy', 'bos', 'lad', 'sea', 'tor', 'chc', 'min', 'det', 'phi', 'mia']

export function recordingsOf(dice: Dice): Recordings {
  const files: Recordings = {}
  const results = [RESULTS]
  const games = dice.from(3, 6)
  for (let game = 0; game < games; game++) {
    const [away, home] = [TEAMS[2 * game]!, TEAMS[2 * game + 1]!]
    const slug = `mlb-${away}-${home}-${DAY}`
    const tokens = [100 + 2 * game, 101 + 2 * game].map(String)
    const isDecided = dice.chance(60)
    files[`${slug}.csv`] = gameRows(dice, slug, tokens, isDecided)
    if (dice.chance(80)) results.push(`${slug},${away},${home},${isDecided ? away : ''},${tokens.join('|')},`)
  }
  if (dice.chance(80)) {
    const slug = `mlb-phi-mia-${DAY}`
    files[`${slug}.csv`] = edgeRows(dice, slug)
  }
  if (results.length > 1) files['results.csv'] = results
  return files
}

const row = (slug: string, token: string, type: string, price: string, side: string, size: string, hash: string, atMs: number | string): string =>
  [slug, token, '1', type, price, side, size, hash, atMs].join(',')

/** A recording that reaches to the end of its day, or goes beyond it by a millisecond; the same at the day's begin. */
function edgeRows(dice: Dice, slug: string): string[] {
  const [fromMs, toMs] = [dice.of([DAY_MS, DAY_MS, DAY_MS - 1]), dice.of([DAY_ENDS_MS - 1, DAY_ENDS_MS])]
  return [EVENTS, row(slug, '900', 'book', '0.40', 'bid', '5', 'a', fromMs), row(slug, '900', 'book', '0.45', 'ask', '5', 'a', fromMs), row(slug, '900', 'price_change', '0.41', 'bid', '7', 'a', toMs)]
}

function gameRows(dice: Dice, slug: string, tokens: readonly string[], isDecided: boolean): string[] {
  const rows = [EVENTS]
  const mids = [dice.from(20, 80)]
  mids.push(100 - mids[0]!)
  const shown: { bid: number; ask: number }[] = []
  const price = (cents: number): string => (cents / 100).toFixed(2)
  const snapshot = (i: number, atMs: number, bid: number, ask: number): void => {
    const hash = `h${rows.length}`
    rows.push(row(slug, tokens[i]!, 'book', price(bid), 'bid', `${dice.from(1, 500)}.5`, hash, atMs), row(slug, tokens[i]!, 'book', price(ask), 'ask', String(dice.from(1, 500)), hash, atMs))
    shown[i] = { bid, ask }
  }
  if (dice.chance(30)) rows.push(row(slug, tokens[0]!, 'price_change', '0.30', 'bid', '1', 'h', RECORDED_FROM_MS))
  let atMs = RECORDED_FROM_MS
  tokens.forEach((_, i) => { snapshot(i, ++atMs, mids[i]! - 1, mids[i]! + 1) })
  const endMs = RECORDED_FROM_MS + RECORDED_MINUTES * 60_000
  while ((atMs += dice.from(1, 40_000)) < endMs) {
    const i = dice.from(0, 1)
    const { bid, ask } = shown[i]!
    const [nextBid, nextAsk] = bid > 8 && ask < 92 ? [bid + dice.from(-2, 1), ask + dice.from(-1, 2)] : [49, 51]
    if (dice.chance(4)) rows.push(badRow(dice, slug, tokens[i]!, atMs))
    if (dice.chance(3)) rows.push(row(slug, tokens[i]!, 'price_change', price(bid), 'bid', String(dice.from(1, 90)), 'c', atMs - dice.from(40_001, 90_000)))
    if (dice.chance(4)) {
      // A message was missed: the book is crossed until a bid goes.
      rows.push(row(slug, tokens[i]!, 'price_change', price(ask + 1), 'bid', '3', 'c', atMs))
      if (dice.chance(50)) rows.push(row(slug, tokens[i]!, 'price_change', price(ask + 2), 'ask', '2', 'c', (atMs += dice.of([0, 0, dice.from(1, 2000)]))))
      rows.push(row(slug, tokens[i]!, 'price_change', price(ask + 1), 'bid', '0', 'c', (atMs += dice.from(1, 5000))))
    }
    if (nextBid >= nextAsk || dice.chance(15)) snapshot(i, atMs, nextBid >= nextAsk ? bid : nextBid, nextBid >= nextAsk ? ask : nextAsk)
    else {
      for (const [side, from, to] of [['bid', bid, nextBid], ['ask', ask, nextAsk]] as const) {
        if (from !== to) rows.push(row(slug, tokens[i]!, 'price_change', price(from), side, '0', 'c', atMs))
        rows.push(row(slug, tokens[i]!, 'price_change', price(to), side, String(dice.from(1, 900)), 'c', atMs))
      }
      shown[i] = { bid: nextBid, ask: nextAsk }
    }
  }
  if (isDecided) {
    snapshot(0, ++atMs, 99, 100)
    snapshot(1, ++atMs, 0, 1)
  }
  return rows
}

function badRow(dice: Dice, slug: string, token: string, atMs: number): string {
  return dice.of([
    row(slug, token, 'price_change', 'NaN', 'bid', '5', 'x', atMs), row(slug, token, 'price_change', '1.01', 'ask', '5', 'x', atMs), row(slug, token, 'price_change', '0.9876543', 'ask', '5', 'x', atMs),
    row(slug, token, 'price_change', '0.42', 'bid', '-5', 'x', atMs), row(slug, token, 'price_change', '0.42', 'middle', '5', 'x', atMs), row(slug, token, 'tick_size_change', '0.42', 'bid', '5', 'x', atMs),
    `${row(slug, token, 'price_change', '0.42', 'bid', '5', 'x', atMs)},more`, row(slug, token, 'price_change', '0.42', 'bid', '5', 'x', '175'),
  ])
}

/** What became of rows, by kind: `quarantined ragged row`, `noted crossed book`. */
type Counts = Map<string, number>

/** Compares the report of an import with a count of the files in its folder, and the levels of books that it kept with those of these files. */
export function checkImport(folder: string, store: Pick<OpenStore, 'depth' | 'depthBatchesOf' | 'readDepth' | 'report'>, tell: Tell): void {
  const report = store.report()
  const counts: Counts = new Map()
  const levels: Levels = { most: store.depth?.levels ?? 0, seen: [] }
  let [input, ticks] = [0, 0]
  for (const name of readdirSync(folder).filter((file) => file !== 'results.csv')) {
    const lines = readFileSync(join(folder, name), 'utf8').trimEnd().split('\n').slice(1)
    input += lines.length
    ticks += countFile(lines, counts, levels)
  }
  const is = (what: string, got: number, expected: number): void => { if (got !== expected) tell(`the import of recorded files counts ${got} ${what}, expected ${expected}`) }
  const events = report.files.filter(({ file }) => !file.endsWith('results.csv'))
  const setAside = [...counts].reduce((sum, [kind, rows]) => sum + (kind.startsWith('quarantined') ? rows : 0), 0)
  is('rows', events.reduce((sum, { inputRows }) => sum + inputRows, 0), input)
  is('quarantined rows', events.reduce((sum, { quarantinedRows }) => sum + quarantinedRows, 0), setAside)
  is('accepted rows', events.reduce((sum, { acceptedRows }) => sum + acceptedRows, 0), input - setAside)
  is('ticks', report.ticks, ticks)
  const told: Counts = new Map()
  for (const { kind, handling, rows, file } of report.troubles) {
    const key = `${handling} ${kind}`
    // Remarks on a file, and what results say, are about no rows of a book.
    if (rows > 0 && !file.endsWith('results.csv')) told.set(key, (told.get(key) ?? 0) + rows)
  }
  for (const kind of new Set([...counts.keys(), ...told.keys()])) is(`rows ${kind}`, told.get(kind) ?? 0, counts.get(kind) ?? 0)
  const [kept, seen] = [keptLevels(store).toSorted(), levels.seen.toSorted()]
  is('books', kept.length, seen.length)
  const other = kept.findIndex((book, i) => book !== seen[i])
  if (other >= 0) tell(`the import of recorded files kept the book ${kept[other]}, expected ${seen[other]}`)
}

/** Books with their instants as texts, of all markets together: `most` levels of a side, the best first. */
interface Levels {
  readonly most: number
  readonly seen: string[]
}

function keptLevels(store: Pick<OpenStore, 'depth' | 'depthBatchesOf' | 'readDepth'>): string[] {
  return (store.depth?.parts ?? []).flatMap((part) => store.depthBatchesOf(part).flatMap((_, batch) => {
    const { count, atUs, cells } = store.readDepth(part, batch)
    return Array.from({ length: count }, (_, row) => `${atUs[row]! / 1000}:${cells.map((cell) => ` ${cell[row]}`).join('')}`)
  }))
}

interface Sound {
  readonly token: string
  readonly isSnapshot: boolean
  readonly priceE6: number
  readonly isBid: boolean
  readonly size: number
  readonly hash: string
  readonly atMs: number
}

/** Counts one recording, and returns how many ticks it gives. */
function countFile(lines: readonly string[], counts: Counts, levels: Levels): number {
  const count = (kind: string, rows = 1): void => { counts.set(kind, (counts.get(kind) ?? 0) + rows) }
  const sound: Sound[] = []
  for (const line of lines) {
    const cells = line.split(',')
    const [, token, , type, price, side, size, hash, at] = cells as [string, string, string, string, string, string, string, string, string]
    const wrong = cells.length !== 9 ? 'ragged row' : Number.isNaN(Number(price)) ? 'not a number' : Number(price) < 0 || Number(price) > 1 ? 'price out of range'
      : !(Number(size) >= 0) ? 'bad size' : at.length !== 13 ? 'absurd timestamp'
        : side !== 'bid' && side !== 'ask' ? 'unknown side' : type !== 'book' && type !== 'price_change' ? 'unknown event type' : null
    if (wrong !== null) count(`quarantined ${wrong}`)
    else {
      if ((price.split('.')[1]?.length ?? 0) > 6) count('noted rounded price')
      sound.push({ token, isSnapshot: type === 'book', priceE6: Math.round(Number(price) * 1e6), isBid: side === 'bid', size: Number(size), hash, atMs: Number(at) })
    }
  }
  if (sound.some(({ atMs }) => atMs < DAY_MS || atMs >= DAY_ENDS_MS)) {
    count('quarantined mislabelled file', sound.length)
    return 0
  }
  return countBooks(sound, count, levels)
}

interface Book {
  readonly bids: Map<number, number>
  readonly asks: Map<number, number>
  snapshot: string
  stepMs: number
  stepRows: number
  top: string
  /** The levels as they were last shown. */
  levels: string
}

/** Plays the rows into books of all tokens, each step of one instant as a whole. */
function countBooks(rows: readonly Sound[], count: (kind: string, rows?: number) => void, { most, seen }: Levels): number {
  const books = new Map<string, Book>()
  let [nowMs, ticks] = [0, 0]
  const end = (book: Book): void => {
    const [bid, ask] = [Math.max(-1, ...book.bids.keys()), Math.min(...book.asks.keys())]
    if (bid > ask) count('noted crossed book', book.stepRows)
    else {
      const top = `${bid} ${ask} ${Math.floor(book.bids.get(bid) ?? -1)} ${Math.floor(book.asks.get(ask) ?? -1)}`
      if (top !== book.top) ticks++
      book.top = top
      const now = levelsOf(book, most)
      if (now !== book.levels && most > 0) seen.push(`${book.stepMs}:${now}`)
      book.levels = now
    }
    book.stepRows = 0
  }
  for (const { token, isSnapshot, priceE6, isBid, size, hash, atMs } of rows) {
    if (atMs < nowMs) count('noted time goes back')
    else nowMs = atMs
    if (!books.has(token) && !isSnapshot) {
      count('quarantined change before snapshot')
      continue
    }
    const book: Book = books.get(token) ?? { bids: new Map(), asks: new Map(), snapshot: '', stepMs: nowMs, stepRows: 0, top: '', levels: '' }
    books.set(token, book)
    if (book.stepRows > 0 && book.stepMs !== nowMs) end(book)
    book.stepMs = nowMs
    book.stepRows++
    const snapshot = isSnapshot ? `${hash} ${atMs}` : ''
    if (isSnapshot && snapshot !== book.snapshot) {
      book.bids.clear()
      book.asks.clear()
    }
    book.snapshot = snapshot
    const side = isBid ? book.bids : book.asks
    if (size === 0) side.delete(priceE6)
    else side.set(priceE6, size)
  }
  for (const book of books.values()) end(book)
  return ticks
}

/** By level the bid, its contracts, the ask and its contracts, -1 where there is none. */
function levelsOf({ bids, asks }: Book, most: number): string {
  const best = (side: Map<number, number>, way: number): string[] => [...side].toSorted(([a], [b]) => way * (a - b)).map(([priceE6, size]) => ` ${priceE6} ${Math.floor(size)}`)
  const [bid, ask] = [best(bids, -1), best(asks, 1)]
  return Array.from({ length: most }, (_, i) => `${bid[i] ?? ' -1 -1'}${ask[i] ?? ' -1 -1'}`).join('')
}
