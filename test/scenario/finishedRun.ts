import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type LoadedScenario, loadScenario } from '../../src/scenario/load.ts'
import type { ResolvedScenario } from '../../src/scenario/resolved.ts'
import { prepareScenario, runScenario } from '../../src/scenario/run.ts'
import { newFolder, QUICKSTART_STORE } from './small.ts'

const ONCHAIN = fileURLToPath(new URL('../../scenarios/onchain.yaml', import.meta.url))

/** The bettors of that scenario that use each service. */
const COHORTS = [0, 1, 2, 3]

/** The scenario of the repository that settles on chains, of a few minutes, with `bettors` in each cohort, and on no chain unless `set` says so. */
export function fewOnChain(bettors: number, set: readonly string[]): LoadedScenario {
  const fewer = COHORTS.flatMap((cohort) => [`bettors.${cohort}.n=${bettors}`, `bettors.${cohort}.every=1m`])
  return loadScenario(ONCHAIN, { set: [`history.store=${QUICKSTART_STORE}`, 'chain=none', 'withdrawals=[]', ...fewer, ...set] })
}

export interface PlayedRun {
  readonly path: string
  readonly digest: string
  readonly resolved: ResolvedScenario
}

/** Plays a scenario into a folder, which has nothing else in it. */
export async function played(loaded: LoadedScenario, folder = newFolder()): Promise<PlayedRun> {
  const prepared = await prepareScenario(loaded)
  const { path, manifest } = await runScenario(loaded, prepared, { target: { path: join(folder, 'run'), numbered: false, force: false } })
  return { path, digest: manifest.digest, resolved: prepared.resolved }
}
