import { NONE } from '../../eventRows.ts'
import { BidState } from '../protocol/events.ts'
import type {
  AuctionView, BalanceView, BidView, LegView, ParlayView, PortfolioView, PositionView, QuoteView, RequestView, TotalsView,
} from '../protocol/view.ts'
import { isFenced } from './accounts.ts'
import { portfolioOf } from './portfolio.ts'
import type { ParlayState } from './state.ts'
import { lockedMicros } from './vaults.ts'
import { A } from './auctionRows.ts'
import { B } from './bidRows.ts'
import { P } from './positionRows.ts'
import { Q } from './quoteRows.ts'
import { R } from './requestRows.ts'

/** Reads the machine's rows and columns into fresh objects. */
export class StateView implements ParlayView {
  private declare readonly s: ParlayState

  constructor(s: ParlayState) {
    this.s = s
  }

  balance(account: number): BalanceView {
    const { ledger, vaults } = this.s
    const freeMicros = ledger.freeMicros(account)
    const locked = lockedMicros(this.s, account)
    return {
      freeMicros, reservedMicros: ledger.reservedMicros(account), lockedMicros: locked, grossMicros: freeMicros + locked,
      hasVault: vaults.has(account), fenced: isFenced(this.s, account),
    }
  }

  totals(): TotalsView {
    const { ledger, vaults, positions } = this.s
    const totals = {
      netDepositsMicros: ledger.netDepositsMicros(), houseMicros: ledger.houseMicros(), potMicros: 0, escrowMicros: 0, heldMicros: 0,
    }
    for (let account = 0; account < vaults.count; account++) {
      totals.heldMicros += ledger.freeMicros(account) + ledger.reservedMicros(account)
    }
    for (let slot = 0; slot < positions.index.slotCount; slot++) {
      totals.potMicros += ledger.potMicros(slot)
      totals.escrowMicros += ledger.escrowMicros(slot)
    }
    return totals
  }

  request(number: number): RequestView | null {
    const { requests, quotes } = this.s
    const r = requests.rowOf(number)
    if (r === NONE) return null
    const best = requests.words[r + R.bestQuote]!
    const pending = requests.words[r + R.pendingQuote]!
    return {
      number,
      owner: requests.words[r + R.owner]!,
      state: requests.words[r + R.state]!,
      version: requests.words[r + R.version]!,
      contentTag: requests.cells[r + R.contentTag]!,
      bookSeq: requests.words[r + R.bookSeq]!,
      betMicros: requests.cells[r + R.betMicros]!,
      expiresAtUs: requests.cells[r + R.expiresAtUs]!,
      legs: legsOf(requests, requests.legsFrom(r), requests.words[r + R.legCount]!),
      bestQuote: best === NONE ? NONE : quotes.cells[best + Q.number]!,
      pendingQuote: pending === NONE ? NONE : quotes.cells[pending + Q.number]!,
    }
  }

  quote(number: number): QuoteView | null {
    const { requests, quotes } = this.s
    const q = quotes.rowOf(number)
    if (q === NONE) return null
    return {
      number,
      request: requests.cells[quotes.words[q + Q.request]! + R.number]!,
      maker: quotes.words[q + Q.maker]!,
      state: quotes.words[q + Q.state]!,
      version: quotes.words[q + Q.version]!,
      oddsE4: quotes.words[q + Q.oddsE4]!,
      riskMicros: quotes.cells[q + Q.riskMicros]!,
      stakeMicros: quotes.cells[q + Q.stakeMicros]!,
      takerFeeBps: quotes.words[q + Q.takerFeeBps]!,
      validUntilUs: quotes.cells[q + Q.validUntilUs]!,
    }
  }

  position(number: number): PositionView | null {
    const positions = this.s.positions
    const p = positions.rowOf(number)
    if (p === NONE) return null
    return {
      number,
      request: positions.cells[p + P.request]!,
      quote: positions.cells[p + P.quote]!,
      holder: positions.words[p + P.holder]!,
      backer: positions.words[p + P.backer]!,
      stakeMicros: positions.cells[p + P.stakeMicros]!,
      payoutMicros: positions.cells[p + P.stakeMicros]! + positions.cells[p + P.riskMicros]!,
      costMicros: positions.cells[p + P.costMicros]!,
      basisMicros: positions.cells[p + P.basisMicros]!,
      takerFeeMicros: positions.cells[p + P.takerFeeMicros]!,
      takerFeeBps: positions.words[p + P.takerFeeBps]!,
      profitFeeBps: positions.words[p + P.profitFeeBps]!,
      state: positions.words[p + P.state]!,
      legs: legsOf(positions, positions.legsFrom(p), positions.words[p + P.legCount]!),
    }
  }

  positionsOf(account: number): number[] {
    const positions = this.s.positions
    return positions.numbersWhere((p) => positions.words[p + P.holder] === account || positions.words[p + P.backer] === account)
  }

  quotesOf(maker: number): number[] {
    const quotes = this.s.quotes
    return quotes.numbersWhere((q) => quotes.words[q + Q.maker] === maker)
  }

  portfolio(account: number): PortfolioView {
    return portfolioOf(this.s, account, this.balance(account))
  }

  auction(number: number): AuctionView | null {
    const { auctions, bids } = this.s
    const a = auctions.rowOf(number)
    if (a === NONE) return null
    let best = auctions.words[a + A.bestBid]!
    const numbers: number[] = []
    for (let b = auctions.words[a + A.firstBid]!; b !== NONE; b = bids.words[b + B.next]!) {
      numbers.push(bids.cells[b + B.number]!)
      if (bids.words[b + B.state] === BidState.won) best = b
    }
    return {
      number,
      position: auctions.cells[a + A.position]!,
      request: auctions.cells[a + A.request]!,
      seller: auctions.words[a + A.seller]!,
      backer: auctions.words[a + A.backer]!,
      state: auctions.words[a + A.state]!,
      endsAtUs: auctions.cells[a + A.endsAtUs]!,
      bestBid: best === NONE ? NONE : bids.cells[best + B.number]!,
      winner: auctions.words[a + A.winner]!,
      bids: numbers,
    }
  }

  bid(number: number): BidView | null {
    const { auctions, bids } = this.s
    const b = bids.rowOf(number)
    if (b === NONE) return null
    return {
      number,
      auction: auctions.cells[bids.words[b + B.auction]! + A.number]!,
      maker: bids.words[b + B.maker]!,
      state: bids.words[b + B.state]!,
      priceMicros: bids.cells[b + B.priceMicros]!,
      validUntilUs: bids.cells[b + B.validUntilUs]!,
    }
  }
}

interface LegColumns {
  readonly legMarkets: Int32Array
  readonly legSides: Uint8Array
}

/** The `count` legs from place `from` on. */
function legsOf(columns: LegColumns, from: number, count: number): LegView[] {
  const legs: LegView[] = []
  for (let i = from; i < from + count; i++) legs.push({ market: columns.legMarkets[i]!, side: columns.legSides[i]! })
  return legs
}
