import { PostingField, type PostingRows } from '../ledger/postingRows.ts'
import { AccountKind } from '../ledger/ledger.ts'
import { PositionOpened, QuoteChanged, QuoteSelected, RequestBegun } from '../record/sharedCells.ts'
import type { Batch, ServiceBatch, Sink } from '../record/sink.ts'
import { assert } from '../unit/assert.ts'
import { type Kind, type KindOf, type Row, rowOfKind } from '../venue/eventCells.ts'
import { EventCell, type EventRows } from '../venue/eventRows.ts'
import { OutcomeEvent, type OutcomeKind } from '../venue/outcome/protocol/events.ts'
import { ParlayEvent, type ParlayKind } from '../venue/parlay/protocol/events.ts'

/** Kinds of row that say the same on both services. */
interface Kinds {
  readonly requested: Kind<KindOf<typeof RequestBegun>>
  readonly quoted: Kind<KindOf<typeof QuoteChanged>>
  readonly selected: Kind<KindOf<typeof QuoteSelected>>
  readonly failed: Kind<KindOf<typeof QuoteChanged>>
  readonly filled: Kind<KindOf<typeof QuoteChanged>>
  readonly opened: Kind<KindOf<typeof PositionOpened>>
  readonly settled: number
}

const PARLAY: Kinds = {
  requested: ParlayEvent.requestCreated, quoted: ParlayEvent.quoteSubmitted, selected: ParlayEvent.quoteSelected,
  failed: ParlayEvent.quoteFailed, filled: ParlayEvent.quoteFilled, opened: ParlayEvent.positionOpened, settled: ParlayEvent.positionSettled,
}
const OUTCOME: Kinds = {
  requested: OutcomeEvent.rfqCreated, quoted: OutcomeEvent.quoteCreated, selected: OutcomeEvent.quoteAccepted,
  failed: OutcomeEvent.quoteFailed, filled: OutcomeEvent.quoteFilled, opened: OutcomeEvent.positionOpened, settled: OutcomeEvent.positionSettled,
}

/** V, what results are scored against: the product of undelayed middle prices, 0…1. Instants never fall from call to call. */
export type ValueOfLegs = (atUs: number, markets: readonly number[], sides: readonly number[]) => number

/** One fill, from its commit to the last movement of its money. Money in microUSDC. */
export interface Fill {
  readonly request: number
  readonly maker: number
  readonly bettor: number
  readonly markets: readonly number[]
  readonly sides: readonly number[]
  readonly committedUs: number
  /** V at the commit, and at the confirmation; 0…1. */
  readonly valueAtCommit: number
  valueAtConfirm: number
  /** When it was confirmed, µs; −1 not yet. */
  confirmedUs: number
  /** What the commit says of it. */
  readonly stakeMicros: number
  readonly riskMicros: number
  position: number
  /** What the ledger moved into the position's pot: the stake, and the maker's risk. */
  paidMicros: number
  riskedMicros: number
  /** What the ledger moved out of the pot again. */
  toBettorMicros: number
  toMakerMicros: number
}

/** A fill's payout, microUSDC: all of its pot. */
export const payoutOf = (fill: Fill): number => fill.paidMicros + fill.riskedMicros

/** Whether the event rows tell of its confirmation. */
export const isConfirmed = ({ confirmedUs }: Fill): boolean => confirmedUs >= 0

/** Whether the ledger filled its pot and emptied it again. */
export const isPaidOut = (fill: Fill): boolean => payoutOf(fill) > 0 && fill.toBettorMicros + fill.toMakerMicros === payoutOf(fill)

/** A request: when it was made, and when it got its first quote, µs; −1 none. */
export interface Asked {
  readonly request: number
  readonly atUs: number
  quotedUs: number
}

/**
 * Follows every fill of a session of one service twice: in the event rows of its commit, and in the postings of its pot. At the end both
 * must have the same fills and the same money, and every pot must have been emptied.
 */
export class FillLog implements Sink {
  /** By the number of the position. */
  readonly fills: Fill[] = []
  /** Requests in the order of their creation. */
  readonly asked: Asked[] = []
  /** Selections, and those of them that were not confirmed. */
  selected = 0
  failed = 0
  private readonly valueOf: ValueOfLegs
  private readonly isMaker: readonly boolean[]
  private readonly committed = new Map<number, Fill>()
  private readonly open = new Map<number, Fill>()
  private readonly askedOf = new Map<number, Asked>()
  private potsFilled = 0
  private potsEmptied = 0

  /** `isMaker` by account number. */
  constructor(valueOf: ValueOfLegs, isMaker: readonly boolean[]) {
    this.valueOf = valueOf
    this.isMaker = isMaker
  }

  /** Fills counted at the commit: selections that were confirmed. */
  get committedCount(): number {
    return this.selected - this.failed
  }

  /** Fills counted at the ledger: pots that were filled and emptied. */
  get settledCount(): number {
    return this.potsEmptied
  }

  flush({ parlay, outcome }: Batch): void {
    if (parlay !== null) this.take(parlay, PARLAY)
    if (outcome !== null) this.take(outcome, OUTCOME)
  }

  private take({ events, postings }: ServiceBatch, kinds: Kinds): void {
    for (let i = 0; i < events.count; i++) this.takeEvent(events, events.row(i), kinds)
    for (let row = 0; row < postings.count; row++) this.takePosting(postings, row)
  }

  private takeEvent(events: EventRows, row: Row, kinds: Kinds): void {
    const kind = events.kindOf(row) as ParlayKind | OutcomeKind
    switch (kind) {
      case kinds.requested: return this.takeRequest(events, rowOfKind(row, kind))
      case kinds.quoted: return this.takeQuote(events, rowOfKind(row, kind))
      case kinds.selected: return this.takeSelection(events, rowOfKind(row, kind))
      case kinds.failed:
        this.failed++
        this.committed.delete(events.read(rowOfKind(row, kind), QuoteChanged.quote))
        return
      case kinds.filled: return this.takeConfirmation(events, rowOfKind(row, kind))
      case kinds.opened: this.takePosition(events, rowOfKind(row, kind))
    }
  }

  private takeRequest(events: EventRows, row: Row<KindOf<typeof RequestBegun>>): void {
    const asked = { request: events.read(row, RequestBegun.request), atUs: events.read(row, EventCell.atUs), quotedUs: -1 }
    this.asked.push(asked)
    this.askedOf.set(asked.request, asked)
  }

  private takeQuote(events: EventRows, row: Row<KindOf<typeof QuoteChanged>>): void {
    const asked = this.askedOf.get(events.read(row, QuoteChanged.request))
    if (asked !== undefined && asked.quotedUs < 0) asked.quotedUs = events.read(row, EventCell.atUs)
  }

  private takeSelection(events: EventRows, row: Row<KindOf<typeof QuoteSelected>>): void {
    this.selected++
    const legs = Array.from(events.list(row))
    const markets = legs.filter((_, i) => i % 2 === 0)
    const sides = legs.filter((_, i) => i % 2 === 1)
    const committedUs = events.read(row, EventCell.atUs)
    this.committed.set(events.read(row, QuoteSelected.quote), {
      request: events.read(row, QuoteSelected.request), maker: events.read(row, QuoteSelected.maker), bettor: events.read(row, QuoteSelected.owner),
      markets, sides, committedUs, valueAtCommit: this.valueOf(committedUs, markets, sides), valueAtConfirm: NaN, confirmedUs: -1,
      stakeMicros: events.read(row, QuoteSelected.netStakeMicros), riskMicros: events.read(row, QuoteSelected.riskMicros), position: -1,
      paidMicros: 0, riskedMicros: 0, toBettorMicros: 0, toMakerMicros: 0,
    })
  }

  private takeConfirmation(events: EventRows, row: Row<KindOf<typeof QuoteChanged>>): void {
    const fill = this.committed.get(events.read(row, QuoteChanged.quote))!
    fill.confirmedUs = events.read(row, EventCell.atUs)
    fill.valueAtConfirm = this.valueOf(fill.confirmedUs, fill.markets, fill.sides)
  }

  private takePosition(events: EventRows, row: Row<KindOf<typeof PositionOpened>>): void {
    const fill = this.committed.get(events.read(row, PositionOpened.quote))
    assert(fill !== undefined && fill.position < 0, 'a position opens with a confirmed commit')
    fill.position = events.read(row, PositionOpened.position)
    this.open.set(fill.position, fill)
    this.fills.push(fill)
  }

  /** A batch's postings come after its events, so that a pot's position is known. */
  private takePosting(postings: PostingRows, row: number): void {
    const amountMicros = postings.get(row, PostingField.amountMicros)
    if (postings.get(row, PostingField.creditKind) === AccountKind.pot) {
      const fill = this.fillOfPot(postings.get(row, PostingField.creditOwner))
      if (payoutOf(fill) === 0) this.potsFilled++
      if (this.isMaker[postings.get(row, PostingField.debitOwner)]) fill.riskedMicros += amountMicros
      else fill.paidMicros += amountMicros
    } else if (postings.get(row, PostingField.debitKind) === AccountKind.pot) {
      const fill = this.fillOfPot(postings.get(row, PostingField.debitOwner))
      assert(postings.get(row, PostingField.creditKind) === AccountKind.free, 'nothing but participants is paid out of a pot')
      if (this.isMaker[postings.get(row, PostingField.creditOwner)]) fill.toMakerMicros += amountMicros
      else fill.toBettorMicros += amountMicros
      if (isPaidOut(fill)) this.potsEmptied++
    }
  }

  private fillOfPot(position: number): Fill {
    const fill = this.open.get(position)
    assert(fill !== undefined, `the pot of position ${position} has a commit`)
    return fill
  }

  /** Throws unless both counts and both amounts of money agree. */
  finish(): void {
    assert(this.committedCount === this.fills.length, `${this.committedCount} commits, ${this.fills.length} positions`)
    assert(this.potsFilled === this.fills.length, `${this.fills.length} positions, ${this.potsFilled} pots`)
    assert(this.potsEmptied === this.potsFilled, `${this.potsFilled} pots, ${this.potsEmptied} of them paid out`)
    for (const fill of this.fills) {
      assert(fill.paidMicros === fill.stakeMicros && fill.riskedMicros === fill.riskMicros, `position ${fill.position} holds what its commit says`)
    }
    this.fills.sort((a, b) => a.position - b.position)
  }

  abort(): void {}
}
