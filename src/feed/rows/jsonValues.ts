import { InputError } from '../../unit/inputError.ts'
import type { FileTally } from '../importTally.ts'
import { ROW_BYTES_MAX } from './csvScan.ts'
import type { InputFile } from './inputFiles.ts'
import { textBytes, textHead } from './textBytes.ts'

const NEWLINE = 10
/** A whole JSON document is held in memory. */
const DOCUMENT_BYTES_MAX = 1 << 28
const LINE_BYTES_MAX = ROW_BYTES_MAX * 16
/** Numbers of so many digits do not all fit a double. They are kept as they are written. */
const LONG_NUMBER = /[:[,]\s*-?\d{16,}/
/** So many values of a document are taken before others have their turn. */
const VALUES_AT_ONCE = 1024

/** Takes a value of a file of JSON: at a line, and which it is of a line that is a list, from 0; or at its place in a document, from 1. */
export type TakeValue = (value: unknown, number: number, within: number) => void

/**
 * Gives the values of a file of JSON to `take`: one in each line, a list of them in each line, or a document, which is a list of them or one of them. It
 * yields now and then, for whoever passes on what was taken. A line that is no JSON is counted and set aside in `tally`. Throws InputError for a document
 * that is cut off.
 *
 * @param isWhole it is a document (`isDocument`)
 * @param isPassed whether a line is passed over, and so is what is damaged in it: another part reads it
 */
export async function* jsonValues(file: InputFile, tally: FileTally, isWhole: boolean, take: TakeValue, isPassed?: (line: string) => boolean): AsyncGenerator<void, void> {
  if (isWhole) {
    const values = await documentOf(file, tally)
    for (const [i, value] of values.entries()) {
      take(value, i + 1, 0)
      if (i % VALUES_AT_ONCE === VALUES_AT_ONCE - 1) yield
    }
    return
  }
  let number = 0
  for await (const lines of linesOf(file, tally)) {
    for (const text of lines) {
      number += 1
      if (text === null) {
        tally.read()
        tally.quarantine('row too long', number, `more than ${LINE_BYTES_MAX} bytes`)
      } else if (text.trim() !== '' && isPassed?.(text) !== true) takeLine(text, number, tally, take)
    }
    yield
  }
}

function takeLine(text: string, number: number, tally: FileTally, take: TakeValue): void {
  let value: unknown
  try {
    value = parsed(text)
  } catch {
    return setNoJsonAside(text, number, tally)
  }
  if (Array.isArray(value)) value.forEach((item: unknown, within) => { take(item, number, within) })
  else take(value, number, 0)
}

function setNoJsonAside(text: string, number: number, tally: FileTally): void {
  tally.read()
  tally.quarantine('not JSON', number, text.slice(0, 60))
}

const keepDigits = (_: string, value: unknown, context?: { readonly source?: string }): unknown =>
  (typeof value === 'number' && !Number.isSafeInteger(value) && context?.source !== undefined && /^-?\d+$/.test(context.source) ? context.source : value)

function parsed(text: string): unknown {
  // The reviver sees what was written.
  return LONG_NUMBER.test(text) ? JSON.parse(text, keepDigits as (key: string, value: unknown) => unknown) : JSON.parse(text)
}

export function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/**
 * Whether the first bytes of a file are those of a document that has several lines: its first line is no whole JSON, and opens what follows. A damaged
 * line, which others follow that are whole, is none.
 */
export function spansLines(head: Buffer): boolean {
  const [first = '', second = ''] = head.toString('utf8').split('\n').map((line) => line.trim()).filter((line) => line !== '')
  if (isJson(first)) return false
  return /[[{]$/.test(first) || (!isJson(second) && (first.startsWith('[') || first.endsWith(',')))
}

/** A document has several lines, or is one line alone. */
export async function isDocument(file: InputFile, tally: FileTally): Promise<boolean> {
  const head = textHead(file)
  const isCut = !head.includes(NEWLINE)
  if (!isCut && spansLines(head)) return true
  return /^\s*[[{]/.test(head.toString('latin1', 0, 256)) && isOneLine(file, tally)
}

async function isOneLine(file: InputFile, tally: FileTally): Promise<boolean> {
  let hasEnded = false
  for await (const chunk of textBytes(file, tally)) {
    const end = hasEnded ? 0 : chunk.indexOf(NEWLINE)
    if (end < 0) continue
    if (chunk.toString('latin1', end).trim() !== '') return false
    hasEnded = true
  }
  return true
}

/** The lines of a text, those of a stretch at a time, null for one that is too long. */
async function* linesOf(file: InputFile, tally: FileTally): AsyncGenerator<readonly (string | null)[], void> {
  let rest: Buffer = Buffer.alloc(0)
  let isPassing = false
  for await (const chunk of textBytes(file, tally)) {
    const lines: (string | null)[] = []
    const data = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    let at = 0
    for (let end = data.indexOf(NEWLINE); end >= 0; end = data.indexOf(NEWLINE, at)) {
      lines.push(isPassing ? null : data.toString('utf8', at, end))
      isPassing = false
      at = end + 1
    }
    rest = data.subarray(at)
    if (rest.length > LINE_BYTES_MAX) isPassing = true
    if (isPassing) rest = Buffer.alloc(0)
    if (lines.length > 0) yield lines
  }
  if (isPassing) yield [null]
  else if (rest.length > 0) yield [rest.toString('utf8', 0, rest.length)]
}

/** The values of a document. Throws InputError for one that is cut off, or too long. A damaged object that is one line is one row that is set aside. */
async function documentOf(file: InputFile, tally: FileTally): Promise<readonly unknown[]> {
  const chunks: Buffer[] = []
  let length = 0
  const position = { file: file.name }
  for await (const chunk of textBytes(file, tally)) {
    chunks.push(chunk)
    length += chunk.length
    if (length > DOCUMENT_BYTES_MAX) throw new InputError(`is one JSON document of more than ${DOCUMENT_BYTES_MAX} bytes`, { position, hint: 'expected an object in each line (NDJSON)' })
  }
  const text = Buffer.concat(chunks).toString('utf8')
  try {
    return [parsed(text)].flat(1)
  } catch (cause) {
    if (/^\s*\{[^\n]*\s*$/.test(text)) {
      setNoJsonAside(text, 1, tally)
      return []
    }
    throw new InputError(`is no complete JSON document: ${whyOf(cause)}`, { position: { ...position, ...endOf(text, cause) }, hint: 'expected one document, or an object in each line (NDJSON)', cause })
  }
}

/** What the parser says of a damaged text, without where it says so. */
const whyOf = (cause: unknown): string => (cause as Error).message.replace(/ in JSON at position .*| in JSON$/s, '').slice(0, 100)

/** Line and column at which a text is damaged, from 1: where the parser says so, otherwise at its end. */
function endOf(text: string, cause: unknown): { readonly line: number; readonly column: number } {
  const said = /at position (\d+)/.exec((cause as Error).message)?.[1]
  const before = text.slice(0, said === undefined ? text.trimEnd().length : Number(said)).split('\n')
  return { line: before.length, column: before.at(-1)!.length + 1 }
}
