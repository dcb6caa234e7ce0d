import type { Kind, KindOf, Row } from '../../eventCells.ts'
import { NONE } from '../../../unit/none.ts'
import { InvalidField, OutcomeCode } from '../protocol/codes.ts'
import type { OutcomeCommand } from '../protocol/commands.ts'
import { OutcomeChanged, OutcomeEvent, OutcomeListed } from '../protocol/events.ts'
import { areLimbs } from '../protocol/outcomeId.ts'
import { refuseField, reply } from './rows.ts'
import type { OutcomeState } from './state.ts'

const OUTCOME_NUMBER_MAX = 1_048_575

/** Whether legs on the outcome can be asked for now. Those on a halted outcome can. */
export const isAskable = (s: OutcomeState, outcome: number): boolean =>
  s.outcomes.listed(outcome) && !s.outcomes.over(outcome, s.nowUs)

/** Whether legs on the outcome can be traded now. */
export const isTradable = (s: OutcomeState, outcome: number): boolean => isAskable(s, outcome) && s.outcomes.halted[outcome] === 0

/** Adds an outcome, replaces a listed one, or relists a delisted one. It is then not halted. */
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

  outcomes.list(outcome, closeUs)
  if (!known) outcomeIds.add(outcomes, outcome, limbs)
  const row = openOutcomeRow(s, OutcomeEvent.outcomeListed, outcome)
  events.write(row, OutcomeListed.closeUs, closeUs)
  for (let i = 0; i < c.listCount; i++) events.push(c.list[i]!)
  reply(s, c, OutcomeCode.ok)
}

/** Halts, resumes or delists an outcome, as the opcode's event says. */
export function changeOutcome(s: OutcomeState, c: OutcomeCommand, kind: Kind<KindOf<typeof OutcomeChanged>>): void {
  const { outcomes } = s
  const { outcome } = c
  if (!isOutcomeNumber(outcome)) return refuseField(s, c, InvalidField.outcome)
  if (!outcomes.listed(outcome)) return reply(s, c, OutcomeCode.notFound)
  if (outcomes.resolved[outcome] === 1) return reply(s, c, OutcomeCode.stateConflict)

  if (kind === OutcomeEvent.outcomeDelisted) outcomes.delist(outcome)
  else outcomes.halted[outcome] = kind === OutcomeEvent.outcomeHalted ? 1 : 0
  openOutcomeRow(s, kind, outcome)
  reply(s, c, OutcomeCode.ok)
}

export const isOutcomeNumber = (outcome: number): boolean => Number.isInteger(outcome) && outcome >= 0 && outcome <= OUTCOME_NUMBER_MAX

/** Opens a row about an outcome. */
export function openOutcomeRow<N extends KindOf<typeof OutcomeChanged>>(s: OutcomeState, kind: Kind<N>, outcome: number): Row<N> {
  const row = s.events.open(s.nowUs, kind, s.cause)
  // −0 names outcome 0.
  s.events.write(row, OutcomeChanged.outcome, outcome + 0)
  return row
}
