import { createHash } from 'node:crypto'
import type { Issue } from '../../venue/parlay/wire/errors.ts'

/** `meta` of a list whose size the document does not give (PQ-019, PQ-451). */
export interface PageMeta {
  /** Empty when no page follows. */
  readonly cursor: string
  readonly has_more: boolean
  readonly limit: number
}

export interface Page<T> {
  readonly entries: readonly T[]
  readonly meta: PageMeta
}

/** What a cursor belongs to: the name of the list, its reader and its filters. */
export type ListKey = readonly (string | number)[]

const CHECK_LENGTH = 12
const checkOf = (key: ListKey, number: number): string => createHash('sha256').update(JSON.stringify([...key, number])).digest('base64url').slice(0, CHECK_LENGTH)
const cursorOf = (key: ListKey, number: number): string => Buffer.from(`${number}.${checkOf(key, number)}`).toString('base64url')

/** The number after which a cursor of the list goes on, or null when it is damaged or another list's. */
function numberOf(key: ListKey, cursor: string): number | null {
  const number = Number(Buffer.from(cursor, 'base64url').toString().split('.')[0])
  return cursorOf(key, number) === cursor ? number : null
}

/**
 * One page of a list. A cursor names the last entry of the page before it and no place, so that what is added in front moves nothing. The list
 * is sorted by falling numbers: the newest entry first.
 * @param numberIn number of an entry, which no other has.
 */
export function pageOf<T>(
  list: readonly T[], numberIn: (entry: T) => number, key: ListKey, { limit, cursor }: { readonly limit: number; readonly cursor?: string | undefined },
): Page<T> | { readonly issues: readonly Issue[] } {
  const after = cursor === undefined ? null : numberOf(key, cursor)
  if (cursor !== undefined && after === null) return { issues: [{ path: ['cursor'], message: 'it is damaged or belongs to another list' }] }
  const rest = after === null ? list : list.filter((entry) => numberIn(entry) < after)
  const entries = rest.slice(0, limit)
  const hasMore = rest.length > limit
  return { entries, meta: { cursor: hasMore ? cursorOf(key, numberIn(entries.at(-1)!)) : '', has_more: hasMore, limit } }
}
