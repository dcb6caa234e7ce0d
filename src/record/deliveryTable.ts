import { DELIVERY_FATES, type DeliveredRows } from '../unit/deliveredRows.ts'
import type { DirectoryCodes } from './directory.ts'
import type { OpenTable } from './openTables.ts'
import { nameOf, numbered, oneOf, orNull, service, shapeOf, text, time, word } from './tableShape.ts'

const ABOUT_NONE = 'it is about none'

export const deliveryTable = (codes: DirectoryCodes) => shapeOf('deliveries', 'what reached makers, and what did not because they were away or missed it, one row each, in the order of time', {
  service,
  at: time('when it arrived; of what did not arrive, when it would have been sent'),
  maker: nameOf(codes.makerNames, 'makers', 'name of the maker'),
  handler: text('handler of the maker that it is for, whether the maker has that handler or not'),
  fate: oneOf(DELIVERY_FATES, 'what became of it', {
    delivered: 'it arrived', away: "the maker's stream was closed, as its connection was broken", ignored: 'the maker missed it, as the scenario lets it (faults.ignore)',
  }),
  request: orNull(numbered('request, or RFQ'), ABOUT_NONE),
  version: orNull(word('version of the request, or generation of the RFQ'), ABOUT_NONE),
  quote: orNull(numbered('quote'), ABOUT_NONE),
  position: orNull(numbered('position'), ABOUT_NONE),
  auction: orNull(numbered('auction'), ABOUT_NONE),
})

/** Writes what makers were told. */
export class DeliveryTable {
  private declare readonly deliveries: DeliveredRows
  private declare readonly table: OpenTable<ReturnType<typeof deliveryTable>>

  constructor(deliveries: DeliveredRows, table: OpenTable<ReturnType<typeof deliveryTable>>) {
    this.deliveries = deliveries
    this.table = table
  }

  /** Takes what has been delivered since the last call. */
  take(): void {
    const [writer, at] = this.table
    const number = (column: number, value: number): void => { if (value >= 0) writer.int(column, value) }
    for (const row of this.deliveries.rows) {
      writer.row()
      writer.label(at.service, row.service)
      writer.int(at.at, row.atUs)
      writer.label(at.maker, row.maker)
      writer.text(at.handler, row.handler)
      writer.label(at.fate, row.fate)
      for (const name of ['request', 'version', 'quote', 'position', 'auction'] as const) number(at[name], row[name])
    }
    this.deliveries.clear()
  }
}
