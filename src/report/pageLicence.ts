import type { Licence } from '../score/licence.ts'
import type { Section } from './html/document.ts'
import { facts, figure, figures } from './html/figure.ts'
import { brief, estimate, fixed, percent, whole } from './html/format.ts'
import { html, type Markup } from './html/markup.ts'
import { Plot, plotSvg } from './html/plot.ts'

const HEIGHT_PX = 300

/** How far closing prices are calibrated: what profit without luck rests on. @param prefix of the ids of a page with several services */
export function licenceSection(licence: Licence, prefix = ''): Section {
  const { verdict, markets, clusters, brier, test, text } = licence
  const body = html`<p>Luck is what was paid less what the closing prices said. Profit without luck is as good as closing prices are: ${text}.${verdict === 'uncalibrated' && html` <b>Cash ranks.</b>`}</p>
${markets > 0 && html`${facts([
    ['markets', whole(markets)], ['clusters', whole(clusters)], ['Brier score', estimate(brier)], ...(test === null ? [] : [['p', html`<span title="${test.method}">${fixed(test.p, 3)}</span>`] as const]),
  ])}
${figures(diagram(licence, prefix))}`}`
  return { id: `${prefix}licence`, title: 'Closing prices', body }
}

function diagram({ bins }: Licence, prefix: string): Markup {
  const known = bins.flatMap(({ count, mean, share }) => (mean === null || share === null ? [] : [{ count, tip: `closing at ${brief(100 * mean)} ¢ on average: ${brief(100 * share)}% of ${whole(count)} came true`, x: 100 * mean, y: 100 * share, r: 2 + Math.sqrt(count) / 3 }]))
  return figure({
    id: `${prefix}licence-plot`, title: 'Reliability of closing prices', note: 'share of YES by closing price, in bins of 10 ¢; on the diagonal prices were right; larger dots have more markets',
    picture: plotSvg(`Share of YES by closing price: ${known.map(({ x, y }) => `${brief(x)}% came true ${brief(y)}%`).join('; ')}.`, {
      height: HEIGHT_PX, marginLeft: 44, marginBottom: 40, marginTop: 10, marginRight: 18,
      x: { label: 'closing price of YES, ¢', labelAnchor: 'center', labelArrow: 'none', domain: [0, 100], ticks: 6 }, y: { label: null, grid: true, domain: [0, 100], ticks: 6 },
      marks: [
        Plot.line([[0, 0], [100, 100]], { stroke: 'currentColor', strokeOpacity: 0.5, strokeDasharray: '3 3' }),
        Plot.dot(known, { x: 'x', y: 'y', r: known.map(({ r }) => Math.min(r, 12)), fill: 'currentColor', fillOpacity: 0.7, title: 'tip' }),
      ],
    }),
    table: {
      caption: 'Reliability of closing prices', head: ['closing price, ¢', 'markets', 'mean price, %', 'came true, %'],
      rows: bins.map(({ from, to, count, mean, share }) => [`${fixed(100 * from, 0)} to ${fixed(100 * to, 0)}`, whole(count), percent(mean), percent(share)]),
    },
  })
}
