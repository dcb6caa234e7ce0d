import type { TableRows } from '../score/runTables.ts'
import { figures } from './html/figure.ts'
import { longSeries, type SeriesView } from './html/longSeries.ts'
import { eachBatch, indicesOf, laterNumbersOf, numbersOf } from './pageRows.ts'
import type { PageSection, ServicePage } from './pageService.ts'

/** Quantities of each maker at each sample. */
const QUANTITIES = ['cash', 'marked', 'executable', 'locked', 'positions'] as const
type Quantity = (typeof QUANTITIES)[number]

/** The `equity` table, all makers at the same instants: profits since the deposits, microUSDC, and what is tied up. */
interface EquityRows {
  readonly atUs: readonly number[]
  /** By maker of the page; NaN before its first sample and where unknown. */
  readonly by: Readonly<Record<Quantity, readonly number[][]>>
}

/** Equity and tied-up collateral over time. */
export function equitySections(page: ServicePage): PageSection[] {
  const rows = readEquity(page)
  if (rows.atUs.length === 0) return []
  const { prefix, names } = page
  const view = (name: string, quantity: Quantity): SeriesView => ({ name, atUs: rows.atUs, values: rows.by[quantity] })
  const isExecutable = rows.by.executable.some((values) => values.some((value) => !Number.isNaN(value)))
  const equity = longSeries({
    id: `${prefix}equity-chart`, title: 'Profit since the deposits, USDC', names, scale: 1e-6, digits: 2,
    note: 'Marked: open positions at the reference V. Cash: open positions at cost.'
      + (isExecutable ? ' Executable: open positions at the touch, what leaving them would cost or bring.' : ''),
    views: [view('Marked at V', 'marked'), view('Cash', 'cash'), ...(isExecutable ? [view('Executable', 'executable')] : [])],
  })
  const exposure = longSeries({
    id: `${prefix}exposure-chart`, title: 'Collateral tied up', names, scale: 1e-6, digits: 2, isStepped: true,
    note: 'Locked in open pots and reserved by pending selections, USDC.', views: [view('Collateral', 'locked')],
  })
  const positions = longSeries({
    id: `${prefix}positions-chart`, title: 'Open positions', names, scale: 1, digits: 0, isStepped: true,
    note: 'Backed by each maker.', views: [view('Positions', 'positions')],
  })
  return [
    { id: `${prefix}equity`, title: 'Equity', body: equity.figure, series: { [`${prefix}equity-chart`]: equity.series } },
    {
      id: `${prefix}exposure`, title: 'Exposure', body: figures(exposure.figure, positions.figure),
      series: { [`${prefix}exposure-chart`]: exposure.series, [`${prefix}positions-chart`]: positions.series },
    },
  ]
}

function readEquity({ tables, names }: ServicePage): EquityRows {
  const paidIn = names.map(() => 0)
  const reached = names.map(() => 0)
  const deposits = readDeposits(tables)
  const atUs: number[] = []
  const by = Object.fromEntries(QUANTITIES.map((quantity) => [quantity, names.map((): number[] => [])])) as Record<Quantity, number[][]>
  eachBatch(tables, 'equity', (batch) => {
    const columns = columnsOf(batch, names)
    for (let row = 0; row < batch.rowCount; row++) {
      const maker = columns.maker[row]!
      if (maker < 0) continue
      const flows = deposits.get(columns.account[row]!) ?? []
      while (reached[maker]! < flows.length && flows[reached[maker]!]!.seq <= columns.seq[row]!) paidIn[maker]! += flows[reached[maker]!++]!.micros
      if (atUs.at(-1) !== columns.at[row]!) next(atUs, by, columns.at[row]!)
      const last = atUs.length - 1
      by.cash[maker]![last] = columns.gross[row]! + columns.heldCost[row]! - paidIn[maker]!
      by.marked[maker]![last] = columns.marked[row]! - paidIn[maker]!
      by.executable[maker]![last] = columns.executable[row]! - paidIn[maker]!
      by.locked[maker]![last] = columns.locked[row]!
      by.positions[maker]![last] = columns.positions[row]!
    }
  })
  return { atUs, by }
}

/** Begins a sample. Quantities that are not given keep their values. */
function next(atUs: number[], by: Readonly<Record<Quantity, number[][]>>, us: number): void {
  atUs.push(us)
  for (const quantity of QUANTITIES) for (const values of by[quantity]) values.push(values.at(-1) ?? NaN)
}

const columnsOf = (batch: TableRows, names: readonly string[]) => ({
  maker: indicesOf(batch, 'maker', names), account: numbersOf(batch, 'account'), seq: numbersOf(batch, 'seq'), at: numbersOf(batch, 'at'), gross: numbersOf(batch, 'at_cost_micros'),
  marked: numbersOf(batch, 'mark_to_market_micros'), executable: laterNumbersOf(batch, 'liquidation_micros'), locked: numbersOf(batch, 'locked_micros'),
  positions: numbersOf(batch, 'open_positions'),
  heldCost: laterNumbersOf(batch, 'held_cost_micros').map((micros) => (Number.isNaN(micros) ? 0 : micros)),
})

interface Flow {
  readonly seq: number
  readonly micros: number
}

/** Deposits by account in total order, withdrawals below zero. */
function readDeposits(tables: ServicePage['tables']): Map<number, Flow[]> {
  const flows = new Map<number, Flow[]>()
  eachBatch(tables, 'ledger', (batch) => {
    const cause = indicesOf(batch, 'cause', ['deposit', 'withdraw'])
    if (!cause.some((code) => code >= 0)) return
    const [seq, amount] = [numbersOf(batch, 'seq'), numbersOf(batch, 'amount_micros')]
    const [from, to] = [numbersOf(batch, 'debit_owner'), numbersOf(batch, 'credit_owner')]
    for (let row = 0; row < batch.rowCount; row++) {
      if (cause[row]! < 0) continue
      const isDeposit = cause[row] === 0
      const account = isDeposit ? to[row]! : from[row]!
      const own = flows.get(account) ?? []
      flows.set(account, own)
      own.push({ seq: seq[row]!, micros: isDeposit ? amount[row]! : 0 - amount[row]! })
    }
  })
  return flows
}
