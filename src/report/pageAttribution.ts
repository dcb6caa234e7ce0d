import { TERMS } from '../score/attribution.ts'
import type { GroupSummary } from '../score/breakdowns.ts'
import { figure, stack } from './html/figure.ts'
import { brief, exactUsd, percent, usd, whole as count } from './html/format.ts'
import { intervalPlot } from './html/intervalPlot.ts'
import { html, type Markup } from './html/markup.ts'
import { legend } from './html/palette.ts'
import { Plot, plotSvg } from './html/plot.ts'
import type { PageMaker, PageSection, ServicePage } from './pageService.ts'

type Term = (typeof TERMS)[number]

const NAMES: Readonly<Record<Term, string>> = {
  margin: 'margin', selection: 'selection', model: 'model', lastLook: 'last look', drift: 'drift', fees: 'fees', luck: 'luck',
}
const ABOUT = 'Margin: price over the maker’s own F. Selection: the maker’s leg prices over those of V at submission. Model: its price of dependence over that of V. Last look: V falling until the decision. Drift: V falling from there to the closes. '
  + 'Fees: profit fees on the maker. Luck: the last value over what was paid. They add up to the profit, to the micro-unit.'
const BAR_PX = 24
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
  const body = html`<p>${ABOUT}</p>
${withoutFair + withoutProduct + withoutReference > 0 && html`<p>${count(withoutFair)} ended without an F, whose margin has the selection too; ${count(withoutProduct)} on legs that are drawn together without the maker’s product of leg prices, whose selection has the model too; ${count(withoutReference)} without V at some instant, where the nearest known one stands for it.</p>`}
${legend(makers)}
${stack(termsFigure(page), makers.slice(0, MAKERS_DRAWN).map((maker, m) => waterfallFigure(`${prefix}waterfall-${m}`, maker)))}`
  return [
    { id: `${prefix}attribution`, title: 'Attribution', body },
    {
      id: `${prefix}breakdowns`, title: 'By legs, category and rivals',
      body: html`${legend(makers)}
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
    id: `${prefix}attribution-terms`, title: 'Terms of the profit', note: 'with 95 % intervals',
    picture: intervalPlot({
      title: 'Terms of the profit', axis: 'USDC',
      rows: TERMS.flatMap((term) => makers.map(({ name, look, figures: { attribution } }) => ({ group: NAMES[term], name, look, interval: attribution.terms[term] }))),
    }),
    table: {
      caption: 'Terms of the profit, USDC', head: ['maker', 'term', 'USDC', 'low', 'high', 'rests on'], text: [1, 5],
      rows: makers.flatMap(({ name, figures: { attribution } }) => TERMS.map((term) => {
        const { low, high, label } = attribution.terms[term]
        return [name, NAMES[term], exactUsd(attribution.micros[term]), brief(low), brief(high), label]
      })),
    },
  })
}

/** The terms one after the other, each from where the last one ended, and the profit that they lead to. */
function waterfallFigure(id: string, { name, look, figures: { attribution, profitMicros } }: PageMaker): Markup {
  let reached = 0
  const rows = TERMS.map((term) => {
    const from = reached
    reached += attribution.micros[term]
    return { name: NAMES[term], from: from / 1e6, to: reached / 1e6, micros: attribution.micros[term] }
  })
  rows.push({ name: 'profit', from: 0, to: profitMicros / 1e6, micros: profitMicros })
  const most = Math.max(0, ...rows.map(({ from, to }) => Math.max(from, to)))
  const texts = rows.map((row) => ({ ...row, at: Math.max(row.from, row.to), text: usd(row.micros) }))
  return figure({
    id, title: name, note: 'The light bars take away.',
    picture: plotSvg(`Terms of the profit of ${name}, USDC: ${texts.map((row) => `${row.name} ${row.text}`).join(', ')}.`, {
      height: BAR_PX * rows.length + 46, marginLeft: 76, marginRight: 74, marginTop: 4, marginBottom: 36,
      x: { label: 'USDC', labelAnchor: 'center', labelArrow: 'none', grid: true, ticks: 4, ...(most === 0 && reached === 0 ? { domain: [-1, 1] } : {}) },
      y: { label: null, domain: rows.map((row) => row.name), tickSize: 0 },
      marks: [
        ...rows.map((row) => Plot.barX([row], { x1: 'from', x2: 'to', y: 'name', fill: look.color, fillOpacity: row.micros < 0 ? 0.4 : 1, insetTop: 3, insetBottom: 3 })),
        Plot.text(texts, { x: 'at', y: 'name', text: 'text', textAnchor: 'start', dx: 5, fill: 'currentColor', stroke: 'var(--bg)', strokeWidth: 3 }), Plot.ruleX([0]),
      ],
    }),
    table: { caption: `Terms of the profit of ${name}`, head: ['term', 'USDC', 'so far, USDC'], rows: rows.map((row) => [row.name, exactUsd(row.micros), usd(row.to * 1e6)]) },
  })
}

function groupsFigure(
  { makers, prefix }: ServicePage, id: string, title: string, of: (figures: PageMaker['figures']) => readonly GroupSummary[], nameOf: (group: string) => string,
): Markup {
  return figure({
    id: `${prefix}by-${id}`, title, note: 'with 95 % intervals',
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
