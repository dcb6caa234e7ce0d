import { expect, it } from 'vitest'
import { outcomeRoutes } from '../../../../src/serve/outcome/routes.ts'
import type { TestChannel } from '../../testChannel.ts'
import { LEGS, OutcomeBench, outcomeId, PAGE, SECOND, type Who } from './bench.ts'

/** Numbers 0…1 of one seed (mulberry32). */
function numbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

const ODD: readonly unknown[] = [
  null, true, -1, 0, 1, 0.5, 1e21, 2 ** 53, '', '0', '-1', '01', '1e3', '9'.repeat(400), 'YES', 'NO', 'x', '\u0000', '\ud800', '__proto__', [], {}, [[]], { a: 1 },
  '00000000-0000-7000-8000-000000000000', `0x${'0'.repeat(64)}`, `0x${'1'.repeat(130)}`, `0x${'f'.repeat(130)}`, LEGS, [...LEGS, ...LEGS], 'constructor',
]
const FIELDS = [
  'stake', 'legs', 'payout', 'expiry', 'signature', 'generation', 'funding', 'valid_after', 'valid_before', 'decision', 'amount', 'exit', 'label', 'scopes',
  'expires_in_days', 'proof', 'address', 'message', 'type', 'channels', 'outcomes', 'cursor', 'publication_freshness',
]
const ROUTES = outcomeRoutes()
const CREATE = ROUTES.find(({ name }) => name === 'createRfq')!
const SEATS: readonly Who[] = ['taker', 'rich', 'ours', 'rival', 'nobody']

/** A client that sends what comes to hand: ids that it has seen, bodies that are right but for a field or two, and bytes that are nothing. */
class Walk {
  readonly b = new OutcomeBench({ gate: { streamsMax: 1000 }, signatures: 'eip712' })
  readonly statuses = new Map<number, number>()
  private readonly draw: () => number
  private readonly seen: string[] = []
  private made = 0
  /** The latest ids by their names. */
  private readonly ids = new Map<string, readonly string[]>()
  private readonly address = this.b.seat('taker')['wallet_address']
  private readonly keys = new Map(SEATS.map((as) => [as, as === 'nobody' ? {} : { bearer: this.b.seat(as)['api_key']! }]))
  private readonly channels: TestChannel[] = []

  constructor(seed: number) {
    this.draw = numbers(seed)
  }

  private pick<T>(list: readonly T[]): T {
    return list[Math.floor(this.draw() * list.length)]!
  }

  /** An Idempotency-Key, now and then one that was sent before. */
  private key(): string {
    if (this.draw() < 0.9) this.made++
    return `0190a1b2-c3d4-7e5f-8a9b-${String(this.made).padStart(12, '0')}`
  }

  private odd(): unknown {
    return this.draw() < 0.3 && this.seen.length > 0 ? this.pick(this.seen) : this.pick(ODD)
  }

  /** The body of a call that is right, or of which a field or two are odd. */
  private body(name: string): unknown {
    const now = this.b.wireS
    const signature = `0x${'11'.repeat(65)}`
    const bodies: Readonly<Record<string, Record<string, unknown>>> = {
      createRfq: { stake: '25000000', legs: LEGS }, submitQuote: { payout: '99000000', expiry: now + 20, signature }, confirmQuote: { decision: 'DECLINE' },
      acceptQuote: { valid_after: now, valid_before: now + 600, signature }, withdraw: { amount: '5000000', valid_after: now, valid_before: now + 900, signature },
      reduceCollateral: { amount: '5000000', signature }, challengeKey: { label: 'bot', scopes: ['account:read'], expires_in_days: 1 },
      issueKey: { label: 'bot', scopes: ['account:read'], expires_in_days: 1, proof: { challenge_id: this.key(), signature } },
      challengeSignIn: { address: this.address }, signIn: { message: 'x', signature },
    }
    const right = bodies[name] ?? {}
    const body = { ...right }
    for (let changes = Math.max(0, Math.floor(this.draw() * 4) - 1); changes > 0; changes--) body[this.draw() < 0.5 && Object.keys(body).length > 0 ? this.pick(Object.keys(body)) : this.pick(FIELDS)] = this.odd()
    const text = JSON.stringify(body)
    const how = this.draw()
    if (how < 0.85) return text
    if (how < 0.89) return text.slice(0, Math.floor(this.draw() * text.length))
    if (how < 0.93) return `${text.slice(0, -1)},"stake":"1","stake":"2"}`
    if (how < 0.97) return Uint8Array.from({ length: Math.floor(this.draw() * 40) }, () => Math.floor(this.draw() * 256))
    return text.padEnd(65_537, ' ')
  }

  call(): void {
    const { method, path, name } = this.draw() < 0.2 ? CREATE : this.pick(ROUTES)
    const target = path.replaceAll(/\{(\w+)\}/g, (_, param: string) =>
      (this.draw() < 0.2 ? encodeURIComponent(String(this.odd()).toWellFormed()) : param === 'outcome_id' ? outcomeId(Math.floor(this.draw() * 60)) : this.pick(this.ids.get(param) ?? ['x'])))
    const query = this.pick(['', '', '', '?limit=2', '?limit=x', '?cursor=x', '?limit=1&limit=2', '?%', `?cursor=${this.seen.length > 0 ? encodeURIComponent(this.pick(this.seen).toWellFormed()) : ''}`])
    const as = this.pick(SEATS)
    const { answer } = this.b.send(this.draw() < 0.95 ? method : this.pick(['PUT', 'HEAD', 'get', '']), `${target}${query}`, {
      ...this.keys.get(as), ...(this.draw() < 0.9 ? { key: this.key() } : { key: String(this.odd()) }), ...(this.draw() < 0.5 && { origin: this.pick([PAGE, 'null', 'https://second.example', 'x y']) }),
      ...(this.draw() < 0.1 && { headers: [['authorization', 'Bearer x'] as const] }), ...(method === 'GET' && this.draw() < 0.9 ? {} : { body: this.body(name) }),
    })
    if (answer === null) return
    this.statuses.set(answer.status, (this.statuses.get(answer.status) ?? 0) + 1)
    this.remember(answer.body)
  }

  private remember(body: unknown): void {
    for (const [name, value] of Object.entries(body ?? {})) {
      if (typeof value === 'string' && name.endsWith('_id')) this.ids.set(name, [...(this.ids.get(name) ?? []).slice(-20), value])
      if (typeof value === 'string' && value.length > 5 && this.seen.length < 2000) this.seen.push(value)
      else if (typeof value === 'object') this.remember(value)
    }
  }

  socket(): void {
    const channel = this.b.open(this.pick(['/v1/stream', '/v1/market-stream', '/v1/stream?x', '/v1/markets']), this.keys.get(this.pick(SEATS))!, this.draw() < 0.9 ? 'socket' : 'events')
    if (channel.accepted === null) return
    this.channels.push(channel)
    const fields: Record<string, unknown> = this.pick([{ channels: ['account'] }, { channels: ['maker', 'account'] }, { outcomes: [outcomeId(3)] }, { outcomes: [outcomeId(3), '7'] }])
    const frame = { type: 'subscribe', ...fields, ...(this.draw() < 0.3 && { [this.pick(FIELDS)]: this.odd() }), ...(this.draw() < 0.3 && { cursor: String(Math.floor(this.draw() * 3000)) }) }
    channel.say(this.draw() < 0.8 ? frame : this.body('signIn'), this.draw() < 0.05)
  }

  /** A client says something more, or goes. */
  disturb(): void {
    if (this.channels.length === 0) return
    const channel = this.pick(this.channels)
    if (channel.closedWith !== null) return
    if (this.draw() < 0.3) channel.say(this.body(''))
    else {
      channel.onClose(1006)
      this.channels.splice(this.channels.indexOf(channel), 1)
    }
  }

  step(): void {
    const what = this.draw()
    if (what < 0.85) this.call()
    else if (what < 0.92) this.socket()
    else if (what < 0.96) this.disturb()
    else this.b.pass(Math.floor(this.draw() * 10 * SECOND))
  }
}

/** Steps of a walk. With `npm run soak -- --wire N` there are as many walks as take N steps. */
const STEPS = process.env['PARLOR_SOAK'] === undefined ? 1000 : 20_000
const WALKS = Math.ceil(Number(process.env['PARLOR_SOAK'] ?? 2 * STEPS) / STEPS)
const FIRST_SEED = Number(process.env['PARLOR_SOAK_SEED'] ?? 1)

it.each(Array.from({ length: WALKS }, (_, i) => FIRST_SEED + i))('OM-167 whatever clients send is answered as the document says, and stops nothing (seed %i)', (seed) => {
  const walk = new Walk(seed)
  for (let i = 0; i < STEPS; i++) walk.step()
  expect([200, 201, 400, 401, 403, 404].filter((status) => !walk.statuses.has(status))).toEqual([])
  expect(Math.max(...walk.statuses.keys())).toBeLessThan(500)
  walk.b.handler.drain()
})
