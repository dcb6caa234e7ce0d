import { MessageKind, MessageWord } from './messages.ts'
import type { Transit } from './transit.ts'

/** Calls that a strategy asks for, for its own sake. A decision that it has put off is the service's, and waits for an answer. */
const ASKED: ReadonlySet<number> = new Set([MessageKind.later, MessageKind.timer, MessageKind.heldCheck, MessageKind.price, MessageKind.backedPrice, MessageKind.heldPrice])

/** Calls under way to strategies that have left their seats. None of the strategies after them hears of one, but for decisions, which they take up. */
export class LeftCalls {
  /** Messages. */
  private readonly left = new Set<number>()
  /** Messages of decisions that they put off. */
  private readonly putOff = new Set<number>()

  /** The strategy of a seat leaves it. */
  leave(transit: Transit, seat: number): void {
    const { words } = transit.messages
    for (const message of transit.pending()) {
      if (words[message + MessageWord.target] !== seat) continue
      const kind = words[message + MessageWord.kind]!
      if (ASKED.has(kind)) this.left.add(message)
      else if (kind === MessageKind.decideLater) this.putOff.add(message)
    }
  }

  /** Whether a due message is such a call. It is none any more. */
  take(message: number): boolean {
    return this.left.size > 0 && this.left.delete(message)
  }

  /** Whether a due message is a decision that a strategy put off before it left. It is none any more. */
  takePutOff(message: number): boolean {
    return this.putOff.size > 0 && this.putOff.delete(message)
  }
}
