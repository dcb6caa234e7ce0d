import { feeFloor, type Micros } from '../unit/micros.ts'
import { NumberedColumns } from './numberedColumns.ts'

/** Where profit fees fall, by the profile. */
export interface ProfitFeeRules {
  /** Whether a transfer takes the profit fee and makes its price the new holder's basis. */
  readonly onTransfer: boolean
  /** Whether the profit fee falls on a maker's gain too. */
  readonly onMaker: boolean
}

/** What a service does with fees. */
export interface FeeRules extends ProfitFeeRules {
  /** Whether profit is counted from the gross bet and not from the net stake. */
  readonly overGross: boolean
  /** Whether the taker fee lies in escrow until the position ends. Otherwise the house has it from the fill on. */
  readonly inEscrow: boolean
}

/** Positions that have not ended, with the values that their rows need. */
export class OpenPositions extends NumberedColumns {
  /** Legs that a slot has room for. */
  declare readonly legsMax: number
  declare readonly fees: FeeRules
  declare request: Float64Array
  declare version: Int32Array
  declare quote: Float64Array
  /** −1 for a service that numbers no acceptances. */
  declare acceptance: Float64Array
  /** The bettor, who stays the same when the position is sold. */
  declare bettor: Int32Array
  declare holder: Int32Array
  declare backer: Int32Array
  declare transfers: Int32Array
  declare auctions: Int32Array
  /** How many of its auctions have not ended. They need its columns, and may outlive the position. */
  declare openAuctions: Int32Array
  /** 1 when the position has ended and only waits for its auctions. */
  declare ended: Uint8Array
  /** What the holder paid: the gross bet, or the price of a cash-out. */
  declare costMicros: Float64Array
  /** What the holder's profit is counted from. */
  declare basisMicros: Float64Array
  declare oddsE4: Int32Array
  declare stakeMicros: Float64Array
  declare payoutMicros: Float64Array
  declare takerFeeMicros: Float64Array
  declare profitFeeBps: Int32Array
  declare openedSeq: Float64Array
  declare openedUs: Float64Array
  /** −1 until the chain has funded it. */
  declare fundedUs: Float64Array
  /** −1 until results have decided it. */
  declare decidedUs: Float64Array
  declare legCount: Int32Array
  /** capacity × legsMax. */
  declare legMarkets: Int32Array
  declare legSides: Uint8Array

  constructor(legsMax: number, fees: FeeRules, capacity = 1024) {
    super(capacity)
    this.legsMax = legsMax
    this.fees = fees
    this.request = new Float64Array(capacity)
    this.version = new Int32Array(capacity)
    this.quote = new Float64Array(capacity)
    this.acceptance = new Float64Array(capacity)
    this.bettor = new Int32Array(capacity)
    this.holder = new Int32Array(capacity)
    this.backer = new Int32Array(capacity)
    this.transfers = new Int32Array(capacity)
    this.auctions = new Int32Array(capacity)
    this.openAuctions = new Int32Array(capacity)
    this.ended = new Uint8Array(capacity)
    this.costMicros = new Float64Array(capacity)
    this.basisMicros = new Float64Array(capacity)
    this.oddsE4 = new Int32Array(capacity)
    this.stakeMicros = new Float64Array(capacity)
    this.payoutMicros = new Float64Array(capacity)
    this.takerFeeMicros = new Float64Array(capacity)
    this.profitFeeBps = new Int32Array(capacity)
    this.openedSeq = new Float64Array(capacity)
    this.openedUs = new Float64Array(capacity)
    this.fundedUs = new Float64Array(capacity)
    this.decidedUs = new Float64Array(capacity)
    this.legCount = new Int32Array(capacity)
    this.legMarkets = new Int32Array(capacity * legsMax)
    this.legSides = new Uint8Array(capacity * legsMax)
  }

  /** Whether a slot holds a position that has not ended. */
  isOpen(slot: number): boolean {
    return this.number[slot]! > 0 && this.ended[slot] === 0
  }

  /** The position of a slot has ended. */
  end(slot: number): void {
    this.ended[slot] = 1
    if (this.openAuctions[slot] === 0) this.close(slot)
  }

  /** An auction of the slot's position has ended. */
  auctionEnded(slot: number): void {
    this.openAuctions[slot]!--
    if (this.openAuctions[slot] === 0 && this.ended[slot] === 1) this.close(slot)
  }

  /** Taker fee that the position's end releases to the house, microUSDC. */
  escrowMicros(slot: number): number {
    return this.fees.inEscrow ? this.takerFeeMicros[slot]! : 0
  }

  /** Profit fee that the holder pays on a win, microUSDC. */
  profitFee(slot: number): number {
    return this.feeOn(slot, this.payoutMicros[slot]! - this.basisMicros[slot]!)
  }

  /** The same for a buyer that takes the position over at a price. */
  profitFeeAfter(slot: number, priceMicros: number): number {
    return this.fees.onTransfer ? this.feeOn(slot, this.payoutMicros[slot]! - priceMicros) : this.profitFee(slot)
  }

  /** Profit fee that the backing maker pays when the position loses, microUSDC. */
  makerFee(slot: number): number {
    return this.fees.onMaker ? this.feeOn(slot, this.stakeMicros[slot]!) : 0
  }

  private feeOn(slot: number, profitMicros: number): number {
    return feeFloor(Math.max(0, profitMicros) as Micros, this.profitFeeBps[slot]!)
  }
}
