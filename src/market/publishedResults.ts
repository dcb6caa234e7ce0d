import type { Image, Snapshot } from '../unit/snapshot.ts'
import { NEVER_US } from '../unit/time.ts'

const NO_RESULT = -1

/** Results of markets, and when they were published. An observer learns of a result later, by the lag of its feed (design.md, decision 11). */
export class PublishedResults implements Snapshot {
  /** A MarketResult. */
  private declare value: Uint8Array
  /** µs; NEVER_US without a result. */
  private declare atUs: Float64Array

  constructor(marketCount: number) {
    this.value = new Uint8Array(marketCount)
    this.atUs = new Float64Array(marketCount).fill(NEVER_US)
  }

  /** `value` is a MarketResult. */
  publish(market: number, value: number, atUs: number): void {
    this.value[market] = value
    this.atUs[market] = atUs
  }

  /** The result that an observer with a lag of `lagUs` knows at `nowUs`: a MarketResult, or −1 for none yet. */
  known(market: number, nowUs: number, lagUs: number): number {
    return this.atUs[market]! + lagUs <= nowUs ? this.value[market]! : NO_RESULT
  }

  snapshot(): Image {
    return { value: this.value.slice(), atUs: this.atUs.slice() }
  }

  restore(image: Image): void {
    const from = image as unknown as { value: Uint8Array; atUs: Float64Array }
    this.value = from.value.slice()
    this.atUs = from.atUs.slice()
  }
}
