import { CountedColumns } from '../unit/countedColumns.ts'
import { NONE } from '../unit/none.ts'

const NEVER_LISTED = 0
const LISTED = 1
const DELISTED = 2

/** The markets or outcomes that a service lists, by the numbers that the operator chooses. */
export abstract class ListingColumns extends CountedColumns {
  /** One more than the highest number listed so far. */
  count = 0
  status = new Uint8Array(this.capacity)
  halted = new Uint8Array(this.capacity)
  resolved = new Uint8Array(this.capacity)
  /** The service's result once resolved. */
  result = new Uint8Array(this.capacity)
  closeUs = new Float64Array(this.capacity)
  /** Leg node of the position that was linked last, or −1 (see positions.ts of the service). */
  firstLeg = new Int32Array(this.capacity)

  protected override rowCount(): number {
    return this.count
  }

  /** Whether the number was ever listed. */
  known(number: number): boolean {
    return number >= 0 && number < this.count && this.status[number] !== NEVER_LISTED
  }

  listed(number: number): boolean {
    return number >= 0 && number < this.count && this.status[number] === LISTED
  }

  /** Whether it is past its close, or resolved. */
  over(number: number, nowUs: number): boolean {
    return nowUs >= this.closeUs[number]! || this.resolved[number] === 1
  }

  /** Lists the number, or relists it with another close. It is then not halted. */
  list(number: number, closeUs: number): void {
    if (!this.known(number)) {
      this.count = Math.max(this.count, number + 1)
      this.ensure(this.count)
      this.firstLeg[number] = NONE
    }
    this.status[number] = LISTED
    this.halted[number] = 0
    this.closeUs[number] = closeUs
  }

  delist(number: number): void {
    this.status[number] = DELISTED
  }
}
