import * as Plot from '@observablehq/plot'
import { parseHTML } from 'linkedom'
import { Markup } from './markup.ts'

/** Width of every picture except the long series, CSS pixels. One fits on a telephone, and two fit side by side on a screen. */
export const PLOT_WIDTH = 440
const TEXT_PX = 12

/** Properties of inline styles that SVG has as attributes, too. */
const PRESENTATION = new Set(['fill', 'stroke', 'overflow', 'font-variant', 'font-weight', 'opacity', 'text-anchor'])
/** Attributes in pixels, or made of them. */
const GEOMETRY = new Set(['d', 'transform', 'x', 'y', 'x1', 'x2', 'y1', 'y2', 'cx', 'cy', 'width', 'height'])

const COARSE = /(\d\.\d)\d+/g
const FINE = /(\d\.\d{4})\d+/g

const { document } = parseHTML('<!doctype html><html><body></body></html>')

/** A picture whose x is time from 0: a page lets its readers see a stretch of it. */
export interface TimeFrame {
  /** Where the time ends, in the unit of the axis. */
  readonly end: number
  /** Where the axis begins and ends, pixels. */
  readonly left: number
  readonly right: number
}

interface Element {
  readonly outerHTML: string
  readonly tagName: string
  readonly attributes: Iterable<{ readonly name: string; readonly value: string }>
  querySelectorAll(selector: string): Iterable<Element>
  closest(selector: string): Element | null
  getAttribute(name: string): string | null
  setAttribute(name: string, value: string): void
  removeAttribute(name: string): void
  remove(): void
}

/**
 * A picture of Observable Plot as SVG without style elements and style attributes, which the page's policy forbids. Its rules are in the
 * page's stylesheet, and colours are CSS variables. Numbers are cut to a tenth of a pixel, and to a thousandth of that where a page enlarges them. `label` says in words what the picture shows. With `time`
 * the page's script finds its axis and its marks (zoom.js).
 */
export function plotSvg(label: string, options: Plot.PlotOptions, time?: TimeFrame): Markup {
  const own: Plot.PlotOptions = { width: PLOT_WIDTH, className: 'plot', style: { fontSize: `${TEXT_PX}px` }, ...options }
  const root = Plot.plot({ ...own, document: document as NonNullable<Plot.PlotOptions['document']> }) as unknown as Element
  for (const style of root.querySelectorAll('style')) style.remove()
  if (time !== undefined) nameTimed(root, time)
  for (const element of [root, ...root.querySelectorAll('*')]) plain(element, time !== undefined && element.closest('[data-timed]') !== null)
  const size = root.getAttribute('viewBox')!.split(' ')
  for (const name of ['fill', 'font-family', 'font-size', 'text-anchor']) root.removeAttribute(name)
  root.setAttribute('role', 'img')
  root.setAttribute('aria-label', label)
  root.setAttribute('width', size[2]!)
  root.setAttribute('height', size[3]!)
  return new Markup(root.outerHTML)
}

/** Names the groups of the ticks of time and those of marks, by what Plot calls them for screen readers. */
function nameTimed(root: Element, { end, left, right }: TimeFrame): void {
  root.setAttribute('data-time', `${end} ${left} ${right}`)
  for (const group of root.querySelectorAll('g')) {
    const name = group.getAttribute('aria-label')
    if (name === null) continue
    if (name.startsWith('x-axis tick')) group.setAttribute('data-tick', '')
    else if (!/axis|grid/.test(name)) group.setAttribute('data-timed', '')
  }
}

function plain(element: Element, isEnlarged: boolean): void {
  // A copy: removing changes the list.
  for (const { name, value } of Array.from(element.attributes)) {
    if (name.startsWith('aria-')) element.removeAttribute(name)
    else if (GEOMETRY.has(name)) element.setAttribute(name, value.replace(isEnlarged ? FINE : COARSE, '$1'))
  }
  const style = element.getAttribute('style')
  if (style === null) return
  element.removeAttribute('style')
  for (const rule of style.split(';')) {
    const [name, value] = rule.split(':').map((part) => part.trim())
    if (name !== undefined && value !== undefined && PRESENTATION.has(name)) element.setAttribute(name, value)
  }
}

export { Plot }
