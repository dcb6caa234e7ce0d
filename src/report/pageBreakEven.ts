import type { Contestant } from './contestant.ts'
import type { Section } from './html/document.ts'
import { figure, figures } from './html/figure.ts'
import { brief, estimateText, percent, plural } from './html/format.ts'
import { html } from './html/markup.ts'
import { legend } from './html/palette.ts'
import { Plot, plotSvg } from './html/plot.ts'

const HEIGHT_PX = 290

/** Profit against the margin of rivals, and the margin at which it is zero: how aggressive rivals must be to make an entry lose. */
export function breakEvenSection(contestants: readonly Contestant[]): Section | null {
  const known = contestants.flatMap(({ name, look, figures: { breakEven } }) => (breakEven === null ? [] : [{ name, look, ...breakEven }]))
  if (known.length === 0) return null
  const marks = known.flatMap(({ name, look, points, margin, side }) => {
    const rows = points.map(({ margin: at, profit }) => ({ x: 100 * at, y: profit.estimate ?? NaN, low: profit.low ?? NaN, high: profit.high ?? NaN, tip: `${name}, rivals at ${percent(at)}%: ${estimateText(profit)} USDC a session` }))
    const crossing = side === 'within' && margin.estimate !== null ? [{ x: 100 * margin.estimate, y: 0, tip: `${name} breaks even at ${percent(margin.estimate)}%` }] : []
    return [
      Plot.areaY(rows, { x: 'x', y1: 'low', y2: 'high', fill: look.color, fillOpacity: 0.13 }),
      Plot.line(rows, { x: 'x', y: 'y', stroke: look.color, strokeWidth: 1.75, ...(look.dash.length > 0 ? { strokeDasharray: look.dash.join(' ') } : {}) }),
      Plot.dot(rows, { x: 'x', y: 'y', symbol: look.symbol, r: 3.5, fill: look.color, stroke: look.color, title: 'tip' }),
      Plot.dot(crossing, { x: 'x', y: 'y', r: 6, stroke: look.color, strokeWidth: 2, title: 'tip' }),
    ]
  })
  const text = ({ margin, side }: (typeof known)[number]): string =>
    (side === 'below' ? `nowhere, it gains down to ${percent(margin.estimate)}%` : side === 'above' ? `nowhere, it loses up to ${percent(margin.estimate)}%` : `at ${percent(margin.estimate)}%`)
  const label = `Profit against the margin of rivals. Break-even: ${known.map((own) => `${own.name} ${text(own)}`).join('; ')}.`
  return {
    id: 'break-even', title: 'Break-even against rivals',
    body: html`<p>All rivals quote at one margin. A ring marks the margin at which an entry’s profit crosses zero: if rivals are more aggressive than that, it loses.</p>
${legend(known)}
${figures(figure({
      id: 'break-even-plot', title: 'Profit against the margin of rivals', note: 'USDC a session, with 95% intervals',
      picture: plotSvg(label, {
        height: HEIGHT_PX, marginLeft: 58, marginBottom: 40, marginTop: 10, marginRight: 18,
        x: { label: 'margin of the rivals, %', labelAnchor: 'center', labelArrow: 'none', ticks: 6 }, y: { label: null, grid: true, ticks: 6, nice: true },
        marks: [Plot.ruleY([0], { stroke: 'currentColor', strokeOpacity: 0.6 }), ...marks],
      }),
      table: {
        caption: 'Profit against the margin of rivals', head: ['entry', 'margin, %', 'USDC a session', 'low', 'high', 'rests on'], text: [5],
        rows: known.flatMap(({ name, points }) => points.map(({ margin, profit: { estimate, low, high, label: rests } }) => [name, percent(margin), brief(estimate), brief(low), brief(high), rests])),
      },
    }), figure({
      id: 'break-even-margins', title: 'Break-even margins', note: 'of the rivals, with 95% interval; hollow: beyond the margins that were played',
      picture: plotSvg(label, {
        height: 62 + 22 * known.length, marginLeft: 20 + 6.6 * Math.max(...known.map(({ name }) => name.length)), marginTop: 8, marginBottom: 40, marginRight: 18,
        x: { label: 'margin of the rivals, %', labelAnchor: 'center', labelArrow: 'none', grid: true, ticks: 6 }, y: { label: null, domain: known.map(({ name }) => name), tickSize: 0 },
        marks: known.flatMap((own) => {
          const { name, look, margin, side } = own
          const row = [{ name, x: 100 * (margin.estimate ?? NaN), low: 100 * (margin.low ?? NaN), high: 100 * (margin.high ?? NaN) }]
          return [
            Plot.ruleY(row, { y: 'name', x1: 'low', x2: 'high', stroke: look.color, strokeWidth: 2 }),
            Plot.dot(row, { y: 'name', x: 'x', symbol: look.symbol, r: 4, fill: side === 'within' ? look.color : 'var(--bg)', stroke: look.color, strokeWidth: 1.5, title: () => `${name}: ${text(own)}` }),
          ]
        }),
      }),
      table: {
        caption: 'Break-even margins', head: ['entry', 'rivals', 'margin, %', 'low', 'high', 'where'], text: [5],
        rows: known.map((own) => [own.name, plural(own.rivals, 'rival'), percent(own.margin.estimate), percent(own.margin.low), percent(own.margin.high), text(own)]),
      },
    }))}`,
  }
}
