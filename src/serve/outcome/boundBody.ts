import { createHash } from 'node:crypto'
import { Keyed, type OutcomeCommand } from '../../venue/outcome/protocol/commands.ts'

/** Deepest body that is bound by its values. No body that is read is as deep. */
const DEPTH_MAX = 16
/** Hexadecimal digits of a tag: 52 bits, so that it is a safe integer. */
const TAG_DIGITS = 13
/** No command may have this as an id or a number, so it is refused as `invalidRequest` of the field. */
const UNREADABLE = 2 ** 53

/** A JSON value with the fields of each object in order (RFC 8785); null when it is too deep. */
function canonical(value: unknown, depth = 0): string | null {
  if (depth > DEPTH_MAX) return null
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const parts: string[] = []
  const isList = Array.isArray(value)
  for (const name of isList ? value.keys() : Object.keys(value).toSorted()) {
    const text = canonical((value as Readonly<Record<PropertyKey, unknown>>)[name], depth + 1)
    if (text === null) return null
    parts.push(isList ? text : `${JSON.stringify(name)}:${text}`)
  }
  return isList ? `[${parts.join()}]` : `{${parts.join()}}`
}

/**
 * Fingerprint of a call's content: its route, its path, and its body as values (readings B11). The order of fields does not matter, that of
 * items does. A body that is no JSON, or too deep, counts by its bytes.
 * @param value the JSON value of the body, undefined when it is none.
 */
export function bodyTag(method: string, path: string, bytes: Uint8Array, value: unknown): number {
  const hash = createHash('sha256').update(`${method} ${path}\n`)
  const text = value === undefined ? null : canonical(value)
  const digest = text === null ? hash.update('bytes\n').update(bytes) : hash.update('value\n').update(text)
  return parseInt(digest.digest('hex').slice(0, TAG_DIGITS), 16)
}

/**
 * Binds a command with an Idempotency-Key to the call that it was made of. So two bodies that make the same command, such as one with its
 * scopes in another order, are two, and one that makes another command now than before is the same (OM-109).
 */
export function bindBody(command: OutcomeCommand, tag: number): void {
  command[Keyed.bodyTag] = tag
}

/**
 * Makes a command, whose opcode and sender are set, stand for a call whose body could not be read. The gate checks its credential, counts it
 * and binds its key, and then the venue, or the gate itself, refuses it (`invalidRequest`), if nothing else does before. The violations are
 * told from the body, by which a repeat has the same.
 */
export function markUnreadable(command: OutcomeCommand): void {
  command.rfq = command.quote = command.position = UNREADABLE
}
