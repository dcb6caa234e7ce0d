import type { MakerSummary } from '../score/makers.ts'
import type { Interval } from '../stats/interval.ts'
import { figure, figures } from './html/figure.ts'
import { brief, whole } from './html/format.ts'
import { intervalNote, intervalPlot } from './html/intervalPlot.ts'
import { html, type Markup } from './html/markup.ts'
import { swatch } from './html/palette.ts'
import { type ScoreLine, scoreGroups } from './pageScoreLines.ts'
import type { PageMaker, PageSection, ServicePage } from './pageService.ts'
import { shortOfRun } from './shortIntervals.ts'

/** Every figure of every maker, with its definition. */
export function scorecardSection(page: ServicePage): PageSection {
  const { makers, prefix } = page
  const { cash, close } = shortOfRun(page.summary)
  const body = html`${cash !== null && html`<p>No interval of cash: ${cash}.</p>
`}${close !== null && html`<p>No interval of figures up to the close: ${close}.</p>
`}<div class="scroll card" role="region" tabindex="0" aria-label="Scorecard of ${whole(makers.length)} makers"><table>
<caption class="hidden">Figures of each maker with 95% intervals over settlement clusters</caption>
<thead><tr><th scope="col">figure</th>${makers.map(({ name, look }) => html`<th scope="col" class="number">${swatch(look)} ${name}</th>`)}</tr></thead>
${scoreGroups(page).map(({ name, lines }) => html`<tbody><tr class="group"><th scope="rowgroup" colspan="${makers.length + 1}">${name}</th></tr>
${lines.map((line) => row(line, makers))}</tbody>
`)}</table></div>
${figures(makerIntervals(page, 'hold-plot', 'Hold', '% of stakes', 100, ({ hold }) => hold))}`
  return { id: `${prefix}scorecard`, title: 'Scorecard', body }
}

const row = ({ name, about, cell }: ScoreLine, makers: readonly PageMaker[]): Markup =>
  html`<tr><th scope="row">${name}${about !== '' && html`<small>${about}</small>`}</th>${makers.map(({ figures: own }) => html`<td class="number">${cell(own)}</td>`)}</tr>\n`

/** One figure of all makers as dots in their intervals. */
export function makerIntervals(
  { makers, prefix }: ServicePage, id: string, title: string, axis: string, scale: number, interval: (figures: MakerSummary) => Interval,
): Markup {
  return figure({
    id: `${prefix}${id}`, title, note: intervalNote(makers.map((maker) => interval(maker.figures))),
    picture: intervalPlot({ title, axis, scale, rows: makers.map((maker) => ({ name: maker.name, look: maker.look, interval: interval(maker.figures) })) }),
    table: {
      caption: title, head: ['maker', axis, 'low', 'high', 'rests on'], text: [4],
      rows: makers.map((maker) => {
        const { estimate, low, high, label } = interval(maker.figures)
        return [maker.name, ...[estimate, low, high].map((bound) => brief(bound === null ? null : bound * scale)), label]
      }),
    },
  })
}
