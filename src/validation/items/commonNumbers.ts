import type { BettorStrategy } from '../../agent/bettor.ts'
import noise from '../../agent/bettors/noise.ts'
import type { MakerStrategy } from '../../agent/maker.ts'
import fixedMargin from '../../agent/makers/fixedMargin.ts'
import random from '../../agent/makers/random.ts'
import { exactSum } from '../../math/sum.ts'
import { USDC } from '../../unit/micros.ts'
import { fixed } from '../../unit/numberText.ts'
import { SECOND_US } from '../../unit/time.ts'
import { jackknifeOf } from '../estimates.ts'
import { figureOf, type Task, type ValidationItem } from '../figure.ts'
import { type FillLog, payoutOf } from '../fillLog.ts'
import { type PlayedMaker, playSession, WIDENED } from '../playSession.ts'
import { WORLD_BEGIN_US, type World, worldOf } from '../world.ts'

const VALUE = 0.4
const MARKETS = 20
const RIVALS = 3
const RIVALS_MARK_UP = [-0.01, 0.09] as const
const MARK_UPS = [0.035, 0.04] as const
const REQUESTS = { small: 4_800, full: 19_200 } as const
const GAP_US = SECOND_US / 4
/** Profits are compared quarter minute by quarter minute, and the jackknife leaves out groups of these. */
const BLOCK_US = 15 * SECOND_US
/** Half of the variance of independent sessions. An engine that paired only arrivals, or only bets, would not come below it. */
const BOUND = 0.5
const GROUPS = { small: 16, full: 64 } as const
const PERCENT = 100
const TAKERS = 1000
/** Accounts are numbered bettors first; the tested maker is the first of the makers. */
const TESTED = TAKERS

/** Prices stand still, so that V is no draw. The engine draws arrivals, bets, legs, sides, tolerances, delays and rivals. */
function stillWorld(count: number, seed: string): World {
  const settledUs = WORLD_BEGIN_US + count * GAP_US + BLOCK_US
  return worldOf(Array.from({ length: MARKETS }, () => ({ prices: [{ atUs: WORLD_BEGIN_US, bid: VALUE }], settledUs, outcome: null })), seed, { missing: 'draw' })
}

async function contest(task: Task, seed: string, markUp: number): Promise<FillLog> {
  const count = REQUESTS[task.size]
  const maxAge = count * GAP_US + BLOCK_US
  const rivals = Array.from({ length: RIVALS }, (_, i): PlayedMaker => ({
    name: `rival ${i + 1}`, strategy: random as unknown as MakerStrategy, values: { markupMin: RIVALS_MARK_UP[0], markupMax: RIVALS_MARK_UP[1], cap: 1e15, maxAge },
  }))
  const tested = { name: 'tested', strategy: fixedMargin as unknown as MakerStrategy, values: { margin: markUp, cap: 1e15, maxAge, tolerance: 1 } }
  return playSession({
    seed, service: 'outcome', world: stillWorld(count, task.seed), makers: [tested, ...rivals], untilUs: WORLD_BEGIN_US + count * GAP_US,
    cohorts: [{
      name: 'takers', strategy: noise as unknown as BettorStrategy, values: { legsMin: 1, legsMax: 2, maxAge }, bettors: TAKERS, gapUs: GAP_US,
    }],
  }, task)
}

/** The tested maker's profit against V by block of the commit, USDC. */
function profits({ fills }: FillLog, blocks: number): number[] {
  const micros = Array.from({ length: blocks }, () => 0)
  for (const fill of fills) {
    if (fill.maker !== TESTED) continue
    micros[Math.min(blocks - 1, Math.floor((fill.committedUs - WORLD_BEGIN_US) / BLOCK_US))]! += fill.paidMicros - fill.valueAtCommit * payoutOf(fill)
  }
  return micros.map((of) => of / USDC)
}

const variance = (values: readonly number[]): number => {
  const mean = exactSum(values) / values.length
  return exactSum(values.map((value) => (value - mean) * (value - mean))) / (values.length - 1)
}

interface Pair {
  readonly dear: number
  readonly cheap: number
}

/** The variance of the difference, over that of independent sessions. */
const varianceRatio = (pairs: readonly Pair[]): number =>
  variance(pairs.map(({ dear, cheap }) => dear - cheap)) / (variance(pairs.map(({ dear }) => dear)) + variance(pairs.map(({ cheap }) => cheap)))

export const commonNumbers: ValidationItem = {
  id: '11', title: 'common random numbers', source: 'a paired difference varies less than one of independent sessions',
  wrong: 'the second session has another seed',
  requests: (size) => MARK_UPS.length * REQUESTS[size],
  measure: async (task) => {
    const blocks = (REQUESTS[task.size] * GAP_US) / BLOCK_US
    const seed = `${task.seed} common numbers`
    const cheap = await contest(task, seed, MARK_UPS[0])
    const dear = await contest(task, task.wrong ? `${seed}, others` : seed, MARK_UPS[1])
    const [ofCheap, ofDear] = [profits(cheap, blocks), profits(dear, blocks)]
    const pairs = ofCheap.map((profit, i): Pair => ({ cheap: profit, dear: ofDear[i]! }))
    const groupCount = GROUPS[task.size]
    const groups = Array.from({ length: groupCount }, (_, i) => pairs.slice(Math.floor((i * blocks) / groupCount), Math.floor(((i + 1) * blocks) / groupCount)))
    return [figureOf({
      id: '11.variance-ratio', title: 'two mark-ups among four makers: variance of the paired difference over the unpaired', unit: '×',
      settings: {
        makers: RIVALS + 1, markUpsPercent: MARK_UPS.map((markUp) => fixed(markUp * PERCENT, 1)).join(' and '),
        rivalsMarkUpPercent: RIVALS_MARK_UP.map((markUp) => fixed(markUp * PERCENT, 0)).join(' … '),
      },
      remark: `built-in takers and makers with the engine's own draws; no value is known, it depends on the parameters: well below 1; by quarter minute, jackknife over groups of them; counted are the tested maker's fills of both sessions; one or two legs; ${WIDENED.outcome}`,
    }, { claim: 'below', known: BOUND, widthMax: 0.5 }, jackknifeOf(groups, varianceRatio), [cheap, dear].flatMap(({ fills }) => fills.filter(({ maker }) => maker === TESTED)))]
  },
}
