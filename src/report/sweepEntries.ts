import type { Interval } from '../stats/interval.ts'
import { figureNamed, SESSION_FIGURES } from '../sweep/figures.ts'
import type { SweepPoint } from '../sweep/sweep.ts'
import { type Look, looksOf } from './html/palette.ts'

/** A maker of a sweep: over all points under the same name and look. */
export interface SweepEntry {
  readonly name: string
  readonly service: string
  readonly maker: string
  readonly look: Look
}

/** The makers of a sweep, by name. */
export function entriesOf(points: readonly SweepPoint[]): SweepEntry[] {
  const makers = points.flatMap((point) => point.makers)
  const isSeveral = new Set(makers.map(({ service }) => service)).size > 1
  const byName = new Map(makers.map(({ service, maker }) => [isSeveral ? `${maker} (${service})` : maker, { service, maker }]))
  const looks = looksOf([...byName.keys()])
  return [...byName].map(([name, key], i) => ({ name, ...key, look: looks[i]! }))
}

/** What is drawn of the difference to the baseline, under a name beside those of figures. */
export const TO_BASELINE = 'to the baseline'

export function intervalOf({ makers }: SweepPoint, { service, maker }: SweepEntry, name: string): Interval | undefined {
  const own = makers.find((one) => one.service === service && one.maker === maker)
  return name === TO_BASELINE ? own?.toBaseline : own?.figures[name]
}

/** How a figure is shown: in percent, cents or USDC. */
export function unitOf(name: string): { readonly unit: string; readonly scale: number } {
  if (name === TO_BASELINE) return { unit: 'USDC', scale: 1 }
  const unit = figureNamed(name)?.unit ?? SESSION_FIGURES.find((own) => own.name === name)?.unit ?? 'number'
  if (unit === 'share') return { unit: '%', scale: 100 }
  return { unit: { usdc: 'USDC', usdcDays: 'USDC-days', cents: '¢ per $ of payout', number: 'per session' }[unit], scale: 1 }
}
