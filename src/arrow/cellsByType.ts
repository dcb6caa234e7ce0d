import type { DataType } from 'apache-arrow'
import type { ColumnCells } from './columnCells.ts'
import { BoolCells, FloatCells, WideCells, WordCells } from './numberCells.ts'
import type { ColumnSpec } from './tableSchema.ts'
import { CodeCells, CodeListCells, TextCells } from './textCells.ts'

/** The cells of a column in batches of `rows` rows. */
export function columnCells(table: string, spec: ColumnSpec, arrowType: DataType, rows: number): ColumnCells {
  switch (spec.type) {
    case 'timeUs':
    case 'micros':
    case 'oddsE4':
    case 'int64': return new WideCells(table, spec, arrowType, rows)
    case 'int32': return new WordCells(table, spec, arrowType, rows)
    case 'float64': return new FloatCells(table, spec, arrowType, rows)
    case 'bool': return new BoolCells(table, spec, arrowType, rows)
    case 'enum': return new CodeCells(table, spec, arrowType, rows)
    case 'enumList': return new CodeListCells(table, spec, arrowType, rows)
    case 'text': return new TextCells(table, spec, arrowType, rows)
  }
}
