import { anvilPath } from '../../../src/chain/evm/anvil.ts'
import { anvilPackage } from '../../../src/chain/evm/anvilPackage.ts'

/** Is the bundled chain missing on this platform? Suites that need it are skipped then, and their names say so. */
export const noAnvil = anvilPath() === null

/** What the names of such suites end with. */
export const skipped = noAnvil ? ' (SKIPPED: no anvil on this platform)' : ''

if (noAnvil) {
  console.warn(`SKIPPED: tests on a local EVM chain need ${anvilPackage() ?? 'an anvil'}, which is not installed on ${process.platform}-${process.arch}`)
}
