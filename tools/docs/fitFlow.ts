// Fits stakes and leg counts of bettors to what ../shared/data holds of real requests: `node tools/docs/fitFlow.ts`.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'

const DATA = fileURLToPath(new URL('../../../shared/data/', import.meta.url))
/** Leg counts that the parlay service takes. */
const [LEGS_MIN, LEGS_MAX] = [2, 5]

/** A settled combination: how many legs, and how many contracts of one dollar each were traded of it. */
interface Combination {
  readonly legs: number
  readonly payout: number
}

const linesOf = (file: string): string[] => {
  const bytes = readFileSync(`${DATA}${file}`)
  return (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8').trim().split('\n')
}

function settledCombinations(): Combination[] {
  return linesOf('kalshi-sports/settlement_ledger__dt=2026-07-17.jsonl.gz')
    .map((line) => JSON.parse(line) as { ticker: string; title: string; volume: number })
    .filter(({ ticker }) => ticker.startsWith('KXMVE'))
    // A leg begins with its side; its own text may hold commas.
    .map(({ title, volume }) => ({ legs: title.split(/,(?=(?:yes|no) )/).length, payout: volume }))
}

/** What five recorded requests wanted to spend, dollars, and on how many legs. */
function requests(): { legs: number; stake: number }[] {
  return linesOf('kalshi-rfq/ws_rfq_frames_sample5.jsonl')
    .map((line) => (JSON.parse(line) as { msg: { target_cost_dollars: string; mve_selected_legs: unknown[] } }).msg)
    .map(({ target_cost_dollars: cost, mve_selected_legs: legs }) => ({ legs: legs.length, stake: Number(cost) }))
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length
const moment = (values: readonly number[], power: number): number => {
  const middle = mean(values)
  return mean(values.map((value) => (value - middle) ** power))
}

/** Share of each count from `low` to `high`, each `ratio` times that of the one before. */
function geometric(ratio: number, low: number, high: number): number[] {
  const weights = Array.from({ length: high - low + 1 }, (_, i) => ratio ** i)
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  return weights.map((weight) => weight / total)
}

const meanOf = (shares: readonly number[], low: number): number => shares.reduce((sum, share, i) => sum + share * (low + i), 0)

/**
 * Ratio of a geometric distribution cut off at both ends, by maximum likelihood, and its standard error: log(ratio) is the natural
 * parameter of an exponential family, so the fitted mean is the sample's and the information per count is the fitted variance.
 */
function fitRatio(counts: readonly number[], low: number, high: number): { ratio: number; error: number } {
  const target = mean(counts)
  let [less, more] = [0.01, 100]
  for (let i = 0; i < 200; i++) {
    const middle = Math.sqrt(less * more)
    if (meanOf(geometric(middle, low, high), low) < target) less = middle
    else more = middle
  }
  const shares = geometric(less, low, high)
  const fittedMean = meanOf(shares, low)
  const variance = shares.reduce((sum, share, i) => sum + share * (low + i - fittedMean) ** 2, 0)
  return { ratio: less, error: less / Math.sqrt(counts.length * variance) }
}

/** Lognormal by maximum likelihood: the median, the deviation of the logarithm, and their standard errors. */
function fitLognormal(values: readonly number[]): string {
  const logs = values.map(Math.log)
  const [median, sigma, n] = [Math.exp(mean(logs)), Math.sqrt(moment(logs, 2)), values.length]
  const [medianError, sigmaError] = [(median * sigma) / Math.sqrt(n), sigma / Math.sqrt(2 * n)]
  return `median ${median.toFixed(1)} ± ${medianError.toFixed(1)} USD, sigma ${sigma.toFixed(2)} ± ${sigmaError.toFixed(2)} (n = ${n})`
}

function showLegs(name: string, counts: readonly number[]): void {
  const within = counts.filter((legs) => legs <= LEGS_MAX)
  const { ratio, error } = fitRatio(within, LEGS_MIN, LEGS_MAX)
  const shares = geometric(ratio, LEGS_MIN, LEGS_MAX)
  const observed = shares.map((_, i) => within.filter((legs) => legs === LEGS_MIN + i).length)
  const misfit = shares.reduce((sum, share, i) => sum + (observed[i]! - share * within.length) ** 2 / (share * within.length), 0)
  const all = fitRatio(counts, LEGS_MIN, Math.max(...counts))
  console.log(`legs of ${name}: ${counts.length} combinations, ${LEGS_MIN} to ${Math.max(...counts)} legs, ${percent((counts.length - within.length) / counts.length)} with more than ${LEGS_MAX}`)
  console.log(`  ratio ${ratio.toFixed(3)} ± ${error.toFixed(3)} from ${LEGS_MIN} to ${LEGS_MAX} legs (n = ${within.length}); ${all.ratio.toFixed(3)} ± ${all.error.toFixed(3)} over all`)
  console.log(`  legs      ${shares.map((_, i) => String(LEGS_MIN + i).padStart(7)).join('')}`)
  console.log(`  observed  ${observed.map((count) => percent(count / within.length).padStart(7)).join('')}`)
  console.log(`  fitted    ${shares.map((share) => percent(share).padStart(7)).join('')}   chi-squared ${misfit.toFixed(1)}, 2 degrees of freedom, p = ${Math.exp(-misfit / 2).toPrecision(2)}`)
}

const percent = (share: number): string => `${(100 * share).toFixed(1)}%`

function showPayouts(payouts: readonly number[]): void {
  const logs = payouts.map(Math.log)
  const deviation = Math.sqrt(moment(logs, 2))
  const sorted = payouts.toSorted((a, b) => a - b)
  const at = (share: number): string => sorted[Math.floor(share * sorted.length)]!.toFixed(1)
  console.log(`payouts of those traded: lognormal, ${fitLognormal(payouts)}`)
  console.log(`  of the logarithm: skewness ${(moment(logs, 3) / deviation ** 3).toFixed(2)}, kurtosis ${(moment(logs, 4) / deviation ** 4).toFixed(2)} (0 and 3 if lognormal)`)
  console.log(`  5 %, 25 %, 50 %, 75 %, 95 % of them: ${[0.05, 0.25, 0.5, 0.75, 0.95].map(at).join(', ')} USD`)
}

const settled = settledCombinations()
const traded = settled.filter(({ payout }) => payout > 0)
showLegs('all settled', settled.map(({ legs }) => legs))
showLegs('those traded', traded.map(({ legs }) => legs))
showPayouts(traded.map(({ payout }) => payout))
const asked = requests()
console.log(`stakes of recorded requests: ${asked.map(({ stake }) => stake).join(', ')} USD on ${asked.map(({ legs }) => legs).join(', ')} legs`)
console.log(`  lognormal, ${fitLognormal(asked.map(({ stake }) => stake))}: too few for a fit`)
