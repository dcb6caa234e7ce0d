import { join } from 'node:path'
import { groupedMarkets } from '../feed/groups/applyGroups.ts'
import { readGroups } from '../feed/groups/readGroups.ts'
import type { StoreHistory } from '../feed/history/storeHistory.ts'
import { InputError } from '../unit/inputError.ts'
import { canonicalDigest } from './canonical.ts'
import type { LoadedScenario } from './load.ts'
import { ScenarioMistakes } from './mistakes.ts'
import type { ResolvedGroups } from './resolved.ts'

/** The rules that a scenario lays over the markets of its store, or undefined. Throws InputError for a file that cannot be read, or whose rules are wrong. */
export function groupsOf({ file, folder, source }: LoadedScenario): ResolvedGroups | undefined {
  const { groups } = file.history
  if (groups === undefined) return undefined
  try {
    const rules = readGroups(join(folder, groups))
    return { sha256: canonicalDigest(rules), rules }
  } catch (error) {
    if (!(error instanceof InputError) || error.position?.line !== undefined) throw error
    throw new ScenarioMistakes([source.mistake(['history', 'groups'], error.describe())])
  }
}

/** A history whose markets are in the groups of rules, however it is opened further. */
export function withGroups(store: StoreHistory, groups: ResolvedGroups | undefined): StoreHistory {
  if (groups === undefined) return store
  return {
    ...store, catalogue: { markets: groupedMarkets(store.catalogue.markets, groups.rules) },
    forSession: () => withGroups(store.forSession(), groups), asOf: (files) => withGroups(store.asOf(files), groups), sharing: (shared) => withGroups(store.sharing(shared), groups),
  }
}
