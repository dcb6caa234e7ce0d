import { type Parsed, WHOLE } from './violations.ts'

/** Largest request body, bytes (OM-278). */
export const BODY_BYTES_MAX = 65_536

/** The JSON value of a request body: UTF-8, at most 64 KiB (readings B19). */
export function readJson(bytes: Uint8Array): Parsed<unknown> {
  if (bytes.byteLength > BODY_BYTES_MAX) return { violations: [WHOLE] }
  try {
    return { ok: JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as unknown }
  } catch {
    return { violations: [WHOLE] }
  }
}
