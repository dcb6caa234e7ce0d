import { describe, expect, it } from 'vitest'
import { Connection, NO_FAULTS } from '../../src/agent/faults.ts'
import { delayUs, NO_DELAY } from '../../src/agent/latency.ts'
import { Draws, Purpose, rootKey } from '../../src/kernel/random.ts'

const draws = new Draws(rootKey('faults'), Purpose.faults)

describe('a maker’s connection', () => {
  it('stays open without faults', () => {
    expect(new Connection(NO_FAULTS, draws, 1, 0).isOpen(1e15)).toBe(true)
  })

  it('is away for the share of time that its means say', () => {
    const connection = new Connection({ ...NO_FAULTS, disconnectEveryUs: 30_000, disconnectForUs: 10_000 }, draws, 1, 0)
    let away = 0
    const instants = 400_000
    for (let i = 0; i < instants; i++) if (!connection.isOpen(i * 100)) away++
    // 10,000 of 40,000 µs; 1000 spells leave an error of about 1 %.
    expect(Math.abs(away / instants - 0.25)).toBeLessThan(0.04)
  })

  it('can tell when the present spell ends', () => {
    const connection = new Connection({ ...NO_FAULTS, disconnectEveryUs: 30_000, disconnectForUs: 10_000 }, draws, 1, 0)
    const open = connection.isOpen(0)
    const endsUs = connection.spellEndsUs
    expect(connection.isOpen(endsUs - 1)).toBe(open)
    expect(connection.isOpen(endsUs)).toBe(!open)
    expect(connection.spellEndsUs).toBeGreaterThan(endsUs)
  })

  it('goes on from a snapshot', () => {
    const faults = { ...NO_FAULTS, disconnectEveryUs: 3_000, disconnectForUs: 1_000 }
    const a = new Connection(faults, draws, 7, 0)
    a.isOpen(50_000)
    const b = new Connection(faults, draws, 7, 0)
    b.restore(a.snapshot())
    for (let t = 50_000; t < 90_000; t += 250) expect(b.isOpen(t)).toBe(a.isOpen(t))
  })
})

describe('a delay', () => {
  it('is its base without jitter', () => {
    expect(delayUs(NO_DELAY, draws, 1, 1)).toBe(0)
    expect(delayUs({ baseUs: 120, jitterUs: 0 }, draws, 1, 1)).toBe(120)
  })

  it('is uniform over base to base + jitter, both included', () => {
    const seen = new Set(Array.from({ length: 400 }, (_, i) => delayUs({ baseUs: 5, jitterUs: 3 }, draws, 2, i)))
    expect([...seen].toSorted((a, b) => a - b)).toEqual([5, 6, 7, 8])
  })

  it('depends on entity and index alone', () => {
    const delay = { baseUs: 0, jitterUs: 1_000_000 }
    expect(delayUs(delay, draws, 3, 4)).toBe(delayUs(delay, draws, 3, 4))
    expect(delayUs(delay, draws, 3, 4)).not.toBe(delayUs(delay, draws, 4, 3))
  })
})
