import type { Row } from '../../../src/venue/eventCells.ts'
import { EventCell, type EventRows } from '../../../src/venue/eventRows.ts'
import { OUTCOME_CODES } from '../../../src/venue/outcome/protocol/codes.ts'
import { OUTCOME_OP_NAMES } from '../../../src/venue/outcome/protocol/commands.ts'
import { OUTCOME_EVENT_NAMES, type OutcomeEvent } from '../../../src/venue/outcome/protocol/events.ts'
import { namedCells } from '../namedCells.ts'
import { namesOf } from './cellNames.ts'

/** A row by the names of its kind, without the cells that are −1. */
export interface NamedRow {
  event: string
  at: number
  code?: string
  list?: number[]
  [cell: string]: unknown
}

const OPERATION_KINDS = ['', 'fill', 'cashout', 'withdrawal']
/** What the numbers of some cells mean, by kind. */
const MEANINGS: Readonly<Partial<Record<keyof typeof OutcomeEvent, Readonly<Record<string, readonly string[]>>>>> = {
  accountBound: { role: ['participant', 'maker'] }, rfqCancelled: { reason: ['byOwner', 'decided', 'superseded'] },
  operationStarted: { operationKind: OPERATION_KINDS }, operationUpdated: { operationKind: OPERATION_KINDS },
  positionSettled: { outcome: ['lost', 'won', 'void'] },
}

function shown(event: string, name: string, value: number, originUs: number): unknown {
  // Every instant of a row is named …Us, and no duration is.
  if (name.endsWith('Us')) return value - originUs
  if (name === 'op') return OUTCOME_OP_NAMES[value] ?? value
  if (name === 'code' || (name === 'reason' && event === 'streamClosed')) return OUTCOME_CODES[value]!.name
  return MEANINGS[event as keyof typeof OutcomeEvent]?.[name]?.[value] ?? value
}

/** Names and values of a row; `at` and every other instant count from `originUs`. */
export function namedRow(events: EventRows, row: Row, originUs: number): NamedRow {
  const event = OUTCOME_EVENT_NAMES[events.kindOf(row)]!
  const cells = events.rowCells(row)
  const named: NamedRow = { event, at: events.read(row, EventCell.atUs) - originUs }
  for (const [name, value] of Object.entries(namedCells(cells, namesOf(cells)))) named[name] = shown(event, name, value, originUs)
  if (events.list(row).length > 0) named.list = [...events.list(row)]
  return named
}
