import fc from 'fast-check'
import { expect, test } from 'vitest'
import { MakerQuotes } from '../../../src/venue/parlay/machine/makerQuotes.ts'

const STRIDE = 16
/** More requests and more makers than the table has room for at first, and accounts far apart. */
const request = fc.integer({ min: 0, max: 600 }).map((slot) => slot * STRIDE)
const maker = fc.integer({ min: 0, max: 40 }).map((place) => place * 97)
const change = fc.oneof(
  fc.record({ kind: fc.constant('open' as const), request }),
  fc.record({ kind: fc.constant('set' as const), request, maker, quote: fc.integer({ min: 0, max: 1_000 }).map((slot) => slot * 8) }),
)

test('a maker has the quote last set on each request since the request began, as in maps', () => {
  fc.assert(fc.property(fc.array(change, { maxLength: 1_500 }), (changes) => {
    const table = new MakerQuotes(STRIDE)
    const maps = new Map<number, Map<number, number>>()
    for (const step of changes) {
      if (step.kind === 'open' || !maps.has(step.request)) {
        table.open(step.request)
        maps.set(step.request, new Map())
      }
      if (step.kind === 'open') continue
      table.set(step.request, step.maker, step.quote)
      maps.get(step.request)!.set(step.maker, step.quote)
    }
    for (const [row, map] of maps) {
      for (let place = 0; place <= 41; place++) expect(table.get(row, place * 97)).toBe(map.get(place * 97) ?? -1)
    }
  }), { numRuns: 40 })
})
