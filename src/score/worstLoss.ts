import { type Bet, type Divided, type Work, worstPayout } from './jointOutcomes.ts'

/** A position while a maker has it in its open book, [fromUs, toUs). */
export interface Stretch {
  readonly fromUs: number
  /** Infinity when the position was open at the end of the session. */
  readonly toUs: number
  /** Null for a position that cannot win. */
  readonly bet: Bet | null
  /** What the position loses at worst and wins at best, microUSDC, before fees. */
  readonly riskMicros: number
  readonly gainMicros: number
  /** Whether all legs are known. Otherwise the position is treated as one that loses more easily. */
  readonly isWhole: boolean
}

export interface WorstLoss {
  readonly micros: number
  /** Whether the figure is exactly the worst loss. Otherwise `label` says what it is. */
  readonly isExact: boolean
  /** Why the figure is not exact. */
  readonly label?: string
}

/** Bets looked at per maker: some hundredths of a second. The first path of each book, which looks at every bet for each set, comes on top. */
const WORK = 250_000
const BOOKS_MAX = 64

/** The label of a worst loss that is only an upper bound. */
export const NOT_EXCEEDED = 'not exceeded'

/**
 * The largest loss, over all instants, in the worst joint outcome of the positions open at that instant, none of which is voided. The
 * instant with the largest bound is always valued next. Its value bounds its neighbours, by what was opened and ended in between. Null
 * without positions.
 */
export function worstLoss(stretches: readonly Stretch[], work: Work = { left: WORK }): WorstLoss | null {
  if (stretches.length === 0) return null
  const instants = new Instants(stretches)
  const areWhole = stretches.every(({ isWhole }) => isWhole)
  const divided: Divided = new Map()
  let found = 0
  for (let books = 0; ; books++) {
    const at = instants.largest()
    const bound = Math.max(found, instants.bound[at]!)
    if (bound <= found || instants.isValued(at) || books === BOOKS_MAX || work.left <= 0) {
      return areWhole && bound <= found ? { micros: bound, isExact: true } : { micros: bound, isExact: false, label: NOT_EXCEEDED }
    }
    const { bets, fixed } = instants.bookAt(at)
    const { low, high } = worstPayout(bets, work, found + fixed, divided)
    found = Math.max(found, low - fixed)
    instants.value(at, high - fixed)
  }
}

interface Event {
  readonly atUs: number
  readonly opens: boolean
  readonly stretch: Stretch
}

/** The instants at which a book changes. The end of a position can raise the worst loss too, when the position was a hedge. */
class Instants {
  /** Upper bound of the worst loss by instant, microUSDC. */
  readonly bound: Float64Array
  private readonly stretches: readonly Stretch[]
  private readonly atUs: number[] = []
  private readonly valued: Uint8Array
  /** Totals up to each instant: the risk and the gain of what was opened and of what ended. */
  private readonly openedRisk: number[] = []
  private readonly openedGain: number[] = []
  private readonly endedRisk: number[] = []
  private readonly endedGain: number[] = []

  constructor(stretches: readonly Stretch[]) {
    this.stretches = stretches
    const events: Event[] = stretches.flatMap((stretch) => [
      { atUs: stretch.fromUs, opens: true, stretch }, ...(stretch.toUs < Infinity ? [{ atUs: stretch.toUs, opens: false, stretch }] : []),
    ])
    events.sort((a, b) => a.atUs - b.atUs)
    let [openedRisk, openedGain, endedRisk, endedGain] = [0, 0, 0, 0]
    events.forEach(({ atUs, opens, stretch: { riskMicros, gainMicros } }, i) => {
      if (opens) {
        openedRisk += riskMicros
        openedGain += gainMicros
      } else {
        endedRisk += riskMicros
        endedGain += gainMicros
      }
      const next = events[i + 1]
      if (next?.atUs === atUs) return
      this.atUs.push(atUs)
      this.openedRisk.push(openedRisk)
      this.openedGain.push(openedGain)
      this.endedRisk.push(endedRisk)
      this.endedGain.push(endedGain)
    })
    this.bound = Float64Array.from(this.atUs, (_, i) => this.openedRisk[i]! - this.endedRisk[i]!)
    this.valued = new Uint8Array(this.atUs.length)
  }

  isValued(at: number): boolean {
    return this.valued[at] === 1
  }

  /** The instant of the largest bound. */
  largest(): number {
    let at = 0
    for (let i = 1; i < this.bound.length; i++) if (this.bound[i]! > this.bound[at]!) at = i
    return at
  }

  /** What is open at an instant. `fixed` is won whatever happens: stakes of backed positions minus prices of held ones. A loop, as in runTables.ts. */
  bookAt(at: number): { readonly bets: readonly Bet[]; readonly fixed: number } {
    const atUs = this.atUs[at]!
    const bets: Bet[] = []
    let fixed = 0
    for (const { fromUs, toUs, bet, riskMicros, gainMicros } of this.stretches) {
      if (fromUs > atUs || atUs >= toUs) continue
      fixed += bet !== null && bet.weight > 0 ? gainMicros : 0 - riskMicros
      if (bet !== null) bets.push(bet)
    }
    return { bets, fixed }
  }

  /** The book of an instant loses at most `lossMicros`. At another instant, positions that came on top can lose, and missing ones could have won. */
  value(at: number, lossMicros: number): void {
    this.valued[at] = 1
    for (let i = 0; i < this.bound.length; i++) {
      const more = i >= at
        ? this.openedRisk[i]! - this.openedRisk[at]! + this.endedGain[i]! - this.endedGain[at]!
        : this.endedRisk[at]! - this.endedRisk[i]! + this.openedGain[at]! - this.openedGain[i]!
      this.bound[i] = Math.min(this.bound[i]!, lossMicros + more)
    }
  }
}
