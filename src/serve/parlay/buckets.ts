/** What a call counts in, by its path (PQ-432…438). */
export type LimitBucket = 'authenticated' | 'public' | 'quote_service'

/** The document's prefixes, each a number of whole segments. */
const PREFIXES: readonly (readonly [prefix: string, bucket: LimitBucket])[] = [
  ['/v1', 'authenticated'], ['/app', 'authenticated'], ['/rfqs', 'authenticated'], ['/parlay-shares', 'authenticated'],
  ['/mm/quotes', 'authenticated'], ['/mm/positions', 'authenticated'], ['/v1/mm/quotes', 'authenticated'], ['/v1/mm/positions', 'authenticated'],
  ['/markets', 'public'], ['/v1/markets', 'public'], ['/referral', 'public'],
  ['/v1/quote-requests', 'quote_service'], ['/v1/cashout-requests', 'quote_service'], ['/v1/mm/quote-requests', 'quote_service'],
  ['/v1/mm/cashout-requests', 'quote_service'],
]

/** The bucket of the longest prefix that a path begins with (readings A39), or null: then no limit of the service applies. */
export function bucketOfPath(path: string): LimitBucket | null {
  let best: readonly [string, LimitBucket] | null = null
  for (const entry of PREFIXES) {
    const [prefix] = entry
    if ((path === prefix || path.startsWith(`${prefix}/`)) && prefix.length > (best?.[0].length ?? 0)) best = entry
  }
  return best?.[1] ?? null
}
