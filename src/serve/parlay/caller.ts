import { Credential } from '../../venue/parlay/protocol/access.ts'
import { credentialOf } from '../../venue/parlay/wire/apiKey.ts'
import type { Exchange, IdentityToken } from '../exchange.ts'
import { valuesOf } from '../headers.ts'
import type { KnownNames } from './records/names.ts'

/** Who calls, as far as the call's headers say. Whether the credential is good for anything, the gate says. */
export interface Caller {
  /** Number of the account, −1 for nobody. */
  readonly account: number
  /** A key's number, or a `Credential`. */
  readonly credential: number
  /** Whether the call names a credential at all. */
  readonly isNamed: boolean
}

export const NOBODY: Caller = { account: -1, credential: Credential.none, isNamed: false }
const REFUSED: Caller = { ...NOBODY, isNamed: true }

/** The caller of a text that is said to be an API key (PQ-260, PQ-271). */
export function callerOfKey(text: string, names: KnownNames): Caller {
  const key = names.keyOfText(text)
  return { account: key?.account ?? -1, credential: credentialOf(text, () => key?.number), isNamed: true }
}

/**
 * The caller by `X-API-Key`, or by `Authorization: Bearer` where there is none (PQ-140, PQ-263). A header that stands twice is no credential,
 * nor is another scheme, nor a JWT that is not good at the instant of the wire (PQ-261).
 */
export function callerOf({ headers, token }: Pick<Exchange, 'headers' | 'token'>, wireUs: number, names: KnownNames): Caller {
  const [key, ...otherKeys] = valuesOf(headers, 'x-api-key')
  if (key !== undefined) return otherKeys.length > 0 ? REFUSED : callerOfKey(key, names)
  const [authorization, ...others] = valuesOf(headers, 'authorization')
  if (authorization === undefined) return NOBODY
  const account = others.length === 0 && token !== undefined && isGood(token, wireUs) ? names.account(token.subject) : -1
  return account < 0 ? REFUSED : { account, credential: Credential.jwt, isNamed: true }
}

const isGood = ({ notBeforeUs, expiresAtUs }: IdentityToken, wireUs: number): boolean => notBeforeUs <= wireUs && wireUs < expiresAtUs
