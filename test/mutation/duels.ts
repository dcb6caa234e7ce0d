import fc from 'fast-check'
import { it } from 'vitest'
import { newCoverage } from '../model/parlay/coverage.ts'
import { duel } from '../model/parlay/duel.ts'
import { runOf } from '../model/parlay/intents.ts'
import { newCoverage as newGateCoverage } from '../model/parlayGate/coverage.ts'
import { duel as gateDuel } from '../model/parlayGate/duel.ts'
import { gateProfile, intent } from '../model/parlayGate/intents.ts'

/** The duels of the venue and of the gate with their models, shorter than in the test suite, and without shrinking. */
const SEED = 20_250_619
const gateRun = fc.tuple(gateProfile, fc.array(intent, { minLength: 1, maxLength: 200, size: 'max' }))

it('the venue agrees with its model', () => {
  fc.assert(fc.property(runOf(220), ([settings, intents]) => duel(settings, intents, newCoverage())), { numRuns: 220, seed: SEED, endOnFailure: true })
}, 100_000)

it('the gate agrees with its model', () => {
  fc.assert(fc.property(gateRun, ([settings, intents]) => gateDuel(settings, intents, newGateCoverage())), { numRuns: 40, seed: SEED, endOnFailure: true })
}, 100_000)
