import { RecordBatchFileWriter, RecordBatchWriter, type Schema } from 'apache-arrow'
import { knowCompression, ZSTD } from './bodyCompression.ts'
import type { WholeFile } from './wholeFile.ts'

/** The length of a buffer that compressing would not make shorter. */
const AS_IT_IS = -1n

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

  // arrow-js writes the length of a compressed buffer before it, where the format (and pyarrow) has that of the buffer when it is decompressed.
  protected override _compressBodyBuffers(buffers: ArrayBufferView[]): CompressedBody {
    const body = super._compressBodyBuffers(buffers)
    for (const [i, { byteLength }] of buffers.entries()) {
      const prefix = body.buffers[i * 2]!
      if (prefix.byteLength === 0) continue
      const view = new DataView(prefix.buffer, prefix.byteOffset)
      if (view.getBigInt64(0, true) !== AS_IT_IS) view.setBigInt64(0, BigInt(byteLength), true)
    }
    return body
  }

  // arrow-js leaves out the schema message that the format puts before the batches; readers of the stream part need it.
  protected override _writeSchema(schema: Schema): this {
    super._writeSchema(schema)
    const streamWriter = RecordBatchWriter.prototype as unknown as { _writeSchema(schema: Schema): unknown }
    streamWriter._writeSchema.call(this, schema)
    return this
  }
}
