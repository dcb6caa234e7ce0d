import { expect, it } from 'vitest'
import type { Market } from '../../src/market/market.ts'
import { listOfCatalogue, NO_LIST } from '../../src/market/publicList.ts'

const market = (number: number, openUs: number): Market => ({ number, ticker: `M${number}`, openUs }) as Market

it('a list names a market from its opening on, and none that there is not', () => {
  const list = listOfCatalogue([market(0, 10), market(1, 20)])
  const tickers = (nowUs: number): (string | undefined)[] => [0, 1, 2].map((number) => list.namesOf(number, nowUs)?.ticker)
  expect([tickers(9), tickers(10), tickers(19), tickers(20)]).toEqual([
    [undefined, undefined, undefined], ['M0', undefined, undefined], ['M0', undefined, undefined], ['M0', 'M1', undefined],
  ])
  expect(NO_LIST.namesOf(0, 20)).toBeNull()
})
