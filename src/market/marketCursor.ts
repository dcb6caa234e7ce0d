import { LaneHash } from '../unit/laneHash.ts'

/** What the list of markets is ordered by: the event's ticker, then the venue; a market without an event follows an event of its name. */
export interface EventKey {
  /** Ticker of the event, of a market without one its own. */
  readonly event: string
  readonly venue: string
  /** A market without an event. */
  readonly isLone: boolean
}

export const compareKeys = (a: EventKey, b: EventKey): number =>
  a.event < b.event ? -1 : a.event > b.event ? 1 : a.venue < b.venue ? -1 : a.venue > b.venue ? 1 : Number(a.isLone) - Number(b.isLone)

const LONE = 'lone'

function checkOf(filters: string, last: EventKey): string {
  const hash = new LaneHash()
  for (const text of [filters, last.event, last.venue, last.isLone ? LONE : '']) hash.text(text)
  return hash.hex()
}

/**
 * Cursor past an event, for the query that `filters` writes out. It names the event and not a place: what is listed or
 * delisted before it moves nothing.
 */
export const cursorAfter = (filters: string, last: EventKey): string =>
  Buffer.from(JSON.stringify([checkOf(filters, last), last.venue, last.event, ...(last.isLone ? [LONE] : [])])).toString('base64url')

/** The event that a cursor of this query stands past, or null when it is of another query or was changed. */
export function eventOfCursor(filters: string, cursor: string): EventKey | null {
  let parts: unknown
  try {
    parts = JSON.parse(Buffer.from(cursor, 'base64url').toString())
  } catch {
    return null
  }
  if (!Array.isArray(parts) || parts.length < 3 || !parts.every((part) => typeof part === 'string')) return null
  const [, venue, event, lone] = parts as [string, string, string, string?]
  const last = { event, venue, isLone: lone === LONE }
  return cursorAfter(filters, last) === cursor ? last : null
}
