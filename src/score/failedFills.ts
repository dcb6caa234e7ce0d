import { codesIn, orNaN, type RunTables } from './runTables.ts'

/** Quotes that were chosen and confirmed, and whose fill the chain did not carry out: both sides got back what they paid, and there never was a bet. */
export class FailedFills {
  private readonly quotes = new Set<number>()
  private readonly requests = new Set<number>()

  /** Of the parlay service these are positions that were never funded, of the outcome service operations that failed. */
  constructor(tables: RunTables) {
    for (const batch of tables.batches('positions')) {
      const [quote, request] = [batch.numbers('quote', 'int64'), batch.numbers('request', 'int64')]
      const outcome = codesIn(['failed'], batch, 'outcome')
      for (let row = 0; row < batch.rowCount; row++) if (outcome[row] === 0) this.add(quote[row]!, request[row]!)
    }
    if (!tables.has('operations')) return
    for (const batch of tables.batches('operations')) {
      const [quote, request] = [orNaN(batch, 'quote'), orNaN(batch, 'request')]
      const [kind, status] = [codesIn(['fill'], batch, 'kind'), codesIn(['failed'], batch, 'status')]
      for (let row = 0; row < batch.rowCount; row++) if (kind[row] === 0 && status[row] === 0) this.add(quote[row]!, request[row]!)
    }
  }

  /** Whether the fill of a quote failed. */
  hasQuote(quote: number): boolean {
    return this.quotes.has(quote)
  }

  /** Whether the fill of a request failed. */
  hasRequest(request: number): boolean {
    return this.requests.has(request)
  }

  private add(quote: number, request: number): void {
    this.quotes.add(quote)
    this.requests.add(request)
  }
}
