import { join } from 'node:path'
import type { LoadedScenario } from '../../src/scenario/load.ts'
import { type PreparedScenario, runScenario } from '../../src/scenario/run.ts'
import type { Finding } from './world.ts'

/** Settles the scenario on a chain of each of its services. A chain that holds anything else than the ledgers stops the run, which is a finding. */
export async function checkChains(loaded: LoadedScenario, prepared: PreparedScenario, digest: string, room: string): Promise<Finding[]> {
  const { parlay, outcome } = prepared.resolved.services
  const chains = [...(parlay === undefined ? [] : ['svm' as const]), ...(outcome === undefined ? [] : ['evm' as const])]
  const { manifest } = await runScenario(loaded, { ...prepared, chain: { ...prepared.chain, chains } }, { target: { path: join(room, 'settled'), force: true, numbered: false } })
  return manifest.digest === digest ? [] : [{ check: 'chain', about: 'the rows of a run that is settled differ' }]
}
