import { expect, it } from 'vitest'
import { FailedFills } from '../../src/score/failedFills.ts'
import { tablesOf } from './madeTables.ts'

it('knows positions that were never funded, and operations of fills that failed', () => {
  const failed = new FailedFills(tablesOf({
    positions: [{ quote: 1, request: 11, outcome: 'lost' }, { quote: 2, request: 12, outcome: 'failed' }, { quote: 3, request: 13, outcome: null }],
    operations: [
      { quote: 4, request: 14, kind: 'fill', status: 'failed' }, { quote: 5, request: 15, kind: 'fill', status: 'done' },
      { quote: 6, request: 16, kind: 'fill', status: 'pending' }, { quote: 7, request: 17, kind: 'cashout', status: 'failed' },
      { quote: null, request: null, kind: 'withdrawal', status: 'failed' },
    ],
  }))
  const numbers = [1, 2, 3, 4, 5, 6, 7]
  expect(numbers.filter((quote) => failed.hasQuote(quote))).toEqual([2, 4])
  expect(numbers.filter((quote) => failed.hasRequest(10 + quote))).toEqual([2, 4])
})

it('needs no table of operations', () => {
  expect(new FailedFills(tablesOf({ positions: [] })).hasQuote(1)).toBe(false)
})
