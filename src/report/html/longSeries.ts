import { DAY_US, MS_US } from '../../unit/time.ts'
import { figure } from './figure.ts'
import { fixed, instant } from './format.ts'
import { type Content, html, type Markup } from './markup.ts'
import { type Look, looksOf, swatch } from './palette.ts'

/** The most rows of the table beside a picture, and the most samples of a drawn series. */
const TABLE_ROWS = 25
export const SAMPLES_MAX = 1200

/** Several quantities sampled together. */
export interface Samples {
  readonly atUs: ArrayLike<number>
  /** One list of integers for each name, as long as `atUs`. NaN where nothing is known. */
  readonly values: readonly ArrayLike<number>[]
}

/** One way to look at the same things: cash, marked, … */
export interface SeriesView extends Samples {
  readonly name: string
}

export interface LongSeriesParts {
  readonly id: string
  readonly title: string
  readonly note: string
  readonly names: readonly string[]
  readonly views: readonly SeriesView[]
  /** The factor from an integer of the values to the unit shown, and the decimals shown. */
  readonly scale: number
  readonly digits: number
  /** A value holds until the next sample. */
  readonly isStepped?: boolean
}

/** What the page's script reads: differences between consecutive values. */
export interface DrawnSeries {
  readonly names: readonly string[]
  readonly looks: readonly { readonly color: string; readonly dash: readonly number[] }[]
  readonly scale: number
  readonly digits: number
  readonly isStepped: boolean
  readonly views: readonly { readonly name: string; readonly atMs: readonly number[]; readonly values: readonly (readonly (number | null)[])[] }[]
}

/**
 * Samples thinned for drawing to at most `rowsMax` rows. They are cut into equal stretches. Of each stretch the first and the last sample
 * stay, and those at which some quantity is least or greatest. Nothing is averaged, and no peak is lost.
 */
export function thinned({ atUs, values }: Samples, rowsMax = SAMPLES_MAX): Samples {
  const count = atUs.length
  if (count <= rowsMax) return { atUs: Float64Array.from(atUs), values: values.map((list) => Float64Array.from(list)) }
  const stretches = Math.max(1, Math.floor(rowsMax / (2 * values.length + 2)))
  const kept: number[] = []
  for (let stretch = 0; stretch < stretches; stretch++) {
    const from = Math.floor((stretch * count) / stretches)
    const to = Math.floor(((stretch + 1) * count) / stretches)
    const rows = new Set([from, to - 1])
    for (const list of values) for (const row of extremes(list, from, to)) rows.add(row)
    kept.push(...[...rows].sort((a, b) => a - b))
  }
  return { atUs: Float64Array.from(kept, (row) => atUs[row]!), values: values.map((list) => Float64Array.from(kept, (row) => list[row]!)) }
}

/** Rows of the least and the greatest value, the first among equals. The list is empty where nothing is known. */
function extremes(list: ArrayLike<number>, from: number, to: number): number[] {
  let least = -1
  let greatest = -1
  for (let row = from; row < to; row++) {
    if (Number.isNaN(list[row]!)) continue
    if (least < 0 || list[row]! < list[least]!) least = row
    if (greatest < 0 || list[row]! > list[greatest]!) greatest = row
  }
  return least < 0 ? [] : [least, greatest]
}

function differences(values: ArrayLike<number>): (number | null)[] {
  let before = 0
  return Array.from(values, (value) => {
    if (Number.isNaN(value)) return null
    const difference = value - before
    before = value
    return difference
  })
}

/** A picture of long series that the page's script draws, and the data that it reads. */
export function longSeries(parts: LongSeriesParts): { readonly figure: Markup; readonly series: DrawnSeries } {
  const { id, title, names, views, scale, digits, isStepped = false } = parts
  const looks = looksOf(names)
  const drawn = views.map((view) => ({ name: view.name, ...thinned(view) }))
  const isThinned = views.some((view, i) => view.atUs.length > drawn[i]!.atUs.length)
  const note = html`${parts.note}${isThinned && ` Thinned for drawing from ${fixed(views[0]!.atUs.length, 0)} samples; every peak and trough is kept.`}`
  return {
    figure: figure({ id, title, note, isWide: true, picture: chart(parts, looks, summaryOf(parts)), table: tableOf(parts) }),
    series: {
      names, scale, digits, isStepped, looks: looks.map(({ color, dash }) => ({ color, dash })),
      views: drawn.map(({ name, atUs, values }) => ({
        name, atMs: differences(Array.from(atUs, (us) => Math.round(us / MS_US))) as number[], values: values.map(differences),
      })),
    },
  }
}

function chart({ id, title, names, views }: LongSeriesParts, looks: readonly Look[], summary: string): Content {
  const choices = views.length > 1 && html`<fieldset class="views" hidden><legend class="hidden">What is shown of ${title}</legend>${views.map(({ name }, i) =>
    html`<label><input type="radio" name="${id}-view" value="${i}"${i === 0 && html` checked`}>${name}</label>`)}</fieldset>`
  const acts = [['earlier', 'Earlier', '←'], ['later', 'Later', '→'], ['in', 'Zoom in', '+'], ['out', 'Zoom out', '−'], ['all', 'Show all', 'All']] as const
  return html`<div class="chart" data-series="${id}">
<div class="bar">${choices}<span class="buttons" role="group" aria-label="View of ${title}" hidden>${acts.map(([value, label, face]) =>
    html`<button type="button" value="${value}" aria-label="${label}" title="${label}">${face}</button>`)}</span><span class="range"></span> <output class="at"></output></div>
<div class="canvas" role="img" tabindex="0" aria-label="${summary}" aria-describedby="${id}-keys"></div>
<p class="hidden" id="${id}-keys">Arrow keys move the view, plus and minus zoom, zero shows all; with shift, arrow keys read sample by sample.</p>
<p class="hidden" aria-live="polite"></p>
<ul class="legend">${names.map((name, i) => html`<li><label><input type="checkbox" checked hidden>${swatch(looks[i]!)} ${name} <output></output></label></li>`)}</ul>
<noscript><p>The page's script draws this; the numbers below are there without it.</p></noscript>
</div>`
}

/** What the picture shows, in words. */
function summaryOf({ title, names, views, scale, digits }: LongSeriesParts): string {
  const { atUs, values, name } = views[0]!
  if (atUs.length === 0) return `${title}: no samples.`
  const show = (value: number): string => fixed(value * scale, digits)
  const lines = names.map((maker, i) => {
    const known = Array.from(values[i]!).filter((value) => !Number.isNaN(value))
    if (known.length === 0) return `${maker} unknown`
    const [least, greatest] = known.reduce(([low, high], value) => [Math.min(low!, value), Math.max(high!, value)], [Infinity, -Infinity])
    return `${maker} ends at ${show(known.at(-1)!)}, between ${show(least!)} and ${show(greatest!)}`
  })
  return `${title}, ${name}, ${instant(atUs[0]!)} to ${instant(atUs[atUs.length - 1]!)}: ${lines.join('; ')}.`
}

/** Every so many samples, and the last. */
function tableOf({ title, names, views, scale, digits }: LongSeriesParts) {
  const { atUs } = views[0]!
  const steps = Math.min(TABLE_ROWS, atUs.length)
  const rows = Array.from({ length: steps }, (_, i) => (steps === 1 ? 0 : Math.round((i * (atUs.length - 1)) / (steps - 1))))
  const isDays = atUs.length > 0 && atUs[atUs.length - 1]! - atUs[0]! > 3 * DAY_US
  return {
    caption: `${title}: ${rows.length} of ${fixed(atUs.length, 0)} samples`,
    head: ['at, UTC', ...views.flatMap((view) => names.map((name) => (views.length === 1 ? name : `${name}, ${view.name.toLowerCase()}`)))],
    rows: rows.map((row) => [
      instant(atUs[row]!).slice(0, isDays ? 16 : 19),
      ...views.flatMap((view) => view.values.map((list) => fixed(Number.isNaN(list[row]!) ? null : list[row]! * scale, digits))),
    ]),
  }
}
