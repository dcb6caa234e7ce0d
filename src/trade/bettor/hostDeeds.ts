import type { BettorWish } from './bettorWords.ts'

/** A time that the host has asked for. A slot's generation tells whether it still has the tenant that is meant. */
export type HostWake =
  | { readonly kind: 'arrival'; readonly arrival: number }
  | { readonly kind: 'decision' | 'requestAgain'; readonly slot: number; readonly generation: number }
  | { readonly kind: 'check'; readonly slot: number; readonly generation: number }
  | { readonly kind: 'listened'; readonly slot: number; readonly generation: number; readonly auction: number }

/** What the host wants done, in its order. */
export type HostDeed = { readonly wish: BettorWish } | { readonly wakeUs: number; readonly wake: HostWake }

/** What a host wants done, until it is taken. */
export class HostDeeds {
  /** Now, on the wire's clock, µs. */
  nowUs = 0
  private deeds: HostDeed[] = []

  wish(wish: BettorWish): void {
    this.deeds.push({ wish })
  }

  wakeIn(delayUs: number, wake: HostWake): void {
    this.deeds.push({ wakeUs: this.nowUs + delayUs, wake })
  }

  /** What has come since the last call. */
  take(): readonly HostDeed[] {
    return this.deeds.splice(0)
  }
}
