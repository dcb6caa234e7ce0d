import { assert } from '../unit/assert.ts'
import { SOURCES_MAX } from './drawKeys.ts'

/** The cohorts of one service, in their order; `layOffOf` names the maker whose account for laying off one is. */
interface SourceCohort {
  readonly name: string
  readonly layOffOf?: string
}

/**
 * What keys the draws about the requests of one service. A request of a cohort of bettors is keyed by the cohort's name. A request that
 * lays off is keyed by its account's name and by the cohort of bettors whose request led to it, on whichever service and through however
 * many fills, so that no other request moves its draws.
 */
export class DrawSources {
  /** By place: first the service's cohorts in their order, then each of its accounts for laying off with each root. */
  declare readonly names: readonly string[]
  /** Place of a source's cohort among the service's. */
  declare readonly cohorts: readonly number[]
  /** Number of the cohort of bettors at the root of a source, the same on both services; −1 of an account for laying off alone. */
  declare readonly roots: readonly number[]
  /** Place of the first source of a cohort that lays off, by its place; −1 of bettors. */
  private declare readonly firstOf: readonly number[]

  /** `roots` are the names of the cohorts of bettors on both services. */
  constructor(cohorts: readonly SourceCohort[], roots: readonly string[]) {
    const names = cohorts.map(({ name }) => name)
    const places = cohorts.map((_, place) => place)
    const rootOf = cohorts.map(({ name, layOffOf }) => (layOffOf === undefined ? roots.indexOf(name) : -1))
    this.firstOf = cohorts.map(({ name, layOffOf }, place) => {
      if (layOffOf === undefined) return -1
      const first = names.length
      roots.forEach((root, number) => {
        names.push(`${name}\0${root}`)
        places.push(place)
        rootOf.push(number)
      })
      return first
    })
    assert(names.length < SOURCES_MAX, 'draw keys have room for the accounts that lay off and what they lay off')
    this.names = names
    this.cohorts = places
    this.roots = rootOf
  }

  get count(): number {
    return this.names.length
  }

  /** Whether a source is an account with which a maker lays off. */
  isLayOff(source: number): boolean {
    return this.firstOf[this.cohorts[source]!]! >= 0
  }

  /** Place of what cohort `cohort`, an account for laying off, asks for after a request that goes back to `root`. */
  ofLayOff(cohort: number, root: number): number {
    assert(root >= 0, 'what is laid off goes back to bettors')
    return this.firstOf[cohort]! + root
  }
}
