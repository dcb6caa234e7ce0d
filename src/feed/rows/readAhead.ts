import { type FileHandle, open } from 'node:fs/promises'
import { CHUNK_BYTES, type StoredBytes, unreadable } from './plainBytes.ts'

/** Bytes of a file that is not compressed, read chunk by chunk into the same memory: what is not used yet comes before what follows. */
export class ReadAhead {
  private declare readonly of: StoredBytes
  private declare readonly file: FileHandle
  private room = Buffer.allocUnsafeSlow(CHUNK_BYTES * 2)
  /** Bytes that have been read of the file. */
  private read = 0
  private held = 0

  private constructor(of: StoredBytes, file: FileHandle) {
    this.of = of
    this.file = file
  }

  /** Throws InputError for a file that cannot be read. */
  static async open(of: StoredBytes): Promise<ReadAhead> {
    return new ReadAhead(of, await open(of.path).catch((cause: unknown) => unreadable(of.name, cause)))
  }

  /** All bytes of a file, chunk by chunk, each of which holds until the next one is asked for. */
  static async* chunks(of: StoredBytes): AsyncGenerator<Buffer, void> {
    const bytes = await ReadAhead.open(of)
    try {
      for (let chunk = await bytes.next(0); chunk !== undefined; chunk = await bytes.next(chunk.length)) yield chunk
    } finally {
      await bytes.close()
    }
  }

  /**
   * What was not used of the bytes that were given last, and the next chunk. Undefined where the file ends. The bytes hold until the next call.
   *
   * @param used of the bytes that were given last
   */
  async next(used: number): Promise<Buffer | undefined> {
    const { of: { name, start, length }, room: before } = this
    const most = Math.min(CHUNK_BYTES, length - this.read)
    const rest = this.held - used
    if (rest + most > before.length) this.room = Buffer.allocUnsafeSlow((rest + most) * 2)
    before.copy(this.room, 0, used, this.held)
    this.held = rest
    if (most === 0) return undefined
    const { bytesRead } = await this.file.read(this.room, rest, most, start + this.read).catch((cause: unknown) => unreadable(name, cause))
    if (bytesRead === 0) return undefined
    this.read += bytesRead
    this.held += bytesRead
    return this.room.subarray(0, this.held)
  }

  /** What was not used when the file ended. */
  get rest(): Buffer {
    return this.room.subarray(0, this.held)
  }

  async close(): Promise<void> {
    await this.file.close()
  }
}
