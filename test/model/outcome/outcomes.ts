import { MarketResult } from '../../../src/market/sides.ts'
import { NONE } from '../../../src/unit/none.ts'
import { OutcomeCode } from '../../../src/venue/outcome/protocol/codes.ts'
import { OutcomeEvent } from '../../../src/venue/outcome/protocol/events.ts'
import { areLimbs, compareLimbs } from '../../../src/venue/outcome/protocol/outcomeId.ts'
import type { ModelCommand } from './command.ts'
import type { Answer, EventKind } from './namedRows.ts'
import { isIntegerIn } from './numbers.ts'
import { invalid, OK, type Turn, write } from './rows.ts'
import { decidePositions } from './settlement.ts'
import { change, type Outcome, put } from './state.ts'

export const OUTCOME_MAX = 1_048_575

const isOutcome = (number: number): boolean => isIntegerIn(number, 0, OUTCOME_MAX)

/** Lists a new outcome, replaces a listed one, brings a delisted one back. */
export function listOutcome(turn: Turn, command: ModelCommand): Answer {
  const { closeUs, list, listCount } = command
  // An outcome of −0 is outcome 0.
  const number = command.outcome + 0
  if (!isOutcome(number)) return invalid('outcome')
  if (!isIntegerIn(closeUs, 1, Number.MAX_SAFE_INTEGER)) return invalid('close')
  if (!areLimbs(list, listCount)) return invalid('outcomeId')
  const { outcomes } = turn.state
  const known = outcomes.get(number)
  const isTaken = [...outcomes.values()].some((other) => (other.number === number) !== (compareLimbs(other.id, list) === 0))
  if (isTaken || (known !== undefined && known.result !== NONE)) return { code: OutcomeCode.stateConflict }
  put(outcomes, { number, id: [...list], closeUs, listed: true, halted: false, result: NONE })
  write(turn, OutcomeEvent.outcomeListed, { outcome: number, closeUs, list: [...list] })
  return OK
}

export const haltOutcome = (turn: Turn, command: ModelCommand): Answer =>
  changeListed(turn, command, { halted: true }, OutcomeEvent.outcomeHalted)

export const resumeOutcome = (turn: Turn, command: ModelCommand): Answer =>
  changeListed(turn, command, { halted: false }, OutcomeEvent.outcomeResumed)

export const delistOutcome = (turn: Turn, command: ModelCommand): Answer =>
  changeListed(turn, command, { listed: false }, OutcomeEvent.outcomeDelisted)

function changeListed({ state, ...turn }: Turn, command: ModelCommand, fields: Partial<Outcome>, kind: EventKind<'outcomeHalted' | 'outcomeResumed' | 'outcomeDelisted'>): Answer {
  if (!isOutcome(command.outcome)) return invalid('outcome')
  const outcome = state.outcomes.get(command.outcome)
  if (outcome === undefined || !outcome.listed) return { code: OutcomeCode.notFound }
  if (outcome.result !== NONE) return { code: OutcomeCode.stateConflict }
  change(state.outcomes, outcome.number, fields)
  write({ state, ...turn }, kind, { outcome: outcome.number })
  return OK
}

/** Gives an outcome its result, and the positions that it decides a batch to settle in. */
export function resolveOutcome(turn: Turn, command: ModelCommand): Answer {
  if (!isOutcome(command.outcome)) return invalid('outcome')
  if (!isIntegerIn(command.value, MarketResult.no, MarketResult.void)) return invalid('value')
  const outcome = turn.state.outcomes.get(command.outcome)
  if (outcome === undefined) return { code: OutcomeCode.notFound }
  if (outcome.result !== NONE) return { code: OutcomeCode.stateConflict }
  const { result } = change(turn.state.outcomes, outcome.number, { result: command.value + 0 })
  write(turn, OutcomeEvent.outcomeResolved, { outcome: outcome.number, result })
  decidePositions(turn)
  return OK
}
