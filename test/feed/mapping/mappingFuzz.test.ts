import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { guessedMapping } from '../../../src/feed/mapping/guess.ts'
import { previewMapped } from '../../../src/feed/mapping/preview.ts'
import { mappingOfText } from '../../../src/scenario/mappingFile.ts'
import { InputError } from '../../../src/unit/inputError.ts'
import { importMapped, lines, T0, written } from './mapped.ts'

// fast-check prints the seed and the smallest input of what fails.
const RUNS = 150
const MS = T0 / 1000

const SOUND_CSV = lines('t,m,b,a,n,s,p,z,r', ...Array.from({ length: 30 }, (_, i) => `${MS + i},M${i % 3},0.${40 + i % 9},0.${50 + i % 9},${i}.5,${i % 2 === 0 ? 'bid' : 'ask'},0.${41 + i % 5},${i},${i % 3 === 0 ? 'yes' : ''}`))
const TIME = 'time: { column: t, unit: ms }'
const MAPPINGS = [
  `files: [{ kind: quotes, market: m, ${TIME}, bid: b, ask: a, bid_size: n }]`,
  `files: [{ kind: trades, market: m, ${TIME}, price: p }, { kind: candles, market: m, ${TIME}, stamp: start, period: 1h, bid: b, last: a }]`,
  `files: [{ kind: depth, market: '{m}-{s}', ${TIME}, side: s, price: p, size: z, snapshot: { column: r, words: yes }, sequence: z }]`,
  `files: [{ kind: depth, market: m, ${TIME}, side: s, price: p, size: z, change: add, both_sides_are_bids: true }, { kind: results, market: m, result: r, value: b }]`,
  `files: [{ kind: markets, market: m, title: s, open: { column: t, unit: ms }, result: r, exclusive: r }, { kind: quotes, market: m, ${TIME}, no_bid: b, prices: american }]`,
].map((yaml) => mappingOfText('mapping.yaml', yaml))

/** Either everything is accounted for, or the user is told of a mistake. */
async function isHandled(content: Uint8Array, name: string, mapping = MAPPINGS[0]!): Promise<void> {
  const path = `${written({ [name]: content })}/${name}`
  try {
    const { report, ticks, markets } = await importMapped(mapping, [path])
    expect(report.acceptedRows + report.quarantinedRows).toBe(report.inputRows)
    expect(report.troubles.every(({ firstRow, rows }) => firstRow >= 1 && rows >= 0)).toBe(true)
    // Whatever was in the file, what comes out of it is prices.
    for (let i = 0; i < ticks.count; i += 1) {
      expect([ticks.bidE6[i]!, ticks.askE6[i]!, ticks.lastE6[i]!].every((price) => price >= -1 && price <= 1_000_000)).toBe(true)
      expect(ticks.bidSize[i]! >= -1 && ticks.market[i]! < markets.length && Number.isSafeInteger(ticks.atUs[i])).toBe(true)
    }
  } catch (error) {
    if (!(error instanceof InputError)) throw error
    expect(error.describe()).not.toContain('\n    at ')
  }
}

const mappings = fc.constantFrom(...MAPPINGS)

// test/feed/fuzz has damaged bytes, encodings and archives.
describe('a file that nobody meant is a mistake or a report, never a crash', () => {
  test('cells of any text', async () => {
    const cell = fc.oneof(
      fc.constantFrom('', '"', '""', '"x', 'x"y', '-', 'NaN', 'null', 'Infinity', '-0', '1e400', '1e-400', '0x10', '٣', '½', '1,5', ' ', '\u0000', '\uFEFF', '9'.repeat(400), '0.' + '3'.repeat(400), '1750359600000', '2025-06-19', '+100', '-99', 'bid', 'yes'),
      fc.string({ unit: 'binary', maxLength: 12 }), fc.double().map(String), fc.bigInt().map(String),
    )
    await fc.assert(fc.asyncProperty(fc.array(fc.array(cell, { minLength: 9, maxLength: 9 }), { minLength: 1, maxLength: 12 }), mappings, (rows, mapping) =>
      isHandled(Buffer.from(lines('t,m,b,a,n,s,p,z,r', ...rows.map((row) => row.join(',')))), 'a.csv', mapping)), { numRuns: RUNS })
  })

  test('JSON values of any kind', async () => {
    const value = fc.oneof(fc.jsonValue(), fc.constantFrom(Number.MAX_VALUE, '1750359600000', MS, 0.5, 'bid', [[0.5, 1]], [{ price: '.5', size: {} }]))
    const names = ['t', 'm', 'b', 'a', 'n', 's', 'p', 'z', 'r'] as const
    await fc.assert(fc.asyncProperty(fc.array(fc.array(value, { minLength: 9, maxLength: 9 }), { minLength: 1, maxLength: 12 }), mappings, (rows, mapping) =>
      isHandled(Buffer.from(lines(...rows.map((row) => JSON.stringify(Object.fromEntries(names.map((name, i) => [name, row[i]])))))), 'a.ndjson', mapping)), { numRuns: RUNS })
  })

  test('any names of columns, also the same one twice', async () => {
    await fc.assert(fc.asyncProperty(fc.array(fc.oneof(fc.constantFrom('t', 'm', 'b', 'a', 'n', '', '__proto__', 'constructor'), fc.string({ maxLength: 5 })), { minLength: 1, maxLength: 12 }), (names) =>
      isHandled(Buffer.from(SOUND_CSV.replace('t,m,b,a,n,s,p,z,r', names.join(','))), 'a.csv')), { numRuns: RUNS })
  })

  test('a mapping is guessed, or nothing is; what is guessed is a mapping, and can be looked at', async () => {
    const names = fc.constantFrom('ts', 'timestamp', 'ticker', 'slug', 'asset_id', 'bid', 'ask', 'no_bid', 'price', 'size', 'side', 'result', 'title', 'close_time', 'end_period_ts', 'hash', 'event_type', 'x y', '#', ': {', 'yes', "it's")
    const cell = fc.constantFrom('1750359600', '1750359600000', '2025-06-19 19:00', '0.5', '50', '-110', '62%', 'bid', 'no', 'yes', 'M', '', 'book')
    await fc.assert(fc.asyncProperty(fc.uniqueArray(names, { minLength: 2, maxLength: 9 }), fc.array(fc.array(cell, { minLength: 9, maxLength: 9 }), { maxLength: 4 }), async (columns, rows) => {
      const path = `${written({ 'a.csv': lines(columns.join(','), ...rows.map((row) => row.slice(0, columns.length).join(','))) })}/a.csv`
      try {
        // An outline is one when a person has filled it in.
        const column = JSON.stringify(columns[0])
        const text = (await guessedMapping([path])).replace(/# (market|bid|price):$/gm, `$1: ${column}`)
        const { rows: shown } = await previewMapped(mappingOfText('guess', text), [path], 20)
        expect(shown.length).toBe(rows.filter((row) => row.slice(0, columns.length).some((one, _, all) => one !== '' || all.length > 1)).length * (text.match(/- kind/g) ?? []).length)
      } catch (error) {
        if (!(error instanceof InputError)) throw error
        expect(error.message).toMatch(/guessed/)
      }
    }), { numRuns: RUNS })
  })
})
