import { NONE } from '../../../unit/none.ts'
import { BidState } from '../protocol/events.ts'
import type {
  AuctionView, BalanceView, BidView, LegView, ParlayView, PortfolioView, PositionView, QuoteView, RequestView, TotalsView,
} from '../protocol/view.ts'
import { isFenced } from './accounts.ts'
import { portfolioOf } from './portfolio.ts'
import type { ParlayState } from './state.ts'
import { lockedMicros } from './vaults.ts'
import { AuctionCell, AuctionWord } from './auctionRows.ts'
import { BidCell, BidWord } from './bidRows.ts'
import { PositionCell, PositionWord } from './positionRows.ts'
import { QuoteCell, QuoteWord } from './quoteRows.ts'
import { RequestCell, RequestWord } from './requestRows.ts'

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
    const best = requests.words[r + RequestWord.bestQuote]!
    const pending = requests.words[r + RequestWord.pendingQuote]!
    return {
      number,
      owner: requests.words[r + RequestWord.owner]!,
      state: requests.words[r + RequestWord.state]!,
      version: requests.words[r + RequestWord.version]!,
      contentTag: requests.cells[r + RequestCell.contentTag]!,
      bookSeq: requests.words[r + RequestWord.bookSeq]!,
      betMicros: requests.cells[r + RequestCell.betMicros]!,
      expiresAtUs: requests.cells[r + RequestCell.expiresAtUs]!,
      legs: legsOf(requests, requests.legsFrom(r), requests.words[r + RequestWord.legCount]!),
      bestQuote: best === NONE ? NONE : quotes.cells[best + QuoteCell.number]!,
      pendingQuote: pending === NONE ? NONE : quotes.cells[pending + QuoteCell.number]!,
    }
  }

  quote(number: number): QuoteView | null {
    const { requests, quotes } = this.s
    const q = quotes.rowOf(number)
    if (q === NONE) return null
    return {
      number,
      request: requests.cells[quotes.words[q + QuoteWord.request]! + RequestCell.number]!,
      maker: quotes.words[q + QuoteWord.maker]!,
      state: quotes.words[q + QuoteWord.state]!,
      version: quotes.words[q + QuoteWord.version]!,
      oddsE4: quotes.words[q + QuoteWord.oddsE4]!,
      riskMicros: quotes.cells[q + QuoteCell.riskMicros]!,
      stakeMicros: quotes.cells[q + QuoteCell.stakeMicros]!,
      takerFeeBps: quotes.words[q + QuoteWord.takerFeeBps]!,
      validUntilUs: quotes.cells[q + QuoteCell.validUntilUs]!,
    }
  }

  position(number: number): PositionView | null {
    const positions = this.s.positions
    const p = positions.rowOf(number)
    if (p === NONE) return null
    return {
      number,
      request: positions.cells[p + PositionCell.request]!,
      quote: positions.cells[p + PositionCell.quote]!,
      holder: positions.words[p + PositionWord.holder]!,
      backer: positions.words[p + PositionWord.backer]!,
      stakeMicros: positions.cells[p + PositionCell.stakeMicros]!,
      payoutMicros: positions.cells[p + PositionCell.stakeMicros]! + positions.cells[p + PositionCell.riskMicros]!,
      costMicros: positions.cells[p + PositionCell.costMicros]!,
      basisMicros: positions.cells[p + PositionCell.basisMicros]!,
      takerFeeMicros: positions.cells[p + PositionCell.takerFeeMicros]!,
      takerFeeBps: positions.words[p + PositionWord.takerFeeBps]!,
      profitFeeBps: positions.words[p + PositionWord.profitFeeBps]!,
      state: positions.words[p + PositionWord.state]!,
      legs: legsOf(positions, positions.legsFrom(p), positions.words[p + PositionWord.legCount]!),
    }
  }

  positionsOf(account: number): number[] {
    const positions = this.s.positions
    return positions.numbersWhere((p) => positions.words[p + PositionWord.holder] === account || positions.words[p + PositionWord.backer] === account)
  }

  quotesOf(maker: number): number[] {
    const quotes = this.s.quotes
    return quotes.numbersWhere((q) => quotes.words[q + QuoteWord.maker] === maker)
  }

  portfolio(account: number): PortfolioView {
    return portfolioOf(this.s, account, this.balance(account))
  }

  auction(number: number): AuctionView | null {
    const { auctions, bids } = this.s
    const a = auctions.rowOf(number)
    if (a === NONE) return null
    let best = auctions.words[a + AuctionWord.bestBid]!
    const numbers: number[] = []
    for (let b = auctions.words[a + AuctionWord.firstBid]!; b !== NONE; b = bids.words[b + BidWord.next]!) {
      numbers.push(bids.cells[b + BidCell.number]!)
      if (bids.words[b + BidWord.state] === BidState.won) best = b
    }
    return {
      number,
      position: auctions.cells[a + AuctionCell.position]!,
      request: auctions.cells[a + AuctionCell.request]!,
      seller: auctions.words[a + AuctionWord.seller]!,
      backer: auctions.words[a + AuctionWord.backer]!,
      state: auctions.words[a + AuctionWord.state]!,
      endsAtUs: auctions.cells[a + AuctionCell.endsAtUs]!,
      bestBid: best === NONE ? NONE : bids.cells[best + BidCell.number]!,
      winner: auctions.words[a + AuctionWord.winner]!,
      bids: numbers,
    }
  }

  bid(number: number): BidView | null {
    const { auctions, bids } = this.s
    const b = bids.rowOf(number)
    if (b === NONE) return null
    return {
      number,
      auction: auctions.cells[bids.words[b + BidWord.auction]! + AuctionCell.number]!,
      maker: bids.words[b + BidWord.maker]!,
      state: bids.words[b + BidWord.state]!,
      priceMicros: bids.cells[b + BidCell.priceMicros]!,
      validUntilUs: bids.cells[b + BidCell.validUntilUs]!,
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
