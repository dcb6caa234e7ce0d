import { expect, it } from 'vitest'
import { bettor, type DepthView, fakeBettor, fakeMaker, isKnown, maker, Side } from '../../src/index.ts'

/** The book of market 0 as a strategy sees it: levels, and what 300 contracts cost. */
const seen = (book: DepthView | undefined): unknown => book && [book.bids(Side.yes), book.asks(Side.no), book.depthOf(Side.no, 300), book.depthOf(Side.no, 501), book.ageUs]

it('a fake shows the levels that a test gives it, and none of a price without levels', () => {
  const shown: unknown[] = []
  const strategy = maker({}, () => ({
    onRequest({ legs }, desk) { shown.push(seen(desk.depth(legs.market(0))), isKnown(desk.legDepth(legs, 0)) && desk.legDepth(legs, 0)) },
  }))
  const fake = fakeMaker(strategy, { prices: [{ bids: [[0.6, 100], [0.5, 400]], asks: [[0.7, 30]] }] })
  fake.pass(1_000_000)
  fake.onRequest({ legs: [[0, Side.no]] })
  fake.setPrice(0, { bid: 0.6, ask: 0.7 })
  fake.onRequest({ legs: [[0, Side.no]] })
  // 100 at 0.40 and 200 at 0.50 are 140 dollars.
  expect(shown).toEqual([[[{ price: 0.6, size: 100 }, { price: 0.5, size: 400 }], [{ price: 0.4, size: 100 }, { price: 0.5, size: 400 }], 140 / 300, undefined, 1_000_000], 100, undefined, false])
})

it('and so does a fake bettor', () => {
  const shown: unknown[] = []
  const fake = fakeBettor(bettor({}, () => ({ onArrival(_intent, desk) { shown.push(desk.depth(0)?.depthOf(Side.yes, 30), desk.depth(1)) }, onDecision() {} })), { prices: [{ asks: [[0.7, 30]] }] })
  fake.onArrival()
  expect(shown).toEqual([0.7, undefined])
})
