import { NONE } from '../../../src/unit/none.ts'
import { needsKey } from '../../../src/venue/outcome/protocol/access.ts'
import { OUTCOME_CODES, OutcomeCode } from '../../../src/venue/outcome/protocol/codes.ts'
import { COMMAND_FIELDS, KEY_MAX, OutcomeOp } from '../../../src/venue/outcome/protocol/commands.ts'
import { OutcomeEvent } from '../../../src/venue/outcome/protocol/events.ts'
import { type Answer, rowsOfKind } from '../outcome/namedRows.ts'
import type { GateCommand } from './command.ts'
import type { Row } from './rows.ts'
import { isIntegerIn, type Remembered, repeatReply, type State, type Turn, unsignedZero } from './state.ts'

const NO_CONTENT: readonly string[] = ['account', 'credential', 'source', 'origin', 'key', 'memoE9', 'productE9']

export const keyName = (account: number, key: number): string => `${unsignedZero(account)}/${key}`

/** Everything that a key stands for, as text: the call that the command was made of, and of none all that the command says. */
export const contentOf = (command: GateCommand): string => command.cursor !== NONE ? `${command.op} of call ${unsignedZero(command.cursor)}` : [
  ...COMMAND_FIELDS.filter((name) => !NO_CONTENT.includes(name)).map((name) => String(command[name])),
  ...command.legs.map((leg) => leg.join('/')), '|', ...command.list,
].join(' ')

/** What is known under the key of a command that needs one. */
export const knownOf = (state: State, { account, key }: GateCommand): Remembered | undefined => state.remembered.get(keyName(account, key))

/** The key's refusal, null when the command is a first one, or `repeat` when it was answered or waits for its first. */
export function checkKey(turn: Turn, command: GateCommand): Answer | 'repeat' | null {
  const { op, key } = command
  const { state } = turn
  const invalid = { code: OutcomeCode.invalidIdempotencyKey }
  if (op === OutcomeOp.confirmQuote || op === OutcomeOp.declineQuote) return key === NONE ? null : invalid
  if (!needsKey(op)) return null
  if (!isIntegerIn(key, 1, KEY_MAX)) return invalid
  const known = knownOf(state, command)
  if (known === undefined) return null
  if (known.content !== contentOf(command)) return { code: OutcomeCode.idempotencyKeyReused }
  if (known.answer === null) {
    state.remembered.set(keyName(command.account, key), { ...known, waiting: [...known.waiting, command.seq] })
  } else repeatReply(turn, known.answer.row, command.seq)
  return 'repeat'
}

/** The command is the first with its key, and on its way. */
export function begin({ state }: Turn, command: GateCommand): void {
  if (!needsKey(command.op)) return
  const first: Remembered = { content: contentOf(command), op: command.op, cause: command.seq, answer: null, waiting: [] }
  state.remembered.set(keyName(command.account, command.key), first)
}

/** Remembers the answers among the rows, and answers the commands that repeat theirs. */
export function answerRepeats(turn: Turn, rows: readonly Row[]): void {
  const { state, profile, nowUs } = turn
  for (const row of rowsOfKind(rows, OutcomeEvent.reply)) {
    const entry = [...state.remembered].find(([, { cause, answer }]) => cause === row.cause && answer === null)
    if (entry === undefined) continue
    const [name, first] = entry
    const retentionMs = first.op === OutcomeOp.acceptQuote ? profile.acceptRetentionMs : profile.idempotencyRetentionMs
    const { status } = OUTCOME_CODES[row.code]!
    if (status === 429 || status === 503) state.remembered.delete(name)
    else state.remembered.set(name, { ...first, answer: { row, untilUs: nowUs + retentionMs * 1000 }, waiting: [] })
    for (const cause of first.waiting) repeatReply(turn, row, cause)
  }
}
