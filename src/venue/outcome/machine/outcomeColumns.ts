import { ListingColumns } from '../../listingColumns.ts'

/** Outcomes by their number; a result is a `MarketResult`. */
export class OutcomeColumns extends ListingColumns {
  /** Place of its outcome_id in `OutcomeIds`, which stays the same from its first listing on. */
  idStart = new Int32Array(this.capacity)
  idLength = new Uint8Array(this.capacity)
}
