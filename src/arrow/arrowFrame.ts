import { InputError } from '../unit/inputError.ts'

// Layouts of https://arrow.apache.org/docs/format/Columnar.html: File.fbs, Message.fbs and Schema.fbs. A slot is a field's number in its table.
const FooterSlot = { schema: 1, dictionaries: 2, batches: 3 } as const
const MessageSlot = { headerKind: 1, header: 2, bodyBytes: 3 } as const
const BatchSlot = { rows: 0, nodes: 1, buffers: 2, compression: 3 } as const
const CompressionSlot = { codec: 0 } as const
const ZSTD_CODEC = 1
const DICTIONARY_DATA = 1
const SchemaSlot = { fields: 1, notes: 2 } as const
const FieldSlot = { children: 5, notes: 6 } as const
const HeaderKind = { schema: 1, dictionary: 2, batch: 3 } as const
const BLOCK_BYTES = 24
const PAIR_BYTES = 16
const REFERENCE_BYTES = 4
const TRAILER_BYTES = 10
const CONTINUATION = -1
const BITS = 8
/** Before each buffer of a compressed body. */
const PREFIX_BYTES = 8
const MOST_BYTES = 2 ** 31

/** A vector of a flatbuffer: where its items begin, and how many there are. */
interface Items {
  readonly at: number
  readonly count: number
}

/** Reads the tables of flatbuffers. Every read is checked, so what leads out of the bytes is a RangeError. */
class Flatbuffer {
  private declare readonly view: DataView
  private declare readonly path: string

  constructor(bytes: Uint8Array, path: string) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    this.path = path
  }

  get byteLength(): number {
    return this.view.byteLength
  }

  fail(message: string): never {
    this.refuse('the Arrow file is damaged', message)
  }

  refuse(message: string, hint: string): never {
    throw new InputError(message, { position: { file: this.path }, hint })
  }

  uint8(at: number): number {
    return this.view.getUint8(at)
  }

  int32(at: number): number {
    return this.view.getInt32(at, true)
  }

  int64(at: number): number {
    return Number(this.view.getBigInt64(at, true))
  }

  /** Where the reference at `at` leads. */
  reference(at: number): number {
    return at + this.view.getUint32(at, true)
  }

  /** Where a field of a table lies; null where the table leaves it out. */
  fieldOf(table: number, slot: number): number | null {
    const { view } = this
    const layout = table - view.getInt32(table, true)
    const entry = 4 + 2 * slot
    const offset = entry < view.getUint16(layout, true) ? view.getUint16(layout + entry, true) : 0
    return offset === 0 ? null : table + offset
  }

  /** The table that a field refers to; null where the field is left out. */
  tableOf(table: number, slot: number): number | null {
    const field = this.fieldOf(table, slot)
    return field === null ? null : this.reference(field)
  }

  /** The items that a field refers to. They lie within the bytes. */
  itemsOf(table: number, slot: number, itemBytes: number): Items {
    const vector = this.tableOf(table, slot)
    if (vector === null) return { at: 0, count: 0 }
    const count = this.view.getUint32(vector, true)
    if (vector + 4 + count * itemBytes > this.byteLength) this.fail(`it names ${count} parts, which it has no room for`)
    return { at: vector + 4, count }
  }
}

/** Where a record batch or a dictionary lies in a file: its head, and its body after it. */
export interface Block {
  readonly offset: number
  readonly headBytes: number
  readonly bodyBytes: number
}

export interface Blocks {
  readonly dictionaries: readonly Block[]
  readonly batches: readonly Block[]
}

/**
 * Checks that lengths which an Arrow file says of itself fit into the file, before arrow-js believes them: it runs through two billion blocks
 * that a damaged footer names, and makes room for as many rows. Throws InputError, or RangeError where something leads out of the file.
 */
export function checkFrame(bytes: Uint8Array, path: string): void {
  const { dictionaries, batches } = blocksIn(bytes, bytes.byteLength, path)
  for (const block of [...dictionaries, ...batches]) checkBlock(bytes.subarray(block.offset, block.offset + block.headBytes + block.bodyBytes), block, path)
}

/** The blocks that the footer names, of a file of `fileBytes` whose end is `tail`. The tail has at least all of the footer. */
export function blocksIn(tail: Uint8Array, fileBytes: number, path: string): Blocks {
  const file = new Flatbuffer(tail, path)
  const end = file.byteLength - TRAILER_BYTES
  const footer = file.reference(end - file.int32(end))
  checkSchema(file, file.tableOf(footer, FooterSlot.schema) ?? file.fail('it has no schema'))
  const blocks = (slot: number): Block[] => blocksAt(file, file.itemsOf(footer, slot, BLOCK_BYTES), fileBytes)
  return { dictionaries: blocks(FooterSlot.dictionaries), batches: blocks(FooterSlot.batches) }
}

/** Checks the message of a schema, with which a stream begins. */
export function checkSchemaMessage(bytes: Uint8Array, path: string): void {
  const file = new Flatbuffer(bytes, path)
  const message = file.reference(file.int32(0) === CONTINUATION ? 8 : 4)
  const kind = file.fieldOf(message, MessageSlot.headerKind)
  const schema = file.tableOf(message, MessageSlot.header)
  if (kind === null || schema === null || file.uint8(kind) !== HeaderKind.schema) return file.fail('it does not begin with a schema')
  checkSchema(file, schema)
}

function checkSchema(file: Flatbuffer, schema: number): void {
  file.itemsOf(schema, SchemaSlot.notes, REFERENCE_BYTES)
  // References only lead forward, but several may lead to one list of fields: a few lists would be billions of fields.
  checkFields(file, file.itemsOf(schema, SchemaSlot.fields, REFERENCE_BYTES), file.byteLength / REFERENCE_BYTES)
}

/** Checks fields and their children, of which there may be `most`. Returns how many more there may be. */
function checkFields(file: Flatbuffer, { at, count }: Items, most: number): number {
  let left = most - count
  if (left < 0) file.fail('it names more fields than it has room for')
  for (let i = 0; i < count; i++) {
    const field = file.reference(at + i * REFERENCE_BYTES)
    file.itemsOf(field, FieldSlot.notes, REFERENCE_BYTES)
    left = checkFields(file, file.itemsOf(field, FieldSlot.children, REFERENCE_BYTES), left)
  }
  return left
}

/** Bytes of a column's buffer when it is decompressed: a body that is compressed has them before each buffer, or −1 for one that is as it is. */
function plainBytes(file: Flatbuffer, at: number, length: number): number {
  if (length === 0) return 0
  const said = length < PREFIX_BYTES ? file.fail('a compressed column has no length') : file.int64(at)
  if (said !== -1 && !(said >= 0 && said < MOST_BYTES)) file.fail(`a compressed column of ${said} bytes`)
  return said === -1 ? length - PREFIX_BYTES : said
}

/** LZ4 is the codec where a file names none. */
function checkCodec(file: Flatbuffer, compression: number): void {
  const codec = file.fieldOf(compression, CompressionSlot.codec)
  if (codec === null || file.uint8(codec) !== ZSTD_CODEC) file.refuse('the Arrow file is compressed by LZ4, which parlor does not read', 'write it with the compression zstd, or without compression')
}

/** `bodyAt`: where the body begins. */
function checkBatch(file: Flatbuffer, batch: number, bodyAt: number, bodyBytes: number): void {
  const buffers = file.itemsOf(batch, BatchSlot.buffers, PAIR_BYTES)
  const compression = file.tableOf(batch, BatchSlot.compression)
  const isCompressed = compression !== null
  if (isCompressed) checkCodec(file, compression)
  let plain = isCompressed ? 0 : bodyBytes
  for (let i = 0; i < buffers.count; i++) {
    const [from, length] = [file.int64(buffers.at + i * PAIR_BYTES), file.int64(buffers.at + i * PAIR_BYTES + 8)]
    if (!(from >= 0 && length >= 0 && from + length <= bodyBytes)) file.fail('a column leads out of its part of the file')
    if (isCompressed) plain += plainBytes(file, bodyAt + from, length)
  }
  const rows = file.fieldOf(batch, BatchSlot.rows)
  const nodes = file.itemsOf(batch, BatchSlot.nodes, PAIR_BYTES)
  const most = nodes.count === 0 ? 0 : plain * BITS
  for (const at of [...(rows === null ? [] : [rows]), ...Array.from({ length: nodes.count }, (_, i) => nodes.at + i * PAIR_BYTES)]) {
    const said = file.int64(at)
    if (!(said >= 0 && said <= most)) file.fail(`it names ${said} rows, which it has no room for`)
  }
}

function blocksAt(file: Flatbuffer, { at, count }: Items, fileBytes: number): Block[] {
  return Array.from({ length: count }, (_, i) => {
    const block = at + i * BLOCK_BYTES
    const [offset, headBytes, bodyBytes] = [file.int64(block), file.int32(block + 8), file.int64(block + 16)]
    if (!(offset >= 0 && headBytes > 0 && bodyBytes >= 0 && offset + headBytes + bodyBytes <= fileBytes)) file.fail('a part leads out of the file')
    return { offset, headBytes, bodyBytes }
  })
}

/** Checks the bytes of a block, head and body. Returns its rows. */
export function checkBlock(bytes: Uint8Array, { headBytes, bodyBytes }: Block, path: string): number {
  const file = new Flatbuffer(bytes, path)
  const message = file.reference(file.int32(0) === CONTINUATION ? 8 : 4)
  const kind = file.fieldOf(message, MessageSlot.headerKind)
  const header = file.tableOf(message, MessageSlot.header)
  const said = file.fieldOf(message, MessageSlot.bodyBytes)
  if (kind === null || header === null || (said === null ? 0 : file.int64(said)) !== bodyBytes) return file.fail('a part is not as long as the footer says')
  const isDictionary = file.uint8(kind) === HeaderKind.dictionary
  if (!isDictionary && file.uint8(kind) !== HeaderKind.batch) return file.fail('a part is neither rows nor a dictionary')
  const batch = isDictionary ? file.tableOf(header, DICTIONARY_DATA) ?? file.fail('a dictionary has no data') : header
  checkBatch(file, batch, headBytes, bodyBytes)
  const rows = file.fieldOf(batch, BatchSlot.rows)
  return rows === null ? 0 : file.int64(rows)
}
