import type { Markup } from './markup.ts'
import type { Look } from './palette.ts'
import { Plot, PLOT_WIDTH, plotSvg } from './plot.ts'

/** A quote or a bid while it lived: x in the plot's unit of time since the opening, y in its unit of price. */
export interface DrawnOffer {
  readonly maker: number
  readonly from: number
  readonly to: number
  readonly y: number
  readonly taken: boolean
  /** What it says under the pointer. */
  readonly tip: string
}

const LEFT_PX = 50
const RIGHT_PX = 22

export interface OffersPlotParts {
  readonly label: string
  readonly timeLabel: string
  /** Where the axis of time ends. It begins at 0. */
  readonly end: number
  readonly price: { readonly label: string | null; readonly tickFormat?: (value: number) => string }
  readonly looks: readonly Look[]
  readonly offers: readonly DrawnOffer[]
  /** What the offers were worth, as steps in time. */
  readonly references: readonly { readonly x: number; readonly y: number }[]
  /** Instants marked by a line with a name at its top. */
  readonly marks?: readonly { readonly x: number; readonly name: string }[]
  /** Written beside the offer that was taken. */
  readonly takenWord: string
  readonly heightPx: number
}

/** Offers over time. Each is a line in its maker's look, the reference is dashed, and a ring marks the taken offer. */
export function offersPlot({ label, timeLabel, end, price, looks, offers, references, marks = [], takenWord, heightPx }: OffersPlotParts): Markup {
  const taken = offers.filter((offer) => offer.taken)
  return plotSvg(label, {
    height: heightPx, marginLeft: LEFT_PX, marginBottom: 40, marginTop: marks.length > 0 ? 16 : 14, marginRight: RIGHT_PX,
    x: { label: timeLabel, labelAnchor: 'center', labelArrow: 'none', domain: [0, end || 1], ticks: 6 },
    y: { labelArrow: 'none', grid: true, ticks: 5, inset: 8, zero: false, ...price },
    marks: [
      Plot.line(references, { x: 'x', y: 'y', curve: 'step-after', stroke: 'currentColor', strokeDasharray: '3 3', strokeOpacity: 0.75 }),
      Plot.ruleX(marks, { x: 'x', stroke: 'currentColor', strokeOpacity: 0.4 }),
      Plot.text(marks, { x: 'x', frameAnchor: 'top', dy: -10, text: 'name' }),
      ...looks.flatMap((look, number) => {
        const own = offers.filter(({ maker }) => maker === number)
        return [
          Plot.ruleY(own, { y: 'y', x1: 'from', x2: 'to', stroke: look.color, strokeWidth: 2, title: 'tip', ...(look.dash.length > 0 ? { strokeDasharray: look.dash.join(' ') } : {}) }),
          Plot.dot(own, { y: 'y', x: 'from', symbol: look.symbol, r: 3, fill: look.color, stroke: look.color }),
        ]
      }),
      Plot.dot(taken, { x: 'to', y: 'y', r: 6, stroke: 'currentColor', strokeWidth: 1.5 }),
      Plot.text(taken, { x: 'to', y: 'y', text: () => takenWord, dy: -13, dx: -4, textAnchor: 'end', fill: 'currentColor', stroke: 'var(--bg)', strokeWidth: 3 }),
    ],
  }, { end: end || 1, left: LEFT_PX, right: PLOT_WIDTH - RIGHT_PX })
}
