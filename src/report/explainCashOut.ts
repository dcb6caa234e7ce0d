import { type Cell, type Entry, n, orNull, type Row, usdc } from './explainCells.ts'
import { percent } from '../unit/numberText.ts'
import { type ExplainWords, operationEntries } from './explainWords.ts'

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
  /** On the outcome service: the operations of the fill and of its sales. */
  readonly operations: readonly Row[]
  readonly position: Row | undefined
  readonly words: ExplainWords
}

/** The seller by name when it is a maker, and by cohort and account when it is a bettor. */
const sellerOf = (auction: Row): string =>
  auction['seller_maker'] === null ? `${String(auction['cohort'])} (account ${n(auction['seller'])})` : String(auction['seller_maker'])

/** Sales of the position to another holder, in order. */
export const salesOf = (auctions: readonly Row[]): ExplainedSale[] =>
  auctions.filter((auction) => auction['route'] === 'transferred').map((auction) => ({
    auction: n(auction['auction']), seller: sellerOf(auction), buyer: String(auction['winner']), priceMicros: n(auction['price_micros']),
    profitFeeMicros: n(auction['profit_fee_micros']), toSellerMicros: n(auction['to_seller_micros']),
  }))

/** Auctions, their bids and late work of the chain, as entries of a timeline. */
export function cashOutEntries({ auctions, bids, transactions, operations, position, words }: CashOutParts): Entry[] {
  const sellers = new Map(auctions.map((auction) => [n(auction['auction']), sellerOf(auction)]))
  return [
    ...transactions.flatMap(transactionEntries),
    ...auctions.map((auction): Entry => ({
      at: auction['opened_at'], who: sellerOf(auction),
      what: `opens ${words.auction === 'auction' ? 'cash-out auction' : words.auction} ${n(auction['auction'])}: payout ${usdc(auction['payout_micros'])}${referenceText(auction['reference_at_opening'])}`,
    })),
    ...bids.map((bid): Entry => ({ at: bid['submitted_at'], who: String(bid['maker']), what: bidText(bid, words) })),
    ...bids.flatMap((bid) => [...lastLookOf(bid, sellers), ...droppedBid(bid)]),
    ...operations.filter(({ kind }) => kind === 'cashout').flatMap(operationEntries),
    ...auctions.flatMap((auction) => endOf(auction, words)),
    ...delayOf(position, words),
  ]
}

function bidText(bid: Row, words: ExplainWords): string {
  const backs = bid['is_buyback'] === 1 ? ' to buy it back' : ''
  return `bids ${usdc(bid['price_micros'])}${backs} in ${words.auction} ${n(bid['auction'])} (${percent(n(bid['price_micros']) / n(bid['payout_micros']), 2)} of the payout${referenceText(bid['reference'])})`
}

const referenceText = (reference: Cell | undefined): string => {
  const value = orNull(reference)
  return value === null ? '' : `, reference ${percent(value, 2)}`
}

/** The accept of a bid on the outcome service, and what its maker did then. The parlay service takes a bid at once. */
function lastLookOf(bid: Row, sellers: ReadonlyMap<number, string>): Entry[] {
  if (orNull(bid['selected_at']) === null) return []
  const price = usdc(bid['price_micros'])
  const accepted: Entry = { at: bid['selected_at'], who: sellers.get(n(bid['auction']))!, what: `accepts the bid ${price} of ${String(bid['maker'])}` }
  const verb = bid['state'] === 'won' ? 'confirms' : bid['failure'] === 'declined' ? 'declines' : 'has not confirmed in time'
  return bid['ended_at'] === null ? [accepted] : [accepted, { at: bid['ended_at'], who: String(bid['maker']), what: `${verb} (bid ${price})` }]
}

/** A bid that ended before its auction. A replaced bid is not shown, because the new bid shows it. */
function droppedBid(bid: Row): Entry[] {
  const price = usdc(bid['price_micros'])
  if (bid['state'] === 'expired') return [{ at: bid['ended_at'], who: String(bid['maker']), what: `bid ${price} expired` }]
  if (bid['state'] === 'withdrawn') return [{ at: bid['ended_at'], who: String(bid['maker']), what: `withdraws the bid ${price}` }]
  if (bid['state'] !== 'failed' || orNull(bid['selected_at']) !== null) return []
  return [{ at: bid['ended_at'], who: 'service', what: `drops the bid ${price} of ${String(bid['maker'])}: ${String(bid['failure'])}` }]
}

function endOf(auction: Row, words: ExplainWords): Entry[] {
  const name = `${words.auction} ${n(auction['auction'])}`
  const at = auction['ended_at']
  switch (auction['state']) {
    case 'committed': {
      const verb = words.auction === 'auction' ? 'takes' : 'has sold by'
      const took = `${verb} the bid of ${String(auction['winner'])}: price ${usdc(auction['price_micros'])}, ${usdc(auction['to_seller_micros'])} to the seller, profit fee ${usdc(auction['profit_fee_micros'])}`
      const effect = auction['route'] === 'bought_back' ? 'closes the position' : 'takes the position over'
      return [{ at, who: sellerOf(auction), what: took }, { at, who: 'service', what: `${String(auction['winner'])} ${effect}` }]
    }
    case 'cancelled': return [{ at, who: sellerOf(auction), what: `cancels ${name}` }]
    case 'decided': return [{ at, who: 'service', what: `cancels ${name}: a result has decided the position` }]
    case 'superseded': return [{ at, who: 'service', what: `cancels ${name}: another is opened` }]
    case 'failed': return [{ at, who: 'chain', what: `drops the sale of ${name}: the position is open again` }]
    case 'closed': case 'expired': return [{ at, who: 'service', what: `${name} is over, nothing was taken` }]
    default: return []
  }
}

function transactionEntries(row: Row): Entry[] {
  if (row['effect'] === 'execution') return executionEntries(row)
  const name = `vault transaction ${n(row['transaction'])}`
  const amount = usdc(row['amount_micros'])
  const start: Entry = { at: row['started_at'], who: 'chain', what: `${name}, the ${String(row['effect'])} of ${amount}: ${statusText(row['initial_status'])}` }
  return row['ended_at'] === null ? [start] : [start, { at: row['ended_at'], who: 'chain', what: `${name} ${statusText(row['status'])}` }]
}

/** An execution, which takes time on a healthy chain and cannot fail. */
function executionEntries(row: Row): Entry[] {
  const what = `begins to execute the fill of ${usdc(row['amount_micros'])} (vault transaction ${n(row['transaction'])})`
  const start: Entry = { at: row['started_at'], who: 'chain', what }
  return row['ended_at'] === null ? [start] : [start, { at: row['ended_at'], who: 'chain', what: 'has executed it' }]
}

const statusText = (status: Cell | undefined): string => String(status).replace('_', ' ')

function delayOf(position: Row | undefined, { decided: telling }: ExplainWords): Entry[] {
  const decided = position?.['resolved_at']
  if (decided === null || decided === undefined || decided === position!['ended_at']) return []
  return [{ at: decided, ...telling }]
}
