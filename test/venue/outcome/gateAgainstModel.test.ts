import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { missing, newCoverage, table } from '../../model/outcomeGate/coverage.ts'
import { duel } from '../../model/outcomeGate/duel.ts'
import { gateProfile, intent } from '../../model/outcomeGate/intents.ts'

/** Shrinking stops then, so that a failure is told before the test runs out of time. */
const LONGEST_MS = 100_000
/** Enough runs from a fixed seed to reach everything that `missing` asks for; further ones start where chance says. */
const SEED = 20_250_619
const RUNS = 195
const RANDOM_RUNS = 30
const LEAST_ACCEPTED = 0.2
const LEAST_COMMANDS = 30_000

const run = fc.tuple(gateProfile, fc.array(intent, { minLength: 1, maxLength: 260, size: 'max' }))

describe('the gate against the reference model', () => {
  const coverage = newCoverage()

  beforeAll(() => {
    fc.assert(fc.property(run, ([settings, intents]) => duel(settings, intents, coverage)), {
      numRuns: RUNS, seed: SEED, interruptAfterTimeLimit: LONGEST_MS,
    })
    console.log(`seed ${SEED}\n${table(coverage)}`)
  }, 240_000)

  it('agrees on every row, reply and read on the way through every transition, class of answer, limit and code', () => {
    expect(missing(coverage, LEAST_ACCEPTED)).toEqual([])
    expect(coverage.commands).toBeGreaterThanOrEqual(LEAST_COMMANDS)
  })

  it('agrees wherever chance leads', () => {
    fc.assert(fc.property(run, ([settings, intents]) => duel(settings, intents, newCoverage())), {
      numRuns: RANDOM_RUNS, interruptAfterTimeLimit: LONGEST_MS,
    })
  }, 240_000)

  it.runIf(process.env['PARLOR_SOAK'])('agrees over as many fixed runs as PARLOR_SOAK says', () => {
    const soaked = newCoverage()
    fc.assert(fc.property(run, ([settings, intents]) => duel(settings, intents, soaked)), {
      numRuns: Number(process.env['PARLOR_SOAK']), seed: SEED + 1,
    })
    console.log(`seed ${SEED + 1}\n${table(soaked)}`)
  }, 3_600_000)
})
