import { orUnknown } from '../../agent/rows.ts'
import type { MarketFacts } from '../../market/marketFacts.ts'
import { Side } from '../../market/sides.ts'
import type { AuctionView, LegsView, PositionView, SelectionView } from '../../agent/views.ts'
import { AuctionOutcome, isKnown } from '../../agent/vocabulary.ts'
import type { ShownSale } from '../../engine/heldPositions.ts'
import { NONE } from '../../unit/none.ts'
import { SERVICE_NAMES } from '../../unit/services.ts'
import { NEVER_US } from '../../unit/time.ts'
import type { Answer, Exchange } from '../exchange.ts'
import { answerWith } from '../jsonAnswer.ts'
import { queryOf } from '../routeMatcher.ts'
import type { DeskNames, ExternalSeat, SeatMessage } from '../serviceHandler.ts'
import type { ToldResult } from './resolvedRows.ts'
import { type RequestNote, RequestNotes } from './requestNotes.ts'
import { StandingNotes } from './standingNotes.ts'

/** Where each service's port tells what has reached a seat. No document of a service has this path, and no gate counts its calls. */
export const DESK_PATH = '/desk'
/** Notes of one answer at most. */
export const NOTES_MAX = 1000
/** Notes of a seat that are kept at least. Of older ones those are told that stand, to clients that begin. */
export const NOTES_KEPT = 65_536
const WHOLE_NUMBER = /^\d{1,9}$/
const ODDS_ONE_E4 = 10_000

/** A seat of a desk. */
export interface DeskSeat {
  readonly seat: ExternalSeat
  /** Null of a bettor. */
  readonly capitalMicros: number | null
  /** The longest way of what the seat sends, µs. Null with the wall's clock, where its way is the network's. */
  readonly wayUs: number | null
}

/** The desk of a client's seats: those of one account. */
export interface DeskTerms {
  readonly seats: readonly DeskSeat[]
  /** Latency of its prices and results, µs. */
  readonly feedUs: number
  readonly names: DeskNames
}

interface Desk extends DeskTerms {
  /** JSON of the makers' seat, which notes of requests name. */
  readonly seatText: string
  /** Its notes, the first of which has the number `first`: texts, or what all seats share of one. */
  readonly notes: (string | RequestNote)[]
  /** When each of them reached it, µs. */
  readonly timesUs: number[]
  readonly standing: StandingNotes
  first: number
  /** Results of each service that it has been told. */
  readonly results: Record<ServiceName, number>
  /** Somebody reads its notes. */
  isRead: boolean
  /** Since the session is over, somebody has asked for what comes behind its last note, and so has all of them. */
  isReadOut: boolean
}

/** What a desk is read for. */
export interface DeskSight {
  /** Where its reader is, µs. */
  readonly nowUs: number
  /** How many notes the reader can see. */
  readonly count: number
  /** The session is over: nothing is told any more. */
  readonly isOver?: boolean
}

type ServiceName = (typeof SERVICE_NAMES)[number]
type Fields = Readonly<Record<string, unknown>>

const RESULT_NAMES = ['no', 'yes', 'void'] as const
const OUTCOME_NAMES: ReadonlyMap<AuctionOutcome, string> = new Map(Object.entries(AuctionOutcome).map(([name, outcome]) => [outcome, name]))
const NO_SALE: ShownSale = { auction: NONE, bid: NONE }
const NONE_YET: ToldResult = { market: -1, value: -1, atUs: NEVER_US }

/**
 * What has reached the seats of clients, in its order and in the names of the service's wire (docs/desk-feed.md): all that the desk of a strategy
 * inside the session would know, and that the service's own frames do not tell. Reading changes nothing of it.
 */
export class DeskFeed {
  private readonly desks = new Map<string, Desk>()
  /** In the order of their publication, which is each service's own: rows of one service may be heard before earlier ones of the other. */
  private readonly results: Readonly<Record<ServiceName, ToldResult[]>> = { parlay: [], outcome: [] }
  private readonly facts: MarketFacts
  private readonly marketCount: number
  private readonly shiftUs: number
  private readonly requestNotes = new RequestNotes((names, { legs }) => JSON.stringify(this.legsOf(names, legs)), (note) => this.requestText(note))

  constructor(facts: MarketFacts, marketCount: number, shiftUs: number) {
    this.facts = facts
    this.marketCount = marketCount
    this.shiftUs = shiftUs
  }

  /** Keeps a desk for the seats of an account. */
  keep(key: string, terms: DeskTerms): void {
    const maker = terms.seats.find(({ seat }) => seat.role === 'maker')?.seat
    const seatText = maker === undefined ? '' : JSON.stringify({ role: maker.role, name: maker.name })
    this.desks.set(key, { ...terms, seatText, notes: [], timesUs: [], standing: new StandingNotes(), first: 0, results: { parlay: 0, outcome: 0 }, isRead: false, isReadOut: false })
  }

  /** A message has reached a seat. `sale` is that of the position which it is about. */
  told(key: string, { role, name }: ExternalSeat, message: SeatMessage, nowUs: number, sale: ShownSale = NO_SALE): void {
    const desk = this.desks.get(key)
    if (desk === undefined) return
    this.tellResults(desk, nowUs)
    if (message.kind === 'onRequest' || message.kind === 'onBest') return this.add(desk, nowUs, this.requestNotes.of(desk.names, message.kind, message.view))
    const fields = this.fieldsOf(desk.names, message, sale)
    if (fields === null) return
    const { n, text } = this.note(desk, nowUs, message.kind, { seat: { role, name }, ...fields })
    if (message.kind === 'onOpened' || message.kind === 'onBought') desk.standing.opened(n, text, name, message.view)
    else if (message.kind === 'onSettled' || (message.kind === 'onAuctionEnded' && message.outcome === AuctionOutcome.sold)) desk.standing.ended(n, name, message.view)
  }

  /** A service has published a result. */
  resolved(service: ServiceName, result: ToldResult): void {
    this.results[service].push(result)
  }

  /** How many notes a desk has had by now. */
  countAt(key: string, nowUs: number): number {
    const desk = this.desks.get(key)
    if (desk === undefined) return 0
    this.tellResults(desk, nowUs)
    return desk.first + desk.notes.length
  }

  /** Whether all who read desks have read them to their ends, since the session is over. */
  get isReadOut(): boolean {
    return [...this.desks.values()].every(({ isRead, isReadOut }) => isReadOut || !isRead)
  }

  /** Answers `GET /desk?from=N&limit=M&standing=true`: the notes from a number on, of the first `count`. Null for an account that has no seat. */
  answer(key: string, { method, query }: Pick<Exchange, 'method' | 'query'>, { nowUs, count, isOver = false }: DeskSight): Answer | null {
    const desk = this.desks.get(key)
    if (desk === undefined) return null
    const { from = '0', limit = String(NOTES_MAX), standing = 'false' } = queryOf(query)
    if (method !== 'GET') return refusal(405, 'a desk is read with GET')
    if (typeof limit !== 'string' || !WHOLE_NUMBER.test(limit) || Number(limit) < 1 || Number(limit) > NOTES_MAX) return refusal(400, `limit is a whole number from 1 to ${NOTES_MAX}`)
    if (typeof from !== 'string' || !WHOLE_NUMBER.test(from)) return refusal(400, 'from is the number of a note')
    if (standing !== 'true' && standing !== 'false') return refusal(400, 'standing is true or false')
    const { notes, first, seats, names, feedUs } = desk
    if (Number(from) < first && standing === 'false') return refusal(410, `notes before number ${first} are gone; standing=true tells those of them that stand`)
    // Who asks for what is far behind the last note reads nothing.
    if (Number(from) <= count) desk.isRead = true
    if (isOver && Number(from) === count) desk.isReadOut = true
    const older = desk.standing.from(Number(from)).slice(0, Number(limit))
    const begin = Math.max(first, Number(from))
    // A page that is full of older ones ends with them.
    const next = older.length === Number(limit) ? older.at(-1)!.n + 1 : Math.max(begin, Math.min(count, begin + Number(limit) - older.length))
    const held = seats.map(({ seat: { role, name }, capitalMicros, wayUs }) => ({
      name, role, capital: capitalMicros === null ? null : names.amount(capitalMicros), ended_profit: capitalMicros === null ? null : names.amount(desk.standing.profitMicros(name)),
      feed_us: feedUs, way_us: wayUs,
    }))
    const head = JSON.stringify({ now_us: nowUs + this.shiftUs, next, has_more: next < count, is_over: isOver, seats: held, markets: this.marketCount })
    return { ...answerWith(200, {}, [['Cache-Control', 'no-store']]), body: `${head.slice(0, -1)},"told":[${[...older.map(({ text }) => text), ...notes.slice(begin - first, Math.max(begin, next) - first).map((note, i) => this.textOf(desk, note, begin + i))].join(',')}]}` }
  }

  private textOf({ timesUs, first, seatText }: Desk, note: string | RequestNote, n: number): string {
    if (typeof note === 'string') return note
    return `{"n":${n},"at_us":${timesUs[n - first]! + this.shiftUs},"what":"${note.kind}","seat":${seatText},${this.requestNotes.textOf(note).slice(1)}`
  }

  private tellResults(desk: Desk, nowUs: number): void {
    const { results: { parlay, outcome } } = this
    while (desk.results.parlay < parlay.length || desk.results.outcome < outcome.length) {
      const service = this.nextResultOf(desk)
      const { market, value, atUs } = this.results[service][desk.results[service]] ?? NONE_YET
      if (atUs + desk.feedUs > nowUs) return
      desk.results[service]++
      const { n, text } = this.note(desk, atUs + desk.feedUs, 'result', { market: desk.names.market(market), number: market, result: RESULT_NAMES[value]!, published_at_us: atUs + this.shiftUs })
      desk.standing.resulted(n, text, market)
    }
  }

  /** The service whose next result is the earlier one. */
  private nextResultOf({ results }: Desk): ServiceName {
    const [parlay, outcome] = SERVICE_NAMES.map((service) => (this.results[service][results[service]] ?? NONE_YET).atUs)
    return outcome! < parlay! ? 'outcome' : 'parlay'
  }

  private note(desk: Desk, atUs: number, what: string, fields: Fields): { readonly n: number; readonly text: string } {
    const n = desk.first + desk.notes.length
    const text = JSON.stringify({ n, at_us: atUs + this.shiftUs, what, ...fields })
    this.add(desk, atUs, text)
    return { n, text }
  }

  private add(desk: Desk, atUs: number, note: string | RequestNote): void {
    const { notes, timesUs } = desk
    notes.push(note)
    timesUs.push(atUs)
    if (notes.length < 2 * NOTES_KEPT) return
    notes.splice(0, NOTES_KEPT)
    timesUs.splice(0, NOTES_KEPT)
    desk.first += NOTES_KEPT
    desk.standing.goneTo(desk.first)
  }

  /** Null for what a desk is not told, because the answers to its calls say it. */
  private fieldsOf(names: DeskNames, { kind, view, outcome }: SeatMessage, { auction, bid }: ShownSale): Fields | null {
    switch (kind) {
      case 'onSelected': case 'onBidTaken': return this.selectionFields(names, view)
      case 'onCashOut': case 'onBestBid': return this.auctionFields(names, view)
      case 'onOpened': case 'onSettled': return this.positionFields(names, view)
      case 'onBought': return { ...this.positionFields(names, view), ...(names.parlay === undefined ? {} : { rfq_id: names.parlay(view.request) }) }
      case 'onBid':
        return {
          ...this.positionFields(names, view), auction: names.auction(auction), best_price: amount(names, view.bestPriceMicros),
          ...(names.bid === undefined ? {} : { bid: bid < 0 ? null : names.bid(bid) }),
        }
      case 'onAuctionEnded': return { ...this.positionFields(names, view), outcome: OUTCOME_NAMES.get(outcome!), best_price: amount(names, view.bestPriceMicros) }
      default: return null
    }
  }

  private requestText({ of: { names, request, version, betMicros, netStakeMicros, legs }, expiresAtUs, bestOddsE4, bookChanges }: RequestNote): string {
    const fields = JSON.stringify({
      request: names.request(request), version, expires_at_us: expiresAtUs + this.shiftUs, bet: names.amount(betMicros), net_stake: names.amount(netStakeMicros),
      best_odds: bestOddsE4 < 0 ? null : bestOddsE4 / ODDS_ONE_E4, book_changes: bookChanges < 0 ? null : bookChanges,
    })
    return `${fields.slice(0, -1)},"legs":${legs}}`
  }

  private selectionFields(names: DeskNames, { request, version, quote, deadlineAtUs, oddsE4, netStakeMicros, riskMicros, payoutMicros, position, legs }: SelectionView): Fields {
    return {
      request: names.request(request), version, quote: names.quote(quote), deadline_at_us: deadlineAtUs + this.shiftUs, odds: odds(oddsE4), net_stake: names.amount(netStakeMicros),
      risk: names.amount(riskMicros), payout: names.amount(payoutMicros), position: isKnown(position) ? names.position(position) : null, legs: this.legsOf(names, legs),
    }
  }

  private auctionFields(names: DeskNames, view: AuctionView): Fields {
    const { auction, position, endsAtUs, netStakeMicros, payoutMicros, profitFeeBps, makerFeeBps, costBasisMicros, isSeller, isBackingMaker, maxPriceMicros, bestPriceMicros, legs } = view
    return {
      auction: names.auction(auction), position: names.position(position), ends_at_us: endsAtUs + this.shiftUs, net_stake: names.amount(netStakeMicros), payout: names.amount(payoutMicros),
      profit_fee_bps: profitFeeBps, maker_fee_bps: makerFeeBps, cost_basis: amount(names, costBasisMicros), is_seller: isSeller, is_backing_maker: isBackingMaker,
      max_price: names.amount(maxPriceMicros), best_price: amount(names, bestPriceMicros), legs: this.legsOf(names, legs),
    }
  }

  private positionFields(names: DeskNames, view: PositionView): Fields {
    const { position, request, quote, oddsE4, netStakeMicros, riskMicros, isHolder, costMicros, profitMicros, isBoughtBack, payoutMicros, profitFeeBps, costBasisMicros, legs } = view
    return {
      position: names.position(position), request: names.request(request), quote: isKnown(quote) ? names.quote(quote) : null, odds: odds(oddsE4),
      net_stake: names.amount(netStakeMicros), risk: names.amount(riskMicros), is_holder: isHolder, cost: names.amount(costMicros), profit: names.amount(profitMicros),
      is_bought_back: isBoughtBack, payout: names.amount(payoutMicros), profit_fee_bps: profitFeeBps, cost_basis: amount(names, costBasisMicros), legs: this.legsOf(names, legs),
    }
  }

  private legsOf(names: DeskNames, { markets, sides }: LegsView): Fields[] {
    const { category, event, game, gameCategory } = this.facts
    return markets.map((market, leg) => ({
      market: names.market(market), side: sides[leg] === Side.yes ? 'yes' : 'no', number: market, category: fact(category, market), event: fact(event, market),
      game: fact(game, market), game_category: fact(gameCategory, market),
    }))
  }
}

const known = (value: number): number | null => (isKnown(value) ? value : null)
const odds = (oddsE4: number): number | null => (isKnown(oddsE4) ? oddsE4 / ODDS_ONE_E4 : null)
const amount = (names: DeskNames, micros: number): number | string | null => (isKnown(micros) ? names.amount(micros) : null)
const fact = (column: Int32Array, market: number): number | null => known(orUnknown(column[market]!))
const refusal = (status: number, error: string): Answer => answerWith(status, { error }, [])
