import { entityOfName } from '../../engine/names.ts'
import { Draws, Purpose, rootKey } from '../../kernel/random.ts'
import { exactSum } from '../../math/sum.ts'
import { jackknifeOf } from '../estimates.ts'
import { figureOf, type Task, type ValidationItem } from '../figure.ts'
import { type FillLog, payoutOf } from '../fillLog.ts'
import { asker, quoter } from '../oneLeg.ts'
import { playSession, WIDENED } from '../playSession.ts'
import { requestsUs, separateMarkets } from '../separateMarkets.ts'

const ERROR = 0.02
const VALUE = 0.4
const RIVALS = 3
const RIVALS_MARK_UP = 0.015
const MARK_UPS = [0.014, 0.016] as const
const REQUESTS = { small: 2_000, full: 16_000 } as const
const GROUPS = 40
const CENTS = 100

/** Profit per contract of the tested maker on each request, 0 where it did not trade. */
function profits({ fills }: FillLog, count: number, tested: number): number[] {
  const values = Array.from({ length: count }, () => 0)
  for (const fill of fills) if (fill.maker === tested) values[fill.markets[0]!] = fill.paidMicros / payoutOf(fill) - fill.valueAtCommit
  return values
}

const TAKERS = 1000
/** Accounts are numbered bettors first; the tested maker is the first of the makers. */
const TESTED = TAKERS

async function contest(task: Task, seed: string, markUp: number): Promise<FillLog> {
  const count = REQUESTS[task.size]
  const draws = new Draws(rootKey(seed), Purpose.signalNoise)
  const makerNamed = (name: string, own: number) => ({ name, strategy: quoter((market) => ERROR * draws.normal(entityOfName(name), market) + own) })
  return playSession({
    seed, service: 'outcome', world: separateMarkets(count, () => VALUE, seed),
    makers: [makerNamed('tested', markUp), ...Array.from({ length: RIVALS }, (_, i) => makerNamed(`rival ${i + 1}`, RIVALS_MARK_UP))],
    cohorts: [{ name: 'takers', strategy: asker(), bettors: TAKERS, arrivalsUs: requestsUs(count) }],
  }, task)
}

const variance = (values: readonly number[]): number => {
  const mean = exactSum(values) / values.length
  return exactSum(values.map((value) => (value - mean) * (value - mean))) / (values.length - 1)
}

interface Pair {
  readonly dear: number
  readonly cheap: number
}

/** Of the difference, over that of independent sessions. */
const varianceRatio = (pairs: readonly Pair[]): number =>
  variance(pairs.map(({ dear, cheap }) => dear - cheap)) / (variance(pairs.map(({ dear }) => dear)) + variance(pairs.map(({ cheap }) => cheap)))

export const commonNumbers: ValidationItem = {
  id: '11', title: 'common random numbers', source: 'a paired difference varies less than one of independent sessions',
  wrong: 'the second session draws other numbers',
  requests: (size) => MARK_UPS.length * REQUESTS[size],
  measure: async (task) => {
    const count = REQUESTS[task.size]
    const seed = `${task.seed} common numbers`
    const cheap = await contest(task, seed, MARK_UPS[0])
    const dear = await contest(task, task.wrong ? `${seed}, others` : seed, MARK_UPS[1])
    const [ofCheap, ofDear] = [profits(cheap, count, TESTED), profits(dear, count, TESTED)]
    const pairs = ofCheap.map((profit, i): Pair => ({ cheap: profit, dear: ofDear[i]! }))
    const groups = Array.from({ length: GROUPS }, (_, i) => pairs.slice((i * count) / GROUPS, ((i + 1) * count) / GROUPS))
    return [figureOf({
      id: '11.variance-ratio', title: 'two mark-ups among four makers: variance of the paired difference over the unpaired', unit: '×',
      settings: {
        makers: RIVALS + 1, errorCents: ERROR * CENTS, markUpsCents: MARK_UPS.map((markUp) => (markUp * CENTS).toFixed(1)).join(' and '),
        rivalsMarkUpCents: RIVALS_MARK_UP * CENTS,
      },
      remark: `no value is known, it depends on the parameters: a direction; jackknife over groups of requests; counted are the tested maker's fills of both sessions; one leg; ${WIDENED.outcome}`,
    }, { claim: 'below', known: 1, widthMax: 0.5 }, jackknifeOf(groups, varianceRatio), [cheap, dear].flatMap(({ fills }) => fills.filter(({ maker }) => maker === TESTED)))]
  },
}
