import { assert } from '../unit/assert.ts'
import { NONE } from '../unit/none.ts'
import { CallMessage } from './messageCells.ts'
import { MessageKind } from './messages.ts'
import type { Transit } from './transit.ts'

/** What a maker is being shown: by its combo go the ways of what it sends about it, however long the request or the auction is over. */
export interface ShownThing {
  /** −1: nothing. */
  readonly combo: number
  readonly request: number
  readonly auction: number
}

const NOTHING: ShownThing = { combo: NONE, request: NONE, auction: NONE }

/** A call that a client has asked for at a later instant. */
interface Wake {
  readonly shown: ShownThing
  readonly woken: () => void
}

/**
 * Turns of clients outside of the session, one at a time: the loop stands behind a message, and the client does what a strategy's handler
 * would have done. What the handler was shown is kept until the turn ends, and in every call that the client asks for in it.
 */
export class Turns {
  private declare readonly transit: Transit
  private shown: ShownThing = NOTHING
  private isOpen = false
  /** By serial number. */
  private readonly wakes = new Map<number, Wake>()
  private serial = 0

  constructor(transit: Transit) {
    this.transit = transit
  }

  /** Precondition: no turn is open. `shown` is what a handler is being shown, null outside of every handler. */
  begin(shown: ShownThing | null): void {
    assert(!this.isOpen, 'one turn at a time')
    this.isOpen = true
    if (shown !== null) this.shown = this.kept(shown)
  }

  end(): void {
    assert(this.isOpen, 'a turn is open')
    this.isOpen = false
    this.forget()
  }

  /** Combo of a request or an auction that the open turn is about, else −1. */
  comboOf(request: number): number {
    return request >= 0 && request === this.shown.request ? this.shown.combo : NONE
  }

  comboOfAuction(auction: number): number {
    return auction >= 0 && auction === this.shown.auction ? this.shown.combo : NONE
  }

  /** Calls the client of the open turn again after `delayUs`; never, when participants are no longer heard by then. */
  wake(delayUs: number, woken: () => void): void {
    const { transit } = this
    if (transit.isClosedIn(delayUs)) return
    const slot = transit.messages.take(MessageKind.wake, NONE)
    const serial = ++this.serial
    transit.messages.cells[slot + CallMessage.serial] = serial
    this.wakes.set(serial, { shown: this.kept(this.shown), woken })
    transit.send(slot, delayUs)
  }

  /** The instant of message `slot` has come. Unless a turn begins, nothing is kept of it. */
  arrived(slot: number): void {
    const serial = this.transit.messages.cells[slot + CallMessage.serial]!
    const { shown, woken } = this.wakes.get(serial)!
    this.wakes.delete(serial)
    this.shown = shown
    woken()
    if (!this.isOpen) this.forget()
  }

  private kept(shown: ShownThing): ShownThing {
    if (shown.combo >= 0) this.transit.combos.retain(shown.combo)
    return shown
  }

  private forget(): void {
    if (this.shown.combo >= 0) this.transit.combos.release(this.shown.combo)
    this.shown = NOTHING
  }

  /** Whether nothing is kept. Otherwise the session has no image. */
  get isIdle(): boolean {
    return !this.isOpen && this.wakes.size === 0
  }
}
