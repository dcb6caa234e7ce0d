import type { DirectoryCodes } from './directory.ts'
import {
  beginSeq, bool, type Column, closingSeq, closingSeqOrNull, float, int, legColumns, micros, nameOf, numbered, odds, oneOf, orNull, service, shapeOf, time, word,
} from './tableShape.ts'

/** How a request's version ended. */
export const REQUEST_ENDS = ['updated', 'committed', 'cancelled', 'expired', 'open', 'closed', 'failed'] as const
export const RequestEnd = { updated: 0, committed: 1, cancelled: 2, expired: 3, open: 4, closed: 5, failed: 6 } as const

/** How a quote ended. */
export const QUOTE_ENDS = ['replaced', 'withdrawn', 'expired', 'invalidated', 'filled', 'failed', 'open'] as const
export const QuoteEnd = { replaced: 0, withdrawn: 1, expired: 2, invalidated: 3, filled: 4, failed: 5, open: 6 } as const

export const ACCEPTANCE_OUTCOMES = ['confirmed', 'declined', 'timed_out', 'open'] as const
export const AcceptanceOutcome = { confirmed: 0, declined: 1, timedOut: 2, open: 3 } as const

export const POSITION_STATES = ['settled', 'open', 'bought_back', 'failed'] as const
export const PositionRowState = { settled: 0, open: 1, boughtBack: 2, failed: 3 } as const
/** In the order of `PositionOutcome`, followed by the ends without a result. */
export const POSITION_OUTCOMES = ['lost', 'won', 'void', 'bought_back', 'failed'] as const
export const PositionRowOutcome = { lost: 0, won: 1, void: 2, boughtBack: 3, failed: 4 } as const

const REQUEST_END_MEANINGS = {
  updated: 'another version of it began', committed: 'a quote was filled', cancelled: 'its owner cancelled it', expired: 'its time was over',
  open: 'it had not ended when the session did', closed: 'the window and the last live quote of an RFQ were over',
  failed: 'the acceptance of an RFQ was declined or timed out, and its next generation began',
}
const QUOTE_END_MEANINGS = {
  replaced: "the maker's next quote took its place", withdrawn: 'the maker took it back', expired: 'its time was over',
  invalidated: 'its request ended or changed', filled: 'it became a position', failed: 'it was selected, and its maker did not confirm',
  open: 'it had not ended when the session did',
}
const ACCEPTANCE_OUTCOME_MEANINGS = {
  confirmed: 'it confirmed', declined: 'it declined', timed_out: 'it let the deadline pass', open: 'it had not answered when the session ended',
}
const POSITION_STATE_MEANINGS = {
  settled: 'a result ended it', open: 'it had not ended when the session did', bought_back: 'the backing maker bought it, and it ended',
  failed: 'the chain did not fund it',
}
const POSITION_OUTCOME_MEANINGS = {
  lost: 'the pot went to the backing maker', won: 'the pot went to the holder', void: 'both sides were given back what they paid',
  bought_back: 'the backing maker bought it', failed: 'the chain did not fund it, and both sides were given back what they paid',
}

const request = numbered('number of the request, or of the RFQ')
const version = word('version of the request, from 1; of an RFQ its generation')
const quote = numbered('number of the quote')
const acceptance = orNull(numbered('number of the acceptance'), 'a row of the parlay service, which numbers none')
const bettor = word('account number of the bettor')
const makerOf = (codes: DirectoryCodes, about = 'name of the maker'): Column => nameOf(codes.makerNames, 'makers', about)
const groupOf = (codes: DirectoryCodes, about = 'cohort of the bettor'): Column => nameOf(codes.groups, 'cohorts', about)
const clusterOf = (codes: DirectoryCodes): Column => nameOf(codes.clusters, 'settlement clusters', 'settlement cluster: that of the leg that settles last')
const reference = (about: string): Column => orNull(float(`reference probability V ${about}, by the recorded prices`), 'V was unknown')

export const requestTable = (codes: DirectoryCodes) =>
  shapeOf('requests', 'versions of requests; an update ends one and begins the next, and so does a failed acceptance of an RFQ', {
    seq: closingSeqOrNull,
    service,
    request,
    version,
    bettor,
    cohort: groupOf(codes),
    arrival: orNull(int("number of the arrival in its cohort that it comes of, from 0: the same request has the same in every run under the same draws; of a request that lays off what stands for it"), 'a client made it, or clients took part in the session'),
    cluster: clusterOf(codes),
    bet_micros: micros('gross bet'),
    created_seq: beginSeq('the row that began this version'),
    created_at: time('begin of this version'),
    expires_at: time('first instant at which this version is over'),
    ended_at: orNull(time('end of this version'), 'the session ended first'),
    window_closed_at: orNull(time("end of an RFQ's window for quotes"), 'this version did not see it, or it is a row of the parlay service'),
    state: oneOf(REQUEST_ENDS, 'how this version ended', REQUEST_END_MEANINGS),
    quote_count: word('quotes submitted for this version'),
    maker_count: word('makers that submitted them'),
    commit_attempts: word('attempts to commit this version, refused ones too'),
    best_odds_at_end_e4: orNull(odds('odds of the best live quote just before the end; of an RFQ of the best listed one, just before the accept or the end of the window'), 'there was no such quote'),
    filled_quote: orNull(numbered('quote that the request was committed to'), 'this version did not end so'),
    ...legColumns(codes.tickers),
  })

export const quoteTable = (codes: DirectoryCodes) =>
  shapeOf('quotes', 'quotes of makers, one row each', {
    seq: closingSeqOrNull,
    service,
    quote,
    request,
    version,
    maker: makerOf(codes),
    quoted_odds_e4: orNull(odds('payout odds'), 'the fee takes the stake whole, and a payout has no odds'),
    net_stake_micros: micros('user_stake: bet less taker fee'),
    risk_micros: micros('mm_risk: payout less user_stake'),
    taker_fee_bps: word('taker fee rate that it was priced at'),
    submitted_seq: beginSeq('the submission'),
    submitted_at: time('submission'),
    valid_until: time('first instant at which it is over'),
    ended_at: orNull(time('end'), 'the session ended first'),
    state: oneOf(QUOTE_ENDS, 'how it ended', QUOTE_END_MEANINGS),
    traded_away: bool("another maker's quote was filled while this one lived"),
    book_seq: orNull(word("the book's count right after the submission"), 'a quote of an RFQ, which has no such count'),
    competing_quotes: word('live quotes of other makers on the request at submission'),
    fair: orNull(float("the maker's own fair probability F, from its command"), 'the maker gave none'),
    fair_product: orNull(float("the maker's own product of the legs' prices D, from its command: what F would be if the legs were independent"), 'the maker gave none'),
    reference: reference('at submission'),
    reference_product: orNull(float("the same as the product of the legs' values; it differs where outcomes are drawn together"), 'V was unknown'),
  })

export const acceptanceTable = (codes: DirectoryCodes) =>
  shapeOf('acceptances', 'selections of a quote, one row each: the last look; those of cash-outs stand in bids', {
    seq: closingSeqOrNull,
    service,
    acceptance,
    request,
    version: word('version of the request, or generation of the RFQ, that the quote was selected in'),
    quote,
    maker: makerOf(codes),
    bettor,
    cohort: groupOf(codes),
    selected_seq: beginSeq('the selection'),
    selected_at: time('selection'),
    deadline_at: time('first instant at which a confirmation is late'),
    decided_at: orNull(time('confirmation, decline or deadline'), 'the session ended first'),
    outcome: oneOf(ACCEPTANCE_OUTCOMES, 'what the maker did', ACCEPTANCE_OUTCOME_MEANINGS),
    operation: orNull(numbered('operation that fills it'), 'it was not confirmed, or it is a row of the parlay service'),
    selected_odds_e4: orNull(odds('payout odds'), 'the fee takes the stake whole, and a payout has no odds'),
    net_stake_micros: micros('user_stake'),
    risk_micros: micros('mm_risk'),
    reference_at_submission: reference('when the quote was submitted'),
    reference_at_decision: reference('when it was decided'),
  })

export const positionTable = (codes: DirectoryCodes) =>
  shapeOf('positions', 'positions, one row each, at their end or at that of the session', {
    seq: closingSeqOrNull,
    service,
    position: numbered('number of the position'),
    request,
    version: orNull(word('version of the request'), 'a row of the outcome service, where `acceptances` has the generation of the acceptance'),
    quote,
    acceptance,
    maker: makerOf(codes, 'maker that backs it'),
    bettor,
    cohort: groupOf(codes),
    cluster: clusterOf(codes),
    filled_odds_e4: orNull(odds('payout odds'), 'the fee takes the stake whole, and a payout has no odds'),
    net_stake_micros: micros('user_stake'),
    risk_micros: micros('mm_risk'),
    payout_micros: micros('total_payout when it wins'),
    taker_fee_micros: micros('taker fee: of the parlay service in escrow until the end, of the outcome service kept by the house from the fill on'),
    profit_fee_bps: word("profit fee rate of a winner"),
    opened_seq: beginSeq('the row that opened it'),
    opened_at: time('confirmation; of the outcome service the end of its fill'),
    ended_at: orNull(time('settlement, buyback or failure'), 'the session ended first'),
    claimed_at: orNull(time('when a won position of the outcome service was paid to its holder'), 'it did not win, or was not paid before the session ended, or it is a row of the parlay service, where settlement pays'),
    state: oneOf(POSITION_STATES, 'how it ended', POSITION_STATE_MEANINGS),
    outcome: orNull(oneOf(POSITION_OUTCOMES, 'what it came to for the holder', POSITION_OUTCOME_MEANINGS), 'it was open when the session ended'),
    holder_at_end: word('account number of the last holder: the bettor, or who took it over'),
    holder_maker: orNull(makerOf(codes, 'name of the maker that took it over'), 'its bettor held it to the end'),
    transfer_count: word('how often it was sold to another holder'),
    holder_cost_micros: micros('what the last holder paid: the gross bet, or the price of its cash-out'),
    auction_count: word('cash-out auctions opened on it'),
    funded_at: orNull(time('when the chain had funded it'), 'it never had'),
    resolved_at: orNull(time('when results decided it'), 'they never did'),
    cluster_count: word('settlement clusters that the legs lie in'),
    category: nameOf(codes.categories, 'categories', 'category of the markets of all legs; mixed when they differ'),
    reference_at_close: orNull(float('reference probability V, by the recorded prices, with every leg at its own close'), 'V was unknown, or the position had not ended'),
    reference_product_at_close: orNull(float("the same as the product of the legs' closes; it differs where outcomes are drawn together"), 'V was unknown, or the position had not ended'),
    ...legColumns(codes.tickers),
  })

export const settlementTable = (codes: DirectoryCodes) =>
  shapeOf('settlements', 'positions that ended, by result, buyback or failure: who was paid what', {
    seq: closingSeq,
    service,
    at: time('payment'),
    position: numbered('number of the position'),
    request,
    maker: makerOf(codes, 'maker that backed it'),
    holder: word('account number of the holder: the bettor, or who took it over'),
    holder_cohort: groupOf(codes, 'cohort of the holder'),
    cluster: clusterOf(codes),
    outcome: oneOf(POSITION_OUTCOMES, 'what it came to for the holder', POSITION_OUTCOME_MEANINGS),
    net_stake_micros: micros('user_stake that was in the pot'),
    payout_micros: micros('the whole pot: user_stake and mm_risk'),
    to_holder_micros: micros('paid to the holder, after the profit fee; of a void of the parlay service also the taker fee'),
    to_maker_micros: micros('paid to the backing maker'),
    profit_fee_micros: micros("kept by the house, the maker's part too"),
    taker_fee_micros: micros('kept by the house out of the escrow; 0 of a void and of a failed one, and of the outcome service, whose house has it from the fill on'),
    maker_profit_fee_micros: micros("part of profit_fee that came out of the maker's gain"),
    price_micros: orNull(micros('price of a buyback'), 'it was not bought back'),
    auction: orNull(numbered('auction of a buyback'), 'it was not bought back'),
    holder_maker: orNull(makerOf(codes, 'name of the holder that is a maker which took it over'), 'its bettor held it'),
    holder_cost_micros: micros('what the holder had paid: the gross bet, or the price of its cash-out'),
  })
