import type { ServiceName } from '../../engine/config.ts'
import { entityOfName } from '../../kernel/names.ts'
import { Draws, Purpose, rootKey } from '../../kernel/random.ts'
import { meanOf, ratioOf, scaled } from '../estimates.ts'
import { figureOf, type ItemFigure, type Task, type ValidationItem } from '../figure.ts'
import { type FillLog, payoutOf } from '../fillLog.ts'
import { lowestNormal, zeroProfitMarkUpAtFixedStakes } from '../known.ts'
import { asker, quoter } from '../oneLeg.ts'
import { playSession, WIDENED } from '../playSession.ts'
import { requestsUs, separateMarkets } from '../separateMarkets.ts'

const ERROR = 0.02
const VALUE = 0.25
const MAKERS = [2, 3, 5, 8] as const
const REQUESTS = { small: 1_250, full: 20_000 } as const
/** Cents. */
const WIDTH_MAX = { small: 0.45, full: 0.1 } as const
const CENTS = 100

/** One session: makers whose fair value errs by a normal of 2¢ and that add `markUp`; the best of them always trades. */
async function contest(task: Task, makerCount: number, markUp: number, label: string, service: ServiceName = 'outcome'): Promise<FillLog> {
  const count = REQUESTS[task.size]
  const seed = `${task.seed} selection ${makerCount} ${label}`
  const draws = new Draws(rootKey(seed), Purpose.signalNoise)
  const makers = Array.from({ length: makerCount }, (_, i) => {
    const name = `maker ${i + 1}`
    return { name, strategy: quoter((market) => ERROR * draws.normal(entityOfName(name), market) + markUp) }
  })
  return playSession({
    seed, service, world: separateMarkets(count, () => VALUE, seed), makers,
    cohorts: [{ name: 'takers', strategy: asker(), bettors: 1000, arrivalsUs: requestsUs(count) }],
  }, task)
}

const marginsOf = ({ fills }: FillLog): number[] => fills.map((fill) => fill.paidMicros / payoutOf(fill) - fill.valueAtCommit)

async function measure(task: Task): Promise<ItemFigure[]> {
  const figures: ItemFigure[] = []
  const widthMax = WIDTH_MAX[task.size]
  const off = task.wrong ? 0.7 : 1
  const each = 'each fill counts as one contract, scored against V'
  for (const makers of MAKERS) {
    const known = -ERROR * lowestNormal(makers)
    const settings = { makers, errorCents: ERROR * CENTS, value: VALUE }
    const selected = await contest(task, makers, task.wrong ? 0.3 * known : 0, 'selection')
    figures.push(figureOf({
      id: `2.selection-${makers}`, title: `best of ${makers} makers without a mark-up: its loss per contract`, unit: '¢', settings, remark: `${each}; ${WIDENED.outcome}`,
    }, { known: known * CENTS, widthMax }, negated(scaled(meanOf(marginsOf(selected)), CENTS)), selected.fills))
    const marked = await contest(task, makers, known * off, 'mark-up')
    figures.push(figureOf({
      id: `2.mark-up-${makers}`, title: `best of ${makers} makers at the mark-up −E[min]: its profit per contract`, unit: '¢',
      settings: { ...settings, markUpCents: rounded(known * off * CENTS) }, remark: `${each}; ${WIDENED.outcome}`,
    }, { known: 0, widthMax }, scaled(meanOf(marginsOf(marked)), CENTS), marked.fills))
  }
  figures.push(await onParlayService(task, widthMax, off), await atFixedStakes(task, widthMax, off))
  return figures
}

async function onParlayService(task: Task, widthMax: number, off: number): Promise<ItemFigure> {
  const makers = 3
  const markUp = -ERROR * lowestNormal(makers) * off
  const log = await contest(task, makers, markUp, 'parlay', 'parlay')
  return figureOf({
    id: `2.parlay-${makers}`, title: `the same of ${makers} makers on the parlay service`, unit: '¢',
    settings: { makers, errorCents: ERROR * CENTS, value: VALUE, markUpCents: rounded(markUp * CENTS) },
    remark: `each fill counts as one contract, scored against V; one leg; ${WIDENED.parlay}`,
  }, { known: 0, widthMax }, scaled(meanOf(marginsOf(log)), CENTS), log.fills)
}

async function atFixedStakes(task: Task, widthMax: number, off: number): Promise<ItemFigure> {
  const markUp = zeroProfitMarkUpAtFixedStakes(2, ERROR, VALUE) * off
  const log = await contest(task, 2, markUp, 'fixed stakes')
  const profit = ratioOf(log.fills.map((fill) => fill.paidMicros - fill.valueAtCommit * payoutOf(fill)), log.fills.map(payoutOf))
  return figureOf({
    id: '2.fixed-stake-2', title: 'with fixed stakes two makers need more: profit per dollar of payout', unit: '¢',
    settings: { makers: 2, errorCents: ERROR * CENTS, value: VALUE, markUpCents: rounded(markUp * CENTS) }, remark: `known value: the root of V · E[1/q] = 1; ${WIDENED.outcome}`,
  }, { known: 0, widthMax }, scaled(profit, CENTS), log.fills)
}

const negated = ({ measured, low, high }: { measured: number; low: number; high: number }) => ({ measured: -measured, low: -high, high: -low })
const rounded = (value: number): number => Math.round(value * 1e4) / 1e4

export const selection: ValidationItem = {
  id: '2', title: 'selection among makers', source: 'the mean of the lowest of n normals', wrong: 'mark-ups are 30 % too low; where none belongs, makers add 30 % of that of no profit',
  requests: (size) => (2 * MAKERS.length + 2) * REQUESTS[size], measure,
}
