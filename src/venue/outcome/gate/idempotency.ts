import { COMMAND_LEGS_MAX } from '../../contract.ts'
import { rowOfKind } from '../../eventCells.ts'
import { NONE } from '../../../unit/none.ts'
import { copiedCell, EventCell } from '../../eventRows.ts'
import { OUTCOME_CODES } from '../protocol/codes.ts'
import { COMMAND_LIST_MAX, Keyed, type OutcomeCommand, OutcomeOp } from '../protocol/commands.ts'
import { OutcomeEvent, type OutcomeKind, Reply } from '../protocol/events.ts'
import { fingerprint, FINGERPRINT_WORDS } from './fingerprint.ts'
import { GateRank, type GateState } from './state.ts'

/** Stands in place of the upper half of an int32. Only a NaN that is never written has this upper half. */
const INT32_MARK = 0x7ff80001

/** Numbers of a command that are content, two words each. */
const CONTENT_FIELDS = 25
/** The words of a content: its numbers, two for each leg, one for each item of the list. */
const words = new Int32Array(CONTENT_FIELDS * 2 + COMMAND_LEGS_MAX * 2 + COMMAND_LIST_MAX)
const lanes = new Int32Array(FINGERPRINT_WORDS)
const scratch = new Float64Array(1)
const scratchWords = new Int32Array(scratch.buffer)

/**
 * Fingerprint of a command's content: of one made of a call, the opcode and the call's tag, since the same call makes other commands when
 * what its service knows has changed (OM-109). Of any other, everything except its sender, the way it was sent, and its key. −0 counts as
 * 0, and all NaNs count as equal. Valid until the next call.
 */
export function contentOf(c: OutcomeCommand): Int32Array {
  const n = c[Keyed.bodyTag] === NONE ? addFields(c) : add(add(0, c.op), c[Keyed.bodyTag])
  fingerprint(words, n, lanes)
  return lanes
}

/** Writes the words of a command's fields, written out because a lookup by name costs V8 many times as much. Returns where they end. */
function addFields(c: OutcomeCommand): number {
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
  return n
}

/** Writes the two words of a number from `at` on. Returns where the next one begins. */
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
 * Answers a repeat with the remembered answer of the command in `slot`. The list [1] stands for `Idempotency-Replayed: true`
 * (OM-109, OM-110).
 */
export function replay(s: GateState, slot: number, cause: number): void {
  const { answers, events } = s
  const row = events.open(s.nowUs, OutcomeEvent.reply, cause)
  events.repeatRow(row, answers.copies, slot)
  events.push(1)
}

/** Remembers the answers in rows `from` … `end − 1` to commands under way, and then answers their waiting repeats. */
export function rememberAnswers(s: GateState, from: number, end: number): void {
  const { answers, events } = s
  let slots: number[] | null = null
  for (let i = from; i < end; i++) {
    const row = events.row(i)
    const kind = events.kindOf(row) as OutcomeKind
    if (kind !== OutcomeEvent.reply) continue
    const slot = answers.underWay(events.read(row, EventCell.cause))
    if (slot === NONE) continue
    events.copyRow(rowOfKind(row, kind), answers.copies, slot)
    answers.answered(slot)
    ;(slots ??= []).push(slot)
  }
  if (slots === null) return
  for (const slot of slots) {
    for (const seq of answers.takeRepeats(slot)) replay(s, slot, seq)
    keepOrDrop(s, slot)
  }
}

/** Drops an answer after which the client repeats the call under its key (OM-171). Keeps any other for its retention. */
function keepOrDrop(s: GateState, slot: number): void {
  const { answers } = s
  const { status } = OUTCOME_CODES[copiedCell(answers.copies, slot, Reply.code)]!
  if (status === 429 || status === 503) return answers.drop(slot)
  const keptUs = copiedCell(answers.copies, slot, Reply.op) === OutcomeOp.acceptQuote ? s.acceptRetentionUs : s.idempotencyRetentionUs
  s.schedule(s.nowUs + keptUs, GateRank.forgetting, answers.number[slot]!)
}

/** Deadline: an answer's retention is over. */
export function forgettingDue(s: GateState, number: number): void {
  s.answers.drop(s.answers.index.slotOf(number))
}
