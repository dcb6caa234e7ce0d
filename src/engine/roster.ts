import type { BettorStrategy } from '../agent/bettor.ts'
import { FACADES, type Facades } from '../agent/facades/facades.ts'
import { layOffTaker } from '../agent/layOffTaker.ts'
import { assert } from '../unit/assert.ts'
import type { CohortEntry, MakerEntry, ServiceName, ServiceParticipants, SessionConfig, Swap } from './config.ts'
import { DrawSources } from './drawSources.ts'

/** A cohort of a service; `layOffOf` names the maker whose account for laying off it is. */
export interface RosterCohort extends CohortEntry {
  readonly layOffOf?: string
}

/** Who trades on one service, those accounts included with which the other service's makers lay off there. */
export interface Roster {
  readonly service: ServiceName
  readonly makers: readonly MakerEntry[]
  readonly cohorts: readonly RosterCohort[]
  /** What draws about their requests go by. */
  readonly sources: DrawSources
  /** The facades of all participants, each once. A participant's realm is its place here. */
  readonly realms: readonly Facades[]
}

/** Who trades on each service of a session. */
export function rostersOf(config: Pick<SessionConfig, 'parlay' | 'outcome' | 'swap'>): Roster[] {
  const rosters: Roster[] = []
  const { parlay, outcome, swap } = config
  const roots = [...new Set([...(parlay?.cohorts ?? []), ...(outcome?.cohorts ?? [])].map(({ name }) => name))]
  if (parlay !== undefined) rosters.push(rosterOf('parlay', parlay, outcome, roots, swap))
  if (outcome !== undefined) rosters.push(rosterOf('outcome', outcome, parlay, roots, swap))
  return rosters
}

function rosterOf(service: ServiceName, own: ServiceParticipants, other: ServiceParticipants | undefined, roots: readonly string[], swap: Swap | undefined): Roster {
  for (const { name, layOff } of own.makers) {
    assert(layOff === undefined || (layOff.service !== service && other !== undefined), `${name} lays off on the other service, and the session has it`)
  }
  const takers = (other?.makers ?? []).flatMap(({ name, layOff }): RosterCohort[] => (layOff === undefined ? [] : [{
    name: layOff.account, strategy: layOffTaker as unknown as BettorStrategy, values: {}, bettors: 1, bankrollMicros: layOff.bankrollMicros,
    everyUs: 0, arrivalsUs: [], latency: layOff.latency, layOffOf: name,
  }]))
  const cohorts = [...own.cohorts, ...takers]
  const realms = [...new Set([...own.makers, ...cohorts, ...(swap?.makers ?? [])].map(facadesOf))]
  return { service, makers: own.makers, cohorts, sources: new DrawSources(cohorts, roots), realms }
}

export const facadesOf = ({ strategy: { facades } }: { readonly strategy: { readonly facades?: Facades } }): Facades => facades ?? FACADES
