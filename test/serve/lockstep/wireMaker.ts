import { Side } from '../../../src/market/sides.ts'
import type { AuctionRow, RequestRow, SelectionRow } from '../../../src/agent/rows.ts'
import { probabilityOfOddsE4 } from '../../../src/unit/odds.ts'
import { ParlayOp } from '../../../src/venue/parlay/protocol/commands.ts'
import type { Deed, OutsideMaker, Told } from '../../engine/outsideMaker.ts'
import type { Act, ClientTerms } from './lockstepClient.ts'
import { instantOf, Numbers } from './wireNumbers.ts'

interface Leg { readonly market_ticker: string; readonly side: 'yes' | 'no' }
interface RequestBody { readonly id: string; readonly version: number; readonly request_hash: string; readonly bet_amount: number; readonly expires_at: string; readonly legs: readonly Leg[] }
interface BestBody { readonly quote_request_id: string; readonly book_seq: number; readonly payout_odds: number | null }
interface SelectionBody {
  readonly quote_request_id: string; readonly request_version: number; readonly quote_id: string; readonly payout_odds: number; readonly confirmation_deadline: string
  readonly user_stake: number; readonly total_payout: number; readonly mm_risk: number; readonly legs: readonly Leg[]
}
interface CashOutBody { readonly cashout_request_id: string; readonly user_stake: number; readonly total_payout: number; readonly expires_at: string }

/** The numbers of a row that strategies are shown. */
type Numbered<Row> = { readonly [K in keyof Row as Row[K] extends number ? K : never]: number }

/**
 * A maker's strategy as a client of the parlay service: it knows the paths and bodies of the document, and numbers of its own. What the wire
 * does not tell, such as positions that are opened and settled, it does not know.
 */
export class WireMaker {
  private readonly maker: OutsideMaker
  private readonly marketOf: ReadonlyMap<string, number>
  private readonly requests = new Numbers()
  private readonly quotes = new Numbers()
  private readonly auctions = new Numbers()
  /** By request, the hash and the content of its last version. */
  private readonly contents = new Map<number, RequestBody>()
  private readonly statuses: number[] = []

  /** @param marketOf number of the market with a ticker */
  constructor(maker: OutsideMaker, marketOf: ReadonlyMap<string, number>) {
    this.maker = maker
    this.marketOf = marketOf
  }

  /** Statuses of what it was answered. */
  get answers(): readonly number[] {
    return this.statuses
  }

  readonly act: ClientTerms['act'] = ({ at_us, why }, { frames, answer, tag }) => {
    if (answer !== undefined) this.statuses.push(answer.status)
    const told = why === 'wake' ? [tag as Told] : frames.flatMap((frame) => this.toldOf(frame, at_us))
    return told.flatMap((one) => this.maker.hear(one)).map((deed) => this.actOf(deed))
  }

  private toldOf(frame: string, atUs: number): Told[] {
    const event = /^id: \d+\nevent: (\w+)\ndata: (.*)$/.exec(frame)
    if (event !== null) return this.ofEvent(event[1]!, JSON.parse(event[2]!), atUs)
    const { type, data } = JSON.parse(frame) as { readonly type: string; readonly data: SelectionBody }
    return type === 'mm_quote:accepted' ? [this.selected(data, atUs)] : []
  }

  private ofEvent(name: string, data: unknown, atUs: number): Told[] {
    switch (name) {
      case 'quote_request': return [this.requested(data as RequestBody, atUs)]
      case 'best_quote': return this.best(data as BestBody, atUs)
      default: return [this.offered(data as CashOutBody, atUs)]
    }
  }

  private requested(body: RequestBody, atUs: number): Told {
    const request = this.requests.of(body.id)
    this.contents.set(request, body)
    const betMicros = microsOf(body.bet_amount)
    const numbers = { request, version: body.version, deliveredAtUs: atUs, expiresAtUs: instantOf(body.expires_at), betMicros, netStakeMicros: betMicros, bestOddsE4: NaN, bookChanges: NaN }
    return { kind: 'onRequest', atUs, numbers: numbers satisfies Numbered<RequestRow>, ...this.legs(body.legs), contentTag: -1 }
  }

  private best({ quote_request_id, book_seq, payout_odds }: BestBody, atUs: number): Told[] {
    const request = this.requests.of(quote_request_id)
    const content = this.contents.get(request)
    if (content === undefined) return []
    const { numbers, ...told } = this.requested(content, atUs)
    return [{ ...told, kind: 'onBest', numbers: { ...numbers, bookChanges: book_seq, bestOddsE4: payout_odds === null ? NaN : oddsE4Of(payout_odds) } }]
  }

  private selected(body: SelectionBody, atUs: number): Told {
    const oddsE4 = oddsE4Of(body.payout_odds)
    const numbers = {
      request: this.requests.of(body.quote_request_id), version: body.request_version, quote: this.quotes.of(body.quote_id), deliveredAtUs: atUs, deadlineAtUs: instantOf(body.confirmation_deadline),
      oddsE4, quotedProbability: probabilityOfOddsE4(oddsE4), netStakeMicros: microsOf(body.user_stake), riskMicros: microsOf(body.mm_risk), payoutMicros: microsOf(body.total_payout), position: NaN, selection: -1,
    }
    return { kind: 'onSelected', atUs, numbers: numbers satisfies Numbered<SelectionRow>, ...this.legs(body.legs), contentTag: -1 }
  }

  private offered({ cashout_request_id, user_stake, total_payout, expires_at }: CashOutBody, atUs: number): Told {
    const numbers = { auction: this.auctions.of(cashout_request_id), deliveredAtUs: atUs, endsAtUs: instantOf(expires_at), netStakeMicros: microsOf(user_stake), payoutMicros: microsOf(total_payout) }
    return { kind: 'onCashOut', atUs, numbers: numbers satisfies Partial<Numbered<AuctionRow>>, markets: [], sides: [], contentTag: -1 }
  }

  private legs(legs: readonly Leg[]): { readonly markets: readonly number[]; readonly sides: readonly Side[] } {
    return { markets: legs.map(({ market_ticker }) => this.marketOf.get(market_ticker)!), sides: legs.map(({ side }) => (side === 'yes' ? Side.yes : Side.no)) }
  }

  private actOf(deed: Deed): Act {
    if ('wakeUs' in deed) return { wakeUs: deed.wakeUs, tag: deed.told }
    const { op, fields } = deed.call
    const id = this.requests.name(fields['request']!)
    switch (op) {
      case ParlayOp.submitQuote: {
        const body = { request_version: fields['version'], request_hash: this.contents.get(fields['request']!)!.request_hash, payout_odds: fields['oddsE4']! / 10_000, expires_in_ms: fields['validMs'] }
        return { method: 'PUT', path: `/v1/mm/quote-requests/${id}/quote`, body: JSON.stringify(body) }
      }
      case ParlayOp.withdrawQuote: return { method: 'DELETE', path: `/v1/mm/quote-requests/${id}/quote` }
      case ParlayOp.confirmSelection:
      case ParlayOp.declineSelection: {
        const verb = op === ParlayOp.confirmSelection ? 'confirm' : 'decline'
        return { method: 'POST', path: `/v1/mm/quote-requests/${id}/quote/${verb}`, body: JSON.stringify({ quote_id: this.quotes.name(fields['quote']!) }) }
      }
      default: throw new Error(`the maker's call ${op} has no route`)
    }
  }
}

const microsOf = (usdc: number): number => Math.round(usdc * 1e6)
const oddsE4Of = (odds: number): number => Math.round(odds * 1e4)
