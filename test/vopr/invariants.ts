import { legsOf, type RunRows, type TableRow } from './tables.ts'
import { type Book, booksOf, type Tell } from './recomputation.ts'

/** The specs' invariants that a run's rows alone can show or refute, by their ids (readings.md of the specs, docs/conformance). */

const num = (row: TableRow, name: string): number => row[name] as number
const grouped = (rows: readonly TableRow[], ...names: string[]): Map<string, TableRow[]> => Map.groupBy(rows, (row) => names.map((name) => row[name]).join(' '))

/** Keys of which two legs of a request may share none, by ticker. */
export type ExclusionKeys = ReadonlyMap<string, readonly string[]>

export function checkInvariants(run: RunRows, numberOf: ReadonlyMap<string, number>, keysOf: ExclusionKeys, tell: Tell): void {
  for (const book of booksOf(run, numberOf)) {
    const breach = (id: string, about: string): void => tell(`${id} ${book.service}: ${about}`)
    time(book, breach)
    lastLooks(book, breach)
    requests(book, keysOf, breach)
    quotes(book, breach)
    auctions(book, breach)
    postings(book, breach)
    deliveries(book, breach)
  }
}

type Breach = (id: string, about: string) => void

/** INV-30: time never goes back, and no two rows have one number. */
function time({ table }: Book, breach: Breach): void {
  for (const name of ['journal', 'ledger', 'settlements', 'rejections']) {
    let lastUs = -Infinity
    const seen = new Set<number>()
    const bySeq = table(name).toSorted((a, b) => num(a, 'seq') - num(b, 'seq'))
    for (const row of bySeq) {
      // A command that causes no row of its own has the number of the next row.
      if (name !== 'journal' && seen.has(num(row, 'seq'))) breach('INV-30', `${name}: two rows have number ${num(row, 'seq')}`)
      seen.add(num(row, 'seq'))
      if (name !== 'journal' && num(row, 'at') < lastUs) breach('INV-30', `${name}: time goes back at row ${num(row, 'seq')}`)
      lastUs = num(row, 'at')
    }
  }
  let lastUs = -Infinity
  let last = 0
  for (const row of table('journal')) {
    if (num(row, 'at') < lastUs) breach('INV-30', `journal: time goes back at command ${num(row, 'command')}`)
    if (num(row, 'command') <= last) breach('INV-30', `journal: command ${num(row, 'command')} comes after ${last}`)
    lastUs = num(row, 'at')
    last = num(row, 'command')
  }
}

/** INV-09, INV-11, INV-26: one confirmation within its window for each position, one trade for each request. */
function lastLooks({ service, settings, table }: Book, breach: Breach): void {
  const windowUs = service === 'parlay' ? settings['confirmationMs']! * 1000 : settings['confirmMs']! * 1000 + 1
  const confirmed = new Map<number, TableRow>()
  for (const look of table('acceptances')) {
    const what = `last look at quote ${num(look, 'quote')}`
    if (num(look, 'deadline_at') - num(look, 'selected_at') !== windowUs) breach('INV-26', `${what} lasts ${num(look, 'deadline_at') - num(look, 'selected_at')} µs, expected ${windowUs}`)
    const decidedUs = look['decided_at'] as number | null
    if (look['outcome'] === 'timed_out' ? decidedUs !== look['deadline_at'] : decidedUs !== null && decidedUs >= num(look, 'deadline_at')) {
      breach('INV-26', `${what} is ${String(look['outcome'])} at ${decidedUs}, and its deadline is ${num(look, 'deadline_at')}`)
    }
    if (look['outcome'] !== 'confirmed') continue
    if (confirmed.has(num(look, 'request'))) breach('INV-11', `request ${num(look, 'request')} is confirmed twice`)
    confirmed.set(num(look, 'request'), look)
  }
  for (const position of table('positions')) {
    const look = confirmed.get(num(position, 'request'))
    if (look?.['quote'] !== position['quote']) breach('INV-09', `position ${num(position, 'position')} has no confirmation of its quote`)
    else if (num(position, 'opened_at') < num(look!, 'decided_at')) breach('INV-09', `position ${num(position, 'position')} opened before its confirmation`)
  }
  const answers = table('journal').filter(({ op }) => op === 'confirmSelection' || op === 'confirmQuote')
  if (answers.length < confirmed.size) breach('INV-09', `${confirmed.size} confirmations of ${answers.length} commands`)
}

/** INV-12, INV-18, INV-19: versions count from 1, and legs, bets and windows keep to their limits. */
function requests({ service, settings, table, numberOf }: Book, keysOf: ExclusionKeys, breach: Breach): void {
  const [least, most] = service === 'parlay' ? [settings['betMinMicros']!, settings['betMaxMicros']!] : [settings['netStakeMinMicros']!, Infinity]
  const lifeUs = settings[service === 'parlay' ? 'requestExpiryMs' : 'entryOpenMs']! * 1000
  for (const [request, versions] of grouped(table('requests'), 'request')) {
    const inOrder = versions.toSorted((a, b) => num(a, 'version') - num(b, 'version'))
    for (const [i, row] of inOrder.entries()) {
      const what = `request ${request} version ${num(row, 'version')}`
      if (num(row, 'version') !== i + 1) breach('INV-12', `${what} is the ${i + 1}th`)
      const bet = num(row, 'bet_micros')
      if (bet < least || bet > most) breach('INV-19', `${what} bets ${bet}`)
      const legs = num(row, 'leg_count')
      if (legs < settings['legsMin']! || legs > settings['legsMax']!) breach('INV-18', `${what} has ${legs} legs`)
      const tickers = legsOf(row).map(({ ticker }) => ticker)
      if (tickers.length !== legs) breach('INV-18', `${what} counts ${legs} legs and names ${tickers.length}`)
      const keys = tickers.flatMap((ticker) => [...new Set(keysOf.get(ticker))])
      if (service === 'parlay' && new Set(keys).size < keys.length) breach('INV-18', `${what} has legs that exclude each other: ${tickers.join(', ')}`)
      if (new Set(tickers).size < tickers.length) breach('INV-18', `${what} has a market twice`)
      if (tickers.some((ticker) => !numberOf.has(ticker))) breach('INV-18', `${what} names a market that is not there`)
      const endedUs = row['ended_at'] as number | null
      if (service === 'parlay' && num(row, 'expires_at') - num(row, 'created_at') !== lifeUs) breach('INV-19', `${what} lives ${num(row, 'expires_at') - num(row, 'created_at')} µs`)
      if (service === 'parlay' && row['state'] === 'expired' && endedUs !== null && endedUs < num(row, 'expires_at')) breach('INV-17', `${what} expired before its time`)
      if (endedUs !== null && endedUs < num(row, 'created_at')) breach('INV-30', `${what} ended before it began`)
    }
  }
}

/** INV-13, INV-14, INV-16, INV-19, INV-25: one live quote of a maker, within its life, in its version. */
function quotes({ service, settings, table }: Book, breach: Breach): void {
  const versions = new Map(table('requests').map((row) => [`${num(row, 'request')} ${num(row, 'version')}`, row]))
  const selected = grouped(table('acceptances'), 'quote')
  for (const quote of table('quotes')) {
    const what = `quote ${num(quote, 'quote')}`
    const lifeUs = num(quote, 'valid_until') - num(quote, 'submitted_at')
    const mostUs = settings[service === 'parlay' ? 'quoteValidityMaxMs' : 'entryExpiryMaxMs']! * 1000
    const leastUs = service === 'parlay' ? settings['quoteValidityMinMs']! * 1000 : 1
    if (lifeUs < leastUs || lifeUs > mostUs) breach('INV-19', `${what} lives ${lifeUs} µs`)
    const odds = quote['quoted_odds_e4'] as number | null
    if (service === 'parlay' && (odds === null || odds < settings['oddsE4Min']! || odds > settings['oddsE4Max']!)) breach('INV-19', `${what} has odds ${odds}`)
    if (num(quote, 'risk_micros') < (service === 'parlay' ? 0 : 1)) breach('INV-19', `${what} risks ${num(quote, 'risk_micros')}`)
    const endedUs = quote['ended_at'] as number | null
    const looks = selected.get(String(quote['quote'])) ?? []
    if (quote['state'] === 'expired' && endedUs !== quote['valid_until']) breach('INV-25', `${what} expired at ${endedUs}, and is good until ${num(quote, 'valid_until')}`)
    if (looks.length === 0 && endedUs !== null && endedUs > num(quote, 'valid_until')) breach('INV-25', `${what} outlives its life`)
    for (const look of looks) {
      if (num(look, 'selected_at') >= num(quote, 'valid_until')) breach('INV-14', `${what} is selected at or after its expiry`)
      if (num(look, 'selected_at') < num(quote, 'submitted_at')) breach('INV-14', `${what} is selected before it was made`)
      if (service === 'parlay' && look['version'] !== quote['version']) breach('INV-14', `${what} is selected in another version`)
    }
    const version = versions.get(`${num(quote, 'request')} ${num(quote, 'version')}`)
    if (version !== undefined && (num(quote, 'submitted_at') < num(version, 'created_at') || (version['ended_at'] !== null && num(quote, 'submitted_at') > num(version, 'ended_at')))) {
      breach('INV-14', `${what} is made outside of its version`)
    }
  }
  for (const [key, own] of grouped(table('quotes'), 'request', 'maker')) {
    const inOrder = own.toSorted((a, b) => num(a, 'quote') - num(b, 'quote'))
    for (let i = 1; i < inOrder.length; i++) {
      const endedUs = inOrder[i - 1]!['ended_at'] as number | null
      if (endedUs === null || endedUs > num(inOrder[i]!, 'submitted_at')) breach('INV-16', `request and maker ${key}: quote ${num(inOrder[i]!, 'quote')} is made while the last one lives`)
    }
  }
  if (service === 'parlay') for (const [request, own] of grouped(table('quotes'), 'request')) {
    const counts = own.toSorted((a, b) => num(a, 'quote') - num(b, 'quote')).map((row) => num(row, 'book_seq'))
    if (counts.some((count, i) => count < 1 || (i > 0 && count <= counts[i - 1]!))) breach('INV-13', `request ${request}: book_seq runs ${counts.join(', ')}`)
  }
  bestSelected({ service, table }, breach)
}

/** INV-15: what is selected at the first try has the best odds among live quotes whose makers have the money. */
function bestSelected({ service, table }: Pick<Book, 'service' | 'table'>, breach: Breach): void {
  if (service !== 'parlay' || table('journal').some(({ op }) => op === 'setFault')) return
  const quotesOf = grouped(table('quotes'), 'request')
  const triesOf = grouped(table('acceptances'), 'request')
  const accountOf = new Map(table('equity').map(({ maker, account }) => [maker, account]))
  const postings = table('ledger').filter((row) => row['debit_kind'] === 'free' || row['credit_kind'] === 'free').toSorted((a, b) => num(a, 'seq') - num(b, 'seq'))
  for (const [request, looks] of triesOf) {
    const first = looks.toSorted((a, b) => num(a, 'selected_at') - num(b, 'selected_at'))[0]!
    const atUs = num(first, 'selected_at')
    for (const quote of quotesOf.get(request) ?? []) {
      const isLive = num(quote, 'submitted_at') < atUs && (quote['ended_at'] === null || num(quote, 'ended_at') > atUs) && quote['version'] === first['version']
      if (!isLive || num(quote, 'quoted_odds_e4') <= num(first, 'selected_odds_e4')) continue
      const account = accountOf.get(quote['maker'] as string)
      let [freeUs, least] = [0, Infinity]
      for (const row of postings) {
        if (num(row, 'at') > atUs) break
        if (row['credit_kind'] === 'free' && row['credit_owner'] === account) freeUs += num(row, 'amount_micros')
        if (row['debit_kind'] === 'free' && row['debit_owner'] === account) freeUs -= num(row, 'amount_micros')
        if (num(row, 'at') === atUs) least = Math.min(least, freeUs)
      }
      if (Math.min(least, freeUs) >= num(quote, 'risk_micros')) breach('INV-15', `request ${request}: quote ${num(first, 'quote')} is selected although quote ${num(quote, 'quote')} is better`)
    }
  }
}

/** INV-11, INV-15, INV-16, INV-20, INV-21, INV-22 of cash-outs. */
function auctions({ service, settings, table, numberOf }: Book, breach: Breach): void {
  const positionOf = new Map(table('positions').map((row) => [row['position'], row]))
  const bidsOf = grouped(table('bids'), 'auction')
  for (const auction of table('auctions')) {
    const number = num(auction, 'auction')
    const position = positionOf.get(auction['position']!)
    const bids = bidsOf.get(String(number)) ?? []
    if (position === undefined) {
      breach('INV-21', `auction ${number} sells a position that is not there`)
      continue
    }
    if (num(auction, 'opened_at') < num(position, 'opened_at')) breach('INV-17', `auction ${number} opens before its position`)
    if (position['ended_at'] !== null && num(auction, 'opened_at') > num(position, 'ended_at')) breach('INV-17', `auction ${number} opens after its position has ended`)
    const taken = bids.filter((bid) => bid['taken'] === true && bid['state'] === 'won')
    if (auction['state'] === 'committed' ? taken.length !== 1 : service === 'parlay' && taken.length > 0) breach('INV-11', `auction ${number} is ${String(auction['state'])} with ${taken.length} winners`)
    for (const bid of bids) {
      const what = `bid ${num(bid, 'bid')} in auction ${number}`
      if (bid['maker'] === auction['seller_maker']) breach('INV-20', `${what} is the seller's`)
      if (num(bid, 'price_micros') < 1 || num(bid, 'price_micros') > num(position, 'payout_micros')) breach('INV-20', `${what} is ${num(bid, 'price_micros')}, and the payout ${num(position, 'payout_micros')}`)
      if (service === 'parlay' && settings['buybackBoundAtBid'] === 1 && bid['maker'] === position['maker'] && num(bid, 'price_micros') > num(auction, 'buyback_bound_micros')) breach('INV-20', `${what} is above the buyback bound`)
      if (num(bid, 'submitted_at') < num(auction, 'opened_at') || (auction['ended_at'] !== null && num(bid, 'submitted_at') > num(auction, 'ended_at'))) breach('INV-17', `${what} is made outside of it`)
    }
    if (service === 'parlay' && taken.length === 1) {
      const better = bids.find((bid) => bid['state'] === 'invalidated' && bid['ended_at'] === auction['ended_at'] && num(bid, 'price_micros') > num(auction, 'price_micros'))
      if (better !== undefined) breach('INV-15', `auction ${number} takes ${num(auction, 'price_micros')} although bid ${num(better, 'bid')} is better`)
    }
    for (const [maker, own] of Map.groupBy(bids, (bid) => bid['maker'])) {
      const inOrder = own.toSorted((a, b) => num(a, 'bid') - num(b, 'bid'))
      for (let i = 1; i < inOrder.length; i++) {
        if (inOrder[i - 1]!['ended_at'] === null || num(inOrder[i - 1]!, 'ended_at') > num(inOrder[i]!, 'submitted_at')) breach('INV-16', `auction ${number}: two live bids of ${String(maker)}`)
      }
    }
  }
  if (service === 'parlay') cutoffs({ service, settings, table, numberOf }, positionOf, breach)
  for (const position of positionOf.values()) {
    const sold = table('auctions').filter((row) => row['position'] === position['position'] && row['route'] === 'transferred').length
    if (position['transfer_count'] !== sold) breach('INV-21', `position ${num(position, 'position')} has ${num(position, 'transfer_count')} transfers, and ${sold} sales`)
    if (num(position, 'net_stake_micros') + num(position, 'risk_micros') !== position['payout_micros']) breach('INV-04', `position ${num(position, 'position')}: stake and risk are not its payout`)
  }
}

/** INV-22: nothing opens or is sold within the cutoff before the earliest close. */
function cutoffs({ settings, table, numberOf }: Book, positionOf: ReadonlyMap<unknown, TableRow>, breach: Breach): void {
  if (settings['cutoffSkipsResolvedLegs'] === 1) return
  const closeOf = new Map<number, number>()
  for (const row of table('journal')) {
    const close = /closeUs=(\d+)/.exec(row['more'] as string | null ?? '')
    if (row['op'] === 'listMarket' && close !== null) closeOf.set(num(row, 'market'), Math.max(closeOf.get(num(row, 'market')) ?? 0, Number(close[1])))
  }
  for (const auction of table('auctions')) {
    const position = positionOf.get(auction['position'])!
    const closes = legsOf(position).map(({ ticker }) => closeOf.get(numberOf.get(ticker)!) ?? Infinity)
    const latestUs = Math.min(...closes) - settings['cashoutCutoffMs']! * 1000
    if (num(auction, 'opened_at') >= latestUs) breach('INV-22', `auction ${num(auction, 'auction')} opens within the cutoff`)
    if (auction['state'] === 'committed' && num(auction, 'ended_at') >= latestUs) breach('INV-22', `auction ${num(auction, 'auction')} sells within the cutoff`)
  }
}

/** INV-10, INV-23, INV-29: postings name what they are for, and what is held comes back or is used. */
function postings({ table }: Book, breach: Breach): void {
  const held = new Map<number, number>()
  let reserved = 0
  for (const row of table('ledger').toSorted((a, b) => num(a, 'seq') - num(b, 'seq'))) {
    if (row['debit_kind'] === row['credit_kind'] && row['debit_owner'] === row['credit_owner']) breach('INV-29', `posting ${num(row, 'seq')} moves nothing`)
    if (row['cause'] === 'hold' && (row['debit_kind'] !== 'free' || row['credit_kind'] !== 'reserved' || row['debit_owner'] !== row['credit_owner'])) breach('INV-29', `posting ${num(row, 'seq')} is no hold`)
    if (row['cause'] === 'release' && (row['debit_kind'] !== 'reserved' || row['credit_kind'] !== 'free' || row['debit_owner'] !== row['credit_owner'])) breach('INV-10', `posting ${num(row, 'seq')} is no release`)
    if (row['cause'] === 'withdraw' && row['credit_kind'] !== 'external') breach('INV-23', `posting ${num(row, 'seq')} is no withdrawal`)
    const signed = (row['credit_kind'] === 'reserved' ? num(row, 'amount_micros') : 0) - (row['debit_kind'] === 'reserved' ? num(row, 'amount_micros') : 0)
    reserved += signed
    if (row['request'] !== null && signed !== 0) held.set(num(row, 'request'), (held.get(num(row, 'request')) ?? 0) + signed)
  }
  const pending = table('acceptances').some(({ outcome }) => outcome === 'open') || table('operations').some(({ status }) => status === 'pending')
    || table('vault_transactions').some(({ status }) => status !== 'completed' && status !== 'failed')
  if (pending) return
  if (reserved !== 0) breach('INV-10', `${reserved} stays reserved, and nothing is pending`)
  for (const [request, micros] of held) if (micros !== 0) breach('INV-10', `${micros} of request ${request} stays reserved`)
}

/** INV-27: attempts of a delivery, and events told once. */
function deliveries({ table }: Book, breach: Breach): void {
  for (const row of table('webhooks')) {
    const isOver = row['status'] === 'delivered' || row['status'] === 'dead_letter'
    if (isOver !== (row['ended_at'] !== null)) breach('INV-27', `delivery ${num(row, 'delivery')} is ${String(row['status'])} and ended at ${String(row['ended_at'])}`)
    if (row['status'] === 'delivered' && !(num(row, 'response_code') >= 200 && num(row, 'response_code') < 300)) breach('INV-27', `delivery ${num(row, 'delivery')} is delivered with ${num(row, 'response_code')}`)
  }
  for (const [key, rows] of grouped(table('webhooks'), 'event_seq', 'event', 'account', 'owner_kind')) {
    if (new Set(rows.map(({ delivery }) => delivery)).size > 1) breach('INV-27', `event ${key} has two deliveries`)
  }
}
