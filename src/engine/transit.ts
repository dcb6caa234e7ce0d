import type { EventQueue, EventQueueImage } from '../kernel/eventQueue.ts'
import { NumberRing } from '../unit/numberRing.ts'
import type { Image, Snapshot } from '../unit/snapshot.ts'
import { NEVER_US } from '../unit/time.ts'
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
  private declare readonly closesAtUs: number
  readonly messages = new Messages()
  readonly combos = new Combos()
  /** Combo of a request while it is active, by request number. */
  readonly comboOfRequest = new NumberRing()
  /** Combo of an active auction, by auction number. */
  readonly comboOfAuction = new NumberRing()

  /** @param closesAtUs the last instant at which participants are heard. */
  constructor(queue: EventQueue, service: number, startUs: number, closesAtUs: number = NEVER_US) {
    this.queue = queue
    this.service = service
    this.nowUs = startUs
    this.closesAtUs = closesAtUs
  }

  /** Whether participants are no longer heard `delayUs` from now. */
  isClosedIn(delayUs: number): boolean {
    return this.nowUs + delayUs > this.closesAtUs
  }

  /** Sends message `slot` to arrive `delayUs` from now. */
  send(slot: number, delayUs: number): void {
    this.queue.push(this.nowUs + delayUs, slot + this.service)
  }

  /** The messages of the service that are under way, in the order in which they are due. */
  pending(): number[] {
    const { payloads } = this.queue.snapshot() as EventQueueImage
    return [...payloads].filter((payload) => (payload & 1) === this.service).map((payload) => payload - this.service)
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
