import { InputError } from '../unit/inputError.ts'

// Layouts of https://arrow.apache.org/docs/format/Columnar.html: File.fbs, Message.fbs and Schema.fbs. A slot is a field's number in its table.
const FooterSlot = { schema: 1, dictionaries: 2, batches: 3 } as const
const MessageSlot = { headerKind: 1, header: 2, bodyBytes: 3 } as const
const BatchSlot = { rows: 0, nodes: 1, buffers: 2 } as const
const DICTIONARY_DATA = 1
const SchemaSlot = { fields: 1, notes: 2 } as const
const FieldSlot = { children: 5, notes: 6 } as const
const HeaderKind = { dictionary: 2, batch: 3 } as const
const BLOCK_BYTES = 24
const PAIR_BYTES = 16
const REFERENCE_BYTES = 4
const TRAILER_BYTES = 10
const CONTINUATION = -1
const BITS = 8

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
    throw new InputError('the Arrow file is damaged', { position: { file: this.path }, hint: message })
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

/**
 * Checks that lengths which an Arrow file says of itself fit into the file, before arrow-js believes them: it runs through two billion blocks
 * that a damaged footer names, and makes room for as many rows. Throws InputError, or RangeError where something leads out of the file.
 */
export function checkFrame(bytes: Uint8Array, path: string): void {
  const file = new Flatbuffer(bytes, path)
  const end = file.byteLength - TRAILER_BYTES
  const footer = file.reference(end - file.int32(end))
  const schema = file.tableOf(footer, FooterSlot.schema) ?? file.fail('it has no schema')
  file.itemsOf(schema, SchemaSlot.notes, REFERENCE_BYTES)
  // References only lead forward, but several may lead to one list of fields: a few lists would be billions of fields.
  checkFields(file, file.itemsOf(schema, SchemaSlot.fields, REFERENCE_BYTES), file.byteLength / REFERENCE_BYTES)
  checkBlocks(file, file.itemsOf(footer, FooterSlot.dictionaries, BLOCK_BYTES))
  checkBlocks(file, file.itemsOf(footer, FooterSlot.batches, BLOCK_BYTES))
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

function checkBatch(file: Flatbuffer, batch: number, bodyBytes: number): void {
  const rows = file.fieldOf(batch, BatchSlot.rows)
  const nodes = file.itemsOf(batch, BatchSlot.nodes, PAIR_BYTES)
  const most = nodes.count === 0 ? 0 : bodyBytes * BITS
  for (const at of [...(rows === null ? [] : [rows]), ...Array.from({ length: nodes.count }, (_, i) => nodes.at + i * PAIR_BYTES)]) {
    const said = file.int64(at)
    if (!(said >= 0 && said <= most)) file.fail(`it names ${said} rows, which it has no room for`)
  }
  const buffers = file.itemsOf(batch, BatchSlot.buffers, PAIR_BYTES)
  for (let i = 0; i < buffers.count; i++) {
    const [from, length] = [file.int64(buffers.at + i * PAIR_BYTES), file.int64(buffers.at + i * PAIR_BYTES + 8)]
    if (!(from >= 0 && length >= 0 && from + length <= bodyBytes)) file.fail('a column leads out of its part of the file')
  }
}

function checkBlocks(file: Flatbuffer, { at, count }: Items): void {
  for (let i = 0; i < count; i++) {
    const block = at + i * BLOCK_BYTES
    const [offset, headBytes, bodyBytes] = [file.int64(block), file.int32(block + 8), file.int64(block + 16)]
    if (!(offset >= 0 && headBytes > 0 && bodyBytes >= 0 && offset + headBytes + bodyBytes <= file.byteLength)) file.fail('a part leads out of the file')
    const message = file.reference(offset + (file.int32(offset) === CONTINUATION ? 8 : 4))
    const kind = file.fieldOf(message, MessageSlot.headerKind)
    const header = file.tableOf(message, MessageSlot.header)
    const said = file.fieldOf(message, MessageSlot.bodyBytes)
    if (kind === null || header === null || (said === null ? 0 : file.int64(said)) !== bodyBytes) return file.fail('a part is not as long as the footer says')
    if (file.uint8(kind) === HeaderKind.batch) checkBatch(file, header, bodyBytes)
    else if (file.uint8(kind) === HeaderKind.dictionary) checkBatch(file, file.tableOf(header, DICTIONARY_DATA) ?? file.fail('a dictionary has no data'), bodyBytes)
    else file.fail('a part is neither rows nor a dictionary')
  }
}
