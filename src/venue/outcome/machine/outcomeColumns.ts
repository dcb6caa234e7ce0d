import { ListingColumns } from '../../listingColumns.ts'

/** Outcomes by their number; a result is a `MarketResult`. */
export class OutcomeColumns extends ListingColumns {
  /** Where its outcome_id stands in `OutcomeIds`; for good, from its first listing. */
  idStart = new Int32Array(this.capacity)
  idLength = new Uint8Array(this.capacity)
}
