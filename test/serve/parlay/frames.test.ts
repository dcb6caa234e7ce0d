import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { parlayFramesDescription } from '../../../src/serve/parlay/description.ts'
import { PARLAY_FRAMES } from '../../../src/serve/parlay/schemas/frames.ts'
import { routes, shapes } from './profile.ts'

interface Refers { readonly $ref: string }
interface Described {
  readonly asyncapi: string
  readonly info: { readonly version: string }
  readonly channels: Readonly<Record<string, { readonly address: string; readonly messages: Readonly<Record<string, { readonly name: string; readonly payload: object }>> }>>
  readonly operations: Readonly<Record<string, { readonly action: string; readonly channel: Refers; readonly messages: readonly Refers[] }>>
}
const description = parlayFramesDescription(shapes) as unknown as Described
const { channels, operations } = description

/** What a pointer of the description refers to (RFC 6901). */
const at = ({ $ref }: Refers): unknown =>
  $ref.split('/').slice(1).reduce<unknown>((value, part) => (value as Record<string, unknown> | undefined)?.[part.replaceAll('~1', '/').replaceAll('~0', '~')], description)

const payloadOf = (channel: string, message: string): z.ZodType => z.fromJSONSchema(channels[channel]!.messages[message]!.payload as never)

describe('the AsyncAPI description of the parlay service', () => {
  it('PQ-452 is AsyncAPI 3.0 of version 2.1.0, and plain JSON', () => {
    expect([description.asyncapi, description.info.version]).toEqual(['3.0.0', '2.1.0'])
    expect(JSON.parse(JSON.stringify(description))).toEqual(description)
  })

  it('has every stream and socket of the table, and nothing else', () => {
    const open = routes.filter(({ channel }) => channel !== 'body')
    expect(Object.entries(channels).map(([name, { address }]) => [name, address]).toSorted()).toEqual(open.map(({ name, path }) => [name, path]).toSorted())
    expect(Object.keys(PARLAY_FRAMES).toSorted()).toEqual(Object.keys(channels).toSorted())
  })

  it('refers to nothing that it has not', () => {
    for (const { channel, messages } of Object.values(operations)) {
      expect(at(channel)).toBeDefined()
      expect(messages.map(at).filter((message) => message === undefined)).toEqual([])
    }
  })

  it.each<[string, string, readonly string[]]>([
    ['openStream', 'send', ['quote_request', 'best_quote', 'cashout_request']], ['openMakerStream', 'send', ['quote_request', 'best_quote', 'cashout_request']],
    ['openSocket', 'send', ['auth:ok', 'auth:error', 'quote:accepted', 'mm_quote:accepted']], ['openSocket', 'receive', ['auth']],
  ])('PQ-269 PQ-331 PQ-332 says that %s can %s %j', (channel, action, names) => {
    const [operation] = Object.values(operations).filter((one) => one.action === action && at(one.channel) === channels[channel])
    expect(operation!.messages.map(at)).toEqual(names.map((name) => channels[channel]!.messages[name]))
  })

  it.each<[string, string, unknown, unknown]>([
    ['openSocket', 'auth:error', { type: 'auth:error', code: 'auth_timeout' }, { type: 'auth:error', code: 'late' }],
    ['openSocket', 'auth', { type: 'auth', api_key: 'api_1' }, { type: 'auth' }],
    ['openStream', 'best_quote', {
      quote_request_id: '0b8e1c1e-7c1a-8a3b-9d2e-5f60718293a4', request_version: 1, book_seq: 0, quote_id: null, mm_id: null, payout_odds: null, expires_at: null,
    }, { quote_request_id: 'x' }],
  ])('describes %s %s so that %j is one and %j is none', (channel, message, right, wrong) => {
    const payload = payloadOf(channel, message)
    expect([payload.safeParse(right).success, payload.safeParse(wrong).success]).toEqual([true, false])
  })
})
