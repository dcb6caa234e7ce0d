import type { z } from 'zod'
import { OutcomeCode } from '../../venue/outcome/protocol/codes.ts'
import type { FieldViolation } from '../../venue/outcome/wire/errors.ts'
import { readJson } from './requestBody.ts'
import type { OutcomeRoute } from './routes.ts'
import { confirmRequest } from './tradeRequests.ts'
import { parsed, type Parsed, WHOLE } from './violations.ts'

/** A call as it came, after its route was found. */
export interface SentCall {
  readonly params: Readonly<Record<string, string>>
  /** A parameter that stands several times is a list. */
  readonly query: Readonly<Record<string, string | readonly string[]>>
  /** Empty without one. */
  readonly body: Uint8Array
}

/** A call whose shape is right: what its route's schemas make of it. */
export interface Call {
  readonly params: Readonly<Record<string, string>>
  readonly query: { readonly limit?: number; readonly cursor?: string }
  readonly body: unknown
}

/** What is wrong with a call that could not be read: its code, and the fields. */
export interface Fault {
  readonly code: number
  readonly violations: readonly FieldViolation[]
}

/** A call that was read, or its fault. `value` is the JSON value of its body; undefined without one, and for what is none. */
export interface CallRead {
  readonly call: Call | null
  readonly fault: Fault | null
  readonly value: unknown
}

const EMPTY: Parsed<unknown> = { ok: {} }

/** Checks the shape of a call by its route's schemas: its path first, then its query, then its body. */
export function readCall(route: OutcomeRoute, { params, query, body }: SentCall): CallRead {
  const json = readBody(route, body)
  const value = 'ok' in json ? json.ok : undefined
  const read = { params: checked(route.params, params), query: checked(route.query, query), body: 'ok' in json ? bodyOf(route, json.ok) : json }
  const violations = [...violationsOf(read.params), ...violationsOf(read.body)]
  const fault = violations.length > 0 ? { code: OutcomeCode.invalidRequest, violations }
    : 'ok' in read.query ? null : { code: OutcomeCode.invalidQuery, violations: [] }
  if (fault !== null) return { call: null, fault, value }
  return { call: { params, query: okOf(read.query) as Call['query'], body: okOf(read.body) }, fault: null, value }
}

const violationsOf = (read: Parsed<unknown>): readonly FieldViolation[] => ('violations' in read ? read.violations : [])
/** Precondition: it could be read. */
const okOf = (read: Parsed<unknown>): unknown => (read as { readonly ok: unknown }).ok

/** A route without a schema takes nothing. */
function checked(schema: z.ZodType | null, input: Readonly<Record<string, unknown>>): Parsed<unknown> {
  if (schema !== null) return parsed(schema, input)
  return Object.keys(input).length === 0 ? EMPTY : { violations: [WHOLE] }
}

function readBody(route: OutcomeRoute, bytes: Uint8Array): Parsed<unknown> {
  if (route.body === null || (bytes.length === 0 && route.isBodyOptional)) return EMPTY
  return readJson(bytes)
}

function bodyOf(route: OutcomeRoute, value: unknown): Parsed<unknown> {
  if (route.body === null) return EMPTY
  return route.name === 'confirmQuote' ? confirmRequest(value) : parsed(route.body, value)
}
