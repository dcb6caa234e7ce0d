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

/** Names of the cells of replies that take a command, or end one. A refusal has others, or those of `MakerReply`, which all replies to makers have. */
const ANSWERS = allSources('src/venue').filter(({ path }) => path.endsWith('protocol/events.ts'))
  .flatMap(({ text }) => [...text.matchAll(/export const (\w+Reply) = formCellsOf\(reply, (?!\[[^\]]*'refused')/g)].map(([, name]) => name!))

/** Where an answer's cells are read in a method that has not looked at the code: a refusal would be read as something that it is not. */
function uncheckedAnswers({ path, text }: Source): string[] {
  const bare = code(text)
  return [...bare.matchAll(/\browAs\((\w+), /g)].filter(({ 1: name }) => ANSWERS.includes(name!)).flatMap(({ 1: name, index }) => {
    const before = bare.slice(0, index).split(/\n {2}(?=\S)/).at(-1)!
    return /\bcode [!=]== (?:Parlay|Outcome)Code\.|\bisTaken &&/.test(before.slice(-160)) ? [] : [`${path}:${lineOf(bare, index)} ${name}`]
  })
}

describe('the cells of an answer', () => {
  it('are read by the engine once the code of the reply is known', () => {
    const sources = allSources('src/engine')
    expect(ANSWERS).toEqual(expect.arrayContaining(['RequestReply', 'CommitReply', 'AuctionReply', 'RfqReply', 'QuoteReply', 'AcceptReply', 'CredentialReply']))
    expect(ANSWERS).not.toContain('MakerReply')
    expect(sources.flatMap(({ text }) => [...text.matchAll(/\browAs\(/g)]).length).toBeGreaterThan(15)
    expect(sources.flatMap(uncheckedAnswers)).toEqual([])
  })

  it.each([
    ['if (op === ParlayOp.createRequest) {\n      const version = rows.read(rowAs(RequestReply, row), RequestReply.version)', 1],
    ['const code = rows.read(row, Reply.code)\n      const rfq = rowAs(RfqReply, row)', 1],
    ['if (code === ParlayCode.ok) return\n  }\n\n  private next(): void {\n    const made = rowAs(RequestReply, row)', 1],
    ['const version = code === ParlayCode.ok ? rows.read(rowAs(RequestReply, row), RequestReply.version) : NONE', 0],
    ['if (code !== OutcomeCode.ok) return\n        const rfq = rowAs(RfqReply, row)', 0], ['const reply = rowAs(MakerReply, row)', 0],
  ])('in %s: %i unchecked', (text, unchecked) => {
    expect(uncheckedAnswers({ path: 'parlay/delivery.ts', text })).toHaveLength(unchecked)
  })
})
