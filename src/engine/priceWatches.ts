import type { PriceWatchTerms } from '../agent/makerPort.ts'
import type { PositionRow, RequestRow } from '../agent/rows.ts'
import { assert } from '../unit/assert.ts'
import type { Image, Snapshot } from '../unit/snapshot.ts'
import { NEVER_US } from '../unit/time.ts'
import type { Boards } from './boards.ts'
import { PositionMessage } from './messageCells.ts'
import { MessageKind, MessageWord } from './messages.ts'
import { fillRequest } from './makerStream.ts'
import type { Seat } from './seat.ts'
import type { Transit } from './transit.ts'

/** A position that its backing maker watches: how many calls about it are under way, and whether the maker has been told of its end. */
interface Watched {
  calls: number
  isEnded: boolean
}

/** Moves of prices that makers wait for, about requests and about positions that they back. One that is to come is a message, and no other is. */
export class PriceWatches implements Snapshot {
  private declare readonly transit: Transit
  private declare readonly boards: Boards
  /** By the number of the position, which has one backer. */
  private readonly backed = new Map<number, Watched>()

  constructor(transit: Transit, boards: Boards) {
    this.transit = transit
    this.boards = boards
  }

  /** When a leg that the seat is being shown moves so far, in µs from now; Infinity where it does not while it matters. */
  delayTo(seat: Seat, { legs }: RequestRow | PositionRow, terms: PriceWatchTerms, untilUs: number = NEVER_US): number {
    const delayUs = seat.book.firstMoveUs(this.boards.moves, legs, terms, untilUs) - this.transit.nowUs
    return this.transit.isClosedIn(delayUs) ? Infinity : delayUs
  }

  /** Precondition: the request is shown, and `combo` belongs to it. */
  watchRequest(seat: Seat, request: RequestRow, combo: number, terms: PriceWatchTerms): void {
    const delayUs = this.delayTo(seat, request, terms, request.expiresAtUs)
    if (delayUs === Infinity) return
    const slot = this.transit.messages.takeBare(MessageKind.price, seat.book.seat)
    fillRequest(this.transit, slot, request.request, request.version, combo, request.bestOddsE4, request.bookChanges)
    this.transit.send(slot, delayUs)
  }

  /** Precondition: the position is shown to the maker that backs it, which has not been told of its end, and `combo` belongs to the position. */
  watchBacked(seat: Seat, position: PositionRow, combo: number, terms: PriceWatchTerms): void {
    const delayUs = this.delayTo(seat, position, terms)
    if (delayUs === Infinity) return
    const { messages, combos } = this.transit
    const slot = messages.take(MessageKind.backedPrice, seat.book.seat)
    messages.cells[slot + PositionMessage.request] = position.request
    messages.cells[slot + PositionMessage.quote] = position.quote
    messages.cells[slot + PositionMessage.oddsE4] = position.oddsE4
    messages.cells[slot + PositionMessage.position] = position.position
    messages.words[slot + MessageWord.combo] = combo
    combos.retain(combo)
    const watched = this.backed.get(position.position)
    if (watched === undefined) this.backed.set(position.position, { calls: 1, isEnded: false })
    else watched.calls++
    this.transit.send(slot, delayUs)
  }

  /** The backing maker is told of the end of a position, and hears no more of its prices. */
  ended(position: number): void {
    if (this.backed.size === 0) return
    const watched = this.backed.get(position)
    if (watched !== undefined) watched.isEnded = true
  }

  /** A call about a position that its maker backs is due. False where the maker knows that the position has ended. */
  isDue(position: number): boolean {
    const watched = this.backed.get(position)
    assert(watched !== undefined, 'a watch comes once')
    if (--watched.calls === 0) this.backed.delete(position)
    return !watched.isEnded
  }

  snapshot(): Image {
    return [...this.backed].map(([position, { calls, isEnded }]) => ({ position, calls, isEnded }))
  }

  restore(image: Image): void {
    this.backed.clear()
    for (const { position, calls, isEnded } of image as readonly { position: number; calls: number; isEnded: boolean }[]) this.backed.set(position, { calls, isEnded })
  }
}
