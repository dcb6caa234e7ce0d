import { ENOUGH, ifEnough } from '../score/enough.ts'
import type { CurveBin } from '../score/winCurve.ts'
import type { Interval } from '../stats/interval.ts'
import { RIVALS_ABOUT } from './definitions.ts'
import { type DataTable, figure, figures } from './html/figure.ts'
import { brief, percent, span, spanCell, whole } from './html/format.ts'
import { intervalPlot } from './html/intervalPlot.ts'
import { html, type Markup } from './html/markup.ts'
import { legend, type Look, partOf } from './html/palette.ts'
import { Plot, plotSvg } from './html/plot.ts'
import type { PageMaker, PageSection, ServicePage } from './pageService.ts'

/** The most makers with curves of their own. Curves of the others are in the table alone. */
const MAKERS_DRAWN = 8
/** Side by side in a bin, cents. */
const DODGE_CENTS = 0.12
const HEIGHT_PX = 270
/** A bin of fewer quotes is drawn hollow and joined to no other. */
const QUOTES_JOINED = 10

/** One line of a win curve. */
interface CurveLine {
  readonly name: string
  readonly look: Look
  readonly bins: readonly CurveBin[]
}

/** P(fill) by margin over the reference: of all makers, and of each by its live rivals. */
export function winCurveSection({ makers, prefix }: ServicePage): PageSection {
  const drawn = makers.slice(0, MAKERS_DRAWN)
  const pooled = drawn.map(({ name, look, figures: { winCurve } }) => ({ name, look, bins: winCurve.pooled }))
  const left = makers.reduce((sum, { figures: { winCurve } }) => sum + winCurve.left, 0)
  const id = (name: string): string => `${prefix}win-${name}`
  const about = `The share of quotes that were filled, by how far the probability q that they asked for was above the reference V at submission: 100(q − V), ¢ per $ of payout, in bins of a cent, open at both ends; with Wilson intervals that take quotes as independent. Hollow: fewer than ${QUOTES_JOINED} quotes.${
    left > 0 ? ` ${whole(left)} quotes of unknown margin, or undecided at the end, are in no bin.` : ''}`
  const body = html`<p>${about} ${RIVALS_ABOUT}</p>
${legend(pooled)}
${figures(
    figure({
      id: id('pooled'), title: 'All quotes', picture: curvePlot('Win curves of all quotes', pooled, true),
      table: curveTable('Win curves', pooled.map(({ name, bins }) => ({ heads: [name], bins })), ['maker']),
    }),
    rivalsFigures(drawn, id),
  )}`
  return { id: `${prefix}win-curve`, title: 'Win curve', body }
}

function rivalsFigures(makers: readonly PageMaker[], id: (name: string) => string): Markup[] {
  return makers.flatMap(({ name, look, figures: { winCurve } }, number) => {
    const lines = winCurve.byRivals.map(({ rivals, bins }, i) => ({ name: rivals === '1' ? '1 rival' : `${rivals} rivals`, look: partOf(look, i), bins }))
      .filter(({ bins }) => bins.length > 0)
    if (lines.length < 2) return []
    return [figure({
      id: id(`rivals-${number}`), title: `${name}, by live rivals`, picture: html`${legend(lines)}${curvePlot(`Win curve of ${name} by live rivals`, lines, false)}`,
      table: curveTable(`Win curve of ${name} by live rivals`, lines.map((line) => ({ heads: [line.name], bins: line.bins })), ['rivals']),
    })]
  })
}

/** The middle of a bin, cents. An open bin counts as wide as the others. */
const middleOf = ({ fromCents, toCents }: CurveBin): number => (fromCents ?? toCents! - 1) + 0.5

const binName = ({ fromCents, toCents }: CurveBin): string =>
  fromCents === null ? `below ${brief(toCents)}` : toCents === null ? `${brief(fromCents)} and more` : `${brief(fromCents)} to ${brief(toCents)}`

function curvePlot(title: string, lines: readonly CurveLine[], withIntervals: boolean): Markup {
  const marks = lines.flatMap(({ name, look, bins }, i) => {
    const dodge = withIntervals ? (i - (lines.length - 1) / 2) * DODGE_CENTS : 0
    const rows = bins.map((bin) => ({
      x: middleOf(bin) + dodge, y: 100 * bin.probability.estimate!, low: 100 * bin.probability.low!, high: 100 * bin.probability.high!, isJoined: bin.quotes >= QUOTES_JOINED, tip: `${name}, margin ${binName(bin)} ¢: ${whole(bin.filled)} of ${whole(bin.quotes)} filled, ${percent(bin.probability.estimate)}%`,
    }))
    const [joined, alone] = [rows.filter(({ isJoined }) => isJoined), rows.filter(({ isJoined }) => !isJoined)]
    const dot = { x: 'x', y: 'y', symbol: look.symbol, r: 3, stroke: look.color, title: 'tip' }
    return [
      Plot.line(joined, { x: 'x', y: 'y', stroke: look.color, strokeWidth: 1.5, ...(look.dash.length > 0 ? { strokeDasharray: look.dash.join(' ') } : {}) }),
      ...(withIntervals ? [Plot.ruleX(joined, { x: 'x', y1: 'low', y2: 'high', stroke: look.color, strokeOpacity: 0.6 })] : []),
      Plot.dot(joined, { ...dot, fill: look.color }), Plot.dot(alone, { ...dot, strokeWidth: 1.2 }),
    ]
  })
  return plotSvg(`${title}. ${lines.map(summaryOf).join(' ')}`, {
    height: HEIGHT_PX, marginLeft: 40, marginBottom: 40, marginTop: 12,
    x: { label: 'margin over V, ¢ per $ of payout', labelAnchor: 'center', labelArrow: 'none', domain: [-6, 11], ticks: [-5, 0, 5, 10] },
    y: { label: null, grid: true, domain: [0, topOf(lines, withIntervals)], tickFormat: (value: number) => `${value}%`, ticks: 5 },
    marks: [Plot.ruleX([0], { stroke: 'currentColor', strokeOpacity: 0.4 }), Plot.ruleY([0]), ...marks],
  })
}

/** The axis ends at the next tenth, %. */
function topOf(lines: readonly CurveLine[], withIntervals: boolean): number {
  const shares = lines.flatMap(({ bins }) => bins.flatMap(({ quotes, probability: { estimate, high } }) => [estimate!, withIntervals && quotes >= QUOTES_JOINED ? high! : 0]))
  return Math.max(10, Math.ceil(10 * Math.max(0, ...shares)) * 10)
}

function summaryOf({ name, bins }: CurveLine): string {
  const quotes = bins.reduce((sum, bin) => sum + bin.quotes, 0)
  const filled = bins.reduce((sum, bin) => sum + bin.filled, 0)
  return `${name}: ${whole(filled)} of ${whole(quotes)} quotes filled.`
}

const curveTable = (caption: string, lines: readonly { readonly heads: readonly string[]; readonly bins: readonly CurveBin[] }[], heads: readonly string[]): DataTable => ({
  caption, head: [...heads, 'margin, ¢', 'quotes', 'filled', '% filled', 'low', 'high'], text: [1],
  rows: lines.flatMap(({ heads: own, bins }) => bins.map((bin) => [
    ...own, binName(bin), whole(bin.quotes), whole(bin.filled), ...[bin.probability.estimate, bin.probability.low, bin.probability.high].map((share) => percent(share)),
  ])),
})

/** Mark-outs and the winner's curse at every horizon. */
export function markOutSection({ makers, prefix }: ServicePage): PageSection | null {
  if (makers.every(({ figures: { marks } }) => marks.every(({ won }) => won === 0))) return null
  const fills = makers.flatMap(({ figures: { marks } }) => marks)
  const total = (name: 'won' | 'censored' | 'unknown'): number => fills.reduce((sum, mark) => sum + mark[name], 0)
  const picture = (id: string, title: string, note: string, of: (mark: PageMaker['figures']['marks'][number]) => Interval): Markup => figure({
    id: `${prefix}${id}`, title, note,
    picture: intervalPlot({
      title, axis: '¢ per $ of payout',
      rows: makers.flatMap(({ name, look, figures: { marks } }) => marks.map((mark) => ({ group: span(mark.horizonUs), name, look, interval: of(mark) }))),
    }),
    table: {
      caption: title, head: ['maker', 'horizon', '¢', 'low', 'high', 'marks of fills', 'at the end', 'without V', 'rests on'], text: [1, 8],
      rows: makers.flatMap(({ name, figures: { marks } }) => marks.map((mark) => {
        const { estimate, low, high, label } = of(mark)
        return [name, spanCell(mark.horizonUs), brief(estimate), brief(low), brief(high), whole(mark.won), whole(mark.censored), whole(mark.unknown), label]
      })),
    },
  })
  const body = html`<p>Of ${whole(total('won'))} marks of fills ${whole(total('censored'))} were made at the session’s end, which came before their horizon, and ${whole(total('unknown'))} have no V. A figure of fewer than ${ENOUGH} fills, or quotes won or lost, is not drawn.</p>
${legend(makers)}
${figures(
    picture('mark-out-plot', 'Mark-out', 'Σ P(q − V) / ΣP at each horizon after the confirmation, settled legs 0 or 1.', ({ markOutCents, won, unknown }) => ifEnough(markOutCents, { fills: won - unknown })),
    picture('curse-plot', 'Winner’s curse', 'mean(V − F given won) − mean(V − F given lost), F the maker’s own fair value; positive hurts.', ({ winnersCurseCents, wonWithFair: won, lostWithFair: lost }) => ifEnough(winnersCurseCents, { won, lost })),
  )}`
  return { id: `${prefix}mark-outs`, title: 'Mark-outs', body }
}
