import { LaneHash } from '../unit/laneHash.ts'

/** What the list of markets is ordered by: the event's ticker, then the venue. */
export interface EventKey {
  readonly event: string
  readonly venue: string
}

export const compareKeys = (a: EventKey, b: EventKey): number =>
  a.event < b.event ? -1 : a.event > b.event ? 1 : a.venue < b.venue ? -1 : a.venue > b.venue ? 1 : 0

function checkOf(filters: string, last: EventKey): string {
  const hash = new LaneHash()
  for (const text of [filters, last.event, last.venue]) hash.text(text)
  return hash.hex()
}

/**
 * Cursor past an event, for the query that `filters` writes out. It names the event and not a place: what is listed or
 * delisted before it moves nothing.
 */
export const cursorAfter = (filters: string, last: EventKey): string =>
  Buffer.from(JSON.stringify([checkOf(filters, last), last.venue, last.event])).toString('base64url')

/** The event that a cursor of this query stands past, or null when it is of another query or was changed. */
export function eventOfCursor(filters: string, cursor: string): EventKey | null {
  let parts: unknown
  try {
    parts = JSON.parse(Buffer.from(cursor, 'base64url').toString())
  } catch {
    return null
  }
  if (!Array.isArray(parts) || parts.length !== 3 || !parts.every((part) => typeof part === 'string')) return null
  const [, venue, event] = parts as [string, string, string]
  const last = { event, venue }
  return cursorAfter(filters, last) === cursor ? last : null
}
