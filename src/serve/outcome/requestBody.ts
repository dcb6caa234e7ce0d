import { readJsonText } from '../http/jsonText.ts'
import { type Parsed, WHOLE } from './violations.ts'

/** Largest request body, bytes (OM-278). */
export const BODY_BYTES_MAX = 65_536

/** The JSON value of a request body: UTF-8, at most 64 KiB (readings B19), no object with a name twice. */
export function readJson(bytes: Uint8Array): Parsed<unknown> {
  if (bytes.byteLength > BODY_BYTES_MAX) return { violations: [WHOLE] }
  const read = readJsonText(bytes)
  return 'value' in read ? { ok: read.value } : { violations: [WHOLE] }
}
