import { isoOfTimeUs } from '../../../unit/time.ts'
import { digestsOf, type SessionDigests, type SessionKey } from '../../wire/sessionDigests.ts'
import type { OwnerKind } from '../protocol/webhooks.ts'

type Owner = (typeof OwnerKind)[keyof typeof OwnerKind]

/** What a number counts. Each kind has ids of its own. The texts are part of the ids, so that changing one changes all of its ids. */
export const IdKind = {
  account: 'account', request: 'request', rfq: 'rfq', leg: 'leg', quote: 'quote', auction: 'auction', event: 'event',
  position: 'position', transaction: 'transaction', secret: 'secret', key: 'key', bid: 'bid', vault: 'vault', vaultTokens: 'vaultTokens',
} as const
export type IdKind = (typeof IdKind)[keyof typeof IdKind]

const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
const SECRET_PREFIX = 'whsec_'
const KEY_BYTES = 24
/** Ids of a kind that are kept as texts. */
const KEPT_MAX = 16_384

/** Bytes in base 58, as the chain writes keys and signatures: each leading zero byte is a leading `1`. */
export function base58(bytes: Uint8Array): string {
  let rest = BigInt(`0x${Buffer.from(bytes).toString('hex') || '0'}`)
  let text = ''
  for (; rest > 0n; rest /= 58n) text = BASE58[Number(rest % 58n)]! + text
  for (let i = 0; i < bytes.length && bytes[i] === 0; i++) text = `1${text}`
  return text
}

/** A UUID of version 8 and of the variant of RFC 9562 (sections 4.1 and 5.8), of the first 16 bytes of a digest in hex. */
function uuidOf(hex: string): string {
  const variant = ((parseInt(hex[16]!, 16) & 0b0011) | 0b1000).toString(16)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

/**
 * The names that the wire gives to what the venue numbers. They are functions of (session key, kind, numbers) and of nothing
 * else (design.md, decision 6). A body is HMAC-SHA256 under the SHA-256 of the session key, over `kind:number:…`.
 */
export class WireIdentity {
  private declare readonly ids: SessionDigests
  private declare readonly secrets: SessionDigests
  /** The last ids of things with one number, by kind: those of accounts and of open requests are asked for again and again. */
  private readonly kept = new Map<IdKind, Map<number, string>>()
  /** Every instant on the wire is the session's and this, µs. */
  declare readonly shiftUs: number

  constructor(sessionKey: SessionKey, shiftUs = 0) {
    const { ids, secrets } = digestsOf(sessionKey)
    this.ids = ids
    this.secrets = secrets
    this.shiftUs = shiftUs
  }

  /** An instant of the session as clients read it: ISO 8601 (PQ-021). */
  instant(us: number): string {
    return isoOfTimeUs(us + this.shiftUs)
  }

  private digest(kind: IdKind, numbers: readonly number[], algorithm: 'sha256' | 'sha512' = 'sha256'): Buffer {
    return this.ids[algorithm]([kind, ...numbers].join(':'))
  }

  private secret(kind: IdKind, numbers: readonly number[]): Buffer {
    return this.secrets.sha256([kind, ...numbers].join(':'))
  }

  /** A UUID of version 8, the version of RFC 9562 for ids that are made by a custom rule. */
  uuid(kind: IdKind, ...numbers: number[]): string {
    return uuidOf(this.ids.hex256([kind, ...numbers].join(':')))
  }

  private numbered(kind: IdKind, number: number): string {
    let kept = this.kept.get(kind)
    if (kept === undefined) this.kept.set(kind, kept = new Map())
    let text = kept.get(number)
    if (text === undefined) {
      text = uuidOf(this.ids.hex256(`${kind}:${number}`))
      if (kept.size === KEPT_MAX) kept.clear()
      kept.set(number, text)
    }
    return text
  }

  /** `user_id` and every `…mm_id`: an account bets and makes under one name (PQ-011). */
  account(account: number): string {
    return this.numbered(IdKind.account, account)
  }

  request(request: number): string {
    return this.numbered(IdKind.request, request)
  }

  /** `rfq_id`, which a request has from its creation on (readings A19). It is not the request's id. */
  rfq(request: number): string {
    return this.numbered(IdKind.rfq, request)
  }

  /** Id of a validated leg (PQ-052), by its place in one version of a request. */
  leg(request: number, version: number, place: number): string {
    return this.uuid(IdKind.leg, request, version, place)
  }

  quote(quote: number): string {
    return this.numbered(IdKind.quote, quote)
  }

  auction(auction: number): string {
    return this.numbered(IdKind.auction, auction)
  }

  bid(bid: number): string {
    return this.numbered(IdKind.bid, bid)
  }

  /** Id of a webhook's event, and of the delivery that brings it to one endpoint: the same in every attempt (PQ-134). */
  event(delivery: number): string {
    return this.uuid(IdKind.event, delivery)
  }

  /** On-chain id of a position: 32 bytes, 64 lowercase hex digits (PQ-090, PQ-091). */
  position(position: number): string {
    return this.digest(IdKind.position, [position]).toString('hex')
  }

  /** `vault_pda`: the address of an account's vault on the chain, 32 bytes in base 58 (PQ-071). */
  vault(account: number): string {
    return base58(this.digest(IdKind.vault, [account]))
  }

  /** `vault_token_account`: the address that holds the vault's USDC. */
  vaultTokens(account: number): string {
    return base58(this.digest(IdKind.vaultTokens, [account]))
  }

  /** `tx_signature` of the chain transaction behind the event row `seq`: 64 bytes in base 58. */
  txSignature(seq: number): string {
    return base58(this.digest(IdKind.transaction, [seq], 'sha512'))
  }

  /** Signing secret of an endpoint, of a generation from 1 (PQ-318, PQ-326). */
  webhookSecret(account: number, owner: Owner, generation: number): string {
    return SECRET_PREFIX + this.secret(IdKind.secret, [account, owner, generation]).toString('base64url')
  }

  /** Full text of the key with that number (PQ-265): 24 bytes, 32 characters; `api_test_`, since a simulator trades no money. */
  apiKey(key: number): string {
    return `api_test_${this.secret(IdKind.key, [key]).subarray(0, KEY_BYTES).toString('base64url')}`
  }
}
