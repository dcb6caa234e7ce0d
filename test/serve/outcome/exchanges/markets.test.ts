import { describe, expect, it } from 'vitest'
import { OutcomeOp } from '../../../../src/venue/outcome/protocol/commands.ts'
import { LEGS, outcomeId, OutcomeBench, SECOND } from './bench.ts'

describe('public reads of the markets', () => {
  it('OM-021 OM-065 OM-243 answer without a key, 50 to a page', () => {
    const b = new OutcomeBench()
    const { status, body } = b.get('/v1/markets')
    expect([status, body.items.length, body.has_more, typeof body.next_cursor]).toEqual([200, 50, true, 'string'])
    const next = b.get(`/v1/markets?cursor=${encodeURIComponent(body.next_cursor)}`).body
    expect([next.items.length, next.has_more, next.next_cursor]).toEqual([10, false, null])
    expect(new Set([...body.items, ...next.items].map(({ outcome_id }) => outcome_id)).size).toBe(60)
    expect([b.get('/v1/markets?limit=1').body.items.length, b.get('/v1/markets?limit=200').body.items.length]).toEqual([1, 60])
  })

  it('OM-066 OM-049 OM-191 show one market with its price', () => {
    const b = new OutcomeBench()
    const { status, body } = b.get(`/v1/markets/${outcomeId(8)}`)
    expect([status, body.outcome_id, body.status]).toEqual([200, outcomeId(8), 'LISTED'])
    expect(Number(body.ask) - Number(body.bid)).toBeCloseTo(0.02, 9)
    expect([b.get('/v1/markets/1').status, b.get('/v1/markets/1').body.error.code]).toEqual([404, 'NOT_FOUND'])
    expect(b.get('/v1/markets/01').body.error).toMatchObject({ code: 'INVALID_REQUEST', field_violations: [{ field: '/outcome_id', code: 'INVALID' }] })
  })

  it('OM-049 say what became of a market', () => {
    const at = (op: number, market: number) => ({ atUs: 1_750_000_000_000_000 + 500_000, op, market, service: 'outcome' as const })
    const b = new OutcomeBench({ operator: (inputs) => [...inputs, at(OutcomeOp.haltOutcome, 1), at(OutcomeOp.delistOutcome, 2)].toSorted((x, y) => x.atUs - y.atUs) })
    expect([0, 1, 2].map((market) => b.get(`/v1/markets/${outcomeId(market)}`).body.status)).toEqual(['LISTED', 'HALTED', 'DELISTED'])
  })

  it.each([
    ['limit=0', 'INVALID_QUERY'], ['limit=201', 'INVALID_QUERY'], ['limit=x', 'INVALID_QUERY'], ['limit=1&limit=2', 'INVALID_QUERY'], ['other=1', 'INVALID_QUERY'],
    ['cursor=x', 'INVALID_CURSOR'], ['cursor=', 'INVALID_CURSOR'],
  ])('OM-185 OM-186 OM-243 the query %s is %s', (query, code) => {
    const { status, body } = new OutcomeBench().get(`/v1/markets?${query}`)
    expect([status, body.error.code, body.error.retry]).toEqual([400, code, 'NEVER'])
  })

  it('OM-196 OM-245 a cursor is stale once the catalogue is another', () => {
    const b = new OutcomeBench({ operator: (inputs) => [...inputs, { atUs: 1_750_000_000_000_000 + 10 * SECOND, op: OutcomeOp.delistOutcome, market: 2, service: 'outcome' as const }].toSorted((x, y) => x.atUs - y.atUs) })
    const target = `/v1/markets?cursor=${encodeURIComponent(b.get('/v1/markets').body.next_cursor)}`
    expect(b.get(target).status).toBe(200)
    b.pass(10 * SECOND)
    expect([b.get(target).status, b.get(target).body.error.code, b.get(target).body.error.retry]).toEqual([409, 'STALE_CURSOR', 'REFRESH'])
  })

  it('OM-244 OM-106 the history has the price at the end of each minute that is over', () => {
    const b = new OutcomeBench({ seconds: 200 })
    const path = `/v1/markets/${outcomeId(3)}/history`
    expect(b.get(path).body.items).toEqual([])
    b.pass(150 * SECOND)
    const { items } = b.get(`${path}?limit=1440`).body
    // The session begins 40 s into a minute, at 2025-06-15T15:06:40Z.
    expect(items.map(({ at }: { at: string }) => at)).toEqual(['2025-06-15T15:07:00.000000Z', '2025-06-15T15:08:00.000000Z', '2025-06-15T15:09:00.000000Z'])
    expect(b.get(`${path}?limit=1441`).body.error.code).toBe('INVALID_QUERY')
    const first = b.get(`${path}?limit=2`).body
    expect([first.items, b.get(`${path}?limit=2&cursor=${encodeURIComponent(first.next_cursor)}`).body.items]).toEqual([items.slice(0, 2), items.slice(2)])
    expect(b.get('/v1/markets/1/history').status).toBe(404)
  })

  it('OM-105 OM-104 OM-005 the deployment names the chain, the vault and the fees', () => {
    const b = new OutcomeBench()
    expect(b.get('/v1/deployment').body).toMatchObject({ chain_id: '999', taker_fee_bps: 20, fee_bps: 100, domain: { name: 'Outcome-Market RFQ', version: '1' } })
  })
})

describe('what the service does not have', () => {
  it.each([['GET', '/'], ['GET', '/markets'], ['POST', '/v1/markets'], ['GET', '/v1/nothing'], ['HEAD', '/v1/markets'], ['PATCH', '/v1/rfqs']])(
    'OM-290 OM-191 %s %s is 404', (method, path) => {
      expect(new OutcomeBench().call(method, path, { as: 'taker' })).toMatchObject({ status: 404, body: { error: { code: 'NOT_FOUND', retry: 'NEVER' } } })
    })
})

it('the legs of the bench ascend by outcome_id', () => {
  expect(LEGS.map(({ outcome_id }) => BigInt(outcome_id)).every((id, i, all) => i === 0 || id > all[i - 1]!)).toBe(true)
})
