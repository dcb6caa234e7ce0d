import type { RunSummary, Summary } from '../score/summary.ts'
import type { AskCounts, AskFilter } from '../unit/askFilters.ts'
import { plural, significant, thousands } from '../unit/numberText.ts'
import { instantText } from '../unit/time.ts'

/** What a filter is called, and which settings move it. `left` has none. */
const WORDS: Readonly<Record<Exclude<AskFilter, 'left'>, readonly [text: string, settings: string]>> = {
  'no price in the window': ['without a price in the window', 'history.from and history.to'],
  'closed before the first price': ['closed before the first price', 'history.from'],
  'no result': ['without a result that settlement takes', 'settlement.missing and settlement.scalar'],
  'not traded while bettors arrive': ['not traded while bettors arrive', 'arrivals.until, arrivals.max and history.from'],
  'no price while it trades': ['without a middle price while traded', 'history.legs'],
  'prices older than maxAge': ['with prices older than maxAge', "the cohort's maxAge, or history.maxAge"],
  'prices outside of priceMin': ['priced outside of priceMin', "the cohort's priceMin"],
  'no favourite': ['without a favourite', "the cohort's favouriteMin"],
  'fewer than legsMin': ['too few for legsMin', "the cohort's legsMin"],
  'legs exclude each other': ['that exclude each other', "the cohort's legsMin, and the groups of history.groups"],
}

const filtersOf = (counts: AskCounts): [Exclude<AskFilter, 'left'>, number][] =>
  Object.entries(counts).filter(([filter]) => filter !== 'left') as [Exclude<AskFilter, 'left'>, number][]

/** Above this share of the time, age alone keeps nobody from asking. */
const OFTEN = 0.5

/** How much of the time prices are young enough; nothing where they nearly always are. */
function ageText(youngShare: number | null | undefined): string {
  if (youngShare === null || youngShare === undefined || youngShare >= 0.995) return ''
  const percent = youngShare === 0 ? 'less than 0.0001' : significant(youngShare * 100)
  return `, with prices no older than maxAge in ${percent}% of the time${youngShare < OFTEN ? `; see ${WORDS['prices older than maxAge'][1]}` : ''}`
}

/** What kept a cohort from which markets, and what moves the filter that took most. @param about says what the cohort did, '' for nothing to say @param youngShare of `AskedFor` */
export function askText(cohort: string, about: string, counts: AskCounts, youngShare?: number | null): string {
  const filters = filtersOf(counts)
  const { left = 0 } = counts
  const all = filters.reduce((sum, [, count]) => sum + count, left)
  const most = filters.toSorted(([, a], [, b]) => b - a)[0]
  const taken = filters.map(([filter, count]) => `${thousands(count)} ${WORDS[filter][0]}`)
  const rest = left === 0 ? 'none left' : `${thousands(left)} that can be asked for${ageText(youngShare)}`
  const hint = left > 0 || most === undefined ? '' : `; see ${WORDS[most[0]][1]}`
  return `${[cohort, about].filter((part) => part !== '').join(' ')}: ${plural(all, 'market')}, of them ${[...taken, rest].join(', ')}${hint}`
}

/** When arrivals ended before their time. @param idle arrivals that asked for nothing; absent before anything is played */
export function arrivalsEndText({ atUs, arrivals, idle }: { readonly atUs: number; readonly arrivals: number; readonly idle?: number }): string {
  const asked = idle === undefined ? '' : `, ${thousands(idle)} of which asked for nothing`
  return `ended at ${instantText(atUs)} because of arrivals.max, after ${plural(arrivals, 'arrival')}${asked}`
}

/** The cohorts of a run that asked for nothing, a line each. */
export function unaskedLines(summary: RunSummary): string[] {
  if ('services' in summary) return Object.values(summary.services).flatMap((one) => unaskedLines(one).map((line) => `${one.service}: ${line}`))
  return (summary.unasked ?? []).map(({ cohort, markets, youngShare }) => askText(cohort, 'asked for nothing', markets, youngShare))
}

/** The markets that were never offered, and what took them. Null where all were, or nobody knows. */
export function unlistedText({ coverage: { universe, listed, withoutPrices, closed, excluded } }: Pick<Summary, 'coverage'>): string | null {
  if (universe === null || listed === null || universe === listed) return null
  const counts = { 'no price in the window': withoutPrices ?? 0, 'closed before the first price': closed ?? 0, 'no result': excluded ?? 0 }
  const taken = filtersOf(counts).flatMap(([filter, count]) => (count === 0 ? [] : [`${thousands(count)} ${WORDS[filter][0]} (${WORDS[filter][1]})`]))
  return `${thousands(universe - listed)} of ${plural(universe, 'market')}: ${taken.join(', ')}`
}
