import { PRICE_ONE_E6 } from '../market/ticks.ts'
import { assert } from '../unit/assert.ts'
import type { FileTally } from './importTally.ts'
import type { TickSink } from './tickSink.ts'
import { TopOfBook } from './topOfBook.ts'

/** The whole book as a connection sent it. Both sides are bids. Prices and sizes are millionths. */
export interface Snapshot {
  readonly atUs: number
  readonly connection: string
  readonly seq: number
  readonly tally: FileTally
  readonly firstLine: number
  readonly levels: { readonly yes: boolean; readonly priceE6: number; readonly sizeE6: number }[]
}

/**
 * One market's book from deltas that several recording sessions took. One session is followed at a time, from its own
 * snapshot on. The snapshot of a newer session takes over, and later rows of the older session are set aside. After a gap in
 * the sequence numbers the book is unknown and therefore shown empty, until the next snapshot.
 */
export class SessionBook {
  declare readonly tally: FileTally
  declare readonly firstLine: number
  declare readonly openUs: number
  private declare readonly top: TopOfBook
  private declare readonly snapshots: readonly Snapshot[]
  private readonly superseded = new Set<string>()
  private nextSnapshot = 0
  private connection = ''
  private seq = 0
  private broken = false
  private nowUs = 0
  /** The file and row that are being applied, for reports of the top of the book. */
  private declare rowTally: FileTally

  /** `snapshots` by time of receipt, at least one. */
  constructor(market: number, snapshots: readonly Snapshot[], ticks: TickSink) {
    const first = snapshots[0]
    assert(first !== undefined, 'a book starts from a snapshot')
    this.snapshots = snapshots
    this.tally = first.tally
    this.firstLine = first.firstLine
    this.openUs = first.atUs
    this.rowTally = this.tally
    this.top = new TopOfBook(market, ticks, (rows, line) =>
      this.rowTally.note('crossed book', line, 'bid over ask: no tick until the book is sound again', rows))
  }

  /** Applies one row, or sets it aside in its file's tally. */
  delta(atUs: number, connection: string, seq: number, yes: boolean, priceE6: number, deltaE6: number, tally: FileTally, line: number): void {
    this.seedBefore(atUs, connection, seq)
    this.rowTally = tally
    if (connection !== this.connection) {
      if (this.superseded.has(connection)) tally.quarantine('overlapping session', line, 'a newer session of the market is followed')
      else tally.quarantine('delta without snapshot', line, `session ${connection} has no snapshot by then`)
      return
    }
    if (seq <= this.seq) return tally.quarantine('duplicate', line, `sequence number ${seq} again`)
    if (seq !== this.seq + 1 && !this.broken) this.breakOff(atUs, line)
    this.seq = seq
    if (this.broken) return tally.quarantine('sequence gap', line, 'rows are missing: the book is unknown until the next snapshot')
    tally.accept()
    if (atUs < this.nowUs) tally.note('time goes back', line, 'received before the row above: taken as seen at its time')
    this.nowUs = Math.max(this.nowUs, atUs)
    this.top.step(this.nowUs, line)
    const size = yes ? this.top.bids.add(priceE6, deltaE6) : this.top.asks.add(PRICE_ONE_E6 - priceE6, deltaE6)
    if (size < 0) tally.note('negative level', line, 'more was taken from the level than it held: the level is removed')
  }

  /** Plays the snapshots that no delta followed and shows the last step. */
  end(): void {
    while (this.nextSnapshot < this.snapshots.length) this.seed(this.snapshots[this.nextSnapshot]!)
    this.top.show()
  }

  private seedBefore(atUs: number, connection: string, seq: number): void {
    while (this.nextSnapshot < this.snapshots.length) {
      const snapshot = this.snapshots[this.nextSnapshot]!
      if (snapshot.atUs > atUs || (snapshot.atUs === atUs && snapshot.connection === connection && snapshot.seq > seq)) return
      this.seed(snapshot)
    }
  }

  private seed(snapshot: Snapshot): void {
    this.nextSnapshot += 1
    this.rowTally = snapshot.tally
    const { connection, tally, firstLine, levels } = snapshot
    if (this.superseded.has(connection)) {
      tally.quarantine('overlapping session', firstLine, 'a newer session of the market is followed', levels.length)
      return
    }
    if (this.connection !== '' && this.connection !== connection) this.superseded.add(this.connection)
    this.connection = connection
    this.seq = snapshot.seq
    this.broken = false
    this.nowUs = Math.max(this.nowUs, snapshot.atUs)
    this.top.step(this.nowUs, firstLine)
    this.top.clear()
    for (const { yes, priceE6, sizeE6 } of levels) {
      if (yes) this.top.bids.set(priceE6, sizeE6)
      else this.top.asks.set(PRICE_ONE_E6 - priceE6, sizeE6)
    }
    tally.accept(levels.length)
  }

  private breakOff(atUs: number, line: number): void {
    this.broken = true
    this.nowUs = Math.max(this.nowUs, atUs)
    this.top.step(this.nowUs, line)
    this.top.clear()
  }
}
