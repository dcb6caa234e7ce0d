import { isOlderStore, STORE_FILE } from '../feed/store/storeHead.ts'
import { resolveStore } from '../feed/store/storePlaces.ts'
import { readHead } from '../result/head.ts'
import { InputError } from '../unit/inputError.ts'
import { BUILT_IN_BETTORS, BUILT_IN_MAKERS, RECORDED } from './builtIn.ts'
import type { LoadedScenario } from './load.ts'

/** A store of this size, bytes on the disk, is opened faster than a person notices. */
const STORE_BYTES_MAX = 1 << 24
/** The rows of so many arrivals fit into the heap of any thread. */
const ARRIVALS_MAX = 20_000

/**
 * Whether a session can do without a thread that watches it: nobody plays in it whose calls may never return, it is short, it opens a small
 * store, and it settles on no chain. What cannot be told from the scenario is watched.
 */
export function needsNoWatch({ file, folder }: LoadedScenario): boolean {
  const { makers, bettors, chain, arrivals, history } = file
  const isBuiltIn = makers.every(({ use }) => Object.hasOwn(BUILT_IN_MAKERS, use) && use !== RECORDED) && bettors.every(({ use }) => Object.hasOwn(BUILT_IN_BETTORS, use))
  return isBuiltIn && chain.chains.length === 0 && (arrivals.max ?? Infinity) <= ARRIVALS_MAX && storeBytes(history, folder) <= STORE_BYTES_MAX
}

/** The size of a store, bytes. Infinity for one that is not there, or is to be imported anew. */
function storeBytes({ store, import: origin }: LoadedScenario['file']['history'], base: string): number {
  try {
    const path = resolveStore(store, { base })
    const files = origin !== undefined && isOlderStore(path) ? null : readHead(path, STORE_FILE)?.files
    return files ? Object.values(files).reduce((sum, { bytes }) => sum + (bytes ?? Infinity), 0) : Infinity
  } catch (error) {
    // Whoever opens the store tells it.
    if (error instanceof InputError) return Infinity
    throw error
  }
}
