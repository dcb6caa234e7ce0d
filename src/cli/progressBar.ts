import { percent, thousands } from '../unit/numberText.ts'
import { progressKind, ProgressLines } from './progressLines.ts'

/** How far a command has come: the share done, 0…1, and a count of its units. */
export interface Step {
  readonly share: number
  readonly done: number
}

/** Shows how far a command has come, with its rate and the time left. */
export interface ProgressBar {
  step(step: Step): void
  /** Shows a text instead, until the next step. */
  remark(text: string): void
  /** What follows is timed from now on. */
  restart(): void
  stop(): void
}

const SILENT: ProgressBar = { step: () => {}, remark: () => {}, restart: () => {}, stop: () => {} }
const STEPS = 1000

/** @param unit what the rate counts, such as `arrivals` */
export async function progressBar(unit: string, quiet: boolean): Promise<ProgressBar> {
  const kind = progressKind(quiet)
  if (kind === 'none') return SILENT
  if (kind === 'lines') return linesOf(unit)
  const { default: cliProgress } = await import('cli-progress')
  const bar = new cliProgress.SingleBar({
    format: `{bar} {percentage}% | {done} ${unit}, {rate}/s | {left} left{more}`,
    stream: process.stderr, clearOnComplete: true, hideCursor: true, barsize: 30,
  }, cliProgress.Presets.shades_classic)
  let startedMs = Date.now()
  bar.start(STEPS, 0, { done: 0, rate: 0, left: '?', more: '' })
  return {
    step: (step) => { bar.update(Math.floor(step.share * STEPS), textsOf(step, startedMs)) },
    remark: (text) => { bar.update({ more: ` | ${text}` }) },
    restart: () => { startedMs = Date.now() },
    stop: () => { bar.stop() },
  }
}

function linesOf(unit: string): ProgressBar {
  let startedMs = Date.now()
  const lines = new ProgressLines()
  return {
    step: (step) => {
      lines.step(() => {
        const { done, rate, left } = textsOf(step, startedMs)
        return `${percent(step.share, 0)}, ${done} ${unit}, ${rate}/s${left === '?' ? '' : `, ${left} left`}`
      })
    },
    remark: (text) => { lines.step(() => text) },
    restart: () => { startedMs = Date.now() },
    stop: () => {},
  }
}

function textsOf({ share, done }: Step, startedMs: number): { readonly done: string; readonly rate: string; readonly left: string } {
  const seconds = (Date.now() - startedMs) / 1000
  return { done: thousands(done), rate: thousands(Math.round(done / Math.max(seconds, 0.001))), left: share > 0.01 ? spanText((seconds * (1 - share)) / share) : '?' }
}

export function spanText(seconds: number): string {
  if (seconds < 60) return `${Math.ceil(seconds)} s`
  const minutes = Math.floor(seconds / 60)
  return minutes < 60 ? `${minutes} min ${Math.floor(seconds % 60)} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}
