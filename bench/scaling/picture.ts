import { Plot, plotSvg } from '../../src/report/html/plot.ts'
import type { Axis } from './axes.ts'
import { straightLine } from './line.ts'
import type { Point } from './point.ts'
import { costOf } from './table.ts'

/** Smaller values are drawn as this value, because zero has no logarithm. */
const LEAST_MB = 0.1
const COLOURS = ['#2a78d6', '#d6612a']
/** The picture brings its own style rules, because the page that shows it cannot style it. */
const STYLE = '<style>svg{color:#24323f;font:12px system-ui,sans-serif;fill:currentColor}@media(prefers-color-scheme:dark){svg{color:#dbe6f0}}</style>'

interface Drawn {
  readonly name: string
  readonly points: readonly { readonly x: number; readonly y: number }[]
  /** The cost without extra effects. */
  readonly straight: readonly { readonly x: number; readonly y: number }[]
}

/** Costs of an axis over its sizes, both in logarithms, as a file of SVG. Dashed lines show the costs without extra effects. */
export function costPicture({ name, size, costs }: Axis, points: readonly Point[]): string {
  const drawn = costs.map((cost): Drawn => {
    const measured = points.map((point) => ({ size: point.size, cost: costOf(cost, point) }))
    const line = cost.growth === undefined ? null : straightLine(measured, cost.growth)
    return {
      // A cost that the clock did not see has no logarithm either.
      name: cost.name, points: measured.filter(({ cost }) => cost > 0).map(({ size, cost }) => ({ x: size, y: cost })),
      straight: line === null ? [] : measured.map(({ size }) => ({ x: size, y: line(size) })),
    }
  })
  return picture(`Cost by ${name}`, size, 'µs of the main thread', drawn)
}

/** Memory of a session over the sizes of an axis: what its history takes, and what it adds to that. */
export function memoryPicture({ name, size }: Axis, points: readonly Point[]): string {
  const series = (name: string, bytes: (point: Point) => number): Drawn =>
    ({ name, points: points.map((point) => ({ x: point.size, y: Math.max(LEAST_MB, bytes(point) / 1e6) })), straight: [] })
  const drawn = [series('session', ({ sessionBytes }) => sessionBytes), series('history', ({ historyBytes }) => historyBytes)]
  return picture(`Memory by ${name}`, size, 'MB', drawn)
}

function picture(title: string, xLabel: string, yLabel: string, drawn: readonly Drawn[]): string {
  const all = drawn.flatMap(({ points }) => points)
  const label = `${title}: ${drawn.map(({ name, points }) => `${name} ${points.map(({ x, y }) => `${y.toPrecision(3)} at ${x}`).join(', ')}`).join('; ')}.`
  const svg = plotSvg(label, {
    width: 640, height: 320, marginLeft: 56, marginRight: 100, marginTop: 28, marginBottom: 40,
    x: { type: 'log', label: xLabel, labelAnchor: 'center', labelArrow: 'none', tickFormat: 's', grid: true },
    y: {
      type: 'log', label: yLabel, labelArrow: 'none', tickFormat: '~r', grid: true, ticks: 5,
      domain: [Math.min(...all.map(({ y }) => y)) / 2, Math.max(...all.map(({ y }) => y)) * 2],
    },
    marks: drawn.flatMap(({ name, points, straight }, i) => [
      Plot.line(straight, { x: 'x', y: 'y', stroke: COLOURS[i]!, strokeDasharray: '4 4', strokeOpacity: 0.7 }),
      Plot.line(points, { x: 'x', y: 'y', stroke: COLOURS[i]!, strokeWidth: 2 }),
      Plot.dot(points, { x: 'x', y: 'y', r: 3, fill: COLOURS[i]! }),
      Plot.text(points.slice(-1), { x: 'x', y: 'y', text: () => name, textAnchor: 'start', dx: 8, fill: COLOURS[i]! }),
    ]),
  }).text
  return `${svg.replace(/^<svg/, '<svg xmlns="http://www.w3.org/2000/svg"').replace('>', `>${STYLE}`)}\n`
}
