import { Action, isKnown, Refusal } from '../../agent/vocabulary.ts'
import { probabilityOfOddsE4 } from '../../unit/odds.ts'
import { MS_US } from '../../unit/time.ts'
import type { DeskNote } from '../deskFeed.ts'
import { eventOf } from '../eventText.ts'
import { legsOf } from '../knownMarkets.ts'
import type { Act, Answer, Call, ChannelTerms, Frame } from '../link.ts'
import type { MakerAck, MakerTold, MakerWish, MakerWords, SaleWish } from '../maker/makerWords.ts'
import { keepLatest } from '../latest.ts'
import { Names } from '../names.ts'
import type { AuctionBody } from './bodies.ts'
import { objectOf, refusalOf } from './refusals.ts'
import { SaleCalls } from './saleCalls.ts'

const STREAM = '/v1/mm/stream'
const SOCKET = '/v1/ws'
const MICROS = 1_000_000
const ODDS_ONE_E4 = 10_000
/** Versions of requests whose hashes are kept: none is open for longer than so many others come. */
const HASHES_KEPT = 20_000

/** Longest way of a quote to the service that leaving thinks of, µs. */
const ON_ITS_WAY_US = 10_000_000

/** What a call is about. */
interface Tag {
  readonly action: Action
  /** NaN where it is about an auction. */
  readonly request: number
  readonly auction: number
  /** Of what it sells; otherwise absent. */
  readonly position?: number
  /** Number of a call that opens an auction; otherwise absent. */
  readonly opening?: number
}

interface QuoteRequest {
  readonly id: string
  readonly version: number
  readonly request_hash: string
}

/** A maker's client of the parlay quote service: paths, bodies and frames of its document. */
export class ParlayMakerWords implements MakerWords {
  readonly service = 'parlay'
  readonly channels: readonly ChannelTerms[]
  private readonly requests = new Names()
  private readonly quotes = new Names()
  private readonly auctions = new Names()
  private readonly positions = new Names()
  private readonly sales = new SaleCalls(this.auctions)
  /** Hash of a request's version, by `id version`. */
  private readonly hashes = new Map<string, string>()
  /** Requests whose frames have not come yet, and what was told about them since. */
  private waiting: readonly DeskNote[] = []
  /** By request, until when a quote of its own may stand, µs. */
  private readonly quoted = new Map<number, number>()
  /** By request, the number of the last quote that the service took. A withdrawal's answer does not name it. */
  private readonly taken = new Map<number, number>()
  /** By request, how many quotes are not answered yet. */
  private readonly underWay = new Map<number, number>()

  constructor(apiKey: string) {
    this.channels = [{ kind: 'events', path: STREAM }, { kind: 'socket', path: SOCKET, firstFrame: JSON.stringify({ type: 'auth', api_key: apiKey }) }]
  }

  cameBack(): void {
    this.underWay.clear()
  }

  told(frames: readonly Frame[], notes: readonly DeskNote[], atUs: number): readonly MakerTold[] {
    for (const { path, text: event } of frames) if (path === STREAM) this.streamed(event)
    const told: MakerTold[] = []
    const waiting: DeskNote[] = []
    const lacking = new Set<string>()
    for (const note of [...this.waiting, ...notes]) {
      if (isLate(note, atUs)) continue
      // A request is quoted by its hash, which its frame alone has.
      if (note.what === 'onRequest' && !this.hashes.has(versionOf(note))) lacking.add(text(note, 'request'))
      if (REQUEST_NOTES.has(note.what) && lacking.has(text(note, 'request'))) waiting.push(note)
      else told.push(...this.toldOf(note))
    }
    this.waiting = waiting
    return told
  }

  private streamed(event: string): void {
    const told = eventOf(event)
    if (told?.event !== 'quote_request') return
    const { id, version, request_hash } = told.data as QuoteRequest
    keepLatest(this.hashes, `${id} ${version}`, request_hash, HASHES_KEPT)
  }

  private toldOf(note: DeskNote): MakerTold[] {
    const { what: kind, at_us: atUs } = note
    const legs = legsOf(note)
    switch (kind) {
      case 'onRequest': case 'onBest': return [{ kind, atUs, numbers: this.requestNumbers(note), ...legs }]
      case 'onSelected': return [{ kind, atUs, numbers: this.selectionNumbers(note), ...legs }]
      case 'onCashOut': case 'onBestBid': return [{ kind, atUs, numbers: this.auctionNumbers(note), ...legs }]
      case 'onOpened': case 'onSettled': case 'onBought': case 'onBid': case 'onAuctionEnded': {
        const sale = this.sales.take(this.positions.of(text(note, 'position')), note)
        return [{ kind, atUs, numbers: this.positionNumbers(note), ...legs, ...(sale === undefined ? {} : { sale }) }]
      }
      default: return []
    }
  }

  private requestNumbers(note: DeskNote): MakerTold['numbers'] {
    return {
      request: this.requests.of(text(note, 'request')), version: number(note, 'version'), expiresAtUs: number(note, 'expires_at_us'), betMicros: micros(note, 'bet'),
      netStakeMicros: micros(note, 'net_stake'), bestOddsE4: oddsE4(note, 'best_odds'), bookChanges: number(note, 'book_changes'),
    }
  }

  private selectionNumbers(note: DeskNote): MakerTold['numbers'] {
    const odds = oddsE4(note, 'odds')
    return {
      request: this.requests.of(text(note, 'request')), version: number(note, 'version'), quote: this.quotes.of(text(note, 'quote')), deadlineAtUs: number(note, 'deadline_at_us'), oddsE4: odds,
      quotedProbability: probabilityOfOddsE4(odds), netStakeMicros: micros(note, 'net_stake'), riskMicros: micros(note, 'risk'), payoutMicros: micros(note, 'payout'), position: NaN, selection: -1,
    }
  }

  private auctionNumbers(note: DeskNote): MakerTold['numbers'] {
    return {
      auction: this.auctions.of(text(note, 'auction')), version: -1, position: this.positions.of(text(note, 'position')), endsAtUs: number(note, 'ends_at_us'), netStakeMicros: micros(note, 'net_stake'),
      payoutMicros: micros(note, 'payout'), profitFeeBps: number(note, 'profit_fee_bps'), makerFeeBps: number(note, 'maker_fee_bps'), costBasisMicros: micros(note, 'cost_basis'),
      isSeller: note['is_seller'] === true, isBackingMaker: note['is_backing_maker'] === true, maxPriceMicros: micros(note, 'max_price'), bestPriceMicros: micros(note, 'best_price'),
    }
  }

  private positionNumbers(note: DeskNote): MakerTold['numbers'] {
    return {
      position: this.positions.of(text(note, 'position')), request: this.requests.of(text(note, 'request')), quote: note['quote'] === null ? NaN : this.quotes.of(text(note, 'quote')),
      oddsE4: oddsE4(note, 'odds'), netStakeMicros: micros(note, 'net_stake'), riskMicros: micros(note, 'risk'), isHolder: note['is_holder'] === true, costMicros: micros(note, 'cost'),
      profitMicros: micros(note, 'profit'), isBoughtBack: note['is_bought_back'] === true, payoutMicros: micros(note, 'payout'), profitFeeBps: number(note, 'profit_fee_bps'),
      costBasisMicros: micros(note, 'cost_basis'),
    }
  }

  callOf(wish: MakerWish, nowUs: number): readonly Act[] {
    switch (wish.kind) {
      case 'quote': {
        const { request, version, oddsE4: odds, validUs } = wish
        const request_hash = this.hashes.get(`${this.requests.name(request)} ${version}`)
        if (request_hash === undefined) return []
        this.stands(request, nowUs, validUs)
        this.underWay.set(request, (this.underWay.get(request) ?? 0) + 1)
        return [this.aboutRequest('PUT', request, Action.submitQuote, '', { request_version: version, request_hash, payout_odds: odds / ODDS_ONE_E4, expires_in_ms: Math.floor(validUs / MS_US) })]
      }
      case 'withdraw':
        this.quoted.delete(wish.request)
        return [this.aboutRequest('DELETE', wish.request, Action.withdrawQuote)]
      case 'decide': return [this.aboutRequest('POST', wish.request, wish.confirm ? Action.confirm : Action.decline, wish.confirm ? '/confirm' : '/decline', { quote_id: this.quotes.name(wish.quote) })]
      case 'bid': {
        const { auction, priceMicros, validUs } = wish
        const tag: Tag = { action: Action.submitBid, request: NaN, auction }
        return [{ method: 'PUT', path: `/v1/mm/cashout-requests/${this.auctions.name(auction)}/quote`, body: JSON.stringify({ price_micro: priceMicros, expires_in_ms: Math.floor(validUs / MS_US) }), tag }]
      }
      case 'openCashOut': case 'takeBid': case 'cancelCashOut': return this.saleCalls(wish)
    }
  }

  private saleCalls(wish: SaleWish): readonly Call[] {
    const { kind, position } = wish
    const call = this.sales.callOf(wish)
    if (call === null) return []
    const tag: Tag = { action: Action[kind], request: NaN, auction: this.sales.auctionOf(position), position }
    return [{ ...call, tag: kind === 'openCashOut' ? { ...tag, opening: this.sales.opens(position) } : tag }]
  }

  /** An auction that the call opened is told by its number. */
  private saleAnswered({ action, auction, position, opening }: Tag, answer: Answer): MakerAck | null {
    if (opening !== undefined && !this.sales.awaits(position!, opening)) return null
    const refused = refusalOf(action, answer)
    const about = { action, request: NaN, quote: NaN, position: position! }
    if (refused !== null) return { ...about, auction, refusal: refused.refusal, retryAfterUs: refused.retryAfterUs, code: refused.code }
    const opened = action === Action.openCashOut ? (JSON.parse(answer.body) as AuctionBody).data.cashout_request.id : null
    if (opened !== null) this.sales.opened(position!, opened)
    return { ...about, auction: opened === null ? auction : this.auctions.of(opened), refusal: Refusal.none, retryAfterUs: NaN }
  }

  answered(tag: unknown, answer: Answer): ReturnType<MakerWords['answered']> {
    const { action, request, auction, position } = tag as Tag
    if (position !== undefined) return { ack: this.saleAnswered(tag as Tag, answer), acts: [] }
    if (action === Action.submitQuote) this.arrived(request)
    const refused = refusalOf(action, answer)
    const { data } = objectOf<{ readonly data: { readonly id?: string; readonly status?: string } }>(answer.body)
    const refusal = data?.status === 'already_expired' ? Refusal.quoteGone : refused?.refusal ?? Refusal.none
    const named = refused === null && data?.id !== undefined ? this.quotes.of(data.id) : NaN
    if (action === Action.submitQuote && isKnown(named)) keepLatest(this.taken, request, named, HASHES_KEPT)
    const quote = action === Action.withdrawQuote && refusal === Refusal.none ? this.taken.get(request) ?? NaN : named
    return { ack: { action, request, auction, refusal, quote, retryAfterUs: refused?.retryAfterUs ?? NaN, ...(refused === null ? {} : { code: refused.code }) }, acts: [] }
  }

  leaving(): readonly Act[] {
    // A withdrawal that overtakes its quote would withdraw nothing.
    return [
      ...[...this.quoted.keys()].filter((request) => !this.underWay.has(request)).map((request) => this.aboutRequest('DELETE', request, Action.withdrawQuote)),
      ...this.sales.running().flatMap((position) => this.saleCalls({ kind: 'cancelCashOut', position })),
    ]
  }

  private arrived(request: number): void {
    const left = this.underWay.get(request)! - 1
    if (left > 0) this.underWay.set(request, left)
    else this.underWay.delete(request)
  }

  /** Keeps a quote in mind that ends in `validUs` by itself, and forgets those that have ended. */
  private stands(request: number, nowUs: number, validUs: number): void {
    this.quoted.delete(request)
    this.quoted.set(request, nowUs + validUs + ON_ITS_WAY_US)
    for (const [older, endUs] of this.quoted) {
      if (endUs > nowUs) break
      this.quoted.delete(older)
    }
  }

  private aboutRequest(method: Call['method'], request: number, action: Action, verb = '', body?: object): Call {
    const tag: Tag = { action, request, auction: NaN }
    return { method, path: `/v1/mm/quote-requests/${this.requests.name(request)}/quote${verb}`, ...(body === undefined ? {} : { body: JSON.stringify(body) }), tag }
  }
}

/** Microdollars of an amount on the wire. */
export const microsOfUsdc = (usdc: number | string): number => Math.round(Number(usdc) * MICROS)

/** What a note waits for the frame of its request with. */
const REQUEST_NOTES = new Set(['onRequest', 'onBest', 'onSelected'])

/** Nothing can be done any more: the note is of an earlier instant, and what it asks for has ended since. */
function isLate(note: DeskNote, atUs: number): boolean {
  const field = UNTIL[note.what]
  return field !== undefined && note.at_us < atUs && number(note, field) <= atUs
}

/** Until when a maker can do something about a note. The others tell what has come about. */
const UNTIL: Readonly<Record<string, string>> = { onRequest: 'expires_at_us', onBest: 'expires_at_us', onSelected: 'deadline_at_us', onCashOut: 'ends_at_us', onBestBid: 'ends_at_us' }

const versionOf = (note: DeskNote): string => `${text(note, 'request')} ${number(note, 'version')}`
const text = (note: DeskNote, field: string): string => note[field] as string
/** NaN for what is not known. */
const number = (note: DeskNote, field: string): number => (note[field] as number | null) ?? NaN
const micros = (note: DeskNote, field: string): number => microsOfUsdc(number(note, field))
const oddsE4 = (note: DeskNote, field: string): number => Math.round(number(note, field) * ODDS_ONE_E4)
