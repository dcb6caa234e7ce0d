import { NONE } from '../../../src/unit/none.ts'
import { ParlayCommand } from '../../../src/venue/parlay/protocol/commands.ts'

/** The number fields that a command can carry, by the names of ParlayCommand. */
const NUMBERS = [
  'request', 'version', 'contentTag', 'quote', 'bookSeq', 'oddsE4', 'validMs', 'betMicros', 'amountMicros', 'position', 'auction', 'market',
  'closeUs', 'value', 'value2',
] as const

type Numbers = { readonly [name in (typeof NUMBERS)[number]]: number }

/** A command as a plain object: the fields of ParlayCommand, legs as market, side pairs. */
export interface GateCommand extends Numbers {
  readonly seq: number
  readonly op: number
  readonly account: number
  readonly credential: number
  readonly source: number
  readonly legs: readonly (readonly [market: number, side: number])[]
}

const BLANK = { seq: 0, credential: 0, source: 0, legs: [], ...Object.fromEntries(NUMBERS.map((name) => [name, NONE])) } as unknown as
  Omit<GateCommand, 'op' | 'account'>

export const commandOf = (op: number, account: number, fields: Partial<GateCommand> = {}): GateCommand =>
  ({ ...BLANK, op, account, ...fields })

/** Fills the venue's reused command with a plain one. */
export function fill(command: ParlayCommand, from: GateCommand): ParlayCommand {
  command.reset(from.op, from.account)
  command.seq = from.seq
  command.credential = from.credential
  command.source = from.source
  for (const name of NUMBERS) command[name] = from[name]
  for (const [market, side] of from.legs) command.leg(market, side)
  return command
}
