import fc from 'fast-check'
import { mkdirSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { importedFiles } from '../../../src/feed/importedHistory.ts'
import { importerOf, knownFormats } from '../../../src/scenario/formats.ts'
import { temporaryFolder } from '../recordedData.ts'
import { written } from '../writtenFiles.ts'
import { SAMPLES } from './samples.ts'
import { playDamage, TARGETS } from './targets.ts'
import { beat, guard } from './watchdog.ts'

// `npm run soak -- --import` says more runs and a seed. A failure prints the seed, and the smallest damage that fails.
const RUNS = Number(process.env.PARLOR_FUZZ_RUNS ?? 6)
/** The suite plays the same damages each time. Others are what `npm run soak -- --import` is for. */
const SEED = Number(process.env.PARLOR_FUZZ_SEED ?? 1)
const IS_LONG = process.env.PARLOR_FUZZ_RUNS !== undefined
/** A row may have a mebibyte: the long form makes longer ones. */
const HUGE_BYTES = IS_LONG ? 1_200_000 : 70_000
const ONLY = process.env.PARLOR_FUZZ_ONLY ?? ''

describe(`files of others, damaged (seed ${SEED})`, () => {
  test('every known format has a sample', async () => {
    expect(Object.keys(SAMPLES).toSorted()).toEqual((await knownFormats()).map(({ format }) => format))
  })

  test.each(Object.entries(SAMPLES))('the sample of %s is sound: each of its files is read, and no row is set aside', async (format, sample) => {
    const { report } = await importedFiles(await importerOf(format), [written(sample())])
    // What a leg was worth is added to a store that has prices of the leg's market. Alone it belongs to no market.
    const lonely = format === 'kalshi-parlay-legs' ? ['result without market'] : []
    const aside = report.troubles.filter(({ kind, handling }) => handling === 'quarantined' || kind === 'file not read').map(({ kind }) => kind)
    expect([...new Set(aside)]).toEqual(lonely)
    const read = report.files.filter(({ inputRows, acceptedRows }) => (lonely.length > 0 ? inputRows : acceptedRows) > 0)
    expect([...new Set(read.map(({ file }) => basename(file)))].toSorted()).toEqual(Object.keys(sample()).toSorted())
  })

  test.each(TARGETS.filter(({ name }) => name.includes(ONLY)).map((target) => [target.name, target] as const))('%s', async (name, target) => {
    const room = join(temporaryFolder(), 'room')
    const stop = IS_LONG ? guard(`${name}, seed ${SEED}; the files lie in ${room}`) : () => {}
    let count = 0
    const files = typeof target.sound === 'function' ? await target.sound() : target.sound
    try {
      const undamaged = { file: 0, changes: [], encoding: 'utf8', wrapping: 'none', after: null, isStored: true } as const
      await fc.assert(fc.asyncProperty(target.damage, async (one) => {
        beat()
        count += 1
        rmSync(room, { recursive: true, force: true })
        mkdirSync(room)
        await playDamage(target, files, one, room, HUGE_BYTES)
      }), { numRuns: RUNS, seed: SEED, examples: [[undamaged]], interruptAfterTimeLimit: IS_LONG ? 3_600_000 : 600_000 })
    } finally {
      stop()
    }
    if (IS_LONG) console.log(`${name}: ${count} inputs`)
  })
})
