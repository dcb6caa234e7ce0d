import { DAY_US, HOUR_US, MINUTE_US } from '../unit/time.ts'
import type { Market } from './market.ts'

/** The service's categories (PQ-144), each with its subcategories (PQ-150…152; which belong where is our choice). */
export const SUBCATEGORIES = {
  politics: ['other'],
  sports: [
    'nba', 'ncaa', 'nfl', 'nhl', 'mlb', 'ufc', 'lol', 'epl', 'efl', 'la_liga', 'world_cup', 'bundesliga', 'liga_portugal', 'ligue_1', 'f1',
    'ipl', 'other',
  ],
  crypto: ['btc', 'eth', 'sol', 'other'],
  finance: ['stocks', 'indices', 'etfs', 'earnings', 'commodities', 'fx', 'companies', 'other'],
  economics: ['rates', 'inflation', 'jobs', 'other'],
  entertainment: ['other'],
  weather: ['other'],
  tech: ['ai', 'companies', 'other'],
} as const satisfies Readonly<Record<string, readonly string[]>>
export type Category = keyof typeof SUBCATEGORIES
export const CATEGORIES = Object.keys(SUBCATEGORIES) as readonly Category[]

/** Every subcategory once: in the order of the categories, `other` last. */
export const ALL_SUBCATEGORIES: readonly string[] =
  [...new Set(CATEGORIES.flatMap((category) => SUBCATEGORIES[category].filter((name) => name !== 'other'))), 'other']

/** What `frequency` can ask for (PQ-153). A market can also be `other`. */
export const FREQUENCIES = ['daily', 'weekly', 'monthly', 'hourly'] as const

/** Names of categories in the sources, in lower case, where they differ from the service's names. */
const CATEGORY_OF: Readonly<Record<string, Category>> = {
  'climate and weather': 'weather', climate: 'weather',
  'science and technology': 'tech', science: 'tech', technology: 'tech', ai: 'tech',
  elections: 'politics', world: 'politics', geopolitics: 'politics', 'us-current-affairs': 'politics',
  financials: 'finance', companies: 'finance', business: 'finance', commodities: 'finance',
  economy: 'economics', culture: 'entertainment', 'pop-culture': 'entertainment',
}

/** Words, besides its own name, by which a subcategory is recognised. One of them can stand for several adjacent words of a text. */
const WORDS_OF: Readonly<Record<string, readonly string[]>> = {
  btc: ['bitcoin'], eth: ['ethereum'], sol: ['solana'],
  epl: ['premierleague'], ipl: ['indianpremierleague'], la_liga: ['laliga'], world_cup: ['worldcup', 'fifa'], ligue_1: ['ligue1'], liga_portugal: ['ligaportugal'],
  rates: ['rate', 'fed', 'fomc'], inflation: ['cpi', 'pce', 'ppi'], jobs: ['payrolls', 'unemployment'],
  indices: ['index', 'sp500', 'nasdaq', 'dow'], stocks: ['stock'], etfs: ['etf'], commodities: ['oil', 'gold', 'wti'],
}

/** Tried after the others of their category, because their words occur in texts of the others too (unemployment rate, Indian Premier League). */
const TRIED_LAST: readonly string[] = ['rates', 'epl']
/** The most adjacent words of a text that one word of `WORDS_OF` can stand for. */
const JOINED_MAX = 3

/** The market's category among the service's categories. `other` where its source gives none of them. */
export function categoryOf(market: Market): Category | 'other' {
  const text = market.category.toLowerCase()
  if (Object.hasOwn(SUBCATEGORIES, text)) return text as Category
  return Object.hasOwn(CATEGORY_OF, text) ? CATEGORY_OF[text]! : 'other'
}

/** Words of a text: runs of letters and digits, in lower case. */
export const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []

/** The words, and each run of adjacent words written together. */
function runsOf(words: readonly string[]): string[] {
  const runs: string[] = []
  for (let from = 0; from < words.length; from++) {
    for (let to = from + 1; to <= Math.min(from + JOINED_MAX, words.length); to++) runs.push(words.slice(from, to).join(''))
  }
  return runs
}

/**
 * The market's subcategory as its source gives it. Without one, the first subcategory of its category (the general ones last)
 * that is named in the series, event, ticker or title: by its own name, or by a word of `WORDS_OF`. A venue's series such as
 * `KXBTCD` begins with `kx` and the name. `other` where none is named.
 */
export function subcategoryOf(market: Market): string {
  const category = categoryOf(market)
  if (category === 'other') return 'other'
  const own: readonly string[] = SUBCATEGORIES[category]
  const said = market.listing?.subcategory
  if (said !== undefined && own.includes(said)) return said
  const texts = [market.series, market.event, market.ticker, market.title].map(wordsOf)
  const words = texts.flat()
  const runs = new Set(texts.flatMap(runsOf))
  const isThere = (word: string): boolean => words.some((found) => found === word || found.startsWith(`kx${word}`))
  const tells = (name: string): boolean => isThere(name) || (WORDS_OF[name] ?? []).some((word) => isThere(word) || runs.has(word))
  return own.find((name) => name !== 'other' && !TRIED_LAST.includes(name) && tells(name)) ?? own.find((name) => TRIED_LAST.includes(name) && tells(name)) ?? 'other'
}

/**
 * How often markets like this one come, as its source says. Without that, by the time between its opening and its scheduled
 * close, when `closeUs` is known: from half an hour to 2 hours hourly, to 2 days daily, to 14 days weekly, to 62 days monthly.
 */
export function frequencyOf(market: Market, closeUs: number | null): string {
  const said = market.listing?.frequency
  if (said !== undefined) return said
  if (closeUs === null) return 'other'
  const spanUs = closeUs - market.openUs
  if (spanUs < 30 * MINUTE_US || spanUs > 62 * DAY_US) return 'other'
  if (spanUs <= 2 * HOUR_US) return 'hourly'
  if (spanUs <= 2 * DAY_US) return 'daily'
  return spanUs <= 14 * DAY_US ? 'weekly' : 'monthly'
}
