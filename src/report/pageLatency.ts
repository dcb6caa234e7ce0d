import { RowIndex } from '../score/rowIndex.ts'
import { quantile } from '../stats/quantile.ts'
import { NONE } from '../unit/none.ts'
import { MS_US } from '../unit/time.ts'
import { figure, figures } from './html/figure.ts'
import { brief, ms, whole } from './html/format.ts'
import { html, type Markup } from './html/markup.ts'
import { legend } from './html/palette.ts'
import { Plot, plotSvg } from './html/plot.ts'
import { eachBatch, indicesOf, numbersOf } from './pageRows.ts'
import type { PageSection, ServicePage } from './pageService.ts'

/** Quantiles that a curve is drawn through. */
const STEPS = 100
/** Shares whose delays are marked, %. */
const TOLD_SHARES = [10, 25, 50, 75, 90, 99] as const
const TABLE_QUANTILES = [0.01, 0.1, 0.25, 0.5, 0.75, 0.9, 0.99]
const HEIGHT_PX = 250

/** How long makers took: to a first quote, and to their last look. */
export function latencySection(page: ServicePage): PageSection {
  const { makers, prefix, words } = page
  const decided = decisionTimes(page)
  const body = html`${legend(makers)}
${figures(
    delays(page, `${prefix}quote-latency`, 'First quote', `from the ${words.request} (or its new version) to a maker’s first quote on it, as the service saw both.`, firstQuoteTimes(page)),
    delays(page, `${prefix}look-latency`, 'Last look', 'from selection to the maker’s confirmation or decline, as the service saw both; time-outs are left out.', decided),
  )}`
  return { id: `${prefix}latency`, title: 'Latency', body }
}

function delays({ makers }: ServicePage, id: string, title: string, note: string, timesUs: readonly Float64Array[]): Markup {
  const at = (m: number, p: number): number | null => (timesUs[m]!.length === 0 ? null : quantile(timesUs[m]!, p))
  const curves = makers.flatMap(({ name, look }, m) => {
    if (timesUs[m]!.length === 0) return []
    const rows = Array.from({ length: STEPS + 1 }, (_, step) => ({ x: at(m, step / STEPS)! / MS_US, y: step }))
    const told = TOLD_SHARES.map((share) => ({ ...rows[(share * STEPS) / 100]!, tip: `${name}: ${share}% within ${ms(at(m, share / 100))} ms` }))
    return [
      Plot.line(rows, { x: 'x', y: 'y', stroke: look.color, strokeWidth: 1.5, ...(look.dash.length > 0 ? { strokeDasharray: look.dash.join(' ') } : {}) }),
      Plot.dot(told, { x: 'x', y: 'y', symbol: look.symbol, r: told.map(({ y }) => (y === 50 ? 3.5 : 2)), fill: look.color, stroke: look.color, title: 'tip' }),
    ]
  })
  const label = `${title}: ${makers.map(({ name }, m) => (timesUs[m]!.length === 0 ? `${name} none` : `${name} median ${ms(at(m, 0.5))} ms, 99% within ${ms(at(m, 0.99))} ms`)).join('; ')}.`
  const least = Math.min(...timesUs.map((list) => list[0] ?? Infinity)) / MS_US
  const most = Math.max(...timesUs.map((list) => list.at(-1) ?? -Infinity)) / MS_US
  return figure({
    id, title, note: html`${note} Share of all, by delay; the large mark is the median.`,
    picture: plotSvg(label, {
      height: HEIGHT_PX, marginLeft: 44, marginBottom: 40, marginTop: 10, marginRight: 18,
      x: { label: 'ms', labelAnchor: 'center', labelArrow: 'none', ...scaleOf(least, most) },
      y: { label: null, grid: true, domain: [0, 100], tickFormat: (value: number) => `${value}%`, ticks: 5 },
      marks: [Plot.ruleY([0]), ...curves],
    }),
    table: {
      caption: `${title}, ms`, head: ['maker', 'count', ...TABLE_QUANTILES.map((p) => `${Math.round(100 * p)}%`)],
      rows: makers.map(({ name }, m) => [name, whole(timesUs[m]!.length), ...TABLE_QUANTILES.map((p) => ms(at(m, p)))]),
    },
  })
}

/** A logarithmic axis, unless a delay is zero. It has at least an octave to each side of a single delay. */
function scaleOf(least: number, most: number): { readonly type: 'log' | 'linear'; readonly domain: readonly number[]; readonly ticks: number; readonly tickFormat: (value: number) => string } {
  if (!(least > 0 && most < Infinity)) return { type: 'linear', domain: [0, most > 0 ? most : 1], ticks: 5, tickFormat: brief }
  return { type: 'log', domain: most < 1.5 * least ? [least / 2, most * 2] : [least, most], ticks: 5, tickFormat: tickText }
}

/** Labels with leading digits 1, 2 and 5 alone, because others would overlap on a logarithmic axis. */
function tickText(value: number): string {
  const digit = Number(value.toExponential()[0])
  return digit === 1 || digit === 2 || digit === 5 || value === 0 ? String(value) : ''
}

/** Delays of each maker's first quotes on a version, µs, in order. */
export function firstQuoteTimes({ tables, names }: ServicePage): Float64Array[] {
  const requests: number[] = []
  const versions: number[] = []
  const createdUs: number[] = []
  eachBatch(tables, 'requests', (batch) => {
    const [request, version, created] = [numbersOf(batch, 'request'), numbersOf(batch, 'version'), numbersOf(batch, 'created_at')]
    for (let row = 0; row < batch.rowCount; row++) {
      requests.push(request[row]!)
      versions.push(version[row]!)
      createdUs.push(created[row]!)
    }
  })
  const index = new RowIndex(Float64Array.from(requests))
  const rowOf = (request: number, version: number): number => {
    let row = index.newest(request)
    while (row !== NONE && versions[row] !== version) row = index.before(row)
    return row
  }
  const first = names.map(() => new Float64Array(requests.length).fill(Infinity))
  eachBatch(tables, 'quotes', (batch) => {
    const [maker, request, version, submitted] = [indicesOf(batch, 'maker', names), numbersOf(batch, 'request'), numbersOf(batch, 'version'), numbersOf(batch, 'submitted_at')]
    for (let row = 0; row < batch.rowCount; row++) {
      const at = maker[row]! < 0 ? NONE : rowOf(request[row]!, version[row]!)
      if (at !== NONE) first[maker[row]!]![at] = Math.min(first[maker[row]!]![at]!, submitted[row]! - createdUs[at]!)
    }
  })
  return first.map((times) => times.filter((time) => time < Infinity).sort())
}

function decisionTimes({ tables, names }: ServicePage): Float64Array[] {
  const times = names.map((): number[] => [])
  eachBatch(tables, 'acceptances', (batch) => {
    const [maker, outcome] = [indicesOf(batch, 'maker', names), indicesOf(batch, 'outcome', ['confirmed', 'declined'])]
    const [selected, decided] = [numbersOf(batch, 'selected_at'), numbersOf(batch, 'decided_at')]
    for (let row = 0; row < batch.rowCount; row++) if (maker[row]! >= 0 && outcome[row]! >= 0) times[maker[row]!]!.push(decided[row]! - selected[row]!)
  })
  return times.map((list) => Float64Array.from(list).sort())
}
