import { assert } from '../unit/assert.ts'
import { NONE } from '../unit/none.ts'
import { SlotColumns } from '../unit/slotColumns.ts'

/** Most legs of an intent and most makers that it can leave out. */
export const INTENT_LEGS_MAX = 50
export const INTENT_EXCLUDED_MAX = 8

export const IntentState = { arriving: 1, requesting: 2, open: 3, committing: 4, ended: 5 } as const
const { arriving, ended } = IntentState

/** Small integers of an intent, by their offsets in a row of `Intents.words`. */
export const IntentWord = {
  /** An `IntentState`. */
  state: 0,
  /** Raised each time a row is taken, so that late messages know a former tenant. */
  generation: 1,
  cohort: 2,
  /** Whose draws it has (engine/drawSources.ts). */
  source: 3,
  bettor: 4,
  legCount: 5,
  decisions: 6,
  /** Requests made once more, after a limit. */
  retries: 7,
  excludedCount: 8,
  /** Who made the best quote, where the service tells it before the commit, otherwise −1. */
  bestMaker: 9,
} as const

/** All else, by its offset in a row of `Intents.cells`. */
export const IntentCell = {
  arrival: 0,
  request: 1,
  bestQuote: 2,
  bestOddsE4: 3,
  bookChanges: 4,
  minOddsE4: 5,
  version: 6,
  betMicros: 7,
  /** What the best quote pays, where a commit has to name it, otherwise −1. */
  bestPayoutMicros: 8,
} as const

const STRIDE = 16
/** A row of legs, or of excluded makers, is so many times as long as the other rows: the first legs share a cache line. */
const LEGS = 64 / STRIDE
const EXCLUDED = INTENT_EXCLUDED_MAX / STRIDE

/**
 * Intents of bettors of all cohorts, one row each from the arrival to its end. An intent is named by the index of its row's first word and
 * cell: `words[intent + IntentWord.state]`, `cells[intent + IntentCell.arrival]`.
 */
export class Intents extends SlotColumns {
  declare words: Int32Array
  declare cells: Float64Array
  /** The legs of an intent begin at `legsFrom`. */
  declare legMarkets: Int32Array
  declare legSides: Uint8Array
  /** Makers that it leaves out, from `excludedFrom` on. */
  declare excluded: Int32Array
  readonly #marketCount: number = NONE

  /** @param marketCount markets of the catalogue. */
  constructor(marketCount: number, capacity = 1024) {
    super(capacity, STRIDE)
    this.#marketCount = marketCount
    this.words = new Int32Array(capacity * STRIDE)
    this.cells = new Float64Array(capacity * STRIDE)
    this.legMarkets = new Int32Array(capacity * STRIDE * LEGS)
    this.legSides = new Uint8Array(capacity * STRIDE * LEGS)
    this.excluded = new Int32Array(capacity * STRIDE * EXCLUDED)
  }

  /** Starts an intent of bettor account `bettor`, the `arrival`-th of its cohort, or of another source of draws. */
  begin(cohort: number, bettor: number, arrival: number, source = cohort): number {
    const intent = this.take()
    const { words, cells } = this
    words[intent + IntentWord.state] = arriving
    words[intent + IntentWord.generation]!++
    words[intent + IntentWord.cohort] = cohort
    words[intent + IntentWord.source] = source
    words[intent + IntentWord.bettor] = bettor
    words[intent + IntentWord.legCount] = words[intent + IntentWord.decisions] = words[intent + IntentWord.retries] = words[intent + IntentWord.excludedCount] = 0
    words[intent + IntentWord.bestMaker] = NONE
    cells[intent + IntentCell.arrival] = arrival
    cells[intent + IntentCell.request] = cells[intent + IntentCell.version] = NONE
    cells[intent + IntentCell.bestQuote] = cells[intent + IntentCell.bestOddsE4] = cells[intent + IntentCell.bestPayoutMicros] = NONE
    cells[intent + IntentCell.bookChanges] = cells[intent + IntentCell.minOddsE4] = cells[intent + IntentCell.betMicros] = 0
    return intent
  }

  /** Whether it is the number of a market. */
  hasMarket(market: number): boolean {
    return Number.isInteger(market) && market >= 0 && market < this.#marketCount
  }

  /** Place of the first leg of an intent. */
  legsFrom(intent: number): number {
    return intent * LEGS
  }

  excludedFrom(intent: number): number {
    return intent * EXCLUDED
  }

  end(intent: number): void {
    assert(this.words[intent + IntentWord.state] !== ended, 'an intent ends once')
    this.words[intent + IntentWord.state] = ended
    this.give(intent)
  }
}
