/** What a strategy file imports: `import { maker, pct, usd } from 'parlor'` (design.md, decision 12). */
export { maker, type MakerHandlers, type MakerSeat, type MakerStrategy } from './agent/maker.ts'
export { bettor, type BettorHandlers, type BettorStrategy } from './agent/bettor.ts'
export { type BettorDesk, IntentDraw, type IntentView } from './agent/bettorDesk.ts'
export type { MakerDesk } from './agent/makerDesk.ts'
export type { AckView, LegsView, PositionView, RequestView, SelectionView } from './agent/views.ts'
export { cents, count, ms, num, type Parameter, type Parameters, pct, seconds, usd } from './agent/parameters.ts'
export { oddsE4FloorOfProbability, probabilityOfOddsE4 } from './unit/odds.ts'
export { ParlayCode } from './venue/parlay/protocol/codes.ts'
