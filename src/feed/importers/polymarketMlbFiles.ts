import { PROBABILITY, PriceReader, sizeE6 } from '../mapping/prices.ts'
import { ROUNDED, roundedText } from '../mapping/sectionRows.ts'
import { wordsWith } from '../mapping/words.ts'
import type { FileTally, ImportTally } from '../importTally.ts'
import { readRows, type SourceTable } from '../rows/sourceTables.ts'
import { anyInstants } from './anyInstants.ts'

/** In any case. Earlier files of the recorder say bid and ask, later ones BUY and SELL. */
const SIDES = { bid: ['bid', 'bids', 'buy', 'b'], ask: ['ask', 'asks', 'offer', 'sell', 's', 'a'] }
const TOKEN = 'asset_id|token_id|clob_token_id'

/** Columns of the files of the format. */
export const MLB_FILES = {
  events: ['market_slug', TOKEN, 'event_type', 'price', 'side', 'size', 'hash', 'timestamp'],
  results: ['slug', 'away', 'home', 'winner', 'asset_ids', 'note'],
  metadata: [TOKEN, 'outcome|team|outcome_name|team_name', 'market_slug|slug?'],
} as const

/** A row of a book, at a line of its file. Prices and sizes are millionths. */
export interface BookRow {
  readonly line: number
  readonly slug: string
  readonly token: string
  readonly snapshot: boolean
  readonly hash: string
  readonly bid: boolean
  readonly priceE6: number
  readonly sizeE6: number
  readonly atUs: number
}

export interface Recording {
  readonly tally: FileTally
  readonly rows: readonly BookRow[]
}

export interface GameResult {
  readonly tally: FileTally
  readonly line: number
  readonly away: string
  readonly home: string
  readonly winner: string
  readonly tokens: readonly string[]
  readonly note: string
}

/** What the metadata say of a token. */
export interface TokenMetadata {
  readonly tally: FileTally
  readonly line: number
  /** As it is written there. */
  readonly team: string
  /** '' where the metadata have no slugs. */
  readonly slug: string
}

export async function readRecording(source: SourceTable, tally: FileTally): Promise<Recording> {
  const rows: BookRow[] = []
  const prices = new PriceReader(PROBABILITY)
  const sides = wordsWith(SIDES)
  const times = anyInstants(MLB_FILES.events.indexOf('timestamp'), null)
  await readRows(source, tally, (cells, row, line) => {
    const [slug, token, type, priceText, sideText, sizeText, hash] = cells.map((column) => column.text(row)) as [string, string, string, string, string, string, string]
    const priceE6 = prices.read(cells[3]!, row)
    const size = sizeE6(cells[5]!, row, PROBABILITY)
    const atUs = times.read(cells, row)
    const side = sides.get(sideText.toLowerCase())
    const kind = type.toLowerCase()
    const game = rows[0]?.slug ?? slug
    if (typeof priceE6 === 'string' || priceE6 < 0) tally.quarantine(typeof priceE6 === 'string' ? priceE6 : 'not a number', line, `price ${priceText}`)
    else if (!(size >= 0)) tally.quarantine('bad size', line, `size ${sizeText}`)
    else if (typeof atUs === 'string') tally.quarantine(atUs, line, `'${times.text(cells, row)}'${times.hint}`)
    else if (side === undefined) tally.quarantine('unknown side', line, `side ${sideText}`)
    else if (kind !== 'book' && kind !== 'price_change') tally.quarantine('unknown event type', line, `event_type ${type}`)
    else if (token === '') tally.quarantine('no token', line, 'the column of the token is empty')
    else if (slug !== game) tally.quarantine('two games in one file', line, `${slug} in ${game}`)
    else {
      if (prices.isRounded) tally.note(ROUNDED, line, roundedText(priceText))
      rows.push({ line, slug, token, snapshot: kind === 'book', hash, bid: side === 'bid', priceE6, sizeE6: size, atUs })
    }
  })
  return { tally, rows }
}

export async function readResults(files: readonly SourceTable[], tally: ImportTally): Promise<Map<string, GameResult>> {
  const results = new Map<string, GameResult>()
  for (const source of files) {
    const fileTally = tally.file(source.file.name)
    await readRows(source, fileTally, (cells, row, line) => {
      const [slug, away, home, winner, tokens, note] = cells.map((column) => column.text(row)) as [string, string, string, string, string, string]
      if (results.has(slug)) fileTally.quarantine('duplicate', line, `a second result of ${slug}`)
      else results.set(slug, { tally: fileTally, line, away, home, winner, tokens: tokens.split('|').filter((token) => token !== ''), note })
    })
  }
  return results
}

/** By token. Rows that say the same of a token again are duplicates, and a row that says something else is set aside. */
export async function readMetadata(files: readonly SourceTable[], tally: ImportTally): Promise<Map<string, TokenMetadata>> {
  const metadata = new Map<string, TokenMetadata>()
  for (const source of files) {
    const fileTally = tally.file(source.file.name)
    await readRows(source, fileTally, (cells, row, line) => {
      const [token, team, slug] = cells.map((column) => column.text(row)) as [string, string, string]
      const before = metadata.get(token)
      if (token === '' || team === '') fileTally.quarantine('no team', line, 'the token or its team is empty')
      else if (before === undefined) metadata.set(token, { tally: fileTally, line, team, slug })
      else if (before.team === team && before.slug === slug) fileTally.quarantine('duplicate', line, `token ${token} again`)
      else fileTally.quarantine('contradiction', line, `token ${token}: ${team} of ${slug}, before ${before.team} of ${before.slug}`)
    })
  }
  return metadata
}
