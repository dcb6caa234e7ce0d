import { describe, expect, test } from 'vitest'
import { formatMapping } from '../../src/scenario/formats.ts'
import { importMapped, lines, shown, T0, troubles, written } from './mapping/mapped.ts'

const read = async (format: string, files: Readonly<Record<string, string>>) => importMapped((await formatMapping(format))!, [written(files)])
type Frame = Readonly<Record<'type' | 'seq' | 'msg' | 'recv_ms', unknown>>
const json = (...rows: object[]): string => lines(...rows.map((row) => JSON.stringify(row)))
const iso = (seconds: number): string => new Date(T0 / 1000 + seconds * 1000).toISOString()

const MARKET = {
  ticker: 'KXHIGHNY-25JUN19-B80', event_ticker: 'KXHIGHNY-25JUN19', title: 'High in NYC', yes_sub_title: '80° to 81°', open_time: iso(-3600), close_time: iso(3600), status: 'active', result: '',
}

describe('kalshi: markets', () => {
  test.each([
    ['a list', { cursor: '', markets: [MARKET] }], ['one', { market: MARKET }], ['events with their markets', { events: [{ category: 'Weather', markets: [MARKET] }] }],
    ['what a recorder laid around', { _metadata: {}, response: { markets: [MARKET] } }], ['an object', MARKET],
  ])('are read from %s', async (_, answer) => {
    for (const text of [JSON.stringify(answer), JSON.stringify(answer, null, 2)]) {
      const { markets } = await read('kalshi', { 'a.json': text })
      expect(markets).toMatchObject([{
        ticker: MARKET.ticker, event: 'KXHIGHNY-25JUN19', series: 'KXHIGHNY', title: 'High in NYC: 80° to 81°', venue: 'venue_a',
        openUs: T0 - 3.6e9, scheduledCloseUs: T0 + 3.6e9, actualCloseUs: null, outcome: null,
      }])
    }
  })

  test('of an event have its category, its title, and whether one alone comes true', async () => {
    const event = { category: 'Weather', title: 'Highest temperature', mutually_exclusive: true, series_ticker: 'KXHIGHNY' }
    const { markets } = await read('kalshi', { 'a.json': JSON.stringify({ event, markets: [MARKET] }) })
    expect(markets).toMatchObject([{ category: 'Weather', listing: { eventTitle: 'Highest temperature', isExclusive: true } }])
  })

  // What status says about the close: a schedule, or when trading ended. Only final results are results.
  test.each([
    ['active', '', [T0 + 3.6e9, null, null, null]], ['closed', '', [null, T0 + 3.6e9, null, null]], ['determined', 'yes', [null, T0 + 3.6e9, null, null]],
    ['finalized', 'yes', [null, T0 + 3.6e9, 'yes', T0 + 7.2e9]], ['settled', 'no', [null, T0 + 3.6e9, 'no', T0 + 7.2e9]],
  ])('that are %s with result ‘%s’', async (status, result, [close, closed, outcome, settled]) => {
    const { markets } = await read('kalshi', { 'a.json': JSON.stringify({ markets: [{ ...MARKET, status, result, settlement_ts: iso(7200) }] }) })
    expect(markets).toMatchObject([{ scheduledCloseUs: close, actualCloseUs: closed, outcome, settledUs: settled }])
  })

  test.each([
    [{ settlement_value_dollars: '0.4300' }, 430_000], [{ settlement_value: 43 }, 430_000], [{ settlement_value_dollars: '0.4300', settlement_value: 99 }, 430_000],
  ])('settle in between at %j', async (value, settlementE6) => {
    const { markets } = await read('kalshi', { 'a.json': JSON.stringify({ markets: [{ ...MARKET, status: 'finalized', result: 'scalar', ...value }] }) })
    expect(markets).toMatchObject([{ outcome: 'scalar', settlementE6 }])
  })

  // Finality comes with a word: a value beside an empty result is none, and one that belies the word leaves the market without a result.
  test.each([
    ['', '0.0000', null, 'noted value without a result'], ['', '1.0000', null, 'noted value without a result'], ['', '0.4300', null, 'noted value without a result'],
    ['yes', '0.3000', null, 'noted contradiction'], ['no', '0.0001', null, 'noted contradiction'], ['yes', '0.0000', null, 'noted contradiction'],
    ['yes', '1.0000', 'yes', ''], ['no', '0.0000', 'no', ''], ['scalar', '0.0000', 'scalar', ''],
  ])('that are final with result ‘%s’ and value %s', async (result, value, outcome, trouble) => {
    const imported = await read('kalshi', { 'a.json': JSON.stringify({ markets: [MARKET, { ...MARKET, ticker: 'A-C', status: 'finalized', result, settlement_value_dollars: value }] }) })
    expect(imported.markets.find(({ ticker }) => ticker === 'A-C')?.outcome).toBe(outcome)
    expect(troubles(imported).filter((one) => !one.includes('left out'))).toEqual(trouble === '' ? [] : [`${trouble}: 1 from 2`])
  })

  test('with a state or a result that nobody knows are told of', async () => {
    const answer = { markets: [MARKET, { ...MARKET, ticker: 'A-B', status: 'asleep' }, { ...MARKET, ticker: 'A-C', status: 'finalized', result: 'perhaps' }, { ...MARKET, ticker: 'A-D', status: 'finalized', result: 'scalar' }] }
    const result = await read('kalshi', { 'a.json': JSON.stringify(answer, null, 1) })
    // The markets of one event exclude each other, whatever became of them.
    const event = `event:${MARKET.event_ticker}`
    expect(result.markets.map(({ ticker, outcome, exclusionKeys }) => [ticker, outcome, exclusionKeys.includes(event)])).toEqual([['A-C', null, true], ['A-D', null, true], [MARKET.ticker, null, true]])
    expect(troubles(result)).toEqual(['noted left out by where: 1 from 2', 'noted unknown result: 2 from 3'])
    expect(result.report.troubles[1]!.about).toBe("result 'perhaps' is left out")
  })

  test('that are parlays share keys with the markets of their legs’ events', async () => {
    const parlay = { ...MARKET, ticker: 'KXMVE-S1-2', event_ticker: 'KXMVE-S1', mve_selected_legs: [{ event_ticker: 'KXHIGHNY-25JUN19', market_ticker: MARKET.ticker, side: 'yes' }, { event_ticker: 'KXNFL-1', market_ticker: 'KXNFL-1-A', side: 'no' }] }
    const { markets } = await read('kalshi', { 'a.json': JSON.stringify({ markets: [MARKET, parlay] }) })
    expect(markets.map(({ exclusionKeys }) => exclusionKeys)).toEqual([
      ['event:KXHIGHNY-25JUN19', 'named:KXHIGHNY-25JUN19'], ['event:KXMVE-S1', 'named:KXHIGHNY-25JUN19', 'named:KXNFL-1'],
    ])
  })

  test('have quotes where it is known when they were asked for; an ask of 0 is none', async () => {
    const quoted = [
      { ...MARKET, yes_bid_dollars: '0.4100', yes_ask_dollars: '0.4300', last_price_dollars: '0.4200' }, { ...MARKET, ticker: 'A-B', yes_bid: 41, yes_ask: 43, last_price: 42 },
      { ...MARKET, ticker: 'A-C', yes_bid_dollars: '0.0000', yes_ask_dollars: '0.0000', last_price_dollars: '0.0000', no_bid: 100 },
      { ...MARKET, ticker: 'A-D', status: 'closed', yes_bid_dollars: '0.4100', yes_ask_dollars: '0.4300' },
    ]
    expect((await read('kalshi', { 'a.json': JSON.stringify({ markets: quoted }) })).ticks.count).toBe(0)
    const result = await read('kalshi', { 'a.json': JSON.stringify({ _metadata: { recorded_at: iso(5) }, response: { markets: quoted } }) })
    expect(shown(result)).toEqual([
      [MARKET.ticker, T0 + 5e6, 410_000, 430_000, -1, -1, 420_000], ['A-B', T0 + 5e6, 410_000, 430_000, -1, -1, 420_000], ['A-C', T0 + 5e6, -1, -1, -1, -1, -1],
    ])
  })
})

describe('kalshi: trades', () => {
  const trade = { trade_id: 'x', ticker: 'A-B', created_time: iso(1), taker_side: 'no' }
  test.each([
    ['2026', { yes_price_dollars: '0.0650', no_price_dollars: '0.9350', count_fp: '1.50', is_block_trade: false }, 65_000], ['older', { yes_price: 6, no_price: 94, count: 1 }, 60_000],
    ['both', { yes_price: 6, yes_price_dollars: '0.0650' }, 65_000],
  ])('of %s have the price of YES', async (_, price, lastE6) => {
    for (const text of [JSON.stringify({ cursor: '', trades: [{ ...trade, ...price }] }), json({ ...trade, ...price })]) {
      expect(shown(await read('kalshi', { 'a.json': text }))).toEqual([['A-B', T0 + 1e6, -1, -1, -1, -1, lastE6]])
    }
  })

  test('in a table are read too, and what is no price is set aside', async () => {
    const result = await read('kalshi', { 'a.csv': `trade_id,ticker,created_time,yes_price\nx,A-B,${iso(1)},6\ny,A-B,${iso(2)},101\nz,A-B,,7\nw,A-B,${iso(3)},\n` })
    expect(shown(result)).toEqual([['A-B', T0 + 1e6, -1, -1, -1, -1, 60_000]])
    expect(troubles(result)).toEqual(['quarantined price out of range: 1 from 3', 'quarantined no time: 1 from 4', 'quarantined no price: 1 from 5'])
  })

  // Cents are whole, or have steps of a tenth: two decimals below 1 are dollars.
  test.each([
    ['0.45', null], ['0.50', null], ['0.05', null], ['.99', null], ['0.123', null], ['1e-2', null],
    ['0.5', 5000], ['0.1', 1000], ['5e-1', 5000], ['1', 10_000], ['1.5', 15_000], ['45.25', 452_500], ['99', 990_000], ['0', 0], ['0.00', 0], ['0.45¢', 4500],
  ])('of cents with %s give a price of %s', async (price, lastE6) => {
    const result = await read('kalshi', { 'a.csv': `trade_id,ticker,created_time,yes_price\nx,A-B,${iso(1)},6\ny,A-B,${iso(2)},${price}\n` })
    expect(shown(result).slice(1).map(([, , , , , , last]) => last)).toEqual(lastE6 === null ? [] : [lastE6])
    const isLow = lastE6 === 5000 || lastE6 === 1000
    expect(troubles(result)).toEqual(lastE6 === null ? ['quarantined dollars in a column of cents: 1 from 3'] : isLow ? ['noted less than a cent: 1 from 3'] : [])
    if (lastE6 === null) expect(result.report.troubles[0]!.about).toBe(`yes_price '${price}': cents are whole or have one decimal; where the column is in dollars, a mapping says \`prices: dollars\``)
  })

  test('in blocks are left out', async () => {
    const result = await read('kalshi', { 'a.ndjson': json({ ...trade, yes_price: 6 }, { ...trade, yes_price: 50, is_block_trade: true }) })
    expect(shown(result)).toHaveLength(1)
    expect(troubles(result)).toEqual(['noted left out by where: 1 from 2'])
  })
})

describe('kalshi: candles', () => {
  const end = T0 / 1e6 + 3600
  const live = { end_period_ts: end, yes_bid: { close: 8, close_dollars: '0.0800' }, yes_ask: { close: 11, close_dollars: '0.1100' }, price: { close: null, previous: 9 } }
  const past = { end_period_ts: end, yes_bid: { close: '0.0800' }, yes_ask: { close: '0.1100' }, price: { close: '0.0900' } }
  const cents = { end_period_ts: end, yes_bid: { close: 8 }, yes_ask: { close: 11 }, price: { close: 9 } }
  test.each([
    ['live', live, -1], ['of the past', past, 90_000], ['in cents', cents, 90_000],
  ])('%s are seen at their end', async (_, candle, last) => {
    const tick = ['A-B', T0 + 3.6e9, 80_000, 110_000, -1, -1, last]
    for (const answer of [
      { ticker: 'A-B', candlesticks: [candle] }, { markets: [{ market_ticker: 'A-B', candlesticks: [candle] }] }, { market_tickers: ['A-A', 'A-B'], market_candlesticks: [[], [candle]] },
      { _metadata: { ticker: 'A-B' }, response: { candlesticks: [candle] } }, { ticker: 'A-B', ...candle },
    ]) for (const indent of [0, 1]) expect(shown(await read('kalshi', { 'a.json': JSON.stringify(answer, null, indent) }))).toEqual([tick])
  })

  test('without a market are set aside', async () => {
    expect(troubles(await read('kalshi', { 'a.json': JSON.stringify({ ticker: '', candlesticks: [live] }) }))).toEqual(['quarantined no market: 1 from 1'])
  })
})

describe('kalshi: books', () => {
  // Bids of NO at 0.55 are an ask of YES at 0.45.
  test.each([
    ['2026', { orderbook_fp: { yes_dollars: [['0.4100', '10.50'], ['0.4000', '5.00']], no_dollars: [['0.5500', '7.00']] } }],
    ['older', { orderbook: { yes: [[40, 5], [41, 10]], no: [[55, 7]] } }],
    ['both', { orderbook: { yes: [[1, 1]], yes_dollars: [['0.41', 10]], no: null, no_dollars: [['0.55', 7]] } }],
  ])('of %s are whole books', async (_, answer) => {
    const result = await read('kalshi', { 'a.json': JSON.stringify({ _metadata: { ticker: 'A-B', recorded_at: iso(2) }, response: answer }) })
    expect(shown(result)).toEqual([['A-B', T0 + 2e6, 410_000, 450_000, 10, 7, -1]])
  })

  test('of cents that are dollars are set aside, in lists of markets, candles and books too', async () => {
    const quoted = { ...MARKET, yes_bid: 0.41, yes_ask: 0.43, last_price: 0.42 }
    const candle = { end_period_ts: T0 / 1e6, yes_bid: { close: 0.41 }, yes_ask: { close: 0.43 }, price: { close: null } }
    const book = { _metadata: { ticker: 'A-B', recorded_at: iso(2) }, response: { orderbook: { yes: [[0.41, 5]], no: [[55, 7]] } } }
    const kind = 'quarantined dollars in a column of cents: 1 from 1'
    expect(troubles(await read('kalshi', { 'a.json': JSON.stringify({ _metadata: { recorded_at: iso(5) }, response: { markets: [quoted] } }) }))).toContain(kind)
    for (const answer of [{ ticker: 'A-B', candlesticks: [candle] }, book]) expect(troubles(await read('kalshi', { 'a.json': JSON.stringify(answer) }))).toEqual([kind])
    const settled = { markets: [{ ...MARKET, status: 'finalized', result: 'scalar', settlement_value: 0.43 }] }
    const result = await read('kalshi', { 'a.json': JSON.stringify(settled) })
    expect(result.markets).toMatchObject([{ outcome: null }])
    expect(result.report.troubles.map(({ about }) => about)).toEqual(["value '0.43': dollars in a column of cents is left out"])
  })

  test('whose time nobody says are refused', async () => {
    await expect(read('kalshi', { 'a.json': '{"ticker":"A-B","orderbook":{"yes":[],"no":[]}}' })).rejects.toThrow('no file that the mapping reads')
  })
})

test('kalshi-parlay-legs: what a leg was worth is the result of its market', async () => {
  const legs = [{ market_ticker: 'A-B', side: 'no', yes_settlement_value_dollars: '1.0000' }, { market_ticker: 'A-C', side: 'yes', yes_settlement_value_dollars: '0.2500' }, { market_ticker: 'A-D', side: 'yes' }]
  const result = await read('kalshi-parlay-legs', { 'a.json': JSON.stringify({ markets: [{ ticker: 'P', mve_selected_legs: legs }, { ticker: 'Q' }] }, null, 1) })
  // No prices stand beside them, so that nobody else names their markets.
  expect(troubles(result)).toEqual(['quarantined result without market: 2 from 1', 'noted left out by where: 1 from 3'])
})

describe('kalshi-frames', () => {
  const at = (ms: number) => ({ recv_ms: T0 / 1000 + ms })
  const frames = [
    { type: 'subscribed', id: 1, msg: { channel: 'orderbook_delta', sid: 2 }, ...at(0) },
    { type: 'orderbook_snapshot', sid: 2, seq: 1, msg: { market_ticker: 'A-B', yes_dollars_fp: [['0.4100', '10.50']], no_dollars_fp: [['0.5500', '7.00']] }, ...at(1) },
    { type: 'orderbook_delta', sid: 2, seq: 2, msg: { market_ticker: 'A-B', price_dollars: '0.4200', delta_fp: '3.00', side: 'yes', ts_ms: 5 }, ...at(2) },
    { type: 'orderbook_delta', sid: 2, seq: 3, msg: { market_ticker: 'A-B', price_dollars: '0.5500', delta_fp: '-7.00', side: 'no', ts_ms: 5 }, ...at(3) },
    { type: 'trade', sid: 3, seq: 1, msg: { market_ticker: 'A-B', yes_price_dollars: '0.4200', ts: 1 }, ...at(4) },
    { type: 'orderbook_delta', sid: 2, seq: 4, msg: { market_ticker: 'A-B', price_dollars: '0.4200', delta_fp: '-1.00', side: 'yes' }, ...at(5) },
  ]
  const ticks = [['A-B', T0 + 1000, 410_000, 450_000, 10, 7, -1], ['A-B', T0 + 2000, 420_000, 450_000, 3, 7, -1], ['A-B', T0 + 3000, 420_000, -1, 3, -1, -1], ['A-B', T0 + 5000, 420_000, -1, 2, -1, 420_000]]

  test('are books by snapshot and delta, and trades their last prices', async () => {
    expect(shown(await read('kalshi-frames', { 'a.ndjson': json(...frames) }))).toEqual(ticks)
  })

  test('of older fields are in cents', async () => {
    const older = frames.map(({ msg, ...rest }) => {
      const cents = (text: string) => Math.round(Number(text) * 100)
      const { yes_dollars_fp: yes, no_dollars_fp: no, price_dollars: price, delta_fp: delta, yes_price_dollars: traded, ...other } = msg as Record<string, unknown> as Record<string, any>
      const levels = (list: [string, string][]) => list.map(([p, s]) => [cents(p), Math.floor(Number(s))])
      return { ...rest, msg: { ...other, ...(yes === undefined ? {} : { yes: levels(yes), no: levels(no) }), ...(price === undefined ? {} : { price: cents(price), delta: Number(delta) }), ...(traded === undefined ? {} : { yes_price: cents(traded) }) } }
    })
    expect(shown(await read('kalshi-frames', { 'a.ndjson': json(...older) }))).toEqual(ticks)
  })

  test('after a lost one are set aside until the next snapshot', async () => {
    const [, snapshot, , ...rest] = frames
    const result = await read('kalshi-frames', { 'a.ndjson': json(snapshot!, ...rest) })
    expect(troubles(result)).toContain('quarantined sequence gap: 2 from 2')
  })

  // 3 are added at 0.42 once, and 1 of them is taken: 2 are left.
  test.each([
    ['as Kalshi sends them', (frame: Frame): object => frame],
    ['in an envelope', ({ type, seq, msg, recv_ms }: Frame): object => ({ event_type: type, sequence_number: seq, payload_json: msg, local_recv_ns: `${recv_ms}000000` })],
  ])('that stand twice are applied once, %s', async (_, written) => {
    const [, snapshot, bid, ask, , less] = frames as Frame[]
    const result = await read('kalshi-frames', { 'a.ndjson': json(...[snapshot!, bid!, bid!, ask!, ask!, less!].map(written)) })
    expect(shown(result)).toEqual([...ticks.slice(0, 3), ['A-B', T0 + 5000, 420_000, -1, 2, -1, -1]])
    expect(troubles(result)).toContain('quarantined duplicate: 2 from 3')
  })

  test('without a time of receipt are set aside', async () => {
    const result = await read('kalshi-frames', { 'a.ndjson': json(frames[1]!, { ...frames[2]!, recv_ms: undefined }) })
    expect(troubles(result)).toContain('quarantined no time: 1 from 2')
  })
})

test('kalshi-ticker-frames: best quotes, their sizes and the last price', async () => {
  const msg = { market_ticker: 'A-B', yes_bid_dollars: '0.4100', yes_ask_dollars: '0.4300', yes_bid_size_fp: '10.50', yes_ask_size_fp: '0.40', price_dollars: '0.0000' }
  const result = await read('kalshi-ticker-frames', { 'a.ndjson': json({ type: 'ticker', sid: 1, msg, recv_ns: `${T0}000` }, { type: 'ticker', msg: { market_ticker: 'A-B', yes_bid: 41, yes_ask: 40 }, recv_ns: `${T0 + 1}000` }) })
  expect(shown(result)).toEqual([['A-B', T0, 410_000, 430_000, 10, 0, -1]])
  expect(troubles(result)).toContain('quarantined crossed book: 1 from 2')
})

describe('kalshi-weather-quotes', () => {
  const HEAD = 'timestamp,market_ticker,best_yes_bid,best_no_bid,implied_no_ask,implied_yes_ask'
  test('are best bids of both outcomes in cents, at a clock of the Pacific', async () => {
    // 12:00 in Los Angeles in June is 19:00 UTC. The best NO bid of 55 is an ask of 45.
    const result = await read('kalshi-weather-quotes', { 'a.csv': `${HEAD}\n2025-06-19T12:00:00.250000,KXHIGHNY-25JUN19-B80,41,55,59,45\n2025-06-19T12:00:01,KXHIGHNY-25JUN19-B82,0,0,100,100\n` })
    expect(shown(result)).toEqual([['KXHIGHNY-25JUN19-B80', T0 + 250_000, 410_000, 450_000, -1, -1, -1], ['KXHIGHNY-25JUN19-B82', T0 + 1e6, -1, -1, -1, -1, -1]])
    expect(result.markets).toMatchObject(['B80', 'B82'].map((rung) => ({
      ticker: `KXHIGHNY-25JUN19-${rung}`, event: 'KXHIGHNY-25JUN19', series: 'KXHIGHNY', category: 'weather', ladder: 'KXHIGHNY-25JUN19', exclusionKeys: ['event:KXHIGHNY-25JUN19', 'ladder:KXHIGHNY-25JUN19'],
      listing: { isExclusive: true }, outcome: null, scheduledCloseUs: null,
    })))
  })

  test.each([
    ['2025-06-19T12:00:00,M-1-A,60,55,40,45', 'crossed book'], ['2025-06-19T12:00:00,M-1-A,101,0,0,100', 'price out of range'], ['2025-06-19T12:00:00,M-1-A,x,0,0,100', 'not a number'],
    ['2025-06-19 noon,M-1-A,1,1,1,1', 'bad timestamp'], ['2025-11-02T01:30:00,M-1-A,1,1,1,1', 'time that clocks skip or repeat'], ['2025-06-19T12:00:00,,1,1,1,1', 'no market'], ['2025-06-19T12:00:00,M-1-A,1', 'ragged row'],
  ])('set aside %s: %s', async (row, kind) => {
    const result = await read('kalshi-weather-quotes', { 'a.csv': `${HEAD}\n2025-06-19T12:00:00,M-1-B,1,1,1,1\n${row}\n` })
    expect(troubles(result).filter((one) => one.startsWith('quarantined'))).toEqual([`quarantined ${kind}: 1 from 3`])
  })
})

describe('kalshi-sports', () => {
  const pair = { schema_version: 'sports_pairs.v1', captured_at: iso(3), captured_outcomes: 1, event_ticker: 'KXAFLGAME-26JUL10PAPSKS', outcomes: [{ ticker: 'KXAFLGAME-26JUL10PAPSKS-PAP', yes_bid: 0.39, yes_ask: 0.4, price_source_tag: 'real_ask' }] }
  const ledger = { schema_version: 'settlement_ledger.v1', ticker: 'KXAFLGAME-26JUL10PAPSKS-PAP', result: 'yes', settlement_value: 1, settlement_ts: iso(60), close_time: iso(50) }

  test('quotes of the outcomes of a game have the results of a ledger', async () => {
    const result = await read('kalshi-sports', { 'pairs.jsonl': json(pair), 'ledger.jsonl': json(ledger, { ...ledger, ticker: 'KXMVE-1-2', title: 'yes A,yes B' }) })
    expect(shown(result)).toEqual([['KXAFLGAME-26JUL10PAPSKS-PAP', T0 + 3e6, 390_000, 400_000, -1, -1, -1]])
    expect(result.markets).toMatchObject([{ event: 'KXAFLGAME-26JUL10PAPSKS', game: 'KXAFLGAME-26JUL10PAPSKS', series: 'KXAFLGAME', category: 'sports', outcome: 'yes', actualCloseUs: T0 + 50e6, settledUs: T0 + 60e6 }])
    expect(troubles(result)).toContain('quarantined result without market: 1 from 2')
  })

  test('quotes that are no real asks are left out', async () => {
    const [outcome] = pair.outcomes
    const result = await read('kalshi-sports', { 'pairs.jsonl': json(pair, { ...pair, captured_at: iso(4), outcomes: [{ ...outcome, yes_ask: 0.5, price_source_tag: 'modelled' }] }) })
    expect(shown(result).map(([, , , ask]) => ask)).toEqual([400_000])
    expect(troubles(result)).toEqual(['noted left out by where: 1 from 2'])
  })

  test('prices that are floats are rounded to the nearest millionth, and counted', async () => {
    const [outcome] = pair.outcomes
    const result = await read('kalshi-sports', { 'pairs.jsonl': json({ ...pair, outcomes: [{ ...outcome, yes_bid: 1 / 3, yes_ask: 0.1 + 0.3 }] }) })
    // 0.1 + 0.3 is 0.4 in doubles. One third is rounded.
    expect(shown(result).map(([, , bid, ask]) => [bid, ask])).toEqual([[333_333, 400_000]])
    expect(troubles(result)).toEqual(['noted rounded price: 1 from 1'])
  })

  test('a scalar result without its value is set aside', async () => {
    const cache = { markets: { 'KXAFLGAME-26JUL10PAPSKS-PAP': { close_time: iso(50), event_ticker: 'E', result: 'scalar' } }, schema_version: 'q26_settlement_cache.v1' }
    const result = await read('kalshi-sports', { 'pairs.jsonl': json(pair), 'q26.json': JSON.stringify(cache, null, 1) })
    expect(result.markets).toMatchObject([{ outcome: null }])
    expect(troubles(result)).toContain('quarantined unknown result: 1 from 1')
  })
})

describe('kalshi-frames of several markets in one subscription', () => {
  const at = (ms: number) => ({ recv_ms: T0 / 1000 + ms })
  const snapshot = (seq: number, market: string, ms: number, sid = 2) => ({ type: 'orderbook_snapshot', sid, seq, msg: { market_ticker: market, yes_dollars_fp: [['0.4000', '10.00']] }, ...at(ms) })
  const delta = (seq: number, market: string, ms: number, sid = 2) => ({ type: 'orderbook_delta', sid, seq, msg: { market_ticker: market, price_dollars: `0.${40 + ms}00`, delta_fp: '1.00', side: 'yes' }, ...at(ms) })
  const bids = async (...frames: object[]) => {
    const result = await read('kalshi-frames', { 'a.ndjson': json(...frames) })
    return { bids: shown(result).map(([market, us, bid]) => `${market} ${(us - T0) / 1000}ms ${bid / 1e4}`), troubles: troubles(result).filter((one) => one.startsWith('quarantined')) }
  }

  test('has no gap where the numbers of all markets have none', async () => {
    expect(await bids(snapshot(1, 'A', 0), snapshot(2, 'B', 1), delta(3, 'A', 2), delta(4, 'B', 3), delta(5, 'A', 4))).toEqual({ bids: ['A 0ms 40', 'B 1ms 40', 'A 2ms 42', 'B 3ms 43', 'A 4ms 44'], troubles: [] })
  })

  test('counts what else has a number: a market that comes later, and the answer to its request', async () => {
    expect(await bids(snapshot(1, 'A', 0), delta(2, 'A', 1), { type: 'ok', sid: 2, seq: 3, ...at(2), msg: {} }, snapshot(4, 'B', 3), delta(5, 'A', 4), delta(6, 'B', 5)))
      .toEqual({ bids: ['A 0ms 40', 'A 1ms 41', 'B 3ms 40', 'A 4ms 44', 'B 5ms 45'], troubles: [] })
  })

  test('loses the books of all its markets with a message, until each has a whole book', async () => {
    expect(await bids(snapshot(1, 'A', 0), snapshot(2, 'B', 1), delta(3, 'A', 2), delta(5, 'A', 4), delta(6, 'B', 5), snapshot(7, 'B', 6), delta(8, 'B', 7), delta(9, 'A', 8)))
      .toEqual({ bids: ['A 0ms 40', 'B 1ms 40', 'A 2ms 42', 'B 4ms -0.0001', 'A 4ms -0.0001', 'B 6ms 40', 'B 7ms 47'], troubles: ['quarantined sequence gap: 3 from 4'] })
  })

  test('leaves another subscription alone, and a number that was there is set aside', async () => {
    expect(await bids(snapshot(1, 'A', 0, 2), snapshot(1, 'B', 1, 3), delta(2, 'B', 2, 3), delta(3, 'A', 3, 2), delta(3, 'B', 4, 3), delta(2, 'B', 5, 3)))
      .toEqual({ bids: ['A 0ms 40', 'B 1ms 40', 'B 2ms 42', 'A 3ms -0.0001', 'B 4ms 44'], troubles: ['quarantined sequence gap: 1 from 4', 'quarantined duplicate: 1 from 6'] })
  })

  // Sizes add up to 2 where a frame of the other recording is applied too.
  const added = (seq: number, market: string, ms: number, sid = 2) => ({ ...delta(seq, market, ms, sid), msg: { market_ticker: market, price_dollars: '0.4200', delta_fp: '1.00', side: 'yes' } })
  const tops = async (files: Readonly<Record<string, object[]>>) => {
    const result = await read('kalshi-frames', Object.fromEntries(Object.entries(files).map(([name, frames]) => [name, json(...frames)])))
    return { tops: shown(result).map(([market, us, bid, , size]) => `${market} ${(us - T0) / 1000}ms ${size} at ${bid / 1e4}`), troubles: troubles(result).filter((one) => one.startsWith('quarantined')) }
  }

  test('follows one of two recordings that overlap: from its whole book on, the newer one', async () => {
    const whole = snapshot(1, 'A', 0)
    const newer = { ...snapshot(1, 'A', 0), recv_ms: T0 / 1000 + 5 }
    expect(await tops({ 'a.ndjson': [whole, added(2, 'A', 2), added(3, 'A', 7), added(4, 'A', 9)], 'b.ndjson': [newer, added(2, 'A', 8)] }))
      .toEqual({ tops: ['A 0ms 10 at 40', 'A 2ms 1 at 42', 'A 5ms 10 at 40', 'A 8ms 1 at 42'], troubles: ['quarantined overlapping session: 2 from 3'] })
  })

  test('follows the older recording in markets that the newer one has not, and no gap of the one is one of the other', async () => {
    expect(await tops({ 'a.ndjson': [snapshot(1, 'A', 0), snapshot(2, 'B', 0), added(3, 'A', 6), added(4, 'B', 7), added(6, 'A', 8)], 'b.ndjson': [snapshot(1, 'A', 5), added(2, 'A', 9)] }))
      .toEqual({ tops: ['A 0ms 10 at 40', 'B 0ms 10 at 40', 'B 7ms 1 at 42', 'B 8ms -1 at -0.0001', 'A 9ms 1 at 42'], troubles: ['quarantined overlapping session: 2 from 3'] })
  })

  test('goes on in the next file of a recording', async () => {
    expect(await tops({ 'a.ndjson': [snapshot(1, 'A', 0), added(2, 'A', 1)], 'b.ndjson': [added(3, 'A', 1), snapshot(4, 'B', 2), added(5, 'A', 3)] }))
      .toEqual({ tops: ['A 0ms 10 at 40', 'A 1ms 2 at 42', 'B 2ms 10 at 40', 'A 3ms 3 at 42'], troubles: [] })
  })

  test('follows the newest subscription of a recording', async () => {
    expect(await tops({ 'a.ndjson': [snapshot(1, 'A', 0, 1), snapshot(1, 'A', 1, 2), added(2, 'A', 2, 1), added(2, 'A', 3, 2), snapshot(1, 'A', 4, 1), added(2, 'A', 5, 1)] }))
      .toEqual({ tops: ['A 0ms 10 at 40', 'A 3ms 1 at 42', 'A 4ms 10 at 40', 'A 5ms 1 at 42'], troubles: ['quarantined overlapping session: 1 from 3'] })
  })

  test('follows one connection of an envelope', async () => {
    const of = (connection: string, { type, seq, msg, recv_ms: ms }: Frame): object => ({ event_type: type, sequence_number: seq, payload_json: msg, connection_id: connection, local_recv_ns: `${ms}000000` })
    expect(await tops({ 'a.ndjson': [of('x', snapshot(1, 'A', 0)), of('x', added(2, 'A', 1)), of('y', snapshot(1, 'A', 2)), of('x', added(3, 'A', 3)), of('y', added(2, 'A', 4)), of('x', snapshot(9, 'A', 5))] }))
      .toEqual({ tops: ['A 0ms 10 at 40', 'A 1ms 1 at 42', 'A 2ms 10 at 40', 'A 4ms 1 at 42'], troubles: ['quarantined overlapping session: 1 from 6', 'quarantined overlapping session: 1 from 4'] })
  })

  test('begins anew after a reconnection', async () => {
    expect(await bids(snapshot(1, 'A', 0), delta(2, 'A', 1), delta(3, 'A', 2), snapshot(1, 'A', 3), delta(2, 'A', 4), delta(3, 'A', 5))).toEqual({ bids: ['A 0ms 40', 'A 1ms 41', 'A 2ms 42', 'A 3ms 40', 'A 4ms 44', 'A 5ms 45'], troubles: [] })
  })
})
