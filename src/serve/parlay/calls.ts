import type { z } from 'zod'
import { isRejection, parseMarketsQuery } from '../../market/marketQuery.ts'
import type { Issue } from '../../venue/parlay/wire/errors.ts'
import { readJsonText } from '../http/jsonText.ts'
import { DUPLICATE, issuesOf, MALFORMED } from './issues.ts'
import type { ParlayRoute } from './routes.ts'
import type { RequestSchemas } from './schemas/requests.ts'

/** The longest body (PQ-410, readings A40). A longer one is PAYLOAD_TOO_LARGE and is not read. */
export const BODY_BYTES_MAX = 262_144

/** A call as it came, after its route was found. */
export interface SentCall {
  readonly params: Readonly<Record<string, string>>
  /** A parameter that stands several times is a list. */
  readonly query: Readonly<Record<string, string | readonly string[]>>
  /** The body, null where there is none or an empty one. */
  readonly body: Uint8Array | null
}

/** A call whose shape is right: what its route's schemas make of it. */
export interface Call {
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, unknown>>
  readonly body: unknown
  /** The body as JSON before any schema, which `input_legs` repeats. */
  readonly rawBody: unknown
}

export interface Misshapen {
  readonly issues: readonly Issue[]
}

export const isMisshapen = (call: Call | Misshapen): call is Misshapen => 'issues' in call

/** A maker's endpoint has events of its own (PQ-307). */
const bodySchema = (route: ParlayRoute, shapes: RequestSchemas, query: unknown): z.ZodType | null =>
  route.name === 'setWebhook' && (query as { owner_kind?: unknown }).owner_kind === 'mm' ? shapes.setWebhook.mm : route.body

/** Checks the shape of a call by its route's schemas. A misshapen one has an issue for each field that is wrong, of path, query and body. */
export function readCall(route: ParlayRoute, shapes: RequestSchemas, sent: SentCall): Call | Misshapen {
  const issues: Issue[] = []
  const checked = (schema: z.ZodType | null, value: unknown): unknown => {
    if (schema === null) return {}
    const { success, data, error } = schema.safeParse(value)
    if (!success) issues.push(...issuesOf(error))
    return data
  }
  const params = checked(route.params, sent.params) as Call['params']
  const query = checked(route.query, sent.query) as Call['query']
  if (route.name === 'listMarkets' && issues.length === 0) {
    const markets = parseMarketsQuery(query)
    if (isRejection(markets)) issues.push(...markets.issues)
  }
  const schema = bodySchema(route, shapes, sent.query)
  let rawBody: unknown = route.isBodyOptional ? {} : undefined
  if (schema !== null && sent.body !== null && sent.body.length > 0) {
    const read = readJsonText(sent.body)
    if ('fault' in read) return { issues: [...issues, ...(read.fault === 'duplicate' ? DUPLICATE : MALFORMED)] }
    rawBody = read.value
  }
  const body = checked(schema, rawBody)
  return issues.length > 0 ? { issues } : { params, query, body, rawBody }
}
