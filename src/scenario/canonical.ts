import { createHash } from 'node:crypto'
import { assert } from '../unit/assert.ts'

/** JSON with sorted keys and no blanks: equal data give equal text. Holds no NaN, no Infinity and nothing undefined. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value === 'object' && value !== null) {
    const entries = Object.keys(value).sort().map((key) => `${JSON.stringify(key)}:${canonicalJson((value as Record<string, unknown>)[key])}`)
    return `{${entries.join(',')}}`
  }
  assert(value !== undefined && (typeof value !== 'number' || Number.isFinite(value)), `not canonical: ${String(value)}`)
  return JSON.stringify(value)
}

/** SHA-256 of the canonical JSON, 64 hex digits. */
export const canonicalDigest = (value: unknown): string => createHash('sha256').update(canonicalJson(value)).digest('hex')
