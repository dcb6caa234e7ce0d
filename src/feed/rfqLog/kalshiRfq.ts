import { readFileSync } from 'node:fs'
import { Decimal } from 'decimal.js'
import { z } from 'zod'
import { InputError } from '../../unit/inputError.ts'
import { type FileTally, ImportTally } from '../importTally.ts'
import { INSTANTS } from './quantities.ts'
import type { RfqLogReport } from './rfqLog.ts'

/** A log that was made of another format: its lines, and what became of the rows. */
export interface ConvertedLog {
  readonly lines: readonly string[]
  readonly report: RfqLogReport
}

const amount = z.union([z.string(), z.number()]).transform((value, context): Decimal => {
  if (/^\d+(\.\d+)?$/.test(String(value))) return new Decimal(value)
  context.addIssue({ code: 'custom', message: 'expected an amount' })
  return z.NEVER
})

const instant = z.string().transform((value, context): number => {
  const read = INSTANTS['']!(value)
  if ('value' in read) return read.value
  context.addIssue({ code: 'custom', message: read.fault })
  return z.NEVER
})

const side = z.enum(['yes', 'no'])
const rfqRow = z.object({
  id: z.string().min(1), market_ticker: z.string().min(1), creator_id: z.string().optional(), created_ts: instant, cancelled_ts: instant.optional(),
  contracts_fp: amount.optional(), target_cost_dollars: amount.optional(), mve_selected_legs: z.array(z.object({ market_ticker: z.string().min(1), side })).optional(),
})
const quoteRow = z.object({
  id: z.string().min(1), rfq_id: z.string().min(1), creator_id: z.string().min(1), created_ts: instant, yes_bid_dollars: amount, no_bid_dollars: amount,
  market_ticker: z.string().optional(), contracts_fp: amount.optional(), rfq_creator_id: z.string().optional(),
  accepted_side: z.union([side, z.literal('')]).optional(), accepted_ts: instant.optional(), confirmed_ts: instant.optional(), status: z.string().optional(),
})
const step = z.object({ at: instant, step: z.string(), data: z.record(z.string(), z.unknown()) })

/** A row of a file. */
interface Place {
  readonly line: number
  readonly tally: FileTally
}

/** `places`: the rows that say it, each a poll; none of a request that no row of its own stands for. */
type Rfq = z.output<typeof rfqRow> & { readonly places: readonly Place[] }
type Quote = z.output<typeof quoteRow> & { readonly places: readonly Place[] }

/** What the files say, before it is put together. */
class Rows {
  readonly rfqs = new Map<string, Rfq>()
  readonly quotes = new Map<string, Quote>()
  /** When a recorder of steps saw that a request, and then its quote, had been made. */
  private readonly seen: { rfq: { readonly id: string; readonly atUs: number; readonly line: number; readonly tally: FileTally } | null; quoteUs: number } = { rfq: null, quoteUs: NaN }

  take(written: unknown, line: number, tally: FileTally): void {
    const { msg, ...outer } = (typeof written === 'object' && written !== null ? written : {}) as Record<string, unknown>
    const row = msg ?? outer
    const recorded = step.safeParse(row)
    if (recorded.success) this.takeStep(recorded.data, line, tally)
    else if (typeof row === 'object' && row !== null && 'rfq_id' in row) this.takeQuote(row, line, tally)
    else this.takeRfq(row, line, tally)
  }

  private takeStep({ at, step: name, data }: z.output<typeof step>, line: number, tally: FileTally): void {
    const { seen } = this
    switch (name) {
      case 'rfq_created':
        this.dropSeen()
        seen.rfq = { id: String(data['id']), atUs: at, line, tally }
        return
      case 'quote_created':
        seen.quoteUs = at
        return tally.accept()
      case 'quote_terminal': return this.takeQuote(data, line, tally)
    }
    tally.quarantine('not about a request', line, `step ${name}`)
  }

  /** A request that was seen, and whose quote the files do not have, says nothing of its legs. */
  dropSeen(): void {
    this.seen.rfq?.tally.quarantine('request without its quote', this.seen.rfq.line, 'what was asked for stands in the quote alone')
    this.seen.rfq = null
  }

  private takeRfq(row: unknown, line: number, tally: FileTally): void {
    const read = rfqRow.safeParse(row)
    if (!read.success) return wrong(read.error, line, tally)
    const before = this.rfqs.get(read.data.id)
    const places = [...before?.places ?? [], { line, tally }]
    if (before === undefined) return void this.rfqs.set(read.data.id, { ...read.data, places })
    const merged = mergedPolls(before, read.data)
    if (merged === null) return tally.quarantine('request twice', line, `${read.data.id}: the row above says otherwise`)
    this.rfqs.set(read.data.id, { ...merged, places })
  }

  private takeQuote(row: unknown, line: number, tally: FileTally): void {
    const read = quoteRow.safeParse(row)
    if (!read.success) return wrong(read.error, line, tally)
    const before = this.quotes.get(read.data.id)
    const polled = before === undefined ? read.data : mergedPolls(before, read.data)
    if (polled === null) return tally.quarantine('quote twice', line, `${read.data.id}: the row above says otherwise`)
    const quote = { ...polled, places: [...before?.places ?? [], { line, tally }] }
    this.quotes.set(quote.id, quote)
    const { seen: { rfq, quoteUs } } = this
    const { rfq_id: id, market_ticker: ticker, contracts_fp: contracts, created_ts: quotedUs } = quote
    if (this.rfqs.has(id) || rfq?.id !== id || ticker === undefined) return
    // The exchange's clock is not the recorder's: the request was as long before the quote as the recorder saw them apart.
    const created = quotedUs - Math.max(1, quoteUs - rfq.atUs || 1)
    this.rfqs.set(id, { id, market_ticker: ticker, creator_id: quote.rfq_creator_id, created_ts: created, contracts_fp: contracts, places: [] })
    rfq.tally.accept()
    this.seen.rfq = null
    tally.note('request made of its quote', line, 'its instant is that of the quote, less what the recorder saw between them')
  }
}

/** What changes while a request or a quote lives: what is empty in one poll may be said in another. */
const GROWING: ReadonlySet<string> = new Set(['cancelled_ts', 'accepted_side', 'accepted_ts', 'confirmed_ts', 'status'])

/** One thing as two polls tell of it, null where they contradict each other. */
function mergedPolls<T extends Rfq | Quote>(before: T, now: object): T | null {
  const merged = Object.fromEntries<unknown>(Object.entries(before))
  for (const [name, value] of Object.entries(now)) {
    const known = merged[name]
    if (value === undefined || value === '') continue
    const isSaid = known !== undefined && known !== ''
    if (isSaid && name !== 'status' && JSON.stringify(known) !== JSON.stringify(value)) return null
    if (!isSaid && !GROWING.has(name)) return null
    merged[name] = value
  }
  return merged as unknown as T
}

function wrong(error: z.ZodError, line: number, tally: FileTally): void {
  const [issue] = error.issues
  const message = issue!.message.replace(/^Invalid input: (.*), received undefined$/, 'is missing: $1')
  tally.quarantine('wrong field', line, `${issue!.path.map(String).join('.')}: ${message}`)
}

/**
 * A log of a recorded exchange's requests for quotes (`kalshi-rfq`): rows of requests and quotes as its API gives them, frames of its socket, or steps
 * of round trips. Both sides of a quote are bids of the maker: who takes YES pays a dollar less the bid for NO. The requester's side is that of the
 * accepted quote, and YES where nothing was accepted. Throws InputError for a file that cannot be read.
 */
export function convertKalshiRfq(files: readonly string[]): ConvertedLog {
  const tally = new ImportTally()
  const rows = new Rows()
  for (const file of files) readInto(rows, file, tally.file(file))
  rows.dropSeen()
  const lines: { readonly atUs: number; readonly text: string }[] = []
  const known = new Set(rows.rfqs.keys())
  const byRfq = Map.groupBy(rows.quotes.values(), ({ rfq_id: id }) => id)
  for (const [id, quotes] of byRfq) if (!known.has(id)) for (const quote of quotes) setAside(quote, 'quote of an unknown request', id)
  for (const rfq of rows.rfqs.values()) lines.push(...linesOf(rfq, byRfq.get(rfq.id) ?? []))
  const { inputRows, acceptedRows, quarantinedRows, troubles } = tally.close()
  return { lines: lines.toSorted((a, b) => a.atUs - b.atUs).map(({ text }) => text), report: { inputRows, acceptedRows, quarantinedRows, troubles } }
}

function readInto(rows: Rows, file: string, tally: FileTally): void {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (cause) {
    throw new InputError(`cannot be read (${(cause as { code?: string }).code ?? String(cause)})`, { position: { file }, cause })
  }
  for (const [i, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue
    tally.read()
    try {
      rows.take(JSON.parse(line), i + 1, tally)
    } catch (cause) {
      if (!(cause instanceof SyntaxError)) throw cause
      tally.quarantine('unreadable row', i + 1, 'is no JSON object')
    }
  }
}

function setAside({ places }: Rfq | Quote, kind: string, about: string): void {
  for (const { tally, line } of places) tally.quarantine(kind, line, about)
}

/** A quote that is read several times, as open, accepted and confirmed, is one quote. */
function accept({ places }: Rfq | Quote): void {
  for (const [i, { tally, line }] of places.entries()) {
    tally.accept()
    if (i > 0) tally.note('read again', line, 'the same id as in a row above: what both say is taken together')
  }
}

/** The lines of one request with its quotes; none, and all set aside, where a log cannot say it. */
function linesOf(rfq: Rfq, quotes: readonly Quote[]): { readonly atUs: number; readonly text: string }[] {
  const accepted = quotes.find(({ accepted_side: taken, accepted_ts: at }) => (taken === 'yes' || taken === 'no') && at !== undefined)
  // The maker buys the side that was accepted, so that the requester holds the other.
  const wanted = accepted?.accepted_side === 'yes' ? 'no' : 'yes'
  const dropped = (kind: string, about: string): [] => {
    for (const one of [rfq, ...quotes]) setAside(one, kind, about)
    return []
  }
  const legs = rfq.mve_selected_legs
  if (legs !== undefined && legs.length > 0 && wanted === 'no') return dropped('other side of a combination', 'a parlay has no counterpart for NO of several legs')
  const priceOf = ({ yes_bid_dollars: yes, no_bid_dollars: no }: Quote): Decimal => new Decimal(1).minus(wanted === 'yes' ? no : yes)
  const priced = quotes.filter((quote) => priceOf(quote).gt(0) && priceOf(quote).lt(1))
  const best = accepted ?? priced.toSorted((a, b) => priceOf(a).comparedTo(priceOf(b)))[0]
  const stake = rfq.target_cost_dollars ?? (best === undefined || rfq.contracts_fp === undefined ? undefined : rfq.contracts_fp.times(priceOf(best)))
  if (stake === undefined || !stake.gt(0)) return dropped('no stake', 'contracts without a quote, or none: what they cost is not known')
  accept(rfq)
  const lines = [{
    atUs: rfq.created_ts,
    text: JSON.stringify({
      kind: 'request', id: rfq.id, at_us: rfq.created_ts, ...(rfq.creator_id !== undefined && { bettor: rfq.creator_id }),
      legs: legs === undefined || legs.length === 0 ? [`${rfq.market_ticker} ${wanted}`] : legs.map((leg) => `${leg.market_ticker} ${leg.side}`), stake_dollars: stake.toFixed(),
    }),
  }]
  if (rfq.cancelled_ts !== undefined) lines.push({ atUs: rfq.cancelled_ts, text: JSON.stringify({ kind: 'cancel', request: rfq.id, at_us: rfq.cancelled_ts }) })
  for (const quote of quotes) {
    if (!priced.includes(quote)) setAside(quote, 'no offer', 'the side that was asked for has no bid against it')
    else lines.push(...quoteLines(rfq.id, quote, priceOf(quote)))
  }
  return lines
}

function quoteLines(request: string, quote: Quote, price: Decimal): { readonly atUs: number; readonly text: string }[] {
  const { id, creator_id: maker, created_ts: atUs, accepted_side: taken, accepted_ts: acceptedUs, confirmed_ts: confirmedUs } = quote
  accept(quote)
  const lines = [{ atUs, text: JSON.stringify({ kind: 'quote', request, id, maker, at_us: atUs, price_dollars: price.toFixed() }) }]
  if (taken === undefined || taken === '' || acceptedUs === undefined) return lines
  lines.push({ atUs: acceptedUs, text: JSON.stringify({ kind: 'acceptance', request, quote: id, at_us: acceptedUs }) })
  const said = confirmedUs === undefined ? { answer: 'lapsed' } : { answer: 'confirmed', at_us: confirmedUs }
  lines.push({ atUs: confirmedUs ?? acceptedUs, text: JSON.stringify({ kind: 'last_look', request, quote: id, ...said }) })
  return lines
}
