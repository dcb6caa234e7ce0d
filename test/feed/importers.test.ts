import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { parse } from 'csv-parse/sync'
import { type ColumnSource, parquetWriteBuffer } from 'hyparquet-writer'
import { describe, expect, onTestFinished, test } from 'vitest'
import { readCsv } from '../../src/feed/csvRows.ts'
import type { Importer, ImportResult } from '../../src/feed/importer.ts'
import { importedFiles } from '../../src/feed/importedHistory.ts'
import { IMPORTERS } from '../../src/feed/importers/index.ts'
import { FileTally } from '../../src/feed/importTally.ts'
import { InputError } from '../../src/unit/inputError.ts'
import { checksummed } from './checksummed.ts'
import { broken, temporaryFolder } from './recordedData.ts'

const BOOK = 'market_slug,asset_id,market_id,event_type,price,side,size,hash,timestamp'
const DELTAS = 'recv_ns,ts_ms,market_ticker,connection_id,seq,side,price_dollars,delta_fp'
const SNAPSHOTS = 'recv_ns,market_ticker,connection_id,seq,side,price_dollars,size_fp'
const CLOSES = 'date,ticker,event,yes_team,winner,close_bid,close_ask,close_mid,volume,open_interest,result,settled_ts'

const importer = (format: string): Importer => IMPORTERS[format]!

function written(files: Record<string, string | Buffer>): string {
  const folder = temporaryFolder()
  for (const [name, content] of Object.entries(files)) writeFileSync(`${folder}/${name}`, content)
  return folder
}

const lines = (...rows: string[]) => `${rows.join('\n')}\n`

async function refusal(format: string, paths: string[]): Promise<InputError> {
  const error = await importedFiles(importer(format), paths).then(() => undefined, (cause: unknown) => cause)
  expect(error).toBeInstanceOf(InputError)
  return error as InputError
}

const troubles = ({ report }: ImportResult) => report.troubles.map(({ kind, handling, rows, firstRow }) => `${handling} ${kind}: ${rows} from ${firstRow}`)

type Shown = [atUs: number, market: number, bidE6: number, askE6: number, bidSize: number, askSize: number]

function shown({ ticks }: ImportResult): Shown[] {
  return Array.from({ length: ticks.count }, (_, i): Shown => [
    ticks.atUs[i]!, ticks.market[i]!, ticks.bidE6[i]!, ticks.askE6[i]!, ticks.bidSize[i]!, ticks.askSize[i]!,
  ])
}

/** A Polymarket row of the one token `7` of a game on 19 June 2025, `ms` after 19:00 UTC. */
const book = (type: string, price: string, side: string, size: string, ms: number, hash = 'h') =>
  `mlb-col-wsh-2025-06-19,7,1,${type},${price},${side},${size},${hash},${Date.UTC(2025, 5, 19, 19) + ms}`
const T0 = Date.UTC(2025, 5, 19, 19) * 1000

test('there is one importer for each format, under its own name', () => {
  expect(Object.keys(IMPORTERS)).toEqual([
    'kalshi-btc15m-book', 'kalshi-mlb-close', 'kalshi-weather-candles', 'polymarket-fills', 'polymarket-mlb-book', 'polymarket-price-history',
  ])
  for (const [format, { format: own }] of Object.entries(IMPORTERS)) expect(own).toBe(format)
})

describe('folders in folders are read', () => {
  const junk = (columns: string): string => lines(columns, columns.replace(/[^,]+/g, 'x'))
  const parquet = (columns: string) => Buffer.from(parquetWriteBuffer({ columnData: columns.split(',').map((name): ColumnSource => ({ name, data: ['x'], type: 'STRING' })) }))

  test.each<[format: string, name: string, content: string | Buffer]>([
    ['kalshi-btc15m-book', 'a.csv', junk(DELTAS)], ['kalshi-mlb-close', 'a.csv.gz', gzipSync(junk(CLOSES))],
    ['kalshi-weather-candles', 'a.parquet', parquet('ticker,end_ts,end_time,price_close,yes_bid_close,yes_ask_close')],
    ['polymarket-fills', 'a.csv', junk('block_number,maker_asset_id,taker_asset_id,maker_amount,taker_amount,timestamp')],
    ['polymarket-mlb-book', 'a.csv', junk(BOOK)], ['polymarket-price-history', 'a.csv', junk('timestamp,market_slug,question,price,outcome,category')],
  ])('%s', async (format, name, content) => {
    const folder = temporaryFolder()
    for (const day of ['2025/06/19', '2025/06/20/late', '.trash']) {
      mkdirSync(`${folder}/${day}`, { recursive: true })
      writeFileSync(`${folder}/${day}/${name}`, day === '.trash' ? content : typeof content === 'string' ? `${content}${content.split('\n')[1]!.replaceAll('x', `x${day.length}`)}\n` : Buffer.concat([content]))
    }
    writeFileSync(`${folder}/2025/README.txt`, 'about')
    const { files, troubles: found } = (await importedFiles(importer(format), [folder])).report
    const read = files.filter(({ sha256 }) => sha256 !== undefined).map(({ file }) => file)
    // Binary files are the same, and the second one is read as the first.
    expect(new Set(read)).toEqual(new Set([`${folder}/2025/06/19/${name}`, ...(typeof content === 'string' ? [`${folder}/2025/06/20/late/${name}`] : [])]))
    expect(found.find(({ kind }) => kind === 'file not read')?.file).toBe(`${folder}/2025/README.txt`)
  })
})

describe('files that cannot be read are refused by name', () => {
  test('a missing path', async () => {
    const error = await refusal('kalshi-mlb-close', ['/nowhere/games.csv'])
    expect(error.describe()).toContain('/nowhere/games.csv: no such file or folder')
  })

  test('a gzip file that is cut off', async () => {
    const rows = Array.from({ length: 2000 }, (_, i) => `d,T${i},E${i},A,B,${i % 50},${50 + (i % 49)},0,${(i * 7919) % 10_007},1,no,1744840697`)
    const whole = gzipSync(lines(CLOSES, ...rows))
    const folder = written({ 'games.csv.gz': whole.subarray(0, whole.length - 20) })
    const error = await refusal('kalshi-mlb-close', [`${folder}/games.csv.gz`])
    expect(error.message).toBe('the gzip data is cut off or damaged')
    expect(error.position?.file).toBe(`${folder}/games.csv.gz`)
  })

  test('a Parquet file that is cut off, at its end or in its data', async () => {
    const whole = Buffer.from(parquetWriteBuffer({ columnData: priceColumns([[1_767_445_207_000_000, 'a-b-c', 0.5, 1]]) }))
    for (const cut of [whole.subarray(0, whole.length - 9), whole.subarray(whole.length >> 1), Buffer.alloc(0)]) {
      const folder = written({ 'prices.parquet': cut })
      const error = await refusal('polymarket-price-history', [folder])
      expect(error.message).toBe('is not a complete Parquet file')
      expect(error.position?.file).toBe(`${folder}/prices.parquet`)
    }
  })

  test('a file of another format, with the columns that it lacks', async () => {
    const folder = written({ 'games.csv': lines('ticker,event,result', 'A,B,yes') })
    const error = await refusal('kalshi-mlb-close', [`${folder}/games.csv`])
    expect(error.message).toBe('no column yes_team, winner, close_bid, close_ask, settled_ts')
    expect(error.position).toEqual({ file: `${folder}/games.csv`, line: 1 })
    expect((await refusal('kalshi-mlb-close', [folder])).message).toBe('no games file')
  })

  test.skipIf(process.platform === 'win32')('a pipe with the name of one, from which nobody reads', async () => {
    const folder = written({ 'games.txt': lines(CLOSES) })
    execFileSync('mkfifo', [`${folder}/games.csv`])
    const feeding = spawn('sh', ['-c', 'cat "$0" > "$1"', `${folder}/games.txt`, `${folder}/games.csv`], { detached: true })
    onTestFinished(() => { process.kill(-feeding.pid!, 'SIGKILL') })
    expect((await refusal('kalshi-mlb-close', [folder])).message).toBe('no games file')
    expect((await refusal('kalshi-mlb-close', [`${folder}/games.csv`])).message).toBe('is neither CSV nor Parquet')
    expect(feeding.exitCode).toBeNull()
  })

  test('an empty file, a file of no kind, and a file named twice', async () => {
    const folder = written({ 'empty.csv': '', 'notes.txt': 'hello', 'games.csv': lines(CLOSES) })
    expect((await refusal('kalshi-mlb-close', [`${folder}/empty.csv`])).message).toContain('no column')
    expect((await refusal('kalshi-mlb-close', [`${folder}/notes.txt`])).message).toBe('is neither CSV nor Parquet')
    expect((await refusal('kalshi-mlb-close', [folder, `${folder}/games.csv`])).message).toBe('named twice')
  })
})

describe('a damaged recording of a named format', () => {
  const game = (i: number): string => `d,T${i},E,A,A,${40 + i},${50 + i},0,1,1,yes,${1_744_840_697 + i}`
  const imported = (content: string | Buffer) => importedFiles(importer('kalshi-mlb-close'), [written({ 'games.csv': content })])

  test('with a quote that is never closed loses its line alone', async () => {
    const result = await imported(lines(CLOSES, game(0), game(1).replace('d,', '"d,'), game(2), game(3)))
    expect(troubles(result)).toEqual(['quarantined open quote: 1 from 3'])
    expect(result.markets.map(({ ticker }) => ticker)).toEqual(['T0', 'T2', 'T3'])
  })

  test('with a column twice is refused, since either may be meant', async () => {
    const error = await refusal('kalshi-mlb-close', [`${written({ 'games.csv': lines(`${CLOSES},close_bid`, `${game(0)},1`) })}/games.csv`])
    expect([error.message, error.position?.line]).toEqual(['has two columns close_bid', 1])
  })

  test('in UTF-16 is read by its mark, and one byte of Latin-1 is read and told', async () => {
    const wide = await imported(Buffer.from(`\uFEFF${lines(CLOSES, game(0))}`, 'utf16le'))
    expect([troubles(wide), wide.ticks.count]).toEqual([['noted other encoding: 0 from 1'], 1])
    const narrow = await imported(Buffer.from(lines(CLOSES, game(0), game(1).replaceAll('A', 'Montr\u00E9al')), 'latin1'))
    // Two cells of one row.
    expect(troubles(narrow)).toEqual(['noted not UTF-8: 1 from 3'])
    expect(narrow.markets.map(({ title }) => title)).toEqual(['E: A wins', 'E: Montréal wins'])
  })

  test('in gzip is known by its bytes, whatever it is called', async () => {
    expect((await imported(gzipSync(lines(CLOSES, game(0), game(1))))).ticks.count).toBe(2)
  })

  test('in Parquet loses the rows of a group one of whose pages is not what its checksum says', async () => {
    const rows = Array.from({ length: 6 }, (_, i): PriceRow => [1_767_445_200_000_000 + i * 6e8, 'one', 0.3, 1])
    const { file, pages } = checksummed(Buffer.from(parquetWriteBuffer({ columnData: priceColumns(rows), rowGroupSize: 2 })))
    const { at } = pages.find(({ group, column }) => group === 1 && column === 'price')!
    const read = (content: Buffer) => importedFiles(importer('polymarket-price-history'), [written({ 'prices.parquet': content })])
    expect((await read(file)).ticks.count).toBe(6)
    file[at]! ^= 1
    const result = await read(file)
    expect(troubles(result)[0]).toBe('quarantined damaged page: 2 from 3')
    expect([...result.ticks.atUs]).toEqual([0, 1, 4, 5].map((i) => rows[i]![0]))
  })
})

describe('the account of a file', () => {
  test('adds up the rows of each kind of trouble, and names the first of them', () => {
    const tally = new FileTally('a.csv')
    tally.note('odd', 7, 'first told', 2)
    tally.note('odd', 4, 'told later')
    tally.note('about the file', 1, 'no row', 0)
    tally.quarantine('bad', 9, 'x', 3)
    tally.quarantine('bad', 12, 'y')
    expect(tally.troubles()).toEqual([
      { kind: 'bad', file: 'a.csv', rows: 4, handling: 'quarantined', firstRow: 9, about: 'x' },
      { kind: 'odd', file: 'a.csv', rows: 3, handling: 'noted', firstRow: 4, about: 'first told' },
      { kind: 'about the file', file: 'a.csv', rows: 0, handling: 'noted', firstRow: 1, about: 'no row' },
    ])
    expect(tally.quarantinedRows).toBe(4)
  })

  test('quotes the beginning of what is too long to be read', () => {
    const tally = new FileTally('a.csv')
    tally.note('long', 1, 'x'.repeat(300))
    tally.note('longer', 1, 'x'.repeat(301))
    expect(tally.troubles().map(({ about }) => about)).toEqual(['x'.repeat(300), `${'x'.repeat(300)}…`])
  })
})

describe('reading CSV', () => {
  const read = async (file: string, columns: string[]) => {
    const rows: [readonly string[], number][] = []
    const tally = new FileTally(file)
    await readCsv(file, columns, tally, (fields, line) => rows.push([fields, line]))
    return { rows, tally }
  }

  test('a line split at commas and csv-parse agree, whether or not a field is quoted', async () => {
    const rows = Array.from({ length: 5000 }, (_, i) => `${i},value ${i},${i * 0.25}`)
    const plain = lines('a,b,c', ...rows)
    const quoted = lines('a,b,c', ...rows.map((row, i) => (i < 3000 ? row : row.replace(/value (\d+)/, '"value, ""$1"""'))))
    for (const text of [plain, quoted, plain.replaceAll('\n', '\r\n'), `\uFEFF${plain}`, plain.trimEnd()]) {
      const folder = written({ 'x.csv': text, 'x.csv.gz': gzipSync(text) })
      const expected = (parse(text, { bom: true }) as string[][]).slice(1)
      for (const name of ['x.csv', 'x.csv.gz']) {
        const { rows: got, tally } = await read(`${folder}/${name}`, ['a', 'b', 'c'])
        expect(got.map(([fields]) => fields)).toEqual(expected)
        expect(got.map(([, line]) => line)).toEqual(expected.map((_, i) => i + 2))
        expect(tally.inputRows).toBe(5000)
      }
    }
  })

  test('columns are found by name, and empty lines are no rows', async () => {
    const folder = written({ 'x.csv': 'b,extra,a\n1,x,2\n\n3,y,4\n' })
    const { rows, tally } = await read(`${folder}/x.csv`, ['a', 'b'])
    expect(rows).toEqual([[['2', '1'], 2], [['4', '3'], 4]])
    expect(tally.inputRows).toBe(2)
  })
})

describe('polymarket-mlb-book', () => {
  const rows = [
    book('book', '0.40', 'bid', '10.9', 0), // 2
    book('book', '0.45', 'ask', '3', 0), // 3
    book('price_change', '0.41', 'bid', '5', 10), // 4
    book('price_change', 'NaN', 'bid', '5', 20), // 5
    book('price_change', '1.01', 'ask', '5', 20), // 6
    book('price_change', '-0.01', 'ask', '5', 20), // 7
    book('price_change', '0.5234567', 'ask', '5', 20), // 8: rounded
    `${book('price_change', '0.42', 'bid', '5', 20)},more`, // 9
    book('price_change', '0.42', 'bid', '-5', 20), // 10
    book('price_change', '0.46', 'bid', '5', 30), // 11: crosses
    book('price_change', '0.46', 'bid', '0', 40), // 12: sound again, the same top
    book('tick_size_change', '0.46', 'bid', '0', 40), // 13
    book('book', '0.38', 'bid', '1', 50, 'other'), // 14: replaces the book
    book('price_change', '0.37', 'middle', '1', 50), // 15
  ]

  test('counts each trouble and shows the sound tops', async () => {
    const folder = written({ 'game.csv': lines(BOOK, ...rows) })
    const result = await importedFiles(importer('polymarket-mlb-book'), [folder])
    expect(broken(result)).toEqual([])
    expect(troubles(result)).toEqual([
      'quarantined ragged row: 1 from 9',
      'quarantined not a number: 1 from 5',
      'quarantined price out of range: 2 from 6',
      'quarantined bad size: 1 from 10',
      'quarantined unknown event type: 1 from 13',
      'quarantined unknown side: 1 from 15',
      'noted rounded price: 1 from 8',
      'noted crossed book: 1 from 11',
      'noted no result: 0 from 2',
    ])
    expect([result.report.inputRows, result.report.acceptedRows, result.report.quarantinedRows]).toEqual([14, 7, 7])
    expect(shown(result)).toEqual([
      [T0, 0, 400_000, 450_000, 10, 3],
      [T0 + 10_000, 0, 410_000, 450_000, 5, 3],
      [T0 + 50_000, 0, 380_000, -1, 1, -1],
    ])
  })

  test('a file whose rows are not of its day is set aside, alone or beside the game that they are of', async () => {
    const yesterday = lines(BOOK, ...rows.slice(0, 3)).replaceAll('mlb-col-wsh-2025-06-19', 'mlb-hou-bal-2025-06-21')
    const folder = written({ 'a.csv': lines(BOOK, ...rows.slice(0, 3)), 'b.csv': yesterday })
    const alone = await importedFiles(importer('polymarket-mlb-book'), [`${folder}/b.csv`])
    expect(alone.markets).toEqual([])
    expect(troubles(alone)).toEqual(['quarantined mislabelled file: 3 from 2'])
    const both = await importedFiles(importer('polymarket-mlb-book'), [folder])
    expect(both.markets.map(({ event }) => event)).toEqual(['mlb-col-wsh-2025-06-19'])
    expect(both.report.troubles[1]?.about).toContain('its tokens are those of mlb-col-wsh-2025-06-19')
  })

  test('a recording belongs to its day from midnight until noon UTC of the next day', async () => {
    const dayMs = Date.UTC(2025, 5, 19)
    const read = async (fromMs: number, toMs: number) => {
      const at = (row: string, ms: number) => row.replace(/\d+$/, String(ms))
      const recording = lines(BOOK, at(book('book', '0.40', 'bid', '1', 0), fromMs), at(book('price_change', '0.41', 'bid', '1', 0), toMs))
      return (await importedFiles(importer('polymarket-mlb-book'), [written({ 'a.csv': recording })])).markets.length
    }
    const noonMs = dayMs + 36 * 3_600_000
    expect(await read(dayMs, noonMs - 1)).toBe(1)
    expect(await read(dayMs, noonMs)).toBe(0)
    expect(await read(dayMs - 1, noonMs - 1)).toBe(0)
  })

  test('a step that changes one size at the top alone is shown, and one that changes nothing there is not', async () => {
    const result = await importedFiles(importer('polymarket-mlb-book'), [written({ 'a.csv': lines(
      BOOK, book('book', '0.40', 'bid', '1', 0), book('book', '0.45', 'ask', '3', 0), book('price_change', '0.45', 'ask', '4', 10),
      book('price_change', '0.39', 'bid', '9', 20), book('price_change', '0.40', 'bid', '2', 30),
    ) })])
    expect(shown(result)).toEqual([
      [T0, 0, 400_000, 450_000, 1, 3], [T0 + 10_000, 0, 400_000, 450_000, 1, 4], [T0 + 30_000, 0, 400_000, 450_000, 2, 4],
    ])
  })

  test('a book that stays crossed is noted with all the rows that it was crossed for', async () => {
    const result = await importedFiles(importer('polymarket-mlb-book'), [written({ 'a.csv': lines(
      BOOK, book('book', '0.40', 'bid', '1', 0), book('price_change', '0.39', 'ask', '1', 10), book('price_change', '0.38', 'ask', '1', 10),
      book('price_change', '0.41', 'bid', '1', 30), book('book', '0.40', 'bid', '1', 40, 'other'), book('price_change', '0.40', 'ask', '1', 50),
    ) })])
    expect(troubles(result).filter((trouble) => trouble.includes('crossed'))).toEqual(['noted crossed book: 3 from 3'])
  })

  test('a token that two games of one day claim belongs to neither', async () => {
    const recording = lines(BOOK, ...rows.slice(0, 3))
    const folder = written({ 'a.csv': recording, 'b.csv': recording.replaceAll('mlb-col-wsh', 'mlb-hou-bal') })
    const result = await importedFiles(importer('polymarket-mlb-book'), [folder])
    expect(result.markets).toEqual([])
    expect(result.report.quarantinedRows).toBe(6)
  })

  test('a change needs a snapshot before it, and time never goes back', async () => {
    const folder = written({ 'a.csv': lines(BOOK, book('price_change', '0.3', 'bid', '1', 0), book('book', '0.4', 'bid', '1', 10), book('price_change', '0.41', 'bid', '2', 5)) })
    const result = await importedFiles(importer('polymarket-mlb-book'), [folder])
    expect(troubles(result)).toEqual([
      'quarantined change before snapshot: 1 from 2', 'noted time goes back: 1 from 4', 'noted no result: 0 from 2',
    ])
    expect(shown(result)).toEqual([[T0 + 10_000, 0, 410_000, -1, 2, -1]])
  })

  test('a winner is given to a token only from a bid of 0.99 and an ask of 0.01', async () => {
    const other = (row: string) => row.replace(',7,', ',8,')
    const result = lines('slug,away,home,winner,asset_ids,note', 'mlb-col-wsh-2025-06-19,col,wsh,wsh,7|8,')
    const outcomes = async (bid: string, ask: string) => {
      const recording = lines(BOOK, book('book', bid, 'bid', '1', 0), other(book('book', ask, 'ask', '1', 0)))
      const read = await importedFiles(importer('polymarket-mlb-book'), [written({ 'a.csv': recording, 'results.csv': result })])
      return read.markets.map(({ ticker, outcome }) => `${ticker.split(':')[1]} ${outcome}`)
    }
    expect(await outcomes('0.99', '0.01')).toEqual(['col no', 'wsh yes'])
    expect(await outcomes('0.989', '0.01')).toEqual(['token-1 null', 'token-2 null'])
    expect(await outcomes('0.99', '0.011')).toEqual(['token-1 null', 'token-2 null'])
  })
})

describe('kalshi-btc15m-book', () => {
  const TICKER = 'KXBTC15M-26MAY110815-15'
  const at = (us: number) => `${1_778_501_352_000_000 + us}000`
  const US = (us: number) => 1_778_501_352_000_000 + us
  const level = (us: number, connection: number, side: string, price: string, size: string) => `${at(us)},${TICKER},${connection},1,${side},${price},${size}`
  const delta = (us: number, connection: number, seq: number, side: string, price: string, size: string) =>
    `${at(us)},1778501352000,${TICKER},${connection},${seq},${side},${price},${size}`
  const read = (snapshots: string[], deltas: string[], labels?: string[]) => importedFiles(importer('kalshi-btc15m-book'), [written({
    'deltas.csv': lines(DELTAS, ...deltas),
    'snapshots.csv': lines(SNAPSHOTS, ...snapshots),
    ...(labels === undefined ? {} : { 'labels.csv': lines('market_ticker,binary_result,settlement_ts_utc,strike,market_status', ...labels) }),
  })])

  test('the ask of YES is 1 less the best NO bid; sizes add up exactly; a nanosecond late is a microsecond late', async () => {
    const result = await read(
      [level(0, 3, 'yes', '0.40', '10.1'), level(0, 3, 'no', '0.55', '7')],
      [delta(5, 3, 2, 'yes', '0.40', '0.2'), delta(5, 3, 3, 'yes', '0.40', '-0.3'), `${at(6).slice(0, -3)}001,0,${TICKER},3,4,no,0.56,1.5`],
    )
    expect(broken(result)).toEqual([])
    expect(shown(result)).toEqual([
      [US(0), 0, 400_000, 450_000, 10, 7],
      [US(7), 0, 400_000, 440_000, 10, 1],
    ])
  })

  test('after a gap the book is shown empty until the next snapshot', async () => {
    const result = await read(
      [level(0, 3, 'yes', '0.40', '10'), level(30, 3, 'yes', '0.30', '4')],
      [delta(10, 3, 2, 'yes', '0.41', '1'), delta(20, 3, 4, 'yes', '0.42', '1'), delta(21, 3, 5, 'yes', '0.43', '1'), delta(40, 3, 2, 'yes', '0.31', '2')],
    )
    expect(troubles(result)).toEqual(['noted no result: 1 from 2', 'quarantined sequence gap: 2 from 3'])
    expect(shown(result)).toEqual([
      [US(0), 0, 400_000, -1, 10, -1], [US(10), 0, 410_000, -1, 1, -1], [US(20), 0, -1, -1, -1, -1],
      [US(30), 0, 300_000, -1, 4, -1], [US(40), 0, 310_000, -1, 2, -1],
    ])
  })

  test('of two sessions that overlap the newer one is followed, and the rows of the older are set aside', async () => {
    const result = await read(
      [level(0, 3, 'yes', '0.40', '10'), level(20, 4, 'yes', '0.40', '10')],
      [delta(10, 3, 2, 'yes', '0.41', '1'), delta(20, 3, 3, 'yes', '0.42', '1'), delta(30, 4, 2, 'yes', '0.42', '1'), delta(31, 3, 4, 'yes', '0.50', '1'), delta(32, 9, 2, 'yes', '0.5', '1')],
    )
    expect(troubles(result)).toEqual([
      'noted no result: 1 from 2', 'quarantined overlapping session: 2 from 3', 'quarantined delta without snapshot: 1 from 6',
    ])
    expect(shown(result).map(([us, , bid]) => [us - US(0), bid])).toEqual([[0, 400_000], [10, 410_000], [20, 400_000], [30, 420_000]])
  })

  test('a level taken below nothing, a number seen twice and a clock ahead are counted', async () => {
    const result = await read(
      [level(0, 3, 'yes', '0.40', '10')],
      [delta(10, 3, 2, 'yes', '0.40', '-11'), delta(11, 3, 2, 'yes', '0.40', '1'), delta(12, 3, 3, 'no', '0.6x', '1'), delta(13, 3, 3, 'no', '0.6', '1').replace('1778501352000,', '1778501352001,'),
        delta(14, 3, 4, 'no', '0.61', '1').replace('1778501352000,', '1778501352009,')],
    )
    expect(troubles(result)).toEqual([
      'noted no result: 1 from 2',
      'quarantined duplicate: 1 from 3', 'quarantined not a number: 1 from 4',
      'noted negative level: 1 from 2', 'noted exchange clock ahead: 2 from 5',
    ])
    expect(result.report.troubles.at(-1)?.about).toContain('up to 9 ms after receipt')
    expect(shown(result).at(-1)).toEqual([US(14), 0, -1, 390_000, -1, 1])
  })

  test('the close in the name counts only if the settlement follows it within the hour', async () => {
    const closes = async (settled: string) => {
      const { markets } = await read([level(0, 3, 'yes', '0.40', '10')], [], [`${TICKER},yes,${settled},1,finalized`])
      return markets.map(({ scheduledCloseUs, scheduledCloseKnownUs, settledUs }) => [scheduledCloseUs, scheduledCloseKnownUs, settledUs])[0]
    }
    const closeUs = Date.UTC(2026, 4, 11, 12, 15) * 1000
    expect(await closes('2026-05-11T12:15:00.000Z')).toEqual([closeUs, US(0), closeUs])
    expect(await closes('2026-05-11T13:14:59.999Z')).toEqual([closeUs, US(0), closeUs + 3_599_999_000])
    expect(await closes('2026-05-11T12:14:59.999Z')).toEqual([null, null, closeUs - 1000])
    expect(await closes('2026-05-11T13:15:00.000Z')).toEqual([null, null, closeUs + 3_600_000_000])
  })
})

describe('kalshi-mlb-close', () => {
  const game = (ticker: string, bid: string, ask: string, result = 'yes', winner = 'A', settled = '1744840697') =>
    `2025-04-16,${ticker},E,A,${winner},${bid},${ask},0.5,1,1,${result},${settled}`

  test('counts each trouble', async () => {
    const folder = written({ 'games.csv': lines(
      CLOSES, game('T1', '42', '44'), game('T2', 'NaN', '44'), game('T3', '42', '101'), game('T4', '45', '44'), game('T1', '1', '2'),
      game('T5', '0', '100', 'no', ''), game('T6', '42', '44', 'no'), game('T7', '42', '44', 'yes', 'A', 'today'), 'short,row',
    ) })
    const result = await importedFiles(importer('kalshi-mlb-close'), [folder])
    expect(broken(result)).toEqual([])
    expect(troubles(result)).toEqual([
      'quarantined ragged row: 1 from 10', 'quarantined not a number: 1 from 3', 'quarantined price out of range: 1 from 4',
      'quarantined crossed book: 1 from 5', 'quarantined duplicate: 1 from 6', 'quarantined bad timestamp: 1 from 9',
      'noted winner not named: 1 from 7', 'noted winner contradicts result: 1 from 8',
    ])
    expect(shown(result).map(([, market, bid, ask]) => [result.markets[market]?.ticker, bid, ask])).toEqual([
      ['T1', 420_000, 440_000], ['T5', -1, -1], ['T6', 420_000, 440_000],
    ])
  })
})

test.each([['yes', 'yes'], ['NO', 'no'], ['voided', 'void'], ['scalar', null], ['2', null], ['', null]])('kalshi-mlb-close carries the result %j as %s, and names a word that it does not know', async (word, outcome) => {
  const row = `2025-04-16,T1,E,A,,42,44,0.5,1,1,${word},1744840697`
  const result = await importedFiles(importer('kalshi-mlb-close'), [written({ 'games.csv': lines(CLOSES, row) })])
  expect(result.markets.map((market) => [market.outcome, market.settledUs])).toEqual([[outcome, outcome === null ? null : 1_744_840_697_000_000]])
  expect(result.report.troubles.filter(({ kind }) => kind === 'unknown result').map(({ about }) => about)).toEqual(outcome === null ? [`result '${word}'`] : [])
})

type PriceRow = [atUs: number, slug: string, price: number, outcome: number | null]

function priceColumns(rows: PriceRow[]): ColumnSource[] {
  return [
    { name: 'timestamp', data: rows.map(([us]) => new Date(us / 1000)), type: 'TIMESTAMP' },
    { name: 'market_slug', data: rows.map(([, slug]) => slug), type: 'STRING' },
    { name: 'question', data: rows.map(([, slug]) => `${slug}?`), type: 'STRING' },
    { name: 'price', data: rows.map(([, , price]) => price), type: 'DOUBLE' },
    { name: 'outcome', data: rows.map(([, , , outcome]) => outcome), type: 'DOUBLE' },
    { name: 'category', data: rows.map(() => 'general'), type: 'STRING' },
  ]
}

describe('polymarket-price-history', () => {
  test('counts duplicates, conflicts and prices that are none, and reads outcomes between', async () => {
    const us = (minutes: number) => 1_767_445_200_000_000 + minutes * 60_000_000
    const folder = written({ 'prices.parquet': Buffer.from(parquetWriteBuffer({ columnData: priceColumns([
      [us(0), 'one', 0.3, null], [us(10), 'one', Number.NaN, null], [us(20), 'one', 1.5, null], [us(30), 'one', 0.4, null],
      [us(30), 'one', 0.4, null], [us(30), 'one', 0.5, 1], [us(0), 'two', 0.995, 0.5], [us(0), 'three', 0.2, 1], [us(10), 'three', 0.2, 0],
    ]) })) })
    const result = await importedFiles(importer('polymarket-price-history'), [folder])
    expect(broken(result)).toEqual([])
    expect(troubles(result).slice(0, 4)).toEqual([
      'quarantined not a number: 1 from 2', 'quarantined price out of range: 1 from 3',
      'quarantined duplicate: 1 from 5', 'quarantined conflicting duplicate: 1 from 6',
    ])
    expect(result.markets.map(({ ticker, outcome, settlementE6 }) => [ticker, outcome, settlementE6])).toEqual([
      ['one', 'yes', null], ['three', null, null], ['two', 'scalar', 500_000],
    ])
    expect([...result.ticks.lastE6].toSorted()).toEqual([200_000, 200_000, 300_000, 400_000, 995_000])
  })

  test('names an outcome that is none, and takes it for no outcome', async () => {
    const us = (minutes: number) => 1_767_445_200_000_000 + minutes * 60_000_000
    const { markets, report } = await importedFiles(importer('polymarket-price-history'), [written({ 'prices.parquet': Buffer.from(parquetWriteBuffer({ columnData: priceColumns([
      [us(0), 'one', 0.3, 2], [us(10), 'one', 0.4, -1], [us(0), 'two', 0.3, 2], [us(10), 'two', 0.3, 1],
    ]) })) })])
    expect(markets.map(({ ticker, outcome, settlementE6 }) => [ticker, outcome, settlementE6])).toEqual([['one', null, null], ['two', 'yes', null]])
    expect(report.troubles.filter(({ kind }) => /result|outcome/.test(kind)).map(({ kind, rows, firstRow, about }) => [kind, rows, firstRow, about])).toEqual([
      ['unknown result', 3, 1, "one: outcome '2'"], ['no outcome', 1, 2, 'one: unresolved'],
    ])
  })

  test('the day of capture is that of the last row of all, from midnight UTC on', async () => {
    const us = (day: number, ms: number) => (Date.UTC(2026, 0, day) + ms) * 1000
    const read = (rows: PriceRow[]) => importedFiles(importer('polymarket-price-history'), [written({ 'prices.parquet': Buffer.from(parquetWriteBuffer({ columnData: priceColumns(rows) })) })])
    const ofCapture = async (lastUs: number) => (await read([[us(2, 0), 'one', 0.3, 1], [lastUs, 'one', 0.4, 1], [us(3, 5000), 'two', 0.3, 1]])).report.troubles
      .filter(({ kind }) => kind === 'ends on the day of capture').map(({ rows, firstRow }) => [rows, firstRow])
    expect(await ofCapture(us(3, 0))).toEqual([[2, 2]])
    expect(await ofCapture(us(3, -1))).toEqual([[1, 3]])
  })

  test('notes what is not known of each series', async () => {
    const us = (minutes: number) => 1_767_445_200_000_000 + minutes * 60_000_000
    const { report } = await importedFiles(importer('polymarket-price-history'), [written({ 'prices.parquet': Buffer.from(parquetWriteBuffer({ columnData: priceColumns([
      [us(0), 'one', 0.3, 1], [us(10), 'one', 0.995, 0], [us(20), 'one', 0.999, 1], [us(0), 'two', 0.3, null], [us(10), 'two', 0.4, null],
    ]) })) })])
    expect(report.troubles.map(({ kind, handling, rows, firstRow }) => `${handling} ${kind}: ${rows} from ${firstRow}`)).toEqual([
      // The rows from the first contradiction on: there is no outcome then that they could agree with.
      'noted conflicting outcome: 2 from 2', 'noted ends on the day of capture: 2 from 3', 'noted pinned before the end: 1 from 3',
      'noted no outcome: 1 from 5', 'noted no related market: 2 from 1',
    ])
  })
})

describe('kalshi-weather-candles', () => {
  const openMs = Date.UTC(2026, 3, 1, 15)
  const table = (columns: Record<string, [ColumnSource['type'], unknown[]]>) => Buffer.from(parquetWriteBuffer({
    columnData: Object.entries(columns).map(([name, [type, data]]) => ({ name, data, type }) as ColumnSource),
  }))
  const marketTable = (
    results: (string | null)[], tickers: (string | null)[] = results.map((_, i) => `E-B${i}`), events: (string | null)[] = results.map(() => 'E'),
  ) => table({
    ticker: ['STRING', tickers],
    event_ticker: ['STRING', events],
    yes_sub_title: ['STRING', results.map((_, i) => `bucket ${i}`)],
    open_time: ['TIMESTAMP', results.map(() => new Date(openMs))],
    close_time: ['TIMESTAMP', results.map(() => new Date(openMs + 7_200_000))],
    settlement_time: ['TIMESTAMP', results.map(() => null)],
    result: ['STRING', results],
    _series_ticker: ['STRING', results.map(() => 'S')],
  })
  type Candle = [ticker: string | null, hours: number, bid: number | null, ask: number | null, price: number | null]
  const candleTable = (rows: Candle[]) => table({
    ticker: ['STRING', rows.map(([ticker]) => ticker)],
    end_ts: ['INT64', rows.map(([, hours]) => BigInt(openMs / 1000 + hours * 3600))],
    end_time: ['TIMESTAMP', rows.map(([, hours]) => new Date(openMs + hours * 3_600_000))],
    price_close: ['DOUBLE', rows.map(([, , , , price]) => price)],
    yes_bid_close: ['DOUBLE', rows.map(([, , bid]) => bid)],
    yes_ask_close: ['DOUBLE', rows.map(([, , , ask]) => ask)],
  })

  test('counts each trouble; a bid of 0 and an ask of 1 are no quotes', async () => {
    const folder = written({ 'markets.parquet': marketTable(['yes', 'yes', 'no']), 'candles.parquet': candleTable([
      ['E-B0', 1, 0.4, 0.41, 0.4], ['E-B0', 2, 0, 1, null], ['E-B0', 2, 0.4, 0.41, 0.4], ['E-B0', 5, 0.2, 0.3, null],
      ['E-B1', 1, 0.5, 0.4, 0.4], ['E-B9', 1, 0.4, 0.5, 0.4], ['E-B1', 2, 0.4, Number.NaN, 0.4], ['E-B1', 3, 0.4, null, 0.4],
    ]) })
    const result = await importedFiles(importer('kalshi-weather-candles'), [folder])
    expect(broken(result)).toEqual([])
    expect(troubles(result)).toEqual([
      'noted no settlement time: 3 from 1', 'noted ladder without one winner: 3 from 1',
      'quarantined duplicate: 1 from 3', 'quarantined crossed book: 1 from 5', 'quarantined unknown market: 1 from 6', 'quarantined not a number: 1 from 7',
      'noted nothing traded: 2 from 2', 'noted empty side: 2 from 2', 'noted irregular step: 1 from 4', 'noted begins after the scheduled close: 2 from 4',
    ])
    expect(shown(result).map(([us, market, bid, ask]) => [us / 3.6e9 - openMs / 3.6e6, market, bid, ask])).toEqual([
      [1, 0, 400_000, 410_000], [2, 0, -1, -1], [3, 1, 400_000, -1], [5, 0, 200_000, 300_000],
    ])
  })

  test('sets rows without the name of their market or event aside, and a result that is null is none', async () => {
    const folder = written({
      'markets.parquet': marketTable(['yes', 'yes', 'no', null], [null, '', 'E-B1', 'E-B2'], ['E', 'E', null, 'E']), 'candles.parquet': candleTable([[null, 1, 0.4, 0.41, 0.4], ['E-B2', 1, 0.4, 0.41, 0.4]]),
      'events.parquet': table({ event_ticker: ['STRING', [null, 'E']], title: ['STRING', ['x', null]], category: ['STRING', ['x', null]], mutually_exclusive: ['BOOLEAN', [true, true]] }),
    })
    const result = await importedFiles(importer('kalshi-weather-candles'), [folder])
    expect(broken(result)).toEqual([])
    expect(troubles(result)).toEqual(['quarantined no event: 1 from 1', 'quarantined no market: 2 from 1', 'quarantined no event: 1 from 3', 'noted unresolved: 1 from 4', 'quarantined no market: 1 from 1'])
    expect(result.markets.map(({ ticker, title, category }) => [ticker, title, category])).toEqual([['E-B2', 'E bucket 3', '']])
  })

  test('takes the first of two rows of a market', async () => {
    const folder = written({
      'markets.parquet': marketTable(['yes', 'no', 'no'], ['E-B0', 'E-B0', 'E-B1']), 'candles.parquet': candleTable([['E-B0', 1, 0.4, 0.41, 0.4]]),
    })
    const result = await importedFiles(importer('kalshi-weather-candles'), [folder])
    expect(troubles(result)).toContain('quarantined duplicate: 1 from 2')
    expect(shown(result).map(([, market, bid, ask]) => [market, bid, ask])).toEqual([[0, 400_000, 410_000]])
  })
})
