import { Action, isKnown, Refusal } from '../../agent/vocabulary.ts'
import type { DeskNote, DeskSeat } from '../deskFeed.ts'
import { legsOf } from '../knownMarkets.ts'
import type { Act, Answer, Call, ChannelTerms, Frame } from '../link.ts'
import type { MakerAck, MakerTold, MakerWish, MakerWords } from '../maker/makerWords.ts'
import { keepLatest } from '../latest.ts'
import { Names } from '../names.ts'
import { auctionNumbers, type OutcomeNumbers, positionNumbers, requestNumbers, selectionNumbers } from './deskNumbers.ts'
import { errorOf, readObject } from './errors.ts'
import { idempotencyKey } from './idempotencyKey.ts'
import { type AcceptedData, type LiveQuote, MadeQuote, MakerFrame, type RfqData, SUBPROTOCOL, SUBSCRIBE } from './makerFrames.ts'
import { OwnQuotes } from './ownQuotes.ts'
import { NO_QUOTE, OutcomeSales, type SaleTag, type Seller } from './sales.ts'
import { type SignedType, signedTerms } from './typedTerms.ts'

const STREAM = '/v1/stream'
const MS_US = 1000
const SECOND_US = 1_000_000
/** Limits of the document. */
const PAYOUT_MAX_MICROS = 100_000_000_000
const ENTRY_EXPIRY_MAX_US = 30 * SECOND_US
const CASHOUT_EXPIRY_MIN_US = 25 * SECOND_US
const CASHOUT_EXPIRY_MAX_US = 60 * SECOND_US
/** How long a call may take over a network, at twenty times the wall's speed too. */
const NETWORK_US = 5 * SECOND_US
/** What an RFQ was is known for so long after its end: its quotes have expired by then. */
const KEPT_US = 300 * SECOND_US
/** Quotes of which rates and acceptances are known: none waits for its confirmation for longer than so many others come. */
const QUOTES_KEPT = 20_000
/** The seat of a maker's client. */
export type OutcomeMakerSeat = Seller

interface Tag {
  readonly action: Action
  readonly rfq: number
  /** NaN before the service has given it a name. */
  readonly quote: number
  readonly expiresUs: number
}

type Rates = Pick<LiveQuote, 'taker_fee_bps' | 'fee_bps'>

/**
 * The outcome-market RFQ service as a maker's client has it: `/v1/stream`, quotes and last looks with EIP-712 signatures, withdrawals. What has reached
 * the maker, and in which order, its desk says. Frames add what terms bind to besides: the rates, and the acceptance.
 */
export class OutcomeMaker implements MakerWords {
  readonly service = 'outcome'
  readonly channels: readonly ChannelTerms[] = [{ kind: 'socket', path: STREAM, subprotocol: SUBPROTOCOL, firstFrame: SUBSCRIBE }]
  private readonly seat: OutcomeMakerSeat
  private readonly numbers: OutcomeNumbers = { rfqs: new Names(), quotes: new Names(), positions: new Names() }
  private readonly acceptances = new Names()
  /** By number, in the order of their frames. */
  private readonly rfqs = new Map<number, { readonly data: RfqData; readonly untilUs: number }>()
  private readonly accepted = new Map<number, AcceptedData>()
  /** Rates of the maker's own quotes, by number. */
  private readonly rates = new Map<number, Rates>()
  /** Bids are quotes on the RFQs of cash-outs. */
  private readonly own = new OwnQuotes()
  private readonly sales: OutcomeSales
  /** Notes whose frames have not come yet. */
  private waiting: DeskNote[] = []
  private nowUs = 0
  /** The longest way of what the maker sends: a bid is still good for long enough when it arrives. */
  private wayUs = NETWORK_US

  constructor(seat: OutcomeMakerSeat) {
    this.seat = seat
    this.sales = new OutcomeSales(seat, this.numbers.rfqs)
  }

  seated({ way_us }: DeskSeat): void {
    this.wayUs = way_us ?? NETWORK_US
  }

  cameBack(): void {
    this.own.cameBack()
  }

  told(frames: readonly Frame[], notes: readonly DeskNote[], atUs: number): readonly MakerTold[] {
    this.nowUs = atUs
    for (const { text } of frames) this.takeFrame(text)
    const told: MakerTold[] = []
    const waiting: DeskNote[] = []
    for (const note of [...this.waiting, ...notes]) {
      if (this.lacksFrame(note)) waiting.push(note)
      else told.push(...this.toldOf(note))
    }
    this.waiting = waiting.filter((note) => Math.max(Number(note['expires_at_us'] ?? 0), Number(note['ends_at_us'] ?? 0), Number(note['deadline_at_us'] ?? 0)) > atUs)
    this.forgetOld(atUs)
    return told
  }

  private takeFrame(text: string): void {
    const frame = MakerFrame.parse(JSON.parse(text))
    if ('quotes' in frame) for (const quote of frame.quotes) this.rated(quote)
    if (!('data' in frame)) return
    const { data } = frame
    if ('quote_id' in data) keepLatest(this.accepted, this.numbers.quotes.of(data.quote_id), data, QUOTES_KEPT)
    else this.rfqs.set(this.numbers.rfqs.of(data.rfq_id), { data, untilUs: Date.parse(data.open_until) * MS_US })
  }

  /** Keeps the rates of a quote, and returns its number. */
  private rated(quote: LiveQuote): number {
    const number = this.numbers.quotes.of(quote.quote_id)
    keepLatest(this.rates, number, quote, QUOTES_KEPT)
    return number
  }

  private lacksFrame({ what, request, auction, quote }: DeskNote): boolean {
    const { rfqs, quotes } = this.numbers
    switch (what) {
      case 'onRequest': return !this.rfqs.has(rfqs.of(request as string))
      case 'onCashOut': return !this.rfqs.has(rfqs.of(auction as string))
      case 'onSelected': case 'onBidTaken': return !this.accepted.has(quotes.of(quote as string))
      default: return false
    }
  }

  private toldOf(note: DeskNote): MakerTold[] {
    const { numbers } = this
    const told = (values: MakerTold['numbers']): MakerTold[] => [{ kind: note.what as MakerTold['kind'], atUs: note.at_us, numbers: values, ...legsOf(note) }]
    switch (note.what) {
      case 'onRequest': return told(requestNumbers(note, numbers))
      case 'onSelected': case 'onBidTaken': return told(selectionNumbers(note, numbers, this.acceptances.of(this.accepted.get(numbers.quotes.of(note['quote'] as string))!.acceptance_id)))
      case 'onCashOut': case 'onBestBid': return told(auctionNumbers(note, numbers, this.rfqs.get(numbers.rfqs.of(note['auction'] as string))?.data.generation ?? NaN))
      case 'onOpened': case 'onSettled': case 'onBought': case 'onBid': case 'onAuctionEnded': {
        const values = positionNumbers(note, numbers)
        const sale = this.sales.take(values['position'] as number, note)
        return told(values).map((one) => ({ ...one, ...(sale === undefined ? {} : { sale }) }))
      }
      default: return []
    }
  }

  private forgetOld(atUs: number): void {
    for (const [rfq, { untilUs }] of this.rfqs) {
      if (untilUs + KEPT_US > atUs) return
      this.rfqs.delete(rfq)
      this.own.forget(rfq)
    }
  }

  callOf(wish: MakerWish, nowUs: number): readonly Act[] {
    this.nowUs = nowUs
    switch (wish.kind) {
      case 'quote': return this.quote(wish, nowUs)
      case 'bid': return this.bid(wish, nowUs)
      case 'decide': return this.decide(wish)
      case 'withdraw': return this.own.withdraw(wish.request).map((id) => withdrawal(wish.request, id, this.numbers.quotes))
      case 'openCashOut': case 'takeBid': case 'cancelCashOut': return this.sales.callOf(wish, nowUs)
    }
  }

  /** A quote at a probability pays the net stake by it, rounded down, and is good until a whole second. */
  private quote({ request, version, probability, validUs }: Extract<MakerWish, { kind: 'quote' }>, nowUs: number): readonly Act[] {
    const data = this.rfqs.get(request)?.data
    if (data?.kind !== 'ENTRY') return []
    const netStakeMicros = Number(data.net_stake)
    const payoutMicros = Math.max(netStakeMicros + 1, Math.min(PAYOUT_MAX_MICROS, Math.floor(netStakeMicros / probability)))
    const expiryS = Math.floor((nowUs + Math.min(Math.floor(validUs / MS_US) * MS_US, ENTRY_EXPIRY_MAX_US)) / SECOND_US)
    const terms = { ...this.quoteTerms(data, version, expiryS), netStake: data.net_stake, payout: String(payoutMicros), takerFeeBps: data.taker_fee_bps }
    this.own.sent(request)
    return [this.offer({ action: Action.submitQuote, rfq: request, version, payoutMicros, expiryS }, 'Quote', terms)]
  }

  /** A bid leaves the list of quotes long before its expiry, so that it is good for as long as the service asks when it arrives. */
  private bid({ auction, version, priceMicros, validUs }: Extract<MakerWish, { kind: 'bid' }>, nowUs: number): readonly Act[] {
    const data = this.rfqs.get(auction)?.data
    if (data?.kind !== 'CASHOUT') return []
    const nearestS = Math.ceil((nowUs + this.wayUs + CASHOUT_EXPIRY_MIN_US) / SECOND_US)
    const furthestS = Math.floor((nowUs + CASHOUT_EXPIRY_MAX_US) / SECOND_US)
    const expiryS = Math.min(furthestS, Math.max(nearestS, Math.floor((nowUs + Math.floor(validUs / MS_US) * MS_US) / SECOND_US)))
    const terms = { ...this.quoteTerms(data, version, expiryS), positionId: data.position_id, price: String(priceMicros) }
    this.own.sent(auction)
    return [this.offer({ action: Action.submitBid, rfq: auction, version, payoutMicros: priceMicros, expiryS }, 'CashoutQuote', terms)]
  }

  private quoteTerms({ rfq_id, fee_bps, legs }: RfqData, generation: number, expiry: number): Readonly<Record<string, unknown>> {
    return { maker: this.seat.makerId, rfqId: rfq_id, generation, feeBps: fee_bps, expiry, legs: legs.map(({ outcome_id, side }) => ({ outcomeId: outcome_id, side })) }
  }

  private offer(
    { action, rfq, version, payoutMicros, expiryS }: { readonly action: Action; readonly rfq: number; readonly version: number; readonly payoutMicros: number; readonly expiryS: number },
    type: SignedType, terms: Readonly<Record<string, unknown>>,
  ): Call {
    const tag: Tag = { action, rfq, quote: NaN, expiresUs: expiryS * SECOND_US }
    return {
      method: 'POST', path: `/v1/rfqs/${this.numbers.rfqs.name(rfq)}/quotes`, headers: { 'idempotency-key': idempotencyKey(this.nowUs) }, tag,
      body: JSON.stringify({ payout: String(payoutMicros), expiry: expiryS, generation: version, signature: signedTerms(this.seat, type, terms) }),
    }
  }

  private decide({ request, quote, position, confirm }: Extract<MakerWish, { kind: 'decide' }>): readonly Act[] {
    const body = confirm ? this.confirmation(request, quote, isKnown(position)) : { decision: 'DECLINE' }
    if (body === null) return []
    const tag: Tag = { action: confirm ? Action.confirm : Action.decline, rfq: request, quote, expiresUs: NaN }
    return [{ method: 'POST', path: `/v1/quotes/${this.numbers.quotes.name(quote)}/confirm`, body: JSON.stringify(body), tag }]
  }

  /** Null where the rates of the quote are not known: it is of a time before this client. */
  private confirmation(rfq: number, quote: number, isBid: boolean): object | null {
    const accepted = this.accepted.get(quote)
    const data = this.rfqs.get(rfq)?.data
    const rates: Rates | undefined = data === undefined ? this.rates.get(quote) : { fee_bps: data.fee_bps, taker_fee_bps: data.kind === 'ENTRY' ? data.taker_fee_bps : null }
    if (accepted === undefined || rates === undefined) return null
    const { rfq_id, quote_id, acceptance_id, position_id, payout } = accepted
    const common = { maker: this.seat.makerId, rfqId: rfq_id, quoteId: quote_id, acceptanceId: acceptance_id, feeBps: rates.fee_bps }
    const signature = isBid ? signedTerms(this.seat, 'CashoutConfirmation', { ...common, price: payout, positionId: position_id })
      : signedTerms(this.seat, 'Confirmation', { ...common, payout, takerFeeBps: rates.taker_fee_bps })
    return { decision: 'CONFIRM', signature }
  }

  answered(tag: unknown, answer: Answer, nowUs: number): { readonly ack: MakerAck | null; readonly acts: readonly Act[] } {
    this.nowUs = nowUs
    const called = tag as Tag | SaleTag
    if ('position' in called) return { ack: this.sales.answered(called, answer), acts: [] }
    const { action, rfq, quote: named, expiresUs } = called
    const isTaken = answer.status < 300
    const made = isTaken && (action === Action.submitQuote || action === Action.submitBid) ? MadeQuote.parse(readObject(answer.body)) : null
    const quote = made === null ? named : this.rated(made)
    const isBid = action === Action.submitBid
    const acts = isBid || action === Action.submitQuote ? this.own.answered(rfq, made && { id: made.quote_id, expiresUs }).map((id) => withdrawal(rfq, id, this.numbers.quotes)) : []
    const about = { action, request: isBid ? NaN : rfq, quote, auction: isBid ? rfq : NaN }
    if (isTaken) return { ack: { ...about, refusal: Refusal.none, retryAfterUs: NaN }, acts }
    return { ack: { ...about, ...errorOf(action, answer) }, acts }
  }

  leaving(): readonly Act[] {
    return [
      ...this.own.live(this.nowUs).map((id) => withdrawal(NaN, id, this.numbers.quotes)),
      ...this.sales.running().flatMap((position) => this.sales.callOf({ kind: 'cancelCashOut', position }, this.nowUs)),
    ]
  }
}

/** The service answers a withdrawal that names nothing too: there is no such quote. */
function withdrawal(rfq: number, id: string | null, quotes: Names): Call {
  const tag: Tag = { action: Action.withdrawQuote, rfq, quote: id === null ? NaN : quotes.of(id), expiresUs: NaN }
  return { method: 'DELETE', path: `/v1/quotes/${id ?? NO_QUOTE}`, tag }
}
