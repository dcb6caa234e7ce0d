import type { FileTally } from '../../importTally.ts'
import { type Cells, ValueCells } from '../cells.ts'
import type { InputFile } from '../inputFiles.ts'
import { isTooDeep, NESTING_MAX } from '../jsonNesting.ts'
import { isDocument, jsonValues, type TakeValue } from '../jsonValues.ts'
import type { ObjectAccount } from '../objectAccount.ts'
import type { RowBatch, RowFormat, RowTable } from '../rowBatch.ts'
import { textHead } from '../textBytes.ts'
import { isItem, type Item, type RowShape, type ShapeOut, type ShapeReader } from './shape.ts'

const BATCH_ROWS = 4096
const FRAME = '"event_type"'

/** The rows that a shape makes of a file. The first bytes of a file without its signs show no columns. */
export function shapedTable(file: InputFile, format: RowFormat, shape: RowShape): RowTable {
  const isRead = format === 'ndjson'
  const head = isRead ? textHead(file).toString('utf8') : ''
  const fits = shape.signs.some((names) => names.every((name) => head.includes(`"${name}"`) || head.includes(`\\"${name}\\"`)))
  const columns = fits ? shape.columns : []
  return {
    format, columns,
    has: (column) => isRead && shape.columns.includes(column),
    shows: (column) => columns.includes(column),
    batches: (wanted, tally, offered) => batches(file, shape, wanted, tally, offered?.account),
  }
}

async function* batches(file: InputFile, shape: RowShape, wanted: readonly string[], tally: FileTally, account: ObjectAccount | undefined): AsyncGenerator<RowBatch, void> {
  const reader = shape.begin(stemOf(file))
  const out = new Rows(wanted, tally)
  const { marks } = shape
  const isPassed = marks === undefined ? undefined : (line: string) => line.includes(FRAME) && !marks.some((mark) => line.includes(mark))
  const take: TakeValue = (value, number, within) => {
    out.number = number
    const isKnown = takeValue(value, reader, out, tally)
    if (account !== undefined) account[isKnown ? 'know' : 'see'](number, within)
    else if (!isKnown) tally.note('object of another shape', number, beginningOf(value))
  }
  for await (const _ of jsonValues(file, tally, await isDocument(file, tally), take, isPassed)) if (out.count >= BATCH_ROWS) yield out.taken()
  if (out.count > 0) yield out.taken()
}

/** Whether a value is of the shape, or has been told of as damaged. */
function takeValue(value: unknown, reader: ShapeReader, out: Rows, tally: FileTally): boolean {
  if (isTooDeep(value)) setAside(tally, 'nested too deep', out.number, `more than ${NESTING_MAX} levels`)
  else if (isItem(value)) return reader.take(value, out) !== false
  else setAside(tally, 'not an object', out.number, beginningOf(value))
  return true
}

function setAside(tally: FileTally, kind: string, number: number, about: string): void {
  tally.read()
  tally.quarantine(kind, number, about)
}

const beginningOf = (value: unknown): string => String(JSON.stringify(value)).slice(0, 60)

/** `prices/713.json.gz` is `713`. */
const stemOf = ({ ownName }: InputFile): string => (ownName ?? '').replace(/(\.(json|ndjson|jsonl|txt|gz|zst))+$/i, '')

class Rows implements ShapeOut {
  number = 1
  count = 0
  private declare readonly wanted: readonly string[]
  private declare readonly tally: FileTally
  private declare values: unknown[][]
  private numbers: number[] = []

  constructor(wanted: readonly string[], tally: FileTally) {
    this.wanted = wanted
    this.tally = tally
    this.values = wanted.map(() => [])
  }

  row(item: Item): void {
    for (const [place, column] of this.wanted.entries()) this.values[place]!.push(item[column])
    this.numbers.push(this.number)
    this.count += 1
  }

  note(kind: string, about: string): void {
    this.tally.note(kind, this.number, about)
  }

  /** Each part of a mapping tells of its own rows, of which a line may have many. */
  bad(kind: string, about: string): void {
    this.tally.whole.read()
    this.tally.whole.quarantine(kind, this.number, about)
  }

  taken(): RowBatch {
    const { values, numbers, count } = this
    this.values = this.wanted.map(() => [])
    this.numbers = []
    this.count = 0
    return { count, numbers, cells: values.map((column): Cells => new ValueCells(column)) }
  }
}
