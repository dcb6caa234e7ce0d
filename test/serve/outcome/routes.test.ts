import { describe, expect, it } from 'vitest'
import { outcomeRoutes } from '../../../src/serve/outcome/routes.ts'
import { faultsOfTable } from '../../../src/serve/routeTable.ts'
import {
  Bucket, bucketOf, isListRoute, isPublicRoute, needsKey, READ_ROUTES, SCOPE_NAMES, SCOPE_OF_OP, SCOPE_OF_READ,
} from '../../../src/venue/outcome/protocol/access.ts'
import { OUTCOME_CODES } from '../../../src/venue/outcome/protocol/codes.ts'
import { OutcomeOp } from '../../../src/venue/outcome/protocol/commands.ts'
import { successStatus } from '../../../src/venue/outcome/wire/answers.ts'

const ROUTES = outcomeRoutes()
const find = (method: string, path: string) => ROUTES.find((route) => route.method === method && route.path === path)
const named = (name: string) => ROUTES.find((route) => route.name === name)!

describe('the table of routes', () => {
  it('OM-064 has no two routes for one call, and every parameter of its paths', () => {
    expect(faultsOfTable(ROUTES)).toEqual([])
  })

  it('OM-290 has the prefix /v1 throughout', () => {
    expect(ROUTES.filter(({ path }) => !path.startsWith('/v1/'))).toEqual([])
  })

  /** The document's table, its Idempotency-Key column as required, refused or ignored. */
  it.each([
    ['OM-065 OM-021', 'GET', '/v1/markets', 'public', 'ignored'], ['OM-066 OM-021', 'GET', '/v1/markets/{outcome_id}', 'public', 'ignored'],
    ['OM-067', 'GET', '/v1/me/balances', 'credential', 'ignored'], ['OM-068 OM-145', 'GET', '/v1/stream', 'credential', 'ignored'],
    ['OM-069', 'GET', '/v1/market-stream', 'public', 'ignored'], ['OM-070 OM-071', 'POST', '/v1/rfqs', 'credential', 'required'],
    ['OM-072 OM-073', 'POST', '/v1/rfqs/{rfq_id}/cancel', 'credential', 'required'],
    ['OM-074 OM-075', 'POST', '/v1/rfqs/{rfq_id}/quotes', 'credential', 'required'],
    ['OM-076 OM-077', 'DELETE', '/v1/quotes/{quote_id}', 'credential', 'ignored'],
    ['OM-078 OM-079', 'POST', '/v1/quotes/{quote_id}/accept', 'credential', 'required'],
    ['OM-082', 'GET', '/v1/quotes/{quote_id}/acceptance', 'credential', 'ignored'],
    ['OM-083 OM-084', 'POST', '/v1/quotes/{quote_id}/confirm', 'credential', 'refused'],
    ['OM-085', 'GET', '/v1/makers/{maker_id}/acceptances', 'credential', 'ignored'],
    ['OM-086', 'GET', '/v1/makers/{maker_id}/capital', 'credential', 'ignored'],
    ['OM-087 OM-088', 'POST', '/v1/makers/{maker_id}/collateral-reductions', 'credential', 'required'],
    ['OM-089', 'GET', '/v1/me/operations/{operation_id}', 'credential', 'ignored'], ['OM-090', 'GET', '/v1/me/positions', 'credential', 'ignored'],
    ['OM-092', 'GET', '/v1/me/positions/{position_id}', 'credential', 'ignored'],
    ['OM-093 OM-094', 'POST', '/v1/me/positions/{position_id}/cashout', 'credential', 'required'],
    ['OM-095 OM-096', 'POST', '/v1/me/withdrawals', 'credential', 'required'],
    ['OM-097 OM-292', 'POST', '/v1/auth/wallet-sessions', 'origin', 'ignored'],
    ['OM-098', 'DELETE', '/v1/auth/wallet-sessions/current', 'session', 'ignored'],
    ['OM-099 OM-100 OM-128', 'POST', '/v1/me/api-keys', 'session', 'required'],
  ])('%s has %s %s', (_, method, path, auth, idempotency) => {
    expect(find(method, path)).toMatchObject({ auth, idempotency, channel: path.endsWith('stream') ? 'socket' : 'body' })
  })

  it.each([
    ['OM-101', 'GET', '/v1/rfqs/{rfq_id}/quotes', 'credential'], ['OM-102', 'GET', '/v1/me/activity', 'credential'],
    ['OM-103', 'GET', '/v1/me/identity', 'credential'], ['OM-104', 'GET', '/v1/deployment', 'public'],
    ['OM-106', 'GET', '/v1/markets/{outcome_id}/history', 'public'], ['OM-293', 'POST', '/v1/me/api-key-challenges', 'session'],
    ['OM-293', 'POST', '/v1/auth/wallet-challenges', 'origin'], ['OM-294', 'GET', '/v1/rfqs/{rfq_id}', 'credential'],
    ['OM-294', 'GET', '/v1/rfqs', 'credential'], ['OM-294', 'GET', '/v1/me/api-keys', 'session'],
    ['OM-294', 'DELETE', '/v1/me/api-keys/{key_id}', 'session'],
  ])('%s has the chosen path %s %s', (_, method, path, auth) => {
    expect(find(method, path)).toMatchObject({ auth, idempotency: 'ignored' })
  })

  it('has no other route', () => {
    expect(ROUTES).toHaveLength(23 + 11)
  })
})

describe('a route and the gate\'s command that its call becomes', () => {
  const scopesOf = (mask: number): string[] => SCOPE_NAMES.filter((_, bit) => (mask & (1 << bit)) !== 0)
  const limitsOf = (bucket: number): string[] => Object.entries(Bucket).filter(([, value]) => value === bucket).map(([name]) => name)
  const calls = ROUTES.flatMap((route) => route.ops.map((op) => ({ route, op, read: route.read ?? 0 })))

  it('every command of a client and every read has one route', () => {
    const WITHOUT: readonly number[] = [OutcomeOp.deposit, OutcomeOp.setSigner, OutcomeOp.closeStream, OutcomeOp.applyStream, OutcomeOp.read]
    const ops = Object.values(OutcomeOp).filter((op) => op >= 20 && !WITHOUT.includes(op))
    expect(calls.map(({ op }) => op).filter((op) => op !== OutcomeOp.read).toSorted((a, b) => a - b)).toEqual(ops.toSorted((a, b) => a - b))
    const reads = ROUTES.flatMap(({ read }) => (read === null ? [] : [read])).toSorted((a, b) => a - b)
    expect(reads).toEqual(Array.from({ length: READ_ROUTES }, (_, read) => read))
  })

  it.each(calls.map(({ route, op, read }) => [route.name, route, op, read] as const))('%s says what the gate does', (_, route, op, read) => {
    const isRead = op === OutcomeOp.read
    const mask = isRead ? SCOPE_OF_READ[read]! : op === OutcomeOp.openStream ? 2 : SCOPE_OF_OP[op] ?? 0
    expect(route.scopes).toEqual(scopesOf(mask))
    expect(route.limits).toEqual(limitsOf(bucketOf(op, read)))
    expect(route.idempotency === 'required').toBe(needsKey(op))
    expect(route.headers?.shape['Idempotency-Key'] !== undefined).toBe(needsKey(op))
    expect(route.successes[0].status).toBe(route.channel === 'socket' ? 101 : successStatus(op))
    expect(route.successes[0].schema === null).toBe([101, 204].includes(route.successes[0].status))
    expect(route.auth === 'public').toBe(op === OutcomeOp.openMarketStream || (isRead && isPublicRoute(read)))
    if (isRead) expect('limit' in route.query!.shape).toBe(isListRoute(read))
  })

  it('OM-184 names codes of the document\'s table alone, each once', () => {
    const known = Object.values(OUTCOME_CODES).filter(({ status }) => status !== 0).map(({ code }) => code)
    for (const { name, codes } of ROUTES) {
      expect([name, codes.filter((code) => !known.includes(code))]).toEqual([name, []])
      expect([name, codes.length]).toEqual([name, new Set(codes).size])
    }
  })
})

describe('the parameters of a call', () => {
  const takes = (name: string, value: string): boolean => named(name).params!.safeParse({ [Object.keys(named(name).params!.shape)[0]!]: value }).success

  it.each<[string, string, string, readonly string[]]>([
    ['OM-030', 'getRfq', '01978b27-36e8-7abc-8def-000000000001', ['01978b27-36e8-4abc-8def-000000000001', '01978B27-36E8-7ABC-8DEF-000000000001', '2', '']],
    ['OM-029', 'getAcceptance', `0x${'1b'.repeat(32)}`, [`0x${'1B'.repeat(32)}`, '1b'.repeat(32), `0x${'1b'.repeat(31)}`, `0x${'1b'.repeat(33)}`]],
    ['OM-023', 'getMarket', '1180591620717411303427', ['07', '-1', '1.5', '0x7', '9'.repeat(145)]],
  ])('%s the id of %s is %s', (_, name, good, bad) => {
    expect(takes(name, good)).toBe(true)
    for (const value of bad) expect([value, takes(name, value)]).toEqual([value, false])
  })

  it('OM-185 of a query are known, and each is sent once', () => {
    const query = (name: string, sent: object): boolean => named(name).query!.safeParse(sent).success
    for (const sent of [{}, { limit: '200' }, { cursor: 'x' }]) expect(query('listPositions', sent)).toBe(true)
    for (const sent of [{ limit: '201' }, { limit: ['1', '2'] }, { page: '2' }, { Limit: '5' }]) expect(query('listPositions', sent)).toBe(false)
    expect([query('getMarketHistory', { limit: '1440' }), query('getMarketHistory', { limit: '1441' })]).toEqual([true, false])
    expect([query('getBalances', {}), query('getBalances', { limit: '1' })]).toEqual([true, false])
  })
})
