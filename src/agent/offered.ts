import { HoldingDraw, IntentDraw } from './bettorDesk.ts'
import { Action, AuctionOutcome, NEXT_OFFER, Refusal, Side } from './vocabulary.ts'

// Strategies share these with each other and with the engine.
for (const shared of [Action, AuctionOutcome, HoldingDraw, IntentDraw, NEXT_OFFER, Refusal, Side]) Object.freeze(shared)

/** What a strategy is written with (design.md, decision 12). Each room has its own (roomRealm.ts). */
export { maker, type MakerHandlers, type MakerSeat, type MakerStrategy } from './maker.ts'
export { bettor, type BettorHandlers, type BettorStrategy } from './bettor.ts'
export { type BettorDesk, HoldingDraw, IntentDraw, type RequestTerms } from './bettorDesk.ts'
export type { BidTerms, Exposure, LayOffTerms, MakerDesk, PriceOptions, QuoteTerms, WatchTerms } from './makerDesk.ts'
export type { AckView, AuctionView, DepthView, HoldingView, IntentView, LegsView, LevelView, PositionView, RefusalView, RequestView, SelectionView } from './views.ts'
export { Action, AuctionOutcome, isKnown, NEXT_OFFER, type PriceType, Refusal, Side } from './vocabulary.ts'
export { cents, count, ms, num, type Parameter, type Parameters, pct, seconds, usd } from './parameters.ts'
export type { MarketNames } from '../market/publicList.ts'
export type { AtUs, Bps, Odds, Quantity, Share, Us, UsdMicros } from './quantities.ts'
export { bivariateNormal, type Correlation, jointProbability, normalCdf, normalOrthant, normalQuantile } from './jointProbability.ts'
export { type FairMethod, fairProbabilities, fairProbability, oddsE4FloorOfProbability } from './fairPrice.ts'
export { probabilityOfOddsE4 } from '../unit/odds.ts'
export { MINUTE_US, MS_US, SECOND_US } from '../unit/time.ts'
