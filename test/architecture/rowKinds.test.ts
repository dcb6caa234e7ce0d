import { describe, expect, it } from 'vitest'
import { allSources, code, lineOf, type Source } from './sources.ts'

/** Where rows are made, and given to whoever asks for one of a kind. */
const MAKERS = ['venue/eventCells.ts', 'venue/eventRows.ts']

const READ_AS_KIND = /\browOfKind\((.+?), (\w+(?:\.\w+)?)\)/g
/** `kind` as a constant with what it is told by, or as a parameter with those before it. */
const KIND = /\bconst kind = (.*)|\(([^()]*)\bkind: \w*Kind/g
/** What reads the kind of a row: `events.kindOf(row)`, `readCell(row, EventCell.kind)`. */
const TOLD = /^(?:[\w.]+\.kindOf\((.+?)\)|readCell\((.+?), EventCell\.kind\))(?: as (?:(?:Parlay|Outcome)Kind(?: \| )?)+)?$/
const TAKEN_FOR_KIND = /(.*) as (?:Parlay|Outcome)Kind\b/g
const TAKEN_FOR_ROW = /\bas (?:unknown as )?Row(?:Cells)?(?:\b|<)/g

/** Why `rowOfKind(row, kind)` at `at` may say something else than the row, if it may. */
function faultOf(text: string, at: number, row: string, kind: string): string | undefined {
  if (kind !== 'kind') return `takes ${kind} for a kind that the row told`
  const [, told, before] = [...text.slice(0, at).matchAll(KIND)].at(-1) ?? []
  if (before !== undefined && new RegExp(`\\bconst ${row} = events\\.open\\([^;\n]*, kind, `).test(text.slice(0, at))) return undefined
  if (before !== undefined) return new RegExp(`\\b${row}: `).test(before) ? undefined : `of ${row} has the kind of another row`
  const [, ofRow, ofCopy] = TOLD.exec(told ?? '') ?? []
  return (ofRow ?? ofCopy) === row ? undefined : `of ${row} has the kind of another row`
}

/** What the compiler trusts about the kinds of rows, and where that may be wrong. */
function objections({ path, text }: Source): string[] {
  const bare = code(text)
  const complaint = (at: number, why: string): string => `${path}:${lineOf(bare, at)} ${why}`
  const reads = [...bare.matchAll(READ_AS_KIND)].flatMap(({ 1: row, 2: kind, index }) => {
    const fault = faultOf(bare, index, row!, kind!)
    return fault === undefined ? [] : [complaint(index, `rowOfKind ${fault}`)]
  })
  const kinds = [...bare.matchAll(TAKEN_FOR_KIND)].filter(([, told]) => !TOLD.test(told!.replace(/^.*\bconst kind = /, ''))).map(({ 0: said, index }) => complaint(index, said.trim()))
  return [...reads, ...kinds, ...[...bare.matchAll(TAKEN_FOR_ROW)].map(({ 0: said, index }) => complaint(index, said))]
}

const objectionsTo = (text: string): string[] => objections({ path: 'record/parlayRows.ts', text })

describe('the kind of a row', () => {
  it('is what this row told, wherever a row is read as one of a kind', () => {
    const sources = allSources().filter(({ path }) => !MAKERS.includes(path))
    expect(sources.flatMap(({ text }) => [...code(text).matchAll(READ_AS_KIND)]).length).toBeGreaterThan(200)
    expect(sources.flatMap(objections)).toEqual([])
  })

  it.each([
    'case ParlayEvent.bidWon: return rowOfKind(row, ParlayEvent.quoteSelected)', 'const kind = events.kindOf(other) as ParlayKind\nreturn rowOfKind(row, kind)',
    'const kind = 35 as ParlayKind', 'const told = ParlayEvent.bidWon\nrowOfKind(row, told)', 'const kind = ParlayEvent.bidWon\nrowOfKind(row, kind)',
    'take(kind: ParlayKind) { events.each((row) => rowOfKind(row, kind)) }', 'const kind = readCell(row, EventCell.seq)\nrowOfKind(row, kind)',
    'take(other as ParlayKind, row)', "const quote = row as Row<'parlay.quoteSelected'>", "said(row as RowCells<'parlay.reply'>)", 'const quote = row as unknown as Row<Known>',
  ])('would be noticed in %s', (text) => {
    expect(objectionsTo(text)).toHaveLength(1)
  })

  it.each([
    'const kind = events.kindOf(row) as ParlayKind\nswitch (kind) { case 1: return rowOfKind(row, kind) }', 'const kind = this.rows.kindOf(row)\nrowOfKind(row, kind)',
    'const kind = readCell(row, EventCell.kind) as OutcomeKind\nrowOfKind(row, kind)', 'const kind = events.kindOf(events.row(i)) as ParlayKind\nrowOfKind(events.row(i), kind)',
    'const kind = events.kindOf(row) as ParlayKind | OutcomeKind', 'route(row: Row, kind: ParlayKind): void { return read(rowOfKind(row, kind)) }',
    'open(s: GateState, kind: ParlayKind): void { const row = events.open(s.nowUs, kind, s.cause)\n return read(rowOfKind(row, kind)) }',
    "// row as Row<'parlay.quoteSelected'>", 'const kind = events.kindOf(row) as ParlayKind\nrowOfKind(row, kind)\nconst kind = events.kindOf(other)\nrowOfKind(other, kind)',
  ])('is not doubted in %s', (text) => {
    expect(objectionsTo(text)).toEqual([])
  })
})
