import { Credential, SCOPE_NAMES } from '../protocol/access.ts'
import type { KeyView } from '../protocol/gate.ts'
import type { WireIdentity } from './identity.ts'

const FORMAT = /^api_(live|test)_[A-Za-z0-9_-]{28,36}$/
/** `api_test_` and the first eight characters of the random part: what a list shows and `DELETE /v1/api-keys/{prefix}` takes. */
const PREFIX_LENGTH = 17

/** Whether the text has the form of a key of this service (PQ-265). */
export const isApiKey = (text: string): boolean => FORMAT.test(text)

export const prefixOfApiKey = (key: string): string => key.slice(0, PREFIX_LENGTH)

/**
 * The `credential` of a command from an `X-API-Key` header: a key's number, `Credential.wrongType` for a text that does not
 * begin with `api_` (PQ-271), `Credential.none` for a missing, malformed (readings A38) or unknown one. Whether the key is
 * active is for the gate to say.
 * @param numberOf number of the key with that full text, undefined when there is none.
 */
export function credentialOf(header: string | undefined, numberOf: (key: string) => number | undefined): number {
  if (header === undefined || header === '') return Credential.none
  if (!header.startsWith('api_')) return Credential.wrongType
  return isApiKey(header) ? numberOf(header) ?? Credential.none : Credential.none
}

/** A key as the list shows it, without its text. States are those of the document, in lower case (PQ-107). */
export interface ApiKeyBody {
  readonly prefix: string
  readonly scopes: readonly string[]
  readonly status: KeyView['state']
  readonly expires_at: string | null
}

/** Record of a key for the list (chosen: the document does not show it). Its full text is not in it (PQ-266). */
export function apiKeyBody(identity: WireIdentity, key: KeyView): ApiKeyBody {
  return {
    prefix: prefixOfApiKey(identity.apiKey(key.number)),
    scopes: SCOPE_NAMES.filter((_, bit) => (key.scopes & (1 << bit)) !== 0),
    status: key.state,
    expires_at: key.expiresAtUs < 0 ? null : identity.instant(key.expiresAtUs),
  }
}

/** Answer to the creation of a key: the only body with its full text (PQ-266). */
export const createdApiKeyBody = (identity: WireIdentity, key: KeyView): ApiKeyBody & { readonly key: string } =>
  ({ key: identity.apiKey(key.number), ...apiKeyBody(identity, key) })
