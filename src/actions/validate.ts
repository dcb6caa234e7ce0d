import { writeWholeJson } from '../arrow/wholeFile.ts'
import type { ValidationResult } from '../validation/result.ts'
import { join } from 'node:path'
import { throwIfAborted } from '../unit/interrupted.ts'
import { type ActionOptions, acting, calling, sayOf, signalOf } from './options.ts'
import { leavePage } from './pages.ts'
import { beginResult, checkResultFolder, commitResult } from './resultFolder.ts'

export interface ValidateOptions extends ActionOptions {
  /** The folder of the result. Without it nothing is left on the disk. */
  readonly out?: string
  /** Ids of the items to measure. The default is all of them, or those of `wrong`. */
  readonly items?: readonly string[]
  /** Items that get a deliberately wrong parameter, to see them fail. */
  readonly wrong?: readonly string[]
  /** `small` is a quick look with wider intervals. The default is `full`. */
  readonly samples?: 'small' | 'full'
  /** Everything random is drawn from it. */
  readonly seed?: string
  /** Threads, each with one item at a time; their number changes no byte. The default is 1. */
  readonly workers?: number
  /** Is told the share that is done, 0…1, and the requests that were made. */
  readonly onProgress?: (progress: { readonly share: number; readonly requests: number }) => void
}

/**
 * Measures known results in sessions of the real services (docs/validation.md).
 *
 * @returns every figure beside its known value, and whether all pass
 * @throws InputError for items that there are not, and for a folder that holds something else
 * @throws Interrupted by the signal
 * @example
 * const { pass, figures } = await validate({ items: ['7'], samples: 'small' })
 */
export const validate = (options: ValidateOptions = {}): Promise<ValidationResult> => acting(async () => {
  const { out, items, wrong, samples = 'full', seed, workers = 1, onProgress, signal } = options
  throwIfAborted(signal)
  const { validate: measure } = await import('../validation/validate.ts')
  if (out !== undefined) checkResultFolder(out, 'validation')
  const result = await measure({ items: items ?? wrong, wrong, samples, seed, workers, signal: signalOf(options), onProgress: calling(onProgress) })
  if (out === undefined) return result
  const generation = await beginResult(out, 'validation', { signal: signalOf(options), say: sayOf(options) })
  try {
    writeWholeJson(join(generation.folder, 'validation.json'), result)
    await leavePage(generation.folder, sayOf(options))
    commitResult(generation, 'validation')
  } catch (error) {
    throw generation.giveUp(error)
  }
  return result
})
