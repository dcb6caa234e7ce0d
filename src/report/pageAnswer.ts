import { alarmLines } from './alarms.ts'
import { bettorsText, verdictText } from './answerText.ts'
import { definitions } from './definitions.ts'
import { figures } from './html/figure.ts'
import { withMinus } from './html/format.ts'
import { html } from './html/markup.ts'
import { makerIntervals } from './pageScorecard.ts'
import type { PageSection, ServicePage } from './pageService.ts'

/** Who earned most and whether it may be chance, what luck did, what bettors lost, and what looks wrong. */
export function answerSection(page: ServicePage): PageSection {
  const { summary, prefix } = page
  const said = [verdictText(summary), bettorsText(summary)].filter((text) => text !== null)
  const alarms = alarmLines(summary)
  const body = html`${said.map((text, i) => html`<p${i === 0 && html` class="verdict"`}>${withMinus(text)}</p>
`)}${figures(
    makerIntervals(page, 'profit-plot', 'Profit', 'USDC', 1, ({ profit }) => profit),
    makerIntervals(page, 'luckless-plot', 'Profit without luck, drift in it', 'USDC', 1, ({ luckAdjusted }) => luckAdjusted),
  )}
${definitions('profit', 'luckless', 'interval', 'values', 'hit', 'hold')}${alarms.length === 0
    ? html`<p><span class="good">Nothing looks wrong</span>: money is conserved, and every maker took part.</p>`
    : html`<p><span class="bad">Looks wrong</span></p>
<ul>${alarms.map((line) => html`<li>${withMinus(line)}</li>
`)}</ul>`}`
  return { id: `${prefix}answer`, title: 'Answer', body }
}
