import { MessageKind, MessageWord } from './messages.ts'
import type { Transit } from './transit.ts'

/** Calls that a strategy asks for, for its own sake. A decision that it has put off is the service's, and waits for an answer. */
const ASKED: ReadonlySet<number> = new Set([MessageKind.later, MessageKind.timer, MessageKind.heldCheck, MessageKind.price, MessageKind.backedPrice, MessageKind.heldPrice])

/** Calls under way to strategies that have left their seats. None of the strategies after them hears of one. */
export class LeftCalls {
  /** Messages. */
  private readonly left = new Set<number>()

  /** The strategy of a seat leaves it. */
  leave(transit: Transit, seat: number): void {
    const { words } = transit.messages
    for (const message of transit.pending()) {
      if (words[message + MessageWord.target] === seat && ASKED.has(words[message + MessageWord.kind]!)) this.left.add(message)
    }
  }

  /** Whether a due message is such a call. It is none any more. */
  take(message: number): boolean {
    return this.left.size > 0 && this.left.delete(message)
  }
}
