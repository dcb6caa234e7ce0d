import { entityOfName } from '../../kernel/names.ts'
import { Draws, Purpose, rootKey } from '../../kernel/random.ts'
import { bestOf, overOthers } from '../../stats/bestOf.ts'
import type { ClusterSums } from '../../stats/clusterInterval.ts'
import { counterUniform } from '../../stats/counterUniform.ts'
import { jointTests } from '../../stats/jointTests.ts'
import { type Estimate, FIGURE_Z, meanOf } from '../estimates.ts'
import { figureOf, type Task, type ValidationItem } from '../figure.ts'
import { type FillLog, payoutOf } from '../fillLog.ts'
import { asker, quoter } from '../oneLeg.ts'
import { playSession, WIDENED } from '../playSession.ts'
import { requestsUs, separateMarkets } from '../separateMarkets.ts'

const VARIANTS = 50
const VALUE = 0.4
const ERROR = 0.02
/** What the planted variant asks for more than the others. */
const EDGE = 0.03
/** The variant that a planted one takes the place of. */
const PLANTED = 17
/** Families of fifty variants each, and requests of a variant in a family, which are its rows. */
const FAMILIES = { small: 25, full: 60 } as const
const ROWS = { small: 20, full: 40 } as const
const LEVEL = 0.05
const PERCENT = 100

const requestsOf = (task: Pick<Task, 'size'>): number => FAMILIES[task.size] * ROWS[task.size]

/** One session of one variant: it quotes V with an error of its own, and always trades. All variants have the same requests. */
async function variant(task: Task, number: number, edge: number): Promise<FillLog> {
  const seed = `${task.seed} best of many`
  const draws = new Draws(rootKey(seed), Purpose.signalNoise)
  const name = entityOfName(`variant ${number}`)
  const count = requestsOf(task)
  return playSession({
    seed, service: 'outcome', world: separateMarkets(count, () => VALUE, seed), makers: [{ name: 'maker', strategy: quoter((market) => ERROR * draws.normal(name, market) + edge) }],
    cohorts: [{ name: 'takers', strategy: asker(), bettors: 1000, arrivalsUs: requestsUs(count) }],
  }, task)
}

/** By request, what a contract brought more than V. */
function marginsOf({ fills }: FillLog, count: number): Float64Array {
  const margins = new Float64Array(count)
  for (const fill of fills) margins[fill.markets[0]!] = fill.paidMicros / payoutOf(fill) - fill.valueAtCommit
  return margins
}

/** Rows × variants of each family. */
const familiesOf = (margins: readonly Float64Array[], { size }: Pick<Task, 'size'>): ClusterSums[] =>
  Array.from({ length: FAMILIES[size] }, (_, family) => ({
    width: margins.length, cells: Float64Array.from({ length: ROWS[size] * margins.length }, (__, at) => margins[at % margins.length]![family * ROWS[size] + Math.floor(at / margins.length)]!),
  }))

/** A share of independent trials, with Wilson's interval at the level of figures, in percent. */
function shareOf(hits: readonly boolean[]): Estimate {
  const n = hits.length
  const p = hits.filter(Boolean).length / n
  const z2 = FIGURE_Z * FIGURE_Z
  const middle = (p + z2 / (2 * n)) / (1 + z2 / n)
  const half = (FIGURE_Z * Math.sqrt((p * (1 - p)) / n + z2 / (4 * n * n))) / (1 + z2 / n)
  return { measured: PERCENT * p, low: PERCENT * Math.max(0, middle - half), high: PERCENT * Math.min(1, middle + half) }
}

export const bestOfMany: ValidationItem = {
  id: '13', title: 'the best of fifty', source: 'of equal variants the least adjusted p-value is uniform', wrong: 'p-values are not adjusted, and the planted variant has no edge',
  requests: (size) => (VARIANTS + 1) * requestsOf({ size }),
  measure: async (task) => {
    const logs: FillLog[] = []
    for (let number = 0; number < VARIANTS; number++) logs.push(await variant(task, number, 0))
    const better = await variant(task, PLANTED, task.wrong ? 0 : EDGE)
    const margins = logs.map((log) => marginsOf(log, requestsOf(task)))
    const alike = familiesOf(margins, task)
    const planted = familiesOf(margins.map((own, number) => (number === PLANTED ? marginsOf(better, requestsOf(task)) : own)), task)
    const uniform = counterUniform('best of many')
    const least = alike.map((family) => {
      const { p, adjusted } = jointTests(overOthers(family), uniform)!
      return Math.min(...(task.wrong ? p : adjusted))
    })
    const called = (family: ClusterSums): { readonly best: number; readonly isCalled: boolean } => {
      const { best, others } = bestOf(family, uniform)!
      return { best, isCalled: (task.wrong ? others.p : others.adjusted) < LEVEL }
    }
    const settings = { variants: VARIANTS, families: FAMILIES[task.size], rows: ROWS[task.size], errorCents: ERROR * PERCENT, value: VALUE }
    const remark = `one session for each variant, all with the same requests; each fill counts as one contract, scored against V; ${WIDENED.outcome}`
    const fills = logs.flatMap((log) => log.fills)
    return [
      figureOf({ id: '13.least-p', title: 'fifty equal variants: the least adjusted p-value of a difference to the others', unit: '', settings, remark }, { known: 0.5, widthMax: task.size === 'small' ? 0.5 : 0.3 }, meanOf(least), fills),
      figureOf({
        id: '13.called', title: 'how often the best of them is called better at 5 %', unit: '%', settings, remark: `at most 5 %: the best is one side of a two-sided test; ${remark}`,
      }, { known: PERCENT * LEVEL, widthMax: task.size === 'small' ? 45 : 25 }, shareOf(alike.map((family) => called(family).isCalled)), fills),
      figureOf({
        id: '13.planted', title: 'how often one that asks for more is missed among them', unit: '%', settings: { ...settings, edgeCents: EDGE * PERCENT }, remark,
      }, { claim: 'below', known: 50, widthMax: 45 }, shareOf(planted.map((family) => {
        const { best, isCalled } = called(family)
        return best !== PLANTED || !isCalled
      })), better.fills),
    ]
  },
}
