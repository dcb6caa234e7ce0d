import { join } from 'node:path'
import { plainText } from '../arrow/plainText.ts'
import { InputError } from '../unit/inputError.ts'

/** How much of the history the session used. Null where the manifest does not say. */
export type CoverageSummary = { readonly [name in (typeof COVERAGE)[number]]: number | null }

const COVERAGE = [
  'universe', 'listed', 'withoutPrices', 'closed', 'excluded', 'unresolved', 'drawn', 'voided', 'scalar', 'halted',
  'missingSettlementTime',
] as const

/** What a summary needs of `manifest.json`. */
export interface RunHead {
  readonly label: 'replay' | 'interactive'
  readonly digest: string
  readonly seed: string
  /** Seeds of parts of the session that had one of their own, by part. Null where none had. */
  readonly seeds: Readonly<Record<string, string>> | null
  readonly coverage: CoverageSummary
  /** `inference.cluster` of the scenario: what settlement clusters are. Null where the manifest does not say. */
  readonly cluster: string | null
  /** Whether the profile lets the profit fee fall on makers' gains too. False where the manifest does not say. */
  readonly profitFeeOnMaker: boolean
  /** Bounds of the session, µs, where the manifest's counts have them. */
  readonly startUs: number | null
  readonly endUs: number | null
  /** Requests and new versions that reached a maker of a service, by its name. Null where the manifest does not say. */
  readonly delivered: (service: string, maker: string) => number | null
  /** Names of the scenario's makers. Null where the manifest does not say. */
  readonly makers: ReadonlySet<string> | null
  /** Whether a client of a served run held the seat of a maker. */
  readonly isOutside: (service: string, maker: string) => boolean
}

interface ManifestFields {
  readonly label?: unknown
  readonly digest?: unknown
  readonly identity?: { readonly seed?: unknown; readonly scenario?: ScenarioFields | null }
  readonly counts?: Readonly<Record<string, unknown>>
  readonly coverage?: Readonly<Record<string, unknown>>
}

interface ScenarioFields {
  readonly seeds?: Readonly<Record<string, unknown>>
  readonly makers?: readonly { readonly name: string; readonly service?: unknown; readonly external?: unknown }[]
  readonly inference?: { readonly cluster?: unknown }
  readonly services?: { readonly parlay?: { readonly settings?: { readonly profitFeeOnMaker?: unknown } } }
}

/** Reads the manifest of a complete run. Throws InputError when there is none, or when it is not a manifest of parlor. */
export function readRunHead(dir: string): RunHead {
  const path = join(dir, 'manifest.json')
  const { label, digest, identity, counts = {}, coverage = {} } = fieldsOf(path)
  if ((label !== 'replay' && label !== 'interactive') || typeof digest !== 'string') {
    throw new InputError('not the manifest of a run: no label or digest', { position: { file: path } })
  }
  const cluster = identity?.scenario?.inference?.cluster
  const makers = identity?.scenario?.makers
  const count = (name: string): number | null => numberOrNull(coverage[name]) ?? numberOrNull(counts[name])
  return {
    label, digest, seed: String(identity?.seed ?? ''), seeds: seedsOf(identity?.scenario?.seeds), cluster: typeof cluster === 'string' ? cluster : null,
    coverage: Object.fromEntries(COVERAGE.map((name) => [name, count(name)])) as CoverageSummary,
    profitFeeOnMaker: identity?.scenario?.services?.parlay?.settings?.profitFeeOnMaker === 1,
    startUs: numberOrNull(counts['startUs']), endUs: numberOrNull(counts['endUs']),
    delivered: (service, maker) => numberOrNull(counts[`delivered to ${service}:${maker}`]) ?? numberOrNull(counts[`delivered to ${maker}`]),
    isOutside: (service, maker) => makers?.some((seat) => seat.name === maker && seat.service === service && seat.external === true) === true,
    makers: makers === undefined ? null : new Set(makers.map(({ name }) => name)),
  }
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
