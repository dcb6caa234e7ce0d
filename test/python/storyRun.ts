import { rmSync } from 'node:fs'
import { Digest } from '../../src/record/digest.ts'
import { writeManifest } from '../../src/record/manifest.ts'
import { Recorder } from '../../src/record/recorder.ts'
import { SECOND_US } from '../../src/unit/time.ts'
import { Session } from '../record/session.ts'
import { CASH_OUT_PRICES, playCashOuts } from '../record/cashOutStory.ts'
import { DIRECTORY, PRICES, playStory } from '../record/story.ts'

/** Writes a hand-computed story of test/record as a run folder, for check_tables.py. */
function writeStoryRun(dir: string, cashOuts: boolean): void {
  rmSync(dir, { recursive: true, force: true })
  const digest = new Digest()
  const recorder = new Recorder({
    dir, directory: DIRECTORY, parlay: { legsMax: 5 }, identity: { seed: '7' }, reference: cashOuts ? CASH_OUT_PRICES : PRICES,
    horizonsUs: [10 * SECOND_US, 60 * SECOND_US], equityEveryUs: 30 * SECOND_US,
  })
  const play = cashOuts ? playCashOuts : playStory
  play(new Session([recorder, digest]))
  writeManifest(dir, {
    label: 'interactive',
    digest: digest.hex(),
    identity: { sourceTree: '', node: process.version, scenario: `test/record/${cashOuts ? 'cashOutStory' : 'story'}.ts`, strategies: {}, data: null, seed: '7' },
    counts: { requests: 5 },
    tables: recorder.tables(),
  })
}

const dir = process.argv[2]
if (dir === undefined) {
  process.stderr.write('usage: node test/python/storyRun.ts FOLDER [--cash-outs]\n')
  process.exit(2)
}
writeStoryRun(dir, process.argv[3] === '--cash-outs')
