import { join } from 'node:path'
import { plainText } from '../arrow/plainText.ts'
import { ASK_FILTERS, type AskCounts, askCountName, MILLIONTHS, youngCountName } from '../unit/askFilters.ts'
import { InputError } from '../unit/inputError.ts'
import { type PlayedMaker, type RunSwap, swapOf } from './swap.ts'

/** How much of the history the session used. Null where the manifest does not say. */
export type CoverageSummary = { readonly [name in (typeof COVERAGE)[number]]: number | null }

const COVERAGE = [
  'universe', 'listed', 'withoutPrices', 'closed', 'excluded', 'unresolved', 'drawn', 'voided', 'scalar', 'halted',
  'missingSettlementTime',
] as const

/** A cohort that asked for nothing, and the markets of the store by what kept it from them. */
export interface UnaskedCohort {
  readonly cohort: string
  readonly markets: AskCounts
  /** The share of time in which prices were young enough, 0…1 (`AskedFor`). Absent where no market was priced, or the manifest does not say. */
  readonly youngShare?: number
}

/** That fewer bettors arrived than would have, because of `arrivals.max`. Arrivals are those of all services together. */
export interface ArrivalsEnd {
  /** The instant of the last one, µs. */
  readonly atUs: number
  readonly arrivals: number
  /** Arrivals that asked for nothing. They count towards the most. */
  readonly idle: number
}

/** What a summary needs of `manifest.json`. */
export interface RunHead {
  readonly label: 'replay' | 'interactive'
  readonly digest: string
  readonly seed: string
  /** Seeds of parts of the session that had one of their own, by part. Null where none had. */
  readonly seeds: Readonly<Record<string, string>> | null
  /** Null for a run in which every maker kept its strategy. */
  readonly swap: RunSwap | null
  readonly coverage: CoverageSummary
  /** `inference.cluster` of the scenario: what settlement clusters are. Null where the manifest does not say. */
  readonly cluster: string | null
  /** Whether the profile lets the profit fee fall on makers' gains too. False where the manifest does not say. */
  readonly profitFeeOnMaker: boolean
  /** Bounds of the session, µs, where the manifest's counts have them. */
  readonly startUs: number | null
  readonly endUs: number | null
  /** How many requests and new versions reached a maker of a service, by its name. */
  readonly reach: (service: string, maker: string) => RequestReach
  /** Null where no arrival was cut off, or the manifest does not say. */
  readonly arrivalsEnd: ArrivalsEnd | null
  /** What kept the cohorts of a service that asked for nothing from which markets. Empty where the manifest does not say. */
  readonly unasked: (service: string) => readonly UnaskedCohort[]
  /** Names of the scenario's makers. Null where the manifest does not say. */
  readonly makers: ReadonlySet<string> | null
  /** Which prices the bettors of a recorded log take, by the name of their cohort. Null where the manifest does not say. */
  readonly takes: (cohort: string) => string | null
  /** The maker whose lay-off account a cohort of a service is. Null for bettors. */
  readonly layOffOf: (service: string, cohort: string) => string | null
  /** Whether a client of a served run held the seat of a maker. */
  readonly isOutside: (service: string, maker: string) => boolean
}

/** Requests and new versions for a maker. Null where the manifest does not say. */
export interface RequestReach {
  /** Those that reached it. */
  readonly delivered: number | null
  /** Those that did not, since its connection was down. */
  readonly away: number | null
  /** Those that its faults let it ignore. */
  readonly ignored: number | null
}

/** The fields of a manifest that a head is made of. */
export interface ManifestFields {
  readonly label?: unknown
  readonly digest?: unknown
  readonly identity?: { readonly seed?: unknown; readonly scenario?: unknown }
  readonly counts?: Readonly<Record<string, unknown>>
  readonly coverage?: Readonly<Record<string, unknown>>
}

interface ScenarioFields {
  readonly seeds?: Readonly<Record<string, unknown>>
  readonly makers?: readonly (PlayedMaker & { readonly external?: unknown; readonly layOff?: { readonly service?: unknown; readonly account?: unknown } })[]
  readonly swap?: { readonly atUs?: unknown; readonly makers?: readonly PlayedMaker[] }
  readonly bettors?: readonly { readonly name: string; readonly recorded?: { readonly takes?: unknown } }[]
  readonly inference?: { readonly cluster?: unknown }
  readonly services?: { readonly parlay?: { readonly settings?: { readonly profitFeeOnMaker?: unknown } } }
}

/** Reads the manifest of a complete run. Throws InputError when there is none, or when it is not a manifest of parlor. */
export function readRunHead(dir: string): RunHead {
  const path = join(dir, 'manifest.json')
  const head = runHeadOf(fieldsOf(path))
  if (head === null) throw new InputError('not the manifest of a run: no label or digest', { position: { file: path } })
  return head
}

/** The head of a run by the fields of its manifest; null where they are no manifest's. */
export function runHeadOf({ label, digest, identity, counts = {}, coverage = {} }: ManifestFields): RunHead | null {
  if ((label !== 'replay' && label !== 'interactive') || typeof digest !== 'string') return null
  const scenario = identity?.scenario as ScenarioFields | null | undefined
  const cluster = scenario?.inference?.cluster
  const makers = scenario?.makers
  const count = (name: string): number | null => numberOrNull(coverage[name]) ?? numberOrNull(counts[name])
  return {
    label, digest, seed: String(identity?.seed ?? ''), seeds: seedsOf(scenario?.seeds), swap: swapOf(scenario?.swap, makers), cluster: typeof cluster === 'string' ? cluster : null,
    coverage: Object.fromEntries(COVERAGE.map((name) => [name, count(name)])) as CoverageSummary,
    profitFeeOnMaker: scenario?.services?.parlay?.settings?.profitFeeOnMaker === 1,
    startUs: numberOrNull(counts['startUs']), endUs: numberOrNull(counts['endUs']),
    reach: (service, maker) => {
      const name = `delivered to ${service}:${maker}` in counts ? `${service}:${maker}` : maker
      const of = (fate: string): number | null => numberOrNull(counts[`${fate} ${name}`])
      return { delivered: of('delivered to'), away: of('away:'), ignored: of('ignored:') }
    },
    arrivalsEnd: arrivalsEndOf(count),
    unasked: (service) => unaskedIn(service, scenario?.bettors ?? [], count),
    layOffOf: (service, cohort) => makers?.find(({ layOff }) => layOff?.service === service && layOff.account === cohort)?.name ?? null,
    isOutside: (service, maker) => makers?.some((seat) => seat.name === maker && seat.service === service && seat.external === true) === true,
    takes: (cohort) => {
      const takes = scenario?.bettors?.find(({ name }) => name === cohort)?.recorded?.takes
      return typeof takes === 'string' ? takes : null
    },
    makers: makers === undefined ? null : new Set(makers.map(({ name }) => name)),
  }
}

function arrivalsEndOf(count: (name: string) => number | null): ArrivalsEnd | null {
  const [atUs, arrivals, idle] = [count('arrivalsEndedUs'), count('arrivals'), count('idleArrivals')]
  return atUs === null || arrivals === null || idle === null ? null : { atUs, arrivals, idle }
}

function unaskedIn(service: string, cohorts: readonly { readonly name: string }[], count: (name: string) => number | null): UnaskedCohort[] {
  return cohorts.flatMap(({ name }) => {
    const counts = ASK_FILTERS.flatMap((filter) => {
      const markets = count(askCountName(service, name, filter))
      return markets === null ? [] : [[filter, markets] as const]
    })
    const young = count(youngCountName(service, name))
    return counts.length === 0 ? [] : [{ cohort: name, markets: Object.fromEntries(counts) as AskCounts, ...(young === null ? {} : { youngShare: young / MILLIONTHS }) }]
  })
}

function fieldsOf(path: string): ManifestFields {
  let text: string
  try {
    text = plainText(path)
  } catch (cause) {
    if (cause instanceof InputError) throw cause
    throw new InputError('not a complete run: there is no manifest', {
      position: { file: path }, hint: 'expected the folder of a run that ended', cause,
    })
  }
  try {
    return (JSON.parse(text) as ManifestFields | null) ?? {}
  } catch (cause) {
    throw new InputError('the manifest is not JSON', { position: { file: path }, cause })
  }
}

const seedsOf = (seeds: ScenarioFields['seeds']): RunHead['seeds'] =>
  (seeds === undefined ? null : Object.fromEntries(Object.entries(seeds).map(([part, seed]) => [part, String(seed)])))

const numberOrNull = (value: unknown): number | null => (typeof value === 'number' ? value : null)
