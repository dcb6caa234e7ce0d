import { MarketResult, Side } from '../../src/market/sides.ts'
import { SECOND_US } from '../../src/unit/time.ts'
import { type Directory } from '../../src/record/directory.ts'
import type { ReferencePort } from '../../src/record/reference.ts'
import type { ParlayCommand } from '../../src/venue/parlay/protocol/commands.ts'
import { contentTag, ParlayOp } from '../../src/venue/parlay/protocol/commands.ts'
import type { Session } from './session.ts'

/** 2025-06-19 18:00:00 UTC. */
export const T0 = 1_750_356_000_000_000
export const BETTOR = 1
export const SHADE = 2
export const CLARA = 3
const OPERATOR = 0

export const DIRECTORY: Directory = {
  accounts: [
    { name: 'operator', role: 'bettor', group: 'operator' },
    { name: 'noise-1', role: 'bettor', group: 'noise' },
    { name: 'shade', role: 'maker', group: 'shade' },
    { name: 'clara', role: 'maker', group: 'clara' },
  ],
  markets: [
    { ticker: 'MLB-NYY', cluster: '2025-06-19' },
    { ticker: 'MLB-BOS', cluster: '2025-06-20' },
    { ticker: 'MLB-LAD', cluster: '2025-06-20' },
    { ticker: 'MLB-SEA', cluster: '2025-06-21' },
  ],
}

/** NYY is worth 0.5 until 20 s after T0 and 0.75 from then on, the other markets 0.5; NO is the mirror. */
export const PRICES: ReferencePort = {
  parlayValue(atUs, legCount, markets, sides, from) {
    let value = 1
    for (let i = from; i < from + legCount; i++) {
      const yes = markets[i] === 0 && atUs >= T0 + 20 * SECOND_US ? 0.75 : 0.5
      value *= sides[i] === Side.yes ? yes : 1 - yes
    }
    return value
  },
}

const BET = 25_000_000
const NYY_AND_BOS = [[0, Side.yes], [1, Side.yes]] as const
const BOS_AND_LAD = [[1, Side.yes], [2, Side.yes]] as const
const NYY_AND_SEA = [[0, Side.yes], [3, Side.yes]] as const

type Legs = readonly (readonly [market: number, side: number])[]

const tagOf = (legs: Legs): number =>
  contentTag(legs.length, legs.map(([market]) => market), legs.map(([, side]) => side), BET)

const request = (legs: Legs) => (c: ParlayCommand): void => {
  c.betMicros = BET
  for (const [market, side] of legs) c.leg(market, side)
}

const quote = (number: number, legs: Legs, oddsE4: number, memoE9 = -1, version = 1) => (c: ParlayCommand): void => {
  c.request = number
  c.version = version
  c.contentTag = tagOf(legs)
  c.oddsE4 = oddsE4
  c.memoE9 = memoE9
}

const commit = (number: number, floorE4: number, version = 1) => (c: ParlayCommand): void => {
  c.request = number
  c.version = version
  c.quote = 1
  c.bookSeq = 1
  c.oddsE4 = floorE4
}

const selection = (number: number, quoteNumber: number) => (c: ParlayCommand): void => {
  c.request = number
  c.quote = quoteNumber
}

/** Seconds after T0 at which the story ends. */
export const STORY_SECONDS = 90

/**
 * The story has five requests of 25 USDC. The arithmetic is that of readings A21.
 *
 * 1. NYY and BOS: clara quotes 3.0, shade 4.0 and 4.0 again. A commit with a floor of 5.0 is refused, and the next one selects
 *    shade, who confirms. Both markets win.
 * 2. BOS and LAD: shade quotes 4.0 and declines. The bettor updates. shade quotes 3.0 and lets the deadline pass. The bettor
 *    cancels.
 * 3. BOS and LAD: clara quotes 2.0 and confirms. LAD loses.
 * 4. NYY and BOS: clara quotes 4.0, and the request is open when the session ends.
 * 5. NYY and SEA: clara quotes 2.0 and confirms. NYY wins, and SEA is open when the session ends.
 */
export function playStory(session: Session): void {
  const at = (seconds: number): number => T0 + seconds * SECOND_US
  for (const market of [0, 1, 2, 3]) {
    session.apply(at(0), ParlayOp.listMarket, OPERATOR, (c) => { c.market = market; c.closeUs = at(3600); c.item(100 + market) })
  }
  for (const account of [BETTOR, SHADE, CLARA]) {
    session.apply(at(0), ParlayOp.deposit, account, (c) => { c.amountMicros = 1_000_000_000 })
  }
  session.apply(at(1), ParlayOp.createRequest, BETTOR, request(NYY_AND_BOS))
  session.apply(at(2), ParlayOp.submitQuote, CLARA, quote(1, NYY_AND_BOS, 30_000))
  session.apply(at(3), ParlayOp.submitQuote, SHADE, quote(1, NYY_AND_BOS, 40_000, 240_000_000))
  session.apply(at(4), ParlayOp.submitQuote, SHADE, quote(1, NYY_AND_BOS, 40_000, 245_000_000))
  session.apply(at(5), ParlayOp.commitRequest, BETTOR, commit(1, 50_000))
  session.apply(at(6), ParlayOp.commitRequest, BETTOR, commit(1, 40_000))
  session.apply(at(8), ParlayOp.confirmSelection, SHADE, selection(1, 3))

  session.apply(at(10), ParlayOp.createRequest, BETTOR, request(BOS_AND_LAD))
  session.apply(at(11), ParlayOp.submitQuote, SHADE, quote(2, BOS_AND_LAD, 40_000, 250_000_000))
  session.apply(at(12), ParlayOp.commitRequest, BETTOR, commit(2, 40_000))
  session.apply(at(13), ParlayOp.declineSelection, SHADE, selection(2, 4))
  session.apply(at(14), ParlayOp.updateRequest, BETTOR, (c) => { request(BOS_AND_LAD)(c); c.request = 2 })
  session.apply(at(15), ParlayOp.submitQuote, SHADE, quote(2, BOS_AND_LAD, 30_000, -1, 2))
  session.apply(at(16), ParlayOp.commitRequest, BETTOR, commit(2, 30_000, 2))
  session.apply(at(22), ParlayOp.cancelRequest, BETTOR, (c) => { c.request = 2 })

  session.apply(at(24), ParlayOp.createRequest, BETTOR, request(BOS_AND_LAD))
  session.apply(at(25), ParlayOp.submitQuote, CLARA, quote(3, BOS_AND_LAD, 20_000))
  session.apply(at(26), ParlayOp.commitRequest, BETTOR, commit(3, 20_000))
  session.apply(at(27), ParlayOp.confirmSelection, CLARA, selection(3, 6))

  session.apply(at(30), ParlayOp.createRequest, BETTOR, request(NYY_AND_BOS))
  session.apply(at(31), ParlayOp.submitQuote, CLARA, (c) => { quote(4, NYY_AND_BOS, 40_000)(c); c.validMs = 60_000 })

  session.apply(at(33), ParlayOp.createRequest, BETTOR, request(NYY_AND_SEA))
  session.apply(at(34), ParlayOp.submitQuote, CLARA, quote(5, NYY_AND_SEA, 20_000))
  session.apply(at(35), ParlayOp.commitRequest, BETTOR, commit(5, 20_000))
  session.apply(at(36), ParlayOp.confirmSelection, CLARA, selection(5, 8))

  session.apply(at(40), ParlayOp.resolveMarket, OPERATOR, (c) => { c.market = 0; c.value = MarketResult.yes })
  session.apply(at(45), ParlayOp.resolveMarket, OPERATOR, (c) => { c.market = 2; c.value = MarketResult.no })
  session.apply(at(50), ParlayOp.createRequest, BETTOR, (c) => { c.betMicros = Number.NaN; c.leg(1, Side.yes).leg(3, Side.no) })
  session.apply(at(60), ParlayOp.resolveMarket, OPERATOR, (c) => { c.market = 1; c.value = MarketResult.yes })
  session.finish(at(STORY_SECONDS))
}
