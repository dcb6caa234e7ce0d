import type { TableWriter } from '../arrow/tableWriter.ts'
import { type EventRows, Field } from '../venue/eventRows.ts'
import { PARLAY_CODES, ParlayCode } from '../venue/parlay/protocol/codes.ts'
import type { CastCodes } from './cast.ts'
import { BID_FAILURES } from './cashOutTables.ts'
import { CODES, OPS, type rejectionTable } from './logTables.ts'
import { PARLAY_SERVICE } from './tableShape.ts'

/** By opcode: its table code, or none. */
export const OP_CODES: ReadonlyMap<number, number> = new Map(OPS.map((op, code) => [op, code]))
const REPLY_CODES: ReadonlyMap<number, number> = new Map(CODES.map((reply, code) => [reply, code]))

/** Whether a reply's code is an error. */
export const isRejection = (code: number): boolean => code !== ParlayCode.ok && PARLAY_CODES[code]!.status >= 400

/** Cash-out commits that put a bid out. */
const FAILS_A_BID: ReadonlySet<string> = new Set(BID_FAILURES)

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

  refused(events: EventRows, row: number): void {
    const { writer, at } = this
    const code = events.get(row, Field.code)
    const meaning = PARLAY_CODES[code]!
    const account = events.get(row, Field.account)
    const op = OP_CODES.get(events.get(row, Field.amountA))
    writer.row()
    writer.int(at.seq, events.get(row, Field.seq))
    writer.code(at.service, PARLAY_SERVICE)
    writer.int(at.at, events.get(row, Field.atUs))
    writer.int(at.command, events.get(row, Field.cause))
    if (op !== undefined) writer.code(at.op, op)
    writer.intOrNone(at.account, account)
    if (this.codes.has(account)) writer.code(at.group, this.codes.group(account))
    writer.code(at.name, REPLY_CODES.get(code)!)
    writer.int(at.status, meaning.status)
    writer.label(at.code, meaning.code)
    if (meaning.reason !== '') writer.label(at.reason, meaning.reason)
    writer.intOrNone(at.request, events.get(row, Field.request))
    if (code === ParlayCode.mmConfirmationTimeout) {
      writer.int(at.quote, events.get(row, Field.quote))
      writer.code(at.failed_maker, this.codes.maker(events.get(row, Field.other)))
    }
    if (code === ParlayCode.insufficientCollateral) {
      writer.intOrNone(at.required_micros, events.get(row, Field.amountC))
      writer.intOrNone(at.available_micros, events.get(row, Field.amountD))
    }
    writer.intOrNone(at.position, events.get(row, Field.position))
    writer.intOrNone(at.auction, events.get(row, Field.auction))
    if (FAILS_A_BID.has(meaning.name)) {
      writer.intOrNone(at.bid, events.get(row, Field.quote))
      writer.code(at.failed_maker, this.codes.maker(events.get(row, Field.other)))
    }
    if (code === ParlayCode.recoveryPending) writer.intOrNone(at.transaction, events.get(row, Field.amountC))
    if (code === ParlayCode.rateLimited) writer.intOrNone(at.retry_after_s, events.get(row, Field.amountC))
  }
}
