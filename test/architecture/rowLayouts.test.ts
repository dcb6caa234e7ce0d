import { describe, expect, it } from 'vitest'
import { allSources, code, lineOf, type Source } from './sources.ts'

/** Where rows lie in two arrays, `words` and `cells`, whose fields are named by `…Word` and `…Cell`. */
const LAID_OUT = ['venue', 'agent', 'engine']
const FIELD = /\b[A-Z]\w*(Word|Cell)\.\w+/g
/** Another name for either array: it must not be the other's. */
const RENAMED = /\b(words|cells): (\w+)(?=[,\s}][^;()]*\} = )|\b(?:const|let) (\w+) = [\w.]*\.(words|cells)\b(?!\[)/g

const isOf = (array: string, kind: string): boolean => new RegExp(`(?:^|\\.|[a-z])${kind}s$`, 'i').test(array)

/** The array that is indexed where the text at `at` stands, or undefined outside of an index. */
function arrayIndexedAt(text: string, at: number): string | undefined {
  for (let i = at, depth = 0; i >= 0 && text[i] !== ';'; i--) {
    if (text[i] === ']') depth++
    if (text[i] === '[' && depth-- === 0) return /[\w.]+$/.exec(text.slice(0, i))?.[0]
  }
  return undefined
}

function objections({ path, text }: Source): string[] {
  const bare = code(text)
  const complaint = (at: number, why: string): string => `src/${path}:${lineOf(bare, at)} ${why}`
  const reads = [...bare.matchAll(FIELD)].flatMap(({ 0: field, 1: kind, index }) => {
    const array = arrayIndexedAt(bare, index)
    return array === undefined || isOf(array, kind!) ? [] : [complaint(index, `${array}[… ${field}]`)]
  })
  const names = [...bare.matchAll(RENAMED)].flatMap(({ 0: said, 1: renamed, 2: to, 3: bound, 4: array, index }) =>
    isOf((to ?? bound)!, (renamed ?? array) === 'words' ? 'cell' : 'word') ? [complaint(index, said)] : [])
  return [...reads, ...names]
}

const objectionsTo = (text: string): string[] => objections({ path: 'venue/parlay/machine/quotes.ts', text })

describe('a field of a row', () => {
  it('is read from the array that it lies in', () => {
    const sources = allSources().filter(({ path }) => LAID_OUT.includes(path.split('/')[0]!))
    expect(sources.flatMap(({ text }) => [...code(text).matchAll(FIELD)]).length).toBeGreaterThan(1_000)
    expect(sources.flatMap(objections)).toEqual([])
  })

  it.each([
    'cells[q + QuoteWord.state]', 'quotes.words[q + QuoteCell.riskMicros] = 1', 'words[rows[i]! + QuoteCell.number]',
    's.quotes.cells[s.requests.words[r + RequestWord.bestQuote]! + QuoteWord.maker]', 'ofRequest[r + RequestWord.firstQuote]',
    'const { words: requestCells } = s.requests', 'const words = s.quotes.cells', 'const { cells: quoteWords, index } = s.quotes',
  ])('refuses %s', (text) => {
    expect(objectionsTo(text)).toHaveLength(1)
  })

  it.each([
    'words[q + QuoteWord.state]', 'quotes.cells[q + QuoteCell.riskMicros] = 1', 'cells[rows[i]! + QuoteCell.number]',
    's.quotes.words[s.requests.words[r + RequestWord.bestQuote]! + QuoteWord.maker]', 'requestWords[r + RequestWord.firstQuote]',
    'const { words: requestWords } = s.requests', 'const quoteCells = s.quotes.cells', 'const state = s.quotes.words[q + QuoteWord.state]',
    '// words[q + QuoteCell.number]',
  ])('lets %s pass', (text) => {
    expect(objectionsTo(text)).toEqual([])
  })
})
