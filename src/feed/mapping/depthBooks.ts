import type { FileTally } from '../importTally.ts'
import type { TickSink } from '../tickSink.ts'
import { TopOfBook } from '../topOfBook.ts'
import type { DepthFields } from './mapping.ts'
import type { MarketList } from './marketList.ts'
import { SequenceStream } from './sequenceStream.ts'
import { type Session, Sessions } from './sessions.ts'

/** A level of a book and its size, or what is added to it. Prices are those of YES. Both are millionths. */
export interface LevelChange {
  readonly isBid: boolean
  readonly priceE6: number
  readonly sizeE6: number
}

/** Where rows of a book come from. Rows of one source have one object. */
export interface Source {
  readonly session: Session | undefined
  readonly stream: SequenceStream | undefined
}

type ChangeRule = Pick<DepthFields, 'change' | 'areNumbersShared'>

/** Rows that are one whole book together, and where they stand. */
interface HeldBook {
  readonly atUs: number
  readonly sequence: number
  readonly key: string
  readonly tally: FileTally
  readonly row: number
  readonly source: Source | undefined
  rows: number
  readonly levels: LevelChange[]
}

const OVERLAPPING = 'overlapping session'
const OVERLAPPING_TEXT = 'a newer session of the market is followed'

/** The books of all markets. */
export class DepthBooks {
  /** Whole books of a file of their own are kept until the changes of another file reach them. */
  declare readonly hasSnapshots: boolean
  private readonly books: (MarketBook | undefined)[] = []
  readonly sessions = new Sessions()
  private readonly sources = new Map<string, Source>()
  private declare readonly list: MarketList
  private declare readonly sink: TickSink

  constructor(list: MarketList, sink: TickSink, hasSnapshots: boolean) {
    this.list = list
    this.sink = sink
    this.hasSnapshots = hasSnapshots
  }

  /** `isSeeded`: the book is unknown until its first snapshot, as is one that the store had before. Otherwise it begins empty. */
  of(market: number, isSeeded: boolean, atUs: number): MarketBook {
    const known = this.books[market]
    if (known !== undefined) return known
    const book = new MarketBook(market, this.list, this.sink, isSeeded || this.list.bookFromUs(market) < atUs, this.hasSnapshots)
    this.books[market] = book
    return book
  }

  /** `stream` names what has numbers of its own within a session; undefined where that is a market. */
  source(session: Session | undefined, stream: string | undefined): Source {
    const key = `${session?.number ?? ''} ${stream === undefined ? '' : `=${stream}`}`
    let source = this.sources.get(key)
    if (source === undefined) this.sources.set(key, source = { session, stream: stream === undefined ? undefined : new SequenceStream() })
    return source
  }

  /** Shows what is left. */
  end(): void {
    for (const book of this.books) book?.end()
  }
}

/**
 * One market's book from rows in order of arrival. One source is followed at a time, from its own whole book on. The whole book of a newer session
 * takes over, and later rows of the older session are set aside. Within a session the newest subscription is followed.
 */
export class MarketBook {
  private declare readonly market: number
  private declare readonly list: MarketList
  private declare readonly top: TopOfBook
  private declare readonly isHeld: boolean
  private declare isKnown: boolean
  private isLost = false
  /** The last row that was about the book. */
  private place: { readonly tally: FileTally; readonly row: number } | undefined = undefined
  private readonly held: HeldBook[] = []
  private isSorted = true
  private nextHeld = 0
  private key = ''
  private sequence = -1
  private source: Source | undefined = undefined
  private readonly oldSources = new Set<Source>()
  private readonly oldSessions = new Set<Session>()
  private nowUs = 0
  /** The file of the step that is pending, for reports of the top. */
  private tally: FileTally | undefined = undefined

  constructor(market: number, list: MarketList, sink: TickSink, isSeeded: boolean, isHeld: boolean) {
    this.market = market
    this.list = list
    this.isKnown = !isSeeded
    this.isHeld = isHeld
    this.top = new TopOfBook(market, sink, (rows, row) => this.tally?.note('crossed book', row, 'bid over ask: no tick until the book is sound again', rows))
  }

  show(): void {
    this.top.show()
  }

  end(): void {
    this.seedUntil(Infinity, Infinity)
    this.top.show()
  }

  /** Takes a row of a whole book. Rows with one key are one book. */
  snapshot(atUs: number, sequence: number, key: string, levels: readonly LevelChange[], tally: FileTally, row: number, source?: Source): void {
    this.list.seen(this.market, atUs)
    if (!this.isHeld) return this.seed({ atUs, sequence, key, tally, row, source, rows: 1, levels: [...levels] })
    const last = this.held.at(-1)
    if (last?.key === key && last.source === source) {
      last.rows += 1
      last.levels.push(...levels)
      return
    }
    if (last !== undefined && last.atUs > atUs) this.isSorted = false
    this.held.push({ atUs, sequence, key, tally, row, source, rows: 1, levels: [...levels] })
  }

  /** Takes a row of changes, or sets it aside. Of a market in a stream, the stream looks after the numbers. */
  change(atUs: number, sequence: number, levels: readonly LevelChange[], rule: ChangeRule, tally: FileTally, row: number, source?: Source): void {
    this.seedUntil(atUs, sequence)
    const stream = source?.stream
    const isFollowed = source === undefined || this.source === undefined || source === this.source
    if (isFollowed) this.place = { tally, row }
    // Of a source that is not followed the numbers count too, for its other markets.
    if (stream !== undefined) {
      stream.follow(this)
      if (stream.change(sequence, atUs, rule.areNumbersShared) === 'old') return tally.quarantine('duplicate', row, `sequence number ${sequence} again`)
    }
    if (!isFollowed) return this.isOld(source) ? tally.quarantine(OVERLAPPING, row, OVERLAPPING_TEXT) : tally.quarantine('change before snapshot', row, this.unknownText())
    if (stream === undefined && sequence >= 0 && this.sequence >= 0) {
      const isAgain = sequence === this.sequence && !rule.areNumbersShared
      if (sequence < this.sequence || isAgain) return tally.quarantine('duplicate', row, `sequence number ${sequence} ${isAgain ? 'again' : `after ${this.sequence}`}`)
      if (sequence > this.sequence + 1) this.lose(atUs, sequence)
    }
    if (!this.isKnown) {
      if (sequence >= 0 && this.sequence >= 0) this.sequence = sequence
      return this.isLost
        ? tally.quarantine('sequence gap', row, 'rows are missing: the book is unknown until the next snapshot')
        : tally.quarantine('change before snapshot', row, this.unknownText())
    }
    this.sequence = sequence
    this.key = ''
    tally.accept()
    this.step(atUs, tally, row)
    for (const { isBid, priceE6, sizeE6 } of levels) {
      const side = isBid ? this.top.bids : this.top.asks
      if (rule.change === 'set') side.set(priceE6, sizeE6)
      else if (side.add(priceE6, sizeE6) < 0) tally.note('negative level', row, 'more was taken from the level than it held: the level is removed')
    }
  }

  private isOld(source: Source): boolean {
    return this.oldSources.has(source) || (source.session !== undefined && this.oldSessions.has(source.session))
  }

  private unknownText(): string {
    const ticker = this.list.tickerOf(this.market)
    return this.list.bookFromUs(this.market) === Infinity ? `${ticker} has no book yet` : `${ticker} has no book yet in this import, and the store keeps none that changes could go on from`
  }

  /** After a gap nothing is known of the book, and it is shown empty. A gap in a stream that is not followed changes nothing. */
  lose(atUs: number, sequence: number, stream?: SequenceStream): void {
    this.seedUntil(atUs, sequence)
    if (!this.isKnown || (stream !== undefined && this.source !== undefined && this.source.stream !== stream)) return
    this.isKnown = false
    this.isLost = true
    const { tally, row } = this.place!
    this.step(atUs, tally, row)
    this.top.clear()
  }

  private step(atUs: number, tally: FileTally, row: number): void {
    if (atUs < this.nowUs) tally.note('time goes back', row, `${this.nowUs - atUs} µs before the row above: taken as seen at its time`)
    this.nowUs = Math.max(this.nowUs, atUs)
    this.top.step(this.nowUs, row)
    // A step of the rows before was shown by now, under the file that they stand in.
    this.tally = tally
    this.list.seen(this.market, this.nowUs)
  }

  private follow(source: Source | undefined): void {
    const before = this.source
    if (source === undefined || source === before) return
    if (before !== undefined) this.oldSources.add(before)
    if (before?.session !== undefined && before.session !== source.session) this.oldSessions.add(before.session)
    this.oldSources.delete(source)
    this.source = source
  }

  private seedUntil(atUs: number, sequence: number): void {
    if (!this.isSorted) {
      this.held.sort((a, b) => a.atUs - b.atUs)
      this.isSorted = true
    }
    while (this.nextHeld < this.held.length) {
      const book = this.held[this.nextHeld]!
      if (book.atUs > atUs || (book.atUs === atUs && sequence >= 0 && book.sequence > sequence)) return
      this.nextHeld += 1
      this.seed(book)
    }
  }

  private seed({ atUs, sequence, key, tally, row, source, rows, levels }: HeldBook): void {
    if (source?.session !== undefined && this.oldSessions.has(source.session)) return tally.quarantine(OVERLAPPING, row, OVERLAPPING_TEXT, rows)
    tally.accept(rows)
    this.step(atUs, tally, row)
    if (key !== this.key || source !== this.source) this.top.clear()
    this.follow(source)
    this.key = key
    this.isKnown = true
    this.isLost = false
    this.place ??= { tally, row }
    if (sequence >= 0) this.sequence = sequence
    for (const { isBid, priceE6, sizeE6 } of levels) (isBid ? this.top.bids : this.top.asks).set(priceE6, sizeE6)
  }
}
