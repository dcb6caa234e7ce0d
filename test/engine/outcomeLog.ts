import type { Batch, Sink } from '../../src/record/sink.ts'
import { EVENT_STRIDE } from '../../src/venue/eventRows.ts'
import { OutcomeCommand } from '../../src/venue/outcome/protocol/commands.ts'
import { OutcomeField } from '../../src/venue/outcome/protocol/events.ts'

/** An event row of the outcome service as a plain object. */
export type LoggedOutcomeRow = { -readonly [name in keyof typeof OutcomeField]: number } & { list: number[] }

/** A sink that keeps the rows and commands of the outcome service, for tests. */
export class OutcomeLog implements Sink {
  readonly rows: LoggedOutcomeRow[] = []
  readonly commands: (Pick<
    OutcomeCommand, 'op' | 'account' | 'rfq' | 'quote' | 'key' | 'payoutMicros' | 'stakeMicros' | 'expiryS' | 'validAfterS' | 'validBeforeS' | 'signer' | 'generation'
  > & { atUs: number; legs: string })[] = []

  flush({ outcome }: Batch): void {
    const { events, journal } = outcome!
    const names = Object.keys(OutcomeField) as (keyof typeof OutcomeField)[]
    for (let row = 0; row < events.count; row++) {
      const logged = { list: [] as number[] } as LoggedOutcomeRow
      for (const name of names) logged[name] = events.cells[row * EVENT_STRIDE + OutcomeField[name]]!
      for (let i = 0; i < logged.listLength; i++) logged.list.push(events.pool[logged.listStart + i]!)
      this.rows.push(logged)
    }
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
