import { describe, expect, it } from 'vitest'
import { LEGS, newKey, outcomeId, OutcomeBench, SECOND } from './bench.ts'

const code = ({ status, body }: { status: number; body: { error: { code: string; retry: string } } }) => [status, body.error.code, body.error.retry]

describe.each(['tag', 'eip712'] as const)('a trade with signatures of %s', (signatures) => {
  it('OM-074 OM-078 OM-083 a taker asks, a maker quotes, the taker accepts, the maker confirms', () => {
    const b = new OutcomeBench({ signatures })
    const rfq = b.rfq()
    expect(rfq).toMatchObject({ kind: 'ENTRY', status: 'OPEN', account_id: b.idOf('taker'), generation: 1, stake: '25000000', net_stake: '24950000', legs: LEGS, best_quote_id: null })
    const quote = b.quote('ours', rfq)
    expect(quote).toMatchObject({ rfq_id: rfq.rfq_id, maker_id: b.idOf('ours'), status: 'LIVE', payout: '99000000', risk: '74050000', signer: b.seat('ours')['wallet_address'] })
    const listed = b.get(`/v1/rfqs/${rfq.rfq_id}/quotes`, { as: 'taker' }).body.items
    expect(listed).toEqual([quote])
    const key = newKey()
    const accept = b.accept('taker', rfq, quote, key)
    expect(accept.answer).toBeNull()
    expect(b.get(`/v1/rfqs/${rfq.rfq_id}`, { as: 'taker' }).body).toMatchObject({ status: 'IN_FLIGHT', accepted_quote_id: quote.quote_id })
    expect(b.get(`/v1/quotes/${quote.quote_id}/acceptance`, { as: 'ours' }).body).toMatchObject({ acceptance_id: key, status: 'ACCEPTED', operation_id: null })
    const confirmed = b.call('POST', `/v1/quotes/${quote.quote_id}/confirm`, { as: 'ours', body: b.confirmBody('ours', rfq, quote, key) })
    expect([confirmed.status, confirmed.body.status]).toEqual([200, 'CONFIRMED'])
    expect(accept.answer).toMatchObject({ status: 200, body: confirmed.body })
    expect(confirmed.body).toMatchObject({ acceptance_id: key, stake: '25000000', core: '0', account_id: b.idOf('taker'), maker_id: b.idOf('ours') })
    const operation = `/v1/me/operations/${confirmed.body.operation_id}`
    expect([b.get(operation, { as: 'taker' }).body.status, b.get(operation, { as: 'rich' }).status]).toEqual(['PENDING', 404])
    b.pass(3 * SECOND)
    expect(b.get(operation, { as: 'ours' }).body).toMatchObject({ kind: 'FILL', status: 'DONE', acceptance_id: key })
    const [position] = b.get('/v1/me/positions', { as: 'taker' }).body.items
    expect(position).toMatchObject({ holder_id: b.idOf('taker'), maker_id: b.idOf('ours'), payout: '99000000', cost: '25000000', entry_fee: '50000', status: 'OPEN' })
    expect([b.get('/v1/me/positions', { as: 'ours' }).body.items, b.get('/v1/me/positions', { as: 'rival' }).body.items]).toEqual([[position], []])
    expect([b.get(`/v1/me/positions/${position.position_id}`, { as: 'taker' }).body, b.get(`/v1/me/positions/${position.position_id}`, { as: 'rich' }).status]).toEqual([position, 404])
    expect(b.get('/v1/me/balances', { as: 'taker' }).body).toMatchObject({ free: '75000000', reserved: '0', core_status: 'IDLE' })
  })
})

it('OM-032 OM-031 the dates of a trade are those of the wire, signed ones too', () => {
  const shiftUs = 12_345_678 * SECOND
  const b = new OutcomeBench({ shiftUs })
  const { rfq, quote, acceptance } = b.fill()
  const at = (text: string): number => Date.parse(text) * 1000
  expect([at(rfq.open_until) - at(rfq.created_at), Math.abs(at(rfq.created_at) - b.nowUs - shiftUs) < SECOND, acceptance.status]).toEqual([20 * SECOND, true, 'CONFIRMED'])
  expect(at(quote.expires_at) % SECOND).toBe(0)
})

it('OM-093 OM-014 a holder sells its position by a cash-out, and a maker lowers its collateral', () => {
  const b = new OutcomeBench()
  b.fill()
  b.pass(3 * SECOND)
  const [{ position_id }] = b.get('/v1/me/positions', { as: 'taker' }).body.items
  const account = b.open('/v1/stream', { as: 'taker' })
  account.say({ type: 'subscribe', channels: ['account'] })
  const sale = b.post(`/v1/me/positions/${position_id}/cashout`, { as: 'taker' })
  expect([sale.status, sale.body.kind, sale.body.position_id, sale.body.stake]).toEqual([201, 'CASHOUT', position_id, null])
  const bid = b.quote('rival', sale.body, '30000000', b.wireS + 55)
  expect(bid).toMatchObject({ net_stake: null, payout: '30000000', risk: '30000000', taker_fee_bps: null, fee_bps: 100 })
  const backed = b.quote('ours', sale.body, '29000000', b.wireS + 55)
  expect(backed.risk).toBe('0')
  expect(account.frames.filter(({ event }) => event === 'QUOTE_CREATED').map(({ data }) => [data.quote_id, data.risk])).toEqual([[bid.quote_id, '30000000'], [backed.quote_id, '0']])
  const key = newKey()
  const accept = b.accept('taker', sale.body, bid, key)
  b.call('POST', `/v1/quotes/${bid.quote_id}/confirm`, { as: 'rival', body: b.confirmBody('rival', sale.body, bid, key) })
  expect(accept.answer!.body).toMatchObject({ status: 'CONFIRMED', stake: null, core: null })
  b.pass(3 * SECOND)
  expect([b.get('/v1/me/positions', { as: 'taker' }).body.items, b.get('/v1/me/positions', { as: 'rival' }).body.items[0].holder_id]).toEqual([[], b.idOf('rival')])
  expect(b.get('/v1/me/activity', { as: 'taker' }).body.items.map(({ kind, amount }: { kind: string; amount: string }) => [kind, amount])).toEqual([
    ['FUNDS_DEPOSITED', '100000000'], ['OPERATION_STARTED', '99050000'], ['OPERATION_UPDATED', '99050000'], ['POSITION_OPENED', '99000000'],
    ['OPERATION_STARTED', '30000000'], ['OPERATION_UPDATED', '30000000'], ['POSITION_TRANSFERRED', '30000000'],
  ])

  const amount = '5000000'
  const reductionKey = newKey()
  const signature = b.sign('ours', 'CollateralReduction', { maker: b.idOf('ours'), amount, takerFeeBps: 20, feeBps: 100, requestKey: reductionKey })
  const target = `/v1/makers/${b.idOf('ours')}/collateral-reductions`
  const reduced = b.call('POST', target, { as: 'ours', key: reductionKey, body: { amount, signature } })
  expect([reduced.status, reduced.body.amount, b.get(`/v1/makers/${b.idOf('ours')}/capital`, { as: 'ours' }).body.reductions]).toEqual([201, amount, amount])
  expect(code(b.post(`/v1/makers/${b.idOf('rival')}/collateral-reductions`, { as: 'ours', body: { amount, signature } }))).toEqual([404, 'NOT_FOUND', 'NEVER'])
})

it('OM-095 OM-010 a taker withdraws, with an Exit or without', () => {
  const b = new OutcomeBench({ shiftUs: 777 * SECOND })
  const withdraw = (exit: number | null) => {
    const key = newKey()
    const valid_after = b.wireS - 1
    const valid_before = valid_after + 3000
    const message = { account: b.idOf('taker'), amount: '5000000', takerFeeBps: 20, feeBps: 100, validAfter: valid_after, validBefore: valid_before, requestKey: key }
    const signature = exit === null ? b.sign('taker', 'Withdrawal', message) : b.sign('taker', 'ExitWithdrawal', { ...message, exitExpiry: exit })
    return b.call('POST', '/v1/me/withdrawals', { as: 'taker', key, body: { amount: '5000000', valid_after, valid_before, signature, ...(exit !== null && { exit: { expiry: exit } }) } })
  }
  const first = withdraw(null)
  expect([first.status, first.body.status, first.body.withdrawal_id]).toEqual([201, 'PENDING', first.body.operation_id])
  expect(code(withdraw(b.wireS + 100))).toEqual([409, 'CORE_MOVE_IN_FLIGHT', 'REFRESH'])
  b.pass(3 * SECOND)
  expect(withdraw(b.wireS + 100).status).toBe(201)
  // One second before the session's epoch is no date at all, and not the absence of one.
  b.pass(3 * SECOND)
  expect(withdraw(776)).toMatchObject({ status: 400, body: { error: { field_violations: [{ field: '/exit/expiry', code: 'INVALID' }] } } })
  b.pass(3 * SECOND)
  expect(b.get('/v1/me/balances', { as: 'taker' }).body.free).toBe('90000000')
})

describe('a quote', () => {
  it('OM-076 OM-077 OM-012 is replaced by the maker\'s next, and pulled without a key', () => {
    const b = new OutcomeBench()
    const rfq = b.rfq()
    const [first, second] = [b.quote('ours', rfq), b.quote('ours', rfq, '98000000')]
    const pull = (id: string) => b.call('DELETE', `/v1/quotes/${id}`, { as: 'ours' })
    expect(code(pull(first.quote_id))).toEqual([409, 'QUOTE_REPLACED', 'REFRESH'])
    expect([pull(second.quote_id).status, pull(second.quote_id).body.error.code, code(pull(`0x${'0'.repeat(64)}`))]).toEqual([204, 'QUOTE_CANCELLED', [404, 'QUOTE_NOT_FOUND', 'NEVER']])
    expect(b.get(`/v1/rfqs/${rfq.rfq_id}/quotes`, { as: 'taker' }).body.items).toEqual([])
  })

  it('is listed to the taker, to its own maker and to nobody else, and makers do not see the best of others', () => {
    const b = new OutcomeBench()
    const rfq = b.rfq()
    const [ours, rivals] = [b.quote('ours', rfq, '98000000'), b.quote('rival', rfq)]
    const target = `/v1/rfqs/${rfq.rfq_id}`
    const list = (as: 'taker' | 'ours' | 'rival') => b.get(`${target}/quotes`, { as }).body.items.map(({ quote_id }: { quote_id: string }) => quote_id)
    expect([list('taker'), list('ours'), list('rival')]).toEqual([[ours.quote_id, rivals.quote_id], [ours.quote_id], [rivals.quote_id]])
    expect([b.get(`${target}/quotes`, { as: 'rich' }).status, b.get(target, { as: 'rich' }).status]).toEqual([404, 404])
    expect((['taker', 'ours', 'rival'] as const).map((as) => b.get(target, { as }).body.best_quote_id)).toEqual([rivals.quote_id, null, rivals.quote_id])
  })

  it('OM-211 OM-181 of other terms than were signed is INVALID_SIGNATURE, and one of another wallet WRONG_AUTHORITY', () => {
    const b = new OutcomeBench()
    const rfq = b.rfq()
    const body = b.quoteBody('ours', rfq)
    const target = `/v1/rfqs/${rfq.rfq_id}/quotes`
    expect(code(b.post(target, { as: 'ours', body: { ...body, payout: '98999999' } }))).toEqual([422, 'INVALID_SIGNATURE', 'NEVER'])
    expect(code(b.post(target, { as: 'ours', body: { ...body, signature: `0x${'11'.repeat(65)}` } }))).toEqual([422, 'INVALID_SIGNATURE', 'NEVER'])
    const domain = b.get('/v1/deployment').body
    expect(domain.chain_id).toBe('999')
    const message = {
      maker: b.idOf('ours'), rfqId: rfq.rfq_id, generation: 1, netStake: rfq.net_stake, payout: body.payout, takerFeeBps: 20, feeBps: 100, expiry: body.expiry,
      legs: LEGS.map(({ outcome_id, side }) => ({ outcomeId: outcome_id, side })),
    }
    expect(code(b.post(target, { as: 'ours', body: { ...body, signature: b.sign('rival', 'Quote', message) } }))).toEqual([422, 'WRONG_AUTHORITY', 'REFRESH'])
    expect(b.post(target, { as: 'ours', body }).status).toBe(201)
    expect(code(b.post('/v1/rfqs/0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b/quotes', { as: 'ours', body }))).toEqual([404, 'NOT_FOUND', 'NEVER'])
  })

  it('OM-256 OM-258 that expires out of bounds is told the bounds', () => {
    const b = new OutcomeBench({ profile: { entryExpiryMaxMs: 20_000, cashoutExpiryMinMs: 15_000, cashoutExpiryMaxMs: 45_500 } })
    const rfq = b.rfq()
    const post = (expiry: number) => b.post(`/v1/rfqs/${rfq.rfq_id}/quotes`, { as: 'ours', body: b.quoteBody('ours', rfq, '99000000', expiry) })
    const { status, body: { error } } = post(b.wireS + 22)
    expect([status, error.field_violations]).toEqual([400, [{ field: '/expiry', code: 'INVALID' }]])
    expect(error.message).toBe('The body, a path parameter or a header is invalid. The expiry of an entry quote is at most 20 s ahead of the service\'s clock, that of a cash-out quote 15 to 45.5 s.')
    expect(post(b.wireS + 18).status).toBe(201)
  })

  it('OM-203 OM-202 names its generation, or whichever is the current one', () => {
    const b = new OutcomeBench()
    const rfq = b.rfq()
    const quote = b.quote('ours', rfq)
    const key = newKey()
    const accept = b.accept('taker', rfq, quote, key)
    expect(b.call('POST', `/v1/quotes/${quote.quote_id}/confirm`, { as: 'ours', body: { decision: 'DECLINE' } }).body.status).toBe('DECLINED')
    expect(accept.answer).toMatchObject({ status: 200, body: { status: 'DECLINED', operation_id: null } })
    const again = b.get(`/v1/rfqs/${rfq.rfq_id}`, { as: 'rival' }).body
    expect([again.status, again.generation]).toEqual(['OPEN', 2])
    expect(code(b.post(`/v1/rfqs/${rfq.rfq_id}/quotes`, { as: 'rival', body: { ...b.quoteBody('rival', again), generation: 1 } }))).toEqual([409, 'RFQ_GENERATION_STALE', 'REFRESH'])
    expect(b.post(`/v1/rfqs/${rfq.rfq_id}/quotes`, { as: 'rival', body: { ...b.quoteBody('rival', again), generation: 2 } }).status).toBe(201)
  })
})

describe('an acceptance', () => {
  it('that its maker declines within the RFQ\'s window reopens it, and at the end of the window closes it', () => {
    for (const [earlyUs, status] of [[1, 'OPEN'], [0, 'CLOSED']] as const) {
      const b = new OutcomeBench()
      const rfq = b.rfq()
      const quote = b.quote('ours', rfq)
      const key = newKey()
      const exchange = b.exchange('POST', `/v1/quotes/${quote.quote_id}/accept`, { as: 'taker', key, body: b.acceptBody('taker', rfq, quote, key) })
      b.pass(Date.parse(rfq.open_until) * 1000 - earlyUs - b.nowUs)
      const answered: number[] = []
      // Both come at one instant.
      b.handler.call(exchange, ({ status: accepted }) => { answered.push(accepted) })
      b.handler.call(b.exchange('POST', `/v1/quotes/${quote.quote_id}/confirm`, { as: 'ours', body: { decision: 'DECLINE' } }), ({ status: declined }) => { answered.push(declined) })
      const heard: string[] = []
      b.handler.call(b.exchange('GET', `/v1/rfqs/${rfq.rfq_id}`, { as: 'taker' }), ({ body }) => { heard.push(JSON.parse(body).status) })
      expect([answered, heard]).toEqual([[200, 200], [status]])
    }
  })

  it('OM-082 OM-085 can be read to the end of the session, as the venue has long forgotten it', () => {
    const b = new OutcomeBench()
    const { quote, acceptance, rfq } = b.fill()
    b.pass(600 * SECOND)
    const acceptances = `/v1/makers/${b.idOf('ours')}/acceptances`
    expect([b.get(`/v1/quotes/${quote.quote_id}/acceptance`, { as: 'taker' }).body, b.get(acceptances, { as: 'ours' }).body.items]).toEqual([acceptance, [acceptance]])
    expect(b.get(`/v1/me/operations/${acceptance.operation_id}`, { as: 'taker' }).body.status).toBe('DONE')
    expect(b.get(`/v1/rfqs/${rfq.rfq_id}`, { as: 'taker' }).body.status).toBe('FILLED')
    expect(b.get('/v1/rfqs', { as: 'taker' }).body.items.map(({ rfq_id }: { rfq_id: string }) => rfq_id)).toEqual([rfq.rfq_id])
    expect([b.get(acceptances, { as: 'rival' }).status, b.get(acceptances, { as: 'taker' }).status]).toEqual([404, 403])
    expect(code(b.get(`/v1/quotes/${quote.quote_id}/acceptance`, { as: 'rich' }))).toEqual([404, 'QUOTE_NOT_FOUND', 'NEVER'])
  })

  it('OM-062 OM-267 that nobody confirms is answered as timed out, after two seconds', () => {
    const b = new OutcomeBench()
    const rfq = b.rfq()
    const accept = b.accept('taker', rfq, b.quote('ours', rfq))
    b.pass(2 * SECOND)
    expect(accept.answer).toBeNull()
    b.pass(1)
    expect(accept.answer).toMatchObject({ status: 200, body: { status: 'TIMED_OUT' } })
  })

  it('OM-082 of a quote that nobody accepted is not found', () => {
    const b = new OutcomeBench()
    const quote = b.quote('ours', b.rfq())
    expect(code(b.get(`/v1/quotes/${quote.quote_id}/acceptance`, { as: 'taker' }))).toEqual([404, 'NOT_FOUND', 'NEVER'])
  })

  it('is answered that the service drains when the session is over', () => {
    const b = new OutcomeBench()
    const rfq = b.rfq()
    const accept = b.accept('taker', rfq, b.quote('ours', rfq))
    b.handler.drain()
    expect(code(accept.answer!)).toEqual([503, 'CONNECTION_DRAIN', 'BACKOFF'])
  })
})

describe('an RFQ', () => {
  it('OM-072 OM-199 is cancelled by its taker, once', () => {
    const b = new OutcomeBench()
    const { rfq_id } = b.rfq()
    expect(b.post(`/v1/rfqs/${rfq_id}/cancel`, { as: 'taker' })).toMatchObject({ status: 200, body: { status: 'CANCELLED' } })
    expect(code(b.post(`/v1/rfqs/${rfq_id}/cancel`, { as: 'taker', body: {} }))).toEqual([409, 'RFQ_NOT_CANCELLABLE', 'NEVER'])
    expect(code(b.post(`/v1/rfqs/${rfq_id}/cancel`, { as: 'rich' }))).toEqual([404, 'NOT_FOUND', 'NEVER'])
  })

  it('OM-248 OM-022 OM-025 is refused with the pointer of each field that is wrong', () => {
    const b = new OutcomeBench()
    const refused = (body: unknown) => b.post('/v1/rfqs', { as: 'taker', body }).body.error?.field_violations
    expect(refused({ stake: 25, legs: LEGS })).toEqual([{ field: '/stake', code: 'INVALID' }])
    expect(refused({ legs: [{ outcome_id: '7', side: 'yes' }], more: 1 })).toEqual([
      { field: '/stake', code: 'REQUIRED' }, { field: '/legs/0/side', code: 'INVALID' }, { field: '/more', code: 'UNEXPECTED' },
    ])
    expect(refused({ stake: '25000000', legs: LEGS.toReversed() })).toEqual([{ field: '/legs/1/outcome_id', code: 'INVALID' }])
    expect(refused({ stake: '25000000', legs: [{ outcome_id: '1', side: 'YES' }] })).toEqual([{ field: '/legs/0/outcome_id', code: 'INVALID' }])
    expect(refused({ stake: '1', legs: LEGS })).toEqual([{ field: '/stake', code: 'INVALID' }])
    expect(refused('{')).toEqual([{ field: '', code: 'INVALID' }])
    expect(refused({ stake: '25000000', legs: [{ outcome_id: outcomeId(0), side: 'YES' }] })).toBeUndefined()
  })
})
