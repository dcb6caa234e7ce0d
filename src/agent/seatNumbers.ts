import { NONE } from '../unit/none.ts'
import { NumberTable } from '../unit/numberTable.ts'
import type { SERVICE_NAMES } from '../unit/services.ts'
import type { Image, Snapshot } from '../unit/snapshot.ts'

const CAPACITY = 16

/** Numbers of one kind of thing: those that a strategy sees, and those by which whoever plays the strategy knows the things. */
export interface ShownNumbers {
  /** What the strategy sees of a number. A number below 0 and NaN, which stand for nothing, stay what they are. */
  shown(number: number): number
  /** The number that the strategy sees as `shown`, −1 where it has seen none as that. */
  meant(shown: number): number
}

/** Numbers from 1 on, in the order in which the strategy first reads them. They tell it what it has read, and nothing of what others do. */
export class CountedNumbers implements ShownNumbers, Snapshot {
  private count = 0
  /** What is shown as n stands at n − 1, by the lowest bits where not all are kept. */
  private numbers = new Float64Array(CAPACITY)
  private readonly shownOf = new NumberTable()
  private declare readonly most: number

  /** @param most so many are kept, a power of two from 16 on. One that is met again after so many others gets another number. */
  constructor(most = Infinity) {
    this.most = most
  }

  shown(number: number): number {
    if (!(number >= 0)) return number
    const shown = this.shownOf.get(number)
    return shown < 0 ? this.next(number) : shown
  }

  meant(shown: number): number {
    return shown > this.count - this.numbers.length && shown <= this.count && shown >= 1 ? this.numbers[this.placeOf(shown)]! : NONE
  }

  private placeOf(shown: number): number {
    return (shown - 1) & (this.numbers.length - 1)
  }

  private next(number: number): number {
    const shown = ++this.count
    if (shown > this.numbers.length) this.makeRoom(shown)
    this.numbers[this.placeOf(shown)] = number
    this.shownOf.set(number, shown)
    return shown
  }

  private makeRoom(shown: number): void {
    const { numbers } = this
    if (numbers.length >= this.most) return this.shownOf.delete(numbers[this.placeOf(shown)]!)
    this.numbers = new Float64Array(numbers.length * 2)
    this.numbers.set(numbers)
  }

  snapshot(): Image {
    return { count: this.count, numbers: this.numbers.slice() }
  }

  restore(image: Image): void {
    const { count, numbers } = image as { count: number; numbers: Float64Array }
    this.count = count
    this.numbers = numbers.slice()
    this.shownOf.clear()
    for (let shown = Math.max(1, count - numbers.length + 1); shown <= count; shown++) this.shownOf.set(this.numbers[this.placeOf(shown)]!, shown)
  }
}

/** The numbers that a maker's seat is shown, by what they count. */
export interface SeatNumbers extends Snapshot {
  readonly requests: ShownNumbers
  readonly quotes: ShownNumbers
  readonly positions: ShownNumbers
  readonly auctions: ShownNumbers
  readonly bids: ShownNumbers
}

/** What is shown of the numbers of a seat: counts of the seat's own. */
export class OwnNumbers implements SeatNumbers {
  declare readonly requests: CountedNumbers
  declare readonly quotes: CountedNumbers
  declare readonly positions: CountedNumbers
  declare readonly auctions: CountedNumbers
  declare readonly bids: CountedNumbers

  /** @param most as of CountedNumbers. */
  constructor(service: (typeof SERVICE_NAMES)[number], most = Infinity) {
    const counted = (): CountedNumbers => new CountedNumbers(most)
    this.requests = counted()
    this.quotes = counted()
    this.positions = counted()
    // A cash-out of the outcome service is an RFQ, and a bid is a quote on it.
    const isRfq = service === 'outcome'
    this.auctions = isRfq ? this.requests : counted()
    this.bids = isRfq ? this.quotes : counted()
  }

  snapshot(): Image {
    const { requests, quotes, positions, auctions, bids } = this
    return { requests: requests.snapshot(), quotes: quotes.snapshot(), positions: positions.snapshot(), auctions: auctions.snapshot(), bids: bids.snapshot() }
  }

  restore(image: Image): void {
    const from = image as { requests: Image; quotes: Image; positions: Image; auctions: Image; bids: Image }
    this.requests.restore(from.requests)
    this.quotes.restore(from.quotes)
    this.positions.restore(from.positions)
    this.auctions.restore(from.auctions)
    this.bids.restore(from.bids)
  }
}

const AS_GIVEN: ShownNumbers = { shown: (number) => number, meant: (shown) => shown }

/** The numbers as they are: for a fake, whose test gives them, and for a seat that passes on what it is told to a client outside, which gets ids in their place. */
export const GIVEN_NUMBERS: SeatNumbers = { requests: AS_GIVEN, quotes: AS_GIVEN, positions: AS_GIVEN, auctions: AS_GIVEN, bids: AS_GIVEN, snapshot: () => null, restore() {} }

/** Whoever a row is shown to. */
export interface ShownTo {
  readonly numbers: SeatNumbers
}

export const UNNUMBERED: ShownTo = { numbers: GIVEN_NUMBERS }
