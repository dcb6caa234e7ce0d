import { setImmediate } from 'node:timers/promises'
import fc from 'fast-check'
import { commandsOf, missing, newCoverage, table } from '../test/model/parlay/coverage.ts'
import { duel } from '../test/model/parlay/duel.ts'
import { runOf } from '../test/model/parlay/intents.ts'
import {
  commandsOf as outcomeCommandsOf, missing as outcomeMissing, newCoverage as newOutcomeCoverage, table as outcomeTable,
} from '../test/model/outcome/coverage.ts'
import { duel as outcomeDuel } from '../test/model/outcome/duel.ts'
import { runOf as outcomeRunOf } from '../test/model/outcome/intents.ts'
import { newCoverage as newOutcomeGateCoverage } from '../test/model/outcomeGate/coverage.ts'
import { duel as outcomeGateDuel } from '../test/model/outcomeGate/duel.ts'
import { gateProfile as outcomeGateProfile, intent as outcomeGateIntent } from '../test/model/outcomeGate/intents.ts'
import { newCoverage as newGateCoverage } from '../test/model/parlayGate/coverage.ts'
import { duel as gateDuel } from '../test/model/parlayGate/duel.ts'
import { gateProfile, intent } from '../test/model/parlayGate/intents.ts'

const RUNS_A_BATCH = 40
const STEPS_MAX = 400
const LEAST_ACCEPTED = 0.2

export interface DuelSoakSettings {
  /** Infinity to play until stopped. */
  readonly minutes: number
  /** `venue`, `gate`, `outcome` or `outcome-gate`; null for all, in turn. */
  readonly of: string | null
  /** Seed of the first batch. The next batches count on. */
  readonly seed: number
  /** A path that a failure has named: plays this one run again in place of all. */
  readonly path: string | null
}

/**
 * Plays venues and gates beside their reference models on random commands, batch after batch, until the time is over,
 * Ctrl-C or a difference, which is printed with its seed and path and the shrunk commands. Returns whether they agreed.
 */
export async function duelSoak({ minutes, of, seed, path }: DuelSoakSettings): Promise<boolean> {
  const stop = new AbortController()
  process.once('SIGINT', () => stop.abort())
  const coverage = newCoverage()
  const gateCoverage = newGateCoverage()
  const gateRun = fc.tuple(gateProfile, fc.array(intent, { minLength: 1, maxLength: STEPS_MAX, size: 'max' }))
  const outcomeCoverage = newOutcomeCoverage()
  const outcomeGateCoverage = newOutcomeGateCoverage()
  const outcomeGateRun = fc.tuple(outcomeGateProfile, fc.array(outcomeGateIntent, { minLength: 1, maxLength: STEPS_MAX, size: 'max' }))
  const venue = fc.property(runOf(STEPS_MAX), ([profile, intents]) => duel(profile, intents, coverage))
  const gate = fc.property(gateRun, ([profile, intents]) => gateDuel(profile, intents, gateCoverage))
  const outcome = fc.property(outcomeRunOf(STEPS_MAX), ([profile, intents]) => outcomeDuel(profile, intents, outcomeCoverage))
  const outcomeGate = fc.property(outcomeGateRun, ([profile, intents]) => outcomeGateDuel(profile, intents, outcomeGateCoverage))
  const checks = [
    { name: 'venue', check: (parameters: object) => fc.check(venue, parameters) },
    { name: 'gate', check: (parameters: object) => fc.check(gate, parameters) },
    { name: 'outcome', check: (parameters: object) => fc.check(outcome, parameters) },
    { name: 'outcome-gate', check: (parameters: object) => fc.check(outcomeGate, parameters) },
  ].filter(({ name }) => of === null || name === of)
  const told = (): string => `${commandsOf(coverage)} commands of the venue, ${gateCoverage.commands} of the gate, ${
    outcomeCommandsOf(outcomeCoverage)} of the outcome venue and ${outcomeGateCoverage.commands} of the outcome gate agree`
  const endsAtMs = Date.now() + minutes * 60_000
  let shownAtMs = Date.now()
  for (let batch = seed; !stop.signal.aborted && Date.now() < endsAtMs; batch++) {
    for (const { name, check } of checks) {
      const played = check(path === null ? { numRuns: RUNS_A_BATCH, seed: batch } : { numRuns: 1, seed: batch, path })
      if (!played.failed) continue
      console.log(`${name} and model differ; again: npm run soak -- --of ${name} --seed ${played.seed} --path ${played.counterexamplePath}`)
      console.log(played.errorInstance instanceof Error ? played.errorInstance.message : String(played.errorInstance))
      return false
    }
    if (path !== null) break
    if (Date.now() - shownAtMs >= 10_000) {
      shownAtMs = Date.now()
      console.log(`${told()}, up to seed ${batch}`)
    }
    await setImmediate()
  }
  if (of === null || of === 'venue') console.log(`${table(coverage)}\n`)
  if (of === null || of === 'outcome') console.log(`${outcomeTable(outcomeCoverage)}\n`)
  console.log(told())
  if (path !== null) return true
  for (const line of of === null || of === 'venue' ? missing(coverage, LEAST_ACCEPTED) : []) console.log(`not reached by venue: ${line}`)
  for (const line of of === null || of === 'outcome' ? outcomeMissing(outcomeCoverage, LEAST_ACCEPTED) : []) console.log(`not reached by outcome: ${line}`)
  return true
}
