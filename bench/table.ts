import { costsUs, type Figure, type Range, rangeOf } from './figures.ts'
import { machineText } from './machine.ts'
import { COSTS } from './ownPrograms.ts'
import { HOLD_SIZES } from './queue/holdModel.ts'
import { holdKey, QUEUES } from './queue/holds.ts'
import type { Results } from './results.ts'
import { short } from './short.ts'
import { FOLLOWED_MARKETS, followKey, FOLLOWERS } from './tickPeers.ts'

type Figures = ReadonlyMap<string, Figure>

/** Rows of `--short`: what people wait for, and then the engine. */
const SHORT_WAITED = ['sweep.1', 'sweep.2', 'parlay.tables']
const SHORT_ENGINES = ['cpp', 'simpy', 'parlay', 'parlay.digest', 'parlay.gate', 'outcome']

/** All that a run found, or with `isShort` what people wait for and the rates of whole engines. */
export function textOf(results: Results, isShort = false): string {
  const { machine, requests, rounds, leftOut } = results
  const figures: Figures = new Map(results.figures.map((figure) => [figure.key, figure]))
  const head = [
    machineText(machine),
    `${requests} requests, ${rounds} rounds interleaved: median (lowest – highest); rates per CPU-second of the whole process, parlor warm`,
  ]
  const parts = isShort
    ? [[...head, ...rowsOf(figures, 'what people wait for', SHORT_WAITED)], followRows(figures), engineRows(figures, SHORT_ENGINES)]
    : [
      [...head, ...leftOut.map((line) => `left out: ${line}`)], shareRows(results), engineRows(figures, null), costRows(figures), followRows(figures),
      queueRows(figures), rowsOf(figures, 'others', OTHERS),
    ]
  return parts.filter((lines) => lines.length > 0).map((lines) => lines.join('\n')).join('\n\n')
}

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`

function shareRows({ shares }: Results): string[] {
  if (shares.length === 0) return []
  return aligned([
    ['what becomes of requests', 'requests', 'lapse', 'miss', 'trade', 'of these auctioned', 'of these sold'],
    ...shares.map((row) => [row.name, String(row.requests), ...[row.lapse, row.miss, row.trade, row.auctioned, row.sold].map(percent)]),
  ])
}

/** Requests per second of whole engines; all with events, or those named without. */
function engineRows(figures: Figures, keys: readonly string[] | null): string[] {
  const yardsticks = [['cpp', '÷ C++'], ['simpy', '× SimPy']].flatMap(([key, title]) => {
    const figure = figures.get(key!)
    return figure === undefined ? [] : [{ title: title!, median: rangeOf(figure.values).median }]
  })
  const rows = [...figures.values()].filter(({ key, unit }) => unit === 'requests/s' && (keys === null || keys.includes(key)))
  return rows.length === 0 ? [] : aligned([
    ['requests/s', 'median', 'range', ...(keys === null ? ['events/s'] : []), ...yardsticks.map(({ title }) => title)],
    ...rows.map(({ key, name, values }) => {
      const range = rangeOf(values)
      const events = keys === null ? [short(rangeOf(figures.get(`${key}.events`)!.values).median)] : []
      return [name, short(range.median), rangeText(range), ...events, ...yardsticks.map(({ median }) => (range.median / median).toFixed(3))]
    }),
  ])
}

function costRows(figures: Figures): string[] {
  const rows = COSTS.filter(({ slower, faster }) => figures.has(slower) && figures.has(faster)).map(({ name, slower, faster }) => {
    const range = rangeOf(costsUs(figures.get(slower)!, figures.get(faster)!))
    return [name, short(range.median), rangeText(range), `${figures.get(slower)!.name} less ${figures.get(faster)!.name}`]
  })
  return rows.length === 0 ? [] : aligned([['cost, µs of CPU per request', 'median', 'range', 'by difference, round by round'], ...rows])
}

function queueRows(figures: Figures): string[] {
  const rangeOn = (queue: string, size: number): Range => rangeOf(figures.get(holdKey(queue, size))!.values)
  const isThere = (queue: string): boolean => figures.has(holdKey(queue, HOLD_SIZES[0]))
  const hasCpp = isThere('cpp')
  if (!Object.keys(QUEUES).some(isThere)) return []
  const cellsOf = (queue: string, size: number): string[] => {
    const range = rangeOn(queue, size)
    return [short(range.median), rangeText(range), ...(hasCpp ? [(range.median / rangeOn('cpp', size).median).toFixed(2)] : [])]
  }
  return aligned([
    ['hold model, million holds/s', ...HOLD_SIZES.flatMap((size) => [`${size} events`, 'range', ...(hasCpp ? ['÷ C++'] : [])])],
    ...Object.entries(QUEUES).filter(([queue]) => isThere(queue))
      .map(([queue, title]) => [title, ...HOLD_SIZES.flatMap((size) => cellsOf(queue, size))]),
  ])
}

const OTHERS = ['sweep.1', 'sweep.2', 'sweep.ratio', 'sweep.machine', 'replay', 'import', 'arrow', 'startUp']

function rowsOf(figures: Figures, title: string, keys: readonly string[]): string[] {
  const rows = keys.flatMap((key) => {
    const figure = figures.get(key)
    if (figure === undefined) return []
    const range = rangeOf(figure.values)
    return [[figure.name, short(range.median), rangeText(range), figure.unit]]
  })
  return rows.length === 0 ? [] : aligned([[title, 'median', 'range', ''], ...rows])
}

/** Changes of prices that a maker follows, a second. */
function followRows(figures: Figures): string[] {
  const programs = (Object.keys(FOLLOWERS) as (keyof typeof FOLLOWERS)[]).filter((program) => figures.has(followKey(program, FOLLOWED_MARKETS[0])))
  if (programs.length === 0) return []
  const rangeOn = (program: keyof typeof FOLLOWERS, markets: number): Range => rangeOf(figures.get(followKey(program, markets))!.values)
  const cellsOf = (program: keyof typeof FOLLOWERS, markets: number): string[] => {
    const range = rangeOn(program, markets)
    return [short(range.median), rangeText(range), programs.includes('parlor') ? (rangeOn('parlor', markets).median / range.median).toFixed(2) : '']
  }
  return aligned([
    ['prices that a maker follows, changes/s', ...FOLLOWED_MARKETS.flatMap((markets) => [`${markets} market${markets === 1 ? '' : 's'}`, 'range', 'parlor ÷ it'])],
    ...programs.map((program) => [FOLLOWERS[program], ...FOLLOWED_MARKETS.flatMap((markets) => cellsOf(program, markets))]),
  ])
}

const rangeText = ({ low, high }: Range): string => `${short(low)} – ${short(high)}`

/** Columns of one width, the first on the left and the others on the right. */
function aligned(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)))
  return rows.map((row) => row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!))).join('  ').trimEnd())
}
