import { NONE } from '../../../src/unit/none.ts'
import type { OutcomeCommand } from '../../../src/venue/outcome/protocol/commands.ts'
import type { Leg } from './state.ts'

/** A command as a plain object: the fields of OutcomeCommand that the venue reads, legs and list as arrays. */
export interface ModelCommand {
  readonly seq: number
  readonly op: number
  readonly account: number
  readonly key: number
  readonly rfq: number
  readonly generation: number
  readonly quote: number
  readonly position: number
  readonly outcome: number
  readonly stakeMicros: number
  readonly payoutMicros: number
  readonly amountMicros: number
  readonly coreMicros: number
  readonly expiryS: number
  readonly exitUntilS: number
  readonly validAfterS: number
  readonly validBeforeS: number
  readonly closeUs: number
  readonly signer: number
  readonly termsTag: number
  readonly value: number
  readonly value2: number
  readonly legs: readonly Leg[]
  readonly list: readonly number[]
  /** The list's length, or a count that no list has. */
  readonly listCount: number
}

const NUMBERS = [
  'key', 'rfq', 'generation', 'quote', 'position', 'outcome', 'stakeMicros', 'payoutMicros', 'amountMicros', 'coreMicros', 'expiryS',
  'exitUntilS', 'validAfterS', 'validBeforeS', 'closeUs', 'signer', 'termsTag', 'value', 'value2',
] as const satisfies readonly (keyof ModelCommand & keyof OutcomeCommand)[]

const BLANK: Omit<ModelCommand, 'op' | 'account'> = {
  seq: 0, key: NONE, rfq: NONE, generation: NONE, quote: NONE, position: NONE, outcome: NONE, stakeMicros: NONE, payoutMicros: NONE,
  amountMicros: NONE, coreMicros: NONE, expiryS: NONE, exitUntilS: NONE, validAfterS: NONE, validBeforeS: NONE, closeUs: NONE, signer: NONE,
  termsTag: NONE, value: NONE, value2: NONE, legs: [], list: [], listCount: 0,
}

export const commandOf = (op: number, account: number, fields: Partial<ModelCommand> = {}): ModelCommand =>
  ({ ...BLANK, op, account, listCount: fields.list?.length ?? 0, ...fields })

/** Fills the venue's reused command with a plain one. */
export function fill(command: OutcomeCommand, from: ModelCommand): OutcomeCommand {
  command.reset(from.op, from.account)
  command.seq = from.seq
  for (const name of NUMBERS) command[name] = from[name]
  for (const leg of from.legs) command.leg(leg.outcome, leg.side)
  for (const value of from.list) command.item(value)
  command.listCount = from.listCount
  return command
}

/** The plain command that a reused one is now. */
export function plainOf(command: OutcomeCommand): ModelCommand {
  const legs = Array.from({ length: command.legCount }, (_, i) => ({ outcome: command.legOutcomes[i]!, side: command.legSides[i]! }))
  const numbers = Object.fromEntries(NUMBERS.map((name) => [name, command[name]]))
  const list = [...command.list.subarray(0, command.listCount)]
  return { ...commandOf(command.op, command.account, { ...numbers, legs, list }), seq: command.seq, listCount: command.listCount }
}
