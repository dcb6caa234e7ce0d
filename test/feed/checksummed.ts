import { crc32 } from 'node:zlib'
import { type ColumnMetaData, parquetMetadata } from 'hyparquet'
import { parquetHeader } from 'hyparquet/src/column.js'
import { ByteWriter } from 'hyparquet-writer'
import { writePageHeader } from 'hyparquet-writer/src/datapage.js'
import { writeMetadata } from 'hyparquet-writer/src/metadata.js'

/** Bytes of a page without its header. */
export interface PageBytes {
  readonly group: number
  readonly column: string
  readonly at: number
  readonly length: number
}

/** A Parquet file with the checksum of each page in its header. */
export function checksummed(plain: Buffer): { readonly file: Buffer; readonly pages: readonly PageBytes[] } {
  const metadata = parquetMetadata(plain.buffer.slice(plain.byteOffset, plain.byteOffset + plain.length) as ArrayBuffer)
  const blocks: Buffer[] = [Buffer.from('PAR1')]
  const pages: PageBytes[] = []
  let length = 4
  const put = (bytes: Buffer): number => {
    blocks.push(bytes)
    length += bytes.length
    return length - bytes.length
  }
  const groups = metadata.row_groups.map((group, number) => ({
    ...group,
    columns: group.columns.map((column) => {
      const data = column.meta_data!
      const start = Number(data.dictionary_page_offset ?? data.data_page_offset)
      const reader = { view: new DataView(plain.buffer, plain.byteOffset + start, Number(data.total_compressed_size)), offset: 0 }
      const began = length
      const offsets: Partial<ColumnMetaData> = {}
      while (reader.offset < reader.view.byteLength) {
        const header = parquetHeader(reader)
        const page = plain.subarray(start + reader.offset, start + reader.offset + header.compressed_page_size)
        reader.offset += header.compressed_page_size
        const writer = new ByteWriter()
        writePageHeader(writer, { ...header, crc: crc32(page) | 0 })
        const at = put(Buffer.from(writer.getBytes()))
        if (header.dictionary_page_header === undefined) offsets.data_page_offset ??= BigInt(at)
        else offsets.dictionary_page_offset = BigInt(at)
        pages.push({ group: number, column: data.path_in_schema.join('.'), at: put(page), length: page.length })
      }
      return { ...column, meta_data: { ...data, ...offsets, total_compressed_size: BigInt(length - began) } }
    }),
  }))
  const footer = new ByteWriter()
  writeMetadata(footer, { ...metadata, row_groups: groups })
  put(Buffer.from(footer.getBytes()))
  put(Buffer.from('PAR1'))
  return { file: Buffer.concat(blocks), pages }
}
