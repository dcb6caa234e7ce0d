import { createHmac, timingSafeEqual } from 'node:crypto'
import { SECOND_US } from '../../../unit/time.ts'

/** How far a signature's time may lie from the receiver's clock, on either side and inclusive (PQ-320). */
export const TOLERANCE_US = 300 * SECOND_US

const DIGITS = /^\d{1,15}$/
const MAC = /^[0-9a-f]{64}$/

/** The request of one attempt: its headers and the bytes that `v1` signs. */
export interface WebhookRequest {
  readonly headers: Readonly<Record<WebhookHeader, string>>
  readonly body: string
}
export type WebhookHeader = 'X-Service-Signature' | 'X-Service-Event-Id' | 'X-Service-Event-Type' | 'Content-Type'

const macOf = (secret: string, seconds: string, body: string | Uint8Array): Buffer =>
  createHmac('sha256', secret).update(`${seconds}.`).update(body).digest()

/** `X-Service-Signature`: HMAC-SHA256 of `<t>.<raw body>`, keyed with the whole text of the secret, prefix included (PQ-313, PQ-317). */
export const signatureOf = (secret: string, unixSeconds: number, body: string | Uint8Array): string =>
  `t=${unixSeconds},v1=${macOf(secret, String(unixSeconds), body).toString('hex')}`

/** A signed attempt at `atUs`: each signs anew, with the secret of its own time (readings A40). `t` is rounded down to whole seconds. */
export function webhookRequest(secret: string, atUs: number, event: { readonly id: string; readonly type: string }, body: string): WebhookRequest {
  return {
    headers: {
      'X-Service-Signature': signatureOf(secret, Math.floor(atUs / SECOND_US), body),
      'X-Service-Event-Id': event.id,
      'X-Service-Event-Type': event.type,
      'Content-Type': 'application/json',
    },
    body,
  }
}

/** `t` and `v1` of a header, or null when the header does not have this form. Unknown parts are ignored, but `t` or `v1` may not come twice. */
function partsOf(header: string): { seconds: string; mac: string } | null {
  const parts = header.split(',').map((part) => part.trim())
  const valuesOf = (name: string): string[] => parts.filter((part) => part.startsWith(`${name}=`)).map((part) => part.slice(name.length + 1))
  const [seconds, ...otherSeconds] = valuesOf('t')
  const [mac, ...otherMacs] = valuesOf('v1')
  if (seconds === undefined || mac === undefined || otherSeconds.length + otherMacs.length > 0) return null
  return DIGITS.test(seconds) && MAC.test(mac) ? { seconds, mac } : null
}

/**
 * What a receiver does with a delivery at `nowUs` (PQ-319…322): parses the header, refuses a time more than five minutes
 * away on either side, computes the MAC anew over the bytes as they came, and compares in constant time.
 */
export function verifySignature(secret: string, header: string, body: string | Uint8Array, nowUs: number): 'ok' | 'malformed' | 'stale' | 'mismatch' {
  const parts = partsOf(header)
  if (parts === null) return 'malformed'
  // Written so that everything is stale for a clock that is not a number.
  if (!(Math.abs(Number(parts.seconds) * SECOND_US - nowUs) <= TOLERANCE_US)) return 'stale'
  return timingSafeEqual(macOf(secret, parts.seconds, body), Buffer.from(parts.mac, 'hex')) ? 'ok' : 'mismatch'
}
