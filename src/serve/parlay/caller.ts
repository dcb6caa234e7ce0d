import { Credential } from '../../venue/parlay/protocol/access.ts'
import { credentialOf } from '../../venue/parlay/wire/apiKey.ts'
import type { HeaderPairs } from '../exchange.ts'
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

/** Account of a JWT of the identity provider that is good at an instant of the wire, or −1 (PQ-261). */
export type AccountOfJwt = (token: string, wireUs: number) => number

export const NOBODY: Caller = { account: -1, credential: Credential.none, isNamed: false }
const REFUSED: Caller = { ...NOBODY, isNamed: true }
const BEARER = /^bearer +(\S+)$/i

/** The caller of a text that is said to be an API key (PQ-260, PQ-271). */
export function callerOfKey(text: string, names: KnownNames): Caller {
  const key = names.keyOfText(text)
  return { account: key?.account ?? -1, credential: credentialOf(text, () => key?.number), isNamed: true }
}

/**
 * The caller by `X-API-Key`, or by `Authorization: Bearer` where there is none (PQ-140, PQ-263). A header that stands twice is no credential,
 * nor is another scheme.
 */
export function callerOf(headers: HeaderPairs, wireUs: number, names: KnownNames, accountOfJwt: AccountOfJwt): Caller {
  const [key, ...otherKeys] = valuesOf(headers, 'x-api-key')
  if (key !== undefined) return otherKeys.length > 0 ? REFUSED : callerOfKey(key, names)
  const [authorization, ...others] = valuesOf(headers, 'authorization')
  if (authorization === undefined) return NOBODY
  const token = others.length === 0 ? BEARER.exec(authorization)?.[1] : undefined
  const account = token === undefined ? -1 : accountOfJwt(token, wireUs)
  return account < 0 ? REFUSED : { account, credential: Credential.jwt, isNamed: true }
}
