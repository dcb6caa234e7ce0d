import fc from 'fast-check'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import { tarOf } from './tarOf.ts'

/** Bytes of a file by its name. */
export type Files = Readonly<Record<string, Buffer>>

/** One change of a file. Places are shares of its length, in millionths, so that a smaller file has the same ones. */
export interface Change {
  readonly how: (typeof BYTES)[number] | (typeof TEXT)[number]
  readonly at: number
  readonly to: number
  readonly byte: number
}

/** What becomes of the files of a sample. */
export interface Damage {
  /** Which file is changed, by its place among the names. */
  readonly file: number
  readonly changes: readonly Change[]
  readonly encoding: (typeof ENCODINGS)[number]
  readonly wrapping: (typeof WRAPPINGS)[number]
  /** A change of the bytes that are in the wrapping. */
  readonly after: Change | null
  /** Whether what is imported goes into a store, which takes far longer than to read it. */
  readonly isStored: boolean
}

/** What a huge field is full of. */
const FILLERS = ['7', 'x', ' ', '-', '0.', '/', '1:', '{a}']

/** What is nested so deep overflows the stack of a recursive function. */
const DEPTH = 12_000

const BYTES = ['flip', 'cut', 'insert', 'drop', 'repeat', 'zeros'] as const
const TEXT = ['quote', 'cell', 'name', 'number', 'huge', 'twice', 'lineAway', 'swap', 'blank', 'deep', 'value'] as const
const ENCODINGS = ['utf8', 'utf8', 'utf8', 'utf8', 'utf8', 'utf8', 'mark', 'utf16le', 'utf16leMark', 'utf16beMark', 'latin1'] as const
const WRAPPINGS = ['none', 'none', 'none', 'none', 'gzip', 'zstd', 'tar', 'tgz'] as const

/** Texts that somebody wrote in a cell, or that no program expects there. */
const CELLS = [
  '', ' ', '-', '-1', '-0', '0', '1', '00', '1e400', '1e-400', '1e5', '0x10', 'NaN', 'Infinity', 'null', 'None', 'true', '½', '٣', '1,5', '0.5.5', '+0.5', '.5', '5.', '0.1234567890123456789',
  '9'.repeat(19), '9'.repeat(400), `0.${'3'.repeat(400)}`, '9007199254740993', '253402300800000000', '8640000000000001', '-62135596800', '1750359600', '1750359600000', '1750359600000000', '1750359600000000000',
  '2025-06-19', '2025-06-19T19:00:00Z', '2025-02-30T00:00:00Z', '9999-12-31T23:59:59Z', '+275760-09-13T00:00:00Z', '0000-00-00', 'BUY', 'bid', 'yes', 'YES', 'void', '__proto__', 'constructor', 'toString', '\u0000', '\uFEFF', '\u2028', '’', 'ü', '"', '""', '"x', 'x"y', '[]', '{}', '[[0.5,1]]', '../../etc/passwd', '=1+1',
]

/** Values of JSON where others are expected. Undefined leaves the name out. */
const VALUES: readonly unknown[] = [undefined, null, '', 0, -1, 1e300, '1e999', [], {}, [[]], [null], 'constructor', '__proto__', true, '0.5', 'x'.repeat(300), 5e-324, '2025-06-19']

const place = fc.nat(1_000_000)
const changeOf = (hows: readonly Change['how'][]): fc.Arbitrary<Change> => fc.record({ how: fc.constantFrom(...hows), at: place, to: place, byte: fc.nat(255) })

/** Damage of files of which some are texts. */
export const damage: fc.Arbitrary<Damage> = fc.record({
  file: fc.nat(7), changes: fc.array(fc.oneof(changeOf(BYTES), { arbitrary: changeOf(TEXT), weight: 2 }), { maxLength: 5 }), encoding: fc.constantFrom(...ENCODINGS), wrapping: fc.constantFrom(...WRAPPINGS),
  after: fc.option(changeOf(BYTES), { freq: 2 }), isStored: fc.nat(5).map((number) => number === 5),
})

/** Damage of files of which none is read as an archive. */
export const bareDamage: fc.Arbitrary<Damage> = damage.map((one) => ({ ...one, wrapping: 'none', after: null }))

/** What is done to a sample, and which file of it. */
export interface Damaged {
  readonly files: Files
  /** The name of the file in the sample. */
  readonly name: string
  /** The text of that file where it is plain UTF-8, to count in it what a reader has to have found. Null otherwise. */
  readonly text: string | null
  readonly isStored: boolean
}

export const isBinary = (name: string): boolean => /\.(parquet|arrow)$/.test(name)

/** Changes one file of a sample. */
export function damaged(sound: Files, { file, changes, encoding, wrapping, after, isStored }: Damage, hugeBytes: number): Damaged {
  const names = Object.keys(sound)
  const name = names[file % names.length]!
  let bytes = sound[name]!
  const isText = !isBinary(name)
  for (const change of changes) bytes = changed(bytes, change, isText, hugeBytes)
  if (isText) bytes = encoded(bytes, encoding)
  const isPlain = isText && wrapping === 'none' && encoding === 'utf8'
  const text = isPlain && bytes.equals(Buffer.from(bytes.toString('utf8'))) ? bytes.toString('utf8') : null
  const [wrappedName, wrapped] = wrappedIn(name, bytes, wrapping)
  const last = after === null || wrapping === 'none' ? wrapped : changed(wrapped, after, false, hugeBytes)
  return { files: Object.fromEntries(names.map((own) => (own === name ? [wrappedName, last] : [own, sound[own]!]))), name, text, isStored }
}

const of = (share: number, length: number): number => Math.min(length, Math.floor((share / 1_000_001) * (length + 1)))

function changed(bytes: Buffer, { how, at, to, byte }: Change, isText: boolean, hugeBytes: number): Buffer {
  const place = of(at, bytes.length)
  const put = (what: Buffer, away = 0): Buffer => Buffer.concat([bytes.subarray(0, place), what, bytes.subarray(place + away)])
  switch (how) {
    case 'flip': {
      const other = Buffer.from(bytes)
      if (place < other.length) other[place]! ^= byte
      return other
    }
    case 'cut': return bytes.subarray(0, place)
    case 'insert': return put(Buffer.from([byte]))
    case 'drop': return put(Buffer.alloc(0), 1 + byte % 8)
    case 'repeat': return put(bytes.subarray(place, place + to % 300))
    case 'zeros': return put(Buffer.alloc(1 + to % 300), to % 2 === 0 ? 1 + to % 300 : 0)
    default: return isText ? Buffer.from(changedText(bytes.toString('latin1'), { how, at, to, byte }, hugeBytes), 'latin1') : bytes
  }
}

/** Of a text whose letters are bytes. */
function changedText(text: string, { how, at, to, byte }: Change, hugeBytes: number): string {
  const place = of(at, text.length)
  const lines = text.split('\n')
  const [line, other] = [of(at, lines.length - 1), of(to, lines.length - 1)]
  const inBytes = (value: string): string => Buffer.from(value).toString('latin1')
  const replaced = (what: RegExp, value: string): string => {
    const found = [...text.matchAll(what)]
    if (found.length === 0) return text
    const { 0: { length }, index } = found[of(at, found.length - 1)]!
    return text.slice(0, index) + value + text.slice(index + length)
  }
  switch (how) {
    case 'quote': return `${text.slice(0, place)}"${text.slice(place)}`
    case 'cell': return replaced(/[^,\n"{}[\]:]+/g, inBytes(CELLS[to % CELLS.length]!))
    case 'number': return replaced(/\d+(\.\d+)?/g, inBytes(CELLS[to % CELLS.length]!))
    // A column gets the name of another one.
    case 'name': {
      const names = lines[0]!.split(',')
      names[byte % names.length] = names[to % names.length]!
      return [names.join(','), ...lines.slice(1)].join('\n')
    }
    case 'huge': {
      const what = FILLERS[byte % FILLERS.length]!
      return text.slice(0, place) + what.repeat((to % 2 === 0 ? hugeBytes : hugeBytes >> 2) / what.length) + text.slice(place)
    }
    case 'deep': return replaced(/"[^"\n]*"|\d+(\.\d+)?/g, byte % 2 === 0 ? '['.repeat(DEPTH) + ']'.repeat(DEPTH) : `${'{"a":'.repeat(DEPTH)}1${'}'.repeat(DEPTH)}`)
    case 'value': return changedJson(text, { at, to, byte }) ?? lines.with(line, changedJson(lines[line]!, { at, to, byte }) ?? lines[line]!).join('\n')
    case 'twice': return lines.toSpliced(line, 0, lines[line]!).join('\n')
    case 'lineAway': return lines.toSpliced(line, 1).join('\n')
    case 'swap': return lines.with(line, lines[other]!).with(other, lines[line]!).join('\n')
    default: return lines.toSpliced(line, 0, ['', '\r', ' ', ','][byte % 4]!).join('\n')
  }
}

/** A text of JSON with another value somewhere, at any depth, or without it. Undefined where the text is no JSON. */
function changedJson(text: string, { at, to, byte }: Omit<Change, 'how'>): string | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined
  try {
    // The digits of `to` say the way to the value, and how deep it lies.
    const way = [at, ...String(to)].slice(0, 1 + byte % 7).map(Number)
    return JSON.stringify(changedValue(JSON.parse(text), way, VALUES[to % VALUES.length]))
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RangeError) return undefined
    throw error
  }
}

function changedValue(value: unknown, [first, ...rest]: readonly number[], to: unknown): unknown {
  if (typeof value !== 'object' || value === null || first === undefined) return to
  const names = Object.keys(value)
  const name = names[first % names.length]
  if (name === undefined) return to
  const inside = changedValue((value as Record<string, unknown>)[name], rest, to)
  return Array.isArray(value) ? value.with(Number(name), inside) : { ...value, [name]: inside }
}

function encoded(bytes: Buffer, encoding: Damage['encoding']): Buffer {
  if (encoding === 'utf8') return bytes
  const text = bytes.toString('utf8')
  switch (encoding) {
    case 'mark': return Buffer.from(`\uFEFF${text}`)
    case 'utf16le': return Buffer.from(text, 'utf16le')
    case 'utf16leMark': return Buffer.from(`\uFEFF${text}`, 'utf16le')
    case 'utf16beMark': return Buffer.from(`\uFEFF${text}`, 'utf16le').swap16()
    // Every fifth e has an accent, in one byte.
    default: return Buffer.from(text.replace(/(e[^e]*){5}/g, '$&\u00E9'), 'latin1')
  }
}

function wrappedIn(name: string, bytes: Buffer, wrapping: Damage['wrapping']): [string, Buffer] {
  switch (wrapping) {
    case 'none': return [name, bytes]
    case 'gzip': return [`${name}.gz`, gzipSync(bytes)]
    case 'zstd': return [`${name}.zst`, zstdCompressSync(bytes)]
    case 'tar': return [`${name}.tar`, tarOf({ [name]: bytes })]
    default: return [`${name}.tar.gz`, gzipSync(tarOf({ [name]: bytes }))]
  }
}
