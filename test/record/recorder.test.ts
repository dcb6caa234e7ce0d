import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { tableFromIPC } from 'apache-arrow'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listOf, readTable, type Table } from '../../src/arrow/tableReader.ts'
import { Digest } from '../../src/record/digest.ts'
import { Recorder, type RecorderOptions } from '../../src/record/recorder.ts'
import { replayJournal } from '../../src/record/replayJournal.ts'
import { SECOND_US } from '../../src/unit/time.ts'
import { ParlayCommand } from '../../src/venue/parlay/protocol/commands.ts'
import { Session } from './session.ts'
import { BETTOR, DIRECTORY, PRICES, playStory, STORY_SECONDS, T0 } from './story.ts'

const TABLES = [
  'requests', 'quotes', 'acceptances', 'positions', 'settlements', 'auctions', 'bids', 'vault_transactions', 'operations', 'webhooks', 'ledger',
  'rejections', 'journal', 'marks', 'equity',
]
const BATCH_ROWS = 8

let root: string
let dir: string
let digest: string

const options = (folder: string, more: Partial<RecorderOptions> = {}): RecorderOptions => ({
  dir: folder, directory: DIRECTORY, parlay: { legsMax: 5 }, identity: { seed: '7' }, reference: PRICES,
  horizonsUs: [10 * SECOND_US, 60 * SECOND_US], equityEveryUs: 30 * SECOND_US, batchRows: BATCH_ROWS, ...more,
})

function recordStory(folder: string, chunk: number, more: Partial<RecorderOptions> = {}): string {
  const sink = new Digest()
  playStory(new Session([new Recorder(options(folder, more)), sink], { chunk }))
  return sink.hex()
}

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'parlor-record-'))
  dir = join(root, 'story')
  digest = recordStory(dir, Infinity)
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

const tableOf = (name: string): Table => readTable(join(dir, 'tables', `${name}.arrow`))

type Cell = number | string | null

/** A column's cells; an instant in whole seconds after T0. */
function cells(table: Table, name: string): Cell[] {
  const column = table.column(name)
  return Array.from({ length: table.rowCount }, (_, row): Cell => {
    if (column.valid !== null && column.valid[row] === 0) return null
    if (column.offsets !== undefined) return listOf(column, row).join(' ')
    if (column.codes !== undefined) return column.values![column.codes[row]!]!
    if (column.texts !== undefined) return column.texts[row]!
    return column.type === 'timeUs' ? (column.numbers![row]! - T0) / SECOND_US : column.numbers![row]!
  })
}

/** Rows of the named columns. */
function rows(name: string, ...names: readonly string[]): Cell[][] {
  const table = tableOf(name)
  const columns = names.map((column) => cells(table, column))
  return Array.from({ length: table.rowCount }, (_, row) => columns.map((column) => column[row]!))
}

test('every version of a request leaves one row, in the order of their ends', () => {
  expect(rows('requests', 'request', 'version', 'state', 'created_at', 'ended_at', 'quote_count', 'maker_count', 'commit_attempts', 'best_odds_at_end_e4', 'filled_quote'))
    .toEqual([
      [1, 1, 'committed', 1, 8, 3, 2, 2, 40_000, 3],
      [2, 1, 'updated', 10, 14, 1, 1, 1, null, null],
      [2, 2, 'cancelled', 14, 22, 1, 1, 1, null, null],
      [3, 1, 'committed', 24, 27, 1, 1, 1, 20_000, 6],
      [5, 1, 'committed', 33, 36, 1, 1, 1, 20_000, 8],
      [4, 1, 'open', 30, null, 1, 1, 0, 40_000, null],
    ])
  expect(rows('requests', 'bettor', 'cohort', 'bet_micros', 'expires_at', 'cluster', 'leg_markets', 'leg_sides', 'leg_count')[0])
    .toEqual([BETTOR, 'noise', 25_000_000, 91, '2025-06-20', 'MLB-NYY MLB-BOS', 'yes yes', 2])
})

test('every quote leaves one row with its rivals, its fair value and the reference', () => {
  expect(rows('quotes', 'quote', 'maker', 'state', 'traded_away', 'submitted_at', 'ended_at', 'competing_quotes', 'fair', 'reference')).toEqual([
    [2, 'shade', 'replaced', 0, 3, 4, 1, 0.24, 0.25],
    [3, 'shade', 'filled', 0, 4, 8, 1, 0.245, 0.25],
    [1, 'clara', 'invalidated', 1, 2, 8, 0, null, 0.25],
    [4, 'shade', 'failed', 0, 11, 13, 0, 0.25, 0.25],
    [5, 'shade', 'failed', 0, 15, 21, 0, null, 0.25],
    [6, 'clara', 'filled', 0, 25, 27, 0, null, 0.25],
    [8, 'clara', 'filled', 0, 34, 36, 0, null, 0.375],
    [7, 'clara', 'open', 0, 31, null, 0, null, 0.375],
  ])
  expect(rows('quotes', 'quoted_odds_e4', 'net_stake_micros', 'risk_micros', 'taker_fee_bps', 'valid_until', 'book_seq')[1])
    .toEqual([40_000, 24_750_000, 74_250_000, 100, 19, 3])
})

test('every selection leaves its last look', () => {
  expect(rows('acceptances', 'request', 'version', 'quote', 'maker', 'selected_at', 'deadline_at', 'decided_at', 'outcome', 'risk_micros', 'reference_at_decision'))
    .toEqual([
      [1, 1, 3, 'shade', 6, 11, 8, 'confirmed', 74_250_000, 0.25],
      [2, 1, 4, 'shade', 12, 17, 13, 'declined', 74_250_000, 0.25],
      [2, 2, 5, 'shade', 16, 21, 21, 'timed_out', 49_500_000, 0.25],
      [3, 1, 6, 'clara', 26, 31, 27, 'confirmed', 24_750_000, 0.25],
      [5, 1, 8, 'clara', 35, 40, 36, 'confirmed', 24_750_000, 0.375],
    ])
})

test('PQ-431 25 USDC at 4.0 pay 98.2575 to the holder, and the rest reconciles', () => {
  expect(rows('settlements', 'position', 'at', 'outcome', 'net_stake_micros', 'payout_micros', 'to_holder_micros', 'to_maker_micros', 'profit_fee_micros', 'taker_fee_micros'))
    .toEqual([
      [2, 45, 'lost', 24_750_000, 49_500_000, 0, 49_500_000, 0, 250_000],
      [1, 60, 'won', 24_750_000, 99_000_000, 98_257_500, 0, 742_500, 250_000],
    ])
  expect(rows('positions', 'position', 'state', 'outcome', 'maker', 'opened_at', 'ended_at', 'risk_micros', 'taker_fee_micros', 'leg_markets')).toEqual([
    [2, 'settled', 'lost', 'clara', 27, 45, 24_750_000, 250_000, 'MLB-BOS MLB-LAD'],
    [1, 'settled', 'won', 'shade', 8, 60, 74_250_000, 250_000, 'MLB-NYY MLB-BOS'],
    [3, 'open', null, 'clara', 36, null, 24_750_000, 250_000, 'MLB-NYY MLB-SEA'],
  ])
})

test('positions say how many clusters their legs lie in', () => {
  // NYY lies in 06-19, BOS and LAD in 06-20, SEA in 06-21.
  expect(rows('positions', 'position', 'cluster_count')).toEqual([[2, 1], [1, 2], [3, 2]])
})

test('INV-01 the postings of the ledger table add up to every balance', () => {
  const balance = new Map<string, number>()
  const move = (kind: Cell, owner: Cell, amount: number): void => {
    const key = `${kind} ${owner}`
    balance.set(key, (balance.get(key) ?? 0) + amount)
  }
  for (const [debit, debtor, credit, creditor, amount] of rows('ledger', 'debit_kind', 'debit_owner', 'credit_kind', 'credit_owner', 'amount_micros')) {
    move(debit!, debtor!, -Number(amount))
    move(credit!, creditor!, Number(amount))
  }
  expect(Object.fromEntries([...balance].filter(([, amount]) => amount !== 0))).toEqual({
    'external null': -3_000_000_000,
    'free 1': 1_023_257_500,
    'free 2': 925_750_000,
    'free 3': 1_000_000_000,
    'pot 3': 49_500_000,
    'escrow 3': 250_000,
    'house null': 1_242_500,
  })
})

test('every refusal leaves a row with what the service says', () => {
  expect(rows('rejections', 'at', 'op', 'cohort', 'rejection', 'http_status', 'code', 'reason', 'request', 'quote', 'failed_maker')).toEqual([
    [5, 'commitRequest', 'noise', 'quoteExpired', 409, 'CONFLICT', 'QUOTE_EXPIRED', 1, null, null],
    [13, 'commitRequest', 'noise', 'mmConfirmationTimeout', 409, 'CONFLICT', 'mm_confirmation_timeout', 2, 4, 'shade'],
    [21, 'commitRequest', 'noise', 'mmConfirmationTimeout', 409, 'CONFLICT', 'mm_confirmation_timeout', 2, 5, 'shade'],
    [50, 'createRequest', 'noise', 'invalid', 400, 'VALIDATION_ERROR', null, null, null, null],
  ])
})

test('the journal holds every command, also what is no integer', () => {
  const journal = rows('journal', 'command', 'at', 'op', 'account', 'bet_micros', 'fair_e9', 'legs', 'list', 'more')
  expect(journal).toHaveLength(36)
  expect(journal.map(([command]) => command)).toEqual(Array.from({ length: 36 }, (_, i) => i + 1))
  expect(journal[0]).toEqual([1, 0, 'listMarket', 0, null, null, null, '100', `closeUs=${T0 + 3600 * SECOND_US}`])
  expect(journal[7]).toEqual([8, 1, 'createRequest', BETTOR, 25_000_000, null, '0:1 1:1', null, null])
  expect(journal[9]).toEqual([10, 3, 'submitQuote', 2, null, 240_000_000, null, null, null])
  expect(journal[34]).toEqual([35, 50, 'createRequest', BETTOR, null, null, '1:1 3:0', null, 'betMicros=NaN'])
})

test('the journal table, given to a fresh venue, makes the same rows', () => {
  const sink = new Digest()
  const session = new Session([sink])
  replayJournal(join(dir, 'tables', 'journal.arrow'), {
    parlay: { command: new ParlayCommand(), apply: (atUs, command) => session.venue.apply(atUs, command) },
  })
  session.finish(T0 + STORY_SECONDS * SECOND_US)
  expect(sink.hex()).toBe(digest)
})

test('marks value winners, losers and declined quotes at each horizon, settled legs as 0 or 1', () => {
  const marks = rows('marks', 'at', 'quote', 'kind', 'horizon_us', 'censored', 'reference')
  const [short, long] = [10_000_000, 60_000_000]
  expect(marks).toEqual([
    [18, 3, 'filled', short, 0, 0.25],
    [18, 1, 'traded_away', short, 0, 0.25],
    [23, 4, 'declined', short, 0, 0.25],
    [31, 5, 'timed_out', short, 0, 0.25],
    [37, 6, 'filled', short, 0, 0.25],
    [46, 8, 'filled', short, 0, 0.5],
    [68, 3, 'filled', long, 0, 1],
    [68, 1, 'traded_away', long, 0, 1],
    [73, 4, 'declined', long, 0, 0],
    [81, 5, 'timed_out', long, 0, 0],
    [87, 6, 'filled', long, 0, 0],
    [90, 8, 'filled', long, 1, 0.5],
  ])
  expect(rows('marks', 'quoted_probability', 'payout_micros', 'fair', 'reference_at_submission').slice(0, 2)).toEqual([
    [0.25, 99_000_000, 0.245, 0.25],
    [1 / 3, 74_250_000, null, 0.25],
  ])
})

test('equity counts everything up to its instant, at cost and at the reference', () => {
  expect(rows('equity', 'at', 'maker', 'free_micros', 'reserved_micros', 'locked_micros', 'at_cost_micros', 'mark_to_market_micros', 'open_positions')).toEqual([
    [0, 'shade', 1_000_000_000, 0, 0, 1_000_000_000, 1_000_000_000, 0],
    [0, 'clara', 1_000_000_000, 0, 0, 1_000_000_000, 1_000_000_000, 0],
    [30, 'shade', 925_750_000, 0, 74_250_000, 1_000_000_000, 987_625_000, 1],
    [30, 'clara', 975_250_000, 0, 24_750_000, 1_000_000_000, 1_012_375_000, 1],
    [60, 'shade', 925_750_000, 0, 0, 925_750_000, 925_750_000, 0],
    [60, 'clara', 1_000_000_000, 0, 24_750_000, 1_024_750_000, 1_024_750_000, 1],
    [90, 'shade', 925_750_000, 0, 0, 925_750_000, 925_750_000, 0],
    [90, 'clara', 1_000_000_000, 0, 24_750_000, 1_024_750_000, 1_024_750_000, 1],
  ])
})

test.each(TABLES)('seq rises within %s, and is empty for what was open', (name) => {
  const seq = cells(tableOf(name), 'seq')
  const closed = seq.filter((value) => value !== null)
  // Marks stand in the order of their instants; their seq is that of the decision.
  if (name !== 'marks') expect(closed).toEqual([...closed].sort((a, b) => Number(a) - Number(b)))
  expect(seq.length - closed.length).toBe(name === 'requests' || name === 'quotes' || name === 'positions' ? 1 : 0)
})

test('arrow-js reads the same totals, with the identity and the schema version in the metadata', () => {
  const table = tableFromIPC(readFileSync(join(dir, 'tables', 'settlements.arrow')))
  expect(table.schema.metadata.get('seed')).toBe('7')
  expect(table.schema.metadata.get('schema_version')).toBe('6')
  const paid = Array.from({ length: table.numRows }, (_, row) => table.getChild('to_holder_micros')!.get(row) as bigint)
  expect(paid.reduce((sum, amount) => sum + amount, 0n)).toBe(98_257_500n)
})

test('where the batches are cut changes neither the digest nor a byte of the tables', () => {
  for (const chunk of [1, 3, 7]) {
    const folder = join(root, `chunk-${chunk}`)
    expect(recordStory(folder, chunk)).toBe(digest)
    expect(readdirSync(join(folder, 'tables')).sort()).toEqual(TABLES.map((name) => `${name}.arrow`).sort())
    const changed = TABLES.filter((name) => {
      const [again, before] = [folder, dir].map((run) => readFileSync(join(run, 'tables', `${name}.arrow`)))
      return !again!.equals(before!)
    })
    expect(changed).toEqual([])
  }
})

test('without a reference the tables stand, with no value in its columns', () => {
  const folder = join(root, 'unpriced')
  recordStory(folder, Infinity, { reference: null, equityEveryUs: 0 })
  const quotes = readTable(join(folder, 'tables', 'quotes.arrow'))
  expect(new Set(cells(quotes, 'reference'))).toEqual(new Set([null]))
  expect(readTable(join(folder, 'tables', 'equity.arrow')).rowCount).toBe(0)
})

test('a session that is given up leaves no file', () => {
  const folder = join(root, 'given-up')
  const recorder = new Recorder(options(folder))
  recorder.abort()
  expect(readdirSync(join(folder, 'tables'))).toEqual([])
})

test('a session without a row leaves empty tables', () => {
  const folder = join(root, 'empty')
  const recorder = new Recorder(options(folder))
  recorder.finish(T0 + STORY_SECONDS * SECOND_US)
  expect(recorder.tables().map(({ name, rows: count }) => [name, count])).toEqual(TABLES.map((name) => [name, 0]))
})
