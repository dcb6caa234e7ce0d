import type { ExternalCall } from '../../engine/externalCalls.ts'
import { COMMAND_FIELDS, OutcomeCommand } from '../../venue/outcome/protocol/commands.ts'

const UNSET = new OutcomeCommand().reset(0, -1)
/** They are said beside a command's fields. */
const SAID_ELSEWHERE: ReadonlySet<string> = new Set(['op', 'account', 'credential'])
const FIELDS = COMMAND_FIELDS.filter((name) => !SAID_ELSEWHERE.has(name))

/** A command as a call from outside of the session, whose fields are those that are set. The number of a caller that is no participant is a field. */
export const externalCallOf = (c: OutcomeCommand, isParticipant: boolean): ExternalCall => ({
  op: c.op, credential: c.credential,
  fields: {
    ...Object.fromEntries(FIELDS.filter((name) => c[name] !== UNSET[name]).map((name) => [name, c[name]])), ...(!isParticipant && { account: c.account }),
  },
  legs: Array.from({ length: c.legCount }, (_, i) => [c.legOutcomes[i]!, c.legSides[i]!] as const),
  list: [...c.list.subarray(0, c.listCount)],
})
