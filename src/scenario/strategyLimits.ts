import { ACTIONS_PER_INSTANT_MAX } from '../agent/instantBudget.ts'
import { LOOKS_AGAIN_MAX } from '../agent/looksAgain.ts'
import type { RunIdentity } from '../record/manifest.ts'
import { InputError } from '../unit/inputError.ts'
import type { LoadedScenario } from './load.ts'
import { ScenarioMistakes } from './mistakes.ts'
import type { ResolvedLimits, ResolvedScenario } from './resolved.ts'
import { CALL_LIMIT_MS, MEMORY_LIMIT_MIB, type Permission, strategies, type StrategiesFile } from './strategySchema.ts'

/** How long a call of a strategy may take, and how much memory. A session's rows are no function of these limits. */
export interface CallLimits {
  /** The most that one call, or the loading of one file, may take, ms of a WorkClock. */
  readonly callLimitMs: number
  /** The most that a thread that plays may take, MiB. */
  readonly memoryLimitMiB: number
}

export const DEFAULT_CALL_LIMITS: CallLimits = { callLimitMs: CALL_LIMIT_MS, memoryLimitMiB: MEMORY_LIMIT_MIB }

export const callLimitsOf = ({ callLimit, memoryLimit = MEMORY_LIMIT_MIB }: StrategiesFile): CallLimits => ({ callLimitMs: callLimit, memoryLimitMiB: memoryLimit })

/** Limits that options of a command write as a scenario does, `--call-limit 5s`. Throws InputError for what is no such quantity. */
export function writtenLimits(written: { readonly callLimit?: string | undefined; readonly memoryLimit?: string | undefined }): CallLimits {
  const read = strategies.safeParse(written, { reportInput: true })
  if (read.success) return callLimitsOf(read.data)
  const { path: [name], message } = read.error.issues[0]!
  throw new InputError(`--${String(name).replace('Limit', '-limit')}: ${message}`)
}

/** Empty where everything has its default, so that scenarios without the section keep their identity. */
export function resolvedLimits({ allow, actionsPerInstant, looksAgain }: StrategiesFile): { readonly strategies?: ResolvedLimits } {
  const limits: ResolvedLimits = {
    ...(allow.length === 0 ? {} : { allow }), ...(actionsPerInstant === ACTIONS_PER_INSTANT_MAX ? {} : { actionsPerInstant }),
    ...(looksAgain === LOOKS_AGAIN_MAX ? {} : { looksAgain }),
  }
  return Object.keys(limits).length === 0 ? {} : { strategies: limits }
}

/** Throws for a scenario whose sessions are to be kept and compared, and would not be a function of their inputs. */
export function refuseUnreproducible({ file: { strategies: { allow } }, source }: LoadedScenario): void {
  if (allow.length === 0) return
  throw new ScenarioMistakes([source.mistake(['strategies', 'allow'], `sessions of a sweep or a league are kept and compared, and with ${allow.join(' and ')} they are not reproducible`, {
    hint: 'time is desk.nowUs, a maker draws by seat.random(), a bettor by desk.uniform; parlor run plays the scenario as it is',
  })])
}

const MAY: Readonly<Record<Permission, string>> = { clock: 'read the clock', random: 'draw unseeded' }

/** Why a run may differ when it is played again, null where it does not. */
export function whyUnreproducible({ scenario, strategies, trusted = [], unhashed = [] }: RunIdentity): string | null {
  if (unhashed.length > 0) return `${unhashed.join(', ')} ${unhashed.length === 1 ? 'is an object' : 'are objects'} of the program that ran it, whose code no digest has`
  if (trusted.length > 0) return `${trusted.join(', ')} ran in no room (--trusted)`
  const { allow = [] } = (scenario as ResolvedScenario).strategies ?? {}
  if (allow.length === 0 || Object.keys(strategies).length === 0) return null
  return `its strategies may ${allow.map((name) => MAY[name]).join(' and ')} (strategies.allow)`
}
