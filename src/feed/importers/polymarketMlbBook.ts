import { DAY_US, MS_US, timeUs } from '../../unit/time.ts'
import type { Importer } from '../importer.ts'
import { byText, type MarketDraft, NOT_STATED } from '../marketDraft.ts'
import { sourceTables } from '../rows/sourceTables.ts'
import type { TickSink } from '../tickSink.ts'
import { TopOfBook } from '../topOfBook.ts'
import { type GameTeams, gameTeams } from './mlbGame.ts'
import { type GameResult, MLB_FILES, readMetadata, readRecording, readResults, type Recording, type TokenMetadata } from './polymarketMlbFiles.ts'

const FORMAT = 'polymarket-mlb-book'

interface Token {
  readonly slug: string
  readonly book: TopOfBook
  snapshot: string
}

/** Recorded order books of Polymarket baseball games. A game has two markets, one for each team's token. */
export const polymarketMlbBook: Importer = {
  format: FORMAT,
  about: 'Polymarket baseball order books: book and price_change rows, results and names of teams beside them',
  async read(paths, ticks, tally) {
    const { tables, close } = await sourceTables(paths, MLB_FILES, tally)
    try {
      const results = await readResults(tables.results, tally)
      const metadata = await readMetadata(tables.metadata, tally)
      const recordings: Recording[] = []
      for (const source of tables.events) recordings.push(await readRecording(source, tally.file(source.file.name)))
      const tokens = new Map<string, Token>()
      const mislabelled = mislabelledRecordings(recordings, metadata)
      for (const recording of recordings) {
        const reason = mislabelled.get(recording)
        const first = recording.rows[0]
        if (reason === undefined) replay(recording, tokens, ticks)
        else if (first !== undefined) recording.tally.quarantine('mislabelled file', first.line, reason, recording.rows.length)
      }
      acceptMetadata(metadata, tokens)
      return { markets: markets(tokens, results, metadata, recordings) }
    } finally {
      await close()
    }
  },
}

/**
 * The recordings whose rows do not belong to the game that they name, and why: their rows lie outside the game's day (its date
 * until noon UTC of the next), the metadata say that their tokens are another game's, or another recording of that day has their tokens under another name.
 */
function mislabelledRecordings(recordings: readonly Recording[], metadata: ReadonlyMap<string, TokenMetadata>): Map<Recording, string> {
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
    if (first === undefined) continue
    const named = recording.rows.map(({ token }) => metadata.get(token)?.slug ?? '').find((slug) => slug !== '' && slug !== first.slug)
    if (onItsDay(recording)) {
      if (named !== undefined) reasons.set(recording, `the metadata say that a token of ${first.slug} is one of ${named}`)
      continue
    }
    const other = rivals(recording).find(onItsDay)
    const owner = other === undefined ? '' : `; its tokens are those of ${gameOf(other)}`
    reasons.set(recording, `rows of ${new Date(Math.floor(first.atUs / MS_US)).toISOString()} in ${first.slug}${owner}`)
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
  const dayUs = Date.parse(`${date[0]}T00:00:00Z`) * MS_US
  return recording.rows.every(({ atUs }) => atUs >= dayUs && atUs < dayUs + 1.5 * DAY_US)
}

/** Plays one recording into the books. Rows are in order of arrival: a row's time is never taken to be before that of the row above. */
function replay({ rows, tally }: Recording, tokens: Map<string, Token>, ticks: TickSink): void {
  let nowUs = 0
  for (const row of rows) {
    if (row.atUs < nowUs) tally.note('time goes back', row.line, `${(nowUs - row.atUs) / MS_US} ms before the row above: taken as seen at its time`)
    else nowUs = row.atUs
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
    token.book.step(timeUs(nowUs), row.line)
    const snapshot = row.snapshot ? `${row.hash} ${row.atUs}` : 'changed'
    if (row.snapshot && snapshot !== token.snapshot) token.book.clear()
    token.snapshot = snapshot
    const side = row.bid ? token.book.bids : token.book.asks
    side.set(row.priceE6, row.sizeE6)
  }
  for (const token of tokens.values()) token.book.show()
}

function acceptMetadata(metadata: ReadonlyMap<string, TokenMetadata>, tokens: ReadonlyMap<string, Token>): void {
  for (const [token, { tally, line, team }] of metadata) {
    if (tokens.has(token)) tally.accept()
    else tally.quarantine('token without recording', line, `no sound recording of the token of ${team}`)
  }
}

function markets(tokens: ReadonlyMap<string, Token>, results: ReadonlyMap<string, GameResult>, metadata: ReadonlyMap<string, TokenMetadata>, recordings: readonly Recording[]) {
  const drafts: MarketDraft[] = []
  const games = new Map<string, string[]>()
  for (const [id, { slug }] of tokens) games.set(slug, [...(games.get(slug) ?? []), id])
  for (const slug of [...games.keys()].sort(byText)) {
    const result = results.get(slug)
    const pair = (games.get(slug) ?? []).map((id) => {
      const { book } = tokens.get(id)!
      return { id, lastBidE6: book.bidE6, lastAskE6: book.askE6, metadata: metadata.get(id) }
    })
    const teams = gameTeams(slug, pair, result)
    if (result === undefined) recordings.find(({ rows }) => rows[0]?.slug === slug)?.tally.note('no result', 2, `no result of ${slug}`, 0)
    else acceptResult(slug, result, teams)
    pair.forEach(({ id }, place) => {
      const { book } = tokens.get(id)!
      drafts[book.market] = draft(slug, id, place, book.firstUs, teams)
    })
  }
  for (const [slug, { tally, line }] of results) {
    if (!games.has(slug)) tally.quarantine('result without recording', line, `no sound recording of ${slug}`)
  }
  return drafts
}

function acceptResult(slug: string, { tally, line, winner, note }: GameResult, { winnersToken, contradiction }: GameTeams): void {
  tally.accept()
  if (winner === '') tally.note('game without result', line, note)
  else if (contradiction !== undefined) tally.note('book contradicts metadata', line, `${slug}: ${contradiction}`)
  else if (winnersToken === undefined) {
    tally.note('token without team', line, `${slug}: neither metadata nor a book that ends decided say whose token is whose`)
  }
}

function draft(slug: string, id: string, place: number, firstUs: number, { teams, winnersToken }: GameTeams): MarketDraft {
  const team = teams.get(id)
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
    openUs: firstUs,
    outcome: winnersToken === undefined ? null : id === winnersToken ? 'yes' : 'no',
    listing: { subcategory: 'mlb' },
  }
}
