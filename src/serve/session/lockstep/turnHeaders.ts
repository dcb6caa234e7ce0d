import type { HeaderPairs } from '../../exchange.ts'
import { valuesOf } from '../../headers.ts'

/** Which call of a session something is. */
export interface CallNumber {
  readonly turn: number
  /** From 1 within the turn. */
  readonly call: number
}

/** What a call says of its place in a turn. */
export interface TurnHeaders {
  /** Null: the turn of its client that is open, or the next one. */
  readonly turn: number | null
  readonly call: number
  /** It is the last call of its turn, which ends with it. */
  readonly isLast: boolean
  /** Turns before its answer end by themselves. */
  readonly holds: boolean
}

export interface MisplacedCall {
  readonly fault: string
}

const NUMBER = /^[1-9]\d{0,8}$/

/** Reads `Parlor-Turn`, `Parlor-Call`, `Parlor-Done` and `Parlor-Hold`. */
export function turnHeadersOf(headers: HeaderPairs): TurnHeaders | MisplacedCall {
  const given: Record<string, number | null> = {}
  for (const name of ['parlor-turn', 'parlor-call', 'parlor-done', 'parlor-hold']) {
    const values = valuesOf(headers, name)
    if (values.length > 1 || (values.length === 1 && !NUMBER.test(values[0]!))) return { fault: `${name} is one whole number from 1 on` }
    given[name] = values.length === 0 ? null : Number(values[0])
  }
  const { 'parlor-turn': turn, 'parlor-call': call, 'parlor-done': done, 'parlor-hold': hold } = given as Record<string, number | null>
  const number = done ?? call
  if (number === null || number === undefined) return { fault: 'a call has a number: Parlor-Call, or Parlor-Done for the last one of its turn' }
  if (done !== null && call !== null && done !== call) return { fault: 'Parlor-Done is the number of the last call, which is this one' }
  const holds = hold !== null
  if (holds && done === null) return { fault: 'Parlor-Hold stands with Parlor-Done' }
  if (turn === null && !holds) return { fault: 'a call names its turn, Parlor-Turn, or holds' }
  return { turn: turn ?? null, call: number, isLast: done !== null, holds }
}

export const isMisplaced = (headers: TurnHeaders | MisplacedCall): headers is MisplacedCall => 'fault' in headers
