import { describe, expect, it } from 'vitest'
import type { OperatorInput } from '../../../../src/engine/config.ts'
import { ChannelBit, GateFault } from '../../../../src/venue/outcome/protocol/access.ts'
import { OutcomeOp } from '../../../../src/venue/outcome/protocol/commands.ts'
import type { TestChannel } from '../../testChannel.ts'
import { newKey, OutcomeBench, SECOND, START_S, type Who } from './bench.ts'

const STREAM = '/v1/stream'
const subscribe = (channels: readonly string[], fields: object = {}) => ({ type: 'subscribe', channels, ...fields })
const code = ({ status, body }: { status: number; body: { error: { code: string; retry: string } } }) => [status, body.error.code, body.error.retry]
/** What the operator does so many seconds after the begin. */
const then = (afterS: number, op: number, value: number, value2?: number) => (inputs: readonly OperatorInput[]): readonly OperatorInput[] =>
  [...inputs, { atUs: (START_S + afterS) * SECOND, op, market: -1, service: 'outcome' as const, value, ...(value2 !== undefined && { value2 }) }].toSorted((x, y) => x.atUs - y.atUs)

/** A stream of a seat, with its first frame sent. */
function streamOf(b: OutcomeBench, as: Who, channels: readonly string[], fields: object = {}): TestChannel {
  const channel = b.open(STREAM, { as })
  channel.say(subscribe(channels, fields))
  return channel
}

const told = ({ frames }: TestChannel) => frames.map(({ type, event }) => event ?? type)

describe('the upgrade of /v1/stream', () => {
  it('OM-002 OM-145 OM-295 is let in with the subprotocol and the credential of a call', () => {
    const channel = new OutcomeBench().open(STREAM, { as: 'taker' })
    expect([channel.subprotocol, channel.refused, channel.sent]).toEqual(['outcome-rfq.v1', null, []])
  })

  it('OM-145 OM-188 is refused as a call would be', () => {
    const b = new OutcomeBench()
    const refused = (target: string, asked: Parameters<OutcomeBench['open']>[1]) => code(b.open(target, asked).refused!)
    expect(code(b.call('GET', STREAM, { as: 'taker' }))).toEqual([400, 'SUBPROTOCOL_REQUIRED', 'NEVER'])
    expect(code(b.open(STREAM, { as: 'taker' }, 'events').refused!)).toEqual([400, 'SUBPROTOCOL_REQUIRED', 'NEVER'])
    expect(refused(STREAM, {})).toEqual([401, 'UNAUTHENTICATED', 'NEVER'])
    expect(refused(`${STREAM}?x=1`, { as: 'taker' })).toEqual([400, 'INVALID_QUERY', 'NEVER'])
    expect(refused('/v1/rfqs', {})).toEqual([401, 'UNAUTHENTICATED', 'NEVER'])
  })

  it('OM-222 OM-224 is refused while a source is behind', () => {
    for (const [fault, name] of [[GateFault.dependencyStale, 'DEPENDENCY_STALE'], [GateFault.sourceUnavailable, 'SOURCE_UNAVAILABLE']] as const) {
      const b = new OutcomeBench({ operator: then(0, OutcomeOp.setFault, fault, 1) })
      expect(code(b.open(STREAM, { as: 'taker' }).refused!)).toEqual([503, name, 'BACKOFF'])
    }
  })

  it('OM-217 is CONNECTION_LIMIT beyond the account\'s streams, of which a maker\'s seat holds one', () => {
    const b = new OutcomeBench({ gate: { streamsMax: 2 } })
    expect(streamOf(b, 'ours', ['maker']).frames).toHaveLength(1)
    expect(code(b.open(STREAM, { as: 'ours' }).refused!)).toEqual([429, 'CONNECTION_LIMIT', 'BACKOFF'])
    const [first, second, third] = [0, 1, 2].map(() => b.open(STREAM, { as: 'taker' }))
    for (const channel of [first!, second!, third!]) channel.say(subscribe(['account']))
    expect([second!.closedWith, third!.closedWith]).toEqual([null, [1013, 'CONNECTION_LIMIT']])
    first!.onClose(1006)
    expect(streamOf(b, 'taker', ['account']).frames).toHaveLength(1)
  })
})

describe('the first frame', () => {
  it.each<[string, (channel: TestChannel, b: OutcomeBench) => void]>([
    ['is no JSON', (channel) => { channel.say('{') }], ['names a field twice', (channel) => { channel.say('{"type":"subscribe","type":"subscribe","channels":["account"]}') }],
    ['is binary', (channel) => { channel.say(subscribe(['account']), true) }], ['names no channel', (channel) => { channel.say(subscribe([])) }],
    ['does not come', (_, b) => { b.pass(10 * SECOND) }],
  ])('OM-160 OM-235 that %s is INVALID_SUBSCRIPTION', (_, act) => {
    const b = new OutcomeBench()
    const channel = b.open(STREAM, { as: 'taker' })
    act(channel, b)
    expect(channel.closedWith).toEqual([1008, 'INVALID_SUBSCRIPTION'])
  })

  it('OM-160 may come until ten seconds after the upgrade, once', () => {
    const b = new OutcomeBench()
    const channel = b.open(STREAM, { as: 'taker' })
    b.pass(10 * SECOND - 1)
    channel.say(subscribe(['account']))
    b.pass(20 * SECOND)
    expect([channel.closedWith, told(channel)]).toEqual([null, ['snapshot', 'heartbeat']])
    channel.say(subscribe(['account']))
    expect(channel.closedWith).toEqual([1008, 'INVALID_SUBSCRIPTION'])
    expect(b.session.outcome!.gateView!.streamsOf(b.account('taker'))).toEqual([])
  })

  it('OM-236 of a participant for the maker\'s channel is SUBSCRIPTION_DENIED', () => {
    expect(streamOf(new OutcomeBench(), 'taker', ['account', 'maker']).closedWith).toEqual([1008, 'SUBSCRIPTION_DENIED'])
  })

  it('OM-240 is SNAPSHOT_TOO_LARGE where its frame would be longer than any', () => {
    const b = new OutcomeBench({ gate: { frameBytesMax: 1000 } })
    expect(streamOf(b, 'taker', ['account']).closedWith).toBeNull()
    b.rfq()
    b.rfq()
    const channel = streamOf(b, 'taker', ['account'])
    expect([channel.closedWith, channel.sent]).toEqual([[1013, 'SNAPSHOT_TOO_LARGE'], []])
    expect(b.session.outcome!.gateView!.streamsOf(b.account('taker'))).toHaveLength(1)
  })
})

describe('a stream', () => {
  it('OM-157 OM-166 begins with the state, as calls show it', () => {
    const b = new OutcomeBench()
    b.fill()
    b.pass(3 * SECOND)
    const rfq = b.rfq()
    const quote = b.quote('ours', rfq)
    const [ofTaker] = streamOf(b, 'taker', ['account']).frames
    expect(Object.keys(ofTaker)).toEqual(['type', 'cursor', 'rfqs', 'positions', 'operations'])
    expect([ofTaker.rfqs, ofTaker.positions]).toEqual([[b.get(`/v1/rfqs/${rfq.rfq_id}`, { as: 'taker' }).body], b.get('/v1/me/positions', { as: 'taker' }).body.items])
    const [ofMaker] = streamOf(b, 'ours', ['maker']).frames
    expect(ofMaker).toEqual({ type: 'snapshot', cursor: expect.stringMatching(/^\d+$/) as string, quotes: [quote] })
  })

  /** The four streams of a session in which `taker` has one RFQ filled by `ours`. */
  function afterFill() {
    const b = new OutcomeBench()
    const streams = { taker: streamOf(b, 'taker', ['account']), rich: streamOf(b, 'rich', ['account']), ours: streamOf(b, 'ours', ['account', 'maker']), rival: streamOf(b, 'rival', ['maker']) }
    const filled = b.fill()
    b.pass(3 * SECOND)
    return { b, streams, ...filled }
  }

  it('OM-150 tells each event to those whom it concerns', () => {
    const { taker, rich, ours, rival } = afterFill().streams
    expect([taker, rich, ours, rival].map(told)).toEqual([
      ['snapshot', 'QUOTE_CREATED', 'OPERATION_UPDATED', 'OPERATION_UPDATED'], ['snapshot'],
      ['snapshot', 'RFQ_CREATED', 'QUOTE_ACCEPTED', 'OPERATION_UPDATED', 'OPERATION_UPDATED'], ['snapshot', 'RFQ_CREATED'],
    ])
  })

  it('OM-151 OM-152 tells a maker of a new RFQ, and a taker of a quote for it', () => {
    const { b, streams, rfq, quote } = afterFill()
    expect(streams.ours.frames[1].data).toMatchObject({ rfq_id: rfq.rfq_id, generation: 1, kind: 'ENTRY', stake: '25000000', legs: rfq.legs, open_until: rfq.open_until })
    expect(streams.taker.frames[1].data).toMatchObject({ quote_id: quote.quote_id, maker_id: b.idOf('ours') })
  })

  it('OM-153 OM-154 tells a maker that its quote was accepted, and then of the fill', () => {
    const { streams, quote, acceptance } = afterFill()
    const [, , accepted, pending, done] = streams.ours.frames
    expect(accepted.data).toMatchObject({ quote_id: quote.quote_id, acceptance_id: acceptance.acceptance_id, payout: '99000000', stake: '25000000' })
    expect([pending.data.status, done.data.status, pending.data.operation_id]).toEqual(['PENDING', 'DONE', acceptance.operation_id])
  })

  it('OM-155 OM-156 goes on from a cursor as long as that is kept, and is CURSOR_RESET then', () => {
    const b = new OutcomeBench({ gate: { replayWindowMs: 60_000 } })
    const first = streamOf(b, 'ours', ['maker'])
    b.rfq()
    b.rfq('rich')
    const [, one, two] = first.frames
    first.onClose(1006)
    b.rfq('rich')
    const later = streamOf(b, 'ours', ['maker'], { cursor: one.cursor })
    expect([later.frames[0], told(later)]).toEqual([two, ['RFQ_CREATED', 'RFQ_CREATED']])
    const begin = streamOf(b, 'ours', ['maker'], { cursor: '0' })
    expect(begin.frames).toEqual([one, ...later.frames])
    b.rfq()
    expect([begin.frames.at(-1), begin.frames.length]).toEqual([later.frames.at(-1), 4])
    b.pass(60 * SECOND)
    expect(streamOf(b, 'ours', ['maker'], { cursor: one.cursor }).closedWith).toEqual([1008, 'CURSOR_RESET'])
    expect(streamOf(b, 'ours', ['maker'], { cursor: '999999999' }).closedWith).toEqual([1008, 'CURSOR_RESET'])
  })

  it('OM-158 OM-159 beats every 15 seconds, and every second where freshness is asked for', () => {
    const b = new OutcomeBench()
    const [slow, fast] = [streamOf(b, 'taker', ['account']), streamOf(b, 'rich', ['account'], { publication_freshness: true })]
    b.pass(15 * SECOND)
    expect([told(slow!), fast!.frames.length]).toEqual([['snapshot', 'heartbeat'], 16])
    const [, beat] = slow!.frames
    expect(Object.keys(beat)).toEqual(['type', 'cursor', 'sent_at'])
    expect(streamOf(b, 'taker', ['account'], { cursor: beat.cursor }).closedWith).toBeNull()
  })

  it('OM-146 OM-237 is closed with AUTHORIZATION_REVOKED when its key ends', () => {
    const b = new OutcomeBench({ keys: { lifeDays: 1, renewAfterUs: 0 }, seconds: 90_000 })
    const channel = streamOf(b, 'taker', ['account'])
    b.pass(86_500 * SECOND)
    expect(channel.closedWith).toEqual([1008, 'AUTHORIZATION_REVOKED'])
  })

  it('OM-163 OM-239 is closed when the service drains or has it load state anew', () => {
    for (const [op, value, close] of [[OutcomeOp.drain, 1, [1012, 'CONNECTION_DRAIN']], [OutcomeOp.resnapshot, ChannelBit.account, [1008, 'RESNAPSHOT_REQUIRED']]] as const) {
      const b = new OutcomeBench({ operator: then(10, op, value) })
      const [taker, ours] = [streamOf(b, 'taker', ['account']), streamOf(b, 'ours', ['maker'])]
      b.pass(10 * SECOND)
      expect([taker!.closedWith, ours!.closedWith]).toEqual([close, op === OutcomeOp.drain ? close : null])
      if (op === OutcomeOp.drain) expect(code(b.open(STREAM, { as: 'taker' }).refused!)).toEqual([503, 'CONNECTION_DRAIN', 'BACKOFF'])
    }
  })

  it('OM-234 is closed when the session is over, whether its client has subscribed or not, and so is its stream in the gate', () => {
    const b = new OutcomeBench()
    const channels = [streamOf(b, 'taker', ['account']), b.open(STREAM, { as: 'taker' })]
    b.handler.drain()
    expect(channels.map(({ closedWith }) => closedWith)).toEqual([[1012, 'CONNECTION_DRAIN'], [1012, 'CONNECTION_DRAIN']])
    expect(b.session.outcome!.gateView!.streamsOf(b.account('taker'))).toEqual([])
  })

  it('OM-165 takes no other cursor than a number, and no other key than one of the service', () => {
    const b = new OutcomeBench()
    expect(code(b.open(STREAM, { bearer: `${b.seat('taker')['api_key']}x` }).refused!)).toEqual([401, 'UNAUTHENTICATED', 'NEVER'])
    expect(streamOf(b, 'taker', ['account'], { cursor: newKey() }).closedWith).toEqual([1008, 'INVALID_SUBSCRIPTION'])
  })
})
