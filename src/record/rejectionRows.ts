import type { TableWriter } from '../arrow/tableWriter.ts'
import { Bug } from '../unit/assert.ts'
import { Service } from '../unit/services.ts'
import { type EventRows, Field, NONE } from '../venue/eventRows.ts'
import { OUTCOME_CODES, OutcomeCode } from '../venue/outcome/protocol/codes.ts'
import { OUTCOME_OP_NAMES } from '../venue/outcome/protocol/commands.ts'
import { OutcomeField } from '../venue/outcome/protocol/events.ts'
import { PARLAY_CODES, ParlayCode } from '../venue/parlay/protocol/codes.ts'
import { PARLAY_OP_NAMES } from '../venue/parlay/protocol/commands.ts'
import { COMMIT_FAILURES } from './cashOutTables.ts'
import type { CastCodes } from './cast.ts'
import { orEmpty, present } from './cells.ts'
import type { rejectionTable } from './logTables.ts'
import { NumberedCodes } from './numberedCodes.ts'

/** What a number is as a reply code; 0 stands at those that are none. */
const CodeKind = { success: 1, error: 2 } as const

const PARLAY_KINDS = kindsOf(PARLAY_CODES, ({ status }) => status >= 400)
const OUTCOME_KINDS = kindsOf(OUTCOME_CODES, ({ retry }) => retry !== null)

/** Whether a reply's code of the parlay service is an error. A code that it does not have is a bug. */
export const isParlayRejection = (code: number): boolean => isError(PARLAY_KINDS, code)
/** The same of the outcome service. */
export const isOutcomeRejection = (code: number): boolean => isError(OUTCOME_KINDS, code)
/** Whether a reply of the outcome service is an answer that its gate remembered (docs/conformance/outcome-gate.md, "Idempotency"). */
export const isReplayed = (events: EventRows, row: number): boolean => events.get(row, Field.listLength) > 0

/** What a reply code means, as all services have it. */
interface Meaning {
  readonly name: string
  readonly status: number
  readonly code: string
  readonly reason?: string
  readonly retry?: string | null
}

/** How the reply codes and opcodes of one service stand in the table. */
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
    writer: TableWriter, at: ReturnType<typeof rejectionTable>['at'],
  ) {
    const byCode = Object.entries(meanings).map(([code, meaning]) => [Number(code), meaning] as const)
    const coded = (column: number, textOf: (meaning: Meaning) => string | null | undefined): NumberedCodes =>
      new NumberedCodes(new Map(byCode.flatMap(([code, meaning]) => {
        const text = textOf(meaning)
        return text ? [[code, writer.codeOf(column, text)]] : []
      })))
    this.service = service
    this.statuses = new NumberedCodes(new Map(byCode.map(([code, { status }]) => [code, status])))
    this.names = coded(at.name, ({ name }) => name)
    this.codes = coded(at.code, ({ code }) => code)
    this.reasons = coded(at.reason, ({ reason }) => reason)
    this.retries = coded(at.retry, ({ retry }) => retry)
    this.ops = new NumberedCodes(new Map(Object.entries(opNames).map(([op, name]) => [Number(op), writer.codeOf(at.op, name)])))
    this.bidFailures = new Set(byCode.filter(([, { name }]) => COMMIT_FAILURES.includes(name)).map(([code]) => code))
  }
}

/** Replies with an error, a row each. */
export class RejectionRows {
  private declare readonly writer: TableWriter
  private declare readonly at: ReturnType<typeof rejectionTable>['at']
  private declare readonly codes: CastCodes
  private declare readonly parlay: Replies
  private declare readonly outcome: Replies

  constructor(writer: TableWriter, at: ReturnType<typeof rejectionTable>['at'], codes: CastCodes) {
    this.writer = writer
    this.at = at
    this.codes = codes
    this.parlay = new Replies(Service.parlay, PARLAY_CODES, PARLAY_OP_NAMES, writer, at)
    this.outcome = new Replies(Service.outcome, OUTCOME_CODES, OUTCOME_OP_NAMES, writer, at)
  }

  parlayRefused(events: EventRows, row: number): void {
    const { at } = this
    const { cells } = this.writer
    const to = this.begin(this.parlay, events, row)
    const code = events.get(row, Field.code)
    cells[to + at.request] = orEmpty(events.get(row, Field.request))
    if (code === ParlayCode.mmConfirmationTimeout) {
      cells[to + at.quote] = present(events.get(row, Field.quote))
      cells[to + at.failed_maker] = this.codes.maker(events.get(row, Field.other))
    }
    if (code === ParlayCode.insufficientCollateral) this.means(to, events, row)
    cells[to + at.position] = orEmpty(events.get(row, Field.position))
    cells[to + at.auction] = orEmpty(events.get(row, Field.auction))
    if (this.parlay.bidFailures.has(code)) {
      cells[to + at.bid] = orEmpty(events.get(row, Field.quote))
      cells[to + at.failed_maker] = this.codes.maker(events.get(row, Field.other))
    }
    if (code === ParlayCode.recoveryPending) cells[to + at.transaction] = orEmpty(events.get(row, Field.amountC))
    if (code === ParlayCode.rateLimited) cells[to + at.retry_after_s] = orEmpty(events.get(row, Field.amountC))
  }

  outcomeRefused(events: EventRows, row: number): void {
    const { at } = this
    const { cells } = this.writer
    const to = this.begin(this.outcome, events, row)
    const code = events.get(row, Field.code)
    cells[to + at.replayed] = isReplayed(events, row) ? 1 : 0
    cells[to + at.request] = orEmpty(events.get(row, OutcomeField.rfq))
    cells[to + at.quote] = orEmpty(events.get(row, Field.quote))
    cells[to + at.position] = orEmpty(events.get(row, Field.position))
    if (code === OutcomeCode.invalidRequest && events.get(row, Field.amountC) !== NONE) {
      cells[to + at.field] = present(events.get(row, Field.amountC) - 1)
      cells[to + at.leg] = orEmpty(events.get(row, Field.amountD))
    }
    if (code === OutcomeCode.quoteCapacityExceeded || code === OutcomeCode.quoteExposureLimit) this.means(to, events, row)
    if (code === OutcomeCode.rateLimited) cells[to + at.retry_after_s] = orEmpty(events.get(row, Field.amountC))
  }

  /** Begins a row with what all services say; returns its first cell. */
  private begin(replies: Replies, events: EventRows, row: number): number {
    const { writer, at } = this
    const { cells } = writer
    const account = events.get(row, Field.account)
    const code = events.get(row, Field.code)
    const to = writer.row()
    cells[to + at.seq] = events.get(row, Field.seq)
    cells[to + at.service] = replies.service
    cells[to + at.at] = events.get(row, Field.atUs)
    cells[to + at.command] = events.get(row, Field.cause)
    cells[to + at.op] = replies.ops.of(events.get(row, Field.amountA))
    // An account as sent can be any number; the journal has it.
    if (account !== NONE && (account | 0) === account) cells[to + at.account] = account
    if (this.codes.has(account)) cells[to + at.group] = this.codes.group(account)
    cells[to + at.name] = replies.names.of(code)
    cells[to + at.status] = replies.statuses.of(code)
    cells[to + at.code] = replies.codes.of(code)
    cells[to + at.reason] = replies.reasons.of(code)
    cells[to + at.retry] = replies.retries.of(code)
    return to
  }

  private means(to: number, events: EventRows, row: number): void {
    const { at } = this
    const { cells } = this.writer
    cells[to + at.required_micros] = orEmpty(events.get(row, Field.amountC))
    cells[to + at.available_micros] = orEmpty(events.get(row, Field.amountD))
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
