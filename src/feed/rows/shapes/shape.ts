import { isTooDeep } from '../jsonNesting.ts'

/** An object of JSON. */
export type Item = Readonly<Record<string, unknown>>

/** Where the rows of a shape go, and what is said of objects that have none. */
export interface ShapeOut {
  /** A row, by column. What it lacks is empty. */
  row(item: Item): void
  /** The object has no row, and its report says why. */
  note(kind: string, about: string): void
  /** The object, or a part of it, is set aside. It counts as a row. */
  bad(kind: string, about: string): void
}

/** Takes the objects of one file, in order. */
export interface ShapeReader {
  /** False where the object is not of this shape. One that no part of a mapping knows is set aside. */
  take(item: Item, out: ShapeOut): void | false
}

/** Makes rows of a file of JSON. */
export interface RowShape {
  readonly columns: readonly string[]
  /** Names of members of which a file that has such rows has all of one list in its first objects. */
  readonly signs: readonly (readonly string[])[]
  /** Texts of which a line has one that has rows. A line of frames without them is left to the part that reads all frames. */
  readonly marks?: readonly string[] | undefined
  /** @param stem the name of the file without folder and endings, '' of standard input. */
  begin(stem: string): ShapeReader
}

export const isItem = (value: unknown): value is Item => typeof value === 'object' && value !== null && !Array.isArray(value)

/** A text or a number as text, '' for anything else. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value.trim() : typeof value === 'number' || typeof value === 'boolean' ? String(value) : '')

/** A list, or a text that is one in JSON. Undefined for anything else, and for a text that is nested too deep. */
export function listOf(value: unknown): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value
  if (typeof value !== 'string') return undefined
  try {
    const parsed: unknown = JSON.parse(value)
    return Array.isArray(parsed) && !isTooDeep(parsed) ? parsed : undefined
  } catch {
    return undefined
  }
}
