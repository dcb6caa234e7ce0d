import { MS_US, timeUs } from '../../unit/time.ts'
import { readCsv } from '../csvRows.ts'
import { exactE6, exactPriceE6 } from '../exactDecimal.ts'
import { byText, importedHistory, type MarketDraft, NOT_STATED } from '../importedHistory.ts'
import type { Importer } from '../importer.ts'
import { type FileTally, ImportTally } from '../importTally.ts'
import { sourceFiles } from '../sourceFiles.ts'
import { TickBuffer } from '../tickBuffer.ts'
import { TopOfBook } from '../topOfBook.ts'

const FORMAT = 'polymarket-mlb-book'
const EVENTS = ['market_slug', 'asset_id', 'event_type', 'price', 'side', 'size', 'hash', 'timestamp'] as const
const RESULTS = ['slug', 'away', 'home', 'winner', 'asset_ids', 'note'] as const
const DAY_MS = 86_400_000
/** Only a book with prices as extreme as this, which says that the game is over, tells which team a token stands for. */
const DECIDED_E6 = 990_000

interface BookRow {
  readonly line: number
  readonly slug: string
  readonly token: string
  readonly snapshot: boolean
  readonly hash: string
  readonly bid: boolean
  readonly priceE6: number
  readonly sizeE6: number
  readonly atMs: number
}

interface Recording {
  readonly tally: FileTally
  readonly rows: readonly BookRow[]
}

interface GameResult {
  readonly tally: FileTally
  readonly line: number
  readonly away: string
  readonly home: string
  readonly winner: string
  readonly tokens: readonly string[]
  readonly note: string
}

interface Token {
  readonly slug: string
  readonly book: TopOfBook
  snapshot: string
}

/** Recorded order books of Polymarket baseball games. A game has two markets, one for each team's token. */
export const polymarketMlbBook: Importer = {
  format: FORMAT,
  about: 'Polymarket baseball order books: book and price_change rows (CSV), results beside them',
  async read(paths) {
    const tally = new ImportTally()
    const files = await sourceFiles(paths, { events: EVENTS, results: RESULTS }, tally)
    const results = await readResults(files.results, tally)
    const recordings: Recording[] = []
    for (const file of files.events) recordings.push(await readRecording(file, tally.file(file)))
    const ticks = new TickBuffer()
    const tokens = new Map<string, Token>()
    const mislabelled = mislabelledRecordings(recordings)
    for (const recording of recordings) {
      const reason = mislabelled.get(recording)
      const first = recording.rows[0]
      if (reason === undefined) replay(recording, tokens, ticks)
      else if (first !== undefined) recording.tally.quarantine('mislabelled file', first.line, reason, recording.rows.length)
    }
    return importedHistory(FORMAT, tally, markets(tokens, results, recordings), ticks)
  },
}

async function readResults(files: readonly string[], tally: ImportTally): Promise<Map<string, GameResult>> {
  const results = new Map<string, GameResult>()
  for (const file of files) {
    const fileTally = tally.file(file)
    await readCsv(file, RESULTS, fileTally, ([slug, away, home, winner, tokens, note], line) => {
      if (results.has(slug)) fileTally.quarantine('duplicate', line, `a second result of ${slug}`)
      else results.set(slug, { tally: fileTally, line, away, home, winner, tokens: tokens.split('|'), note })
    })
  }
  return results
}

async function readRecording(file: string, tally: FileTally): Promise<Recording> {
  const rows: BookRow[] = []
  await readCsv(file, EVENTS, tally, ([slug, token, type, priceText, side, sizeText, hash, timestamp], line) => {
    const priceE6 = exactPriceE6(priceText)
    const sizeE6 = exactE6(sizeText)
    const atMs = Number(timestamp)
    const game = rows[0]?.slug ?? slug
    if (typeof priceE6 === 'string') tally.quarantine(priceE6, line, `price ${priceText}`)
    else if (typeof sizeE6 === 'string' || sizeE6 < 0) tally.quarantine('bad size', line, `size ${sizeText}`)
    else if (!/^\d{13}$/.test(timestamp)) tally.quarantine('bad timestamp', line, `${timestamp} is no Unix time in ms`)
    else if (side !== 'bid' && side !== 'ask') tally.quarantine('unknown side', line, `side ${side}`)
    else if (type !== 'book' && type !== 'price_change') tally.quarantine('unknown event type', line, `event_type ${type}`)
    else if (slug !== game) tally.quarantine('two games in one file', line, `${slug} in ${game}`)
    else rows.push({ line, slug, token, snapshot: type === 'book', hash, bid: side === 'bid', priceE6, sizeE6, atMs })
  })
  return { tally, rows }
}

/**
 * The recordings whose rows do not belong to the game that they name, and why: their rows lie outside the game's day (its date
 * until noon UTC of the next), or another recording of that day has their tokens under another name.
 */
function mislabelledRecordings(recordings: readonly Recording[]): Map<Recording, string> {
  const reasons = new Map<Recording, string>()
  const holders = new Map<string, Recording[]>()
  for (const recording of recordings) {
    for (const token of new Set(recording.rows.map((row) => row.token))) {
      holders.set(token, [...(holders.get(token) ?? []), recording])
    }
  }
  const rivals = (recording: Recording) =>
    [...new Set(recording.rows.map((row) => row.token))]
      .flatMap((token) => holders.get(token) ?? [])
      .filter((other) => gameOf(other) !== gameOf(recording))
  for (const recording of recordings) {
    const first = recording.rows[0]
    if (first === undefined || onItsDay(recording)) continue
    const other = rivals(recording).find(onItsDay)
    const owner = other === undefined ? '' : `; its tokens are those of ${gameOf(other)}`
    reasons.set(recording, `rows of ${new Date(first.atMs).toISOString()} in ${first.slug}${owner}`)
  }
  for (const recording of recordings) {
    if (recording.rows.length === 0 || reasons.has(recording)) continue
    const other = rivals(recording).find(onItsDay)
    if (other !== undefined) reasons.set(recording, `its tokens are also those of ${gameOf(other)}, and both fit their days`)
  }
  return reasons
}

/** The game that a recording names. Precondition: it has rows. */
const gameOf = ({ rows }: Recording): string => rows[0]!.slug

function onItsDay(recording: Recording): boolean {
  const date = /\d{4}-\d{2}-\d{2}$/.exec(gameOf(recording))
  if (date === null) return true
  const dayMs = Date.parse(`${date[0]}T00:00:00Z`)
  return recording.rows.every(({ atMs }) => atMs >= dayMs && atMs < dayMs + 1.5 * DAY_MS)
}

/** Plays one recording into the books. Rows are in order of arrival: a row's time is never taken to be before that of the row above. */
function replay({ rows, tally }: Recording, tokens: Map<string, Token>, ticks: TickBuffer): void {
  let nowMs = 0
  for (const row of rows) {
    if (row.atMs < nowMs) tally.note('time goes back', row.line, `${nowMs - row.atMs} ms before the row above: taken as seen at its time`)
    else nowMs = row.atMs
    let token = tokens.get(row.token)
    if (token === undefined) {
      if (!row.snapshot) {
        tally.quarantine('change before snapshot', row.line, `token ${row.token} has no book yet`)
        continue
      }
      const onCrossed = (count: number, line: number) =>
        tally.note('crossed book', line, 'bid over ask: no tick until the book is sound again', count)
      token = { slug: row.slug, book: new TopOfBook(tokens.size, ticks, onCrossed), snapshot: '' }
      tokens.set(row.token, token)
    }
    tally.accept()
    token.book.step(timeUs(nowMs * MS_US), row.line)
    const snapshot = row.snapshot ? `${row.hash} ${row.atMs}` : 'changed'
    if (row.snapshot && snapshot !== token.snapshot) token.book.clear()
    token.snapshot = snapshot
    const side = row.bid ? token.book.bids : token.book.asks
    side.set(row.priceE6, row.sizeE6)
  }
  for (const token of tokens.values()) token.book.show()
}

function markets(tokens: ReadonlyMap<string, Token>, results: ReadonlyMap<string, GameResult>, recordings: readonly Recording[]) {
  const drafts: MarketDraft[] = []
  const games = new Map<string, [string, Token][]>()
  for (const [id, token] of tokens) games.set(token.slug, [...(games.get(token.slug) ?? []), [id, token]])
  for (const slug of [...games.keys()].sort(byText)) {
    const result = results.get(slug)
    const pair = games.get(slug) ?? []
    const winner = result === undefined ? undefined : winnersToken(result, pair)
    const about = recordings.find(({ rows }) => rows[0]?.slug === slug)
    if (result === undefined) about?.tally.note('no result', 2, `no result of ${slug}`, 0)
    else acceptResult(slug, result, winner)
    pair.forEach(([id, token], place) => {
      drafts[token.book.market] = draft(slug, id, place, token, result, winner)
    })
  }
  for (const [slug, { tally, line }] of results) {
    if (!games.has(slug)) tally.quarantine('result without recording', line, `no sound recording of ${slug}`)
  }
  return drafts
}

function acceptResult(slug: string, { tally, line, winner, note }: GameResult, token: string | undefined): void {
  tally.accept()
  if (winner === '') tally.note('game without result', line, note)
  else if (token === undefined) tally.note('token without team', line, `${slug}: no book ends decided, so the source does not say whose token is whose`)
}

/** The winner's token: its last bid says that the game is won, and the last ask of the other token says that the game is lost. */
function winnersToken(result: GameResult, pair: readonly [string, Token][]): string | undefined {
  if (result.winner === '' || pair.length !== 2 || !pair.every(([id]) => result.tokens.includes(id))) return undefined
  const won = pair.filter(([, { book }]) => book.bidE6 >= DECIDED_E6)
  const lost = pair.filter(([, { book }]) => book.askE6 >= 0 && book.askE6 <= 1_000_000 - DECIDED_E6)
  return won.length === 1 && lost.length === 1 && won[0] !== lost[0] ? won[0]![0] : undefined
}

function draft(slug: string, id: string, place: number, { book }: Token, result: GameResult | undefined, winner: string | undefined): MarketDraft {
  const loser = result?.winner === result?.away ? result?.home : result?.away
  const team = winner === undefined ? undefined : id === winner ? result?.winner : loser
  return {
    ...NOT_STATED,
    ticker: `${slug}:${team ?? `token-${place + 1}`}`,
    venue: 'venue_b',
    event: slug,
    series: 'mlb',
    category: 'sports',
    title: `${slug}: ${team ?? `token ${id}`} wins`,
    game: slug,
    exclusionKeys: [`game:${slug}`],
    openUs: book.firstUs,
    outcome: team === undefined ? null : id === winner ? 'yes' : 'no',
    listing: { subcategory: 'mlb' },
  }
}
