import { short } from '../short.ts'
import type { Axis, Cost } from './axes.ts'
import { straightLine } from './line.ts'
import type { Point } from './point.ts'

/** µs for each of what the cost is told for. */
export const costOf = ({ phase, per }: Cost, { mainUs, counts }: Point): number => mainUs[phase] / counts[per]

const COLUMN = 15
const COMPARED = { flat: '÷ least', line: '÷ line' } as const
const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(0)

/** One line for each size: costs, the ratio of each to the cost without extra effects, and memory in MB. */
export function tableText({ size, costs }: Axis, points: readonly Point[]): string {
  const lines = costs.map((cost) =>
    (cost.growth === undefined ? null : straightLine(points.map((point) => ({ size: point.size, cost: costOf(cost, point) })), cost.growth)))
  const head = [size, 'requests', ...costs.flatMap(({ name, growth }) => (growth === undefined ? [name] : [name, COMPARED[growth]])), 'open', 'history MB', 'session MB', 'peak MB']
  const rows = points.map((point) => [
    String(point.size), String(point.counts.requests),
    ...costs.flatMap((cost, i) => {
      const figure = costOf(cost, point)
      return [short(figure), ...(lines[i] === null ? [] : [figure > 0 ? (figure / lines[i]!(point.size)).toFixed(2) : '–'])]
    }),
    String(point.counts.positions), megabytes(point.historyBytes), megabytes(point.sessionBytes), megabytes(point.peakBytes),
  ])
  return [head, ...rows].map((cells) => cells.map((cell) => cell.padStart(COLUMN)).join('').trimEnd()).join('\n')
}
