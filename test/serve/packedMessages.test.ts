import { describe, expect, it } from 'vitest'
import { packToHttp, packToSession, unpackToHttp, unpackToSession } from '../../src/serve/packedMessages.ts'
import type { ToHttp, ToSession } from '../../src/serve/threadMessages.ts'

const CALL: ToSession = {
  kind: 'call', id: 7, readMs: 12.25,
  exchange: {
    service: 'outcome', method: 'PUT', path: '/v1/a%0A', query: 'a=1&b=', headers: [['x-api-key', ''], ['origin', 'é: x'], ['origin', 'y']], remote: '::1',
    body: Uint8Array.from({ length: 256 }, (_, byte) => byte),
  },
}
const OPEN: ToSession = {
  kind: 'open', id: 8, readMs: 13, channel: 'socket',
  exchange: { ...CALL.exchange, query: '', headers: [], body: new Uint8Array(), token: { subject: 'us', notBeforeUs: 1, expiresAtUs: 2 } },
}
const OTHERS: readonly ToSession[] = [{ kind: 'frame', id: 1, readMs: 1, data: Uint8Array.of(1, 255), isBinary: true }, { kind: 'closed', id: 1, readMs: 2, code: 1006 }]

const overToSession = (messages: readonly ToSession[]): ToSession[] => (structuredClone(packToSession(messages)) as unknown[]).map(unpackToSession)
const overToHttp = (messages: readonly ToHttp[]): ToHttp[] => (structuredClone(packToHttp(messages)) as unknown[]).map(unpackToHttp)
const plain = (message: ToSession): unknown => ('exchange' in message ? { ...message, exchange: { ...message.exchange, body: [...message.exchange.body] } } : message)

const event = (ids: number[], text: string): ToHttp => ({ kind: 'send', ids, text, isStream: true })
const frame = (ids: number[], text: string): ToHttp => ({ kind: 'send', ids, text })
const answer = (id: number, body: string): ToHttp => ({ kind: 'answer', id, answer: { status: 201, headers: [['Content-Type', 'application/json'], ['X-Empty', '']], body } })

describe('messages that cross between the threads in few texts', () => {
  it('are calls as they came, with every byte of their bodies and every header in its place', () => {
    const said = [CALL, OPEN, ...OTHERS]
    expect(overToSession(said).map(plain)).toEqual(said.map(plain))
  })

  it('are answers as they were given, in any script', () => {
    const said: readonly ToHttp[] = [answer(1, '{"a":"é→𝄞\\n"}'), { kind: 'answer', id: 2, answer: { status: 204, headers: [], body: '' } }, { kind: 'close', id: 3, code: 1008, reason: 'slow' }]
    expect(overToHttp(said)).toEqual(said)
  })

  it('tell the same streams one text, where the first of it stood, and leave what was said as it was', () => {
    const said = [event([1, 2], 'a'), answer(5, 'x'), event([1, 2], 'b'), answer(6, 'y'), event([1, 2], 'c')]
    expect(overToHttp(said)).toEqual([event([1, 2], 'abc'), answer(5, 'x'), answer(6, 'y')])
    expect(said[0]).toEqual(event([1, 2], 'a'))
  })

  it.each<[string, readonly ToHttp[]]>([
    ['of other streams', [event([1, 2], 'a'), event([1], 'b'), event([2, 1], 'c'), event([1, 2], 'd')]],
    ['of a stream that another one was told between', [event([1], 'a'), event([2], 'b'), event([1], 'c')]],
    ['behind the end of a channel', [event([1], 'a'), { kind: 'close', id: 1, code: 0, reason: '' }, event([1], 'b')]],
    ['of a socket, whose frames are frames', [frame([1], 'a'), frame([1], 'b')]],
    ['of a stream behind the frame of a socket', [event([1], 'a'), frame([1], 'b'), event([1], 'c')]],
  ])('keep apart texts %s', (_, said) => {
    expect(overToHttp(said)).toEqual(said)
  })
})
