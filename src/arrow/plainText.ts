import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import { InputError } from '../unit/inputError.ts'

/** Far more than any text of parlor's has. */
const TEXT_BYTES_MAX = 2 ** 28
const PART_BYTES = 2 ** 16
/** Where the system has it, a pipe is opened without a wait for whoever writes into it. */
const { O_RDONLY, O_NONBLOCK = 0 } = constants

/**
 * The bytes of a file, null where there are more than so many: a file of the system may have no end, and say no length. Throws InputError of
 * what is no plain file, such as a pipe. Throws what the system says of any other.
 */
export function plainBytes(path: string, bytesMax: number): Buffer | null {
  const file = openSync(path, O_RDONLY | O_NONBLOCK)
  try {
    if (!fstatSync(file).isFile()) throw new InputError('is no plain file', { position: { file: path } })
    const parts: Buffer[] = []
    let bytes = 0
    for (;;) {
      const part = Buffer.allocUnsafe(PART_BYTES)
      const count = readSync(file, part)
      bytes += count
      if (count === 0) return Buffer.concat(parts, bytes)
      if (bytes > bytesMax) return null
      parts.push(part.subarray(0, count))
    }
  } finally {
    closeSync(file)
  }
}

/** The text of a file. Throws as `plainBytes`, and InputError of a file that is too long for any text. */
export function plainText(path: string): string {
  const bytes = plainBytes(path, TEXT_BYTES_MAX)
  if (bytes === null) throw new InputError(`has more than ${TEXT_BYTES_MAX >> 20} MiB`, { position: { file: path } })
  return bytes.toString('utf8')
}
