import { expect, it } from 'vitest'
import { bucketOfPath, type LimitBucket } from '../../../src/serve/parlay/buckets.ts'

it.each<[string, LimitBucket]>([
  ['/v1/portfolio', 'authenticated'], ['/v1/vault/deposit', 'authenticated'], ['/v1/api-keys/api_test_abc', 'authenticated'], ['/v1', 'authenticated'],
  ['/app/profile', 'authenticated'], ['/rfqs', 'authenticated'], ['/rfqs/7', 'authenticated'], ['/parlay-shares/7', 'authenticated'],
  ['/mm/quotes', 'authenticated'], ['/mm/positions/ab', 'authenticated'], ['/v1/mm/quotes', 'authenticated'], ['/v1/mm/positions', 'authenticated'],
  ['/v1/unheard-of', 'authenticated'],
])('PQ-432 counts %s in the bucket %s', (path, bucket) => {
  expect(bucketOfPath(path)).toBe(bucket)
})

it.each(['/markets', '/markets/7', '/v1/markets', '/v1/markets/7', '/referral', '/referral/abc'])('PQ-435 counts %s in the public bucket', (path) => {
  expect(bucketOfPath(path)).toBe('public')
})

it.each([
  '/v1/quote-requests', '/v1/quote-requests/7/commit', '/v1/cashout-requests', '/v1/cashout-requests/7', '/v1/mm/quote-requests/7/quote',
  '/v1/mm/cashout-requests/7/quote',
])('PQ-438 counts %s in the bucket of the quote service', (path) => {
  expect(bucketOfPath(path)).toBe('quote_service')
})

it.each([
  ['/v1/mm/quote-requests', 'quote_service'], ['/v1/mm/quotes', 'authenticated'], ['/v1/quote-requests-of-old', 'authenticated'],
  ['/v1/marketsmore', 'authenticated'], ['/marketsmore', null], ['/mm/quote-requests', null], ['/', null], ['', null], ['/openapi.json', null], ['/V1/markets', null],
])('takes whole segments and the longest prefix: %s is in %s', (path, bucket) => {
  expect(bucketOfPath(path)).toBe(bucket)
})
