import { TERMS } from '../score/attribution.ts'
import type { GroupSummary } from '../score/breakdowns.ts'
import { RIVALS_ABOUT } from './definitions.ts'
import { figure, stack } from './html/figure.ts'
import { brief, exactUsd, percent, usd, whole as count } from './html/format.ts'
import { intervalNote, intervalPlot } from './html/intervalPlot.ts'
import { html, type Markup } from './html/markup.ts'
import { legend } from './html/palette.ts'
import { waterfall } from './html/waterfall.ts'
import type { PageMaker, PageSection, ServicePage } from './pageService.ts'
import { TERM_NAMES, TERMS_ABOUT } from './termNames.ts'

const MAKERS_DRAWN = 8

/** Where every maker's profit came from, and its profit by legs, category and rivals, for makers with ended positions. */
export function attributionSections(whole: ServicePage): PageSection[] {
  const makers = whole.makers.filter(({ figures: { profit } }) => profit.estimate !== null)
  if (makers.length === 0) return []
  const page = { ...whole, makers }
  const { prefix } = page
  const withoutFair = makers.reduce((sum, { figures: { attribution } }) => sum + attribution.withoutFair, 0)
  const withoutProduct = makers.reduce((sum, { figures: { attribution } }) => sum + attribution.withoutProduct, 0)
  const withoutReference = makers.reduce((sum, { figures: { attribution } }) => sum + attribution.withoutReference, 0)
  const body = html`<p>${TERMS_ABOUT}</p>
${withoutFair + withoutProduct + withoutReference > 0 && html`<p>${count(withoutFair)} ended without an F, whose margin has the selection too; ${count(withoutProduct)} on legs that are drawn together without the maker’s product of leg prices, whose selection has the model too; ${count(withoutReference)} without V at some instant, where the nearest known one stands for it.</p>`}
${legend(makers)}
${stack(termsFigure(page), makers.toSorted((a, b) => b.figures.profitMicros - a.figures.profitMicros).slice(0, MAKERS_DRAWN).map((maker, m) => waterfallFigure(`${prefix}waterfall-${m}`, maker)))}`
  return [
    { id: `${prefix}attribution`, title: 'Attribution', body },
    {
      id: `${prefix}breakdowns`, title: 'By legs, category and rivals',
      body: html`<p>${RIVALS_ABOUT}</p>
${legend(makers)}
${stack(
        groupsFigure(page, 'legs', 'Profit by legs', ({ breakdowns }) => breakdowns.legs, (group) => (group === '1' ? '1 leg' : `${group} legs`)),
        groupsFigure(page, 'category', 'Profit by category', ({ breakdowns }) => breakdowns.category, (group) => group),
        groupsFigure(page, 'rivals', 'Profit by live rivals', ({ breakdowns }) => breakdowns.rivals, (group) => (group === '1' ? '1 rival' : `${group} rivals`)),
      )}`,
    },
  ]
}

function termsFigure({ makers, prefix }: ServicePage): Markup {
  return figure({
    id: `${prefix}attribution-terms`, title: 'Terms of the profit', note: intervalNote(makers.flatMap(({ figures: { attribution } }) => TERMS.map((term) => attribution.terms[term]))),
    picture: intervalPlot({
      title: 'Terms of the profit', axis: 'USDC',
      rows: TERMS.flatMap((term) => makers.map(({ name, look, figures: { attribution } }) => ({ group: TERM_NAMES[term], name, look, interval: attribution.terms[term] }))),
    }),
    table: {
      caption: 'Terms of the profit, USDC', head: ['maker', 'term', 'USDC', 'low', 'high', 'rests on'], text: [1, 5],
      rows: makers.flatMap(({ name, figures: { attribution } }) => TERMS.map((term) => {
        const { low, high, label } = attribution.terms[term]
        return [name, TERM_NAMES[term], exactUsd(attribution.micros[term]), brief(low), brief(high), label]
      })),
    },
  })
}

/** The terms one after the other, each from where the last one ended, and the profit that they lead to. */
function waterfallFigure(id: string, { name, look, figures: { attribution, profitMicros } }: PageMaker): Markup {
  const steps = TERMS.map((term) => ({ name: TERM_NAMES[term], usdc: attribution.micros[term] / 1e6 }))
  let reached = 0
  return figure({
    id, title: name, note: 'The faint bars take away.',
    picture: waterfall({ title: `Terms of the profit of ${name}`, steps, total: profitMicros / 1e6, totalName: 'profit', look, show: (usdc) => usd(Math.round(1e6 * usdc)) }),
    table: { caption: `Terms of the profit of ${name}`, isFixed: true, head: ['term', 'USDC', 'so far, USDC'], rows: [
      ...TERMS.map((term) => [TERM_NAMES[term], exactUsd(attribution.micros[term]), usd(reached += attribution.micros[term])]), ['profit', exactUsd(profitMicros), usd(profitMicros)],
    ] },
  })
}

function groupsFigure(
  { makers, prefix }: ServicePage, id: string, title: string, of: (figures: PageMaker['figures']) => readonly GroupSummary[], nameOf: (group: string) => string,
): Markup {
  return figure({
    id: `${prefix}by-${id}`, title, note: intervalNote(makers.flatMap(({ figures: own }) => of(own).map(({ profit }) => profit))),
    picture: intervalPlot({
      title, axis: 'USDC',
      rows: makers.flatMap(({ name, look, figures: own }) => of(own).map(({ group, profit }) => ({ group: nameOf(group), name, look, interval: profit }))),
    }),
    table: {
      caption: title, head: ['maker', 'group', 'fills', 'stakes, USDC', 'ended', 'profit, USDC', 'low', 'high', 'hold, %', 'low', 'high'], text: [1],
      rows: makers.flatMap(({ name, figures: own }) => of(own).map(({ group, fills, stakeMicros, ended, profitMicros, profit, hold }) => [
        name, nameOf(group), count(fills), usd(stakeMicros), count(ended), usd(profitMicros), brief(profit.low), brief(profit.high), percent(hold.estimate), percent(hold.low), percent(hold.high),
      ])),
    },
  })
}
