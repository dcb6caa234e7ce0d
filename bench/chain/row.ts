/** The measured rate of one way to settle. */
export interface ChainBenchRow {
  readonly chain: 'svm' | 'evm'
  readonly what: string
  /** Settlements per second of wall time: median of the rounds, slowest, fastest. */
  readonly perSecond: number
  readonly low: number
  readonly high: number
}

/** @param rates the rates of the rounds. The first round, in which code is compiled, is left out. */
export function rowOf(chain: ChainBenchRow['chain'], what: string, rates: readonly number[]): ChainBenchRow {
  const sorted = rates.slice(1).sort((a, b) => a - b)
  return { chain, what, perSecond: sorted[sorted.length >> 1]!, low: sorted[0]!, high: sorted.at(-1)! }
}

const OUTCOMES = ['won', 'lost', 'void'] as const

/** The outcomes of positions, each of the three equally often. */
export const outcomeOf = (position: number): (typeof OUTCOMES)[number] => OUTCOMES[position % OUTCOMES.length]!
