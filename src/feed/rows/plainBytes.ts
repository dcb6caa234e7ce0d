import { createReadStream } from 'node:fs'
import { pipeline, type Readable } from 'node:stream'
import { createGunzip, createZstdDecompress } from 'node:zlib'
import { InputError } from '../../unit/inputError.ts'

export type Compression = 'none' | 'gzip' | 'zstd'

/** Where bytes lie on the disk. */
export interface StoredBytes {
  readonly name: string
  readonly path: string
  readonly start: number
  readonly length: number
  readonly compression: Compression
}

export const CHUNK_BYTES = 1 << 18
const GZIP = Buffer.from([0x1f, 0x8b])
const ZSTD = Buffer.from([0x28, 0xb5, 0x2f, 0xfd])

/** What the first bytes of a file say, whatever its name. */
export function compressionOf(head: Buffer): Compression {
  if (head.subarray(0, GZIP.length).equals(GZIP)) return 'gzip'
  return head.subarray(0, ZSTD.length).equals(ZSTD) ? 'zstd' : 'none'
}

/** The decompressed bytes. Throws InputError for what cannot be read, or is cut off or damaged. */
export async function* plainBytes(file: StoredBytes): AsyncGenerator<Buffer, void> {
  if (file.length === 0) return
  const { path, start, length } = file
  const stored = createReadStream(path, { start, end: start + length - 1, highWaterMark: CHUNK_BYTES })
  const decompress = file.compression === 'gzip' ? createGunzip({ chunkSize: CHUNK_BYTES })
    : undefined
  const plain: AsyncIterable<unknown> = file.compression === 'zstd' ? withoutZstd(stored) : decompress === undefined ? stored : pipeline(stored, decompress, () => {})
  try {
    for await (const chunk of plain) yield chunk as Buffer
  } catch (cause) {
    unreadable(file.name, cause, file.compression)
  } finally {
    stored.destroy()
  }
}

/** A file may have several frames. Node's stream ends with the first frame that ends within a chunk: another stream takes what follows. */
async function* withoutZstd(stored: Readable): AsyncGenerator<Buffer, void> {
  const chunks = stored[Symbol.asyncIterator]() as AsyncIterator<Buffer, undefined>
  let rest = (await chunks.next()).value
  for (;;) {
    if (rest === undefined) return
    const decompress = createZstdDecompress({ chunkSize: CHUNK_BYTES })
    const feed = async (): Promise<void> => {
      while (rest !== undefined) {
        const chunk: Buffer = rest
        const before = decompress.bytesWritten
        await new Promise<void>((resolve, reject) => decompress.write(chunk, (error) => (error ? reject(error) : resolve())))
        const taken = decompress.bytesWritten - before
        if (taken === 0) throw Object.assign(new Error('nothing was decompressed'), { code: 'ZSTD_stuck' })
        if (taken < chunk.length) {
          rest = chunk.subarray(taken)
          return
        }
        rest = (await chunks.next()).value
      }
      decompress.end()
    }
    feed().catch((error: unknown) => decompress.destroy(error as Error))
    for await (const plain of decompress) yield plain as Buffer
  }
}

export function unreadable(file: string, cause: unknown, compression: Compression = 'none'): never {
  const code = (cause as { code?: string }).code ?? ''
  if (compression !== 'none' && /^(Z|ZSTD|ERR_ZSTD)_/.test(code)) {
    throw new InputError(`the ${compression} data is cut off or damaged`, { position: { file }, hint: 'fetch the file again', cause })
  }
  throw new InputError(`cannot be read (${code || (cause as Error).message})`, { position: { file }, cause })
}
