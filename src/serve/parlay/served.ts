import type { Catalogue } from '../../market/market.ts'
import { figuresOf, type ListMoment, MarketList } from '../../market/marketList.ts'
import { PriceBoard } from '../../market/priceBoard.ts'
import type { TickHistory } from '../../market/tickSource.ts'
import type { ParlayGateView } from '../../venue/parlay/protocol/gate.ts'
import type { ParlayView } from '../../venue/parlay/protocol/view.ts'
import type { WireIdentity } from '../../venue/parlay/wire/identity.ts'
import type { NameOf } from '../../venue/parlay/wire/legBody.ts'
import type { InputLegs } from './inputLegs.ts'
import type { MarketRecords } from './records/markets.ts'
import type { ParlayReads } from './records/reads.ts'
import type { ParlayRecords } from './records/records.ts'

/** What answers are made of: the session's views, and what is kept beside them. */
export interface Served {
  readonly identity: WireIdentity
  readonly nameOf: NameOf
  readonly view: ParlayView
  readonly gate: ParlayGateView
  readonly records: ParlayRecords
  readonly reads: ParlayReads
  readonly inputLegs: InputLegs
  readonly markets: ServedMarkets
  readonly endpoints: EndpointUrls
  /** Since when the session's accounts are known, µs. */
  readonly startUs: number
}

/** Where webhook endpoints are. No row or rule depends on it, so that the gate does not know. */
export class EndpointUrls {
  private readonly urls = new Map<string, string>()

  /** `owner` is an OwnerKind. */
  set(account: number, owner: number, url: string): void {
    this.urls.set(`${account} ${owner}`, url)
  }

  /** Whether a client ever set one. */
  get areUsed(): boolean {
    return this.urls.size > 0
  }

  /** URL of the endpoint, empty where no client set one. */
  of(account: number, owner: number): string {
    return this.urls.get(`${account} ${owner}`) ?? ''
  }
}

/** The service's own copy of the markets and their latest prices (PQ-004). */
export class ServedMarkets {
  private declare readonly list: MarketList
  private declare readonly board: PriceBoard
  private declare readonly states: MarketRecords
  private declare readonly shiftUs: number

  constructor(catalogue: Catalogue, ticks: TickHistory, states: MarketRecords, shiftUs: number) {
    this.shiftUs = shiftUs
    this.list = new MarketList(catalogue)
    this.board = new PriceBoard(ticks, catalogue.markets.length, 0)
    this.states = states
  }

  read(query: Parameters<MarketList['read']>[0], nowUs: number): ReturnType<MarketList['read']> {
    this.board.advance(nowUs)
    const moment: ListMoment = { nowUs, shiftUs: this.shiftUs, status: (market) => this.states.statusOf(market), figures: figuresOf(this.board) }
    return this.list.read(query, moment)
  }
}
