import type { TableWriter } from '../arrow/tableWriter.ts'
import { type EventRows, Field, NONE } from '../venue/eventRows.ts'
import type { CastCodes } from './cast.ts'
import { writeLegs } from './cells.ts'
import { OpenPositions } from './openPositions.ts'
import type { positionTable, settlementTable } from './tables.ts'
import { PARLAY_SERVICE } from './tableShape.ts'

const SETTLED = 0
const OPEN = 1

/** Positions and their settlements. */
export class PositionRows {
  readonly open: OpenPositions
  private readonly positions: TableWriter
  private readonly positionAt: ReturnType<typeof positionTable>['at']
  private readonly settlements: TableWriter
  private readonly settlementAt: ReturnType<typeof settlementTable>['at']
  private readonly codes: CastCodes
  private readonly firstLeg: number

  constructor(
    positions: TableWriter, positionAt: ReturnType<typeof positionTable>['at'],
    settlements: TableWriter, settlementAt: ReturnType<typeof settlementTable>['at'], codes: CastCodes, legsMax: number,
  ) {
    this.positions = positions
    this.positionAt = positionAt
    this.settlements = settlements
    this.settlementAt = settlementAt
    this.codes = codes
    this.open = new OpenPositions(legsMax)
    this.firstLeg = positions.columnIndex('market_1')
  }

  opened(events: EventRows, row: number): void {
    const { open } = this
    const slot = open.open(events.get(row, Field.position))
    const start = events.get(row, Field.listStart)
    const legCount = events.get(row, Field.listLength) / 2
    open.request[slot] = events.get(row, Field.request)
    open.version[slot] = events.get(row, Field.version)
    open.quote[slot] = events.get(row, Field.quote)
    open.holder[slot] = events.get(row, Field.account)
    open.backer[slot] = events.get(row, Field.other)
    open.oddsE4[slot] = events.get(row, Field.oddsE4)
    open.stakeMicros[slot] = events.get(row, Field.amountA)
    open.payoutMicros[slot] = events.get(row, Field.amountB)
    open.takerFeeMicros[slot] = events.get(row, Field.amountC)
    open.profitFeeBps[slot] = events.get(row, Field.amountD)
    open.openedUs[slot] = events.get(row, Field.atUs)
    open.legCount[slot] = legCount
    for (let i = 0; i < legCount; i++) {
      open.legMarkets[slot * open.legsMax + i] = events.pool[start + 2 * i]!
      open.legSides[slot * open.legsMax + i] = events.pool[start + 2 * i + 1]!
    }
  }

  settled(events: EventRows, row: number): void {
    const slot = this.open.openSlotOf(events.get(row, Field.position))
    const outcome = events.get(row, Field.code)
    this.writePosition(slot, SETTLED, outcome, events.get(row, Field.seq), events.get(row, Field.atUs))
    this.writeSettlement(slot, outcome, events, row)
    this.open.close(slot)
  }

  /** The session is over: open positions leave their rows. */
  finish(): void {
    for (const slot of this.open.openSlots()) this.writePosition(slot, OPEN, NONE, NONE, NONE)
  }

  private writePosition(slot: number, state: number, outcome: number, seq: number, endedUs: number): void {
    const { open, positions: writer, positionAt: at, codes } = this
    const legs = slot * open.legsMax
    writer.row()
    writer.intOrNone(at.seq, seq)
    writer.code(at.service, PARLAY_SERVICE)
    writer.int(at.position, open.number[slot]!)
    writer.int(at.request, open.request[slot]!)
    writer.int(at.version, open.version[slot]!)
    writer.int(at.quote, open.quote[slot]!)
    writer.code(at.maker, codes.maker(open.backer[slot]!))
    writer.int(at.bettor, open.holder[slot]!)
    writer.code(at.group, codes.group(open.holder[slot]!))
    writer.code(at.cluster, codes.cluster(open.legMarkets, legs, open.legCount[slot]!))
    writer.int(at.filled_odds, open.oddsE4[slot]!)
    writer.int(at.stake_micros, open.stakeMicros[slot]!)
    writer.int(at.risk_micros, open.payoutMicros[slot]! - open.stakeMicros[slot]!)
    writer.int(at.payout_micros, open.payoutMicros[slot]!)
    writer.int(at.taker_fee_micros, open.takerFeeMicros[slot]!)
    writer.int(at.profit_fee_bps, open.profitFeeBps[slot]!)
    writer.int(at.opened_at, open.openedUs[slot]!)
    writer.intOrNone(at.ended_at, endedUs)
    writer.code(at.state, state)
    if (outcome !== NONE) writer.code(at.outcome, outcome)
    writer.int(at.clusters, codes.clusterCount(open.legMarkets, legs, open.legCount[slot]!))
    writer.int(at.leg_count, open.legCount[slot]!)
    writeLegs(writer, this.firstLeg, open.legMarkets, open.legSides, legs, open.legCount[slot]!)
  }

  private writeSettlement(slot: number, outcome: number, events: EventRows, row: number): void {
    const { open, settlements: writer, settlementAt: at, codes } = this
    const holder = events.get(row, Field.account)
    writer.row()
    writer.int(at.seq, events.get(row, Field.seq))
    writer.code(at.service, PARLAY_SERVICE)
    writer.int(at.at, events.get(row, Field.atUs))
    writer.int(at.position, open.number[slot]!)
    writer.int(at.request, open.request[slot]!)
    writer.code(at.maker, codes.maker(events.get(row, Field.other)))
    writer.int(at.bettor, holder)
    writer.code(at.group, codes.group(holder))
    writer.code(at.cluster, codes.cluster(open.legMarkets, slot * open.legsMax, open.legCount[slot]!))
    writer.code(at.outcome, outcome)
    writer.int(at.stake_micros, open.stakeMicros[slot]!)
    writer.int(at.payout_micros, open.payoutMicros[slot]!)
    writer.int(at.to_holder_micros, events.get(row, Field.amountA))
    writer.int(at.to_maker_micros, events.get(row, Field.amountB))
    writer.int(at.profit_fee_micros, events.get(row, Field.amountC))
    writer.int(at.taker_fee_micros, events.get(row, Field.amountD))
  }
}
