import { describe, expect, it } from 'vitest'
import { CountedNumbers, GIVEN_NUMBERS, OwnNumbers } from '../../src/agent/seatNumbers.ts'

describe('numbers that a strategy sees', () => {
  it('count from 1 in the order in which they are first read, and stay', () => {
    const numbers = new CountedNumbers()
    expect([7, 3, 7, 900_000_000_000, 3, 0].map((number) => numbers.shown(number))).toEqual([1, 2, 1, 3, 2, 4])
  })

  it.each([-1, NaN])('are %s where there is nothing, and count nothing', (nothing) => {
    const numbers = new CountedNumbers()
    expect([numbers.shown(nothing), numbers.shown(5)]).toEqual([nothing, 1])
  })

  it('mean what they were shown for, and those that nobody was shown mean nothing', () => {
    const numbers = new CountedNumbers()
    for (const number of [30, 10, 20]) numbers.shown(number)
    expect([0, 1, 2, 3, 4, -1].map((shown) => numbers.meant(shown))).toEqual([-1, 30, 10, 20, -1, -1])
  })

  it('are as many as there are where all are kept', () => {
    const numbers = new CountedNumbers()
    for (let i = 0; i < 100; i++) expect(numbers.shown(1000 - i)).toBe(i + 1)
    for (let i = 0; i < 100; i++) expect([numbers.meant(i + 1), numbers.shown(1000 - i)]).toEqual([1000 - i, i + 1])
  })

  it('are forgotten after so many others, and then count anew', () => {
    const numbers = new CountedNumbers(32)
    for (let i = 1; i <= 32; i++) numbers.shown(100 + i)
    expect([numbers.meant(1), numbers.shown(101)]).toEqual([101, 1])
    expect(numbers.shown(133)).toBe(33)
    expect([numbers.meant(1), numbers.meant(2), numbers.meant(33)]).toEqual([-1, 102, 133])
    expect([numbers.shown(102), numbers.shown(101), numbers.meant(2)]).toEqual([2, 34, -1])
  })

  it.each([[Infinity, 40], [16, 40], [32, 20]])('go on from an image (%s kept, %i read)', (most, count) => {
    const [first, other] = [new CountedNumbers(most), new CountedNumbers(most)]
    for (let i = 0; i < count; i++) first.shown(i * 3)
    other.shown(5)
    other.restore(first.snapshot())
    const further = [0, 3, (count - 1) * 3, (count - 16) * 3, 1, 2]
    expect(further.map((number) => other.shown(number))).toEqual(further.map((number) => first.shown(number)))
    for (let shown = 0; shown < count + 8; shown++) expect([shown, other.meant(shown)]).toEqual([shown, first.meant(shown)])
    expect(other.snapshot()).toEqual(first.snapshot())
  })
})

it('an auction of the outcome service is an RFQ and a bid is a quote, and on the parlay service each counts by itself', () => {
  const [parlay, outcome] = [new OwnNumbers('parlay'), new OwnNumbers('outcome')]
  for (const { requests, quotes } of [parlay, outcome]) {
    requests.shown(4)
    quotes.shown(6)
  }
  expect([parlay.auctions.shown(5), parlay.bids.shown(7), parlay.auctions.shown(4), parlay.positions.shown(4)]).toEqual([1, 1, 2, 1])
  expect([outcome.auctions.shown(5), outcome.bids.shown(7), outcome.auctions.shown(4), outcome.positions.shown(4)]).toEqual([2, 2, 1, 1])
})

it('a fake shows the numbers that its test gives', () => {
  expect([GIVEN_NUMBERS.requests.shown(40), GIVEN_NUMBERS.requests.meant(40), GIVEN_NUMBERS.quotes.shown(NaN)]).toEqual([40, 40, NaN])
})
