import type { Coverage } from '../engine/operatorInputs.ts'
import { type BuiltSession, buildSession } from '../scenario/build.ts'
import type { PreparedScenario } from '../scenario/run.ts'
import { type Licence, licenceOf } from '../score/licence.ts'
import { assert } from '../unit/assert.ts'

/** The settlement clusters that a scenario's history can have, by time, and how much of it a session uses. */
export interface HistoryClusters {
  /** In the order of their last settlement, then by name. */
  readonly names: readonly string[]
  readonly coverage: Coverage
  /** How far closing prices are calibrated, over all clusters. It is the same in all sessions of a history. */
  readonly licence: Licence
}

/** Throws InputError when no market can be traded. */
export function historyClusters({ resolved, strategies, store }: PreparedScenario): HistoryClusters {
  const built = buildSession(resolved, strategies, store)
  const { directory, coverage } = built
  const lastUs = new Map<string, number>()
  for (const { cluster, settledUs } of directory.markets) {
    if (settledUs !== undefined && settledUs !== Infinity) lastUs.set(cluster, Math.max(lastUs.get(cluster) ?? -Infinity, settledUs))
  }
  const names = [...lastUs.keys()].toSorted((a, b) => lastUs.get(a)! - lastUs.get(b)! || (a < b ? -1 : 1))
  return { names, coverage, licence: licenceOfBuilt(built) }
}

/** The licence of luck-adjusted profit on a scenario's history. Throws InputError when no market can be traded. */
export const historyLicence = ({ resolved, strategies, store }: PreparedScenario): Licence => licenceOfBuilt(buildSession(resolved, strategies, store))

function licenceOfBuilt({ directory, listedMarkets }: BuiltSession): Licence {
  return licenceOf(listedMarkets().map(({ number, result, resultBy, closing }) => ({ cluster: directory.markets[number]!.cluster, closing: closing ?? NaN, result, resultBy })))
}

/** A history in two parts, as indices of the clusters by time. Tuning sees the first part alone. */
export interface HistorySplit {
  readonly training: readonly number[]
  readonly holdout: readonly number[]
}

/** Holds out the last `share` of the clusters, rounded to whole clusters. Where anything is held out, both parts have at least one cluster. */
export function splitHistory(clusters: number, share: number): HistorySplit {
  assert(share >= 0 && share < 1, `cannot hold out ${share} of a history`)
  const held = share === 0 || clusters < 2 ? 0 : Math.min(clusters - 1, Math.max(1, Math.round(clusters * share)))
  const all = Array.from({ length: clusters }, (_, cluster) => cluster)
  return { training: all.slice(0, clusters - held), holdout: all.slice(clusters - held) }
}
