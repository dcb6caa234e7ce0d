import { PARLAY_CODES, ParlayCode } from '../venue/parlay/protocol/codes.ts'
import { AuctionRoute } from '../venue/parlay/protocol/events.ts'
import type { DirectoryCodes } from './directory.ts'
import {
  beginSeq, bool, type Column, closingSeqOrNull, float, micros, nameOf, numbered, oneOf, orNull, service, shapeOf, time, word,
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

const AUCTION_END_MEANINGS = {
  committed: 'the seller took a bid', cancelled: 'the seller cancelled it', decided: 'a result came first',
  expired: 'its time was over and nothing was taken', open: 'it had not ended when the session did',
  closed: 'the window and the last live quote of a cash-out RFQ were over', superseded: 'the next cash-out RFQ of the position took its place',
  failed: 'the chain did not carry out the sale',
}
const ROUTE_MEANINGS = { bought_back: 'the winner backs the position and closes it', transferred: 'the winner takes the position over' }
const BID_END_MEANINGS = {
  replaced: "the maker's next bid took its place", expired: 'its time was over', invalidated: 'its auction ended', won: 'the seller took it',
  failed: 'the seller tried to take it in vain', open: 'it had not ended when the session did', withdrawn: 'the maker took it back',
}
const BID_FAILURE_MEANINGS: Readonly<Record<string, string>> = {
  amountOverBound: 'the bid is above the buyback bound', insufficientBuyerBalance: 'the buyer has too little money',
  buyerNoVault: 'the buyer has no vault', buyerIsCounterparty: "the backing maker's wallet is not on record",
  timed_out: 'the maker let the last look pass', declined: 'the maker declined in its last look',
}

const makerOf = (codes: DirectoryCodes, about: string): Column => nameOf(codes.makerNames, 'makers', about)
const reference = (about: string) => orNull(float(`reference probability V of the position ${about}`), 'V was unknown')

const NOT_SOLD = 'nothing was sold'

export const auctionTable = (codes: DirectoryCodes) =>
  shapeOf('auctions', 'cash-out auctions, one row each', {
    seq: closingSeqOrNull,
    service,
    auction: numbered('number of the auction; of the outcome service that of its cash-out RFQ'),
    position: numbered('number of the position that it sells'),
    request: numbered('number of the request, or of the RFQ, that opened the position'),
    seller: word('account number of the seller, the holder at its opening'),
    cohort: nameOf(codes.groups, 'cohorts', 'cohort of the seller'),
    seller_maker: orNull(makerOf(codes, 'name of the seller that is a maker which took the position over'), 'the bettor of the position sells it'),
    backing_maker: makerOf(codes, 'maker that backs the position'),
    cluster: nameOf(codes.clusters, 'settlement clusters', 'settlement cluster of the position'),
    opened_seq: beginSeq('the opening'),
    opened_at: time('opening'),
    ends_at: time('first instant at which its window is over'),
    ended_at: orNull(time('commit, cancel, decision or end of its window; of a sale on the outcome service the end of its operation'), 'the session ended first'),
    window_closed_at: orNull(time("end of a cash-out RFQ's window for quotes"), 'it ended before, or it is a row of the parlay service'),
    state: oneOf(AUCTION_ENDS, 'how it ended', AUCTION_END_MEANINGS),
    payout_micros: micros('total_payout of the position when it wins'),
    net_stake_micros: micros('user_stake'),
    seller_cost_micros: micros('what the seller paid for the position: the gross bet, or the price of a cash-out'),
    cost_basis_micros: micros("what the seller's profit is counted from"),
    buyback_bound_micros: orNull(micros('most that the backing maker may bid'), 'a row of the outcome service, which knows no such bound'),
    best_bid_at_end_micros: orNull(micros('price of the best live bid just before the end'), 'there was none'),
    winner: orNull(makerOf(codes, 'maker whose bid was taken'), NOT_SOLD),
    bid: orNull(numbered('number of the bid that was taken'), NOT_SOLD),
    route: orNull(oneOf(AUCTION_ROUTES, 'what the winner does with the position', ROUTE_MEANINGS), NOT_SOLD),
    price_micros: orNull(micros('what the winner paid'), NOT_SOLD),
    profit_fee_micros: orNull(micros('profit fee out of the price, kept by the house'), NOT_SOLD),
    to_seller_micros: orNull(micros('price less profit fee'), NOT_SOLD),
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
    bid: numbered('number of the bid'),
    auction: numbered('number of the auction'),
    position: numbered('number of the position'),
    request: numbered('number of the request, or of the RFQ, that opened the position'),
    acceptance: orNull(numbered('number of its acceptance'), 'it was never accepted, or it is a row of the parlay service, which numbers none'),
    operation: orNull(numbered('operation that carries out the sale'), 'it was not confirmed, or it is a row of the parlay service'),
    maker: makerOf(codes, 'name of the maker'),
    is_buyback: bool('the maker backs the position: it would buy it back and close it'),
    price_micros: micros('price offered'),
    payout_micros: micros('total_payout of the position'),
    profit_fee_if_won_micros: micros('profit fee that the maker would pay on a win after taking the position over; 0 of one that backs it'),
    submitted_seq: beginSeq('the submission'),
    submitted_at: time('submission'),
    valid_until: time('first instant at which it is over'),
    selected_at: orNull(time('accept'), 'it was never accepted, or it is a row of the parlay service, which takes a bid at once'),
    deadline_at: orNull(time('of an accepted one: first instant at which a confirmation is late'), 'as in `selected_at`'),
    ended_at: orNull(time('end'), 'the session ended first'),
    state: oneOf(BID_ENDS, 'how it ended', BID_END_MEANINGS),
    failure: orNull(oneOf(BID_FAILURES, "why the seller's commit of it was refused, or how the last look failed", BID_FAILURE_MEANINGS), 'it did not fail'),
    taken: bool('the seller took it'),
    traded_away: bool("another maker's bid was taken while this one lived"),
    competing_bids: word('live bids of other makers in the auction at submission'),
    fair: orNull(float("the maker's own fair probability F, from its command"), 'the maker gave none'),
    fair_product: orNull(float("the maker's own product of the legs' prices D, from its command: what F would be if the legs were independent"), 'the maker gave none'),
    reference: reference('at submission'),
    reference_product: orNull(float("the same as the product of the legs' values; it differs where outcomes are drawn together"), 'V was unknown'),
  })
