import type { Scores } from '../score/scores.ts'
import type { Measure } from '../score/licence.ts'
import { InputError, type InputPosition } from '../unit/inputError.ts'
import { columnPlaces, type MakerKey } from './figures.ts'

/** What successive halving looks for the most of. */
export interface Maximise extends MakerKey {
  readonly measure: Measure
  /** As it was written. */
  readonly text: string
}

const WRITTEN = /^(luck-adjusted|profit)(?: of (.+))?$/
const EXPECTED = 'expected as `luck-adjusted of fixed-margin`, or `profit of fixed-margin`, which is cash'

/** Reads what to maximise. Without a maker it is the only one there is. Throws InputError for another figure or maker. */
export function readMaximise(text: string, makers: readonly { readonly name: string; readonly service: string }[], position: InputPosition): Maximise {
  const [, figure, name] = WRITTEN.exec(text.trim()) ?? []
  if (figure === undefined) throw new InputError(`cannot maximise ${text.trim()}`, { position, hint: EXPECTED })
  const hint = `the makers are ${makers.map((maker) => maker.name).join(', ')}`
  if (name === undefined && makers.length !== 1) throw new InputError('of which maker?', { position, hint })
  const maker = name === undefined ? makers[0]! : makers.find((one) => one.name === name)
  if (maker === undefined) throw new InputError(`no maker ${name}`, { position, hint })
  return { measure: figure === 'profit' ? 'cash' : 'luck-adjusted', maker: maker.name, service: maker.service, text: text.trim() }
}

/** A round of successive halving: how many points are in it, and how many replications of each they have when it ends. */
export interface Rung {
  readonly points: number
  readonly replications: number
}

/**
 * Successive halving (K. Jamieson and A. Talwalkar, AISTATS 2016): all points are played a little, the better half twice as often, and so on.
 * The last round has `replications` of each, and the best of it is the winner. The first round has so few that the last has two points, or
 * one replication where that would be less than one; then more than two points are in the last round.
 */
export function rungsOf(points: number, replications: number): Rung[] {
  let halvings = 0
  for (let left = points; left > 1; left = Math.ceil(left / 2)) halvings++
  const rungs: Rung[] = []
  let [left, played] = [points, Math.max(1, Math.floor(replications / 2 ** Math.max(0, halvings - 1)))]
  for (;;) {
    rungs.push({ points: left, replications: played })
    if (left <= 2 || played >= replications) return rungs
    left = Math.ceil(left / 2)
    played = Math.min(replications, 2 * played)
  }
}

/** The most sessions that a search takes: those of its rounds, and as many new ones of the winner as the last round has of each point. */
export function sessionsOfSearch(points: number, replications: number): number {
  let [sessions, before] = [0, 0]
  for (const rung of rungsOf(points, replications)) {
    sessions += rung.points * (rung.replications - before)
    before = rung.replications
  }
  return sessions + replications
}

/** The profit of a session by what is maximised, microUSDC; 0 for a maker without anything in it. */
export function profitOfSession({ service, maker, measure }: Maximise, scores: readonly Scores[]): number {
  const own = scores.find((one) => one.service === service)
  const m = own?.makers.indexOf(maker) ?? -1
  if (own === undefined || m < 0) return 0
  const [profit, luck] = columnPlaces(own.columns, ['profit', 'luck']) as [number, number]
  let micros = 0
  for (let c = 0; c < own.clusters.length; c++) {
    const from = (m * own.clusters.length + c) * own.columns.length
    micros += own.sums[from + profit]! - (measure === 'cash' ? 0 : own.sums[from + luck]!)
  }
  return micros
}

/** The points that go on, best first: the greatest totals, equal ones by their number. */
export const betterOnes = (points: readonly number[], totals: ReadonlyMap<number, number>, count: number): number[] =>
  points.toSorted((a, b) => totals.get(b)! - totals.get(a)! || a - b).slice(0, count)
