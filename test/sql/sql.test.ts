import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { readTables, type ResultTables, sql, sqlStore } from '../../src/actions.ts'
import { withGuess } from '../../src/sql/guesses.ts'
import { parlorHere } from '../cli/parlor.ts'
import { DAY, DAY_US, draftOf, writeRows } from '../feed/store/rows.ts'
import { newFolder, put, SMALL } from '../scenario/small.ts'

const folder = newFolder()
const RUN = join(folder, 'run')
let tables: ResultTables

type Row = Readonly<Record<string, unknown>>
const rowsOf = (name: string): Row[] => [...tables.get(name).rows()]
const sums = (rows: readonly Row[], key: (row: Row) => string | number, value: (row: Row) => number): [string | number, number][] => {
  const all = new Map<string | number, number>()
  for (const row of rows) all.set(key(row), (all.get(key(row)) ?? 0) + value(row))
  return [...all].toSorted(([a], [b]) => (a < b ? -1 : 1))
}

/** What a folder holds, byte by byte. */
const contents = (path: string): string[] => readdirSync(path, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  .map((entry) => `${join(entry.parentPath, entry.name)} ${readFileSync(join(entry.parentPath, entry.name)).toString('base64')}`).toSorted()

beforeAll(async () => {
  put(folder, 'small.yaml', SMALL)
  await parlorHere(folder, 'run', 'small.yaml', '--out', 'run', '--quiet', '--no-report')
  await parlorHere(folder, 'run', 'small.yaml', '--out', 'parquet', '--set', 'record={parquet: true}', '--quiet', '--no-report')
  tables = await readTables(RUN)
})

describe('questions about the tables of a run', () => {
  it('are answered: what each maker gained', async () => {
    const { columns, rows } = await sql(RUN, 'select maker, sum(to_maker_micros + net_stake_micros - payout_micros) as profit_micros from settlements group by maker order by maker')
    expect(columns).toEqual([{ name: 'maker', type: 'VARCHAR' }, { name: 'profit_micros', type: 'HUGEINT' }])
    const expected = sums(rowsOf('settlements'), (row) => String(row['maker']), (row) => Number(row['to_maker_micros']) + Number(row['net_stake_micros']) - Number(row['payout_micros']))
    expect(expected.length).toBeGreaterThan(1)
    expect(rows).toEqual(expected.map(([maker, profit]) => [maker, BigInt(profit)]))
  })

  it('are answered: how many requests of each number of legs were quoted', async () => {
    const { rows } = await sql(RUN, 'select leg_count, count(*), count(*) filter (quote_count > 0) from requests group by all order by all')
    const requests = rowsOf('requests')
    const [all, quoted] = [sums(requests, (row) => Number(row['leg_count']), () => 1), sums(requests, (row) => Number(row['leg_count']), (row) => (Number(row['quote_count']) > 0 ? 1 : 0))]
    expect(all.length).toBeGreaterThan(1)
    expect(rows).toEqual(all.map(([legs, count], i) => [legs, BigInt(count), BigInt(quoted[i]![1])]))
  })

  it('are answered: who won the requests that a maker quoted and lost', async () => {
    const { rows } = await sql(RUN, `
      select won.maker, count(distinct won.request) from quotes lost join quotes won using (service, request)
      where lost.maker = 'fixed-margin' and won.state = 'filled' and won.maker <> lost.maker group by won.maker order by won.maker`)
    const quotes = rowsOf('quotes')
    const quoted = new Set(quotes.filter((row) => row['maker'] === 'fixed-margin').map((row) => row['request']))
    const winners = quotes.filter((row) => row['state'] === 'filled' && row['maker'] !== 'fixed-margin' && quoted.has(row['request']))
    expect(winners.length).toBeGreaterThan(0)
    expect(rows).toEqual(sums(winners, (row) => String(row['maker']), () => 1).map(([maker, count]) => [maker, BigInt(count)]))
  })

  it('see every table of the run, with the columns of the dictionary and their rows', async () => {
    expect((await sql(RUN, 'show tables')).rows.flat()).toEqual([...tables.names].toSorted())
    for (const name of ['requests', 'bids', 'journal']) {
      expect((await sql(RUN, `describe ${name}`)).rows.map(([column]) => column)).toEqual(tables.get(name).columnNames)
      expect((await sql(RUN, `select count(*) from ${name}`)).rows).toEqual([[BigInt(tables.get(name).rowCount)]])
    }
  })

  it('are answered alike from the run’s own Parquet, and so are tables in other letters', async () => {
    const query = 'select * from Quotes order by quote'
    expect(await sql(join(folder, 'parquet'), query)).toEqual(await sql(RUN, query))
  })

  it('change nothing, whatever is asked, and leave no file behind', async () => {
    const run = join(folder, 'parquet')
    const before = contents(run)
    const own = join(run, 'tables', 'quotes.parquet')
    for (const query of [
      `copy (select 1) to '${own}'`, `explain analyze copy (select * from quotes) to '${own}'`, 'drop view quotes', 'create table t as select 1', `select * from '${join(run, 'manifest.json')}'`,
      `select * from read_text('${join(run, 'tables', 'requests.parquet')}') where (select count(*) from quotes) > 0`, `attach '${join(run, 'new.db')}'`, 'install httpfs', 'set threads = 2', 'select 1; select 2', ' -- nothing',
    ]) await expect(sql(run, query)).rejects.toMatchObject({ name: 'InputError', hint: expect.stringContaining('the tables are requests, quotes') })
    expect(contents(run)).toEqual(before)
    expect(readdirSync(tmpdir()).filter((name) => name.startsWith('parlor-sql-'))).toEqual([])
  })

  it('are given up by a signal', async () => {
    await expect(sql(RUN, 'select 1', { signal: AbortSignal.abort() })).rejects.toMatchObject({ name: 'Interrupted' })
    const ending = new AbortController()
    const endless = sql(RUN, 'select count(*) from range(1000000000000) a, range(1000000000000) b', { signal: ending.signal })
    setImmediate(() => { ending.abort() })
    await expect(endless).rejects.toMatchObject({ name: 'Interrupted' })
  })
})

describe('parlor sql', () => {
  const EXACT = `select timestamptz '2025-06-19 22:30:00.000001+00' as instant, timestamp '2025-06-19 22:30:00' as local, date '2025-06-19' as day, 9007199254740993::bigint as micros,
    170141183460469231731687303715884105727::hugeint as huge, 0.10::decimal(9,2) as share, 'nan'::double as none, null as empty, ['a,b'] as names, {n: 1::bigint} as part, '' as text, interval 2 days as span`

  it('prints figures exactly as lines of JSON', async () => {
    const { code, out } = await parlorHere(folder, 'sql', 'run', EXACT, '--json')
    expect(code).toBe(0)
    expect(out).toBe('{"instant":"2025-06-19T22:30:00.000001Z","local":"2025-06-19T22:30:00.000000","day":"2025-06-19","micros":9007199254740993,'
      + '"huge":170141183460469231731687303715884105727,"share":"0.10","none":"NaN","empty":null,"names":["a,b"],"part":{"n":1},"text":"","span":"2 days"}\n')
  })

  it('prints them as comma-separated values', async () => {
    const { out } = await parlorHere(folder, 'sql', 'run', `${EXACT} union all by name select 2 as micros order by micros`, '--csv')
    expect(out.split('\n')).toEqual([
      'instant,local,day,micros,huge,share,none,empty,names,part,text,span', ',,,2,,,,,,,,',
      '2025-06-19T22:30:00.000001Z,2025-06-19T22:30:00.000000,2025-06-19,9007199254740993,170141183460469231731687303715884105727,0.10,NaN,,"[""a,b""]","{""n"":1}","",2 days', '',
    ])
  })

  it('prints an aligned table for people, with a dash for null', async () => {
    const { out } = await parlorHere(folder, 'sql', 'run', 'select * from (values (\'a\', 10, null), (\'bcd\', 9, \'x\')) as t(name, count, note)')
    expect(out).toBe('name  count  note\na        10  -\nbcd       9  x\n')
  })

  it.each([
    ['select * from quotse', 'Table with name quotse does not exist!', 'quotes'],
    ['select count(*) from quotes join setlements using (position)', 'Table with name setlements does not exist!', 'settlements'],
    ['select makr from quotes', 'Referenced column "makr" not found in FROM clause!', 'maker'],
    ['select q.to_makr_micros from settlements q', 'Values list "q" does not have a column named "to_makr_micros"', 'to_maker_micros'],
    ['select * from quotes join positions using (positoin)', 'Column "positoin" does not exist on left side of join!', 'position'],
    ['with mine as (select maker as owner from quotes) select ownr from mine', 'Referenced column "ownr" not found in FROM clause!', 'owner'],
  ])('guesses at a misspelled name among the tables of the run and their columns: %s', async (query, message, guess) => {
    await expect(sql(RUN, query)).rejects.toThrow(`Error: ${message}\nDid you mean "${guess}"?`)
  })

  it('lists the other columns that DuckDB names behind the guess', async () => {
    const told = await parlorHere(folder, 'sql', 'run', 'select positoin from settlements s join positions p using (request)')
    expect(told.err).toMatch(/^error: Binder Error: Referenced column "positoin" not found in FROM clause!\nDid you mean "position"\?\nCandidate bindings: .*"[ps]\.position", "[ps]\.position".*\n\nLINE 1: /)
  })

  it('lists nothing where DuckDB names the guess alone', () => {
    const message = 'Binder Error: Table "s" does not have a column named "makr"\n\nCandidate bindings: : "maker"\n\nLINE 1: select s.makr\n               ^'
    expect(withGuess(message, [], ['maker'])).toBe('Binder Error: Table "s" does not have a column named "makr"\nDid you mean "maker"?\n\nLINE 1: select s.makr\n               ^')
    expect(withGuess(message.replace('"maker"', '"maker", "maker_fee"'), [], ['maker'])).toBe(
      'Binder Error: Table "s" does not have a column named "makr"\nDid you mean "maker"?\nCandidate bindings: : "maker", "maker_fee"\n\nLINE 1: select s.makr\n               ^',
    )
  })

  it('guesses at nothing where no name is near', async () => {
    await expect(sql(RUN, 'select * from weather_of_rome')).rejects.toThrow(/^Catalog Error: Table with name weather_of_rome does not exist!\n\nLINE 1/)
  })

  it('says what is wrong with a query, in DuckDB’s words, and which tables there are', async () => {
    expect(await parlorHere(folder, 'sql', 'run', 'select mker from quotes')).toMatchObject({ code: 2, out: '', err: expect.stringMatching(/^error: Binder Error: Referenced column "mker" not found.*"maker".*LINE 1.*hint: the tables are requests, quotes, /s) })
    expect(await parlorHere(folder, 'sql', 'run', 'selct 1')).toMatchObject({ code: 2, err: expect.stringMatching(/^error: Parser Error: syntax error at or near "selct"/) })
    expect(await parlorHere(folder, 'sql', 'run', 'select 1', '--json', '--csv')).toMatchObject({ code: 2, err: expect.stringContaining('expected --json or --csv, got both') })
    expect(await parlorHere(folder, 'sql', '.', 'select 1')).toMatchObject({ code: 2, err: expect.stringContaining('not a complete run') })
  })

  it('refuses a run whose files are not its own', async () => {
    await parlorHere(folder, 'run', 'small.yaml', '--out', 'changed', '--quiet', '--no-report')
    writeFileSync(join(folder, 'changed', 'tables', 'quotes.arrow'), readFileSync(join(folder, 'changed', 'tables', 'bids.arrow')))
    expect(await parlorHere(folder, 'sql', 'changed', 'select count(*) from quotes')).toMatchObject({ code: 1, out: '', err: expect.stringMatching(/quotes\.arrow: SHA-256/) })
  })
})

describe('questions about a price store', () => {
  const QUERY = 'select market, count(*) as prices, max(seen_at) as latest from ticks group by market order by market'

  it('are answered from its ticks and its markets, with null where there is nothing', async () => {
    const store = join(newFolder(), 'store')
    const markets = [draftOf('A', { outcome: 'scalar', settlementE6: 5, game: 'g', listing: { isExclusive: true }, exclusionKeys: ['event:E', 'game:g'] }), draftOf('B')]
    await writeRows(store, markets, [[DAY, 0, -1, 7, -1, 2, -1], [DAY + 1, 1, 3, 4, 1, 1, 5], [DAY + DAY_US, 0, 1, 2, 1, 1, -1]])
    const [first, second] = ['2025-06-19T00:00:00.000001Z', '2025-06-20T00:00:00.000000Z']
    expect(await sqlStore(store, QUERY)).toEqual({
      columns: [{ name: 'market', type: 'VARCHAR' }, { name: 'prices', type: 'BIGINT' }, { name: 'latest', type: 'TIMESTAMP WITH TIME ZONE' }], rows: [['A', 2n, second], ['B', 1n, first]],
    })
    expect((await sqlStore(store, 'select * exclude (seen_at, market) from ticks order by seen_at')).rows).toEqual([[null, 7, null, 2, null], [3, 4, 1, 1, 5], [1, 2, 1, 1, null]])
    expect((await sqlStore(store, 'select market, game, exclusion_keys, exclusive, outcome, settlement_e6, open_at, settled_at from markets order by market')).rows).toEqual([
      ['A', 'g', ['event:E', 'game:g'], true, 'scalar', 5, '2025-06-19T00:00:00.000000Z', null], ['B', null, ['event:E'], null, null, null, '2025-06-19T00:00:00.000000Z', null],
    ])
    // Of the day that is asked for alone. A damaged part of another day does not matter.
    writeFileSync(join(store, 'parts/2025-06-19.0.arrow'), Buffer.alloc(readFileSync(join(store, 'parts/2025-06-19.0.arrow')).length))
    expect((await sqlStore(store, QUERY, { from: '2025-06-20' })).rows).toEqual([['A', 1n, second]])
    await expect(sqlStore(store, QUERY)).rejects.toMatchObject({ name: 'InputError', message: expect.stringContaining('its SHA-256') })
    expect((await sqlStore(store, 'select count(*) from markets')).rows).toEqual([[2n]])
  })

  it('only read it, and are told which views there are', async () => {
    const store = join(newFolder(), 'store')
    await writeRows(store, [draftOf('A')], [[DAY, 0, 1, 2, 1, 1, -1]])
    const before = contents(store)
    for (const query of [`copy (select 1) to '${join(store, 'store.json')}'`, `select * from read_text('${join(store, 'store.json')}')`, 'select * from tick', 'select 1; select 2']) {
      await expect(sqlStore(store, query)).rejects.toMatchObject({ name: 'InputError', hint: expect.stringContaining('the views are ticks and markets') })
    }
    expect(contents(store)).toEqual(before)
    const { code, out } = await parlorHere(newFolder(), 'data', 'sql', store, 'select market, bid_e6, last_e6 from ticks', '--csv')
    expect([code, out]).toEqual([0, 'market,bid_e6,last_e6\nA,1,\n'])
  })
})
