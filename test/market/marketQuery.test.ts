import { describe, expect, it } from 'vitest'
import { ALL_SUBCATEGORIES, SUBCATEGORIES } from '../../src/market/marketClass.ts'
import { MarketList } from '../../src/market/marketList.ts'
import { type MarketParameters, parseMarketsQuery } from '../../src/market/marketQuery.ts'
import { catalogue, moment, read, wrong } from './listing.ts'

const CATEGORIES = ['politics', 'sports', 'crypto', 'finance', 'economics', 'entertainment', 'weather', 'tech', 'all']
const NAMES = [
  'nba', 'ncaa', 'nfl', 'nhl', 'mlb', 'ufc', 'lol', 'epl', 'efl', 'la_liga', 'world_cup', 'bundesliga', 'liga_portugal', 'ligue_1', 'f1',
  'ipl', 'btc', 'eth', 'sol', 'stocks', 'indices', 'etfs', 'earnings', 'rates', 'inflation', 'commodities', 'fx', 'jobs', 'ai', 'companies',
  'other',
]

describe('a query of markets', () => {
  it('PQ-144 takes nine categories and no other', () => {
    expect(CATEGORIES.flatMap((category) => wrong({ category }))).toEqual([])
    expect(['', 'Sports', 'health', 'other'].flatMap((category) => wrong({ category }))).toEqual(Array(4).fill('category'))
  })

  it('PQ-147 takes two venues and no other', () => {
    expect(['venue_a', 'venue_b'].flatMap((venue) => wrong({ venue }))).toEqual([])
    expect(['', 'venue_c', 'all', 'VENUE_A'].flatMap((venue) => wrong({ venue }))).toEqual(Array(4).fill('venue'))
  })

  it('PQ-149 takes no subcategory without a category', () => {
    expect(wrong({ subcategory: 'nba' })).toEqual(['subcategory'])
    expect(wrong({ subcategory: 'nba', category: 'sports' })).toEqual([])
  })

  it('PQ-150 takes the 31 subcategories and no other', () => {
    expect([...ALL_SUBCATEGORIES].sort()).toEqual([...NAMES].sort())
    expect(NAMES.flatMap((subcategory) => wrong({ category: 'all', subcategory }))).toEqual([])
    expect(['', 'NBA', 'wnba'].flatMap((subcategory) => wrong({ category: 'all', subcategory }))).toEqual(Array(3).fill('subcategory'))
  })

  it.each(Object.entries(SUBCATEGORIES))('PQ-151 PQ-152 takes of %s its own subcategories only', (category, own: readonly string[]) => {
    expect(NAMES.filter((subcategory) => wrong({ category, subcategory }).length === 0).sort()).toEqual([...own].sort())
  })

  it.each([['sports', 'btc'], ['crypto', 'nba'], ['politics', 'ai'], ['economics', 'earnings']])('PQ-151 refuses in %s the subcategory %s',
    (category, subcategory) => {
      expect(wrong({ category, subcategory })).toEqual(['subcategory'])
    })

  it('PQ-153 PQ-154 takes four frequencies, and not other', () => {
    expect(['daily', 'weekly', 'monthly', 'hourly'].flatMap((frequency) => wrong({ frequency }))).toEqual([])
    expect(['other', 'yearly', ''].flatMap((frequency) => wrong({ frequency }))).toEqual(Array(3).fill('frequency'))
  })

  it('PQ-155 PQ-162 takes seven time buckets as closes_within', () => {
    expect(['1h', '1h-1d', '1d-7d', 'today', 'this_week', 'this_month', 'all'].flatMap((closes_within) => wrong({ closes_within }))).toEqual([])
    expect(['', '2h', '7d'].flatMap((closes_within) => wrong({ closes_within }))).toEqual(Array(3).fill('closes_within'))
  })

  it.each<['PQ-159' | 'PQ-160', 'limit' | 'markets_per_event', number]>([['PQ-159', 'limit', 100], ['PQ-160', 'markets_per_event', 50]])(
    '%s takes a %s from 1 to %i', (_, name, max) => {
      expect(['1', String(max)].flatMap((value) => wrong({ [name]: value }))).toEqual([])
      const refused = ['0', String(max + 1), '-1', '1.5', '1e1', '', ' 5', 'x', '99999999999']
      expect(refused.filter((value) => wrong({ [name]: value })[0] !== name)).toEqual([])
    })

  it('PQ-159 PQ-160 asks for 21 events of 10 markets when nothing is said', () => {
    expect(parseMarketsQuery({})).toMatchObject({ limit: 21, marketsPerEvent: 10 })
    expect(read(new MarketList(catalogue())).meta.limit).toBe(21)
  })

  it.each([['40', '50', true], ['50', '40', true], ['100', '20', true], ['50', '41', false], ['100', '21', false], ['41', '50', false]])(
    'PQ-161 of limit %s and markets_per_event %s is taken: %s', (limit, markets_per_event, taken) => {
      expect(wrong({ limit, markets_per_event })).toEqual(taken ? [] : ['limit'])
    })

  it.each<[MarketParameters, string[]]>([
    [{ limit: '101', markets_per_event: '50' }, ['limit']], [{ limit: '50', markets_per_event: '51' }, ['markets_per_event']],
    [{ limit: '101', markets_per_event: '51' }, ['limit', 'markets_per_event']], [{ subcategory: 'wnba' }, ['subcategory']],
    [{ subcategory: 'wnba', category: 'sports' }, ['subcategory']],
  ])('tells one issue of each parameter that is wrong in %o', (parameters, expected) => {
    expect(wrong(parameters)).toEqual(expected)
  })

  it('PQ-161 counts with the default of the one that is left out', () => {
    expect(wrong({ limit: '100' })).toEqual([])
    expect(wrong({ markets_per_event: '50' })).toEqual([])
  })

  it('tells everything that is wrong at once, as VALIDATION_ERROR', () => {
    const sent: MarketParameters = { category: 'x', venue: 'x', subcategory: 'x', frequency: 'x', closes_within: 'x', limit: 'x', markets_per_event: 'x' }
    const rejection = new MarketList(catalogue()).read(sent, moment())
    expect(rejection).toMatchObject({ code: 'VALIDATION_ERROR' })
    expect(wrong(sent)).toEqual(['category', 'venue', 'subcategory', 'frequency', 'closes_within', 'limit', 'markets_per_event'])
  })
})
