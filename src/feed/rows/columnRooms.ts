type Column = Float64Array | Float32Array | Int32Array | BigInt64Array | Uint8Array

interface ColumnType<Of extends Column> {
  readonly BYTES_PER_ELEMENT: number
  new (buffer: ArrayBuffer, offset: number, length: number): Of
}

/**
 * Memory for columns that is used again and again. V8 collects its whole heap whenever some tens of megabytes of arrays have been made, which costs more than to
 * read what is in them.
 */
export class ColumnRooms {
  private readonly buffers: ArrayBuffer[] = []
  private taken = 0

  /** Room for so many numbers, with anything in it. It holds until `reuse`. */
  take<Of extends Column>(type: ColumnType<Of>, length: number): Of {
    const bytes = length * type.BYTES_PER_ELEMENT
    const place = this.taken++
    const there = this.buffers[place]
    if (there !== undefined && there.byteLength >= bytes) return new type(there, 0, length)
    // The next one may be a little longer.
    const buffer = this.buffers[place] = new ArrayBuffer(bytes + Math.ceil(bytes / SPARE / WORD_BYTES) * WORD_BYTES)
    return new type(buffer, 0, length)
  }

  /** What was taken is used no more. */
  reuse(): void {
    this.taken = 0
  }
}

const [SPARE, WORD_BYTES] = [16, 8]
