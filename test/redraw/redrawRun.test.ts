import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readTables } from '../../src/actions/readTables.ts'
import { redraw } from '../../src/actions/redraw.ts'
import { rootKey } from '../../src/kernel/random.ts'
import { drawNights } from '../../src/redraw/drawNights.ts'
import { readMarkets } from '../../src/redraw/readMarkets.ts'
import { readBooks, serviceOf } from '../../src/redraw/redrawRun.ts'
import { type RunSummary, summariseRun } from '../../src/score/summary.ts'
import { fewOnChain, played } from '../scenario/finishedRun.ts'
import { newFolder } from '../scenario/small.ts'
import { recordRun } from '../score/summaryRun.ts'
import { exactMean } from './byHand.ts'
import { recordedWorld } from './recordedWorld.ts'

/** Runs of both services with cash-outs and faults, by how fees fall. */
const RUNS = {
  'the services as they are': ['makers.1.params.bid=1%', 'makers.4.params.bid=1%'],
  'profit fees on makers, over gross bets and on sales': [
    'services.parlay.set.profitFeeOnMaker=true', 'services.parlay.set.profitFeeOnTransfer=false', 'services.outcome.set.feeOnCashout=true', 'services.outcome.set.profitOverGross=true', 'seed=2',
  ],
} as const
const BETTORS = 30
const folder = newFolder()
const paths = new Map<string, string>()

beforeAll(async () => {
  for (const [name, set] of Object.entries(RUNS)) paths.set(name, (await played(fewOnChain(BETTORS, set), newFolder())).path)
})
afterAll(() => { rmSync(folder, { recursive: true }) })

const profitsOf = (summary: RunSummary, service: string) => {
  const of = 'services' in summary ? summary.services[service]! : summary
  return {
    makers: new Map(of.makers.map(({ name, profitMicros }) => [name, profitMicros])), cohorts: new Map(of.bettors.map(({ name, profitMicros }) => [name, profitMicros])),
    adjusted: new Map(of.makers.map(({ name, profitMicros, attribution: { micros } }) => [name, profitMicros - micros.luck])),
  }
}

describe.each(Object.keys(RUNS))('a redraw of a run, %s', (name) => {
  it('is the recorded night, to the micro-unit, where chances are 0 and 1', async () => {
    const path = paths.get(name)!
    const summary = await summariseRun(path)
    const sold = { parlay: 0, outcome: 0 }
    for (const book of readBooks(path, recordedWorld(path))) {
      const service = book.service as keyof typeof sold
      const { makers, cohorts } = profitsOf(summary, service)
      const nights = await drawNights(book, 64, rootKey('any'))
      for (const [owner, { kind, name: of, recordedMicros, counts }] of book.owners.entries()) {
        const profit = (kind === 'maker' ? makers : cohorts).get(of)
        expect([service, of, recordedMicros]).toEqual([service, of, profit])
        expect([service, of, new Set(nights.profits[owner])]).toEqual([service, of, new Set([profit])])
        expect(nights.uncarried[owner]!.every((count) => count === 0)).toBe(true)
        sold[service] += counts.sold + counts.boughtBack
      }
      // Every maker and cohort with a profit is there.
      const there = new Set(book.owners.map(({ name: of }) => of))
      expect([...makers, ...cohorts].filter(([of, profit]) => profit !== 0 && !there.has(of))).toEqual([])
      expect(book.positions.length).toBeGreaterThan(50)
      const worst = serviceOf(book, nights).makers.map(({ worstJoint, recordedMicros }) => [worstJoint.micros, worstJoint.isExact, recordedMicros])
      expect(worst).toEqual(worst.map(([, , recorded]) => [recorded, true, recorded]))
    }
    expect([sold.parlay > 3, sold.outcome > 3]).toEqual([true, true])
  })

  it('has the mean of all outcomes, and not quite the luck-adjusted profit', async () => {
    const path = paths.get(name)!
    const { services } = await redraw(path, { outcomes: 20_000 })
    const apart = readBooks(path).flatMap((book) => {
      const { makers, cohorts } = services.find(({ service }) => service === book.service)!
      return [...makers, ...cohorts].map(({ name: of, mean, luckAdjustedMicros }) => {
        const exact = exactMean(book, book.owners.findIndex((owner) => owner.name === of))
        expect([of, Math.abs(mean.value - exact) <= 4 * mean.error + 1]).toEqual([of, true])
        return Math.abs(exact - luckAdjustedMicros) / mean.error
      })
    })
    // Closes of these games do not sum to one, and V takes them as they are. That many draws tell the two means apart.
    expect(Math.max(...apart)).toBeGreaterThan(4)
  })
})

describe('a redraw of a run', () => {
  it('has the luck-adjusted profit of the summary for a maker that takes nothing over', async () => {
    // A maker that takes positions over pays a fee when they win. There the summary has the fee of the recorded night, and a redraw the expected one.
    const path = paths.get('the services as they are')!
    const adjusted = profitsOf(await summariseRun(path), 'parlay').adjusted.get('absent')!
    const { luckAdjustedMicros, counts } = readBooks(path).find(({ service }) => service === 'parlay')!.owners.find(({ name }) => name === 'absent')!
    expect(counts.redrawn).toBeGreaterThan(20)
    // A position with a void leg is lost or given back in a redraw: stake · (1 − P) for its maker, of the legs before the void.
    // The summary has a lost one at V, stake − V · payout, and one that was given back at nothing.
    const { markets } = readMarkets(path)
    const rows = (await readTables(path, { tables: ['positions'] })).get('positions').rows('service', 'maker', 'outcome', 'leg_markets', 'leg_sides', 'net_stake_micros', 'payout_micros', 'reference_at_close')
    const outcomes: unknown[] = []
    let more = 0
    for (const row of rows) {
      const legs = (row['leg_markets'] as string[]).map((ticker, i) => ({ ...markets.get(ticker)!, side: (row['leg_sides'] as string[])[i]! }))
      const voidUs = Math.min(...legs.map(({ recorded, resultUs }) => (recorded === 'void' ? resultUs : Infinity)))
      const own = legs.filter(({ recorded, resultUs }) => recorded !== 'void' && resultUs <= voidUs)
      if (row['service'] !== 'parlay' || row['maker'] !== 'absent' || row['outcome'] === null || voidUs === Infinity || own.length === 0) continue
      outcomes.push(row['outcome'])
      expect(new Set(own.map(({ drawn }) => drawn!.source)).size).toBe(own.length)
      const chance = own.reduce((product, { drawn, side }) => product * (side === 'yes' ? drawn!.to - drawn!.from : 1 - drawn!.to + drawn!.from), 1)
      const [stake, payout] = [Number(row['net_stake_micros']), Number(row['payout_micros'])]
      more += stake * (1 - chance) - (row['outcome'] === 'void' ? 0 : stake - Number(row['reference_at_close']) * payout)
    }
    expect(new Set(outcomes)).toEqual(new Set(['lost', 'void']))
    // Each value at the close is rounded to the micro-unit there.
    expect(Math.abs(luckAdjustedMicros - more - adjusted)).toBeLessThanOrEqual(counts.redrawn)
  })

  it('is the same twice, and another for another seed', async () => {
    const path = paths.get('the services as they are')!
    const once = await redraw(path, { outcomes: 500 })
    expect(await redraw(path, { outcomes: 500 })).toEqual(once)
    expect((await redraw(path, { outcomes: 500, seed: 'other' })).services[0]!.makers[0]!.mean).not.toEqual(once.services[0]!.makers[0]!.mean)
  })

  it('ends by its signal, and refuses what cannot be drawn', async () => {
    const path = paths.get('the services as they are')!
    const controller = new AbortController()
    const given = redraw(path, { outcomes: 10_000, signal: controller.signal, onProgress: () => { controller.abort() } })
    await expect(given).rejects.toThrow('interrupted')
    await expect(redraw(path, { outcomes: 99 })).rejects.toThrow('expected 100 to 1000000 outcomes, got 99')
    await expect(redraw(path, { seed: '' })).rejects.toThrow('seed: expected a text of one character or more')
  })

  it('of an older version says what is missing, and how to have it', async () => {
    const path = join(folder, 'older')
    recordRun(path, (session) => { session.finish(2_000_000_000_000_000) })
    await expect(redraw(path)).rejects.toThrow(expect.objectContaining({
      message: expect.stringContaining('an older version made the run: it has no table of markets') as string, hint: expect.stringContaining('run the scenario again') as string,
    }))
  })
})
