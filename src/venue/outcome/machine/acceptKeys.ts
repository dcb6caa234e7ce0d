import type { Image, Snapshot } from '../../../unit/snapshot.ts'
import { KEY_MAX } from '../protocol/commands.ts'

const KEY_SPAN = KEY_MAX + 1
/** Marks an empty cell of the table: no account has key 0. */
const EMPTY = 0
const CAPACITY_MIN = 64

/**
 * The idempotency keys that accounts have used for acceptances (OM-080, OM-081), each for the retention after its use. Keys lie in a
 * ring in the order of their ends, and a hash table of the same keys makes the search quick. Ended keys leave when the next key is
 * taken, so that memory is bounded by the keys of one retention and of the gap before the next use.
 */
export class AcceptKeys implements Snapshot {
  count = 0
  private declare readonly retentionUs: number
  /** Place of the oldest key in the ring; a key is account and key as one integer. */
  private head = 0
  private keys = new Float64Array(CAPACITY_MIN)
  private untilUs = new Float64Array(CAPACITY_MIN)
  /** The same keys and ends by open addressing with linear probing, at most half full. */
  private table = new Float64Array(2 * CAPACITY_MIN)
  private tableUntilUs = new Float64Array(2 * CAPACITY_MIN)

  constructor(retentionUs: number) {
    this.retentionUs = retentionUs
  }

  /** Whether the account has used `key` (1…KEY_MAX) in the retention before `nowUs`, whose end is excluded. Changes nothing. */
  isTaken(account: number, key: number, nowUs: number): boolean {
    const cell = this.cellOf(account * KEY_SPAN + key)
    return this.table[cell] !== EMPTY && nowUs < this.tableUntilUs[cell]!
  }

  /** Takes a key that is not taken. Precondition: `nowUs` never falls from call to call. */
  take(account: number, key: number, nowUs: number): void {
    this.forget(nowUs)
    if (this.count === this.keys.length) this.resize(this.count * 2)
    this.append(account * KEY_SPAN + key, nowUs + this.retentionUs)
  }

  private forget(nowUs: number): void {
    while (this.count > 0 && this.untilUs[this.head]! <= nowUs) {
      this.clear(this.cellOf(this.keys[this.head]!))
      this.head = (this.head + 1) & (this.keys.length - 1)
      this.count--
    }
    if (this.keys.length > CAPACITY_MIN && this.count * 8 < this.keys.length) this.resize(this.keys.length / 2)
  }

  private append(combined: number, untilUs: number): void {
    const place = (this.head + this.count++) & (this.keys.length - 1)
    this.keys[place] = combined
    this.untilUs[place] = untilUs
    const cell = this.cellOf(combined)
    this.table[cell] = combined
    this.tableUntilUs[cell] = untilUs
  }

  /** The cell that holds `combined`, or the empty one where it would go. */
  private cellOf(combined: number): number {
    const mask = this.table.length - 1
    let cell = this.homeOf(combined)
    while (this.table[cell] !== EMPTY && this.table[cell] !== combined) cell = (cell + 1) & mask
    return cell
  }

  private homeOf(combined: number): number {
    let mixed = Math.imul(combined | 0, 0x9e3779b1) ^ Math.imul(Math.floor(combined / KEY_SPAN), 0x85ebca6b)
    mixed ^= mixed >>> 15
    mixed = Math.imul(mixed, 0x2c1b3c6d)
    return (mixed ^ (mixed >>> 13)) & (this.table.length - 1)
  }

  /** Empties a cell and moves later cells up that are where they are only because this one was full. */
  private clear(cell: number): void {
    const { table, tableUntilUs } = this
    const mask = table.length - 1
    let hole = cell
    for (let next = (hole + 1) & mask; table[next] !== EMPTY; next = (next + 1) & mask) {
      const fromHome = (next - this.homeOf(table[next]!)) & mask
      if (fromHome < ((next - hole) & mask)) continue
      table[hole] = table[next]!
      tableUntilUs[hole] = tableUntilUs[next]!
      hole = next
    }
    table[hole] = EMPTY
    tableUntilUs[hole] = 0
  }

  private resize(capacity: number): void {
    this.rebuild(this.inOrder(this.keys), this.inOrder(this.untilUs), capacity)
  }

  private rebuild(keys: Float64Array, untilUs: Float64Array, capacity: number): void {
    this.keys = new Float64Array(capacity)
    this.untilUs = new Float64Array(capacity)
    this.table = new Float64Array(2 * capacity)
    this.tableUntilUs = new Float64Array(2 * capacity)
    this.head = this.count = 0
    for (let i = 0; i < keys.length; i++) this.append(keys[i]!, untilUs[i]!)
  }

  private inOrder(ring: Float64Array): Float64Array {
    const ordered = new Float64Array(this.count)
    const atEnd = Math.min(this.count, ring.length - this.head)
    ordered.set(ring.subarray(this.head, this.head + atEnd))
    ordered.set(ring.subarray(0, this.count - atEnd), atEnd)
    return ordered
  }

  /** The keys in the order of their ends. Equal keys give equal images, however the table grew. */
  snapshot(): Image {
    return { keys: this.inOrder(this.keys), untilUs: this.inOrder(this.untilUs) }
  }

  restore(image: Image): void {
    const { keys, untilUs } = image as unknown as { keys: Float64Array; untilUs: Float64Array }
    let capacity = CAPACITY_MIN
    while (capacity < keys.length) capacity *= 2
    this.rebuild(keys, untilUs, capacity)
  }
}
