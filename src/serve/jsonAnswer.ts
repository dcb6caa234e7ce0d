import type { Answer, HeaderPairs } from './exchange.ts'

/** An answer with a body in JSON, or without a body. */
export function answerWith(status: number, body: object | null, headers: HeaderPairs): Answer {
  return body === null ? { status, headers, body: '' } : { status, headers: [['Content-Type', 'application/json'], ...headers], body: JSON.stringify(body) }
}
