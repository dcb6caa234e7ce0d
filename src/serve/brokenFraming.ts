import { randomUUID } from 'node:crypto'
import { OutcomeCode } from '../venue/outcome/protocol/codes.ts'
import { errorAnswer as outcomeError } from '../venue/outcome/wire/errors.ts'
import { errorAnswer as parlayError } from '../venue/parlay/wire/errors.ts'
import type { Answer, Exchange } from './exchange.ts'
import { answerWith } from './jsonAnswer.ts'

/**
 * What a service answers to bytes that are no HTTP: its own 400. They are no call, so that no limit counts them, and the id of the answer is
 * drawn for it. Null for the port for turns, which has no document.
 */
export function brokenFramingAnswer(service: Exchange['service']): Answer | null {
  if (service === 'control') return null
  const { status, body, headers } = service === 'parlay' ? parlayError('VALIDATION_ERROR') : outcomeError(OutcomeCode.invalidRequest, randomUUID())
  return answerWith(status, body, Object.entries(headers))
}
