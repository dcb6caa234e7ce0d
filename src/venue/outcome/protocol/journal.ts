import { CommandJournal } from '../../commandJournal.ts'
import { COMMAND_FIELDS, type OutcomeCommand } from './commands.ts'

/** Fields of a journal row, in order. Legs and then the list stand in the side pool from `poolStart` on. */
export const JOURNAL_FIELDS = ['seq', 'atUs', 'service', ...COMMAND_FIELDS, 'legCount', 'listCount', 'poolStart'] as const

export const JournalField = Object.fromEntries(JOURNAL_FIELDS.map((name, i) => [name, i])) as {
  readonly [name in (typeof JOURNAL_FIELDS)[number]]: number
}

export const JOURNAL_STRIDE = JOURNAL_FIELDS.length

/** The commands of a session of the outcome service. */
export class OutcomeJournal extends CommandJournal {
  constructor(service: number, capacity = 8192) {
    super(service, JOURNAL_STRIDE, capacity)
  }

  /** The number fields in the order of COMMAND_FIELDS, by name, because reading one through a variable name costs ten times as much. */
  append(atUs: number, c: OutcomeCommand): void {
    let at = this.begin(c)
    const { cells } = this
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
    cells[at++] = c.productE9
    cells[at++] = c.legCount
    cells[at++] = c.listCount
    cells[at] = this.poolCount
    this.appendPool(c, c.legOutcomes)
  }

  /** Fills `c` from row `row` and returns the instant of its application. */
  read(row: number, c: OutcomeCommand): number {
    const cell = (field: number): number => this.cells[row * JOURNAL_STRIDE + field]!
    c.reset(cell(JournalField.op), cell(JournalField.account))
    c.seq = cell(JournalField.seq)
    for (const field of COMMAND_FIELDS) c[field] = cell(JournalField[field])
    this.readPool(c, cell(JournalField.poolStart), cell(JournalField.legCount), cell(JournalField.listCount))
    return cell(JournalField.atUs)
  }
}
