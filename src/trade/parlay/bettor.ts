import { INTENT_EXCLUDED_MAX } from '../../agent/intents.ts'
import { Action, AuctionOutcome, Refusal } from '../../agent/vocabulary.ts'
import { type BettorTold, type BettorWish, type BettorWords, type Heard, NOTHING } from '../bettor/bettorWords.ts'
import { PositionRounds, type RoundTag } from '../bettor/positionRounds.ts'
import type { Act, Answer, Call, ChannelTerms, Frame, Wake } from '../link.ts'
import type { AuctionBody, BestBody, CommitBody, ParlayBody, ParlaysBody, RequestBody } from './bodies.ts'
import { usOf } from './instants.ts'
import { goesBackTo, type ListedParlay, madeBy, SETTLED_US } from './lostCalls.ts'
import { FIRST_PAGE, MarketPages, type MarketsTag } from './marketPages.ts'
import { errorOf, type ParlayError } from './refusals.ts'

const SECOND_US = 1_000_000
const USDC = 1_000_000
const ODDS_ONE = 10_000
/** How often the best bid of an auction is read, and how much of a minute's 300 calls all auctions together may take. */
const BID_EVERY_US = SECOND_US / 2
const BID_SHARE_US = 300_000
/** Until a trade that is under way is read again. */
const TRADE_AGAIN_US = SECOND_US
const PARLAYS_PAGE = 100
/** The fee of the service's document. What a service keeps of a bet is told by the bettor's own bets alone. */
const TAKER_FEE_BPS = 100
/** Best quotes of requests whose answer has not come yet, or of others. */
const EARLY_MAX = 1000

interface Best {
  readonly quote: string
  readonly bookSeq: number
  readonly odds: number
}

interface Asked {
  readonly arrival: number
  /** When it was wished, µs. */
  readonly atUs: number
  id: string
  version: number
  best: Best | null
  /** Makers that did not confirm. */
  readonly excluded: string[]
  isCommitting: boolean
  isOver: boolean
}

interface Auction {
  readonly id: string
  bestMicros: number | null
  /** A bid is being taken, or the auction cancelled. */
  isEnding: boolean
}

interface Held {
  readonly arrival: number
  readonly rfq: string
  /** The running auction, null for none. */
  auction: Auction | null
}

type Tag =
  | MarketsTag
  | { readonly kind: 'requestQuote' | 'cancelRequest' | 'expiry' | 'noQuote'; readonly asked: Asked }
  | { readonly kind: 'commit'; readonly asked: Asked; readonly quote: Best }
  | { readonly kind: 'trade'; readonly asked: Asked; readonly rfq: string }
  | { readonly kind: 'openCashOut' | 'position'; readonly held: Held }
  | { readonly kind: 'takeBid' | 'cancelCashOut'; readonly held: Held; readonly auction: Auction }
  | { readonly kind: 'bid'; readonly held: Held; readonly auction: Auction }
  | LookUp
  | Found
  | Sale
  | Holder
  | RoundTag

/** What became of these creations and commits, whose answers are lost. */
interface LookUp { readonly kind: 'lookUp'; readonly calls: readonly Call[]; readonly cursor: string; readonly listed: readonly ListedParlay[] }
/** A request whose creation was answered to nobody. */
interface Found { readonly kind: 'found'; readonly asked: Asked; readonly request: string }
/** What became of this end of an auction, whose answer is lost. */
interface Sale { readonly kind: 'sale'; readonly call: Call; readonly held: Held; readonly auction: Auction }
/** Whether the position of an auction that the service has forgotten was sold. */
interface Holder { readonly kind: 'holder'; readonly sale: Sale }

const NOT_FOUND = 404
const BEST_QUOTE = /^event: best_quote$/m
const DATA = /^data: (.*)$/m
/** How a holding ended that was sold. */
const SALES = new Set<string | null>(['bought_back', 'sold'])
/** A parlay of which nobody waits for a maker's answer. */
const UNTAKEN = new Set(['open', 'quoted'])
/** A parlay whose trade may still come. */
const UNDER_WAY = new Set([...UNTAKEN, 'accepted'])
/** One that has a position, which its holder still has. */
const OPEN = new Set(['confirmed', 'executed'])

/** The parlay service as a bettor's client has it: the public list, quote requests, commits, parlays and cash-outs. */
export class ParlayBettor implements BettorWords {
  readonly channels: readonly ChannelTerms[] = [{ kind: 'events', path: '/v1/stream' }]
  readonly refusals = new Map<string, number>()
  private readonly asked = new Map<number, Asked>()
  private readonly askedOf = new Map<string, Asked>()
  private readonly early = new Map<string, Best | null>()
  private readonly held = new Map<number, Held>()
  private readonly rounds = new PositionRounds(this.held, positionCall)
  private readonly markets = new MarketPages()
  private takerFeeBps = NaN

  begun(): readonly Act[] {
    return [this.markets.call(FIRST_PAGE)]
  }

  /** No key tells this service that a command comes again. What may have been carried out is looked for first, once it must have come in. */
  cameBack(calls: readonly Call[], nowUs: number): readonly Act[] {
    const again: Act[] = []
    const lost: Call[] = []
    for (const call of calls) {
      const tag = call.tag as Tag
      if (tag.kind === 'requestQuote' || tag.kind === 'commit') lost.push(call)
      else if (tag.kind === 'takeBid' || tag.kind === 'cancelCashOut') again.push({ wakeUs: nowUs + SETTLED_US, tag: { kind: 'sale', call, held: tag.held, auction: tag.auction } satisfies Tag })
      else again.push(call)
    }
    return lost.length === 0 ? again : [...again, lookUpIn(SETTLED_US, lost, nowUs)]
  }

  framesCame(frames: readonly Frame[]): Heard {
    const told: BettorTold[] = []
    for (const { text } of frames) if (BEST_QUOTE.test(text)) told.push(...this.best(JSON.parse(DATA.exec(text)![1]!) as BestBody))
    return { told, acts: [] }
  }

  private best({ quote_request_id, book_seq, quote_id, payout_odds }: BestBody): BettorTold[] {
    const best = quote_id === null ? null : { quote: quote_id, bookSeq: book_seq, odds: payout_odds! }
    const asked = this.askedOf.get(quote_request_id)
    if (asked !== undefined) return this.setBest(asked, best)
    this.early.set(quote_request_id, best)
    if (this.early.size > EARLY_MAX) this.early.delete(this.early.keys().next().value!)
    return []
  }

  private setBest(asked: Asked, best: Best | null): BettorTold[] {
    asked.best = best
    return [{ kind: 'best', arrival: asked.arrival, oddsE4: best === null ? NaN : Math.round(best.odds * ODDS_ONE) }]
  }

  wished(wish: BettorWish, nowUs: number): readonly Act[] {
    if (wish.kind === 'requestQuote') return [this.request(wish, nowUs)]
    if (wish.kind === 'commit' || wish.kind === 'cancelRequest') {
      const asked = this.asked.get(wish.arrival)
      if (asked === undefined) return []
      return [wish.kind === 'commit' ? this.commit(asked, wish.minOddsE4, nowUs) : cancelCall(asked)]
    }
    const held = this.held.get(wish.arrival)
    if (held === undefined) return []
    if (wish.kind === 'openCashOut') {
      return [{ method: 'POST', path: '/v1/cashout-requests', body: JSON.stringify({ rfq_id: held.rfq }), tag: { kind: 'openCashOut', held } satisfies Tag }]
    }
    return held.auction === null ? [] : [endCall(held, held.auction, wish)]
  }

  private request({ arrival, legs, betMicros }: Extract<BettorWish, { kind: 'requestQuote' }>, atUs: number): Call {
    const asked: Asked = { arrival, atUs, id: '', version: 0, best: null, excluded: [], isCommitting: false, isOver: false }
    this.asked.set(arrival, asked)
    const body = { legs: legs.map(({ market, side }) => ({ market_ticker: market, side, venue: this.markets.venueOf(market) })), bet_amount: betMicros / USDC }
    return { method: 'POST', path: '/v1/quote-requests', body: JSON.stringify(body), tag: { kind: 'requestQuote', asked } satisfies Tag }
  }

  /** Without a quote there is nothing to name. The bettor hears so at the same instant, in a turn of its own, as from the service. */
  private commit(asked: Asked, minOddsE4: number, nowUs: number): Act {
    const { best, excluded } = asked
    if (best === null) return { wakeUs: nowUs, tag: { kind: 'noQuote', asked } satisfies Tag }
    asked.isCommitting = true
    const body = {
      expected_version: asked.version, displayed_quote_id: best.quote, displayed_quote_book_seq: best.bookSeq, min_payout_odds_seen: minOddsE4 / ODDS_ONE,
      ...(excluded.length > 0 && { exclude_mm_ids: excluded }),
    }
    return { method: 'POST', path: `/v1/quote-requests/${asked.id}/commit`, body: JSON.stringify(body), tag: { kind: 'commit', asked, quote: best } satisfies Tag }
  }

  answered(tag: unknown, answer: Answer, nowUs: number): Heard {
    const called = tag as Tag
    const isDone = answer.status >= 200 && answer.status < 300
    switch (called.kind) {
      case 'markets': return this.marketsRead(called, answer, isDone, nowUs)
      case 'requestQuote': return this.requested(called.asked, answer, isDone)
      case 'commit': return this.committed(called, answer, isDone)
      case 'cancelRequest': return isDone ? this.ended(called.asked) : this.failed(Action.cancelRequest, answer, [])
      case 'trade': return this.tradeRead(called, answer, isDone, nowUs)
      case 'openCashOut': return this.auctionOpened(called.held, answer, isDone, nowUs)
      case 'takeBid': case 'cancelCashOut': return this.auctionAnswered(called, answer, isDone)
      case 'bid': return this.bidRead(called, answer, isDone, nowUs)
      case 'position': return this.positionRead(called.held, answer, isDone)
      case 'lookUp': return this.lookedUp(called, answer, isDone, nowUs)
      case 'found': return this.foundRead(called, answer, isDone, nowUs)
      case 'sale': return this.saleRead(called, answer, isDone, nowUs)
      case 'holder': return this.holderRead(called, answer, isDone, nowUs)
      default: return NOTHING
    }
  }

  woken(tag: unknown, nowUs: number, areMoreToCome: boolean): Heard {
    const due = tag as Tag
    switch (due.kind) {
      case 'markets': return areMoreToCome ? { told: [], acts: [this.markets.call(due)] } : NOTHING
      case 'noQuote': return { told: [{ kind: 'commitRefused', arrival: due.asked.arrival, refusal: Refusal.noQuote, retryAfterUs: NaN }], acts: [] }
      case 'expiry': {
        due.asked.isOver = true
        return due.asked.isCommitting ? NOTHING : this.ended(due.asked)
      }
      case 'trade': return { told: [], acts: [this.tradeCall(due.asked, due.rfq)] }
      case 'bid': return { told: [], acts: due.held.auction === due.auction ? [auctionCall(due.auction, due)] : [] }
      case 'positions': return { told: [], acts: this.rounds.due(due, nowUs) }
      case 'lookUp': return { told: [], acts: [parlaysCall(due)] }
      case 'found': return { told: [], acts: [foundCall(due)] }
      case 'sale': return { told: [], acts: due.held.auction === due.auction ? [auctionCall(due.auction, due)] : [] }
      default: return NOTHING
    }
  }

  private marketsRead(read: MarketsTag, answer: Answer, isDone: boolean, nowUs: number): Heard {
    if (!isDone) return { told: [], acts: [this.markets.later(read, this.note(errorOf(Action.requestQuote, answer)).retryAfterUs, nowUs)] }
    const { markets, act } = this.markets.read(read, answer.body, nowUs)
    if (markets === null) return { told: [], acts: [act] }
    return { told: [...(Number.isNaN(this.takerFeeBps) ? this.feeIs(TAKER_FEE_BPS) : []), { kind: 'markets', markets }], acts: [act] }
  }

  private requested(asked: Asked, answer: Answer, isDone: boolean): Heard {
    const { arrival } = asked
    if (!isDone) {
      this.asked.delete(arrival)
      const { refusal, retryAfterUs } = this.note(errorOf(Action.requestQuote, answer))
      return { told: [{ kind: 'requested', arrival, refusal, retryAfterUs }], acts: [] }
    }
    const { id, version, expires_at } = (JSON.parse(answer.body) as RequestBody).data.quote_request
    Object.assign(asked, { id, version })
    this.askedOf.set(id, asked)
    const early = this.early.get(id)
    this.early.delete(id)
    const told: BettorTold[] = [{ kind: 'requested', arrival, refusal: Refusal.none, retryAfterUs: NaN }, ...(early === undefined ? [] : this.setBest(asked, early))]
    return { told, acts: [{ wakeUs: usOf(expires_at), tag: { kind: 'expiry', asked } satisfies Tag }] }
  }

  private committed({ asked, quote }: Extract<Tag, { kind: 'commit' }>, answer: Answer, isDone: boolean): Heard {
    if (isDone) return { told: [], acts: [this.tradeCall(asked, (JSON.parse(answer.body) as CommitBody).data.rfq_id)] }
    asked.isCommitting = false
    const { refusal, retryAfterUs, failedMaker } = this.note(errorOf(Action.commit, answer))
    if (failedMaker !== null && asked.excluded.length < INTENT_EXCLUDED_MAX) asked.excluded.push(failedMaker)
    // A quote that was refused is no offer any more. The stream may have told of another since, also before the answer.
    const isGone = asked.best === quote && (refusal === Refusal.noQuote || refusal === Refusal.notConfirmed)
    const told: BettorTold[] = [...(isGone ? this.setBest(asked, null) : []), { kind: 'commitRefused', arrival: asked.arrival, refusal, retryAfterUs }]
    return { told: asked.isOver ? [...told, ...this.ended(asked).told] : told, acts: [] }
  }

  private ended(asked: Asked): Heard {
    if (this.asked.get(asked.arrival) !== asked) return NOTHING
    this.forget(asked)
    return { told: [{ kind: 'requestEnded', arrival: asked.arrival }], acts: [] }
  }

  private forget(asked: Asked): void {
    this.asked.delete(asked.arrival)
    this.askedOf.delete(asked.id)
  }

  private lookedUp(read: LookUp, answer: Answer, isDone: boolean, nowUs: number): Heard {
    const { calls } = read
    if (!isDone) {
      const { retryAfterUs } = this.note(errorOf(Action.commit, answer))
      return { told: [], acts: [lookUpIn(Number.isNaN(retryAfterUs) ? TRADE_AGAIN_US : retryAfterUs, calls, nowUs)] }
    }
    const { data, meta } = JSON.parse(answer.body) as ParlaysBody
    const listed = [...read.listed, ...data.parlays]
    if (meta.has_more && goesBackTo(Math.min(...calls.map((call) => askedIn(call).atUs)), listed)) return { told: [], acts: [parlaysCall({ ...read, cursor: meta.cursor, listed })] }
    const known = new Set(this.askedOf.keys())
    const underWay: Call[] = []
    const acts = calls.flatMap((call): Call[] => {
      const asked = askedIn(call)
      const parlay = asked.id === '' ? madeBy(call, asked.atUs, listed, known) : listed.find(({ quote_request_id }) => quote_request_id === asked.id)
      if (parlay === undefined || (asked.id !== '' && UNTAKEN.has(parlay.status))) return [call]
      known.add(parlay.quote_request_id)
      if (asked.id === '') return [foundCall({ kind: 'found', asked, request: parlay.quote_request_id })]
      if (!UNDER_WAY.has(parlay.status)) return [this.tradeCall(asked, parlay.rfq_id)]
      underWay.push(call)
      return []
    })
    return { told: [], acts: underWay.length === 0 ? acts : [...acts, lookUpIn(TRADE_AGAIN_US, underWay, nowUs)] }
  }

  /** A request that cannot be read now is no request that was refused: it is there. */
  private foundRead(read: Found, answer: Answer, isDone: boolean, nowUs: number): Heard {
    if (isDone) return this.requested(read.asked, answer, isDone)
    // The list had it. The service forgets a request a minute after its end.
    if (answer.status === NOT_FOUND) return { told: [{ kind: 'requested', arrival: read.asked.arrival, refusal: Refusal.none, retryAfterUs: NaN }, ...this.ended(read.asked).told], acts: [] }
    this.note(errorOf(Action.requestQuote, answer))
    return { told: [], acts: [{ wakeUs: nowUs + TRADE_AGAIN_US, tag: read }] }
  }

  private tradeCall(asked: Asked, rfq: string): Call {
    return { method: 'GET', path: `/v1/parlays/${rfq}`, tag: { kind: 'trade', asked, rfq } satisfies Tag }
  }

  private tradeRead(read: Extract<Tag, { kind: 'trade' }>, answer: Answer, isDone: boolean, nowUs: number): Heard {
    const { asked, rfq } = read
    const parlay = isDone ? (JSON.parse(answer.body) as ParlayBody).data.parlay : null
    if (parlay === null) this.note(errorOf(Action.commit, answer))
    if (parlay === null || UNDER_WAY.has(parlay.status)) return { told: [], acts: [{ wakeUs: nowUs + TRADE_AGAIN_US, tag: read }] }
    if (parlay.position_id === null) return this.ended(asked)
    this.forget(asked)
    const { arrival } = asked
    const costMicros = microsOf(parlay.bet_amount)
    const told: BettorTold[] = [
      ...this.feeIs(Math.round((microsOf(parlay.taker_fee) * 10_000) / costMicros)),
      { kind: 'opened', arrival, costMicros, stakeMicros: microsOf(parlay.user_stake), payoutMicros: microsOf(parlay.total_payout) },
    ]
    if (!OPEN.has(parlay.status)) return { told: [...told, { kind: 'positionEnded', arrival }], acts: [] }
    this.held.set(arrival, { arrival, rfq, auction: null })
    return { told, acts: this.held.size === 1 ? [this.rounds.wake(nowUs)] : [] }
  }

  /** Tells of another fee. */
  private feeIs(bps: number): BettorTold[] {
    if (bps === this.takerFeeBps) return []
    this.takerFeeBps = bps
    return [{ kind: 'takerFee', bps }]
  }

  private auctionOpened(held: Held, answer: Answer, isDone: boolean, nowUs: number): Heard {
    if (!isDone) return this.failed(Action.openCashOut, answer, [held.arrival])
    const { id } = (JSON.parse(answer.body) as AuctionBody).data.cashout_request
    held.auction = { id, bestMicros: null, isEnding: false }
    return { told: [{ kind: 'auctionBegan', arrival: held.arrival }], acts: this.askBid(held, nowUs) }
  }

  /** Asks for the best bid of a running auction in a while: later, the more auctions run. */
  private askBid(held: Held, nowUs: number): Act[] {
    const auction = held.auction!
    let running = 0
    for (const other of this.held.values()) if (other.auction !== null) running++
    return [{ wakeUs: nowUs + Math.max(BID_EVERY_US, running * BID_SHARE_US), tag: { kind: 'bid', held, auction } satisfies Tag }]
  }

  private bidRead({ held, auction }: Extract<Tag, { kind: 'bid' }>, answer: Answer, isDone: boolean, nowUs: number): Heard {
    if (held.auction !== auction) return NOTHING
    const { arrival } = held
    const refusal = isDone ? Refusal.none : this.note(errorOf(Action.takeBid, answer)).refusal
    // Who takes a bid or cancels hears of it by the answer.
    if (auction.isEnding) return { told: [], acts: this.askBid(held, nowUs) }
    if (refusal === Refusal.notFound || refusal === Refusal.notOpen) return this.auctionOver(held, AuctionOutcome.expired)
    if (!isDone) return { told: [], acts: this.askBid(held, nowUs) }
    const request = (JSON.parse(answer.body) as AuctionBody).data.cashout_request
    const { status, best_price_micro } = request
    const over = this.auctionEnded(held, request, AuctionOutcome.graded)
    if (over !== null) return over
    if (status === 'committed' || best_price_micro === auction.bestMicros) return { told: [], acts: this.askBid(held, nowUs) }
    auction.bestMicros = best_price_micro
    return { told: [{ kind: 'bid', arrival, priceMicros: best_price_micro ?? NaN }], acts: this.askBid(held, nowUs) }
  }

  private auctionOver(held: Held, outcome: AuctionOutcome, receivedMicros = NaN): Heard {
    held.auction = null
    if (outcome === AuctionOutcome.sold) this.held.delete(held.arrival)
    return { told: [{ kind: 'auctionEnded', arrival: held.arrival, outcome, receivedMicros }], acts: [] }
  }

  /** An end that never came to its auction is sent once more. */
  private saleRead(read: Sale, answer: Answer, isDone: boolean, nowUs: number): Heard {
    const { call, held, auction } = read
    if (held.auction !== auction) return NOTHING
    if (isDone) {
      const { cashout_request: request } = (JSON.parse(answer.body) as AuctionBody).data
      const isCancelling = (call.tag as Tag).kind === 'cancelCashOut'
      return this.auctionEnded(held, request, isCancelling ? AuctionOutcome.cancelled : AuctionOutcome.graded) ?? { told: [], acts: [call] }
    }
    const { refusal } = this.note(errorOf(Action.takeBid, answer))
    // The service forgets an auction a minute after its end. What the position brought stands in its parlay.
    if (refusal === Refusal.notFound || refusal === Refusal.notOpen) return { told: [], acts: [holderCall(read)] }
    return { told: [], acts: [{ wakeUs: nowUs + SETTLED_US, tag: read }] }
  }

  private holderRead({ sale }: Holder, answer: Answer, isDone: boolean, nowUs: number): Heard {
    const { held, auction } = sale
    if (held.auction !== auction) return NOTHING
    if (!isDone) {
      this.note(errorOf(Action.takeBid, answer))
      return { told: [], acts: [{ wakeUs: nowUs + SETTLED_US, tag: sale }] }
    }
    const { outcome, received } = (JSON.parse(answer.body) as ParlayBody).data.parlay
    return SALES.has(outcome) ? this.auctionOver(held, AuctionOutcome.sold, microsOf(received!)) : this.auctionOver(held, AuctionOutcome.expired)
  }

  /** Null: the auction runs, or what it brought is not known yet. */
  private auctionEnded(held: Held, { status, proceeds }: AuctionBody['data']['cashout_request'], cancelled: AuctionOutcome): Heard | null {
    if (status === 'committed' && proceeds !== null) return this.auctionOver(held, AuctionOutcome.sold, microsOf(proceeds))
    if (status === 'cancelled') return this.auctionOver(held, cancelled)
    return status === 'expired' ? this.auctionOver(held, AuctionOutcome.expired) : null
  }

  private auctionAnswered({ kind, held, auction }: Extract<Tag, { kind: 'takeBid' | 'cancelCashOut' }>, answer: Answer, isDone: boolean): Heard {
    auction.isEnding = false
    const isOver = held.auction !== auction
    if (!isDone) return this.failed(Action[kind], answer, isOver ? [] : [held.arrival])
    if (isOver) return NOTHING
    if (kind === 'cancelCashOut') return this.auctionOver(held, AuctionOutcome.cancelled)
    return this.auctionOver(held, AuctionOutcome.sold, microsOf((JSON.parse(answer.body) as AuctionBody).data.cashout_request.proceeds!))
  }

  private positionRead(held: Held, answer: Answer, isDone: boolean): Heard {
    if (!isDone) this.note(errorOf(Action.openCashOut, answer))
    if (!isDone || this.held.get(held.arrival) !== held || OPEN.has((JSON.parse(answer.body) as ParlayBody).data.parlay.status)) return NOTHING
    // What became of a sale that is under way is told by its answer.
    if (held.auction?.isEnding === true) return NOTHING
    const told = held.auction === null ? [] : this.auctionOver(held, AuctionOutcome.graded).told
    this.held.delete(held.arrival)
    return { told: [...told, { kind: 'positionEnded', arrival: held.arrival }], acts: [] }
  }

  /** A wish was refused; those named hear of it. */
  private failed(action: Action, answer: Answer, arrivals: readonly number[]): Heard {
    const { refusal, retryAfterUs } = this.note(errorOf(action, answer))
    return { told: arrivals.map((arrival) => ({ kind: 'cashOutRefused', arrival, action, refusal, retryAfterUs })), acts: [] }
  }

  private note(error: ParlayError): ParlayError {
    this.refusals.set(error.code, (this.refusals.get(error.code) ?? 0) + 1)
    return error
  }

  leaving(): readonly Act[] {
    return [
      ...[...this.asked.values()].filter(({ id, isCommitting }) => id !== '' && !isCommitting).map(cancelCall),
      ...[...this.held.values()].flatMap((held): Call[] => (held.auction === null || held.auction.isEnding ? [] : [endCall(held, held.auction, { kind: 'cancelCashOut' })])),
    ]
  }
}

const cancelCall = (asked: Asked): Call => ({ method: 'POST', path: `/v1/quote-requests/${asked.id}/cancel`, tag: { kind: 'cancelRequest', asked } satisfies Tag })

const askedIn = ({ tag }: Call): Asked => (tag as Extract<Tag, { asked: Asked }>).asked

const lookUpIn = (inUs: number, calls: readonly Call[], nowUs: number): Wake => ({ wakeUs: nowUs + inUs, tag: { kind: 'lookUp', calls, cursor: '', listed: [] } satisfies Tag })

const parlaysCall = (tag: LookUp): Call =>
  ({ method: 'GET', path: `/v1/parlays?limit=${PARLAYS_PAGE}${tag.cursor === '' ? '' : `&cursor=${encodeURIComponent(tag.cursor)}`}`, tag })

const foundCall = (tag: Found): Call => ({ method: 'GET', path: `/v1/quote-requests/${tag.request}`, tag })

const auctionCall = ({ id }: Auction, tag: Sale | Extract<Tag, { kind: 'bid' }>): Call => ({ method: 'GET', path: `/v1/cashout-requests/${id}`, tag })

const holderCall = (sale: Sale): Call => ({ method: 'GET', path: `/v1/parlays/${sale.held.rfq}`, tag: { kind: 'holder', sale } satisfies Tag })

const positionCall = (held: Held): Call => ({ method: 'GET', path: `/v1/parlays/${held.rfq}`, tag: { kind: 'position', held } satisfies Tag })

/** Takes the best bid of an auction, or cancels it. */
function endCall(held: Held, auction: Auction, wish: { readonly kind: 'cancelCashOut' } | { readonly kind: 'takeBid'; readonly minPriceMicros: number }): Call {
  auction.isEnding = true
  const path = `/v1/cashout-requests/${auction.id}`
  const tag: Tag = { kind: wish.kind, held, auction }
  if (wish.kind === 'cancelCashOut') return { method: 'POST', path: `${path}/cancel`, tag }
  return { method: 'POST', path: `${path}/commit`, body: JSON.stringify({ min_price_micro: wish.minPriceMicros }), tag }
}

const microsOf = (usdc: number): number => Math.round(usdc * USDC)
