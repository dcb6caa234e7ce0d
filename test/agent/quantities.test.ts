import { expect, it } from 'vitest'
import {
  type AuctionView, type BettorDesk, type HoldingView, type IntentView, maker, type MakerDesk, MINUTE_US, ms, num, pct, type PositionView, type RequestView, SECOND_US,
  seconds, type SelectionView, usd,
} from '../../src/index.ts'

type P = { readonly margin: ReturnType<typeof pct>; readonly cap: ReturnType<typeof usd>; readonly maxAge: ReturnType<typeof seconds>; readonly n: ReturnType<typeof num> }
type Values = Parameters<Parameters<typeof maker<P>>[1]>[0]

/** Units that a strategy mixes up: `tsc` is what checks it, nobody calls these. */
const forbidden = {
  maker(desk: MakerDesk, request: RequestView, auction: AuctionView, position: PositionView, selection: SelectionView, p: Values): void {
    // @ts-expect-error: a declaration of a parameter is no number
    desk.quote(request, { probability: 0.5, validUs: seconds(15) })
    // @ts-expect-error: the same
    desk.price(request.legs, { priceType: 'ask', maxAgeUs: ms(15) })
    // @ts-expect-error: money is no duration
    desk.quote(request, { probability: 0.5, validUs: p.cap })
    // @ts-expect-error: a share is no duration
    desk.quote(request, { probability: 0.5, validUs: p.margin })
    // @ts-expect-error: an instant is no duration
    desk.quote(request, { probability: 0.5, validUs: request.expiresAtUs })
    // @ts-expect-error: money is no probability
    desk.quote(request, { probability: request.betMicros, validUs: 8 * SECOND_US })
    // @ts-expect-error: a duration is no probability
    desk.quote(request, { probability: 0.5, validUs: 8 * SECOND_US, fair: p.maxAge })
    // @ts-expect-error: money is no age
    desk.price(request.legs, { priceType: 'ask', maxAgeUs: p.cap })
    // @ts-expect-error: odds are no probability
    desk.riskOf(request, request.bestOddsE4)
    // @ts-expect-error: an instant is no delay
    desk.later(request, desk.nowUs)
    // @ts-expect-error: the same
    desk.decideLater(selection, selection.deadlineAtUs)
    // @ts-expect-error: a duration is no price
    desk.bid(auction, { priceMicros: p.maxAge, validUs: 8 * SECOND_US })
    // @ts-expect-error: a share is no price
    desk.takeBid(position, p.margin)
    // @ts-expect-error: odds are no money
    desk.layOff(position, { betMicros: position.oddsE4, minOddsE4: 20_000, decideInUs: SECOND_US })
  },
  bettor(desk: BettorDesk, intent: IntentView, holding: HoldingView, p: Values): void {
    // @ts-expect-error: a share is no age
    desk.pickLegs(intent, 2, 0.1, p.margin)
    // @ts-expect-error: money is no duration
    desk.requestQuote(intent, { betMicros: 10_000_000, minOddsE4: 10_001, decideInUs: p.cap })
    // @ts-expect-error: a share is no money
    desk.requestQuote(intent, { betMicros: p.margin, minOddsE4: 10_001, decideInUs: SECOND_US })
    // @ts-expect-error: money is no odds
    desk.requestQuote(intent, { betMicros: 10_000_000, minOddsE4: holding.payoutMicros, decideInUs: SECOND_US })
    // @ts-expect-error: an instant is no delay
    desk.wait(intent, desk.nowUs)
    // @ts-expect-error: a rate in bps is no share
    desk.expectedPayout(holding, desk.takerFeeBps)
  },
}

/** What is right, or cannot be told apart from it, goes on compiling. */
const allowed = maker({ margin: pct(4), cap: usd(200), maxAge: seconds(30), wait: ms(20), n: num(1) }, (p) => ({
  onRequest(request, desk) {
    const fair = desk.price(request.legs, { priceType: 'ask', maxAgeUs: p.maxAge })
    const worst: number = desk.exposure(request.legs).worst
    if (!(fair > 0) || worst > p.cap) return desk.pass('risk')
    desk.quote(request, { probability: fair * (1 + p.margin) * p.n, validUs: 8 * SECOND_US, fair })
    desk.later(request, p.wait + MINUTE_US)
    desk.quote(request, { probability: 1 / p.n, validUs: request.expiresAtUs - desk.nowUs })
  },
}))

it('quantities of one unit are refused in the place of another’s, on both desks', () => {
  expect([Object.keys(forbidden), allowed.role]).toEqual([['maker', 'bettor'], 'maker'])
})
