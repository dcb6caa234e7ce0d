import type { BettorDesk } from '../../src/agent/bettorDesk.ts'
import type { MakerDesk } from '../../src/agent/makerDesk.ts'
import type { AuctionView, HoldingView, IntentView, LegsView, PositionView, RequestView, SelectionView } from '../../src/agent/views.ts'
import type { Ticks } from '../../src/market/ticks.ts'
import { buildSession } from '../../src/scenario/build.ts'
import type { PreparedScenario } from '../../src/scenario/run.ts'
import { type Book, booksOf, type Tell } from './recomputation.ts'
import { RecordedDepth } from './recordedDepth.ts'
import { legsOf, type RunRows, type TableRow } from './tables.ts'
import type { Watch } from './witness.ts'
import { wholeTicks } from '../market/wholeTicks.ts'

/**
 * What desks and views say, computed a second time from the rows of the run, the recorded ticks and the store's list of markets. What a maker
 * has open depends on what has reached it, so that the order of deliveries alone is taken from the witness.
 */

/** Handlers that are given no view. */
const OF_NOTHING: ReadonlySet<string> = new Set(['onStart', 'onTimer', 'onEnd'])
/** Handlers of makers that are watched even where the strategy has none: they tell which positions a maker knows of. */
export const DELIVERIES = ['onOpened', 'onSettled'] as const

const num = (row: TableRow, name: string): number => row[name] as number
const orNaN = (row: TableRow, name: string): number => (row[name] as number | null) ?? NaN
const byNumber = (rows: readonly TableRow[], ...names: string[]): Map<string, TableRow> => new Map(rows.map((row) => [names.map((name) => row[name]).join(' '), row]))

export interface ListedMarket {
  readonly ticker: string
  readonly number: number
  readonly category: string
  readonly event: string
  readonly game: string
  readonly title: string
  readonly venue: string
}

/** The rows of a service that views are about. */
interface Known {
  readonly book: Book
  readonly requests: ReadonlyMap<string, TableRow>
  readonly quotes: ReadonlyMap<string, TableRow>
  readonly looks: ReadonlyMap<string, TableRow>
  readonly positions: ReadonlyMap<string, TableRow>
  /** Positions by the cohort and the arrival that they come of. */
  readonly filled: ReadonlyMap<string, TableRow>
  readonly auctions: ReadonlyMap<string, TableRow>
  readonly bids: ReadonlyMap<string, TableRow>
}

function knownOf(book: Book): Known {
  const { table } = book
  const positions = byNumber(table('positions'), 'request')
  const filled = table('requests').flatMap((row): [string, TableRow][] => {
    const position = positions.get(String(row['request']))
    return position === undefined ? [] : [[`${row['cohort'] as string} ${row['arrival'] as number}`, position]]
  })
  return {
    filled: new Map(filled),
    book, requests: byNumber(table('requests'), 'request', 'version'), quotes: byNumber(table('quotes'), 'quote'), looks: byNumber(table('acceptances'), 'quote'),
    positions: byNumber(table('positions'), 'position'), auctions: byNumber(table('auctions'), 'auction'), bids: byNumber(table('bids'), 'bid'),
  }
}

type Is = (what: string, got: unknown, expected: unknown) => void

export function watchDesks({ resolved, strategies, store }: PreparedScenario, run: RunRows, markets: readonly ListedMarket[], tell: Tell): Watch {
  const known = new Map(booksOf(run, new Map()).map((book) => [book.service as string, knownOf(book)]))
  const numberOf = new Map(markets.map(({ ticker, number }) => [ticker, number]))
  const prices = new RecordedPrices(wholeTicks(store.ticks), resolved.history, markets.length)
  const { depth: shownLevels } = buildSession(resolved, strategies, store).config
  const depth = shownLevels && new RecordedDepth(shownLevels, markets.length)
  const checkPrices = (legs: LegsView, desk: BettorDesk | MakerDesk, feedUs: number, is: Is): void => {
    prices.check(legs, desk, feedUs, is)
    depth?.check(legs, desk, feedUs, (market) => prices.stampUs(market, desk.nowUs - feedUs), is)
  }
  const facts = new Facts(markets)
  const names = new Map(markets.map((market) => [market.number, market]))
  const makers = new Map(resolved.makers.map((maker) => [maker.name, { ...maker, open: new OpenRisk() }]))
  const cohorts = new Map(resolved.bettors.map((cohort) => [cohort.name, cohort]))
  return (participant, handler, view, desk) => {
    const is: Is = (what, got, expected) => { if (!Object.is(got, expected)) tell(`${participant}, ${handler}: ${what} is ${String(got)}, expected ${String(expected)}`) }
    const maker = makers.get(participant)
    if (OF_NOTHING.has(handler)) return
    namesAre((view as { legs?: LegsView }).legs, desk as BettorDesk | MakerDesk, names, is)
    if (maker === undefined) {
      const cohort = cohorts.get(participant)!
      checkOfBettor(participant, view as IntentView | HoldingView, desk as BettorDesk, known.get(cohort.service)!, numberOf, is)
      return checkPrices((view as IntentView).legs, desk as BettorDesk, cohort.latency.feedUs, is)
    }
    if (handler === 'onAck') return
    const rows = known.get(maker.service)!
    const own = desk as MakerDesk
    const { legs } = view as { legs: LegsView }
    if (handler === 'onOpened' || handler === 'onSettled') maker.open.follow(handler, view as PositionView, rows.positions, numberOf, is)
    checkOfMaker(handler, view, rows, numberOf, participant, is)
    maker.open.check(legs, own, is)
    checkPrices(legs, own, maker.latency.feedUs, is)
    prices.checkAges(legs, own, maker.latency.feedUs, is)
    facts.check(legs, own, is)
    is('capital less what is bound', own.freeMicros, own.capitalMicros - own.openRiskMicros - own.heldCostMicros)
  }
}

function legsAre(legs: LegsView, row: TableRow, numberOf: ReadonlyMap<string, number>, is: Is): void {
  is('the number of legs', legs.count, num(row, 'leg_count'))
  for (const [i, { ticker, side }] of legsOf(row).entries()) {
    is(`the market of leg ${i}`, legs.market(i), numberOf.get(ticker))
    is(`the side of leg ${i}`, legs.side(i), side)
  }
}

function checkOfMaker(handler: string, view: unknown, known: Known, numberOf: ReadonlyMap<string, number>, name: string, is: Is): void {
  switch (handler) {
    case 'onRequest': case 'onLater': case 'onBest': case 'onPrice': case 'onRequestEnded': {
      const request = view as RequestView
      const row = known.requests.get(`${request.request} ${request.version}`)
      // A generation of an RFQ ends with the acceptance that the maker is not told of.
      if (row === undefined) return is(`request ${request.request} version ${request.version}`, 'unknown to the tables', 'known')
      is('the bet', request.betMicros, num(row, 'bet_micros'))
      is('the expiry', request.expiresAtUs, num(row, 'expires_at'))
      return legsAre(request.legs, row, numberOf, is)
    }
    case 'onSelected': case 'onDecision': {
      const selection = view as SelectionView
      const [row, quote] = [known.looks.get(String(selection.quote)), known.quotes.get(String(selection.quote))]
      if (row === undefined || quote === undefined) return is(`quote ${selection.quote}`, 'unknown to the tables', 'known')
      is('the deadline', selection.deadlineAtUs, num(row, 'deadline_at'))
      is('the odds', selection.oddsE4, orNaN(row, 'selected_odds_e4'))
      is('the stake', selection.netStakeMicros, num(row, 'net_stake_micros'))
      is('the risk', selection.riskMicros, num(row, 'risk_micros'))
      is('the payout', selection.payoutMicros, num(row, 'net_stake_micros') + num(row, 'risk_micros'))
      is('the maker', name, quote['maker'])
      return is('the request', selection.request, num(row, 'request'))
    }
    case 'onBidTaken': {
      const taken = view as SelectionView
      const row = known.bids.get(String(taken.quote))
      if (row === undefined) return is(`bid ${taken.quote}`, 'unknown to the tables', 'known')
      is('the price', taken.riskMicros, num(row, 'price_micros'))
      is('the payout', taken.payoutMicros, num(row, 'payout_micros'))
      return is('the position', taken.position, num(row, 'position'))
    }
    case 'onCashOut': case 'onBestBid': {
      const auction = view as AuctionView
      const row = known.auctions.get(String(auction.auction))
      if (row === undefined) return is(`auction ${auction.auction}`, 'unknown to the tables', 'known')
      is('the end', auction.endsAtUs, num(row, 'ends_at'))
      is('the payout', auction.payoutMicros, num(row, 'payout_micros'))
      is('the stake', auction.netStakeMicros, num(row, 'net_stake_micros'))
      is('who sells', auction.isSeller, row['seller_maker'] === name)
      is('who backs it', auction.isBackingMaker, row['backing_maker'] === name)
      is('the highest bid', auction.maxPriceMicros, auction.isBackingMaker && row['buyback_bound_micros'] !== null ? num(row, 'buyback_bound_micros') : num(row, 'payout_micros'))
      return
    }
    default: {
      const position = view as PositionView
      const row = known.positions.get(String(position.position))
      if (row === undefined) return is(`position ${position.position}`, 'unknown to the tables', 'known')
      is('the stake', position.netStakeMicros, num(row, 'net_stake_micros'))
      is('the risk', position.riskMicros, num(row, 'risk_micros'))
      is('the payout', position.payoutMicros, num(row, 'payout_micros'))
      // On the outcome service who bought a position knows the RFQ of its cash-out.
      if (!(position.isHolder || position.isBoughtBack) || known.book.service === 'parlay') is('the request', position.request, num(row, 'request'))
      if (position.isHolder) {
        is('the quote', position.quote, NaN)
        is('the odds', position.oddsE4, NaN)
      } else {
        is('the odds', position.oddsE4, handler === 'onSettled' ? NaN : orNaN(row, 'filled_odds_e4'))
        if (handler !== 'onSettled') is('the quote', position.quote, num(row, 'quote'))
        else if (!position.isBoughtBack) is('the quote', position.quote, NaN)
        is('who backs it', name, row['maker'])
      }
      legsAre(position.legs, row, numberOf, is)
    }
  }
}

function checkOfBettor(cohort: string, view: IntentView | HoldingView, desk: BettorDesk, { book, filled }: Known, numberOf: ReadonlyMap<string, number>, is: Is): void {
  is('the taker fee', desk.takerFeeBps, book.settings['takerFeeBps'])
  if (!('position' in view)) return
  const row = filled.get(`${cohort} ${view.arrival}`)
  if (row === undefined) return is(`the position of arrival ${view.arrival}`, 'unknown to the tables', 'known')
  is('the stake', view.netStakeMicros, num(row, 'net_stake_micros'))
  is('the cost', view.costMicros, num(row, 'net_stake_micros') + num(row, 'taker_fee_micros'))
  is('the payout', view.payoutMicros, num(row, 'payout_micros'))
  is('the opening', view.openedAtUs, num(row, 'opened_at'))
  is('the position', view.position, view.arrival)
  is('the request', view.request, view.arrival)
  legsAre(view.legs, row, numberOf, is)
}

/** What the desk calls the markets of legs. */
function namesAre(legs: LegsView | undefined, desk: BettorDesk | MakerDesk, markets: ReadonlyMap<number, ListedMarket>, is: Is): void {
  for (const number of legs?.markets ?? []) {
    const shown = desk.market(number)
    for (const text of ['ticker', 'title', 'event', 'game', 'category', 'venue'] as const) is(`the ${text} of market ${number}`, shown?.[text], markets.get(number)![text])
  }
}

/** What a maker has open, from the rows of the positions that it was told of. */
class OpenRisk {
  private readonly open = new Map<number, TableRow>()
  private readonly byLeg = new Map<string, number>()
  private riskMicros = 0
  /** Whether a position has legs that the tables only count. */
  private isBeyondColumns = false

  follow(handler: string, { position, isHolder }: PositionView, rows: ReadonlyMap<string, TableRow>, numberOf: ReadonlyMap<string, number>, is: Is): void {
    if (isHolder) return
    const row = rows.get(String(position))!
    const hasIt = this.open.has(position)
    is(`position ${position}`, hasIt ? 'open' : 'not open', handler === 'onOpened' ? 'not open' : 'open')
    if (handler === 'onOpened') this.open.set(position, row)
    else this.open.delete(position)
    const micros = num(row, 'risk_micros') * (handler === 'onOpened' ? 1 : -1)
    this.riskMicros += micros
    for (const { ticker, side } of legsOf(row)) {
      const key = keyOf(numberOf.get(ticker)!, side)
      this.byLeg.set(key, (this.byLeg.get(key) ?? 0) + micros)
    }
  }

  check(legs: LegsView, desk: MakerDesk, is: Is): void {
    is('the number of open positions', desk.openPositions, this.open.size)
    is('the open risk', desk.openRiskMicros, this.riskMicros)
    is('the whole exposure', desk.exposure(legs).total, this.riskMicros)
    if (this.isBeyondColumns) return
    const of = (market: number, side: number): number => this.byLeg.get(keyOf(market, side)) ?? 0
    let worst = 0
    for (let i = 0; i < legs.count; i++) {
      const [market, side] = [legs.market(i), legs.side(i)]
      worst = Math.max(worst, of(market, side))
      is(`the net risk of leg ${i}`, desk.netLegRisk(legs, i) + 0, of(market, side) - of(market, 1 - side) + 0)
    }
    is('the worst exposure', desk.exposure(legs).worst, worst)
  }
}

const keyOf = (market: number, side: number): string => `${market} ${side}`

const EVER_US = 1e15

/** The last ticks of the store that an observer can have seen. */
class RecordedPrices {
  private readonly ticks: Ticks
  private readonly legs: string
  /** Places of a market's ticks, in order. */
  private readonly places: readonly number[][]

  /** Nobody sees prices of a time after the history's end. */
  constructor(ticks: Ticks, { legs, toUs }: { readonly legs: string; readonly toUs: number }, marketCount: number) {
    this.ticks = ticks
    this.legs = legs
    this.places = Array.from({ length: marketCount }, () => [])
    for (let i = 0; i < ticks.count && ticks.atUs[i]! < toUs; i++) this.places[ticks.market[i]!]!.push(i)
  }

  /** Place of the last tick of a market up to an instant, −1 for none. */
  private lastUntil(market: number, untilUs: number): number {
    const own = this.places[market]!
    let [low, high] = [0, own.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.ticks.atUs[own[middle]!]! <= untilUs) low = middle + 1
      else high = middle
    }
    return low === 0 ? -1 : own[low - 1]!
  }

  /** Stamp of the last tick of a market up to an instant, −1 for none. */
  stampUs(market: number, untilUs: number): number {
    const place = this.lastUntil(market, untilUs)
    return place < 0 ? -1 : this.ticks.atUs[place]!
  }

  check(legs: LegsView, desk: Pick<MakerDesk, 'nowUs' | 'price' | 'legPrice'>, feedUs: number, is: Is): void {
    let product = 1
    for (let i = 0; i < legs.count; i++) {
      const asked = desk.legPrice(legs, i, { priceType: 'ask', maxAgeUs: EVER_US })
      product *= asked
      const place = this.lastUntil(legs.market(i), desk.nowUs - feedUs)
      if (place < 0) {
        is(`the ask of leg ${i} without a tick`, asked, NaN)
        continue
      }
      const both = this.bothE6(place)
      if (both === null) continue
      const [bidE6, askE6] = legs.side(i) === 1 ? both : [1_000_000 - both[1], 1_000_000 - both[0]]
      is(`the ask of leg ${i}`, asked, askE6 / 1e6)
      is(`the bid of leg ${i}`, desk.legPrice(legs, i, { priceType: 'bid', maxAgeUs: EVER_US }), bidE6 / 1e6)
      is(`the middle of leg ${i}`, desk.legPrice(legs, i, { priceType: 'mid', maxAgeUs: EVER_US }), (bidE6 + askE6) / 2e6)
      const ageUs = desk.nowUs - this.ticks.atUs[place]!
      is(`the ask of leg ${i} as old as it is`, desk.legPrice(legs, i, { priceType: 'ask', maxAgeUs: ageUs }), askE6 / 1e6)
      is(`the ask of leg ${i} that is too old`, desk.legPrice(legs, i, { priceType: 'ask', maxAgeUs: ageUs - 1 }), NaN)
    }
    is('the price of all legs', desk.price(legs, { priceType: 'ask', maxAgeUs: EVER_US }), product)
  }

  checkAges(legs: LegsView, desk: MakerDesk, feedUs: number, is: Is): void {
    for (let i = 0; i < legs.count; i++) {
      const place = this.lastUntil(legs.market(i), desk.nowUs - feedUs)
      is(`the age of leg ${i}`, desk.priceAgeUs(legs, i), place < 0 ? Infinity : desk.nowUs - this.ticks.atUs[place]!)
      if (place < 0) continue
      const size = (legs.side(i) === 1 ? this.ticks.askSize : this.ticks.bidSize)[place]!
      is(`the depth of leg ${i}`, desk.legDepth(legs, i), size < 0 ? NaN : size)
    }
  }

  /** Bid and ask of YES in millionths as the scenario shows them; null where the book has one side, so that other rules decide. */
  private bothE6(place: number): [number, number] | null {
    const [bid, ask] = [this.ticks.bidE6[place]!, this.ticks.askE6[place]!]
    if (bid < 0 || ask < 0) return null
    switch (this.legs) {
      case 'executable': return [bid, ask]
      case 'bid': return [bid, bid]
      case 'ask': return [ask, ask]
      case 'mid': return [Math.floor((bid + ask) / 2), Math.floor((bid + ask) / 2)]
      default: return null
    }
  }
}

/** Numbers that stand for the same text of the list, and for no other. */
class Facts {
  private readonly texts: { readonly [fact: string]: readonly string[] }
  private readonly numbers = new Map<string, number>()
  private readonly of = new Map<string, string>()

  constructor(markets: readonly ListedMarket[]) {
    const inOrder = markets.toSorted((a, b) => a.number - b.number)
    const first = new Map<string, string>()
    for (const { game, category } of inOrder) if (!first.has(game)) first.set(game, category.toLowerCase())
    this.texts = {
      category: inOrder.map(({ category }) => category.toLowerCase()), event: inOrder.map(({ event }) => event), game: inOrder.map(({ game }) => game),
      gameCategory: inOrder.map(({ game, category }) => (game === '' ? category.toLowerCase() : first.get(game)!)),
    }
  }

  check(legs: LegsView, desk: MakerDesk, is: Is): void {
    for (let i = 0; i < legs.count; i++) {
      for (const fact of ['category', 'event', 'game', 'gameCategory'] as const) {
        const text = this.texts[fact]![legs.market(i)]!
        const number = desk[fact](legs, i)
        // A game lies in one of the categories, under their numbers.
        const kind = fact === 'gameCategory' ? 'category' : fact
        const what = `the ${fact} of leg ${i}`
        if (text === '' || Number.isNaN(number)) {
          is(what, number, text === '' ? NaN : `that of ${text}`)
          continue
        }
        const [numbered, named] = [`${kind} ${text}`, `${kind} ${number}`]
        if (!this.numbers.has(numbered)) this.numbers.set(numbered, number)
        if (!this.of.has(named)) this.of.set(named, text)
        is(what, number, this.numbers.get(numbered))
        is(`${what}, as a text,`, this.of.get(named), text)
      }
    }
  }
}
