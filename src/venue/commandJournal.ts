import { widened } from '../unit/widened.ts'

/** A command's legs and list, as they stand in the side pool of a journal. */
interface PooledCommand {
  readonly legCount: number
  readonly legSides: Uint8Array
  readonly listCount: number
  readonly list: Int32Array
  leg(market: number, side: number): unknown
  item(value: number): unknown
}

/**
 * The commands of a session as rows of `stride` numbers, in the order applied: with the profile they replay a venue exactly
 * (design.md, decision 3). Emptied by the engine between chunks. A service's journal writes and reads the cells of its own commands.
 */
export abstract class CommandJournal {
  declare cells: Float64Array
  /** Market, or outcome, and side per leg, then the list. */
  declare pool: Int32Array
  count = 0
  poolCount = 0
  declare readonly service: number
  private declare readonly stride: number

  constructor(service: number, stride: number, capacity: number) {
    this.service = service
    this.stride = stride
    this.cells = new Float64Array(capacity * stride)
    this.pool = new Int32Array(capacity * 4)
  }

  /** Makes room for a command and returns where the cells of its row begin. Its pool goes on at `poolCount`. */
  protected begin({ legCount, listCount }: PooledCommand): number {
    if ((this.count + 1) * this.stride > this.cells.length) this.cells = widened(this.cells)
    const needed = this.poolCount + 2 * legCount + listCount
    if (needed > this.pool.length) this.pool = widened(this.pool, needed)
    return this.count++ * this.stride
  }

  /** Writes the legs, which are of `markets`, and the list of a command that has begun. */
  protected appendPool(command: PooledCommand, markets: Int32Array): void {
    const { pool } = this
    for (let i = 0; i < command.legCount; i++) {
      pool[this.poolCount++] = markets[i]!
      pool[this.poolCount++] = command.legSides[i]!
    }
    for (let i = 0; i < command.listCount; i++) pool[this.poolCount++] = command.list[i]!
  }

  /** Adds to `command` the legs and the list that stand from `at` on. */
  protected readPool(command: PooledCommand, at: number, legCount: number, listCount: number): void {
    const { pool } = this
    const listFrom = at + 2 * legCount
    for (let i = at; i < listFrom; i += 2) command.leg(pool[i]!, pool[i + 1]!)
    for (let i = listFrom; i < listFrom + listCount; i++) command.item(pool[i]!)
  }

  clear(): void {
    this.count = 0
    this.poolCount = 0
  }
}
