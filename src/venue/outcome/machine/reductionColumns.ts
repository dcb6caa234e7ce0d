import { EntityColumns } from '../../../unit/countedColumns.ts'

/** Collateral reductions under way, by slot (OM-087, OM-277). */
export class ReductionColumns extends EntityColumns {
  number = new Float64Array(this.capacity)
  account = new Int32Array(this.capacity)
  amountMicros = new Float64Array(this.capacity)
}
