import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MakerEntries } from '../../src/venue/makerEntries.ts'

type Books = Map<number, Map<number, number>>

type Change =
  | { readonly kind: 'set'; readonly book: number; readonly maker: number; readonly entry: number }
  | { readonly kind: 'remove'; readonly book: number; readonly maker: number }
  | { readonly kind: 'forget'; readonly book: number }

const BOOKS = 60
const MAKERS = 30

/** Rows of books and accounts of makers, neighbouring or far apart: together more than the table has room for at first. */
const layouts = fc.constantFrom({ stride: 1, step: 1 }, { stride: 8, step: 1 }, { stride: 16, step: 97 }, { stride: 16, step: 1 << 15 })

const book = fc.nat(BOOKS - 1)
const maker = fc.nat(MAKERS - 1)
const changes: fc.Arbitrary<Change[]> = fc.array(fc.oneof(
  { weight: 12, arbitrary: fc.record({ kind: fc.constant('set' as const), book, maker, entry: fc.nat(100_000) }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('remove' as const), book, maker }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('forget' as const), book }) },
), { maxLength: 1_500, size: 'max' })

/** Entries beside plain maps of them. */
class Pair {
  readonly entries = new MakerEntries()
  readonly books: Books = new Map()
  readonly stride: number
  readonly step: number

  constructor({ stride, step }: { readonly stride: number; readonly step: number }) {
    this.stride = stride
    this.step = step
  }

  play(change: Change): void {
    const makers = this.books.get(change.book) ?? new Map<number, number>()
    this.books.set(change.book, makers)
    if (change.kind === 'set') {
      makers.set(change.maker, change.entry)
      this.entries.set(change.book * this.stride, change.maker * this.step, change.entry)
      return
    }
    for (const of of change.kind === 'forget' ? [...makers.keys()] : [change.maker]) {
      if (makers.delete(of)) this.entries.remove(change.book * this.stride, of * this.step)
    }
  }

  /** Finds the entries anew, from the maps alone. */
  refill(): void {
    this.entries.clear()
    for (const [of, makers] of this.books) for (const [by, entry] of makers) this.entries.set(of * this.stride, by * this.step, entry)
  }
}

function expectAlike({ entries, books, stride, step }: Pair): void {
  let count = 0
  for (let of = 0; of < BOOKS; of++) {
    const makers = books.get(of)
    count += makers?.size ?? 0
    for (let by = 0; by < MAKERS; by++) expect(entries.get(of * stride, by * step)).toBe(makers?.get(by) ?? -1)
  }
  expect(entries.count).toBe(count)
}

function played(layout: { readonly stride: number; readonly step: number }, script: readonly Change[]): Pair {
  const pair = new Pair(layout)
  for (const change of script) pair.play(change)
  return pair
}

const cellsOf = (entries: MakerEntries): number => (entries as unknown as { table: Int32Array }).table.length / 3

describe('the entry of a maker in a book', () => {
  it('is found as in plain maps, through replacements, ends, forgotten books and more entries than the table began with', () => {
    fc.assert(fc.property(layouts, changes, (layout, script) => { expectAlike(played(layout, script)) }), { numRuns: 60 })
  })

  it('is found again after all are found anew', () => {
    fc.assert(fc.property(layouts, changes, (layout, script) => {
      const pair = played(layout, script)
      pair.refill()
      expectAlike(pair)
    }), { numRuns: 20 })
  })

  it('is the last of the maker, however many come to one book', () => {
    const entries = new MakerEntries()
    for (let by = 0; by < MAKERS; by++) for (let again = 0; again < 3; again++) entries.set(7, by, 3 * by + again)
    expect(Array.from({ length: MAKERS }, (_, by) => entries.get(7, by))).toEqual(Array.from({ length: MAKERS }, (_, by) => 3 * by + 2))
    expect(entries.get(6, 0)).toBe(-1)
  })

  it('is forgotten once', () => {
    const entries = new MakerEntries()
    entries.set(16, 3, 8)
    entries.remove(16, 3)
    expect(() => { entries.remove(16, 3) }).toThrow('an entry is forgotten once')
  })

  it('takes memory by how many there are at a time, not by the books and makers that ever were', () => {
    const entries = new MakerEntries()
    for (let of = 0; of < 20_000; of++) {
      for (let by = 0; by < 10; by++) entries.set(of, of * 10 + by, by)
      if (of >= 9) for (let by = 0; by < 10; by++) entries.remove(of - 9, (of - 9) * 10 + by)
    }
    expect(entries.count).toBe(90)
    expect(cellsOf(entries)).toBe(256)
  })

  it('lies near its own place, however large the table grows', () => {
    const entries = new MakerEntries()
    const { table } = entries as unknown as { table: Int32Array }
    expect(table.length).toBe(3 * 128)
    for (let of = 0; of < 1_000; of++) for (let by = 0; by < 10; by++) entries.set(of * 16, by, by)
    const grown = entries as unknown as { homeOf(book: number, maker: number): number; cellOf(book: number, maker: number): number; mask: number }
    let steps = 0
    for (let of = 0; of < 1_000; of++) for (let by = 0; by < 10; by++) steps += (grown.cellOf(of * 16, by) - grown.homeOf(of * 16, by)) & grown.mask
    expect(steps / entries.count).toBeLessThan(1)
  })
})
