/** A book that is lost when a message of its stream is. */
interface StreamBook {
  lose(atUs: number, sequence: number, stream: SequenceStream): void
}

/** Numbers from one beginning of a stream on, of messages that change nothing: whole books, and what else shares the numbers. */
interface Stretch {
  readonly fromUs: number
  readonly numbers: Set<number>
  first: number
  last: number
}

/**
 * The messages of one subscription, which are numbered across all markets in it. A stream begins anew where whole books have lower numbers than
 * those before, as after a reconnection.
 */
export class SequenceStream {
  private readonly books = new Set<StreamBook>()
  private readonly stretches: Stretch[] = []
  private current = 0
  private last = -1

  follow(book: StreamBook): void {
    this.books.add(book)
  }

  /** Knows of a whole book. They come in order of time. */
  whole(sequence: number, atUs: number): void {
    const stretch = this.stretches.at(-1)
    // A reconnection may begin with the number that was the last one.
    if (stretch === undefined || sequence < stretch.last || (sequence === stretch.last && atUs > stretch.fromUs && sequence === stretch.first)) this.stretches.push({ fromUs: atUs, numbers: new Set([sequence]), first: sequence, last: sequence })
    else {
      stretch.numbers.add(sequence)
      stretch.last = sequence
    }
  }

  /** Knows of a message that is neither a whole book nor a change. */
  other(sequence: number, atUs: number): void {
    this.stretches.findLast(({ fromUs }) => fromUs <= atUs)?.numbers.add(sequence)
  }

  /** Takes the number of a change. `old` for one that was there, unless rows share numbers. After a lost message the books of all markets are lost. */
  change(sequence: number, atUs: number, areShared: boolean): 'next' | 'old' {
    const following = this.stretches[this.current + 1]
    if (following !== undefined && atUs >= following.fromUs && sequence <= this.last) {
      this.current += 1
      this.last = -1
    }
    const stretch = this.stretches[this.current]
    if (this.last < 0) this.last = stretch === undefined || stretch.first > sequence ? sequence - 1 : stretch.first - 1
    if (sequence <= this.last) return areShared && sequence === this.last ? 'next' : 'old'
    let expected = this.last + 1
    while (expected < sequence && stretch?.numbers.has(expected) === true) expected += 1
    this.last = sequence
    if (sequence > expected) for (const book of this.books) book.lose(atUs, sequence, this)
    return 'next'
  }
}
