import { describe, expect, it } from 'vitest'
import { OutcomeOp } from '../../../../src/venue/outcome/protocol/commands.ts'
import type { Heard } from '../../testChannel.ts'
import { newKey, OutcomeBench, SECOND, START_S, type Who } from './bench.ts'

/** A call with a key, and what the world does before the same call comes again. */
interface Repeated {
  readonly as: Who
  readonly target: string
  readonly body: object
  readonly key: string
  readonly meanwhile: () => void
}

const withdrawal = (b: OutcomeBench, key: string): object => {
  const [valid_after, valid_before] = [b.wireS - 1, b.wireS + 3000]
  const message = { account: b.idOf('taker'), amount: '5000000', takerFeeBps: 20, feeBps: 100, validAfter: valid_after, validBefore: valid_before, requestKey: key }
  return { amount: '5000000', valid_after, valid_before, signature: b.sign('taker', 'Withdrawal', message) }
}

const reduction = (b: OutcomeBench, key: string): object =>
  ({ amount: '5000000', signature: b.sign('ours', 'CollateralReduction', { maker: b.idOf('ours'), amount: '5000000', takerFeeBps: 20, feeBps: 100, requestKey: key }) })

/** The fees of the service change 20 seconds after the begin. */
const FEES_CHANGE_US = 20 * SECOND

// Each meanwhile changes what the service makes of the call: the terms that its signature is checked against, or what its path names.
describe.each<[string, (b: OutcomeBench, key: string) => Repeated]>([
  ['a quote whose RFQ is filled', (b, key) => {
    const rfq = b.rfq()
    return { as: 'ours', target: `/v1/rfqs/${rfq.rfq_id}/quotes`, body: b.quoteBody('ours', rfq), key, meanwhile: () => { fillBest(b, rfq) } }
  }],
  ['a quote whose fees are others', (b, key) => {
    const rfq = b.rfq()
    return { as: 'ours', target: `/v1/rfqs/${rfq.rfq_id}/quotes`, body: b.quoteBody('ours', rfq), key, meanwhile: () => { b.pass(FEES_CHANGE_US) } }
  }],
  ['a cash-out of a position that is sold', (b, key) => {
    b.fill()
    b.pass(3 * SECOND)
    const [{ position_id }] = b.get('/v1/me/positions', { as: 'taker' }).body.items
    const sell = (): void => {
      const sale = b.get('/v1/rfqs', { as: 'taker' }).body.items.find(({ kind }: { kind: string }) => kind === 'CASHOUT')
      b.quote('rival', sale, '30000000', b.wireS + 55)
      fillBest(b, sale, 'rival')
    }
    return { as: 'taker', target: `/v1/me/positions/${position_id}/cashout`, body: {}, key, meanwhile: sell }
  }],
  ['a withdrawal after the fees have changed', (b, key) =>
    ({ as: 'taker', target: '/v1/me/withdrawals', body: withdrawal(b, key), key, meanwhile: () => { b.pass(FEES_CHANGE_US) } })],
  ['a reduction after the fees have changed', (b, key) =>
    ({ as: 'ours', target: `/v1/makers/${b.idOf('ours')}/collateral-reductions`, body: reduction(b, key), key, meanwhile: () => { b.pass(FEES_CHANGE_US) } })],
])('%s', (_, prepare) => {
  it('OM-109 OM-110 is answered as it was first, and has no second effect', () => {
    const b = new OutcomeBench({ operator: (inputs) => [...inputs, { atUs: START_S * SECOND + FEES_CHANGE_US, op: OutcomeOp.setFees, market: -1, service: 'outcome' as const, value: 30, value2: 120 }].toSorted((x, y) => x.atUs - y.atUs) })
    const { as, target, body, key, meanwhile } = prepare(b, newKey())
    const call = (sent: object): Heard => b.call('POST', target, { as, key, body: sent })
    const first = call(body)
    expect([first.status, first.headers['Idempotency-Replayed']]).toEqual([201, undefined])
    meanwhile()
    const rows = b.kinds.length
    const again = call(body)
    expect([again.status, again.body, again.headers['Idempotency-Replayed']]).toEqual([201, first.body, 'true'])
    // A repeat is one row: its reply.
    expect(b.kinds.length - rows).toBe(1)
    expect(call({ ...body, amount: '5000001' }).body.error.code).toBe('IDEMPOTENCY_KEY_REUSED')
  })
})

it('OM-109 an accept is answered as it was first after its position is settled', () => {
  const b = new OutcomeBench()
  const rfq = b.rfq()
  const quote = b.quote('ours', rfq)
  const key = newKey()
  const body = b.acceptBody('taker', rfq, quote, key)
  const accept = () => b.send('POST', `/v1/quotes/${quote.quote_id}/accept`, { as: 'taker', key, body })
  const first = accept()
  b.call('POST', `/v1/quotes/${quote.quote_id}/confirm`, { as: 'ours', body: b.confirmBody('ours', rfq, quote, key) })
  b.pass(600 * SECOND)
  const again = accept()
  expect([again.answer!.status, again.answer!.body, again.answer!.headers['Idempotency-Replayed']]).toEqual([200, first.answer!.body, 'true'])
})

/** The RFQ's only quote is accepted and confirmed. */
// oxlint-disable-next-line no-explicit-any
function fillBest(b: OutcomeBench, rfq: any, maker: Who = 'ours'): void {
  const [quote] = b.get(`/v1/rfqs/${rfq.rfq_id}/quotes`, { as: 'taker' }).body.items
  const key = newKey()
  b.accept('taker', rfq, quote, key)
  b.call('POST', `/v1/quotes/${quote.quote_id}/confirm`, { as: maker, body: b.confirmBody(maker, rfq, quote, key) })
  b.pass(3 * SECOND)
}
