import type { RowWriter } from '../arrow/rowWriter.ts'
import { NONE } from '../unit/none.ts'
import type { KindOf, Row } from '../venue/eventCells.ts'
import { EventCell, type EventRows } from '../venue/eventRows.ts'
import { PositionFailed } from '../venue/parlay/protocol/events.ts'
import type { DirectoryCodes } from './directory.ts'
import { orEmpty, present } from './cells.ts'
import { type Moment, momentOf } from './moment.ts'
import { type FeeRules, OpenPositions } from './openPositions.ts'
import type { Reference } from './reference.ts'
import { BoughtBack, PositionOpened, PositionSettled, PositionTransferred } from './sharedCells.ts'
import { type positionTable, PositionRowOutcome, PositionRowState, type settlementTable } from './tables.ts'

/** Positions, and who was paid what at their ends. */
export class PositionRows {
  declare readonly open: OpenPositions
  private declare readonly service: number
  private declare readonly positions: RowWriter
  private declare readonly positionAt: ReturnType<typeof positionTable>['at']
  private declare readonly settlements: RowWriter
  private declare readonly settlementAt: ReturnType<typeof settlementTable>['at']
  private declare readonly codes: DirectoryCodes
  private declare readonly reference: Reference

  constructor(
    positions: RowWriter, positionAt: ReturnType<typeof positionTable>['at'],
    settlements: RowWriter, settlementAt: ReturnType<typeof settlementTable>['at'],
    parts: {
      readonly service: number
      readonly codes: DirectoryCodes
      readonly legsMax: number
      readonly fees: FeeRules
      readonly reference: Reference
    },
  ) {
    this.service = parts.service
    this.positions = positions
    this.positionAt = positionAt
    this.settlements = settlements
    this.settlementAt = settlementAt
    this.codes = parts.codes
    this.reference = parts.reference
    this.open = new OpenPositions(parts.legsMax, parts.fees)
  }

  /** @param acceptance the acceptance that opened it, −1 for a service that numbers none. */
  opened(events: EventRows, row: Row<KindOf<typeof PositionOpened>>, acceptance = NONE): void {
    const { open } = this
    const slot = open.open(events.read(row, PositionOpened.position))
    const start = events.read(row, EventCell.listStart)
    const legCount = events.read(row, EventCell.listLength) / 2
    const netStakeMicros = events.read(row, PositionOpened.netStakeMicros)
    const takerFeeMicros = events.read(row, PositionOpened.takerFeeMicros)
    open.request[slot] = events.read(row, PositionOpened.request)
    open.version[slot] = events.read(row, PositionOpened.version)
    open.quote[slot] = events.read(row, PositionOpened.quote)
    open.acceptance[slot] = acceptance
    open.bettor[slot] = open.holder[slot] = events.read(row, PositionOpened.holder)
    open.backer[slot] = events.read(row, PositionOpened.backer)
    open.oddsE4[slot] = events.read(row, PositionOpened.oddsE4)
    open.stakeMicros[slot] = netStakeMicros
    open.payoutMicros[slot] = events.read(row, PositionOpened.payoutMicros)
    open.takerFeeMicros[slot] = takerFeeMicros
    open.profitFeeBps[slot] = events.read(row, PositionOpened.profitFeeBps)
    open.openedUs[slot] = open.fundedUs[slot] = events.read(row, EventCell.atUs)
    open.openedSeq[slot] = events.read(row, EventCell.seq)
    open.decidedUs[slot] = NONE
    open.transfers[slot] = open.auctions[slot] = open.openAuctions[slot] = open.ended[slot] = 0
    open.costMicros[slot] = netStakeMicros + takerFeeMicros
    open.basisMicros[slot] = open.fees.overGross ? open.costMicros[slot]! : netStakeMicros
    open.legCount[slot] = legCount
    for (let i = 0; i < legCount; i++) {
      open.legMarkets[slot * open.legsMax + i] = events.pool[start + 2 * i]!
      open.legSides[slot * open.legsMax + i] = events.pool[start + 2 * i + 1]!
    }
  }

  /** The chain is about to fund the position (`atUs` is −1), or has funded it at `atUs`. */
  funded(position: number, atUs: number): void {
    this.open.fundedUs[this.open.openSlotOf(position)] = atUs
  }

  /** Results had decided the position by `atUs`. Infinity when they have not. */
  decidedBy(slot: number, atUs: number): void {
    if (atUs < Infinity) this.decided(slot, Math.max(atUs, this.open.openedUs[slot]!))
  }

  /** Results have decided the position, and it is paid later. */
  delayed(position: number, atUs: number): void {
    this.decided(this.open.openSlotOf(position), atUs)
  }

  settled(events: EventRows, row: Row<KindOf<typeof PositionSettled>>): void {
    const slot = this.open.openSlotOf(events.read(row, PositionSettled.position))
    const outcome = events.read(row, PositionSettled.outcome)
    const profitFee = events.read(row, PositionSettled.profitFeeMicros)
    this.decided(slot, events.read(row, EventCell.atUs))
    this.end(slot, PositionRowState.settled, momentOf(events, row), {
      holder: events.read(row, PositionSettled.holder), maker: events.read(row, PositionSettled.backer), outcome,
      toHolder: events.read(row, PositionSettled.toHolderMicros), toMaker: events.read(row, PositionSettled.toBackerMicros), profitFee,
      makerFee: outcome === PositionRowOutcome.lost ? profitFee : 0, takerFee: events.read(row, PositionSettled.takerFeeKeptMicros),
    })
  }

  /** A won position is paid, where the claim is a step of its own after settlement. */
  claimed(position: number, moment: Moment, { holder, maker, toHolder, profitFee }: Claim): void {
    const slot = this.open.openSlotOf(position)
    this.decided(slot, moment.atUs)
    this.end(slot, PositionRowState.settled, moment, {
      holder, maker, outcome: PositionRowOutcome.won, toHolder, toMaker: 0, profitFee, makerFee: 0, takerFee: 0,
    })
    this.positions.intOrNone(this.positionAt.claimed_at, moment.atUs)
  }

  /** The pot pays the price, and the rest to the maker after its own fee. A taker fee in escrow goes to the house. */
  boughtBack(events: EventRows, row: Row<KindOf<typeof BoughtBack>>, auction: number): void {
    const { open } = this
    const slot = open.openSlotOf(events.read(row, BoughtBack.position))
    const toHolder = events.read(row, BoughtBack.toHolderMicros)
    const toMaker = events.read(row, BoughtBack.toBackerMicros)
    const price = toHolder + events.read(row, BoughtBack.profitFeeMicros)
    const makerFee = open.payoutMicros[slot]! - price - toMaker
    this.end(slot, PositionRowState.boughtBack, momentOf(events, row), {
      holder: events.read(row, BoughtBack.holder), maker: events.read(row, BoughtBack.backer), outcome: PositionRowOutcome.boughtBack,
      toHolder, toMaker, profitFee: price - toHolder + makerFee, makerFee, takerFee: open.escrowMicros(slot),
    })
    this.settlements.int(this.settlementAt.price_micros, price)
    this.settlements.int(this.settlementAt.auction, auction)
  }

  /** The chain did not fund the position: both sides get back what they paid. */
  failed(events: EventRows, row: Row<KindOf<typeof PositionFailed>>): void {
    const slot = this.open.openSlotOf(events.read(row, PositionFailed.position))
    this.end(slot, PositionRowState.failed, momentOf(events, row), {
      holder: events.read(row, PositionFailed.holder), maker: events.read(row, PositionFailed.backer), outcome: PositionRowOutcome.failed,
      toHolder: events.read(row, PositionFailed.toHolderMicros), toMaker: events.read(row, PositionFailed.toBackerMicros),
      profitFee: 0, makerFee: 0, takerFee: 0,
    })
  }

  transferred(events: EventRows, row: Row<KindOf<typeof PositionTransferred>>): void {
    const { open } = this
    const slot = open.openSlotOf(events.read(row, PositionTransferred.position))
    const price = events.read(row, PositionTransferred.priceMicros)
    open.holder[slot] = events.read(row, PositionTransferred.buyer)
    open.transfers[slot]!++
    open.costMicros[slot] = price
    if (open.fees.onTransfer) open.basisMicros[slot] = price
  }

  /** The session is over: writes the rows of open positions. */
  finish(): void {
    for (const slot of this.open.openSlots()) if (this.open.isOpen(slot)) this.writePosition(slot, PositionRowState.open, NONE, NONE, NONE)
  }

  private decided(slot: number, atUs: number): void {
    if (this.open.decidedUs[slot] === NONE) this.open.decidedUs[slot] = atUs
  }

  private end(slot: number, state: number, moment: Moment, payment: Payment): void {
    this.writePosition(slot, state, payment.outcome, moment.seq, moment.atUs)
    this.writeSettlement(slot, moment, payment)
    this.open.end(slot)
  }

  private writePosition(slot: number, state: number, outcome: number, seq: number, endedUs: number): void {
    const { open, positions: writer, positionAt: at, codes } = this
    const { cells } = writer
    const legs = slot * open.legsMax
    const legCount = open.legCount[slot]!
    const to = writer.row()
    cells[to + at.seq] = orEmpty(seq)
    cells[to + at.service] = this.service
    cells[to + at.position] = open.number[slot]!
    cells[to + at.request] = open.request[slot]!
    cells[to + at.version] = orEmpty(open.version[slot]!)
    cells[to + at.quote] = open.quote[slot]!
    cells[to + at.acceptance] = orEmpty(open.acceptance[slot]!)
    cells[to + at.maker] = codes.maker(open.backer[slot]!)
    cells[to + at.bettor] = open.bettor[slot]!
    cells[to + at.cohort] = codes.group(open.bettor[slot]!)
    cells[to + at.cluster] = codes.cluster(open.legMarkets, legs, legCount)
    cells[to + at.filled_odds_e4] = orEmpty(open.oddsE4[slot]!)
    cells[to + at.net_stake_micros] = open.stakeMicros[slot]!
    cells[to + at.risk_micros] = open.payoutMicros[slot]! - open.stakeMicros[slot]!
    cells[to + at.payout_micros] = open.payoutMicros[slot]!
    cells[to + at.taker_fee_micros] = open.takerFeeMicros[slot]!
    cells[to + at.profit_fee_bps] = open.profitFeeBps[slot]!
    cells[to + at.opened_seq] = open.openedSeq[slot]!
    cells[to + at.opened_at] = open.openedUs[slot]!
    cells[to + at.ended_at] = orEmpty(endedUs)
    cells[to + at.state] = state
    if (outcome !== NONE) cells[to + at.outcome] = present(outcome)
    cells[to + at.holder_at_end] = open.holder[slot]!
    if (open.transfers[slot]! > 0) cells[to + at.holder_maker] = codes.maker(open.holder[slot]!)
    cells[to + at.transfer_count] = open.transfers[slot]!
    cells[to + at.holder_cost_micros] = open.costMicros[slot]!
    cells[to + at.auction_count] = open.auctions[slot]!
    cells[to + at.funded_at] = orEmpty(open.fundedUs[slot]!)
    cells[to + at.resolved_at] = orEmpty(open.decidedUs[slot]!)
    cells[to + at.cluster_count] = codes.clusterCount(open.legMarkets, legs, legCount)
    cells[to + at.category] = codes.category(open.legMarkets, legs, legCount)
    if (state !== PositionRowState.open) {
      const closing = this.reference.closing(legCount, open.legMarkets, open.legSides, legs)
      cells[to + at.reference_at_close] = closing
      cells[to + at.reference_product_at_close] = this.reference.closingProduct(closing, legCount, open.legMarkets, open.legSides, legs)
    }
    cells[to + at.leg_count] = legCount
    writer.list(at.leg_markets, open.legMarkets, legs, legCount)
    writer.list(at.leg_sides, open.legSides, legs, legCount)
  }

  private writeSettlement(slot: number, moment: Moment, payment: Payment): void {
    const { open, settlements: writer, settlementAt: at, codes } = this
    const { cells } = writer
    const { holder } = payment
    const to = writer.row()
    cells[to + at.seq] = moment.seq
    cells[to + at.service] = this.service
    cells[to + at.at] = moment.atUs
    cells[to + at.position] = open.number[slot]!
    cells[to + at.request] = open.request[slot]!
    cells[to + at.maker] = codes.maker(payment.maker)
    cells[to + at.holder] = holder
    cells[to + at.holder_cohort] = codes.group(holder)
    cells[to + at.cluster] = codes.cluster(open.legMarkets, slot * open.legsMax, open.legCount[slot]!)
    cells[to + at.outcome] = payment.outcome
    cells[to + at.net_stake_micros] = open.stakeMicros[slot]!
    cells[to + at.payout_micros] = open.payoutMicros[slot]!
    cells[to + at.to_holder_micros] = payment.toHolder
    cells[to + at.to_maker_micros] = payment.toMaker
    cells[to + at.profit_fee_micros] = payment.profitFee
    cells[to + at.taker_fee_micros] = payment.takerFee
    cells[to + at.maker_profit_fee_micros] = payment.makerFee
    if (open.transfers[slot]! > 0) cells[to + at.holder_maker] = codes.maker(holder)
    cells[to + at.holder_cost_micros] = open.costMicros[slot]!
  }
}

/** Who got what of a pot and its escrow, microUSDC. */
interface Payment {
  readonly holder: number
  readonly maker: number
  readonly outcome: number
  readonly toHolder: number
  readonly toMaker: number
  /** The maker's part too. */
  readonly profitFee: number
  readonly makerFee: number
  readonly takerFee: number
}

/** What the holder of a won position gets with its claim, microUSDC. */
interface Claim {
  readonly holder: number
  readonly maker: number
  readonly toHolder: number
  readonly profitFee: number
}
