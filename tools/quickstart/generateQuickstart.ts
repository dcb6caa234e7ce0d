import { fileURLToPath } from 'node:url'
import { generateNight } from './generator.ts'
import type { StoreHead } from '../../src/feed/store/storeHead.ts'
import { writeStore } from '../../src/feed/store/writeStore.ts'
import { isProgram } from '../bundle/isProgram.ts'

const QUICKSTART_SEED = 20_250_619

/** The store that the repository carries for first runs and tests: `data/quickstart`. */
export const QUICKSTART_PATH = fileURLToPath(new URL('../../data/quickstart', import.meta.url))

/** Writes the made-up night of the quick start. The bytes are the same whenever and wherever it is written. */
export const writeQuickstart = (path: string): Promise<StoreHead> => writeStore(path, generateNight({ seed: QUICKSTART_SEED }))

if (isProgram(import.meta.url)) {
  const head = await writeQuickstart(QUICKSTART_PATH)
  process.stdout.write(`${QUICKSTART_PATH}: ${head.markets} markets, ${head.ticks} ticks, data ${head.dataHash}\n`)
}
