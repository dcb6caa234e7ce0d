import { type ColumnSource, parquetWriteBuffer } from 'hyparquet-writer'
import { describe, expect, test } from 'vitest'
import { importedFiles } from '../../src/feed/importedHistory.ts'
import { polymarketFills } from '../../src/feed/importers/polymarketFills.ts'
import { lines, refusal, shown, T0, troubles, written } from './mapping/mapped.ts'
import { type Fill, fillTable } from './polymarketFillRows.ts'
import { broken } from './recordedData.ts'

const TOKEN = '71321045679252212594626385532706912750332728571942532289631379312455583992563'
const EXCHANGE = '0x4bFb41d5B3570DeFd03C39a9A4D8dE6Bd8B8982E'
const blocks = { 'blocks.csv': lines('block_number,timestamp', `100,${T0 / 1e6}`, `101,${T0 / 1e6 + 2}`) }
const read = async (files: Readonly<Record<string, string | Uint8Array>>) => {
  const imported = await importedFiles(polymarketFills, [written(files)])
  expect(broken(imported)).toEqual([])
  return imported
}
const fills = (...rows: Fill[]) => ({ 'fills.csv': fillTable(...rows) })
const ticks = async (...rows: Fill[]) => shown(await read({ ...fills(...rows), ...blocks })).map(([market, us, , , , , last]) => [market, us - T0, last])

describe('polymarket-fills', () => {
  test('a price is USDC by shares, whoever gives the USDC, at the time of the block', async () => {
    // 5.2 USDC for 10 shares; 4 shares for 1 USDC; a third; a half of a millionth goes to the even one.
    expect(await ticks([100, 1, '0', TOKEN, '5200000', '10000000'], [101, 1, TOKEN, '0', '4000000', '1000000'], [101, 2, '0', TOKEN, '1', '3'], [101, 3, '0', TOKEN, '1', '2000000'], [101, 4, '0', TOKEN, '3', '2000000'], [101, 5, '0', '9', '7', '7'])).toEqual([
      [TOKEN, 0, 520_000], [TOKEN, 2_000_000, 250_000], [TOKEN, 2_000_000, 333_333], [TOKEN, 2_000_000, 0], [TOKEN, 2_000_000, 2], ['9', 2_000_000, 1_000_000],
    ])
  })

  test('Parquet with numbers and timestamps says the same', async () => {
    const columns: Record<string, [ColumnSource['type'], unknown[]]> = {
      block_number: ['INT64', [100n]], log_index: ['INT32', [1]], taker: ['STRING', ['0xb']], maker_asset_id: ['STRING', ['0']], taker_asset_id: ['STRING', [TOKEN]], maker_amount: ['INT64', [5_200_000n]], taker_amount: ['INT64', [10_000_000n]],
    }
    const table = (given: typeof columns) => Buffer.from(parquetWriteBuffer({ columnData: Object.entries(given).map(([name, [type, data]]) => ({ name, type, data }) as ColumnSource) }))
    const imported = await read({ 'f.parquet': table(columns), 'b.parquet': table({ block_number: ['INT64', [100n]], timestamp: ['TIMESTAMP', [new Date(T0 / 1000)]] }) })
    expect(shown(imported)).toEqual([[TOKEN, T0, -1, -1, -1, -1, 520_000]])
  })

  test('names of tokens make markets of one event of them', async () => {
    const tokens = { 'tokens.csv': lines('token_id,market_slug,outcome', `${TOKEN},rain,Yes`, '8,rain,No', '8,rain,No', '8,snow,No', '9,rain,No', ',rain,x') }
    const imported = await read({ ...fills([100, 1, '0', TOKEN, '1', '2'], [100, 2, '0', '8', '1', '2']), ...blocks, ...tokens })
    expect(imported.markets.map(({ ticker, event, exclusionKeys, venue, outcome }) => [ticker, event, exclusionKeys, venue, outcome])).toEqual([
      ['rain:No', 'rain', ['event:rain'], 'venue_b', null], ['rain:Yes', 'rain', ['event:rain'], 'venue_b', null],
    ])
    expect(troubles(imported)).toEqual(['quarantined duplicate: 1 from 4', 'quarantined contradiction: 2 from 5', 'quarantined no name: 1 from 7'])
  })

  test('counts each trouble', async () => {
    const imported = await read({
      ...fills(
        [100, 1, '0', '7', '1', '2'], // 2
        [100, 1, '0', '7', '1', '2'], // 3: the same log
        [100, 0, '0', '7', '1', '2'], // 4: goes back
        [999, 1, '0', '7', '1', '2'], // 5
        ['x', 1, '0', '7', '1', '2'], // 6
        [101, 1, '7', '8', '1', '2'], // 7
        [101, 2, '0', '0', '1', '2'], // 8
        [101, 3, '0', '7', '3', '2'], // 9
        [101, 4, '0', '7', '3', '0'], // 10
        [101, 5, '0', '7', '1.5', '2'], // 11
        [101, 6, '0', '7', '1', '3', EXCHANGE], // 12
        [101, 7, '0', '7', '1', '3'], // 13
      ),
      'blocks.csv': lines('block_number,timestamp', `100,${T0 / 1e6}`, `101,${T0 / 1e6}`, `100,${T0 / 1e6}`, `100,${T0 / 1e6 + 1}`, '102,5', 'x,5'),
    })
    expect(troubles(imported)).toEqual([
      'quarantined duplicate: 1 from 4', 'quarantined contradiction: 1 from 5', 'quarantined absurd timestamp: 1 from 6', 'quarantined bad block: 1 from 7',
      'quarantined duplicate: 1 from 3', 'quarantined block without time: 1 from 5', 'quarantined bad block: 1 from 6', 'quarantined not USDC for shares: 2 from 7', 'quarantined price out of range: 1 from 9',
      'quarantined bad amount: 2 from 10', 'noted order goes back: 1 from 4', 'noted sum of a taker’s fills: 1 from 12', 'noted rounded price: 1 from 13', 'noted token without a name: 1 from 2',
    ])
    expect(shown(imported).map(([, , , , , , last]) => last)).toEqual([500_000, 500_000, 333_333])
  })

  test('without a file of fills there is nothing to read', async () => {
    expect((await refusal(() => read(blocks))).message).toBe('no fills file')
  })
})
