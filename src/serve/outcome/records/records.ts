import { MS_US } from '../../../unit/time.ts'
import type { Row } from '../../../venue/eventCells.ts'
import { EventCell, type EventRows } from '../../../venue/eventRows.ts'
import { NONE } from '../../../unit/none.ts'
import { QuoteState } from '../../../venue/outcome/protocol/events.ts'
import type { OutcomeProfile } from '../../../venue/outcome/protocol/profile.ts'
import type { AcceptanceView, OutcomeQuoteView } from '../../../venue/outcome/protocol/view.ts'
import { Retention } from '../../retention.ts'
import { AcceptanceRecords, type AcceptTerms } from './acceptances.ts'
import { ActivityRecords } from './activity.ts'
import { KeyRecords } from './keys.ts'
import { OperationRecords } from './operations.ts'
import { OutcomeMarkets } from './outcomes.ts'
import { QuoteRecords } from './quotes.ts'
import { RateRecords } from './rates.ts'
import { type RfqRecord, RfqRecords } from './rfqs.ts'

/** What records read besides rows, and whom they tell what is forgotten. */
export interface RecordSite {
  /** What of an accept is in its command alone. The command is in the journal while its rows are new. */
  acceptTerms(seq: number): AcceptTerms
  /** The venue knows an RFQ no longer. That of a client is remembered on. It may be told again. */
  rfqPast(rfq: RfqRecord): void
  rfqForgotten(rfq: RfqRecord): void
}

/**
 * What clients read of the service, from its rows: RFQs with their quotes and acceptances as long as the venue knows them, and to the end of
 * the session those in which a client has a part, with its operations, its activity and its keys.
 */
export class OutcomeRecords {
  declare readonly rates: RateRecords
  declare readonly operations: OperationRecords
  declare readonly activity: ActivityRecords
  declare readonly keys: KeyRecords
  declare readonly rfqs: RfqRecords
  declare readonly acceptances: AcceptanceRecords
  readonly markets = new OutcomeMarkets()
  private readonly quotes = new QuoteRecords()
  private declare readonly retention: Retention
  private declare readonly kept: ReadonlySet<number>
  private declare readonly site: RecordSite

  /** @param kept accounts of clients. */
  constructor(kept: ReadonlySet<number>, profile: Pick<OutcomeProfile, 'takerFeeBps' | 'feeBps' | 'retentionMs'>, site: RecordSite) {
    this.kept = kept
    this.site = site
    this.rates = new RateRecords(profile)
    this.rfqs = new RfqRecords(kept)
    this.acceptances = new AcceptanceRecords(kept)
    this.operations = new OperationRecords(kept)
    this.activity = new ActivityRecords(kept)
    this.keys = new KeyRecords(kept)
    this.retention = new Retention(profile.retentionMs * MS_US)
  }

  quote(number: number): OutcomeQuoteView | null {
    return this.quotes.quote(number)
  }

  acceptanceOfQuote(quote: number): AcceptanceView | null {
    return this.acceptances.ofQuote(quote)
  }

  take(events: EventRows, row: Row): void {
    const nowUs = events.read(row, EventCell.atUs)
    this.forget(nowUs)
    this.markets.take(events, row)
    this.rates.take(events, row)
    this.quotes.take(events, row, (number) => this.rfqs.rfq(number)!, this.rates)
    this.acceptances.take(events, row, (seq) => this.site.acceptTerms(seq))
    const ended = this.rfqs.take(events, row)
    if (ended !== null) this.retention.add(ended.number, nowUs)
    this.operations.take(events, row)
    this.activity.take(events, row)
    this.keys.take(events, row)
  }

  private forget(nowUs: number): void {
    for (const number of this.retention.due(nowUs)) {
      const rfq = this.rfqs.rfq(number)
      // It is looked at again at its next end, or at a later one that there was already.
      if (rfq === null || rfq.endedAtUs === NONE || rfq.endedAtUs + this.retention.keptUs > nowUs) continue
      this.site.rfqPast(rfq)
      if (this.isKept(rfq)) continue
      if (rfq.quotes.some((quote) => isAlive(this.quotes.quote(quote)!))) {
        this.retention.add(number, nowUs)
        continue
      }
      this.site.rfqForgotten(rfq)
      this.acceptances.forget(rfq.quotes)
      this.quotes.forget(rfq.quotes)
      this.rfqs.forget(rfq)
    }
  }

  private isKept({ owner, quotes }: RfqRecord): boolean {
    return this.kept.has(owner) || quotes.some((quote) => this.kept.has(this.quotes.quote(quote)!.maker))
  }
}

const isAlive = ({ state }: OutcomeQuoteView): boolean => state === QuoteState.live || state === QuoteState.accepted
