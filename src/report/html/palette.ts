import { html, Markup } from './markup.ts'

/** How one of several things differs from the others: by colour, by shape and by dashes. */
export interface Look {
  /** CSS variable of the page's stylesheet, dark and light. */
  readonly color: string
  readonly symbol: (typeof SYMBOLS)[number]
  /** The dashes of a line. A line without dashes is unbroken. */
  readonly dash: readonly number[]
}

const COLORS = 8
const SYMBOLS = ['circle', 'square', 'triangle', 'diamond2', 'times', 'star', 'cross'] as const
const DASHES: readonly (readonly number[])[] = [[], [6, 3], [2, 2], [8, 3, 2, 3], [12, 4], [4, 2, 1, 2], [9, 2]]

/** The look of the thing with this number. Colours repeat after eight and shapes after seven, so that 56 looks differ. */
export const lookOf = (number: number): Look => ({
  color: `var(--c${number % COLORS})`, symbol: SYMBOLS[number % SYMBOLS.length]!, dash: DASHES[number % DASHES.length]!,
})

/**
 * The look of each name: a maker has the same one on every page that shows the same names, in whatever order, and most often on pages that show others beside
 * it. Names begin at their hash and step aside for those before them in the alphabet, eight at a time, so that no two of 56 look alike.
 */
export function looksOf(names: readonly string[]): Look[] {
  const numbers = new Map<string, number>()
  const taken = new Set<number>()
  for (const name of [...new Set(names)].toSorted((a, b) => (a < b ? -1 : 1))) {
    const round = COLORS * Math.floor(taken.size / COLORS)
    let place = placeOf(name)
    while (taken.has(round + place)) place = (place + 1) % COLORS
    taken.add(round + place)
    numbers.set(name, round + place)
  }
  return names.map((name) => lookOf(numbers.get(name)!))
}

/** The look of a part of something: its colour, with the shape and the dashes of the part's number. */
export const partOf = ({ color }: Look, number: number): Look => ({ ...lookOf(number), color })

/** FNV-1a over code units; its middle bits vary most. */
function placeOf(name: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < name.length; i++) hash = Math.imul(hash ^ name.charCodeAt(i), 0x01000193) >>> 0
  return (hash >>> 16) % COLORS
}

/** Outlines of the symbols in a box from −5 to 5. */
const OUTLINES: Readonly<Record<Look['symbol'], string>> = {
  circle: 'M4,0A4,4,0,1,1,-4,0A4,4,0,1,1,4,0Z',
  square: 'M-3.6,-3.6h7.2v7.2h-7.2Z',
  triangle: 'M0,-4.8L4.4,3.2H-4.4Z',
  diamond2: 'M0,-4.8L4.8,0L0,4.8L-4.8,0Z',
  times: 'M-3.5,-3.5L3.5,3.5M-3.5,3.5L3.5,-3.5',
  star: 'M0,-5L1.2,-1.6H4.8L1.9,.6L3,4L0,1.9L-3,4L-1.9,.6L-4.8,-1.6H-1.2Z',
  cross: 'M-4.2,-1.4H-1.4V-4.2H1.4V-1.4H4.2V1.4H1.4V4.2H-1.4V1.4H-4.2Z',
}

/** A sample of a line with its symbol, for legends. */
export function swatch({ color, symbol, dash }: Look): Markup {
  const dashes = dash.length === 0 ? '' : ` stroke-dasharray="${dash.join(' ')}"`
  return new Markup(`<svg class="swatch" viewBox="-14 -6 28 12" width="28" height="12" aria-hidden="true"><path d="M-14,0H14" stroke="${color}" stroke-width="2"${dashes}/>`
    + `<path d="${OUTLINES[symbol]}" fill="${color}" stroke="${color}" stroke-width="1.6"/></svg>`)
}

/** Names with their samples. */
export const legend = (entries: readonly { readonly name: string; readonly look: Look }[]): Markup =>
  html`<ul class="legend">${entries.map(({ name, look }) => html`<li>${swatch(look)} ${name}</li>`)}</ul>`
