import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { outcomeDescription, outcomeFramesDescription } from '../../src/serve/outcome/description.ts'
import { outcomeRoutes } from '../../src/serve/outcome/routes.ts'
import { parlayDescription, parlayFramesDescription } from '../../src/serve/parlay/description.ts'
import { routes as parlayRoutes, shapes } from './parlay/profile.ts'

interface Refers { readonly $ref: string }
interface Described {
  readonly asyncapi: string
  readonly info: object
  readonly channels: Readonly<Record<string, { readonly address: string; readonly messages: Readonly<Record<string, { readonly name: string; readonly payload: object }>> }>>
  readonly operations: Readonly<Record<string, { readonly action: string; readonly channel: Refers; readonly messages: readonly Refers[] }>>
}

const DESCRIPTIONS = { parlay: parlayFramesDescription(shapes) as unknown as Described, outcome: outcomeFramesDescription() as unknown as Described } as const
type Service = keyof typeof DESCRIPTIONS

describe.each([
  ['parlay', parlayDescription(shapes), parlayRoutes], ['outcome', outcomeDescription(), outcomeRoutes()],
] as const)('the AsyncAPI description of the %s service', (service, openApi, routes) => {
  const description = DESCRIPTIONS[service]
  const { channels, operations } = description

  /** What a pointer of the description refers to (RFC 6901). */
  const at = ({ $ref }: Refers): unknown =>
    $ref.split('/').slice(1).reduce<unknown>((value, part) => (value as Record<string, unknown> | undefined)?.[part.replaceAll('~1', '/').replaceAll('~0', '~')], description)

  it('is AsyncAPI 3.0, of the version of the calls, and plain JSON', () => {
    expect(description.asyncapi).toBe('3.0.0')
    expect(description.info).toEqual(openApi['info'])
    expect(JSON.parse(JSON.stringify(description))).toEqual(description)
  })

  it('has every stream and socket of the table, and nothing else', () => {
    const open = routes.filter(({ channel }) => channel !== 'body')
    expect(Object.entries(channels).map(([name, { address }]) => [name, address]).toSorted()).toEqual(open.map(({ name, path }) => [name, path]).toSorted())
  })

  it('says of each message in which direction it goes, and refers to nothing that it has not', () => {
    const sent = Object.values(operations).flatMap(({ channel, messages }) => {
      expect(Object.values(channels)).toContain(at(channel))
      return messages.map(at)
    })
    expect(new Set(sent)).toEqual(new Set(Object.values(channels).flatMap(({ messages }) => Object.values(messages))))
  })
})

describe('what goes over the streams and the sockets', () => {
  it.each<[Service, string, string, readonly string[]]>([
    ['parlay', 'openStreamSends', 'openStream', ['quote_request', 'best_quote', 'cashout_request']],
    ['parlay', 'openMakerStreamSends', 'openMakerStream', ['quote_request', 'best_quote', 'cashout_request']],
    ['parlay', 'openSocketSends', 'openSocket', ['auth:ok', 'auth:error', 'quote:accepted', 'mm_quote:accepted']], ['parlay', 'openSocketHears', 'openSocket', ['auth']],
    ['outcome', 'openStreamSends', 'openStream', ['snapshot', 'heartbeat', 'RFQ_CREATED', 'QUOTE_CREATED', 'QUOTE_ACCEPTED', 'OPERATION_UPDATED']],
    ['outcome', 'openStreamHears', 'openStream', ['subscribe']], ['outcome', 'openMarketStreamSends', 'openMarketStream', ['prices', 'heartbeat']],
    ['outcome', 'openMarketStreamHears', 'openMarketStream', ['subscribe']],
  ])('PQ-269 PQ-331 OM-150 of the %s service: %s on %s has %j', (service, operation, channel, names) => {
    expect(DESCRIPTIONS[service].operations[operation]!.messages).toEqual(names.map((name) => ({ $ref: `#/channels/${channel}/messages/${name}` })))
  })

  it.each<[Service, string, string, unknown, unknown]>([
    ['parlay', 'openSocket', 'auth:error', { type: 'auth:error', code: 'auth_timeout' }, { type: 'auth:error', code: 'late' }],
    ['parlay', 'openSocket', 'auth', { type: 'auth', api_key: 'api_1' }, { type: 'auth' }],
    ['parlay', 'openStream', 'best_quote', {
      quote_request_id: '0b8e1c1e-7c1a-8a3b-9d2e-5f60718293a4', request_version: 1, book_seq: 0, quote_id: null, mm_id: null, payout_odds: null, expires_at: null,
    }, { quote_request_id: 'x' }],
    ['outcome', 'openStream', 'subscribe', { type: 'subscribe', channels: ['account'] }, { type: 'subscribe', channels: ['all'] }],
    ['outcome', 'openMarketStream', 'subscribe', { type: 'subscribe', outcomes: ['1'] }, { type: 'subscribe', outcomes: [] }],
    ['outcome', 'openMarketStream', 'heartbeat', { type: 'heartbeat', cursor: '1', sent_at: '2025-06-20T00:23:00.000007Z' }, { type: 'heartbeat', cursor: 1, sent_at: '2025-06-20T00:23:00.000007Z' }],
  ])('of the %s service, on %s, describe %s so that %j is one and %j is none', (service, channel, message, right, wrong) => {
    const payload = z.fromJSONSchema(DESCRIPTIONS[service].channels[channel]!.messages[message]!.payload as never)
    expect([payload.safeParse(right).success, payload.safeParse(wrong).success]).toEqual([true, false])
  })
})
