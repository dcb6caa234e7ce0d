import { entityOfName } from '../../kernel/names.ts'
import { Draws, Purpose, rootKey } from '../../kernel/random.ts'
import { type Estimate, meanOf, ratioOf, scaled } from '../estimates.ts'
import { figureOf, type ItemFigure, type Task, type ValidationItem } from '../figure.ts'
import { type FillLog, payoutOf } from '../fillLog.ts'
import { EQUILIBRIUM_MARK_UP, winnersProfit, winnersProfitAtFixedStakes } from '../known.ts'
import { asker, quoter } from '../oneLeg.ts'
import { playSession, WIDENED } from '../playSession.ts'
import { requestsUs, separateMarkets } from '../separateMarkets.ts'

const ERROR = 0.1
const VALUES = [0.3, 0.7] as const
const BIDDERS = [2, 3, 5, 8] as const
const REQUESTS = { small: 1_600, full: 20_000 } as const
const WIDTH_MAX = { small: 0.14, full: 0.03 } as const

/** One session of n makers whose quotes are sealed; each quotes its signal plus a mark-up in units of ε. */
async function auction(task: Task, bidders: number, markUp: number): Promise<FillLog> {
  const { size, wrong } = task
  const count = REQUESTS[size]
  const seed = `${task.seed} winner's curse ${bidders} ${markUp}`
  const draws = new Draws(rootKey(seed), Purpose.signalNoise)
  const value = (market: number): number => VALUES[0] + (VALUES[1] - VALUES[0]) * draws.uniform(entityOfName('value'), market)
  const error = wrong ? ERROR * 1.3 : ERROR
  const makers = Array.from({ length: bidders }, (_, i) => {
    const name = `maker ${i + 1}`
    const signal = (market: number): number => error * (2 * draws.uniform(entityOfName(name), market) - 1)
    return { name, strategy: quoter((market) => signal(market) + markUp * ERROR) }
  })
  return playSession({
    seed, service: 'outcome', world: separateMarkets(count, value, seed), makers,
    cohorts: [{ name: 'takers', strategy: asker(), bettors: 1000, arrivalsUs: requestsUs(count) }],
  }, task)
}

/** Profit per contract, each fill counting as one, in units of ε. */
const perContract = ({ fills }: FillLog): Estimate =>
  scaled(meanOf(fills.map((fill) => fill.paidMicros / payoutOf(fill) - fill.valueAtCommit)), 1 / ERROR)

/** Profit per dollar of payout, in units of ε. */
const perPayout = ({ fills }: FillLog): Estimate =>
  scaled(ratioOf(fills.map((fill) => fill.paidMicros - fill.valueAtCommit * payoutOf(fill)), fills.map(payoutOf)), 1 / ERROR)

async function measure(task: Task): Promise<ItemFigure[]> {
  const figures: ItemFigure[] = []
  const widthMax = WIDTH_MAX[task.size]
  for (const bidders of BIDDERS) {
    for (const [name, quotes, markUp] of [['signal', 'quote their signal', 0], ['equilibrium', 'quote signal + ε', EQUILIBRIUM_MARK_UP]] as const) {
      const log = await auction(task, bidders, markUp)
      const settings = { makers: bidders, quote: quotes, epsilon: ERROR, values: `uniform ${VALUES[0]} … ${VALUES[1]}` }
      figures.push(figureOf({
        id: `1.${name}-${bidders}`, title: `${bidders} makers ${quotes}: the winner's profit per contract`, unit: 'ε', settings,
        remark: `each fill counts as one contract, scored against V; ${WIDENED.outcome}`,
      }, { known: winnersProfit(bidders, markUp), widthMax }, perContract(log), log.fills))
      if (bidders !== 2 || markUp !== 0) continue
      figures.push(figureOf({
        id: '1.fixed-stake-2', title: 'the same per dollar of payout: fixed stakes buy more where the winner erred more', unit: 'ε', settings,
        remark: `known value: the integral over values and errors; ${WIDENED.outcome}`,
      }, { known: winnersProfitAtFixedStakes(bidders, markUp, ERROR, VALUES), widthMax }, perPayout(log), log.fills))
    }
  }
  return figures
}

export const winnersCurse: ValidationItem = {
  id: '1', title: "winner's curse", source: 'Kagel and Levin 1986: −ε(n − 1)/(n + 1) and 2ε/(n + 1)', wrong: 'signals err by 1.3 ε',
  requests: (size) => 2 * BIDDERS.length * REQUESTS[size], measure,
}
