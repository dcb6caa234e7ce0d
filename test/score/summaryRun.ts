import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Digest } from '../../src/record/digest.ts'
import { writeManifest } from '../../src/record/manifest.ts'
import { Recorder, type RecorderOptions } from '../../src/record/recorder.ts'
import { type Summary, summarise } from '../../src/score/summary.ts'
import { SECOND_US } from '../../src/unit/time.ts'
import type { ParlayProfile } from '../../src/venue/parlay/protocol/profile.ts'
import { Session } from '../record/session.ts'
import { DIRECTORY, PRICES } from '../record/story.ts'

/** Leaves a complete run of a session driven by hand: marks after 10 and 60 s, equity every 30 s. */
export function recordRun(dir: string, play: (session: Session) => void, more: Partial<RecorderOptions> = {}, settings: Partial<ParlayProfile> = {}): void {
  const digest = new Digest()
  const recorder = new Recorder({
    dir, directory: DIRECTORY, parlay: { legsMax: 5 }, identity: { seed: '7' }, reference: PRICES,
    horizonsUs: [10 * SECOND_US, 60 * SECOND_US], equityEveryUs: 30 * SECOND_US, ...more,
  })
  play(new Session([recorder, digest], { profile: settings }))
  writeManifest(dir, {
    label: 'interactive', digest: digest.hex(),
    identity: { sourceTree: 's', node: 'v24', scenario: { services: { parlay: { settings } } }, strategies: {}, data: null, seed: '7' },
    counts: { universe: 4, listed: 3, closed: 0, excluded: 1, unresolved: 1, halted: 2, voided: 0, scalar: 0, missingSettlementTime: 2, withoutPrices: 0 },
    tables: recorder.tables(),
  })
}

/** The summary of a session driven by hand, whose run is not kept. */
export async function summaryOf(play: (session: Session) => void, more: Partial<RecorderOptions> = {}): Promise<Summary> {
  const dir = mkdtempSync(join(tmpdir(), 'parlor-summary-'))
  try {
    recordRun(dir, play, more)
    return await summarise(dir)
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}
