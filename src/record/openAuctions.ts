import { NumberedColumns } from './numberedColumns.ts'

/** Auctions that have not ended, with the values that their rows need. */
export class OpenAuctions extends NumberedColumns {
  /** Slot of the position, which outlives its auctions. */
  declare positionSlot: Int32Array
  declare seller: Int32Array
  declare openedSeq: Float64Array
  declare openedUs: Float64Array
  /** End of the window for quotes. −1 before it, and for the parlay service. */
  declare closedUs: Float64Array
  declare endsUs: Float64Array
  declare basisMicros: Float64Array
  declare boundMicros: Float64Array
  declare bids: Int32Array
  declare makers: Int32Array
  /** First node of the chain of makers that bid, or −1. */
  declare firstMaker: Int32Array
  declare liveBids: Int32Array
  declare failedBids: Int32Array
  /** Price of the best live bid, or −1. */
  declare bestMicros: Float64Array
  /** The best price just before the auction's end took the bids off. 0 until then. */
  declare bestAtEndMicros: Float64Array
  /** Bid that was taken, or −1. */
  declare wonBid: Float64Array
  /** NaN when unknown. */
  declare reference: Float64Array

  constructor(capacity = 256) {
    super(capacity)
    this.positionSlot = new Int32Array(capacity)
    this.seller = new Int32Array(capacity)
    this.openedSeq = new Float64Array(capacity)
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
  declare auction: Float64Array
  declare maker: Int32Array
  declare priceMicros: Float64Array
  declare submittedSeq: Float64Array
  declare submittedUs: Float64Array
  declare validUntilUs: Float64Array
  declare liveRivals: Int32Array
  /** −1 before an accept, and for the parlay service. */
  declare selectedUs: Float64Array
  declare deadlineUs: Float64Array
  declare acceptance: Float64Array
  /** NaN when the maker gave none. */
  declare fair: Float64Array
  declare fairProduct: Float64Array
  /** NaN when unknown. */
  declare reference: Float64Array
  declare referenceProduct: Float64Array

  constructor(capacity = 256) {
    super(capacity)
    this.auction = new Float64Array(capacity)
    this.maker = new Int32Array(capacity)
    this.priceMicros = new Float64Array(capacity)
    this.submittedSeq = new Float64Array(capacity)
    this.submittedUs = new Float64Array(capacity)
    this.validUntilUs = new Float64Array(capacity)
    this.liveRivals = new Int32Array(capacity)
    this.selectedUs = new Float64Array(capacity)
    this.deadlineUs = new Float64Array(capacity)
    this.acceptance = new Float64Array(capacity)
    this.fair = new Float64Array(capacity)
    this.fairProduct = new Float64Array(capacity)
    this.reference = new Float64Array(capacity)
    this.referenceProduct = new Float64Array(capacity)
  }
}
