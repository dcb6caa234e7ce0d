import { describe, expect, it } from 'vitest'
import type { SeatMessage } from '../../../../src/serve/serviceHandler.ts'
import { TestChannel } from '../../testChannel.ts'
import { newKey, OutcomeBench, PAGE, SECOND, type Who } from './bench.ts'
import { keyBody, session } from './wallets.ts'

const STREAM = '/v1/stream'
const BOTH = ['account', 'maker']
const frame = (channels: readonly string[], fields: object = {}): string => JSON.stringify({ type: 'subscribe', channels, ...fields })

/** A session with time that waits, and a socket that brought its first frame with the upgrade before time began. */
function opened(channels: readonly string[] = BOTH, as: Who = 'ours'): { readonly b: OutcomeBench; readonly channel: TestChannel } {
  const b = new OutcomeBench({ isInTurns: true })
  b.isOpening = true
  const channel = open(b, channels, as)
  b.isOpening = false
  return { b, channel }
}
const open = (b: OutcomeBench, channels: readonly string[], as: Who = 'ours', fields: object = {}): TestChannel =>
  b.open(STREAM, { as, headers: [['parlor-frame', frame(channels, fields)]] })
const told = ({ frames }: TestChannel) => frames.map(({ type, event }) => event ?? type).filter((name) => name !== 'heartbeat')

describe('a socket that is opened before time begins', () => {
  it('is let in with the subprotocol and a credential, and no call is made', () => {
    const b = new OutcomeBench({ isInTurns: true })
    b.isOpening = true
    const calls = b.session.counts.commands
    const refusedWith = (channel: TestChannel) => [channel.refused?.status, channel.refused?.body.error.code]
    expect(refusedWith(b.open(STREAM))).toEqual([401, 'UNAUTHENTICATED'])
    expect(refusedWith(b.open(`${STREAM}?x=1`, { as: 'ours' }))).toEqual([400, 'INVALID_QUERY'])
    const plain = new TestChannel('socket')
    b.handler.open(b.exchange('GET', STREAM, { as: 'ours' }), plain)
    expect(refusedWith(plain)).toEqual([400, 'SUBPROTOCOL_REQUIRED'])
    expect(refusedWith(b.open('/v1/market-stream'))).toEqual([undefined, undefined])
    const [seat, taker] = [open(b, BOTH), b.open(STREAM, { as: 'taker' })]
    expect([seat, taker].map(({ subprotocol, refused }) => [subprotocol, refused])).toEqual([['outcome-rfq.v1', null], ['outcome-rfq.v1', null]])
    expect([told(seat), told(taker)]).toEqual([['snapshot'], []])
    expect(b.session.counts.commands).toBe(calls)
  })

  it('is refused to a key without the scope of streams', () => {
    const b = new OutcomeBench({ isInTurns: true })
    const bearer = session(b, 'ours')
    const { secret } = b.post('/v1/me/api-keys', { bearer, origin: PAGE, body: keyBody(b, 'ours', bearer) }).body
    b.isOpening = true
    expect(b.open(STREAM, { bearer: secret }).refused).toMatchObject({ status: 403, body: { error: { code: 'FORBIDDEN' } } })
  })

  it('subscribes on the socket as well, and once', () => {
    const b = new OutcomeBench({ isInTurns: true })
    b.isOpening = true
    const channel = b.open(STREAM, { as: 'ours' })
    channel.say(frame(['maker']))
    expect([told(channel), channel.closedWith]).toEqual([['snapshot'], null])
    channel.say(frame(['maker']))
    expect(channel.closedWith).toEqual([1008, 'INVALID_SUBSCRIPTION'])
  })

  it('is closed ten seconds later, unless it has subscribed', () => {
    const b = new OutcomeBench({ isInTurns: true })
    b.isOpening = true
    const [silent, ours] = [b.open(STREAM, { as: 'ours' }), open(b, BOTH)]
    // The second one came a millisecond after the first.
    b.pass(10 * SECOND - 1001)
    expect(silent.closedWith).toEqual(null)
    b.pass(1)
    expect([silent.closedWith, ours.closedWith]).toEqual([[1008, 'INVALID_SUBSCRIPTION'], null])
  })

  it('begins without a cursor: what it is told comes in no order of cursors', () => {
    const b = new OutcomeBench({ isInTurns: true })
    b.isOpening = true
    expect(open(b, BOTH, 'ours', { cursor: '1' }).closedWith).toEqual([1008, 'CURSOR_RESET'])
    expect(open(b, ['nothing']).closedWith).toEqual([1008, 'INVALID_SUBSCRIPTION'])
  })
})

describe('a maker’s socket, with time that waits', () => {
  it('is told of an RFQ and of an acceptance when the message has reached the seat, and of the rest when it happens', () => {
    const { b, channel } = opened()
    const rfq = b.rfq()
    expect(told(channel)).toEqual(['snapshot'])
    b.pass(1000)
    expect(told(channel)).toEqual(['snapshot', 'RFQ_CREATED'])
    expect(channel.frames.at(-1).data).toMatchObject({ rfq_id: rfq.rfq_id, generation: 1 })
    const quote = b.quote('ours', rfq)
    const key = newKey()
    b.accept('taker', rfq, quote, key)
    expect(told(channel)).toEqual(['snapshot', 'RFQ_CREATED'])
    b.pass(1000)
    expect(told(channel).slice(2)).toEqual(['QUOTE_ACCEPTED'])
    expect(channel.frames.at(-1).data).toMatchObject({ quote_id: quote.quote_id, acceptance_id: key })
    b.call('POST', `/v1/quotes/${quote.quote_id}/confirm`, { as: 'ours', body: b.confirmBody('ours', rfq, quote, key) })
    const at = channel.frames.length
    expect(told(channel).slice(3)).toEqual(['OPERATION_UPDATED'])
    b.pass(30 * SECOND)
    const after = channel.frames.slice(at).map(({ type, event }) => event ?? type)
    // A beat every 15 s.
    expect(after.filter((name) => name !== 'OPERATION_UPDATED')).toEqual(['heartbeat', 'heartbeat'])
  })

  it('is told of a cash-out and of a bid that was taken', () => {
    const { b, channel } = opened(['maker'], 'rival')
    b.fill()
    b.pass(3 * SECOND)
    const [{ position_id }] = b.get('/v1/me/positions', { as: 'taker' }).body.items
    const sale = b.post(`/v1/me/positions/${position_id}/cashout`, { as: 'taker' }).body
    b.pass(1000)
    expect(channel.frames.at(-1)).toMatchObject({ event: 'RFQ_CREATED', data: { kind: 'CASHOUT', rfq_id: sale.rfq_id } })
    const bid = b.quote('rival', sale, '30000000', b.wireS + 55)
    b.accept('taker', sale, bid)
    b.pass(1000)
    expect(channel.frames.at(-1)).toMatchObject({ event: 'QUOTE_ACCEPTED', data: { quote_id: bid.quote_id, position_id } })
  })

  it('is told what its channels carry, and nothing of other makers', () => {
    const { b, channel: account } = opened(['account'])
    const maker = open(b, ['maker'])
    const rival = open(b, BOTH, 'rival')
    b.fill()
    b.pass(3 * SECOND)
    expect(told(account)).toEqual(['snapshot'])
    expect(new Set(told(maker))).toEqual(new Set(['snapshot', 'RFQ_CREATED', 'QUOTE_ACCEPTED', 'OPERATION_UPDATED']))
    expect(told(rival)).toEqual(['snapshot', 'RFQ_CREATED'])
  })

  it.each([[50, ['RFQ_CREATED', 'QUOTE_ACCEPTED']], [200, []]])('is told of its client’s RFQ as long as the venue knows it: %i s later %j', (seconds, expected) => {
    const b = new OutcomeBench({ isInTurns: true })
    b.isOpening = true
    open(b, BOTH)
    b.isOpening = false
    const account = b.account('ours')
    const rfq = b.rfq()
    b.pass(1000)
    const quote = b.quote('ours', rfq)
    // What is told to a seat whose client has left is told in vain.
    b.session.followClient('outcome', account, false)
    b.accept('taker', rfq, quote)
    b.session.followClient('outcome', account, true)
    const channel = open(b, BOTH)
    const seat = { service: 'outcome' as const, role: 'maker' as const, name: 'ours', account }
    b.pass(seconds * SECOND)
    b.handler.told(seat, { kind: 'onRequest', view: { request: 1 } } as SeatMessage)
    b.handler.told(seat, { kind: 'onSelected', view: { quote: 1 } } as SeatMessage)
    expect(told(channel)).toEqual(['snapshot', ...expected])
  })

  it('ends with its client, and is closed with the stream of the seat', () => {
    const { b, channel: gone } = opened()
    const stays = open(b, BOTH)
    gone.onClose(1006)
    b.rfq()
    b.pass(1000)
    expect([told(gone), told(stays)]).toEqual([['snapshot'], ['snapshot', 'RFQ_CREATED']])
    b.session.followClient('outcome', b.account('ours'), false)
    b.pass(1000)
    expect(stays.closedWith).toEqual([1000, ''])
    // A seat without a stream lets nobody in.
    expect(open(b, BOTH).closedWith).toEqual([1012, 'CONNECTION_DRAIN'])
    b.session.followClient('outcome', b.account('ours'), true)
    expect(told(open(b, BOTH))).toEqual(['snapshot'])
  })

  it('brings no first frame with the upgrade on the wall’s clock', () => {
    const b = new OutcomeBench()
    expect(told(open(b, BOTH))).toEqual([])
  })

  it('is closed when markets have been over for a while, and what its client has begun ends', () => {
    const { b, channel } = opened(['account'], 'taker')
    const bearer = session(b, 'taker')
    b.post('/v1/me/api-keys', { bearer, origin: PAGE, body: keyBody(b, 'taker', bearer) })
    const { gateView } = b.session.outcome!
    const before = [gateView!.liveKeysOf(b.account('taker')).length, gateView!.streamsOf(b.account('taker')).length]
    b.handler.rest!()
    // The key that lives for ever stays.
    expect([before, gateView!.liveKeysOf(b.account('taker')).length, gateView!.streamsOf(b.account('taker')).length]).toEqual([[2, 1], 1, 0])
    expect(b.get('/v1/me/balances', { bearer }).status).toBe(401)
    expect(channel.closedWith).toEqual([1012, 'CONNECTION_DRAIN'])
  })

  it('is a stream of its own for a bettor', () => {
    const { b, channel } = opened(['account'], 'taker')
    b.rfq()
    expect(told(channel)).toEqual(['snapshot'])
    expect(b.session.outcome!.gateView!.streamsOf(b.account('taker'))).toHaveLength(1)
  })
})
