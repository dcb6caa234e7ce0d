import { HoldingDraw, IntentDraw } from './agent/bettorDesk.ts'
import { Action, AuctionOutcome, NEXT_OFFER, Refusal, Side } from './agent/vocabulary.ts'

// Strategies share these with each other and with the engine.
for (const shared of [Action, AuctionOutcome, HoldingDraw, IntentDraw, NEXT_OFFER, Refusal, Side]) Object.freeze(shared)

/** What a strategy file imports: `import { maker, pct, usd } from 'parlor'` (design.md, decision 12). */
export { maker, type MakerHandlers, type MakerSeat, type MakerStrategy } from './agent/maker.ts'
export { bettor, type BettorHandlers, type BettorStrategy } from './agent/bettor.ts'
export { type BettorDesk, HoldingDraw, IntentDraw, type RequestTerms } from './agent/bettorDesk.ts'
export type { BidTerms, Exposure, LayOffTerms, MakerDesk, PriceOptions, QuoteTerms } from './agent/makerDesk.ts'
export type { AckView, AuctionView, HoldingView, IntentView, LegsView, PositionView, RefusalView, RequestView, SelectionView } from './agent/views.ts'
export { Action, AuctionOutcome, isKnown, NEXT_OFFER, type PriceType, Refusal, Side } from './agent/vocabulary.ts'
export { type FakeBet, type FakeBettor, fakeBettor, type FakeBettorOptions } from './agent/fakeBettor.ts'
export { type FakeCommand, type FakeFields, type FakeLayOff, type FakeLeg, type FakeMaker, fakeMaker, type FakeMakerOptions } from './agent/fakeMaker.ts'
export type { FakePrice } from './agent/fakePrices.ts'
export { cents, count, ms, num, type Parameter, type Parameters, pct, seconds, usd } from './agent/parameters.ts'
export { oddsE4FloorOfProbability, probabilityOfOddsE4 } from './unit/odds.ts'
export { MINUTE_US, MS_US, SECOND_US } from './unit/time.ts'
