import type { Hex } from 'viem'
import { NONE } from '../../eventRows.ts'
import { SCOPE_NAMES } from '../protocol/access.ts'
import { COMMAND_LEGS_MAX } from '../protocol/commands.ts'
import { limbsOfDecimal } from '../protocol/outcomeId.ts'
import { BodyFields, type FieldViolation } from './bodyFields.ts'
import { countOf, hexOf, integerOf, sideOf } from './encoding.ts'

/** Largest request body, bytes (OM-278). */
export const BODY_BYTES_MAX = 65_536
const SIGNATURE_BYTES = 65
/** Most scopes that are looked at; how many a request may name is the gate's to say (OM-114). */
const SCOPES_LOOKED_AT = 1_024

/** A body that could be read, or why not: INVALID_REQUEST with these violations. */
export type Parsed<T> = { readonly ok: T } | { readonly violations: readonly FieldViolation[] }

const WHOLE: FieldViolation = { field: '', code: 'INVALID' }

/** The JSON value of a request body: UTF-8, at most 64 KiB (readings B19). */
export function readJson(bytes: Uint8Array): Parsed<unknown> {
  if (bytes.byteLength > BODY_BYTES_MAX) return { violations: [WHOLE] }
  try {
    return { ok: JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as unknown }
  } catch {
    return { violations: [WHOLE] }
  }
}

/** The body, unless something was wrong with a field or there was one that nobody asked for. */
export function parsed<T>(fields: BodyFields, body: T): Parsed<T> {
  fields.close()
  return fields.violations.length === 0 ? { ok: body } : { violations: fields.violations }
}

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null)
const outcomeIdText = (value: unknown): string | null => (typeof value === 'string' && limbsOfDecimal(value) !== null ? value : null)
const signatureOf = (value: unknown): Hex | null => hexOf(value, SIGNATURE_BYTES)
const generationOf = (value: unknown): number | null => (value === 0 ? null : countOf(value))
const signatureIn = (fields: BodyFields): Hex => fields.required('signature', signatureOf) ?? '0x'

export interface LegRequest {
  readonly outcomeId: string
  /** A `Side`. */
  readonly side: number
}

export interface RfqRequest {
  readonly stakeMicros: number
  readonly legs: readonly LegRequest[]
}

function legOf(item: unknown, pointer: string, violations: FieldViolation[]): LegRequest {
  const fields = new BodyFields(item, pointer, violations)
  const leg = { outcomeId: fields.required('outcome_id', outcomeIdText) ?? '', side: fields.required('side', sideOf) ?? NONE }
  fields.close()
  return leg
}

/** Body of `POST /v1/rfqs` (OM-036): `stake`, `legs`. Order, number and state of the legs are the venue's to check. */
export function rfqRequest(body: unknown): Parsed<RfqRequest> {
  const fields = new BodyFields(body)
  const stakeMicros = fields.required('stake', integerOf) ?? NONE
  const legs = fields.items('legs', 0, COMMAND_LEGS_MAX, (item, pointer) => legOf(item, pointer, fields.violations)) ?? []
  return parsed(fields, { stakeMicros, legs })
}

export interface QuoteRequest {
  readonly payoutMicros: number
  readonly expiryS: number
  /** −1: whichever. */
  readonly generation: number
  readonly signature: Hex
}

/** Body of a quote (chosen): `payout` (of a cash-out the price), `expiry`, `signature`, and `generation` when it must be that one. */
export function quoteRequest(body: unknown): Parsed<QuoteRequest> {
  const fields = new BodyFields(body)
  const payoutMicros = fields.required('payout', integerOf) ?? NONE
  const expiryS = fields.required('expiry', countOf) ?? NONE
  const generation = fields.optional('generation', generationOf, NONE) ?? NONE
  return parsed(fields, { payoutMicros, expiryS, generation, signature: signatureIn(fields) })
}

export interface AcceptRequest {
  /** −1: whichever. */
  readonly generation: number
  /** −1: no part of the stake comes out of the core wallet. */
  readonly coreMicros: number
  /** −1 of a cash-out, which funds nothing. */
  readonly validAfterS: number
  readonly validBeforeS: number
  readonly signature: Hex
}

/** Body of an accept (chosen): `signature`; of an entry `valid_after` and `valid_before`; optionally `generation` and `funding.core`. */
export function acceptRequest(body: unknown): Parsed<AcceptRequest> {
  const fields = new BodyFields(body)
  const generation = fields.optional('generation', generationOf, NONE) ?? NONE
  const funding = fields.object('funding', 'optional')
  const coreMicros = funding?.required('core', integerOf) ?? NONE
  funding?.close()
  const validAfterS = fields.optional('valid_after', countOf, NONE) ?? NONE
  const validBeforeS = fields.optional('valid_before', countOf, NONE) ?? NONE
  return parsed(fields, { generation, coreMicros, validAfterS, validBeforeS, signature: signatureIn(fields) })
}

/** A decline moves no funds and carries no signature. */
export type ConfirmRequest = { readonly decision: 'CONFIRM'; readonly signature: Hex } | { readonly decision: 'DECLINE' }

/** Body of a confirm (chosen): `decision`, and with CONFIRM the `signature` (OM-083). */
export function confirmRequest(body: unknown): Parsed<ConfirmRequest> {
  const fields = new BodyFields(body)
  const decision = fields.required('decision', (value) => (value === 'CONFIRM' || value === 'DECLINE' ? value : null))
  if (decision === 'DECLINE') return parsed(fields, { decision })
  return parsed(fields, { decision: 'CONFIRM', signature: signatureIn(fields) })
}

/** Body of a cancel, of a cash-out: an object without fields (chosen). */
export const emptyRequest = (body: unknown): Parsed<Readonly<Record<string, never>>> => parsed(new BodyFields(body), {})

export interface WithdrawRequest {
  readonly amountMicros: number
  /** −1: no Exit. */
  readonly exitUntilS: number
  readonly validAfterS: number
  readonly validBeforeS: number
  readonly signature: Hex
}

/** Body of a withdrawal (chosen): `amount`, `valid_after`, `valid_before`, `signature`, and `exit.expiry` when there is an Exit. */
export function withdrawRequest(body: unknown): Parsed<WithdrawRequest> {
  const fields = new BodyFields(body)
  const amountMicros = fields.required('amount', integerOf) ?? NONE
  const exit = fields.object('exit', 'optional')
  const exitUntilS = exit?.required('expiry', countOf) ?? NONE
  exit?.close()
  const validAfterS = fields.required('valid_after', countOf) ?? NONE
  const validBeforeS = fields.required('valid_before', countOf) ?? NONE
  return parsed(fields, { amountMicros, exitUntilS, validAfterS, validBeforeS, signature: signatureIn(fields) })
}

export interface ReductionRequest {
  readonly amountMicros: number
  readonly signature: Hex
}

/** Body of a collateral reduction (chosen): `amount`, `signature`. */
export function reductionRequest(body: unknown): Parsed<ReductionRequest> {
  const fields = new BodyFields(body)
  const amountMicros = fields.required('amount', integerOf) ?? NONE
  return parsed(fields, { amountMicros, signature: signatureIn(fields) })
}

export interface KeyFields {
  readonly label: string
  /** ScopeBit mask. */
  readonly scopes: number
  /** Scopes as sent, repeated ones too. */
  readonly scopeCount: number
  /** −1: the key never expires. */
  readonly expiresInDays: number
}

export interface KeyRequest extends KeyFields {
  readonly challengeId: string
  readonly signature: Hex
}

function keyFieldsIn(fields: BodyFields): KeyFields {
  const label = fields.required('label', textOf) ?? ''
  const bits = fields.items('scopes', 0, SCOPES_LOOKED_AT, (item, pointer) => {
    const bit = SCOPE_NAMES.findIndex((name) => name === item)
    if (bit < 0) fields.violations.push({ field: pointer, code: 'INVALID' })
    return bit
  }) ?? []
  const expiresInDays = fields.nullable('expires_in_days', countOf, NONE) ?? NONE
  return { label, scopes: bits.reduce((mask, bit) => mask | (1 << bit), 0), scopeCount: bits.length, expiresInDays }
}

/** What an issue-key challenge is made for: the body of the request for a key without `proof` (OM-119). */
export function keyChallengeRequest(body: unknown): Parsed<KeyFields> {
  const fields = new BodyFields(body)
  return parsed(fields, keyFieldsIn(fields))
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Body of `POST /v1/me/api-keys`: `label`, `scopes`, `expires_in_days` (null: never, OM-132), `proof` (OM-118). */
export function keyRequest(body: unknown): Parsed<KeyRequest> {
  const fields = new BodyFields(body)
  const own = keyFieldsIn(fields)
  const proof = fields.object('proof', 'required')
  const challengeId = proof?.required('challenge_id', (value) => (typeof value === 'string' && UUID.test(value) ? value : null)) ?? ''
  const signature = proof === null ? '0x' : signatureIn(proof)
  proof?.close()
  return parsed(fields, { ...own, challengeId, signature })
}
