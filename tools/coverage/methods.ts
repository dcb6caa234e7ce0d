import { normalCdf } from '../../src/math/normal.ts'
import type { ClusterSums, Statistic } from '../../src/stats/clusterInterval.ts'
import { counterUniform, type Uniform } from '../../src/stats/counterUniform.ts'
import { quantile } from '../../src/stats/quantile.ts'
import { pickedMean } from '../../src/stats/simultaneous.ts'
import { studentQuantile } from '../../src/stats/student.ts'
import { type Method, SHIPPED } from '../../src/validation/coverage.ts'

const RESAMPLES = 1000
const TAIL = 0.025

/** Methods that intervals were chosen from. */
export const METHODS: Readonly<Record<string, Method>> = {
  shipped: SHIPPED,
  /** Student's on the jackknife. */
  t: (sums, statistic) => {
    const n = sums.cells.length / sums.width
    const { estimate, error } = jackknife(sums.cells, sums.width, statistic)
    const half = studentQuantile(1 - TAIL, n - 1) * error
    return error === 0 ? NONE : { low: estimate - half, high: estimate + half }
  },
  /** T. C. Hesterberg's expanded percentiles (The American Statistician 69, 2015) of 1,000 resamples. */
  percentile: (sums, statistic, key) => {
    const n = sums.cells.length / sums.width
    const tail = normalCdf(Math.sqrt(n / (n - 1)) * studentQuantile(TAIL, n - 1))
    const values = Float64Array.from(resamples(sums, counterUniform(key)), (cells) => statistic(totalsOf(cells, sums.width))).sort()
    return { low: quantile(values, tail), high: quantile(values, 1 - tail) }
  },
  /** The shipped one of a sum that was picked from eight, as a search's winner is. */
  'picked-8': ({ cells, width }) => {
    const values = cells.filter((_, at) => at % width === 0)
    const found = pickedMean(values, 8)
    return found === undefined ? NONE : { low: values.length * found.low, high: values.length * found.high }
  },
  /** The bootstrap-t of B. Efron and R. J. Tibshirani (1993, chapter 12.5) with jackknifed errors. */
  'bootstrap-t': (sums, statistic, key) => {
    const { estimate, error } = jackknife(sums.cells, sums.width, statistic)
    if (error === 0) return NONE
    const ts = Float64Array.from(resamples(sums, counterUniform(key)), (cells) => {
      const again = jackknife(cells, sums.width, statistic)
      return again.error === 0 ? Math.sign(again.estimate - estimate) * 1e9 : (again.estimate - estimate) / again.error
    }).sort()
    return { low: estimate - quantile(ts, 1 - TAIL) * error, high: estimate - quantile(ts, TAIL) * error }
  },
}

const NONE = { low: null, high: null }

function totalsOf(cells: Float64Array, width: number): Float64Array {
  const totals = new Float64Array(width)
  for (let i = 0; i < cells.length; i++) totals[i % width]! += cells[i]!
  return totals
}

function jackknife(cells: Float64Array, width: number, statistic: Statistic): { readonly estimate: number; readonly error: number } {
  const n = cells.length / width
  const totals = totalsOf(cells, width)
  const scaled = new Float64Array(width)
  let [sum, squares] = [0, 0]
  const estimate = statistic(totals)
  for (let left = 0; left < n; left++) {
    for (let k = 0; k < width; k++) scaled[k] = ((totals[k]! - cells[left * width + k]!) * n) / (n - 1)
    const away = statistic(scaled) - estimate
    sum += away
    squares += away * away
  }
  const error = Math.sqrt(Math.max(0, ((n - 1) / n) * (squares - (sum * sum) / n)))
  return { estimate, error: error < 1e-12 * Math.abs(estimate) ? 0 : error }
}

function* resamples({ width, cells }: ClusterSums, uniform: Uniform): Generator<Float64Array> {
  const n = cells.length / width
  for (let r = 0; r < RESAMPLES; r++) {
    const drawn = new Float64Array(cells.length)
    for (let i = 0; i < n; i++) {
      const from = Math.floor(uniform(r * n + i) * n) * width
      for (let k = 0; k < width; k++) drawn[i * width + k] = cells[from + k]!
    }
    yield drawn
  }
}
