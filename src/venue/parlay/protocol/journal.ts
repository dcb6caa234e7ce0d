import type { ParlayCommand } from './commands.ts'
import { widened } from '../../../unit/widened.ts'

/** Fields of a journal row, in order; legs then list stand in the side pool from `poolStart`. */
export const JOURNAL_FIELDS = [
  'seq', 'atUs', 'service', 'op', 'account', 'credential', 'source', 'request', 'version', 'contentTag', 'quote', 'bookSeq',
  'oddsE4', 'validMs', 'betMicros', 'amountMicros', 'position', 'auction', 'market', 'closeUs', 'value', 'value2', 'memoE9', 'legCount',
  'listCount', 'poolStart',
] as const

export const JournalField = Object.fromEntries(JOURNAL_FIELDS.map((name, i) => [name, i])) as {
  readonly [name in (typeof JOURNAL_FIELDS)[number]]: number
}

export const JOURNAL_STRIDE = JOURNAL_FIELDS.length

/**
 * The commands of a session as rows, in the order applied: with the profile they replay a venue exactly
 * (design.md, decision 3). Emptied by the engine between chunks.
 */
export class ParlayJournal {
  declare cells: Float64Array
  /** market, side per leg, then the list. */
  declare pool: Int32Array
  count = 0
  poolCount = 0
  declare readonly service: number

  constructor(service: number, capacity = 8192) {
    this.service = service
    this.cells = new Float64Array(capacity * JOURNAL_STRIDE)
    this.pool = new Int32Array(capacity * 4)
  }

  append(atUs: number, c: ParlayCommand): void {
    if ((this.count + 1) * JOURNAL_STRIDE > this.cells.length) {
      this.cells = widened(this.cells)
    }
    const needed = this.poolCount + 2 * c.legCount + c.listCount
    if (needed > this.pool.length) {
      this.pool = widened(this.pool, needed)
    }
    const cells = this.cells
    let at = this.count++ * JOURNAL_STRIDE
    cells[at++] = c.seq
    cells[at++] = atUs
    cells[at++] = this.service
    cells[at++] = c.op
    cells[at++] = c.account
    cells[at++] = c.credential
    cells[at++] = c.source
    cells[at++] = c.request
    cells[at++] = c.version
    cells[at++] = c.contentTag
    cells[at++] = c.quote
    cells[at++] = c.bookSeq
    cells[at++] = c.oddsE4
    cells[at++] = c.validMs
    cells[at++] = c.betMicros
    cells[at++] = c.amountMicros
    cells[at++] = c.position
    cells[at++] = c.auction
    cells[at++] = c.market
    cells[at++] = c.closeUs
    cells[at++] = c.value
    cells[at++] = c.value2
    cells[at++] = c.memoE9
    cells[at++] = c.legCount
    cells[at++] = c.listCount
    cells[at] = this.poolCount
    for (let i = 0; i < c.legCount; i++) {
      this.pool[this.poolCount++] = c.legMarkets[i]!
      this.pool[this.poolCount++] = c.legSides[i]!
    }
    for (let i = 0; i < c.listCount; i++) this.pool[this.poolCount++] = c.list[i]!
  }

  /** Fills `c` from row `row` and returns the instant of its application. */
  read(row: number, c: ParlayCommand): number {
    const cell = (field: number): number => this.cells[row * JOURNAL_STRIDE + field]!
    c.reset(cell(JournalField.op), cell(JournalField.account))
    c.seq = cell(JournalField.seq)
    c.credential = cell(JournalField.credential)
    c.source = cell(JournalField.source)
    c.request = cell(JournalField.request)
    c.version = cell(JournalField.version)
    c.contentTag = cell(JournalField.contentTag)
    c.quote = cell(JournalField.quote)
    c.bookSeq = cell(JournalField.bookSeq)
    c.oddsE4 = cell(JournalField.oddsE4)
    c.validMs = cell(JournalField.validMs)
    c.betMicros = cell(JournalField.betMicros)
    c.amountMicros = cell(JournalField.amountMicros)
    c.position = cell(JournalField.position)
    c.auction = cell(JournalField.auction)
    c.market = cell(JournalField.market)
    c.closeUs = cell(JournalField.closeUs)
    c.value = cell(JournalField.value)
    c.value2 = cell(JournalField.value2)
    c.memoE9 = cell(JournalField.memoE9)
    let at = cell(JournalField.poolStart)
    for (let i = cell(JournalField.legCount); i > 0; i--, at += 2) c.leg(this.pool[at]!, this.pool[at + 1]!)
    for (let i = cell(JournalField.listCount); i > 0; i--) c.item(this.pool[at++]!)
    return cell(JournalField.atUs)
  }

  clear(): void {
    this.count = 0
    this.poolCount = 0
  }
}
