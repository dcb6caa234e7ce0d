import { describe, expect, it } from 'vitest'
import { pageOf } from '../../../src/serve/parlay/pages.ts'

const KEY = ['quotes', 20]
const LIST = [9, 7, 6, 4, 1]
const page = (list: readonly number[], limit: number, cursor?: string, key: readonly (string | number)[] = KEY) => {
  const read = pageOf(list, (number) => number, key, { limit, cursor })
  if ('issues' in read) throw new Error(read.issues[0]!.path.join())
  return read
}
const cursorAfter = (limit: number): string => page(LIST, limit).meta.cursor

describe('a page of a list', () => {
  it('PQ-019 PQ-068 goes on where the one before it ended, until there is no more', () => {
    const first = page(LIST, 2)
    const second = page(LIST, 2, first.meta.cursor)
    const third = page(LIST, 2, second.meta.cursor)
    expect([first, second, third].map(({ entries, meta }) => [entries, meta.has_more, meta.limit])).toEqual([[[9, 7], true, 2], [[6, 4], true, 2], [[1], false, 2]])
    expect(third.meta.cursor).toBe('')
  })

  it.each([[4, true], [5, false], [6, false]])('of %i entries has more: %s', (limit, hasMore) => {
    expect(page(LIST, limit).meta.has_more).toBe(hasMore)
  })

  it('PQ-158 is not moved by entries that came in front, nor by those that are gone', () => {
    const cursor = cursorAfter(2)
    expect(page([12, 11, ...LIST], 2, cursor).entries).toEqual([6, 4])
    expect(page([9, 6, 4, 1], 2, cursor).entries).toEqual([6, 4])
    expect(page([9, 7], 2, cursor)).toEqual({ entries: [], meta: { cursor: '', has_more: false, limit: 2 } })
  })

  it('may have another size than the one before it', () => {
    expect(page(LIST, 3, cursorAfter(1)).entries).toEqual([7, 6, 4])
  })

  it('PQ-454 takes no cursor but those that it gave', () => {
    const cursor = cursorAfter(2)
    const own = Buffer.from('6').toString('base64url')
    for (const wrong of ['', 'x', own, `${cursor}A`, cursor.slice(1), cursor.toLowerCase()]) expect(() => page(LIST, 2, wrong)).toThrow('cursor')
  })

  it.each([[['quotes', 21]], [['parlays', 20]], [['quotes', 20, 'live']]])('takes no cursor of another list: %j', (key) => {
    expect(() => page(LIST, 2, cursorAfter(2), key)).toThrow('cursor')
  })
})
