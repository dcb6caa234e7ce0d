import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { examine, NOTHING_COSTLY } from './checks.ts'
import { worldOf } from './grammar.ts'
import { differences } from './kills.ts'
import { shrunk } from './shrink.ts'
import { put, roomFor } from './world.ts'

const KEPT = join(dirname(fileURLToPath(import.meta.url)), 'kept')
/** Worlds of one service and of both, the last one over recorded books: more of them are what `npm run vopr` is for. */
const SEEDS = [1, 2, 9]
const kept = readdirSync(KEPT).filter((name) => name.endsWith('.yaml')).sort()
const newRoom = (): string => mkdtempSync(join(tmpdir(), 'parlor-vopr-'))

describe('scenarios that once failed', () => {
  it.each(kept)('%s holds', async (name) => {
    expect(await examine(join(KEPT, name), newRoom(), 1)).toEqual([])
  })
})

describe('a simulated world', () => {
  it('holds over the first seeds, and draws the same scenario from a seed', async () => {
    const room = newRoom()
    const drawn = roomFor(room)
    for (const seed of SEEDS) {
      expect(await examine(put(join(drawn, `${seed}.yaml`), worldOf(seed)), room, seed)).toEqual([])
      expect(worldOf(seed)).toEqual(worldOf(seed))
    }
    expect(worldOf(1)).not.toEqual(worldOf(2))
  })
})

/** Invariants that rows alone do not show, and who holds them: what is paid and kept is computed a second time, the rest is for models and gates. */
const HELD_ELSEWHERE: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries([1, 2, 3, 5, 6, 7, 8].map((number) => [`INV-0${number}`, ['test/model/parlay/invariants.ts', 'test/model/outcome/invariants.ts']])),
  'INV-24': ['test/model/outcome/invariants.ts'],
  'INV-28': ['test/venue/parlay/gateEndpoints.test.ts', 'test/venue/outcome/gateCredentialEnd.test.ts'],
}

describe('the invariants', () => {
  it('are 30, of which rows alone show 21, and nine are held by the recomputation, the models and the gates', () => {
    const root = new URL('../../', import.meta.url)
    const breaches = new Set(readFileSync(new URL('test/vopr/invariants.ts', root), 'utf8').match(/(?<=breach\(')INV-\d\d/g))
    expect(breaches.size).toBe(21)
    const all = Array.from({ length: 30 }, (_, i) => `INV-${String(i + 1).padStart(2, '0')}`)
    expect([...breaches, ...Object.keys(HELD_ELSEWHERE)].toSorted()).toEqual(all)
    for (const [id, files] of Object.entries(HELD_ELSEWHERE)) for (const file of files) expect(readFileSync(new URL(file, root), 'utf8')).toContain(id)
  })
})

describe('a kept scenario', () => {
  it('has the results of one worker with two, and another recording is another task', async () => {
    const costly = { ...NOTHING_COSTLY, sweeps: true }
    expect(await examine(join(KEPT, 'marked-down-yardstick.yaml'), newRoom(), 1, costly)).toEqual([])
  })
})

describe('a run that was killed and run again', () => {
  it('is told from the whole one by any byte, and by what lies in it or beside it', () => {
    const place = newRoom()
    for (const name of ['whole', 'killed']) {
      mkdirSync(join(place, name, 'tables'), { recursive: true })
      writeFileSync(join(place, name, 'manifest.json'), '{}')
      writeFileSync(join(place, name, 'tables', 'quotes.arrow'), 'rows')
    }
    expect(differences(place)).toEqual([])
    writeFileSync(join(place, 'killed', 'manifest.json'), '{ }')
    rmSync(join(place, 'killed', 'tables', 'quotes.arrow'))
    writeFileSync(join(place, 'killed', '.lease'), '')
    mkdirSync(join(place, '.partial-1'))
    expect(differences(place)).toEqual(['.partial-1 is left beside it', '.lease is left in it', 'manifest.json differs', 'tables/quotes.arrow is missing'])
  })
})

describe('the shrinker', () => {
  it('leaves out what the fault does not need, and makes numbers small', async () => {
    const whole = { a: 7, b: { c: ['10s', '90s', '30s'], d: 40 }, e: { f: '64 USDC' } }
    const needs = async (scenario: object): Promise<boolean> => {
      const { b, e } = scenario as { b?: { c?: string[]; d?: number }; e?: { f?: string } }
      return (b?.c?.includes('90s') ?? false) && parseInt(e?.f ?? '0', 10) >= 16
    }
    expect(await shrunk(whole, needs, Infinity)).toEqual({ b: { c: ['90s'] }, e: { f: '16 USDC' } })
  })
})
