/** What a service makes of a position with a void leg. */
export interface VoidRules {
  /** Whether a loss after the void still loses the position, until it is settled (docs/conformance/outcome.md). Otherwise its first void leg ends it. */
  readonly lossBeatsVoid: boolean
  /** Whether the taker fee is given back with the stake. */
  readonly feeIsGivenBack: boolean
}

export const voidRulesOf = (service: string): VoidRules => ({ lossBeatsVoid: service === 'outcome', feeIsGivenBack: service !== 'outcome' })

/** A leg as it was recorded. */
export interface RecordedLeg {
  readonly ticker: string
  readonly isYes: boolean
  readonly decidedUs: number
  readonly result: 'right' | 'wrong' | 'void'
}

/** What decides a position. */
export interface Deciding {
  /** The legs that can lose it, in the order of their results. */
  readonly legs: readonly RecordedLeg[]
  /** When the position is decided if all of these come right: at the last of them, or at a void leg. */
  readonly rightUs: number
  /** From the decision to the payment in the recorded night. */
  readonly lagUs: number
  /** Whether it is given back, and not won, where all of these come right. */
  readonly isVoidElseLost: boolean
}

/**
 * Which legs can lose a position that was paid at `paidUs`. Without a void leg all can. With one, those can whose results come up to the instant of
 * the void or, where the service lets a loss beat a void, up to the settlement. A loss after the void counts as decided at the void.
 */
export function decidingOf(recorded: readonly RecordedLeg[], paidUs: number, { lossBeatsVoid }: VoidRules): Deciding {
  const legs = recorded.toSorted((a, b) => a.decidedUs - b.decidedUs)
  const end = legs.find(({ result }) => result !== 'right') ?? legs.at(-1)!
  const lagUs = paidUs - end.decidedUs
  const voidUs = legs.find(({ result }) => result === 'void')?.decidedUs
  if (voidUs === undefined) return { legs, rightUs: legs.at(-1)!.decidedUs, lagUs, isVoidElseLost: false }
  const untilUs = lossBeatsVoid ? voidUs + lagUs : voidUs
  const own = legs.filter(({ result, decidedUs }) => result !== 'void' && decidedUs <= untilUs)
  return { legs: own.map((leg) => ({ ...leg, decidedUs: Math.min(leg.decidedUs, voidUs) })), rightUs: voidUs, lagUs, isVoidElseLost: true }
}
