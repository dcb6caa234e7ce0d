import { datesAt } from './writtenDate.ts'

/** Spellings of the entries of a list, in lower case, with the name of each. */
export type Spellings = ReadonlyMap<string, string>

/** A text of a part that may begin at a place: where it ends, and what it stands for. */
interface Candidate {
  readonly end: number
  readonly value: string
}

type Token =
  | { readonly kind: 'literal'; readonly text: string }
  /** Any text, empty too. */
  | { readonly kind: 'any' }
  | { readonly kind: 'part'; readonly name: string; readonly at: (text: string, from: number) => readonly Candidate[] }

/** A pattern that texts match as a whole. Case does not count. */
export interface Pattern {
  /** Names of its parts. */
  readonly names: readonly string[]
  /** What the parts of a text are, in lower case, or null where it does not match. */
  match(text: string): Readonly<Record<string, string>> | null
}

const NAME = /^[a-z][A-Za-z0-9]*$/
/** No ticker or title is longer. A text that is longer matches nothing. */
const TEXT_MAX = 1_000

/**
 * Reads a pattern: `*` is any text, `{name}` a part of one letter or more, and `{name:KIND}` a part of a kind. Kinds are `digits`, `letters`,
 * `word` (letters and digits), `date`, `day` (a date without its year), a list by name, or choices as `highest|lowest`, in which `#` is a digit
 * and `@` a letter.
 *
 * @returns the pattern, or what is wrong with it
 */
export function readPattern(written: string, lists: ReadonlyMap<string, Spellings>): Pattern | { readonly fault: string } {
  const tokens: Token[] = []
  const names: string[] = []
  for (const [piece] of written.matchAll(/\{[^{}]*\}|\*|[^{}*]+|[{}]/g)) {
    if (piece === '*') tokens.push({ kind: 'any' })
    else if (piece === '{' || piece === '}') return { fault: `a ${piece} without its other half` }
    else if (!piece.startsWith('{')) tokens.push({ kind: 'literal', text: piece.toLowerCase() })
    else {
      const [name = '', ...rest] = piece.slice(1, -1).split(':')
      if (!NAME.test(name)) return { fault: `{${name}} is no name: expected letters and digits that begin with a small letter` }
      if (names.includes(name)) return { fault: `{${name}} stands there twice` }
      names.push(name)
      tokens.push({ kind: 'part', name, at: rest.length === 0 ? anyText : kindOf(rest.join(':'), lists) })
    }
  }
  if (tokens.length === 0) return { fault: 'an empty pattern matches nothing' }
  return { names, match: (text) => (text.length > TEXT_MAX ? null : matchOf(tokens, text.toLowerCase())) }
}

/** Shorter texts first. */
const anyText = (text: string, from: number): Candidate[] => Array.from({ length: text.length - from }, (_, i) => ({ end: from + i + 1, value: text.slice(from, from + i + 1) }))

/** Texts of one kind of letter, longer ones first. */
const runOf = (letters: RegExp) => (text: string, from: number): Candidate[] => {
  let end = from
  while (end < text.length && letters.test(text[end]!)) end++
  return Array.from({ length: end - from }, (_, i) => ({ end: end - i, value: text.slice(from, end - i) }))
}

const pair = (number: number): string => String(number).padStart(2, '0')

const KINDS: Readonly<Record<string, (text: string, from: number) => readonly Candidate[]>> = {
  digits: runOf(/[0-9]/), letters: runOf(/\p{L}/u), word: runOf(/[\p{L}0-9]/u),
  date: (text, from) => datesAt(text, from).filter(({ year }) => year !== null).map(({ end, year, month, day }) => ({ end, value: `${year}-${pair(month)}-${pair(day)}` })),
  day: (text, from) => datesAt(text, from).map(({ end, month, day }) => ({ end, value: `${pair(month)}-${pair(day)}` })),
}

/** Names that a list cannot have. */
export const KIND_NAMES = Object.keys(KINDS)

function kindOf(kind: string, lists: ReadonlyMap<string, Spellings>): (text: string, from: number) => readonly Candidate[] {
  const list = lists.get(kind)
  if (list !== undefined) return spelled([...list])
  if (Object.hasOwn(KINDS, kind)) return KINDS[kind]!
  const shapes = kind.toLowerCase().split('|')
  return (text, from) => shapes.filter((shape) => fits(shape, text, from)).map((shape) => ({ end: from + shape.length, value: text.slice(from, from + shape.length) }))
}

/** Longer spellings first. */
function spelled(spellings: readonly (readonly [string, string])[]): (text: string, from: number) => readonly Candidate[] {
  const longest = [...spellings].sort(([a], [b]) => b.length - a.length)
  return (text, from) => longest.filter(([spelling]) => text.startsWith(spelling, from)).map(([spelling, value]) => ({ end: from + spelling.length, value }))
}

const fits = (shape: string, text: string, from: number): boolean => from + shape.length <= text.length
  && [...shape].every((letter, i) => (letter === '#' ? /[0-9]/ : letter === '@' ? /[a-z]/ : null)?.test(text[from + i]!) ?? letter === text[from + i])

/** The first way in which the tokens make up the text. Places that failed are not tried again, so that the time is bounded by tokens × length². */
function matchOf(tokens: readonly Token[], text: string): Record<string, string> | null {
  const failed = new Set<number>()
  const parts: Record<string, string> = {}
  const from = (place: number, at: number): boolean => {
    const token = tokens[place]
    if (token === undefined) return at === text.length
    const key = place * (text.length + 1) + at
    if (failed.has(key)) return false
    if (token.kind === 'literal' ? text.startsWith(token.text, at) && from(place + 1, at + token.text.length) : token.kind === 'any' ? anyFrom(place, at) : partFrom(token, place, at)) return true
    failed.add(key)
    return false
  }
  const anyFrom = (place: number, at: number): boolean => {
    for (let end = at; end <= text.length; end++) if (from(place + 1, end)) return true
    return false
  }
  const partFrom = (token: Token & { kind: 'part' }, place: number, at: number): boolean => token.at(text, at).some(({ end, value }) => {
    if (!from(place + 1, end)) return false
    parts[token.name] = value
    return true
  })
  return from(0, 0) ? parts : null
}
