import { timingSafeEqual } from 'node:crypto'
import type { Hex } from 'viem'
import { MINUTE_US } from '../../../unit/time.ts'
import { OutcomeCode } from '../protocol/codes.ts'
import { CHAIN_ID } from '../protocol/terms.ts'
import { timestampText } from './encoding.ts'
import { IdKind, type WireIdentity } from './identity.ts'
import { recover } from './signing.ts'
import { viemUtils } from './viemUtils.ts'

/** How long the message of a sign-in can be signed, as that of a key (OM-142). */
export const SIGN_IN_LIFE_US = 5 * MINUTE_US

const STATEMENT = 'Sign in to the outcome-market RFQ service.'
const RADIX = 36
/** Characters of an instant in µs: enough until the year 5138. */
const INSTANT_LENGTH = 11
const TAG_LENGTH = 32
const READ = /^[^\n]+\n(0x[0-9a-fA-F]{40})\n\n[^\n]+\n\nURI: ([^\n]+)\nVersion: 1\nChain ID: \d+\nNonce: ([0-9a-z]{11})[0-9a-f]{32}\n/

/** What a sign-in was asked for: whose wallet, on which page, and when. */
export interface SignInRequest {
  /** Lowercase. */
  readonly address: Hex
  /** Serialized, as browsers send it: `https://host` or `https://host:port`. */
  readonly origin: string
  readonly issuedAtUs: number
}

const tagOf = (identity: WireIdentity, { address, origin, issuedAtUs }: SignInRequest): string =>
  identity.seal(IdKind.signIn, address, origin, issuedAtUs).toString('hex').slice(0, TAG_LENGTH)

/**
 * The text that a wallet signs to sign in (OM-293, chosen): EIP-4361, for chain 999. Its nonce is the instant and a tag over all of the
 * request, so that nothing needs to be remembered until it comes back.
 */
export function signInMessage(identity: WireIdentity, request: SignInRequest): string {
  const { address, origin, issuedAtUs } = request
  return [
    `${new URL(origin).host} wants you to sign in with your Ethereum account:`,
    viemUtils().getAddress(address),
    '',
    STATEMENT,
    '',
    `URI: ${origin}`,
    'Version: 1',
    `Chain ID: ${CHAIN_ID}`,
    `Nonce: ${issuedAtUs.toString(RADIX).padStart(INSTANT_LENGTH, '0')}${tagOf(identity, request)}`,
    `Issued At: ${timestampText(issuedAtUs)}`,
    `Expiration Time: ${timestampText(issuedAtUs + SIGN_IN_LIFE_US)}`,
  ].join('\n')
}

const isSame = (a: string, b: string): boolean => {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}

/** The request that a message of this session was made for; null for every other text. */
function requestOf(identity: WireIdentity, message: string): SignInRequest | null {
  const match = READ.exec(message)
  if (match === null || !URL.canParse(match[2]!)) return null
  const request = { address: match[1]!.toLowerCase() as Hex, origin: match[2]!, issuedAtUs: parseInt(match[3]!, RADIX) }
  return isSame(message, signInMessage(identity, request)) ? request : null
}

/** A sign-in that was proven, or the code of its refusal. */
export type SignInProof = { readonly ok: SignInRequest } | { readonly code: number }

/**
 * Checks a sign-in: a message of this session (else `invalidRequest`), for the page that calls (`unauthenticated`, readings B18), in time
 * (`stateConflict`, over at its expiry), and signed by the wallet that it names, as `personal_sign` signs (EIP-191; `invalidSignature`).
 */
export function proveSignIn(identity: WireIdentity, origin: string, message: string, signature: string, nowUs: number): SignInProof {
  const request = requestOf(identity, message)
  if (request === null) return { code: OutcomeCode.invalidRequest }
  if (request.origin !== origin) return { code: OutcomeCode.unauthenticated }
  if (nowUs >= request.issuedAtUs + SIGN_IN_LIFE_US) return { code: OutcomeCode.stateConflict }
  const signer = recover(viemUtils().hashMessage(message), signature)
  return signer === request.address ? { ok: request } : { code: OutcomeCode.invalidSignature }
}
