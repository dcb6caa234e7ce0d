import { ListingColumns } from '../../listingColumns.ts'

/** Markets by their number. A result is a `MarketResult`. */
export class MarketColumns extends ListingColumns {
  /** Node of the lowest exclusion key, or −1. */
  firstKey = new Int32Array(this.capacity)
}
