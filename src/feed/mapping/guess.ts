import { basename } from 'node:path'
import { InputError } from '../../unit/inputError.ts'
import { FileTally } from '../importTally.ts'
import { type InputFile, openInputFiles } from '../rows/inputFiles.ts'
import { openTable } from '../rows/openTable.ts'
import type { RowTable } from '../rows/rowBatch.ts'
import { columnFor, priceGuess, type Role, type Sample, sampleOf } from './columnGuess.ts'
import { COLUMNS_SHOWN, delimiterLines, type Line, lineText, type Looked, markLines, quoted, timeLine } from './guessLines.ts'
import { outlineOf } from './guessOutline.ts'
import { isRead } from './importMapped.ts'
import type { Mapping, MappingKind } from './mapping.ts'
import { OUTCOME_WORDS, RESULT_WORDS, SIDE_WORDS } from './words.ts'

/**
 * Writes a mapping for files by the names of their columns and the look of their first rows. What is unsure has a comment that says so: a person
 * reads it before anybody imports. Files with the same columns share a part. A file that a mapping of `known` reads is told of. Throws InputError
 * where no file has rows.
 */
export async function guessedMapping(paths: readonly string[], known: readonly Mapping[] = [], input?: NodeJS.ReadableStream, signal?: AbortSignal): Promise<string> {
  const { files, close } = await openInputFiles(paths, { input, signal })
  try {
    const formats = await formatsOf(files, known)
    const parts = new Map<string, string>()
    const unknown = new Map<string, string>()
    for (const file of files) {
      if (file.head.length === 0) continue
      const table = await openTable(file)
      const key = table.columns.join('\n')
      if (parts.has(key) || unknown.has(key)) continue
      const looked = await lookedInto(file, table)
      const part = partOf(looked) ?? outlineOf(looked)
      if (part === undefined) unknown.set(key, `# ${basename(file.name)}: no idea; its columns are ${table.columns.slice(0, COLUMNS_SHOWN).map((column) => quoted(column.slice(0, NAME_SHOWN))).join(', ') || 'none'}`)
      else parts.set(key, part)
    }
    if (parts.size === 0) {
      throw new InputError('no file has columns that anything can be guessed from', {
        position: { file: paths.join(', ') }, hint: formats[0] ?? ([...unknown.values()].map((line) => line.slice(2)).join('; ') || 'the files are empty'),
      })
    }
    return [HEAD, ...formats.map((line) => `# ${line}`), 'venue: kalshi # unsure: kalshi, polymarket, or a name that venues gives', 'files:', ...parts.values(), ...unknown.values(), ''].join('\n')
  } finally {
    await close()
  }
}

/** A line about each format that reads some of the files. */
async function formatsOf(files: readonly InputFile[], known: readonly Mapping[]): Promise<string[]> {
  const lines: string[] = []
  for (const mapping of known) {
    const names: string[] = []
    for (const file of files) if (await isRead(mapping, file)) names.push(basename(file.name))
    if (names.length > 0) lines.push(`${listed(names)} may be of a format that parlor knows: \`parlor import ${mapping.name} FILE… --into NAME\` (${mapping.about})`)
  }
  return lines
}

const NAMES_SHOWN = 3
const listed = (names: readonly string[]): string => (names.length <= NAMES_SHOWN ? names.join(', ') : `${names.slice(0, NAMES_SHOWN).join(', ')} and ${names.length - NAMES_SHOWN} more`)

const HEAD = '# Guessed by `parlor import auto`. Read each line, above all those that say unsure, then look at `--preview`.'
const SAMPLED_ROWS = 500
/** Of a name in a message: the first line of what is no table may be long. */
const NAME_SHOWN = 60

async function lookedInto(file: InputFile, table: RowTable): Promise<Looked> {
  const { columns } = table
  const once = columns.filter((column) => columns.indexOf(column) === columns.lastIndexOf(column))
  const samples = new Map<string, Sample>()
  for await (const { count, cells } of table.batches(once, new FileTally(file.name))) {
    cells.forEach((column, place) => samples.set(once[place]!, sampleOf(column, Math.min(count, SAMPLED_ROWS))))
    break
  }
  return { file, columns: once, delimiter: table.delimiter, sample: (column) => samples.get(column) ?? { texts: [], isInstant: false, isNaive: false } }
}

/** A part of the mapping for a file, undefined where its columns say nothing. */
function partOf(looked: Looked): string | undefined {
  const has = (role: Role) => columnFor(role, looked.columns)
  const kind = kindOf(has, looked)
  if (kind === undefined) return undefined
  const lines: Line[] = []
  const add = (key: string, column: string | undefined, doubt?: string) => {
    if (column !== undefined) lines.push({ key, value: quoted(column), doubt })
  }
  lines.push(...delimiterLines(looked), marketLine(has, looked))
  if (kind === 'markets' || kind === 'results') addFacts(kind, has, add, looked, lines)
  else {
    addTimes(has, looked, lines)
    if (kind === 'quotes' || kind === 'candles') {
      for (const role of ['bid', 'ask', 'noBid', 'noAsk', 'bidSize', 'askSize', 'last'] as const) add(snake(role), has(role))
    } else if (kind === 'trades') addTrade(has, add)
    else addDepth(has, add, looked, lines)
    addPrices(kind, has, looked, lines)
  }
  const text = lines.map(lineText)
  const words = new Set(lines.flatMap(({ value }) => value.match(/"(?:[^"\\]|\\.)*"|[\w.-]+/g) ?? []))
  const unused = looked.columns.filter((column) => !words.has(quoted(column)) && !lines.some(({ value }) => value.includes(`{${column}}`)))
  const rest = unused.length === 0 ? [] : [`    # not used: ${unused.slice(0, COLUMNS_SHOWN).map(quoted).join(', ')}${unused.length > COLUMNS_SHOWN ? ', …' : ''}`]
  return [`  # ${basename(looked.file.name)}`, `  - kind: ${kind}`, ...text, ...rest].join('\n')
}

type Has = (role: Role) => string | undefined
type Add = (key: string, column: string | undefined, doubt?: string) => void

function kindOf(has: Has, { columns, sample }: Looked): MappingKind | undefined {
  if (has('market') === undefined) return undefined
  const isTimed = has('time') !== undefined || has('received') !== undefined
  const hasLists = has('bids') !== undefined && has('asks') !== undefined && [has('bids')!, has('asks')!].some((column) => sample(column).texts.some((text) => text.startsWith('[')))
  if (isTimed && hasLists) return 'depth'
  const isQuoted = (['bid', 'ask', 'noBid', 'noAsk'] as const).some((role) => has(role) !== undefined)
  if (isTimed && has('side') !== undefined && has('price') !== undefined && has('size') !== undefined && has('trade') === undefined) return 'depth'
  if (isTimed && isQuoted) return columns.some((column) => /period|candle|(^|_)(high|low)($|_)/i.test(column)) ? 'candles' : 'quotes'
  if (isTimed && (has('price') ?? has('noPrice') ?? has('last')) !== undefined) return 'trades'
  if (has('title') !== undefined || has('close') !== undefined || has('open') !== undefined) return 'markets'
  return has('result') !== undefined || has('value') !== undefined ? 'results' : undefined
}

function marketLine(has: Has, { sample }: Looked): Line {
  const market = has('market')!
  const token = has('outcome')
  // A slug with a token beside it names a question, and the token one of its answers.
  if (token !== undefined && token !== market && sample(token).texts.length > sample(market).texts.length) {
    return { key: 'market', value: JSON.stringify(`{${market}}:{${token}}`), doubt: `${market} has several values of ${token}` }
  }
  const isId = !/ticker|slug|symbol/i.test(market)
  return { key: 'market', value: quoted(market), doubt: isId ? 'other files must call the market the same' : undefined }
}

function addTimes(has: Has, looked: Looked, lines: Line[]): void {
  const received = has('received')
  const time = has('time')
  if (time !== undefined && time !== received) lines.push(timeLine('time', time, looked))
  if (received !== undefined) lines.push(timeLine('received', received, looked))
}

function addTrade(has: Has, add: Add): void {
  const price = has('price') ?? has('last')
  if (price !== undefined) add('price', price)
  else add('no_price', has('noPrice'))
  if (price !== undefined) add('outcome', has('tradeOutcome'), 'the price is taken to be of this outcome')
}

function addDepth(has: Has, add: Add, { sample, columns }: Looked, lines: Line[]): void {
  const bids = has('bids')
  const areLists = bids !== undefined && sample(bids).texts.some((text) => text.startsWith('['))
  if (areLists) {
    add('bids', bids)
    add('asks', has('asks'))
    if (/no/i.test(has('asks')!)) lines.push({ key: 'both_sides_are_bids', value: 'true', doubt: 'the second list seems to be of NO' })
    return
  }
  const side = has('side')!
  const unknown = sample(side).texts.find((text) => !knows(SIDE_WORDS, text))
  add('side', side, unknown === undefined ? undefined : `'${unknown}' is no side that is known: {column, words: {bid: …, ask: …}}`)
  add('price', has('price'))
  add('size', has('size'))
  if (sample(side).texts.some((text) => /^no$/i.test(text))) lines.push({ key: 'both_sides_are_bids', value: 'true', doubt: 'the sides are yes and no' })
  if (sample(has('size')!).texts.some((text) => text.startsWith('-')) || /delta/i.test(has('size')!)) lines.push({ key: 'change', value: 'add', doubt: 'sizes seem to be changes' })
  const type = has('type')
  const whole = type === undefined ? [] : sample(type).texts.filter((text) => /snap|book|full|partial|init/i.test(text))
  if (type !== undefined && whole.length > 0) lines.push({ key: 'snapshot', value: `{ column: ${quoted(type)}, words: [${whole.map(quoted).join(', ')}] }`, doubt: 'rows of whole books' })
  else lines.push({ key: 'snapshot', value: columns.some((column) => /delta/i.test(column)) ? 'never' : 'always', doubt: 'always: rows of whole books; never: each row changes a level' })
  add('group', has('group'), 'rows of one whole book share it')
  add('sequence', has('sequence'), 'numbers without gaps within a market')
}

function addPrices(kind: MappingKind, has: Has, { sample, file }: Looked, lines: Line[]): void {
  const roles: readonly Role[] = kind === 'quotes' || kind === 'candles' ? ['bid', 'ask', 'noBid', 'noAsk'] : ['price', 'noPrice', 'last']
  const samples = roles.flatMap((role) => (has(role) === undefined ? [] : [sample(has(role)!)]))
  if (samples.length === 0 && kind === 'depth') return
  const sizes = (['bidSize', 'askSize', 'size'] as const).flatMap((role) => (has(role) === undefined ? [] : [sample(has(role)!)]))
  lines.push(...markLines([...samples, ...sizes]))
  const { unit, doubt } = priceGuess(samples)
  if (unit !== 'dollars' || doubt !== undefined) lines.push({ key: 'prices', value: unit, doubt: doubt ?? (unit === 'cents' ? `they are whole and reach to 100 in ${basename(file.name)}` : undefined) })
}

function addFacts(kind: 'markets' | 'results', has: Has, add: Add, looked: Looked, lines: Line[]): void {
  if (kind === 'markets') {
    for (const role of ['title', 'event', 'series', 'category', 'game'] as const) add(role, has(role))
    for (const role of ['open', 'close'] as const) if (has(role) !== undefined) lines.push(timeLine(role, has(role)!, looked))
  }
  const result = has('result')
  if (result !== undefined) {
    const unknown = looked.sample(result).texts.find((text) => !knows(RESULT_WORDS, text))
    add('result', result, unknown === undefined ? undefined : `'${unknown}' is no result that is known: {column, words: {yes: …, no: …, void: …}}`)
  }
  add('value', has('value'), 'what YES is worth, by the unit of prices')
  if (has('settled') !== undefined && (result ?? has('value')) !== undefined) lines.push(timeLine('settled', has('settled')!, looked))
}

const knows = (words: typeof SIDE_WORDS | typeof RESULT_WORDS | typeof OUTCOME_WORDS, text: string): boolean =>
  Object.values<readonly string[]>(words).some((list) => list.includes(text.toLowerCase()))

const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
