/**
 * What scores read of the tables of a session, by table: a session that is scored and forgotten keeps these columns alone. A column that is
 * read and does not stand here is a bug at its first reading (MemoryTable).
 */
export const SCORED_COLUMNS: Readonly<Record<string, readonly string[]>> = {
  requests: ['service', 'request', 'version', 'cohort', 'cluster', 'state'],
  quotes: [
    'service', 'quote', 'request', 'version', 'maker', 'net_stake_micros', 'risk_micros', 'state', 'traded_away', 'competing_quotes', 'fair', 'fair_product',
    'reference', 'reference_product',
  ],
  acceptances: [
    'service', 'request', 'version', 'quote', 'maker', 'bettor', 'selected_at', 'decided_at', 'outcome', 'net_stake_micros', 'risk_micros',
    'reference_at_submission', 'reference_at_decision',
  ],
  positions: [
    'service', 'position', 'request', 'quote', 'maker', 'bettor', 'cohort', 'cluster', 'cluster_count', 'category', 'net_stake_micros', 'risk_micros', 'payout_micros',
    'taker_fee_micros', 'opened_at', 'ended_at', 'resolved_at', 'outcome', 'reference_at_close', 'leg_count', 'leg_markets', 'leg_sides',
  ],
  settlements: [
    'service', 'seq', 'at', 'position', 'maker', 'holder_cohort', 'holder_maker', 'cluster', 'outcome', 'net_stake_micros', 'payout_micros', 'to_holder_micros',
    'to_maker_micros', 'taker_fee_micros', 'profit_fee_micros', 'maker_profit_fee_micros', 'holder_cost_micros', 'price_micros',
  ],
  auctions: [
    'service', 'seq', 'auction', 'position', 'bid', 'state', 'route', 'ended_at', 'backing_maker', 'seller_maker', 'winner', 'cohort', 'cluster', 'price_micros',
    'profit_fee_micros', 'to_seller_micros', 'seller_cost_micros', 'reference_at_end',
  ],
  bids: [
    'service', 'auction', 'bid', 'maker', 'price_micros', 'payout_micros', 'profit_fee_if_won_micros', 'taken', 'traded_away', 'state', 'competing_bids', 'fair',
    'fair_product', 'reference', 'reference_product',
  ],
  operations: ['service', 'kind', 'status', 'quote', 'request'],
  ledger: ['service', 'seq', 'at', 'cause', 'debit_kind', 'debit_owner', 'credit_kind', 'credit_owner', 'amount_micros', 'request'],
  marks: ['service', 'kind', 'request', 'maker', 'horizon_us', 'censored', 'quoted_probability', 'payout_micros', 'fair', 'reference'],
  markets: ['ticker', 'event', 'game', 'ladder', 'redrawn_as', 'redrawn_by'],
  equity: ['service', 'seq', 'at', 'account', 'maker', 'mark_to_market_micros', 'liquidation_micros'],
}
