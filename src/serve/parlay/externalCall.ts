import type { ExternalCall } from '../../engine/externalCalls.ts'
import { COMMAND_FIELDS, ParlayCommand } from '../../venue/parlay/protocol/commands.ts'

const UNSET = new ParlayCommand().reset(0, -1)
/** They are said beside a command's fields. */
const SAID_ELSEWHERE: ReadonlySet<string> = new Set(['op', 'account', 'credential'])
const FIELDS = COMMAND_FIELDS.filter((name) => !SAID_ELSEWHERE.has(name))

/** A command as a call from outside of the session, whose fields are those that are set. */
export const externalCallOf = (c: ParlayCommand): ExternalCall => ({
  op: c.op, credential: c.credential,
  fields: Object.fromEntries(FIELDS.filter((name) => c[name] !== UNSET[name]).map((name) => [name, c[name]])),
  legs: Array.from({ length: c.legCount }, (_, i) => [c.legMarkets[i]!, c.legSides[i]!] as const),
  list: [...c.list.subarray(0, c.listCount)],
})
