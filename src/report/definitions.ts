import { html, type Markup } from './html/markup.ts'

/** What figures of pages are (docs/metrics.md, docs/glossary.md). */
const DEFINITIONS = {
  profit: ['profit, cash', 'what a maker earned, realised, after fees'],
  luckless: ['luck, without luck', 'luck is what was paid less what the closing prices said of it. Profit without luck, or luck-adjusted profit, is cash less that'],
  interval: ['95% interval', 'it rests on settlement clusters: results that one night, week or game decides together. Of one cluster, or of too few for the legs of a book, there is none'],
  values: ['V, F, q', 'V is the reference, what a parlay was worth by the recorded prices; F the maker’s own fair value; q the probability that a quote asks for'],
  hit: ['hit ratio', 'fills over the versions of requests that the maker quoted'],
  hold: ['hold', 'the share of stakes that the maker kept, before fees'],
  markOut: ['mark-out', 'what the price of fills was above V so long after them, in cents per dollar of payout. Below zero whoever dealt with the maker knew better'],
  session: ['a session', 'one play of the scenario. Figures are means over sessions with other bettors in the same history'],
  adjusted: ['adjusted p', 'the chance of so great a difference where there is none, allowing for all that were compared'],
} as const

export type Definition = keyof typeof DEFINITIONS

/** Words of a page and what they mean, behind a line that opens. */
export const definitions = (...names: readonly Definition[]): Markup => html`<details class="about"><summary>What the words mean</summary>
<dl>${names.map((name) => html`<dt>${DEFINITIONS[name][0]}</dt><dd>${DEFINITIONS[name][1]}.</dd>`)}</dl>
</details>
`

/** What pictures by live rivals count. */
export const RIVALS_ABOUT = 'Live rivals are the other makers whose quotes were live when a quote came, or whose bids were live when a bid for a position came. Of makers with the same delay the first in the scenario comes first, and does not meet the others.'
