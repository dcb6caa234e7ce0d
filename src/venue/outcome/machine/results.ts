import { MarketResult } from '../../../market/sides.ts'
import { NONE } from '../../../unit/none.ts'
import { Resolve } from '../../contract.ts'
import { InvalidField, OutcomeCode } from '../protocol/codes.ts'
import type { OutcomeCommand } from '../protocol/commands.ts'
import { OutcomeEvent, OutcomeResolved } from '../protocol/events.ts'
import { cancelCashOutOfDecided } from './cashOuts.ts'
import { isOutcomeNumber, openOutcomeRow } from './outcomes.ts'
import { PositionCell } from './positionRows.ts'
import { countLeg } from './positions.ts'
import { refuseField, reply } from './rows.ts'
import type { OutcomeState } from './state.ts'

/** Gives an outcome its result, once. In the same step the cash-out RFQs of positions that it decides are cancelled. */
export function resolveOutcome(s: OutcomeState, c: OutcomeCommand): void {
  const { outcomes } = s
  const { outcome, [Resolve.result]: result } = c
  if (!isOutcomeNumber(outcome)) return refuseField(s, c, InvalidField.outcome)
  const isResult = result === MarketResult.no || result === MarketResult.yes || result === MarketResult.void
  if (!isResult) return refuseField(s, c, InvalidField.value)
  if (!outcomes.known(outcome)) return reply(s, c, OutcomeCode.notFound)
  if (outcomes.resolved[outcome] === 1) return reply(s, c, OutcomeCode.stateConflict)

  outcomes.resolved[outcome] = 1
  outcomes.result[outcome] = result
  const row = openOutcomeRow(s, OutcomeEvent.outcomeResolved, outcome)
  // −0 becomes 0, because the digest sees the bits of a number.
  s.events.write(row, OutcomeResolved.result, result + 0)
  decidePositions(s, outcome)
  reply(s, c, OutcomeCode.ok)
}

/** Counts a result for the positions on `outcome`, and cancels the cash-outs of those that it decides, by number. */
function decidePositions(s: OutcomeState, outcome: number): void {
  const { outcomes, positions } = s
  const decided: number[] = []
  for (let node = outcomes.firstLeg[outcome]!; node !== NONE; node = positions.legAfter[node]!) {
    const p = positions.positionOf(node)
    if (countLeg(s, p, node)) decided.push(positions.cells[p + PositionCell.number]!)
  }
  decided.sort((a, b) => a - b)
  for (const number of decided) cancelCashOutOfDecided(s, positions.rowOf(number))
}
