import { CountedColumns } from '../../../unit/countedColumns.ts'
import { Field, NONE } from '../../eventRows.ts'
import { InvalidField, OutcomeCode } from '../protocol/codes.ts'
import { type OutcomeCommand, OutcomeResult } from '../protocol/commands.ts'
import { OutcomeEvent } from '../protocol/events.ts'
import { areLimbs } from '../protocol/outcomeId.ts'
import { decidePositions } from './positions.ts'
import { refuseField, reply } from './rows.ts'
import type { OutcomeState } from './state.ts'

export const OUTCOME_NUMBER_MAX = 1_048_575

const NEVER_LISTED = 0
const LISTED = 1
const DELISTED = 2

/** Outcomes by their number, which the operator chooses. */
export class OutcomeColumns extends CountedColumns {
  /** One more than the highest number listed so far. */
  count = 0
  status = new Uint8Array(this.capacity)
  halted = new Uint8Array(this.capacity)
  resolved = new Uint8Array(this.capacity)
  /** An `OutcomeResult` once resolved. */
  result = new Uint8Array(this.capacity)
  closeUs = new Float64Array(this.capacity)
  /** Where its outcome_id stands in `OutcomeIds`; for good, from its first listing. */
  idStart = new Int32Array(this.capacity)
  idLength = new Uint8Array(this.capacity)
  /** Leg node of the position linked last, or −1; see positions.ts. */
  firstLeg = new Int32Array(this.capacity)

  protected override rowCount(): number {
    return this.count
  }

  /** Whether the number was ever listed. */
  known(outcome: number): boolean {
    return outcome >= 0 && outcome < this.count && this.status[outcome] !== NEVER_LISTED
  }

  listed(outcome: number): boolean {
    return outcome >= 0 && outcome < this.count && this.status[outcome] === LISTED
  }

  /** Whether the outcome is past its close, or resolved. */
  over(outcome: number, nowUs: number): boolean {
    return nowUs >= this.closeUs[outcome]! || this.resolved[outcome] === 1
  }
}

/** The outcome_ids of all known outcomes, as limbs in one pool, and which outcome each is the id of (OM-023). */
export class OutcomeIds extends CountedColumns {
  /** Limbs in use. */
  used = 0
  limbs = new Int32Array(this.capacity)
  /** Outcome numbers by the text of their limbs. It follows from the pool, so no image holds it. */
  private readonly outcomes = new Map<string, number>()

  protected override rowCount(): number {
    return this.used
  }

  /** Below 0, 0 or above 0 as the id of `a` is below, equal to or above that of `b`, as integers (OM-249, readings B13). */
  compare(outcomes: OutcomeColumns, a: number, b: number): number {
    const length = outcomes.idLength[a]!
    if (length !== outcomes.idLength[b]!) return length - outcomes.idLength[b]!
    const { limbs } = this
    const startA = outcomes.idStart[a]!
    const startB = outcomes.idStart[b]!
    let i = 0
    while (i < length && limbs[startA + i] === limbs[startB + i]) i++
    return i === length ? 0 : limbs[startA + i]! - limbs[startB + i]!
  }

  /** The outcome that has these limbs as its id, or −1. */
  outcomeOf(limbs: Int32Array): number {
    return this.outcomes.get(textOf(limbs, 0, limbs.length)) ?? NONE
  }

  /** Gives the outcome its id. */
  add(outcomes: OutcomeColumns, outcome: number, limbs: Int32Array): void {
    outcomes.idStart[outcome] = this.used
    outcomes.idLength[outcome] = limbs.length
    this.ensure(this.used + limbs.length)
    this.limbs.set(limbs, this.used)
    this.used += limbs.length
    this.outcomes.set(textOf(limbs, 0, limbs.length), outcome)
  }

  /** Finds the outcomes by their ids again, after a restore. */
  index(outcomes: OutcomeColumns): void {
    this.outcomes.clear()
    for (let outcome = 0; outcome < outcomes.count; outcome++) {
      if (!outcomes.known(outcome)) continue
      this.outcomes.set(textOf(this.limbs, outcomes.idStart[outcome]!, outcomes.idLength[outcome]!), outcome)
    }
  }
}

/** The key of `count` limbs; TypedArray.prototype.join costs several times as much for so few. */
function textOf(limbs: Int32Array, from: number, count: number): string {
  let text = ''
  for (let i = from; i < from + count; i++) text += `${limbs[i]!},`
  return text
}

/** Whether legs on the outcome can be asked for now; a halted one's can. */
export const isAskable = (s: OutcomeState, outcome: number): boolean =>
  s.outcomes.listed(outcome) && !s.outcomes.over(outcome, s.nowUs)

/** Whether legs on the outcome can be traded now. */
export const isTradable = (s: OutcomeState, outcome: number): boolean => isAskable(s, outcome) && s.outcomes.halted[outcome] === 0

/** Adds an outcome, replaces a listed one, or relists a delisted one; none of them is halted then. */
export function listOutcome(s: OutcomeState, c: OutcomeCommand): void {
  const { outcomes, outcomeIds, events } = s
  const { outcome, closeUs } = c
  if (!isOutcomeNumber(outcome)) return refuseField(s, c, InvalidField.outcome)
  if (!(Number.isSafeInteger(closeUs) && closeUs >= 1)) return refuseField(s, c, InvalidField.close)
  if (!areLimbs(c.list, c.listCount)) return refuseField(s, c, InvalidField.outcomeId)
  const limbs = c.list.subarray(0, c.listCount)
  const known = outcomes.known(outcome)
  if (known && outcomes.resolved[outcome] === 1) return reply(s, c, OutcomeCode.stateConflict)
  const holder = outcomeIds.outcomeOf(limbs)
  if (holder !== (known ? outcome : NONE)) return reply(s, c, OutcomeCode.stateConflict)

  if (outcome >= outcomes.count) {
    outcomes.count = outcome + 1
    outcomes.ensure(outcomes.count)
  }
  if (!known) {
    outcomeIds.add(outcomes, outcome, limbs)
    outcomes.firstLeg[outcome] = NONE
  }
  outcomes.status[outcome] = LISTED
  outcomes.halted[outcome] = 0
  outcomes.closeUs[outcome] = closeUs
  openOutcomeRow(s, OutcomeEvent.outcomeListed, outcome)
  events.set(Field.untilUs, closeUs)
  for (let i = 0; i < c.listCount; i++) events.push(c.list[i]!)
  reply(s, c, OutcomeCode.ok)
}

/** Halts, resumes or delists an outcome, as the opcode's event says. */
export function changeOutcome(s: OutcomeState, c: OutcomeCommand, event: number): void {
  const { outcomes } = s
  const { outcome } = c
  if (!isOutcomeNumber(outcome)) return refuseField(s, c, InvalidField.outcome)
  if (!outcomes.listed(outcome)) return reply(s, c, OutcomeCode.notFound)
  if (outcomes.resolved[outcome] === 1) return reply(s, c, OutcomeCode.stateConflict)

  if (event === OutcomeEvent.outcomeDelisted) outcomes.status[outcome] = DELISTED
  else outcomes.halted[outcome] = event === OutcomeEvent.outcomeHalted ? 1 : 0
  openOutcomeRow(s, event, outcome)
  reply(s, c, OutcomeCode.ok)
}

/** Gives an outcome its result, once; the positions that it decides leave their cash-out RFQs in the same step. */
export function resolveOutcome(s: OutcomeState, c: OutcomeCommand): void {
  const { outcomes } = s
  const { outcome, value } = c
  if (!isOutcomeNumber(outcome)) return refuseField(s, c, InvalidField.outcome)
  const isResult = value === OutcomeResult.no || value === OutcomeResult.yes || value === OutcomeResult.void
  if (!isResult) return refuseField(s, c, InvalidField.value)
  if (!outcomes.known(outcome)) return reply(s, c, OutcomeCode.notFound)
  if (outcomes.resolved[outcome] === 1) return reply(s, c, OutcomeCode.stateConflict)

  outcomes.resolved[outcome] = 1
  outcomes.result[outcome] = value
  openOutcomeRow(s, OutcomeEvent.outcomeResolved, outcome)
  // A result of −0 is 0, whose bits the digest sees.
  s.events.set(Field.amountB, value + 0)
  decidePositions(s, outcome)
  reply(s, c, OutcomeCode.ok)
}

const isOutcomeNumber = (outcome: number): boolean => Number.isInteger(outcome) && outcome >= 0 && outcome <= OUTCOME_NUMBER_MAX

function openOutcomeRow(s: OutcomeState, event: number, outcome: number): void {
  s.events.open(s.nowUs, event, s.cause)
  // An outcome of −0 is outcome 0.
  s.events.set(Field.amountA, outcome + 0)
}
