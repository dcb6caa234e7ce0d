import { expect, it } from 'vitest'
import { listAgainUs, ListedIntents, ListedMarkets, MARKETS_MAX } from '../../../src/trade/bettor/listedMarkets.ts'
import { namesOf } from './listed.ts'

const market = (name: string, isOpen: boolean, ...exclusionKeys: string[]) => ({ name, isOpen, exclusionKeys, names: namesOf(name) })

it.each([
  ['nothing is listed', [], 10_000_000],
  ['nothing listed can be bet on', [market('a', false)], 10_000_000],
  ['something can be bet on', [market('a', false), market('b', true)], 60_000_000],
])('the list is read again when %s', (_, listed, afterUs) => {
  expect(listAgainUs(listed)).toBe(afterUs)
})

it('numbers of markets stay, and what is not listed or not open any more cannot be bet on', () => {
  const named: string[] = []
  const markets = new ListedMarkets((name, number) => { named.push(`${number} ${name}`) })
  const live = (): number[] => Array.from({ length: markets.count }, (_, i) => i).filter((i) => markets.live.has(i))
  markets.follow([market('a', true, 'game'), market('b', false)])
  expect([live(), markets.count]).toEqual([[0], 2])
  markets.follow([market('c', true, 'other', 'game'), market('b', true)])
  expect([live(), named]).toEqual([[1, 2], ['0 a', '1 b', '2 c']])
  expect([[...markets.start], [...markets.keys], markets.texts]).toEqual([[0, 1, 1, 3], [0, 0, 1], ['game', 'other']])
})

it('a market has the names of the list from when it is numbered, also when it is listed no more', () => {
  const markets = new ListedMarkets(() => {})
  expect(markets.namesOf(0)).toBeNull()
  markets.follow([market('a', true), market('b', false)])
  markets.follow([market('b', true)])
  expect([markets.namesOf(0), markets.namesOf(1), markets.namesOf(2)]).toEqual([namesOf('a'), namesOf('b'), null])
})

it('markets that can be bet on keep their order', () => {
  const markets = new ListedMarkets(() => {})
  const order = (): string[] => Array.from({ length: markets.live.count }, (_, i) => markets.nameOf(markets.live.at(i)))
  markets.follow(['a', 'b', 'c'].map((name) => market(name, true)))
  for (let i = 0; i < 2; i++) markets.follow(['b', 'c', 'd'].map((name) => market(name, true)))
  // The last one took the place of the one that is gone.
  expect(order()).toEqual(['c', 'b', 'd'])
})

it('a market is numbered while there are not too many', () => {
  const markets = new ListedMarkets(() => {})
  const names = Array.from({ length: MARKETS_MAX + 1 }, (_, i) => `m${i}`)
  markets.follow(names.map((name) => market(name, true)))
  expect([markets.count, markets.live.count, markets.nameOf(MARKETS_MAX - 1)]).toEqual([MARKETS_MAX, MARKETS_MAX, `m${MARKETS_MAX - 1}`])
  markets.follow([market('m7', true), market('new', true)])
  expect([markets.count, markets.live.count, markets.live.at(0)]).toEqual([MARKETS_MAX, 1, 7])
})

it('a bettor bets on markets that are listed', () => {
  const markets = new ListedMarkets(() => {})
  const intents = new ListedIntents(markets)
  const known = () => [-1, 0, 1, 2, 0.5].map((number) => intents.hasMarket(number))
  expect(known()).toEqual([false, false, false, false, false])
  markets.follow([market('a', true), market('b', false)])
  expect(known()).toEqual([false, true, true, false, false])
})
