import { basename, join as joinPath } from 'node:path'
import { plainText } from '../arrow/plainText.ts'
import type { CoverageSummary } from '../score/runHead.ts'
import type { Summary } from '../score/summary.ts'
import { swapText } from '../score/swap.ts'
import { facts } from './html/figure.ts'
import { exactUsd, instant, percent, plural, whole, words } from './html/format.ts'
import { type Content, html, type Markup } from './html/markup.ts'
import { seedText } from './seedText.ts'
import { arrivalsEndText, unaskedLines, unlistedText } from './unaskedText.ts'

/** What a run's files say about it beside its summary, null where they do not say. */
export interface RunOrigin {
  readonly name: string | null
  readonly cluster: string | null
  readonly profile: Readonly<Record<string, string>>
  readonly node: string | null
  readonly sourceTree: string | null
  readonly data: string | null
}

interface ManifestFields {
  readonly record?: { readonly name?: unknown }
  readonly identity?: {
    readonly node?: unknown
    readonly sourceTree?: unknown
    readonly data?: unknown
    readonly scenario?: { readonly services?: Readonly<Record<string, { readonly profile?: unknown } | undefined>>; readonly inference?: { readonly cluster?: unknown } }
  }
}

/** Reads `manifest.json` and `sources.json`. Only names are used, because the places of a run's files are no part of its page. */
export function originOf(dir: string): RunOrigin {
  const manifest = fieldsOf(joinPath(dir, 'manifest.json')) as ManifestFields
  const sources = fieldsOf(joinPath(dir, 'sources.json')) as { readonly scenario?: unknown }
  const { identity = {}, record } = manifest
  const { node, sourceTree, data, scenario } = identity
  const services = Object.entries(scenario?.services ?? {})
  return {
    // Only an older version left the name to the sources alone, which have no hash.
    name: typeof record?.name === 'string' ? record.name : typeof sources.scenario === 'string' ? basename(sources.scenario).replace(/\.ya?ml$/i, '') : null,
    cluster: textOrNull(scenario?.inference?.cluster), node: textOrNull(node), sourceTree: textOrNull(sourceTree), data: textOrNull(data),
    profile: Object.fromEntries(services.flatMap(([service, settings]) => (typeof settings?.profile === 'string' ? [[service, settings.profile]] : []))),
  }
}

function fieldsOf(path: string): object {
  try {
    return JSON.parse(plainText(path)) as object
  } catch {
    return {}
  }
}

const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null)

const MEANING = {
  replay: 'history is fixed and does not respond; these figures contain no market response',
  interactive: 'bettors and makers respond to each other; prices of the history do not respond to them',
} as const

/** What the page is about: which run, and what its figures rest on. */
export function runLead(summaries: readonly Summary[], origin: RunOrigin, digest: string): Markup {
  const { label, window } = summaries[0]!
  const short = (hash: string | null): Content => hash !== null && html`<code title="${hash}">${hash.slice(0, 12)}</code>`
  return html`<p class="lead"><span class="label">${label}</span>: ${MEANING[label]}.</p>
${facts([
    ['seed', seedText(summaries[0]!)],
    ['window', window === null ? 'nothing happened' : `${instant(window.startUs)} to ${instant(window.endUs)}`],
    ...summaries.flatMap(({ swap }) => (swap === undefined ? [] : [['swap', swapText(swap, summaries.length > 1)] as const])),
    ...Object.entries(origin.profile).map(([service, profile]) => [`${service} profile`, profile] as const),
    ['digest', html`<code>${digest}</code>`],
    ...(origin.data === null ? [] : [['data', short(origin.data)] as const]),
    ...(origin.sourceTree === null ? [] : [['source', short(origin.sourceTree)] as const]),
    ...(origin.node === null ? [] : [['Node', origin.node] as const]),
  ])}`
}

const COVERAGE: readonly (readonly [keyof CoverageSummary, string])[] = [
  ['universe', 'universe'], ['listed', 'listed'], ['withoutPrices', 'no prices'], ['closed', 'closed'], ['excluded', 'excluded'],
  ['unresolved', 'unresolved'], ['drawn', 'drawn'], ['voided', 'void'], ['scalar', 'scalar'], ['halted', 'halted'], ['missingSettlementTime', 'no settlement time'],
]

/** Coverage: what figures rest on, printed beside them. */
export function coverageBody(summary: Summary): Markup {
  const { coverage, requests, positions, acceptances, conservation, clusters, quotes } = summary
  const total = (counts: object): number => Object.values(counts).reduce((sum: number, count: number) => sum + count, 0)
  const seen = (count: number | null): string => (count === null ? '?' : whole(count))
  const unlisted = unlistedText(summary)
  return html`<p>${plural(requests.count, summary.service === 'outcome' ? 'RFQ' : 'request')} in <b>${plural(requests.clusters, 'settlement cluster')}</b>${
    clusters.by !== null && ` (by ${clusters.by})`}, ${plural(quotes, 'quote')}, ${plural(total(acceptances), 'selection')}, ${plural(total(positions), 'position')}. ${
    intervalsText(summary)}</p>
${conservationText(conservation)}
<p class="kind">Markets</p>
${facts(COVERAGE.map(([name, text]) => [text, seen(coverage[name])]), 'counts')}
${coverage.drawn !== null && coverage.drawn > 0 && html`<p>Results of ${plural(coverage.drawn, 'market')} were drawn, at the closing prices.</p>`}
${unlisted !== null && html`<p>Not offered: ${unlisted}.</p>`}
${summary.arrivalsEnd !== undefined && html`<p>Arrivals ${arrivalsEndText(summary.arrivalsEnd)}.</p>`}
${unaskedLines(summary).map((line) => html`<p><span class="bad">${line}.</span></p>`)}
<p class="kind">Ends</p>
${facts([
    ...tally(summary.service === 'outcome' ? 'RFQs' : 'versions of requests', requests.byEnd), ...tally('selections', acceptances), ...tally('positions', positions),
  ], 'counts')}`
}

const tally = (name: string, counts: object): (readonly [string, string])[] => {
  const known = Object.entries(counts as Record<string, number>).filter(([, count]) => count > 0)
  return known.length === 0 ? [[name, 'none']] : [[name, known.map(([end, count]) => `${whole(count)} ${words(end)}`).join(', ')]]
}

function intervalsText({ requests, clusters: { sharedPositions } }: Summary): string {
  if (requests.clusters === 1) return 'One cluster gives no interval: figures are conditional on this history.'
  const shared = sharedPositions === null || sharedPositions === 0 ? '' : ` ${percent(sharedPositions)}% of positions rest on several clusters, so intervals are too narrow.`
  return `Intervals are 95%, over these clusters.${shared}`
}

function conservationText({ differenceMicros, ledgerAgrees }: Summary['conservation']): Markup {
  if (differenceMicros === 0 && ledgerAgrees) return html`<p><span class="good">Money is conserved</span> to the micro-unit, and the ledger agrees with the tables.</p>`
  const why = differenceMicros === 0 ? 'the ledger and the tables differ' : `${exactUsd(differenceMicros)} USDC are missing`
  return html`<p><span class="bad">Money is not conserved</span>: ${why}.</p>`
}
