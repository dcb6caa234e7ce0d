import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { progressKind, ProgressLines } from '../../src/cli/progressLines.ts'

afterEach(() => { vi.unstubAllEnvs() })

describe('progress off a terminal', () => {
  /** The instants, ms, at which lines come of a command that tells every quarter of a second how far it is. */
  function linesAt(lastMs: number): number[] {
    let now = 1_000_000
    const at: number[] = []
    const lines = new ProgressLines((line) => { at.push(now - 1_000_000); expect(line).toBe('progress: so far\n') }, () => now)
    for (; now <= 1_000_000 + lastMs; now += 250) lines.step(() => 'so far')
    return at
  }

  it('says nothing of a quick command, and then a line every few seconds, of a long one every minute', () => {
    expect(linesAt(4750)).toEqual([])
    expect(linesAt(16_000)).toEqual([5000, 10_000, 15_000])
    const long = linesAt(3_600_000)
    expect(long.length).toBeLessThan(100)
    expect(long.at(-1)! - long.at(-2)!).toBe(60_000)
  })

  it('is a bar on a terminal, and nothing where it is not wanted', () => {
    vi.stubEnv('PARLOR_PROGRESS', '')
    const stream: { isTTY?: boolean } = process.stderr
    const { isTTY } = stream
    onTestFinished(() => { stream.isTTY = isTTY! })
    for (const [terminal, kind] of [[true, 'bar'], [false, 'lines']] as const) {
      stream.isTTY = terminal
      expect([progressKind(false), progressKind(true)]).toEqual([kind, 'none'])
    }
    vi.stubEnv('PARLOR_PROGRESS', 'none')
    expect(progressKind(false)).toBe('none')
  })
})
