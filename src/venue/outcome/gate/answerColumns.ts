import { EntityColumns } from '../../../unit/countedColumns.ts'
import { NONE } from '../../../unit/none.ts'
import type { Image } from '../../../unit/snapshot.ts'
import { rowCopies } from '../../eventRows.ts'
import { KEY_MAX } from '../protocol/commands.ts'
import { Reply } from '../protocol/events.ts'
import { FINGERPRINT_WORDS } from './fingerprint.ts'

const KEY_SPAN = KEY_MAX + 1

/**
 * Commands with an Idempotency-Key, from the first sending until the answer is forgotten (readings B11). They are found by account
 * and key, and while under way also by the sequence number of the command.
 */
export class AnswerColumns extends EntityColumns {
  /** 0 in a slot that is free. */
  number = new Float64Array(this.capacity)
  /** account × 2²⁸ + key. */
  key = new Float64Array(this.capacity)
  /** Fingerprint of the content. */
  lanes = new Int32Array(this.capacity * FINGERPRINT_WORDS)
  /** Sequence number of the command while it is under way, NONE once it is answered. */
  seq = new Float64Array(this.capacity)
  /** Copies of the reply rows, which a replay repeats, by slot. */
  copies = rowCopies(Reply, this.capacity)
  private readonly slotOfKey = new Map<number, number>()
  /** Slots of the commands that wait for an answer. */
  private readonly slotOfSeq = new Map<number, number>()
  /** Slot of the command that is being played, or −1. Most commands are answered at once. */
  private playing = NONE
  /** Repeats of commands under way, in order of arrival: slot of the command, sequence number of the repeat. */
  private repeats: number[] = []

  get remembered(): number {
    return this.index.live - this.slotOfSeq.size
  }

  /** The slot of a command by account and key, or −1. */
  find(account: number, key: number): number {
    return this.slotOfKey.get(account * KEY_SPAN + key) ?? NONE
  }

  /** The slot of the command under way with this sequence number, or −1. */
  underWay(seq: number): number {
    if (this.playing !== NONE && this.seq[this.playing] === seq) return this.playing
    return this.slotOfSeq.size === 0 ? NONE : (this.slotOfSeq.get(seq) ?? NONE)
  }

  begin(account: number, key: number, seq: number, content: Int32Array): void {
    const slot = this.take()
    this.number[slot] = this.index.lastNumber
    this.key[slot] = account * KEY_SPAN + key
    this.lanes.set(content, slot * FINGERPRINT_WORDS)
    this.seq[slot] = seq
    this.slotOfKey.set(this.key[slot]!, slot)
    this.playing = slot
  }

  /** The command that was being played is done, with or without an answer. */
  end(): void {
    if (this.playing !== NONE && !this.isAnswered(this.playing)) this.slotOfSeq.set(this.seq[this.playing]!, this.playing)
    this.playing = NONE
  }

  hasContent(slot: number, content: Int32Array): boolean {
    for (let i = 0; i < FINGERPRINT_WORDS; i++) if (this.lanes[slot * FINGERPRINT_WORDS + i] !== content[i]) return false
    return true
  }

  isAnswered(slot: number): boolean {
    return this.seq[slot] === NONE
  }

  answered(slot: number): void {
    if (slot !== this.playing) this.slotOfSeq.delete(this.seq[slot]!)
    this.seq[slot] = NONE
  }

  drop(slot: number): void {
    if (slot === this.playing) this.playing = NONE
    this.slotOfKey.delete(this.key[slot]!)
    this.index.release(this.number[slot]!)
    this.number[slot] = 0
  }

  wait(slot: number, seq: number): void {
    this.repeats.push(slot, seq)
  }

  /** Takes the sequence numbers of the repeats of the command in `slot`, in order of arrival. */
  takeRepeats(slot: number): number[] {
    if (this.repeats.length === 0) return []
    const taken: number[] = []
    const left: number[] = []
    for (let i = 0; i < this.repeats.length; i += 2) {
      if (this.repeats[i] === slot) taken.push(this.repeats[i + 1]!)
      else left.push(this.repeats[i]!, this.repeats[i + 1]!)
    }
    this.repeats = left
    return taken
  }

  override snapshot(): Image {
    return { ...(super.snapshot() as Record<string, Image>), repeats: Float64Array.from(this.repeats) }
  }

  override restore(image: Image): void {
    super.restore(image)
    this.repeats = [...(image as unknown as { repeats: Float64Array }).repeats]
    this.slotOfKey.clear()
    this.slotOfSeq.clear()
    for (let slot = 0; slot < this.index.slotCount; slot++) {
      if (this.number[slot] === 0) continue
      this.slotOfKey.set(this.key[slot]!, slot)
      if (!this.isAnswered(slot)) this.slotOfSeq.set(this.seq[slot]!, slot)
    }
  }
}
