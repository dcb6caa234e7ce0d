// Million rows of 20 columns per CPU-second into an Arrow file: `node tools/bundle/run.mjs bench/arrowTable.ts ROWS`.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ColumnType, TableSpec } from '../src/arrow/tableSchema.ts'
import { TableWriter } from '../src/arrow/tableWriter.ts'
import { cpuSeconds } from './cpuSeconds.ts'

/** As the table of quotes is made up: instants, numbers of entities, money, odds, states. */
const TYPES: readonly ColumnType[] = [
  'int64', 'timeUs', 'timeUs', 'timeUs', 'int64', 'int64', 'int64', 'int32', 'int32', 'oddsE4', 'oddsE4', 'micros', 'micros', 'micros',
  'micros', 'enum', 'enum', 'bool', 'float64', 'float64',
]
const SPEC: TableSpec = {
  name: 'bench', about: 'Rows of a bench.',
  columns: TYPES.map((type, i) => ({
    name: `c${i}`, type, nullable: true, about: 'A column.', ...(type === 'enum' ? { values: ['a', 'b', 'c', 'd'] } : {}),
  })),
}
const START_US = 1_750_000_000_000_000

function write(path: string, rows: number): void {
  const writer = new TableWriter(SPEC, path)
  for (let row = 0; row < rows; row++) {
    writer.row()
    writer.int(0, row)
    for (let column = 1; column < 4; column++) writer.int(column, START_US + row * 1000 + column)
    for (let column = 4; column < 9; column++) writer.int(column, row >> column)
    for (let column = 9; column < 11; column++) writer.int(column, 10_000 + (row & 65_535))
    for (let column = 11; column < 15; column++) writer.int(column, row * column)
    writer.code(15, row & 3)
    writer.code(16, (row >> 2) & 3)
    writer.bool(17, (row & 1) === 1)
    writer.float(18, row * 0.5)
    writer.float(19, 1 / (row + 1))
  }
  writer.finish()
}

const rows = Number(process.argv[2] ?? 1_000_000)
const room = mkdtempSync(join(tmpdir(), 'parlor-bench-arrow-'))
try {
  write(join(room, 'warm.arrow'), 200_000)
  const before = process.cpuUsage()
  write(join(room, 'rows.arrow'), rows)
  console.log(JSON.stringify({ millionRows: rows / cpuSeconds(before) / 1e6 }))
} finally {
  rmSync(room, { recursive: true })
}
