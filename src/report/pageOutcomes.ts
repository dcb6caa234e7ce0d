import { wilson } from '../stats/proportion.ts'
import { assert } from '../unit/assert.ts'
import { figure, figures } from './html/figure.ts'
import { brief, fixed, percent, plural, usd, whole } from './html/format.ts'
import { html, type Markup } from './html/markup.ts'
import { legend, type Look } from './html/palette.ts'
import { Plot, plotSvg } from './html/plot.ts'
import { eachBatch, indicesOf, namesOf, numbersOf } from './pageRows.ts'
import type { PageSection, ServicePage } from './pageService.ts'

const BINS_MAX = 30
const HISTOGRAM_PX = 150
const MAKERS_DRAWN = 8
const RELIABILITY_PX = 300
/** Bounds of the bins of probabilities: most combinations are unlikely. */
const PROBABILITY_BOUNDS = [0, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1] as const

interface ClusterProfit {
  readonly cluster: string
  readonly usdc: number
}

/** Profit of each maker by settlement cluster, on which its interval rests. Null where there are fewer than two clusters. */
export function clusterProfitSection(page: ServicePage): PageSection | null {
  const { prefix, makers } = page
  const profits = clusterProfits(page)
  const all = profits.flat().map(({ usdc }) => usdc)
  if (new Set(profits.flat().map(({ cluster }) => cluster)).size < 2) return null
  const [least, most] = [Math.min(0, ...all), Math.max(0, ...all)]
  const width = binWidth(least, most)
  const domain = [Math.floor(least / width) * width, (Math.floor(most / width) + 1) * width]
  const body = html`<p>Each bar counts settlement clusters by what the maker earned in them, in bins of ${brief(width)} USDC. Intervals rest on these.</p>
${figures(makers.slice(0, MAKERS_DRAWN).map(({ name, look }, m) => figure({
    id: `${prefix}cluster-profit-${m}`, title: name, note: clusterNote(profits[m]!.map(({ usdc }) => usdc)),
    picture: histogram(name, look, profits[m]!.map(({ usdc }) => usdc), width, domain),
    table: { caption: `Profit of ${name} by cluster`, head: ['cluster', 'profit, USDC'], rows: profits[m]!.map(({ cluster, usdc }) => [cluster, fixed(usdc, 2)]) },
  })))}`
  return { id: `${prefix}cluster-profit`, title: 'Profit by cluster', body }
}

/** Realised profit of every maker by cluster in which a position ended: with positions that it backed and that it had taken over. */
function clusterProfits({ tables, makers, names }: ServicePage): ClusterProfit[][] {
  const micros = names.map(() => new Map<string, number>())
  const add = (maker: number, cluster: string, profit: number): void => {
    if (maker >= 0) micros[maker]!.set(cluster, (micros[maker]!.get(cluster) ?? 0) + profit)
  }
  eachBatch(tables, 'settlements', (batch) => {
    const [maker, holder, cluster, outcome] = [indicesOf(batch, 'maker', names), indicesOf(batch, 'holder_maker', names), namesOf(batch, 'cluster'), namesOf(batch, 'outcome')]
    const [stake, payout, toMaker, toHolder, cost] = ['net_stake_micros', 'payout_micros', 'to_maker_micros', 'to_holder_micros', 'holder_cost_micros'].map((name) => numbersOf(batch, name))
    for (let row = 0; row < batch.rowCount; row++) {
      if (outcome[row] === 'failed') continue
      add(maker[row]!, cluster[row]!, toMaker![row]! - (payout![row]! - stake![row]!))
      add(holder[row]!, cluster[row]!, toHolder![row]! - cost![row]!)
    }
  })
  eachBatch(tables, 'auctions', (batch) => {
    const [seller, cluster, state, route] = [indicesOf(batch, 'seller_maker', names), namesOf(batch, 'cluster'), namesOf(batch, 'state'), namesOf(batch, 'route')]
    const [toSeller, cost] = [numbersOf(batch, 'to_seller_micros'), numbersOf(batch, 'seller_cost_micros')]
    for (let row = 0; row < batch.rowCount; row++) {
      if (state[row] === 'committed' && route[row] === 'transferred') add(seller[row]!, cluster[row]!, toSeller[row]! - cost[row]!)
    }
  })
  return micros.map((own, maker) => {
    const total = [...own.values()].reduce((sum, profit) => sum + profit, 0)
    assert(total === makers[maker]!.figures.profitMicros, `clusters give ${names[maker]} ${total} microUSDC, the scorecard ${makers[maker]!.figures.profitMicros}`)
    return [...own].sort(([a], [b]) => (a < b ? -1 : 1)).map(([cluster, profit]) => ({ cluster, usdc: profit / 1e6 }))
  })
}

function clusterNote(values: readonly number[]): string {
  const losing = values.filter((value) => value < 0).length
  return `${plural(values.length, 'cluster')}, ${whole(losing)} of them at a loss; worst ${fixed(values.length === 0 ? null : Math.min(...values), 2)}, best ${fixed(values.length === 0 ? null : Math.max(...values), 2)} USDC.`
}

/** 1, 2 or 5 times a power of ten, so that the range has at most BINS_MAX bins. */
function binWidth(least: number, most: number): number {
  const wanted = (most - least) / BINS_MAX
  if (!(wanted > 0)) return 1
  const power = Number(`1e${Math.floor(Math.log10(wanted))}`)
  return [1, 2, 5, 10].map((digit) => digit * power).find((width) => width >= wanted)!
}

function histogram(name: string, look: Look, values: readonly number[], width: number, domain: readonly number[]): Markup {
  const counts = new Map<number, number>()
  for (const value of values) counts.set(Math.floor(value / width), (counts.get(Math.floor(value / width)) ?? 0) + 1)
  const bars = [...counts].sort(([a], [b]) => a - b).map(([bin, count]) => ({ from: bin * width, to: (bin + 1) * width, count }))
  return plotSvg(`Histogram of the profit of ${name} by cluster. ${clusterNote(values)}`, {
    height: HISTOGRAM_PX, marginLeft: 36, marginBottom: 38, marginTop: 8, marginRight: 16,
    x: { label: 'USDC', labelAnchor: 'center', labelArrow: 'none', domain, ticks: 6 }, y: { label: null, grid: true, ticks: 4, tickFormat: (count: number) => (Number.isInteger(count) ? whole(count) : '') },
    marks: [
      Plot.rectY(bars, { x1: 'from', x2: 'to', y: 'count', fill: look.color, insetLeft: 0.5, insetRight: 0.5, title: ({ from, to, count }: (typeof bars)[number]) => `${brief(from)} to ${brief(to)} USDC: ${plural(count, 'cluster')}` }), Plot.ruleY([0]),
      Plot.ruleX([0], { stroke: 'currentColor', strokeOpacity: 0.6, strokeDasharray: '2 2' }),
    ],
  })
}

/** How often events of a given probability happened. */
interface Reliability {
  readonly name: string
  readonly look: Look
  readonly bins: readonly { readonly from: number; readonly to: number; readonly count: number; readonly mean: number; readonly won: number }[]
}

/** Shares of positions that won, against the probabilities of the reference and of the makers. Null where nothing was won or lost. */
export function reliabilitySection(page: ServicePage): PageSection | null {
  const { prefix, makers } = page
  const filled = filledQuotes(page)
  if (filled.length === 0) return null
  const pooled: Look = { color: 'currentColor', symbol: 'circle', dash: [] }
  const reference = [{ name: 'V', look: pooled, bins: binned(filled.map(({ reference: p, won }) => ({ p, won }))) }]
  const fair = makers.map(({ name, look }, m) => ({ name, look, bins: binned(filled.filter(({ maker }) => maker === m).map(({ fair: p, won }) => ({ p, won }))) }))
    .filter(({ bins }) => bins.length > 0)
  const note = 'Share of positions that won, by the probability at submission; on the diagonal it was right. Wilson intervals take positions as independent, which legs in common make too narrow. What was filled is no fair sample: see the winner’s curse.'
  const body = html`<p>${note}</p>
${figures(
    reliabilityFigure(`${prefix}reliability-v`, 'Reference V', reference, false),
    fair.length > 0 && reliabilityFigure(`${prefix}reliability-f`, 'Makers’ fair value F', fair.slice(0, MAKERS_DRAWN), true),
  )}`
  return { id: `${prefix}reliability`, title: 'Reliability', body }
}

interface FilledQuote {
  readonly maker: number
  readonly reference: number
  readonly fair: number
  readonly won: boolean
}

function filledQuotes({ tables, names }: ServicePage): FilledQuote[] {
  const outcomes = new Map<number, boolean>()
  eachBatch(tables, 'positions', (batch) => {
    const [quote, outcome] = [numbersOf(batch, 'quote'), namesOf(batch, 'outcome')]
    for (let row = 0; row < batch.rowCount; row++) if (outcome[row] === 'won' || outcome[row] === 'lost') outcomes.set(quote[row]!, outcome[row] === 'won')
  })
  const filled: FilledQuote[] = []
  eachBatch(tables, 'quotes', (batch) => {
    const [quote, reference, fair] = [numbersOf(batch, 'quote'), numbersOf(batch, 'reference'), numbersOf(batch, 'fair')]
    const maker = indicesOf(batch, 'maker', names)
    for (let row = 0; row < batch.rowCount; row++) {
      const won = outcomes.get(quote[row]!)
      if (won !== undefined) filled.push({ maker: maker[row]!, reference: reference[row]!, fair: fair[row]!, won })
    }
  })
  return filled
}

function binned(trials: readonly { readonly p: number; readonly won: boolean }[]): Reliability['bins'] {
  return PROBABILITY_BOUNDS.slice(0, -1).flatMap((from, i) => {
    const to = PROBABILITY_BOUNDS[i + 1]!
    const own = trials.filter(({ p }) => p >= from && (p < to || (to === 1 && p === 1)))
    if (own.length === 0) return []
    return [{ from, to, count: own.length, mean: own.reduce((sum, { p }) => sum + p, 0) / own.length, won: own.filter(({ won }) => won).length }]
  })
}

function reliabilityFigure(id: string, title: string, curves: readonly Reliability[], withLegend: boolean): Markup {
  const most = Math.max(0.1, ...curves.flatMap(({ bins }) => bins.map(({ mean, won, count }) => Math.max(mean, wilson(won, count).high!))))
  const top = Math.min(100, Math.ceil(most * 10) * 10)
  const marks = curves.flatMap(({ name, look, bins }) => {
    const rows = bins.map(({ mean, won, count }) => ({ tip: `${name} gave ${percent(mean)}% on average: ${percent(won / count)}% of ${whole(count)} won`, x: 100 * mean, y: (100 * won) / count, low: 100 * wilson(won, count).low!, high: 100 * wilson(won, count).high! }))
    return [
      Plot.ruleX(rows, { x: 'x', y1: 'low', y2: 'high', stroke: look.color, strokeOpacity: 0.7 }),
      Plot.dot(rows, { x: 'x', y: 'y', symbol: look.symbol, r: 3.5, fill: look.color, stroke: look.color, title: 'tip' }),
    ]
  })
  const label = `Reliability of ${title}: ${curves.map(({ name, bins }) => {
    const [count, won, expected] = bins.reduce(([n, w, e], bin) => [n! + bin.count, w! + bin.won, e! + bin.mean * bin.count], [0, 0, 0])
    return `${name} gave ${plural(count!, 'position')} ${percent(expected! / count!)}% on average, and ${percent(won! / count!)}% won`
  }).join('; ')}.`
  return figure({
    id, title,
    picture: html`${withLegend && legend(curves)}${plotSvg(label, {
      height: RELIABILITY_PX, marginLeft: 44, marginBottom: 40, marginTop: 10, marginRight: 16,
      x: { label: 'probability at submission, %', labelAnchor: 'center', labelArrow: 'none', domain: [0, top], ticks: 5 },
      y: { label: null, grid: true, domain: [0, top], ticks: 5, tickFormat: (value: number) => `${value}%` },
      marks: [Plot.line([[0, 0], [top, top]], { stroke: 'currentColor', strokeOpacity: 0.5, strokeDasharray: '3 3' }), ...marks],
    })}`,
    table: {
      caption: `Reliability of ${title}`, head: ['of', 'bin, %', 'positions', 'mean, %', 'won, %', 'low', 'high'], text: [1],
      rows: curves.flatMap(({ name, bins }) => bins.map(({ from, to, count, mean, won }) => {
        const { low, high } = wilson(won, count)
        return [name, `${100 * from} to ${100 * to}`, whole(count), percent(mean), percent(won / count), percent(low), percent(high)]
      })),
    },
  })
}

/** Requests by their legs, and how many were committed. */
export function legsSection({ tables, prefix, words }: ServicePage): PageSection | null {
  const all = new Map<number, { count: number; committed: number; betMicros: number }>()
  eachBatch(tables, 'requests', (batch) => {
    const [legs, bet, state] = [numbersOf(batch, 'leg_count'), numbersOf(batch, 'bet_micros'), namesOf(batch, 'state')]
    for (let row = 0; row < batch.rowCount; row++) {
      const own = all.get(legs[row]!) ?? { count: 0, committed: 0, betMicros: 0 }
      all.set(legs[row]!, own)
      own.count++
      own.betMicros += bet[row]!
      if (state[row] === 'committed') own.committed++
    }
  })
  if (all.size === 0) return null
  const rows = [...all].sort(([a], [b]) => a - b).map(([legs, own]) => ({ legs: String(legs), ...own }))
  const text = (row: { count: number; committed: number }): string => `${whole(row.count)}, ${percent(row.committed / row.count)}% ${words.committed}`
  const body = figures(figure({
    id: `${prefix}legs-plot`, title: `Versions of ${words.requests} by legs`, note: `The strong part was ${words.committed}.`,
    picture: plotSvg(`Versions of ${words.requests} by legs: ${rows.map((row) => `${row.legs}: ${text(row)}`).join('; ')}.`, {
      height: 48 + 30 * rows.length, marginLeft: 36, marginRight: 130, marginTop: 6, marginBottom: 38,
      x: { label: `versions of ${words.requests}`, labelAnchor: 'center', labelArrow: 'none', grid: true, ticks: 5 },
      y: { label: null, domain: rows.map(({ legs }) => legs), tickSize: 0 },
      marks: [
        Plot.barX(rows, { x: 'count', y: 'legs', fill: 'var(--c0)', fillOpacity: 0.3, insetTop: 3, insetBottom: 3, title: (row: (typeof rows)[number]) => `${plural(Number(row.legs), 'leg')}: ${text(row)}` }),
        Plot.barX(rows, { x: 'committed', y: 'legs', fill: 'var(--c0)', insetTop: 3, insetBottom: 3 }),
        Plot.text(rows, { x: 'count', y: 'legs', text, dx: 6, textAnchor: 'start' }), Plot.ruleX([0]),
      ],
    }),
    table: {
      caption: `Versions of ${words.requests} by legs`, head: ['legs', 'versions', words.committed, '%', `mean ${words.grossBet}, USDC`],
      rows: rows.map((row) => [row.legs, whole(row.count), whole(row.committed), percent(row.committed / row.count), usd(row.betMicros / row.count)]),
    },
  }))
  return { id: `${prefix}legs`, title: 'Legs', body }
}
