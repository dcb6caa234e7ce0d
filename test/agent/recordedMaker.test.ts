import { expect, it } from 'vitest'
import { recordedMaker, type RecordedQuoting } from '../../src/agent/makers/recorded.ts'
import { fakeMaker, Side } from '../../src/index.ts'
import { USDC } from '../../src/unit/micros.ts'

const START_US = 1_750_000_000_000_000
const MS = 1000
const TERMS = { offeredIn: 'odds', validMinUs: MS, validMaxUs: 30_000 * MS, unlistedUs: 0, requestLifeUs: 90_000 * MS } as const
/** Two legs, a quote at the request's own instant that holds for eight seconds. */
const LOGGED: RecordedQuoting = {
  atUs: START_US, betMicros: 25 * USDC, legs: [{ market: 4, side: 1 }, { market: 7, side: 0 }], endUs: null,
  offers: [{ atUs: START_US, price: { oddsE4: 24_500 }, untilUs: START_US + 8000 * MS }], answers: [],
}

it.each([
  ['the order of the log', [[4, Side.yes], [7, Side.no]], 1, 0],
  ['the other order', [[7, Side.no], [4, Side.yes]], 1, 0],
  ['another side', [[4, Side.no], [7, Side.no]], 0, 1],
  ['another market', [[4, Side.yes], [8, Side.no]], 0, 1],
] as const)('a recorded maker knows a request by its legs: %s', (_, legs, quotes, passes) => {
  const fake = fakeMaker(recordedMaker([LOGGED], TERMS), { startUs: START_US })
  fake.onRequest({ legs, betMicros: 25 * USDC })
  expect([fake.commands.length, fake.passes]).toEqual([quotes, passes])
})

it.each([
  ['ends before its life', 3000, 90_000, 3000], ['ends after its life', 9000, 4000, 4000], ['has no end that the log says', null, 5000, 5000],
])('a quote of a log whose end is not said stands as long as its request, which %s', (_, endMs, lifeMs, validMs) => {
  const logged = { ...LOGGED, endUs: endMs === null ? null : START_US + endMs * MS, offers: [{ ...LOGGED.offers[0]!, untilUs: null }] }
  const fake = fakeMaker(recordedMaker([logged], { ...TERMS, requestLifeUs: lifeMs * MS }), { startUs: START_US })
  fake.onRequest({ legs: [[4, Side.yes], [7, Side.no]], betMicros: 25 * USDC })
  expect(fake.commands).toMatchObject([{ validUs: validMs * MS }])
})
