import { probabilityOfOddsE4 } from '../../unit/odds.ts'
import type { DeskNote } from '../deskFeed.ts'
import type { Names } from '../names.ts'

const ODDS_ONE_E4 = 10_000

/** The service's names of things, with a client's numbers for them. */
export interface OutcomeNumbers {
  readonly rfqs: Names
  readonly quotes: Names
  readonly positions: Names
}

const micros = (amount: unknown): number => (amount === null || amount === undefined ? NaN : Number(amount))
const oddsE4 = (odds: unknown): number => (typeof odds === 'number' ? Math.round(odds * ODDS_ONE_E4) : NaN)
const numberOf = (names: Names, name: unknown): number => (typeof name === 'string' ? names.of(name) : NaN)

/** The numbers of views by their names there, as a note tells them. */
export const requestNumbers = (note: DeskNote, { rfqs }: OutcomeNumbers): Readonly<Record<string, number>> => ({
  request: rfqs.of(note['request'] as string), version: note['version'] as number, deliveredAtUs: note.at_us, expiresAtUs: note['expires_at_us'] as number,
  betMicros: micros(note['bet']), netStakeMicros: micros(note['net_stake']), bestOddsE4: oddsE4(note['best_odds']), bookChanges: micros(note['book_changes']),
})

/** @param selection number of the acceptance. */
export function selectionNumbers(note: DeskNote, { rfqs, quotes, positions }: OutcomeNumbers, selection: number): Readonly<Record<string, number>> {
  const odds = oddsE4(note['odds'])
  const position = numberOf(positions, note['position'])
  const [riskMicros, payoutMicros] = [micros(note['risk']), micros(note['payout'])]
  return {
    request: rfqs.of(note['request'] as string), version: note['version'] as number, quote: quotes.of(note['quote'] as string), deliveredAtUs: note.at_us,
    deadlineAtUs: note['deadline_at_us'] as number, oddsE4: odds, quotedProbability: Number.isNaN(position) ? probabilityOfOddsE4(odds) : riskMicros / payoutMicros,
    netStakeMicros: micros(note['net_stake']), riskMicros, payoutMicros, position, selection,
  }
}

/** @param version generation of the RFQ. */
export const auctionNumbers = (note: DeskNote, { rfqs, positions }: OutcomeNumbers, version: number): Readonly<Record<string, number | boolean>> => ({
  auction: rfqs.of(note['auction'] as string), version, position: positions.of(note['position'] as string), deliveredAtUs: note.at_us, endsAtUs: note['ends_at_us'] as number,
  netStakeMicros: micros(note['net_stake']), payoutMicros: micros(note['payout']), profitFeeBps: note['profit_fee_bps'] as number, makerFeeBps: note['maker_fee_bps'] as number,
  costBasisMicros: micros(note['cost_basis']), isSeller: note['is_seller'] as boolean, isBackingMaker: note['is_backing_maker'] as boolean,
  maxPriceMicros: micros(note['max_price']), bestPriceMicros: micros(note['best_price']),
})

export const positionNumbers = (note: DeskNote, { rfqs, quotes, positions }: OutcomeNumbers): Readonly<Record<string, number | boolean>> => ({
  position: positions.of(note['position'] as string), request: numberOf(rfqs, note['request']), quote: numberOf(quotes, note['quote']), deliveredAtUs: note.at_us,
  oddsE4: oddsE4(note['odds']), netStakeMicros: micros(note['net_stake']), riskMicros: micros(note['risk']), isHolder: note['is_holder'] as boolean,
  costMicros: micros(note['cost']), profitMicros: micros(note['profit']), isBoughtBack: note['is_bought_back'] as boolean, payoutMicros: micros(note['payout']),
  profitFeeBps: note['profit_fee_bps'] as number, costBasisMicros: micros(note['cost_basis']),
})
