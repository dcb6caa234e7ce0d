import { BOOK_STATES, type BookState, type CoverageDay, type CoverageGap, type StoreCoverage } from '../look/coverage.ts'
import { DAY_US, HOUR_US } from '../unit/time.ts'
import { pageDocument } from './html/document.ts'
import { facts, figure, figures, tableMarkup } from './html/figure.ts'
import { fixed, instant, percent, plural, span, spanCell, whole } from './html/format.ts'
import { type Content, html, type Markup } from './html/markup.ts'
import { Plot, plotSvg } from './html/plot.ts'

/** What a state is called, and its colour. The states that people look for have colours of their own. */
const STATES: Readonly<Record<BookState, { readonly name: string; readonly color: string }>> = {
  whole: { name: 'both sides', color: 'var(--c5)' }, locked: { name: 'locked', color: 'var(--c2)' }, crossed: { name: 'crossed', color: 'var(--bad)' },
  oneSided: { name: 'one side', color: 'var(--c4)' }, lastOnly: { name: 'last price alone', color: 'var(--c3)' }, empty: { name: 'empty', color: 'var(--c6)' },
}

const REASONS: Readonly<Record<string, string>> = {
  'no prices': 'None of its ticks has a price.',
  'no price before the close': 'Its first price came when its trading was known to be over.',
  'no result': 'No source tells its result. It is left out unless settlement.missing voids or draws it.',
}

/** What a store covers, as one HTML page. It is a function of its arguments. */
export function coveragePage(name: string, coverage: StoreCoverage): string {
  const { markets, ticks, firstUs, lastUs, gapUs, gaps, silences, unaskable } = coverage
  const never = unaskable.reduce((sum, one) => sum + one.markets, 0)
  return pageDocument({
    kind: 'Coverage of a price store', title: name, series: {},
    lead: html`<p class="lead">${plural(markets, 'market')} and ${plural(ticks, 'price')}. ${
      never === 0 ? 'Every market can be asked for.' : html`<b>${plural(never, 'market')}</b> can never be asked for.`}</p>
${facts([
      ['span', firstUs === null || lastUs === null ? 'no prices' : `${instant(firstUs)} to ${instant(lastUs)}`],
      ['days', whole(coverage.days.length)],
      [`gaps of a market longer than ${span(gapUs)}`, whole(gaps)], [`gaps of all markets longer than ${span(gapUs)}`, whole(silences)],
    ])}`,
    sections: [
      { id: 'days', title: 'Days', body: daysBody(coverage.days) },
      { id: 'books', title: 'Books', body: booksBody(coverage) },
      { id: 'gaps', title: 'Gaps', body: gapsBody(coverage) },
      { id: 'unaskable', title: 'Markets that can never be asked for', body: unaskableBody(coverage) },
    ],
    foot: html`<p>Made by parlor data coverage; the same store gives the same bytes.</p>`,
  })
}

const beginOf = (date: string): Date => new Date(`${date}T00:00:00Z`)
const endOf = (date: string): Date => new Date(beginOf(date).getTime() + DAY_US / 1000)
const TIME_AXIS = { type: 'utc', label: null, ticks: 4 } as const

/** Bars of a count by day. */
function dayBars(id: string, title: string, note: string, days: readonly CoverageDay[], count: (day: CoverageDay) => number): Markup {
  const bars = days.map((day) => ({ from: beginOf(day.date), to: endOf(day.date), count: count(day), tip: `${day.date}: ${whole(count(day))}` }))
  const most = bars.reduce((top, bar) => Math.max(top, bar.count), 0)
  return figure({
    id, title, note,
    picture: plotSvg(`${title}, ${plural(days.length, 'day')}, at most ${whole(most)}.`, {
      height: 200, marginLeft: 64, x: TIME_AXIS, y: { label: null, grid: true, ticks: 4, zero: true, tickFormat: (value: number) => whole(value) },
      marks: [Plot.rectY(bars, { x1: 'from', x2: 'to', y: 'count', fill: 'var(--c0)', insetLeft: 0.5, insetRight: 0.5, title: 'tip' }), Plot.ruleY([0], { stroke: 'currentColor' })],
    }),
    table: { caption: title, head: ['day', title], rows: days.map((day) => [day.date, whole(count(day))]) },
  })
}

const daysBody = (days: readonly CoverageDay[]): Content => (days.length === 0 ? html`<p>There are no prices.</p>` : figures(
  dayBars('ticks-by-day', 'Ticks', 'by UTC day', days, ({ ticks }) => ticks),
  dayBars('markets-by-day', 'Markets with prices', 'by UTC day', days, ({ priced }) => priced),
))

function booksBody({ days, states }: StoreCoverage): Content {
  const all = totalOf(states)
  if (all === 0) return html`<p>No market stands between two ticks.</p>`
  const seen = BOOK_STATES.filter((state) => states[state] > 0)
  const bars = days.flatMap((day) => {
    const total = totalOf(day.states)
    let below = 0
    return total === 0 ? [] : seen.map((state) => {
      const share = day.states[state] / total
      below += share
      return { from: beginOf(day.date), to: endOf(day.date), low: below - share, high: below, color: STATES[state].color, tip: `${day.date}, ${STATES[state].name}: ${percent(share)}%` }
    })
  })
  const shares = seen.map((state) => `${STATES[state].name} ${percent(states[state] / all)}%`).join(', ')
  return html`<p>A market is watched from its first tick until its trading ends. A crossed book has its bid above its ask, and a locked one has them equal.</p>
${figure({
    id: 'books-by-day', title: 'What books were', note: html`share of market time, by UTC day, from below: ${shares}`,
    picture: plotSvg(`Shares of market time: ${shares}.`, {
      height: 220, marginLeft: 48, x: TIME_AXIS, y: { label: null, domain: [0, 1], ticks: 5, tickFormat: (value: number) => `${fixed(100 * value, 0)}%` },
      marks: [Plot.rect(bars, { x1: 'from', x2: 'to', y1: 'low', y2: 'high', fill: 'color', insetLeft: 0.5, insetRight: 0.5, title: 'tip' })],
    }),
    table: {
      caption: 'Hours of markets, by day and state', head: ['day', ...BOOK_STATES.map((state) => STATES[state].name)],
      rows: [...days.map((day) => [day.date, ...BOOK_STATES.map((state) => hours(day.states[state]))]), ['all', ...BOOK_STATES.map((state) => hours(states[state]))]],
    },
  })}`
}

const totalOf = (states: StoreCoverage['states']): number => BOOK_STATES.reduce((sum, state) => sum + states[state], 0)
const hours = (us: number): string => fixed(us / HOUR_US, 1)

function gapsBody({ gapUs, gaps, longestGaps, silences, longestSilences }: StoreCoverage): Content {
  return html`<p>A gap is longer than ${span(gapUs)}. That of a market lies between two of its ticks, or between its last tick and its close. In a gap of all markets no market has a tick.</p>
${gapTable('Longest gaps of all markets', silences, longestSilences)}
${gapTable('Longest gaps of a market', gaps, longestGaps)}`
}

const gapTable = (caption: string, count: number, gaps: readonly CoverageGap[]): Content => (count === 0 ? html`<p>${caption}: there are none.</p>` : html`<p><b>${caption}</b>: ${whole(gaps.length)} of ${whole(count)}.</p>
${tableMarkup({
  caption, head: ['market', 'from', 'to', 'length'], text: [1, 2],
  rows: gaps.map(({ market, fromUs, toUs }) => [market ?? 'all', instant(fromUs), instant(toUs), spanCell(toUs - fromUs)]),
})}`)

const unaskableBody = ({ unaskable, markets }: StoreCoverage): Content => (unaskable.length === 0 ? html`<p>There are none of ${whole(markets)}.</p>` : tableMarkup({
  caption: 'Markets that can never be asked for', head: ['reason', 'markets', 'what it means', 'such as'], text: [2, 3],
  rows: unaskable.map(({ reason, markets: count, first }) => [reason, whole(count), REASONS[reason], first.join(', ')]),
}))
