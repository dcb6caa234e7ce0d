import { MarketResult, Side } from '../../src/market/sides.ts'
import type { ReferencePort } from '../../src/record/reference.ts'
import { SECOND_US } from '../../src/unit/time.ts'
import { contentTag, ParlayFault, ParlayOp } from '../../src/venue/parlay/protocol/commands.ts'
import type { Session } from './session.ts'
import { BETTOR, CLARA, SHADE, T0 } from './story.ts'

const OPERATOR = 0
const USDC = 1_000_000
const BET = 25 * USDC
const NYY_AND_BOS = [0, 1] as const
export const BOS_AND_LAD = [1, 2] as const
const NYY_AND_SEA = [0, 3] as const

/** Every open parlay is worth 0.4 until 60 s after T0 and 0.5 from then on. */
export const CASH_OUT_PRICES: ReferencePort = { parlayValue: (atUs) => (atUs < T0 + 60 * SECOND_US ? 0.4 : 0.5) }

/** Seconds after T0 at which the story ends. */
export const CASH_OUT_SECONDS = 130

/**
 * Five positions of 25 USDC at 4.0: stake 24.75, taker fee 0.25, risk 74.25, payout 99.
 *
 * 1. NYY and BOS, backed by shade. Auction 1: clara bids 30 and then 36, shade 39, which is taken: shade buys it back.
 * 2. NYY and BOS, backed by shade. Auction 2: clara bids 45 and takes it over. Auctions 3 and 4 are clara's: she cancels
 *    one, in the other shade's bid expires before its end. NYY loses while the chain is at fault: paid 30 s later.
 * 3. NYY and SEA, backed by clara. Auction 5: shade bids 62, which it has not got; then NYY decides it.
 * 4. NYY and BOS, backed by clara: the chain drops the fill.
 * 5. BOS and LAD, backed by shade. Auction 6: clara bids 30 and takes it over; open when the session ends.
 */
export function playCashOuts(session: Session): void {
  const at = (seconds: number): number => T0 + seconds * SECOND_US
  const fault = (seconds: number, value: number, value2: number): void =>
    session.apply(at(seconds), ParlayOp.setFault, OPERATOR, (c) => { c.value = value; c.value2 = value2 })
  const openAuction = (seconds: number, seller: number, position: number): void =>
    session.apply(at(seconds), ParlayOp.openCashout, seller, (c) => { c.position = position })
  const bid = (seconds: number, maker: number, auction: number, usdc: number, memoE9 = -1): void =>
    session.apply(at(seconds), ParlayOp.submitBid, maker, (c) => {
      c.auction = auction
      c.amountMicros = usdc * USDC
      c.validMs = 5000
      c.memoE9 = memoE9
    })
  const take = (seconds: number, auction: number): void =>
    session.apply(at(seconds), ParlayOp.commitCashout, BETTOR, (c) => { c.auction = auction })

  for (const market of [0, 1, 2, 3]) {
    session.apply(at(0), ParlayOp.listMarket, OPERATOR, (c) => { c.market = market; c.closeUs = at(3600); c.item(100 + market) })
  }
  for (const account of [BETTOR, SHADE, CLARA]) {
    session.apply(at(0), ParlayOp.deposit, account, (c) => { c.amountMicros = 1000 * USDC })
  }
  trade(session, 1, 1, SHADE, NYY_AND_BOS)
  trade(session, 5, 2, SHADE, NYY_AND_BOS)
  trade(session, 9, 3, CLARA, NYY_AND_SEA)
  fault(13, ParlayFault.chainDropped, 1)
  trade(session, 13, 4, CLARA, NYY_AND_BOS)
  fault(17, ParlayFault.chainDropped, 0)

  openAuction(40, BETTOR, 1)
  bid(41, CLARA, 1, 30)
  bid(42, SHADE, 1, 39, 410_000_000)
  bid(43, CLARA, 1, 36, 390_000_000)
  take(44, 1)
  fault(45, ParlayFault.mirrorBehind, 1)
  session.apply(at(45), ParlayOp.withdraw, SHADE, (c) => { c.amountMicros = 850 * USDC })
  fault(46, ParlayFault.mirrorBehind, 0)

  openAuction(60, BETTOR, 2)
  bid(61, CLARA, 2, 45)
  take(62, 2)
  openAuction(64, CLARA, 2)
  session.apply(at(66), ParlayOp.cancelCashout, CLARA, (c) => { c.auction = 3 })
  openAuction(68, CLARA, 2)
  bid(69, SHADE, 4, 50)

  openAuction(80, BETTOR, 3)
  bid(81, SHADE, 5, 62)
  take(82, 5)
  fault(83, ParlayFault.mirrorBehind, 1)
  session.apply(at(84), ParlayOp.resolveMarket, OPERATOR, (c) => { c.market = 0; c.value = MarketResult.no })
  fault(85, ParlayFault.mirrorBehind, 0)

  trade(session, 116, 5, SHADE, BOS_AND_LAD)
  openAuction(121, BETTOR, 5)
  bid(122, CLARA, 6, 30)
  take(123, 6)
  session.finish(at(CASH_OUT_SECONDS))
}

/** Request `number` of `bettor` with one maker, at odds of 4.0 by default: asked, quoted, taken and confirmed a second apart. */
export function trade(
  session: Pick<Session, 'apply'>, seconds: number, number: number, maker: number, legs: readonly [number, number], bettor = BETTOR, oddsE4 = 40_000,
): void {
  const at = (after: number): number => T0 + (seconds + after) * SECOND_US
  session.apply(at(0), ParlayOp.createRequest, bettor, (c) => {
    c.betMicros = BET
    for (const market of legs) c.leg(market, Side.yes)
  })
  session.apply(at(1), ParlayOp.submitQuote, maker, (c) => {
    c.request = number
    c.version = 1
    c.contentTag = contentTag(2, legs, [Side.yes, Side.yes], BET)
    c.oddsE4 = oddsE4
  })
  session.apply(at(2), ParlayOp.commitRequest, bettor, (c) => {
    c.request = number
    c.version = c.quote = c.bookSeq = 1
    c.oddsE4 = oddsE4
  })
  session.apply(at(3), ParlayOp.confirmSelection, maker, (c) => { c.request = number; c.quote = number })
}
