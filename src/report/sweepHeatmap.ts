import type { SweepReport } from '../sweep/sweep.ts'
import type { Section } from './html/document.ts'
import { figure, figures } from './html/figure.ts'
import { brief, estimateText } from './html/format.ts'
import { html, type Markup } from './html/markup.ts'
import { Plot, plotSvg } from './html/plot.ts'
import { intervalOf, type SweepEntry, unitOf } from './sweepEntries.ts'
import { titleOf } from './sweepPlots.ts'
import { axisTitle, figureOf } from './sweepText.ts'

const MAKERS_DRAWN = 8
const CELL_PX = 30
/** How strongly the greatest value is coloured: text on it stays legible. */
const OPACITY_MAX = 0.42

/** What ranks over a grid of two axes: a map for each maker, all in one scale of colours. None for other designs. */
export function heatmapSection(sweep: SweepReport, entries: readonly SweepEntry[]): Section[] {
  const { design: { kind, axes }, points, measure } = sweep
  if (kind !== 'grid' || axes.length !== 2) return []
  const name = figureOf(measure)
  const drawn = entries.slice(0, MAKERS_DRAWN)
  const most = Math.max(0, ...points.flatMap((point) => drawn.map((entry) => Math.abs(intervalOf(point, entry, name)?.estimate ?? 0))))
  const left = entries.length > drawn.length && html`<p>The first ${drawn.length} of ${entries.length} makers are drawn; the table of points has all.</p>`
  return [{
    id: 'maps', title: titleOf(`${axisTitle(sweep.design, axes[0]!)} by ${axisTitle(sweep.design, axes[1]!)}`),
    body: html`<p>${measure === 'cash' ? 'Cash' : 'Luck-adjusted profit'} of one session, USDC: blue above zero, red below, the stronger the farther from it, on one scale. A frame marks the best.</p>
${left}${figures(drawn.map((entry, i) => mapFigure(sweep, entry, i, name, most)))}`,
  }]
}

function mapFigure({ design, points }: SweepReport, entry: SweepEntry, number: number, name: string, most: number): Markup {
  const [down, across] = design.axes as [string, string]
  const { scale, unit } = unitOf(name)
  const cells = points.flatMap((point) => {
    const interval = intervalOf(point, entry, name)
    if (interval === undefined || interval.estimate === null) return []
    const [x, y] = [point.settings[across]!, point.settings[down]!]
    return [{ x, y, value: interval.estimate * scale, interval, tip: `${y}, ${x}: ${estimateText(interval, scale)}` }]
  })
  const best = cells.reduce<(typeof cells)[number] | null>((top, cell) => (top === null || cell.value > top.value ? cell : top), null)
  const domainOf = (axis: string): string[] => [...new Set(points.map(({ settings }) => settings[axis]!))]
  const [xs, ys] = [domainOf(across), domainOf(down)]
  const label = `${entry.name}, ${unit}, over ${axisTitle(design, down)} and ${axisTitle(design, across)}: ${best === null ? 'nothing known' : `best at ${best.y}, ${best.x} with ${brief(best.value)}`}.`
  return figure({
    id: `map-${number}`, title: entry.name, note: `Down: ${axisTitle(design, down)}. ${best === null ? 'Nothing known.' : `Best at ${best.y}, ${best.x}: ${brief(best.value)}.`}`,
    picture: plotSvg(label, {
      height: CELL_PX * ys.length + 46, marginLeft: 14 + 6.6 * Math.max(...ys.map((value) => value.length)), marginBottom: 40, marginTop: 4, marginRight: 8,
      x: { type: 'band', domain: xs, label: axisTitle(design, across), labelAnchor: 'center', labelArrow: 'none', tickSize: 0, padding: 0.04 },
      y: { type: 'band', domain: ys, label: null, tickSize: 0, padding: 0.06 },
      marks: [
        ...cells.map((cell) => Plot.cell([cell], {
          x: 'x', y: 'y', fill: cell.value < 0 ? 'var(--c7)' : 'var(--c0)', fillOpacity: most === 0 ? 0 : OPACITY_MAX * Math.abs(cell.value) / (most * scale), stroke: 'var(--grid)', title: 'tip',
        })),
        ...(best === null ? [] : [Plot.cell([best], { x: 'x', y: 'y', fill: 'none', stroke: 'currentColor', strokeWidth: 2 })]),
        ...(xs.length > 12 ? [] : [Plot.text(cells, { x: 'x', y: 'y', text: ({ value }: { value: number }) => brief(value), fill: 'currentColor' })]),
      ],
    }),
    table: {
      caption: `${entry.name} over both axes`, head: [axisTitle(design, down), axisTitle(design, across), unit, 'low', 'high', 'rests on'], text: [1, 5],
      rows: cells.map(({ x, y, value, interval: { low, high, label: rests } }) => [y, x, brief(value), brief(low === null ? null : low * scale), brief(high === null ? null : high * scale), rests]),
    },
  })
}
