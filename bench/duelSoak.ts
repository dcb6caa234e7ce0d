import { setImmediate } from 'node:timers/promises'
import fc from 'fast-check'
import { commandsOf, missing, newCoverage, table } from '../test/model/parlay/coverage.ts'
import { duel } from '../test/model/parlay/duel.ts'
import { runOf } from '../test/model/parlay/intents.ts'

const RUNS_A_BATCH = 40
const STEPS_MAX = 400
const LEAST_ACCEPTED = 0.2

export interface DuelSoakSettings {
  /** Infinity: until stopped. */
  readonly minutes: number
  /** Of the first batch; the next ones count on. */
  readonly seed: number
  /** Plays one run again that a failure named, in place of all. */
  readonly path: string | null
}

/**
 * Plays parlay venue and reference model side by side on random commands, batch after batch, until the time is over,
 * Ctrl-C or a difference, which is printed with its seed and path and the shrunk commands. Returns whether they agreed.
 */
export async function duelSoak({ minutes, seed, path }: DuelSoakSettings): Promise<boolean> {
  const stop = new AbortController()
  process.once('SIGINT', () => stop.abort())
  const coverage = newCoverage()
  const play = fc.property(runOf(STEPS_MAX), ([profile, intents]) => duel(profile, intents, coverage))
  const endsAtMs = Date.now() + minutes * 60_000
  let shownAtMs = Date.now()
  for (let batch = seed; !stop.signal.aborted && Date.now() < endsAtMs; batch++) {
    const outcome = fc.check(play, path === null ? { numRuns: RUNS_A_BATCH, seed: batch } : { numRuns: 1, seed: batch, path })
    if (outcome.failed) {
      console.log(`venue and model differ; again: node bench/soak.ts --duel --seed ${outcome.seed} --path ${outcome.counterexamplePath}`)
      console.log(outcome.errorInstance instanceof Error ? outcome.errorInstance.message : String(outcome.errorInstance))
      return false
    }
    if (path !== null) break
    if (Date.now() - shownAtMs >= 10_000) {
      shownAtMs = Date.now()
      console.log(`${commandsOf(coverage)} commands agree, up to seed ${batch}`)
    }
    await setImmediate()
  }
  console.log(`${table(coverage)}\n\n${commandsOf(coverage)} commands agree`)
  for (const line of path === null ? missing(coverage, LEAST_ACCEPTED) : []) console.log(`not reached: ${line}`)
  return true
}
