import type { Batch, Sink } from '../../src/record/sink.ts'
import { OutcomeCommand } from '../../src/venue/outcome/protocol/commands.ts'
import { namesOf } from '../venue/outcome/cellNames.ts'
import { type LoggedRow, loggedRow } from './loggedRow.ts'

/** A sink that keeps the rows and commands of the outcome service, for tests. */
export class OutcomeLog implements Sink {
  readonly rows: LoggedRow[] = []
  readonly commands: (Pick<
    OutcomeCommand, 'op' | 'account' | 'rfq' | 'quote' | 'key' | 'payoutMicros' | 'stakeMicros' | 'expiryS' | 'validAfterS' | 'validBeforeS' | 'signer' | 'generation'
  > & { atUs: number; legs: string })[] = []

  flush({ outcome }: Batch): void {
    const { events, journal } = outcome!
    for (let i = 0; i < events.count; i++) this.rows.push(loggedRow(events, events.row(i), namesOf(events.rowCells(events.row(i)))))
    const c = new OutcomeCommand()
    for (let row = 0; row < journal.count; row++) {
      const atUs = journal.read(row, c)
      const { op, account, rfq, quote, key, payoutMicros, stakeMicros, expiryS, validAfterS, validBeforeS, signer, generation } = c
      const legs = Array.from({ length: c.legCount }, (_, i) => `${c.legOutcomes[i]}:${c.legSides[i]}`).join(' ')
      this.commands.push({ atUs, op, account, rfq, quote, key, payoutMicros, stakeMicros, expiryS, validAfterS, validBeforeS, signer, generation, legs })
    }
  }

  finish(): void {}
  abort(): void {}
}
