import { cashOf } from '../../score/figureBasis.ts'
import { type Estimate, estimateOf } from '../estimates.ts'
import { COVERED_FIGURES, type CoveredFigure, missesOf } from '../coverage.ts'
import type { ItemFigure, Task, ValidationItem } from '../figure.ts'

const BOOKS = { small: 2000, full: 6000 } as const
const CLUSTERS = [5, 10, 20, 40] as const
const LEGS = [2, 5] as const
/** Parlays of a cluster, as few as in scenarios/nyc-weather.yaml. */
const PARLAYS = 4
/** Clusters of cash in the wrong variant, as a share of those that it needs. */
const WRONG_SHARE = 1 / 8
const POINTS = 100
/** Points. Values may miss in 7 of 100 books. Cash comes near it at its least count, so that its bound leaves room for the interval. */
const MISSES_MAX = { valued: { small: 7, full: 7 }, cash: { small: 10, full: 8 } } as const
const WIDTH_MAX = { small: 5, full: 2.5 } as const

const [VALUED, PROFIT] = COVERED_FIGURES

function missed(task: Task, legs: number, clusters: number, figure: CoveredFigure): { readonly estimate: Estimate; readonly books: number } {
  const books = BOOKS[task.size]
  const [misses] = missesOf({ legs: [legs], parlays: PARLAYS, move: 0.03 }, clusters, books, task.seed, [figure])
  task.onRequests?.(books)
  const share = (misses!.below + misses!.above) / misses!.intervals
  const { measured, low, high } = estimateOf(share * POINTS, Math.sqrt((share * (1 - share)) / misses!.intervals) * POINTS)
  return { estimate: { measured, low: Math.max(0, low), high }, books }
}

function figureOfBooks(task: Task, legs: number, clusters: number, kind: 'valued' | 'cash'): ItemFigure {
  const { estimate: { measured, low, high }, books } = missed(task, legs, clusters, kind === 'valued' ? VALUED! : PROFIT!)
  return {
    id: `C.${kind}-${legs}-${clusters}`, title: `95 % intervals of ${kind === 'valued' ? 'luck-adjusted profit' : 'cash'} that miss, ${clusters} clusters of ${legs}-leg parlays`,
    claim: 'below', known: MISSES_MAX[kind][task.size], measured, low, high, widthMax: WIDTH_MAX[task.size], samples: books, committed: books, unit: '%',
    settings: { legs, clusters, parlays: PARLAYS, books },
    remark: 'nothing is played: books are drawn, and both counts are of books; tools/coverage/tables.ts has more of them, with misses on each side',
  }
}

async function measure(task: Task): Promise<ItemFigure[]> {
  const cash = (legs: number): number => Math.max(5, Math.round(cashOf(legs).clustersMin * (task.wrong ? WRONG_SHARE : 1)))
  // The wrong variant concerns cash alone.
  return [
    ...(task.wrong ? [] : LEGS).flatMap((legs) => CLUSTERS.map((clusters) => figureOfBooks(task, legs, clusters, 'valued'))),
    ...LEGS.map((legs) => figureOfBooks(task, legs, cash(legs), 'cash')),
  ]
}

export const coverage: ValidationItem = {
  id: 'C', title: 'coverage of intervals', source: 'a 95 % interval misses in 5 of 100 books', wrong: 'cash is bounded over an eighth of the clusters that it needs',
  requests: (size) => (CLUSTERS.length + 1) * LEGS.length * BOOKS[size], measure,
}
