import type { SingleBar } from 'cli-progress'
import type { PlannedSessions, PoolOptions } from '../actions/pools.ts'
import { significant, thousands } from '../unit/numberText.ts'
import { spanText } from './progressBar.ts'
import { progressKind, ProgressLines } from './progressLines.ts'

type PoolProgress = Parameters<NonNullable<PoolOptions['onProgress']>>[0]

/** Shows how many sessions a pool has played: a bar on a terminal, lines elsewhere. */
export class PoolBar {
  private readonly kind: 'bar' | 'lines' | 'none'
  private lines: ProgressLines | null = null
  private bar: SingleBar | null = null
  private planned: PlannedSessions = { sessionsMax: 0, isAtMost: false }

  constructor(quiet: boolean) {
    this.kind = progressKind(quiet)
  }

  async begin(planned: PlannedSessions): Promise<void> {
    this.planned = planned
    if (this.kind === 'lines') this.lines = new ProgressLines()
    if (this.kind !== 'bar') return
    const { default: cliProgress } = await import('cli-progress')
    this.bar = new cliProgress.SingleBar({
      format: '{bar} {percentage}% | {value} of {of} sessions, {kept} kept | {rate} | {left}',
      stream: process.stderr, clearOnComplete: true, hideCursor: true, barsize: 24,
    }, cliProgress.Presets.shades_classic)
    this.bar.start(planned.sessionsMax, 0, { of: this.of, kept: 0, rate: '', left: '' })
  }

  step(progress: PoolProgress): void {
    const { bar, of, planned: { sessionsMax, isAtMost } } = this
    const { played, kept, failed, rechecked } = progress
    const done = played + kept + failed + rechecked
    const [rate, left] = [rateText(progress), leftText(progress, sessionsMax - done, isAtMost)]
    bar?.update(Math.min(done, sessionsMax), { of, kept: thousands(kept), rate, left })
    this.lines?.step(() => [`${thousands(done)} of ${of} sessions`, ...(kept > 0 ? [`${thousands(kept)} kept`] : []), rate, left].filter((part) => part !== '').join(', '))
  }

  stop(): void {
    this.bar?.stop()
    this.bar = null
    this.lines = null
  }

  private get of(): string {
    return `${this.planned.isAtMost ? 'at most ' : ''}${thousands(this.planned.sessionsMax)}`
  }
}

const rateText = ({ recentMs, workers }: PoolProgress): string => (recentMs === null ? '' : `${significant((1000 * workers) / recentMs)}/s`)

/** The time left, by the mean of the last plays with all workers busy. Kept tasks or a stopping rule can make it shorter. */
export function leftText({ recentMs, workers, kept }: PoolProgress, remaining: number, isAtMost: boolean): string {
  if (recentMs === null) return ''
  const seconds = (Math.ceil(Math.max(0, remaining) / workers) * recentMs) / 1000
  return `${isAtMost || kept > 0 ? 'at most' : 'about'} ${spanText(seconds)} left`
}
