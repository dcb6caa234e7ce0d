import { figureTexts } from '../validation/figureTexts.ts'
import type { ValidatedItem, ValidationFigure, ValidationResult } from '../validation/result.ts'
import { pageDocument, type Section } from './html/document.ts'
import { facts, figure, figures as figuresOf, tableMarkup } from './html/figure.ts'
import { brief, fixed, plural, whole } from './html/format.ts'
import { type Content, html, type Markup } from './html/markup.ts'
import { Plot, plotSvg } from './html/plot.ts'

const ROW_PX = 19

/** The result of `parlor validate` as one HTML page, as a function of the result alone. */
export function validationReport(result: ValidationResult): string {
  const { figures, items, samples, seed, level, wrong, pass } = result
  const failed = figures.filter((one) => !one.pass).length
  const verdict = pass ? html`<span class="good">All ${whole(figures.length)} figures pass.</span>` : html`<span class="bad">${whole(failed)} of ${plural(figures.length, 'figure')} fail.</span>`
  return pageDocument({
    kind: 'Validation report', title: 'Known results, through the real services', series: {},
    lead: html`<p class="lead">${verdict} Each is known without parlor and measured through sessions of the real venue and agents. A figure passes when its known value lies in its interval (of a direction: when the whole interval lies below), the interval is narrow enough to prove something, and every sample counted at the commit is found again in the ledger.</p>
${facts([
      ['samples', samples], ['seed', seed], ['level of each interval', `${fixed(100 * level, 3).replace(/\.?0+$/, '')}%`], ['items', `${whole(items.filter((one) => one.pass).length)} of ${whole(items.length)} pass`],
      ['items with a wrong parameter', wrong.length === 0 ? 'none' : wrong.join(', ')],
    ])}`,
    sections: [
      { id: 'figures', title: 'Known and measured', body: html`${table(figures)}` }, { id: 'picture', title: 'Distance from the known values', body: figuresOf(picture(figures)) },
      { id: 'items', title: 'Items', body: html`${itemTable(items)}` },
      { id: 'details', title: 'Sources and settings', body: null, parts: itemsOf(figures) },
    ],
    foot: html`<p>Made by parlor from validation.json; the same result gives the same bytes.</p>`,
  })
}

const verdictOf = ({ pass }: Pick<ValidationFigure, 'pass'>): Markup => (pass ? html`<span class="good">pass</span>` : html`<span class="bad">FAIL</span>`)

const table = (figures: readonly ValidationFigure[]): Markup => tableMarkup({
  caption: 'Figures with their known values', head: ['figure', 'what', 'known', 'measured', 'interval', 'unit', 'commits', 'at the ledger', 'verdict'], text: [1, 5, 8],
  rows: figures.map((one) => {
    const { known, measured, interval } = figureTexts(one)
    return [html`<code>${one.id}</code>`, one.title, ...[known, measured, interval].map((text) => text.replaceAll('-', '−')), one.unit, whole(one.committed), whole(one.samples), verdictOf(one)]
  }),
})

const itemTable = (items: readonly ValidatedItem[]): Markup => tableMarkup({
  caption: 'Items: each passes when all of its figures do', head: ['item', 'what', 'figures', 'parameter', 'verdict'], text: [1, 3, 4],
  rows: items.map((one) => [one.id, one.title, whole(one.figures), one.wrong ? 'wrong on purpose' : 'right', verdictOf(one)]),
})

function picture(figures: readonly ValidationFigure[]): Markup {
  const rows = figures.map((one) => {
    const far = (value: number): number => (value - one.known) / one.widthMax
    return { id: one.id, at: far(one.measured), low: far(one.low), high: far(one.high), pass: one.pass, claim: one.claim, tip: `${one.id}: ${brief(one.measured)} measured, ${brief(one.known)} known, ${one.pass ? 'pass' : 'FAIL'}` }
  })
  const [passed, failed] = [rows.filter(({ pass }) => pass), rows.filter(({ pass }) => !pass)]
  const interval = { y: 'id', x1: 'low', x2: 'high', strokeWidth: 2 }
  const label = `Distance of ${plural(figures.length, 'measured value')} from the known ones: ${whole(passed.length)} pass${failed.length === 0 ? '' : `, ${failed.map(({ id }) => id).join(', ')} fail`}.`
  return figure({
    id: 'distances', title: 'Measured − known',
    note: 'in widths of the widest interval allowed. The line is the known value; what claims a direction (hollow) has to lie left of it. A cross fails.',
    picture: plotSvg(label, {
      height: rows.length * ROW_PX + 56, marginLeft: 20 + 6.8 * Math.max(...rows.map(({ id }) => id.length)), marginTop: 6, marginBottom: 38, marginRight: 20,
      x: { label: 'widths', labelAnchor: 'center', labelArrow: 'none', grid: true, ticks: 6, nice: true }, y: { label: null, domain: rows.map(({ id }) => id), tickSize: 0 },
      marks: [
        Plot.ruleX([0], { stroke: 'currentColor', strokeOpacity: 0.6 }), Plot.ruleY(passed, { ...interval, stroke: 'var(--c0)' }), Plot.ruleY(failed, { ...interval, stroke: 'var(--bad)' }),
        Plot.dot(passed.filter(({ claim }) => claim === 'equals'), { y: 'id', x: 'at', r: 3.5, fill: 'var(--c0)', stroke: 'var(--c0)', title: 'tip' }),
        Plot.dot(passed.filter(({ claim }) => claim === 'below'), { y: 'id', x: 'at', r: 3.5, fill: 'var(--bg)', stroke: 'var(--c0)', title: 'tip' }),
        Plot.dot(failed, { y: 'id', x: 'at', r: 4.5, symbol: 'times', stroke: 'var(--bad)', strokeWidth: 2, title: 'tip' }),
      ],
    }),
    table: {
      caption: 'Distance from the known values', head: ['figure', 'measured − known', 'low', 'high', 'widest allowed', 'verdict'], text: [5],
      rows: figures.map((one) => [one.id, brief(one.measured - one.known), brief(one.low - one.known), brief(one.high - one.known), brief(one.widthMax), one.pass ? 'pass' : 'FAIL']),
    },
  })
}

/** Items with the sources of their known values, and the settings of each figure. */
function itemsOf(figures: readonly ValidationFigure[]): Section[] {
  const items = [...new Set(figures.map(({ item }) => item))]
  return items.map((item) => {
    const own = figures.filter((one) => one.item === item)
    const sources = [...new Set(own.map(({ source }) => source))]
    const remarks = [...new Set(own.map(({ remark }) => remark).filter((remark) => remark !== ''))]
    const names = [...new Set(own.flatMap(({ settings }) => Object.keys(settings)))]
    const cell = (value: string | number | undefined): Content => (value === undefined ? '' : String(value))
    return {
      id: `item-${item}`, title: `Item ${item}`,
      body: html`${sources.map((source) => html`<p>Known from: ${source}</p>`)}${remarks.map((remark) => html`<p>${remark}</p>`)}
${tableMarkup({
        caption: `Settings of item ${item}`, head: ['figure', 'what', ...names], text: [1],
        rows: own.map(({ id, title, settings }) => [html`<code>${id}</code>`, title, ...names.map((name) => cell(settings[name]))]),
      })}`,
    }
  })
}
