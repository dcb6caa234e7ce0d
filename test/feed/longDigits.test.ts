import { expect, test } from 'vitest'
import { exactPriceE6 } from '../../src/feed/exactDecimal.ts'
import { timeGuess } from '../../src/feed/mapping/columnGuess.ts'
import { plainNumber } from '../../src/feed/mapping/numberText.ts'
import { AMOUNTS } from '../../src/feed/rfqLog/quantities.ts'
import { mapped, troubles } from './mapping/mapped.ts'

// A cell may have a mebibyte. To read digits and then begin again at each of them takes 10^11 steps and more, which no run sees the end of.
const DIGITS = `${'7'.repeat(900_000)}-06-19`

test.each<[string, () => unknown, unknown]>([
  ['a price', () => exactPriceE6(DIGITS), 'not a number'],
  ['a number of a mapping', () => plainNumber(DIGITS, { isDecimalComma: false, thousands: null }), undefined],
  ['a time to guess', () => timeGuess({ texts: [DIGITS], isInstant: false, isNaive: false } as unknown as Parameters<typeof timeGuess>[0]).isKnown, false],
  ['an amount of a log', () => Object.values(AMOUNTS).filter((read) => !('fault' in read(DIGITS))).length, 0],
])('%s of a million digits and a letter is no number, and it is soon known', (_, read, expected) => {
  expect(read()).toBe(expected)
})

test('a time of a million digits and a letter is set aside', async () => {
  const imported = await mapped('files: [{ kind: quotes, market: m, bid: b, time: { column: t, zone: UTC } }]', { 'q.csv': `m,b,t\nA,0.5,${DIGITS}\n` })
  expect(troubles(imported)).toEqual(['quarantined bad timestamp: 1 from 2'])
})
