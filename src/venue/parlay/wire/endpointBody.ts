import type { EndpointView } from '../protocol/gate.ts'
import { OwnerKind, WEBHOOK_EVENT_NAMES } from '../protocol/webhooks.ts'
import type { WireIdentity } from './identity.ts'

/** A webhook endpoint as `GET /v1/webhooks` shows it (fields chosen). Its secret is not in it (PQ-318). */
export interface EndpointBody {
  readonly owner_kind: 'user' | 'mm'
  readonly url: string
  readonly events: readonly string[]
  readonly has_secret: boolean
}

/** @param url where it is, which the edge keeps: no row or rule depends on it. */
export const endpointBody = (endpoint: EndpointView, url: string): EndpointBody => ({
  owner_kind: endpoint.owner === OwnerKind.maker ? 'mm' : 'user',
  url,
  events: WEBHOOK_EVENT_NAMES.filter((_, event) => (endpoint.events & (1 << event)) !== 0),
  has_secret: endpoint.secret > 0,
})

/** Answer to a rotation: the one body with the secret of the new generation (PQ-318). */
export const rotatedSecretBody = (identity: WireIdentity, account: number, owner: 0 | 1, generation: number): { readonly secret: string } =>
  ({ secret: identity.webhookSecret(account, owner, generation) })
