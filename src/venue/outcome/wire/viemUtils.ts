import { createRequire } from 'node:module'

type ViemUtils = typeof import('viem/utils')

// By this name the test of the import table sees what is loaded.
const require = createRequire(import.meta.url)
let utils: ViemUtils | null = null

/**
 * viem's utilities, loaded when first asked for: with them a run would begin a fifth of a second later, and few sessions sign. It is
 * viem's CommonJS build; what settles on a chain has the other one besides.
 */
export function viemUtils(): ViemUtils {
  utils ??= require('viem/utils') as ViemUtils
  return utils
}
