import type { SweepPoint, SweepReport } from '../sweep/sweep.ts'
import type { Section } from './html/document.ts'
import { figure, figures } from './html/figure.ts'
import { brief, estimateText, whole } from './html/format.ts'
import { intervalNote } from './html/intervalPlot.ts'
import { html, type Markup } from './html/markup.ts'
import { legend } from './html/palette.ts'
import { Plot, plotSvg } from './html/plot.ts'
import { intervalOf, type SweepEntry, TO_BASELINE, unitOf } from './sweepEntries.ts'
import { axisTitle } from './sweepText.ts'

/** Figures that are drawn. The tables have all figures. */
const DRAWN = ['luck-adjusted', TO_BASELINE, 'profit', 'hold', 'hit ratio', 'fills', 'bettor loss', 'worst joint loss'] as const
/** Pictures of one figure: one for each combination of the other axes. */
const PANELS_MAX = 6
const HEIGHT_PX = 250

/** Pictures of all figures in one section, or in one each where a figure takes several. */
export function drawnSections(sweep: SweepReport, entries: readonly SweepEntry[]): Section[] {
  const panels = panelsOf(sweep)
  const names = DRAWN.filter((name) => sweep.points.some((point) => entries.some((entry) => intervalOf(point, entry, name) !== undefined)))
  if (names.length === 0 || sweep.design.axes.length === 0) return []
  const drawn = panels.slice(0, PANELS_MAX)
  const left = panels.length > drawn.length && html`<p>${whole(drawn.length)} of ${whole(panels.length)} combinations of the other axes are drawn; the table of points has all.</p>`
  const pictures = (name: string): Markup[] => {
    const domain = domainOf(sweep, entries, name)
    return drawn.map((panel, i) => panelFigure(sweep, entries, name, panel, i, domain))
  }
  if (panels.length === 1) {
    return [{ id: 'figures', title: `Against ${axisTitle(sweep.design, panels[0]!.axis)}`, body: html`${legend(entries)}${figures(names.map(pictures))}` }]
  }
  return names.map((name) => ({ id: idOf(name), title: titleOf(name), body: html`${left}${legend(entries)}${figures(pictures(name))}` }))
}

const idOf = (name: string): string => name.replaceAll(' ', '-')
export const titleOf = (name: string): string => `${name[0]!.toUpperCase()}${name.slice(1)}`

function panelFigure({ design }: SweepReport, entries: readonly SweepEntry[], name: string, panel: Panel, number: number, domain: Domain): Markup {
  const title = titleOf(name)
  const { unit, scale } = unitOf(name)
  const { axes } = design
  const axis = axisTitle(design, panel.axis)
  const intervals = panel.points.flatMap((point) => entries.flatMap((entry) => intervalOf(point, entry, name) ?? []))
  return figure({
    id: `${idOf(name)}-${number}`, title: `${title}, ${unit}`, note: `against ${axis}${panel.about === '' ? '' : `, ${panel.about}`}; ${intervalNote(intervals)}`,
    picture: panelPlot(title, axis, panel, entries, name, domain),
    table: {
      caption: `${title} against ${axis}`, head: [...axes.map((path) => axisTitle(design, path)), 'maker', unit, 'low', 'high', 'rests on'], text: [...axes.map((_, axis) => axis), axes.length, axes.length + 4],
      rows: panel.points.flatMap((point) => entries.flatMap((entry) => {
        const interval = intervalOf(point, entry, name)
        if (interval === undefined) return []
        const { estimate: value, low, high, label } = interval
        return [[...axes.map((axis) => point.settings[axis] ?? ''), entry.name, ...[value, low, high].map((bound) => brief(bound === null ? null : bound * scale)), label]]
      })),
    },
  })
}

/** Least and greatest of what pictures of one figure show, so that they have one scale; with 0. */
type Domain = readonly [low: number, high: number]

function domainOf({ points }: SweepReport, entries: readonly SweepEntry[], name: string): Domain {
  const { scale } = unitOf(name)
  const values = points.flatMap((point) => entries.flatMap((entry) => {
    const { estimate = null, low = null, high = null } = intervalOf(point, entry, name) ?? {}
    return [estimate, low, high].filter((value) => value !== null).map((value) => value * scale)
  }))
  const [least, most] = [Math.min(0, ...values), Math.max(0, ...values)]
  return least === most ? [-1, 1] : [least, most]
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
function panelsOf({ design, points }: SweepReport): Panel[] {
  const { kind, axes } = design
  if (kind !== 'grid' && axes.length > 1) return axes.map((axis) => ({ axis, about: '', points, isJoined: false }))
  const [axis, ...others] = axes
  const combinations = new Map<string, SweepPoint[]>()
  for (const point of points) {
    const about = others.map((other) => `${axisTitle(design, other)} ${point.settings[other]}`).join(', ')
    combinations.set(about, [...(combinations.get(about) ?? []), point])
  }
  return [...combinations].map(([about, own]) => ({ axis: axis!, about, points: own, isJoined: true }))
}

function panelPlot(title: string, axisName: string, { axis, points, isJoined, about }: Panel, entries: readonly SweepEntry[], name: string, domain: Domain): Markup {
  const { scale } = unitOf(name)
  const { places, unit, isNumeric } = placesOf(points.map(({ settings }) => settings[axis] ?? ''))
  const numbers = places.map(Number)
  const marks = entries.flatMap((entry) => {
    const { look } = entry
    const rows = points.flatMap((point, i) => {
      const { settings } = point
      const { estimate: value = null, low = null, high = null } = intervalOf(point, entry, name) ?? {}
      return value === null ? [] : [{ x: places[i]!, y: value * scale, low: (low ?? NaN) * scale, high: (high ?? NaN) * scale, tip: `${entry.name}, ${settings[axis]}: ${estimateText({ estimate: value, low, high }, scale)}` }]
    })
    if (isNumeric) rows.sort((a, b) => Number(a.x) - Number(b.x))
    const dash = look.dash.length > 0 ? { strokeDasharray: look.dash.join(' ') } : {}
    return [
      ...(isJoined && isNumeric ? [
        Plot.areaY(rows, { x: 'x', y1: 'low', y2: 'high', fill: look.color, fillOpacity: 0.16 }), Plot.line(rows, { x: 'x', y: 'y', stroke: look.color, strokeWidth: 1.75, ...dash }),
      ] : [Plot.ruleX(rows, { x: 'x', y1: 'low', y2: 'high', stroke: look.color, strokeWidth: 1.5, strokeOpacity: 0.75 })]),
      Plot.dot(rows, { x: 'x', y: 'y', symbol: look.symbol, r: 3.5, fill: look.color, stroke: look.color, title: 'tip' }),
    ]
  })
  return plotSvg(`${title} against ${axisName}${about === '' ? '' : `, ${about}`}: ${entries.map((entry) => lineText(entry, points, axis, name)).join('; ')}.`, {
    height: HEIGHT_PX, marginLeft: 56, marginBottom: 40, marginTop: 10, marginRight: 18,
    x: { label: `${axisName}${unit === '' ? '' : `, ${unit}`}`, labelAnchor: 'center', labelArrow: 'none', ...(isNumeric ? { ticks: 6, domain: [Math.min(...numbers), Math.max(...numbers)] } : { type: 'point', domain: [...new Set(places)] }) },
    y: { label: null, grid: true, ticks: 5, nice: true, domain },
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
