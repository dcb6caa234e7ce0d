import type { FileHandle } from 'node:fs/promises'
import { InputError } from '../../unit/inputError.ts'

/** A plain file in a tar archive: its bytes lie in the archive from `start` on. */
export interface TarEntry {
  readonly name: string
  readonly start: number
  readonly length: number
}

const BLOCK = 512
/** Longer names, and headers that hold them, are no names of recordings. */
const NAME_MAX = 1 << 16
const LONG_NAME = 'L'
const EXTENDED = 'x'
const PLAIN = new Set(['0', '\0', '7'])

/** Whether the first block of a file is a header of a tar archive: its checksum is right. */
export function isTar(head: Buffer): boolean {
  if (head.length < BLOCK) return false
  let sum = 0
  for (let i = 0; i < BLOCK; i += 1) sum += i >= 148 && i < 156 ? 32 : head[i]!
  return sum === octal(head, 148, 8) && sum > 256
}

/** The plain files of a tar archive (ustar, GNU and pax names), in its order. Throws InputError for an archive that is cut off or damaged. */
export async function tarEntries(file: string, handle: FileHandle): Promise<TarEntry[]> {
  const { size } = await handle.stat()
  const entries: TarEntry[] = []
  let longName: string | undefined
  for (let at = 0; at + BLOCK <= size;) {
    const { buffer: head } = await handle.read(Buffer.alloc(BLOCK), 0, BLOCK, at)
    if (head.every((byte) => byte === 0)) return entries
    const length = octal(head, 124, 12)
    if (!isTar(head) || !Number.isSafeInteger(length)) throw damaged(file)
    const start = at + BLOCK
    if (start + length > size) throw damaged(file)
    const type = String.fromCharCode(head[156]!)
    if (type === LONG_NAME || type === EXTENDED) {
      if (length > NAME_MAX) throw damaged(file)
      const { buffer } = await handle.read(Buffer.alloc(length), 0, length, start)
      longName = type === LONG_NAME ? textOf(buffer, 0, length) : /\d+ path=([^\n]*)\n/.exec(buffer.toString('utf8'))?.[1] ?? longName
    } else {
      const prefix = head.subarray(257, 262).toString('latin1') === 'ustar' ? textOf(head, 345, 155) : ''
      const name = longName ?? `${prefix === '' ? '' : `${prefix}/`}${textOf(head, 0, 100)}`
      longName = undefined
      if (PLAIN.has(type)) entries.push({ name, start, length })
    }
    at = start + Math.ceil(length / BLOCK) * BLOCK
  }
  throw damaged(file)
}

const damaged = (file: string) => new InputError('is no complete tar archive', { position: { file }, hint: 'fetch the file again' })

function textOf(bytes: Buffer, from: number, length: number): string {
  const end = bytes.indexOf(0, from)
  return bytes.toString('utf8', from, end < 0 || end > from + length ? from + length : end)
}

/** NaN for what is no octal number. */
function octal(bytes: Buffer, from: number, length: number): number {
  const text = textOf(bytes, from, length).trim()
  return /^[0-7]+$/.test(text) ? parseInt(text, 8) : NaN
}
