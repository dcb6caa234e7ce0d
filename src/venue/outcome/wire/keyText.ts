import { timingSafeEqual } from 'node:crypto'
import { Credential } from '../protocol/access.ts'
import type { WireIdentity } from './identity.ts'

export const KEY_PREFIX = 'outcome'
/** `environment` of a key, and the marker in its text: a simulator trades no money. */
export const ENVIRONMENT = 'test'

const KEY = new RegExp(`^${KEY_PREFIX}_v1_(production|${ENVIRONMENT})_([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\\.([A-Za-z0-9_-]{43})$`)
const BEARER = /^bearer ([\x21-\x7e]+)$/i

/** The parts of a key's text (OM-135). */
export interface KeyParts {
  readonly environment: string
  readonly keyId: string
  readonly secret: string
}

/** Full text of an API key: `<prefix>_v1_<env>_<key_id>.<secret>` (OM-135). */
export const keyText = (identity: WireIdentity, credential: number): string =>
  `${KEY_PREFIX}_v1_${ENVIRONMENT}_${identity.apiKey(credential)}.${identity.secret(credential)}`

/** The parts of a key's text, or null when it is none of this service: so is a key of the parlay service (OM-004). */
export function partsOfKey(text: string): KeyParts | null {
  const match = KEY.exec(text)
  return match === null ? null : { environment: match[1]!, keyId: match[2]!, secret: match[3]! }
}

/** What the edge has given out: credential numbers by key id and by access token, undefined when there is none. */
export interface GivenCredentials {
  keyOfId(keyId: string): number | undefined
  sessionOfToken(accessToken: string): number | undefined
}

const sameText = (a: string, b: string): boolean => a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))

/**
 * The `credential` of a command from its Authorization header, `Bearer <API_KEY>` (OM-134) or `Bearer <access_token>`
 * (OM-136): a number, `Credential.none` without a header, `Credential.malformed` for what was never given out. Whether it is
 * still good is for the gate to say.
 */
export function credentialOf(identity: WireIdentity, header: string | undefined, given: GivenCredentials): number {
  if (header === undefined || header === '') return Credential.none
  const token = BEARER.exec(header)?.[1]
  if (token === undefined) return Credential.malformed
  const parts = partsOfKey(token)
  if (parts === null) return given.sessionOfToken(token) ?? Credential.malformed
  const number = given.keyOfId(parts.keyId)
  return number !== undefined && sameText(token, keyText(identity, number)) ? number : Credential.malformed
}
