import { MINUTE_US, SECOND_US } from '../../unit/time.ts'
import type { Act, Call, Wake } from '../link.ts'

/** Each open position is read so often, one a second at most. */
const EVERY_US = 2 * MINUTE_US

export interface RoundTag {
  readonly kind: 'positions'
  readonly epoch: number
}

/** A bettor's open positions, which are read one after the other to hear of their end. */
export class PositionRounds<P> {
  private readonly open: ReadonlyMap<number, P>
  private readonly call: (position: P) => Call
  private reading = 0
  private epoch = 0

  /**
   * @param open positions, of which there may be others by then.
   * @param call reads one of them.
   */
  constructor(open: ReadonlyMap<number, P>, call: (position: P) => Call) {
    this.open = open
    this.call = call
  }

  /** The next position is read then, and not at a time that was asked for before. */
  wake(nowUs: number): Wake {
    const inUs = Math.max(SECOND_US, Math.floor(EVERY_US / this.open.size))
    return { wakeUs: nowUs + inUs, tag: { kind: 'positions', epoch: ++this.epoch } satisfies RoundTag }
  }

  /** What is done when a wake is due: nothing where no position is open. */
  due({ epoch }: RoundTag, nowUs: number): Act[] {
    if (epoch !== this.epoch || this.open.size === 0) return []
    const positions = [...this.open.values()]
    return [this.call(positions[this.reading++ % positions.length]!), this.wake(nowUs)]
  }
}
