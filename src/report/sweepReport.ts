import type { Interval } from '../stats/interval.ts'
import { settingsText } from '../sweep/axisNames.ts'
import type { SweepReport } from '../sweep/sweep.ts'
import { definitions } from './definitions.ts'
import { pageDocument, type Section } from './html/document.ts'
import { facts, tableMarkup } from './html/figure.ts'
import { brief, estimate, plural, pValue, UNKNOWN, whole, withMinus } from './html/format.ts'
import { type Content, html, type Markup } from './html/markup.ts'
import { swatch } from './html/palette.ts'
import { bestSection, searchSection } from './pageBest.ts'
import { licenceSection } from './pageLicence.ts'
import { shortOfSweep } from './shortIntervals.ts'
import { entriesOf, intervalOf, type SweepEntry, unitOf } from './sweepEntries.ts'
import { heatmapSection } from './sweepHeatmap.ts'
import { drawnSections } from './sweepPlots.ts'
import { axisTitle, baselineText, bestPoints, figureOf } from './sweepText.ts'

/** A sweep as one HTML page, as a function of `sweep.json`. */
export function sweepReport(sweep: SweepReport): string {
  const { name, label, seed, design, replications, until, points, licence } = sweep
  const entries = entriesOf(points)
  const failures = points.flatMap(({ point, failures: own }) => own.map((failure) => ({ point, ...failure })))
  return pageDocument({
    kind: 'Sweep report', title: name, series: {},
    lead: html`<p class="lead"><span class="label">${label}</span>: ${plural(points.length, 'point')} of a ${design.kind} design, the same seeds at each. Figures are of one session on average; intervals are 95%.</p>
${facts([['seed', seed], ['axes', design.axes.map((path) => axisTitle(design, path)).join(', ')], ['replications', `${whole(replications)} at most`], ...(until === null ? [] : [['until', until] as const]), ['failures', whole(failures.length)]])}`,
    sections: [
      answerSection(sweep, entries), ...searchSection(sweep), ...expectationsSection(sweep),
      ...heatmapSection(sweep, entries), ...drawnSections(sweep, entries), ...bestSection(sweep),
      { id: 'points', title: 'Points', body: pointsTable(sweep, entries) },
      licenceSection(licence),
      ...(failures.length === 0 ? [] : [{
        id: 'failures', title: 'Failures', body: tableMarkup({
          caption: 'Sessions without a result', head: ['point', 'replication', 'kind', 'who', 'message'], text: [2, 3, 4],
          rows: failures.map(({ point, replication, kind, who, message }) => [whole(point), whole(replication), kind, who ?? '', message]),
        }),
      }]),
    ],
    foot: html`<p>Made by parlor from sweep.json; the same sweep gives the same bytes.</p>`,
  })
}

/** At which setting each maker earned most, by how much more than at the baseline, and whether that can be told from chance. */
function answerSection(sweep: SweepReport, entries: readonly SweepEntry[]): Section {
  const { points, measure, licence, baseline, best, search, design, repeats } = sweep
  const short = shortOfSweep(points)
  const base = points.find(({ point }) => point === baseline)
  const ranks = figureOf(measure)
  // First what is said of a maker that the axes are about.
  const about = best.find(({ maker }) => Object.values(design.names ?? {}).some((name) => name.endsWith(` of ${maker}`))) ?? best[0]
  const lead = search?.winner?.sentence ?? about?.sentence ?? null
  const others = best.filter((own) => own !== about)
  const rows = points.length < 2 ? [] : bestPoints(sweep).map(({ maker, point }) => {
    const entry = entries.find((own) => own.service === maker.service && own.maker === maker.maker)!
    const tests = best.find((own) => own.service === maker.service && own.maker === maker.maker)?.tests ?? null
    const { figures, toBaseline } = maker
    return [
      html`${swatch(entry.look)} <b>${entry.name}</b>`, settingsText(point.settings, design.names), cellOf(figures[ranks], 1),
      ...(base === undefined ? [] : [point === base ? 'the baseline' : cellOf(toBaseline, 1)]), tests === null ? UNKNOWN : pValue(tests.zero.adjusted), tests === null ? UNKNOWN : pValue(tests.others.adjusted),
      cellOf(figures[ranks === 'profit' ? 'luck-adjusted' : 'profit'], 1), cellOf(figures['fills'], 1), cellOf(figures['hold'], 100),
    ]
  })
  const body = html`${lead !== null && html`<p class="verdict">${withMinus(lead)}.</p>
`}${rows.length > 0 && html`<div class="full best">${tableMarkup({
    caption: 'Best points', text: [1], head: [
      'maker', 'best at', html`${measure}<br>USDC`, ...(base === undefined ? [] : [html`over<br>${baselineText(base, design)}`]), html`p of zero<br>adjusted`, html`p, the others<br>adjusted`,
      html`${measure === 'cash' ? 'luck-adjusted' : 'cash'}<br>USDC`, 'fills', html`hold<br>%`,
    ], rows,
  })}</div>
`}${others.length > 0 && html`<ul>${others.map(({ sentence }) => html`<li>${withMinus(sentence)}.</li>`)}</ul>
`}${repeats !== undefined && search === null && html`<p>The ${repeats}.</p>
`}${rows.length > 0 && search === null && html`<p>The best of several settings looks good by chance too: p is adjusted for all ${plural(points.length, 'point')}, of a zero profit and of a zero difference to the mean of the others. Differences to the baseline are paired, cluster by cluster or replication by replication.</p>
`}${short.cash !== null && html`<p><b>No interval of cash</b>: ${short.cash}.</p>
`}${short.close !== null && html`<p><b>No interval of luck-adjusted profit</b>: ${short.close}.</p>
`}<p>${measure === 'cash' ? html`<b>Cash leads</b>` : 'Luck-adjusted profit leads'}: ${licence.text}.</p>
${definitions('profit', 'luckless', 'session', 'interval', 'adjusted', 'hit', 'hold')}`
  return { id: 'answer', title: 'Answer', body }
}

const cellOf = (interval: Interval | undefined, scale: number): Content => (interval === undefined ? UNKNOWN : estimate(interval, scale, brief, false))

/** What the scenario expects to rise or fall, and whether it did. */
function expectationsSection({ expectations }: SweepReport): Section[] {
  if (expectations.length === 0) return []
  return [{
    id: 'expectations', title: 'Expected directions',
    body: html`<p>The last point minus the first, paired replication by replication. An expectation holds when the whole interval lies on the expected side.</p>
${tableMarkup({
      caption: 'Expected directions', head: ['expected', 'difference', 'verdict'], text: [2],
      rows: expectations.map(({ text, difference, holds }) => [
        text, difference === null ? 'nothing to compare' : estimate(difference), holds ? html`<span class="good">holds</span>` : html`<span class="bad">DOES NOT HOLD</span>`,
      ]),
    })}`,
  }]
}

/** All figures of every maker at every point. */
function pointsTable({ points, design }: SweepReport, entries: readonly SweepEntry[]): Markup {
  const { axes } = design
  const names = [...new Set(points.flatMap(({ makers }) => makers.flatMap(({ figures: own }) => Object.keys(own))))]
  const cell = (interval: Interval | undefined, name: string): Content => (interval === undefined ? '' : estimate(interval, unitOf(name).scale))
  return tableMarkup({
    caption: 'Figures at every point', head: ['point', ...axes.map((path) => axisTitle(design, path)), 'sessions', 'maker', ...names.map((name) => html`${name}<br>${unitOf(name).unit}`)], text: [...axes.map((_, i) => 1 + i), axes.length + 2],
    rows: points.flatMap((point) => entries.flatMap((entry) => {
      if (!names.some((name) => intervalOf(point, entry, name) !== undefined)) return []
      const { replications, failures, narrow } = point
      return [[
        whole(point.point), ...axes.map((axis) => point.settings[axis] ?? ''), html`${whole(replications - failures.length)}${narrow === false && html` <small>not narrow</small>`}`, entry.name,
        ...names.map((name) => cell(intervalOf(point, entry, name), name)),
      ]]
    })),
  })
}
