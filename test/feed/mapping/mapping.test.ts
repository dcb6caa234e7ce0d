import { DuckDBInstance } from '@duckdb/node-api'
import { parquetWriteBuffer } from 'hyparquet-writer'
import { describe, expect, test } from 'vitest'
import { guessedMapping } from '../../../src/feed/mapping/guess.ts'
import { isZone } from '../../../src/feed/mapping/zone.ts'
import { mappingOfText } from '../../../src/scenario/mappingFile.ts'
import { importMapped, lines, mapped, refusal, shown, T0, troubles, written } from './mapped.ts'

const QUOTES = `
files:
  - kind: quotes
    market: ticker
    time: { column: ts, unit: ms }
    bid: bid
    ask: ask
    bid_size: bid_size
    ask_size: ask_size
`
const HEAD = 'ts,ticker,bid,ask,bid_size,ask_size'
const MS = T0 / 1000

describe('quotes', () => {
  test('become ticks at their time, with whole contracts', async () => {
    const result = await mapped(QUOTES, { 'q.csv': lines(HEAD, `${MS + 2},B,0.45,0.47,10.9,3`, `${MS},A,.5,1.00,7,9`, `${MS + 1},A,0,0.6,7,9`) })
    expect(shown(result)).toEqual([
      ['A', T0, 500_000, -1, 7, -1, -1], ['A', T0 + 1000, -1, 600_000, -1, 9, -1], ['B', T0 + 2000, 450_000, 470_000, 10, 3, -1],
    ])
    expect(result.markets.map(({ ticker, event, openUs, venue, exclusionKeys }) => [ticker, event, openUs, venue, exclusionKeys])).toEqual([
      ['A', 'A', T0, 'venue_a', ['market:A']], ['B', 'B', T0 + 2000, 'venue_a', ['market:B']],
    ])
    expect(troubles(result)).toEqual(['noted empty side: 2 from 3'])
  })

  test('one bad row is one bad row', async () => {
    const result = await mapped(QUOTES, { 'q.csv': lines(HEAD,
      `${MS},A,0.4,0.5,1,1`, `x,A,0.4,0.5,1,1`, `99999999999999999,A,0.4,0.5,1,1`, `,A,0.4,0.5,1,1`, `${MS},,0.4,0.5,1,1`, `${MS},A,5,0.5,1,1`, `${MS},A,nonsense,0.5,1,1`,
      `${MS},A,0.6,0.5,1,1`, `${MS},A,0.4,0.5,-1,1`, `${MS},A,0.4,0.5,1,1`, `${MS + 1},A,0.4,0.5,1,1`) })
    expect(shown(result).map(([, at]) => at)).toEqual([T0, T0 + 1000])
    expect(troubles(result)).toEqual([
      'quarantined bad timestamp: 1 from 3', 'quarantined absurd timestamp: 1 from 4', 'quarantined no time: 1 from 5', 'quarantined no market: 1 from 6',
      'quarantined price out of range: 1 from 7', 'quarantined not a number: 1 from 8', 'quarantined crossed book: 1 from 9', 'quarantined bad size: 1 from 10', 'quarantined duplicate: 1 from 11',
    ])
    expect([result.report.inputRows, result.report.acceptedRows, result.report.quarantinedRows]).toEqual([11, 2, 9])
  })

  test('of NO are mirrored: its ask is the bid’s complement', async () => {
    const yaml = 'files: [{ kind: quotes, market: m, time: t, no_bid: nb, no_ask: na, no_bid_size: ns }]'
    const result = await mapped(yaml, { 'q.csv': lines('m,t,nb,na,ns', 'A,2025-06-19T19:00:00Z,0.4,0.45,8') })
    expect(shown(result)).toEqual([['A', T0, 550_000, 600_000, -1, 8, -1]])
  })

  // 100/(150+100), 110/(110+100) rounded, 1/2.5 and 1/3 rounded, by hand.
  test.each([
    ['cents', '45', '47.5', 450_000, 475_000], ['percent', '45%', '47', 450_000, 470_000], ['probability', '.45', '.47', 450_000, 470_000], ['dollars', '$0.45', '0.47', 450_000, 470_000],
    ['american', '+150', '-110', 400_000, 523_810], ['decimal', '3', '2.5', 333_333, 400_000],
  ])('may have prices in %s', async (unit, bid, ask, bidE6, askE6) => {
    const result = await mapped(`files: [{ kind: quotes, market: m, time: t, bid: b, ask: a, prices: ${unit} }]`, { 'q.csv': lines('m,t,b,a', `A,2025-06-19T19:00:00Z,${bid},${ask}`) })
    expect(shown(result)[0]!.slice(2, 4)).toEqual([bidE6, askE6])
  })

  test('are rounded to the nearest millionth, half to even, and counted', async () => {
    const yaml = (more: string) => `files: [{ kind: quotes, market: m, time: { column: t, unit: s }, bid: b${more} }]`
    const file = { 'q.csv': lines('m,t,b', ...['0.1234565', '0.1234575', '0.33333333', '0.5000000'].map((price, i) => `A,${MS / 1000 + i},${price}`)) }
    const result = await mapped(yaml(''), file)
    expect(shown(result).map(([, , bid]) => bid)).toEqual([123_456, 123_458, 333_333, 500_000])
    expect(troubles(result)).toContain('noted rounded price: 3 from 2')
    const refused = await mapped(yaml(', rounding: refuse'), file)
    expect(shown(refused).map(([, , bid]) => bid)).toEqual([500_000])
    expect(troubles(refused)).toContain('quarantined more than 6 decimals: 3 from 2')
  })

  test('of Parquet floats mean the decimal that they stand for', async () => {
    const columnData = [
      { name: 'm', data: ['A', 'A', 'A'], type: 'STRING' as const }, { name: 't', data: [BigInt(MS), BigInt(MS + 1), BigInt(MS + 2)], type: 'INT64' as const },
      { name: 'b', data: new Float32Array([0.57, 1 / 3, 0.07]), type: 'FLOAT' as const }, { name: 'a', data: new Float64Array([0.58, 2 / 3, 0.1 + 0.2]), type: 'DOUBLE' as const },
    ]
    const result = await mapped('files: [{ kind: quotes, market: m, time: { column: t, unit: ms }, bid: b, ask: a }]', { 'q.parquet': Buffer.from(parquetWriteBuffer({ columnData })) })
    expect(shown(result).map(([, , bid, ask]) => [bid, ask])).toEqual([[570_000, 580_000], [333_333, 666_667], [70_000, 300_000]])
    expect(troubles(result)).toEqual(['noted rounded price: 2 from 2'])
  })

  test('are left out by where, which is told and is no input', async () => {
    const yaml = `${QUOTES}    where: { bid_size: [1, 2] }\n`
    const result = await mapped(yaml, { 'q.csv': lines(HEAD, `${MS},A,0.4,0.5,1,1`, `${MS},B,0.4,0.5,3,1`, `${MS},C,0.4,0.5,2,1`) })
    expect(shown(result).map(([market]) => market)).toEqual(['A', 'C'])
    expect(troubles(result)).toEqual(['noted left out by where: 1 from 3'])
    expect(result.report.inputRows).toBe(2)
  })

  // A row is left out where no part takes it, whichever parts read the file.
  const PARTS = `files:
  - { kind: quotes, market: m, time: { column: t, unit: ms }, last: p, where: { e: trade } }
  - { kind: quotes, market: m, time: { column: t, unit: ms }, bid: p, where: { e: quote } }`
  const rowsOf = (kinds: string) => [...kinds].map((kind, i) => ({ e: { t: 'trade', q: 'quote', x: 'hello' }[kind], m: 'A', t: MS + i, p: 0.4 + i / 100 }))
  test.each([
    ['tqtq', []], ['tt', []], ['qq', []], ['tqx', ['noted left out by where: 1 from 3']], ['xqx', ['noted left out by where: 2 from 1']], ['xx', ['noted left out by where: 2 from 1']],
  ])('%s of two parts are told where neither takes them', async (kinds, told) => {
    const rows = rowsOf(kinds)
    const line = told.map((one) => one.replace(/\d+$/, (row) => String(Number(row) + 1)))
    expect(troubles(await mapped(PARTS, { 'a.ndjson': lines(...rows.map((row) => JSON.stringify(row))) })).filter((one) => one.includes('left'))).toEqual(told)
    expect(troubles(await mapped(PARTS, { 'a.json': JSON.stringify(rows) })).filter((one) => one.includes('left'))).toEqual(told)
    for (const pieceSizes of [undefined, { csvBytes: 20, parquetRows: 1 }]) {
      const csv = { 'a.csv': lines('e,m,t,p', ...rows.map((row) => Object.values(row).join(','))) }
      expect(troubles(await mapped(PARTS, csv, { pieceSizes })).filter((one) => one.includes('left'))).toEqual(line)
    }
  })

  test.each<[string, (second: number) => string, number[]]>([
    ['ISO 8601', (second) => `2025-06-19T19:00:0${second}Z`, [30, 20, 40]], ['milliseconds', (second) => String(MS + second * 1000), [30, 20, 40]], ['microseconds', (second) => String(T0 + second * 1e6), [30, 20, 40]],
  ])('of trades may begin with the newest, in %s', async (_, at, expected) => {
    const yaml = 'files: [{ kind: trades, market: m, time: { column: t, unit: any }, price: p, may_be_newest_first: true }]'
    const result = await mapped(yaml, { 't.csv': lines('m,t,p', `A,${at(2)},0.4`, `A,${at(1)},0.2`, `A,${at(1)},0.3`) })
    expect(shown(result).map(([, , , , , , last]) => last / 1e4)).toEqual(expected)
    expect(shown(await mapped(yaml.replace(', may_be_newest_first: true', ''), { 't.csv': lines('m,t,p', `A,${at(2)},0.4`, `A,${at(1)},0.2`, `A,${at(1)},0.3`) })).map(([, , , , , , last]) => last / 1e4)).toEqual([20, 30, 40])
  })

  test('of a decimal comma', async () => {
    const result = await mapped("files: [{ kind: quotes, market: m, time: t, bid: b, bid_size: s, decimal: ',' }]", { 'q.csv': lines('m;t;b;s', 'A;2025-06-19T19:00:00Z;0,45;1,5') })
    expect(shown(result)).toEqual([['A', T0, 450_000, -1, 1, -1, -1]])
  })

  const oneOf = async (form: string, bid: string, size: string) => {
    const result = await mapped(`files: [{ kind: quotes, market: m, time: t, bid: b, bid_size: s${form} }]`, { 'q.csv': lines('m;t;b;s', `A;2025-06-19T19:00:00Z;${bid};${size}`) })
    return shown(result)[0]?.filter((_, i) => i === 2 || i === 4) ?? result.report.troubles[0]!.kind
  }

  test.each([
    // A mark that the mapping does not speak of says nothing: 1.234 may be a thousand or one.
    [", decimal: ','", '0,4', '1.234', 'bad size'], [", decimal: ','", '0,4', '2.500', 'bad size'], [", decimal: ','", '0.40', '5', 'not a number'],
    [", decimal: ','", '0,4', '1234', [400_000, 1234]], [", decimal: ','", '0,4', '1234,9', [400_000, 1234]],
    ['', '0,40', '5', 'not a number'], ['', '0.4', '1,234', 'bad size'],
    [", decimal: ',', thousands: '.'", '0,4', '1.234', [400_000, 1234]], [", decimal: ',', thousands: '.'", '0,4', '1.234.567,8', [400_000, 1_234_567]],
    [", decimal: ',', thousands: '.'", '0,4', '1.23', 'bad size'], [", decimal: ',', thousands: '.'", '0,4', '1.2345', 'bad size'], [", decimal: ',', thousands: '.'", '0.400', '5', 'not a number'],
    [", thousands: ','", '0.4', '1,234.5', [400_000, 1234]], [", thousands: ' '", '0.4', '1\u00A0234', [400_000, 1234]], [`, thousands: "'"`, '0.4', "12'345", [400_000, 12_345]],
    ['', '0.4', '\u22125', 'bad size'], ['', '\u22120.4', '5', 'price out of range'],
  ])('of numbers that are texts, by%s: %s and %s', async (form, bid, size, expected) => {
    expect(await oneOf(form, bid, size)).toEqual(expected)
  })

  test('of numbers that are none of texts, where texts have a decimal comma', async () => {
    const files = { 'q.ndjson': '{"m":"A","t":"2025-06-19T19:00:00Z","b":0.4,"s":5.5}\n{"m":"A","t":"2025-06-19T19:00:01Z","b":"0,41","s":"6,5"}\n' }
    const result = await mapped("files: [{ kind: quotes, market: m, time: t, bid: b, bid_size: s, decimal: ',' }]", files)
    expect(shown(result).map(([, , bid, , size]) => [bid, size])).toEqual([[400_000, 5], [410_000, 6]])
    const levels = { 'd.ndjson': '{"m":"A","t":"2025-06-19T19:00:00Z","b":[[0.4,5.5],["0,41","6,5"]],"a":[["0.5","7"]]}\n{"m":"A","t":"2025-06-19T19:00:01Z","b":[[0.4,5.5],["0,41","6,5"]],"a":[]}\n' }
    const depth = await mapped("files: [{ kind: depth, market: m, time: t, bids: b, asks: a, decimal: ',' }]", levels)
    expect(shown(depth).map(([, , bid, , size]) => [bid, size])).toEqual([[410_000, 6]])
    expect(troubles(depth)).toEqual(['quarantined not a number: 1 from 1'])
  })

  test('of American odds with the minus of typesetters', async () => {
    const result = await mapped('files: [{ kind: quotes, market: m, time: t, bid: b, prices: american }]', { 'q.csv': lines('m,t,b', 'A,2025-06-19T19:00:00Z,\u2212150') })
    expect(shown(result)[0]![2]).toBe(600_000)
  })

  test('of a thousands mark that is the decimal one', async () => {
    expect((await refusal(() => mapped('files: [{ kind: quotes, market: m, time: t, bid: b, thousands: . }]', {}))).message).toContain('expected another character than decimal, which is .')
  })
})

describe('times', () => {
  const at = async (time: string, text: string) => {
    const result = await mapped(`files: [{ kind: quotes, market: m, bid: b, time: ${time} }]`, { 'q.csv': lines('m;b;t', `A;0.5;${text}`) })
    return shown(result)[0]?.[1] ?? troubles(result)[0]
  }

  test.each([
    ['{ column: t, unit: s }', '1750359600', T0], ['{ column: t, unit: s }', '1750359600.123456', T0 + 123_456], ['{ column: t, unit: s }', '1750359600.1234561', T0 + 123_457],
    ['{ column: t, unit: us }', '1750359600000001', T0 + 1], ['{ column: t, unit: ns }', '1750359600000001000', T0 + 1], ['{ column: t, unit: ns }', '1750359600000001001', T0 + 2],
    ['t', '2025-06-19T19:00:00Z', T0], ['t', '2025-06-19 21:00:00.5+02:00', T0 + 500_000], ['t', '2025-06-19T19:00:00.000000001Z', T0 + 1],
    ['{ column: t, zone: America/New_York }', '2025-06-19 15:00', T0], ['{ column: t, zone: +02:00 }', '2025-06-19 21:00', T0],
    ['t', '2025-06-20T09:00:00+14:00', T0], ['t', '2025-06-19T07:00:00-12:00', T0], ['t', '2025-06-19T07:00-1200', T0],
    ['t', '2025-06-19T19:00Z', T0], ['t', '2025-06-19T13:30:00.123456-0530', T0 + 123_456], ['t', '2025-06-19T13:30:00.5-05:30', T0 + 500_000], ['{ column: t, zone: UTC }', '2025-06-19T19:00:00,25', T0 + 250_000], ['{ column: t, zone: UTC }', '2025-06-19', T0 - 19 * 3_600_000_000],
    ['{ column: t, zone: UTC, pattern: dd.MM.yyyy HH:mm:ss.SSS }', '19.06.2025 19:00:00.250', T0 + 250_000], ['{ column: t, zone: America/New_York, pattern: MMM d yyyy h:mm a }', 'Jun 19 2025 3:00 PM', T0],
  ])('%s of %s', async (time, text, us) => expect(await at(time, text)).toBe(us))

  test.each([
    ['t', '2025-06-19T19:00:00+99:99', 'bad timestamp'], ['t', '2025-06-19T19:00+14:01', 'bad timestamp'], ['t', '2025-06-19T19:00-1201', 'bad timestamp'], ['t', '2025-06-19T19:00+0560', 'bad timestamp'], ['{ column: t, pattern: yyyy-MM-dd HH:mm XXX }', '2025-06-19 19:00 +15:00', 'bad timestamp'],
    ['t', '2025-06-19 19:00:00', 'time without zone'], ['t', '1750359600', 'number without unit'], ['t', '2025-02-30T00:00:00Z', 'bad timestamp'], ['t', '2025-06-19T24:00:00Z', 'bad timestamp'], ['t', '2025-06-19T19:60:00Z', 'bad timestamp'], ['t', '2025-06-19T19:00:00.Z', 'bad timestamp'], ['t', '2025-06-19T19:00:00 Mars', 'bad timestamp'], ['t', '1999-12-31T23:59:59Z', 'absurd timestamp'],
    ['{ column: t, unit: s }', '1750359600000', 'absurd timestamp'], ['{ column: t, zone: America/New_York }', '2025-03-09 02:30', 'time that clocks skip or repeat'],
    ['{ column: t, zone: America/New_York }', '2025-11-02 01:30', 'time that clocks skip or repeat'], ['{ column: t, unit: s }', '1e400', 'absurd timestamp'],
  ])('%s of %s is set aside', async (time, text, kind) => expect(await at(time, text)).toBe(`quarantined ${kind}: 1 from 2`))

  describe('that clocks repeat', () => {
    // New York's clocks are set back from 02:00 to 01:00 at 06:00 UTC.
    const read = async (repeated: string, ...times: string[]) => {
      const yaml = `files: [{ kind: quotes, market: m, bid: b, time: { column: t, zone: America/New_York${repeated} } }]`
      const { ticks, markets, report } = await mapped(yaml, { 'q.csv': lines('m,b,t', ...times.map((time, i) => `M${i},0.5,2025-11-02 ${time}`)) })
      const byMarket = new Map(Array.from({ length: ticks.count }, (_, i) => [markets[ticks.market[i]!]!.ticker, new Date(ticks.atUs[i]! / 1000).toISOString().slice(11, 19)] as const))
      return { times: times.map((_, i) => byMarket.get(`M${i}`)), report }
    }

    test('are set aside, with a hint, where the mapping does not say which is meant', async () => {
      const { times, report } = await read('', '00:59:59', '01:00:00', '01:59:59', '02:00:00')
      expect(times).toEqual(['04:59:59', undefined, undefined, '07:00:00'])
      expect(report.troubles.filter(({ handling }) => handling === 'quarantined').map(({ rows, about }) => [rows, about])).toEqual([[2, "'2025-11-02 01:00:00' comes twice on these clocks: `repeated: first`, `second` or `order` says which is meant"]])
    })

    test.each([['first', ['05:00:00', '05:59:59']], ['second', ['06:00:00', '06:59:59']]])('are the %s ones', async (repeated, expected) => {
      expect((await read(`, repeated: ${repeated}`, '01:00:00', '01:59:59')).times).toEqual(expected)
    })

    test('are told by the order of the file: what comes before the jump back is the earlier half', async () => {
      const { times } = await read(', repeated: order', '00:59:00', '01:00:00', '01:40:00', '01:39:30', '01:59:59', '01:00:00', '01:20:00', '01:17:00', '01:59:59', '02:00:00')
      expect(times).toEqual(['04:59:00', '05:00:00', '05:40:00', '05:39:30', '05:59:59', '06:00:00', '06:20:00', '06:17:00', '06:59:59', '07:00:00'])
    })

    test('are the earlier half where a file begins anew', async () => {
      expect((await read(', repeated: order', '01:30:00', '05:00:00', '01:30:00', '01:10:00')).times).toEqual(['05:30:00', '10:00:00', '05:30:00', '06:10:00'])
    })
  })

  test.each([
    ['quotes', 'bid: p', ''], ['quotes', 'bid: p', 'seen: time, '], ['trades', 'price: p', 'seen: later, '], ['depth', 'side: s, price: p, size: z', ''],
  ])('of %s that only the receiver stamped are those of the receipt, by %s %s', async (kind, fields, seen) => {
    const yaml = `files: [{ kind: ${kind}, market: m, time: { column: t, unit: ms }, received: { column: r, unit: ms }, ${seen}${fields} }]`
    const result = await mapped(yaml, { 'q.csv': lines('m,t,r,p,s,z', `A,${MS},${MS},0.3,bid,1`, `A,,${MS + 5},0.4,bid,1`, `A,${MS + 6},,0.5,bid,1`, `A,soon,${MS + 7},0.6,bid,1`, 'A,,,0.7,bid,1') })
    expect(shown(result).map(([, at]) => (at - T0) / 1000)).toEqual([0, 5])
    expect(troubles(result).filter((one) => one.includes('time'))).toEqual(['quarantined no time: 2 from 4', 'quarantined bad timestamp: 1 from 5', 'noted no exchange time: 1 from 3'])
  })

  test('without a zone are set aside with a hint', async () => {
    const result = await mapped('files: [{ kind: quotes, market: m, bid: b, time: t }]', { 'q.csv': lines('m,b,t', 'A,0.5,2025-06-19 19:00:00') })
    expect(result.report.troubles[0]!.about).toBe("'2025-06-19 19:00:00' names no zone: `zone: UTC` or another one says what it means")
  })

  test.each([['+14:01', false], ['+14:00', true], ['-12:00', true], ['-12:01', false], ['+05:60', false], ['+05:59', true]])('the zone %s is one: %s', (zone, isOne) => {
    expect(isZone(zone)).toBe(isOne)
  })

  test.each([['', [2000, 3000]], [', seen: time', [1000, 4000]], [', seen: later', [2000, 4000]]])('event and receipt%s', async (seen, expected) => {
    const result = await mapped(`files: [{ kind: quotes, market: m, bid: b, time: { column: t, unit: ms }, received: { column: r, unit: ms }${seen} }]`,
      { 'q.csv': lines('m,b,t,r', `A,0.5,${MS + 1},${MS + 2}`, `A,0.6,${MS + 4},${MS + 3}`) })
    expect(shown(result).map(([, us]) => us - T0)).toEqual(expected)
    expect(troubles(result)).toContain('noted exchange clock ahead: 1 from 3')
  })
})

test('each row with bytes that are no UTF-8 is noted, also where its market came before', async () => {
  const yaml = 'files: [{ kind: quotes, market: m, bid: b, ask: a, time: { column: t, unit: ms } }]'
  const result = await mapped(yaml, { 'q.csv': Buffer.from(lines('m,t,b,a', ...[0, 1, 2, 3].map((i) => `${i === 2 ? 'K' : 'Köln'},${MS + i},0.4,0.5`)), 'latin1') })
  expect(troubles(result)).toEqual(['noted not UTF-8: 3 from 2'])
  expect(result.markets.map(({ ticker }) => ticker)).toEqual(['K', 'Köln'])
})

test('a date and a time of day may stand in two columns', async () => {
  const yaml = 'files: [{ kind: quotes, market: m, bid: b, time: { column: d, with: c, pattern: dd.MM.yyyy HH:mm:ss, zone: Europe/Berlin } }]'
  const result = await mapped(yaml, { 'q.csv': lines('m,d,c,b', 'A,19.06.2025,21:00:00,0.4', 'A,19.06.2025,21:00:01,0.5', 'A,,21:00:02,0.6', 'A,19.06.2025,,0.7') })
  expect(shown(result).map(([, at, bid]) => [at - T0, bid])).toEqual([[0, 400_000], [1e6, 500_000]])
  expect(troubles(result)).toEqual(['quarantined no time: 2 from 4', 'noted empty side: 2 from 2'])
})

test.each([
  ['a date and a time of day by type', 'd, t', ''], ['a date by type and a text', "d, strftime(d + t, '%-H:%M:%S') as t", ''], ['a day as the instant at which it begins', "strftime(d, '%Y-%m-%d 00:00:00') as d, t", ''],
  ['texts in a pattern', "strftime(d, '%d.%m.%Y') as d, strftime(d + t, '%-H:%M:%S') as t", ', pattern: dd.MM.yyyy H:mm:ss'],
])('two columns of Parquet are joined: %s', async (_, columns, form) => {
  const path = `${written({})}/q.parquet`
  const connection = await (await DuckDBInstance.create()).connect()
  await connection.run(`copy (select 'A' as m, ${columns}, 0.4 as b from (select date '2025-06-19' + i::int as d, time '09:00:00' as t from range(2) r(i))) to '${path}' (format parquet)`)
  connection.closeSync()
  const mapping = mappingOfText('m.yaml', `files: [{ kind: quotes, market: m, bid: b, time: { column: d, with: t, zone: UTC${form} } }]`)
  expect(shown(await importMapped(mapping, [path])).map(([, at]) => at)).toEqual([Date.UTC(2025, 5, 19, 9) * 1000, Date.UTC(2025, 5, 20, 9) * 1000])
  if (form === '' && columns === 'd, t') expect(await guessedMapping([path])).toContain('time: { column: d, with: t, zone: UTC }')
})

describe('sizes', () => {
  const MOST = 2 ** 31 - 1

  test('of more contracts than a price has room for are that many, with a note', async () => {
    const quotes = 'files: [{ kind: quotes, market: m, time: { column: t, unit: ms }, bid: b, bid_size: s }]'
    const result = await mapped(quotes, { 'q.csv': lines('m,t,b,s', `A,${MS},0.4,${MOST}`, `A,${MS + 1},0.4,${MOST}.9`, `A,${MS + 2},0.4,${MOST + 1}`, `A,${MS + 3},0.4,9007199255`, `A,${MS + 4},0.4,1e30`) })
    expect(shown(result).map(([, , , , size]) => size)).toEqual([MOST, MOST, MOST, MOST, MOST])
    expect(troubles(result)).toEqual(['noted empty side: 5 from 2', 'noted large size: 3 from 4'])
  })

  test.each([
    ['one level', 'side: side, price: p, size: s', 'm,t,side,p,s', (at: number, size: number) => `A,${at},bid,0.4,${size}`],
    ['lists', 'bids: p, asks: s', 'm;t;p;s', (at: number, size: number) => `A;${at};[["0.4", "${size}"]];[]`],
  ])('of books in rows of %s too', async (_, levels, head, row) => {
    const depth = `files: [{ kind: depth, market: m, time: { column: t, unit: ms }, snapshot: always, ${levels} }]`
    const result = await mapped(depth, { 'd.csv': lines(head, row(MS, MOST), row(MS + 1, MOST + 1), row(MS + 2, 10_000_000_000), row(MS + 3, MOST)) })
    expect(shown(result).map(([, , , , size]) => size)).toEqual([MOST])
    expect(troubles(result)).toContain('noted large size: 2 from 3')
  })
})

describe('candles', () => {
  test('without a book and without a price take no price away', async () => {
    const yaml = 'files: [{ kind: candles, market: m, time: { column: t, unit: ms }, last: c }]'
    const result = await mapped(yaml, { 'c.csv': lines('m,t,c', `A,${MS},0.45`, `A,${MS + 1},NaN`, `A,${MS + 2},`, `A,${MS + 3},0.46`) })
    expect(shown(result).map(([, at, , , , , last]) => [(at - T0) / 1000, last])).toEqual([[0, 450_000], [3, 460_000]])
    expect(troubles(result)).toEqual(['quarantined no price: 2 from 3'])
  })

  test('are seen at their end', async () => {
    const yaml = 'files: [{ kind: candles, market: m, time: { column: t, unit: s }, stamp: start, period: 1h, bid: b, ask: a, last: c }]'
    const result = await mapped(yaml, { 'c.csv': lines('m,t,b,a,c', `A,${MS / 1000},0.4,0.5,`, `A,${MS / 1000 + 3600},0.4,0.5,0.45`) })
    expect(shown(result)).toEqual([['A', T0 + 3.6e9, 400_000, 500_000, -1, -1, -1], ['A', T0 + 7.2e9, 400_000, 500_000, -1, -1, 450_000]])
  })
})

describe('trades', () => {
  test('alone are ticks, with the price of NO mirrored', async () => {
    const yaml = 'files: [{ kind: trades, market: m, time: { column: t, unit: ms }, price: p, outcome: o }]'
    const result = await mapped(yaml, { 't.csv': lines('m,t,p,o', `A,${MS},0.4,yes`, `A,${MS + 1},0.4,NO`, `A,${MS + 2},0.4,maybe`, `A,${MS + 3},,yes`) })
    expect(shown(result).map(([, at, bid, , , , last]) => [at - T0, bid, last])).toEqual([[0, -1, 400_000], [1000, -1, 600_000]])
    expect(troubles(result)).toEqual(['quarantined unknown outcome: 1 from 4', 'quarantined no price: 1 from 5'])
  })

  test('of a market with quotes never empty its book: they are the last price of the next quote, and after the last one a price with it', async () => {
    const yaml = `
files:
  - { kind: quotes, match: q*, market: m, time: { column: t, unit: ms }, bid: b }
  - { kind: trades, match: t*, market: m, time: { column: t, unit: ms }, price: p }`
    const result = await mapped(yaml, {
      'q.csv': lines('m,t,b', `A,${MS + 10},0.4`, `A,${MS + 20},0.41`, `A,${MS + 20},0.42`),
      't.csv': lines('m,t,p', `A,${MS + 20},0.52`, `A,${MS + 5},0.5`, `A,${MS + 15},0.51`, `A,${MS + 25},0.53`, `B,${MS + 30},0.6`),
    })
    expect(shown(result).map(([market, at, bid, , , , last]) => [market, (at - T0) / 1000, bid, last])).toEqual([
      ['A', 5, -1, 500_000], ['A', 10, 400_000, 500_000], ['A', 20, 410_000, 520_000], ['A', 20, 420_000, 520_000],
      ['A', 25, 420_000, 530_000], ['B', 30, -1, 600_000],
    ])
    expect(troubles(result)).toContain('noted same instant: 1 from 4')
  })
})

describe('depth', () => {
  const DEPTH = 'market: m, time: { column: t, unit: ms }, side: s, price: p, size: z'

  test('whole books and changes of one file, by the words of a column', async () => {
    const yaml = `files: [{ kind: depth, ${DEPTH}, snapshot: { column: e, words: book }, group: h }]`
    const result = await mapped(yaml, { 'd.csv': lines('m,t,s,p,z,e,h',
      `A,${MS - 1},BUY,0.1,5,price_change,`, `A,${MS},BUY,0.40,5.5,book,x`, `A,${MS},SELL,0.50,7,book,x`, `A,${MS + 1},BUY,0.41,1,price_change,`,
      `A,${MS + 2},SELL,0.50,0,price_change,`, `A,${MS + 3},BUY,0.30,2,book,y`, `A,${MS + 4},hold,0.3,2,price_change,`) })
    expect(shown(result).map(([, at, ...rest]) => [(at - T0) / 1000, ...rest])).toEqual([
      [0, 400_000, 500_000, 5, 7, -1], [1, 410_000, 500_000, 1, 7, -1], [2, 410_000, -1, 1, -1, -1], [3, 300_000, -1, 2, -1, -1],
    ])
    expect(troubles(result)).toEqual(['quarantined change before snapshot: 1 from 2', 'quarantined unknown side: 1 from 8'])
  })

  test('both sides are bids, sizes are changes, and books lie in a file of their own', async () => {
    const yaml = `
files:
  - { kind: depth, match: s*, ${DEPTH}, both_sides_are_bids: true, snapshot: always, sequence: q }
  - { kind: depth, match: d*, ${DEPTH}, both_sides_are_bids: true, change: add, sequence: q }`
    const head = 'm,t,s,p,z,q'
    const result = await mapped(yaml, {
      's.csv': lines(head, `A,${MS},yes,0.40,5,1`, `A,${MS},no,0.45,6,1`, `A,${MS + 9},yes,0.20,1,8`),
      'd.csv': lines(head, `A,${MS + 1},no,0.45,-2.5,2`, `A,${MS + 1},no,0.45,-2.5,1`, `A,${MS + 5},yes,0.40,1,5`, `A,${MS + 6},yes,0.40,1,6`, `A,${MS + 10},yes,0.20,1,9`),
    })
    expect(shown(result).map(([, at, ...rest]) => [(at - T0) / 1000, ...rest])).toEqual([
      [0, 400_000, 550_000, 5, 6, -1], [1, 400_000, 550_000, 5, 3, -1], [5, -1, -1, -1, -1, -1], [9, 200_000, -1, 1, -1, -1], [10, 200_000, -1, 2, -1, -1],
    ])
    expect(troubles(result)).toEqual(['quarantined duplicate: 1 from 3', 'quarantined sequence gap: 2 from 4'])
    expect(result.report.inputRows).toBe(result.report.acceptedRows + result.report.quarantinedRows)
  })

  // 2 and 3 are added at 0.40: both where rows are levels of a message, the first alone where a row is a message.
  test.each([
    ['', '', 2, ['quarantined duplicate: 1 from 3']], ['rows_share_numbers: true, ', '', 5, []],
    ['', 'stream: m, ', 2, ['quarantined duplicate: 1 from 3']], ['rows_share_numbers: true, ', 'stream: m, ', 5, []],
  ])('rows of one number with %s%s', async (shared, stream, size, expected) => {
    const result = await mapped(`files: [{ kind: depth, ${DEPTH}, change: add, ${shared}${stream}sequence: q }]`, { 'd.csv': lines('m,t,s,p,z,q', `A,${MS},bid,0.4,2,1`, `A,${MS},bid,0.4,3,1`, `A,${MS + 1},ask,0.5,1,2`) })
    expect(shown(result).map(([, , , , bidSize]) => bidSize)).toEqual([size, size])
    expect(troubles(result)).toEqual(expected)
  })

  test('lists of levels are whole books', async () => {
    const yaml = 'files: [{ kind: depth, market: a, time: { column: t, unit: ms }, bids: bids, asks: asks, where: { e: book } }]'
    const result = await mapped(yaml, { 'd.ndjson': lines(
      JSON.stringify({ e: 'book', a: '7', t: String(MS), bids: [{ price: '.48', size: '30' }, { price: '.49', size: '20' }], asks: [['0.52', 25]] }),
      JSON.stringify({ e: 'trade', a: '7' }),
      JSON.stringify({ e: 'book', a: '7', t: String(MS + 1), bids: [], asks: [['0.52', 25]] }),
      JSON.stringify({ e: 'book', a: '7', t: String(MS + 2), bids: 'x', asks: [] })) })
    expect(shown(result)).toEqual([['7', T0, 490_000, 520_000, 20, 25, -1], ['7', T0 + 1000, -1, 520_000, -1, 25, -1]])
    expect(troubles(result)).toEqual(['quarantined no list of levels: 1 from 4', 'noted left out by where: 1 from 2'])
  })

  test('a crossed book shows nothing until it is sound again', async () => {
    const result = await mapped(`files: [{ kind: depth, ${DEPTH} }]`, { 'd.csv': lines('m,t,s,p,z', `A,${MS},bid,0.4,1`, `A,${MS + 1},ask,0.3,1`, `A,${MS + 2},ask,0.3,0`) })
    expect(shown(result).map(([, at, bid, ask]) => [(at - T0) / 1000, bid, ask])).toEqual([[0, 400_000, -1]])
    expect(troubles(result)).toEqual(['noted crossed book: 1 from 3'])
  })
})

describe('markets and results', () => {
  const FACTS = `
venue: polymarket
venues: { ours: venue_a }
files:
  - kind: markets
    match: m*
    market: '{slug}:{side}'
    title: title
    event: slug
    category: { constant: sports }
    game: slug
    exclusive: only
    venue: at
    open: { column: opens, zone: UTC }
    close: { column: closes, zone: UTC }
  - { kind: results, match: r*, market: '{slug}:{side}', result: res, value: val, settled: { column: s, unit: s } }
  - { kind: quotes, match: q*, market: '{slug}:{side}', time: { column: t, unit: ms }, bid: b }
`
  const MARKETS = 'slug,side,title,only,at,opens,closes'
  const RESULTS = 'slug,side,res,val,s'

  test('tell what a market is and what became of it', async () => {
    const result = await mapped(FACTS, {
      'm.csv': lines(MARKETS, 'g,a,A wins,true,ours,2025-06-19 12:00,2025-06-19 23:00', 'g,b,B wins,true,,2025-06-19 12:00,', 'g,a,A wins,,,,', 'g,a,Other,,,,', 'h,c,Nothing,,,,', 'h,d,X,,elsewhere,2025-06-19,'),
      'r.csv': lines(RESULTS, 'g,a,TRUE,,1750377600', 'g,b,win,0,', 'g,b,lost,,', 'x,y,yes,,', 'g,a,2,,', 'g,a,no,,'),
      'q.csv': lines('slug,side,t,b', `g,a,${MS},0.4`),
    })
    expect(result.markets).toEqual([
      {
        number: 0, ticker: 'g:a', venue: 'venue_a', event: 'g', series: '', category: 'sports', title: 'A wins', game: 'g', ladder: '', exclusionKeys: ['event:g', 'game:g'],
        openUs: T0 - 7 * 3.6e9, scheduledCloseUs: T0 + 4 * 3.6e9, scheduledCloseKnownUs: T0 - 7 * 3.6e9, actualCloseUs: null, outcome: 'yes', settlementE6: null, settledUs: 1_750_377_600e6,
        listing: { isExclusive: true },
      },
      expect.objectContaining({ ticker: 'g:b', venue: 'venue_b', outcome: 'no', settledUs: null, scheduledCloseUs: null }),
    ])
    expect(troubles(result)).toEqual([
      'quarantined unknown venue: 1 from 7', 'quarantined market without prices: 1 from 6', 'noted contradiction: 1 from 5',
      'quarantined contradiction: 2 from 3', 'quarantined unknown result: 1 from 6', 'quarantined result without market: 1 from 5', 'noted empty side: 1 from 2',
    ])
    expect(result.report.inputRows).toBe(13)
  })

  test.each([
    ['void', '', 'void', null], ['scalar', '0.25', 'scalar', 250_000], ['0.5', '', 'scalar', 500_000], ['', '1', 'yes', null], ['', '0', 'no', null], ['1', '', 'yes', null], ['refunded', '', 'void', null],
  ])('result %j with value %j is %s', async (result, value, outcome, settlementE6) => {
    const { markets } = await mapped(FACTS, { 'r.csv': lines(RESULTS, `g,a,${result},${value},`), 'q.csv': lines('slug,side,t,b', `g,a,${MS},0.4`) })
    expect(markets.map((market) => [market.outcome, market.settlementE6])).toEqual([[outcome, settlementE6]])
  })

  test.each(['markets', 'results'])('a word for nothing means what the mapping says that it means, in %s', async (kind) => {
    const result = `{ column: r, words: { void: [N/A, '-'], no: None } }`
    const yaml = `files: [{ kind: ${kind}, match: r*, market: m, result: ${result} }, { kind: quotes, match: q*, market: m, time: { column: t, unit: ms }, bid: b }]`
    const words = ['yes', 'N/A', '-', 'none', 'null', '']
    const { markets } = await mapped(yaml, { 'r.csv': lines('m,r,x', ...words.map((word, i) => `M${i},${word},1`)), 'q.csv': lines('m,t,b', ...words.map((_, i) => `M${i},${MS},0.4`)) })
    expect(markets.map(({ outcome }) => outcome)).toEqual(['yes', 'void', 'void', 'no', null, null])
  })

  test('a fact that nobody understands costs a market that fact alone, and a result its row', async () => {
    const yaml = `
files:
  - { kind: markets, match: m*, market: m, title: title, event: e, open: o, close: c, result: r }
  - { kind: results, match: r*, market: m, result: r, settled: s }
  - { kind: quotes, match: q*, market: m, time: { column: t, unit: ms }, bid: b }`
    const opened = '2025-06-19T12:00:00Z'
    const result = await mapped(yaml, {
      'm.csv': lines('m,title,e,o,c,r', `A,A wins,E,${opened},soon,maybe`, `B,B wins,E,${opened},,2`, 'C,C wins,E,then,,yes', 'D,D wins,E,then,,yes'),
      'r.csv': lines('m,r,s', 'B,yes,then', 'B,maybe,'),
      'q.csv': lines('m,t,b', `C,${MS},0.4`),
    })
    expect(result.markets.map(({ ticker, title, exclusionKeys, openUs, scheduledCloseUs, outcome }) => [ticker, title, exclusionKeys, (openUs - T0) / 3.6e9, scheduledCloseUs, outcome])).toEqual([
      ['A', 'A wins', ['event:E'], -7, null, null], ['B', 'B wins', ['event:E'], -7, null, null], ['C', 'C wins', ['event:E'], 0, null, 'yes'],
    ])
    expect(troubles(result)).toEqual([
      'quarantined market without prices: 1 from 5', 'noted bad timestamp: 3 from 2', 'noted unknown result: 2 from 2',
      'quarantined bad timestamp: 1 from 2', 'quarantined unknown result: 1 from 3', 'noted empty side: 1 from 2',
    ])
    expect([result.report.inputRows, result.report.acceptedRows, result.report.quarantinedRows]).toEqual([7, 4, 3])
  })

  test('words of one’s own take the place of the usual ones', async () => {
    const yaml = `
files:
  - { kind: quotes, match: q*, market: m, time: { column: t, unit: ms }, bid: b }
  - { kind: results, match: r*, market: m, result: { column: r, words: { yes: [gewonnen], no: verloren } } }`
    const result = await mapped(yaml, { 'q.csv': lines('m,t,b', `A,${MS},0.4`, `B,${MS},0.4`), 'r.csv': lines('m,r', 'A,Gewonnen', 'B,lost') })
    expect(result.markets.map(({ outcome }) => outcome)).toEqual(['yes', null])
    expect(troubles(result)).toContain('quarantined unknown result: 1 from 3')
  })
})

describe('files', () => {
  test('are told by their columns, and others in a folder are noted', async () => {
    const result = await mapped(QUOTES, { 'a.csv': lines(HEAD, `${MS},A,0.4,0.5,1,1`), 'b.csv': lines('x,y', '1,2'), 'c.csv': '', 'd.csv': `${HEAD}\n` })
    expect(troubles(result)).toEqual(['noted empty side: 0 from 1'].slice(1).concat(['noted file not read: 0 from 1', 'noted file not read: 0 from 1', 'noted no rows: 0 from 1']))
  })

  test('that no part reads are refused with what they lack', async () => {
    const error = await refusal(() => mapped(QUOTES, { 'b.csv': lines('x,y', '1,2') }))
    expect(error.message).toBe('no file that the mapping reads')
    const missing = await refusal(() => mapped(`${QUOTES}    match: '*.csv'\n`, { 'b.csv': lines('x,ticker', '1,2') }))
    expect(missing.describe()).toMatch(/b\.csv:1: no column ts, bid, ask, bid_size, ask_size\n {2}hint: its columns are x, ticker/)
  })

  test('of another format than the one that is named are not read', async () => {
    const error = await refusal(() => mapped(QUOTES, { 'a.csv': lines(HEAD, `${MS},A,0.4,0.5,1,1`) }, { format: 'parquet' }))
    expect(error.message).toBe('no file that the mapping reads')
  })
})
