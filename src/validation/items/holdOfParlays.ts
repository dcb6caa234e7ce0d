import type { BettorStrategy } from '../../agent/bettor.ts'
import noise from '../../agent/bettors/noise.ts'
import type { MakerStrategy } from '../../agent/maker.ts'
import fixedMargin from '../../agent/makers/fixedMargin.ts'
import { exactSum } from '../../math/sum.ts'
import { ODDS_ONE } from '../../unit/odds.ts'
import { HOUR_US, SECOND_US } from '../../unit/time.ts'
import { type Estimate, ratioOf, scaled } from '../estimates.ts'
import { figureOf, type ItemFigure, type Task, type ValidationItem } from '../figure.ts'
import { type Fill, payoutOf } from '../fillLog.ts'
import { parlayHold } from '../known.ts'
import { playSession, WIDENED } from '../playSession.ts'
import { type MadeMarket, WORLD_BEGIN_US, worldOf } from '../world.ts'

const MARKETS = 60
const LEGS = [2, 3, 4, 5] as const
const REQUESTS = { small: 1_000, full: 20_000 } as const
const GAP_US = SECOND_US / 10
const POINTS = 100
/** Points. */
const WIDTH_MAX = 0.01
/** At −110 one pays 110 to win 100: YES and NO of a leg cost 11 ∕ 21 each. */
const ASK = 11 / 21
const WRONG_ASK = 0.5 + (ASK - 0.5) * 0.7

/**
 * Hold by conditional expectation, Σ(s − V · P) ∕ Σs. It contains no outcome, so that only the rounding of prices to a millionth and of
 * odds to four decimals is left. The interval is widened by one step of each.
 */
function holdOf(fills: readonly Fill[], legs: number): Estimate {
  const { measured, low, high } = ratioOf(fills.map((fill) => fill.paidMicros - fill.valueAtCommit * payoutOf(fill)), fills.map((fill) => fill.paidMicros))
  const meanValue = exactSum(fills.map((fill) => fill.valueAtCommit)) / fills.length
  const step = meanValue / ODDS_ONE + legs * (1e-6 / ASK)
  return scaled({ measured, low: low - step, high: high + step }, POINTS)
}

async function measure(task: Task): Promise<ItemFigure[]> {
  const requests = REQUESTS[task.size]
  const seed = `${task.seed} parlay hold`
  const ask = task.wrong ? WRONG_ASK : ASK
  const untilUs = WORLD_BEGIN_US + requests * GAP_US
  const market: MadeMarket = { prices: [{ atUs: WORLD_BEGIN_US, bid: 1 - ask, ask }], settledUs: untilUs + HOUR_US, outcome: null }
  const log = await playSession({
    seed, service: 'parlay', world: worldOf(Array.from({ length: MARKETS }, () => market), seed, { missing: 'draw' }), untilUs,
    makers: [{
      name: 'maker', strategy: fixedMargin as unknown as MakerStrategy,
      values: { margin: 0, cap: 1e15, maxAge: 1e6 * SECOND_US, tolerance: 1 },
    }],
    cohorts: [{
      name: 'noise', strategy: noise as unknown as BettorStrategy, bettors: 1000, gapUs: GAP_US,
      values: { toleranceMin: 0.9, toleranceMax: 0.9, maxAge: 1e6 * SECOND_US },
    }],
  }, task)
  return LEGS.map((legs) => {
    const fills = log.fills.filter(({ markets }) => markets.length === legs)
    return figureOf({
      id: `7.hold-${legs}`, title: `share of stakes that ${legs} legs at −110 hold back`, unit: '%',
      settings: { legs, ask: '11/21', markets: MARKETS },
      remark: `conditional expectation at middle prices: nothing random is left, more samples change nothing, and the interval is an allowance for the grid, one step of prices and of odds; built-in makers and bettors; the maker has no limit on its risk and confirms whatever is selected; ${WIDENED.parlay}`,
    }, { known: parlayHold(legs) * POINTS, widthMax: WIDTH_MAX }, holdOf(fills, legs), fills)
  })
}

export const holdOfParlays: ValidationItem = {
  id: '7', title: 'hold of a parlay', source: '1 − (21/22)ⁿ at −110 a leg', wrong: 'legs are 30 % less dear',
  requests: (size) => REQUESTS[size], measure,
}
