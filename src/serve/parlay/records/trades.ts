import { NONE } from '../../../unit/none.ts'
import { type KindOf, type Row, rowOfKind } from '../../../venue/eventCells.ts'
import { EventCell, type EventRows } from '../../../venue/eventRows.ts'
import {
  ParlayEvent, type ParlayKind, ParlayStatus, PositionBoughtBack, PositionOpened, PositionOutcome, PositionRow, PositionSettled,
  PositionState, PositionTransferred, StatusChanged,
} from '../../../venue/parlay/protocol/events.ts'
import type { LegView } from '../../../venue/parlay/protocol/view.ts'
import type { HoldingOutcome, ParlayRecord, ParlayRecordStatus } from '../../../venue/parlay/wire/parlayBody.ts'
import type { RequestRecord } from './requests.ts'

/** A position that is open. */
export interface PositionRecord {
  readonly number: number
  readonly request: number
  readonly quote: number
  readonly backer: number
  holder: number
  /** A `PositionState`. */
  state: number
  readonly stakeMicros: number
  readonly payoutMicros: number
  readonly oddsE4: number
  readonly takerFeeMicros: number
  readonly legs: readonly LegView[]
}

type Holding = { -readonly [K in keyof ParlayRecord]: ParlayRecord[K] }

const OUTCOMES: Readonly<Record<number, HoldingOutcome>> = {
  [PositionOutcome.lost]: 'lost', [PositionOutcome.won]: 'won', [PositionOutcome.void]: 'void',
}

/** Positions while they are open, and of accounts that are kept what they held, ended or not. */
export class TradeRecords {
  private readonly positions = new Map<number, PositionRecord>()
  private readonly ofRequest = new Map<number, PositionRecord>()
  private readonly holdings = new Map<number, Map<number, Holding>>()
  private declare readonly kept: ReadonlySet<number>

  constructor(kept: ReadonlySet<number>) {
    this.kept = kept
  }

  position(number: number): PositionRecord | null {
    return this.positions.get(number) ?? null
  }

  /** Open positions that the maker backs, the newest first (PQ-200). */
  backedBy(maker: number): readonly PositionRecord[] {
    return [...this.positions.values()].filter(({ backer }) => backer === maker).toReversed()
  }

  /** The position of a request that the account holds or has held, or −1. Whether it still does, the service says. */
  heldBy(account: number, request: number): number {
    return this.holdings.get(account)?.get(request)?.trade?.position ?? -1
  }

  /** What the account held of a request's parlay, or null. */
  holding(account: number, request: number): ParlayRecord | null {
    return this.holdings.get(account)?.get(request) ?? null
  }

  /** All that the account held, the newest request first. */
  holdingsOf(account: number): readonly ParlayRecord[] {
    return [...this.holdings.get(account)?.values() ?? []].toSorted((a, b) => b.request - a.request)
  }

  /** Whether somebody who is kept held a request's parlay. */
  isHeld(request: number): boolean {
    return [...this.holdings.values()].some((holdings) => holdings.has(request))
  }

  /** A request's owner has its parlay from the creation on. */
  begin(request: RequestRecord): void {
    this.hold(request.owner, {
      request: request.number, status: 'open', legs: request.legs, costMicros: request.betMicros, createdAtUs: request.createdAtUs,
      updatedAtUs: request.updatedAtUs, trade: null, end: null,
    })
  }

  /** Brings the parlay of a request that is not traded yet up to date. */
  follow(request: RequestRecord, status: ParlayRecordStatus, atUs: number): void {
    this.change(request.owner, request.number, atUs, { status, legs: request.legs, costMicros: request.betMicros })
  }

  /** Returns the request whose parlay an account that is kept has taken over with this row, or −1. */
  take(events: EventRows, row: Row, requestOf: (number: number) => RequestRecord | undefined): number {
    const kind = events.kindOf(row) as ParlayKind
    if (kind === ParlayEvent.positionTransferred) return this.transfer(events, rowOfKind(row, kind))
    this.takeOther(events, row, requestOf)
    return NONE
  }

  private takeOther(events: EventRows, row: Row, requestOf: (number: number) => RequestRecord | undefined): void {
    const kind = events.kindOf(row) as ParlayKind
    switch (kind) {
      case ParlayEvent.positionOpened: return this.open(events, rowOfKind(row, kind), requestOf)
      case ParlayEvent.statusChanged: return this.execute(events, rowOfKind(row, kind))
      case ParlayEvent.positionSettled: {
        const settled = rowOfKind(row, kind)
        return this.end(events, settled, {
          outcome: OUTCOMES[events.read(settled, PositionSettled.outcome)]!, receivedMicros: events.read(settled, PositionSettled.toHolderMicros),
          profitFeeMicros: events.read(settled, PositionSettled.profitFeeMicros), seq: events.read(row, EventCell.seq),
        }, 'settled')
      }
      case ParlayEvent.positionBoughtBack: {
        const bought = rowOfKind(row, kind)
        return this.end(events, bought, {
          outcome: 'bought_back', receivedMicros: events.read(bought, PositionBoughtBack.toHolderMicros),
          profitFeeMicros: events.read(bought, PositionBoughtBack.profitFeeMicros), seq: events.read(row, EventCell.seq),
        }, 'settled')
      }
      case ParlayEvent.positionFailed: return this.end(events, rowOfKind(row, kind), null, 'failed')
      default:
    }
  }

  private hold(account: number, holding: Holding): void {
    if (!this.kept.has(account)) return
    const holdings = this.holdings.get(account)
    // Who takes its own former position over has the new record alone.
    if (holdings === undefined) this.holdings.set(account, new Map([[holding.request, holding]]))
    else holdings.set(holding.request, holding)
  }

  private change(account: number, request: number, atUs: number, change: Partial<Holding>): void {
    const holding = this.holdings.get(account)?.get(request)
    if (holding !== undefined) Object.assign(holding, change, { updatedAtUs: atUs })
  }

  private open(events: EventRows, opened: Row<'parlay.positionOpened'>, requestOf: (number: number) => RequestRecord | undefined): void {
    const request = events.read(opened, PositionOpened.request)
    const known = requestOf(request)
    const position: PositionRecord = {
      number: events.read(opened, PositionOpened.position), request, quote: events.read(opened, PositionOpened.quote),
      backer: events.read(opened, PositionOpened.backer), holder: events.read(opened, PositionOpened.holder), state: PositionState.confirmed,
      stakeMicros: events.read(opened, PositionOpened.netStakeMicros), payoutMicros: events.read(opened, PositionOpened.payoutMicros),
      oddsE4: events.read(opened, PositionOpened.oddsE4), takerFeeMicros: events.read(opened, PositionOpened.takerFeeMicros), legs: known?.legs ?? [],
    }
    this.positions.set(position.number, position)
    this.ofRequest.set(request, position)
    this.change(position.holder, request, events.read(opened, EventCell.atUs), {
      status: 'confirmed',
      trade: {
        quote: position.quote, position: position.number, backer: position.backer, oddsE4: position.oddsE4,
        stakeMicros: position.stakeMicros, payoutMicros: position.payoutMicros, takerFeeMicros: position.takerFeeMicros,
      },
    })
  }

  private execute(events: EventRows, changed: Row<'parlay.statusChanged'>): void {
    if (events.read(changed, StatusChanged.status) !== ParlayStatus.executed) return
    const owner = events.read(changed, StatusChanged.owner)
    const request = events.read(changed, StatusChanged.request)
    const atUs = events.read(changed, EventCell.atUs)
    const position = this.ofRequest.get(request)
    if (position !== undefined) position.state = PositionState.executed
    this.change(owner, request, atUs, { status: 'executed' })
  }

  private end(events: EventRows, ended: Row<KindOf<typeof PositionRow>>, end: ParlayRecord['end'], status: ParlayRecordStatus): void {
    const request = events.read(ended, PositionRow.request)
    this.positions.delete(events.read(ended, PositionRow.position))
    this.ofRequest.delete(request)
    this.change(events.read(ended, PositionRow.holder), request, events.read(ended, EventCell.atUs), { status, end })
  }

  private transfer(events: EventRows, sold: Row<'parlay.positionTransferred'>): number {
    const request = events.read(sold, PositionTransferred.request)
    const seller = events.read(sold, PositionTransferred.seller)
    const buyer = events.read(sold, PositionTransferred.buyer)
    const atUs = events.read(sold, EventCell.atUs)
    const position = this.positions.get(events.read(sold, PositionTransferred.position))
    if (position === undefined) return NONE
    position.holder = buyer
    this.change(seller, request, atUs, {
      status: 'settled',
      end: {
        outcome: 'sold', receivedMicros: events.read(sold, PositionTransferred.toSellerMicros),
        profitFeeMicros: events.read(sold, PositionTransferred.profitFeeMicros), seq: events.read(sold, EventCell.seq),
      },
    })
    const { quote, number, backer, stakeMicros, payoutMicros, legs } = position
    this.hold(buyer, {
      request, status: 'executed', legs, costMicros: events.read(sold, PositionTransferred.priceMicros), createdAtUs: atUs, updatedAtUs: atUs, end: null,
      trade: { quote, position: number, backer, oddsE4: position.oddsE4, stakeMicros, payoutMicros, takerFeeMicros: position.takerFeeMicros },
    })
    return this.kept.has(buyer) ? request : NONE
  }
}
