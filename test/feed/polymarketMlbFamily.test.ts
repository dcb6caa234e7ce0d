import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { importedFiles } from '../../src/feed/importedHistory.ts'
import { teamOf, teamsOfSlug } from '../../src/feed/importers/mlbTeams.ts'
import { polymarketMlbBook } from '../../src/feed/importers/polymarketMlbBook.ts'
import { lines, shown, T0, troubles, written } from './mapping/mapped.ts'
import { broken } from './recordedData.ts'

const SLUG = 'mlb-col-wsh-2025-06-19'
const BOOK = 'market_slug,asset_id,market_id,event_type,price,side,size,hash,timestamp'
const RESULTS = 'slug,away,home,winner,asset_ids,note'
const row = (token: number, price: string, side: string, at: string | number = T0 / 1000, type = 'book') => `${SLUG},${token},1,${type},${price},${side},3,h,${at}`
const read = (files: Readonly<Record<string, string | Uint8Array>>) => importedFiles(polymarketMlbBook, [written(files)])
const game = (...rows: string[]) => ({ 'a.csv': lines(BOOK, ...rows) })
/** Two tokens whose books say nothing of the winner. */
const open = game(row(7, '0.4', 'bid'), row(8, '0.5', 'bid'))
const result = (winner: string, tokens = '7|8') => ({ 'results.csv': lines(RESULTS, `${SLUG},col,wsh,${winner},${tokens},`) })
const metadata = (header: string, ...rows: string[]) => ({ 'market-metadata.csv': lines(header, ...rows) })
const outcomes = async (...files: Readonly<Record<string, string | Uint8Array>>[]) => {
  const imported = await read(Object.assign({}, ...files))
  expect(broken(imported)).toEqual([])
  return { teams: imported.markets.map(({ ticker, outcome }) => `${ticker.split(':')[1]} ${outcome}`), troubles: troubles(imported).filter((one) => !one.includes('crossed')) }
}

describe('the recorder’s later files', () => {
  test.each([['bid', 'ask'], ['BUY', 'SELL'], ['Buy', 'sell'], ['BID', 'ASK']])('say %s and %s', async (bid, ask) => {
    const imported = await read(game(row(7, '0.40', bid), row(7, '0.45', ask)))
    expect(shown(imported)).toEqual([[`${SLUG}:token-1`, T0, 400_000, 450_000, 3, 3, -1]])
  })

  test('are read in any format that rows have', async () => {
    const text = lines(BOOK, row(7, '0.40', 'BUY'))
    const object = JSON.stringify({ market_slug: SLUG, token_id: '7', event_type: 'BOOK', price: 0.4, side: 'BUY', size: 3, hash: 'h', timestamp: T0 / 1000 })
    for (const files of [{ 'a.csv': text }, { 'a.csv.gz': gzipSync(text) }, { 'a.ndjson': `${object}\n` }]) {
      expect(shown(await read(files))).toEqual([[`${SLUG}:token-1`, T0, 400_000, -1, 3, -1, -1]])
    }
  })

  test('stamp rows in any unit or as ISO 8601, and a stamp of no unit costs its row', async () => {
    const imported = await read(game(
      row(7, '0.40', 'bid', T0 / 1e6), row(7, '0.41', 'bid', T0 / 1000 + 1, 'price_change'), row(7, '0.42', 'bid', T0 + 2000, 'price_change'), row(7, '0.43', 'bid', `${T0 + 3000}001`, 'price_change'),
      row(7, '0.44', 'bid', '2025-06-19T19:00:00.004Z', 'price_change'), row(7, '0.45', 'bid', 20250619, 'price_change'), row(7, '0.45', 'bid', '2025-06-19 19:00:00', 'price_change'),
    ))
    expect(shown(imported).map(([, us, bid]) => [us - T0, bid])).toEqual([[0, 400_000], [1000, 410_000], [2000, 420_000], [3001, 430_000], [4000, 440_000]])
    expect(troubles(imported)).toEqual(['quarantined absurd timestamp: 1 from 7', 'quarantined time without zone: 1 from 8', 'noted no result: 0 from 2'])
  })

  test('have prices as floats, which are rounded to the nearest millionth and counted', async () => {
    const imported = await read(game(row(7, '0.4000004', 'bid'), row(7, '0.6699999999999999', 'ask')))
    expect(shown(imported)[0]!.slice(2, 4)).toEqual([400_000, 670_000])
    expect(troubles(imported)[0]).toBe('noted rounded price: 2 from 2')
  })
})

describe('market-metadata.csv', () => {
  test.each([
    ['asset_id,market_slug,outcome', `7,${SLUG},Nationals`, `8,${SLUG},Rockies`],
    ['token_id,team', '7,Washington Nationals', '8,Colorado Rockies'],
    ['slug,clob_token_id,outcome_name', `${SLUG},7,WSH`, `${SLUG},8,col`],
    // Of two tokens, what is not one team's is the other's.
    ['asset_id,team_name', '7,Nationals'],
  ])('with %s names the teams, and with a result the winner', async (header, ...rows) => {
    expect((await outcomes(open, result('wsh'), metadata(header, ...rows))).teams).toEqual(['col no', 'wsh yes'])
    expect((await outcomes(open, metadata(header, ...rows))).teams).toEqual(['col null', 'wsh null'])
  })

  test('names a team that nobody knows as it is written, and resolves nothing by it', async () => {
    const files = metadata('asset_id,outcome', '7,Senators', '8,Rockies')
    expect(await outcomes(open, result('wsh'), files)).toEqual({ teams: ['Senators null', 'col null'], troubles: ['noted token without team: 1 from 2'] })
  })

  test('that gives two tokens one team names neither', async () => {
    expect((await outcomes(open, result('wsh'), metadata('asset_id,outcome', '7,Nationals', '8,wsh'))).teams).toEqual(['token-1 null', 'token-2 null'])
  })

  test('and a book that say otherwise of the winner are both left', async () => {
    const decided = game(row(7, '0.99', 'bid'), row(8, '0.01', 'ask'))
    expect(await outcomes(decided, result('wsh'), metadata('asset_id,outcome', '7,Rockies', '8,Nationals')))
      .toEqual({ teams: ['token-1 null', 'token-2 null'], troubles: ['noted book contradicts metadata: 1 from 2'] })
    expect((await outcomes(decided, result('wsh'), metadata('asset_id,outcome', '8,Rockies', '7,Nationals'))).teams).toEqual(['col no', 'wsh yes'])
  })

  test('resolves no tokens that the result is not of, and needs both teams where the result names no token', async () => {
    const teams = metadata('asset_id,outcome', '7,Nationals', '8,Rockies')
    expect((await outcomes(open, result('wsh', '5|6'), teams)).teams).toEqual(['col null', 'wsh null'])
    expect((await outcomes(open, result('wsh', ''), teams)).teams).toEqual(['col no', 'wsh yes'])
    expect((await outcomes(game(row(7, '0.99', 'bid'), row(8, '0.01', 'ask')), result('wsh', ''))).teams).toEqual(['token-1 null', 'token-2 null'])
  })

  test('sets aside rows that say something else, say it again, are empty, or are of no recording', async () => {
    const rows = [`7,${SLUG},Rockies`, `7,${SLUG},Rockies`, `7,${SLUG},Nationals`, `,${SLUG},Rockies`, `8,${SLUG},`, '9,mlb-a-b-2025-06-19,Cubs']
    const files = metadata('asset_id,market_slug,outcome', ...rows)
    expect((await outcomes(open, files)).troubles).toEqual([
      'quarantined duplicate: 1 from 3', 'quarantined contradiction: 1 from 4', 'quarantined no team: 2 from 5', 'quarantined token without recording: 1 from 7', 'noted no result: 0 from 2',
    ])
  })

  test('tells a recording of another game, also on its day', async () => {
    const imported = await read({ ...open, ...metadata('asset_id,market_slug,outcome', '8,mlb-mil-chc-2025-06-19,Cubs') })
    expect(imported.markets).toEqual([])
    expect(imported.report.troubles.find(({ kind }) => kind === 'mislabelled file')).toMatchObject({ rows: 2, about: `the metadata say that a token of ${SLUG} is one of mlb-mil-chc-2025-06-19` })
  })
})

test.each([
  ['wsh', ['col', 'wsh'], 'wsh'], ['NATIONALS', ['col', 'wsh'], 'wsh'], ['Chicago White Sox', ['chc', 'cws'], 'cws'], ['St Louis Cardinals', ['stl', 'chc'], 'stl'],
  ['Chicago', ['chc', 'cws'], undefined], ['Yankees', ['col', 'wsh'], undefined], ['', ['col', 'wsh'], undefined],
])('of the teams of a game, %s of %j is %s', (text, codes, team) => {
  expect(teamOf(text, codes)).toBe(team)
})

test('the teams of a slug are its codes', () => {
  expect(teamsOfSlug('mlb-col-wsh-2025-06-19')).toEqual(['col', 'wsh'])
  expect(teamsOfSlug('will-it-rain')).toEqual([])
})
