import { Action, AuctionOutcome, Refusal } from '../../agent/vocabulary.ts'
import { type BettorTold, type BettorWish, type BettorWords, type Heard, type ListedMarket, NOTHING } from '../bettor/bettorWords.ts'
import { listAgainUs } from '../bettor/listedMarkets.ts'
import type { Act, Answer, Call, ChannelTerms, Frame, Wake } from '../link.ts'
import { errorOf, type OutcomeError } from './errors.ts'
import { idempotencyKey } from './idempotencyKey.ts'
import { signedTerms, type Signer } from './typedTerms.ts'

const SECOND_US = 1_000_000
const ODDS_ONE = 10_000n
const PAGE = 200
const AGAIN_US = 2 * SECOND_US
/** Until an operation that is under way is read again. */
const OPERATION_EVERY_US = SECOND_US
/** Each open position is read so often, one a second at most. */
const POSITION_EVERY_US = 120 * SECOND_US
/** From the whole second of an acceptance to the end of its funding. */
const FUNDING_S = 600
/** Quotes of RFQs whose answer has not come yet. */
const EARLY_MAX = 1000

/** The wallet that signs, and the account that it signs for. */
export interface TakerSeat extends Signer {
  readonly accountId: string
}

interface Quote {
  readonly id: string
  readonly maker: string
  readonly payout: bigint
  readonly netStake: bigint
  readonly expiresUs: number
}

/** An RFQ of the bettor: it asks for a bet, or sells a position. */
interface Rfq {
  readonly arrival: number
  /** Null of a bet. */
  readonly held: Held | null
  stake: number
  id: string
  /** The last quote of each maker, in the order in which they came. */
  readonly quotes: Map<string, Quote>
  best: Quote | null
  /** Makers that did not confirm. */
  readonly excluded: Set<string>
  isAccepting: boolean
  isOver: boolean
}

interface Held {
  readonly arrival: number
  readonly position: string
  readonly feeBps: number
  auction: Rfq | null
}

type Tag =
  | { readonly kind: 'markets'; readonly cursor: string; readonly listed: readonly ListedMarket[] }
  | { readonly kind: 'deployment' }
  | { readonly kind: 'create' | 'cancel' | 'expiry' | 'noQuote'; readonly rfq: Rfq }
  | { readonly kind: 'accept'; readonly rfq: Rfq; readonly quote: Quote }
  | { readonly kind: 'operation'; readonly rfq: Rfq; readonly quote: Quote; readonly operation: string }
  | { readonly kind: 'opened'; readonly rfq: Rfq; readonly cursor: string }
  | { readonly kind: 'openCashOut' | 'position'; readonly held: Held }
  | { readonly kind: 'positions'; readonly epoch: number }

interface Page<T> { readonly items: readonly T[]; readonly next_cursor: string | null }
interface MarketBody { readonly outcome_id: string; readonly status: string }
interface RfqBody { readonly rfq_id: string; readonly open_until: string }
interface AcceptanceBody { readonly status: 'ACCEPTED' | 'CONFIRMED' | 'DECLINED' | 'TIMED_OUT'; readonly maker_id: string; readonly operation_id: string | null }
interface PositionBody {
  readonly position_id: string; readonly rfq_id: string; readonly net_stake: string; readonly payout: string; readonly entry_fee: string; readonly fee_bps: number
}
interface DeploymentBody { readonly taker_fee_bps: number; readonly fee_bps: number }
interface EventFrame {
  readonly type: string
  readonly event?: string
  readonly data: { readonly rfq_id: string; readonly quote_id: string; readonly maker_id: string; readonly payout: string; readonly net_stake: string | null; readonly expires_at: string }
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
  /** The rates in force, as the deployment last showed them; NaN before. */
  private takerFeeBps = NaN
  private feeBps = NaN
  /** Commits that wait until the rates are known: their least odds by arrival. */
  private readonly waiting = new Map<number, number>()
  private reading = 0
  private epoch = 0

  constructor(seat: TakerSeat) {
    this.seat = seat
  }

  begun(nowUs: number): Heard {
    return { told: [], acts: [deploymentCall(), this.marketsCall('', []), ...(this.held.size > 0 ? [this.positionsWake(nowUs)] : [])] }
  }

  framesCame(frames: readonly Frame[], nowUs: number): Heard {
    for (const { text } of frames) {
      const { type, event, data } = JSON.parse(text) as EventFrame
      if (type === 'event' && event === 'QUOTE_CREATED') this.quoted(data)
    }
    const told = [...this.rfqOf.values()].flatMap((rfq) => this.bestOf(rfq, nowUs))
    return { told, acts: [] }
  }

  private quoted({ rfq_id, quote_id, maker_id, payout, net_stake, expires_at }: EventFrame['data']): void {
    const quote: Quote = { id: quote_id, maker: maker_id, payout: BigInt(payout), netStake: BigInt(net_stake ?? 0), expiresUs: usOf(expires_at) }
    const rfq = this.rfqOf.get(rfq_id)
    if (rfq !== undefined) replaceQuote(rfq, quote)
    else {
      this.early.set(rfq_id, [...this.early.get(rfq_id) ?? [], quote])
      if (this.early.size > EARLY_MAX) this.early.delete(this.early.keys().next().value!)
    }
  }

  /** Tells of another best quote: the highest payout that can still be had, of two equal ones the earlier. */
  private bestOf(rfq: Rfq, nowUs: number): BettorTold[] {
    let best: Quote | null = null
    for (const [maker, quote] of rfq.quotes) {
      if (quote.expiresUs <= nowUs) rfq.quotes.delete(maker)
      else if (!rfq.excluded.has(maker) && (best === null || quote.payout > best.payout)) best = quote
    }
    if (best === rfq.best) return []
    rfq.best = best
    const { arrival } = rfq
    if (rfq.held !== null) return [{ kind: 'bid', arrival, priceMicros: best === null ? NaN : Number(best.payout) }]
    return [{ kind: 'best', arrival, oddsE4: best === null ? NaN : oddsE4Of(best) }]
  }

  wished(wish: BettorWish, nowUs: number): Heard {
    switch (wish.kind) {
      case 'requestQuote': return { told: [], acts: [this.request(wish, nowUs)] }
      case 'cancelRequest': return { told: [], acts: [this.cancel(this.entries.get(wish.arrival)!, nowUs)] }
      case 'commit': {
        if (!Number.isNaN(this.feeBps)) return { told: [], acts: [this.commit(this.entries.get(wish.arrival)!, wish.minOddsE4, nowUs)] }
        this.waiting.set(wish.arrival, wish.minOddsE4)
        return NOTHING
      }
      case 'openCashOut': {
        const held = this.held.get(wish.arrival)!
        return { told: [], acts: [this.command(`/v1/me/positions/${held.position}/cashout`, {}, { kind: 'openCashOut', held }, nowUs)] }
      }
      case 'takeBid': {
        const rfq = this.held.get(wish.arrival)!.auction!
        return { told: [], acts: [this.accept(rfq, rfq.best !== null && Number(rfq.best.payout) >= wish.minPriceMicros, nowUs)] }
      }
      case 'cancelCashOut': return { told: [], acts: [this.cancel(this.held.get(wish.arrival)!.auction!, nowUs)] }
    }
  }

  private command(path: string, body: object, tag: Tag, nowUs: number, key = idempotencyKey(nowUs)): Call {
    return { method: 'POST', path, headers: { 'idempotency-key': key }, body: JSON.stringify(body), tag }
  }

  private request({ arrival, legs, betMicros }: Extract<BettorWish, { kind: 'requestQuote' }>, nowUs: number): Call {
    const rfq = newRfq(arrival, null)
    rfq.stake = betMicros
    this.entries.set(arrival, rfq)
    // Legs ascend by their outcome.
    const ordered = legs.map(({ market, side }) => ({ outcome_id: market, side: side === 'yes' ? 'YES' : 'NO' })).sort((a, b) => (BigInt(a.outcome_id) < BigInt(b.outcome_id) ? -1 : 1))
    return this.command('/v1/rfqs', { stake: String(betMicros), legs: ordered }, { kind: 'create', rfq }, nowUs)
  }

  private cancel(rfq: Rfq, nowUs: number): Call {
    return this.command(`/v1/rfqs/${rfq.id}/cancel`, {}, { kind: 'cancel', rfq }, nowUs)
  }

  private commit(rfq: Rfq, minOddsE4: number, nowUs: number): Act {
    return this.accept(rfq, rfq.best !== null && oddsE4Of(rfq.best) >= minOddsE4, nowUs)
  }

  /** Without a quote that is good enough there is nothing to name. The bettor hears so at the same instant, in a turn of its own, as from the service. */
  private accept(rfq: Rfq, isGood: boolean, nowUs: number): Act {
    const { best: quote, id, held } = rfq
    if (!isGood || quote === null) return { wakeUs: nowUs, tag: { kind: 'noQuote', rfq } satisfies Tag }
    rfq.isAccepting = true
    const key = idempotencyKey(nowUs)
    const common = { rfqId: id, quoteId: quote.id, acceptanceId: key }
    const path = `/v1/quotes/${quote.id}/accept`
    const tag: Tag = { kind: 'accept', rfq, quote }
    if (held !== null) {
      const terms = { ...common, seller: this.seat.accountId, price: quote.payout, feeBps: held.feeBps, positionId: held.position }
      return this.command(path, { signature: signedTerms(this.seat, 'CashoutAcceptance', terms) }, tag, nowUs, key)
    }
    const validAfter = Math.floor(nowUs / SECOND_US)
    const validBefore = validAfter + FUNDING_S
    const terms = {
      ...common, taker: this.seat.accountId, stake: BigInt(rfq.stake), core: 0n, payout: quote.payout, takerFeeBps: this.takerFeeBps, feeBps: this.feeBps, validAfter, validBefore,
    }
    return this.command(path, { valid_after: validAfter, valid_before: validBefore, signature: signedTerms(this.seat, 'Acceptance', terms) }, tag, nowUs, key)
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
      case 'position': return isDone || answer.status !== 404 ? NOTHING : this.positionOver(called.held)
      default: return NOTHING
    }
  }

  woken(tag: unknown, nowUs: number, areMoreToCome: boolean): Heard {
    const due = tag as Tag
    switch (due.kind) {
      case 'deployment': return { told: [], acts: [deploymentCall()] }
      case 'markets': return areMoreToCome ? { told: [], acts: [...(due.cursor === '' ? [deploymentCall()] : []), this.marketsCall(due.cursor, due.listed)] } : NOTHING
      case 'noQuote': return this.refusedTaking(due.rfq, Refusal.noQuote, NaN)
      case 'expiry':
        due.rfq.isOver = true
        return due.rfq.isAccepting ? NOTHING : this.over(due.rfq, AuctionOutcome.expired)
      case 'operation': return { told: [], acts: [operationCall(due)] }
      case 'opened': return { told: [], acts: [positionsCall(due.rfq, '')] }
      case 'positions': return due.epoch === this.epoch ? { told: [], acts: this.readNext(nowUs) } : NOTHING
      default: return NOTHING
    }
  }

  /** Makes a read again in a while. */
  private later(tag: Tag, answer: Answer, nowUs: number): Heard {
    const { retryAfterUs } = this.note(errorOf(Action.requestQuote, answer))
    return { told: [], acts: [{ wakeUs: nowUs + (Number.isNaN(retryAfterUs) ? AGAIN_US : retryAfterUs), tag }] }
  }

  /** The rates are told where they are others than before. */
  private deployed({ taker_fee_bps, fee_bps }: DeploymentBody, nowUs: number): Heard {
    const told: BettorTold[] = taker_fee_bps === this.takerFeeBps ? [] : [{ kind: 'takerFee', bps: taker_fee_bps }]
    this.takerFeeBps = taker_fee_bps
    this.feeBps = fee_bps
    const open = [...this.waiting].filter(([arrival]) => this.entries.has(arrival))
    this.waiting.clear()
    return { told, acts: open.map(([arrival, minOddsE4]) => this.commit(this.entries.get(arrival)!, minOddsE4, nowUs)) }
  }

  private marketsCall(cursor: string, listed: readonly ListedMarket[]): Call {
    return { method: 'GET', path: `/v1/markets?limit=${PAGE}${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`, tag: { kind: 'markets', cursor, listed } satisfies Tag }
  }

  /** The list does not say which outcomes exclude each other. */
  private listed(read: Extract<Tag, { kind: 'markets' }>, { items, next_cursor }: Page<MarketBody>, nowUs: number): Heard {
    const listed = [...read.listed, ...items.map(({ outcome_id, status }): ListedMarket => ({ name: outcome_id, exclusionKeys: [outcome_id], isOpen: status === 'LISTED' }))]
    if (next_cursor !== null) return { told: [], acts: [this.marketsCall(next_cursor, listed)] }
    const again: Tag = { kind: 'markets', cursor: '', listed: [] }
    return { told: [{ kind: 'markets', markets: listed }], acts: [{ wakeUs: nowUs + listAgainUs(listed), tag: again }] }
  }

  private created(rfq: Rfq, answer: Answer, isDone: boolean, nowUs: number): Heard {
    const { arrival } = rfq
    if (!isDone) {
      this.entries.delete(arrival)
      const { refusal, retryAfterUs } = this.note(errorOf(Action.requestQuote, answer))
      return { told: [{ kind: 'requested', arrival, refusal, retryAfterUs }], acts: [] }
    }
    const expiry = this.begin(rfq, JSON.parse(answer.body) as RfqBody)
    return { told: [{ kind: 'requested', arrival, refusal: Refusal.none, retryAfterUs: NaN }, ...this.bestOf(rfq, nowUs)], acts: [expiry] }
  }

  private begin(rfq: Rfq, { rfq_id, open_until }: RfqBody): Wake {
    rfq.id = rfq_id
    this.rfqOf.set(rfq_id, rfq)
    for (const quote of this.early.get(rfq_id) ?? []) replaceQuote(rfq, quote)
    this.early.delete(rfq_id)
    return { wakeUs: usOf(open_until), tag: { kind: 'expiry', rfq } satisfies Tag }
  }

  private auctionOpened(held: Held, answer: Answer, isDone: boolean, nowUs: number): Heard {
    const { arrival } = held
    if (!isDone) {
      const { refusal, retryAfterUs } = this.note(errorOf(Action.openCashOut, answer))
      return { told: [{ kind: 'cashOutRefused', arrival, action: Action.openCashOut, refusal, retryAfterUs }], acts: [] }
    }
    const rfq = held.auction = newRfq(arrival, held)
    const expiry = this.begin(rfq, JSON.parse(answer.body) as RfqBody)
    return { told: [{ kind: 'auctionBegan', arrival }, ...this.bestOf(rfq, nowUs)], acts: [expiry] }
  }

  private cancelled(rfq: Rfq, answer: Answer, isDone: boolean): Heard {
    if (isDone) return this.over(rfq, AuctionOutcome.cancelled)
    const { refusal, retryAfterUs } = this.note(errorOf(rfq.held === null ? Action.cancelRequest : Action.cancelCashOut, answer))
    return rfq.held === null ? NOTHING : { told: [{ kind: 'cashOutRefused', arrival: rfq.arrival, action: Action.cancelCashOut, refusal, retryAfterUs }], acts: [] }
  }

  private accepted({ rfq, quote }: Extract<Tag, { kind: 'accept' }>, answer: Answer, isDone: boolean, nowUs: number): Heard {
    rfq.isAccepting = false
    if (!isDone) {
      const { code, refusal, retryAfterUs } = this.note(errorOf(rfq.held === null ? Action.commit : Action.takeBid, answer))
      if (refusal === Refusal.quoteGone) rfq.quotes.delete(quote.maker)
      // Its terms may have named rates that are no longer in force.
      return { ...this.refusedTaking(rfq, refusal, retryAfterUs, nowUs), acts: code === 'INVALID_SIGNATURE' && rfq.held === null ? [deploymentCall()] : [] }
    }
    const { status, maker_id, operation_id } = JSON.parse(answer.body) as AcceptanceBody
    if (status === 'CONFIRMED' && operation_id !== null) {
      rfq.isAccepting = true
      return { told: [], acts: [operationCall({ kind: 'operation', rfq, quote, operation: operation_id })] }
    }
    this.note({ code: status, refusal: Refusal.notConfirmed, retryAfterUs: NaN })
    rfq.excluded.add(maker_id)
    return this.refusedTaking(rfq, Refusal.notConfirmed, NaN, nowUs)
  }

  /** A commit or the taking of a bid was refused. At `nowUs` the best quote may be another one than before. */
  private refusedTaking(rfq: Rfq, refusal: Refusal, retryAfterUs: number, nowUs?: number): Heard {
    const { arrival, held } = rfq
    const told: BettorTold[] = [
      ...(nowUs !== undefined && held === null ? this.bestOf(rfq, nowUs) : []),
      held === null ? { kind: 'commitRefused', arrival, refusal, retryAfterUs } : { kind: 'cashOutRefused', arrival, action: Action.takeBid, refusal, retryAfterUs },
      ...(nowUs !== undefined && held !== null ? this.bestOf(rfq, nowUs) : []),
    ]
    return { told: rfq.isOver ? [...told, ...this.over(rfq, AuctionOutcome.expired).told] : told, acts: [] }
  }

  private operationRead(read: Extract<Tag, { kind: 'operation' }>, answer: Answer, isDone: boolean, nowUs: number): Heard {
    const { rfq, quote } = read
    const status = isDone ? (JSON.parse(answer.body) as { readonly status: 'PENDING' | 'DONE' | 'FAILED' }).status : 'PENDING'
    if (!isDone) this.note(errorOf(Action.commit, answer))
    if (status === 'PENDING') return { told: [], acts: [{ wakeUs: nowUs + OPERATION_EVERY_US, tag: read }] }
    if (status === 'FAILED') return this.over(rfq, AuctionOutcome.saleFailed)
    if (rfq.held !== null) return this.over(rfq, AuctionOutcome.sold, Number(quote.payout))
    return { told: [], acts: [positionsCall(rfq, '')] }
  }

  private openedIn({ rfq }: Extract<Tag, { kind: 'opened' }>, { items, next_cursor }: Page<PositionBody>, nowUs: number): Heard {
    const position = items.find(({ rfq_id }) => rfq_id === rfq.id)
    if (position === undefined) return { told: [], acts: [next_cursor === null ? { wakeUs: nowUs + OPERATION_EVERY_US, tag: { kind: 'opened', rfq, cursor: '' } satisfies Tag } : positionsCall(rfq, next_cursor)] }
    const { arrival } = rfq
    this.forget(rfq)
    const stakeMicros = Number(position.net_stake)
    this.held.set(arrival, { arrival, position: position.position_id, feeBps: position.fee_bps, auction: null })
    return {
      told: [{ kind: 'opened', arrival, costMicros: stakeMicros + Number(position.entry_fee), stakeMicros, payoutMicros: Number(position.payout) }],
      acts: this.held.size === 1 ? [this.positionsWake(nowUs)] : [],
    }
  }

  /** An RFQ ended: one that asked for a bet with nothing, one that sells a position with the outcome. */
  private over(rfq: Rfq, outcome: AuctionOutcome, receivedMicros = NaN): Heard {
    if (this.rfqOf.get(rfq.id) !== rfq) return NOTHING
    this.forget(rfq)
    const { arrival, held } = rfq
    if (held === null) return { told: [{ kind: 'requestEnded', arrival }], acts: [] }
    if (outcome === AuctionOutcome.sold) this.held.delete(arrival)
    return { told: [{ kind: 'auctionEnded', arrival, outcome, receivedMicros }], acts: [] }
  }

  private forget(rfq: Rfq): void {
    this.rfqOf.delete(rfq.id)
    if (rfq.held === null) this.entries.delete(rfq.arrival)
    else rfq.held.auction = null
  }

  private positionOver(held: Held): Heard {
    // What became of a sale that is under way is told by its operation.
    if (this.held.get(held.arrival) !== held || held.auction?.isAccepting === true) return NOTHING
    const told = held.auction === null ? [] : this.over(held.auction, AuctionOutcome.graded).told
    this.held.delete(held.arrival)
    return { told: [...told, { kind: 'positionEnded', arrival: held.arrival }], acts: [] }
  }

  /** Positions are read one after the other, to hear of their end. */
  private readNext(nowUs: number): Act[] {
    const open = [...this.held.values()]
    const held = open[this.reading++ % open.length]
    if (held === undefined) return []
    return [{ method: 'GET', path: `/v1/me/positions/${held.position}`, tag: { kind: 'position', held } satisfies Tag }, this.positionsWake(nowUs)]
  }

  /** The next position is read then, and not at a time that was asked for before. */
  private positionsWake(nowUs: number): Wake {
    const inUs = Math.max(SECOND_US, Math.floor(POSITION_EVERY_US / Math.max(1, this.held.size)))
    return { wakeUs: nowUs + inUs, tag: { kind: 'positions', epoch: ++this.epoch } satisfies Tag }
  }

  private note(error: OutcomeError): OutcomeError {
    this.refusals.set(error.code, (this.refusals.get(error.code) ?? 0) + 1)
    return error
  }

  leaving(nowUs: number): readonly Act[] {
    this.waiting.clear()
    return [...this.rfqOf.values()].filter(({ isAccepting }) => !isAccepting).map((rfq) => this.cancel(rfq, nowUs))
  }
}

const newRfq = (arrival: number, held: Held | null): Rfq =>
  ({ arrival, held, stake: 0, id: '', quotes: new Map(), best: null, excluded: new Set(), isAccepting: false, isOver: false })

function replaceQuote({ quotes }: Rfq, quote: Quote): void {
  // Set alone would leave it in the place of the maker's former quote.
  quotes.delete(quote.maker)
  quotes.set(quote.maker, quote)
}

const deploymentCall = (): Call => ({ method: 'GET', path: '/v1/deployment', tag: { kind: 'deployment' } satisfies Tag })
const operationCall = (tag: Extract<Tag, { kind: 'operation' }>): Call => ({ method: 'GET', path: `/v1/me/operations/${tag.operation}`, tag })
const positionsCall = (rfq: Rfq, cursor: string): Call =>
  ({ method: 'GET', path: `/v1/me/positions?limit=${PAGE}${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`, tag: { kind: 'opened', rfq, cursor } satisfies Tag })

/** Odds of an offer, four decimals, rounded down. */
const oddsE4Of = ({ payout, netStake }: Quote): number => Number((payout * ODDS_ONE) / netStake)

/** µs of an instant of the wire. */
const usOf = (instant: string): number => Date.parse(`${instant.slice(0, 19)}Z`) * 1000 + Number((/\.(\d{1,6})/.exec(instant)?.[1] ?? '').padEnd(6, '0'))
