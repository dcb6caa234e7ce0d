import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { missing, newCoverage, table } from '../../model/parlay/coverage.ts'
import { duel } from '../../model/parlay/duel.ts'
import { intent, profile } from '../../model/parlay/intents.ts'
import { INVARIANTS, NOT_YET_APPLICABLE } from '../../model/parlay/invariants.ts'

const RUNS = 400
const SOAK_SEED = 20_250_619
const LEAST_ACCEPTED = 0.2

const run = fc.tuple(profile, fc.array(intent, { minLength: 1, maxLength: 220, size: 'max' }))

describe('the venue against the reference model', () => {
  it('agrees on every row, posting, balance and view, and keeps the invariants', () => {
    const coverage = newCoverage()
    fc.assert(fc.property(run, ([settings, intents]) => duel(settings, intents, coverage)), { numRuns: RUNS })
    console.log(table(coverage))
    expect(missing(coverage, LEAST_ACCEPTED)).toEqual([])
  }, 120_000)

  it.runIf(process.env['PARLOR_SOAK'])('agrees over as many fixed runs as PARLOR_SOAK says', () => {
    const coverage = newCoverage()
    fc.assert(fc.property(run, ([settings, intents]) => duel(settings, intents, coverage)), {
      numRuns: Number(process.env['PARLOR_SOAK']), seed: SOAK_SEED,
    })
    console.log(`seed ${SOAK_SEED}\n${table(coverage)}`)
  }, 3_600_000)

  it('has a check or a reason for each of INV-01 to INV-30', () => {
    const named = [...Object.keys(INVARIANTS), ...Object.keys(NOT_YET_APPLICABLE)].join(' ')
    const ids = Array.from({ length: 30 }, (_, i) => `INV-${String(i + 1).padStart(2, '0')}`)
    expect(ids.filter((id) => !named.includes(id))).toEqual([])
  })
})
