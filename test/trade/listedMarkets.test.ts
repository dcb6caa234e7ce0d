import { expect, it } from 'vitest'
import { listAgainUs, ListedMarkets } from '../../src/trade/bettor/listedMarkets.ts'

const market = (name: string, isOpen: boolean, ...exclusionKeys: string[]) => ({ name, isOpen, exclusionKeys })

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
