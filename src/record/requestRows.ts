import type { TableWriter } from '../arrow/tableWriter.ts'
import { type EventRows, Field, NONE } from '../venue/eventRows.ts'
import type { CastCodes } from './cast.ts'
import { writeLegs } from './cells.ts'
import { MakerChains, OpenRequests } from './openRequests.ts'
import { RequestEnd, type requestTable } from './tables.ts'

/** Versions of requests from their begin to the row that their end leaves. */
export class RequestRows {
  readonly open: OpenRequests
  private readonly chains = new MakerChains()
  private readonly service: number
  private readonly writer: TableWriter
  private readonly at: ReturnType<typeof requestTable>['at']
  private readonly firstLeg: number
  private readonly codes: CastCodes

  constructor(
    writer: TableWriter, at: ReturnType<typeof requestTable>['at'],
    parts: { readonly service: number; readonly codes: CastCodes; readonly legsMax: number },
  ) {
    const { codes, legsMax } = parts
    this.service = parts.service
    this.writer = writer
    this.at = at
    this.codes = codes
    this.open = new OpenRequests(legsMax)
    this.firstLeg = writer.columnIndex('market_1')
  }

  created(events: EventRows, row: number): void {
    this.begin(this.open.open(events.get(row, Field.request)), events, row)
  }

  updated(events: EventRows, row: number): void {
    const slot = this.open.openSlotOf(events.get(row, Field.request))
    this.write(slot, RequestEnd.updated, events.get(row, Field.seq), events.get(row, Field.atUs))
    this.begin(slot, events, row)
  }

  ended(events: EventRows, row: number, end: number): void {
    const slot = this.open.openSlotOf(events.get(row, Field.request))
    this.write(slot, end, events.get(row, Field.seq), events.get(row, Field.atUs))
    this.open.close(slot)
  }

  /** The window for quotes of an RFQ is over; quotes that live can still be accepted. */
  windowOver(slot: number, events: EventRows, row: number): void {
    this.open.closedUs[slot] = events.get(row, Field.atUs)
    this.noteBest(slot)
    this.endIfOver(slot, events, row)
  }

  /** A quote of an RFQ ended: with the window and the last live quote over, nothing of it can be filled any more. */
  endIfOver(slot: number, events: EventRows, row: number): void {
    const { open } = this
    if (open.closedUs[slot] === NONE || open.liveQuotes[slot]! > 0) return
    this.write(slot, RequestEnd.closed, events.get(row, Field.seq), events.get(row, Field.atUs))
    open.close(slot)
  }

  /** An acceptance of an RFQ failed: its next generation begins, with the quotes that live. */
  nextGeneration(slot: number, events: EventRows, row: number): void {
    const { open } = this
    this.write(slot, RequestEnd.failed, events.get(row, Field.seq), events.get(row, Field.atUs))
    open.version[slot] = events.get(row, Field.version)
    open.createdUs[slot] = events.get(row, Field.atUs)
    open.quotes[slot] = open.makers[slot] = open.commits[slot] = open.oddsAtEndE4[slot] = 0
    open.firstMaker[slot] = NONE
    if (open.closedUs[slot] !== NONE) this.noteBest(slot)
  }

  /** The best odds up to now are what the row of this version shows. */
  noteBest(slot: number): void {
    this.open.oddsAtEndE4[slot] = this.open.bestOddsE4[slot]!
  }

  /** Counts a quote of `maker` in; returns the number of its live rivals. */
  quoted(slot: number, maker: number): number {
    const { open } = this
    open.quotes[slot]!++
    if (!this.chains.has(open.firstMaker[slot]!, maker)) {
      open.makers[slot]!++
      open.firstMaker[slot] = this.chains.prepend(open.firstMaker[slot]!, maker)
    }
    return open.liveQuotes[slot]!++
  }

  /** A quote was taken off because this version ends: the best odds up to now are what its row shows. */
  endBegins(slot: number): void {
    if (this.open.oddsAtEndE4[slot] === 0) this.open.oddsAtEndE4[slot] = this.open.bestOddsE4[slot]!
  }

  bestChanged(slot: number, oddsE4: number): void {
    this.open.bestOddsE4[slot] = oddsE4
  }

  /** An attempt to commit, refused or not. */
  attempted(request: number): void {
    const slot = this.open.slotOf(request)
    if (slot !== NONE) this.open.commits[slot]!++
  }

  /** The session is over: what is open leaves its row too. */
  finish(): void {
    for (const slot of this.open.openSlots()) this.write(slot, RequestEnd.open, NONE, NONE)
  }

  private begin(slot: number, events: EventRows, row: number): void {
    const { open } = this
    const legCount = events.get(row, Field.listLength) / 2
    const start = events.get(row, Field.listStart)
    open.version[slot] = events.get(row, Field.version)
    open.bettor[slot] = events.get(row, Field.account)
    open.betMicros[slot] = events.get(row, Field.amountA)
    open.createdUs[slot] = events.get(row, Field.atUs)
    open.expiresUs[slot] = events.get(row, Field.untilUs)
    open.closedUs[slot] = NONE
    open.legCount[slot] = legCount
    for (let i = 0; i < legCount; i++) {
      open.legMarkets[slot * open.legsMax + i] = events.pool[start + 2 * i]!
      open.legSides[slot * open.legsMax + i] = events.pool[start + 2 * i + 1]!
    }
    open.quotes[slot] = open.makers[slot] = open.commits[slot] = open.liveQuotes[slot] = open.oddsAtEndE4[slot] = 0
    open.firstMaker[slot] = open.bestOddsE4[slot] = open.filledQuote[slot] = NONE
  }

  private write(slot: number, end: number, seq: number, atUs: number): void {
    const { open, writer, at, codes } = this
    const legs = slot * open.legsMax
    const legCount = open.legCount[slot]!
    writer.row()
    writer.intOrNone(at.seq, seq)
    writer.code(at.service, this.service)
    writer.int(at.request, open.number[slot]!)
    writer.int(at.version, open.version[slot]!)
    writer.int(at.bettor, open.bettor[slot]!)
    writer.code(at.group, codes.group(open.bettor[slot]!))
    writer.code(at.cluster, codes.cluster(open.legMarkets, legs, legCount))
    writer.int(at.bet_micros, open.betMicros[slot]!)
    writer.int(at.created_at, open.createdUs[slot]!)
    writer.int(at.expires_at, open.expiresUs[slot]!)
    writer.intOrNone(at.ended_at, atUs)
    writer.intOrNone(at.closed_at, open.closedUs[slot]!)
    writer.code(at.state, end)
    writer.int(at.quotes, open.quotes[slot]!)
    writer.int(at.makers, open.makers[slot]!)
    writer.int(at.commits, open.commits[slot]!)
    writer.intOrNone(at.best_odds_at_end, open.oddsAtEndE4[slot] === 0 ? open.bestOddsE4[slot]! : open.oddsAtEndE4[slot]!)
    writer.intOrNone(at.filled_quote, open.filledQuote[slot]!)
    writer.int(at.leg_count, legCount)
    writeLegs(writer, this.firstLeg, open.legMarkets, open.legSides, legs, legCount)
    this.chains.release(open.firstMaker[slot]!)
  }
}
