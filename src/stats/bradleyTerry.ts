import { exactSum } from '../math/sum.ts'
import { log } from '../math/log.ts'
import { assert } from '../unit/assert.ts'

/** The readable scale, as chess players know it: the points by which the odds of winning grow tenfold, and the middle. */
const POINTS_PER_TENFOLD = 400
const MIDDLE = 1500
const PER_LOG = POINTS_PER_TENFOLD / log(10)

const STEPS_MAX = 10_000
const CONVERGED = 1e-10

/**
 * Half a virtual win and half a virtual defeat between each two players that met. Without them the strength of a player that won
 * every game has no bound. With them it is drawn to the middle, about as much as one drawn game would.
 */
export const PRIOR_WINS = 0.5

/** Games between `players`, row against column. Numbers need not be whole. */
export interface Games {
  readonly players: number
  /** players × players: how often the row beat the column. */
  readonly wins: Float64Array
  /** players × players, symmetric: how often the two drew. */
  readonly ties: Float64Array
}

export interface Strengths {
  /** On the readable scale with mean 1500: 400 points more make the odds of winning ten to one. NaN for a player that met nobody. */
  readonly ratings: Float64Array
  /** θ ≥ 1 of Rao and Kupper: 1 where there are no ties. */
  readonly tieFactor: number
}

/**
 * Strengths γ of the Bradley–Terry model with the ties of P. V. Rao and L. L. Kupper (JASA 62, 1967): i beats j with probability
 * γᵢ/(γᵢ + θγⱼ). They are fitted by the MM algorithm of D. R. Hunter (Annals of Statistics 32, 2004, sections 2 and 4), which rises
 * to the maximum of the likelihood from any start. `prior` virtual wins on both sides are added to each pair that met. A prior of 0
 * gives the maximum-likelihood estimate, which exists only where no group of players won or lost all of its games against the rest.
 */
export function bradleyTerry(games: Games, prior: number = PRIOR_WINS): Strengths {
  const { players } = games
  assert(games.wins.length === players * players && games.ties.length === players * players, 'games are players × players')
  const met = (i: number, j: number): boolean => i !== j
    && games.wins[i * players + j]! + games.wins[j * players + i]! + games.ties[i * players + j]! > 0
  // Hunter's sᵢⱼ: wins, virtual wins and ties.
  const scores = Float64Array.from({ length: players * players }, (_, at) => {
    const [i, j] = [Math.floor(at / players), at % players]
    return met(i, j) ? games.wins[at]! + games.ties[at]! + prior : 0
  })
  const drawn = exactSum(games.ties) / 2
  const active = Array.from({ length: players }, (_, i) => i).filter((i) => Array.from({ length: players }, (__, j) => j).some((j) => met(i, j)))
  const strengths = new Float64Array(players).fill(1)
  let theta = drawn > 0 ? 2 : 1
  for (let step = 0; step < STEPS_MAX; step++) {
    const moved = raise(strengths, scores, theta, active)
    const before = theta
    if (drawn > 0) theta = raisedTheta(strengths, scores, theta, active, drawn)
    if (moved < CONVERGED && Math.abs(theta - before) < CONVERGED) break
  }
  const logs = strengths.map((strength) => log(strength))
  const middle = exactSum(active.map((i) => logs[i]!)) / active.length
  const ratings = new Float64Array(players).fill(NaN)
  for (const i of active) ratings[i] = MIDDLE + PER_LOG * (logs[i]! - middle)
  return { ratings, tieFactor: theta }
}

/** One step of the MM algorithm for every strength in turn. Returns the greatest relative change. The first active strength is kept at 1. */
function raise(strengths: Float64Array, scores: Float64Array, theta: number, active: readonly number[]): number {
  const players = strengths.length
  let moved = 0
  for (const i of active) {
    let won = 0
    let expected = 0
    for (const j of active) {
      const ours = scores[i * players + j]!
      const theirs = scores[j * players + i]!
      won += ours
      expected += ours / (strengths[i]! + theta * strengths[j]!) + (theta * theirs) / (theta * strengths[i]! + strengths[j]!)
    }
    const next = won / expected
    moved = Math.max(moved, Math.abs(next / strengths[i]! - 1))
    strengths[i] = next
  }
  // Only ratios matter: a strength that stands still keeps the others from drifting away.
  const unit = strengths[active[0] ?? 0]!
  for (const i of active) strengths[i]! /= unit
  return moved
}

function raisedTheta(strengths: Float64Array, scores: Float64Array, theta: number, active: readonly number[], drawn: number): number {
  const players = strengths.length
  let expected = 0
  for (const i of active) {
    for (const j of active) {
      expected += (scores[i * players + j]! * strengths[j]!) / (strengths[i]! + theta * strengths[j]!)
    }
  }
  // The positive root of θ² − 1 = 2θ · drawn/expected.
  const half = drawn / expected
  return half + Math.sqrt(1 + half * half)
}
