import { thousands } from '../unit/numberText.ts'

/** How far a command has come: the share done, 0…1, and a count of its units. */
export interface Step {
  readonly share: number
  readonly done: number
}

/** Shows how far a command has come, with its rate and the time left, on a terminal only. */
export interface ProgressBar {
  step(step: Step): void
  /** Shows a text instead, until the next step. */
  remark(text: string): void
  stop(): void
}

const SILENT: ProgressBar = { step: () => {}, remark: () => {}, stop: () => {} }
const STEPS = 1000

/** @param unit what the rate counts, such as `arrivals` */
export async function progressBar(unit: string, quiet: boolean): Promise<ProgressBar> {
  if (quiet || !process.stderr.isTTY) return SILENT
  const { default: cliProgress } = await import('cli-progress')
  const bar = new cliProgress.SingleBar({
    format: `{bar} {percentage}% | {done} ${unit}, {rate}/s | {left} left{more}`,
    stream: process.stderr, clearOnComplete: true, hideCursor: true, barsize: 30,
  }, cliProgress.Presets.shades_classic)
  const startedMs = Date.now()
  bar.start(STEPS, 0, { done: 0, rate: 0, left: '?', more: '' })
  return {
    step: ({ share, done }) => {
      const seconds = (Date.now() - startedMs) / 1000
      const left = share > 0.01 ? spanText((seconds * (1 - share)) / share) : '?'
      bar.update(Math.floor(share * STEPS), { done: thousands(done), rate: thousands(Math.round(done / Math.max(seconds, 0.001))), left })
    },
    remark: (text) => { bar.update({ more: ` | ${text}` }) },
    stop: () => { bar.stop() },
  }
}

export function spanText(seconds: number): string {
  if (seconds < 60) return `${Math.ceil(seconds)} s`
  const minutes = Math.floor(seconds / 60)
  return minutes < 60 ? `${minutes} min ${Math.floor(seconds % 60)} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}
