import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs'
import { RecordBatchReader } from 'apache-arrow'
import { InputError } from '../unit/inputError.ts'
import { type Block, type Blocks, blocksIn, checkBlock, checkSchemaMessage } from './arrowFrame.ts'
import { knowCompression } from './bodyCompression.ts'
import { checkEnds, damaged, FOOTER_END_BYTES, Table } from './tableReader.ts'

/** Where the first message of a file begins: after the name of the format, which is padded. */
const FIRST_MESSAGE = 8
/** The footer of most files lies in so many bytes before the end. */
const TAIL_BYTES = 1 << 16
/** A stream ends with a continuation and a length of 0. */
const END_OF_STREAM = Uint8Array.of(255, 255, 255, 255, 0, 0, 0, 0)

/** Looks at a file that has just been opened, and throws what speaks against reading it. */
export type CheckOpen = (file: number) => void

/**
 * An Arrow IPC file of which single record batches are read: of the file, only its footer and the batch that is asked for are in memory.
 * The file is opened for each read, so that a store may have more files than a process may have open.
 */
export class BatchFile {
  declare readonly path: string
  private declare readonly blocks: Blocks
  /** The message of the schema. */
  private declare readonly schema: Uint8Array
  private declare readonly check: CheckOpen

  private constructor(path: string, blocks: Blocks, schema: Uint8Array, check: CheckOpen) {
    this.path = path
    this.check = check
    this.blocks = blocks
    this.schema = schema
  }

  /**
   * Reads the footer. Throws InputError for a file that is missing, foreign, cut off or damaged.
   * @param check is asked each time that the file is opened, so that another file of this name is not read for it.
   */
  static open(path: string, check: CheckOpen = () => {}): BatchFile {
    return reading(path, check, (file, fileBytes) => {
      const [head, end] = [bytesAt(file, path, 0, Math.min(FIRST_MESSAGE, fileBytes)), bytesAt(file, path, Math.max(0, fileBytes - TAIL_BYTES), Math.min(TAIL_BYTES, fileBytes))]
      const footerBytes = checkEnds(head, end, fileBytes, path) + FOOTER_END_BYTES
      const tail = footerBytes <= end.byteLength ? end : bytesAt(file, path, fileBytes - footerBytes, footerBytes)
      const blocks = blocksIn(tail, fileBytes, path)
      const first = Math.min(...[...blocks.dictionaries, ...blocks.batches].map(({ offset }) => offset))
      if (!(first > FIRST_MESSAGE && first < fileBytes)) throw new InputError('the Arrow file has no rows, or no schema before them', { position: { file: path } })
      const schema = bytesAt(file, path, FIRST_MESSAGE, first - FIRST_MESSAGE)
      checkSchemaMessage(schema, path)
      return new BatchFile(path, blocks, schema, check)
    })
  }

  get batchCount(): number {
    return this.blocks.batches.length
  }

  /** One batch. Of its `enum` columns there are the codes alone (`Table.codesOf`). */
  batch(index: number): Table {
    return reading(this.path, this.check, (file) => this.tableOf([this.block(file, this.blocks.batches[index]!)]))
  }

  /** The values of an `enum` column, by code: those of the whole file. */
  valuesOf(column: string): readonly string[] {
    return reading(this.path, this.check, (file) => {
      const { dictionaries, batches } = this.blocks
      return this.tableOf([...dictionaries, batches[0]!].map((block) => this.block(file, block))).valuesOf(column)
    })
  }

  private block(file: number, block: Block): Uint8Array {
    const bytes = bytesAt(file, this.path, block.offset, block.headBytes + block.bodyBytes)
    checkBlock(bytes, block, this.path)
    return bytes
  }

  /** arrow-js reads blocks as a stream of the file's schema and of them. */
  private tableOf(blocks: readonly Uint8Array[]): Table {
    knowCompression()
    const reader = RecordBatchReader.from(Buffer.concat([this.schema, ...blocks, END_OF_STREAM]))
    const { schema } = reader.open()
    return new Table(this.path, schema, [...reader])
  }
}

function reading<T>(path: string, check: CheckOpen, read: (file: number, fileBytes: number) => T): T {
  let file: number
  try {
    // A pipe in the place of a file would be waited for without end.
    if (!statSync(path).isFile()) throw new Error('no plain file')
    file = openSync(path, 'r')
  } catch (error) {
    throw new InputError('cannot read the file', { position: { file: path }, hint: 'check the path', cause: error })
  }
  try {
    check(file)
    return read(file, fstatSync(file).size)
  } catch (error) {
    throw damaged(path, error)
  } finally {
    closeSync(file)
  }
}

function bytesAt(file: number, path: string, offset: number, length: number): Uint8Array {
  const bytes = Buffer.allocUnsafeSlow(length)
  for (let from = 0; from < length;) {
    const read = readSync(file, bytes, from, length - from, offset + from)
    if (read === 0) throw new InputError('the file shrank while it was read', { position: { file: path } })
    from += read
  }
  return bytes
}
