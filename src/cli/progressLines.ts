/** Before the first line, and the least between two, ms: a quick command says nothing. */
const FIRST_MS = 5000
/** Lines of a long command come more seldom: after this share of the time that it has taken, and each minute at least. */
const SHARE = 0.1
const MOST_MS = 60_000

/** What says how far a command has come where standard error is no terminal: lines every few seconds. */
export class ProgressLines {
  private readonly write: (line: string) => void
  private readonly nowMs: () => number
  private readonly startedMs: number
  private nextMs: number

  constructor(write: (line: string) => void = (line) => { process.stderr.write(line) }, nowMs: () => number = Date.now) {
    this.write = write
    this.nowMs = nowMs
    this.startedMs = nowMs()
    this.nextMs = this.startedMs + FIRST_MS
  }

  /** @param text is called where a line is due */
  step(text: () => string): void {
    const now = this.nowMs()
    if (now < this.nextMs) return
    this.write(`progress: ${text()}\n`)
    this.nextMs = now + Math.min(MOST_MS, Math.max(FIRST_MS, SHARE * (now - this.startedMs)))
  }
}

/** Where progress is shown: as a bar on a terminal, as lines elsewhere, nowhere where it is not wanted (`PARLOR_PROGRESS=none`). */
export function progressKind(quiet: boolean): 'bar' | 'lines' | 'none' {
  if (quiet || process.env['PARLOR_PROGRESS'] === 'none') return 'none'
  return process.stderr.isTTY ? 'bar' : 'lines'
}
