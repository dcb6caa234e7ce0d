import { readFileSync, statSync } from 'node:fs'
import type { z } from 'zod'
import { InputError } from '../../unit/inputError.ts'

/** What to do about a store that cannot be read. */
export const IMPORT_AGAIN = 'import the history again'

/**
 * A JSON file of a store. Throws InputError where it is missing, no JSON, or not of the schema.
 *
 * @param check throws for what has better words than the schema's
 */
export function readStoreJson<T>(path: string, schema: z.ZodType<T>, check: (value: unknown) => void = () => {}): T {
  const mistake = (message: string, cause?: unknown): InputError => new InputError(message, { position: { file: path }, hint: IMPORT_AGAIN, cause })
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) throw mistake('is missing, or no plain file')
  let value: unknown
  try {
    value = JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    throw mistake('not readable as JSON', error)
  }
  check(value)
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]!
  throw mistake(`${issue.path.join('.') || 'the file'}: ${issue.message}`)
}
