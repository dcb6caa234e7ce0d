import { hashMessage, type Hex } from 'viem'
import { sign } from '../../../../src/venue/outcome/wire/signing.ts'
import { type OutcomeBench, PAGE, type Who } from './bench.ts'

/** A wallet session of a seat, by its access_token. */
export function session(b: OutcomeBench, as: Who, origin = PAGE): string {
  const { wallet_address, wallet_private_key } = b.seat(as)
  const { message } = b.call('POST', '/v1/auth/wallet-challenges', { origin, body: { address: wallet_address } }).body
  const signature = sign(hashMessage(message), wallet_private_key as Hex)
  return b.call('POST', '/v1/auth/wallet-sessions', { origin, body: { message, signature } }).body.access_token
}

/** The body of a request for a key, proven by the seat's wallet. */
export function keyBody(b: OutcomeBench, as: Who, token: string, { label = 'bot', scopes = ['account:read', 'rfq:read'], days = 30 as number | null } = {}) {
  const fields = { label, scopes, expires_in_days: days }
  const { challenge_id } = b.call('POST', '/v1/me/api-key-challenges', { bearer: token, origin: PAGE, body: fields }).body
  const signature = b.sign(as, 'IssueKey', { account: b.idOf(as), challengeId: challenge_id, label, scopes, expiresInDays: days ?? 0 })
  return { ...fields, proof: { challenge_id, signature } }
}
