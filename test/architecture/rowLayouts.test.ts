import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import * as messageCells from '../../src/engine/messageCells.ts'
import { allSources, code, lineOf, type Source } from './sources.ts'

/** Where rows lie in two arrays, `words` and `cells`, whose fields are named by `…Word` and `…Cell`. */
const LAID_OUT = ['venue', 'agent', 'engine']
const LAYOUTS = ['Acceptance', 'Auction', 'Bid', 'Combo', 'Held', 'Holding', 'Intent', 'Message', 'Operation', 'Position', 'Quote', 'Request', 'Rfq']
/** Messages have names for the cells of each kind: `AckMessage.retryAfterUs`. */
const MESSAGES = Object.keys(messageCells).filter((name) => name.endsWith('Message'))
const LAYOUT = new RegExp(`\\b(?:(${LAYOUTS.join('|')})(Word|Cell)|${MESSAGES.join('|')})\\b(?:\\.\\w+)?`, 'g')
/** Another name for either array: it must not be the other's. */
const RENAMED = /\b(words|cells): (\w+)(?=[,\s}][^;()]*\} = )|\b(?:const|let) (\w+) = [\w.]*\.(words|cells)\b(?!\[)/g
/** What has the arrays of rows of any layout, and is named for that. */
const GENERIC = ['this', 'columns']
/** The file that tests where the cells of messages lie, whatever their names. */
const TESTS_OFFSETS = join('engine', 'messages.test.ts')
/** Functions that take a field and read it of rows of one layout. */
const TAKES_FIELD = /(?:\.#(?:word|cell)\(|new Cursor\(\w+, )$/
/** What names a layout and reads nothing: imports, types and lists of the fields. */
const READS_NOTHING = /(?:\bimport (?:type )?\{[^}]*|\btypeof |\bkeyof typeof |Object\.(?:values|keys|entries)\()$/

const isOf = (array: string, kind: string): boolean => new RegExp(`(?:^|\\.|[a-z])${kind}s$`, 'i').test(array)

/** The layout of the rows of a collection or of an array that is called so: `quotes` and `quoteCells` have quotes. */
const layoutOf = (name: string): string | undefined => LAYOUTS.find((layout) => new RegExp(`^(?:${layout}s?|${layout}(?:Words|Cells))$`, 'i').test(name))

/** The array that is indexed where the text at `at` stands, or undefined outside of an index. */
function arrayIndexedAt(text: string, at: number): string | undefined {
  for (let i = at, depth = 0; i >= 0 && text[i] !== ';' && text[i] !== '\n'; i--) {
    if (text[i] === ']') depth++
    if (text[i] === '[' && depth-- === 0) return /[\w.]+$/.exec(text.slice(0, i))?.[0]
  }
  return undefined
}

/** What `array` was taken from when it was last bound before `at`: `quotes` in `const { words, cells } = s.quotes`; undefined where it came as an argument. */
function boundTo(text: string, at: number, array: string): string | undefined {
  const before = text.slice(0, at)
  const binding = [...before.matchAll(new RegExp(`\\b(?:const|let) (\\{[^=;]*\\b${array}\\b(?!:)[^=;]*\\}|${array}) = ([\\w.#]+)|\\b${array}: \\w+Array`, 'g'))].at(-1)
  const [, pattern, value] = binding ?? []
  if (pattern === undefined) return undefined
  if (pattern === array) return value!.split(/[.#]+/).at(-2)
  const opens = pattern.slice(0, pattern.search(new RegExp(`\\b${array}\\b(?!:)`)))
  const inner = /(\w+): \{[^{}]*$/.exec(opens)?.[1]
  return inner ?? value!.split(/[.#]+/).at(-1)
}

/** What is wrong with the field of `layout` that stands at `at`, if anything. */
function faultOf(text: string, at: number, layout: string, kind: string): string | undefined {
  const array = arrayIndexedAt(text, at)
  if (array === undefined) return TAKES_FIELD.test(text.slice(0, at)) ? undefined : 'outside of an index'
  if (!isOf(array, kind)) return `of ${array}`
  const names = array.split('.')
  const [own, owner] = [names.at(-1)!, names.at(-2)]
  const of = owner ?? layoutOf(own) ?? boundTo(text, at, own)
  if (of === undefined || GENERIC.includes(of)) return undefined
  return (layoutOf(of) ?? of) === layout ? undefined : `of ${of}`
}

function objections({ path, text }: Source): string[] {
  const bare = code(text)
  const complaint = (at: number, why: string): string => `${path}:${lineOf(bare, at)} ${why}`
  const reads = [...bare.matchAll(LAYOUT)].flatMap(({ 0: field, 1: layout = 'Message', 2: kind = 'Cell', index }) => {
    const declares = bare.includes(`export const ${field.split('.')[0]} =`)
    if (declares || READS_NOTHING.test(bare.slice(0, index))) return []
    if (!field.includes('.')) return [complaint(index, `${field} as a whole`)]
    const fault = faultOf(bare, index, layout, kind)
    return fault === undefined ? [] : [complaint(index, `${field} ${fault}`)]
  })
  const names = [...bare.matchAll(RENAMED)].flatMap(({ 0: said, 1: renamed, 2: to, 3: bound, 4: array, index }) =>
    isOf((to ?? bound)!, (renamed ?? array) === 'words' ? 'cell' : 'word') ? [complaint(index, said)] : [])
  return [...reads, ...names]
}

const tests = fileURLToPath(new URL('..', import.meta.url))
const allTests = (): Source[] => readdirSync(tests, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts') && !path.startsWith('architecture') && path !== TESTS_OFFSETS)
  .sort().map((path) => ({ path: `test/${path.replaceAll('\\', '/')}`, text: readFileSync(join(tests, path), 'utf8') }))

const objectionsTo = (text: string): string[] => objections({ path: 'venue/parlay/machine/quotes.ts', text })

describe('a field of a row', () => {
  const sources = allSources().filter(({ path }) => LAID_OUT.includes(path.split('/')[0]!))

  it('is one of a layout that is known here', () => {
    const declared = sources.flatMap(({ text }) => [...text.matchAll(/export const ([A-Z]\w*)(?:Word|Cell) = \{/g)].map(([, layout]) => layout!))
    expect([...new Set(declared)].filter((layout) => layout !== 'Event').sort()).toEqual(LAYOUTS)
  })

  it('is read from the array that it lies in, of the rows whose field it is, by its own name', () => {
    expect(sources.flatMap(({ text }) => [...code(text).matchAll(LAYOUT)]).length).toBeGreaterThan(1_000)
    expect(sources.flatMap(objections)).toEqual([])
  })

  it('is read so by tests, too', () => {
    expect(allTests().flatMap(objections)).toEqual([])
  })

  it.each([
    'cells[q + QuoteWord.state]', 'quotes.words[q + QuoteCell.riskMicros] = 1', 'words[rows[i]! + QuoteCell.number]',
    's.quotes.cells[s.requests.words[r + RequestWord.bestQuote]! + QuoteWord.maker]', 'ofRequest[r + RequestWord.firstQuote]',
    'const { words: requestCells } = s.requests', 'const words = s.quotes.cells', 'const { cells: quoteWords, index } = s.quotes',
    'const RISK = QuoteCell.riskMicros\nwords[q + RISK]', 'const at = q + QuoteCell.riskMicros\nwords[at]', 'const { riskMicros } = QuoteCell\nwords[q + riskMicros]',
    'const Offsets = QuoteCell\nwords[q + Offsets.riskMicros]', 'take(QuoteCell.riskMicros)',
    'messages.words[m + AckMessage.quote]', 's.quotes.cells[m + AckMessage.quote]', 'const QUOTE = AckMessage.quote\nmessages.cells[m + QUOTE]',
    'quotes.cells[q + BidCell.priceMicros]', 'quoteCells[b + BidCell.priceMicros]', 's.requests.words[q + QuoteWord.maker]',
    'const { words, cells } = s.quotes\ncells[q + BidCell.priceMicros]', 'const cells = s.quotes.cells\ncells[q + BidCell.priceMicros]',
    'const { quotes: { cells }, nowUs } = this.s\ncells[q + BidCell.priceMicros]', 'const { cells } = s.bids\nconst { cells } = s.quotes\ncells[q + BidCell.priceMicros]',
  ])('refuses %s', (text) => {
    expect(objectionsTo(text)).toHaveLength(1)
  })

  it.each([
    'words[q + QuoteWord.state]', 'quotes.cells[q + QuoteCell.riskMicros] = 1', 'cells[rows[i]! + QuoteCell.number]',
    's.quotes.words[s.requests.words[r + RequestWord.bestQuote]! + QuoteWord.maker]', 'requestWords[r + RequestWord.firstQuote]',
    'const { words: requestWords } = s.requests', 'const quoteCells = s.quotes.cells', 'const state = s.quotes.words[q + QuoteWord.state]',
    '// words[q + QuoteCell.number]', 'import { QuoteCell, QuoteWord } from', 'type Names = keyof typeof QuoteCell',
    'const { words, cells } = s.quotes\ncells[q + QuoteCell.riskMicros]', 'const { quotes: { cells }, bids } = this.s\ncells[q + QuoteCell.riskMicros]',
    'const { cells } = s.quotes\nconst put = (cells: Float64Array) => cells[b + BidCell.priceMicros]', 'this.#cell(IntentCell.arrival)', 'this.transit.messages.cells[m + AckMessage.quote]',
  ])('lets %s pass', (text) => {
    expect(objectionsTo(text)).toEqual([])
  })
})
