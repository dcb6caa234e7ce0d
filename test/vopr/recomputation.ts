import { legsOf, type ResolvedTerms, type RunRows, type TableRow } from './tables.ts'

/**
 * Every fee, payout and balance of a run a second time: from its tables and the services' documents (docs/conformance) alone. Nothing here is
 * imported from `src`, so that no rule is right because both sides share it.
 */

/** Tells of a difference. */
export type Tell = (about: string) => void

type Settings = Readonly<Record<string, number>>

const num = (row: TableRow, name: string): number => row[name] as number
const bySeq = (a: TableRow, b: TableRow): number => (num(a, 'seq') ?? Infinity) - (num(b, 'seq') ?? Infinity)

/** floor(a × b ÷ c) of whole numbers, exactly. */
const share = (a: number, b: number, c: number): number => Number((BigInt(a) * BigInt(b)) / BigInt(c))
const feeOf = (profit: number, bps: number): number => share(Math.max(0, profit), bps, 10_000)

export interface Book {
  readonly service: 'parlay' | 'outcome'
  readonly settings: Settings
  readonly table: (name: string) => readonly TableRow[]
  /** Markets by ticker; their numbers stand in the journal. */
  readonly numberOf: ReadonlyMap<string, number>
}

/** The services of a run, each with its own rows. */
export function booksOf(run: RunRows, numberOf: ReadonlyMap<string, number>): Book[] {
  const { services } = run.manifest.identity.scenario
  return (['parlay', 'outcome'] as const).flatMap((service) => {
    const terms = services[service]
    return terms === undefined ? [] : [{ service, settings: terms.settings, numberOf, table: (name: string) => run.table(name).filter((row) => row['service'] === service) }]
  })
}

/** All that a recomputation compares, service by service. */
export function recompute(run: RunRows, numberOf: ReadonlyMap<string, number>, tell: Tell): void {
  for (const book of booksOf(run, numberOf)) {
    const told: Tell = (about) => tell(`${book.service}: ${about}`)
    const is = (what: string, got: unknown, expected: unknown): void => {
      if (got !== expected) told(`${what} is ${String(got)}, expected ${String(expected)}`)
    }
    quotes(book, is)
    positions(book, is)
    const sales = salesOf(book, is)
    settlements(book, sales, is)
    ledger(book, sales, is, run.manifest.identity.scenario)
    marks(book, run.manifest.counts['endUs']!, is)
  }
}

type Is = (what: string, got: unknown, expected: unknown) => void

const keyed = (rows: readonly TableRow[], ...names: string[]): Map<string, TableRow> => new Map(rows.map((row) => [names.map((name) => row[name]).join(' '), row]))
const grouped = (rows: readonly TableRow[], ...names: string[]): Map<string, TableRow[]> => Map.groupBy(rows, (row) => names.map((name) => row[name]).join(' '))

/** Net stake, risk and odds of each quote from the bet of its request, and the counts of each version. */
function quotes({ service, settings, table }: Book, is: Is): void {
  const requests = keyed(table('requests'), 'request', 'version')
  for (const quote of table('quotes')) {
    const request = requests.get(`${num(quote, 'request')} ${num(quote, 'version')}`)
    const what = `quote ${num(quote, 'quote')}:`
    if (request === undefined) {
      is(`${what} its request`, 'missing', 'there')
      continue
    }
    const bet = num(request, 'bet_micros')
    is(`${what} taker fee rate`, quote['taker_fee_bps'], settings['takerFeeBps'])
    const net = bet - share(bet, num(quote, 'taker_fee_bps'), 10_000)
    is(`${what} net stake`, quote['net_stake_micros'], net)
    const payout = net + num(quote, 'risk_micros')
    if (service === 'parlay') is(`${what} payout`, payout, share(net, num(quote, 'quoted_odds_e4'), 10_000))
    else is(`${what} odds`, quote['quoted_odds_e4'], net === 0 ? null : share(payout, 10_000, net))
  }
  const quotesOf = grouped(table('quotes'), 'request', 'version')
  // A quote of an RFQ outlives the generation that it was made in.
  const fills = keyed(table('acceptances').filter(({ outcome }) => outcome === 'confirmed'), 'request', 'version')
  for (const [key, request] of requests) {
    const own = quotesOf.get(key) ?? []
    is(`request ${key}: quotes`, request['quote_count'], own.length)
    is(`request ${key}: makers`, request['maker_count'], new Set(own.map(({ maker }) => maker)).size)
    is(`request ${key}: filled quote`, request['filled_quote'], fills.get(key)?.['quote'] ?? null)
  }
}

/** Each position's terms from its quote and its request. */
function positions({ service, settings, table }: Book, is: Is): void {
  const quoted = keyed(table('quotes'), 'quote')
  const requests = keyed(table('requests'), 'request', 'version')
  const endings = grouped(table('settlements'), 'position')
  for (const position of table('positions')) {
    const what = `position ${num(position, 'position')}:`
    const quote = quoted.get(String(position['quote']))!
    const request = requests.get(`${num(position, 'request')} ${num(quote, 'version')}`)!
    is(`${what} net stake`, position['net_stake_micros'], quote['net_stake_micros'])
    is(`${what} risk`, position['risk_micros'], quote['risk_micros'])
    is(`${what} payout`, position['payout_micros'], num(quote, 'net_stake_micros') + num(quote, 'risk_micros'))
    is(`${what} odds`, position['filled_odds_e4'], quote['quoted_odds_e4'])
    is(`${what} taker fee`, position['taker_fee_micros'], num(request, 'bet_micros') - num(quote, 'net_stake_micros'))
    is(`${what} profit fee rate`, position['profit_fee_bps'], settings[service === 'parlay' ? 'profitFeeBps' : 'feeBps'])
    is(`${what} bettor`, position['bettor'], request['bettor'])
    is(`${what} maker`, position['maker'], quote['maker'])
    is(`${what} endings`, (endings.get(String(position['position'])) ?? []).length, position['state'] === 'open' ? 0 : 1)
  }
}

/** A position that was sold to another holder. */
interface Sale {
  readonly seq: number
  readonly atUs: number
  readonly position: number
  readonly buyer: string
  readonly seller: number
  readonly sellerMaker: string | null
  readonly sellerCost: number
  readonly price: number
  readonly toSeller: number
}

/** Every committed auction a second time; returns those that gave the position to another holder, in order. */
function salesOf({ service, settings, table }: Book, is: Is): Sale[] {
  const positionOf = keyed(table('positions'), 'position')
  const bidOf = keyed(table('bids'), 'bid')
  const sales: Sale[] = []
  const taxesTransfers = settings[service === 'parlay' ? 'profitFeeOnTransfer' : 'feeOnCashout'] === 1
  const cost = new Map<unknown, number>()
  const basis = new Map<unknown, number>()
  for (const auction of table('auctions').filter(({ state }) => state === 'committed').toSorted(bySeq)) {
    const position = positionOf.get(String(auction['position']))!
    const bid = bidOf.get(String(auction['bid']))!
    const what = `auction ${num(auction, 'auction')}:`
    const price = num(bid, 'price_micros')
    const net = num(position, 'net_stake_micros')
    const gross = net + num(position, 'taker_fee_micros')
    const from = basis.get(auction['position']) ?? (service === 'outcome' && settings['profitOverGross'] === 1 ? gross : net)
    const paid = cost.get(auction['position']) ?? gross
    const isTransfer = bid['maker'] !== position['maker']
    const isTaxed = service === 'parlay' ? !isTransfer || taxesTransfers : taxesTransfers
    const fee = isTaxed ? feeOf(price - from, num(position, 'profit_fee_bps')) : 0
    is(`${what} price`, auction['price_micros'], price)
    is(`${what} route`, auction['route'], isTransfer ? 'transferred' : 'bought_back')
    is(`${what} winner`, auction['winner'], bid['maker'])
    is(`${what} profit fee`, auction['profit_fee_micros'], fee)
    is(`${what} to the seller`, auction['to_seller_micros'], price - fee)
    is(`${what} seller's cost`, auction['seller_cost_micros'], paid)
    is(`${what} cost basis`, auction['cost_basis_micros'], from)
    if (!isTransfer) continue
    cost.set(auction['position'], price)
    if (taxesTransfers) basis.set(auction['position'], price)
    sales.push({
      seq: num(auction, 'seq'), atUs: num(auction, 'ended_at'), position: num(auction, 'position'), buyer: bid['maker'] as string, seller: num(auction, 'seller'),
      sellerMaker: auction['seller_maker'] as string | null, sellerCost: paid, price, toSeller: price - fee,
    })
  }
  for (const auction of table('auctions')) {
    const position = positionOf.get(String(auction['position']))!
    const risk = num(position, 'risk_micros')
    const bps = num(position, 'profit_fee_bps')
    const bound = settings['buybackBoundGrossedUp'] === 1 ? num(position, 'net_stake_micros') + share(risk, 10_000, 10_000 + bps) : num(position, 'payout_micros') - share(risk, bps, 10_000)
    const bids = table('bids').filter((bid) => bid['auction'] === auction['auction'])
    is(`auction ${num(auction, 'auction')}: buyback bound`, auction['buyback_bound_micros'], service === 'parlay' ? bound : null)
    is(`auction ${num(auction, 'auction')}: bids`, auction['bid_count'], bids.length)
    is(`auction ${num(auction, 'auction')}: makers`, auction['maker_count'], new Set(bids.map(({ maker }) => maker)).size)
  }
  return sales
}

type Result = 'lost' | 'won' | 'void'

/** Results in order of time: instants, each with the results that it brought. */
export function resultsOf({ table }: Book): { readonly atUs: number; readonly market: number; readonly value: number }[] {
  return table('journal').filter(({ op }) => op === 'resolveMarket' || op === 'resolveOutcome')
    .map((row) => ({ atUs: num(row, 'at'), market: num(row, 'market'), value: num(row, 'value') }))
}

/** What the legs of a position came to by an instant, and since when; null while that is open. */
function decided(position: TableRow, book: Book, results: ReadonlyMap<number, { atUs: number; value: number }>, untilUs: number, sinceUs: number): { outcome: Result; atUs: number } | null {
  const legs = legsOf(position).map(({ ticker, side }) => ({ market: book.numberOf.get(ticker)!, side }))
  const came = legs.map(({ market, side }) => {
    const result = results.get(market)
    if (result === undefined || result.atUs > untilUs) return { atUs: Infinity, came: 'open' }
    return { atUs: Math.max(sinceUs, result.atUs), came: result.value === 2 ? 'void' : result.value === side ? 'won' : 'lost' }
  })
  const first = (what: string): number => Math.min(...came.map((leg) => (leg.came === what ? leg.atUs : Infinity)))
  const [lostUs, voidUs] = [first('lost'), first('void')]
  if (lostUs < Infinity && lostUs <= voidUs) return { outcome: 'lost', atUs: lostUs }
  if (voidUs < Infinity) return { outcome: 'void', atUs: voidUs }
  const lastUs = Math.max(...came.map(({ atUs }) => atUs))
  return lastUs < Infinity ? { outcome: 'won', atUs: lastUs } : null
}

/** Who is paid what at the end of each position, and what decides it. */
function settlements(book: Book, sales: readonly Sale[], is: Is): void {
  const { service, settings, table } = book
  const results = new Map(resultsOf(book).map(({ market, atUs, value }) => [market, { atUs, value }]))
  const positionOf = keyed(table('positions'), 'position')
  const auctionOf = keyed(table('auctions'), 'auction')
  const salesFor = Map.groupBy(sales, ({ position }) => position)
  const endOf = keyed(table('settlements'), 'position')
  const isChainWell = !table('journal').some(({ op }) => op === 'setFault')
  const COLUMN_LEGS = 8
  for (const position of positionOf.values()) {
    const openedUs = num(position, 'opened_at')
    if (num(position, 'leg_count') > COLUMN_LEGS) continue
    const end = endOf.get(String(position['position']))
    const what = `position ${num(position, 'position')}:`
    const untilUs = service === 'outcome' && end !== undefined ? num(end, 'at') : Infinity
    const verdict = decided(position, book, results, untilUs, openedUs)
    if (end === undefined) {
      if (isChainWell) is(`${what} result of an open one`, verdict?.outcome ?? null, null)
      continue
    }
    if (end['outcome'] === 'bought_back' || end['outcome'] === 'failed') continue
    // Results that come later cannot change what the parlay service has decided; on the outcome service a loss beats a void until the batch.
    const beaten = service === 'outcome' && verdict?.outcome === 'void' && legsLost(position, book, results, num(end, 'at'))
    is(`${what} outcome`, end['outcome'], beaten ? 'lost' : verdict?.outcome ?? 'none')
    if (service === 'parlay' && isChainWell && settings['executionMs'] === 0) is(`${what} settled at`, end['at'], verdict?.atUs)
    if (service === 'outcome') batch(what, num(end, 'at'), verdict?.atUs ?? NaN, settings, isChainWell && num(position, 'auction_count') === 0, is)
  }
  for (const end of endOf.values()) {
    const position = positionOf.get(String(end['position']))!
    const own = salesFor.get(num(end, 'position')) ?? []
    const last = own.at(-1)
    const what = `end of position ${num(end, 'position')}:`
    const [net, risk, payout, escrow, bps] = ['net_stake_micros', 'risk_micros', 'payout_micros', 'taker_fee_micros', 'profit_fee_bps'].map((name) => num(position, name)) as [number, number, number, number, number]
    const rebased = settings[service === 'parlay' ? 'profitFeeOnTransfer' : 'feeOnCashout'] === 1
    const basis = last !== undefined && rebased ? last.price : service === 'outcome' && settings['profitOverGross'] === 1 ? net + escrow : net
    const onMaker = service === 'parlay' && settings['profitFeeOnMaker'] === 1
    const kept = service === 'parlay' ? escrow : 0
    is(`${what} holder's cost`, end['holder_cost_micros'], last?.price ?? net + escrow)
    is(`${what} holder's maker`, end['holder_maker'], last?.buyer ?? null)
    const expect = (toHolder: number, toMaker: number, profitFee: number, takerFee: number, makerFee: number): void => {
      is(`${what} to the holder`, end['to_holder_micros'], toHolder)
      is(`${what} to the maker`, end['to_maker_micros'], toMaker)
      is(`${what} profit fee`, end['profit_fee_micros'], profitFee)
      is(`${what} taker fee`, end['taker_fee_micros'], takerFee)
      is(`${what} maker's fee`, end['maker_profit_fee_micros'], makerFee)
    }
    switch (end['outcome']) {
      case 'won': {
        const fee = feeOf(payout - basis, bps)
        expect(payout - fee, 0, fee, kept, 0)
        break
      }
      case 'lost': {
        const fee = onMaker ? feeOf(net, bps) : 0
        expect(0, payout - fee, fee, kept, fee)
        break
      }
      case 'void': case 'failed':
        expect(net + kept, risk, 0, 0, 0)
        break
      default: {
        const auction = auctionOf.get(String(end['auction']))!
        const price = num(auction, 'price_micros')
        const fee = service === 'outcome' && settings['feeOnCashout'] !== 1 ? 0 : feeOf(price - basis, bps)
        const makerFee = onMaker ? feeOf(net - price, bps) : 0
        is(`${what} price`, end['price_micros'], price)
        expect(price - fee, payout - price - makerFee, fee + makerFee, kept, makerFee)
      }
    }
  }
}

function legsLost(position: TableRow, { numberOf }: Book, results: ReadonlyMap<number, { atUs: number; value: number }>, untilUs: number): boolean {
  return legsOf(position).some(({ ticker, side }) => {
    const result = results.get(numberOf.get(ticker)!)
    return result !== undefined && result.atUs <= untilUs && result.value !== 2 && result.value !== side
  })
}

/** Settlement batches are at whole multiples of their span since the epoch, plus a phase. */
function batch(what: string, atUs: number, decidedUs: number, settings: Settings, isNext: boolean, is: Is): void {
  const spanUs = settings['settlementEveryMs']! * 1000
  const phaseUs = settings['settlementPhaseMs']! * 1000
  const wrapped = (((atUs - phaseUs) % spanUs) + spanUs) % spanUs
  is(`${what} instant within its batch`, wrapped, 0)
  if (isNext) is(`${what} batch`, atUs, Math.ceil((decidedUs - phaseUs) / spanUs) * spanUs + phaseUs)
}

/** Replays every posting: no account below zero, pots in and out, and the samples of makers' money. */
function ledger(book: Book, sales: readonly Sale[], is: Is, scenario: ResolvedTerms): void {
  const { service, table } = book
  const results = new Map(resultsOf(book).map(({ market, atUs, value }) => [market, { atUs, value }]))
  const balance = new Map<string, number>()
  const postings = table('ledger').toSorted(bySeq)
  const positionOf = keyed(table('positions'), 'position')
  const accountOf = new Map(table('equity').map(({ maker, account }) => [maker as string, account as number]))
  const locked = new Map<string, number>()
  const potIn = new Map<number, number>()
  const heldBy = new Map<number, Sale>()
  const endings = table('settlements').toSorted(bySeq)
  const samples = table('equity').toSorted(bySeq)
  let [sold, ended, posted] = [0, 0, 0]
  const advance = (seq: number): void => {
    for (; posted < postings.length && num(postings[posted]!, 'seq') <= seq; posted++) post(postings[posted]!)
    for (; sold < sales.length && sales[sold]!.seq <= seq; sold++) heldBy.set(sales[sold]!.position, sales[sold]!)
    for (; ended < endings.length && num(endings[ended]!, 'seq') <= seq; ended++) heldBy.delete(num(endings[ended]!, 'position'))
  }
  const post = (row: TableRow): void => {
    const amount = num(row, 'amount_micros')
    const [from, to] = [`${row['debit_kind']} ${row['debit_owner']}`, `${row['credit_kind']} ${row['credit_owner']}`]
    if (!(amount > 0) || !Number.isSafeInteger(amount)) is(`posting ${num(row, 'seq')}: amount`, amount, 'above 0')
    balance.set(from, (balance.get(from) ?? 0) - amount)
    balance.set(to, (balance.get(to) ?? 0) + amount)
    if (row['debit_kind'] !== 'external' && balance.get(from)! < 0) is(`posting ${num(row, 'seq')}: ${from}`, balance.get(from), 'at least 0')
    if (row['credit_kind'] === 'pot') {
      const position = num(row, 'credit_owner')
      potIn.set(position, (potIn.get(position) ?? 0) + amount)
      const whole = positionOf.get(String(position))
      if (whole !== undefined && potIn.get(position) === num(whole, 'payout_micros')) locked.set(String(position), num(whole, 'risk_micros'))
    }
    if (row['debit_kind'] === 'pot' && balance.get(from) === 0) locked.delete(String(num(row, 'debit_owner')))
  }
  for (const sample of samples) {
    advance(num(sample, 'seq'))
    const what = `equity of ${String(sample['maker'])} after ${num(sample, 'seq')}:`
    const account = num(sample, 'account')
    const [free, reserved] = [balance.get(`free ${account}`) ?? 0, balance.get(`reserved ${account}`) ?? 0]
    const backed = [...locked].filter(([position]) => positionOf.get(position)!['maker'] === sample['maker'])
    const risk = backed.reduce((sum, [, micros]) => sum + micros, 0)
    const held = [...heldBy.values()].filter(({ buyer }) => buyer === sample['maker'])
    is(`${what} free`, sample['free_micros'], free)
    is(`${what} reserved`, sample['reserved_micros'], reserved)
    is(`${what} locked`, sample['locked_micros'], reserved + risk)
    is(`${what} at cost`, sample['at_cost_micros'], free + reserved + risk)
    is(`${what} open positions`, sample['open_positions'], backed.length)
    is(`${what} held positions`, sample['held_positions'], held.length)
    // A void leg leaves no probability, save where a lost leg has decided the position.
    const isUnpriced = (position: TableRow): boolean => decided(position, book, results, num(sample, 'at'), 0)?.outcome === 'void' && !legsLost(position, book, results, num(sample, 'at'))
    const unpriced = [...backed.map(([position]) => position), ...held.map(({ position }) => String(position))].filter((position) => num(positionOf.get(position)!, 'leg_count') <= 8 && isUnpriced(positionOf.get(position)!)).length
    if (num(sample, 'unpriced_positions') < unpriced) is(`${what} positions without a price`, sample['unpriced_positions'], `at least ${unpriced}`)
    is(`${what} held cost`, sample['held_cost_micros'], held.reduce((sum, { price }) => sum + price, 0))
  }
  advance(Infinity)
  for (const position of positionOf.values()) {
    const number = num(position, 'position')
    const isOpen = position['state'] === 'open'
    is(`pot ${number}: paid in`, potIn.get(number) ?? 0, position['payout_micros'])
    is(`pot ${number}: left`, balance.get(`pot ${number}`) ?? 0, isOpen ? position['payout_micros'] : 0)
    if (service === 'parlay') is(`escrow ${number}: left`, balance.get(`escrow ${number}`) ?? 0, isOpen ? position['taker_fee_micros'] : 0)
  }
  const moved = (cause: string): number => postings.reduce((sum, row) => (row['cause'] === cause ? sum + num(row, 'amount_micros') : sum), 0)
  is('external', -(balance.get('external null') ?? 0), moved('deposit') - moved('withdraw'))
  const fees = endings.reduce((sum, row) => sum + num(row, 'profit_fee_micros') + num(row, 'taker_fee_micros'), 0)
    + table('auctions').reduce((sum, row) => (row['route'] === 'transferred' ? sum + num(row, 'profit_fee_micros') : sum), 0)
    + (service === 'outcome' ? table('positions').reduce((sum, row) => sum + num(row, 'taker_fee_micros'), 0) : 0)
  is('house', balance.get('house null') ?? 0, fees)
  for (const { name, service: at, capitalMicros } of scenario.makers) {
    const account = accountOf.get(name)
    if (at !== service || account === undefined) continue
    const own = postings.find((row) => row['cause'] === 'deposit' && row['credit_owner'] === account)
    is(`first deposit of ${name}`, own?.['amount_micros'], capitalMicros)
  }
}

/** Marks: one for each decided quote and horizon, at its instant, or at the end of the session. */
function marks({ table }: Book, endUs: number, is: Is): void {
  const quotes = keyed(table('quotes'), 'quote')
  const perQuote = grouped(table('marks'), 'quote', 'decided_at')
  const horizons = new Set(table('marks').map(({ horizon_us: span }) => span)).size
  for (const [key, own] of perQuote) is(`marks of quote ${key}`, own.length, horizons)
  for (const mark of table('marks')) {
    const quote = quotes.get(String(mark['quote']))!
    const what = `mark of quote ${num(mark, 'quote')} at ${num(mark, 'horizon_us')}:`
    const payout = num(quote, 'net_stake_micros') + num(quote, 'risk_micros')
    const dueUs = num(mark, 'decided_at') + num(mark, 'horizon_us')
    is(`${what} maker`, mark['maker'], quote['maker'])
    is(`${what} payout`, mark['payout_micros'], payout)
    is(`${what} q`, mark['quoted_probability'], num(quote, 'net_stake_micros') / payout)
    is(`${what} censored`, mark['censored'], dueUs > endUs)
    is(`${what} instant`, mark['at'], Math.min(dueUs, endUs))
    is(`${what} fair`, mark['fair'], quote['fair'])
    const expected = { filled: 'filled', failed: mark['kind'] === 'declined' ? 'declined' : 'timed_out' }[quote['state'] as string] ?? 'traded_away'
    is(`${what} kind`, mark['kind'], expected)
  }
  const decidedQuotes = table('quotes').filter(({ state, traded_away: away }) => state === 'filled' || state === 'failed' || away === true).length
  if (horizons > 0) is('quotes with marks', perQuote.size, decidedQuotes)
}
