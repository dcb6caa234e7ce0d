import { plainText } from '../arrow/plainText.ts'
import { InputError } from '../unit/inputError.ts'

/** A result that a command left as JSON. Throws InputError where it cannot be read, or is of another version than the one that is asked for. */
export function readResult<Result extends { readonly version: number }>(path: string, version: Result['version']): Result {
  let value: { readonly version?: unknown } | null
  try {
    value = JSON.parse(plainText(path)) as typeof value
  } catch (cause) {
    if (cause instanceof InputError) throw cause
    throw new InputError('cannot be read as JSON', { position: { file: path }, hint: 'make it again', cause })
  }
  if (value?.version !== version) throw new InputError('not a result that this version of parlor can read', { position: { file: path }, hint: 'make it again' })
  return value as Result
}
