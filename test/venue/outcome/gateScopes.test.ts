import { describe, expect, it } from 'vitest'
import { ALL_SCOPES, SCOPE_NAMES, ScopeBit, SCOPES_OF_ROLE } from '../../../src/venue/outcome/protocol/access.ts'
import { type Fields, GateDriver, MAKER, type OpName, OTHER, RIVAL, TAKER, UNBOUND } from './gateDriver.ts'
import { CloseStream, IssueKey, Read, RevokeKey } from '../../../src/venue/outcome/protocol/commands.ts'

type Call = readonly [op: OpName, account: number, fields?: Fields]
const routes = (account: number, ...values: number[]): Call[] => values.map((value) => ['read', account, { value }])
const LISTS = [0, 2, 6, 8, 11, 13]

/** Each scope and the calls that need it alone. */
const TABLE: readonly [scope: keyof typeof ScopeBit, what: string, calls: readonly Call[]][] = [
  ['accountRead', 'reads of balances, operations, positions and activity', routes(TAKER, 4, 5, 10, 11, 12, 13)],
  ['rfqRead', 'a taker\'s reads of RFQs, quotes and its acceptance', routes(TAKER, 6, 7, 14, 15)],
  ['rfqRead', 'a maker\'s list of acceptances', routes(MAKER, 8)],
  ['capitalRead', 'reads of capital', routes(MAKER, 9)],
  ['capitalWrite', 'collateral reductions', [['reduceCollateral', MAKER]]],
  ['fundsWithdraw', 'withdrawals', [['withdraw', TAKER]]],
  ['rfqWrite', 'RFQs, their cancelling and cash-outs', [['createRfq', TAKER], ['cancelRfq', TAKER], ['openCashout', TAKER]]],
  ['quoteAccept', 'accepts', [['acceptQuote', TAKER, { quote: 0 }]]],
  ['quoteWrite', 'quotes, their cancelling, confirmations and declines', [
    ['submitQuote', MAKER], ['cancelQuote', MAKER], ['confirmQuote', MAKER], ['declineQuote', MAKER],
  ]],
]

describe('scopes', () => {
  it.each(TABLE)('OM-190 OM-147 OM-136 a key needs %s, and nothing else, for %s; a session needs no scope', (scope, _, calls) => {
    const d = new GateDriver()
    for (const [op, account, fields] of calls) {
      const mine = SCOPES_OF_ROLE[account === TAKER ? 0 : 1]!
      const [only, allBut] = [d.issue(account, ScopeBit[scope]), d.issue(account, mine & ~ScopeBit[scope])]
      expect([op, fields, d.code(op, account, { ...fields, credential: allBut })]).toEqual([op, fields, 'forbidden'])
      expect(d.rows).toHaveLength(1)
      const before = d.venue.effects
      expect([op, fields, d.code(op, account, { ...fields, credential: only })]).toEqual([op, fields, 'ok'])
      expect([op, d.venue.effects - before]).toEqual([op, op === 'read' ? 0 : 1])
      expect([op, fields, d.code(op, account, fields)]).toEqual([op, fields, 'ok'])
      expect([op, fields, d.code(op, account, { ...fields, credential: d.session(account), origin: 0 })]).toEqual([op, fields, 'ok'])
    }
  })

  it('OM-190 a refused call reaches no limit and keeps no key', () => {
    const d = new GateDriver()
    const key = d.issue(TAKER, ScopeBit.accountRead)
    const kept = d.view.rememberedCount()
    expect(d.code('createRfq', TAKER, { credential: key })).toBe('forbidden')
    expect([d.view.lastLimit(), d.view.rememberedCount(), d.venue.effects]).toEqual([null, kept, 0])
  })

  it('OM-068 OM-236 a key needs account:stream for a stream, else its subscription is denied', () => {
    const d = new GateDriver()
    const [only, allBut] = [d.issue(TAKER, ScopeBit.accountStream), d.issue(TAKER, SCOPES_OF_ROLE[0]! & ~ScopeBit.accountStream)]
    expect([allBut, only, 0, d.session(TAKER)].map((credential) => d.code('openStream', TAKER, { credential, origin: 0 })))
      .toEqual(['subscriptionDenied', 'ok', 'ok', 'ok'])
  })

  it('OM-190 who is no maker, or not bound, reads neither acceptances nor capital, whatever its credential', () => {
    const d = new GateDriver()
    for (const value of [8, 9]) {
      expect([0, d.session(TAKER)].map((credential) => d.code('read', TAKER, { value, credential, origin: 0 }))).toEqual(['forbidden', 'forbidden'])
      expect([MAKER, UNBOUND].map((account) => d.code('read', account, { value }))).toEqual(['ok', 'forbidden'])
    }
    expect(d.code('read', TAKER, { [Read.route]: 8, credential: -1 })).toBe('unauthenticated')
  })

  it('OM-115 OM-147 a participant\'s key can hold six scopes, a maker\'s eight, of nine', () => {
    expect(SCOPE_NAMES).toEqual([
      'account:read', 'account:stream', 'quote:accept', 'rfq:read', 'rfq:write', 'funds:withdraw', 'quote:write', 'capital:read', 'capital:write',
    ])
    const d = new GateDriver()
    const codes = (account: number) => SCOPE_NAMES.map((_, bit) =>
      d.code('challengeKey', account, { validMs: 1, [IssueKey.scopes]: 1 << bit, [IssueKey.scopeCount]: 1 }) === 'ok')
    expect(codes(TAKER)).toEqual([true, true, true, true, true, true, false, false, false])
    expect(codes(MAKER)).toEqual([true, true, true, true, true, false, true, true, true])
    expect(d.code('challengeKey', TAKER, { validMs: 1, [IssueKey.scopes]: ALL_SCOPES, [IssueKey.scopeCount]: 9 })).toBe('invalidRequest')
  })

  it('OM-190 the commands of streams, sessions and keys need no scope but their credential', () => {
    const d = new GateDriver()
    const key = d.issue(TAKER, ScopeBit.rfqRead)
    const session = d.session(TAKER)
    expect(d.code('revokeKey', TAKER, { [RevokeKey.keyNumber]: key, credential: session, origin: 0 })).toBe('ok')
    expect(d.code('closeStream', TAKER, { [CloseStream.stream]: 1, credential: -1 })).toBe('ok')
  })
})

describe('public calls', () => {
  it.each<[string, number]>([['OM-021 the list of markets', 0], ['OM-021 OM-066 one market', 1], ['OM-021 market history', 2], ['OM-021 the deployment', 3]])(
    '%s answers without a key, and with any', (_, value) => {
      const d = new GateDriver()
      const key = d.issue(MAKER, ScopeBit.quoteWrite)
      for (const credential of [-1, -2, 0, key, 99]) {
        expect(d.send('read', OTHER, { value, credential })).toMatchObject({ code: 'ok', ...(LISTS.includes(value) ? { pageLimit: 50 } : {}) })
      }
    })

  it('OM-065 the list of markets takes a limit and a cursor without a key', () => {
    const d = new GateDriver()
    const first = d.send('read', OTHER, { [Read.route]: 0, [Read.pageLimit]: 3, credential: -1 })!
    expect(first).toMatchObject({ code: 'ok', pageLimit: 3 })
    const next = { value: 0, value2: 200, cursor: first['nextCursor'] as number, credential: -1 }
    expect(d.send('read', OTHER, next)).toMatchObject({ code: 'ok', pageLimit: 200, nextCursor: next.cursor })
    expect(d.code('read', OTHER, { ...next, cursor: next.cursor + 1 })).toBe('invalidCursor')
  })

  it('OM-069 the market stream needs no credential', () => {
    const d = new GateDriver()
    expect(d.code('openMarketStream', OTHER, { items: [1], credential: -1 })).toBe('ok')
  })

  it('OM-021 all other reads need a credential', () => {
    const d = new GateDriver()
    for (const value of [-1, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 0.5, NaN]) {
      expect([value, d.code('read', RIVAL, { value, credential: -1 })]).toEqual([value, 'unauthenticated'])
    }
  })
})

describe('the subprotocol', () => {
  it.each([0, -1, 2, NaN])('OM-188 a stream whose subprotocol is %s is refused before its credential', (version) => {
    const d = new GateDriver()
    expect(d.code('openStream', TAKER, { version, credential: -1 })).toBe('subprotocolRequired')
    expect(d.code('openMarketStream', TAKER, { version, items: [] })).toBe('subprotocolRequired')
    expect(d.code('closeStream', TAKER, { version, [CloseStream.stream]: 1 })).toBe('ok')
    expect(d.rows).toHaveLength(1)
  })
})
