import { expect, test } from 'vitest'
import { mapped, shown, T0 } from './mapped.ts'

test.each([['px', 'sz'], ['p', 'q'], ['px', 'qty'], ['price', 'shares'], ['price', 'contracts'], ['price', 'quantity'], ['p', 's']])('levels of {%s, %s} are read', async (price, size) => {
  const text = JSON.stringify({ m: 'A', t: '2025-06-19T19:00:00Z', bids: [{ [price]: '0.4', [size]: '7' }], asks: [{ [price]: 0.5, [size]: 9 }] })
  const result = await mapped('files: [{ kind: depth, market: m, time: t, bids: bids, asks: asks }]', { 'd.ndjson': `${text}\n` })
  expect(shown(result)).toEqual([['A', T0, 400_000, 500_000, 7, 9, -1]])
})
