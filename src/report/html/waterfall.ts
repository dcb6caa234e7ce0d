import type { Markup } from './markup.ts'
import type { Look } from './palette.ts'
import { Plot, plotSvg } from './plot.ts'

export interface WaterfallStep {
  readonly name: string
  readonly usdc: number
}

export interface WaterfallParts {
  readonly title: string
  readonly steps: readonly WaterfallStep[]
  /** What the steps lead to, and what it is called. */
  readonly total: number
  readonly totalName: string
  readonly look: Look
  readonly show: (usdc: number) => string
}

const BAR_PX = 24

/** Steps one after the other, each from where the last one ended, and the sum that they lead to. Bars that take away are light. */
export function waterfall({ title, steps, total, totalName, look, show }: WaterfallParts): Markup {
  let reached = 0
  const rows = steps.map(({ name, usdc }) => {
    const from = reached
    reached += usdc
    return { name, usdc, from, to: reached }
  })
  rows.push({ name: totalName, usdc: total, from: 0, to: total })
  const texts = rows.map((row) => ({ ...row, at: Math.max(row.from, row.to), text: show(row.usdc) }))
  return plotSvg(`${title}, USDC: ${texts.map((row) => `${row.name} ${row.text}`).join(', ')}.`, {
    height: BAR_PX * rows.length + 46, marginLeft: 76, marginRight: 74, marginTop: 4, marginBottom: 36,
    x: { label: 'USDC', labelAnchor: 'center', labelArrow: 'none', grid: true, ticks: 4, ...(rows.every(({ from, to }) => from === 0 && to === 0) ? { domain: [-1, 1] } : {}) },
    y: { label: null, domain: rows.map((row) => row.name), tickSize: 0 },
    marks: [
      ...texts.map((row) => Plot.barX([row], { x1: 'from', x2: 'to', y: 'name', fill: look.color, fillOpacity: row.usdc < 0 ? 0.4 : 1, insetTop: 3, insetBottom: 3, title: () => `${row.name} ${row.text}` })),
      Plot.text(texts, { x: 'at', y: 'name', text: 'text', textAnchor: 'start', dx: 5, fill: 'currentColor', stroke: 'var(--bg)', strokeWidth: 3 }), Plot.ruleX([0]),
    ],
  })
}
