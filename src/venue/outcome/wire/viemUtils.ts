import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

type ViemUtils = typeof import('./viemSigning.ts')

const require = createRequire(import.meta.url)
let utils: ViemUtils | null = null

/** viem's utilities, loaded when first asked for: with them a run would begin a fifth of a second later, and few sessions sign. */
export function viemUtils(): ViemUtils {
  utils ??= require(fileURLToPath(new URL('./viemSigning.ts', import.meta.url))) as ViemUtils
  return utils
}
