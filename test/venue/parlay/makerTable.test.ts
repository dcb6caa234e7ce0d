import fc from 'fast-check'
import { expect, test } from 'vitest'
import { MakerTable } from '../../../src/venue/parlay/machine/makerTable.ts'

const STRIDE = 16
/** More books and more makers than the table has room for at first, and accounts far apart. */
const book = fc.integer({ min: 0, max: 600 }).map((slot) => slot * STRIDE)
const maker = fc.integer({ min: 0, max: 40 }).map((place) => place * 97)
const change = fc.oneof(
  fc.record({ kind: fc.constant('open' as const), book }),
  fc.record({ kind: fc.constant('set' as const), book, maker, entry: fc.integer({ min: 0, max: 1_000 }).map((slot) => slot * 8) }),
)

test('a maker has the entry last set in each book since the book began, as in maps', () => {
  fc.assert(fc.property(fc.array(change, { maxLength: 1_500 }), (changes) => {
    const table = new MakerTable(STRIDE)
    const maps = new Map<number, Map<number, number>>()
    for (const step of changes) {
      if (step.kind === 'open' || !maps.has(step.book)) {
        table.open(step.book)
        maps.set(step.book, new Map())
      }
      if (step.kind === 'open') continue
      table.set(step.book, step.maker, step.entry)
      maps.get(step.book)!.set(step.maker, step.entry)
    }
    for (const [row, map] of maps) {
      for (let place = 0; place <= 41; place++) expect(table.get(row, place * 97)).toBe(map.get(place * 97) ?? -1)
    }
  }), { numRuns: 40 })
})
