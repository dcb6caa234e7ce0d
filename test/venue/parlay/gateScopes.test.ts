import { expect, it } from 'vitest'
import { ALL_SCOPES, SCOPE_NAMES, ScopeBit } from '../../../src/venue/parlay/protocol/access.ts'
import type { ParlayOp } from '../../../src/venue/parlay/protocol/commands.ts'
import { type Fields, GateDriver, oneDelivery, usd } from './gateDriver.ts'
import { Read } from '../../../src/venue/parlay/protocol/commands.ts'

type Call = readonly [op: keyof typeof ParlayOp, fields?: Fields]
const routes = (...values: number[]): Call[] => values.map((value) => ['read', { value }])

/** Rule, the one scope that is needed, calls that need it. Routes: portfolio 1, quote requests 2, parlays 3, maker's 4 and 5, keys 6, webhooks 7 and 8, balances 9. */
const TABLE: readonly [rule: string, scope: keyof typeof ScopeBit, calls: readonly Call[]][] = [
  ['PQ-178 PQ-278', 'tradingWrite', [['createRequest'], ['updateRequest'], ['cancelRequest'], ['commitRequest'], ['openCashout'], ['cancelCashout'], ['commitCashout']]],
  ['PQ-220 PQ-280', 'fundsWithdraw', [['withdraw'], ['walletWithdraw']]],
  ['PQ-243 PQ-274', 'accountRead', routes(7)],
  ['PQ-244', 'mmQuote', routes(8)],
  ['PQ-245 PQ-281', 'accountWrite', [['setEndpoint', { value: 0, value2: 1 }], ['rotateSecret', { value: 0 }], ['redeliver', { value: 1 }]]],
  ['PQ-246', 'mmQuote', [['setEndpoint', { value: 1, value2: 1 }], ['rotateSecret', { value: 1 }], ['redeliver', { value: 1, value2: 1 }]]],
  ['PQ-276', 'positionsRead', routes(1, 2, 3)],
  ['PQ-277', 'balancesRead', routes(9)],
  ['PQ-279', 'fundsDeposit', [['deposit', { amountMicros: usd(1) }]]],
  ['PQ-282', 'txSign', [['submitTransaction']]],
  ['PQ-283', 'keysManage', [['createKey', { value: ScopeBit.keysManage }], ['revokeKey', { value: 99 }], ['read', { value: 6 }]]],
  ['PQ-284 PQ-012', 'mmQuote', [
    ['submitQuote'], ['withdrawQuote'], ['confirmSelection'], ['declineSelection'], ['submitBid'], ['openStream'], ...routes(4, 5),
  ]],
]

it.each(TABLE)('%s %s is what these calls need', (_, scope, calls) => {
  const d = new GateDriver()
  const [only, allBut] = [d.key(10, ScopeBit[scope]), d.key(10, ALL_SCOPES & ~ScopeBit[scope])]
  for (const [op, fields] of calls) {
    expect([op, d.code(op, 10, { ...fields, credential: allBut })]).toEqual([op, 'insufficientScope'])
    expect(d.rows).toHaveLength(1)
    expect(['unauthorized', 'insufficientScope']).not.toContain(d.code(op, 10, { ...fields, credential: only }))
    expect(['unauthorized', 'insufficientScope']).not.toContain(d.code(op, 10, fields))
  }
})

it('PQ-275 browsing markets is open to all, with a key without markets:read and with none', () => {
  const d = new GateDriver()
  const key = d.key(10, ALL_SCOPES & ~ScopeBit.marketsRead)
  expect([key, -1, -2, 99].map((credential) => d.code('read', 10, { [Read.route]: 0, credential }))).toEqual(['ok', 'ok', 'ok', 'ok'])
})

it('PQ-285 there are eleven scopes', () => {
  expect(SCOPE_NAMES).toEqual([
    'account:read', 'markets:read', 'positions:read', 'balances:read', 'trading:write', 'funds:deposit', 'funds:withdraw', 'account:write',
    'tx:sign', 'keys:manage', 'mm:quote',
  ])
  expect(Object.values(ScopeBit).reduce((mask, bit) => mask | bit, 0)).toBe(2 ** 11 - 1)
})

it('PQ-242 PQ-245 PQ-246 a redelivery needs the scope of the owner kind that it names', () => {
  const d = oneDelivery()
  d.pulse(0)
  d.answer(1, 1, 200)
  const [maker, user] = [d.key(10, ScopeBit.mmQuote), d.key(10, ScopeBit.accountWrite)]
  const code = (value: number, value2: number, credential: number) => d.code('redeliver', 10, { value, value2, credential })
  // What kind a delivery is must not show to a key that does not hold the scope.
  expect([-1, 0, 1].map((value2) => code(1, value2, maker))).toEqual(['insufficientScope', 'insufficientScope', 'notFound'])
  expect([-1, 0, 1].map((value2) => code(2, value2, maker))).toEqual(['insufficientScope', 'insufficientScope', 'notFound'])
  expect([-1, 0, 1].map((value2) => code(2, value2, user))).toEqual(['notFound', 'notFound', 'insufficientScope'])
  expect([1, 2, 0].map((value2) => code(1, value2, user))).toEqual(['insufficientScope', 'invalid', 'ok'])
})
