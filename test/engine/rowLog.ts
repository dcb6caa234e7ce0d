import type { Batch, Sink } from '../../src/record/sink.ts'
import { ParlayCommand } from '../../src/venue/parlay/protocol/commands.ts'
import { namesOf } from '../venue/parlay/cellNames.ts'
import { type LoggedRow, loggedRow } from './loggedRow.ts'

/** A sink that keeps every row and command of the parlay service, for tests. */
export class RowLog implements Sink {
  readonly rows: LoggedRow[] = []
  readonly commands: {
    atUs: number; op: number; account: number; request: number; oddsE4: number; betMicros: number; amountMicros: number; auction: number
    position: number; memoE9: number; legs: string
  }[] = []
  postings = 0

  flush({ parlay }: Batch): void {
    const { events, postings, journal } = parlay!
    for (let i = 0; i < events.count; i++) this.rows.push(loggedRow(events, events.row(i), namesOf(events.rowCells(events.row(i)))))
    this.postings += postings.count
    const c = new ParlayCommand()
    for (let row = 0; row < journal.count; row++) {
      const atUs = journal.read(row, c)
      const legs = Array.from({ length: c.legCount }, (_, i) => `${c.legMarkets[i]}:${c.legSides[i]}`).join(' ')
      this.commands.push({
        atUs, op: c.op, account: c.account, request: c.request, oddsE4: c.oddsE4, betMicros: c.betMicros, amountMicros: c.amountMicros,
        auction: c.auction, position: c.position, memoE9: c.memoE9, legs,
      })
    }
  }

  finish(): void {}
  abort(): void {}
}
