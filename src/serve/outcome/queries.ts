import { z } from 'zod'
import { ReadRoute } from '../../venue/outcome/protocol/access.ts'
import { PAGE_LIMITS, type PageLimits } from '../../venue/outcome/wire/paging.ts'

/** Page size of a list: one whole number from 1 to the route's largest (OM-243, OM-244). */
const pageSize = (max: number, pageDefault: number) => z.string().regex(/^[1-9][0-9]{0,6}$/).transform(Number).refine((limit) => limit <= max)
  .optional().meta({ description: `1 to ${max}, ${pageDefault} where it is left out.` })

/**
 * Query of a list. A parameter that nobody knows, or that is given twice and so comes as a list, is refused (OM-185). Whether a cursor
 * was issued for this query, `markOfQuery` says.
 */
export const listQuery = (route: number, limits: PageLimits = PAGE_LIMITS) => z.strictObject({
  limit: pageSize(route === ReadRoute.marketHistory ? limits.historyPageMax : limits.pageMax, limits.pageDefault),
  cursor: z.string().optional().meta({ description: 'next_cursor of the page before, unchanged; left out for the first page.' }),
})

/** A read of one resource takes no parameters. */
export const NoQuery = z.strictObject({})

const oneOrAll = (values: readonly string[]): string | readonly string[] | undefined => (values.length > 1 ? values : values[0])

/**
 * Page size from the values of a query's `limit`: omitted means the default, a value must be one whole number from 1 to the
 * route's largest. Null: INVALID_QUERY.
 */
export function limitOfQuery(values: readonly string[], route: number, limits: PageLimits = PAGE_LIMITS): number | null {
  const { success, data } = listQuery(route, limits).shape.limit.safeParse(oneOrAll(values))
  return success ? data ?? limits.pageDefault : null
}
