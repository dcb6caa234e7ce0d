import type { Interval } from '../stats/interval.ts'
import { signed, usd as plainUsd } from '../unit/numberText.ts'
import { amongText, CLASS_TEXTS, type ComparedMaker, type ComparedService, type Comparison, type Pair } from './comparison.ts'
import { pageDocument, type Section } from './html/document.ts'
import { facts, figure, figures, tableMarkup } from './html/figure.ts'
import { fixed, percent, plural, typeset, usd, whole, withMinus } from './html/format.ts'
import { intervalPlot } from './html/intervalPlot.ts'
import { type Content, html, type Markup } from './html/markup.ts'
import { looksOf } from './html/palette.ts'

/** Two runs, request by request, as one HTML page. The same runs give the same bytes. @param names what A and B are called */
export function diffPage(diff: Comparison, names: { readonly a: string; readonly b: string }): string {
  const { services, notes, digests } = diff
  const digest = (hex: string): Content => html`<code title="${hex}">${hex.slice(0, 12)}</code>`
  return pageDocument({
    kind: 'Comparison', title: `${names.b} less ${names.a}`, series: {},
    lead: html`<p class="lead">Two runs, joined request by request. Differences are B less A.</p>
${facts([['A', html`${names.a} ${digest(digests.a)}`], ['B', html`${names.b} ${digest(digests.b)}`], ['requests joined by', diff.by]])}
${notes.length > 0 && html`<ul class="remarks">${notes.map((note) => html`<li>${note}</li>`)}</ul>`}`,
    sections: services.flatMap((service) => sectionsOf(service, services.length === 1 ? '' : `${service.service}-`, diff)),
    foot: html`<p>USDC. Intervals are 95%, over settlement clusters, each of which is a pair of both runs. Made by parlor from the tables of both runs; the same runs give the same bytes.</p>`,
  })
}

function sectionsOf(service: ComparedService, prefix: string, { redraws: { outcomes } }: Comparison): Section[] {
  const { makers, requests: { both, onlyA, onlyB } } = service
  const title = (words: string): string => (prefix === '' ? words : `${words}, ${service.service}`)
  const answer = html`${makers.map(({ sentence }) => html`<p>${withMinus(sentence)}</p>
`)}${figures(
    differences(`${prefix}profit`, 'Difference of profit', makers, ({ difference }) => difference),
    differences(`${prefix}luckless`, 'Difference without luck', makers, ({ luckAdjustedDifference }) => luckAdjustedDifference),
  )}
<p>${plural(both, 'request')} in both runs, ${whole(onlyA)} in A alone, ${whole(onlyB)} in B alone.</p>`
  const drawn = makers.filter(({ redrawn }) => redrawn !== null)
  return [
    { id: `${prefix}answer`, title: title('Answer'), body: answer },
    { id: `${prefix}makers`, title: title('Makers'), body: makersTable(makers) },
    ...(drawn.length === 0 ? [] : [{ id: `${prefix}nights`, title: title('Other outcomes'), body: nightsTable(drawn, outcomes) }]),
    {
      id: `${prefix}requests`, title: title('Where the differences come from'), body: null,
      parts: makers.map((maker, i) => ({ id: `${prefix}requests-${i}`, title: maker.name, body: classesTable(maker) })),
    },
  ]
}

/** microUSDC of differences as dots in intervals. */
function differences(id: string, title: string, makers: readonly ComparedMaker[], of: (maker: ComparedMaker) => Interval): Markup {
  const looks = looksOf(makers.map(({ name }) => name))
  return figure({
    id, title, note: 'B less A, with 95% interval',
    picture: intervalPlot({ title, axis: 'USDC', scale: 1e-6, rows: makers.map((maker, i) => ({ name: maker.name, look: looks[i]!, interval: of(maker) })) }),
    table: {
      caption: title, head: ['maker', 'USDC', 'low', 'high', 'rests on'], text: [4],
      rows: makers.map((maker) => {
        const { estimate, low, high, label } = of(maker)
        return [maker.name, ...[estimate, low, high].map(usd), label]
      }),
    },
  })
}

const change = (micros: number): string => typeset(signed(plainUsd(micros)))
const pair = ({ aMicros, bMicros, differenceMicros }: Pair): Content[] => [usd(aMicros), usd(bMicros), change(differenceMicros)]

const makersTable = (makers: readonly ComparedMaker[]): Markup => tableMarkup({
  caption: 'Makers in both runs', head: ['maker', 'filled in A', 'in B', 'not confirmed in A', 'in B', 'profit in A', 'in B', 'B less A', 'luck-adjusted B less A'],
  rows: makers.map(({ name, fills, declined, profit, luckAdjusted }) => [name, whole(fills.a), whole(fills.b), whole(declined.a), whole(declined.b), ...pair(profit), change(luckAdjusted.differenceMicros)]),
})

const nightsTable = (makers: readonly ComparedMaker[], outcomes: number): Markup => html`<p>With the fills of both runs and other outcomes, the same in both, over ${whole(outcomes)} nights.</p>
${tableMarkup({
    caption: 'Differences over other outcomes', head: ['maker', 'mean', '±', '2.5%', '97.5%', 'B better, %', 'B worse, %'],
    rows: makers.map(({ name, redrawn }) => {
      const { mean, range: [low, high], better, worse } = redrawn!
      return [name, change(mean.value), fixed(mean.error / 1e6, 2), change(low), change(high), percent(better.value), percent(worse.value)]
    }),
  })}`

const classesTable = ({ name, classes, profit, luckAdjusted }: ComparedMaker): Markup => tableMarkup({
  caption: `Requests of ${name} by what became of them`, isFixed: true, head: ['requests', 'count', 'profit in A', 'in B', 'B less A', 'luck-adjusted'],
  rows: [
    ...classes.flatMap((one) => [
      [CLASS_TEXTS[one.kind], whole(one.requests), ...pair(one.profit), change(one.luckAdjusted.differenceMicros)],
      ...(one.among ?? []).map(({ maker, requests, differenceMicros }): Content[] => [html`<small>${amongText(one.kind, maker)}</small>`, whole(requests), '', '', change(differenceMicros), '']),
    ]),
    ['together', '', ...pair(profit), change(luckAdjusted.differenceMicros)],
  ],
})
