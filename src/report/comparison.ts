import type { Interval } from '../stats/interval.ts'

/** What a class of requests is called that a maker filled in one of two runs A and B (docs/whatif.md). */
export const CLASS_TEXTS = {
  same: 'filled in both, same odds', repriced: 'filled in both, other odds', won: 'filled in B alone', lost: 'filled in A alone',
  confirmed: 'not confirmed in A', declined: 'not confirmed in B', onlyA: 'asked in A alone', onlyB: 'asked in B alone', held: 'taken over from another',
} as const
type ClassName = keyof typeof CLASS_TEXTS

/** Whose the requests are that a maker fills in one run alone. @param maker null for nobody's */
export function amongText(kind: ClassName, maker: string | null): string {
  const run = kind === 'won' ? 'A' : 'B'
  return maker === null ? `nobody's in ${run}` : `${maker}'s in ${run}`
}

/** microUSDC; the difference is B − A. */
export interface Pair {
  readonly aMicros: number
  readonly bMicros: number
  readonly differenceMicros: number
}

interface ByRun {
  readonly a: number
  readonly b: number
}

export interface ComparedClass {
  readonly kind: ClassName
  readonly requests: number
  readonly profit: Pair
  readonly luckAdjusted: Pair
  readonly among?: readonly { readonly maker: string | null; readonly requests: number; readonly differenceMicros: number }[]
}

export interface ComparedMaker {
  readonly name: string
  readonly profit: Pair
  readonly luckAdjusted: Pair
  readonly difference: Interval
  readonly luckAdjustedDifference: Interval
  readonly redrawn: {
    readonly mean: { readonly value: number; readonly error: number }
    readonly range: readonly [low: number, high: number]
    readonly better: { readonly value: number }
    readonly worse: { readonly value: number }
    readonly asRecorded: ByRun
  } | null
  readonly fills: ByRun
  readonly declined: ByRun
  readonly classes: readonly ComparedClass[]
  readonly sentence: string
}

export interface ComparedService {
  readonly service: string
  readonly requests: { readonly both: number; readonly onlyA: number; readonly onlyB: number }
  readonly makers: readonly ComparedMaker[]
}

/** What texts and pages read of two runs that were joined request by request (`RunsDiff` of src/diff). */
export interface Comparison {
  readonly digests: { readonly a: string; readonly b: string }
  readonly by: string
  readonly redraws: { readonly outcomes: number; readonly seed: string }
  readonly services: readonly ComparedService[]
  readonly notes: readonly string[]
}
