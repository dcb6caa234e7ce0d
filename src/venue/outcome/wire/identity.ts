import { assert } from '../../../unit/assert.ts'
import { NONE } from '../../../unit/none.ts'
import { MS_US, SECOND_US } from '../../../unit/time.ts'
import { digestsOf, type SessionDigests, type SessionKey } from '../../wire/sessionDigests.ts'
import { timestampText } from './encoding.ts'

/** What a number counts; each kind has ids of its own. The texts go into the ids: a change changes them all. */
export const IdKind = {
  account: 'account', market: 'market', rfq: 'rfq', quote: 'quote', key: 'key', operation: 'operation', reduction: 'reduction',
  position: 'position', request: 'request', challenge: 'challenge', credential: 'credential', secret: 'secret', token: 'token',
  vault: 'vault', cursor: 'cursor', signIn: 'signIn', call: 'call',
} as const
export type IdKind = (typeof IdKind)[keyof typeof IdKind]

/** Where entities come from: what their ids are made of besides their numbers. Each throws Bug for a number that never was. */
export interface EntityOrigins {
  rfqCreatedAtUs(rfq: number): number
  operationStartedAtUs(operation: number): number
  acceptance(acceptance: number): AcceptanceOrigin
}

/** Whose accept it was, and under which idempotency key of that account. */
export interface AcceptanceOrigin {
  readonly taker: number
  readonly key: number
}

/** Texts of the Idempotency-Keys that real clients sent, which the edge numbers as they come. */
export interface ClientKeys {
  /** The UUIDv7 that the account's key with this number was sent as; null of a key that is simulated. */
  textOf(account: number, key: number): string | null
}

export const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

/** Is the text a lowercase UUIDv7 (OM-108)? */
export const isUuidV7 = (text: string): boolean => UUID_V7.test(text)

function uuidText(bytes: Uint8Array, version: number): string {
  const own = Buffer.from(bytes.subarray(0, 16))
  own[6] = (own[6]! & 0x0f) | (version << 4)
  own[8] = (own[8]! & 0x3f) | 0x80
  const hex = own.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

/**
 * Every name that the wire gives to what the venue and the gate number: functions of (session key, kind, numbers) and of
 * the entity's origin (design.md, decision 6). A body is HMAC-SHA256 under the SHA-256 of the session key, over
 * `kind:number:…`.
 */
export class WireIdentity {
  private declare readonly ids: SessionDigests
  private declare readonly secrets: SessionDigests
  private declare readonly origins: EntityOrigins
  private declare readonly clientKeys: ClientKeys | null
  /** Every instant on the wire is the session's and this, µs. */
  declare readonly shiftUs: number

  /**
   * @param clientKeys null in a session without real clients.
   * @param shiftUs whole seconds, since terms that are signed have no others.
   */
  constructor(sessionKey: SessionKey, origins: EntityOrigins, clientKeys: ClientKeys | null = null, shiftUs = 0) {
    assert(shiftUs % SECOND_US === 0, 'dates are shifted by whole seconds')
    const { ids, secrets } = digestsOf(sessionKey)
    this.ids = ids
    this.secrets = secrets
    this.origins = origins
    this.clientKeys = clientKeys
    this.shiftUs = shiftUs
  }

  /** An instant of the session as clients read it: RFC 3339 in UTC (OM-031). */
  instant(us: number): string {
    return timestampText(us + this.shiftUs)
  }

  /** The same, or null where there is none (−1). */
  instantOrNull(us: number): string | null {
    return us === NONE ? null : this.instant(us)
  }

  /** Unix seconds of signed terms as clients read them (OM-032). */
  seconds(s: number): number {
    return s + this.shiftUs / SECOND_US
  }

  /** 32 bytes that stand for the numbers of a kind, and that nobody else can make, the caller's own. */
  seal(kind: IdKind, ...parts: (number | string)[]): Buffer {
    return this.secrets.sha256([kind, ...parts].join(':'))
  }

  private digest(kind: IdKind, ...numbers: number[]): Buffer {
    return this.ids.sha256([kind, ...numbers].join(':'))
  }

  /** A UUID of version 8, the version of RFC 9562 for ids made by a rule of one's own. */
  private uuid(kind: IdKind, number: number): string {
    return uuidText(this.digest(kind, number), 8)
  }

  /** A UUIDv7: its first 48 bits are the instant in whole milliseconds of Unix time. */
  private uuidV7(atUs: number, kind: IdKind, ...numbers: number[]): string {
    const bytes = this.digest(kind, ...numbers)
    bytes.writeUIntBE(Math.floor(atUs / MS_US), 0, 6)
    return uuidText(bytes, 7)
  }

  private hex(kind: IdKind, number: number): `0x${string}` {
    return `0x${this.digest(kind, number).toString('hex')}`
  }

  /** `account.id`, `maker_id`. */
  account(account: number): string {
    return this.uuid(IdKind.account, account)
  }

  /** `market_id`; clients name a market by its outcome_id. */
  market(outcome: number): string {
    return this.uuid(IdKind.market, outcome)
  }

  /** `rfq_id` (OM-030). */
  rfq(rfq: number): string {
    return this.uuidV7(this.origins.rfqCreatedAtUs(rfq) + this.shiftUs, IdKind.rfq, rfq)
  }

  /** `quote_id` (OM-029): 32 bytes. */
  quote(quote: number): `0x${string}` {
    return this.hex(IdKind.quote, quote)
  }

  /** `position_id` (OM-029): 32 bytes. */
  position(position: number): `0x${string}` {
    return this.hex(IdKind.position, position)
  }

  /**
   * The Idempotency-Key of an account's key number (OM-107): the client's own when it sent one, else the text that stands for a
   * simulated one. No instant belongs to a number of one's own choosing: its first 48 bits are the number, so that keys sort
   * as their numbers.
   */
  idempotencyKey(account: number, key: number): string {
    return this.clientKeys?.textOf(account, key) ?? this.uuidV7(key * MS_US, IdKind.key, account, key)
  }

  /** `acceptance_id`: the key of the accept (OM-080). */
  acceptance(acceptance: number): string {
    const { taker, key } = this.origins.acceptance(acceptance)
    return this.idempotencyKey(taker, key)
  }

  /** `operation_id`, and of a withdrawal its `withdrawal_id` (OM-030): a withdrawal is its operation. */
  operation(operation: number): string {
    return this.uuidV7(this.origins.operationStartedAtUs(operation) + this.shiftUs, IdKind.operation, operation)
  }

  reduction(reduction: number): string {
    return this.uuid(IdKind.reduction, reduction)
  }

  /** `request_id` of the call that became the command with this sequence number. */
  request(seq: number): string {
    return this.uuid(IdKind.request, seq)
  }

  /** `request_id` of a call that became no command: the edge numbers these calls as they come. */
  refusedCall(call: number): string {
    return this.uuid(IdKind.call, call)
  }

  /** `challenge_id` (OM-118). */
  challenge(challenge: number): string {
    return this.uuid(IdKind.challenge, challenge)
  }

  /** `id` of an API key, by its number as a credential (OM-037). */
  apiKey(credential: number): string {
    return this.uuid(IdKind.credential, credential)
  }

  /** Secret part of a key's text: 32 bytes, 43 characters. */
  secret(credential: number): string {
    return this.seal(IdKind.secret, credential).toString('base64url')
  }

  /** `access_token` of a wallet session (OM-097). */
  accessToken(credential: number): string {
    return this.seal(IdKind.token, credential).toString('base64url')
  }

  /** Address of the vault, to which every signature binds (OM-105). */
  vault(): `0x${string}` {
    return `0x${this.digest(IdKind.vault).subarray(12).toString('hex')}`
  }
}

/** `key` of a command that came without an Idempotency-Key, and with what is none. */
export const KeyHeader = { none: -1, malformed: -2 } as const

/**
 * The `key` of a command from the values of its Idempotency-Key headers: there must be exactly one, and it a lowercase
 * UUIDv7 (OM-107, OM-108).
 * @param numberOf number of the account's key with that text; the edge numbers them as they come.
 */
export function keyOfHeaders(values: readonly string[], numberOf: (text: string) => number): number {
  if (values.length === 0) return KeyHeader.none
  return values.length === 1 && isUuidV7(values[0]!) ? numberOf(values[0]!) : KeyHeader.malformed
}
