import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ReadRoute } from '../../../../src/venue/outcome/protocol/access.ts'
import { WireIdentity } from '../../../../src/venue/outcome/wire/identity.ts'
import { cursorText, FIRST_PAGE, listBody, type ListQuery, markOfQuery, pageOf } from '../../../../src/venue/outcome/wire/paging.ts'
import { identity, origins, sent } from './rows.ts'

describe('the body of a list', () => {
  it('OM-020 is { items, next_cursor, has_more }', () => {
    expect(sent(listBody([{ a: 1 }], 'next'))).toEqual({ items: [{ a: 1 }], next_cursor: 'next', has_more: true })
    expect(Object.keys(listBody([], null))).toEqual(['items', 'next_cursor', 'has_more'])
  })

  it('OM-246 has a next_cursor of null exactly when there is no more', () => {
    fc.assert(fc.property(fc.array(fc.nat()), fc.option(fc.string()), (items, cursor) => {
      const { next_cursor, has_more } = listBody(items, cursor)
      expect(next_cursor === null).toBe(!has_more)
      expect(next_cursor).toBe(cursor)
    }))
  })
})

const QUERY: ListQuery = { route: ReadRoute.positions, subject: 10 }
const PAGE = { mark: 1_750_378_980_000, after: 77 }

describe('a cursor', () => {
  it('OM-245 is sent back unchanged, and left out for the first page', () => {
    expect(markOfQuery(identity, [], QUERY)).toEqual(FIRST_PAGE)
    expect(markOfQuery(identity, [cursorText(identity, QUERY, PAGE)], QUERY)).toEqual(PAGE)
    fc.assert(fc.property(fc.nat(13), fc.nat(16_777_215), fc.maxSafeNat(), fc.maxSafeNat(), (route, subject, mark, after) => {
      expect(markOfQuery(identity, [cursorText(identity, { route, subject }, { mark, after })], { route, subject })).toEqual({ mark, after })
    }))
  })

  it.each<[string, ListQuery]>([['route', { ...QUERY, route: ReadRoute.activity }], ['account', { ...QUERY, subject: 11 }]])(
    'OM-186 is refused when it was issued for another %s', (_, query) => {
      expect(markOfQuery(identity, [cursorText(identity, query, PAGE)], QUERY)).toBeNull()
    })

  it('OM-186 is refused in another session', () => {
    expect(markOfQuery(new WireIdentity('session 8', origins()), [cursorText(identity, QUERY, PAGE)], QUERY)).toBeNull()
  })

  it('OM-186 is refused when any character of it is another', () => {
    const text = cursorText(identity, QUERY, PAGE)
    for (let i = 0; i < text.length; i++) {
      const other = text[i] === 'a' ? 'b' : 'a'
      expect(markOfQuery(identity, [text.slice(0, i) + other + text.slice(i + 1)], QUERY)).toBeNull()
    }
    const malformed = ['', 'x', text.slice(1), text.slice(0, -1), `${text}a`, ` ${text}`, text.toUpperCase(), `0${text}`]
    for (const value of malformed) expect(markOfQuery(identity, [value], QUERY)).toBeNull()
    expect(markOfQuery(identity, [text, text], QUERY)).toBeNull()
  })
})

describe('a page', () => {
  const numbers = [2, 3, 5, 7, 11, 13]

  it.each<[number, number, number[], number | null]>([
    [-1, 2, [2, 3], 3], [3, 2, [5, 7], 7], [7, 2, [11, 13], null], [13, 2, [], null], [-1, 6, [2, 3, 5, 7, 11, 13], null],
    [-1, 5, [2, 3, 5, 7, 11], 11], [4, 1, [5], 5],
  ])('OM-245 behind %i of at most %i items holds %j, and goes on behind %s', (after, limit, held, next) => {
    expect(pageOf(numbers, after, limit)).toEqual({ numbers: held, next })
  })

  it('OM-247 can hold fewer items than its limit, even none, while there is more', () => {
    const even = (number: number): boolean => number % 2 === 0
    expect(pageOf(numbers, -1, 2, even)).toEqual({ numbers: [2], next: 3 })
    const none = pageOf(numbers, 3, 2, even)
    expect(none).toEqual({ numbers: [], next: 7 })
    expect(listBody([], cursorText(identity, QUERY, { mark: 0, after: none.next! })).has_more).toBe(true)
  })

  it('OM-245 OM-246 after page shows everything once', () => {
    const ascending = fc.uniqueArray(fc.nat(1000)).map((list) => list.sort((a, b) => a - b))
    fc.assert(fc.property(ascending, fc.integer({ min: 1, max: 20 }), fc.nat(2), (list, limit, rest) => {
      const visible = (number: number): boolean => number % 3 !== rest
      const seen: number[] = []
      for (let after: number | null = -1; after !== null;) {
        const page = pageOf(list, after, limit, visible)
        expect(page.numbers.length).toBeLessThanOrEqual(limit)
        seen.push(...page.numbers)
        after = page.next
      }
      expect(seen).toEqual(list.filter(visible))
    }))
  })
})
