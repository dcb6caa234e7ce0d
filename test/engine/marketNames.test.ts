import { expect, it } from 'vitest'
import { maker, type MakerDesk, type MakerStrategy } from '../../src/index.ts'
import { Session } from '../../src/engine/session.ts'
import { listOfCatalogue } from '../../src/market/publicList.ts'
import { outcomeAuctionConfig } from './outcomeWorld.ts'
import { auctionConfig, makerEntry, NO_FAULTS, world, WORLD_START_US } from './world.ts'

const OPENS_US = WORLD_START_US + 10_000_000

it.each([['parlay', auctionConfig], ['outcome', outcomeAuctionConfig]] as const)('a maker of the %s service knows a market from its opening on, and nothing of how it ends', (_, config) => {
  const seen = new Map<boolean, Set<string | null>>([[false, new Set()], [true, new Set()]])
  const look = (desk: MakerDesk): void => { seen.get(desk.nowUs >= OPENS_US)!.add(JSON.stringify(desk.market(59))) }
  const strategy = maker({}, () => ({
    onStart: (desk) => { desk.after(9_999_999) },
    onTimer(tag, desk) {
      look(desk)
      if (tag === 0) desk.after(1, 1)
    },
    onRequest: (__, desk) => { look(desk) },
  })) as unknown as MakerStrategy
  const list = listOfCatalogue(world(60, 60).markets.map((market) => (market.number === 59 ? { ...market, openUs: OPENS_US } : market)))
  new Session(config(15, { list, makers: [{ ...makerEntry('maker', strategy), faults: NO_FAULTS }] })).runToEnd()
  expect([...seen.get(false)!]).toEqual(['null'])
  expect([...seen.get(true)!]).toEqual(['{"ticker":"M59","title":"","event":"E14","game":"E14","category":"sports","venue":"venue_a"}'])
})
