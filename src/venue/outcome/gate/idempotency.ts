import { EntityColumns } from '../../../unit/countedColumns.ts'
import type { Image } from '../../../unit/snapshot.ts'
import { Field, NONE } from '../../eventRows.ts'
import { OUTCOME_CODES } from '../protocol/codes.ts'
import { COMMAND_LEGS_MAX, COMMAND_LIST_MAX, KEY_MAX, type OutcomeCommand, OutcomeOp } from '../protocol/commands.ts'
import { OutcomeEvent } from '../protocol/events.ts'
import { fingerprint, FINGERPRINT_WORDS } from './fingerprint.ts'
import { openRow } from './rows.ts'
import { GateRank, type GateState } from './state.ts'

/** Fields of a reply row that its replay repeats: from account to untilUs. */
const FIRST_FIELD = Field.account
const REPLY_WIDTH = Field.untilUs - FIRST_FIELD + 1
const KEY_SPAN = KEY_MAX + 1

/** Stands in place of the upper half of a number that is an int32; of no other number but a NaN that is never written. */
const INT32_MARK = 0x7ff80001

/**
 * Commands with an Idempotency-Key, from their first sending until their answer is forgotten (readings B11). Found by account
 * and key; those under way also by the sequence number of the command.
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
  /** Of the answer: its reply row's fields. */
  cells = new Float64Array(this.capacity * REPLY_WIDTH)
  private readonly slotOfKey = new Map<number, number>()
  /** Of the commands that wait for an answer. */
  private readonly slotOfSeq = new Map<number, number>()
  /** Slot of the command that is being played, or −1: most are answered at once. */
  private playing = NONE
  /** Repeats of commands that are under way, in order of arrival: slot of the command, sequence number of the repeat. */
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

  /** The command that was being played has been, with an answer or without. */
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

/** Numbers of a command that are content, two words each. */
const CONTENT_FIELDS = 26
/** A content's words: its numbers, two for each leg, one for each item of the list. */
const words = new Int32Array(CONTENT_FIELDS * 2 + COMMAND_LEGS_MAX * 2 + COMMAND_LIST_MAX)
const lanes = new Int32Array(FINGERPRINT_WORDS)
const scratch = new Float64Array(1)
const scratchWords = new Int32Array(scratch.buffer)

/**
 * Fingerprint of a command's content: all of it but who sends it, how, and its key. −0 counts as 0, every NaN as the same. Valid
 * until the next call. The fields are written out, as V8 looks one up by its name at many times the cost.
 */
export function contentOf(c: OutcomeCommand): Int32Array {
  let n = 0
  n = add(n, c.op)
  n = add(n, c.rfq)
  n = add(n, c.generation)
  n = add(n, c.quote)
  n = add(n, c.position)
  n = add(n, c.outcome)
  n = add(n, c.stakeMicros)
  n = add(n, c.payoutMicros)
  n = add(n, c.amountMicros)
  n = add(n, c.coreMicros)
  n = add(n, c.expiryS)
  n = add(n, c.exitUntilS)
  n = add(n, c.validAfterS)
  n = add(n, c.validBeforeS)
  n = add(n, c.closeUs)
  n = add(n, c.signer)
  n = add(n, c.termsTag)
  n = add(n, c.challenge)
  n = add(n, c.expiryDays)
  n = add(n, c.cursor)
  n = add(n, c.version)
  n = add(n, c.validMs)
  n = add(n, c.value)
  n = add(n, c.value2)
  n = add(n, c.legCount)
  n = add(n, c.listCount)
  for (let i = 0; i < c.legCount && i < COMMAND_LEGS_MAX; i++) {
    words[n++] = c.legOutcomes[i]!
    words[n++] = c.legSides[i]!
  }
  for (let i = 0; i < c.listCount && i < COMMAND_LIST_MAX; i++) words[n++] = c.list[i]!
  fingerprint(words, n, lanes)
  return lanes
}

/** Writes the two words of a number from `at` on; where the next one begins. */
function add(at: number, value: number): number {
  if ((value | 0) === value) {
    words[at] = value | 0
    words[at + 1] = INT32_MARK
  } else {
    scratch[0] = Number.isNaN(value) ? NaN : value
    words[at] = scratchWords[0]!
    words[at + 1] = scratchWords[1]!
  }
  return at + 2
}

/**
 * Answers a repeat with the remembered answer of the command in `slot`; the list [1] stands for `Idempotency-Replayed: true`
 * (OM-109, OM-110).
 */
export function replay(s: GateState, slot: number, cause: number): void {
  const { answers, events } = s
  const before = s.cause
  s.cause = cause
  const first = slot * REPLY_WIDTH
  openRow(s, OutcomeEvent.reply, answers.cells[first]!)
  for (let i = 1; i < REPLY_WIDTH; i++) events.set(FIRST_FIELD + i, answers.cells[first + i]!)
  events.push(1)
  s.cause = before
}

/** Remembers what the rows `from` … `end − 1` answer to commands under way, and then answers their waiting repeats. */
export function rememberAnswers(s: GateState, from: number, end: number): void {
  const { answers, events } = s
  let slots: number[] | null = null
  for (let row = from; row < end; row++) {
    if (events.get(row, Field.kind) !== OutcomeEvent.reply) continue
    const slot = answers.underWay(events.get(row, Field.cause))
    if (slot === NONE) continue
    for (let i = 0; i < REPLY_WIDTH; i++) answers.cells[slot * REPLY_WIDTH + i] = events.get(row, FIRST_FIELD + i)
    answers.answered(slot)
    ;(slots ??= []).push(slot)
  }
  if (slots === null) return
  for (const slot of slots) {
    for (const seq of answers.takeRepeats(slot)) replay(s, slot, seq)
    keepOrDrop(s, slot)
  }
}

/** An answer after which the client repeats the call under its key is not remembered (OM-171). */
function keepOrDrop(s: GateState, slot: number): void {
  const { answers } = s
  const cell = (field: number): number => answers.cells[slot * REPLY_WIDTH + field - FIRST_FIELD]!
  const { status } = OUTCOME_CODES[cell(Field.code)]!
  if (status === 429 || status === 503) return answers.drop(slot)
  const keptUs = cell(Field.amountA) === OutcomeOp.acceptQuote ? s.acceptRetentionUs : s.idempotencyRetentionUs
  s.schedule(s.nowUs + keptUs, GateRank.forgetting, answers.number[slot]!)
}

/** An answer's retention is over. */
export function forgettingDue(s: GateState, number: number): void {
  s.answers.drop(s.answers.index.slotOf(number))
}
