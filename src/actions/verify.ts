import { DEFAULT_CALL_LIMITS } from '../scenario/strategyLimits.ts'
import { throwIfAborted } from '../unit/interrupted.ts'
import { type ActionOptions, acting, calling, sayOf, type SessionProgress, signalOf, type TrustOption } from './options.ts'
import { RunThread } from './watch/runThread.ts'

export interface VerifyOptions extends ActionOptions, TrustOption {
  /** Files of public keys (PEM), each of which must have signed the manifest. */
  readonly keys?: readonly string[]
  /** Is told how far the scenario that is played again is. */
  readonly onProgress?: (progress: SessionProgress) => void
}

/** A place in a file of a run where it is not what it should be, with both values as people read them. */
export interface VerifiedDifference {
  /** `row 17, column risk_micros`, `makers[0].profit`, `line 12, column 5`, `byte 1,024`: counted from 1, bytes from 0. */
  readonly at: string
  readonly found: string
  readonly expected: string
  /** What there is besides, such as how many more. Empty for nothing. */
  readonly more: string
}

/** One thing that was checked. */
export interface VerifiedCheck {
  readonly name: string
  /** `unproven`: could not be tried, or may differ for another reason than damage. */
  readonly state: 'same' | 'differs' | 'unproven'
  readonly ok: boolean
  /** What was found, and when it failed what was expected. */
  readonly about: string
  readonly difference?: VerifiedDifference
}

/** What a verification found. */
export interface VerifiedRun {
  /** Whether the run is proven. */
  readonly ok: boolean
  /** `proven`: the same run, played again, has the same bytes. `differs`: something is not what the run left. `unproven`: nothing is found to differ, and not all could be tried. */
  readonly verdict: 'proven' | 'differs' | 'unproven'
  /** That of the manifest. */
  readonly digest: string
  /** Why the run may differ when it is played again, null where it does not. */
  readonly unreproducible: string | null
  readonly checks: readonly VerifiedCheck[]
}

/**
 * Proves a run: a fresh venue that is given its journal writes the same rows, and its scenario, played again, leaves the same bytes (docs/verify.md).
 * Strategies play as in `run`, in a thread that is watched. A run whose strategies were objects of a program cannot be proven.
 *
 * @param folder the folder of a run
 * @returns the checks, and the verdict; a run that differs is no error
 * @throws InputError for a folder without a run
 * @throws RunFailure where a strategy fails
 * @throws Interrupted by the signal
 * @example
 * const { verdict, checks } = await verify('runs/quickstart')
 */
export const verify = (folder: string, options: VerifyOptions = {}): Promise<VerifiedRun> => acting(async () => {
  throwIfAborted(options.signal)
  const thread = new RunThread({
    data: { verify: folder, isTrusted: options.trusted === true, keys: options.keys ?? [] }, signal: signalOf(options), limits: DEFAULT_CALL_LIMITS,
    say: sayOf(options), onProgress: calling(options.onProgress), onSettling: () => {},
  })
  return thread.verified.finally(() => thread.close())
})
