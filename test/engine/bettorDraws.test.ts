import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import type { BettorStrategy } from '../../src/agent/bettor.ts'
import favourite from '../../src/agent/bettors/favourite.ts'
import impatient from '../../src/agent/bettors/impatient.ts'
import informed from '../../src/agent/bettors/informed.ts'
import noise from '../../src/agent/bettors/noise.ts'
import priceSensitive from '../../src/agent/bettors/priceSensitive.ts'
import stopLoss from '../../src/agent/bettors/stopLoss.ts'
import takeProfit from '../../src/agent/bettors/takeProfit.ts'
import type { MakerStrategy } from '../../src/agent/maker.ts'
import fixedMargin from '../../src/agent/makers/fixedMargin.ts'
import shade from '../../src/agent/makers/shade.ts'
import { parameterValues } from '../../src/agent/parameters.ts'
import type { CohortEntry, MakerEntry } from '../../src/engine/config.ts'
import { Session } from '../../src/engine/session.ts'
import { cohorts, makerEntry, sessionConfig } from './world.ts'

const SECONDS = 60
const BETTORS = { noise, informed, 'price-sensitive': priceSensitive, favourite, impatient, 'stop-loss': stopLoss, 'take-profit': takeProfit }
const EXCITED = { branching: 0.6, decayUs: 2_000_000 }

const cohort = (name: string, strategy: unknown, replaced: Partial<CohortEntry> = {}): CohortEntry => ({
  ...cohorts[0]!, name, strategy: strategy as BettorStrategy, values: parameterValues((strategy as BettorStrategy).parameters), bettors: 10, ...replaced,
})

const ALL = Object.entries(BETTORS).map(([name, strategy]) => cohort(name, strategy))

/** What each bettor asks for, and at which least odds, as it was when its request was sent. */
interface Asked {
  readonly cohort: string
  readonly atUs: number
  readonly arrival: number
  readonly legs: string
  readonly betMicros: number
  readonly minOddsE4: number
}

function played(entries: readonly CohortEntry[], makers: readonly MakerEntry[]): { asked: Asked[]; rows: number } {
  const asked: Asked[] = []
  const watched = entries.map((entry): CohortEntry => ({
    ...entry,
    strategy: {
      ...entry.strategy,
      create(values) {
        const handlers = entry.strategy.create(values)
        return {
          ...handlers,
          onArrival(intent, desk) {
            handlers.onArrival(intent, desk)
            const legs = Array.from({ length: intent.legs.count }, (_, i) => `${intent.legs.market(i)}:${intent.legs.side(i)}`).join(' ')
            asked.push({
              cohort: entry.name, atUs: desk.nowUs, arrival: intent.arrival, legs, betMicros: intent.betMicros, minOddsE4: intent.minOddsE4,
            })
          },
        }
      },
    },
  }))
  const session = new Session(sessionConfig(SECONDS, { cohorts: watched, makers }))
  session.runToEnd()
  return { asked, rows: session.counts.rows }
}

const of = ({ asked }: { asked: readonly Asked[] }, name: string): Asked[] => asked.filter((one) => one.cohort === name)

const seat = (name: string, strategy: unknown, values: Record<string, number>): MakerEntry => {
  const entry = makerEntry(name, strategy as MakerStrategy)
  return { ...entry, values: { ...entry.values, ...values } }
}

describe('floors and requests of bettors', () => {
  it('are the same whichever makers quote, at whatever margin', () => {
    const cheap = played(ALL, [seat('tested', fixedMargin, { margin: 0.01 })])
    const dear = played(ALL, [seat('tested', fixedMargin, { margin: 0.2 })])
    const other = played(ALL, [seat('other', shade, { margin: 0.02 }), seat('rival', fixedMargin, { margin: 0.05 })])
    const floors = (name: string): number => new Set(of(cheap, name).map(({ minOddsE4 }) => minOddsE4)).size
    expect(Object.keys(BETTORS).filter((name) => floors(name) <= 10)).toEqual([])
    expect(dear.asked).toEqual(cheap.asked)
    expect(other.asked).toEqual(cheap.asked)
    // The makers do matter to what comes of the requests.
    expect(new Set([cheap.rows, dear.rows, other.rows]).size).toBe(3)
  })

  it('come of code that knows no maker', () => {
    const folder = fileURLToPath(new URL('../../src/agent/bettors/', import.meta.url))
    const imports = readdirSync(folder).flatMap((file) =>
      [...readFileSync(`${folder}${file}`, 'utf8').matchAll(/from '([^']+)'/g)].map(([, target]) => target!).filter((target) => /maker/i.test(target)))
    expect(imports).toEqual([])
  })
})

describe('arrivals of a cohort in a session', () => {
  const makers = [seat('tested', fixedMargin, { margin: 0.03 })]
  const excited = cohort('excited', noise, { excitation: EXCITED })

  it('are not moved by another cohort, whatever it excites', () => {
    const alone = played([ALL[0]!, excited], makers)
    const joined = played([cohort('crowd', favourite, { excitation: { branching: 0.9, decayUs: 500_000 } }), excited, ALL[0]!], makers)
    expect(of(alone, 'excited').length).toBeGreaterThan(60)
    for (const name of ['excited', 'noise']) expect(of(joined, name)).toEqual(of(alone, name))
  })

  it('go on from a checkpoint as if there had been none', () => {
    const config = sessionConfig(SECONDS, { cohorts: [excited], makers })
    const whole = new Session(config)
    whole.runToEnd()
    const first = new Session(config)
    first.run(500)
    const second = new Session(config)
    second.restore(structuredClone(first.snapshot()))
    expect(second.counts.arrivals).toBeLessThan(whole.counts.arrivals)
    second.runToEnd()
    expect(second.counts).toEqual(whole.counts)
    expect(second.stateHash()).toBe(whole.stateHash())
  })
})
