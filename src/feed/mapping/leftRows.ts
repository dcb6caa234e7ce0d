import type { FileTally } from '../importTally.ts'
import type { Cells } from '../rows/cells.ts'
import type { InputFile } from '../rows/inputFiles.ts'
import { type AskedColumns, RowFilter } from './fields.ts'
import type { MappingSection } from './mapping.ts'

/** What a section leaves of a file, beside the rows that it takes. */
export interface LeftRows {
  readonly file: InputFile
  readonly tally: FileTally
  /** `placeOf` the section. */
  readonly place: string
  readonly taken: number
  /** Rows that the section's filter leaves out. */
  readonly left: number
  /** Rows that no section takes, and the first of them. 0 where another section counts them. */
  readonly untaken: number
  readonly firstUntaken: number
}

interface Reader {
  readonly file: InputFile
  readonly section: MappingSection
  readonly place: string
}

/** Sections that look for rows in the same places of a file find the same rows. @param needed the columns that an object must have, where a section is not given the others */
export const placeOf = ({ layout: { rows, shape, delimiter, names } }: MappingSection, needed: readonly (readonly string[])[] = []): string =>
  JSON.stringify([rows, shape, delimiter, names, needed])

/** The other sections that find a section's rows in its file. Null where one of them counts the rows that none takes, and not this one. */
export function othersOf(one: Reader, all: readonly Reader[]): readonly MappingSection[] | null {
  const same = all.filter(({ file, place }) => file === one.file && place === one.place)
  return same[0] === one ? same.slice(1).map(({ section }) => section) : null
}

/** Counts rows that no section takes among those that one leaves out. */
export class UntakenRows {
  rows = 0
  first = 0
  private declare readonly others: readonly RowFilter[] | null

  constructor(others: readonly MappingSection[] | null, columns: AskedColumns) {
    this.others = others?.map((section) => new RowFilter(section, columns.place)) ?? null
  }

  leave(cells: readonly Cells[], row: number, number: number): void {
    if (this.others === null || this.others.some((filter) => filter.passes(cells, row))) return
    this.rows += 1
    if (this.rows === 1) this.first = number
  }
}

/**
 * Tells of the rows that no section takes, which are no input. Where sections look for rows in several places of a file, places of which no row is
 * taken say nothing.
 */
export function noteLeft(all: readonly LeftRows[]): void {
  for (const file of new Set(all.map((one) => one.file))) {
    const ofFile = all.filter((one) => one.file === file)
    const taking = new Set(ofFile.filter(({ taken }) => taken > 0).map(({ place }) => place))
    const telling = taking.size > 0 ? ofFile.filter(({ place }) => taking.has(place)) : ofFile.slice(0, 1)
    for (const { tally, untaken, firstUntaken } of telling) {
      if (untaken > 0) tally.note('left out by where', firstUntaken, 'rows that the mapping does not ask for', untaken)
    }
  }
}
