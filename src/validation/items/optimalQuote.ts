import type { MakerStrategy } from '../../agent/maker.ts'
import logisticDemandMaker from '../../agent/makers/logisticDemand.ts'
import { entityOfName } from '../../kernel/names.ts'
import { Draws, Purpose, rootKey } from '../../kernel/random.ts'
import { log } from '../../math/log.ts'
import { exactSum } from '../../math/sum.ts'
import { fixed } from '../../unit/numberText.ts'
import { ODDS_E4_MIN, ODDS_ONE } from '../../unit/odds.ts'
import { MINUTE_US } from '../../unit/time.ts'
import { meanOf } from '../estimates.ts'
import { figureOf, type ItemFigure, type Task, type ValidationItem } from '../figure.ts'
import { type FillLog, payoutOf } from '../fillLog.ts'
import { logisticDemand, optimalMargin } from '../known.ts'
import { asker, quoter } from '../oneLeg.ts'
import { type PlayedMaker, playSession, WIDENED } from '../playSession.ts'
import { requestsUs, separateMarkets } from '../separateMarkets.ts'

/** Demand 1 ∕ (1 + exp(α + β · margin)), the margin in the paper's basis points. */
interface Demand {
  readonly id: string
  readonly alpha: number
  readonly beta: number
}

const DEMANDS: readonly Demand[] = [{ id: 'liquid', alpha: -1.9, beta: 11 }, { id: 'illiquid', alpha: -0.3, beta: 3.5 }]
/** A basis point of the paper stands for ten cents here: its margins lie below the grid of odds. */
const PRICE_PER_BP = 0.1
const CENTS = 100
const VALUES = [0.3, 0.5] as const
/** Reservation prices come in groups, one from each hundredth of their distribution. */
const GROUP = 100
const REQUESTS = { small: 3_000, full: 20_000 } as const
const PER_CENT = 100
/** Per cent of requests. */
const HIT_WIDTH_MAX = { small: 1, full: 0.4 } as const
/** bp; narrower than the least difference that is shown. */
const PROFIT_WIDTH_MAX = { small: 0.005, full: 0.0025 } as const

/** The highest margin that request `i` takes, bp: by inversion of the demand. */
function reservation({ alpha, beta }: Demand, i: number, draws: Draws): number {
  const u = ((i % GROUP) + draws.uniform(entityOfName('reservation'), i)) / GROUP
  return (log((1 - u) / u) - alpha) / beta
}

/** The built-in maker, which finds its margin itself; its β counts per cent of a dollar. */
const optimalMaker = ({ alpha, beta }: Demand): PlayedMaker => ({
  name: 'maker', strategy: logisticDemandMaker as unknown as MakerStrategy,
  values: { alpha, beta: beta / (PRICE_PER_BP * CENTS), cap: 1e15, maxAge: MINUTE_US, tolerance: 1 },
})

/** One at a margin, bp. */
const makerAt = (margin: number): PlayedMaker => ({ name: 'maker', strategy: quoter(() => margin * PRICE_PER_BP) })

/** One session of a maker. All makers meet the same requests: common random numbers. */
async function market(task: Task, demand: Demand, maker: PlayedMaker): Promise<FillLog> {
  const count = REQUESTS[task.size]
  const seed = `${task.seed} optimal quote ${demand.id}`
  const draws = new Draws(rootKey(seed), Purpose.signalNoise)
  const value = (i: number): number => VALUES[0] + (VALUES[1] - VALUES[0]) * draws.uniform(entityOfName('value'), i)
  const met = task.wrong ? { ...demand, beta: demand.beta * 1.3 } : demand
  const floorOf = (i: number): number | null => {
    const highest = value(i) + reservation(met, i, draws) * PRICE_PER_BP
    // Rounded to the nearest odds of the grid. Rounding down would let in some requests that the demand leaves out.
    return highest > 0 ? Math.max(ODDS_E4_MIN, Math.round(ODDS_ONE / highest)) : null
  }
  return playSession({
    seed, service: 'outcome', world: separateMarkets(count, value, seed), makers: [maker],
    cohorts: [{ name: 'takers', strategy: asker(floorOf), bettors: 1000, arrivalsUs: requestsUs(count) }],
  }, task)
}

/** Means over groups of requests; `of` is told the fill of a request, or that there is none. */
function groupMeans({ fills, asked }: FillLog, of: (fill: FillLog['fills'][number] | undefined) => number): number[] {
  const fillOf = new Map(fills.map((fill) => [fill.markets[0]!, fill]))
  return Array.from({ length: asked.length / GROUP }, (_, group) =>
    exactSum(Array.from({ length: GROUP }, (__, i) => of(fillOf.get(group * GROUP + i)))) / GROUP)
}

/** Profit per contract of a fill against V, in bp. */
const profitOf = (fill: FillLog['fills'][number] | undefined): number =>
  (fill === undefined ? 0 : (fill.paidMicros / payoutOf(fill) - fill.valueAtCommit) / PRICE_PER_BP)

async function measureDemand(task: Task, demand: Demand): Promise<ItemFigure[]> {
  const { id, alpha, beta } = demand
  const best = optimalMargin(alpha, beta)
  const expected = (margin: number): number => margin * logisticDemand(alpha, beta, margin)
  const log = await market(task, demand, optimalMaker(demand))
  const profits = groupMeans(log, profitOf)
  const settings = { alpha, betaPerBp: beta, marginBp: Math.round(best * 1e4) / 1e4 }
  const remark = `at δ* quotes the built-in maker logistic-demand, without a limit on its risk; one basis point of the paper is ten cents here, above the grid of odds; reservation prices one from each hundredth of their distribution; the profit at δ* is δ* times the share that takes it, and says the same; one leg; ${WIDENED.outcome}`
  const figures = [
    figureOf({ id: `4.hit-${id}`, title: `share of requests that take the quote at δ* = ${fixed(best, 4)} bp`, unit: '%', settings, remark },
      { known: logisticDemand(alpha, beta, best) * PER_CENT, widthMax: HIT_WIDTH_MAX[task.size] }, meanOf(groupMeans(log, (fill) => (fill === undefined ? 0 : PER_CENT))), log.fills),
    figureOf({ id: `4.profit-${id}`, title: 'profit per request at δ*', unit: 'bp', settings, remark },
      { known: expected(best), widthMax: PROFIT_WIDTH_MAX[task.size] }, meanOf(profits), log.fills),
  ]
  for (const [name, factor] of [['lower', 0.7], ['higher', 1.3]] as const) {
    const other = await market(task, demand, makerAt(best * factor))
    const differences = groupMeans(other, profitOf).map((profit, i) => profit - profits[i]!)
    figures.push(figureOf({
      id: `4.${name}-${id}`, title: `profit per request at ${factor} δ* less that at δ*, the same requests`, unit: 'bp',
      settings: { ...settings, factor }, remark,
    }, { known: expected(best * factor) - expected(best), widthMax: PROFIT_WIDTH_MAX[task.size] }, meanOf(differences), [...log.fills, ...other.fills]))
  }
  return figures
}

async function measure(task: Task): Promise<ItemFigure[]> {
  const figures: ItemFigure[] = []
  for (const demand of DEMANDS) figures.push(...await measureDemand(task, demand))
  return figures
}

export const optimalQuote: ValidationItem = {
  id: '4', title: 'optimal quote under logistic demand', source: 'Barzykin, Bergault and Guéant, arXiv 2207.04100: δ* = [1 + W(e^(−1 − α))]/β',
  wrong: 'demand falls 30 % faster with the margin than the maker reckons', requests: (size) => 3 * DEMANDS.length * REQUESTS[size], measure,
}
