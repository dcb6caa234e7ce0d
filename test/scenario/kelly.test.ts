import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readTable } from '../../src/arrow/tableReader.ts'
import { Action, type BettorStrategy, fakeBettor } from '../../src/index.ts'
import { loadScenario } from '../../src/scenario/load.ts'
import { prepareScenario, runScenario } from '../../src/scenario/run.ts'
import { newFolder, put, SMALL } from './small.ts'

/** The bettor that docs/strategies.md shows. */
const page = readFileSync(new URL('../../docs/strategies.md', import.meta.url), 'utf8')
const KELLY = /<!-- strategy: kelly\.ts -->\n```ts\n([^]*?)```/.exec(page)![1]!

const PARLAY = SMALL.replace('bettors:\n', 'bettors:\n  - { name: kelly, use: ./kelly.ts, n: 60, every: 10m, bankroll: 2000 USDC, params: { rho: 50% } }\n')
const OUTCOME = PARLAY.replace('{ parlay: { profile: parlay@2.1 } }', '{ outcome: { profile: outcome@1 } }')

/** Bets of the cohort that became positions, microUSDC. */
async function betsOf(scene: string): Promise<number[]> {
  const folder = newFolder()
  put(folder, 'kelly.ts', KELLY)
  const loaded = loadScenario(put(folder, 'small.yaml', scene))
  const path = join(folder, 'run')
  await runScenario(loaded, await prepareScenario(loaded), { target: { path, force: false, numbered: false } })
  const table = readTable(join(path, 'tables', 'positions.arrow'))
  const [cohorts, stakes, fees] = [table.column('cohort'), table.column('net_stake_micros').numbers!, table.column('taker_fee_micros').numbers!]
  return Array.from(stakes, (stake, row) => stake + fees[row]!).filter((_, row) => cohorts.values![cohorts.codes![row]!] === 'kelly')
}

async function shown(): Promise<BettorStrategy> {
  const folder = newFolder()
  put(folder, 'kelly.ts', KELLY.replace("'parlor'", JSON.stringify(new URL('../../src/index.ts', import.meta.url).href)))
  const { default: strategy } = await import(/* @vite-ignore */ join(folder, 'kelly.ts')) as { default: BettorStrategy }
  return strategy
}

const EVEN = { bid: 0.49, ask: 0.51 }

describe('the bettor of docs/strategies.md that stakes what Kelly says', () => {
  it('has fewer than 30 lines', () => {
    expect(KELLY.trimEnd().split('\n').length).toBeLessThan(30)
  })

  it.each([['parlay', PARLAY], ['outcome', OUTCOME]])('bets on the %s service, never more than its share', async (_, scene) => {
    const bets = await betsOf(scene)
    expect(bets.length).toBeGreaterThan(0)
    // Half of edge/(o − 1) of 2000, where o is 1.05/w, and w at most 0.95: below half of 0.05/(1.05/0.95 − 1), which is 0.2375. Whoever has won has more.
    for (const micros of bets) expect(micros > 990_000 && micros < 950_000_000).toBe(true)
  })

  it('stakes the share of Kelly at the lowest odds that it takes', async () => {
    const fake = fakeBettor(await shown(), { bankrollMicros: 13_000_000_000, params: { kelly: 1, edge: 0.2, rho: 0.5 }, prices: [EVEN, EVEN], takerFeeBps: 1000 })
    const asked = new Map<boolean, readonly number[]>()
    for (let arrival = 0; arrival < 20; arrival++) {
      fake.onArrival()
      const { legs, betMicros, minOddsE4 } = fake.commands.at(-1)!
      asked.set(legs![0]![1] === legs![1]![1], [betMicros!, minOddsE4!])
    }
    // On one side both win with ⅓: odds of 3.6, of which 4.0 are paid after a fee of 10 %, and 0.2/2.6 = 1/13 of the bankroll.
    expect(asked.get(true)).toEqual([expect.closeTo(1_000_000_000, -1), 40_000])
    // On two sides they win with ⅙: odds of 7.2, or 8.0, and 0.2/6.2 = 1/31.
    expect(asked.get(false)).toEqual([expect.closeTo(13_000_000_000 / 31, -1), 80_000])
  })

  it('stakes a share of what it has after wins and losses', async () => {
    const fake = fakeBettor(await shown(), { bankrollMicros: 26_000_000_000, params: { kelly: 0.5, edge: 0.2, rho: 0 }, prices: [EVEN, EVEN], takerFeeBps: 1000 })
    const staked: number[] = []
    // Both legs come together with ¼: odds of 4.8, and half of 0.2/3.8, which is 1/38, of 26,000, of what a win leaves, and of what a loss leaves.
    for (const returned of [3_260_000_000, 0, 0]) {
      fake.onArrival()
      staked.push(fake.commands.at(-1)!.betMicros!)
      fake.pass(0)
      fake.onOpened()
      fake.onSettled(returned)
    }
    const first = 26_000_000_000 / 38
    const second = (26_000_000_000 - first + 3_260_000_000) / 38
    expect(staked).toEqual([first, second, second * (37 / 38)].map((micros) => expect.closeTo(micros, -1)))
  })

  it('takes an offer at its odds or above, and waits twice for a better one', async () => {
    const fake = fakeBettor(await shown(), { prices: [EVEN, EVEN] })
    fake.onArrival()
    const { minOddsE4 } = fake.commands.at(-1)!
    fake.setBest(minOddsE4! - 1)
    fake.pass(10_000_000)
    expect(fake.commands.map(({ action }) => action)).toEqual([Action.requestQuote])
    fake.onArrival()
    const asked = fake.commands.at(-1)!
    fake.setBest(NaN)
    fake.pass(2_000_000)
    fake.setBest(asked.minOddsE4!)
    fake.pass(2_000_000)
    expect(fake.commands.map(({ action }) => action)).toEqual([Action.requestQuote, Action.requestQuote, Action.commit])
  })
})
