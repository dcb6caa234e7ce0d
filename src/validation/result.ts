/** How many samples a validation takes: `small` for tests, `full` for what is published. */
export type SampleSize = 'small' | 'full'

/**
 * One figure that was measured in sessions of the real services, beside its known value. Figures of one item differ in a setting, such
 * as the number of rivals.
 */
export interface ValidationFigure {
  /** Unique id: the item's number and what distinguishes its figures, such as `1.signal-2`. */
  readonly id: string
  /** Its item: a number of docs/validation.md, or `M`. */
  readonly item: string
  readonly title: string
  /** Where the known value comes from. */
  readonly source: string
  /** `equals`: the known value lies in the interval. `below`, a direction: the whole interval lies below the known value. */
  readonly claim: 'equals' | 'below'
  /** In `unit`, as `measured`, `low`, `high` and `widthMax` are. */
  readonly known: number
  readonly measured: number
  readonly low: number
  readonly high: number
  /** An interval as wide as this or wider proves nothing: the figure fails. */
  readonly widthMax: number
  readonly pass: boolean
  /** Fills that the figure rests on, counted at the ledger: pots that were filled, and emptied again by a settlement. */
  readonly samples: number
  /** The same fills counted at the commit: quotes selected and confirmed. The figure fails unless it equals `samples`. */
  readonly committed: number
  readonly unit: string
  /** What was set, in words that a reader of the figure needs. */
  readonly settings: Readonly<Record<string, string | number>>
  /** What was widened or rescaled in the service, and what else a reader must know. May be empty. */
  readonly remark: string
}

/** One item: its figures together. */
export interface ValidatedItem {
  readonly id: string
  readonly title: string
  /** Whether it was run with its deliberately wrong parameter. */
  readonly wrong: boolean
  /** Whether every figure of it passed, of one or more. */
  readonly pass: boolean
  /** How many figures it has. */
  readonly figures: number
}

/** The result of `parlor validate`. It has the same bytes each time and for any number of workers. */
export interface ValidationResult {
  readonly version: 1
  readonly samples: SampleSize
  readonly seed: string
  /** Level of each interval: high enough that all of them hold together with about 95 % (docs/validation.md). */
  readonly level: number
  /** Items that were run with their deliberately wrong parameter. */
  readonly wrong: readonly string[]
  /** Whether every item passed, of one or more. */
  readonly pass: boolean
  readonly items: readonly ValidatedItem[]
  /** In the order of items, and of figures within one. */
  readonly figures: readonly ValidationFigure[]
}
