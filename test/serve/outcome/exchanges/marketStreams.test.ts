import { describe, expect, it } from 'vitest'
import type { OperatorInput } from '../../../../src/engine/config.ts'
import { OutcomeOp } from '../../../../src/venue/outcome/protocol/commands.ts'
import { GateFault } from '../../../../src/venue/outcome/protocol/access.ts'
import type { TestChannel } from '../../testChannel.ts'
import { outcomeId, OutcomeBench, SECOND, START_S } from './bench.ts'

const STREAM = '/v1/market-stream'
const code = ({ status, body }: { status: number; body: { error: { code: string; retry: string } } }) => [status, body.error.code, body.error.retry]
const at = (afterS: number, op: number, fields: Partial<OperatorInput> = {}) => (inputs: readonly OperatorInput[]): readonly OperatorInput[] =>
  [...inputs, { atUs: (START_S + afterS) * SECOND, op, market: -1, service: 'outcome' as const, ...fields }].toSorted((x, y) => x.atUs - y.atUs)

function streamOf(b: OutcomeBench, outcomes: readonly string[], fields: object = {}): TestChannel {
  const channel = b.open(STREAM)
  channel.say({ type: 'subscribe', outcomes, ...fields })
  return channel
}

/** Prices as frames told them: outcome, bid, ask, instant. */
const told = ({ frames }: TestChannel): string[][] => frames.flatMap(({ type, prices }) => (type === 'prices' ? prices : []) as Record<string, string>[]).map(Object.values)
const OURS = [outcomeId(3), outcomeId(8)]

describe('a stream of prices', () => {
  it('OM-003 OM-044 OM-164 begins with the prices that calls show, and then tells each new one when it is known', () => {
    const b = new OutcomeBench({ seconds: 200 })
    const channel = streamOf(b, OURS)
    const begin = channel.frames[0]
    expect(begin).toMatchObject({ type: 'prices', cursor: expect.stringMatching(/^\d+$/) as string })
    for (const { outcome_id, bid, ask } of begin.prices) expect(b.get(`/v1/markets/${outcome_id}`).body).toMatchObject({ bid, ask })
    expect(begin.prices.map(({ outcome_id }: { outcome_id: string }) => outcome_id)).toEqual(OURS)
    let changes = 0
    for (let second = 0; second < 100; second++) {
      const before = told(channel).length
      b.pass(SECOND)
      for (const [outcome, bid, ask, instant] of told(channel).slice(before)) {
        changes++
        expect(OURS).toContain(outcome)
        expect(Date.parse(instant!) * 1000).toBeGreaterThan(b.nowUs - SECOND - 1)
        expect(Date.parse(instant!) * 1000).toBeLessThanOrEqual(b.nowUs)
        expect([Number(bid) >= 0, Number(ask) <= 1]).toEqual([true, true])
      }
    }
    expect(changes).toBeGreaterThan(10)
    for (const id of OURS) {
      const [, bid, ask] = told(channel).findLast(([outcome]) => outcome === id)!
      expect(b.get(`/v1/markets/${id}`).body).toMatchObject({ bid, ask })
    }
  })

  it('OM-155 OM-295 goes on from a cursor with the prices since then, and from one that is not kept it is CURSOR_RESET', () => {
    const b = new OutcomeBench({ seconds: 200, gate: { replayWindowMs: 60_000 } })
    const whole = streamOf(b, OURS, { publication_freshness: true })
    b.pass(10 * SECOND)
    b.rfq()
    b.pass(2 * SECOND)
    const { cursor, at: seenAt } = { cursor: whole.frames.at(-1).cursor as string, at: b.nowUs }
    const frames = whole.frames.length
    b.pass(20 * SECOND)
    const resumed = streamOf(b, OURS, { cursor })
    const since = new Map(whole.frames.slice(frames).flatMap(({ type, prices }) => (type === 'prices' ? prices : []) as Record<string, string>[]).map((price) => [price['outcome_id'], price]))
    expect(since.size).toBeGreaterThan(0)
    for (const price of since.values()) expect(resumed.frames[0].prices).toContainEqual(price)
    expect(seenAt).toBeLessThan(b.nowUs)
    // A cursor cannot be of what is to come.
    expect(streamOf(b, OURS, { cursor: '999999999' }).closedWith).toEqual([1008, 'CURSOR_RESET'])
    b.pass(60 * SECOND)
    b.rfq()
    expect(streamOf(b, OURS, { cursor: '1' }).closedWith).toEqual([1008, 'CURSOR_RESET'])
    expect(streamOf(b, OURS, { cursor: whole.frames.at(-1).cursor }).closedWith).toBeNull()
  })

  it('tells a client that goes on from now nothing before there is something new', () => {
    const b = new OutcomeBench({ seconds: 200 })
    b.pass(10 * SECOND)
    const channel = streamOf(b, OURS)
    // A row right behind a price: nothing is newer than its cursor.
    const prices = told(channel).length
    while (told(channel).length === prices) b.pass(SECOND / 100)
    b.rfq()
    const { cursor } = streamOf(b, OURS).frames[0]
    const resumed = streamOf(b, OURS, { cursor })
    expect(resumed.frames).toEqual([])
    b.pass(20 * SECOND)
    expect(told(resumed)).toEqual(told(channel).slice(-told(resumed).length))
    expect(told(resumed).length).toBeGreaterThan(1)
  })

  it('OM-161 follows 1 to 256 outcomes that are listed, each once', () => {
    const b = new OutcomeBench({ operator: at(0, OutcomeOp.delistOutcome, { market: 2 }) })
    expect(streamOf(b, []).closedWith).toEqual([1008, 'INVALID_SUBSCRIPTION'])
    expect(streamOf(b, [OURS[0]!, OURS[0]!]).closedWith).toEqual([1008, 'INVALID_SUBSCRIPTION'])
    expect(streamOf(b, Array.from({ length: 257 }, (_, i) => String(i))).closedWith).toEqual([1008, 'INVALID_SUBSCRIPTION'])
    expect(streamOf(b, Array.from({ length: 256 }, (_, i) => String(i))).closedWith).toEqual([1008, 'SUBSCRIPTION_DENIED'])
    expect(streamOf(b, [outcomeId(2)]).closedWith).toEqual([1008, 'SUBSCRIPTION_DENIED'])
    expect(streamOf(b, Array.from({ length: 60 }, (_, market) => outcomeId(market)).filter((id) => id !== outcomeId(2))).frames[0].prices).toHaveLength(59)
  })

  it('OM-162 OM-240 is closed where a frame would be longer than any', () => {
    const b = new OutcomeBench({ gate: { frameBytesMax: 200 } })
    expect(streamOf(b, [OURS[0]!]).closedWith).toBeNull()
    expect(streamOf(b, OURS).closedWith).toEqual([1013, 'SNAPSHOT_TOO_LARGE'])
  })

  it('OM-069 OM-226 needs no credential, and the subprotocol and a catalogue of markets', () => {
    const b = new OutcomeBench({ operator: at(10, OutcomeOp.setFault, { value: GateFault.marketDataUnavailable, value2: 1 }) })
    const channel = streamOf(b, OURS)
    expect(code(b.call('GET', STREAM))).toEqual([400, 'SUBPROTOCOL_REQUIRED', 'NEVER'])
    const late = b.open(STREAM)
    b.pass(9 * SECOND)
    b.pass(SECOND / 2)
    b.pass(SECOND / 2)
    expect(code(b.open(STREAM).refused!)).toEqual([503, 'MARKET_DATA_UNAVAILABLE', 'BACKOFF'])
    late.say({ type: 'subscribe', outcomes: OURS })
    expect([channel.closedWith, late.closedWith]).toEqual([null, [1008, 'INVALID_SUBSCRIPTION']])
  })

  it('OM-163 is closed when the service drains, and ten streams of one address are the most', () => {
    const b = new OutcomeBench({ operator: at(10, OutcomeOp.drain, { value: 1 }) })
    const channels = Array.from({ length: 10 }, () => streamOf(b, OURS))
    expect(code(b.open(STREAM).refused!)).toEqual([429, 'CONNECTION_LIMIT', 'BACKOFF'])
    expect(b.open(STREAM, { remote: '10.0.0.2' }).refused).toBeNull()
    channels.pop()!.onClose(1000)
    channels.push(streamOf(b, OURS))
    b.pass(10 * SECOND)
    expect(new Set(channels.map(({ closedWith }) => closedWith!.join(' ')))).toEqual(new Set(['1012 CONNECTION_DRAIN']))
  })
})
