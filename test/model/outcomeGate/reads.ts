import { NONE } from '../../../src/unit/none.ts'
import { isListRoute, ReadRoute } from '../../../src/venue/outcome/protocol/access.ts'
import { InvalidField, OutcomeCode } from '../../../src/venue/outcome/protocol/codes.ts'
import type { Answer } from '../outcome/namedRows.ts'
import type { GateCommand } from './command.ts'
import { isRoute } from './credentials.ts'
import { isIntegerIn, type Turn } from './state.ts'

const MS_US = 1000

/** A read that passed steps 1 to 7: its page limit and its cursor. */
export function read(turn: Turn, { value: route, value2: limit, cursor }: GateCommand): Answer {
  const { profile, state, nowUs } = turn
  if (!isRoute(route)) return { code: OutcomeCode.invalidRequest, invalidField: InvalidField.value }
  if (!isListRoute(route)) return { code: limit === NONE && cursor === NONE ? OutcomeCode.ok : OutcomeCode.invalidQuery }
  const most = route === ReadRoute.marketHistory ? profile.historyPageMax : profile.pageMax
  if (limit !== NONE && !isIntegerIn(limit, 1, most)) return { code: OutcomeCode.invalidQuery }
  const refusal = cursor === NONE ? null : isOfCatalogue(route) ? checkGeneration(turn, cursor) : checkInstant(turn, cursor)
  if (refusal !== null) return { code: refusal }
  return {
    code: OutcomeCode.ok, nextCursor: isOfCatalogue(route) ? state.generation : Math.floor(nowUs / MS_US),
    pageLimit: limit === NONE ? profile.pageDefault : limit,
  }
}

const isOfCatalogue = (route: number): boolean => route === ReadRoute.markets || route === ReadRoute.marketHistory
const isMalformed = (cursor: number): boolean => !(Number.isSafeInteger(cursor) && cursor >= 0)

function checkGeneration({ state }: Turn, cursor: number): number | null {
  if (isMalformed(cursor) || cursor > state.generation) return OutcomeCode.invalidCursor
  return cursor < state.generation ? OutcomeCode.staleCursor : null
}

function checkInstant({ nowUs, profile }: Turn, cursor: number): number | null {
  if (isMalformed(cursor) || cursor * MS_US > nowUs) return OutcomeCode.invalidCursor
  return nowUs - cursor * MS_US >= profile.cursorLifeMs * MS_US ? OutcomeCode.cursorExpired : null
}
