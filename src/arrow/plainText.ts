import { readFileSync, statSync } from 'node:fs'
import { InputError } from '../unit/inputError.ts'

/**
 * The text of a file. Throws InputError of what is no plain file, which could have no end: a pipe in the place of a file would be waited for.
 * Throws what the system says of any other.
 */
export function plainText(path: string): string {
  if (!statSync(path).isFile()) throw new InputError('is no plain file', { position: { file: path } })
  return readFileSync(path, 'utf8')
}
