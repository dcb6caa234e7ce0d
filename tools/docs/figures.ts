// Draws a run's equity as docs/pictures/NAME-equity.svg: `node tools/docs/figures.ts runs/mlb-night`.
import { writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readTable } from '../../src/arrow/tableReader.ts'
import { grouped } from '../../src/unit/numberText.ts'

const WIDTH = 860
const HEIGHT = 320
const LEFT = 70
const RIGHT = 150
const TOP = 34
const BOTTOM = 34
const COLOURS = ['#2a78d6', '#d6612a', '#3a9a54', '#9a4fc2', '#b8860b', '#c23b5e']

interface Series {
  readonly name: string
  readonly points: { readonly atUs: number; readonly usdc: number }[]
}

function profits(run: string): Series[] {
  const table = readTable(join(run, 'tables/equity.arrow'))
  const at = table.numbers('at')
  const marked = table.numbers('mark_to_market_micros')
  const { codes = new Int32Array(0), values = [] } = table.column('maker')
  const series: Series[] = values.map((name) => ({ name, points: [] }))
  const first = new Map<number, number>()
  for (let row = 0; row < at.length; row++) {
    const code = codes[row]!
    const micros = marked[row]!
    if (!first.has(code)) first.set(code, micros)
    series[code]!.points.push({ atUs: at[row]!, usdc: (micros - first.get(code)!) / 1e6 })
  }
  return series.filter((s) => s.points.length > 0)
}

function draw(name: string, series: readonly Series[]): string {
  const all = series.flatMap((s) => s.points)
  const fromUs = Math.min(...all.map((p) => p.atUs))
  const toUs = Math.max(...all.map((p) => p.atUs))
  const low = Math.min(0, ...all.map((p) => p.usdc))
  const high = Math.max(0, ...all.map((p) => p.usdc))
  const x = (atUs: number): number => LEFT + ((atUs - fromUs) / (toUs - fromUs)) * (WIDTH - LEFT - RIGHT)
  const y = (usdc: number): number => HEIGHT - BOTTOM - ((usdc - low) / (high - low)) * (HEIGHT - TOP - BOTTOM)
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="system-ui,sans-serif" font-size="12" role="img" aria-label="Profit of each maker over time, positions marked to the reference">`,
    '<style>text{fill:#24323f}.grid{stroke:#c9d3dc}.zero{stroke:#7d8a96}@media(prefers-color-scheme:dark){text{fill:#dbe6f0}.grid{stroke:#33424f}.zero{stroke:#8fa1b1}}</style>',
    `<text x="${LEFT}" y="18" font-size="14">${name}: profit by maker, open positions marked at V, USDC</text>`,
  ]
  const step = niceStep((high - low) / 5)
  for (let tick = Math.ceil(low / step) * step + 0; tick <= high; tick += step) {
    parts.push(`<line class="${tick === 0 ? 'zero' : 'grid'}" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${y(tick).toFixed(1)}" y2="${y(tick).toFixed(1)}"/>`)
    parts.push(`<text x="${LEFT - 8}" y="${(y(tick) + 4).toFixed(1)}" text-anchor="end">${grouped(tick, step < 1 ? 2 : 0)}</text>`)
  }
  for (let i = 0; i <= 4; i++) {
    const atUs = fromUs + ((toUs - fromUs) * i) / 4
    parts.push(`<text x="${x(atUs).toFixed(1)}" y="${HEIGHT - 12}" text-anchor="middle">${new Date(atUs / 1000).toISOString().slice(11, 16)}</text>`)
  }
  const labels = series.map((s, i) => ({ s, i, at: y(s.points.at(-1)!.usdc) })).toSorted((a, b) => a.at - b.at)
  let below = -Infinity
  for (const { s, i, at } of labels) {
    const colour = COLOURS[i % COLOURS.length]!
    const path = s.points.map((p, k) => `${k === 0 ? 'M' : 'L'}${x(p.atUs).toFixed(1)} ${y(p.usdc).toFixed(1)}`).join('')
    below = Math.max(at, below + 15)
    parts.push(`<path d="${path}" fill="none" stroke="${colour}" stroke-width="1.8"/>`)
    parts.push(`<text x="${WIDTH - RIGHT + 8}" y="${(below + 4).toFixed(1)}" style="fill:${colour}">${s.name}</text>`)
  }
  return [...parts, '</svg>', ''].join('\n')
}

function niceStep(raw: number): number {
  const power = 10 ** Math.floor(Math.log10(raw))
  return ([1, 2, 5].find((m) => m * power >= raw) ?? 10) * power
}

const run = process.argv[2] ?? 'runs/mlb-night'
const name = basename(run)
const path = fileURLToPath(new URL(`../../docs/pictures/${name}-equity.svg`, import.meta.url))
writeFileSync(path, draw(name, profits(run)))
console.log(path)
