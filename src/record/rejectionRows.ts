import type { RowWriter } from '../arrow/rowWriter.ts'
import { Bug } from '../unit/assert.ts'
import { NONE } from '../unit/none.ts'
import { Service } from '../unit/services.ts'
import { type KindOf, type Row, rowAs } from '../venue/eventCells.ts'
import { EventCell, type EventRows } from '../venue/eventRows.ts'
import { OUTCOME_CODES, OutcomeCode } from '../venue/outcome/protocol/codes.ts'
import { OUTCOME_OP_NAMES } from '../venue/outcome/protocol/commands.ts'
import * as outcome from '../venue/outcome/protocol/events.ts'
import { PARLAY_CODES, ParlayCode } from '../venue/parlay/protocol/codes.ts'
import { PARLAY_OP_NAMES } from '../venue/parlay/protocol/commands.ts'
import * as parlay from '../venue/parlay/protocol/events.ts'
import { COMMIT_FAILURES } from './cashOutTables.ts'
import type { DirectoryCodes } from './directory.ts'
import { orEmpty, present } from './cells.ts'
import type { rejectionTable } from './logTables.ts'
import { NumberedCodes } from './numberedCodes.ts'
import { Reply as AnyReply } from './sharedCells.ts'

type ParlayReply = Row<KindOf<typeof parlay.Reply>>
type OutcomeReply = Row<KindOf<typeof outcome.Reply>>

/** What a number means as a reply code. 0 marks numbers that are no reply code. */
const CodeKind = { success: 1, error: 2 } as const

const PARLAY_KINDS = kindsOf(PARLAY_CODES, ({ status }) => status >= 400)
const OUTCOME_KINDS = kindsOf(OUTCOME_CODES, ({ retry }) => retry !== null)

/** Whether a reply code of the parlay service is an error. A code that the service does not have is a bug. */
export const isParlayRejection = (code: number): boolean => isError(PARLAY_KINDS, code)
/** The same of the outcome service. */
export const isOutcomeRejection = (code: number): boolean => isError(OUTCOME_KINDS, code)
/** Whether a reply of the outcome service is an answer that its gate remembered (docs/conformance/outcome-gate.md, "Idempotency"). */
export const isReplayed = (events: EventRows, row: OutcomeReply): boolean => events.read(row, EventCell.listLength) > 0

/** What a reply code means, in the terms of all services. */
interface Meaning {
  readonly name: string
  readonly status: number
  readonly code: string
  readonly reason?: string
  readonly retry?: string | null
}

/** The reply codes and opcodes of one service as the table has them. */
class Replies {
  declare readonly service: number
  declare readonly statuses: NumberedCodes
  declare readonly names: NumberedCodes
  declare readonly codes: NumberedCodes
  declare readonly reasons: NumberedCodes
  declare readonly retries: NumberedCodes
  declare readonly ops: NumberedCodes
  /** Cash-out commits that put a bid out. */
  declare readonly bidFailures: ReadonlySet<number>

  constructor(
    service: number, meanings: Readonly<Record<number, Meaning>>, opNames: Readonly<Record<number, string>>,
    writer: RowWriter, at: ReturnType<typeof rejectionTable>['at'],
  ) {
    const byCode = Object.entries(meanings).map(([code, meaning]) => [Number(code), meaning] as const)
    const coded = (column: number, textOf: (meaning: Meaning) => string | null | undefined): NumberedCodes =>
      new NumberedCodes(new Map(byCode.flatMap(([code, meaning]) => {
        const text = textOf(meaning)
        return text ? [[code, writer.codeOf(column, text)]] : []
      })))
    this.service = service
    this.statuses = new NumberedCodes(new Map(byCode.map(([code, { status }]) => [code, status])))
    this.names = coded(at.rejection, ({ name }) => name)
    this.codes = coded(at.code, ({ code }) => code)
    this.reasons = coded(at.reason, ({ reason }) => reason)
    this.retries = coded(at.retry, ({ retry }) => retry)
    this.ops = new NumberedCodes(new Map(Object.entries(opNames).map(([op, name]) => [Number(op), writer.codeOf(at.op, name)])))
    this.bidFailures = new Set(byCode.filter(([, { name }]) => COMMIT_FAILURES.includes(name)).map(([code]) => code))
  }
}

/** Replies with an error, one row each. */
export class RejectionRows {
  private declare readonly writer: RowWriter
  private declare readonly at: ReturnType<typeof rejectionTable>['at']
  private declare readonly codes: DirectoryCodes
  private declare readonly parlay: Replies
  private declare readonly outcome: Replies

  constructor(writer: RowWriter, at: ReturnType<typeof rejectionTable>['at'], codes: DirectoryCodes) {
    this.writer = writer
    this.at = at
    this.codes = codes
    this.parlay = new Replies(Service.parlay, PARLAY_CODES, PARLAY_OP_NAMES, writer, at)
    this.outcome = new Replies(Service.outcome, OUTCOME_CODES, OUTCOME_OP_NAMES, writer, at)
  }

  parlayRefused(events: EventRows, reply: ParlayReply): void {
    const { at } = this
    const { cells } = this.writer
    const to = this.begin(this.parlay, events, reply)
    const code = events.read(reply, parlay.Reply.code)
    const row = rowAs(parlay.Refusal, reply)
    cells[to + at.request] = orEmpty(events.read(row, parlay.Refusal.request))
    cells[to + at.position] = orEmpty(events.read(row, parlay.Refusal.position))
    cells[to + at.auction] = orEmpty(events.read(row, parlay.Refusal.auction))
    if (this.parlay.bidFailures.has(code)) {
      const sale = rowAs(parlay.SaleReply, reply)
      cells[to + at.bid] = orEmpty(events.read(sale, parlay.SaleReply.bid))
      cells[to + at.failed_maker] = this.codes.maker(events.read(sale, parlay.SaleReply.maker))
    }
    if (code === ParlayCode.mmConfirmationTimeout) {
      const commit = rowAs(parlay.CommitReply, reply)
      cells[to + at.quote] = present(events.read(commit, parlay.CommitReply.quote))
      cells[to + at.failed_maker] = this.codes.maker(events.read(commit, parlay.CommitReply.maker))
    }
    if (code === ParlayCode.insufficientCollateral) {
      const { requiredMicros, availableMicros } = parlay.CollateralRefusal
      const refusal = rowAs(parlay.CollateralRefusal, reply)
      this.means(to, events.read(refusal, requiredMicros), events.read(refusal, availableMicros))
    }
    if (code === ParlayCode.recoveryPending) {
      cells[to + at.transaction] = orEmpty(events.read(rowAs(parlay.VaultReply, reply), parlay.VaultReply.transaction))
    }
    if (code === ParlayCode.rateLimited) {
      cells[to + at.retry_after_s] = orEmpty(events.read(rowAs(parlay.LimitRefusal, reply), parlay.LimitRefusal.retryAfterS))
    }
  }

  outcomeRefused(events: EventRows, reply: OutcomeReply): void {
    const { at } = this
    const { cells } = this.writer
    const to = this.begin(this.outcome, events, reply)
    const code = events.read(reply, outcome.Reply.code)
    const row = rowAs(outcome.Refusal, reply)
    cells[to + at.replayed] = isReplayed(events, reply) ? 1 : 0
    cells[to + at.request] = orEmpty(events.read(row, outcome.Refusal.rfq))
    cells[to + at.quote] = orEmpty(events.read(row, outcome.Refusal.quote))
    cells[to + at.position] = orEmpty(events.read(row, outcome.Refusal.position))
    if (code === OutcomeCode.invalidRequest) {
      const { invalidField, legIndex } = outcome.FieldRefusal
      const refusal = rowAs(outcome.FieldRefusal, reply)
      if (events.read(refusal, invalidField) !== NONE) {
        cells[to + at.field] = present(events.read(refusal, invalidField) - 1)
        cells[to + at.leg] = orEmpty(events.read(refusal, legIndex))
      }
    }
    if (code === OutcomeCode.quoteCapacityExceeded || code === OutcomeCode.quoteExposureLimit) {
      const { requiredMicros, availableMicros } = outcome.CapitalRefusal
      const refusal = rowAs(outcome.CapitalRefusal, reply)
      this.means(to, events.read(refusal, requiredMicros), events.read(refusal, availableMicros))
    }
    if (code === OutcomeCode.rateLimited) {
      cells[to + at.retry_after_s] = orEmpty(events.read(rowAs(outcome.LimitRefusal, reply), outcome.LimitRefusal.retryAfterS))
    }
  }

  /** Begins a row with the cells of all services. Returns its first cell. */
  private begin(replies: Replies, events: EventRows, row: Row<KindOf<typeof AnyReply>>): number {
    const { writer, at } = this
    const { cells } = writer
    const account = events.read(row, AnyReply.account)
    const code = events.read(row, AnyReply.code)
    const to = writer.row()
    cells[to + at.seq] = events.read(row, EventCell.seq)
    cells[to + at.service] = replies.service
    cells[to + at.at] = events.read(row, EventCell.atUs)
    cells[to + at.command] = events.read(row, EventCell.cause)
    cells[to + at.op] = replies.ops.of(events.read(row, AnyReply.op))
    // The account in a command can be any number. The journal has it.
    if (account !== NONE && (account | 0) === account) cells[to + at.account] = account
    if (this.codes.has(account)) cells[to + at.cohort] = this.codes.group(account)
    cells[to + at.rejection] = replies.names.of(code)
    cells[to + at.http_status] = replies.statuses.of(code)
    cells[to + at.code] = replies.codes.of(code)
    cells[to + at.reason] = replies.reasons.of(code)
    cells[to + at.retry] = replies.retries.of(code)
    return to
  }

  private means(to: number, requiredMicros: number, availableMicros: number): void {
    const { at } = this
    const { cells } = this.writer
    cells[to + at.required_micros] = orEmpty(requiredMicros)
    cells[to + at.available_micros] = orEmpty(availableMicros)
  }
}

function kindsOf<M>(meanings: Readonly<Record<number, M>>, isErrorMeant: (meaning: M) => boolean): Uint8Array {
  const codes = Object.keys(meanings).map(Number)
  const kinds = new Uint8Array(Math.max(...codes) + 1)
  for (const code of codes) kinds[code] = isErrorMeant(meanings[code]!) ? CodeKind.error : CodeKind.success
  return kinds
}

function isError(kinds: Uint8Array, code: number): boolean {
  const kind = kinds[code]
  if (kind === CodeKind.success) return false
  if (kind === CodeKind.error) return true
  throw new Bug(`no reply has code ${code}`)
}
