import { randomBytes } from 'node:crypto'

const MS_US = 1000

/** A lowercase UUIDv7 (RFC 9562) of an instant, µs: an Idempotency-Key that no other command has. */
export function idempotencyKey(nowUs: number): string {
  const time = Math.floor(nowUs / MS_US).toString(16).padStart(12, '0')
  const drawn = randomBytes(10)
  drawn[0] = (drawn[0]! & 0x0f) | 0x70
  drawn[2] = (drawn[2]! & 0x3f) | 0x80
  const hex = time + drawn.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}
