import { byText, keyOfNone, type MarketDraft } from '../marketDraft.ts'

/**
 * What is known of a market when another import has read of it: what the later one states holds, and what it leaves out stays. The market was
 * listed from the earlier opening on, and stays excluded by all that excluded it.
 */
export function mergedFacts(known: MarketDraft, later: MarketDraft): MarketDraft {
  const stated = (now: string, before: string): string => (now === '' ? before : now)
  const close = later.scheduledCloseUs === null ? known : later.scheduledCloseUs === known.scheduledCloseUs ? earlierKnown(known, later) : later
  const result = later.outcome === null ? known : later
  const listing = { ...known.listing, ...statedOnly(later.listing) }
  return {
    ...later,
    event: stated(later.event, known.event),
    series: stated(later.series, known.series),
    category: stated(later.category, known.category),
    title: stated(later.title, known.title),
    game: stated(later.game, known.game),
    ladder: stated(later.ladder, known.ladder),
    exclusionKeys: mergedKeys(known, later),
    openUs: Math.min(known.openUs, later.openUs),
    scheduledCloseUs: close.scheduledCloseUs,
    scheduledCloseKnownUs: close.scheduledCloseKnownUs,
    actualCloseUs: later.actualCloseUs ?? known.actualCloseUs,
    outcome: result.outcome,
    settlementE6: result.settlementE6,
    settledUs: result.settledUs ?? (result.outcome === known.outcome ? known.settledUs : null),
    ...(Object.keys(listing).length === 0 ? {} : { listing }),
  }
}

const KINDS = ['event', 'game', 'ladder'] as const
const NAMED = 'named:'

/** Keys that both state. Those that rest on a fact go with it where the later one states another. */
function mergedKeys(known: MarketDraft, later: MarketDraft): string[] {
  const gone = new Set([keyOfNone(known.ticker), ...KINDS.flatMap((kind) => (later[kind] === '' || later[kind] === known[kind] ? [] : [`${kind}:${known[kind]}`]))])
  const isNamed = later.exclusionKeys.some((key) => key.startsWith(NAMED))
  const kept = known.exclusionKeys.filter((key) => !gone.has(key) && !(isNamed && key.startsWith(NAMED)))
  const keys = new Set([...kept, ...later.exclusionKeys.filter((key) => key !== keyOfNone(later.ticker))])
  return keys.size === 0 ? [keyOfNone(known.ticker)] : [...keys].sort(byText)
}

/** A close that both state, from the earlier instant on at which it was known. */
function earlierKnown(known: MarketDraft, later: MarketDraft): Pick<MarketDraft, 'scheduledCloseUs' | 'scheduledCloseKnownUs'> {
  const [a, b] = [known.scheduledCloseKnownUs, later.scheduledCloseKnownUs]
  return { scheduledCloseUs: later.scheduledCloseUs, scheduledCloseKnownUs: a === null || b === null ? a ?? b : Math.min(a, b) }
}

const statedOnly = (listing: MarketDraft['listing'] = {}): object => Object.fromEntries(Object.entries(listing).filter(([, value]) => value !== undefined))

/** Whether two imports know a market's result, and not the same. */
export const contradictsResult = (known: MarketDraft, later: MarketDraft): boolean =>
  known.outcome !== null && later.outcome !== null && (known.outcome !== later.outcome || known.settlementE6 !== later.settlementE6)

export const withoutResult = (draft: MarketDraft): MarketDraft => ({ ...draft, outcome: null, settlementE6: null, settledUs: null })

/** Whether two imports say the same of a market, whatever its number. */
export const isSameMarket = (a: MarketDraft, b: MarketDraft): boolean => isSameObject({ ...a, number: undefined }, { ...b, number: undefined })

/** What is undefined is not said. */
const isSameObject = (a: object, b: object): boolean => hasAllOf(a, b) && hasAllOf(b, a)

function hasAllOf(a: object, b: object): boolean {
  for (const key in b) if (!isSameValue(a[key as keyof typeof a], b[key as keyof typeof b])) return false
  return true
}

const isSameValue = (a: unknown, b: unknown): boolean => a === b || (typeof a === 'object' && typeof b === 'object' && a !== null && b !== null && Array.isArray(a) === Array.isArray(b) && isSameObject(a, b))
