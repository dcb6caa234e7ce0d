import type { LimitView } from '../../venue/callWindows.ts'
import { type ErrorAnswer, type ErrorCode, errorAnswer } from '../../venue/parlay/wire/errors.ts'
import { limitHeaders } from '../../venue/parlay/wire/limitHeaders.ts'
import { PARLAY_CODES } from '../../venue/parlay/protocol/codes.ts'
import type { Answer, HeaderPairs } from '../exchange.ts'
import { answerWith } from '../jsonAnswer.ts'

/** The headers that say what a call's limit has left; every answer has them (PQ-445…447). */
export const limitPairs = (limit: LimitView, shiftUs: number): HeaderPairs => Object.entries(limitHeaders(limit, shiftUs))

/** An error. Its own headers, such as `Retry-After`, are among those of the limit. */
export const errorWith = ({ status, body }: ErrorAnswer, headers: HeaderPairs): Answer => answerWith(status, body, headers)

/** The error of a refusal that no reply row tells. */
export const errorOfCode = (code: number): ErrorAnswer => errorAnswer(PARLAY_CODES[code]!.code as ErrorCode)
