import { reading } from '../result/check.ts'
import { readManifest } from '../record/manifest.ts'
import type { Redraw } from '../redraw/redrawRun.ts'
import { InputError } from '../unit/inputError.ts'
import { throwIfAborted } from '../unit/interrupted.ts'
import { type ActionOptions, acting, calling, throwIfAbortedMeanwhile } from './options.ts'

export type { Redraw, RedrawnMaker, RedrawnNight, RedrawnPair, RedrawnService } from '../redraw/redrawRun.ts'

export interface RedrawOptions extends Pick<ActionOptions, 'signal'> {
  /** How many times the outcomes are drawn, 100 to 1,000,000. The default is 20,000. */
  readonly outcomes?: number
  /** The outcomes are drawn from it. The default is the run's own seed. */
  readonly seed?: string
  /** Is told the share of the redraws that are done, 0…1, and their number. */
  readonly onProgress?: (progress: { readonly share: number; readonly redraws: number }) => void
}

const OUTCOMES = 20_000
const OUTCOMES_MIN = 100
const OUTCOMES_MAX = 1_000_000

/**
 * Keeps the fills of a run and draws the outcomes of its markets anew, at their closing prices and with the scenario's correlation
 * (docs/redraw.md). The run is only read, and needs neither its history nor its scenario. The first redraws of a seed are the same however many there are.
 *
 * @param folder the folder of a run
 * @returns by service the distribution of each maker's profit, the difference of each two makers, and each cohort's profit
 * @throws InputError for a folder without a run or without tables, and for a run of an older version, whose tables do not say how outcomes are drawn
 * @throws RunFailure of the kind `damaged` where a file is not as it was written
 * @throws Interrupted by the signal
 * @example
 * const { services } = await redraw('runs/quickstart', { outcomes: 5000 })
 * for (const { makers } of services) for (const { name, mean, range } of makers) console.log(name, mean.value, range)
 */
export const redraw = (folder: string, options: RedrawOptions = {}): Promise<Redraw> => acting(async () => {
  const { outcomes = OUTCOMES, seed, signal } = options
  throwIfAborted(signal)
  if (!(Number.isSafeInteger(outcomes) && outcomes >= OUTCOMES_MIN && outcomes <= OUTCOMES_MAX)) {
    throw new InputError(`expected ${OUTCOMES_MIN} to ${OUTCOMES_MAX} outcomes, got ${outcomes}`)
  }
  if (seed === '') throw new InputError('seed: expected a text of one character or more')
  const { redrawRun } = await import('../redraw/redrawRun.ts')
  const onProgress = calling(options.onProgress)
  return reading(folder, (from) => redrawRun(from, {
    outcomes, seed: seed ?? readManifest(from).identity.seed,
    between: async (done, all) => {
      onProgress({ share: done / all, redraws: done })
      await throwIfAbortedMeanwhile(signal)
    },
  }))
})
