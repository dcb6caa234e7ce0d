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

/**
 * Checks that lengths which an Arrow file says of itself fit into the file, before arrow-js believes them: it runs through two billion blocks
 * that a damaged footer names, and makes room for as many rows. Every read is checked, so what leads out of the file is a RangeError.
 * Throws InputError, or RangeError.
 */
export function checkFrame(bytes: Uint8Array, path: string): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const fail = (message: string): never => {
    throw new InputError('the Arrow file is damaged', { position: { file: path }, hint: message })
  }
  const int64 = (at: number): number => Number(view.getBigInt64(at, true))
  const reference = (at: number): number => at + view.getUint32(at, true)

  /** Where a field of a table lies; null where the table leaves it out. */
  const fieldOf = (table: number, slot: number): number | null => {
    const layout = table - view.getInt32(table, true)
    const entry = 4 + 2 * slot
    const offset = entry < view.getUint16(layout, true) ? view.getUint16(layout + entry, true) : 0
    return offset === 0 ? null : table + offset
  }
  const tableOf = (table: number, slot: number): number | null => {
    const field = fieldOf(table, slot)
    return field === null ? null : reference(field)
  }
  const itemsOf = (table: number, slot: number, itemBytes: number): Items => {
    const vector = tableOf(table, slot)
    if (vector === null) return { at: 0, count: 0 }
    const count = view.getUint32(vector, true)
    if (vector + 4 + count * itemBytes > bytes.byteLength) fail(`it names ${count} parts, which it has no room for`)
    return { at: vector + 4, count }
  }

  // References only lead forward, but several may lead to one list of fields: a few lists would be billions of fields.
  let fieldsLeft = bytes.byteLength / REFERENCE_BYTES
  const checkFields = ({ at, count }: Items): void => {
    fieldsLeft -= count
    if (fieldsLeft < 0) fail('it names more fields than it has room for')
    for (let i = 0; i < count; i++) {
      const field = reference(at + i * REFERENCE_BYTES)
      itemsOf(field, FieldSlot.notes, REFERENCE_BYTES)
      checkFields(itemsOf(field, FieldSlot.children, REFERENCE_BYTES))
    }
  }

  const checkBatch = (batch: number, bodyBytes: number): void => {
    const rows = fieldOf(batch, BatchSlot.rows)
    const nodes = itemsOf(batch, BatchSlot.nodes, PAIR_BYTES)
    const most = nodes.count === 0 ? 0 : bodyBytes * BITS
    for (const at of [...(rows === null ? [] : [rows]), ...Array.from({ length: nodes.count }, (_, i) => nodes.at + i * PAIR_BYTES)]) {
      if (!(int64(at) >= 0 && int64(at) <= most)) fail(`it names ${int64(at)} rows, which it has no room for`)
    }
    const buffers = itemsOf(batch, BatchSlot.buffers, PAIR_BYTES)
    for (let i = 0; i < buffers.count; i++) {
      const [from, length] = [int64(buffers.at + i * PAIR_BYTES), int64(buffers.at + i * PAIR_BYTES + 8)]
      if (!(from >= 0 && length >= 0 && from + length <= bodyBytes)) fail('a column leads out of its part of the file')
    }
  }

  const checkBlocks = ({ at, count }: Items): void => {
    for (let i = 0; i < count; i++) {
      const block = at + i * BLOCK_BYTES
      const [offset, headBytes, bodyBytes] = [int64(block), view.getInt32(block + 8, true), int64(block + 16)]
      if (!(offset >= 0 && headBytes > 0 && bodyBytes >= 0 && offset + headBytes + bodyBytes <= bytes.byteLength)) fail('a part leads out of the file')
      const start = offset + (view.getInt32(offset, true) === CONTINUATION ? 8 : 4)
      const message = reference(start)
      const kind = fieldOf(message, MessageSlot.headerKind)
      const header = tableOf(message, MessageSlot.header)
      const said = fieldOf(message, MessageSlot.bodyBytes)
      if (kind === null || header === null || (said === null ? 0 : int64(said)) !== bodyBytes) return fail('a part is not as long as the footer says')
      if (view.getUint8(kind) === HeaderKind.batch) checkBatch(header, bodyBytes)
      else if (view.getUint8(kind) === HeaderKind.dictionary) checkBatch(tableOf(header, DICTIONARY_DATA) ?? fail('a dictionary has no data'), bodyBytes)
      else fail('a part is neither rows nor a dictionary')
    }
  }

  const end = bytes.byteLength - TRAILER_BYTES
  const footer = reference(end - view.getInt32(end, true))
  const schema = tableOf(footer, FooterSlot.schema) ?? fail('it has no schema')
  itemsOf(schema, SchemaSlot.notes, REFERENCE_BYTES)
  checkFields(itemsOf(schema, SchemaSlot.fields, REFERENCE_BYTES))
  checkBlocks(itemsOf(footer, FooterSlot.dictionaries, BLOCK_BYTES))
  checkBlocks(itemsOf(footer, FooterSlot.batches, BLOCK_BYTES))
}
