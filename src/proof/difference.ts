import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { plural, thousands } from '../unit/numberText.ts'
import { shownWords } from '../unit/visibleText.ts'

/** A place in a file of a run where it is not what it should be, with both values as people read them. */
export interface Difference {
  /** `row 17, column risk_micros`, `makers[0].profit`, `line 12, column 5`, `byte 1,024`: counted from 1, bytes from 0. */
  readonly at: string
  readonly found: string
  readonly expected: string
  /** What there is besides, such as how many more. Empty for nothing. */
  readonly more: string
}

/** In the place of a value that is not there. */
export const NOTHING = 'nothing'

/** Letters of a value that are shown. */
const VALUE_LETTERS_MAX = 120
const PART_BYTES = 1 << 20
/** Letters before a place in a line that are shown with it. */
const BEFORE_LETTERS = 40

export function differenceText({ at, found, expected, more }: Difference): string {
  const shown = (value: string): string => shownWords(value, VALUE_LETTERS_MAX)
  return `${shownWords(at)}: ${shown(found)}, expected ${shown(expected)}${more === '' ? '' : `; ${more}`}`
}

/** How many more there are of what differs. */
export const moreText = (count: number, what: string): string => `${plural(count, `more ${what}`)} ${count === 1 ? 'differs' : 'differ'}`

/** The first byte that differs in two files, null where both have the same. */
export function bytesDifference(found: string, expected: string): Difference | null {
  const [file, other] = [openSync(found, 'r'), openSync(expected, 'r')]
  try {
    const [part, otherPart] = [Buffer.alloc(PART_BYTES), Buffer.alloc(PART_BYTES)]
    for (let from = 0; ; from += PART_BYTES) {
      const [bytes, otherBytes] = [part.subarray(0, wholePart(file, part, from)), otherPart.subarray(0, wholePart(other, otherPart, from))]
      if (!bytes.equals(otherBytes)) {
        const at = firstOther(bytes, otherBytes)
        const shown = (byte: number | undefined): string => (byte === undefined ? 'its end' : `0x${byte.toString(16).padStart(2, '0')}`)
        return { at: `byte ${thousands(from + at)}`, found: shown(bytes[at]), expected: shown(otherBytes[at]), more: lengths(fstatSync(file).size, fstatSync(other).size) }
      }
      if (bytes.length < PART_BYTES) return null
    }
  } finally {
    closeSync(file)
    closeSync(other)
  }
}

/** Reads as much of a part of a file as there is. */
function wholePart(file: number, part: Buffer, from: number): number {
  let length = 0
  for (let read = 1; read > 0 && length < part.length; length += read) read = readSync(file, part, length, part.length - length, from + length)
  return length
}

const lengths = (found: number, expected: number): string => (found === expected ? '' : `${plural(found, 'byte')}, expected ${thousands(expected)}`)

/** The first line that differs, null where both have the same. */
export function textDifference(found: string, expected: string): Difference | null {
  if (found === expected) return null
  const [lines, expectedLines] = [found.split('\n'), expected.split('\n')]
  let line = 0
  while (lines[line] === expectedLines[line]) line++
  const [text, expectedText] = [lines[line], expectedLines[line]]
  const column = text === undefined || expectedText === undefined ? 0 : firstOther(text, expectedText)
  const shown = (whole: string | undefined): string => {
    if (whole === undefined) return 'the end'
    const from = Math.max(0, column - BEFORE_LETTERS)
    return JSON.stringify(whole.slice(from, column + VALUE_LETTERS_MAX / 2))
  }
  const others = lines.length === expectedLines.length ? lines.filter((one, i) => one !== expectedLines[i]).length - 1 : 0
  const more = lines.length !== expectedLines.length ? `${plural(lines.length, 'line')}, expected ${thousands(expectedLines.length)}` : others === 0 ? '' : moreText(others, 'line')
  return { at: `line ${thousands(line + 1)}, column ${thousands(column + 1)}`, found: shown(text), expected: shown(expectedText), more }
}

function firstOther(text: ArrayLike<unknown>, other: ArrayLike<unknown>): number {
  let at = 0
  while (at < text.length && text[at] === other[at]) at++
  return at
}

/** The first value that differs in what two JSON texts say, or the first line where they say the same otherwise; null for equal texts. */
export function jsonDifference(found: string, expected: string): Difference | null {
  if (found === expected) return null
  let value: unknown
  try {
    value = JSON.parse(found)
  } catch {
    return textDifference(found, expected)
  }
  return valueDifference(value, JSON.parse(expected)) ?? textDifference(found, expected)
}

/** The first place at which two values of JSON differ, whatever the order of their fields; null for none. */
export function valueDifference(found: unknown, expected: unknown): Difference | null {
  const places: Omit<Difference, 'more'>[] = []
  collect(found, expected, '', places)
  const [first] = places
  return first === undefined ? null : { ...first, more: places.length === 1 ? '' : moreText(places.length - 1, 'value') }
}

function collect(found: unknown, expected: unknown, at: string, places: Omit<Difference, 'more'>[]): void {
  if (isList(found) && isList(expected)) {
    for (let i = 0; i < Math.max(found.length, expected.length); i++) collect(found[i], expected[i], `${at}[${i}]`, places)
  } else if (isMap(found) && isMap(expected)) {
    for (const key of new Set([...Object.keys(expected), ...Object.keys(found)])) {
      collect(Object.hasOwn(found, key) ? found[key] : undefined, Object.hasOwn(expected, key) ? expected[key] : undefined, pathOf(at, key), places)
    }
  } else if (!Object.is(found, expected)) places.push({ at: at === '' ? 'its value' : at, found: shownJson(found), expected: shownJson(expected) })
}

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value)
const isMap = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null && !Array.isArray(value)
const pathOf = (at: string, key: string): string => (/^[A-Za-z_$][\w$]*$/.test(key) ? `${at}${at === '' ? '' : '.'}${key}` : `${at}[${JSON.stringify(key)}]`)
const shownJson = (value: unknown): string => (value === undefined ? NOTHING : JSON.stringify(value))
