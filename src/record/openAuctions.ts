import { NumberedColumns } from './numberedColumns.ts'

/** Auctions that have not ended, with what their rows need. */
export class OpenAuctions extends NumberedColumns {
  /** Slot of the position, which outlives its auctions. */
  positionSlot: Int32Array
  seller: Int32Array
  openedUs: Float64Array
  /** End of the window for quotes, −1 before it and of the parlay service. */
  closedUs: Float64Array
  endsUs: Float64Array
  basisMicros: Float64Array
  boundMicros: Float64Array
  bids: Int32Array
  makers: Int32Array
  /** First node of the chain of makers that bid, or −1. */
  firstMaker: Int32Array
  liveBids: Int32Array
  failedBids: Int32Array
  /** Price of the best live bid, or −1. */
  bestMicros: Float64Array
  /** The same before the bids were taken off by the auction's end; 0 before that. */
  bestAtEndMicros: Float64Array
  /** Bid that was taken, or −1. */
  wonBid: Float64Array
  /** NaN when unknown. */
  reference: Float64Array

  constructor(capacity = 256) {
    super(capacity)
    this.positionSlot = new Int32Array(capacity)
    this.seller = new Int32Array(capacity)
    this.openedUs = new Float64Array(capacity)
    this.closedUs = new Float64Array(capacity)
    this.endsUs = new Float64Array(capacity)
    this.basisMicros = new Float64Array(capacity)
    this.boundMicros = new Float64Array(capacity)
    this.bids = new Int32Array(capacity)
    this.makers = new Int32Array(capacity)
    this.firstMaker = new Int32Array(capacity)
    this.liveBids = new Int32Array(capacity)
    this.failedBids = new Int32Array(capacity)
    this.bestMicros = new Float64Array(capacity)
    this.bestAtEndMicros = new Float64Array(capacity)
    this.wonBid = new Float64Array(capacity)
    this.reference = new Float64Array(capacity)
  }
}

/** Bids that have not ended. */
export class OpenBids extends NumberedColumns {
  auction: Float64Array
  maker: Int32Array
  priceMicros: Float64Array
  submittedUs: Float64Array
  validUntilUs: Float64Array
  liveRivals: Int32Array
  /** −1 before an accept, and of the parlay service. */
  selectedUs: Float64Array
  deadlineUs: Float64Array
  acceptance: Float64Array
  /** NaN when the maker gave none. */
  fair: Float64Array
  /** NaN when unknown. */
  reference: Float64Array

  constructor(capacity = 256) {
    super(capacity)
    this.auction = new Float64Array(capacity)
    this.maker = new Int32Array(capacity)
    this.priceMicros = new Float64Array(capacity)
    this.submittedUs = new Float64Array(capacity)
    this.validUntilUs = new Float64Array(capacity)
    this.liveRivals = new Int32Array(capacity)
    this.selectedUs = new Float64Array(capacity)
    this.deadlineUs = new Float64Array(capacity)
    this.acceptance = new Float64Array(capacity)
    this.fair = new Float64Array(capacity)
    this.reference = new Float64Array(capacity)
  }
}
