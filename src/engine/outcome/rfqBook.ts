import { NumberRing } from '../../unit/numberRing.ts'
import type { Image, Snapshot } from '../../unit/snapshot.ts'

const CLOSED = 1
const QUOTE = 2

/**
 * Finds when an RFQ is over without a fill or a cancellation: its window has ended and its last live or accepted quote is gone (readings
 * B04: a live quote can be accepted after the window). The service writes no row about that.
 */
export class RfqBook implements Snapshot {
  /** By RFQ: CLOSED once its window has ended, and QUOTE for each live or accepted quote. */
  private readonly marks = new NumberRing()

  open(rfq: number): void {
    this.marks.set(rfq, 0)
  }

  quoted(rfq: number): void {
    const marks = this.marks.get(rfq)
    if (marks >= 0) this.marks.set(rfq, marks + QUOTE)
  }

  /** A quote ended. True when the RFQ is over with it. */
  unquoted(rfq: number): boolean {
    const marks = this.marks.get(rfq) - QUOTE
    if (marks < 0) return false
    this.marks.set(rfq, marks)
    return marks === CLOSED
  }

  /** The window ended. True when the RFQ is over. */
  closed(rfq: number): boolean {
    const marks = this.marks.get(rfq)
    if (marks < 0) return false
    this.marks.set(rfq, marks | CLOSED)
    return (marks | CLOSED) === CLOSED
  }

  /** The RFQ ended: by a fill or a cancellation, or as it was found to be over. False when it had before. */
  end(rfq: number): boolean {
    const isNew = this.marks.get(rfq) >= 0
    this.marks.delete(rfq)
    return isNew
  }

  snapshot(): Image {
    return this.marks.snapshot()
  }

  restore(image: Image): void {
    this.marks.restore(image)
  }
}
