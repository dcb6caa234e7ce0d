import { NONE } from '../../../unit/none.ts'
import type { EventRows } from '../../../venue/eventRows.ts'
import type { KindOf, Row } from '../../../venue/eventCells.ts'
import { type RequestCreated as Created, RequestCreated, RequestState } from '../../../venue/parlay/protocol/events.ts'
import type { LegView } from '../../../venue/parlay/protocol/view.ts'

/** What one version of a request asks for. */
export interface RequestContent {
  readonly tag: number
  readonly legs: readonly LegView[]
  readonly betMicros: number
  /** Its `request_hash`, empty until somebody asks for it. */
  hash: string
}

/** A quote request as its rows tell it. */
export interface RequestRecord {
  readonly number: number
  readonly owner: number
  readonly createdAtUs: number
  /** A `RequestState`. */
  state: number
  version: number
  bookSeq: number
  betMicros: number
  expiresAtUs: number
  legs: readonly LegView[]
  updatedAtUs: number
  /** The best live or reserved quote, or −1. */
  bestQuote: number
  /** The quote that waits for its maker's confirmation, or −1. */
  pendingQuote: number
  /** Content of each version, since a maker may name an older one. */
  readonly contents: RequestContent[]
  /** Its quotes that have been submitted. */
  readonly quotes: number[]
}

function legsOf(events: EventRows, row: Row): LegView[] {
  const list = events.list(row)
  return Array.from({ length: list.length / 2 }, (_, i) => ({ market: list[2 * i]!, side: list[2 * i + 1]! }))
}

/** Writes the content of a version: what requestCreated and requestUpdated tell. */
export function renew(request: RequestRecord, events: EventRows, row: Row<KindOf<typeof Created>>, atUs: number): void {
  request.version = events.read(row, RequestCreated.version)
  request.bookSeq = events.read(row, RequestCreated.bookSeq)
  request.betMicros = events.read(row, RequestCreated.betMicros)
  request.expiresAtUs = events.read(row, RequestCreated.expiresAtUs)
  request.legs = legsOf(events, row)
  request.updatedAtUs = atUs
  request.contents.push({ tag: events.read(row, RequestCreated.contentTag), legs: request.legs, betMicros: request.betMicros, hash: '' })
}

export function newRequest(events: EventRows, row: Row<KindOf<typeof Created>>, atUs: number): RequestRecord {
  const request: RequestRecord = {
    number: events.read(row, RequestCreated.request), owner: events.read(row, RequestCreated.owner), createdAtUs: atUs, state: RequestState.active,
    version: 0, bookSeq: 0, betMicros: 0, expiresAtUs: 0, legs: [], updatedAtUs: atUs, bestQuote: NONE, pendingQuote: NONE, contents: [], quotes: [],
  }
  renew(request, events, row, atUs)
  return request
}
