import { describe, expect, it } from 'vitest'
import { limitOfQuery } from '../../../src/serve/outcome/queries.ts'
import { READ_ROUTES, ReadRoute } from '../../../src/venue/outcome/protocol/access.ts'
import { PAGE_LIMITS } from '../../../src/venue/outcome/wire/paging.ts'

describe('the limit of a page', () => {
  it.each<[string[], number | null]>([
    [[], 50], [['1'], 1], [['50'], 50], [['200'], 200], [['0'], null], [['201'], null], [['-1'], null], [['1.5'], null], [['010'], null],
    [['1e2'], null], [[''], null], [[' 5'], null], [['ten'], null], [['5', '5'], null], [['99999999999999999999'], null],
  ])('OM-243 of a query with limit %j is %s', (values, limit) => {
    const routes = Array.from({ length: READ_ROUTES }, (_, route) => route).filter((route) => route !== ReadRoute.marketHistory)
    expect(routes.map((route) => limitOfQuery(values, route))).toEqual(routes.map(() => limit))
  })

  it.each<[string[], number | null]>([[[], 50], [['1'], 1], [['201'], 201], [['1440'], 1440], [['1441'], null], [['0'], null]])(
    'OM-244 of market history with limit %j is %s', (values, limit) => {
      expect(limitOfQuery(values, ReadRoute.marketHistory)).toBe(limit)
    })

  it('is the profile\'s', () => {
    expect(PAGE_LIMITS).toMatchObject({ pageDefault: 50, pageMax: 200, historyPageMax: 1440 })
    const limits = { pageDefault: 3, pageMax: 10, historyPageMax: 20 }
    expect([[], ['10'], ['11']].map((values) => limitOfQuery(values, ReadRoute.positions, limits))).toEqual([3, 10, null])
    expect([['20'], ['21']].map((values) => limitOfQuery(values, ReadRoute.marketHistory, limits))).toEqual([20, null])
  })
})
