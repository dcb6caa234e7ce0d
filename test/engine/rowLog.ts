import type { Batch, Sink } from '../../src/record/sink.ts'
import { EVENT_STRIDE, Field } from '../../src/venue/eventRows.ts'
import { ParlayCommand } from '../../src/venue/parlay/protocol/commands.ts'

/** An event row as a plain object. */
export type LoggedRow = { -readonly [name in keyof typeof Field]: number } & { list: number[] }

/** A sink that keeps every row and command, for tests. */
export class RowLog implements Sink {
  readonly rows: LoggedRow[] = []
  readonly commands: {
    atUs: number; op: number; account: number; request: number; oddsE4: number; betMicros: number; amountMicros: number; auction: number
    position: number; memoE9: number; legs: string
  }[] = []
  postings = 0

  flush({ parlay }: Batch): void {
    const { events, postings, journal } = parlay!
    const names = Object.keys(Field) as (keyof typeof Field)[]
    for (let row = 0; row < events.count; row++) {
      const logged = { list: [] as number[] } as LoggedRow
      for (const name of names) logged[name] = events.cells[row * EVENT_STRIDE + Field[name]]!
      for (let i = 0; i < logged.listLength; i++) logged.list.push(events.pool[logged.listStart + i]!)
      this.rows.push(logged)
    }
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
