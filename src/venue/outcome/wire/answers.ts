import { type RowCells } from '../../eventCells.ts'
import { EventCell, readCell } from '../../eventRows.ts'
import { OutcomeOp } from '../protocol/commands.ts'
import { Reply } from '../protocol/events.ts'
import { answerHeaders, isReplayed } from './errors.ts'
import type { WireIdentity } from './identity.ts'

export interface SuccessAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** The resource itself, without an envelope (OM-018); undefined with 204 (OM-019). */
  readonly body: unknown
}

const CREATED = 201
const NO_CONTENT = 204
const OK = 200

/** Opcodes whose success makes a resource, and those that leave nothing to show (chosen: OM-131, OM-133). */
const CREATES: readonly number[] = [
  OutcomeOp.createRfq, OutcomeOp.openCashout, OutcomeOp.submitQuote, OutcomeOp.withdraw, OutcomeOp.reduceCollateral, OutcomeOp.signIn,
  OutcomeOp.challengeKey, OutcomeOp.issueKey,
]
const REMOVES: readonly number[] = [OutcomeOp.cancelQuote, OutcomeOp.signOut, OutcomeOp.revokeKey]

/** HTTP status of a command's success. */
export const successStatus = (op: number): number => (CREATES.includes(op) ? CREATED : REMOVES.includes(op) ? NO_CONTENT : OK)

/** The HTTP answer to a command that succeeded, from its reply row and the resource that it made, changed or read. */
export function successOfReply(identity: WireIdentity, reply: RowCells<'outcome.reply'>, resource: unknown): SuccessAnswer {
  const status = successStatus(readCell(reply, Reply.op))
  return {
    status,
    headers: answerHeaders(identity.request(readCell(reply, EventCell.cause)), isReplayed(reply)),
    body: status === NO_CONTENT ? undefined : resource,
  }
}
