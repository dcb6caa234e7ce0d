import { basename, resolve } from 'node:path'
import { diffRuns, type RunsDiff } from '../diff/runsDiff.ts'
import { readManifest } from '../record/manifest.ts'
import { diffText as textOf } from '../report/diffText.ts'
import { reading, unnamedNote } from '../result/check.ts'
import { type ActionOptions, acting, sayOf } from './options.ts'

export interface DiffOptions extends Pick<ActionOptions, 'onNote'> {
  /** The path of a page about the difference, which is written then. */
  readonly out?: string
}

/**
 * Joins two runs request by request, and says for each maker which requests it filled in both, at the same odds or others, which in one alone,
 * and how much of the difference of its profit, B less A, comes of each (docs/whatif.md). The parts add up to the difference, to the micro-unit.
 *
 * Under the same draws the same bettors ask for the same in both runs. `redrawn` is the difference over 20,000 nights with the fills of both runs and
 * other outcomes, the same in both, drawn from the seed of `a`. It reads the runs' tables, and no history.
 *
 * @param a the folder of a run
 * @param b the folder of another one
 * @returns the difference as data, with a sentence for each maker
 * @throws InputError for a folder without a run, for a run without tables, and for an `out` that is no page
 * @throws RunFailure of the kind `damaged` where a file of a run is not as it was written
 * @example
 * await whatIf('runs/quickstart', { set: ['makers.0.params.margin=5%'], out: 'runs/quickstart-wider', force: true })
 * const { services } = await diff('runs/quickstart', 'runs/quickstart-wider')
 * for (const { sentence } of services[0].makers) console.log(sentence)
 */
export const diff = (a: string, b: string, options: DiffOptions = {}): Promise<RunsDiff> => acting(async () => {
  for (const folder of [a, b]) {
    const note = unnamedNote(folder)
    if (note !== null) sayOf(options)(note)
  }
  const found = await reading(a, (fromA) => reading(b, (fromB) => {
    // What is no run says what it is.
    for (const folder of [fromA, fromB]) readManifest(folder)
    return diffRuns(fromA, fromB)
  }))
  if (options.out !== undefined) {
    const [{ diffPage }, { writePage }] = await Promise.all([import('../report/diffPage.ts'), import('../report/pageFile.ts')])
    writePage(options.out, diffPage(found, { a: basename(resolve(a)), b: basename(resolve(b)) }))
  }
  return found
})

/**
 * The difference of two runs as aligned text, as `parlor diff` prints it.
 *
 * @param found what `diff` returns
 * @returns the text
 * @example
 * console.log(diffText(await diff('runs/quickstart', 'runs/quickstart-wider')))
 */
export const diffText = (found: RunsDiff): string => textOf(found)
