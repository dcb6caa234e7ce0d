import { readFileSync } from 'node:fs'
import { InputError } from '../unit/inputError.ts'

/** A result that a command left as JSON. Throws InputError where it cannot be read, or is of another version. */
export function readResult<Result extends { readonly version: 1 }>(path: string): Result {
  let value: { readonly version?: unknown } | null
  try {
    value = JSON.parse(readFileSync(path, 'utf8')) as typeof value
  } catch (cause) {
    throw new InputError('cannot be read as JSON', { position: { file: path }, hint: 'make it again', cause })
  }
  if (value?.version !== 1) throw new InputError('not a result that this version of parlor can read', { position: { file: path }, hint: 'make it again' })
  return value as Result
}
