import { describe, expect, test } from 'vitest'
import { guessedMapping } from '../../../src/feed/mapping/guess.ts'
import { lines, mapped, refusal, shown, written } from './mapped.ts'

/** The lines of the only part that is guessed for a file. */
async function guessed(name: string, content: string): Promise<string[]> {
  const text = await guessedMapping([`${written({ [name]: content })}/${name}`])
  return text.split('\n').slice(4).map((line) => line.replace(/^ {2}- |^ {4}/, '')).filter((line) => line !== '')
}

describe('a guess', () => {
  test.each([['1750359600', 's'], ['1750359600123', 'ms'], ['1750359600123456', 'us'], ['1750359600123456789', 'ns']])('takes %s for a number of %s', async (time, unit) => {
    expect(await guessed('q.csv', lines('ts,ticker,bid', `${time},A,0.5`))).toEqual(['kind: quotes', 'market: ticker', `time: { column: ts, unit: ${unit} }`, 'bid: bid'])
  })

  test.each([
    ['2025-06-19T19:00:00Z', 'time: ts'], ['2025-06-19 19:00:00', 'time: { column: ts, zone: UTC } # unsure: the times name no zone'],
    ['06/19/2025 19:00', 'time: { column: ts, pattern: "MM/dd/yyyy HH:mm", zone: UTC } # unsure: the times name no zone, and day and month may have changed places'],
    ['19/06/2025 19:00', 'time: { column: ts, pattern: "dd/MM/yyyy HH:mm", zone: UTC } # unsure: the times name no zone, and day and month may have changed places'],
    ['yesterday', "time: { column: ts, zone: UTC } # unsure: 'yesterday' is no time that is known; pattern: tells how times are written"],
  ])('reads %s', async (time, line) => expect(await guessed('q.csv', lines('ts,ticker,bid', `${time},A,0.5`))).toContain(line))

  test.each([
    ['date,time', '19.06.2025,19:00:01', 'date', 'time', 'dd.MM.yyyy HH:mm:ss'], ['Datum,Uhrzeit', '19.06.2025,19:00:01', 'Datum', 'Uhrzeit', 'dd.MM.yyyy HH:mm:ss'],
    ['trade_date,ts', '06/19/2025,19:00', 'trade_date', 'ts', 'MM/dd/yyyy HH:mm'],
  ])('joins %s', async (head, row, date, timeOfDay, pattern) => {
    expect(await guessed('q.csv', lines(`${head},ticker,bid`, `${row},A,0.5`))).toContainEqual(expect.stringContaining(`time: { column: ${date}, with: ${timeOfDay}, pattern: "${pattern}", zone: UTC }`))
  })

  test.each([['0.5', undefined], ['50', 'cents'], ['50%', 'percent'], ['-110', 'american'], ['1.85', 'cents']])('of a price of %s', async (price, unit) => {
    const found = (await guessed('q.csv', lines('ts,ticker,bid', `1750359600,A,${price}`))).find((line) => line.startsWith('prices:'))
    expect(found?.split(' ')[1]).toBe(unit)
    expect(found === undefined || unit === 'percent' || found.includes('# unsure')).toBe(true)
  })

  test('tells levels, lists, trades, candles, markets and results apart', async () => {
    const kinds = await Promise.all([
      lines('timestamp,slug,asset_id,event_type,side,price,size', '1750359600000,s,7,book,BUY,0.5,10'), lines('trade_id,ticker,price,side,size,created_time', 't,A,0.5,buy,3,2025-06-19T19:00:00Z'),
      lines('ticker,end_period_ts,yes_bid_close,price_high', 'A,1750359600,0.5,0.6'), lines('ticker,title,result', 'A,Who,yes'), lines('ticker,result', 'A,yes'),
    ].map(async (content) => (await guessed('x.csv', content))[0]))
    expect(kinds).toEqual(['kind: depth', 'kind: trades', 'kind: candles', 'kind: markets', 'kind: results'])
    expect(await guessed('x.ndjson', '{"ts_ms":1750359600000,"msg":{"market_ticker":"A","yes_dollars":[["0.4","1"]],"no_dollars":[]}}\n'))
      .toEqual(['kind: depth', 'market: msg.market_ticker', 'time: { column: ts_ms, unit: ms }', 'bids: msg.yes_dollars', 'asks: msg.no_dollars', 'both_sides_are_bids: true # unsure: the second list seems to be of NO'])
  })

  test('finds separators, decimal commas and German names', async () => {
    expect(await guessed('q.csv', lines('zeit;markt;geld;brief;geldmenge', '19.06.2025 21:00:00;REGEN;0,45;0,475;1.200'))).toEqual([
      'kind: quotes', 'delimiter: ";"', 'market: markt # unsure: other files must call the market the same',
      'time: { column: zeit, pattern: "dd.MM.yyyy HH:mm:ss", zone: UTC } # unsure: the times name no zone', 'bid: geld', 'ask: brief', 'bid_size: geldmenge', 'decimal: ","', 'thousands: "."',
    ])
  })

  test.each<[price: string, marks: string[]]>([
    ['0,45', ['decimal: ","']], ['0,450', ['decimal: ","']], ['12,5', ['decimal: ","']], ['0.45', []], ['50', []],
    // A group of three digits is taken for thousands where nothing says otherwise.
    ['1,234', ['thousands: "," # unsure: or decimals have a comma (then: decimal)']], ['1.234,5', ['decimal: ","', 'thousands: "."']],
  ])('reads the marks of %s', async (price, marks) => {
    const found = await guessed('q.csv', lines('ts;ticker;bid', `1750359600;A;${price}`))
    expect(found.filter((line) => /^(decimal|thousands)/.test(line))).toEqual(marks)
  })

  test('outlines a file whose columns nobody knows, for a person who fills it in', async () => {
    const content = lines('fecha;mercado;compra;venta;nota', '2025-06-19 21:00:00;LLUVIA;0,45;0,47;x')
    const folder = written({ 'es.csv': content })
    const text = await guessedMapping([`${folder}/es.csv`])
    expect(text.split('\n').slice(3, -1)).toEqual([
      '  # es.csv: its columns have names that are not known. Fill in what follows #, or leave it out.', '  - kind: quotes # unsure: quotes, candles, trades, depth, markets or results (docs/import.md)',
      '    delimiter: ";"', '    time: { column: fecha, zone: UTC } # unsure: the times name no zone', '    decimal: ","',
      '    # columns to name: mercado (as "LLUVIA"), compra (as "0,45"), venta (as "0,47"), nota (as "x")', '    # market:', '    # bid:', '    # ask:', '    # bid_size:', '    # ask_size:', '    # last:',
    ])
    const filled = text.replace('# market:', 'market: mercado').replace('# bid:', 'bid: compra').replace('# ask:', 'ask: venta')
    expect(shown(await mapped(filled, { 'es.csv': content }))).toEqual([['LLUVIA', Date.UTC(2025, 5, 19, 21) * 1000, 450_000, 470_000, -1, -1, -1]])
    expect(await guessed('x.csv', lines('t1,cosa,n', '1750359600,A,55'))).toEqual(expect.arrayContaining(['market: cosa # unsure: it is the only column of texts', 'time: { column: t1, unit: s }', '# price:']))
  })

  test('names what it does not use, and refuses what says nothing', async () => {
    expect(await guessed('r.csv', lines('ticker,result,weather', 'A,yes,fine'))).toContain('# not used: weather')
    const error = await refusal(() => guessed('x.csv', lines('a,b', '1,2')))
    expect(error.describe()).toMatch(/no file has columns that anything can be guessed from\n {2}hint: x\.csv: no idea; its columns are a, b/)
  })
})
