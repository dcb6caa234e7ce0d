import type { RowWriter } from '../arrow/rowWriter.ts'
import { KeyLists } from '../unit/keyLists.ts'
import type { RequestArrivals } from '../unit/requestArrivals.ts'
import { NONE } from '../unit/none.ts'
import type { KindOf, Row } from '../venue/eventCells.ts'
import { EventCell, type EventRows } from '../venue/eventRows.ts'
import type { DirectoryCodes } from './directory.ts'
import { copyCells, orEmpty, present } from './cells.ts'
import { OpenRequests } from './openRequests.ts'
import { RequestBegun } from './sharedCells.ts'
import { RequestEnd, type requestTable } from './tables.ts'

type BegunRow = Row<KindOf<typeof RequestBegun>>

/** Versions of requests, from their beginning to the row that their end writes. */
export class RequestRows {
  declare readonly open: OpenRequests
  /** Makers that quoted a version. */
  private readonly makers = new KeyLists(1024)
  private declare readonly service: number
  private declare readonly writer: RowWriter
  private declare readonly at: ReturnType<typeof requestTable>['at']
  private declare readonly codes: DirectoryCodes
  private declare readonly arrivals: RequestArrivals | null

  constructor(
    writer: RowWriter, at: ReturnType<typeof requestTable>['at'],
    parts: { readonly service: number; readonly codes: DirectoryCodes; readonly legsMax: number; readonly arrivals: RequestArrivals | null },
  ) {
    const { codes, legsMax } = parts
    this.service = parts.service
    this.writer = writer
    this.at = at
    this.codes = codes
    this.arrivals = parts.arrivals
    this.open = new OpenRequests(writer.spec.columns.length, legsMax)
  }

  created(events: EventRows, row: BegunRow): void {
    const request = events.read(row, RequestBegun.request)
    const slot = this.open.open(request)
    this.begin(slot, events, row)
    this.open.cells[slot * this.open.width + this.at.arrival] = this.arrivals?.take(this.service, request) ?? NaN
  }

  updated(events: EventRows, row: BegunRow): void {
    const slot = this.open.openSlotOf(events.read(row, RequestBegun.request))
    const arrival = this.open.cells[slot * this.open.width + this.at.arrival]!
    this.end(slot, RequestEnd.updated, events, row)
    this.begin(slot, events, row)
    this.open.cells[slot * this.open.width + this.at.arrival] = arrival
  }

  /** @param row what ended it. */
  ended(request: number, end: number, events: EventRows, row: Row): void {
    const slot = this.open.openSlotOf(request)
    this.end(slot, end, events, row)
    this.open.close(slot)
  }

  /** The window for quotes of an RFQ is over. Live quotes can still be accepted. */
  windowOver(slot: number, events: EventRows, row: Row): void {
    this.open.cells[slot * this.open.width + this.at.window_closed_at] = present(events.read(row, EventCell.atUs))
    this.noteBest(slot)
    this.endIfOver(slot, events, row)
  }

  /** A quote of an RFQ ended. When the window and the last live quote are over, the RFQ can no longer be filled, and its row is written. */
  endIfOver(slot: number, events: EventRows, row: Row): void {
    const { open } = this
    if (this.isWindowOpen(slot) || open.liveQuotes[slot]! > 0) return
    this.end(slot, RequestEnd.closed, events, row)
    open.close(slot)
  }

  /** An acceptance of an RFQ failed: its next generation begins, with the live quotes. */
  nextGeneration(slot: number, generation: number, events: EventRows, row: Row): void {
    const { open, at } = this
    this.end(slot, RequestEnd.failed, events, row)
    const { cells } = open
    const to = slot * open.width
    cells[to + at.version] = generation
    cells[to + at.created_seq] = events.read(row, EventCell.seq)
    cells[to + at.created_at] = events.read(row, EventCell.atUs)
    cells[to + at.quote_count] = cells[to + at.maker_count] = cells[to + at.commit_attempts] = 0
    open.oddsAtEndE4[slot] = 0
    open.firstMaker[slot] = NONE
    if (!this.isWindowOpen(slot)) this.noteBest(slot)
  }

  /** Keeps the best odds up to now for the row of this version. */
  noteBest(slot: number): void {
    this.open.oddsAtEndE4[slot] = this.open.bestOddsE4[slot]!
  }

  /** Counts a quote of `maker`. Returns the number of its live rivals. */
  quoted(slot: number, maker: number): number {
    const { open, at } = this
    const row = slot * open.width
    open.cells[row + at.quote_count]!++
    if (!this.makers.has(open.firstMaker[slot]!, maker)) {
      open.cells[row + at.maker_count]!++
      open.firstMaker[slot] = this.makers.prepend(open.firstMaker[slot]!, maker)
    }
    return open.liveQuotes[slot]!++
  }

  /** A quote was taken off because this version ends: keeps the best odds up to now for its row. */
  endBegins(slot: number): void {
    if (this.open.oddsAtEndE4[slot] === 0) this.open.oddsAtEndE4[slot] = this.open.bestOddsE4[slot]!
  }

  bestChanged(slot: number, oddsE4: number): void {
    this.open.bestOddsE4[slot] = oddsE4
  }

  /** Counts an attempt to commit, refused or not. */
  attempted(request: number): void {
    const slot = this.open.slotOf(request)
    if (slot !== NONE) this.open.cells[slot * this.open.width + this.at.commit_attempts]!++
  }

  /** The request was committed to a quote. */
  filled(slot: number, quote: number): void {
    this.open.cells[slot * this.open.width + this.at.filled_quote] = present(quote)
  }

  isFilled(slot: number): boolean {
    return !Number.isNaN(this.open.cells[slot * this.open.width + this.at.filled_quote])
  }

  bettorOf(slot: number): number {
    return this.open.cells[slot * this.open.width + this.at.bettor]!
  }

  /** The session is over: writes the rows of open versions. */
  finish(): void {
    for (const slot of this.open.openSlots()) this.write(slot, RequestEnd.open)
  }

  private isWindowOpen(slot: number): boolean {
    return Number.isNaN(this.open.cells[slot * this.open.width + this.at.window_closed_at])
  }

  private begin(slot: number, events: EventRows, row: BegunRow): void {
    const { open, at, codes } = this
    const { cells, legMarkets, legSides } = open
    const to = slot * open.width
    const legs = slot * open.legsMax
    const legCount = events.read(row, EventCell.listLength) / 2
    const start = events.read(row, EventCell.listStart)
    const owner = events.read(row, RequestBegun.owner)
    for (let i = 0; i < legCount; i++) {
      legMarkets[legs + i] = events.pool[start + 2 * i]!
      legSides[legs + i] = events.pool[start + 2 * i + 1]!
    }
    for (let i = to; i < to + open.width; i++) cells[i] = NaN
    cells[to + at.service] = this.service
    cells[to + at.request] = events.read(row, RequestBegun.request)
    cells[to + at.version] = events.read(row, RequestBegun.version)
    cells[to + at.bettor] = owner
    cells[to + at.cohort] = codes.group(owner)
    cells[to + at.cluster] = codes.cluster(legMarkets, legs, legCount)
    cells[to + at.bet_micros] = events.read(row, RequestBegun.betMicros)
    cells[to + at.created_seq] = events.read(row, EventCell.seq)
    cells[to + at.created_at] = events.read(row, EventCell.atUs)
    cells[to + at.expires_at] = events.read(row, RequestBegun.expiresAtUs)
    cells[to + at.quote_count] = cells[to + at.maker_count] = cells[to + at.commit_attempts] = 0
    cells[to + at.leg_count] = legCount
    open.legCount[slot] = legCount
    open.liveQuotes[slot] = open.oddsAtEndE4[slot] = 0
    open.firstMaker[slot] = open.bestOddsE4[slot] = NONE
  }

  private end(slot: number, end: number, events: EventRows, row: Row): void {
    const to = this.write(slot, end)
    this.writer.cells[to + this.at.seq] = present(events.read(row, EventCell.seq))
    this.writer.cells[to + this.at.ended_at] = present(events.read(row, EventCell.atUs))
  }

  /** Writes the row of the current version. Returns its first cell. */
  private write(slot: number, end: number): number {
    const { open, writer, at } = this
    const { cells } = writer
    const to = writer.row()
    copyCells(open.cells, slot * open.width, cells, to, open.width)
    cells[to + at.state] = end
    writer.list(at.leg_markets, open.legMarkets, slot * open.legsMax, open.legCount[slot]!)
    writer.list(at.leg_sides, open.legSides, slot * open.legsMax, open.legCount[slot]!)
    cells[to + at.best_odds_at_end_e4] = orEmpty(open.oddsAtEndE4[slot] === 0 ? open.bestOddsE4[slot]! : open.oddsAtEndE4[slot]!)
    this.makers.release(open.firstMaker[slot]!)
    return to
  }
}
