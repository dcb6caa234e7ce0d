import { describe, expect, it } from 'vitest'
import { ParlayCode } from '../../../../src/venue/parlay/protocol/codes.ts'
import { ParlayOp } from '../../../../src/venue/parlay/protocol/commands.ts'
import { AuctionState, BidState } from '../../../../src/venue/parlay/protocol/events.ts'
import type { PortfolioView } from '../../../../src/venue/parlay/protocol/view.ts'
import { type AuctionRecord, bidBody, cashOutBody } from '../../../../src/venue/parlay/wire/cashOutBody.ts'
import { HOLDING_OUTCOMES, PARLAY_STATUSES, parlayBody, type ParlayRecord } from '../../../../src/venue/parlay/wire/parlayBody.ts'
import { portfolioBody } from '../../../../src/venue/parlay/wire/portfolioBody.ts'
import { vaultBody, walletWithdrawalBody } from '../../../../src/venue/parlay/wire/vaultBody.ts'
import { asSent, nameOf } from './names.ts'
import { AT_US, identity, replyRow } from './rows.ts'

const AT = '2025-06-20T00:23:00.000007Z'
/** Bitcoin's alphabet, 32 bytes. */
const ADDRESS = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/

describe('the body of a portfolio', () => {
  const PORTFOLIO: PortfolioView = {
    balance: { freeMicros: 500_000_001, reservedMicros: 25_000_000, lockedMicros: 99_250_000, grossMicros: 599_250_001, hasVault: true, fenced: false },
    stats: { totalParlays: 5, wins: 2, losses: 1, totalWageredMicros: 125_000_000, realizedPnlMicros: -13_500_000, makerRealizedMicros: 7, updatedAtUs: AT_US },
    counts: { open: 1, quoted: 2, accepted: 3, confirmed: 4, executed: 5, totalSettled: 6, totalCancelled: 7, totalExpired: 8, totalFailed: 9 },
    summary: { activeCount: 2, activeBetMicros: 50_000_000, portfolioMicros: 649_250_001 },
  }
  const read = (portfolio: PortfolioView) => asSent(portfolioBody(identity, 3, portfolio, AT_US - 1_000_000))

  it('PQ-071 PQ-072 PQ-074 has balance, stats, counts and summary, with money as decimal USDC', () => {
    expect(read(PORTFOLIO)).toEqual({
      balance: {
        gross_balance: 599.250001, locked_collateral: 99.25, free_balance: 500.000001, vault_pda: expect.stringMatching(ADDRESS),
        vault_token_account: expect.stringMatching(ADDRESS),
      },
      stats: { total_parlays: 5, wins: 2, losses: 1, total_wagered: 125, realized_pnl: -13.5, updated_at: AT },
      counts: {
        open: 1, quoted: 2, accepted: 3, confirmed: 4, executed: 5, total_settled: 6, total_cancelled: 7, total_expired: 8, total_failed: 9,
      },
      summary: { active_count: 2, active_bet_total: 50, portfolio_value: 649.250001 },
    })
  })

  it('PQ-071 has addresses of its own for each account, and two of them', () => {
    const addresses = [3, 4].flatMap((account) => {
      const { vault_pda, vault_token_account } = portfolioBody(identity, account, PORTFOLIO, AT_US).balance
      return [vault_pda, vault_token_account]
    })
    expect(new Set(addresses).size).toBe(4)
  })

  it('PQ-072 was updated when its account came, as long as nothing changed', () => {
    expect(read({ ...PORTFOLIO, stats: { ...PORTFOLIO.stats, updatedAtUs: -1 } })['stats']).toMatchObject({ updated_at: '2025-06-20T00:22:59.000007Z' })
  })
})

describe('a vault transaction result', () => {
  it.each([
    ['ok', 'completed'], ['chainPending', 'chain_pending'], ['balancePending', 'balance_pending'],
  ] as const)('PQ-075 PQ-076 PQ-077 of a deposit with the reply %s is %s', (code, status) => {
    expect(asSent(vaultBody(identity, replyRow(ParlayOp.deposit, ParlayCode[code]), 1_500_000))).toEqual({
      tx_signature: identity.txSignature(9), amount: 1.5, status,
    })
  })

  it('PQ-084 is no answer to a withdrawal that is recovering', () => {
    expect(() => vaultBody(identity, replyRow(ParlayOp.withdraw, ParlayCode.recoveryPending), 1)).toThrow('reply code 54 is no vault transaction')
  })

  it('PQ-248 of a wallet withdrawal names the address', () => {
    expect(asSent(walletWithdrawalBody(identity, replyRow(ParlayOp.walletWithdraw, 0), 250_000, 'Addr'))).toEqual({
      tx_signature: identity.txSignature(9), amount: 0.25, status: 'completed', address: 'Addr',
    })
  })
})

describe('the body of a parlay', () => {
  const OPEN: ParlayRecord = {
    request: 6, status: 'open', legs: [{ market: 0, side: 1 }, { market: 1, side: 0 }], costMicros: 25_000_000, createdAtUs: AT_US, updatedAtUs: AT_US,
    trade: null, end: null,
  }
  const LEGS = [
    { market_ticker: 'NBA-LAL', event_ticker: 'NBA-LAL-BOS', venue: 'venue_a', side: 'yes' },
    { market_ticker: 'BTC-90K', event_ticker: 'BTC-JUN', venue: 'venue_b', side: 'no' },
  ]
  const TRADE = { quote: 8, position: 2, backer: 21, oddsE4: 40_000, stakeMicros: 24_750_000, payoutMicros: 99_000_000, takerFeeMicros: 250_000 }

  it('PQ-098 has no trade and no end before a maker confirmed', () => {
    expect(asSent(parlayBody(identity, OPEN, nameOf))).toEqual({
      rfq_id: identity.rfq(6), quote_request_id: identity.request(6), status: 'open', bet_amount: 25, legs: LEGS, accepted_quote_id: null,
      position_id: null, counterparty_mm_id: null, payout_odds: null, user_stake: null, taker_fee: null, total_payout: null, outcome: null,
      received: null, profit_fee: null, tx_signature: null, created_at: AT, updated_at: AT,
    })
  })

  it('PQ-098 PQ-023 has the trade and what was received at its end, as decimal USDC', () => {
    // The document's example: profit 74.25, profit fee 0.7425, received 98.2575.
    const end = { outcome: 'won', receivedMicros: 98_257_500, profitFeeMicros: 742_500, seq: 77 } as const
    expect(asSent(parlayBody(identity, { ...OPEN, status: 'settled', trade: TRADE, end, updatedAtUs: AT_US + 60_000_000 }, nameOf))).toEqual({
      rfq_id: identity.rfq(6), quote_request_id: identity.request(6), status: 'settled', bet_amount: 25, legs: LEGS,
      accepted_quote_id: identity.quote(8), position_id: identity.position(2), counterparty_mm_id: identity.account(21), payout_odds: 4,
      user_stake: 24.75, taker_fee: 0.25, total_payout: 99, outcome: 'won', received: 98.2575, profit_fee: 0.7425,
      tx_signature: identity.txSignature(77), created_at: AT, updated_at: '2025-06-20T00:24:00.000007Z',
    })
  })

  it('has the nine states that a portfolio counts, and five ends', () => {
    expect(PARLAY_STATUSES).toEqual(['open', 'quoted', 'accepted', 'confirmed', 'executed', 'settled', 'cancelled', 'expired', 'failed'])
    expect(HOLDING_OUTCOMES).toEqual(['lost', 'won', 'void', 'bought_back', 'sold'])
  })
})

describe('the body of a cash-out request', () => {
  const ACTIVE: AuctionRecord = {
    number: 4, position: 2, request: 6, seller: 3, backer: 21, state: AuctionState.active, stakeMicros: 24_750_000, payoutMicros: 99_000_000,
    openedAtUs: AT_US, endsAtUs: AT_US + 10_000_000, bestPriceMicros: -1, winner: -1, profitFeeMicros: -1,
  }

  it('PQ-099 PQ-092 names the backing maker, and no winner while it runs', () => {
    expect(asSent(cashOutBody(identity, ACTIVE))).toEqual({
      id: identity.auction(4), rfq_id: identity.rfq(6), position_id: identity.position(2), status: 'active', counterparty_mm_id: identity.account(21),
      market_maker_id: null, user_stake: 24.75, total_payout: 99, best_price_micro: null, profit_fee: null, proceeds: null, created_at: AT,
      expires_at: '2025-06-20T00:23:10.000007Z',
    })
  })

  it('PQ-093 PQ-024 names the maker that won, its price as an integer of microUSDC and the rest as decimal USDC', () => {
    // A price of 40 over a stake of 24.75: profit 15.25, of which 1% is 0.1525.
    const sold = cashOutBody(identity, { ...ACTIVE, state: AuctionState.committed, winner: 22, bestPriceMicros: 40_000_000, profitFeeMicros: 152_500 })
    expect(asSent(sold)).toMatchObject({
      status: 'committed', market_maker_id: identity.account(22), best_price_micro: 40_000_000, profit_fee: 0.1525, proceeds: 39.8475,
    })
  })

  it('shows the best live price while it runs, without proceeds', () => {
    expect(asSent(cashOutBody(identity, { ...ACTIVE, bestPriceMicros: 38_000_000 }))).toMatchObject({ best_price_micro: 38_000_000, proceeds: null, profit_fee: null })
  })

  it.each(['active', 'committed', 'cancelled', 'expired'] as const)('can be %s', (status) => {
    expect(cashOutBody(identity, { ...ACTIVE, state: AuctionState[status] }).status).toBe(status)
  })
})

describe('the body of a bid', () => {
  const BID = { number: 7, auction: 4, maker: 21, state: BidState.live, priceMicros: 40_000_000, validUntilUs: AT_US }

  it('PQ-197 PQ-022 has its price as an integer of microUSDC', () => {
    expect(bidBody(identity, BID)).toEqual({
      id: identity.bid(7), cashout_request_id: identity.auction(4), mm_id: identity.account(21), status: 'live', price_micro: 40_000_000, expires_at: AT,
    })
  })

  it.each([
    ['live', 'live'], ['replaced', 'replaced'], ['expired', 'expired'], ['invalidated', 'invalidated'], ['won', 'won'], ['failed', 'invalidated'],
  ] as const)('PQ-407 that is %s reads as %s', (state, status) => {
    expect(bidBody(identity, { ...BID, state: BidState[state] }).status).toBe(status)
  })
})
