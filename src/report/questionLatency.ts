import { quantile } from '../stats/quantile.ts'
import type { CentCounts } from './closeQuotes.ts'
import { tableMarkup } from './html/figure.ts'
import { ms, plural, usd, whole } from './html/format.ts'
import { type Content, html } from './html/markup.ts'
import { firstQuoteTimes } from './pageLatency.ts'
import { namedMaker, whatIf } from './pageNames.ts'
import { eachBatch, indicesOf, numbersOf } from './pageRows.ts'
import type { ServicePage } from './pageService.ts'

/** What the run knows of delays: quotes that came too late, and what V did until a decision. */
export function questionLatency(page: ServicePage, cents: readonly CentCounts[]): Content {
  const { makers, prefix } = page
  const times = firstQuoteTimes(page)
  const moves = decisionMoves(page)
  const rows = makers.map((maker, m): Content[] => {
    const { lastLook, attribution } = maker.figures
    return [
      namedMaker(maker), usd(attribution.micros.lastLook), whole(moves[m]!.moved), whole(cents[m]!.late), whole(lastLook.timed_out), ms(times[m]!.length === 0 ? null : quantile(times[m]!, 0.5)), ms(lastLook.latencyP50Us),
    ]
  })
  const sum = (of: (m: number) => number): number => makers.reduce((total, _, m) => total + of(m), 0)
  const verdict = latencyVerdict({
    late: sum((m) => cents[m]!.late), refused: refusedQuotes(page), timedOut: sum((m) => makers[m]!.figures.lastLook.timed_out), moved: sum((m) => moves[m]!.moved), known: sum((m) => moves[m]!.known),
  })
  return html`<p><b>${verdict}</b> Where V moved between a maker’s quote and its decision, the maker gained by the delay above zero, and paid for it below zero: the <a href="#${prefix}attribution">attribution</a> calls it last look. What a maker lost to prices that it saw late is in its selection there, with all else that selection has. Bids on positions count in the money alone. The <a href="#${prefix}latency">delays themselves</a> are below.</p>
<div class="names">${tableMarkup({ caption: 'What latency cost', head: ['maker', html`by V until the<br>decision, USDC`, html`fills on which<br>V moved`, html`quoted after<br>another was chosen`, 'timed out', html`first quote<br>median, ms`, html`last look<br>median, ms`], rows })}</div>
<p>What it cost in all, with everybody’s answers: ${whatIf('makers.N.latency.quote=0ms')} plays this run again, N counted from 0 in the scenario.</p>`
}

export interface LatencyCounts {
  /** Versions that another maker had won when a maker's first quote came. */
  readonly late: number
  /** Quotes of makers that were refused, for whatever reason. */
  readonly refused: number
  readonly timedOut: number
  readonly moved: number
  /** Fills whose V at both instants is known. */
  readonly known: number
}

/** What a run shows of delays, in a sentence or two. Where prices are recorded seldom, V hardly moves within a second: nothing can be seen then. */
export function latencyVerdict({ late, refused, timedOut, moved, known }: LatencyCounts): string {
  const none = (count: number, what: string): string => (count === 0 ? `no ${what}` : plural(count, what))
  const counted = `${none(late, 'first quote')} came after another maker was chosen, and ${none(timedOut, 'selection')} timed out.${refused === 0 ? '' : ` ${plural(refused, 'quote')} ${refused === 1 ? 'was refused, as a late one is' : 'were refused, as late ones are'}.`}`
  const came = counted.charAt(0).toUpperCase() + counted.slice(1)
  if (known === 0) return came
  return `${came} ${moved === 0 ? `V never moved between a quote and its decision, on ${whole(known)} fills: this history does not show what such delays cost.` : `V moved between a quote and its decision on ${whole(moved)} of ${whole(known)} fills.`}`
}

/** Quotes that makers of the page sent and that were refused. */
function refusedQuotes({ tables, names }: ServicePage): number {
  let refused = 0
  eachBatch(tables, 'rejections', (batch) => {
    const [maker, op] = [indicesOf(batch, 'cohort', names), indicesOf(batch, 'op', ['submitQuote'])]
    for (let row = 0; row < batch.rowCount; row++) if (maker[row]! >= 0 && op[row] === 0) refused++
  })
  return refused
}

/** By maker, the fills whose V is known at the submission and at the decision, and those of them on which it moved. */
function decisionMoves({ tables, names }: ServicePage): { readonly known: number; readonly moved: number }[] {
  const moves = names.map(() => ({ known: 0, moved: 0 }))
  eachBatch(tables, 'acceptances', (batch) => {
    const [submitted, decided] = ['reference_at_submission', 'reference_at_decision'].map((name) => numbersOf(batch, name))
    const [maker, outcome] = [indicesOf(batch, 'maker', names), indicesOf(batch, 'outcome', ['confirmed'])]
    for (let row = 0; row < batch.rowCount; row++) {
      const of = moves[maker[row]!]
      if (of === undefined || outcome[row] !== 0 || Number.isNaN(submitted![row]!) || Number.isNaN(decided![row]!)) continue
      of.known++
      if (submitted![row] !== decided![row]) of.moved++
    }
  })
  return moves
}
