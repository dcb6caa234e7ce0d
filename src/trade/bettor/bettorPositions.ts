import type { HoldingPort } from '../../agent/bettorPort.ts'
import { holdingCursor } from '../../agent/cursor.ts'
import { HoldingCell, Holdings, HoldingState, HoldingWord } from '../../agent/holdings.ts'
import { type Intents, IntentWord } from '../../agent/intents.ts'
import type { HoldingView } from '../../agent/views.ts'
import { Action, AuctionOutcome } from '../../agent/vocabulary.ts'
import { NONE } from '../../unit/none.ts'
import type { BettorTold } from './bettorWords.ts'
import type { HostDeeds, HostWake } from './hostDeeds.ts'
import type { StrategyCalls } from './strategyCalls.ts'

/** All bets are those of one account. */
const COHORT = 0
const ACCOUNT = 0

export type Opened = Extract<BettorTold, { kind: 'opened' }>
export type PositionTold = Extract<BettorTold, { kind: 'auctionBegan' | 'bid' | 'auctionEnded' | 'cashOutRefused' | 'positionEnded' }>

/** What sales have brought. */
export interface SaleCounts {
  sales: number
  /** microUSDC. */
  soldMicros: number
}

/** The positions of a bettor strategy that is a client, and their auctions. */
export class BettorPositions implements HoldingPort {
  readonly holdings = new Holdings()
  private readonly cursor = holdingCursor(this.holdings)
  private readonly deeds: HostDeeds
  private readonly counts: SaleCounts
  private readonly slotOf = new Map<number, number>()
  private calls!: StrategyCalls
  private view!: HoldingView

  /** @param counts are counted up. */
  constructor(deeds: HostDeeds, counts: SaleCounts) {
    this.deeds = deeds
    this.counts = counts
  }

  /** Before the first position: whom to call. */
  join(calls: StrategyCalls): void {
    this.calls = calls
    this.view = calls.holdingOver(this.cursor)
  }

  /** A position opened, which is the intent's and has its legs and number. Returns its slot. */
  begin(intents: Intents, intent: number, { arrival, costMicros, stakeMicros, payoutMicros }: Opened): number {
    const { holdings } = this
    const slot = holdings.begin(COHORT, ACCOUNT, arrival, this.deeds.nowUs)
    const { words, cells } = holdings
    cells[slot + HoldingCell.position] = cells[slot + HoldingCell.request] = arrival
    cells[slot + HoldingCell.costMicros] = costMicros
    cells[slot + HoldingCell.stakeMicros] = stakeMicros
    cells[slot + HoldingCell.payoutMicros] = payoutMicros
    const count = words[slot + HoldingWord.legCount] = intents.words[intent + IntentWord.legCount]!
    const from = intents.legsFrom(intent)
    holdings.legMarkets.set(intents.legMarkets.subarray(from, from + count), holdings.legsFrom(slot))
    holdings.legSides.set(intents.legSides.subarray(from, from + count), holdings.legsFrom(slot))
    this.slotOf.set(arrival, slot)
    return slot
  }

  /** Takes what the service has told of a position. Nothing is done about one that is not watched. */
  hear(told: PositionTold): void {
    const slot = this.slotOf.get(told.arrival)
    if (slot === undefined) return
    switch (told.kind) {
      case 'positionEnded': return this.end(slot)
      case 'auctionBegan': return this.auctionBegan(slot)
      case 'bid':
        this.holdings.cells[slot + HoldingCell.bestPriceMicros] = told.priceMicros
        return this.call(slot, 'onBid')
      case 'auctionEnded': return this.auctionEnded(slot, told)
      case 'cashOutRefused':
        if (told.action === Action.openCashOut) this.set(slot, HoldingState.held)
        else if (told.action === Action.takeBid) this.set(slot, HoldingState.auctioned)
        return this.calls.refused(told.action, told, () => { this.call(slot, 'onCashOutRefused') })
    }
  }

  /** A time that it asked for has come. */
  woken(wake: Extract<HostWake, { kind: 'check' | 'listened' }>): void {
    const { slot } = wake
    const { words, cells } = this.holdings
    if (words[slot + HoldingWord.generation] !== wake.generation || this.is(slot, HoldingState.ended)) return
    if (wake.kind === 'check') {
      words[slot + HoldingWord.checks]!++
      this.call(slot, 'onCheck')
    } else if (cells[slot + HoldingCell.auction] === wake.auction) this.call(slot, 'onListened')
  }

  private auctionBegan(slot: number): void {
    const { words, cells } = this.holdings
    this.set(slot, HoldingState.auctioned)
    const auction = ++words[slot + HoldingWord.auctions]!
    cells[slot + HoldingCell.auction] = auction
    if (cells[slot + HoldingCell.listenUs]! < 0) return
    const atUs = cells[slot + HoldingCell.askedAtUs]! + cells[slot + HoldingCell.listenUs]!
    this.deeds.wakeIn(Math.max(0, atUs - this.deeds.nowUs), { kind: 'listened', slot, generation: words[slot + HoldingWord.generation]!, auction })
  }

  private auctionEnded(slot: number, { outcome, receivedMicros }: Extract<BettorTold, { kind: 'auctionEnded' }>): void {
    const { cells } = this.holdings
    const isSold = outcome === AuctionOutcome.sold
    this.set(slot, isSold ? HoldingState.sold : HoldingState.held)
    cells[slot + HoldingCell.auction] = NONE
    cells[slot + HoldingCell.bestPriceMicros] = receivedMicros
    if (isSold) {
      this.counts.sales++
      this.counts.soldMicros += receivedMicros
    }
    this.call(slot, 'onAuctionEnded', outcome)
    if (isSold) this.end(slot)
  }

  private end(slot: number): void {
    this.slotOf.delete(this.arrivalOf(slot))
    this.holdings.end(slot)
  }

  private is(slot: number, state: number): boolean {
    return this.holdings.words[slot + HoldingWord.state] === state
  }

  private set(slot: number, state: number): void {
    this.holdings.words[slot + HoldingWord.state] = state
  }

  private arrivalOf(slot: number): number {
    return this.holdings.cells[slot + HoldingCell.arrival]!
  }

  openCashOut(slot: number, listenUs: number): void {
    this.set(slot, HoldingState.opening)
    this.holdings.cells[slot + HoldingCell.listenUs] = listenUs
    this.deeds.wish({ kind: 'openCashOut', arrival: this.arrivalOf(slot) })
  }

  takeBid(slot: number, minPriceMicros: number): void {
    this.set(slot, HoldingState.selling)
    this.deeds.wish({ kind: 'takeBid', arrival: this.arrivalOf(slot), minPriceMicros })
  }

  cancelCashOut(slot: number): void {
    this.deeds.wish({ kind: 'cancelCashOut', arrival: this.arrivalOf(slot) })
  }

  /** Strategies that could be told of it are refused. */
  watch(): void {}

  checkIn(slot: number, delayUs: number): void {
    this.deeds.wakeIn(delayUs, { kind: 'check', slot, generation: this.holdings.words[slot + HoldingWord.generation]! })
  }

  call(slot: number, handler: 'onOpened' | 'onCheck' | 'onListened' | 'onBid' | 'onAuctionEnded' | 'onCashOutRefused', outcome: AuctionOutcome = AuctionOutcome.sold): void {
    const { view, calls: { handlers, desk, refusal } } = this
    this.calls.about(this.cursor, slot, handler, () => {
      if (handler === 'onAuctionEnded') handlers.onAuctionEnded?.(view, outcome, desk)
      else if (handler === 'onCashOutRefused') handlers.onCashOutRefused?.(view, refusal, desk)
      else handlers[handler]?.(view, desk)
    })
  }
}
