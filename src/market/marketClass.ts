import { DAY_US, HOUR_US, MINUTE_US } from '../unit/time.ts'
import type { Market } from './market.ts'

/** The service's categories (PQ-144), with the subcategories of each (PQ-150…152: which belong where is chosen). */
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

/** What `frequency` can ask for (PQ-153); a market may be `other` besides. */
export const FREQUENCIES = ['daily', 'weekly', 'monthly', 'hourly'] as const

/** What sources call the categories, in lower case, where it is not the service's name. */
const CATEGORY_OF: Readonly<Record<string, Category>> = {
  'climate and weather': 'weather', climate: 'weather',
  'science and technology': 'tech', science: 'tech', technology: 'tech', ai: 'tech',
  elections: 'politics', world: 'politics', geopolitics: 'politics', 'us-current-affairs': 'politics',
  financials: 'finance', companies: 'finance', business: 'finance', commodities: 'finance',
  economy: 'economics', culture: 'entertainment', 'pop-culture': 'entertainment',
}

/** Words that tell a subcategory besides its own name; one can stand for several adjacent words of a text. */
const WORDS_OF: Readonly<Record<string, readonly string[]>> = {
  btc: ['bitcoin'], eth: ['ethereum'], sol: ['solana'],
  epl: ['premierleague'], ipl: ['indianpremierleague'], la_liga: ['laliga'], world_cup: ['worldcup', 'fifa'], ligue_1: ['ligue1'], liga_portugal: ['ligaportugal'],
  rates: ['rate', 'fed', 'fomc'], inflation: ['cpi', 'pce', 'ppi'], jobs: ['payrolls', 'unemployment'],
  indices: ['index', 'sp500', 'nasdaq', 'dow'], stocks: ['stock'], etfs: ['etf'], commodities: ['oil', 'gold', 'wti'],
}

/** Tried after the others of their category: their words stand in others' texts too (unemployment rate, Indian Premier League). */
const TRIED_LAST: readonly string[] = ['rates', 'epl']
/** Most words of a text that one of `WORDS_OF` stands for. */
const JOINED_MAX = 3

/** The market's category among the service's; `other` where its source's is none of them, or none is given. */
export function categoryOf(market: Market): Category | 'other' {
  const text = market.category.toLowerCase()
  if (Object.hasOwn(SUBCATEGORIES, text)) return text as Category
  return Object.hasOwn(CATEGORY_OF, text) ? CATEGORY_OF[text]! : 'other'
}

/** Words of a text: runs of letters and digits, in lower case. */
export const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []

/** Words, and adjacent ones run together. */
function runsOf(words: readonly string[]): string[] {
  const runs: string[] = []
  for (let from = 0; from < words.length; from++) {
    for (let to = from + 1; to <= Math.min(from + JOINED_MAX, words.length); to++) runs.push(words.slice(from, to).join(''))
  }
  return runs
}

/**
 * The market's subcategory: what its source says, else the first of its category, the general ones last, whose name is a word
 * of the series, event, ticker or title, or for which another word, or several adjacent ones, stand there (a venue's series
 * `KXBTCD` begins with `kx` and the name), else `other`.
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
 * How often markets like this one come: what its source says, else by the time between its opening and its scheduled close,
 * when `closeUs` is known: from half an hour up to 2 hours hourly, to 2 days daily, to 14 days weekly, to 62 days monthly.
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
