import { NONE } from '../../../unit/none.ts'
import { MS_US } from '../../../unit/time.ts'
import { rowAs } from '../../eventCells.ts'
import { isListRoute, isPublicRoute, READ_ROUTES, ReadRoute } from '../protocol/access.ts'
import { InvalidField, OutcomeCode } from '../protocol/codes.ts'
import { type OutcomeCommand, OutcomeOp, Read } from '../protocol/commands.ts'
import { ReadReply } from '../protocol/events.ts'
import { openReply, reply, replyInvalid } from './rows.ts'
import type { GateState } from './state.ts'

/** Whether a number is a `ReadRoute`. */
export const isRoute = (route: number): boolean => Number.isInteger(route) && route >= 0 && route < READ_ROUTES

/** A read that needs no credential (OM-021). */
export const isPublicRead = ({ op, [Read.route]: route }: OutcomeCommand): boolean =>
  op === OutcomeOp.read && isRoute(route) && isPublicRoute(route)

/** Answers a read. The gate checks its page limit and cursor (OM-196, OM-197, OM-243…245). The content comes from the view. */
export function read(s: GateState, c: OutcomeCommand): void {
  const { [Read.route]: route, [Read.pageLimit]: limit, cursor } = c
  if (!isRoute(route)) return replyInvalid(s, c, InvalidField.value)
  if (!isListRoute(route)) {
    const isPlain = limit === NONE && cursor === NONE
    return reply(s, c, isPlain ? OutcomeCode.ok : OutcomeCode.invalidQuery)
  }
  const { profile, events } = s
  const max = route === ReadRoute.marketHistory ? profile.historyPageMax : profile.pageMax
  if (limit !== NONE && !(Number.isInteger(limit) && limit >= 1 && limit <= max)) return reply(s, c, OutcomeCode.invalidQuery)
  const isOfCatalogue = route === ReadRoute.markets || route === ReadRoute.marketHistory
  const refusal = isOfCatalogue ? refusalOfGeneration(s, cursor) : refusalOfInstant(s, cursor)
  if (refusal !== OutcomeCode.ok) return reply(s, c, refusal)
  const row = rowAs(ReadReply, openReply(s, c, OutcomeCode.ok))
  events.write(row, ReadReply.nextCursor, isOfCatalogue ? s.generation : Math.floor(s.nowUs / MS_US))
  events.write(row, ReadReply.pageLimit, limit === NONE ? profile.pageDefault : limit)
}

const isCursor = (cursor: number): boolean => Number.isSafeInteger(cursor) && cursor >= 0

/** The refusal of a cursor that is a generation of the catalogue. */
function refusalOfGeneration(s: GateState, cursor: number): number {
  if (cursor === NONE) return OutcomeCode.ok
  if (!isCursor(cursor) || cursor > s.generation) return OutcomeCode.invalidCursor
  return cursor < s.generation ? OutcomeCode.staleCursor : OutcomeCode.ok
}

/** The refusal of a cursor that is the instant of the first page, ms. */
function refusalOfInstant(s: GateState, cursor: number): number {
  if (cursor === NONE) return OutcomeCode.ok
  if (!isCursor(cursor) || cursor * MS_US > s.nowUs) return OutcomeCode.invalidCursor
  return s.nowUs >= cursor * MS_US + s.cursorLifeUs ? OutcomeCode.cursorExpired : OutcomeCode.ok
}
