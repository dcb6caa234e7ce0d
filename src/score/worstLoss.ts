import { type Bet, type Work, worstPayout } from './jointOutcomes.ts'

/** A position while a maker has it in its open book, [fromUs, toUs). */
export interface Stretch {
  readonly fromUs: number
  /** Infinity: it was open when the session ended. */
  readonly toUs: number
  /** Null: it cannot win. */
  readonly bet: Bet | null
  /** What it loses at worst, and what it wins at best; microUSDC, before fees. */
  readonly riskMicros: number
  readonly gainMicros: number
  /** All its legs are known: else it is taken for one that loses more easily. */
  readonly isWhole: boolean
}

export interface WorstLoss {
  readonly micros: number
  /** It is the worst loss; else what `label` says. */
  readonly isExact: boolean
  /** Where it is not exact: why not. */
  readonly label?: string
}

/** Bets looked at per maker: a tenth of a second or two, besides each book's first way down, which looks at every bet for each set. */
const WORK = 1_000_000
const BOOKS_MAX = 64

/** What a worst loss is called that is only known not to be exceeded. */
export const NOT_EXCEEDED = 'not exceeded'

/**
 * The largest loss, over all instants, of the worst joint outcome of the positions open at that instant, of which none is voided. The instant of the
 * largest bound is valued next: its own value bounds its neighbours by what was opened and ended in between. Null without positions.
 */
export function worstLoss(stretches: readonly Stretch[], work: Work = { left: WORK }): WorstLoss | null {
  if (stretches.length === 0) return null
  const instants = new Instants(stretches)
  const areWhole = stretches.every(({ isWhole }) => isWhole)
  let found = 0
  for (let books = 0; ; books++) {
    const at = instants.largest()
    const bound = Math.max(found, instants.bound[at]!)
    if (bound <= found || instants.isValued(at) || books === BOOKS_MAX || work.left <= 0) {
      return areWhole && bound <= found ? { micros: bound, isExact: true } : { micros: bound, isExact: false, label: NOT_EXCEEDED }
    }
    const { bets, fixed } = instants.bookAt(at)
    const { low, high } = worstPayout(bets, work)
    found = Math.max(found, low - fixed)
    instants.value(at, high - fixed)
  }
}

interface Event {
  readonly atUs: number
  readonly opens: boolean
  readonly stretch: Stretch
}

/** The instants at which a book changes: an end can raise its worst loss too, when what ended was a hedge. */
class Instants {
  /** Of the worst loss, microUSDC. */
  readonly bound: Float64Array
  private readonly stretches: readonly Stretch[]
  private readonly atUs: number[] = []
  private readonly valued: Uint8Array
  /** Up to each instant: what was opened and what ended, by its risk and by its gain. */
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

  /** What is open at an instant. `fixed` is won whatever happens: stakes of backed positions, less prices of held ones. A loop, as in runTables.ts. */
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

  /** The book of an instant loses `lossMicros` at most. Of another, what it has besides can lose, and what it lacks could have won. */
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
