import { mkdtempSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { examine } from './checks.ts'
import { scenarioOf } from './grammar.ts'
import { shrunk } from './shrink.ts'
import { put, roomFor } from './world.ts'

const KEPT = join(dirname(fileURLToPath(import.meta.url)), 'kept')
const kept = readdirSync(KEPT).filter((name) => name.endsWith('.yaml')).sort()
const newRoom = (): string => mkdtempSync(join(tmpdir(), 'parlor-vopr-'))

describe('scenarios that once failed', () => {
  it.each(kept)('%s holds', async (name) => {
    expect(await examine(join(KEPT, name), newRoom(), 1)).toEqual([])
  })
})

describe('a simulated world', () => {
  it('INV-01…30 holds over the first seeds, and draws the same scenario from a seed', async () => {
    const room = newRoom()
    const drawn = roomFor(room)
    for (const seed of [1, 2, 3, 4, 5, 6]) {
      expect(await examine(put(join(drawn, `${seed}.yaml`), scenarioOf(seed)), room, seed)).toEqual([])
      expect(scenarioOf(seed)).toEqual(scenarioOf(seed))
    }
    expect(scenarioOf(1)).not.toEqual(scenarioOf(2))
  })
})

describe('a kept scenario', () => {
  it('has the results of one worker with two, and another recording is another task', async () => {
    const costly = { sweeps: true, chains: false }
    expect(await examine(join(KEPT, 'marked-down-yardstick.yaml'), newRoom(), 1, costly)).toEqual([])
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
