import { readRunHead } from '../score/runHead.ts'
import { odds, percent, signed } from '../unit/numberText.ts'
import { ODDS_ONE } from '../unit/odds.ts'
import { cashOutEntries, type CashOutParts, type ExplainedSale, salesOf } from './explainCashOut.ts'
import { type Cell, n, oddsText, orNull, type Row, usdc } from './explainCells.ts'
import { type ExplainWords, operationEntries, wordsOf } from './explainWords.ts'
import { numbersOf, RequestTables } from './requestTables.ts'

/** Something that happened to a request, or that a participant did about it. */
export interface TimelineEntry {
  readonly atUs: number
  /** Since the request was made, ms. */
  readonly afterMs: number
  readonly who: string
  readonly what: string
}

/** A price as odds, as the probability that they imply, and beside the reference at that moment. */
export interface ExplainedPrice {
  readonly odds: number
  /** user_stake / total_payout, 0…1. */
  readonly probability: number
  /** Reference probability V, null when unknown. */
  readonly reference: number | null
  /** probability / V − 1, null without V. */
  readonly margin: number | null
}

export interface ExplainedQuote extends ExplainedPrice {
  readonly quote: number
  readonly version: number
  readonly maker: string
  readonly submittedMs: number
  readonly endedMs: number | null
  readonly state: string
  readonly riskMicros: number
  /** The maker's own fair probability at submission, null when it gave none. */
  readonly fair: number | null
  /** Why it won, or lost. */
  readonly why: string
}

export interface ExplainedVersion {
  readonly version: number
  readonly betMicros: number
  readonly legs: readonly { readonly market: string; readonly side: string }[]
  readonly legCount: number
  readonly state: string
  readonly bestOddsAtEnd: number | null
}

/** Who got what, in integer microUSDC, null while the position is open. */
export interface ExplainedMoney {
  readonly stakeMicros: number
  readonly riskMicros: number
  readonly takerFeeMicros: number
  readonly outcome: string | null
  /** The maker that had taken the position over by its end, null when its bettor held it. */
  readonly holder: string | null
  /** Sales to another holder, in order. */
  readonly sales: readonly ExplainedSale[]
  readonly toHolderMicros: number | null
  readonly toMakerMicros: number | null
  readonly profitFeeMicros: number | null
  /** What the bettor gained: what it was paid, at the end or in its sale, minus its gross bet. */
  readonly bettorProfitMicros: number | null
  /** What the maker gained: what it was paid minus its risk. */
  readonly makerProfitMicros: number | null
}

/** A maker that a request did not reach. `away`: its stream was closed. `ignored`: it missed the request, as the scenario lets it. */
export interface MissedRequest {
  readonly maker: string
  readonly fate: 'away' | 'ignored'
}

/** The story of one request or RFQ, from its creation to the money. */
export interface Explanation {
  readonly service: string
  readonly request: number
  readonly bettor: number
  readonly group: string
  readonly createdUs: number
  readonly versions: readonly ExplainedVersion[]
  readonly quotes: readonly ExplainedQuote[]
  /** Makers of the session that never quoted on it. */
  readonly silent: readonly string[]
  /** Those of them that no request of the session reached: clients that held no stream of makers open. */
  readonly untold: readonly string[]
  /** The silent ones that this request did not reach, and why; none where the run has no table `deliveries`. */
  readonly missed: readonly MissedRequest[]
  readonly timeline: readonly TimelineEntry[]
  readonly outcome: string
  readonly money: ExplainedMoney | null
}

/**
 * Explains a request of a run from its tables. Throws InputError when the run, the service or the request is not there.
 * @param service of a run with several services that of the request; null: the only one.
 */
export function explainRequest(runDir: string, request: number, service: string | null = null): Explanation {
  const tables = new RequestTables(runDir, request, service)
  const words = wordsOf(tables.service)
  const versions = tables.rows('requests').toSorted((a, b) => n(a['version']) - n(b['version']))
  if (versions.length === 0) throw tables.unknown()
  const first = versions[0]!
  const createdUs = n(first['created_at'])
  const quoteRows = tables.rows('quotes').toSorted((a, b) => n(a['quote']) - n(b['quote']))
  const acceptances = tables.rows('acceptances').toSorted((a, b) => n(a['selected_at']) - n(b['selected_at']))
  // An accept names its quote alone.
  const commits = tables.rows('journal', { quote: tables.service === 'outcome' ? numbersOf(quoteRows, 'quote') : NONE })
    .filter((row) => row['op'] === words.commitOp)
  const position = tables.rows('positions')[0]
  const settlement = tables.rows('settlements')[0]
  const auctions = tables.rows('auctions').toSorted((a, b) => n(a['auction']) - n(b['auction']))
  const bids = tables.rows('bids').toSorted((a, b) => n(a['bid']) - n(b['bid']))
  const operations = tables.rows('operations', { request: numbersOf(auctions, 'auction') })
  const cashOut = { auctions, bids, transactions: tables.rows('vault_transactions'), operations, position, words }
  const quotes = quoteRows.map((row) => explainedQuote(row, { versions, quoteRows, acceptances, createdUs }))
  const quoters = new Set(quotes.map(({ maker }) => maker))
  const told = tables.rows('deliveries').filter(({ handler }) => handler === 'onRequest')
  const timeline = timelineOf({ versions, quoteRows, passes: tables.rows('passes'), told, acceptances, commits, rejections: tables.refusals(position, auctions), position, settlement, createdUs, cashOut, words })
  const silent = tables.makers().filter((maker) => !quoters.has(maker))
  const { reach } = readRunHead(runDir)
  return {
    service: tables.service, request, bettor: n(first['bettor']), group: String(first['cohort']), createdUs,
    versions: versions.map(explainedVersion), quotes, silent, untold: silent.filter((maker) => reach(tables.service, maker).delivered === 0), missed: missedOf(silent, told),
    timeline, outcome: outcomeOf(versions.at(-1)!, quotes, commits, acceptances, words), money: position === undefined ? null : moneyOf(position, settlement, salesOf(auctions)),
  }
}

const NONE: ReadonlySet<number> = new Set()

/** Those of `makers` that no version of the request reached. */
function missedOf(makers: readonly string[], told: readonly Row[]): MissedRequest[] {
  return makers.flatMap((maker): MissedRequest[] => {
    const fates = told.filter((row) => row['maker'] === maker).map(({ fate }) => fate)
    const last = fates.at(-1)
    return fates.includes('delivered') || (last !== 'away' && last !== 'ignored') ? [] : [{ maker, fate: last }]
  })
}

function explainedVersion(row: Row): ExplainedVersion {
  const sides = row['leg_sides'] as readonly string[]
  const legs = (row['leg_markets'] as readonly string[]).map((market, i) => ({ market, side: sides[i]! }))
  const best = orNull(row['best_odds_at_end_e4'])
  return {
    version: n(row['version']), betMicros: n(row['bet_micros']), legs, legCount: n(row['leg_count']), state: String(row['state']),
    bestOddsAtEnd: best === null ? null : best / ODDS_ONE,
  }
}

/** The price of an offer of `stake` against `risk`. */
function priceOf(oddsE4: number, stakeMicros: number, riskMicros: number, reference: number | null): ExplainedPrice {
  const probability = stakeMicros / (stakeMicros + riskMicros)
  const margin = reference === null || reference === 0 ? null : probability / reference - 1
  return { odds: oddsE4 / ODDS_ONE, probability, reference, margin }
}

interface QuoteContext {
  readonly versions: readonly Row[]
  readonly quoteRows: readonly Row[]
  readonly acceptances: readonly Row[]
  readonly createdUs: number
}

function explainedQuote(row: Row, context: QuoteContext): ExplainedQuote {
  const endedUs = orNull(row['ended_at'])
  return {
    ...priceOf(n(row['quoted_odds_e4']), n(row['net_stake_micros']), n(row['risk_micros']), orNull(row['reference'])),
    quote: n(row['quote']), version: n(row['version']), maker: String(row['maker']), state: String(row['state']),
    submittedMs: (n(row['submitted_at']) - context.createdUs) / 1000,
    endedMs: endedUs === null ? null : (endedUs - context.createdUs) / 1000,
    riskMicros: n(row['risk_micros']), fair: orNull(row['fair']), why: whyOf(row, context),
  }
}

/** Why a quote won or lost. */
function whyOf(row: Row, { versions, quoteRows, acceptances }: QuoteContext): string {
  const acceptance = acceptances.find(({ quote }) => quote === row['quote'])
  const tookMs = acceptance === undefined ? 0 : (n(acceptance['decided_at']) - n(acceptance['selected_at'])) / 1000
  switch (row['state']) {
    case 'filled': return `won: chosen, and confirmed ${tookMs} ms later`
    case 'failed': return acceptance?.['outcome'] === 'declined'
      ? `chosen, and declined ${tookMs} ms later (last look)`
      : `chosen, but not confirmed within ${tookMs} ms`
    case 'expired': return 'expired before it was chosen'
    case 'replaced': return 'replaced by a newer quote of the maker'
    case 'withdrawn': return 'withdrawn by the maker'
    case 'open': return 'still open when the session ended'
  }
  const winner = quoteRows.find((quote) => quote['state'] === 'filled')
  if (row['traded_away'] === 1 && winner !== undefined) return lostTo(row, winner, acceptances)
  const version = versions.find((candidate) => candidate['version'] === row['version'])
  return `ended with its request (${String(version?.['state'] ?? 'ended')}) without being chosen`
}

function lostTo(row: Row, winner: Row, acceptances: readonly Row[]): string {
  const difference = n(winner['quoted_odds_e4']) - n(row['quoted_odds_e4'])
  const by = `${String(winner['maker'])} at ${oddsText(winner['quoted_odds_e4'])}`
  if (difference > 0) return `outbid by ${by}`
  const selectedUs = n(acceptances.find(({ quote }) => quote === winner['quote'])?.['selected_at'])
  if (n(row['submitted_at']) > selectedUs) return `too late: ${by} had been chosen`
  return difference === 0 ? `equal to ${by}, whose quote stood first` : `better than ${by}, but its maker was left out`
}

function outcomeOf(
  last: Row, quotes: readonly ExplainedQuote[], commits: readonly Row[], acceptances: readonly Row[], { bettor, refused, commits: committing }: ExplainWords,
): string {
  const filled = quotes.find(({ state }) => state === 'filled')
  if (filled !== undefined) return `filled by ${filled.maker} at ${odds(filled.odds)}`
  const state = String(last['state'])
  if (quotes.length === 0) return `${state}: nobody quoted`
  const failed = acceptances.filter(({ outcome }) => outcome !== 'confirmed').length
  const best = quotes.reduce((a, b) => (b.odds > a.odds ? b : a))
  const offered = `best offer ${odds(best.odds)} by ${best.maker}`
  if (commits.length === 0) return `${state}: the ${bettor} took no offer (${offered})`
  // An accept names one quote, and no floor.
  const about = committing === null ? offered : `${offered}; its floor was ${oddsText(commits.at(-1)!['odds_e4'])}`
  return failed > 0 ? `${state}: ${failed} last ${failed === 1 ? 'look' : 'looks'} failed (${about})` : `${state}: ${refused} (${about})`
}

function moneyOf(position: Row, settlement: Row | undefined, sales: readonly ExplainedSale[]): ExplainedMoney {
  const stakeMicros = n(position['net_stake_micros'])
  const riskMicros = n(position['risk_micros'])
  const takerFeeMicros = n(position['taker_fee_micros'])
  const toHolderMicros = orNull(settlement?.['to_holder_micros'])
  const toMakerMicros = orNull(settlement?.['to_maker_micros'])
  const toBettorMicros = sales[0]?.toSellerMicros ?? toHolderMicros
  const holder = position['holder_maker'] ?? null
  return {
    stakeMicros, riskMicros, takerFeeMicros, outcome: settlement === undefined ? null : String(settlement['outcome']),
    holder: holder === null ? null : String(holder), sales, toHolderMicros, toMakerMicros, profitFeeMicros: orNull(settlement?.['profit_fee_micros']),
    bettorProfitMicros: toBettorMicros === null ? null : toBettorMicros - stakeMicros - takerFeeMicros,
    makerProfitMicros: toMakerMicros === null ? null : toMakerMicros - riskMicros,
  }
}

interface TimelineParts {
  readonly versions: readonly Row[]
  readonly quoteRows: readonly Row[]
  readonly passes: readonly Row[]
  /** Deliveries of the request itself, and those that did not arrive. */
  readonly told: readonly Row[]
  readonly acceptances: readonly Row[]
  readonly commits: readonly Row[]
  readonly rejections: readonly Row[]
  readonly position: Row | undefined
  readonly settlement: Row | undefined
  readonly createdUs: number
  readonly cashOut: CashOutParts
  readonly words: ExplainWords
}

const legsText = (count: number): string => `${count} ${count === 1 ? 'leg' : 'legs'}`

/** Everything in the order in which it happened. At one instant causes come before effects. */
function timelineOf(parts: TimelineParts): TimelineEntry[] {
  const { versions, quoteRows, passes, told, acceptances, commits, rejections, position, settlement, createdUs, cashOut, words } = parts
  const entries: TimelineEntry[] = []
  const add = (at: Cell | undefined, who: string, what: string): void => {
    if (at !== null && at !== undefined) entries.push({ atUs: n(at), afterMs: (n(at) - createdUs) / 1000, who, what })
  }
  const bettor = `${String(versions[0]!['cohort'])} (account ${n(versions[0]!['bettor'])})`
  const { nextVersion } = words
  const begin = (row: Row, who: string, verb: string): void =>
    add(row['created_at'], who, `${verb}: ${legsText(n(row['leg_count']))}, ${words.bet} ${usdc(row['bet_micros'])}`)
  const [first, ...later] = versions
  begin(first!, bettor, 'asks for prices')
  if (nextVersion.who === null) for (const row of later) begin(row, bettor, `${nextVersion.what} ${n(row['version'])})`)
  for (const row of told) {
    const about = row['version'] === versions[0]!['version'] ? '' : ` (${words.version} ${n(row['version'])})`
    if (row['fate'] === 'away') add(row['at'], String(row['maker']), `was away: the ${words.request} does not reach it${about}`)
    if (row['fate'] === 'ignored') add(row['at'], String(row['maker']), `missed it${about}`)
  }
  for (const row of quoteRows) add(row['submitted_at'], String(row['maker']), `quotes ${oddsText(row['quoted_odds_e4'])}${overReference(row)}`)
  for (const row of passes) add(row['at'], String(row['maker']), `lets it go by: ${String(row['reason'])}`)
  if (words.commits !== null) for (const row of commits) add(row['at'], bettor, words.commits(row))
  for (const row of acceptances) {
    add(row['selected_at'], words.selects.who ?? bettor, `${words.selects.what} the quote of ${String(row['maker'])} at ${oddsText(row['selected_odds_e4'])}`)
    const verb = ({ confirmed: 'confirms', declined: 'declines', timed_out: 'has not confirmed in time' } as Record<string, string>)[String(row['outcome'])]
    if (verb !== undefined) add(row['decided_at'], String(row['maker']), verb)
  }
  if (nextVersion.who !== null) for (const row of later) add(row['created_at'], nextVersion.who, `${nextVersion.what} ${n(row['version'])})`)
  add(versions.find((row) => orNull(row['window_closed_at']) !== null)?.['window_closed_at'], 'service', 'the window for quotes is over')
  for (const row of rejections) add(row['at'], 'service', `refuses ${String(row['op'])} of ${String(row['cohort'])}: ${String(row['rejection'])}`)
  for (const row of quoteRows) {
    if (row['state'] === 'expired' || row['state'] === 'withdrawn') add(row['ended_at'], String(row['maker']), `quote ${oddsText(row['quoted_odds_e4'])} ${row['state']}`)
  }
  for (const row of versions) if (row['state'] !== words.passing) add(row['ended_at'], 'service', `${words.request} ${row['state'] === 'committed' ? words.committed : String(row['state'])}`)
  for (const { at, who, what } of cashOut.operations.filter(({ kind }) => kind === 'fill').flatMap(operationEntries)) add(at, who, what)
  if (position !== undefined) add(position['opened_at'], 'service', `opens position ${n(position['position'])}: pot ${usdc(position['payout_micros'])}`)
  for (const { at, who, what } of cashOutEntries(cashOut)) add(at, who, what)
  if (settlement !== undefined) add(settlement['at'], 'service', settlementText(settlement, words))
  return entries.toSorted((a, b) => a.atUs - b.atUs)
}

function settlementText(settlement: Row, { bettor }: ExplainWords): string {
  const holder = settlement['holder_maker'] ?? null
  const paid = `${usdc(settlement['to_holder_micros'])} to ${holder === null ? `the ${bettor}` : `${String(holder)}, who holds it`}, ${usdc(settlement['to_maker_micros'])} to the maker`
  const how = settlement['outcome'] === 'bought_back' ? 'ends it bought back'
    : settlement['outcome'] === 'failed' ? 'ends it, as the chain did not fund it' : `settles it ${String(settlement['outcome'])}`
  return `${how}: ${paid}`
}

function overReference(row: Row): string {
  const { probability, margin } = priceOf(n(row['quoted_odds_e4']), n(row['net_stake_micros']), n(row['risk_micros']), orNull(row['reference']))
  const over = margin === null ? '' : `, ${signed(percent(margin, 2))} over the reference`
  return ` (${percent(probability, 2)}${over})`
}
