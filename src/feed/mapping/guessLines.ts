import { DAY_US, isoOfTimeUs } from '../../unit/time.ts'
import type { InputFile } from '../rows/inputFiles.ts'
import { marksGuess, type Sample, timeGuess } from './columnGuess.ts'

/** A line of a mapping, with what is unsure about it. */
export interface Line {
  readonly key: string
  readonly value: string
  readonly doubt?: string | undefined
}

/** A file's columns, and what the first rows have in them. */
export interface Looked {
  readonly file: InputFile
  readonly columns: readonly string[]
  /** Of CSV, what stands between its fields. */
  readonly delimiter: string | undefined
  sample(column: string): Sample
}

export const COLUMNS_SHOWN = 30

export const lineText = ({ key, value, doubt }: Line): string => `    ${key}: ${value}${doubt === undefined ? '' : ` # unsure: ${doubt}`}`

/** A comma is what an import expects. */
export const delimiterLines = ({ delimiter }: Looked): Line[] => (delimiter === undefined || delimiter === ',' ? [] : [{ key: 'delimiter', value: JSON.stringify(delimiter) }])

/** How numbers are written. */
export const markLines = (samples: readonly Sample[]): Line[] =>
  Object.entries(marksGuess(samples)).map(([key, mark]) => ({ key, value: JSON.stringify(mark), ...(key === 'thousands' && mark === ',' ? { doubt: 'or decimals have a comma (then: decimal)' } : {}) }))

export function timeLine(key: string, named: string, looked: Looked): Line {
  const { column, timeOfDay } = datedColumn(named, looked)
  const { texts, ...more } = looked.sample(column)
  const whole = timeOfDay === undefined ? { texts, ...more } : { texts: texts.map((text) => `${more.isInstant ? isoOfTimeUs(Number(text)).slice(0, 10) : text} ${looked.sample(timeOfDay).texts[0]}`), isInstant: false, isNaive: false }
  const { unit, pattern, isZoneless, isKnown } = timeGuess(whole)
  if (unit === undefined && !isZoneless && isKnown) return { key, value: quoted(column) }
  const [first] = whole.texts
  const parts = [`column: ${quoted(column)}`, ...(timeOfDay === undefined ? [] : [`with: ${quoted(timeOfDay)}`]), ...(unit === undefined ? [] : [`unit: ${unit}`]), ...(pattern === undefined ? [] : [`pattern: ${JSON.stringify(pattern)}`]), ...(isZoneless ? ['zone: UTC'] : [])]
  const doubt = !isKnown ? `${first === undefined ? 'the first rows have no time' : `'${first}' is no time that is known`}; pattern: tells how times are written` : isZoneless ? `the times name no zone${pattern?.includes('/') === true ? ', and day and month may have changed places' : ''}` : undefined
  return { key, value: `{ ${parts.join(', ')} }`, doubt }
}

const TIME_OF_DAY = /^\d{1,2}:\d\d(:\d\d([.,]\d+)?)?( ?[AP]\.?M\.?)?$/i
const DATE = /^(\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/. ](\d{1,2}|[A-Za-z]{3})[-/. ]\d{2,4}|\d{8})$/

/** The column of the date, where the one that is named for times has times of day alone; and the column of the time of day, where it stands apart. */
function datedColumn(named: string, { columns, sample }: Looked): { readonly column: string; readonly timeOfDay?: string } {
  const other = (form: RegExp): string | undefined => columns.find((column) => column !== named && isOfForm(sample(column), form))
  if (isOfForm(sample(named), TIME_OF_DAY)) {
    const date = other(DATE)
    return date === undefined ? { column: named } : { column: date, timeOfDay: named }
  }
  const timeOfDay = isOfForm(sample(named), DATE) ? other(TIME_OF_DAY) : undefined
  return timeOfDay === undefined ? { column: named } : { column: named, timeOfDay }
}

/** Days of a column whose type has instants are those at midnight. */
const isOfForm = ({ texts, isInstant }: Sample, form: RegExp): boolean =>
  texts.length > 0 && texts.every((text) => (isInstant ? form === DATE && Number(text) % DAY_US === 0 : form.test(text)))

/** A YAML text; quoted where it may be read as something else. */
export const quoted = (text: string): string => (/^[A-Za-z_][\w.-]*$/.test(text) && !/^(true|false|null|yes|no|on|off|y|n)$/i.test(text) ? text : JSON.stringify(text))
