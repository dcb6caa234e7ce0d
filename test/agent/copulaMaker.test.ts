import { describe, expect, it } from 'vitest'
import { MakerBook } from '../../src/agent/makerBook.ts'
import copula from '../../src/agent/makers/copula.ts'
import fixedMargin from '../../src/agent/makers/fixedMargin.ts'
import { parameterValues } from '../../src/agent/parameters.ts'
import { PriceBoard } from '../../src/market/priceBoard.ts'
import { PublishedResults } from '../../src/market/publishedResults.ts'
import { deskOf, PortLog, requestOn, selectionOn, ticksOf } from './fakes.ts'

const seat = { name: 'me', capitalMicros: 1e9, random: () => 0.5 }
const MARKETS = 8

/**
 * Every market stands at 50/50 cents. 0 to 4 are of one category. 5 is of another, in a game with 6. 6 is of the first category, but its
 * game lies in that of 5. Of 7 nothing is known. Each has an event of its own, but 3 and 4 share one.
 */
const FACTS = {
  category: Int32Array.from([0, 0, 0, 0, 0, 1, 0, -1]), event: Int32Array.from([0, 1, 2, 3, 3, 5, 6, -1]), game: Int32Array.from([-1, -1, 1, 1, 1, 2, 2, -1]),
  gameCategory: Int32Array.from([0, 0, 0, 0, 0, 1, 1, -1]),
}

function made(values: Record<string, number>) {
  const port = new PortLog()
  const ticks = ticksOf(Array.from({ length: MARKETS }, (_, market) => [1_000_000, market, 50, 50] as const))
  const book = new MakerBook(3, 'me', 1_000_000_000, new PriceBoard(ticks, MARKETS, 0), MARKETS, port, new PublishedResults(MARKETS), FACTS)
  book.wake(2_000_000)
  return { desk: deskOf(book), port, handlers: copula.create(parameterValues(copula.parameters, { margin: 0.04, ...values }), seat) }
}

type Legs = readonly (readonly [market: number, side: number])[]

/** Odds to four decimals and the fair probability in billionths that a request on the legs is quoted; undefined when it passes. */
function quoted(legs: Legs, values: Record<string, number> = {}): [number, number] | undefined {
  const { desk, port, handlers } = made(values)
  handlers.onRequest!(requestOn(legs), desk)
  const call = port.calls[0]
  return call === undefined ? undefined : [call[3] as number, call[5] as number]
}

describe('a maker with a Gaussian copula', () => {
  it('prices two legs of a category by Sheppard’s formula', () => {
    // ¼ + asin(½)/2π = 1/3; 1/(1.04/3) = 2.88461…
    expect(quoted([[0, 1], [1, 1]], { category: 0.5 })).toEqual([28_846, 333_333_333])
  })

  it('turns the sign for a NO leg', () => {
    // ¼ − asin(½)/2π = 1/6; 1/(1.04/6) = 5.76923…
    expect(quoted([[0, 1], [1, 0]], { category: 0.5 })).toEqual([57_692, 166_666_667])
    expect(quoted([[0, 0], [1, 0]], { category: 0.5 })).toEqual([28_846, 333_333_333])
  })

  it('says what the legs would be worth without correlations, beside what it thinks them worth', () => {
    const { desk, port, handlers } = made({ category: 0.5 })
    handlers.onRequest!(requestOn([[0, 1], [1, 1]]), desk)
    handlers.onRequest!(requestOn([[0, 1], [1, 0]]), desk)
    expect(port.products).toEqual([250_000_000, 250_000_000])
  })

  it('prices n legs at ½ as 1/(n + 1)', () => {
    // With 0, 1 and two of a game at the same correlation: 1/5; 1/(1.04/5) = 4.80769…
    expect(quoted([[0, 1], [1, 1], [2, 1], [3, 1]], { category: 0.5, game: 0.5 })).toEqual([48_076, 200_000_000])
  })

  it('takes the closest thing that two legs share', () => {
    const values = { all: 0.1, category: 0.2, game: 0.8 }
    const fair = (rho: number): number => Math.round((0.25 + Math.asin(rho) / (2 * Math.PI)) * 1e9)
    expect(quoted([[2, 1], [3, 1]], values)![1]).toBe(fair(0.8))
    expect(quoted([[0, 1], [2, 1]], values)![1]).toBe(fair(0.2))
    expect(quoted([[0, 1], [5, 1]], values)![1]).toBe(fair(0.1))
    expect(quoted([[0, 1], [7, 1]], values)![1]).toBe(fair(0.1))
  })

  it('takes a game to lie in one category, so that the matrix is one', () => {
    // Leg 6 is of leg 5's game and, by itself, of leg 0's category. As a leg of 5's category it has nothing to do with 0: ½ × ½.
    expect(quoted([[0, 1], [5, 1], [6, 1]], { category: 0.9, game: 1 })).toEqual([38_461, 250_000_000])
    // Whatever other legs are asked for: 1/(1.04/4) = 3.84615…
    expect(quoted([[0, 1], [6, 1]], { category: 0.9, game: 1 })).toEqual([38_461, 250_000_000])
  })

  it('is the independent product without correlations', () => {
    const { desk, port } = made({})
    fixedMargin.create(parameterValues(fixedMargin.parameters, { margin: 0.04 }), seat).onRequest!(requestOn([[0, 1], [1, 0], [2, 1]]), desk)
    const plain = quoted([[0, 1], [1, 0], [2, 1]], { category: 0, game: 0 })
    expect(plain).toEqual([port.calls[0]![3], port.calls[0]![5]])
    expect(plain).toEqual([76_923, 125_000_000])
  })

  it('does not quote two legs of one event, nor without a price', () => {
    expect(quoted([[3, 1], [4, 1]])).toBeUndefined()
    expect(quoted([[0, 1], [1, 1]], { maxAge: 999_999 })).toBeUndefined()
  })

  it.each([[0.3268, 'confirm'], [0.3267, 'decline']])('quoted at %s, it chooses to %s at the joint price', (quote, choice) => {
    // 1/3 against the quote and its tolerance of 2 %: 0.326797… × 1.02 = 1/3.
    const { desk, port, handlers } = made({ category: 0.5 })
    handlers.onSelected!(selectionOn([[0, 1], [1, 1]], quote), desk)
    expect(port.calls).toEqual([[choice, 3, 4]])
  })

  it.each([
    [{ all: 0.2, category: 0.1, game: 0.5 }, 'category', '10% is below the 20%'],
    [{ all: 0, category: 0.6, game: 0.5 }, 'game', '50% is below the 60%'],
  ])('says of %o that no legs can be so', (values, parameter, message) => {
    const fault = copula.check!(parameterValues(copula.parameters, values))
    expect(fault).toMatchObject({ parameter })
    expect(fault!.message).toContain(message)
    expect(fault!.message).toContain('positive semidefinite')
  })

  it('lets equal correlations be', () => {
    expect(copula.check!(parameterValues(copula.parameters, { all: 0.3, category: 0.3, game: 0.3 }))).toBeUndefined()
  })
})
