import { basename } from 'node:path'
import { expect, test } from 'vitest'
import { guessedMapping } from '../../src/feed/mapping/guess.ts'
import { formatMapping, formatPath, importerOf, knownFormats, knownMappings } from '../../src/scenario/formats.ts'
import { loadMapping } from '../../src/scenario/mappingFile.ts'
import type { InputError } from '../../src/unit/inputError.ts'
import { written } from '../feed/writtenFiles.ts'

test('a format is read by code, or by a mapping whose file has its name', async () => {
  const formats = await knownFormats()
  expect(formats.length).toBeGreaterThan(5)
  expect(formats.map(({ format }) => format)).toEqual(formats.map(({ format }) => format).toSorted())
  expect(new Set(formats.map(({ format }) => format)).size).toBe(formats.length)
  for (const { format, about } of formats) {
    expect(about).not.toBe('files of any layout, by a mapping')
    expect(await importerOf(format)).toMatchObject({ format, about })
    if (await formatMapping(format) !== undefined) expect([loadMapping(formatPath(format)).name, basename(formatPath(format))]).toEqual([format, `${format}.yaml`])
  }
})

test('a guess tells of the formats that may read a file, and of them alone where nothing can be guessed', async () => {
  const quotes = 'timestamp,market_ticker,best_yes_bid,best_no_bid\n2025-06-19T12:00:00,M-1-A,41,55\n'
  const answer = JSON.stringify({ market_tickers: ['A'], market_candlesticks: [[{ end_period_ts: 1750359600, yes_bid: { close: 8 }, yes_ask: { close: 9 } }]] })
  const folder = written({ 'a.csv': quotes, 'b.json': answer, 'c.csv': 'when,what\n1,2\n' })
  const lines = (await guessedMapping([`${folder}/a.csv`], knownMappings())).split('\n')
  expect(lines.filter((line) => line.includes('parlor knows'))).toEqual([expect.stringMatching(/^# a\.csv may be of a format that parlor knows: `parlor import kalshi-weather-quotes FILE… --into NAME` \(/)])
  const hint = async (name: string) => guessedMapping([`${folder}/${name}`], knownMappings()).then(() => '', (error: InputError) => error.hint)
  expect(await hint('b.json')).toMatch(/^b\.json may be of a format that parlor knows: `parlor import kalshi FILE…/)
  expect(await hint('c.csv')).toMatch(/^c\.csv: no idea/)
})

test('a format that nobody knows is refused with the one that is meant', async () => {
  await expect(importerOf('kalshi-weather-quote')).rejects.toMatchObject({
    name: 'InputError', message: 'no format kalshi-weather-quote; did you mean kalshi-weather-quotes?', hint: expect.stringContaining('kalshi-weather-candles, kalshi-weather-quotes'),
  })
})
