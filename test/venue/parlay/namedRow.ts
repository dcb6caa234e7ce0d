import type { Row } from '../../../src/venue/eventCells.ts'
import { EventCell, type EventRows } from '../../../src/venue/eventRows.ts'
import { PARLAY_CODES } from '../../../src/venue/parlay/protocol/codes.ts'
import { PARLAY_OP_NAMES } from '../../../src/venue/parlay/protocol/commands.ts'
import { PARLAY_EVENT_NAMES, type ParlayEvent } from '../../../src/venue/parlay/protocol/events.ts'
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

const OUTCOMES = ['lost', 'won', 'void']
const VAULT_STATUSES = ['completed', 'chain pending', 'balance pending', 'failed']
/** What the numbers of some cells mean, by kind. */
const MEANINGS: Readonly<Partial<Record<keyof typeof ParlayEvent, Readonly<Record<string, readonly string[]>>>>> = {
  positionSettled: { outcome: OUTCOMES }, settlementDelayed: { outcome: OUTCOMES },
  positionCancelled: { reason: ['by user', 'chain failed'] }, auctionCancelled: { reason: ['by seller', 'decided'] },
  vaultTransactionStarted: { status: VAULT_STATUSES }, vaultTransactionChanged: { status: VAULT_STATUSES },
  auctionCommitted: { route: ['closes', 'transfers'] },
}

function shown(event: string, name: string, value: number, originUs: number): unknown {
  // Every instant of a row is named …Us, and no duration is.
  if (name.endsWith('Us')) return value - originUs
  if (name === 'op') return PARLAY_OP_NAMES[value] ?? value
  if (name === 'code' || name === 'failure') return PARLAY_CODES[value]!.name
  return MEANINGS[event as keyof typeof ParlayEvent]?.[name]?.[value] ?? value
}

/** Names and values of a row; `at` and every other instant count from `originUs`. */
export function namedRow(events: EventRows, row: Row, originUs: number): NamedRow {
  const event = PARLAY_EVENT_NAMES[events.kindOf(row)]!
  const cells = events.rowCells(row)
  const named: NamedRow = { event, at: events.read(row, EventCell.atUs) - originUs }
  for (const [name, value] of Object.entries(namedCells(cells, namesOf(cells)))) named[name] = shown(event, name, value, originUs)
  if (events.list(row).length > 0) named.list = [...events.list(row)]
  return named
}
