import type { Draws } from '../kernel/random.ts'
import type { Image, Snapshot } from '../unit/snapshot.ts'

/** What goes wrong with a maker. */
export interface Faults {
  /** Share of requests that it does not price. */
  readonly ignore: number
  /** Share of confirmations that it never sends. */
  readonly missConfirm: number
  /**
   * Mean time between disconnects and mean length of one, µs, 0 for none. While away the maker misses requests, best quotes,
   * selections and replies for good. Fills and ends of positions are sent when it is back, because its book needs them (the
   * engine keeps them for a year). A message that is on its way when the maker leaves still arrives.
   */
  readonly disconnectEveryUs: number
  readonly disconnectForUs: number
}

export const NO_FAULTS: Faults = { ignore: 0, missConfirm: 0, disconnectEveryUs: 0, disconnectForUs: 0 }

/** Whether a maker holds its stream open: an alternating renewal process with exponential spells, from keyed draws. */
export class Connection implements Snapshot {
  private declare readonly faults: Faults
  private declare readonly draws: Draws
  private declare readonly entity: number
  private connected = 1
  private declare untilUs: number
  private spell = 0

  constructor(faults: Faults, draws: Draws, entity: number, startUs: number) {
    this.faults = faults
    this.draws = draws
    this.entity = entity
    this.untilUs = faults.disconnectEveryUs > 0 ? startUs + this.draw(faults.disconnectEveryUs) : Number.MAX_SAFE_INTEGER
  }

  /** Precondition: `nowUs` never falls from call to call. */
  isOpen(nowUs: number): boolean {
    while (nowUs >= this.untilUs) {
      this.connected = 1 - this.connected
      this.untilUs += this.draw(this.connected === 1 ? this.faults.disconnectEveryUs : this.faults.disconnectForUs)
    }
    return this.connected === 1
  }

  /** First instant after the spell that the last call of `isOpen` found. */
  get spellEndsUs(): number {
    return this.untilUs
  }

  private draw(meanUs: number): number {
    return 1 + Math.floor(this.draws.exponential(this.entity, this.spell++, meanUs))
  }

  snapshot(): Image {
    return { connected: this.connected, untilUs: this.untilUs, spell: this.spell }
  }

  restore(image: Image): void {
    const from = image as { connected: number; untilUs: number; spell: number }
    this.connected = from.connected
    this.untilUs = from.untilUs
    this.spell = from.spell
  }
}
