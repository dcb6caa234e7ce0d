import { canonicalDigest } from '../scenario/canonical.ts'
import type { ResolvedScenario } from '../scenario/resolved.ts'
import { identityOf, type PreparedScenario } from '../scenario/run.ts'

/** A prepared scenario under another seed: nothing but the seed differs. */
export const withSeed = (prepared: PreparedScenario, seed: string): PreparedScenario =>
  ({ ...prepared, resolved: { ...prepared.resolved, seed } })

/**
 * Identity of a task, 64 hex digits: SHA-256 of everything that determines its session's rows (design.md, decision 13), and of the
 * settings of its recording that determine its scores. How often a point is played has no influence on a session and is left out. How far
 * bettors see ahead follows from their strategies and parameters, and only who may call a strategy knows it (StrategyReader may not).
 */
export function taskIdOf(prepared: PreparedScenario, sourceTree: string): string {
  const { marks, equityEvery } = prepared.record
  const { scenario, ...identity } = identityOf(prepared, sourceTree)
  const { inference: { cluster }, oracles: _, ...session } = scenario as ResolvedScenario
  return canonicalDigest({ identity: { ...identity, scenario: { ...session, inference: { cluster } } }, recorded: { marks: marks.toSorted((a, b) => a - b), equityEvery } })
}
