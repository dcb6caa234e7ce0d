import { timingSafeEqual } from 'node:crypto'
import { NONE } from '../../../unit/none.ts'
import { profileOf } from '../../profile.ts'
import { OUTCOME_GATE_SETTINGS, type OutcomeGateProfile } from '../protocol/gate.ts'
import { IdKind, type WireIdentity } from './identity.ts'

const CURSOR = /^([0-9a-z]{1,11})\.([0-9a-z]{1,11})\.[A-Za-z0-9_-]{16}$/
const RADIX = 36
const TAG_LENGTH = 16

/** A list as it goes out (OM-020). */
export interface ListBody<T> {
  readonly items: readonly T[]
  readonly next_cursor: string | null
  readonly has_more: boolean
}

/** `has_more` follows from `next_cursor`, so that the one is null exactly when the other is false (OM-246). */
export const listBody = <T>(items: readonly T[], nextCursor: string | null): ListBody<T> =>
  ({ items, next_cursor: nextCursor, has_more: nextCursor !== null })

/** Page sizes of the gate's profile. */
export type PageLimits = Pick<OutcomeGateProfile, 'pageDefault' | 'pageMax' | 'historyPageMax'>

/** Page sizes where the profile says nothing else (OM-243, OM-244). */
export const PAGE_LIMITS: PageLimits = profileOf(OUTCOME_GATE_SETTINGS, {})

/** Which list is read: its route, and whose or of what it is (an account, an RFQ, an outcome; −1 where there is no such number). */
export interface ListQuery {
  readonly route: number
  readonly subject: number
}

/** How far a list was read. */
export interface PageMark {
  /** The gate's cursor: of catalogue lists the generation, of account lists the instant of the first page in ms. */
  readonly mark: number
  /** Number of the last entity that was looked at; the next page begins behind it. */
  readonly after: number
}

export const FIRST_PAGE: PageMark = { mark: NONE, after: NONE }

const tagOf = (identity: WireIdentity, query: ListQuery, { mark, after }: PageMark): string =>
  identity.seal(IdKind.cursor, query.route, query.subject, mark, after).toString('base64url').slice(0, TAG_LENGTH)

/** A page cursor: opaque, and bound to its session and query by a tag. */
export const cursorText = (identity: WireIdentity, query: ListQuery, page: PageMark): string =>
  `${page.mark.toString(RADIX)}.${page.after.toString(RADIX)}.${tagOf(identity, query, page)}`

/**
 * Where to go on, from the values of a query's `cursor` (OM-245): omitted is the first page. Null: INVALID_CURSOR, as it is
 * malformed, given more than once, or was issued for another query. Whether it is too old is the gate's to say.
 */
export function markOfQuery(identity: WireIdentity, values: readonly string[], query: ListQuery): PageMark | null {
  if (values.length === 0) return FIRST_PAGE
  const match = values.length === 1 ? CURSOR.exec(values[0]!) : null
  if (match === null) return null
  const page = { mark: parseInt(match[1]!, RADIX), after: parseInt(match[2]!, RADIX) }
  const issued = Buffer.from(cursorText(identity, query, page))
  const sent = Buffer.from(values[0]!)
  return issued.length === sent.length && timingSafeEqual(issued, sent) ? page : null
}

export interface Page {
  readonly numbers: readonly number[]
  /** Number behind which the next page begins, or null when this is the last. */
  readonly next: number | null
}

/**
 * The page behind `after` of ascending entity numbers. Those that are not `visible` are passed over and count all the same, so
 * that a page can hold fewer than `limit`, even none, while there is more (OM-247).
 */
export function pageOf(numbers: readonly number[], after: number, limit: number, visible: (number: number) => boolean = () => true): Page {
  const behind = numbers.filter((number) => number > after)
  const looked = behind.slice(0, limit)
  return { numbers: looked.filter(visible), next: behind.length > limit ? looked.at(-1)! : null }
}
