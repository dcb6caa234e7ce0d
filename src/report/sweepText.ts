import type { Interval } from '../stats/interval.ts'
import { settingsText } from '../sweep/axisNames.ts'
import type { ExpectationOutcome } from '../sweep/expectation.ts'
import type { SweepMaker, SweepPoint, SweepReport } from '../sweep/sweep.ts'
import { columnsText } from '../unit/columnsText.ts'
import { grouped, percent, plural, significant, thousands, UNKNOWN } from '../unit/numberText.ts'
import { shortOfSweep } from './shortIntervals.ts'
import { wrapped } from './wrapped.ts'

/** The most rows of the table of all points on a terminal. All rows are in sweep.json. */
const ROWS_MAX = 60
const MAKERS_SHOWN = 8
const BASELINE_LETTERS_MAX = 16

/** What an axis is called: of a participant by its name. */
export const axisTitle = ({ names = {} }: SweepReport['design'], path: string): string => names[path] ?? path

/** A maker of a sweep at the point where it earned most, by the sweep's measure. */
export interface BestPoint {
  readonly maker: SweepMaker
  readonly point: SweepPoint
}

/**
 * The best point of each maker, in the makers' order: the one that is tested (`best`), or else the one with the most. In a search the figures are those that chose, and
 * the best of them are too good.
 */
export function bestPoints({ points, measure, best: tested }: SweepReport): BestPoint[] {
  const name = figureOf(measure)
  const best = new Map<string, BestPoint>()
  const pointOf = new Map(tested.map(({ service, maker, point }) => [`${service}:${maker}`, point]))
  for (const point of points) {
    for (const maker of point.makers) {
      const key = `${maker.service}:${maker.maker}`
      const value = maker.figures[name]?.estimate ?? -Infinity
      const isBetter = pointOf.has(key) ? pointOf.get(key) === point.point : value > (best.get(key)?.maker.figures[name]?.estimate ?? -Infinity)
      if (isBetter || !best.has(key)) best.set(key, { maker, point })
    }
  }
  return [...best.values()]
}

export const figureOf = (measure: SweepReport['measure']): string => (measure === 'cash' ? 'profit' : 'luck-adjusted')

/**
 * What a sweep says, in about ten lines: at which setting each maker earned most, by how much more than at the baseline, and whether that can be told from
 * chance, adjusted for all points.
 */
export function sweepAnswer(sweep: SweepReport): string {
  const { points, best, search, repeats } = sweep
  const shown = best.slice(0, MAKERS_SHOWN)
  const said = [
    ...shown.map(({ sentence }) => `${sentence}.`), ...(best.length > shown.length ? [`${thousands(best.length - shown.length)} more makers, with --full.`] : []), ...(search === null ? [] : searchLines(search)),
    ...(repeats === undefined ? [] : [`${repeats}.`]), ...expectationLines(sweep),
  ]
  const table = points.length < 2 ? pointTable(sweep) : bestTable(sweep)
  return `${[headText(sweep), table, said.map(paragraph).join('\n')].filter((block) => block !== '').join('\n\n')}\n`
}

const paragraph = (text: string): string => wrapped('', 0, ' ', text.split(' ')).join('\n')

function headText({ label, name, seed, design, points, replications }: SweepReport): string {
  const over = design.axes.length === 0 ? '' : ` over ${design.axes.map((path) => axisTitle(design, path)).join(' and ')}`
  const sessions = points.reduce((sum, point) => sum + point.replications - point.failures.length, 0)
  return paragraph(`${label} sweep ${name}, seed ${seed}: ${plural(points.length, 'point')}${over}, ${plural(replications, 'replication')} at most, ${plural(sessions, 'session')}`)
}

/** A row for each maker at its best point. */
function bestTable(sweep: SweepReport): string {
  const { baseline, points, design, measure } = sweep
  const all = bestPoints(sweep)
  const [ranks, other] = measure === 'cash' ? ['profit', 'luck-adjusted'] : ['luck-adjusted', 'profit']
  const base = points.find(({ point }) => point === baseline)
  const hasRange = all.some(({ maker }) => maker.figures[ranks!]?.low != null)
  const hasDifference = all.some(({ maker }) => maker.toBaseline?.low != null)
  const rows = all.slice(0, MAKERS_SHOWN).map(({ maker: { maker, figures, toBaseline }, point }) => [
    maker, settingsText(point.settings, design.names), grouped(figures[ranks!]?.estimate ?? null, 0), ...(hasRange ? [rangeOf(figures[ranks!])] : []),
    ...(base === undefined ? [] : [point.point === baseline ? 'there' : grouped(toBaseline?.estimate ?? null, 0), ...(hasDifference ? [point.point === baseline ? '' : rangeOf(toBaseline)] : [])]),
    grouped(figures[other!]?.estimate ?? null, 0), grouped(figures['fills']?.estimate ?? null, 1), percent(figures['hold']?.estimate ?? null, 1),
  ])
  const head = [
    'maker', 'best at', `${ranks === 'profit' ? 'cash' : ranks} USDC`, ...(hasRange ? ['95%'] : []),
    ...(base === undefined ? [] : [`over ${baselineText(base, design)}`, ...(hasDifference ? ['95%'] : [])]), other === 'profit' ? 'cash' : other!, 'fills', 'hold',
  ]
  return columnsText([head, ...rows], head.map((_, i) => i).slice(2))
}

/** The baseline by its settings, or by its number where they are long. */
export function baselineText({ point, settings }: SweepPoint, { names }: SweepReport['design']): string {
  const text = settingsText(settings, names)
  return text.length > BASELINE_LETTERS_MAX ? `point ${point}` : text
}

/** A row for each maker of a sweep of one point. */
function pointTable({ points }: SweepReport): string {
  const rows = (points[0]?.makers ?? []).map(({ maker, figures }) => [
    maker, grouped(figures['luck-adjusted']?.estimate ?? null, 0), rangeOf(figures['luck-adjusted']), grouped(figures['profit']?.estimate ?? null, 0), grouped(figures['fills']?.estimate ?? null, 1), percent(figures['hold']?.estimate ?? null, 1),
  ])
  return rows.length === 0 ? '' : columnsText([['maker', 'luck-adjusted USDC', '95%', 'cash', 'fills', 'hold'], ...rows], [1, 2, 3, 4, 5])
}

const rangeOf = (interval: Interval | undefined): string => (interval === undefined || interval.low === null || interval.high === null ? UNKNOWN : `${grouped(interval.low, 0)} … ${grouped(interval.high, 0)}`)

/** All of a sweep as text: a row for each point and maker, and what the figures rest on. */
export function sweepText(sweep: SweepReport): string {
  const { points, design, until, licence, measure, best, search, repeats } = sweep
  const labels = new Set<string>()
  const rows = points.flatMap(({ point, settings, replications, narrow, makers }) => makers.map(({ maker, figures }) => {
    for (const { low, label } of ['luck-adjusted', 'profit'].map((name) => figures[name]!)) if (low !== null) labels.add(label)
    return [
      String(point), ...design.axes.map((path) => settings[path]!), `${replications}${narrow === false ? '*' : ''}`, maker,
      grouped(figures['luck-adjusted']!.estimate, 0), spanText(figures['luck-adjusted']!, 0, 1), grouped(figures['profit']!.estimate, 0), spanText(figures['profit']!, 0, 1), percent(figures['hold']!.estimate, 1), spanText(figures['hold']!, 1, 100),
      percent(figures['hit ratio']!.estimate, 1), grouped(figures['fills']!.estimate, 1), grouped(figures['cash drawdown']!.estimate, 1),
    ]
  }))
  const head = ['point', ...design.axes.map((path) => axisTitle(design, path)), 'sessions', 'maker', 'luck-adjusted', '95%', 'cash, USDC', '95%', 'hold', '95%', 'hit ratio', 'fills', 'drawdown, USDC']
  const text = [0, ...design.axes.map((_, i) => 1 + i), design.axes.length + 2]
  const table = columnsText([head, ...rows.slice(0, ROWS_MAX)], head.flatMap((_, i) => (i > 0 && text.includes(i) ? [] : [i])))
  const short = shortOfSweep(points)
  const notes = [
    rows.length > ROWS_MAX ? `… ${thousands(rows.length - ROWS_MAX)} more rows in sweep.json` : '',
    `per session on average; intervals: ${[...labels].join('; ') || 'none'}`,
    short.cash === null ? '' : `no interval of cash: ${short.cash}`, short.close === null ? '' : `no interval: ${short.close}`,
    `${measure === 'cash' ? 'cash leads' : 'luck-adjusted leads'}: ${licence.text}`,
    repeats ?? '', ...best.map(({ sentence }) => sentence), ...(search === null ? [] : searchLines(search)),
    until !== null && points.some(({ narrow }) => narrow === false) ? `* not as narrow as wanted (${until})` : '', ...expectationLines(sweep),
  ]
  return `${[table, ...notes.filter((note) => note !== '')].join('\n')}\n`
}

const spanText = ({ low, high }: Interval, decimals: number, scale: number): string =>
  (low === null || high === null ? '' : `${grouped(scale * low, decimals)} … ${grouped(scale * high, decimals)}`)

/** The rounds of a search, and what it found. */
function searchLines({ text, points, rounds, winner }: NonNullable<SweepReport['search']>): string[] {
  const steps = rounds.map((round) => `${thousands(round.points)} points to ${thousands(round.replications)} replications`)
  return [
    `maximised ${text} over ${thousands(points)} points: ${steps.join(', ')}; figures in the table chose the winner, and those of the best are too good`,
    winner === null ? 'no point was played to its end' : winner.sentence,
  ]
}

/** Whether what the scenario expects holds, a line each. */
export const expectationLines = ({ expectations }: SweepReport): string[] => expectations.map(expectationText)

const expectationText = ({ text, difference, holds }: ExpectationOutcome): string => (difference === null || difference.estimate === null
  ? `not shown: ${text}` : `${holds ? 'as expected' : 'not shown'}: ${text}, by ${significant(difference.estimate)} [${significant(difference.low)}, ${significant(difference.high)}] (${difference.label})`)
