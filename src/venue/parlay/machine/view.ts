import type { EntityColumns } from '../../../unit/countedColumns.ts'
import { NONE } from '../../eventRows.ts'
import { BidState } from '../protocol/events.ts'
import type {
  AuctionView, BalanceView, BidView, LegView, ParlayView, PortfolioView, PositionView, QuoteView, RequestView, TotalsView,
} from '../protocol/view.ts'
import { isFenced } from './accounts.ts'
import { portfolioOf } from './portfolio.ts'
import type { ParlayState } from './state.ts'
import { lockedMicros } from './vaults.ts'
import { Q } from './quoteRows.ts'
import { R } from './requestRows.ts'

/** Reads the machine's columns into fresh objects. */
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
    for (let p = 0; p < positions.index.slotCount; p++) {
      totals.potMicros += ledger.potMicros(p)
      totals.escrowMicros += ledger.escrowMicros(p)
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
    const p = positions.index.slotOf(number)
    if (p === NONE) return null
    return {
      number,
      request: positions.request[p]!,
      quote: positions.quote[p]!,
      holder: positions.holder[p]!,
      backer: positions.backer[p]!,
      stakeMicros: positions.stakeMicros[p]!,
      payoutMicros: positions.stakeMicros[p]! + positions.riskMicros[p]!,
      costMicros: positions.costMicros[p]!,
      basisMicros: positions.basisMicros[p]!,
      takerFeeMicros: positions.takerFeeMicros[p]!,
      takerFeeBps: positions.takerFeeBps[p]!,
      profitFeeBps: positions.profitFeeBps[p]!,
      state: positions.state[p]!,
      legs: legsOf(positions, p * positions.legWidth, positions.legCount[p]!),
    }
  }

  positionsOf(account: number): number[] {
    const positions = this.s.positions
    return liveNumbers(positions, (p) => positions.holder[p] === account || positions.backer[p] === account)
  }

  quotesOf(maker: number): number[] {
    const quotes = this.s.quotes
    const numbers: number[] = []
    quotes.forEachLive((q) => { if (quotes.words[q + Q.maker] === maker) numbers.push(quotes.cells[q + Q.number]!) })
    return numbers.sort((a, b) => a - b)
  }

  portfolio(account: number): PortfolioView {
    return portfolioOf(this.s, account, this.balance(account))
  }

  auction(number: number): AuctionView | null {
    const { auctions, bids } = this.s
    const a = auctions.index.slotOf(number)
    if (a === NONE) return null
    let best = auctions.bestBid[a]!
    const numbers: number[] = []
    for (let b = auctions.firstBid[a]!; b !== NONE; b = bids.next[b]!) {
      numbers.push(bids.number[b]!)
      if (bids.state[b] === BidState.won) best = b
    }
    return {
      number,
      position: auctions.position[a]!,
      request: auctions.request[a]!,
      seller: auctions.seller[a]!,
      backer: auctions.backer[a]!,
      state: auctions.state[a]!,
      endsAtUs: auctions.endsAtUs[a]!,
      bestBid: best === NONE ? NONE : bids.number[best]!,
      winner: auctions.winner[a]!,
      bids: numbers,
    }
  }

  bid(number: number): BidView | null {
    const { auctions, bids } = this.s
    const b = bids.index.slotOf(number)
    if (b === NONE) return null
    return {
      number,
      auction: auctions.number[bids.auction[b]!]!,
      maker: bids.maker[b]!,
      state: bids.state[b]!,
      priceMicros: bids.priceMicros[b]!,
      validUntilUs: bids.validUntilUs[b]!,
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

/** Ascending numbers of the live entities whose slot the condition holds for. */
function liveNumbers(columns: EntityColumns & { readonly number: Float64Array }, holds: (slot: number) => boolean): number[] {
  const numbers: number[] = []
  for (let slot = 0; slot < columns.index.slotCount; slot++) {
    const number = columns.number[slot]!
    if (columns.index.slotOf(number) === slot && holds(slot)) numbers.push(number)
  }
  return numbers.sort((a, b) => a - b)
}
