import type { RowWriter } from '../arrow/rowWriter.ts'
import { NONE } from '../unit/none.ts'
import type { DirectoryCodes } from './directory.ts'
import { present } from './cells.ts'
import type { LedgerRows } from './ledgerRows.ts'
import type { equityTable } from './moneyTables.ts'
import type { OpenPositions } from './openPositions.ts'
import type { Reference } from './reference.ts'

/**
 * Samples of makers' money at whole multiples of a span. A position is worth (1 − V)·(payout − its own fee) to its backer and
 * V·(payout − profit fee) to its holder, each rounded to the micro-unit before it is added. When V is unknown, it is worth its cost
 * to both. For the liquidation value the product of asks takes the place of V for a backer, and the product of bids for a holder.
 */
export class EquityRows {
  private declare readonly writer: RowWriter
  private declare readonly at: ReturnType<typeof equityTable>['at']
  private declare readonly service: number
  private declare readonly codes: DirectoryCodes
  private declare readonly ledger: LedgerRows
  private declare readonly positions: OpenPositions
  private declare readonly reference: Reference
  private declare readonly everyUs: number
  /** The next sample, −1 before the first row of the session. */
  private nextUs = NONE
  private lastUs = NONE
  /** By account number, within a sample. */
  private declare readonly worth: Float64Array
  private declare readonly executable: Float64Array
  private declare readonly risk: Float64Array
  private declare readonly backed: Int32Array
  private declare readonly held: Int32Array
  private declare readonly heldCost: Float64Array
  private declare readonly unmarked: Int32Array

  /** @param everyUs span between samples, or 0 for no samples. */
  constructor(
    writer: RowWriter, at: ReturnType<typeof equityTable>['at'], everyUs: number,
    parts: {
      readonly service: number
      readonly codes: DirectoryCodes
      readonly accountCount: number
      readonly ledger: LedgerRows
      readonly positions: OpenPositions
      readonly reference: Reference
    },
  ) {
    this.writer = writer
    this.at = at
    this.everyUs = everyUs
    this.service = parts.service
    this.codes = parts.codes
    this.ledger = parts.ledger
    this.positions = parts.positions
    this.reference = parts.reference
    this.worth = new Float64Array(parts.accountCount)
    this.executable = new Float64Array(parts.accountCount)
    this.risk = new Float64Array(parts.accountCount)
    this.backed = new Int32Array(parts.accountCount)
    this.held = new Int32Array(parts.accountCount)
    this.heldCost = new Float64Array(parts.accountCount)
    this.unmarked = new Int32Array(parts.accountCount)
  }

  /** The session's first row is at `atUs`. Samples begin with the next whole multiple of the span. */
  start(atUs: number): void {
    if (this.everyUs > 0) this.nextUs = Math.ceil(atUs / this.everyUs) * this.everyUs
  }

  /** The next sample that is due, or Infinity. */
  nextDueUs(): number {
    return this.nextUs === NONE ? Infinity : this.nextUs
  }

  /** Takes the sample due at `dueUs`. `seq` is the last row that counts in it. */
  sample(dueUs: number, seq: number): void {
    this.write(dueUs, seq)
    this.nextUs = dueUs + this.everyUs
  }

  /** Takes a last sample at the end of the session, unless there is one at that instant. */
  finish(endUs: number, seq: number): void {
    if (this.everyUs > 0 && this.lastUs !== endUs) this.write(endUs, seq)
  }

  private write(atUs: number, seq: number): void {
    this.value(atUs)
    this.lastUs = atUs
    const { writer, at, ledger } = this
    const { cells } = writer
    for (const [code, account] of this.codes.makerAccounts.entries()) {
      if (!this.codes.quotesOn(account, this.service)) continue
      const free = ledger.freeMicros(account)
      const reserved = ledger.reservedMicros(account)
      const locked = reserved + this.risk[account]!
      const to = writer.row()
      cells[to + at.seq] = seq
      cells[to + at.service] = this.service
      cells[to + at.at] = atUs
      cells[to + at.maker] = code
      cells[to + at.account] = account
      cells[to + at.free_micros] = free
      cells[to + at.reserved_micros] = reserved
      cells[to + at.locked_micros] = locked
      cells[to + at.at_cost_micros] = free + locked
      cells[to + at.mark_to_market_micros] = free + reserved + this.worth[account]!
      if (this.reference.hasTouch) cells[to + at.liquidation_micros] = present(free + reserved + this.executable[account]!)
      cells[to + at.open_positions] = this.backed[account]!
      cells[to + at.unpriced_positions] = this.unmarked[account]!
      cells[to + at.held_positions] = this.held[account]!
      cells[to + at.held_cost_micros] = this.heldCost[account]!
    }
  }

  /** Values every open position to its two sides. Sums of integers: the order of slots does not matter. */
  private value(atUs: number): void {
    const { positions, worth, risk, backed, held, heldCost, unmarked } = this
    const { hasTouch } = this.reference
    worth.fill(0)
    this.executable.fill(0)
    risk.fill(0)
    backed.fill(0)
    held.fill(0)
    heldCost.fill(0)
    unmarked.fill(0)
    for (let slot = 0; slot < positions.slotCount; slot++) {
      if (!positions.isOpen(slot)) continue
      const backer = positions.backer[slot]!
      const holder = positions.holder[slot]!
      const payout = positions.payoutMicros[slot]!
      const stake = positions.stakeMicros[slot]!
      const from = slot * positions.legsMax
      const v = this.reference.value(atUs, positions.legCount[slot]!, positions.legMarkets, positions.legSides, from)
      risk[backer]! += payout - stake
      backed[backer]!++
      held[holder]!++
      heldCost[holder]! += positions.costMicros[slot]!
      if (Number.isNaN(v)) {
        unmarked[backer]!++
        if (positions.transfers[slot]! > 0) unmarked[holder]!++
        worth[backer]! += payout - stake
        worth[holder]! += this.costMicros(slot)
      } else {
        worth[backer]! += Math.round((1 - v) * (payout - positions.makerFee(slot)))
        worth[holder]! += Math.round(v * (payout - positions.profitFee(slot)))
      }
      if (hasTouch) this.valueAtTouch(atUs, slot)
    }
  }

  private valueAtTouch(atUs: number, slot: number): void {
    const { positions, executable, reference } = this
    const { legMarkets, legSides } = positions
    const backer = positions.backer[slot]!
    const holder = positions.holder[slot]!
    const payout = positions.payoutMicros[slot]!
    const from = slot * positions.legsMax
    const ask = reference.touch('ask', atUs, positions.legCount[slot]!, legMarkets, legSides, from)
    executable[backer]! += Number.isNaN(ask)
      ? payout - positions.stakeMicros[slot]! : Math.round((1 - ask) * (payout - positions.makerFee(slot)))
    if (!this.codes.isMaker(holder)) return
    const bid = reference.touch('bid', atUs, positions.legCount[slot]!, legMarkets, legSides, from)
    executable[holder]! += Number.isNaN(bid)
      ? this.costMicros(slot) : Math.round(bid * (payout - positions.profitFee(slot)))
  }

  /** What a holder's position cost. The taker fee of a bet is already spent, so it does not count. The price of a cash-out counts in full. */
  private costMicros(slot: number): number {
    const { positions } = this
    return positions.transfers[slot] === 0 ? positions.stakeMicros[slot]! : positions.costMicros[slot]!
  }
}
