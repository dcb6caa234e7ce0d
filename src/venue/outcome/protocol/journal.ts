import { widened } from '../../../unit/widened.ts'
import { COMMAND_FIELDS, type OutcomeCommand } from './commands.ts'

/** Fields of a journal row, in order; legs then list stand in the side pool from `poolStart`. */
export const JOURNAL_FIELDS = ['seq', 'atUs', 'service', ...COMMAND_FIELDS, 'legCount', 'listCount', 'poolStart'] as const

export const JournalField = Object.fromEntries(JOURNAL_FIELDS.map((name, i) => [name, i])) as {
  readonly [name in (typeof JOURNAL_FIELDS)[number]]: number
}

export const JOURNAL_STRIDE = JOURNAL_FIELDS.length

/**
 * The commands of a session as rows, in the order applied: with the profile they replay a venue exactly
 * (design.md, decision 3). Emptied by the engine between chunks.
 */
export class OutcomeJournal {
  declare cells: Float64Array
  /** outcome, side per leg, then the list. */
  declare pool: Int32Array
  count = 0
  poolCount = 0
  declare readonly service: number

  constructor(service: number, capacity = 8192) {
    this.service = service
    this.cells = new Float64Array(capacity * JOURNAL_STRIDE)
    this.pool = new Int32Array(capacity * 4)
  }

  /** The number fields by name, in the order of COMMAND_FIELDS: a field that is read by a variable name costs ten that are not. */
  append(atUs: number, c: OutcomeCommand): void {
    if ((this.count + 1) * JOURNAL_STRIDE > this.cells.length) this.cells = widened(this.cells)
    const needed = this.poolCount + 2 * c.legCount + c.listCount
    if (needed > this.pool.length) this.pool = widened(this.pool, needed)
    const { cells } = this
    let at = this.count++ * JOURNAL_STRIDE
    cells[at++] = c.seq
    cells[at++] = atUs
    cells[at++] = this.service
    cells[at++] = c.op
    cells[at++] = c.account
    cells[at++] = c.credential
    cells[at++] = c.source
    cells[at++] = c.origin
    cells[at++] = c.key
    cells[at++] = c.rfq
    cells[at++] = c.generation
    cells[at++] = c.quote
    cells[at++] = c.position
    cells[at++] = c.outcome
    cells[at++] = c.stakeMicros
    cells[at++] = c.payoutMicros
    cells[at++] = c.amountMicros
    cells[at++] = c.coreMicros
    cells[at++] = c.expiryS
    cells[at++] = c.exitUntilS
    cells[at++] = c.validAfterS
    cells[at++] = c.validBeforeS
    cells[at++] = c.closeUs
    cells[at++] = c.signer
    cells[at++] = c.termsTag
    cells[at++] = c.challenge
    cells[at++] = c.expiryDays
    cells[at++] = c.cursor
    cells[at++] = c.version
    cells[at++] = c.validMs
    cells[at++] = c.value
    cells[at++] = c.value2
    cells[at++] = c.memoE9
    cells[at++] = c.legCount
    cells[at++] = c.listCount
    cells[at] = this.poolCount
    for (let i = 0; i < c.legCount; i++) {
      this.pool[this.poolCount++] = c.legOutcomes[i]!
      this.pool[this.poolCount++] = c.legSides[i]!
    }
    for (let i = 0; i < c.listCount; i++) this.pool[this.poolCount++] = c.list[i]!
  }

  /** Fills `c` from row `row` and returns the instant of its application. */
  read(row: number, c: OutcomeCommand): number {
    const cell = (field: number): number => this.cells[row * JOURNAL_STRIDE + field]!
    c.reset(cell(JournalField.op), cell(JournalField.account))
    c.seq = cell(JournalField.seq)
    for (const field of COMMAND_FIELDS) c[field] = cell(JournalField[field])
    let at = cell(JournalField.poolStart)
    for (let i = cell(JournalField.legCount); i > 0; i--, at += 2) c.leg(this.pool[at]!, this.pool[at + 1]!)
    for (let i = cell(JournalField.listCount); i > 0; i--) c.item(this.pool[at++]!)
    return cell(JournalField.atUs)
  }

  clear(): void {
    this.count = 0
    this.poolCount = 0
  }
}
