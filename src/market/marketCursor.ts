import { LaneHash } from '../unit/laneHash.ts'

/** The order of the list of markets: the event's ticker, then the venue. A market without an event follows an event of its name. */
export interface EventKey {
  /** Ticker of the event, or of the market itself where it has no event. */
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
 * Cursor past an event, for the query that `filters` writes out. It names the event and not a place in the list, so that
 * a listing or delisting before the event moves nothing.
 */
export const cursorAfter = (filters: string, last: EventKey): string =>
  Buffer.from(JSON.stringify([checkOf(filters, last), last.venue, last.event, ...(last.isLone ? [LONE] : [])])).toString('base64url')

/** The event after which a cursor of this query continues, or null when the cursor belongs to another query or was changed. */
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
