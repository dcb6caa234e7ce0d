import { bettor, type BettorStrategy } from '../../agent/bettor.ts'
import { Side } from '../../agent/vocabulary.ts'
import { ODDS_E4_MIN } from '../../unit/odds.ts'
import { SECOND_US } from '../../unit/time.ts'
import { entityOfName } from '../../kernel/names.ts'
import { Draws, Purpose, rootKey } from '../../kernel/random.ts'
import { type Estimate, ratioOf, scaled } from '../estimates.ts'
import { figureOf, type ItemFigure, type Task, type ValidationItem } from '../figure.ts'
import { type FillLog, payoutOf } from '../fillLog.ts'
import { glostenMilgromAsk } from '../known.ts'
import { DECIDE_US, quoter, STAKE_MICROS } from '../oneLeg.ts'
import { playSession, WIDENED } from '../playSession.ts'
import { requestsUs, requestUs, SETTLED_AFTER_US } from '../separateMarkets.ts'
import { type MadeMarket, type World, worldOf } from '../world.ts'

/** Requests come in groups. In each group one value is 1, as p says, and all takers ask in the same way, which reduces chance. */
interface Case {
  readonly id: string
  readonly group: number
  readonly informed: number
}

const CASES: readonly Case[] = [{ id: 'half', group: 2, informed: 0.1 }, { id: 'third', group: 3, informed: 0.25 }]
const REQUESTS = { small: 15_000, full: 90_000 } as const
/** Cents per dollar of payout. */
const WIDTH_MAX = { small: 4, full: 1.2 } as const
const CENTS = 100
/** The value is known, as a price of nearly 1 or 0, this long after the request. */
const KNOWN_AFTER_US = 20 * SECOND_US
const HORIZON_US = 30 * SECOND_US
const CERTAIN = 0.999999

/**
 * Each group asks in one way. A share of groups has informed takers, who see the price at their horizon and buy where it is above the
 * offer. The others buy or do not buy at even chances, whatever the value is.
 */
const takers = (informed: number, groupSize: number, draws: Draws): BettorStrategy => bettor({}, () => ({
  onArrival(intent, desk) {
    intent.setLeg(0, intent.arrival, Side.yes)
    intent.setLegCount(1)
    desk.requestQuote(intent, { betMicros: STAKE_MICROS, minOddsE4: ODDS_E4_MIN, decideInUs: DECIDE_US })
  },
  onDecision(intent, desk) {
    const group = Math.floor(intent.arrival / groupSize)
    const offer = 10_000 / intent.bestOddsE4
    const buys = draws.uniform(entityOfName('informed'), group) < informed
      ? desk.futurePrice(intent.legs, 0) > offer : draws.uniform(entityOfName('buys'), group) < 0.5
    if (intent.bestOddsE4 > 0 && buys) desk.commit(intent)
  },
}), { horizonUs: () => HORIZON_US })

/** A price that stands at p and later at the value. In each group the price of one market, which is drawn, rises. */
function binaryWorld(count: number, groupSize: number, draws: Draws, seed: string): World {
  const risesAt = (group: number): number => draws.below(entityOfName('value'), group, groupSize)
  return worldOf(Array.from({ length: count }, (_, i): MadeMarket => {
    const atUs = requestUs(i)
    const rises = i % groupSize === risesAt(Math.floor(i / groupSize))
    return {
      prices: [{ atUs: atUs - SECOND_US, bid: 1 / groupSize }, { atUs: atUs + KNOWN_AFTER_US, bid: rises ? CERTAIN : 1 - CERTAIN }],
      settledUs: atUs + SETTLED_AFTER_US, outcome: rises ? 'yes' : 'no',
    }
  }), seed)
}

async function measureCase(task: Task, { id, group, informed }: Case): Promise<ItemFigure[]> {
  const count = REQUESTS[task.size]
  const p = 1 / group
  const seed = `${task.seed} Glosten and Milgrom ${id}`
  const draws = new Draws(rootKey(seed), Purpose.signalNoise)
  const ask = glostenMilgromAsk(p, informed)
  const log = await playSession({
    seed, service: 'outcome', world: binaryWorld(count, group, draws, seed), makers: [{ name: 'maker', strategy: quoter(() => ask - p) }],
    cohorts: [{
      name: 'takers', strategy: takers(task.wrong ? informed * 1.3 : informed, group, draws), bettors: 1000, arrivalsUs: requestsUs(count),
    }],
  }, task)
  const settings = { p: `1/${group}`, informed, ask: Math.round(ask * 1e4) / 1e4 }
  const remark = `what the ledger paid; requests in groups of ${group} asked in one way, one of them won, as p says; intervals over groups; informed takers see the price ahead by the oracle port; value and profit are two sides of one figure (the ask, less what was won), and say the same; one leg; ${WIDENED.outcome}`
  const judged = { widthMax: WIDTH_MAX[task.size] }
  return [
    figureOf({ id: `3.value-${id}`, title: `won per contract that was bought at the ask, p = 1/${group}, ${informed * 100} % informed`, unit: '¢', settings, remark },
      { ...judged, known: ask * CENTS }, perGroup(log, group, (fill) => fill.toBettorMicros), log.fills),
    figureOf({ id: `3.profit-${id}`, title: "the maker's profit per contract at that ask", unit: '¢', settings, remark },
      { ...judged, known: 0 }, perGroup(log, group, (fill) => fill.toMakerMicros - fill.riskedMicros), log.fills),
  ]
}

/** An amount in cents per dollar of payout, over groups of requests. */
function perGroup({ fills }: FillLog, groupSize: number, amountOf: (fill: FillLog['fills'][number]) => number): Estimate {
  const sums = new Map<number, { amount: number; payout: number }>()
  for (const fill of fills) {
    const group = Math.floor(fill.markets[0]! / groupSize)
    const sum = sums.get(group) ?? { amount: 0, payout: 0 }
    sum.amount += amountOf(fill)
    sum.payout += payoutOf(fill)
    sums.set(group, sum)
  }
  const groups = [...sums.values()]
  return scaled(ratioOf(groups.map(({ amount }) => amount), groups.map(({ payout }) => payout)), CENTS)
}

async function measure(task: Task): Promise<ItemFigure[]> {
  const figures: ItemFigure[] = []
  for (const each of CASES) figures.push(...await measureCase(task, each))
  return figures
}

export const informedTakers: ValidationItem = {
  id: '3', title: 'informed takers', source: 'Glosten and Milgrom 1985: p(1 + α)/[p(1 + α) + (1 − p)(1 − α)]',
  wrong: 'informed takers are 30 % more than the ask reckons with',
  requests: (size) => CASES.length * REQUESTS[size], measure,
}
