import type { ExternalCall } from '../../engine/externalCalls.ts'
import { COMMAND_FIELDS, ParlayCommand } from '../../venue/parlay/protocol/commands.ts'

const UNSET = new ParlayCommand().reset(0, -1)
/** They are said beside a command's fields. */
const SAID_ELSEWHERE: ReadonlySet<string> = new Set(['op', 'account', 'credential'])
const FIELDS = COMMAND_FIELDS.filter((name) => !SAID_ELSEWHERE.has(name))

/** A command as a call from outside of the session, whose fields are those that are set. */
export function externalCallOf(c: ParlayCommand): ExternalCall {
  const fields: Record<string, number> = {}
  for (const name of FIELDS) if (c[name] !== UNSET[name]) fields[name] = c[name]
  const legs: (readonly [market: number, side: number])[] = []
  for (let i = 0; i < c.legCount; i++) legs.push([c.legMarkets[i]!, c.legSides[i]!])
  return { op: c.op, credential: c.credential, fields, legs, list: c.listCount === 0 ? [] : [...c.list.subarray(0, c.listCount)] }
}
