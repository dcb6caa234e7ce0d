import type { RequestArrivals } from '../unit/requestArrivals.ts'
import type { PostingRows } from '../ledger/postingRows.ts'
import { AuctionRows } from './auctionRows.ts'
import type { DirectoryCodes } from './directory.ts'
import { EquityRows } from './equityRows.ts'
import { LedgerRows } from './ledgerRows.ts'
import { MarkRows } from './markRows.ts'
import type { FeeRules } from './openPositions.ts'
import type { OpenTables } from './openTables.ts'
import { PositionRows } from './positionRows.ts'
import { QuoteRows } from './quoteRows.ts'
import { Reference, type ReferencePort } from './reference.ts'
import { RejectionRows } from './rejectionRows.ts'
import { RequestRows } from './requestRows.ts'

/** What the row builders of a service need to know about the service and the session. */
export interface ServiceRowsOptions {
  /** A `Service`. */
  readonly service: number
  readonly codes: DirectoryCodes
  readonly accountCount: number
  readonly marketCount: number
  /** Most legs that the profile allows. */
  readonly legsMax: number
  readonly fees: FeeRules
  /** Whether a lost leg loses a position that was voided before, until the position is settled. */
  readonly lossBeatsVoid: boolean
  readonly reference: ReferencePort | null
  /** Null: the arrivals of requests are not known. */
  readonly arrivals: RequestArrivals | null
  /** Horizons of marks, µs. */
  readonly horizonsUs: readonly number[]
  /** Span between samples of equity, µs, or 0 for none. */
  readonly equityEveryUs: number
  /** Called when a mark becomes due. */
  readonly due: (atUs: number) => void
}

/** The row builders that both services have, one set for each service. */
export class ServiceRows {
  declare readonly reference: Reference
  declare readonly requests: RequestRows
  declare readonly quotes: QuoteRows
  declare readonly positions: PositionRows
  declare readonly auctions: AuctionRows
  declare readonly rejections: RejectionRows
  private declare readonly ledger: LedgerRows
  private declare readonly marks: MarkRows
  private declare readonly equity: EquityRows

  constructor(tables: OpenTables, options: ServiceRowsOptions) {
    const { service, codes, legsMax, due } = options
    this.reference = new Reference(options.reference, options.marketCount, options.lossBeatsVoid)
    const { reference } = this
    this.requests = new RequestRows(...tables.requests, { service, codes, legsMax, arrivals: options.arrivals })
    this.positions = new PositionRows(...tables.positions, ...tables.settlements, { service, codes, legsMax, fees: options.fees, reference })
    const positions = this.positions.open
    this.auctions = new AuctionRows(...tables.auctions, ...tables.bids, { service, codes, positions, reference })
    this.ledger = new LedgerRows(...tables.ledger, service)
    this.rejections = new RejectionRows(...tables.rejections, codes)
    this.marks = new MarkRows(...tables.marks, options.horizonsUs, { service, reference, due })
    this.equity = new EquityRows(...tables.equity, options.equityEveryUs, {
      service, codes, accountCount: options.accountCount, ledger: this.ledger, positions, reference,
    })
    this.quotes = new QuoteRows(...tables.quotes, ...tables.acceptances, { service, codes, requests: this.requests, marks: this.marks, reference })
  }

  posted(postings: PostingRows, row: number): void {
    this.ledger.posted(postings, row)
  }

  /** The session's first row is at `atUs`. */
  start(atUs: number): void {
    this.equity.start(atUs)
  }

  /** The next mark or equity sample that is due, or Infinity. */
  nextSampleUs(): number {
    return Math.min(this.marks.nextDueUs(), this.equity.nextDueUs())
  }

  /** Takes what is due at `dueUs`, which is `nextSampleUs()`, marks first. `seq` is the last row that counts in it. */
  sample(dueUs: number, seq: number): void {
    if (this.marks.nextDueUs() === dueUs) this.marks.mark(dueUs)
    else this.equity.sample(dueUs, seq)
  }

  /** The session ended at `endUs`: writes the rows of what is open. */
  finish(endUs: number, seq: number, started: boolean): void {
    if (started) {
      this.marks.finish(endUs)
      this.equity.finish(endUs, seq)
    }
    this.quotes.finish()
    this.requests.finish()
    this.auctions.finish()
    this.positions.finish()
  }
}
