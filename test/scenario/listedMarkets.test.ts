import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { listOf, readTable, type Table } from '../../src/arrow/tableReader.ts'
import { redrawPlaces } from '../../src/draw/redrawPlaces.ts'
import { planOperator, type SettlementPolicy } from '../../src/engine/operatorInputs.ts'
import { rootKey } from '../../src/kernel/random.ts'
import type { Market } from '../../src/market/market.ts'
import type { Ticks } from '../../src/market/ticks.ts'
import { Recorder } from '../../src/record/recorder.ts'
import { listedMarkets } from '../../src/scenario/listedMarkets.ts'
import { runScenario } from '../../src/scenario/run.ts'
import { newFolder, prepared, SMALL } from './small.ts'

const START = 1_000_000
const END = 9_000_000

const market = (number: number, facts: Partial<Market> = {}): Market => ({
  number, ticker: `M${number}`, venue: 'venue_a', event: `E${number}`, series: 'S', category: 'sports', title: `Does ${number} happen?`, game: '', ladder: '',
  exclusionKeys: [`e${number}`], openUs: START, scheduledCloseUs: null, scheduledCloseKnownUs: null, actualCloseUs: null,
  outcome: 'yes', settlementE6: null, settledUs: null, ...facts,
})

/** One tick of 0.41 in each of the named markets. */
function ticksOf(numbers: readonly number[]): Ticks {
  const filled = (value: number): Int32Array => new Int32Array(numbers.length).fill(value)
  return {
    count: numbers.length, atUs: Float64Array.from(numbers, () => START), market: Int32Array.from(numbers), bidE6: filled(400_000), askE6: filled(420_000),
    bidSize: filled(-1), askSize: filled(-1), lastE6: filled(-1),
  }
}

function listed(markets: readonly Market[], policy: Partial<SettlementPolicy>, priced = markets.map(({ number }) => number), hasOutcome = false) {
  const ticks = ticksOf(priced)
  const plan = planOperator(markets, ticks, START, END, { lagUs: 500, missing: 'exclude', scalar: 'void', ...policy }, rootKey('test'))
  const closes = Float64Array.from(markets, ({ number }) => (priced.includes(number) ? 0.41 : NaN))
  const places = redrawPlaces(markets, { ties: plan.ties, redraws: policy.outcomes === 'drawn', within: 'all', closes, ticks, untilUs: END })
  return listedMarkets(markets, plan, hasOutcome, { closes, places })
}

/** The rows of a table of these markets. */
function written(markets: readonly Market[], policy: Partial<SettlementPolicy>, hasOutcome = false): Record<string, unknown>[] {
  const dir = newFolder()
  const recorder = new Recorder({
    dir, directory: { accounts: [], markets: markets.map(({ ticker, event }) => ({ ticker, cluster: `day of ${event}` })) }, parlay: { legsMax: 5 }, identity: {}, reference: null,
    markets: listed(markets, policy, undefined, hasOutcome),
  })
  recorder.finish(END)
  return rowsOf(readTable(join(dir, 'tables', 'markets.arrow')))
}

const rowsOf = (table: Table): Record<string, unknown>[] => Array.from({ length: table.rowCount }, (_, row) => Object.fromEntries(table.columnNames.map((name) => {
  const column = table.column(name)
  if (column.valid !== null && column.valid[row] === 0) return [name, null]
  return [name, column.offsets !== undefined ? listOf(column, row) : column.codes !== undefined ? column.values![column.codes[row]!] : (column.texts ?? column.numbers!)[row]]
})))

describe('the table of markets', () => {
  it('has what the history says of a market, and null where it says nothing', () => {
    const known = market(1, {
      event: 'CUP', game: 'ALB at BRK', ladder: 'CUP totals', exclusionKeys: ['event CUP', 'game ALB at BRK'], openUs: 900_000, scheduledCloseUs: 5_000_000,
      scheduledCloseKnownUs: 950_000, actualCloseUs: 4_000_000, outcome: 'no', settledUs: 6_000_000, venue: 'venue_b',
      listing: { subcategory: 'nba', frequency: 'daily', eventTitle: 'The cup', isExclusive: false },
    })
    expect(written([market(0, { category: '' }), known], {})).toEqual([
      {
        market: 0, ticker: 'M0', outcome_id: null, venue: 'venue_a', series: 'S', event: 'E0', event_title: null, title: 'Does 0 happen?', category: null, subcategory: null,
        frequency: null, game: null, ladder: null, exclusion_keys: ['e0'], is_exclusive: null, cluster: 'day of E0', opened_at: START, scheduled_close_at: null,
        scheduled_close_known_at: null, closed_at: null, recorded_result: 'yes', recorded_value_e6: null, recorded_result_at: null,
        // The last tick and the lag.
        result: 'yes', result_at: START + 500, result_by: 'recorded',
        closing_price: 0.41, redrawn_as: 'alone', redrawn_by: 'M0', redrawn_group: 'all', redrawn_from: 0, redrawn_to: 0.41,
      },
      {
        market: 1, ticker: 'M1', outcome_id: null, venue: 'venue_b', series: 'S', event: 'CUP', event_title: 'The cup', title: 'Does 1 happen?', category: 'sports', subcategory: 'nba',
        frequency: 'daily', game: 'ALB at BRK', ladder: 'CUP totals', exclusion_keys: ['event CUP', 'game ALB at BRK'], is_exclusive: 0, cluster: 'day of CUP', opened_at: 900_000,
        scheduled_close_at: 5_000_000, scheduled_close_known_at: 950_000, closed_at: 4_000_000, recorded_result: 'no', recorded_value_e6: null, recorded_result_at: 6_000_000,
        result: 'no', result_at: 6_000_000, result_by: 'recorded',
        closing_price: 0.41, redrawn_as: 'alone', redrawn_by: 'M1', redrawn_group: 'all', redrawn_from: 0, redrawn_to: 0.41,
      },
    ])
  })

  it('says where the result of the session comes from', () => {
    const markets = [market(0), market(1, { outcome: null }), market(2, { outcome: 'scalar', settlementE6: 250_000 }), market(3, { outcome: 'void' })]
    const results = (policy: Partial<SettlementPolicy>): unknown[] => written(markets, policy).map((row) => [row['ticker'], row['recorded_result'], row['result'], row['result_by']])
    expect(results({ missing: 'void' })).toEqual([
      ['M0', 'yes', 'yes', 'recorded'], ['M1', null, 'void', 'policy'], ['M2', 'scalar', 'void', 'policy'], ['M3', 'void', 'void', 'recorded'],
    ])
    const scalar = written(markets, {}).find(({ ticker }) => ticker === 'M2')!
    expect(scalar['recorded_value_e6']).toBe(250_000)
    // A result that pays neither side whole is not drawn anew.
    expect([scalar['closing_price'], scalar['redrawn_as'], scalar['redrawn_by'], scalar['redrawn_to']]).toEqual([0.41, null, null, null])
    const [, drawn] = results({ missing: 'draw' }) as string[][]
    expect([drawn![0], drawn![1], drawn![3]]).toEqual(['M1', null, 'drawn'])
    expect(['yes', 'no']).toContain(drawn![2])
    expect(results({ outcomes: 'drawn' }).map((row) => (row as string[])[3])).toEqual(['drawn', 'drawn', 'policy', 'recorded'])
  })

  it('leaves out what the session does not list: markets without prices, and those that the policy excludes', () => {
    const markets = [market(0), market(1), market(2, { outcome: null })]
    expect(listed(markets, { missing: 'exclude' }, [0, 2]).map(({ number }) => number)).toEqual([0])
  })

  it('has the outcome_id of each market where there is the outcome service', () => {
    // The SHA-256 of "venue_a\0M0" as an integer, by sha256sum and Python.
    expect(written([market(0)], {}, true)[0]!['outcome_id']).toBe('56230296271720210837013881660599236427506903451844217845706321117829202532621')
  })

  it('of a run has each market that a leg names, once, with the number that the journal has', async () => {
    const parts = await prepared(SMALL)
    const { path } = await runScenario(parts.loaded, parts.prepared, { target: { path: join(newFolder(), 'run'), force: false, numbered: false } })
    const tableOf = (name: string): Table => readTable(join(path, 'tables', `${name}.arrow`))
    const rows = rowsOf(tableOf('markets'))
    const journal = rowsOf(tableOf('journal'))
    const listings = new Set(journal.filter(({ op }) => op === 'listMarket').map((row) => row['market']))
    expect(rows.map((row) => row['market'])).toEqual([...listings].toSorted((a, b) => Number(a) - Number(b)))
    const tickers = new Map(rows.map((row) => [row['ticker'], row]))
    const legs = new Set(rowsOf(tableOf('requests')).flatMap((row) => row['leg_markets'] as string[]))
    expect(legs.size).toBeGreaterThan(5)
    expect([...legs].filter((ticker) => !tickers.has(ticker))).toEqual([])
    // The results that the operator gave are those of the table, at their instants.
    const names = ['no', 'yes', 'void']
    const given = journal.filter(({ op }) => op === 'resolveMarket').map((row) => [row['market'], row['at'], names[Number(row['value'])]])
    expect(given.length).toBeGreaterThan(5)
    const said = new Map(rows.map((row) => [row['market'], [row['market'], row['result_at'], row['result']]]))
    expect(given).toEqual(given.map(([number]) => said.get(number)))
  })
})
