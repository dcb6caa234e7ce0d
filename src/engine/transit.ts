import type { EventQueue } from '../kernel/eventQueue.ts'
import { NumberRing } from '../unit/numberRing.ts'
import type { Image, Snapshot } from '../unit/snapshot.ts'
import { Combos } from './combos.ts'
import { Messages } from './messages.ts'

/**
 * What is under way between a service's participants and its venue: messages, and the combos they share. The queue is the
 * session's; a payload in it is a message's first cell plus the number of its service.
 */
export class Transit implements Snapshot {
  nowUs = 0
  private declare readonly queue: EventQueue
  private declare readonly service: number
  readonly messages = new Messages()
  readonly combos = new Combos()
  /** Combo of a request while it is active, by request number. */
  readonly comboOfRequest = new NumberRing()
  /** Combo of an active auction, by auction number. */
  readonly comboOfAuction = new NumberRing()

  constructor(queue: EventQueue, service: number, startUs: number) {
    this.queue = queue
    this.service = service
    this.nowUs = startUs
  }

  /** Sends message `slot` to arrive `delayUs` from now. */
  send(slot: number, delayUs: number): void {
    this.queue.push(this.nowUs + delayUs, slot + this.service)
  }

  snapshot(): Image {
    return {
      nowUs: this.nowUs, messages: this.messages.snapshot(), combos: this.combos.snapshot(),
      comboOfRequest: this.comboOfRequest.snapshot(), comboOfAuction: this.comboOfAuction.snapshot(),
    }
  }

  restore(image: Image): void {
    const from = image as { nowUs: number; messages: Image; combos: Image; comboOfRequest: Image; comboOfAuction: Image }
    this.nowUs = from.nowUs
    this.messages.restore(from.messages)
    this.combos.restore(from.combos)
    this.comboOfRequest.restore(from.comboOfRequest)
    this.comboOfAuction.restore(from.comboOfAuction)
  }
}
