import { createHash } from 'node:crypto'
import type { AuctionRow, RequestRow, SelectionRow } from '../../../src/agent/rows.ts'
import { Action, Refusal } from '../../../src/agent/vocabulary.ts'
import type { ExternalCall } from '../../../src/engine/externalCalls.ts'
import { Side } from '../../../src/market/sides.ts'
import { probabilityOfOddsE4 } from '../../../src/unit/odds.ts'
import { OutcomeOp } from '../../../src/venue/outcome/protocol/commands.ts'
import type { Deed, OutsideMaker, Told } from '../../engine/outsideMaker.ts'
import { type Signable, signTyped } from '../outcome/exchanges/bench.ts'
import type { Act, ClientTerms, Turn } from './lockstepClient.ts'
import { instantOf, Numbers } from './wireNumbers.ts'

interface Leg { readonly outcome_id: string; readonly side: 'YES' | 'NO' }
interface RfqData {
  readonly rfq_id: string; readonly generation: number; readonly kind: 'ENTRY' | 'CASHOUT'; readonly position_id: string | null; readonly stake?: string; readonly net_stake: string
  readonly payout?: string; readonly maker_id?: string; readonly taker_fee_bps?: number; readonly fee_bps: number; readonly open_until: string; readonly legs: readonly Leg[]
}
interface AcceptedData extends Pick<RfqData, 'rfq_id' | 'generation' | 'position_id' | 'legs'> {
  readonly quote_id: string; readonly acceptance_id: string; readonly payout: string; readonly risk: string; readonly stake: string | null; readonly net_stake: string | null; readonly confirm_until: string
}
type Frame = { readonly type: 'event'; readonly event: string; readonly data: never } | { readonly type: 'snapshot' | 'heartbeat' }
type Numbered<Row> = { readonly [K in keyof Row as Row[K] extends number | boolean ? K : never]: Row[K] }

/** What a client of a maker has before it begins: its credentials, and what everybody knows of the deployment. */
export interface WireSeat {
  readonly makerId: string
  readonly privateKey: string
  readonly domain: object
  readonly takerFeeBps: number
  readonly feeBps: number
}

/** A maker's strategy as a client of the outcome service: it knows paths, frames and signatures of the document, and numbers of its own. */
export class OutcomeWireMaker {
  /** Statuses of what it was answered, and events that it was told. */
  readonly answers: number[] = []
  readonly events: string[] = []
  private readonly maker: OutsideMaker
  private readonly seat: WireSeat
  private readonly marketOf: ReadonlyMap<string, number>
  private readonly rfqs = new Numbers()
  private readonly quotes = new Numbers()
  private readonly positions = new Numbers()
  private readonly content = new Map<number, RfqData>()
  private readonly accepted = new Map<number, AcceptedData>()
  /** What its calls are about, by turn and call. */
  private readonly sent = new Map<string, { readonly action: Action; readonly rfq: number }>()
  private keys = 0

  /** @param marketOf number of the market with an outcome_id */
  constructor(maker: OutsideMaker, seat: WireSeat, marketOf: ReadonlyMap<string, number>) {
    this.maker = maker
    this.seat = seat
    this.marketOf = marketOf
  }

  readonly act: ClientTerms['act'] = (turn, { frames, answer, tag }) => {
    const deeds: Deed[] = []
    if (answer !== undefined) {
      this.answers.push(answer.status)
      deeds.push(...this.answered(turn, answer.status, answer.body))
    }
    const told = turn.why === 'wake' ? [tag as Told] : frames.flatMap((frame) => this.toldOf(JSON.parse(frame) as Frame, turn.at_us))
    for (const one of told) deeds.push(...this.maker.hear(one))
    return deeds.map((deed, i) => this.actOf(deed, `${turn.n} ${i + 1}`))
  }

  private answered({ at_us, of }: Turn, status: number, text: string): readonly Deed[] {
    const { action, rfq } = this.sent.get(`${of!.turn} ${of!.call}`)!
    const isTaken = status < 300
    const { quote_id } = JSON.parse(text) as { readonly quote_id?: string }
    const isBid = action === Action.submitBid
    return this.maker.answered(at_us, action, isTaken ? Refusal.none : Refusal.invalid, isBid ? NaN : rfq, quote_id === undefined ? NaN : this.quotes.of(quote_id), isBid ? rfq : NaN)
  }

  private toldOf(frame: Frame, atUs: number): Told[] {
    if (frame.type !== 'event') return []
    this.events.push(frame.event)
    switch (frame.event) {
      case 'RFQ_CREATED': return [(frame.data as RfqData).kind === 'ENTRY' ? this.requested(frame.data, atUs) : this.auctioned(frame.data, atUs)]
      case 'QUOTE_ACCEPTED': return [this.selected(frame.data, atUs)]
      default: return []
    }
  }

  private requested(data: RfqData, atUs: number): Told {
    const request = this.rfqs.of(data.rfq_id)
    this.content.set(request, data)
    const numbers = {
      request, version: data.generation, deliveredAtUs: atUs, expiresAtUs: instantOf(data.open_until), betMicros: Number(data.stake), netStakeMicros: Number(data.net_stake), bestOddsE4: NaN, bookChanges: NaN, isShown: false,
    }
    return { kind: 'onRequest', atUs, numbers: numbers satisfies Numbered<RequestRow>, ...this.legs(data.legs), contentTag: -1 }
  }

  private auctioned(data: RfqData, atUs: number): Told {
    const auction = this.rfqs.of(data.rfq_id)
    this.content.set(auction, data)
    const isBackingMaker = data.maker_id === this.seat.makerId
    const payoutMicros = Number(data.payout)
    const numbers = {
      auction, version: data.generation, position: this.positions.of(data.position_id!), deliveredAtUs: atUs, endsAtUs: instantOf(data.open_until), netStakeMicros: Number(data.net_stake), payoutMicros,
      profitFeeBps: data.fee_bps, makerFeeBps: 0, costBasisMicros: Number(data.net_stake), isSeller: false, isBackingMaker, maxPriceMicros: payoutMicros, bestPriceMicros: NaN, isShown: false,
    }
    return { kind: 'onCashOut', atUs, numbers: numbers satisfies Numbered<AuctionRow>, ...this.legs(data.legs), contentTag: -1 }
  }

  private selected(data: AcceptedData, atUs: number): Told {
    const isBid = data.position_id !== null
    const quote = this.quotes.of(data.quote_id)
    this.accepted.set(quote, data)
    const payoutMicros = Number(data.payout)
    const netStakeMicros = Number(data.net_stake ?? this.content.get(this.rfqs.of(data.rfq_id))?.net_stake)
    const oddsE4 = isBid ? NaN : Math.floor((payoutMicros * 10_000) / netStakeMicros)
    const numbers = {
      request: this.rfqs.of(data.rfq_id), version: data.generation, quote, deliveredAtUs: atUs, deadlineAtUs: instantOf(data.confirm_until) + 1, oddsE4,
      quotedProbability: isBid ? NaN : probabilityOfOddsE4(oddsE4), netStakeMicros, riskMicros: isBid ? payoutMicros : Number(data.risk), payoutMicros, position: isBid ? this.positions.of(data.position_id!) : NaN, selection: 0, isShown: false,
    }
    return { kind: isBid ? 'onBidTaken' : 'onSelected', atUs, numbers: numbers satisfies Numbered<SelectionRow>, ...this.legs(data.legs), contentTag: -1 }
  }

  private legs(legs: readonly Leg[]): { readonly markets: readonly number[]; readonly sides: readonly Side[] } {
    return { markets: legs.map(({ outcome_id }) => this.marketOf.get(outcome_id)!), sides: legs.map(({ side }) => (side === 'YES' ? Side.yes : Side.no)) }
  }

  private actOf(deed: Deed, place: string): Act {
    if ('wakeUs' in deed) return { wakeUs: deed.wakeUs, tag: deed.told }
    const { op, fields } = deed.call
    switch (op) {
      case OutcomeOp.submitQuote: return this.quote(fields, place)
      case OutcomeOp.confirmQuote: case OutcomeOp.declineQuote: return this.decide(op, fields['quote']!, place)
      case OutcomeOp.cancelQuote:
        this.sent.set(place, { action: Action.withdrawQuote, rfq: fields['rfq']! })
        return { method: 'DELETE', path: `/v1/quotes/${this.quotes.name(fields['quote']!)}` }
      default: throw new Error(`the maker's call ${op} has no route`)
    }
  }

  private quote(fields: ExternalCall['fields'], place: string): Act {
    const { makerId } = this.seat
    const rfq = fields['rfq']!
    const data = this.content.get(rfq)!
    const isBid = data.kind === 'CASHOUT'
    this.sent.set(place, { action: isBid ? Action.submitBid : Action.submitQuote, rfq })
    const payout = String(fields['payoutMicros']!)
    const legs = data.legs.map(({ outcome_id, side }) => ({ outcomeId: outcome_id, side }))
    const common = { maker: makerId, rfqId: data.rfq_id, generation: data.generation, feeBps: data.fee_bps, expiry: fields['expiryS']!, legs }
    const signature = isBid ? this.sign('CashoutQuote', { ...common, positionId: data.position_id, price: payout })
      : this.sign('Quote', { ...common, netStake: data.net_stake, payout, takerFeeBps: data.taker_fee_bps })
    return {
      method: 'POST', path: `/v1/rfqs/${data.rfq_id}/quotes`, headers: { 'idempotency-key': this.key() },
      body: JSON.stringify({ payout, expiry: fields['expiryS'], generation: data.generation, signature }),
    }
  }

  private decide(op: number, quote: number, place: string): Act {
    const { makerId, takerFeeBps, feeBps } = this.seat
    const data = this.accepted.get(quote)!
    const isConfirmed = op === OutcomeOp.confirmQuote
    this.sent.set(place, { action: isConfirmed ? Action.confirm : Action.decline, rfq: this.rfqs.of(data.rfq_id) })
    const common = { maker: makerId, rfqId: data.rfq_id, quoteId: data.quote_id, acceptanceId: data.acceptance_id, feeBps }
    const signed = (): string => (data.position_id === null ? this.sign('Confirmation', { ...common, payout: data.payout, takerFeeBps })
      : this.sign('CashoutConfirmation', { ...common, price: data.payout, positionId: data.position_id }))
    return { method: 'POST', path: `/v1/quotes/${data.quote_id}/confirm`, body: JSON.stringify(isConfirmed ? { decision: 'CONFIRM', signature: signed() } : { decision: 'DECLINE' }) }
  }

  private sign(primaryType: Signable, message: Readonly<Record<string, unknown>>): string {
    return signTyped(this.seat.privateKey, this.seat.domain, primaryType, message)
  }

  /** A key that nobody else uses, and that is another one in each run. */
  private key(): string {
    const hex = createHash('sha256').update(`${this.seat.privateKey} ${++this.keys}`).digest('hex')
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-7${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
  }
}
