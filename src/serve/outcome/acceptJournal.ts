import { assert } from '../../unit/assert.ts'
import { JOURNAL_STRIDE, JournalField, type OutcomeJournal } from '../../venue/outcome/protocol/journal.ts'
import type { AcceptanceOrigin } from '../../venue/outcome/wire/identity.ts'
import type { AcceptTerms } from './records/acceptances.ts'

/** Reads accepts in the commands since the last flush: their rows do not tell the key, nor the part of the core wallet. */
export class AcceptJournal {
  private declare readonly journal: OutcomeJournal

  constructor(journal: OutcomeJournal) {
    this.journal = journal
  }

  /** Precondition: the command with that sequence number is an accept, and its rows have not been flushed. */
  accept(seq: number): AcceptTerms & AcceptanceOrigin {
    const { cells, count } = this.journal
    let row = count - 1
    while (row >= 0 && cells[row * JOURNAL_STRIDE + JournalField.seq] !== seq) row--
    assert(row >= 0, 'an accept is in the journal while its rows are new')
    const cell = (field: number): number => cells[row * JOURNAL_STRIDE + field]!
    return { key: cell(JournalField.key), coreMicros: cell(JournalField.coreMicros), taker: cell(JournalField.account) }
  }
}
