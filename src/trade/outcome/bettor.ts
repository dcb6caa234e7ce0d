import { Action, AuctionOutcome, Refusal } from '../../agent/vocabulary.ts'
import type { MarketNames } from '../../market/publicList.ts'
import { type BettorTold, type BettorWish, type BettorWords, type Heard, type ListedMarket, NOTHING } from '../bettor/bettorWords.ts'
import { listAgainUs } from '../bettor/listedMarkets.ts'
import { PositionRounds, type RoundTag } from '../bettor/positionRounds.ts'
import type { Act, Answer, Call, ChannelTerms, Frame, Wake } from '../link.ts'
import { acceptanceOf, type Rates, type TakerSeat } from './acceptances.ts'
import { errorOf, type OutcomeError } from './errors.ts'
import { idempotencyKey } from './idempotencyKey.ts'
import { type Held, oddsE4Of, type Quote, Rfq } from './rfq.ts'

const SECOND_US = 1_000_000
const PAGE = 200
const AGAIN_US = 2 * SECOND_US
/** Until an operation that is under way is read again. */
const OPERATION_EVERY_US = SECOND_US
/** Quotes of RFQs whose answer has not come yet. */
const EARLY_MAX = 1000

/** Cursors that a list does not go on from any more: it is read from its beginning. */
const LOST_CURSORS = new Set(['STALE_CURSOR', 'CURSOR_EXPIRED', 'INVALID_CURSOR'])
/** A quote whose acceptance is refused so is no offer any more. */
const GONE = new Set<Refusal>([Refusal.quoteGone, Refusal.unfillable, Refusal.counterpartyUnable])

type Commit = Extract<BettorWish, { kind: 'commit' }>
type Tag =
  | { readonly kind: 'markets'; readonly cursor: string; readonly listed: readonly ListedMarket[] }
  | { readonly kind: 'deployment' }
  | { readonly kind: 'create' | 'cancel' | 'expiry' | 'noQuote' | 'quotes'; readonly rfq: Rfq }
  | { readonly kind: 'accept'; readonly rfq: Rfq; readonly quote: Quote }
  | { readonly kind: 'operation'; readonly rfq: Rfq; readonly quote: Quote; readonly operation: string }
  | { readonly kind: 'opened'; readonly rfq: Rfq; readonly quote: Quote }
  | { readonly kind: 'openCashOut' | 'position'; readonly held: Held }
  | RoundTag

/** The list of this service has titles alone. */
const UNNAMED: MarketNames = { ticker: '', title: '', event: '', game: '', category: '', venue: '' }
/** A list is read from its beginning. */
const FIRST_PAGE: Tag = { kind: 'markets', cursor: '', listed: [] }

interface Page<T> { readonly items: readonly T[]; readonly next_cursor: string | null }
interface MarketBody { readonly outcome_id: string; readonly title: string; readonly status: string }
interface RfqBody { readonly rfq_id: string; readonly open_until: string }
interface AcceptanceBody { readonly status: 'ACCEPTED' | 'CONFIRMED' | 'DECLINED' | 'TIMED_OUT'; readonly maker_id: string; readonly operation_id: string | null }
interface PositionBody { readonly position_id: string; readonly rfq_id: string; readonly fee_bps: number }
interface DeploymentBody { readonly taker_fee_bps: number; readonly fee_bps: number }
interface QuoteBody {
  readonly rfq_id: string
  readonly quote_id: string
  readonly maker_id: string
  readonly payout: string
  readonly net_stake: string | null
  readonly expires_at: string
}
interface EventFrame {
  readonly type: string
  readonly event?: string
  readonly data: QuoteBody
}

/** The outcome service as a bettor's client has it: RFQs, the quotes that its stream tells of, acceptances, operations and positions. */
export class OutcomeBettor implements BettorWords {
  readonly channels: readonly ChannelTerms[] = [
    { kind: 'socket', path: '/v1/stream', subprotocol: 'outcome-rfq.v1', firstFrame: JSON.stringify({ type: 'subscribe', channels: ['account'] }) },
  ]
  readonly refusals = new Map<string, number>()
  private readonly seat: TakerSeat
  private readonly entries = new Map<number, Rfq>()
  private readonly rfqOf = new Map<string, Rfq>()
  private readonly early = new Map<string, Quote[]>()
  private readonly held = new Map<number, Held>()
  private readonly rounds = new PositionRounds(this.held, positionCall)
  /** The rates in force, as the deployment last showed them; null before. */
  private rates: Rates | null = null
  /** Commits that wait until the rates are known. */
  private readonly waiting: Commit[] = []

  constructor(seat: TakerSeat) {
    this.seat = seat
  }

  begun(): readonly Act[] {
    return [deploymentCall(), marketsCall('', [])]
  }

  /** Under its key a command that was carried out is answered as it was then, and any other is carried out now. Quotes are listed. */
  cameBack(calls: readonly Call[]): readonly Act[] {
    const rfqs = [...this.rfqOf.values()]
    for (const rfq of rfqs) rfq.away()
    return [...calls.filter(({ tag }) => (tag as Tag).kind !== 'quotes'), ...rfqs.map(quotesCall)]
  }

  framesCame(frames: readonly Frame[], nowUs: number): Heard {
    for (const { text } of frames) {
      const { type, event, data } = JSON.parse(text) as EventFrame
      if (type === 'event' && event === 'QUOTE_CREATED') this.quoted(data)
    }
    const told = [...this.rfqOf.values()].flatMap((rfq) => this.bestOf(rfq, nowUs))
    return { told, acts: [] }
  }

  private quoted(body: QuoteBody): void {
    const { rfq_id } = body
    const quote = quoteOf(body)
    const rfq = this.rfqOf.get(rfq_id)
    if (rfq !== undefined) return rfq.take(quote)
    this.early.set(rfq_id, [...this.early.get(rfq_id) ?? [], quote])
    if (this.early.size > EARLY_MAX) this.early.delete(this.early.keys().next().value!)
  }

  /** Tells of another best quote. */
  private bestOf(rfq: Rfq, nowUs: number): BettorTold[] {
    if (!rfq.look(nowUs)) return []
    const { arrival, best, held } = rfq
    if (held !== null) return [{ kind: 'bid', arrival, priceMicros: best === null ? NaN : Number(best.payout) }]
    return [{ kind: 'best', arrival, oddsE4: best === null ? NaN : oddsE4Of(best) }]
  }

  wished(wish: BettorWish, nowUs: number): readonly Act[] {
    switch (wish.kind) {
      case 'requestQuote': return [this.request(wish, nowUs)]
      case 'commit': return this.rates === null ? this.wait(wish) : this.commit(wish, this.rates, nowUs)
      case 'cancelRequest': return this.cancel(this.entries.get(wish.arrival), nowUs)
      case 'openCashOut': return this.openCashOut(this.held.get(wish.arrival), nowUs)
      case 'takeBid': return this.takeBid(this.held.get(wish.arrival)?.auction, wish.minPriceMicros, nowUs)
      case 'cancelCashOut': return this.cancel(this.held.get(wish.arrival)?.auction, nowUs)
    }
  }

  private command(path: string, body: object, tag: Tag, nowUs: number, key = idempotencyKey(nowUs)): Call {
    return { method: 'POST', path, headers: { 'idempotency-key': key }, body: JSON.stringify(body), tag }
  }

  private request({ arrival, legs, betMicros }: Extract<BettorWish, { kind: 'requestQuote' }>, nowUs: number): Call {
    const rfq = new Rfq(arrival, null, betMicros)
    this.entries.set(arrival, rfq)
    // Legs ascend by their outcome.
    const ordered = legs.map(({ market, side }) => ({ outcome_id: market, side: side === 'yes' ? 'YES' : 'NO' })).sort((a, b) => Number(BigInt(a.outcome_id) - BigInt(b.outcome_id)))
    return this.command('/v1/rfqs', { stake: String(betMicros), legs: ordered }, { kind: 'create', rfq }, nowUs)
  }

  // What has ended is not there any more, and the bettor hears of that next: nothing is done about it.

  private cancel(rfq: Rfq | null | undefined, nowUs: number): Call[] {
    return rfq === null || rfq === undefined ? [] : [this.command(`/v1/rfqs/${rfq.id}/cancel`, {}, { kind: 'cancel', rfq }, nowUs)]
  }

  private openCashOut(held: Held | undefined, nowUs: number): Call[] {
    return held === undefined ? [] : [this.command(`/v1/me/positions/${held.position}/cashout`, {}, { kind: 'openCashOut', held }, nowUs)]
  }

  private takeBid(rfq: Rfq | null | undefined, minPriceMicros: number, nowUs: number): Act[] {
    if (rfq === null || rfq === undefined) return []
    // A position has been bet on at rates that were known.
    return [this.accept(rfq, rfq.best !== null && Number(rfq.best.payout) >= minPriceMicros, this.rates!, nowUs)]
  }

  private commit({ arrival, minOddsE4 }: Commit, rates: Rates, nowUs: number): Act[] {
    const rfq = this.entries.get(arrival)
    return rfq === undefined ? [] : [this.accept(rfq, rfq.best !== null && oddsE4Of(rfq.best) >= minOddsE4, rates, nowUs)]
  }

  private wait(commit: Commit): Act[] {
    this.waiting.push(commit)
    return []
  }

  /** Without a quote that is good enough there is nothing to name. The bettor hears so at the same instant, in a turn of its own, as from the service. */
  private accept(rfq: Rfq, isGood: boolean, rates: Rates, nowUs: number): Act {
    const { best: quote } = rfq
    if (!isGood || quote === null) return { wakeUs: nowUs, tag: { kind: 'noQuote', rfq } satisfies Tag }
    rfq.isAccepting = true
    const key = idempotencyKey(nowUs)
    return this.command(`/v1/quotes/${quote.id}/accept`, acceptanceOf(this.seat, rfq, quote, rates, key, nowUs), { kind: 'accept', rfq, quote }, nowUs, key)
  }

  answered(tag: unknown, answer: Answer, nowUs: number): Heard {
    const called = tag as Tag
    const isDone = answer.status >= 200 && answer.status < 300
    switch (called.kind) {
      case 'deployment': return isDone ? this.deployed(JSON.parse(answer.body) as DeploymentBody, nowUs) : this.later(called, answer, nowUs)
      case 'markets': return isDone ? this.listed(called, JSON.parse(answer.body) as Page<MarketBody>, nowUs) : this.later(called, answer, nowUs)
      case 'create': return this.created(called.rfq, answer, isDone, nowUs)
      case 'openCashOut': return this.auctionOpened(called.held, answer, isDone, nowUs)
      case 'cancel': return this.cancelled(called.rfq, answer, isDone)
      case 'accept': return this.accepted(called, answer, isDone, nowUs)
      case 'operation': return this.operationRead(called, answer, isDone, nowUs)
      case 'opened': return isDone ? this.openedIn(called, JSON.parse(answer.body) as Page<PositionBody>, nowUs) : this.later(called, answer, nowUs)
      case 'quotes': return isDone ? this.quotesListed(called.rfq, JSON.parse(answer.body) as Page<QuoteBody>, nowUs) : this.unread(answer)
      case 'position': return isDone ? NOTHING : this.positionUnread(called.held, answer)
      default: return NOTHING
    }
  }

  woken(tag: unknown, nowUs: number, areMoreToCome: boolean): Heard {
    const due = tag as Tag
    switch (due.kind) {
      case 'deployment': return { told: [], acts: [deploymentCall()] }
      case 'markets': return areMoreToCome ? { told: [], acts: [...(due.cursor === '' ? [deploymentCall()] : []), marketsCall(due.cursor, due.listed)] } : NOTHING
      case 'noQuote': return this.isKnown(due.rfq) ? { told: [refusedTaking(due.rfq, Refusal.noQuote, NaN)], acts: [] } : NOTHING
      case 'expiry':
        due.rfq.isClosed = true
        return due.rfq.isAccepting ? NOTHING : this.lapsed(due.rfq, nowUs)
      case 'operation': return { told: [], acts: [operationCall(due)] }
      case 'opened': return { told: [], acts: [positionsCall(due, '')] }
      case 'positions': return { told: [], acts: this.rounds.due(due, nowUs) }
      default: return NOTHING
    }
  }

  /** Makes a read again in a while. */
  private later(tag: Tag, answer: Answer, nowUs: number): Heard {
    const { code, retryAfterUs } = this.note(errorOf(Action.requestQuote, answer))
    const again = tag.kind === 'markets' && LOST_CURSORS.has(code) ? FIRST_PAGE : tag
    return { told: [], acts: [{ wakeUs: nowUs + (Number.isNaN(retryAfterUs) ? AGAIN_US : retryAfterUs), tag: again }] }
  }

  /** The rates are told where they are others than before. */
  private deployed({ taker_fee_bps, fee_bps }: DeploymentBody, nowUs: number): Heard {
    const told: BettorTold[] = taker_fee_bps === this.rates?.takerFeeBps ? [] : [{ kind: 'takerFee', bps: taker_fee_bps }]
    const rates = this.rates = { takerFeeBps: taker_fee_bps, feeBps: fee_bps }
    return { told, acts: this.waiting.splice(0).flatMap((commit) => this.commit(commit, rates, nowUs)) }
  }

  /** The list does not say which outcomes exclude each other. */
  private listed(read: Extract<Tag, { kind: 'markets' }>, { items, next_cursor }: Page<MarketBody>, nowUs: number): Heard {
    const listed = [...read.listed, ...items.map(({ outcome_id, title, status }): ListedMarket => ({ name: outcome_id, exclusionKeys: [outcome_id], isOpen: status === 'LISTED', names: { ...UNNAMED, title } }))]
    if (next_cursor !== null) return { told: [], acts: [marketsCall(next_cursor, listed)] }
    return { told: [{ kind: 'markets', markets: listed }], acts: [{ wakeUs: nowUs + listAgainUs(listed), tag: FIRST_PAGE }] }
  }

  private created(rfq: Rfq, answer: Answer, isDone: boolean, nowUs: number): Heard {
    const { arrival } = rfq
    if (!isDone) {
      this.entries.delete(arrival)
      const { refusal, retryAfterUs } = this.note(errorOf(Action.requestQuote, answer))
      return { told: [{ kind: 'requested', arrival, refusal, retryAfterUs }], acts: [] }
    }
    const acts = this.begin(rfq, answer)
    return { told: [{ kind: 'requested', arrival, refusal: Refusal.none, retryAfterUs: NaN }, ...this.bestOf(rfq, nowUs)], acts }
  }

  /** Of an RFQ that has stood since before the answer, quotes may have come in the meantime. */
  private begin(rfq: Rfq, { body, headers }: Answer): Act[] {
    const { rfq_id, open_until } = JSON.parse(body) as RfqBody
    rfq.id = rfq_id
    this.rfqOf.set(rfq_id, rfq)
    for (const quote of this.early.get(rfq_id) ?? []) rfq.take(quote)
    this.early.delete(rfq_id)
    const expiry: Wake = { wakeUs: usOf(open_until), tag: { kind: 'expiry', rfq } satisfies Tag }
    return headers['idempotency-replayed'] === undefined ? [expiry] : [expiry, quotesCall(rfq)]
  }

  private quotesListed(rfq: Rfq, { items }: Page<QuoteBody>, nowUs: number): Heard {
    if (!this.isKnown(rfq)) return NOTHING
    rfq.relist(items.map(quoteOf))
    return { told: this.bestOf(rfq, nowUs), acts: [] }
  }

  private unread(answer: Answer): Heard {
    this.note(errorOf(Action.requestQuote, answer))
    return NOTHING
  }

  private auctionOpened(held: Held, answer: Answer, isDone: boolean, nowUs: number): Heard {
    const { arrival } = held
    if (!isDone) {
      const { refusal, retryAfterUs } = this.note(errorOf(Action.openCashOut, answer))
      return { told: [{ kind: 'cashOutRefused', arrival, action: Action.openCashOut, refusal, retryAfterUs }], acts: [] }
    }
    const rfq = held.auction = new Rfq(arrival, held, 0)
    const acts = this.begin(rfq, answer)
    return { told: [{ kind: 'auctionBegan', arrival }, ...this.bestOf(rfq, nowUs)], acts }
  }

  private cancelled(rfq: Rfq, answer: Answer, isDone: boolean): Heard {
    if (isDone) return this.over(rfq, AuctionOutcome.cancelled)
    const { refusal, retryAfterUs } = this.note(errorOf(Action.cancelRequest, answer))
    if (rfq.held === null || !this.isKnown(rfq)) return NOTHING
    return { told: [{ kind: 'cashOutRefused', arrival: rfq.arrival, action: Action.cancelCashOut, refusal, retryAfterUs }], acts: [] }
  }

  private accepted({ rfq, quote }: Extract<Tag, { kind: 'accept' }>, answer: Answer, isDone: boolean, nowUs: number): Heard {
    rfq.isAccepting = false
    if (!isDone) {
      const error = this.note(errorOf(Action.commit, answer))
      if (GONE.has(error.refusal)) rfq.drop(quote)
      const { told, acts } = this.untaken(rfq, error, nowUs)
      // Its terms may have named rates that are no longer in force.
      return { told, acts: error.code === 'INVALID_SIGNATURE' && rfq.held === null ? [...acts, deploymentCall()] : acts }
    }
    const { status, maker_id, operation_id } = JSON.parse(answer.body) as AcceptanceBody
    if (status === 'CONFIRMED' && operation_id !== null) {
      rfq.isAccepting = true
      return { told: [], acts: [operationCall({ kind: 'operation', rfq, quote, operation: operation_id })] }
    }
    rfq.drop(quote)
    if (rfq.held === null) rfq.exclude(maker_id)
    return this.untaken(rfq, this.note({ code: status, refusal: Refusal.notConfirmed, retryAfterUs: NaN }), nowUs)
  }

  /** An acceptance came to nothing. The best quote may be another one than before, or the RFQ over. */
  private untaken(rfq: Rfq, { refusal, retryAfterUs }: OutcomeError, nowUs: number): Heard {
    const best = this.bestOf(rfq, nowUs)
    const refused = refusedTaking(rfq, refusal, retryAfterUs)
    const told = rfq.held === null ? [...best, refused] : [refused, ...best]
    const since = refusal === Refusal.notOpen ? this.over(rfq, AuctionOutcome.expired) : rfq.isClosed ? this.lapsed(rfq, nowUs) : NOTHING
    return { told: [...told, ...since.told], acts: since.acts }
  }

  /** The RFQ's window is over. A quote can be accepted until it expires, so that the RFQ is over with the last of them. */
  private lapsed(rfq: Rfq, nowUs: number): Heard {
    if (rfq.lastUs <= nowUs) return this.over(rfq, AuctionOutcome.expired)
    return { told: [], acts: [{ wakeUs: rfq.lastUs, tag: { kind: 'expiry', rfq } satisfies Tag }] }
  }

  private operationRead(read: Extract<Tag, { kind: 'operation' }>, answer: Answer, isDone: boolean, nowUs: number): Heard {
    const { rfq, quote } = read
    const status = isDone ? (JSON.parse(answer.body) as { readonly status: 'PENDING' | 'DONE' | 'FAILED' }).status : 'PENDING'
    if (!isDone) this.note(errorOf(Action.commit, answer))
    if (status === 'PENDING') return { told: [], acts: [{ wakeUs: nowUs + OPERATION_EVERY_US, tag: read }] }
    if (status === 'FAILED') return this.over(rfq, AuctionOutcome.saleFailed)
    if (rfq.held !== null) return this.over(rfq, AuctionOutcome.sold, Number(quote.payout))
    return { told: [], acts: [positionsCall({ kind: 'opened', rfq, quote }, '')] }
  }

  /** The bet of an operation that is done has its position, unless it has ended by now. */
  private openedIn(read: Extract<Tag, { kind: 'opened' }>, { items, next_cursor }: Page<PositionBody>, nowUs: number): Heard {
    const { rfq, quote } = read
    const { arrival } = rfq
    const position = items.find(({ rfq_id }) => rfq_id === rfq.id)
    if (position === undefined && next_cursor !== null) return { told: [], acts: [positionsCall(read, next_cursor)] }
    this.forget(rfq)
    const opened: BettorTold = { kind: 'opened', arrival, costMicros: rfq.stake, stakeMicros: Number(quote.netStake), payoutMicros: Number(quote.payout) }
    if (position === undefined) return { told: [opened, { kind: 'positionEnded', arrival }], acts: [] }
    this.held.set(arrival, { arrival, position: position.position_id, feeBps: position.fee_bps, auction: null })
    return { told: [opened], acts: this.held.size === 1 ? [this.rounds.wake(nowUs)] : [] }
  }

  /** An RFQ ended: one that asked for a bet with nothing, one that sells a position with the outcome. */
  private over(rfq: Rfq, outcome: AuctionOutcome, receivedMicros = NaN): Heard {
    if (!this.isKnown(rfq)) return NOTHING
    this.forget(rfq)
    const { arrival, held } = rfq
    if (held === null) return { told: [{ kind: 'requestEnded', arrival }], acts: [] }
    if (outcome === AuctionOutcome.sold) this.held.delete(arrival)
    return { told: [{ kind: 'auctionEnded', arrival, outcome, receivedMicros }], acts: [] }
  }

  /** Whether the RFQ is open, and not over. */
  private isKnown(rfq: Rfq): boolean {
    return this.rfqOf.has(rfq.id)
  }

  private forget(rfq: Rfq): void {
    this.rfqOf.delete(rfq.id)
    if (rfq.held === null) this.entries.delete(rfq.arrival)
    else rfq.held.auction = null
  }

  /** A position that is not found has ended. What became of a sale that is under way is told by its operation. */
  private positionUnread(held: Held, answer: Answer): Heard {
    if (answer.status !== 404) this.note(errorOf(Action.openCashOut, answer))
    if (answer.status !== 404 || this.held.get(held.arrival) !== held || held.auction?.isAccepting === true) return NOTHING
    const told = held.auction === null ? [] : this.over(held.auction, AuctionOutcome.graded).told
    this.held.delete(held.arrival)
    return { told: [...told, { kind: 'positionEnded', arrival: held.arrival }], acts: [] }
  }

  private note(error: OutcomeError): OutcomeError {
    this.refusals.set(error.code, (this.refusals.get(error.code) ?? 0) + 1)
    return error
  }

  leaving(nowUs: number): readonly Act[] {
    this.waiting.length = 0
    return [...this.rfqOf.values()].filter(({ isAccepting }) => !isAccepting).flatMap((rfq) => this.cancel(rfq, nowUs))
  }
}

/** A commit or the taking of a bid was refused. */
const refusedTaking = ({ arrival, held }: Rfq, refusal: Refusal, retryAfterUs: number): BettorTold =>
  (held === null ? { kind: 'commitRefused', arrival, refusal, retryAfterUs } : { kind: 'cashOutRefused', arrival, action: Action.takeBid, refusal, retryAfterUs })

const cursorOf = (cursor: string): string => (cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`)
const deploymentCall = (): Call => ({ method: 'GET', path: '/v1/deployment', tag: { kind: 'deployment' } satisfies Tag })
const marketsCall = (cursor: string, listed: readonly ListedMarket[]): Call =>
  ({ method: 'GET', path: `/v1/markets?limit=${PAGE}${cursorOf(cursor)}`, tag: { kind: 'markets', cursor, listed } satisfies Tag })
const quotesCall = (rfq: Rfq): Call => ({ method: 'GET', path: `/v1/rfqs/${rfq.id}/quotes?limit=${PAGE}`, tag: { kind: 'quotes', rfq } satisfies Tag })
const quoteOf = ({ quote_id, maker_id, payout, net_stake, expires_at }: QuoteBody): Quote =>
  ({ id: quote_id, maker: maker_id, payout: BigInt(payout), netStake: BigInt(net_stake ?? 0), expiresUs: usOf(expires_at) })
const operationCall = (tag: Extract<Tag, { kind: 'operation' }>): Call => ({ method: 'GET', path: `/v1/me/operations/${tag.operation}`, tag })
const positionCall = (held: Held): Call => ({ method: 'GET', path: `/v1/me/positions/${held.position}`, tag: { kind: 'position', held } satisfies Tag })
const positionsCall = (tag: Extract<Tag, { kind: 'opened' }>, cursor: string): Call => ({ method: 'GET', path: `/v1/me/positions?limit=${PAGE}${cursorOf(cursor)}`, tag })

/** µs of an instant of the wire. */
const usOf = (instant: string): number => Date.parse(`${instant.slice(0, 19)}Z`) * 1000 + Number((/\.(\d{1,6})/.exec(instant)?.[1] ?? '').padEnd(6, '0'))
