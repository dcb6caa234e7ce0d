import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { drawsOf } from '../../draws.ts'
import { DAY, DAY_US, type Row } from './rows.ts'

export function madeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'parlor-made-store-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Rows of a few days in no order, many of them at one instant. */
export function drawnRows(seed: number, count: number, markets: number, days: number): Row[] {
  const draw = drawsOf(seed)
  return Array.from({ length: count }, (_, i): Row => {
    const bid = draw(4) === 0 ? -1 : draw(500_000)
    return [DAY + draw(days) * DAY_US + draw(50) * 1_000_003, draw(markets), bid, draw(5) === 0 ? -1 : 500_000 + draw(500_001), i, -1, draw(2) === 0 ? -1 : draw(1_000_001)]
  })
}

/** The rows in order of time, and of arrival where times are equal. */
export const sortedRows = (rows: readonly Row[]): Row[] =>
  rows.map((row, place) => [row, place] as const).sort(([a, i], [b, j]) => a[0] - b[0] || i - j).map(([row]) => row)
