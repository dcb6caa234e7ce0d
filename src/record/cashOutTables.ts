import { PARLAY_CODES, ParlayCode } from '../venue/parlay/protocol/codes.ts'
import { AuctionRoute } from '../venue/parlay/protocol/events.ts'
import type { DirectoryCodes } from './directory.ts'
import {
  bool, closingSeqOrNull, float, int, micros, oneOf, orNull, service, shapeOf, time, word,
} from './tableShape.ts'

/** How an auction ended. */
export const AUCTION_ENDS = ['committed', 'cancelled', 'decided', 'expired', 'open', 'closed', 'superseded', 'failed'] as const
export const AuctionRowEnd = { committed: 0, cancelled: 1, decided: 2, expired: 3, open: 4, closed: 5, superseded: 6, failed: 7 } as const
/** How a sale ended: the winner backs the position and closes it, or takes the position over. */
export const AUCTION_ROUTES = ['bought_back', 'transferred'] as const
export const SaleRoute = { boughtBack: AuctionRoute.closes, transferred: AuctionRoute.transfers } as const

/** How a bid ended. */
export const BID_ENDS = ['replaced', 'expired', 'invalidated', 'won', 'failed', 'open', 'withdrawn'] as const
export const BidEnd = { replaced: 0, expired: 1, invalidated: 2, won: 3, failed: 4, open: 5, withdrawn: 6 } as const

const FAILURE_CODES = [
  ParlayCode.amountOverBound, ParlayCode.insufficientBuyerBalance, ParlayCode.buyerNoVault, ParlayCode.buyerIsCounterparty,
] as const
/** The refusals of a seller's commit after which the bid is out. */
export const COMMIT_FAILURES: readonly string[] = FAILURE_CODES.map((code) => PARLAY_CODES[code]!.name)
/** How a last look fails. On the outcome service cash-outs have a last look too. */
export const LAST_LOOK_FAILURES = ['timed_out', 'declined'] as const
const BID_FAILURES: readonly string[] = [...COMMIT_FAILURES, ...LAST_LOOK_FAILURES]

const reference = (about: string) => orNull(float(`reference probability V of the position ${about}; null when unknown`))

export const auctionTable = (codes: DirectoryCodes) =>
  shapeOf('auctions', 'cash-out auctions, one row each', {
    seq: closingSeqOrNull,
    service,
    auction: int('number of the auction; of the outcome service that of its cash-out RFQ'),
    position: int('number of the position that it sells'),
    request: int('number of the request, or of the RFQ, that opened the position'),
    seller: word('account number of the seller, the holder at its opening'),
    cohort: oneOf(codes.groups, 'cohort of the seller'),
    seller_maker: orNull(oneOf(codes.makerNames, 'name of the seller that is a maker which took the position over; null while its bettor holds it')),
    backing_maker: oneOf(codes.makerNames, 'maker that backs the position'),
    cluster: oneOf(codes.clusters, 'settlement cluster of the position'),
    opened_at: time('opening'),
    ends_at: time('first instant at which its window is over'),
    ended_at: orNull(time('commit, cancel, decision or end of its window; of a sale on the outcome service the end of its operation')),
    window_closed_at: orNull(time("end of a cash-out RFQ's window for quotes")),
    state: oneOf(AUCTION_ENDS, 'how it ended; cancelled: by the seller; decided: by a result; expired: nothing was taken; open: it had not; closed: the window and the last live quote of a cash-out RFQ were over; superseded: by the next one; failed: the chain did not carry out the sale'),
    payout_micros: micros('total_payout of the position when it wins'),
    net_stake_micros: micros('user_stake'),
    seller_cost_micros: micros('what the seller paid for the position: the gross bet, or the price of a cash-out'),
    cost_basis_micros: micros("what the seller's profit is counted from"),
    buyback_bound_micros: orNull(micros('most that the backing maker may bid; null of the outcome service, which knows no such bound')),
    best_bid_at_end_micros: orNull(micros('price of the best live bid just before the end; null without one')),
    winner: orNull(oneOf(codes.makerNames, 'maker whose bid was taken')),
    bid: orNull(int('number of the bid that was taken')),
    route: orNull(oneOf(AUCTION_ROUTES, 'bought_back: the winner backs the position and closes it; transferred: it takes it over')),
    price_micros: orNull(micros('what the winner paid')),
    profit_fee_micros: orNull(micros('profit fee out of the price, kept by the house')),
    to_seller_micros: orNull(micros('price less profit fee')),
    bid_count: word('bids submitted'),
    maker_count: word('makers that submitted them'),
    failed_bid_count: word('bids that the seller tried to take in vain'),
    reference_at_opening: reference('at the opening'),
    reference_at_end: reference('at the end'),
  })

export const bidTable = (codes: DirectoryCodes) =>
  shapeOf('bids', 'bids of makers in cash-out auctions, one row each', {
    seq: closingSeqOrNull,
    service,
    bid: int('number of the bid'),
    auction: int('number of the auction'),
    position: int('number of the position'),
    request: int('number of the request, or of the RFQ, that opened the position'),
    acceptance: orNull(int('number of its acceptance; null where the service numbers none, or it was never accepted')),
    operation: orNull(int('operation that carries out the sale, once confirmed; null of the parlay service')),
    maker: oneOf(codes.makerNames, 'name of the maker'),
    is_buyback: bool('the maker backs the position: it would buy it back and close it'),
    price_micros: micros('price offered'),
    payout_micros: micros('total_payout of the position'),
    profit_fee_if_won_micros: micros('profit fee that the maker would pay on a win after taking the position over; 0 of one that backs it'),
    submitted_at: time('submission'),
    valid_until: time('first instant at which it is over'),
    selected_at: orNull(time('accept; null of the parlay service, which takes a bid at once')),
    deadline_at: orNull(time('of an accepted one: first instant at which a confirmation is late')),
    ended_at: orNull(time('end')),
    state: oneOf(BID_ENDS, 'how it ended; open: it had not when the session did'),
    failure: orNull(oneOf(BID_FAILURES, "of a failed one: why the seller's commit of it was refused, or how the last look failed")),
    taken: bool('the seller took it'),
    traded_away: bool("another maker's bid was taken while this one lived"),
    competing_bids: word('live bids of other makers in the auction at submission'),
    fair: orNull(float("the maker's own fair probability F, from its command; null when it gave none")),
    reference: reference('at submission'),
  })
