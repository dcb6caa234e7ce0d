import type { Interval } from '../stats/interval.ts'
import { figureNamed, SESSION_FIGURES } from '../sweep/figures.ts'
import type { SweepPoint, SweepReport } from '../sweep/sweep.ts'
import { pageDocument, type Section } from './html/document.ts'
import { facts, figure, figures, tableMarkup } from './html/figure.ts'
import { brief, estimate, plural, whole } from './html/format.ts'
import { type Content, html, type Markup } from './html/markup.ts'
import { legend, type Look, looksOf } from './html/palette.ts'
import { Plot, plotSvg } from './html/plot.ts'
import { bestSection, searchSection } from './pageBest.ts'
import { licenceSection } from './pageLicence.ts'
import { shortOfSweep } from './shortIntervals.ts'

/** Figures that are drawn. The tables have all figures. */
const DRAWN = ['luck-adjusted', 'profit', 'hold', 'hit ratio', 'fills', 'bettor loss', 'worst joint loss'] as const
/** Pictures of one figure: one for each combination of the other axes. */
const PANELS_MAX = 6
const HEIGHT_PX = 250

/** A maker of a sweep: over all points under the same name and look. */
interface SweepEntry {
  readonly name: string
  readonly service: string
  readonly maker: string
  readonly look: Look
}

/** A sweep as one HTML page, as a function of `sweep.json`. */
export function sweepReport(sweep: SweepReport): string {
  const { name, label, seed, design, replications, until, points, measure, licence } = sweep
  const entries = entriesOf(points)
  const short = shortOfSweep(points)
  const failures = points.flatMap(({ point, failures: own }) => own.map((failure) => ({ point, ...failure })))
  return pageDocument({
    kind: 'Sweep report', title: name, series: {},
    lead: html`<p class="lead"><span class="label">${label}</span>: ${plural(points.length, 'point')} of a ${design.kind} design, the same seeds at each. Figures are of one session on average; intervals are 95 %.</p>
<p class="lead">${measure === 'cash' ? html`<b>Cash leads</b>` : 'Luck-adjusted profit leads'}: ${licence.text}.</p>
${short.cash !== null && html`<p class="lead"><b>No interval of cash</b>: ${short.cash}.</p>`}${short.close !== null && html`<p class="lead"><b>No interval of luck-adjusted profit</b>: ${short.close}.</p>`}
${facts([['seed', seed], ['axes', design.axes.join(', ')], ['replications', `${whole(replications)} at most`], ...(until === null ? [] : [['until', until] as const]), ['failures', whole(failures.length)]])}`,
    sections: [
      ...searchSection(sweep), ...bestSection(sweep), ...expectationsSection(sweep),
      ...drawnSections(sweep, entries),
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

function entriesOf(points: readonly SweepPoint[]): SweepEntry[] {
  const makers = points.flatMap((point) => point.makers)
  const isSeveral = new Set(makers.map(({ service }) => service)).size > 1
  const byName = new Map(makers.map(({ service, maker }) => [isSeveral ? `${maker} (${service})` : maker, { service, maker }]))
  const looks = looksOf([...byName.keys()])
  return [...byName].map(([name, key], i) => ({ name, ...key, look: looks[i]! }))
}

const intervalOf = ({ makers }: SweepPoint, { service, maker }: SweepEntry, name: string): Interval | undefined =>
  makers.find((own) => own.service === service && own.maker === maker)?.figures[name]

/** How a figure is shown: in percent, cents or USDC. */
function unitOf(name: string): { readonly unit: string; readonly scale: number } {
  const unit = figureNamed(name)?.unit ?? SESSION_FIGURES.find((own) => own.name === name)?.unit ?? 'number'
  if (unit === 'share') return { unit: '%', scale: 100 }
  return { unit: { usdc: 'USDC', usdcDays: 'USDC-days', cents: '¢ per $ of payout', number: 'per session' }[unit], scale: 1 }
}

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

/** Pictures of all figures in one section, or in one each where a figure takes several. */
function drawnSections(sweep: SweepReport, entries: readonly SweepEntry[]): Section[] {
  const panels = panelsOf(sweep)
  const names = DRAWN.filter((name) => sweep.points.some((point) => entries.some((entry) => intervalOf(point, entry, name) !== undefined)))
  if (names.length === 0 || sweep.design.axes.length === 0) return []
  const drawn = panels.slice(0, PANELS_MAX)
  const left = panels.length > drawn.length && html`<p>${whole(drawn.length)} of ${whole(panels.length)} combinations of the other axes are drawn; the table of points has all.</p>`
  const pictures = (name: string): Markup[] => drawn.map((panel, i) => panelFigure(sweep, entries, name, panel, i))
  if (panels.length === 1) {
    return [{ id: 'figures', title: `Against ${panels[0]!.axis}`, body: html`${legend(entries)}${figures(names.map(pictures))}` }]
  }
  return names.map((name) => ({ id: idOf(name), title: titleOf(name), body: html`${left}${legend(entries)}${figures(pictures(name))}` }))
}

const idOf = (name: string): string => name.replaceAll(' ', '-')
const titleOf = (name: string): string => `${name[0]!.toUpperCase()}${name.slice(1)}`

function panelFigure({ design }: SweepReport, entries: readonly SweepEntry[], name: string, panel: Panel, number: number): Markup {
  const title = titleOf(name)
  const { unit, scale } = unitOf(name)
  const { axes } = design
  return figure({
    id: `${idOf(name)}-${number}`, title: `${title}, ${unit}`, note: `against ${panel.axis}${panel.about === '' ? '' : `, ${panel.about}`}; with 95 % intervals`,
    picture: panelPlot(title, panel, entries, name),
    table: {
      caption: `${title} against ${panel.axis}`, head: [...axes, 'maker', unit, 'low', 'high', 'rests on'], text: [...axes.map((_, axis) => axis), axes.length, axes.length + 4],
      rows: panel.points.flatMap((point) => entries.flatMap((entry) => {
        const interval = intervalOf(point, entry, name)
        if (interval === undefined) return []
        const { estimate: value, low, high, label } = interval
        return [[...axes.map((axis) => point.settings[axis] ?? ''), entry.name, ...[value, low, high].map((bound) => brief(bound === null ? null : bound * scale)), label]]
      })),
    },
  })
}

/** Points that are drawn together, along one axis. */
interface Panel {
  readonly axis: string
  /** The values of the other axes. */
  readonly about: string
  readonly points: readonly SweepPoint[]
  /** Whether only the axis differs, so that neighbouring points can be joined by lines. */
  readonly isJoined: boolean
}

/** The pictures of a grid go along its first axis, one for each combination of the others. Those of other designs go along every axis. */
function panelsOf({ design: { kind, axes }, points }: SweepReport): Panel[] {
  if (kind !== 'grid' && axes.length > 1) return axes.map((axis) => ({ axis, about: '', points, isJoined: false }))
  const [axis, ...others] = axes
  const combinations = new Map<string, SweepPoint[]>()
  for (const point of points) {
    const about = others.map((other) => `${other} ${point.settings[other]}`).join(', ')
    combinations.set(about, [...(combinations.get(about) ?? []), point])
  }
  return [...combinations].map(([about, own]) => ({ axis: axis!, about, points: own, isJoined: true }))
}

function panelPlot(title: string, { axis, points, isJoined, about }: Panel, entries: readonly SweepEntry[], name: string): Markup {
  const { scale } = unitOf(name)
  const { places, unit, isNumeric } = placesOf(points.map(({ settings }) => settings[axis] ?? ''))
  const marks = entries.flatMap((entry) => {
    const { look } = entry
    const rows = points.flatMap((point, i) => {
      const { estimate: value = null, low = null, high = null } = intervalOf(point, entry, name) ?? {}
      return value === null ? [] : [{ x: places[i]!, y: value * scale, low: (low ?? NaN) * scale, high: (high ?? NaN) * scale }]
    })
    if (isNumeric) rows.sort((a, b) => Number(a.x) - Number(b.x))
    const dash = look.dash.length > 0 ? { strokeDasharray: look.dash.join(' ') } : {}
    return [
      ...(isJoined && isNumeric ? [
        Plot.areaY(rows, { x: 'x', y1: 'low', y2: 'high', fill: look.color, fillOpacity: 0.16 }), Plot.line(rows, { x: 'x', y: 'y', stroke: look.color, strokeWidth: 1.75, ...dash }),
      ] : [Plot.ruleX(rows, { x: 'x', y1: 'low', y2: 'high', stroke: look.color, strokeWidth: 1.5, strokeOpacity: 0.75 })]),
      Plot.dot(rows, { x: 'x', y: 'y', symbol: look.symbol, r: 3.5, fill: look.color, stroke: look.color }),
    ]
  })
  return plotSvg(`${title} against ${axis}${about === '' ? '' : `, ${about}`}: ${entries.map((entry) => lineText(entry, points, axis, name)).join('; ')}.`, {
    height: HEIGHT_PX, marginLeft: 56, marginBottom: 40, marginTop: 10, marginRight: 18,
    x: { label: `${axis.split('.').at(-1)}${unit === '' ? '' : `, ${unit}`}`, labelAnchor: 'center', labelArrow: 'none', ...(isNumeric ? { ticks: 6 } : { type: 'point', domain: [...new Set(places)] }) },
    y: { label: null, grid: true, ticks: 5, nice: true, zero: false },
    marks: [Plot.ruleY([0], { stroke: 'currentColor', strokeOpacity: 0.5 }), ...marks],
  })
}

function lineText(entry: SweepEntry, points: readonly SweepPoint[], axis: string, name: string): string {
  const { scale } = unitOf(name)
  const texts = points.map((point) => `${point.settings[axis]} ${brief((intervalOf(point, entry, name)?.estimate ?? NaN) * scale)}`)
  return `${entry.name} ${texts.length > 8 ? `${texts[0]} … ${texts.at(-1)}` : texts.join(', ')}`
}

/** Values of an axis as numbers where all of them are numbers of one unit. */
function placesOf(values: readonly string[]): { readonly places: readonly (number | string)[]; readonly unit: string; readonly isNumeric: boolean } {
  const read = values.map((value) => /^(-?\d+(?:\.\d+)?)\s*(\D*)$/.exec(value))
  const units = new Set(read.map((match) => match?.[2]))
  return read.every((match) => match !== null) && units.size === 1
    ? { places: read.map((match) => Number(match![1])), unit: [...units][0]!, isNumeric: true }
    : { places: values, unit: '', isNumeric: false }
}

/** All figures of every maker at every point. */
function pointsTable({ points, design: { axes } }: SweepReport, entries: readonly SweepEntry[]): Markup {
  const names = [...new Set(points.flatMap(({ makers }) => makers.flatMap(({ figures: own }) => Object.keys(own))))]
  const cell = (interval: Interval | undefined, name: string): Content => (interval === undefined ? '' : estimate(interval, unitOf(name).scale))
  return tableMarkup({
    caption: 'Figures at every point', head: ['point', ...axes, 'sessions', 'maker', ...names.map((name) => html`${name}<br>${unitOf(name).unit}`)], text: [...axes.map((_, i) => 1 + i), axes.length + 2],
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
