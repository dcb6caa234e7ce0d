import { scenarioOfRun } from '../proof/changedRun.ts'
import type { RunsDiff } from '../diff/runsDiff.ts'
import { reading } from '../result/check.ts'
import { callLimitsOf } from '../scenario/strategyLimits.ts'
import { RunTables } from '../score/runTables.ts'
import { checkScorable } from '../score/summary.ts'
import { diff } from './diff.ts'
import { throwIfAborted } from '../unit/interrupted.ts'
import { type ActionOptions, acting, calling, sayOf, type SessionProgress, signalOf, type TrustOption } from './options.ts'
import { type StoredRun, stored } from './run.ts'
import { RunThread } from './watch/runThread.ts'

export interface WhatIfOptions extends ActionOptions, TrustOption {
  /** What is another than in the run: settings in the form of `--set`, in order, behind those of the run. */
  readonly set?: readonly string[]
  /**
   * From when on: an instant, or a span since the begin, such as `30m`. Before it everything is as in the run, and then `params` and `use` of makers
   * may be others. A strategy begins empty there unless it has `adopt(state)`.
   */
  readonly from?: string
  /** The folder of the new run. The default is that of the run with `-whatif` behind it, and a number where that is taken. */
  readonly out?: string
  /** Whether a run that is in that folder already is replaced. The default is no. */
  readonly force?: boolean
  /** Whether a page with pictures, `report.html`, is left beside the tables. The default is no. */
  readonly report?: boolean
  /** Is told how far the session is, some times a second. */
  readonly onProgress?: (progress: SessionProgress) => void
  /** Is told once the session has been played, before its figures are made. */
  readonly onPlayed?: () => void
}

/** A run played again with something changed, and what that made of it. */
export interface WhatIf {
  readonly run: StoredRun
  /** A is the run, B what was played now. */
  readonly diff: RunsDiff
}

/**
 * Plays a run again from its begin with some settings changed, under the same draws, leaves that as a run of its own, and joins the two request by
 * request. Without a change it is the same run, byte for byte.
 *
 * The run's scenario file must still say what the manifest says, and the history must be the run's. Where strategy files, parlor or Node have
 * changed since, `onNote` hears of it. The run that is left is settled on no chain.
 *
 * @param folder the folder of a run with tables, in which no client took part
 * @returns the run that was left, and the difference
 * @throws InputError for a run that cannot be played again, and for settings or a folder that cannot be
 * @throws RunFailure where a strategy fails or the system refuses
 * @throws Interrupted by the signal
 * @example
 * const changed = await whatIf('runs/quickstart', { set: ['makers.0.params.margin=3%'] })
 * console.log(changed.run.path, changed.diff.services[0].makers[0].sentence)
 */
export const whatIf = (folder: string, options: WhatIfOptions = {}): Promise<WhatIf> => acting(async () => {
  throwIfAborted(options.signal)
  const { set = [], from, out, force = false, report = false, trusted = false, onProgress, onPlayed } = options
  const loaded = scenarioOfRun(folder, from === undefined ? set : [])
  await reading(folder, checkComparable)
  const thread = new RunThread({
    data: { change: { run: folder, set, ...(from === undefined ? {} : { from }) }, isTrusted: trusted }, signal: signalOf(options), limits: callLimitsOf(loaded.file.strategies),
    say: sayOf(options), onProgress: calling(onProgress), onSettling: () => {},
  })
  const run = await stored(loaded, thread, null, {
    out: out ?? `${folder.replace(/[\\/]+$/, '')}-whatif`, taken: force ? 'replace' : out === undefined ? 'number' : 'refuse', report,
    ...(options.signal === undefined ? {} : { signal: options.signal }), ...(options.onNote === undefined ? {} : { onNote: options.onNote }), ...(onPlayed === undefined ? {} : { onPlayed }),
  }).finally(() => thread.close())
  return { run, diff: await diff(folder, run.path, options.onNote === undefined ? {} : { onNote: options.onNote }) }
})

/** Throws InputError for a run of an older version that could not be compared with what is played. Where there are no tables, playing says so. */
function checkComparable(dir: string): void {
  const tables = new RunTables(dir)
  if (tables.has('requests')) checkScorable(tables)
}
