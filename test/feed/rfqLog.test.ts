import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { readRfqLog } from '../../src/feed/rfqLog/readRfqLog.ts'
import type { RfqLog } from '../../src/feed/rfqLog/rfqLog.ts'
import { temporaryFolder } from './recordedData.ts'

/** 2025-06-19T22:31:00Z. */
const AT = 1_750_372_260_000_000
const REQUEST = { kind: 'request', id: 'r', at_us: AT, legs: ['A yes', 'B no'], stake: '25 USDC' }
const QUOTE = { kind: 'quote', request: 'r', maker: 'alpha', at_us: AT + 1_000_000, odds: 2.5 }

function put(content: string | Buffer, name = 'log.ndjson'): string {
  const file = join(temporaryFolder(), name)
  writeFileSync(file, content)
  return file
}

const linesOf = (rows: readonly (object | string)[]): string => rows.map((row) => (typeof row === 'string' ? row : JSON.stringify(row))).join('\n')
const read = (...rows: (object | string)[]): Promise<RfqLog> => readRfqLog(put(linesOf(rows)))
const asideOf = ({ report: { troubles } }: RfqLog): string[] => troubles.map(({ kind, rows, firstRow, about }) => `${kind} ${rows} @${firstRow}: ${about}`)

describe('a log of requests for quotes', () => {
  it('puts together what belongs to a request, in whatever order its rows stand', async () => {
    const rows = [
      { kind: 'last_look', request: 'r', quote: 'q2', answer: 'declined', delay_ms: 450 }, { kind: 'acceptance', request: 'r', quote: 'q2', at_us: AT + 3_000_000 },
      { ...QUOTE, id: 'q1', valid: '8s' }, { ...QUOTE, id: 'q2', maker: 'beta', odds: '2.6', at_us: AT + 500_000 }, { kind: 'withdrawal', request: 'r', maker: 'alpha', at_us: AT + 2_000_000 },
      { kind: 'result', request: 'r', result: 'lost' }, { ...REQUEST, bettor: 'ann', service: 'parlay', lifetime: '90s', decide_ms: 4_000, floor_probability: 0.4 },
    ]
    const { requests, makers, report } = await read(...rows)
    expect(requests).toEqual([{
      id: 'r', version: 1, service: 'parlay', bettor: 'ann', atUs: AT, legs: [{ ticker: 'A', side: 'yes' }, { ticker: 'B', side: 'no' }], betMicros: 25_000_000, endUs: AT + 90_000_000,
      decideUs: 4_000_000, floor: { probabilityE9: 400_000_000 }, result: 'lost',
      quotes: [
        { id: 'q2', maker: 'beta', atUs: AT + 500_000, price: { oddsE4: 26_000 }, validUntilUs: null, withdrawnUs: null },
        { id: 'q1', maker: 'alpha', atUs: AT + 1_000_000, price: { oddsE4: 25_000 }, validUntilUs: AT + 9_000_000, withdrawnUs: AT + 2_000_000 },
      ],
      acceptances: [{ atUs: AT + 3_000_000, maker: 'beta', price: { oddsE4: 26_000 }, quotedUs: AT + 500_000, answer: 'declined', answerDelayUs: 450_000 }],
    }])
    expect(makers).toEqual(['alpha', 'beta'])
    expect(report).toMatchObject({ inputRows: 7, acceptedRows: 7, quarantinedRows: 0, troubles: [] })
  })

  it('begins a version of a request with each update, which has from its instant on what comes', async () => {
    const { requests } = await read({ ...REQUEST, lifetime_s: 60 }, { kind: 'update', request: 'r', at_us: AT + 10_000_000, stake_cents: 3_000 }, QUOTE, { ...QUOTE, at_us: AT + 9_999_999 },
      { ...QUOTE, at_us: AT + 10_000_000 }, { kind: 'cancel', request: 'r', at_us: AT + 30_000_000 })
    expect(requests.map(({ version, atUs, betMicros, endUs, quotes }) => [version, atUs - AT, betMicros, endUs! - AT, quotes.length])).toEqual([
      [1, 0, 25_000_000, 10_000_000, 2], [2, 10_000_000, 30_000_000, 30_000_000, 1],
    ])
  })

  it.each([
    ['an instant with a zone', { at: '2025-06-20T00:31:00+02:00' }], ['milliseconds', { at_ms: AT / 1e3 }], ['seconds', { at_s: AT / 1e6 }], ['nanoseconds, of which the last digits are cut off', { at_ns: `${AT}999` }],
  ])('takes %s', async (_, at) => {
    const { at_us: _us, ...rest } = REQUEST
    expect((await read({ ...rest, ...at })).requests[0]!.atUs).toBe(AT)
  })

  it.each([
    [{ stake: '25 USDC' }], [{ stake_dollars: 25 }], [{ stake_cents: '2500' }], [{ stake_micros: 25_000_000 }],
  ])('takes a stake written as %o', async (stake) => {
    const { stake: _stake, ...rest } = REQUEST
    expect((await read({ ...rest, ...stake })).requests[0]!.betMicros).toBe(25_000_000)
  })

  it.each([
    [{ odds: 2.5 }, { oddsE4: 25_000 }], [{ probability: '0.4' }, { probabilityE9: 400_000_000 }], [{ price_cents: 40 }, { probabilityE9: 400_000_000 }], [{ price_dollars: '0.4000' }, { probabilityE9: 400_000_000 }],
    [{ payout_dollars: 62.5 }, { payoutMicros: 62_500_000 }],
  ])('takes a price written as %o', async (price, expected) => {
    const { odds: _odds, ...rest } = QUOTE
    expect((await read(REQUEST, { ...rest, ...price })).requests[0]!.quotes[0]!.price).toEqual(expected)
  })

  it('rounds prices with more digits than a price has against the bettor, and says so', async () => {
    const { odds: _odds, ...rest } = QUOTE
    const log = await read(REQUEST, { ...rest, probability: 1 / 3 }, { ...QUOTE, at_us: AT + 2_000_000, odds: 2.123_49 })
    expect(log.requests[0]!.quotes.map(({ price }) => price)).toEqual([{ probabilityE9: 333_333_334 }, { oddsE4: 21_234 }])
    expect(asideOf(log)).toEqual(['price rounded 2 @2: more digits than a price has; rounded against the bettor'])
    expect(log.report).toMatchObject({ acceptedRows: 3, quarantinedRows: 0 })
  })

  it.each<[string, object | string, string]>([
    ['no JSON', '{"kind":', 'unreadable row 1 @2: is no JSON object'],
    ['an unknown kind', { kind: 'bid' }, 'wrong field 1 @2: kind: expected kind request, update, cancel, quote, withdrawal, acceptance, commit, last_look, result'],
    ['an unknown field', { ...QUOTE, size: 3 }, 'wrong field 1 @2: unknown field size'],
    ['a price twice', { ...QUOTE, probability: 0.4 }, 'wrong field 1 @2: odds: is given twice: odds, probability'],
    ['a price of 0', { ...QUOTE, odds: undefined, probability: 0 }, 'wrong field 1 @2: probability: a probability lies between nothing and all of it, not at 0'],
    ['odds of 1', { ...QUOTE, odds: 1 }, 'wrong field 1 @2: odds: odds lie within 1.0001 … 1000, not at 1'],
    ['seconds that are called µs', { ...QUOTE, at_us: 1_750_372_260 }, 'wrong field 1 @2: at_us: 1750372260 µs since 1970 is no instant of this century'],
    ['an instant without its zone', { ...QUOTE, at_us: undefined, at: '2025-06-19T22:31:01' }, 'wrong field 1 @2: at: expected an instant with its zone, such as 2025-06-19T22:41:07.250Z, got "2025-06-19T22:31:01"'],
    ['a quote of an unknown request', { ...QUOTE, request: 'x' }, 'unknown request 1 @2: no request x'],
    ['a quote before its request', { ...QUOTE, at_us: AT - 1 }, 'before its request 1 @2: request r begins later'],
    ['a quote after its request', { ...QUOTE, at_us: AT + 60_000_001 }, 'after its request 1 @2: request r is over by then'],
    ['a quote over as it begins', { ...QUOTE, valid_until_us: AT + 1_000_000 }, 'over before it began 1 @2: the quote is over when it is made'],
    ['a request twice', REQUEST, 'request twice 1 @2: a request r stands above'],
    ['an acceptance of no quote', { kind: 'acceptance', request: 'r', quote: 'q9', at_us: AT + 1 }, 'unknown quote 1 @2: request r has no quote q9 by then'],
    ['an answer without an acceptance', { kind: 'last_look', request: 'r', answer: 'declined' }, 'unknown acceptance 1 @2: request r has no acceptance without an answer'],
  ])('sets one row aside: %s', async (_, row, expected) => {
    const log = await read({ ...REQUEST, lifetime: '60s' }, row)
    expect(asideOf(log)).toEqual([expected])
    expect(log.report).toMatchObject({ inputRows: 2, acceptedRows: 1, quarantinedRows: 1 })
  })

  it('takes a quote at the very end of its request, and at its very begin', async () => {
    const log = await read({ ...REQUEST, lifetime: '60s' }, { ...QUOTE, at_us: AT }, { ...QUOTE, at_us: AT + 60_000_000 })
    expect(log.requests[0]!.quotes).toHaveLength(2)
  })

  it('is the same as CSV, compressed or not, where legs are parted by semicolons and cells may be empty', async () => {
    const csv = 'kind,id,request,maker,at_us,legs,stake_dollars,odds\nrequest,r,,,1750372260000000,A yes; B no,25,\nquote,,r,alpha,1750372261000000,,,2.5\nquote,,r,alpha\n'
    const plain = await read(REQUEST, QUOTE)
    for (const file of [put(csv, 'log.csv'), put(gzipSync(csv), 'log.csv.gz'), put(zstdCompressSync(csv), 'log.csv.zst')]) {
      const log = await readRfqLog(file)
      expect(log.requests).toEqual(plain.requests)
      expect(asideOf(log)).toEqual(['ragged row 1 @4: 4 fields where the header has 8'])
    }
  })

  it('in CSV with a quote that is never closed loses its line alone', async () => {
    const log = await readRfqLog(put('kind,id,at_us,legs,stake_dollars\nrequest,"r0,1750372260000000,A yes,25\nrequest,r1,1750372260000000,A yes,25\nrequest,r2,1750372260000001,A yes,25\n', 'log.csv'))
    expect(log.requests.map(({ id }) => id)).toEqual(['r1', 'r2'])
    expect(log.report).toMatchObject({ inputRows: 3, acceptedRows: 2, quarantinedRows: 1, troubles: [{ kind: 'open quote', firstRow: 2 }] })
  })

  it('is the same compressed', async () => {
    const plain = await read(REQUEST, QUOTE)
    const text = linesOf([REQUEST, QUOTE])
    expect((await readRfqLog(put(gzipSync(text), 'log.ndjson.gz'))).requests).toEqual(plain.requests)
    expect((await readRfqLog(put(zstdCompressSync(text), 'log.ndjson.zst'))).requests).toEqual(plain.requests)
  })

  it.each<[string, string | Buffer, string, object]>([
    ['without a request, at its first fault', '\n{"kind":"quote"}\n', 'log.ndjson', { message: 'holds no request that can be read: request: is missing', position: { line: 2 } }],
    ['without rows', '', 'log.ndjson', { message: 'holds no rows' }],
    ['of bytes that are no text', Buffer.from([0xff, 0xfe, 0x00]), 'log.ndjson', { message: 'is no UTF-8 text' }],
    ['that is cut off', gzipSync('{"kind":"request"}').subarray(0, 20), 'log.ndjson.gz', { message: 'the compressed data are cut off or damaged' }],
    ['with a column twice', 'kind,kind\n', 'log.csv', { message: 'has two columns kind' }],
  ])('is refused %s', async (_, content, name, expected) => {
    await expect(readRfqLog(put(content, name))).rejects.toMatchObject({ name: 'InputError', ...expected })
  })
})
