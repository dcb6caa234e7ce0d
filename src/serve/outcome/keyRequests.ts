import { z } from 'zod'
import { NONE } from '../../unit/none.ts'
import { days, scope, signatureOf, uuid } from './fields.ts'
import { parsed } from './violations.ts'

/** Most scopes that are looked at; how many a request may name is the gate's to say (OM-114). */
const SCOPES_LOOKED_AT = 1_024

const fields = {
  label: z.string().meta({ description: '1 to 80 characters.' }),
  scopes: z.array(scope).max(SCOPES_LOOKED_AT).meta({ description: '1 to 32 scopes, each of which applies to the account.' }),
  expires_in_days: days.nullable().meta({ description: '1 to 90, or null: the key never expires.' }),
}

interface Sent {
  readonly label: string
  readonly scopes: readonly number[]
  readonly expires_in_days: number | null
}

/** `scopes` as a ScopeBit mask, and how many were sent, repeated ones too; −1 days: the key never expires. */
const keyFieldsOf = ({ label, scopes, expires_in_days }: Sent) => ({
  label, scopes: scopes.reduce((mask, bit) => mask | (1 << bit), 0), scopeCount: scopes.length, expiresInDays: expires_in_days ?? NONE,
})

/** What an issue-key challenge is made for: the body of the request for a key without `proof` (OM-119). */
export const KeyChallengeRequest = z.strictObject(fields).transform(keyFieldsOf)

/** Body of `POST /v1/me/api-keys`: `label`, `scopes`, `expires_in_days` (null: never, OM-132), `proof` (OM-118). */
export const KeyRequest = z.strictObject({ ...fields, proof: z.strictObject({ challenge_id: uuid, signature: signatureOf('IssueKey') }) })
  .transform(({ proof, ...sent }) => ({ ...keyFieldsOf(sent), challengeId: proof.challenge_id, signature: proof.signature }))

export const keyChallengeRequest = (body: unknown) => parsed(KeyChallengeRequest, body)
export const keyRequest = (body: unknown) => parsed(KeyRequest, body)
