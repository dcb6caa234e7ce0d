import type { ScenarioInput } from '../../src/actions/scenarioInput.ts'
import { QUICKSTART_STORE } from '../scenario/small.ts'

/** The small scenario of `SMALL` as an object. */
export const OBJECT: ScenarioInput = {
  version: 1, name: 'small', mode: 'interactive', services: { parlay: { profile: 'parlay@2.1' } },
  history: { store: QUICKSTART_STORE, from: '2025-06-19T22:30:00Z', to: '2025-06-19T23:30:00Z' }, arrivals: { until: '10m', max: 200 },
  bettors: [{ kind: 'noise', n: 100, every: '10m' }, { kind: 'informed', n: 20, every: '10m' }],
  makers: [{ use: 'fixed-margin', capital: '50000 USDC' }, { use: 'shade', capital: '50000 USDC', count: 2 }],
}
