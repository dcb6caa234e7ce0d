import { NONE } from '../../../src/unit/none.ts'
import { COMMAND_FIELDS, type OutcomeCommand } from '../../../src/venue/outcome/protocol/commands.ts'

type Numbers = { readonly [name in (typeof COMMAND_FIELDS)[number]]: number }

/** A command as a plain object: the fields of OutcomeCommand, legs as outcome, side pairs. */
export interface GateCommand extends Numbers {
  readonly seq: number
  readonly legs: readonly (readonly [outcome: number, side: number])[]
  readonly list: readonly number[]
}

const BLANK = {
  seq: 0, ...Object.fromEntries(COMMAND_FIELDS.map((name) => [name, NONE])), credential: 0, source: 0, legs: [], list: [],
} as unknown as Omit<GateCommand, 'op' | 'account'>

export const commandOf = (op: number, account: number, fields: Partial<GateCommand> = {}): GateCommand =>
  ({ ...BLANK, op, account, ...fields })

/** Fills the venue's reused command with a plain one. */
export function fill(command: OutcomeCommand, from: GateCommand): OutcomeCommand {
  command.reset(from.op, from.account)
  command.seq = from.seq
  for (const name of COMMAND_FIELDS) command[name] = from[name]
  for (const [outcome, side] of from.legs) command.leg(outcome, side)
  for (const value of from.list) command.item(value)
  return command
}
