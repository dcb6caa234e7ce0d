import { RecordBatchFileWriter, RecordBatchWriter, type Schema } from 'apache-arrow'
import { BufferRegion } from 'apache-arrow/ipc/metadata/message'
import { compressed, knowCompression, ZSTD } from './bodyCompression.ts'
import type { WholeFile } from './wholeFile.ts'

/** The length of a buffer that compressing would not make shorter. */
const AS_IT_IS = -1n
const NOTHING = new Uint8Array(0)
const ALIGNMENT = 8
const aligned = (offset: number): number => Math.ceil(offset / ALIGNMENT) * ALIGNMENT

type CompressedBody = ReturnType<RecordBatchFileWriter['_compressBodyBuffers']>

/** Arrow's file writer with its bytes going to the disk at once instead of into a queue: its buffers are reused. */
export class ArrowFile extends RecordBatchFileWriter {
  declare readonly file: WholeFile

  /** @param isCompressed whether bodies are compressed by ZSTD. */
  constructor(file: WholeFile, isCompressed = false) {
    if (isCompressed) knowCompression()
    super(isCompressed ? { compressionType: ZSTD } : undefined)
    this.file = file
  }

  protected override _write(chunk: ArrayBufferView): this {
    const bytes = new Uint8Array(chunk.buffer as ArrayBuffer, chunk.byteOffset, chunk.byteLength)
    this.file.write(bytes)
    this._position += bytes.byteLength
    return this
  }

  // arrow-js copies each buffer once more, and writes the length of a compressed one before it, where the format (and pyarrow) has that of the buffer when it is decompressed.
  protected override _compressBodyBuffers(buffers: ArrayBufferView[]): CompressedBody {
    const bufferRegions: BufferRegion[] = []
    let end = 0
    const parts = buffers.flatMap(({ buffer, byteOffset, byteLength }) => {
      if (byteLength === 0) {
        bufferRegions.push(new BufferRegion(end, 0))
        return [NOTHING, NOTHING]
      }
      const bytes = new Uint8Array(buffer as ArrayBuffer, byteOffset, byteLength)
      const packed = compressed(bytes)
      const isShorter = packed.length < byteLength
      const prefix = new BigInt64Array([isShorter ? BigInt(byteLength) : AS_IT_IS])
      const body = isShorter ? packed : bytes
      const start = aligned(end)
      end = start + prefix.byteLength + body.length
      bufferRegions.push(new BufferRegion(start, end - start))
      return [new Uint8Array(prefix.buffer), body]
    })
    return { byteLength: aligned(end), bufferRegions, buffers: parts }
  }

  // arrow-js leaves out the schema message that the format puts before the batches; readers of the stream part need it.
  protected override _writeSchema(schema: Schema): this {
    super._writeSchema(schema)
    const streamWriter = RecordBatchWriter.prototype as unknown as { _writeSchema(schema: Schema): unknown }
    streamWriter._writeSchema.call(this, schema)
    return this
  }
}
