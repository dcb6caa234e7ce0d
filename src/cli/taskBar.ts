import type { PoolProgress } from '../sweep/pool.ts'
import { significant, thousands } from '../unit/numberText.ts'
import { spanText } from './progressBar.ts'

/** Shows how many sessions a pool has played, on a terminal only. */
export interface TaskBar {
  step(progress: PoolProgress): void
  stop(): void
}

const SILENT: TaskBar = { step: () => {}, stop: () => {} }

/**
 * @param total the most sessions that there can be
 * @param isAtMost whether there may be fewer, because a rule may stop sooner
 */
export async function taskBar(total: number, isAtMost: boolean, quiet: boolean): Promise<TaskBar> {
  if (quiet || !process.stderr.isTTY) return SILENT
  const { default: cliProgress } = await import('cli-progress')
  const bar = new cliProgress.SingleBar({
    format: '{bar} {percentage}% | {value} of {of} sessions, {kept} kept | {rate} | {left}',
    stream: process.stderr, clearOnComplete: true, hideCursor: true, barsize: 24,
  }, cliProgress.Presets.shades_classic)
  const of = `${isAtMost ? 'at most ' : ''}${thousands(total)}`
  bar.start(total, 0, { of, kept: 0, rate: '', left: '' })
  let isStopped = false
  return {
    step: (progress) => {
      if (isStopped) return
      const { played, kept, failed, rechecked } = progress
      const done = played + kept + failed + rechecked
      bar.update(Math.min(done, total), { of, kept: thousands(kept), rate: rateText(progress), left: leftText(progress, total - done, isAtMost) })
    },
    stop: () => {
      isStopped = true
      bar.stop()
    },
  }
}

const rateText = ({ recentMs, workers }: PoolProgress): string => (recentMs === null ? '' : `${significant((1000 * workers) / recentMs)}/s`)

/** The time left, by the mean of the last plays with all workers busy. Kept tasks or a stopping rule can make it shorter. */
export function leftText({ recentMs, workers, kept }: PoolProgress, remaining: number, isAtMost: boolean): string {
  if (recentMs === null) return ''
  const seconds = (Math.ceil(Math.max(0, remaining) / workers) * recentMs) / 1000
  return `${isAtMost || kept > 0 ? 'at most' : 'about'} ${spanText(seconds)} left`
}
