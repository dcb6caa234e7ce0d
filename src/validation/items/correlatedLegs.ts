import { bettor, type BettorStrategy } from '../../agent/bettor.ts'
import fixedMargin from '../../agent/makers/fixedMargin.ts'
import type { MakerStrategy } from '../../agent/maker.ts'
import { assert } from '../../unit/assert.ts'
import { USDC } from '../../unit/micros.ts'
import { ODDS_E4_MIN } from '../../unit/odds.ts'
import { MINUTE_US, SECOND_US } from '../../unit/time.ts'
import { type Estimate, meanOf } from '../estimates.ts'
import { figureOf, type ItemFigure, type Task, type ValidationItem } from '../figure.ts'
import { type Fill, type FillLog, payoutOf } from '../fillLog.ts'
import { legsWinAtHalf, pairWins } from '../known.ts'
import { DECIDE_US } from '../oneLeg.ts'
import { playSession, WIDENED } from '../playSession.ts'
import { type MadeMarket, WORLD_BEGIN_US, type World, worldOf } from '../world.ts'

const BET_MICROS = 10 * USDC
const GAP_US = SECOND_US / 10
const GAMES = { small: 2_500, full: 10_000 } as const
const PER_CENT = 100
const WRONG_BY = 0.15
/** Per cent of parlays. */
const WIDTH_MAX = { small: 6, full: 2.2 } as const

/** A leg of a parlay: a market of its game, and a side. */
type GameLeg = readonly [market: number, side: 0 | 1]
interface Parlay {
  /** The figure that it counts for. */
  readonly kind: string
  readonly legs: readonly GameLeg[]
}

const sided = (markets: readonly number[], side: 0 | 1): GameLeg[] => markets.map((market) => [market, side])
const bothWays = (kind: string, markets: readonly number[]): Parlay[] => [{ kind, legs: sided(markets, 1) }, { kind, legs: sided(markets, 0) }]

/** What is asked of each game of five markets: the same legs on YES and on NO win equally often. */
const OF_FIVE: readonly Parlay[] = [
  ...bothWays('pair', [0, 1]), ...bothWays('pair', [2, 3]),
  ...([[0, 1], [1, 2], [2, 3], [4, 0]] as const).map(([yes, no]): Parlay => ({ kind: 'opposed', legs: [[yes, 1], [no, 0]] })),
  ...bothWays('three', [0, 1, 2]), ...bothWays('four', [1, 2, 3, 4]), ...bothWays('five', [0, 1, 2, 3, 4]),
]
const OF_TWO: readonly Parlay[] = bothWays('pair', [0, 1])

interface Games {
  readonly label: string
  readonly size: number
  readonly correlation: number
  readonly parlays: readonly Parlay[]
}

/** Games whose markets stand at evens; the settlement policy draws their outcomes with a factor in common (a Gaussian copula). */
function gamesWorld({ size, parlays }: Games, count: number, correlation: number, seed: string): World {
  const made: MadeMarket[] = []
  for (let game = 0; game < count; game++) {
    const atUs = WORLD_BEGIN_US + game * parlays.length * GAP_US
    for (let i = 0; i < size; i++) made.push({ game: `G${game}`, prices: [{ atUs, bid: 0.5 }], settledUs: atUs + MINUTE_US, outcome: null })
  }
  return worldOf(made, seed, { missing: 'draw', correlation: { share: correlation, within: 'game' } })
}

const parlayAsker = ({ size, parlays }: Games): BettorStrategy => bettor({}, () => ({
  onArrival(intent, desk) {
    const game = Math.floor(intent.arrival / parlays.length)
    const { legs } = parlays[intent.arrival % parlays.length]!
    legs.forEach(([market, side], i) => intent.setLeg(i, game * size + market, side))
    intent.setLegCount(legs.length)
    desk.requestQuote(intent, { betMicros: BET_MICROS, minOddsE4: ODDS_E4_MIN, decideInUs: DECIDE_US })
  },
  onDecision(intent, desk) {
    if (intent.bestOddsE4 > 0) desk.commit(intent)
  },
}))

async function playGames(task: Task, games: Games): Promise<FillLog> {
  const count = GAMES[task.size]
  const seed = `${task.seed} correlated legs ${games.label}`
  const correlation = task.wrong ? games.correlation + WRONG_BY : games.correlation
  const values = { margin: 0, cap: 1e15, maxAge: MINUTE_US, tolerance: 1 }
  return playSession({
    seed, service: 'parlay', world: gamesWorld(games, count, correlation, seed),
    makers: [{ name: 'maker', strategy: fixedMargin as unknown as MakerStrategy, values }],
    cohorts: [{
      name: 'parlays', strategy: parlayAsker(games), bettors: 1000,
      arrivalsUs: Array.from({ length: count * games.parlays.length }, (_, i) => WORLD_BEGIN_US + SECOND_US + i * GAP_US),
    }],
  }, task)
}

/** Fills of parlays of a kind. */
function fillsOf({ fills }: FillLog, { size, parlays }: Games, kind: string): Fill[] {
  const places = new Set(parlays.filter((parlay) => parlay.kind === kind).map(({ legs }) => legsText(legs)))
  return fills.filter(({ markets, sides }) => places.has(legsText(markets.map((market, i) => [market % size, sides[i]! as 0 | 1]))))
}

/** Per cent of parlays of a kind that the ledger paid in full, over games. Every one that was asked for must have been filled. */
function wonOf(fills: readonly Fill[], { size, parlays }: Games, kind: string, gameCount: number): Estimate {
  const places = parlays.filter((parlay) => parlay.kind === kind).length
  const games = Array.from({ length: gameCount }, () => ({ fills: 0, won: 0 }))
  for (const fill of fills) {
    const game = games[Math.floor(fill.markets[0]! / size)]!
    game.fills++
    if (fill.toBettorMicros === payoutOf(fill)) game.won++
  }
  games.forEach((game, i) => { assert(game.fills === places, `game ${i}: ${game.fills} fills of kind ${kind}, ${places} asked for`) })
  return meanOf(games.map(({ won }) => (won * PER_CENT) / places))
}

const legsText = (legs: readonly GameLeg[]): string => legs.map(([market, side]) => `${market}${side === 1 ? 'y' : 'n'}`).toSorted().join(' ')

async function measure(task: Task): Promise<ItemFigure[]> {
  const half: Games = { label: 'half', size: 5, correlation: 0.5, parlays: OF_FIVE }
  const high: Games = { label: 'high', size: 2, correlation: 0.8, parlays: OF_TWO }
  const [logOfHalf, logOfHigh] = [await playGames(task, half), await playGames(task, high)]
  const figure = (id: string, title: string, known: number, games: Games, log: FillLog, kind: string): ItemFigure => {
    const fills = fillsOf(log, games, kind)
    return figureOf({
      id, title, unit: '%', settings: { correlation: games.correlation, legs: 'evens' },
      remark: `outcomes drawn by the settlement policy with its correlation within a game; parlays that the ledger paid in full, on YES and on NO alike; intervals over games; the maker has no limit on its risk and confirms whatever is selected; ${WIDENED.parlay}`,
    }, { known: known * PER_CENT, widthMax: WIDTH_MAX[task.size] }, wonOf(fills, games, kind, GAMES[task.size]), fills)
  }
  return [
    figure('6.pair-half', 'two legs of 50 % at ρ = 0.5', pairWins(0.5), half, logOfHalf, 'pair'),
    figure('6.pair-high', 'two legs of 50 % at ρ = 0.8', pairWins(0.8), high, logOfHigh, 'pair'),
    figure('6.opposed', 'one leg on YES and one on NO at ρ = 0.5', pairWins(-0.5), half, logOfHalf, 'opposed'),
    figure('6.three', 'three legs of 50 % at ρ = 0.5', legsWinAtHalf(3), half, logOfHalf, 'three'),
    figure('6.four', 'four legs of 50 % at ρ = 0.5', legsWinAtHalf(4), half, logOfHalf, 'four'),
    figure('6.five', 'five legs of 50 % at ρ = 0.5', legsWinAtHalf(5), half, logOfHalf, 'five'),
  ]
}

export const correlatedLegs: ValidationItem = {
  id: '6', title: 'parlays of correlated legs', source: '¼ + asin(ρ)/2π (Sheppard 1899); 1/(n + 1) at ρ = ½', wrong: `outcomes are correlated by ${WRONG_BY} more`,
  requests: (size) => GAMES[size] * (OF_FIVE.length + OF_TWO.length), measure,
}
