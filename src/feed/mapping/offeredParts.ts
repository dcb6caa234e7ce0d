import { FileTally } from '../importTally.ts'
import { valuePlace } from '../rows/documentPlaces.ts'
import type { InputFile } from '../rows/inputFiles.ts'
import { ItemNames } from '../rows/itemNames.ts'
import { isTooDeep } from '../rows/jsonNesting.ts'
import { isDocument, jsonValues } from '../rows/jsonValues.ts'
import { ObjectAccount, type ObjectPlace, type OfferedObjects, UNKNOWN_OBJECT } from '../rows/objectAccount.ts'
import { openTable } from '../rows/openTable.ts'
import { textHead } from '../rows/textBytes.ts'
import type { RowLayout, RowTable } from '../rows/rowBatch.ts'
import { SHAPES } from '../rows/shapes/shapes.ts'
import { AskedColumns, TextReader } from './fields.ts'
import type { Mapping, MappingSection, PriceField } from './mapping.ts'
import { neededColumns } from './sectionReading.ts'

/** A part of a mapping that reads a file. */
export interface Fit {
  readonly section: MappingSection
  readonly table: RowTable
}

/** What reads a file of JSON whose objects are offered to several parts: the parts, and the account of its objects. */
export interface OfferedFile {
  readonly fits: readonly Fit[]
  /** Undefined where the only part takes all objects. */
  readonly account: ObjectAccount | undefined
  /** Parts that do not read the file, each with a column that the file does not name. */
  readonly lacks: readonly string[]
}

/**
 * The parts of `sections` that a file of JSON is offered to: those that its first objects fit, and those whose columns are named behind them. A mapping in which a part
 * reads the file by its name, or in which no part may read it beside `fits`, is left at that.
 */
export async function offeredTo(mapping: Mapping, sections: readonly MappingSection[], file: InputFile, fits: readonly Fit[]): Promise<OfferedFile> {
  const open = sections.filter((section) => section.match === null || file.ownName === null)
  if (open.length < 2 || !fits.every(({ section }) => open.includes(section))) return { fits, account: undefined, lacks: [] }
  const others: Fit[] = []
  for (const section of open) if (!fits.some((fit) => fit.section === section)) others.push({ section, table: await openPart(file, section) })
  const { fits: later, lacks } = await namedIn(file, others.map((fit) => ({ fit, questions: questionsOf(mapping, fit) })))
  const all = open.flatMap((section) => fits.find((fit) => fit.section === section) ?? later.find((fit) => fit.section === section) ?? [])
  const isAlone = all.length === 0 || (all.length === 1 && fits.length === 1 && all[0]!.section.layout.shape === undefined)
  return { fits: all, account: isAlone ? undefined : new ObjectAccount(), lacks }
}

/** How the rows of a part lie in its files. A list without levels may be an empty book. */
export const layoutOf = ({ kind, layout }: MappingSection): RowLayout => ({ ...layout, isEmptyKept: kind === 'depth' })

/** Looks into a file for a part. */
export const openPart = (file: InputFile, section: MappingSection): Promise<RowTable> => openTable(file, layoutOf(section))

/** By what a part knows its objects in a file that is offered to several parts. */
export const offeredObjects = (section: MappingSection, account: ObjectAccount): OfferedObjects => ({
  account, needs: ownColumns(section), where: section.where, sequence: section.kind === 'depth' && section.depth.stream.length > 0 ? section.depth.sequence : null,
})

/** Names that are looked for in a file, and whether those that it has are enough. */
interface Question {
  readonly names: readonly string[]
  readonly isMet: (names: ItemNames) => boolean
}

/** What a file has to have for a part that its first objects do not fit: the shape's signs, or one column of each list that they lack. */
function questionsOf(mapping: Mapping, { section, table }: Fit): readonly Question[] {
  const { shape } = section.layout
  if (shape !== undefined) {
    const { signs } = SHAPES[shape]
    return [{ names: signs.flat(), isMet: (names) => signs.some((all) => all.every((name) => names.has(name))) }]
  }
  return neededColumns(mapping, section).filter((any) => any.length > 0 && !any.some((column) => table.shows(column)))
    .map((any) => ({ names: any, isMet: (names) => any.some((column) => names.has(column)) }))
}

/** Those parts of whose questions a file meets all, and a question that it does not meet of each of the others. */
async function namedIn(file: InputFile, parts: readonly { readonly fit: Fit; readonly questions: readonly Question[] }[]): Promise<Omit<OfferedFile, 'account'>> {
  const hasTexts = parts.some(({ fit }) => fit.section.layout.shape !== undefined)
  const inFirst = new ItemNames(parts.flatMap(({ questions }) => questions.flatMap(({ names }) => names)), hasTexts)
  inFirst.lookAt(textHead(file))
  // A question that the first bytes do not meet may rule the part out alone. A long name is looked for in less time.
  let open = parts.map(({ fit, questions }) => ({ fit, left: questions.filter(({ isMet }) => !isMet(inFirst)).toSorted((a, b) => shortest(b) - shortest(a)) }))
  const lacks: string[] = []
  for (let round = 0; open.some(({ left }) => round < left.length); round += 1) {
    const names = new ItemNames(open.flatMap(({ left }) => left[round]?.names ?? []), hasTexts)
    await names.lookInto(file)
    const isMet = ({ left }: (typeof open)[number]): boolean => left[round]?.isMet(names) ?? true
    for (const { fit, left } of open.filter((one) => !isMet(one))) lacks.push(`${fit.section.kind}: no column ${left[round]!.names.join(' or ')}`)
    open = open.filter(isMet)
  }
  return { fits: open.map(({ fit }) => fit), lacks }
}

const shortest = ({ names }: Question): number => Math.min(...names.map((name) => name.length))

/**
 * Columns of which an object has one of each list if it is of a part: those of `needs`, else its market, and of parts with prices a time and a price, of other
 * parts something that is said of the market. All else may be missing in an object.
 */
function ownColumns(section: MappingSection): readonly (readonly string[])[] {
  if (section.layout.shape !== undefined) return []
  if (section.needs !== null) return section.needs.map((column) => [column])
  const market = columnsOf((columns) => new TextReader(section.market, columns))
  const lists = 'clock' in section ? [...market, [...section.clock.time ?? [], ...section.clock.received ?? []].map(({ column }) => column), pricesOf(section)]
    : [...market, factsOf(section).filter((column) => !market.flat().includes(column))]
  return lists.filter((any) => any.length > 0)
}

function columnsOf(read: (columns: AskedColumns) => unknown): readonly (readonly string[])[] {
  const columns = new AskedColumns()
  read(columns)
  return columns.needed
}

const named = (...fields: readonly (PriceField | null)[]): string[] => fields.flatMap((field) => field ?? []).map(({ column }) => column)

function pricesOf(section: Extract<MappingSection, { readonly clock: unknown }>): readonly string[] {
  if (section.kind === 'trades') return named(section.trade.price, section.trade.noPrice)
  if (section.kind !== 'depth') return named(section.top.bid, section.top.ask, section.top.noBid, section.top.noAsk, section.top.last)
  const { levels } = section.depth
  if ('side' in levels) return [levels.side.column, ...named(levels.price), ...levels.size]
  // A whole book without lists is empty, where something else tells that it is one.
  return section.where.length > 0 || section.layout.rows !== undefined ? [] : named(levels.bids, levels.asks)
}

function factsOf({ facts }: Exclude<MappingSection, { readonly clock: unknown }>): readonly string[] {
  const { texts, times, also, venue, exclusive, result, value } = facts
  const fields = [...Object.values(texts), also, venue, exclusive, result?.field ?? null].filter((field) => field !== null)
  return [...columnsOf((columns) => fields.map((field) => new TextReader(field, columns))).flat(), ...Object.values(times).flat().flatMap((time) => ('constant' in time ? [] : [time.column])), ...named(value)]
}

/** Sets the objects of a file aside that no part of a mapping knows, of which it quotes the first one. Those that have no rows are no input. */
export async function setUnknownAside(file: InputFile, { account, lacks }: Omit<OfferedFile, 'fits'>, tally: FileTally): Promise<void> {
  const { unknown, missed } = account!
  if (missed !== null) tally.note('no list of rows', missed.number, 'an object without rows', missed.count, await valuePlace(file, missed.number))
  if (unknown === null) return
  tally.read(unknown.count)
  tally.quarantine(UNKNOWN_OBJECT, unknown.number, ['no part of the mapping knows ' + await beginningOf(file, unknown), ...lacks].join('; '), unknown.count, await valuePlace(file, unknown.number))
}

async function beginningOf(file: InputFile, place: ObjectPlace): Promise<string> {
  // Damaged lines have been told of.
  const nobody = new FileTally(file.name)
  let about = ''
  const take = (value: unknown, number: number, within: number): void => {
    if (number === place.number && within === place.within) about = isTooDeep(value) ? 'what is nested too deep' : String(JSON.stringify(value)).slice(0, 60)
  }
  for await (const _ of jsonValues(file, nobody, await isDocument(file, nobody), take)) if (about !== '') break
  return about
}
