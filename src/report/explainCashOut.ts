import { type Cell, type Entry, n, orNull, type Row, usdc } from './explainCells.ts'

/** One sale of the position to another holder, integer microUSDC. */
export interface ExplainedSale {
  readonly auction: number
  readonly seller: string
  readonly buyer: string
  readonly priceMicros: number
  readonly profitFeeMicros: number
  readonly toSellerMicros: number
}

/** What happened to a position between its opening and its end. */
export interface CashOutParts {
  readonly auctions: readonly Row[]
  readonly bids: readonly Row[]
  readonly transactions: readonly Row[]
  readonly position: Row | undefined
}

/** The seller as a maker or, as bettors are named, by cohort and account. */
const sellerOf = (auction: Row): string =>
  auction['seller_maker'] === null ? `${String(auction['group'])} (account ${n(auction['seller'])})` : String(auction['seller_maker'])

/** Sales of the position to another holder, in order. */
export const salesOf = (auctions: readonly Row[]): ExplainedSale[] =>
  auctions.filter((auction) => auction['route'] === 'transferred').map((auction) => ({
    auction: n(auction['auction']), seller: sellerOf(auction), buyer: String(auction['winner']), priceMicros: n(auction['price_micros']),
    profitFeeMicros: n(auction['profit_fee_micros']), toSellerMicros: n(auction['to_seller_micros']),
  }))

/** Auctions, their bids and what the chain did late, as entries of a timeline. */
export function cashOutEntries({ auctions, bids, transactions, position }: CashOutParts): Entry[] {
  return [
    ...transactions.flatMap(transactionEntries),
    ...auctions.map((auction): Entry => ({
      at: auction['opened_at'], who: sellerOf(auction),
      what: `opens cash-out auction ${n(auction['auction'])}: payout ${usdc(auction['payout_micros'])}${referenceText(auction['reference_at_opening'])}`,
    })),
    ...bids.map((bid): Entry => ({ at: bid['submitted_at'], who: String(bid['maker']), what: bidText(bid) })),
    ...bids.flatMap((bid) => droppedBid(bid)),
    ...auctions.flatMap((auction) => endOf(auction)),
    ...delayOf(position),
  ]
}

function bidText(bid: Row): string {
  const share = (100 * n(bid['price_micros'])) / n(bid['payout_micros'])
  const backs = bid['backs'] === 1 ? ' to buy it back' : ''
  return `bids ${usdc(bid['price_micros'])}${backs} in auction ${n(bid['auction'])} (${share.toFixed(2)}% of the payout${referenceText(bid['reference'])})`
}

const referenceText = (reference: Cell | undefined): string => {
  const value = orNull(reference)
  return value === null ? '' : `, reference ${(100 * value).toFixed(2)}%`
}

/** A bid that ended without its auction; a new one shows that the old one is replaced. */
function droppedBid(bid: Row): Entry[] {
  const price = usdc(bid['price_micros'])
  if (bid['state'] === 'expired') return [{ at: bid['ended_at'], who: String(bid['maker']), what: `bid ${price} expired` }]
  if (bid['state'] !== 'failed') return []
  return [{ at: bid['ended_at'], who: 'service', what: `drops the bid ${price} of ${String(bid['maker'])}: ${String(bid['failure'])}` }]
}

function endOf(auction: Row): Entry[] {
  const name = `auction ${n(auction['auction'])}`
  const at = auction['ended_at']
  switch (auction['state']) {
    case 'committed': {
      const took = `takes the bid of ${String(auction['winner'])}: price ${usdc(auction['price_micros'])}, ${usdc(auction['to_seller_micros'])} to the seller, profit fee ${usdc(auction['profit_fee_micros'])}`
      const effect = auction['route'] === 'bought_back' ? 'closes the position' : 'takes the position over'
      return [{ at, who: sellerOf(auction), what: took }, { at, who: 'service', what: `${String(auction['winner'])} ${effect}` }]
    }
    case 'cancelled': return [{ at, who: sellerOf(auction), what: `cancels ${name}` }]
    case 'decided': return [{ at, who: 'service', what: `cancels ${name}: a result has decided the position` }]
    case 'expired': return [{ at, who: 'service', what: `${name} is over, nothing was taken` }]
    default: return []
  }
}

function transactionEntries(row: Row): Entry[] {
  if (row['effect'] === 'execution') return executionEntries(row)
  const name = `vault transaction ${n(row['transaction'])}`
  const amount = usdc(row['amount_micros'])
  const start: Entry = { at: row['started_at'], who: 'chain', what: `${name}, the ${String(row['effect'])} of ${amount}: ${statusText(row['started_as'])}` }
  return row['ended_at'] === null ? [start] : [start, { at: row['ended_at'], who: 'chain', what: `${name} ${statusText(row['status'])}` }]
}

/** It takes its time while the chain is well, and cannot fail. */
function executionEntries(row: Row): Entry[] {
  const what = `begins to execute the fill of ${usdc(row['amount_micros'])} (vault transaction ${n(row['transaction'])})`
  const start: Entry = { at: row['started_at'], who: 'chain', what }
  return row['ended_at'] === null ? [start] : [start, { at: row['ended_at'], who: 'chain', what: 'has executed it' }]
}

const statusText = (status: Cell | undefined): string => String(status).replace('_', ' ')

function delayOf(position: Row | undefined): Entry[] {
  const decided = position?.['decided_at']
  if (decided === null || decided === undefined || decided === position!['ended_at']) return []
  return [{ at: decided, who: 'chain', what: 'the position is decided, and paid later' }]
}
