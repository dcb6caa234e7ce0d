import { settingsText } from '../sweep/axisNames.ts'
import type { SweepReport } from '../sweep/sweep.ts'
import type { Section } from './html/document.ts'
import { tableMarkup } from './html/figure.ts'
import { brief, estimate, percent, pValue, UNKNOWN, whole } from './html/format.ts'
import { html } from './html/markup.ts'

/** Whether the best point of each maker can be told from chance. */
export function bestSection({ best, measure, design }: SweepReport): Section[] {
  if (best.length === 0) return []
  return [{
    id: 'best', title: 'Best of all points',
    body: html`<p>The best of many points looks good by chance too. p-values are adjusted for all points: of a zero profit, and of a zero difference to the mean of the other points. Deflated: probability that the Sharpe ratio is above that of the best of as many worthless points.</p>
${tableMarkup({
      caption: 'Best points', head: ['maker', 'points', 'best point', 'settings', html`${measure}<br>USDC`, html`p of zero<br>adjusted`, html`over the others<br>USDC`, html`p<br>adjusted`, html`deflated<br>%`, 'tested by'], text: [3, 9],
      rows: best.map(({ maker, points, point, settings, tests }) => [
        maker, whole(points), whole(point), settingsText(settings, design.names),
        ...(tests === null ? [UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN, 'nothing'] : [
          brief(tests.profit), pValue(tests.zero.adjusted), brief(tests.overOthers), pValue(tests.others.adjusted), percent(tests.deflated), `${tests.method}, ${whole(tests.rows)} ${tests.unit}`,
        ]),
      ]),
    })}`,
  }]
}

/** The rounds of a search, and its winner. */
export function searchSection({ search, repeats, design }: SweepReport): Section[] {
  if (search === null) return []
  const { text, points, rounds, winner } = search
  return [{
    id: 'search', title: 'Search',
    body: html`<p>Successive halving over ${whole(points)} points, for the most ${text}. ${winner === null ? 'No point was played to its end.' : html`<b>${winner.sentence}.</b>`} Figures of the points below chose the winner, and those of the best are too good.${repeats === undefined ? '' : ` The ${repeats}.`}</p>
${tableMarkup({
      caption: 'Rounds', head: ['round', 'points', 'replications of each', 'went on, best first'], text: [3],
      rows: rounds.map(({ points: of, replications, kept }, i) => [whole(i + 1), whole(of), whole(replications), kept.length > 20 ? `${kept.slice(0, 20).join(', ')}, …` : kept.join(', ')]),
    })}
${winner !== null && tableMarkup({
      caption: 'Winner', head: ['point', 'settings', 'replications', html`luck-adjusted<br>USDC`, html`cash<br>USDC`, html`corrected for the choice<br>USDC`, html`p<br>corrected`, html`deflated<br>%`], text: [1, 2],
      rows: [[
        whole(winner.point), settingsText(winner.settings, design.names), `${whole(winner.fresh.from)} to ${whole(winner.fresh.to)}, which did not choose it`, estimate(winner.luckAdjusted), estimate(winner.profit),
        winner.corrected === null ? html`<span title="${winner.uncorrected}">${UNKNOWN}</span>` : html`<span title="${winner.corrected.label}">${brief(winner.corrected.low)} to ${brief(winner.corrected.high)}</span>`,
        winner.corrected === null ? UNKNOWN : pValue(winner.corrected.p), percent(winner.deflated),
      ]],
    })}`,
  }]
}
