// Writes docs/tables.md, the dictionary of a run's tables, from the schema in src/record: `npm run docs:tables`.
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type DictionaryColumn, type DictionaryTable, type TableDictionary, tableDictionary } from '../../src/record/dictionary.ts'
import type { OpcodeField } from '../../src/record/opcodes.ts'
import { isProgram } from '../bundle/isProgram.ts'

export const TABLES_PAGE = fileURLToPath(new URL('../../docs/tables.md', import.meta.url))

const escaped = (text: string): string => text.replaceAll('|', '\\|').replaceAll('<', '&lt;')
const row = (...cells: readonly string[]): string => `| ${cells.join(' | ')} |`

const PROTOCOL_LISTS: Readonly<Record<string, string>> = {
  op: 'a word of [Opcodes](#opcodes)', rejection: 'a word of [Rejections](#rejections)', code: 'as in [Rejections](#rejections)',
  reason: 'as in [Rejections](#rejections)', retry: 'as in [Rejections](#rejections)',
}

function typeOf({ type, unit, scale, join, namesOf, values }: DictionaryColumn): string {
  const isList = type.startsWith('List<')
  if (namesOf !== undefined) return isList ? `list of names of the ${namesOf} of the run` : `name, one of the ${namesOf} of the run`
  if (values !== undefined) return isList ? 'list of words' : 'word'
  return [type, ...(join === undefined ? [] : [`join ${join}`]), ...(unit === undefined || type.startsWith('Timestamp') ? [] : [scale === undefined ? unit : `${unit} × ${10 ** scale}`])].join(', ')
}

function aboutOf({ name, about, values }: DictionaryColumn): string {
  if (values === undefined) return escaped(about)
  if (PROTOCOL_LISTS[name] !== undefined) return `${escaped(about)}: ${PROTOCOL_LISTS[name]}`
  const isExplained = values.some(({ meaning }) => meaning !== undefined)
  return [escaped(about), ...(isExplained ? values.map(({ value, meaning }) => `\`${value}\`: ${escaped(meaning!)}`) : [values.map(({ value }) => `\`${value}\``).join(', ')])].join('<br>')
}

const tableText = ({ name, about, of, key, columns }: DictionaryTable): string[] => [
  '', `## ${name}`, `${escaped(about[0]!.toUpperCase() + about.slice(1))}. Of ${of}. ${key.length === 0 ? 'Nothing names one row.' : `One row to each ${key.map((column) => `\`${column}\``).join(', ')}.`}`, '',
  row('column', 'type', 'what it holds', 'null says'), '|---|---|---|---|',
  ...columns.map((column) => row(`\`${column.name}\``, escaped(typeOf(column)), aboutOf(column), column.null === undefined ? 'never null' : escaped(column.null))),
]

/** The page of a dictionary. */
export function tablesText({ schemaVersion, tables, rejections, opcodes, commonFields }: TableDictionary): string {
  const head = [
    '# Dictionary of the tables', '',
    `A run leaves its tables in \`tables/*.arrow\`, and with \`record.parquet\` as Parquet beside them. This page has every table and column of schema version ${schemaVersion}, with types, units, words`,
    'and what an empty cell says. It is made of the schema that writes the tables: `npm run docs:tables` writes it, and a test fails where it is stale.', '',
    'The same is data in three places: `parlor schema tables --json` prints it. Each field of an Arrow file has it in its metadata (`about`, `unit`, `scale`, `null`, `join`, `values`). A Parquet file has it in its',
    'key-value metadata, as JSON under `columns`. The metadata of each file also say which run it is of, and `schema_version`. [compatibility.md](compatibility.md) says what a later version may change.', '',
    '## Reading a row',
    '- **Types** are Arrow\'s. A `Timestamp<MICROSECOND>` is in UTC. A word or a name is a dictionary of texts in Arrow, and a text in Parquet. A list is a list of them in both.',
    '- **Units** stand last in a name: `_micros` is microUSDC (1 USDC is 1,000,000), `_e4` decimal odds times 10,000, `_bps` hundredths of a per cent, `_at` an instant. [glossary.md](glossary.md#columns) has all of them.',
    '- **`seq`** is the total order of all rows of all services and tables. What happens at one instant has an order by it.',
    '- **Numbers.** `seq`, `command`, account numbers and market numbers are those of the whole session. Requests, quotes, acceptances, positions, auctions, bids, operations, reductions, transactions,',
    '  deliveries and credentials are numbered from 1 **by each service**: in a run with two services two of them have the same number. Join on these columns (`join with service`) and on `service`.',
    '  On the outcome service an auction has the number of its cash-out RFQ, and a bid that of its quote. `ledger.debit_owner` and `credit_owner` hold accounts or positions, by the kind beside them.',
    '- **Figures.** `summary.json` is made of these tables ([metrics.md](metrics.md)), and of the manifest what no row says: identity, window, and coverage of the catalogue. How many requests reached each maker, and why others did not, stands',
    '  in the manifest too; with `record: { deliveries: true }` the rows of `deliveries` say which, when, and which it missed.',
    '- **null** says what the last column says, and nothing else. A figure that is not known is null, never 0.',
  ]
  const fieldText = ({ column, field, about }: OpcodeField): string => `\`${column === 'more' ? `more: ${field}` : column}\`${column === 'more' || field === column ? '' : ` (${field})`}: ${escaped(about)}`
  const lists = [
    '', '## Opcodes', 'What each `op` of `journal`, `rejections` and `external` asks for, and which columns of the journal hold the fields of its commands. A field without a column stands in `more` as',
    '`field=value`, by the name that is shown. The other columns of the row are null.', '',
    ...(['parlay', 'outcome'] as const).map((service) => `Every command of the ${service} service: ${commonFields[service].map(fieldText).join('; ')}.`), '',
    row('op', 'service', 'what is asked', 'fields'), '|---|---|---|---|',
    ...opcodes.map(({ service, op, about, fields }) => row(`\`${op}\``, service, escaped(about), fields.map(fieldText).join('<br>'))),
    '', '## Rejections', 'Every reply with an error, by the name that `rejections.rejection` has. HTTP status 0 is that of a code which only closes a stream.', '',
    row('rejection', 'service', 'HTTP', '`code`', '`reason`', '`retry`'), '|---|---|---|---|---|---|',
    ...rejections.map(({ rejection, service, httpStatus, code, reason = '', retry = '' }) => row(`\`${rejection}\``, service, String(httpStatus), code, reason, retry)),
  ]
  return [...head, ...tables.flatMap(tableText), ...lists, ''].join('\n')
}

if (isProgram(import.meta.url)) {
  writeFileSync(TABLES_PAGE, tablesText(tableDictionary()))
  console.log(TABLES_PAGE)
}
