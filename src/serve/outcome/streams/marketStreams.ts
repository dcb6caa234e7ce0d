import { sourceOf, TickCursor, type TickHistory } from '../../../market/tickSource.ts'
import { MS_US } from '../../../unit/time.ts'
import type { Row } from '../../../venue/eventCells.ts'
import { EventCell, type EventRows } from '../../../venue/eventRows.ts'
import { pricesFrame } from '../../../venue/outcome/wire/streamFrames.ts'
import type { HandlerSite } from '../../serviceHandler.ts'
import type { Served } from '../served.ts'
import { RowInstants } from './rowInstants.ts'

/** An open stream of prices. */
interface MarketStream {
  readonly outcomes: ReadonlySet<number>
  readonly tell: (frame: object) => void
  /** The latest cursor that it was told. */
  cursor: number
}

type MarketSite = Pick<HandlerSite, 'nowUs' | 'later'>

/** What the streams of `/v1/market-stream` tell: the prices at their begin, and each price when everybody knows it. */
export class MarketStreams {
  private readonly open = new Map<number, MarketStream>()
  private declare readonly instants: RowInstants
  private declare readonly site: MarketSite
  private declare readonly served: Served
  /** Stands at the first tick that nobody was told. */
  private declare readonly cursor: TickCursor
  /** Seq of the newest row that is the venue's for certain, which no reply is: the gate replies too. */
  private newest = 0
  /** How often a wake was asked for: of several the last counts. */
  private wakes = 0

  constructor(site: MarketSite, served: Served, ticks: TickHistory) {
    this.site = site
    this.served = served
    this.cursor = new TickCursor(sourceOf(ticks))
    this.instants = new RowInstants(served.gateProfile.replayWindowMs * MS_US)
  }

  /** @param cursor where the stream begins. @param isResumed whether its client has the prices as of the cursor. */
  add(number: number, outcomes: readonly number[], cursor: number, isResumed: boolean, tell: (frame: object) => void): void {
    // What is due goes to the streams that were there before.
    this.tellDue()
    const stream: MarketStream = { outcomes: new Set(outcomes), tell, cursor }
    this.open.set(number, stream)
    this.tell(stream, outcomes, isResumed ? this.instants.at(cursor) : -1, isResumed)
    this.wake()
  }

  remove(number: number): void {
    this.open.delete(number)
  }

  /** A heartbeat told a stream the cursor. */
  beat(number: number, cursor: number): void {
    const stream = this.open.get(number)
    if (stream !== undefined) stream.cursor = Math.max(stream.cursor, cursor)
  }

  /** @param isVenues whether the row is the venue's for certain. */
  take(events: EventRows, row: Row, isVenues: boolean): void {
    const seq = events.read(row, EventCell.seq)
    this.instants.take(seq, events.read(row, EventCell.atUs))
    if (isVenues) this.newest = seq
  }

  /** Tells a stream the prices that are known since an instant. One of that very instant may be told twice. */
  private tell(stream: MarketStream, outcomes: Iterable<number>, sinceUs: number, isSilent: boolean): void {
    const { site: { nowUs }, served: { prices: board, names } } = this
    const prices = [...outcomes].flatMap((outcome) => {
      const price = board.at(outcome, nowUs)
      return price === null || price.atUs < sinceUs ? [] : [{ outcome, ...price }]
    })
    if (prices.length > 0 || !isSilent) stream.tell(pricesFrame(names, stream.cursor, prices))
  }

  private tellDue(): void {
    const { cursor, site: { nowUs } } = this
    const changed = new Set<number>()
    for (; cursor.isDue(nowUs); cursor.at++) changed.add(cursor.ticks.market[cursor.at]!)
    if (changed.size === 0) return
    for (const stream of this.open.values()) {
      stream.cursor = Math.max(stream.cursor, this.newest)
      this.tell(stream, [...stream.outcomes].filter((outcome) => changed.has(outcome)), -1, true)
    }
  }

  /** Waits for the next price of an outcome that a stream follows. */
  private wake(): void {
    const { cursor, site } = this
    const wake = ++this.wakes
    const followed = new Set([...this.open.values()].flatMap(({ outcomes }) => [...outcomes]))
    if (followed.size === 0) return
    const ahead = new TickCursor(cursor.source)
    ahead.seek(cursor.passed)
    while (ahead.isDue(Infinity) && !followed.has(ahead.ticks.market[ahead.at]!)) ahead.at++
    if (!ahead.isDue(Infinity)) return
    site.later(ahead.nextUs, () => {
      if (wake !== this.wakes) return
      this.tellDue()
      this.wake()
    })
  }
}
