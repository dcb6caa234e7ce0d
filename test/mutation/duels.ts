import fc from 'fast-check'
import { describe, it } from 'vitest'
import { newCoverage as newOutcomeCoverage } from '../model/outcome/coverage.ts'
import { duel as outcomeDuel } from '../model/outcome/duel.ts'
import { runOf as outcomeRunOf } from '../model/outcome/intents.ts'
import { newCoverage as newOutcomeGateCoverage } from '../model/outcomeGate/coverage.ts'
import { duel as outcomeGateDuel } from '../model/outcomeGate/duel.ts'
import { gateProfile as outcomeGateProfile, intent as outcomeGateIntent } from '../model/outcomeGate/intents.ts'
import { newCoverage } from '../model/parlay/coverage.ts'
import { duel } from '../model/parlay/duel.ts'
import { runOf } from '../model/parlay/intents.ts'
import { newCoverage as newGateCoverage } from '../model/parlayGate/coverage.ts'
import { duel as gateDuel } from '../model/parlayGate/duel.ts'
import { gateProfile, intent } from '../model/parlayGate/intents.ts'

/** The duels of the venues and of the gates with their models, shorter than in the test suite, and without shrinking. */
const SEED = 20_250_619
const VENUE = { numRuns: 220, seed: SEED, endOnFailure: true }
const GATE = { numRuns: 40, seed: SEED, endOnFailure: true }
const service = process.env['PARLOR_SERVICE']
const gateRun = fc.tuple(gateProfile, fc.array(intent, { minLength: 1, maxLength: 200, size: 'max' }))
const outcomeGateRun = fc.tuple(outcomeGateProfile, fc.array(outcomeGateIntent, { minLength: 1, maxLength: 200, size: 'max' }))

describe.runIf(service !== 'outcome')('the parlay service', () => {
  it('the venue agrees with its model', () => {
    fc.assert(fc.property(runOf(220), ([settings, intents]) => duel(settings, intents, newCoverage())), VENUE)
  }, 400_000)

  it('the gate agrees with its model', () => {
    fc.assert(fc.property(gateRun, ([settings, intents]) => gateDuel(settings, intents, newGateCoverage())), GATE)
  }, 400_000)
})

describe.runIf(service !== 'parlay')('the outcome service', () => {
  it('the venue agrees with its model', () => {
    fc.assert(fc.property(outcomeRunOf(220), ([settings, intents]) => outcomeDuel(settings, intents, newOutcomeCoverage())), VENUE)
  }, 400_000)

  it('the gate agrees with its model', () => {
    fc.assert(fc.property(outcomeGateRun, ([settings, intents]) => outcomeGateDuel(settings, intents, newOutcomeGateCoverage())), GATE)
  }, 400_000)
})
