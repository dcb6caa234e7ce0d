import { NONE } from '../../../src/unit/none.ts'
import { type Cell, type RowCells, rowOfKind } from '../../../src/venue/eventCells.ts'
import { EventCell, readCell } from '../../../src/venue/eventRows.ts'
import { OutcomeCode } from '../../../src/venue/outcome/protocol/codes.ts'
import { OutcomeOp } from '../../../src/venue/outcome/protocol/commands.ts'
import * as events from '../../../src/venue/outcome/protocol/events.ts'
import type { CellNames } from '../namedCells.ts'

export type KindName = keyof typeof events.OutcomeEvent
type NamesOf<F extends string> = Readonly<Record<string, Cell<F>>>

const { OutcomeEvent } = events

/** Every row that has a position has it in this cell, and others have NONE there. */
const ANY_POSITION = events.RfqRow.position as Cell<string>

/** What the cells of each kind are called, all of them. Those of a reply are told by `replyNames`. */
const KINDS = {
  outcomeListed: events.OutcomeListed, outcomeHalted: events.OutcomeChanged, outcomeResumed: events.OutcomeChanged,
  outcomeDelisted: events.OutcomeChanged, outcomeResolved: events.OutcomeResolved, feesChanged: events.FeesChanged,
  faultChanged: events.FaultChanged, accountBound: events.AccountBound,
  fundsDeposited: events.FundsDeposited, fundsWithdrawn: events.FundsWithdrawn, signerChanged: events.SignerChanged,
  reductionStarted: events.ReductionStarted,
  rfqCreated: events.RfqCreated, rfqClosed: events.RfqRow, rfqCancelled: events.RfqCancelled, rfqFilled: events.RfqFilled,
  quoteCreated: events.QuoteCreated, quoteReplaced: events.QuoteRow, quoteCancelled: events.QuoteRow, quoteExpired: events.QuoteRow,
  quoteDead: events.QuoteRow, quoteAccepted: events.QuoteAccepted, quoteFilled: events.QuoteFilled, quoteFailed: events.QuoteFailed,
  bestQuoteChanged: events.BestQuoteChanged,
  operationStarted: events.OperationRow, operationUpdated: events.OperationUpdated,
  positionOpened: events.PositionOpened, positionSettled: events.PositionSettled, positionClaimed: events.PositionClaimed,
  positionClosed: events.PositionClosed, positionTransferred: events.PositionTransferred,
  sessionStarted: events.SessionStarted, sessionEnded: events.SessionEnded, challengeMade: events.ChallengeMade,
  keyIssued: events.KeyChanged, keyRevoked: events.KeyChanged, keyExpired: events.KeyChanged,
  streamOpened: events.StreamOpened, streamClosed: events.StreamClosed, streamHeartbeat: events.StreamHeartbeat,
} satisfies { readonly [K in Exclude<KindName, 'reply'>]: NamesOf<`outcome.${K}`> }
/** The same of rows of a cash-out, which have a position. */
const CASH_OUTS = {
  rfqCreated: events.CashOutRfqCreated, quoteCreated: events.BidCreated, quoteAccepted: events.BidAccepted, bestQuoteChanged: events.BestBidChanged,
} satisfies { readonly [K in KindName]?: NamesOf<`outcome.${K}.cashOut`> }

type CellsOfKinds = { readonly [K in keyof typeof KINDS]: (typeof KINDS)[K] & (K extends keyof typeof CASH_OUTS ? (typeof CASH_OUTS)[K] : unknown) } &
  { readonly reply: typeof events.Reply }
/** What the cells of a kind are called, in whatever form, or of each of several kinds; of a reply, what every reply has. */
export type CellName<N extends KindName> = keyof CellsOfKinds[N] & string

const byKind = (names: Readonly<Partial<Record<KindName, CellNames>>>): Readonly<Record<number, CellNames>> =>
  Object.fromEntries(Object.entries(names).map(([name, cells]) => [OutcomeEvent[name as KindName], cells]))
const NAMES = byKind(KINDS)
const CASH_OUT_NAMES = byKind(CASH_OUTS)

const OPS = {
  [OutcomeOp.createRfq]: events.RfqReply, [OutcomeOp.openCashout]: events.RfqReply, [OutcomeOp.cancelRfq]: events.RfqReply,
  [OutcomeOp.submitQuote]: events.QuoteReply, [OutcomeOp.cancelQuote]: events.QuoteReply,
  [OutcomeOp.acceptQuote]: events.AcceptReply, [OutcomeOp.confirmQuote]: events.AcceptReply, [OutcomeOp.declineQuote]: events.AcceptReply,
  [OutcomeOp.deposit]: events.DepositReply, [OutcomeOp.withdraw]: events.WithdrawalReply, [OutcomeOp.reduceCollateral]: events.ReductionReply,
  [OutcomeOp.signIn]: events.CredentialReply, [OutcomeOp.issueKey]: events.CredentialReply, [OutcomeOp.challengeKey]: events.ChallengeReply,
  [OutcomeOp.openStream]: events.StreamReply, [OutcomeOp.openMarketStream]: events.StreamReply, [OutcomeOp.read]: events.ReadReply,
} as const
/** The accept is answered by its maker, or its confirmation's deadline. */
const ANSWERS: readonly number[] = [OutcomeCode.ok, OutcomeCode.declined, OutcomeCode.timedOut]
const REFUSALS = {
  [OutcomeCode.invalidRequest]: events.FieldRefusal, [OutcomeCode.rateLimited]: events.LimitRefusal,
  [OutcomeCode.quoteCapacityExceeded]: events.CapitalRefusal, [OutcomeCode.quoteExposureLimit]: events.CapitalRefusal,
} as const
type Form = (typeof OPS)[keyof typeof OPS] | (typeof REFUSALS)[keyof typeof REFUSALS] | typeof events.Refusal
type NameOfEach<F> = F extends unknown ? keyof F & string : never
/** What the cells of some reply are called. */
export type ReplyName = CellName<'reply'> | NameOfEach<Form>

type Forms = Readonly<Record<number, CellNames>>
const replies = new Map<CellNames | undefined, CellNames>()

/** What the cells of a reply to the opcode `op` with `code` are called. */
export function replyNames(op: number, code: number): CellNames {
  const form = ANSWERS.includes(code) ? (OPS as Forms)[op] : ((REFUSALS as Forms)[code] ?? events.Refusal)
  const known = replies.get(form)
  if (known !== undefined) return known
  const names = { ...events.Reply, ...form }
  replies.set(form, names)
  return names
}

/** What the cells of a kind are called, or of its cash-outs; of a reply what every reply has. */
export const kindNames = (kind: number, isCashOut = false): CellNames =>
  (isCashOut ? CASH_OUT_NAMES[kind] : undefined) ?? NAMES[kind] ?? events.Reply

/** What the cells of a row are called. */
export function namesOf(row: RowCells): CellNames {
  const kind = readCell(row, EventCell.kind) as events.OutcomeKind
  if (kind !== OutcomeEvent.reply) return kindNames(kind, readCell(row, ANY_POSITION) !== NONE)
  const reply = rowOfKind(row, kind)
  return replyNames(readCell(reply, events.Reply.op), readCell(reply, events.Reply.code))
}
