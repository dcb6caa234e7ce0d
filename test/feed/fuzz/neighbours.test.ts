import fc from 'fast-check'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { importedFiles } from '../../../src/feed/importedHistory.ts'
import type { ImportResult } from '../../../src/feed/importer.ts'
import { IMPORTERS } from '../../../src/feed/importers/index.ts'
import { mappedImporter } from '../../../src/feed/mapping/importMapped.ts'
import { mappingOfText } from '../../../src/scenario/mappingFile.ts'
import { checksummed } from '../checksummed.ts'
import { temporaryFolder } from '../recordedData.ts'
import { orRefused } from './handled.ts'
import { MAPPINGS, ROWS, SAMPLES } from './samples.ts'

const RUNS = Number(process.env.PARLOR_FUZZ_RUNS ?? 40)
/** The suite plays the same damages each time. Others are what `npm run soak -- --import` is for. */
const SEED = Number(process.env.PARLOR_FUZZ_SEED ?? 1)

const quotes = mappedImporter(mappingOfText('mapping.yaml', MAPPINGS['quotes']!))

/** Prices as text, each with its market's name and its instant. */
const pricesOf = ({ ticks, markets }: ImportResult): string[] => Array.from({ length: ticks.count }, (_, i) =>
  [ticks.atUs[i]!, markets[ticks.market[i]!]!.ticker, ticks.bidE6[i]!, ticks.askE6[i]!, ticks.bidSize[i]!, ticks.lastE6[i]!].join(' '))

describe(`one bad row is one bad row (seed ${SEED})`, () => {
  const NEWLINE = 10
  const edit = fc.record({ at: fc.nat(200), byte: fc.oneof(fc.nat(255), fc.constant(34), fc.constant(44)).filter((byte) => byte !== NEWLINE), how: fc.constantFrom('put', 'write', 'drop') })

  test.each([
    ['csv', 'a.csv', ROWS.csv, quotes], ['quoted csv', 'a.csv', ROWS.quoted, quotes], ['ndjson', 'a.ndjson', ROWS.ndjson, quotes],
    ['games', 'games.csv', SAMPLES['kalshi-mlb-close']!()['games.csv']!, IMPORTERS['kalshi-mlb-close']!],
  ])('in %s the rows before it and after it stay what they are', async (_, name, content, importer) => {
    const folder = temporaryFolder()
    const read = async (bytes: Buffer): Promise<ImportResult | undefined> => {
      writeFileSync(join(folder, name), bytes)
      return orRefused(() => importedFiles(importer, [folder]))
    }
    const lines = content.toString('latin1').split('\n').slice(0, -1)
    const first = name.endsWith('.csv') ? 1 : 0
    const sound = pricesOf((await read(content))!)
    expect(sound.length).toBe(lines.length - first)
    await fc.assert(fc.asyncProperty(fc.integer({ min: first, max: lines.length - 1 }), fc.array(edit, { minLength: 1, maxLength: 3 }), async (line, edits) => {
      let changed = lines[line]!
      for (const { at, byte, how } of edits) {
        const place = at % (changed.length + 1)
        changed = changed.slice(0, place) + (how === 'drop' ? '' : String.fromCharCode(byte)) + changed.slice(place + (how === 'put' ? 0 : 1))
      }
      const result = (await read(Buffer.from(`${lines.with(line, changed).join('\n')}\n`, 'latin1')))!
      const others = sound.toSpliced(line - first, 1)
      const found = new Map<string, number>()
      for (const price of pricesOf(result)) found.set(price, (found.get(price) ?? 0) + 1)
      for (const price of others) expect([price, found.get(price) ?? 0]).toEqual([price, expect.toSatisfy((count: number) => count >= 1)])
      expect(result.ticks.count).toBeLessThanOrEqual(sound.length)
      // A line that is blank now is no row.
      expect(result.report.inputRows).toBe(sound.length - (changed === '' || changed === '\r' || (name.endsWith('ndjson') && changed.trim() === '') ? 1 : 0))
      expect(result.report.quarantinedRows).toBeLessThanOrEqual(1)
    }), { numRuns: RUNS, seed: SEED, examples: [[first, [{ at: 0, byte: 44, how: 'put' }]]] })
  })
})

describe(`a bit in a page that has a checksum (seed ${SEED})`, () => {
  test.each([
    ['mapped', 'a.parquet', ROWS.parquet, quotes, 10], ['named', 'prices.parquet', SAMPLES['polymarket-price-history']!()['prices.parquet']!, IMPORTERS['polymarket-price-history']!, 10],
  ])('sets the rows of its group aside, and no other (%s)', async (_, name, plain, importer, groupRows) => {
    const folder = temporaryFolder()
    const read = (bytes: Buffer): Promise<ImportResult> => {
      writeFileSync(join(folder, name), bytes)
      return importedFiles(importer, [folder])
    }
    const { file, pages } = checksummed(plain)
    const sound = await read(file)
    const prices = pricesOf(sound)
    expect(prices).toEqual(pricesOf(await read(plain)))
    await fc.assert(fc.asyncProperty(fc.constantFrom(...pages.filter(({ column }) => !['z', 's', 'p', 'r'].includes(column))), fc.nat(), fc.nat(7), async ({ group, at, length }, place, bit) => {
      const bytes = Buffer.from(file)
      bytes[at + place % length]! ^= 1 << bit
      const result = await read(bytes)
      const { report } = result
      expect(report.troubles.filter(({ kind }) => kind === 'damaged page').map(({ rows, firstRow }) => [rows, firstRow])).toEqual([[groupRows, group * groupRows + 1]])
      expect(report.inputRows).toBe(sound.report.inputRows)
      for (const price of pricesOf(result)) expect(prices).toContain(price)
    }), { numRuns: RUNS, seed: SEED })
  })
})
