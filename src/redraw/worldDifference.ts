import { fixed, thousands } from '../unit/numberText.ts'
import type { DrawnWorld, RunMarket } from './readMarkets.ts'

/**
 * Why the outcomes of two runs cannot be drawn together. Null where they can: the markets that both runs have are then YES in the same redraws,
 * and a market that one run alone has is drawn by its own chance.
 */
export function worldDifference(a: DrawnWorld, b: DrawnWorld): string | null {
  if (a.correlation !== b.correlation) return `outcomes have a correlation of ${a.correlation} in A and of ${b.correlation} in B`
  const shared = [...a.markets].filter(([ticker]) => b.markets.has(ticker))
  if (shared.length === 0) return 'the runs have no market in common'
  const other = shared.filter(([ticker, inA]) => !areDrawnAlike(inA, b.markets.get(ticker)!, a.correlation))
  if (other.length === 0) return null
  const [ticker, inA] = other[0]!
  return `${thousands(other.length)} of the ${thousands(shared.length)} markets that both have are drawn otherwise in B: ${ticker}, ${wordsOf(inA, b.markets.get(ticker)!)}`
}

function areDrawnAlike({ drawn: inA }: RunMarket, { drawn: inB }: RunMarket, correlation: number): boolean {
  if (inA === null || inB === null) return inA === inB
  return inA.source === inB.source && inA.from === inB.from && inA.to === inB.to && (correlation === 0 || inA.group === inB.group)
}

function wordsOf({ drawn: inA }: RunMarket, { drawn: inB }: RunMarket): string {
  const chanceOf = (drawn: RunMarket['drawn']): string => (drawn === null ? 'void' : fixed(Math.max(0, drawn.to - drawn.from), 4))
  const [chanceInA, chanceInB] = [chanceOf(inA), chanceOf(inB)]
  return chanceInA === chanceInB ? 'with other markets' : `YES with ${chanceInA} in A, ${chanceInB} in B`
}
