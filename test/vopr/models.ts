import fc from 'fast-check'
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
import type { Finding } from './world.ts'

/** Venues see more commands than gates, whose models are slower. */
const VENUE_STEPS = 200
const GATE_STEPS = 80
/** They cost a tenth of what else a seed does. */
const FAVOURED_RUNS = 4

/** What seldom comes together comes more often where these steps do: results of one instant, and sales as the chain fails or trading ends. */
const RESULTS = { resolveMarket: 40, listMarket: 12, setFault: 1 }
const SALES = { openCashout: 30, submitBid: 40, commitCashout: 60, cancelCashout: 1, resolveMarket: 2, setFault: 2 }
const OUTCOME_SALES = { openCashout: 40, submitQuote: 50, acceptQuote: 40, confirmQuote: 40, declineQuote: 1, resolveOutcome: 1, setFault: 12, reduceCollateral: 1, setSigner: 1 }

const DUELS = [
  { name: 'venue', runs: 1, property: fc.property(runOf(VENUE_STEPS), ([profile, intents]) => duel(profile, intents, newCoverage())) },
  { name: 'venue', runs: FAVOURED_RUNS, property: fc.property(runOf(VENUE_STEPS, RESULTS), ([profile, intents]) => duel(profile, intents, newCoverage())) },
  { name: 'venue', runs: FAVOURED_RUNS, property: fc.property(runOf(VENUE_STEPS, SALES), ([profile, intents]) => duel(profile, intents, newCoverage())) },
  { name: 'outcome', runs: 1, property: fc.property(outcomeRunOf(VENUE_STEPS), ([profile, intents]) => outcomeDuel(profile, intents, newOutcomeCoverage())) },
  { name: 'outcome', runs: FAVOURED_RUNS, property: fc.property(outcomeRunOf(VENUE_STEPS, OUTCOME_SALES), ([profile, intents]) => outcomeDuel(profile, intents, newOutcomeCoverage())) },
  { name: 'gate', runs: 1, property: fc.property(fc.tuple(gateProfile, fc.array(intent, { minLength: 1, maxLength: GATE_STEPS, size: 'max' })), ([profile, intents]) => gateDuel(profile, intents, newGateCoverage())) },
  {
    name: 'outcome-gate', runs: 1,
    property: fc.property(fc.tuple(outcomeGateProfile, fc.array(outcomeGateIntent, { minLength: 1, maxLength: GATE_STEPS, size: 'max' })), ([profile, intents]) => outcomeGateDuel(profile, intents, newOutcomeGateCoverage())),
  },
] as const

/** A few runs of each duel of a venue or gate with its reference model, drawn from the seed: commands that no strategy can give come from there. */
export function checkModels(seed: number): Finding[] {
  return DUELS.flatMap(({ name, runs, property }) => {
    const played = fc.check(property as fc.IProperty<unknown>, { numRuns: runs, seed, endOnFailure: true })
    if (!played.failed) return []
    const message = played.errorInstance instanceof Error ? played.errorInstance.message : String(played.errorInstance)
    return [{ check: 'model', about: `${name} and its model differ: ${message.split('\n')[0]}; like it by npm run soak -- --of ${name} --seed ${seed}` }]
  })
}
