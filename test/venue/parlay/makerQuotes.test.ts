import fc from 'fast-check'
import { expect, test } from 'vitest'
import { MakerQuotes } from '../../../src/venue/parlay/machine/makerQuotes.ts'

const request = fc.integer({ min: 0, max: 40 }).map((slot) => slot * 16)
const maker = fc.integer({ min: 0, max: 30 })
const change = fc.oneof(
  fc.record({ kind: fc.constant('set' as const), request, maker, quote: fc.integer({ min: 0, max: 1_000 }).map((slot) => slot * 8) }),
  fc.record({ kind: fc.constant('delete' as const), request, maker }),
)

test('a maker has the quote last set on each request, until it is deleted, as in a map', () => {
  fc.assert(fc.property(fc.array(change, { maxLength: 1_500 }), (changes) => {
    const index = new MakerQuotes()
    const map = new Map<string, number>()
    for (const step of changes) {
      const key = `${step.request} ${step.maker}`
      if (step.kind === 'set') {
        index.set(step.request, step.maker, step.quote)
        map.set(key, step.quote)
      } else if (map.delete(key)) index.delete(step.request, step.maker)
    }
    expect(index.count).toBe(map.size)
    for (let slot = 0; slot <= 40; slot++) {
      for (let by = 0; by <= 30; by++) expect(index.get(slot * 16, by)).toBe(map.get(`${slot * 16} ${by}`) ?? -1)
    }
  }), { numRuns: 60 })
})
