import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { legListsOf } from '../arrow/legLists.ts'
import { checkColumns } from '../arrow/olderRun.ts'
import { plainText } from '../arrow/plainText.ts'
import { listOf, readTable, type Table, type TableColumn } from '../arrow/tableReader.ts'
import { servicesOf } from '../score/runTables.ts'
import { InputError } from '../unit/inputError.ts'
import { type Cell, n, type Row } from './explainCells.ts'
import { wordsOf } from './explainWords.ts'

/** Columns that runs of older versions have under other names, by table. */
const RENAMED: Readonly<Record<string, readonly string[]>> = { requests: ['best_odds_at_end_e4'], quotes: ['quoted_odds_e4'] }

/** The part of a manifest that is read, for runs that name the service of each maker. */
interface ManifestMakers {
  readonly identity?: { readonly scenario?: { readonly makers?: readonly { readonly name: string; readonly service?: string }[] } }
}

/** The numbers in a column of rows. */
export const numbersOf = (rows: readonly Row[], column: string): Set<number> => new Set(rows.map((row) => n(row[column])))

/** The rows of a run about one request, by table. Throws InputError when the run, its tables or the service is not there. */
export class RequestTables {
  readonly service: string
  private readonly dir: string
  private readonly request: number

  constructor(dir: string, request: number, service: string | null) {
    this.dir = dir
    this.request = request
    if (!existsSync(join(dir, 'manifest.json'))) {
      throw new InputError('not a complete run: there is no manifest', { position: { file: dir }, hint: 'expected the folder of a run that ended' })
    }
    const services = servicesOf(dir)
    if (service === null && services.length > 1) {
      throw new InputError(`the run has several services`, { position: { file: dir }, hint: `expected ${services.map((name) => `${name}:${request}`).join(' or ')}` })
    }
    if (service !== null && !services.includes(service)) {
      throw new InputError(`the run has no service ${service}`, { position: { file: dir }, hint: `it has ${services.join(' and ')}` })
    }
    this.service = service ?? services[0]!
  }

  /**
   * Refused commands about the request, its position or an auction of the position. A refused cash-out names only the position or the
   * auction. A refusal about a cash-out RFQ names that RFQ.
   */
  refusals(position: Row | undefined, auctions: readonly Row[]): Row[] {
    const positions = new Set(position === undefined ? [] : [n(position['position'])])
    const sales = numbersOf(auctions, 'auction')
    return this.rows('rejections', { position: positions, ...(this.service === 'outcome' ? { request: sales } : { auction: sales }) })
  }

  /** @param besides numbers of other columns by which a row belongs to the request too, or other numbers in the request's own column. */
  rows(name: string, besides: Readonly<Record<string, ReadonlySet<number>>> = {}): Row[] {
    const path = this.path(name)
    if (!existsSync(path)) return []
    const table = readTable(path)
    checkColumns(table, RENAMED[name] ?? [])
    const keys = Object.entries({ ...besides, request: new Set([this.request, ...(besides['request'] ?? [])]) })
      .filter(([column, wanted]) => wanted.size > 0 && table.columnNames.includes(column)).map(([column, wanted]) => ({ key: table.column(column), wanted }))
    const services = table.column('service')
    const own = services.values!.indexOf(this.service)
    const found: number[] = []
    for (let i = 0; i < table.rowCount; i++) {
      if (services.codes![i] === own && keys.some(({ key, wanted }) => wanted.has(key.numbers![i]!) && (key.valid === null || key.valid[i] === 1))) found.push(i)
    }
    if (found.length === 0) return []
    const columns = [...table.columnNames.map((column) => table.column(column)), ...olderLegs(table)]
    return found.map((row) => Object.fromEntries(columns.map((column) => [column.name, cellOf(column, row)])))
  }

  /**
   * Makers that could quote on the service by the manifest's scenario, and others that have quoted or bid there: any account of a client
   * may (PQ-011). Without a scenario, all makers of the run.
   */
  makers(): readonly string[] {
    const known = readTable(this.path('quotes')).column('maker').values ?? []
    const { identity } = JSON.parse(plainText(join(this.dir, 'manifest.json'))) as ManifestMakers
    const makers = identity?.scenario?.makers
    if (makers === undefined) return known
    const could = new Set(makers.flatMap(({ name, service = this.service }) => (service === this.service ? [name] : [])))
    return known.every((maker) => could.has(maker)) ? known : known.filter((maker) => could.has(maker) || this.hasOffered(maker))
  }

  /** Whether the maker has a quote or a bid on the service. */
  private hasOffered(maker: string): boolean {
    return ['quotes', 'bids'].some((name) => {
      const table = readTable(this.path(name))
      const [makers, services] = [table.column('maker'), table.column('service')]
      const [code, own] = [makers.values!.indexOf(maker), services.values!.indexOf(this.service)]
      return code >= 0 && makers.codes!.some((cell, row) => cell === code && services.codes![row] === own)
    })
  }

  /** The mistake of a request that the run does not have. */
  unknown(): InputError {
    const table: Table = readTable(this.path('requests'))
    const numbers = table.numbers('request', 'int64')
    const services = table.column('service')
    const own = services.values!.indexOf(this.service)
    const { request: noun } = wordsOf(this.service)
    // Cash-out RFQs are numbered among the others. They are part of the story of the position that they sell.
    const sold = this.service === 'outcome' ? this.rows('auctions', { auction: new Set([this.request]) }).find((row) => n(row['auction']) === this.request) : undefined
    if (sold !== undefined) {
      return new InputError(`${noun} ${this.request} is the cash-out of a position`, { position: { file: this.dir }, hint: `it is told with ${noun} ${n(sold['request'])}, which opened the position` })
    }
    let low = Infinity
    let high = -Infinity
    for (let i = 0; i < numbers.length; i++) {
      if (services.codes![i] !== own) continue
      low = Math.min(low, numbers[i]!)
      high = Math.max(high, numbers[i]!)
    }
    const hint = low === Infinity ? `the run made no ${noun}` : `its ${noun}s are numbered ${low} to ${high}`
    return new InputError(`no ${noun} ${this.request}`, { position: { file: this.dir }, hint })
  }

  private path(name: string): string {
    return join(this.dir, 'tables', `${name}.arrow`)
  }
}

/** The legs of a table of an older version, as the columns that they are now. */
function olderLegs(table: Table): TableColumn[] {
  if (!table.has('market_1')) return []
  const { markets, sides } = legListsOf(table)
  return [{ ...markets, name: 'leg_markets' }, { ...sides, name: 'leg_sides' }]
}

function cellOf(column: TableColumn, row: number): Cell {
  if (column.offsets !== undefined) return listOf(column, row)
  if (column.codes !== undefined) return column.codes[row]! < 0 ? null : column.values![column.codes[row]!]!
  if (column.valid !== null && column.valid[row] === 0) return null
  return column.texts !== undefined ? column.texts[row]! : column.numbers![row]!
}
