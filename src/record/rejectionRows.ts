import type { TableWriter } from '../arrow/tableWriter.ts'
import { Service } from '../unit/services.ts'
import { type EventRows, Field, NONE } from '../venue/eventRows.ts'
import { OUTCOME_CODES, OutcomeCode } from '../venue/outcome/protocol/codes.ts'
import { OUTCOME_OP_NAMES } from '../venue/outcome/protocol/commands.ts'
import { OutcomeField } from '../venue/outcome/protocol/events.ts'
import { PARLAY_CODES, ParlayCode } from '../venue/parlay/protocol/codes.ts'
import { PARLAY_OP_NAMES } from '../venue/parlay/protocol/commands.ts'
import { COMMIT_FAILURES } from './cashOutTables.ts'
import type { CastCodes } from './cast.ts'
import type { rejectionTable } from './logTables.ts'

/** Whether a reply's code of the parlay service is an error. */
export const isParlayRejection = (code: number): boolean => code !== ParlayCode.ok && PARLAY_CODES[code]!.status >= 400
/** The same of the outcome service. */
export const isOutcomeRejection = (code: number): boolean => code !== OutcomeCode.ok && OUTCOME_CODES[code]!.retry !== null
/** Whether a reply of the outcome service is an answer that its gate remembered (docs/conformance/outcome-gate.md, "Idempotency"). */
export const isReplayed = (events: EventRows, row: number): boolean => events.get(row, Field.listLength) > 0

/** Cash-out commits that put a bid out. */
const FAILS_A_BID: ReadonlySet<string> = new Set(COMMIT_FAILURES)

/** Replies with an error, a row each. */
export class RejectionRows {
  private readonly writer: TableWriter
  private readonly at: ReturnType<typeof rejectionTable>['at']
  private readonly codes: CastCodes

  constructor(writer: TableWriter, at: ReturnType<typeof rejectionTable>['at'], codes: CastCodes) {
    this.writer = writer
    this.at = at
    this.codes = codes
  }

  parlayRefused(events: EventRows, row: number): void {
    const { writer, at } = this
    const code = events.get(row, Field.code)
    const meaning = PARLAY_CODES[code]!
    this.begin(Service.parlay, events, row, PARLAY_OP_NAMES, meaning)
    if (meaning.reason !== '') writer.label(at.reason, meaning.reason)
    writer.intOrNone(at.request, events.get(row, Field.request))
    if (code === ParlayCode.mmConfirmationTimeout) {
      writer.int(at.quote, events.get(row, Field.quote))
      writer.code(at.failed_maker, this.codes.maker(events.get(row, Field.other)))
    }
    if (code === ParlayCode.insufficientCollateral) this.means(events, row)
    writer.intOrNone(at.position, events.get(row, Field.position))
    writer.intOrNone(at.auction, events.get(row, Field.auction))
    if (FAILS_A_BID.has(meaning.name)) {
      writer.intOrNone(at.bid, events.get(row, Field.quote))
      writer.code(at.failed_maker, this.codes.maker(events.get(row, Field.other)))
    }
    if (code === ParlayCode.recoveryPending) writer.intOrNone(at.transaction, events.get(row, Field.amountC))
    if (code === ParlayCode.rateLimited) writer.intOrNone(at.retry_after_s, events.get(row, Field.amountC))
  }

  outcomeRefused(events: EventRows, row: number): void {
    const { writer, at } = this
    const code = events.get(row, Field.code)
    const meaning = OUTCOME_CODES[code]!
    this.begin(Service.outcome, events, row, OUTCOME_OP_NAMES, meaning)
    writer.label(at.retry, meaning.retry!)
    writer.bool(at.replayed, isReplayed(events, row))
    writer.intOrNone(at.request, events.get(row, OutcomeField.rfq))
    writer.intOrNone(at.quote, events.get(row, Field.quote))
    writer.intOrNone(at.position, events.get(row, Field.position))
    if (code === OutcomeCode.invalidRequest && events.get(row, Field.amountC) !== NONE) {
      writer.code(at.field, events.get(row, Field.amountC) - 1)
      writer.intOrNone(at.leg, events.get(row, Field.amountD))
    }
    if (code === OutcomeCode.quoteCapacityExceeded || code === OutcomeCode.quoteExposureLimit) this.means(events, row)
    if (code === OutcomeCode.rateLimited) writer.intOrNone(at.retry_after_s, events.get(row, Field.amountC))
  }

  private begin(
    service: number, events: EventRows, row: number, opNames: Readonly<Record<number, string>>,
    meaning: { readonly name: string; readonly status: number; readonly code: string },
  ): void {
    const { writer, at } = this
    const account = events.get(row, Field.account)
    const op = opNames[events.get(row, Field.amountA)]
    writer.row()
    writer.int(at.seq, events.get(row, Field.seq))
    writer.code(at.service, service)
    writer.int(at.at, events.get(row, Field.atUs))
    writer.int(at.command, events.get(row, Field.cause))
    if (op !== undefined) writer.label(at.op, op)
    // An account as sent can be any number; the journal has it.
    if (account !== NONE && (account | 0) === account) writer.int(at.account, account)
    if (this.codes.has(account)) writer.code(at.group, this.codes.group(account))
    writer.label(at.name, meaning.name)
    writer.int(at.status, meaning.status)
    writer.label(at.code, meaning.code)
  }

  private means(events: EventRows, row: number): void {
    this.writer.intOrNone(this.at.required_micros, events.get(row, Field.amountC))
    this.writer.intOrNone(this.at.available_micros, events.get(row, Field.amountD))
  }
}
