import { randomBytes } from 'node:crypto'
import type { Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { awaitedLater, type Client, type Headers, type Json, type Seen, type Sent, type Socket } from '../client.ts'
import { Refuted, sees } from '../expect.ts'
import type { SessionTerms } from '../session.ts'
import { faultRounds, inGoodTime, scenarioOf, SessionWorld, until } from '../world.ts'

/** So long events can be replayed in the session whose time goes fast. */
export const REPLAY_S = 60
/** Bytes that a frame may have in the session of small settings. */
export const SMALL_FRAME_BYTES = 300
const RAISED = ['rfqLimit', 'acceptLimit', 'quoteLimit', 'quoteCancelLimit', 'confirmLimit', 'quoteListLimit', 'acceptanceReadLimit', 'positionReadLimit', 'activityLimit', 'streamsMax'].map((name) => `${name}: 1000000`).join(', ')
/** Faults that a client can meet, four seconds each, again and again. */
export const FAULT_NAMES = [
  'dependencyStale', 'sourceUnavailable', 'contractUnavailable', 'marketDataUnavailable', 'sponsorshipUnavailable', 'contractSignatureOverloaded', 'comboAutomaticDisabled', 'financialActionsDisabled',
  'authorizationUnavailable', 'embeddedWalletUnavailable',
] as const

const scenario = (entry: string, rest = ''): string => scenarioOf({ service: 'outcome', entry: `profile: outcome@1, signatures: eip712, ${entry}`, rest })

/** Markets that leave the list, one every minute and a half. */
const DELISTED = ['ECON-CPI-1', 'ECON-JOBS-2', 'ECON-RATE-3', 'ECON-GDP-4', 'ECON-HOME-5', 'ECON-OIL-6', 'ECON-TRADE-8'].map((market, i) => `{ market: ${market}, at: ${(i + 1) * 90}s }`).join(', ')

/** Every session that rules of the service are seen in. The longest come first. */
export const OUTCOME_SESSIONS = {
  /** No limit binds, and time goes as on the wall. */
  outcome: { service: 'outcome', scenario: scenario(`gate: { set: { ${RAISED} } }`) },
  'outcome-faults': {
    service: 'outcome', scenario: scenario(`gate: { set: { ${RAISED} } }, embeddedWallets: [t24], faults: [${faultRounds(FAULT_NAMES.map((fault, i) => ({ fault, from: 4 + 4 * i, for: 4 })), 44)}]`),
  },
  /** The limits of the document. Streams of the maker channel are closed every three seconds. */
  'outcome-limits': { service: 'outcome', scenario: scenario(`gate: { resnapshots: [${Array.from({ length: 400 }, (_, i) => `{ channel: maker, at: ${3 * (i + 1)}s }`).join(', ')}] }`) },
  /** An account may have as many RFQs as it likes, for ten minutes. */
  'outcome-wide': { service: 'outcome', scenario: scenario(`set: { rfqIntentLimit: 1000000, entryOpen: 10m }, gate: { set: { ${RAISED} } }`) },
  /** A minute goes by in twelve seconds. Events can be replayed so long, in place of a day. */
  'outcome-fast': { service: 'outcome', scenario: scenario(`gate: { set: { ${RAISED}, replayWindow: ${REPLAY_S}s } }`, `delist: [${DELISTED}]\n`), speed: 5 },
  /** Small frames, few calls over all accounts, short pages' lives. */
  'outcome-small': { service: 'outcome', scenario: scenario(`gate: { set: { frameBytesMax: ${SMALL_FRAME_BYTES}, routeTotalLimit: 40, cursorLife: 2s } }`) },
} as const satisfies Readonly<Record<string, SessionTerms>>

export const NO_UUID7 = '0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b'
export const NO_HEX = `0x${'1'.repeat(64)}`
export const UUID7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
export const HEX = /^0x[0-9a-f]{64}$/
export const AMOUNT = /^(0|[1-9]\d*)$/
export const PROTOCOL = 'outcome-rfq.v1'

/** A new Idempotency-Key: a UUIDv7 of now. */
export function newKey(): string {
  const hex = Date.now().toString(16).padStart(12, '0') + randomBytes(10).toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-7${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

const fieldsOf = (text: string): readonly { readonly type: string; readonly name: string }[] => text.split(', ').map((field) => ({ type: field.split(' ')[0]!, name: field.split(' ')[1]! }))
/** Typed data as docs/conformance/outcome-gate.md has it. */
const TYPES = {
  Leg: fieldsOf('string outcomeId, string side'),
  Quote: fieldsOf('string maker, string rfqId, uint64 generation, uint256 netStake, uint256 payout, uint64 takerFeeBps, uint64 feeBps, uint64 expiry, Leg[] legs'),
  CashoutQuote: fieldsOf('string maker, string rfqId, uint64 generation, bytes32 positionId, uint256 price, uint64 feeBps, uint64 expiry, Leg[] legs'),
  Acceptance: fieldsOf('string taker, string rfqId, bytes32 quoteId, string acceptanceId, uint256 stake, uint256 core, uint256 payout, uint64 takerFeeBps, uint64 feeBps, uint64 validAfter, uint64 validBefore'),
  CashoutAcceptance: fieldsOf('string seller, string rfqId, bytes32 quoteId, string acceptanceId, uint256 price, uint64 feeBps, bytes32 positionId'),
  Confirmation: fieldsOf('string maker, string rfqId, bytes32 quoteId, string acceptanceId, uint256 payout, uint64 takerFeeBps, uint64 feeBps'),
  CashoutConfirmation: fieldsOf('string maker, string rfqId, bytes32 quoteId, string acceptanceId, uint256 price, uint64 feeBps, bytes32 positionId'),
  Withdrawal: fieldsOf('string account, uint256 amount, uint64 takerFeeBps, uint64 feeBps, uint64 validAfter, uint64 validBefore, string requestKey'),
  CollateralReduction: fieldsOf('string maker, uint256 amount, uint64 takerFeeBps, uint64 feeBps, string requestKey'),
  IssueKey: fieldsOf('string account, string challengeId, string label, string[] scopes, uint64 expiresInDays'),
} as const
type Signable = Exclude<keyof typeof TYPES, 'Leg'>

/** Unix seconds of an instant of the wire. */
export const secondsOf = (text: string): number => Math.floor(Date.parse(text) / 1000)
export const failure = (code: string, retry = 'NEVER') => ({ error: { code, retry } })
export const violation = (field: string, code = 'INVALID') => ({ error: { code: 'INVALID_REQUEST', field_violations: (list: Json[]) => list.some((one) => one.field === field && one.code === code) } })

/** An RFQ whose quote was accepted, and what its taker and its maker were answered. */
interface Filled {
  readonly rfq: Json
  readonly quote: Json
  readonly acceptance: Json
  readonly confirm: Seen
  readonly key: string
}

/** A session of the service as the clients of one rule find it. */
export class World extends SessionWorld {
  as(name: string): Client {
    return this.bearer(this.seat(name)['api_key']!)
  }

  bearer(token: string, headers: Headers = {}): Client {
    return this.client({ authorization: `Bearer ${token}`, ...headers })
  }

  idOf(name: string): string {
    const { maker_id, account_id } = this.seat(name)
    return maker_id ?? account_id!
  }

  get origin(): string {
    return this.seat('t1')['origin']!
  }

  /** A command with a new Idempotency-Key, or the one that is given. */
  post(name: string, path: string, body?: Sent, key = newKey()): Promise<Seen> {
    return this.as(name).post(path, body, { 'idempotency-key': key })
  }

  async sign(name: string, primaryType: Signable, message: Readonly<Record<string, unknown>>): Promise<string> {
    const { domain, chain_id, vault } = sees(await this.nobody.get('/v1/deployment'), 200)
    const types = { [primaryType]: TYPES[primaryType], ...('legs' in message && { Leg: TYPES.Leg }) }
    return privateKeyToAccount(this.seat(name)['wallet_private_key'] as Hex).signTypedData({ domain: { ...domain, chainId: Number(chain_id), verifyingContract: vault }, types, primaryType, message } as never)
  }

  /** The seat's wallet signs in, from a page. */
  async signIn(name: string, origin = this.origin): Promise<Seen> {
    const page = this.nobody.with({ origin })
    const { message } = sees(await page.post('/v1/auth/wallet-challenges', { address: this.seat(name)['wallet_address'] }), 201)
    const signature = await privateKeyToAccount(this.seat(name)['wallet_private_key'] as Hex).signMessage({ message })
    return page.post('/v1/auth/wallet-sessions', { message, signature })
  }

  /** A wallet session of a seat: its client, with the origin of the sign-in. */
  async session(name: string, origin = this.origin): Promise<{ readonly client: Client; readonly token: string }> {
    const { access_token } = sees(await this.signIn(name, origin), 201)
    return { client: this.bearer(access_token, { origin }), token: access_token }
  }

  /** The body of a request for a key, which the seat's wallet has signed. */
  async keyBody(name: string, client: Client, { label = 'bot', scopes = ['account:read', 'rfq:read'], days = 30 as number | null } = {}): Promise<Json> {
    const fields = { label, scopes, expires_in_days: days }
    const { challenge_id } = sees(await client.post('/v1/me/api-key-challenges', fields), 201)
    return { ...fields, proof: { challenge_id, signature: await this.sign(name, 'IssueKey', { account: this.idOf(name), challengeId: challenge_id, label, scopes, expiresInDays: days ?? 0 }) } }
  }

  /** A key of a seat with these scopes. */
  async keyWith(name: string, scopes: readonly string[]): Promise<{ readonly client: Client; readonly key: Json; readonly secret: string }> {
    const { client } = await this.session(name)
    const body = await this.keyBody(name, client, { scopes: [...scopes] })
    const { key, secret } = sees(await client.post('/v1/me/api-keys', body, { 'idempotency-key': newKey() }), 201)
    return { client: this.bearer(secret), key, secret }
  }

  /** Outcomes that can be asked for, ascending. */
  async outcomes(count = 2): Promise<readonly string[]> {
    const listed = ({ body }: Seen): string[] => body.items.filter((one: Json) => one.status === 'LISTED' && one.title.includes(':')).map((one: Json) => one.outcome_id as string)
    const { body } = await until(() => this.nobody.get('/v1/markets?limit=200'), (seen) => seen.status === 200 && listed(seen).length >= count, `${count} listed outcomes`)
    return listed({ body } as Seen).toSorted((x, y) => (BigInt(x) < BigInt(y) ? -1 : 1)).slice(0, count)
  }

  async legs(count = 1): Promise<readonly Json[]> {
    return (await this.outcomes(count)).map((outcome_id) => ({ outcome_id, side: 'YES' }))
  }

  async rfq(name = this.mine, stake = '25000000', legs?: readonly Json[]): Promise<Json> {
    return sees(await this.post(name, '/v1/rfqs', { stake, legs: legs ?? await this.legs() }), 201)
  }

  /** The body of a quote: signed, with an expiry so many seconds after the RFQ. */
  async quoteBody(maker: string, rfq: Json, payout = '99000000', seconds = 25): Promise<Json> {
    const { taker_fee_bps, fee_bps } = sees(await this.nobody.get('/v1/deployment'), 200)
    const expiry = secondsOf(rfq.created_at) + (rfq.kind === 'ENTRY' ? seconds : 55)
    const legs = rfq.legs.map(({ outcome_id, side }: Json) => ({ outcomeId: outcome_id, side }))
    const common = { maker: this.idOf(maker), rfqId: rfq.rfq_id, generation: rfq.generation, feeBps: fee_bps, expiry, legs }
    const signature = rfq.kind === 'ENTRY' ? await this.sign(maker, 'Quote', { ...common, netStake: rfq.net_stake, payout, takerFeeBps: taker_fee_bps })
      : await this.sign(maker, 'CashoutQuote', { ...common, positionId: rfq.position_id, price: payout })
    return { payout, expiry, signature }
  }

  async quote(maker: string, rfq: Json, payout?: string): Promise<Json> {
    return sees(await this.post(maker, `/v1/rfqs/${rfq.rfq_id}/quotes`, await this.quoteBody(maker, rfq, payout)), 201)
  }

  async acceptBody(name: string, rfq: Json, quote: Json, key: string): Promise<Json> {
    const common = { rfqId: rfq.rfq_id, quoteId: quote.quote_id, acceptanceId: key, feeBps: quote.fee_bps }
    if (rfq.kind === 'CASHOUT') return { signature: await this.sign(name, 'CashoutAcceptance', { ...common, seller: this.idOf(name), price: quote.payout, positionId: rfq.position_id }) }
    const [valid_after, valid_before] = [secondsOf(rfq.created_at) - 1, secondsOf(rfq.created_at) + 600]
    const message = { ...common, taker: this.idOf(name), stake: rfq.stake, core: '0', payout: quote.payout, takerFeeBps: quote.taker_fee_bps, validAfter: valid_after, validBefore: valid_before }
    return { valid_after, valid_before, signature: await this.sign(name, 'Acceptance', message) }
  }

  async confirmBody(maker: string, rfq: Json, quote: Json, acceptanceId: string): Promise<Json> {
    const common = { maker: this.idOf(maker), rfqId: rfq.rfq_id, quoteId: quote.quote_id, acceptanceId, feeBps: quote.fee_bps }
    return {
      decision: 'CONFIRM',
      signature: rfq.kind === 'ENTRY' ? await this.sign(maker, 'Confirmation', { ...common, payout: quote.payout, takerFeeBps: quote.taker_fee_bps })
        : await this.sign(maker, 'CashoutConfirmation', { ...common, price: quote.payout, positionId: rfq.position_id }),
    }
  }

  /** A maker quotes an RFQ, whose taker accepts, and the maker confirms or declines: what both were answered. Null: the maker was late. */
  async settle(name: string, maker: string, rfq: Json, { payout = '99000000', decline = false } = {}): Promise<Filled | null> {
    const [quote, key] = [await this.quote(maker, rfq, payout), newKey()]
    // What is signed is signed before, since the maker has two seconds.
    const [accepting, deciding] = [await this.acceptBody(name, rfq, quote, key), decline ? { decision: 'DECLINE' } : await this.confirmBody(maker, rfq, quote, key)]
    let isAnswered = false
    const answer = awaitedLater(this.post(name, `/v1/quotes/${quote.quote_id}/accept`, accepting, key).finally(() => { isAnswered = true }))
    const confirm = await until(() => this.as(maker).post(`/v1/quotes/${quote.quote_id}/confirm`, deciding), ({ status }) => status === 200 || isAnswered, 'a decision')
    const acceptance = sees(await answer, 200)
    if (acceptance.status === 'TIMED_OUT') return null
    sees(confirm, 200)
    return { rfq, quote, acceptance, confirm, key }
  }

  /** A fill of 25 USDC at a payout of 99. */
  fill(name = this.mine, maker = 'm1'): Promise<Filled> {
    return inGoodTime(async () => this.settle(name, maker, await this.rfq(name)), 'a confirmation in time')
  }

  /** The position of a fill, once its operation is done. */
  async position(name = this.mine, maker = 'm1'): Promise<{ readonly position: Json; readonly acceptance: Json }> {
    const { acceptance, rfq } = await this.fill(name, maker)
    const { body } = await until(() => this.as(name).get('/v1/me/positions?limit=200'), (seen) => seen.body.items?.some((one: Json) => one.rfq_id === rfq.rfq_id && one.status === 'OPEN') === true, 'an open position')
    return { position: body.items.find((one: Json) => one.rfq_id === rfq.rfq_id), acceptance }
  }

  async withdrawal(name: string, key: string, amount = '5000000'): Promise<Json> {
    const { taker_fee_bps, fee_bps } = sees(await this.nobody.get('/v1/deployment'), 200)
    const now = Math.floor(Date.now() / 1000)
    const [valid_after, valid_before] = [now - 300, now + 3600]
    const message = { account: this.idOf(name), amount, takerFeeBps: taker_fee_bps, feeBps: fee_bps, validAfter: valid_after, validBefore: valid_before, requestKey: key }
    return { amount, valid_after, valid_before, signature: await this.sign(name, 'Withdrawal', message) }
  }

  async reduction(maker: string, key: string, amount = '5000000'): Promise<Json> {
    const { taker_fee_bps, fee_bps } = sees(await this.nobody.get('/v1/deployment'), 200)
    return { amount, signature: await this.sign(maker, 'CollateralReduction', { maker: this.idOf(maker), amount, takerFeeBps: taker_fee_bps, feeBps: fee_bps, requestKey: key }) }
  }

  /** An account's stream, once its snapshot has come, or behind a cursor once it has subscribed. */
  stream(name: string, channels: readonly string[], more: object = {}): Promise<{ readonly socket: Socket; readonly snapshot: Json }> {
    return inGoodTime(async () => {
      const socket = await this.as(name).socket('/v1/stream', [PROTOCOL])
      socket.say({ type: 'subscribe', channels, ...more })
      if ('cursor' in more) return { socket, snapshot: null }
      const snapshot = await Promise.race([socket.next(({ type }) => type === 'snapshot', 'a snapshot'), socket.closed.then(String)])
      // A client has ten seconds to subscribe, which are two on the wall where time goes fast.
      if (snapshot === '1008,INVALID_SUBSCRIPTION') return null
      if (typeof snapshot === 'string') throw new Refuted(`a stream begins with a snapshot, and not with a close: ${snapshot}`)
      return { socket, snapshot }
    }, 'a subscription in time')
  }
}
