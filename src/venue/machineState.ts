import { NONE } from '../unit/none.ts'
import type { Image, Snapshot } from '../unit/snapshot.ts'
import { hashImage, LaneHash } from '../unit/laneHash.ts'
import { Deadlines } from './deadlines.ts'
import { type EventRows } from './eventRows.ts'

/** The parts of one machine, a venue's or a gate's. Its commands and deadlines are functions over them. */
export abstract class MachineState implements Snapshot {
  declare readonly events: EventRows
  readonly deadlines = new Deadlines()
  /** The instant that is being played. */
  nowUs = 0
  /** Sequence number of the command that is being played, NONE during a deadline. */
  cause = NONE

  constructor(events: EventRows) {
    this.events = events
  }

  /** All that an image holds besides the instant, by name. */
  protected abstract parts(): Readonly<Record<string, Snapshot>>

  snapshot(): Image {
    const image: Record<string, Image> = { nowUs: this.nowUs, deadlines: this.deadlines.snapshot() }
    for (const [name, part] of Object.entries(this.parts())) image[name] = part.snapshot()
    return image
  }

  restore(image: Image): void {
    const from = image as { readonly [name: string]: Image }
    this.nowUs = from['nowUs'] as number
    this.cause = NONE
    this.deadlines.restore(from['deadlines']!)
    for (const [name, part] of Object.entries(this.parts())) part.restore(from[name]!)
  }

  /** Fingerprint of the state and, for a gate, of the venue behind it, whose hash is given. */
  hash(inner = ''): string {
    const hash = new LaneHash()
    if (inner !== '') hash.text(inner)
    hashImage(hash, this.snapshot())
    return hash.hex()
  }
}
