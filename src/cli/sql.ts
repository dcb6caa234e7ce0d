import type { Command } from 'commander'
import type { SqlAnswer, SqlCell } from '../actions/sql.ts'
import { columnsText } from '../unit/columnsText.ts'
import { InputError } from '../unit/inputError.ts'
import { UNKNOWN } from '../unit/numberText.ts'
import { type CommonOptions, print, withExamples } from './common.ts'
import type { Interruption } from './signals.ts'

interface SqlOptions extends CommonOptions {
  readonly csv?: boolean
}

const NUMERIC = /^(?:U?(?:TINY|SMALL|BIG|HUGE)INT|U?INTEGER|BIGNUM|FLOAT|DOUBLE|DECIMAL\(\d+,\d+\))$/

export function addSql(program: Command, interruption: () => Interruption): void {
  const command = program.command('sql').argument('<run>', 'folder of a run').argument('<query>', 'one SELECT, in DuckDB\'s SQL')
    .summary('answer a question about the tables of a run')
    .description('Answer one SELECT about the tables of a run. Each table is a view of its name; docs/tables.md has the columns, and so has `describe TABLE`. The run is only read, and so is no other file. Integers and decimals are printed with all their digits, money in microUSDC, and instants as ISO 8601, UTC. It needs DuckDB, which parlor comes without: where it is missing, the command that adds it is said.')
    .option('--json', 'print a JSON object for each row, one a line')
    .option('--csv', 'print comma-separated values; an empty cell is null')
  withExamples(command, 'parlor sql runs/quickstart "select maker, count(*) as quotes from quotes group by maker order by maker"')
    .action(async (dir: string, query: string, options: SqlOptions) => { await sql(dir, query, options, interruption) })
}

async function sql(dir: string, query: string, { json, csv }: SqlOptions, interruption: () => Interruption): Promise<void> {
  if (json === true && csv === true) throw new InputError('expected --json or --csv, got both')
  const actions = await import('../actions/sql.ts')
  printAnswer(await actions.sql(dir, query, { signal: interruption().signal }), json === true ? 'json' : csv === true ? 'csv' : 'table')
}

/** Prints an answer as a table for people, as comma-separated values, or as a JSON object for each row. */
export function printAnswer(answer: SqlAnswer, form: 'json' | 'csv' | 'table'): void {
  if (form === 'json') write(jsonLines(answer))
  else if (form === 'csv') write(csvLines(answer))
  else print(tableText(answer))
}

const write = (lines: readonly string[]): void => {
  for (const line of lines) process.stdout.write(`${line}\n`)
}

function tableText({ columns, rows }: SqlAnswer): string {
  const right = columns.flatMap(({ type }, i) => (NUMERIC.test(type) ? [i] : []))
  return columnsText([columns.map(({ name }) => name), ...rows.map((row) => row.map((cell) => (cell === null ? UNKNOWN : plainText(cell))))], right)
}

const jsonLines = ({ columns, rows }: SqlAnswer): string[] => {
  const names = columns.map(({ name }) => JSON.stringify(name))
  return rows.map((row) => `{${row.map((cell, i) => `${names[i]!}:${jsonText(cell)}`).join(',')}}`)
}

const csvLines = ({ columns, rows }: SqlAnswer): string[] =>
  [columns.map(({ name }) => csvText(name)).join(','), ...rows.map((row) => row.map((cell) => (cell === null ? '' : csvText(plainText(cell)))).join(','))]

/** As RFC 4180 has it. An empty text has marks, so that it is no null. */
const csvText = (text: string): string => (text === '' || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

const plainText = (cell: Exclude<SqlCell, null>): string => (typeof cell === 'object' ? jsonText(cell) : String(cell))

/** JSON with all digits of integers. What is no number in JSON, such as NaN, is a text. */
function jsonText(cell: SqlCell): string {
  if (typeof cell === 'bigint') return String(cell)
  if (typeof cell === 'number' && !Number.isFinite(cell)) return JSON.stringify(String(cell))
  if (typeof cell !== 'object' || cell === null) return JSON.stringify(cell)
  if (Array.isArray(cell)) return `[${cell.map(jsonText).join(',')}]`
  return `{${Object.entries(cell).map(([field, inner]) => `${JSON.stringify(field)}:${jsonText(inner as SqlCell)}`).join(',')}}`
}
