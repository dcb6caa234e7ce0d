import { type ColumnSource, parquetWriteBuffer } from 'hyparquet-writer'
import { lines } from '../writtenFiles.ts'

type Columns = Readonly<Record<string, readonly [ColumnSource['type'], readonly unknown[]]>>

export const parquetOf = (columns: Columns, rowGroupSize = 10): Buffer => Buffer.from(parquetWriteBuffer({
  columnData: Object.entries(columns).map(([name, [type, data]]) => ({ name, data, type }) as ColumnSource), rowGroupSize,
}))

export const text = (...rows: string[]): Buffer => Buffer.from(lines(...rows))
export const made = <T>(count: number, of: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => of(i))
