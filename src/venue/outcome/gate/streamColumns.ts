import { EntityColumns } from '../../../unit/countedColumns.ts'
import { NONE } from '../../../unit/none.ts'
import type { Image } from '../../../unit/snapshot.ts'
import { ChannelBit } from '../protocol/access.ts'

/** Open streams. */
export class StreamColumns extends EntityColumns {
  /** 0 in a slot that is free. */
  number = new Float64Array(this.capacity)
  /** The account that opened it, also for market data. */
  account = new Int32Array(this.capacity)
  /** NONE for market data. */
  credential = new Float64Array(this.capacity)
  /** ChannelBit mask. */
  channels = new Uint8Array(this.capacity)
  isPaced = new Uint8Array(this.capacity)
  heartbeatUs = new Float64Array(this.capacity)
  /** Cursor up to which its client has read. */
  appliedCursor = new Float64Array(this.capacity)
  /** Slots of the open streams, by number. */
  open: number[] = []
  /** By slot: seqs of the events that were sent and not yet read. */
  backlogs: number[][] = []

  /** Takes a slot for a stream without backlog. */
  add(account: number, credential: number, channels: number, heartbeatUs: number, appliedCursor: number): number {
    const slot = this.take()
    this.number[slot] = this.index.lastNumber
    this.account[slot] = account
    // Adding 0 turns −0 into 0, because an image would tell the two apart.
    this.credential[slot] = credential + 0
    this.channels[slot] = channels
    this.isPaced[slot] = 0
    this.heartbeatUs[slot] = heartbeatUs
    this.appliedCursor[slot] = appliedCursor
    this.backlogs[slot] = []
    this.open.push(slot)
    return slot
  }

  remove(slot: number): void {
    this.index.release(this.number[slot]!)
    this.number[slot] = 0
    this.backlogs[slot] = []
    this.open.splice(this.open.indexOf(slot), 1)
  }

  /** Slots of the account's open streams, by number. */
  of(account: number): number[] {
    return this.open.filter((slot) => this.account[slot] === account)
  }

  /** Account in the rows of a stream, NONE for market data. */
  shownAccount(slot: number): number {
    return this.channels[slot] === ChannelBit.market ? NONE : this.account[slot]!
  }

  override snapshot(): Image {
    const backlogs = this.open.map((slot) => Float64Array.from(this.backlogs[slot]!))
    return { ...(super.snapshot() as Record<string, Image>), backlogs }
  }

  override restore(image: Image): void {
    super.restore(image)
    const { backlogs } = image as unknown as { backlogs: readonly Float64Array[] }
    this.open = []
    for (let slot = 0; slot < this.index.slotCount; slot++) if (this.number[slot] !== 0) this.open.push(slot)
    this.open.sort((a, b) => this.number[a]! - this.number[b]!)
    this.backlogs = Array.from({ length: this.index.slotCount }, () => [])
    this.open.forEach((slot, i) => (this.backlogs[slot] = [...backlogs[i]!]))
  }
}
