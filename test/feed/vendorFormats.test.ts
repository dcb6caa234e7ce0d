import { parquetMetadata } from 'hyparquet'
import { parquetWriteBuffer } from 'hyparquet-writer'
import { ByteWriter } from 'hyparquet-writer/src/bytewriter.js'
import { writeMetadata } from 'hyparquet-writer/src/metadata.js'
import { describe, expect, test } from 'vitest'
import type { ImportResult } from '../../src/feed/importer.ts'
import { formatMapping } from '../../src/scenario/formats.ts'
import { importMapped, lines, refusal, shown, T0, troubles, written } from './mapping/mapped.ts'
import { broken } from './recordedData.ts'

const MS = T0 / 1000
const reader = (format: string) => async (files: Readonly<Record<string, string | Uint8Array>>): Promise<ImportResult> => {
  const imported = await importMapped((await formatMapping(format))!, [written(files)])
  expect(broken(imported)).toEqual([])
  return imported
}
const json = (...objects: object[]) => lines(...objects.map((one) => JSON.stringify(one)))
const ticks = (imported: ImportResult) => shown(imported).map(([market, us, ...rest]) => [market, us - T0, ...rest])
const facts = ({ markets }: ImportResult) => markets.map(({ ticker, outcome, settlementE6 }) => `${ticker} ${settlementE6 ?? outcome}`)

describe('top-of-book', () => {
  const read = reader('top-of-book')
  const header = 'exchange,ticker,local_timestamp,exchange_timestamp,bid_price,bid_size,ask_price,ask_size'

  test('is seen when it was received, at the venue of its exchange', async () => {
    const imported = await read({ 'a.csv': lines(header, `kalshi,A,${T0 + 1}000,${T0}000,0.4,10.5,0.45,3`, `POLYMARKET,B,${T0 + 2}001,${MS},0.123456789,1,,`) })
    expect(ticks(imported)).toEqual([['A', 1, 400_000, 450_000, 10, 3, -1], ['B', 3, 123_457, -1, 1, -1, -1]])
    expect(imported.markets.map(({ ticker, venue }) => [ticker, venue])).toEqual([['A', 'venue_a'], ['B', 'venue_b']])
    expect(troubles(imported)).toEqual(['noted rounded price: 1 from 3', 'noted empty side: 1 from 3'])
  })

  test('sets aside an exchange that is no venue, a ticker of two, and crossed and absurd rows', async () => {
    const row = (exchange: string, ticker: string, bid: string, ms = MS) => `${exchange},${ticker},${ms},${ms},${bid},1,0.45,3`
    const imported = await read({ 'a.csv': lines(header, row('kalshi', 'A', '0.4'), row('nyse', 'B', '0.4'), row('polymarket', 'A', '0.4'), row('kalshi', 'A', '0.5'), row('kalshi', 'A', '0.4', 7), row('kalshi', 'A', '0.4')) })
    expect(troubles(imported)).toEqual(['quarantined unknown venue: 1 from 3', 'quarantined contradiction: 1 from 4', 'quarantined crossed book: 1 from 5', 'quarantined absurd timestamp: 1 from 6', 'quarantined duplicate: 1 from 7'])
  })

  // 0 is what recorders write where the exchange sent no time.
  test.each(['0', '', '0.0', '1970-01-01T00:00:00Z'])('an exchange time of ‘%s’ is none: the row is seen at its receipt, and told as one note', async (time) => {
    const imported = await read({ 'a.csv': lines(header, `kalshi,A,${MS},${time},0.4,1,0.45,3`, `kalshi,A,${MS + 1},${time},0.41,1,0.45,3`, `kalshi,A,${MS + 2},${MS + 2},0.42,1,0.45,3`) })
    expect(ticks(imported).map(([, us, bid]) => [us, bid])).toEqual([[0, 400_000], [1000, 410_000], [2000, 420_000]])
    expect(troubles(imported)).toEqual(['noted no exchange time: 2 from 2'])
  })

  test('a row without either time is set aside, and so is one with an exchange time that is absurd', async () => {
    const row = (received: string, time: string) => `kalshi,A,${received},${time},0.4,1,0.45,3`
    const imported = await read({ 'a.csv': lines(header, row('0', '0'), row('', '0'), row(`${MS}`, '1'), row('0', `${MS}`), row(`${MS}`, `${MS}`)) })
    expect(troubles(imported)).toEqual(['quarantined absurd timestamp: 4 from 2'])
  })

  test('is read from Parquet', async () => {
    const names = header.split(',')
    const values = ['kalshi', 'A', BigInt(T0) * 1000n, BigInt(T0) * 1000n, 0.4, 5, 0.45, 6]
    const columnData = names.map((name, i) => ({ name, data: [values[i]], type: (i < 2 ? 'STRING' : i < 4 ? 'INT64' : 'DOUBLE') as 'STRING' }))
    const file = parquetWriteBuffer({ columnData })
    // Some writers say 0 where a column has no dictionary.
    const metadata = parquetMetadata(file)
    for (const { meta_data: data } of metadata.row_groups.flatMap((group) => group.columns)) data!.dictionary_page_offset ??= 0n
    const writer = new ByteWriter()
    writer.appendBytes(new Uint8Array(file, 0, file.byteLength - 8 - new DataView(file).getUint32(file.byteLength - 8, true)))
    writeMetadata(writer, metadata)
    writer.appendBytes(new TextEncoder().encode('PAR1'))
    for (const bytes of [file, writer.getBuffer()]) expect(ticks(await read({ 'a.parquet': Buffer.from(bytes) }))).toEqual([['A', 0, 400_000, 450_000, 5, 6, -1]])
  })
})

describe('betfair-stream', () => {
  const read = reader('betfair-stream')
  const runner = (id: number, status = 'ACTIVE', name = `Team ${id}`) => ({ id, status, name })
  const definition = (status: string, runners: object[], more: object = {}) => ({
    name: 'Match Odds', eventName: 'A v B', eventId: '33', status, runners, marketTime: '2025-06-19T20:00:00.000Z', turnInPlayEnabled: false, numberOfWinners: 1, bettingType: 'ODDS', ...more,
  })
  const message = (ms: number, ...mc: object[]) => ({ op: 'mcm', clk: 'x', pt: MS + ms, mc })
  const change = (rc: object[], more: object = {}) => ({ id: '1.5', rc, ...more })
  const opening = message(0, { id: '1.5', marketDefinition: definition('OPEN', [runner(1), runner(2)]) })

  test('backing is buying and laying is selling, at 1 over the odds, for what a winning stake returns', async () => {
    const imported = await read({ 'a.ndjson': json(
      opening, message(1, change([{ id: 1, batb: [[0, 1.8, 50], [1, 1.79, 5]], batl: [[0, 2, 10.7]] }])), message(2, change([{ id: 1, batb: [[0, 1.8, 0]] }, { id: 2, ltp: 4 }])), message(3, change([{ id: 1, ltp: 1.25, tv: 9 }])),
    ) })
    // 1/1.8 is 0.5555…, and 50 at 1.8 returns 90; 10.7 at 2 returns 21.4; 1/1.79 is 0.558659…, and 5 at it returns 8.95.
    expect(ticks(imported)).toEqual([
      ['1.5:1', 1000, 500_000, 555_556, 21, 90, -1], ['1.5:1', 2000, 500_000, 558_659, 21, 8, -1], ['1.5:2', 2000, -1, -1, -1, -1, 250_000], ['1.5:1', 3000, 500_000, 558_659, 21, 8, 800_000],
    ])
    expect(imported.markets[0]).toMatchObject({
      ticker: '1.5:1', venue: 'venue_b', title: 'A v B: Match Odds: Team 1', event: '1.5', game: '33', exclusionKeys: ['event:1.5', 'game:33'], openUs: T0, category: 'sports', listing: { isExclusive: true },
      scheduledCloseUs: Date.UTC(2025, 5, 19, 20) * 1000, outcome: null,
    })
  })

  test('levels by odds are a book too, an image takes its place, and a handicap is a runner of its own', async () => {
    const imported = await read({ 'a.ndjson': json(
      opening, message(1, change([{ id: 1, atb: [[1.8, 1], [1.9, 1]], atl: [[2.5, 1], [2.4, 1]] }, { id: 1, hc: -1.5, ltp: 2 }])), message(2, change([{ id: 1, atb: [[1.9, 0]] }])), message(3, change([{ id: 1, atb: [[1.6, 1]] }], { img: true })),
    ) })
    expect(ticks(imported)).toEqual([
      ['1.5:1', 1000, 416_667, 526_316, 2, 1, -1], ['1.5:1:-1.5', 1000, -1, -1, -1, -1, 500_000], ['1.5:1', 2000, 416_667, 555_556, 2, 1, -1], ['1.5:1', 3000, -1, 625_000, -1, 1, -1],
      // The image leaves it out.
      ['1.5:1:-1.5', 3000, -1, -1, -1, -1, -1],
    ])
  })

  test('while a market is suspended nothing can be backed or laid', async () => {
    const at = (ms: number, status: string) => message(ms, { id: '1.5', marketDefinition: definition(status, [runner(1)]), rc: [{ id: 1, batb: [[0, 2, 4]] }] })
    expect(ticks(await read({ 'a.ndjson': json(at(0, 'OPEN'), at(1, 'SUSPENDED'), at(2, 'OPEN')) })).map(([, us, , ask]) => [us, ask])).toEqual([[0, 500_000], [1000, -1], [2000, 500_000]])
  })

  test('a closed market says what became of its runners', async () => {
    const runners = [runner(1, 'WINNER'), runner(2, 'LOSER'), runner(3, 'REMOVED'), runner(4, 'PLACED')]
    const imported = await read({ 'a.ndjson': json(
      message(0, { id: '1.5', marketDefinition: definition('OPEN', [1, 2, 3, 4].map((id) => runner(id))) }), message(1, change([1, 2, 3, 4].map((id) => ({ id, ltp: 4 })))),
      message(10, { id: '1.5', marketDefinition: definition('SUSPENDED', runners) }), message(20, { id: '1.5', marketDefinition: definition('CLOSED', runners, { settledTime: '2025-06-19T21:00:00.000Z' }) }),
    ) })
    expect(facts(imported)).toEqual(['1.5:1 yes', '1.5:2 no', '1.5:3 void', '1.5:4 null'])
    expect(imported.markets.map(({ actualCloseUs, settledUs }) => [actualCloseUs, settledUs])).toEqual([
      ...[1, 2].map(() => [T0 + 10_000, Date.UTC(2025, 5, 19, 21) * 1000]), [null, null], [null, null],
    ])
    expect(troubles(imported).filter((one) => !one.includes('empty side'))).toEqual(['quarantined unknown result: 1 from 4'])
  })

  test('trading in play has no scheduled close, and several winners exclude nobody', async () => {
    const imported = await read({ 'a.ndjson': json(message(0, { id: '1.5', marketDefinition: definition('OPEN', [runner(1)], { turnInPlayEnabled: true, numberOfWinners: 2 }) }), message(1, change([{ id: 1, ltp: 2 }]))) })
    expect([imported.markets[0]?.scheduledCloseUs, imported.markets[0]?.listing?.isExclusive]).toEqual([null, undefined])
  })

  test('of a dead heat and of a quarter handicap nobody knows what they paid', async () => {
    const ended = (id: string, runners: object[]) => ({ id, marketDefinition: definition('CLOSED', runners), rc: runners.map((one) => ({ ...one, ltp: 4 })) })
    const imported = await read({ 'a.ndjson': json(opening, message(1, ended('1.6', [runner(1, 'WINNER'), runner(2, 'WINNER'), runner(3, 'LOSER')]), ended('1.7', [{ ...runner(1, 'WINNER'), hc: -0.5 }, { ...runner(2, 'LOSER'), hc: 0.25 }]))) })
    expect(facts(imported).filter((one) => !one.startsWith('1.5'))).toEqual(['1.6:1 null', '1.6:2 null', '1.6:3 no', '1.7:1:-0.5 yes', '1.7:2:0.25 null'])
    expect(troubles(imported).filter((one) => /dead|quarter/.test(one))).toEqual(['noted dead heat: 2 from 2', 'noted quarter handicap: 1 from 2'])
  })

  test.each(['LINE', 'RANGE'])('a market of betting type %s has lines and no odds, and is set aside by name', async (bettingType) => {
    const lined = { id: '1.9', marketDefinition: definition('OPEN', [runner(1)], { bettingType }), rc: [{ id: 1, atb: [[30.5, 100]] }] }
    const imported = await read({ 'a.ndjson': json(opening, message(1, change([{ id: 1, ltp: 2 }])), message(2, lined), message(3, { id: '1.9', rc: [{ id: 1, ltp: 30.5 }] })) })
    expect(imported.markets.map(({ ticker }) => ticker)).not.toContain('1.9:1')
    expect(troubles(imported).filter((one) => one.includes('lines'))).toEqual(['quarantined lines, no odds: 2 from 3'])
  })

  test('counts each trouble', async () => {
    const imported = await read({ 'a.ndjson': `${json(opening, message(1, change([{ id: 1, ltp: 1 }, { id: 1, tv: 5 }, { ltp: 3 }, { id: 1, ltp: 2, batb: [[0, 2, 1]], batl: [[0, 1.5, 1]] }]), { rc: [] }), { op: 'status' })}{"op":\n` })
    expect(troubles(imported).sort()).toEqual([
      'noted book without an image: 1 from 2', 'noted change without prices: 1 from 2', 'noted other message: 1 from 3', 'quarantined bad odds: 1 from 2', 'quarantined crossed book: 1 from 2', 'quarantined no market: 2 from 2', 'quarantined not JSON: 1 from 4',
    ])
  })

  // Definitions of the live stream have no names, and a live market begins with an image.
  const live = (status: string) => ({ ...definition(status, [runner(1), runner(2)]), name: undefined, eventName: undefined })
  const image = (ms: number, rc: object[], status = 'OPEN') => message(ms, { id: '1.5', img: true, marketDefinition: live(status), rc })
  const became = (ms: number, status: string, rc: object[] = []) => message(ms, { id: '1.5', marketDefinition: live(status), rc })
  const delta = (ms: number, ...rc: object[]) => message(ms, change(rc))
  const back = (odds: number, stake = 10, id = 1) => ({ id, atb: [[odds, stake]] })
  const lay = (odds: number, stake = 10, id = 1) => ({ id, atl: [[odds, stake]] })
  /** Instant, bid, ask and last price of runner 1, or of another one. */
  const tops = (imported: ImportResult, id = 1) => ticks(imported).filter(([market]) => market === `1.5:${id}`).map(([, us, bid, ask, , , last]) => [Number(us) / 1000, bid, ask, last])
  const bad = (imported: ImportResult) => troubles(imported).filter((one) => one.startsWith('quarantined'))

  test('changes before an image make no book, and last odds need none', async () => {
    const imported = await read({ 'a.ndjson': json(delta(0, back(2)), became(1, 'OPEN', [lay(4)]), delta(2, { id: 1, ltp: 5 }), delta(3, { ...back(2), ltp: 4 }), image(4, [back(2.5)]), delta(5, lay(4))) })
    expect(tops(imported)).toEqual([[2, -1, -1, 200_000], [4, -1, 400_000, -1], [5, 250_000, 400_000, -1]])
    expect(bad(imported)).toEqual(['quarantined change before snapshot: 3 from 1'])
    expect(imported.report.troubles.find(({ kind }) => kind === 'change before snapshot')?.about).toBe('1.5:1: the file has no image of the market before it')
  })

  test('a book does not go on from one file to the next', async () => {
    const imported = await read({ 'a.ndjson': json(image(0, [back(2), lay(4)])), 'b.ndjson': json(delta(10, back(2.5)), delta(11, lay(4)), image(12, [back(2.5)])) })
    expect(tops(imported)).toEqual([[0, 250_000, 500_000, -1], [12, -1, 400_000, -1]])
    expect(bad(imported)).toEqual(['quarantined change before snapshot: 2 from 1'])
  })

  // Betfair's historic files begin with the market itself, some of them without an image.
  test.each<[string, object, string[]]>([
    ['is new', {}, ['noted book without an image: 1 from 2']], ['is played already', { inPlay: true }, ['quarantined change before snapshot: 1 from 2']], ['has no name', { name: undefined }, ['quarantined change before snapshot: 1 from 2']],
  ])('a file that begins with a definition of a market that %s', async (_, more, told) => {
    const imported = await read({ 'a.ndjson': json(message(0, { id: '1.5', img: false, marketDefinition: definition('OPEN', [runner(1)], more) }), delta(1, back(2))) })
    expect(troubles(imported).filter((one) => /image|snapshot/.test(one))).toEqual(told)
    expect(tops(imported)).toEqual(told[0]!.startsWith('noted') ? [[1, -1, 500_000, -1]] : [])
  })

  test('a definition that is not the first that a file says of a market begins nothing', async () => {
    const imported = await read({ 'a.ndjson': json(delta(0, { id: 1, bdatb: [[0, 2, 5]] }), message(1, { id: '1.5', marketDefinition: definition('OPEN', [runner(1)]) }), delta(2, back(2)), image(3, [back(2)])) })
    expect(troubles(imported).filter((one) => !one.includes('empty side'))).toEqual(['quarantined change before snapshot: 2 from 1'])
  })

  // 1/2, 1/2.5, 1/4 and 1/5 are 0.5, 0.4, 0.25 and 0.2.
  test('when a market opens again, a side is empty until somebody offers something there', async () => {
    const imported = await read({ 'a.ndjson': json(
      image(0, [back(2), lay(4)]), became(1, 'SUSPENDED'), delta(2, back(2, 0), lay(5)), became(3, 'OPEN'), delta(4, { id: 1, ltp: 2.5 }), delta(5, lay(4, 0)), delta(6, back(2.5)), delta(7, lay(4)), delta(8, lay(4, 0)),
    ) })
    // What the stream says of the ladder while the market is suspended holds: 5 is laid still when 4 is gone.
    expect(tops(imported)).toEqual([
      [0, 250_000, 500_000, -1], [1, -1, -1, -1], [2, -1, -1, -1], [4, -1, -1, 400_000], [5, -1, -1, 400_000], [6, -1, 400_000, 400_000], [7, 250_000, 400_000, 400_000], [8, 200_000, 400_000, 400_000],
    ])
    expect(bad(imported)).toEqual([])
  })

  test('levels that come with the word that a market is open are offered then', async () => {
    const imported = await read({ 'a.ndjson': json(image(0, [back(2), lay(4)], 'SUSPENDED'), became(1, 'OPEN', [back(2.5)]), became(2, 'INACTIVE', [back(2.5)])) })
    expect(tops(imported)).toEqual([[0, -1, -1, -1], [1, -1, 400_000, -1], [2, -1, -1, -1]])
    expect(bad(imported)).toEqual([])
  })

  test('an image that leaves a runner out, or a side of it, empties its book, and it takes the last odds too', async () => {
    const imported = await read({ 'a.ndjson': json(image(0, [{ ...back(2), ltp: 4 }, lay(4), back(2, 10, 2)]), image(1, [{ id: 1, tv: 5 }, lay(5)]), image(2, [back(2, 10, 2)]), delta(3, lay(4)), image(4, [])) })
    expect(tops(imported)).toEqual([[0, 250_000, 500_000, 250_000], [1, 200_000, -1, -1], [2, -1, -1, -1], [3, 250_000, -1, -1], [4, -1, -1, -1]])
    expect(tops(imported, 2)).toEqual([[0, -1, 500_000, -1], [1, -1, -1, -1], [2, -1, 500_000, -1], [4, -1, -1, -1]])
  })

  test('changes of a runner in one message are one book', async () => {
    // 2.5 to back and 2 to lay would cross, were the second change not to come.
    const imported = await read({ 'a.ndjson': json(image(0, [back(1.5), lay(2)]), delta(1, back(2.5), { id: 1, atl: [[2, 0], [4, 10]] }, { id: 1, tv: 4 })) })
    expect(tops(imported)).toEqual([[0, 500_000, 666_667, -1], [1, 250_000, 400_000, -1]])
    expect(troubles(imported)).toEqual(['noted change without prices: 1 from 2', 'noted rounded price: 1 from 1'])
  })

  // The best offers come first, then all of them, then those with virtual bets. Places and odds are never of one ladder.
  const offers = { id: 1, batb: [[0, 2, 9], [2, 1.5, 9]], batl: [[0, 4, 9]] }
  const all = { id: 1, atb: [[2.5, 9]], atl: [[5, 9]] }
  const virtual = { id: 1, bdatb: [[0, 10, 9]], bdatl: [[0, 20, 9]] }
  test.each<[string, object[], number, number, string[]]>([
    ['best offers', [offers], 250_000, 500_000, []], ['all offers', [all], 200_000, 400_000, []], ['best offers beside all', [{ ...all, ...offers }], 250_000, 500_000, []], ['best offers after all', [all, offers], 250_000, 500_000, []],
    ['virtual prices', [virtual], 50_000, 100_000, ['noted virtual prices: 1 from 1']], ['virtual prices beside others', [virtual, all], 200_000, 400_000, []],
    ['best offers of another runner', [virtual, { ...offers, id: 2 }], -1, -1, []],
  ])('prices of %s', async (_, rc, bid, ask, told) => {
    const imported = await read({ 'a.ndjson': json(image(0, [...rc, { id: 1, ltp: 4 }])) })
    expect(tops(imported)).toEqual([[0, bid, ask, 250_000]])
    expect(troubles(imported).filter((one) => one.includes('virtual'))).toEqual(told)
  })

  test('an image may have other offers than the one before', async () => {
    const imported = await read({ 'a.ndjson': json(image(0, [offers]), image(1, [virtual]), delta(2, { id: 1, bdatb: [[0, 8, 9]] })) })
    expect(tops(imported)).toEqual([[0, 250_000, 500_000, -1], [1, 50_000, 100_000, -1], [2, 50_000, 125_000, -1]])
  })

  test('changes of virtual prices move no others, and an empty list says nothing', async () => {
    const imported = await read({ 'a.ndjson': json(image(0, [{ ...all, ...virtual }]), delta(1, { id: 1, bdatb: [[0, 11, 9]] }), delta(2, { id: 1, bdatb: [], bdatl: [] }), delta(3, { id: 1, atb: [[2.5, 0]] })) })
    expect(tops(imported)).toEqual([[0, 200_000, 400_000, -1], [1, 200_000, 400_000, -1], [3, 200_000, -1, -1]])
    expect(troubles(imported)).toContain('noted change without prices: 1 from 3')
  })

  // The documentation of the stream goes through these five changes of one ladder.
  test('places are filled, moved and emptied as Betfair describes it', async () => {
    const changes = [[[0, 1.4, 2], [1, 0, 0], [2, 0, 0]], [[1, 1.5, 2]], [[2, 1.5, 2], [1, 1.4, 2], [0, 1.3, 2]], [[2, 0, 0], [1, 1.5, 2], [0, 1.4, 2]], [[1, 0, 0], [0, 0, 0]]]
    const imported = await read({ 'a.ndjson': json(image(0, [back(1.2)]), ...changes.map((batl, i) => delta(i + 1, { id: 1, batl, batb: [[0, 1.25, 4]] }))) })
    expect(tops(imported).slice(1).map(([, bid, ask]) => [bid, ask])).toEqual([714_286, 714_286, 769_231, 714_286, -1].map((bid) => [bid, 800_000]))
    expect(bad(imported)).toEqual([])
  })

  // 2 at place 0 and 1.6 at place 1 are 0.5 and 0.625.
  test.each<[string, unknown, string, number | null]>([
    ['no list of levels', 'none', 'bad level', null], ['no list', [7], 'bad level', null], ['nothing', [[]], 'bad level', null], ['too few numbers', [[0, 3]], 'bad level', 625_000], ['too many', [[0, 3, 5, 1]], 'bad level', 625_000],
    ['texts', [[0, '3', 5]], 'bad level', 625_000], ['a place in a text', [['0', 3, 5]], 'bad level', null], ['a missing stake', [[0, 3, null]], 'bad level', 625_000], ['a negative stake', [[0, 3, -5]], 'bad level', 625_000],
    ['negative odds', [[0, -3, 5]], 'bad level', 625_000], ['a negative place', [[-1, 3, 5]], 'bad level', null], ['half a place', [[0.5, 3, 5]], 'bad level', null],
    ['odds of 1', [[0, 1, 5]], 'bad odds', 625_000], ['odds of 0', [[0, 0, 5]], 'bad odds', 625_000], ['odds between 1 and 1.01', [[0, 1.009, 5]], 'bad odds', 625_000],
  ])('a level that has %s is set aside, and what stood there is not known', async (_, batb, kind, ask) => {
    const imported = await read({ 'a.ndjson': json(image(0, [{ id: 1, batb: [[0, 2, 9], [1, 1.6, 9]] }]), delta(1, { id: 1, batb })) })
    expect(tops(imported)).toEqual([[0, -1, 500_000, -1], ...(ask === null ? [] : [[1, -1, ask, -1]])])
    expect(troubles(imported).filter((one) => !one.includes('empty side'))).toEqual([`quarantined ${kind}: 1 from 2`])
  })

  test('a level that is none is a row of its own, and the others of its change hold', async () => {
    const imported = await read({ 'a.ndjson': json(image(0, [{ id: 1, atb: [[2, 9]] }]), delta(1, { id: 1, ltp: 1, atb: [[2.5, 9], [3, null], [1, 4]], atl: [[4, 9]] })) })
    expect(tops(imported)).toEqual([[0, -1, 500_000, -1], [1, 250_000, 400_000, -1]])
    expect(bad(imported)).toEqual(['quarantined bad odds: 2 from 2', 'quarantined bad level: 1 from 2'])
    // Two runners of the definition, two rows of prices, and three that are none.
    expect([imported.report.inputRows, imported.report.acceptedRows]).toEqual([7, 4])
  })

  // 1/1.01 is 0.990099….
  test.each<[number, number | null]>([[1.01, 990_099], [1.009, null], [1, null], [0.5, null], [0, null]])('odds of %s are a price of %s', async (odds, price) => {
    const imported = await read({ 'a.ndjson': json(image(0, [{ id: 1, atb: [[odds, 9]], ltp: odds }])) })
    expect(tops(imported)).toEqual(price === null ? [] : [[0, -1, price, price]])
    expect(bad(imported)).toEqual(price === null ? ['quarantined bad odds: 2 from 1'] : [])
  })

  test('is decompressed before it comes, where bzip2 compressed it', async () => {
    const refused = await refusal(() => read({ '1.5.bz2': Buffer.from('BZh91AY&SY') }))
    expect(refused.message).toBe('is compressed by bzip2, which is not read')
    expect(refused.hint).toContain('bunzip2 -c FILE | parlor import')
  })
})

describe('hyperliquid-outcomes', () => {
  const read = reader('hyperliquid-outcomes')
  const outcome = (number: number, more: object = {}) => ({ outcome: number, name: 'Recurring', description: 'class:priceBinary|underlying:BTC|expiry:20250620-0600|targetPrice:81041|period:1d', sideSpecs: [{ name: 'Yes' }, { name: 'No' }], ...more })
  const book = (coin: string, bid: string, ask: string, ms = 0) => ({ channel: 'l2Book', data: { coin, time: MS + ms, levels: [[{ px: bid, sz: '5.5', n: 1 }], [{ px: ask, sz: '2', n: 1 }]] } })
  const prices = json(book('#100', '0.4', '0.45'), book('#101', '0.55', '0.6', 1), { channel: 'trades', data: [{ coin: '#100', side: 'B', px: '0.41', sz: '1', time: MS + 2, tid: 1 }] }, book('#100', '0.42', '0.45', 3))

  test('a side is a market, with the ladder and the close that the description says', async () => {
    const imported = await read({ 'meta.json': JSON.stringify({ outcomes: [outcome(10), outcome(11)], questions: [] }), 'a.ndjson': prices })
    expect(ticks(imported)).toEqual([['#100', 0, 400_000, 450_000, 5, 2, -1], ['#101', 1000, 550_000, 600_000, 5, 2, -1], ['#100', 3000, 420_000, 450_000, 5, 2, 410_000]])
    expect(imported.markets[0]).toMatchObject({
      ticker: '#100', venue: 'venue_b', event: 'outcome-10', ladder: 'BTC-20250620-0600', exclusionKeys: ['event:outcome-10', 'ladder:BTC-20250620-0600'], scheduledCloseUs: Date.UTC(2025, 5, 20, 6) * 1000, listing: { frequency: 'daily' },
    })
    // Outcome 11 has neither an opening nor prices.
    expect(troubles(imported)).toEqual(['quarantined market without prices: 2 from 1'])
  })

  test.each([['1.0', ['#100 yes', '#101 no']], ['0', ['#100 no', '#101 yes']], ['0.25', ['#100 250000', '#101 750000']]])('the first side is paid a fraction of %s, and the second one the rest', async (settleFraction, expected) => {
    expect(facts(await read({ 'settled.json': JSON.stringify({ spec: outcome(10), settleFraction, details: '' }), 'a.ndjson': prices }))).toEqual(expected)
  })

  test('outcomes of a question exclude each other', async () => {
    const imported = await read({ 'meta.json': JSON.stringify({ outcomes: [outcome(10, { description: 'participant:A' }), outcome(12, { description: 'participant:B' })], questions: [{ question: 3, namedOutcomes: [10], fallbackOutcome: 12 }] }), 'a.ndjson': `${prices}${json(book('#120', '0.1', '0.2'))}` })
    expect(imported.markets.map(({ event }) => event)).toEqual(['question-3', 'question-3', 'question-3'])
  })

  test('sets aside a book with a price that is nested too deep', async () => {
    const imported = await read({ 'a.ndjson': `${prices}${json(book('#100', '0.4', '0.45', 4)).replace('"0.4"', '['.repeat(12_000) + ']'.repeat(12_000))}` })
    expect(troubles(imported)).toEqual(['quarantined nested too deep: 1 from 5'])
    expect(imported.ticks.count).toBe(3)
  })

  test('the result of an outcome with a question is kept, and a settled outcome says nothing else', async () => {
    const meta = { outcomeMeta: { outcomes: [outcome(10)], questions: [{ question: 1, namedOutcomes: [10], fallbackOutcome: 11 }] } }
    const imported = await read({ 'a.ndjson': json(meta, { settledOutcome: { spec: outcome(10), settleFraction: '1.0' } }) + prices })
    expect(facts(imported)).toEqual(['#100 yes', '#101 no'])
    expect(imported.markets.map(({ event }) => event)).toEqual(['question-1', 'question-1'])
    expect(troubles(imported)).toEqual([])
  })

  test('a book with a level that is none is set aside whole, and so is a trade that is none', async () => {
    const levels = (ms: number, ...sides: unknown[]) => ({ channel: 'l2Book', data: { coin: '#100', time: MS + ms, levels: sides } })
    const ask = [{ px: '0.6', sz: '10', n: 1 }]
    const imported = await read({ 'a.ndjson': prices + json(levels(9, 'junk', ask), levels(10, [['0.51', '10']], ask), levels(11, [{ px: '0.5' }], ask), { channel: 'trades', data: ['junk'] }) })
    expect(troubles(imported)).toEqual(['quarantined not an object: 1 from 8', 'quarantined bad level: 3 from 5'])
  })

  test('sets aside what is no outcome, and leaves other coins', async () => {
    const meta = { outcomes: [outcome(10), outcome(-1), outcome(12, { sideSpecs: [] }), 7], questions: [] }
    const imported = await read({ 'meta.json': JSON.stringify(meta), 'settled.json': JSON.stringify({ spec: outcome(10), settleFraction: '1.5' }), 'a.ndjson': `${prices}${json(book('BTC', '81000', '81001'), { coin: '#100', time: MS, levels: [[]] })}` })
    expect(troubles(imported)).toEqual(['quarantined no outcome: 2 from 1', 'quarantined not an object: 1 from 1', 'quarantined unknown result: 1 from 1', 'quarantined no list of levels: 1 from 6', 'noted coin of no outcome: 1 from 5'])
  })
})
