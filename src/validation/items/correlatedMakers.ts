import { bettor, type BettorStrategy } from '../../agent/bettor.ts'
import type { MakerStrategy } from '../../agent/maker.ts'
import copula from '../../agent/makers/copula.ts'
import fixedMargin from '../../agent/makers/fixedMargin.ts'
import type { Reference } from '../../engine/reference.ts'
import { Draws, Purpose, rootKey } from '../../kernel/random.ts'
import { normalCdf } from '../../math/normal.ts'
import { exactSum } from '../../math/sum.ts'
import { assert } from '../../unit/assert.ts'
import { USDC } from '../../unit/micros.ts'
import { ODDS_E4_MIN } from '../../unit/odds.ts'
import { MINUTE_US, SECOND_US } from '../../unit/time.ts'
import { type Estimate, meanOf } from '../estimates.ts'
import { figureOf, type ItemFigure, type Task, type ValidationItem } from '../figure.ts'
import { type Fill, payoutOf } from '../fillLog.ts'
import { legsWinTogether } from '../known.ts'
import { DECIDE_US } from '../oneLeg.ts'
import { playSession, WIDENED } from '../playSession.ts'
import { type MadeMarket, WORLD_BEGIN_US, type World, worldOf } from '../world.ts'

const CORRELATION = 0.83
const COINS = 5
const MARGIN = 0.05
const BET_MICROS = 10 * USDC
const GAP_US = SECOND_US / 10
const GAMES = { small: 1000, full: 8000 } as const
/** Per cent of stakes. */
const WIDTH_MAX = { small: 75, full: 27 } as const
const PER_CENT = 100
/** Sides of the parlays on each game: all coins on one side, and one coin against the others. */
const PARLAYS = ['yyyyy', 'nnnnn', 'yyyyn', 'nyyyy', 'nnnny', 'ynnnn'].map((sides) => Array.from(sides, (side) => side === 'y'))
const BETTORS = 1000
/** Accounts of makers follow those of bettors. */
const PRODUCT = BETTORS
/** How much of what decides a coin is known when its parlays are priced, and when trading ends: shares of the variance. */
const KNOWN_FIRST = 0.03
const KNOWN_LAST = 0.4

/** A made-up history of games, and the prices of their coins when parlays are priced. */
interface Coins {
  readonly world: World
  readonly prices: readonly (readonly number[])[]
}

/**
 * Coin i of a game is YES when √ρ·F + √(1 − ρ)·Eᵢ is below 0. F and the E are known a little when parlays are priced, and more at the close. A price
 * is the chance given what is known; what is not yet known of two coins has the same correlation ρ, so that V, too, moves without drift.
 */
function coinsOf(count: number, seed: string): Coins {
  const draws = new Draws(rootKey(seed), Purpose.signalNoise)
  const made: MadeMarket[] = []
  const prices: number[][] = []
  for (let game = 0; game < count; game++) {
    const atUs = WORLD_BEGIN_US + game * PARLAYS.length * GAP_US
    const own = (coin: number, known: number): number => {
      const part = (index: number): number =>
        Math.sqrt(KNOWN_FIRST) * draws.normal(game, index) + (known > KNOWN_FIRST ? Math.sqrt(known - KNOWN_FIRST) * draws.normal(game, index + 1) : 0)
      const told = Math.sqrt(CORRELATION) * part(0) + Math.sqrt(1 - CORRELATION) * part(2 + 2 * coin)
      return Math.round(normalCdf(-told / Math.sqrt(1 - known)) * 1e6) / 1e6
    }
    prices.push(Array.from({ length: COINS }, (_, coin) => own(coin, KNOWN_FIRST)))
    for (let coin = 0; coin < COINS; coin++) {
      made.push({
        game: `G${game}`, settledUs: atUs + MINUTE_US, outcome: null,
        prices: [{ atUs, bid: prices[game]![coin]! }, { atUs: atUs + MINUTE_US / 2, bid: own(coin, KNOWN_LAST) }],
      })
    }
  }
  return { prices, world: worldOf(made, seed, { missing: 'draw', correlation: { share: CORRELATION, within: 'game' } }) }
}

const asker: BettorStrategy = bettor({}, () => ({
  onArrival(intent, desk) {
    const game = Math.floor(intent.arrival / PARLAYS.length)
    PARLAYS[intent.arrival % PARLAYS.length]!.forEach((isYes, coin) => { intent.setLeg(coin, game * COINS + coin, isYes ? 1 : 0) })
    intent.setLegCount(COINS)
    desk.requestQuote(intent, { betMicros: BET_MICROS, minOddsE4: ODDS_E4_MIN, decideInUs: DECIDE_US })
  },
  onDecision(intent, desk) {
    if (intent.bestOddsE4 > 0) desk.commit(intent)
  },
}))

/** What the copula maker earns above the product maker on the parlays of a game with these prices, per cent of all stakes, when the lower price is taken. */
function knownGap(prices: readonly number[]): number {
  return exactSum(PARLAYS.map((isYes) => {
    const joint = legsWinTogether(CORRELATION, prices, isYes)
    const product = prices.reduce((chance, price, i) => chance * (isYes[i]! ? price : 1 - price), 1)
    const quoted = Math.min(joint, product) * (1 + MARGIN)
    return ((joint < product ? 1 : -1) * (1 - joint / quoted) * PER_CENT) / PARLAYS.length
  }))
}

/** The copula maker's profit above the product maker's by game, per cent of all stakes, where a parlay costs its maker a share of its payout. */
function gapOf(fills: readonly Fill[], gameCount: number, costOf: (fill: Fill) => number): Estimate {
  const gaps = new Float64Array(gameCount)
  const counts = new Int32Array(gameCount)
  for (const fill of fills) {
    const game = Math.floor(fill.markets[0]! / COINS)
    const profit = (fill.paidMicros - costOf(fill) * payoutOf(fill)) / BET_MICROS
    gaps[game]! += ((fill.maker === PRODUCT ? -1 : 1) * profit * PER_CENT) / PARLAYS.length
    counts[game]!++
  }
  assert(counts.every((count) => count === PARLAYS.length), 'every parlay was filled')
  return meanOf([...gaps])
}

async function measure(task: Task): Promise<ItemFigure[]> {
  const count = GAMES[task.size]
  const seed = `${task.seed} correlated makers`
  const { world, prices } = coinsOf(count, seed)
  const values = { margin: MARGIN, cap: 1e15, maxAge: MINUTE_US, tolerance: 1 }
  const reference = world.reference()
  const valueOf = (of: Reference) => (atUs: number, markets: readonly number[], sides: readonly number[]): number =>
    (task.wrong ? of.productValue(atUs, COINS, markets, sides, 0) : of.parlayValue(atUs, COINS, markets, sides, 0))
  const { fills } = await playSession({
    seed, service: 'parlay', world: { ...world, values: () => valueOf(world.reference()) },
    makers: [
      { name: 'product', strategy: fixedMargin as unknown as MakerStrategy, values },
      { name: 'copula', strategy: copula as unknown as MakerStrategy, values: { ...values, all: CORRELATION, category: CORRELATION, game: CORRELATION } },
    ],
    cohorts: [{
      name: 'parlays', strategy: asker, bettors: BETTORS,
      arrivalsUs: Array.from({ length: count * PARLAYS.length }, (_, i) => WORLD_BEGIN_US + SECOND_US + i * GAP_US),
    }],
  }, task)
  const makers = new Set(fills.map(({ maker }) => maker))
  assert(makers.size === 2 && makers.has(PRODUCT), 'both makers filled, and the product maker has the first account of a maker')
  const closing = ({ markets, sides }: Fill): number =>
    (task.wrong ? reference.closingProduct(COINS, markets, sides, 0) : reference.closingValue(COINS, markets, sides, 0))
  const about = {
    unit: '%', settings: { correlation: CORRELATION, coins: COINS, margin: MARGIN * PER_CENT },
    remark: `per cent of all stakes; five coins a game, near evens, with one factor; outcomes drawn by the settlement policy; the lower price is taken; intervals over games; both makers confirm whatever is selected; ${WIDENED.parlay}`,
  }
  const known = exactSum(prices.map(knownGap)) / count
  const atCommit = gapOf(fills, count, ({ valueAtCommit }) => valueAtCommit)
  return [
    figureOf({ id: '12.at-v', title: 'copula above product maker, profit at V when the parlays were taken', ...about }, { known, widthMax: WIDTH_MAX[task.size] }, atCommit, fills),
    figureOf({ id: '12.adjusted', title: 'the same, profit less luck: V at the close', ...about }, { known, widthMax: WIDTH_MAX[task.size] }, gapOf(fills, count, closing), fills),
    figureOf(
      { id: '12.order', title: 'product above copula maker, profit at V', ...about }, { claim: 'below', known: 0, widthMax: WIDTH_MAX[task.size] },
      { measured: -atCommit.measured, low: -atCommit.high, high: -atCommit.low }, fills,
    ),
  ]
}

export const correlatedMakers: ValidationItem = {
  id: '12', title: 'makers of correlated coins ranked right', source: 'one-factor Gaussian copula: ∫ φ(f) Π Φ(±(zᵢ − √ρ f)/√(1 − ρ)) df', wrong: "V is the product of the legs' values",
  requests: (size) => GAMES[size] * PARLAYS.length, measure,
}
