import { type Book, booksOf, type Tell } from './recomputation.ts'
import type { RunRows, TableRow } from './tables.ts'

/** The parts of a service's summary that are computed a second time. */
export interface ShownFigures {
  readonly quotes: number
  readonly makers: readonly {
    readonly name: string
    readonly quotes: number
    readonly settled: number
    readonly profitMicros: number
    readonly fees: { readonly takerMicros: number; readonly profitMicros: number }
    readonly drawdown: { readonly cashMicros: number }
    readonly marks: readonly { readonly horizonUs: number; readonly won: number; readonly censored: number; readonly unknown: number }[]
  }[]
  readonly bettors: readonly { readonly name: string; readonly grossBetMicros: number; readonly profitMicros: number }[]
  readonly house: { readonly takerFeeMicros: number; readonly profitFeeMicros: number; readonly revenueMicros: number }
  readonly conservation: { readonly differenceMicros: number; readonly ledgerAgrees: boolean }
}

const num = (row: TableRow, name: string): number => row[name] as number
const sum = (rows: readonly TableRow[], name: string): number => rows.reduce((total, row) => total + num(row, name), 0)

/** Compares the figures of each service with what its tables say (docs/metrics.md). */
export function checkFigures(run: RunRows, shown: (service: string) => ShownFigures, tell: Tell): void {
  for (const book of booksOf(run, new Map())) {
    const { service, table } = book
    const is = (what: string, got: unknown, expected: unknown): void => {
      if (got !== expected) tell(`${service}: ${what} is ${String(got)}, expected ${String(expected)}`)
    }
    const figures = shown(service)
    is('quotes', figures.quotes, table('quotes').length)
    is('difference of the conservation', figures.conservation.differenceMicros, 0)
    is('agreement of the ledger', figures.conservation.ledgerAgrees, true)
    const fees = (cause: string): number => sum(table('ledger').filter((row) => row['cause'] === cause && row['credit_kind'] === 'house'), 'amount_micros')
    is('taker fees of the house', figures.house.takerFeeMicros, fees('takerFee'))
    is('profit fees of the house', figures.house.profitFeeMicros, fees('profitFee'))
    is('revenue of the house', figures.house.revenueMicros, fees('takerFee') + fees('profitFee'))
    for (const maker of figures.makers) checkMaker(book, maker, is)
    for (const cohort of figures.bettors) checkCohort(book, cohort, is)
  }
}

type Is = (what: string, got: unknown, expected: unknown) => void

function checkMaker({ service, table }: Book, shown: ShownFigures['makers'][number], is: Is): void {
  const { name } = shown
  const backed = table('settlements').filter((row) => row['maker'] === name && row['outcome'] !== 'failed')
  const sold = table('auctions').filter((row) => row['route'] === 'transferred')
  // What the chain failed to fill was no trade.
  const failed = new Set([
    ...table('positions').filter((row) => row['outcome'] === 'failed'), ...table('operations').filter((row) => row['kind'] === 'fill' && row['status'] === 'failed'),
  ].map((row) => row['quote']))
  is(`quotes of ${name}`, shown.quotes, table('quotes').filter(({ maker }) => maker === name).length)
  is(`settled positions of ${name}`, shown.settled, backed.length)
  const gains = [
    ...backed.map((row) => ({ atUs: num(row, 'at'), micros: num(row, 'to_maker_micros') - (num(row, 'payout_micros') - num(row, 'net_stake_micros')) })),
    ...table('settlements').filter((row) => row['holder_maker'] === name).map((row) => ({ atUs: num(row, 'at'), micros: num(row, 'to_holder_micros') - num(row, 'holder_cost_micros') })),
    ...sold.filter((row) => row['seller_maker'] === name).map((row) => ({ atUs: num(row, 'ended_at'), micros: num(row, 'to_seller_micros') - num(row, 'seller_cost_micros') })),
  ]
  is(`profit of ${name}`, shown.profitMicros, gains.reduce((total, { micros }) => total + micros, 0))
  is(`drawdown of ${name}`, shown.drawdown.cashMicros, drawdownOf(gains))
  const taker = service === 'outcome' ? sum(table('positions').filter((row) => row['maker'] === name), 'taker_fee_micros') : sum(backed, 'taker_fee_micros')
  is(`taker fees on positions of ${name}`, shown.fees.takerMicros, taker)
  is(`profit fees on positions of ${name}`, shown.fees.profitMicros, sum(backed, 'profit_fee_micros') + sum(sold.filter((row) => row['backing_maker'] === name), 'profit_fee_micros'))
  const traded = table('marks').filter((row) => row['maker'] === name && row['kind'] === 'filled' && !failed.has(row['quote']))
  for (const { horizonUs, won, censored, unknown } of shown.marks) {
    const own = traded.filter((row) => row['horizon_us'] === horizonUs)
    is(`marks of ${name} at ${horizonUs}`, won, own.length)
    is(`censored marks of ${name} at ${horizonUs}`, censored, own.filter((row) => row['censored'] === true).length)
    is(`marks of ${name} at ${horizonUs} without a reference`, unknown, own.filter((row) => row['reference'] === null).length)
  }
}

/** What bettors bet, and what positions brought them that ended while they held them or that they sold to a maker. */
function checkCohort({ table }: Book, { name, grossBetMicros, profitMicros }: ShownFigures['bettors'][number], is: Is): void {
  const funded = table('positions').filter((row) => row['cohort'] === name && row['state'] !== 'failed')
  const held = table('settlements').filter((row) => row['holder_maker'] === null && row['holder_cohort'] === name && row['outcome'] !== 'failed')
  const sold = table('auctions').filter((row) => row['route'] === 'transferred' && row['seller_maker'] === null && row['cohort'] === name)
  is(`gross bets of ${name}`, grossBetMicros, sum(funded, 'net_stake_micros') + sum(funded, 'taker_fee_micros'))
  is(`profit of ${name}`, profitMicros, sum(held, 'to_holder_micros') - sum(held, 'holder_cost_micros') + sum(sold, 'to_seller_micros') - sum(sold, 'seller_cost_micros'))
}

/** The largest fall of the realised profit below an earlier peak. What comes at one instant is one step. */
function drawdownOf(gains: readonly { readonly atUs: number; readonly micros: number }[]): number {
  const steps = [...Map.groupBy(gains, ({ atUs }) => atUs)].sort(([a], [b]) => a - b)
  let [level, peak, worst] = [0, 0, 0]
  for (const [, own] of steps) {
    level += own.reduce((total, { micros }) => total + micros, 0)
    peak = Math.max(peak, level)
    worst = Math.max(worst, peak - level)
  }
  return worst
}
