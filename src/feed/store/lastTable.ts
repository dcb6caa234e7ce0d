import type { Table } from '../../arrow/tableReader.ts'
import { NO_PRICE } from '../../market/ticks.ts'
import { InputError } from '../../unit/inputError.ts'
import type { TickColumns } from '../tickBuffer.ts'
import { type PartLast, ticksBy } from './partLast.ts'
import { type PartHead, STORE_FILE } from './storeHead.ts'
import { faultOfPrices } from './tickFaults.ts'

/** What `store.json` says of a part. */
type PartSaid = Pick<PartHead, 'ticks' | 'markets' | 'firstUs' | 'lastUs'>

/** Ticks of a kind by row of the file. The stamp is NaN where a market has none. */
type Kind = Omit<TickColumns, 'market'>
interface Rows {
  readonly ticks: ArrayLike<number>
  readonly firstUs: ArrayLike<number>
  readonly latest: Kind
  readonly withBook: Kind
  readonly withPrice: Kind
}

/**
 * What a file that is made of `LAST_TABLE` says of a part. `numberOf`: −1 for a ticker that is not known. Throws InputError with the row for
 * what no part leaves behind: prices and sizes out of their ranges, instants that do not lie in the part or not in their order.
 */
export function lastIn(table: Table, part: PartSaid, numberOf: (ticker: string) => number, marketCount: number): PartLast {
  const fail = (message: string): never => {
    throw new InputError(message, { position: { file: table.path }, hint: 'import the history again' })
  }
  const values = table.valuesOf('market')
  const codes = table.codesOf('market')
  const rowOf = new Int32Array(marketCount).fill(-1)
  const numbers = Int32Array.from(codes, (code, row) => {
    const ticker = values[code] ?? fail(`row ${row + 1}: no ticker has the code ${code}`)
    const market = numberOf(ticker)
    if (market < 0) fail(`row ${row + 1}: no file of markets has ${ticker}`)
    if (rowOf[market]! >= 0) fail(`row ${row + 1}: a second row of ${ticker}`)
    rowOf[market] = row
    return market
  })
  const rows = rowsOf(table)
  for (let row = 0; row < numbers.length; row++) {
    const fault = faultOfRow(rows, row, part)
    if (fault !== null) fail(`row ${row + 1}: ${fault}`)
  }
  checkTotals(rows, numbers.length, part, fail)
  const markets = numbers.toSorted()
  const inOrder = (column: ArrayLike<number>): Float64Array => Float64Array.from(markets, (market) => column[rowOf[market]!]!)
  const ticksOf = ({ atUs, bidE6, askE6, bidSize, askSize, lastE6 }: Kind): PartLast['latest'] => ticksBy(markets, (market) => {
    const row = rowOf[market]!
    return [atUs[row]!, bidE6[row]!, askE6[row]!, bidSize[row]!, askSize[row]!, lastE6[row]!]
  })
  return {
    markets, ticks: inOrder(rows.ticks), firstUs: inOrder(rows.firstUs), lastUs: inOrder(rows.latest.atUs),
    latest: ticksOf(rows.latest), withBook: ticksOf(rows.withBook), withPrice: ticksOf(rows.withPrice),
  }
}

function rowsOf(table: Table): Rows {
  const kind = (prefix: string, atUs: Float64Array): Kind => {
    const words = (name: string): Int32Array => table.numbers(`${prefix}${name}`, 'int32') as Int32Array
    return { atUs, bidE6: words('bid_e6'), askE6: words('ask_e6'), bidSize: words('bid_size'), askSize: words('ask_size'), lastE6: words('last_e6') }
  }
  const stamps = (name: string): Float64Array => table.numbers(name, 'timeUs') as Float64Array
  const stampsIfThere = (name: string): Float64Array => {
    if (table.column(name).valid === null) return stamps(name)
    const { numbers, valid } = table.column(name)
    return Float64Array.from(valid!, (isThere, row) => (isThere === 0 ? NaN : numbers![row]!))
  }
  return {
    ticks: table.numbers('ticks', 'int64'), firstUs: stamps('first_at'),
    latest: kind('', stamps('last_at')), withBook: kind('book_', stampsIfThere('book_at')), withPrice: kind('price_', stampsIfThere('price_at')),
  }
}

const COLUMNS = ['atUs', 'bidE6', 'askE6', 'bidSize', 'askSize', 'lastE6'] as const
const hasBook = ({ bidE6, askE6 }: Kind, row: number): boolean => bidE6[row] !== NO_PRICE || askE6[row] !== NO_PRICE
const hasPrice = (kind: Kind, row: number): boolean => hasBook(kind, row) || kind.lastE6[row] !== NO_PRICE
const isEmpty = (kind: Kind, row: number): boolean => COLUMNS.every((name) => name === 'atUs' || kind[name][row] === NO_PRICE)

const isSame = (one: Kind, other: Kind, row: number): boolean => COLUMNS.every((name) => one[name][row] === other[name][row])

/** What is wrong with a row, null where nothing is. */
function faultOfRow({ ticks, firstUs, latest, withBook, withPrice }: Rows, row: number, part: PartSaid): string | null {
  const [first, last] = [firstUs[row]!, latest.atUs[row]!]
  if (!(ticks[row]! >= 1)) return `ticks is ${ticks[row]}`
  if (!(part.firstUs <= first && first <= last && last <= part.lastUs)) return `the instants ${first} to ${last} are not within ${part.firstUs}…${part.lastUs}, those of the part`
  if (ticks[row] === 1 && first < last) return `one tick has the instants ${first} and ${last}`
  const fault = faultOfPrices(latest, row, '') ?? faultOfKind('book', withBook, latest, row, first, hasBook) ?? faultOfKind('price', withPrice, latest, row, first, hasPrice)
  if (fault !== null) return fault
  const [bookUs, priceUs] = [withBook.atUs[row]!, withPrice.atUs[row]!]
  if (!Number.isNaN(bookUs) && !(priceUs >= bookUs)) return `price_at is ${Number.isNaN(priceUs) ? 'empty' : priceUs}, and a book has a price at ${bookUs}`
  return hasBook(withPrice, row) && !isSame(withPrice, withBook, row) ? 'the last tick with a price has a book, and is another than the last one with a book' : null
}

/** What is wrong with the last tick of a kind. */
function faultOfKind(name: string, kind: Kind, latest: Kind, row: number, first: number, has: (kind: Kind, row: number) => boolean): string | null {
  const [at, last] = [kind.atUs[row]!, latest.atUs[row]!]
  if (Number.isNaN(at)) return has(latest, row) ? `${name}_at is empty, and the last tick has a ${name}` : isEmpty(kind, row) ? null : `${name}_at is empty, and a price or a size beside it is not −1`
  if (!(first <= at && at <= last)) return `${name}_at is ${at}, not within ${first}…${last}`
  const fault = faultOfPrices(kind, row, `${name}_`)
  if (fault !== null) return fault
  if (!has(kind, row)) return `the tick of ${name}_at has no ${name}`
  return has(latest, row) && !isSame(kind, latest, row) ? `the last tick has a ${name}, and is another than that of ${name}_at` : null
}

/** Compares all rows with what `store.json` says of the part. */
function checkTotals({ ticks, firstUs, latest }: Rows, count: number, part: PartSaid, fail: (message: string) => never): void {
  const said = { ticks: part.ticks, markets: part.markets, firstUs: part.firstUs, lastUs: part.lastUs }
  const found = { ticks: 0, markets: count, firstUs: Infinity, lastUs: -Infinity }
  for (let row = 0; row < count; row++) {
    found.ticks += ticks[row]!
    found.firstUs = Math.min(found.firstUs, firstUs[row]!)
    found.lastUs = Math.max(found.lastUs, latest.atUs[row]!)
  }
  for (const name of ['ticks', 'markets', 'firstUs', 'lastUs'] as const) if (found[name] !== said[name]) fail(`its ${name} are ${found[name]}, and ${STORE_FILE} says ${said[name]} of the part`)
}
