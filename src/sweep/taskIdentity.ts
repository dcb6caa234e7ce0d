import { canonicalDigest } from '../scenario/canonical.ts'
import type { ResolvedScenario } from '../scenario/resolved.ts'
import { identityOf, type PreparedScenario } from '../scenario/run.ts'

/** A prepared scenario under another seed: nothing but the seed differs. */
export const withSeed = (prepared: PreparedScenario, seed: string): PreparedScenario =>
  ({ ...prepared, resolved: { ...prepared.resolved, seed } })

/**
 * Identity of a task: SHA-256 of what its session's rows are a function of (design.md, decision 13), with what of its recording
 * its scores are a function of besides. How often a point is played is nothing that a session depends on. 64 hex digits.
 */
export function taskIdOf(prepared: PreparedScenario, sourceTree: string): string {
  const { marks, equityEvery } = prepared.record
  const { scenario, ...identity } = identityOf(prepared, sourceTree)
  const { inference: { cluster }, ...session } = scenario as ResolvedScenario
  return canonicalDigest({ identity: { ...identity, scenario: { ...session, inference: { cluster } } }, recorded: { marks: marks.toSorted((a, b) => a - b), equityEvery } })
}
