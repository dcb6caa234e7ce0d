import type { Interval } from '../../stats/interval.ts'
import { estimateText } from './format.ts'
import { html, type Markup } from './markup.ts'
import { type Look } from './palette.ts'
import { Plot, plotSvg } from './plot.ts'

/** An estimate of something, drawn as a dot in its interval. */
export interface IntervalRow {
  /** Rows of a group stand together, under its name. */
  readonly group?: string
  readonly name: string
  readonly look: Look
  readonly interval: Interval
}

export interface IntervalPlotParts {
  readonly title: string
  /** Label of the axis, with its unit. */
  readonly axis: string
  readonly rows: readonly IntervalRow[]
  readonly scale?: number
  /** Value of a line for no gain or no difference, null for no line. */
  readonly line?: number | null
}

const ROW_PX = 22
const GROUPED_ROW_PX = 15
const GROUP_GAP_PX = 8
const EDGES_PX = 62
const CHARACTER_PX = 6.6
const NAME_CHARACTERS_MAX = 28

/** Dots in their 95% intervals, one row each. An estimate without an interval is a dot alone. */
export function intervalPlot({ title, axis, rows, scale = 1, line = 0 }: IntervalPlotParts): Markup {
  const shown = rows.filter(({ interval }) => interval.estimate !== null)
  const isGrouped = rows.some(({ group }) => group !== undefined)
  const words = shown.map(({ group, name, interval }) => `${group === undefined ? '' : `${group}, `}${name} ${estimateText(interval, scale)}`)
  const label = `${title}, ${axis}: ${words.length === 0 ? 'nothing known' : words.join('; ')}.`
  if (shown.length === 0) return html`<p class="none" role="img" aria-label="${label}">Nothing known.</p>`
  const groups = [...new Set(rows.map(({ group = '' }) => group))]
  // With groups, a name without an estimate in any group takes no room.
  const names = [...new Set((isGrouped ? shown : rows).map(({ name }) => name))]
  const labels = isGrouped ? groups : names
  const height = isGrouped ? groups.length * (names.length * GROUPED_ROW_PX + GROUP_GAP_PX) + EDGES_PX : names.length * ROW_PX + EDGES_PX
  const y = isGrouped ? { y: 'name', fy: 'group' } : { y: 'name' }
  const marks = shown.flatMap(({ group = '', name, look, interval }) => {
    const row = { name, group, at: interval.estimate! * scale, low: (interval.low ?? NaN) * scale, high: (interval.high ?? NaN) * scale, tip: `${group === '' ? '' : `${group}, `}${name}: ${estimateText(interval, scale)}` }
    return [
      ...(interval.low === null ? [] : [Plot.ruleY([row], { ...y, x1: 'low', x2: 'high', stroke: look.color, strokeWidth: 2 })]),
      Plot.dot([row], { ...y, x: 'at', symbol: look.symbol, r: 4, fill: look.color, stroke: look.color, title: 'tip' }),
    ]
  })
  const band = { label: null, tickSize: 0, tickFormat: shortName }
  return plotSvg(label, {
    height, marginTop: 8, marginBottom: 40, marginRight: 16, marginLeft: 12 + CHARACTER_PX * Math.max(3, ...labels.map((label) => shortName(label).length)),
    x: { label: axis, labelAnchor: 'center', labelArrow: 'none', grid: true, nice: true, ticks: ticksOf(shown, scale) },
    y: { domain: names, ...band, ...(isGrouped ? { axis: null } : {}) },
    ...(isGrouped ? { fy: { domain: groups, axis: 'left', padding: 0.12, ...band } } : {}),
    marks: [...(line === null ? [] : [Plot.ruleX([line], { stroke: 'currentColor', strokeOpacity: 0.55 })]), ...marks],
  })
}

/** How many ticks fit without overlap. */
function ticksOf(rows: readonly IntervalRow[], scale: number): number {
  const most = Math.max(0, ...rows.flatMap(({ interval: { estimate, low, high } }) => [estimate, low, high].map((value) => Math.abs((value ?? 0) * scale))))
  return most >= 1000 ? 4 : 6
}

/** What stands beside a title: whether the estimates have intervals. An exact 0 has one that nobody sees. */
export const intervalNote = (intervals: readonly Interval[]): string => (intervals.some(({ low, high }) => low !== null && high !== null && low < high) ? 'with 95% intervals' : 'without intervals')

export const shortName = (name: string): string => (name.length > NAME_CHARACTERS_MAX ? `${name.slice(0, NAME_CHARACTERS_MAX - 1)}…` : name)
