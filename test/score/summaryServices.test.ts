import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Accounts } from '../../src/engine/accounts.ts'
import type { SessionConfig } from '../../src/engine/config.ts'
import { rostersOf } from '../../src/engine/roster.ts'
import { Session } from '../../src/engine/session.ts'
import type { Directory } from '../../src/record/directory.ts'
import { writeManifest } from '../../src/record/manifest.ts'
import { Recorder } from '../../src/record/recorder.ts'
import { explainRequest } from '../../src/report/explain.ts'
import { formatSummary } from '../../src/report/summaryText.ts'
import { type ServicesSummary, summarise, summariseRun } from '../../src/score/summary.ts'
import { servicesOf } from '../../src/score/runTables.ts'
import { outcomeAuctionConfig } from '../engine/outcomeWorld.ts'
import { auctionConfig, world } from '../engine/world.ts'
import { DIRECTORY, OutcomeHand, tellStory, T0 } from '../record/outcomeHand.ts'

const SECONDS = 40
const IDENTITY = { sourceTree: '', node: '', scenario: {}, strategies: {}, data: null, seed: 'a' }

let root: string
const dirOf = (name: string): string => join(root, name)

function directoryOf(config: SessionConfig): Directory {
  return {
    accounts: new Accounts(rostersOf(config)).list.map(({ name, role, group }) => ({ name, role: role === 'maker' ? role : 'bettor', group })),
    markets: world(config.marketCount, 0).markets.map(({ ticker, event }) => ({ ticker, cluster: event })),
  }
}

/** Plays a session into a folder of its own. All three have the same window, whenever their last row is. */
function play(name: string, config: SessionConfig): Session {
  const { parlay, outcome } = config
  const recorder = new Recorder({
    dir: dirOf(name), directory: directoryOf(config), identity: {}, reference: { parlayValue: (_, legCount) => 2 ** -legCount }, horizonsUs: [0],
    ...(parlay === undefined ? {} : { parlay: { legsMax: 5 } }),
    ...(outcome === undefined ? {} : { outcome: { legsMax: 50, feeOnCashout: false, profitOverGross: false } }),
  })
  const session = new Session({ ...config, sinks: [recorder] })
  session.runToEnd()
  const counts = { startUs: config.startUs, endUs: config.startUs + 86_400_000_000 }
  writeManifest(dirOf(name), { label: 'interactive', digest: 'd'.repeat(64), identity: IDENTITY, counts, tables: recorder.tables() })
  return session
}

let both: ServicesSummary
let session: Session
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'parlor-services-'))
  const parlay = auctionConfig(SECONDS)
  const outcome = outcomeAuctionConfig(SECONDS)
  play('parlay', parlay)
  play('outcome', outcome)
  session = play('both', { ...parlay, outcome: outcome.outcome })
  both = await summariseRun(dirOf('both')) as ServicesSummary
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

describe('the summary of a run with both services', () => {
  it('INV-01 has the money of each, exact, as its venue has it', () => {
    expect(Object.keys(both.services)).toEqual(['parlay', 'outcome'])
    const venues = { parlay: session.parlay!.venue.view.totals(), outcome: session.outcome!.venue.view.totals() }
    for (const name of ['parlay', 'outcome'] as const) {
      const { conservation: c, positions } = both.services[name]!
      expect(c).toMatchObject({ differenceMicros: 0, ledgerAgrees: true })
      expect([c.potMicros, c.houseMicros, c.depositsMicros - c.withdrawalsMicros, c.freeMicros + c.reservedMicros])
        .toEqual([venues[name].potMicros, venues[name].houseMicros, venues[name].netDepositsMicros, venues[name].heldMicros])
      expect(positions.lost + positions.won).toBeGreaterThan(20)
    }
    expect(both.services['outcome']!.house.takerFeeMicros).toBeGreaterThan(0)
    expect(both.services['outcome']!.conservation.escrowMicros).toBe(0)
  })

  it('is of each service what its own session says', async () => {
    for (const name of ['parlay', 'outcome']) {
      expect(both.services[name]).toEqual(await summariseRun(dirOf(name)))
    }
  })

  it('is printed one service after the other, each in its words', () => {
    const [parlay, outcome] = formatSummary(both).split('\n\ninteractive outcome') as [string, string]
    expect(parlay).toBe(formatSummary(both.services['parlay']!).trimEnd())
    expect(parlay).toMatch(/^interactive parlay /)
    expect(parlay).toMatch(/^requests .* committed.*/m)
    expect(parlay).not.toContain('RFQ')
    expect(outcome).toMatch(/^RFQs .* generations, .* filled, /m)
    expect(outcome).toMatch(/^quotes .*, accepted /m)
    expect(outcome).toMatch(/^operations .* fill, .* cashout, /m)
    expect(outcome).toMatch(/^takers +RFQs +filled +stakes /m)
    expect(outcome).toMatch(/^cash-outs +\d+ cash-out RFQs, /m)
    expect(outcome).toContain('at claim ')
    expect(outcome).not.toContain('escrow')
    expect(outcome.match(/: exact/g)).toHaveLength(1)
  })

  it('is not that of one service', async () => {
    await expect(summarise(dirOf('both'))).rejects.toThrow('the run has several services')
    expect(servicesOf(dirOf('both'))).toEqual(['parlay', 'outcome'])
  })
})

describe('the story of one RFQ', () => {
  it('names the service where a run has both, whose numbers are alike', () => {
    expect(() => explainRequest(dirOf('both'), 1)).toThrow('the run has several services')
    const [parlay, outcome] = (['parlay', 'outcome'] as const).map((service) => explainRequest(dirOf('both'), 1, service))
    expect(parlay).toEqual(explainRequest(dirOf('parlay'), 1))
    expect(outcome).toEqual(explainRequest(dirOf('outcome'), 1))
    expect([parlay!.service, outcome!.service]).toEqual(['parlay', 'outcome'])
    expect(() => explainRequest(dirOf('outcome'), 1, 'parlay')).toThrow('the run has no service parlay')
    expect(() => explainRequest(dirOf('outcome'), 999_999)).toThrow('no RFQ 999999')
  })

  it('tells the accepts, the last looks, the operations, the sales and the claim', () => {
    const dir = dirOf('hand')
    const recorder = new Recorder({
      dir, directory: DIRECTORY, outcome: { legsMax: 5, feeOnCashout: false, profitOverGross: false }, identity: {}, reference: null, horizonsUs: [],
    })
    recorder.flush(tellStory(new OutcomeHand()))
    recorder.finish(T0 + 301_000_000)
    writeManifest(dir, { label: 'interactive', digest: 'd'.repeat(64), identity: IDENTITY, counts: {}, tables: recorder.tables() })
    const { outcome, timeline, money, quotes } = explainRequest(dir, 1)
    expect(outcome).toBe('filled by bob at 2.4048')
    expect(quotes.map(({ maker, why }) => [maker, why])).toEqual([
      ['bob', 'won: chosen, and confirmed 1000 ms later'], ['cat', 'chosen, and declined 1000 ms later (last look)'],
    ])
    expect(timeline.map(({ afterMs, who, what }) => `${afterMs / 1000} ${who}: ${what}`)).toEqual([
      '0 takers (account 0): asks for prices: 2 legs, stake 50.00 USDC',
      '1 bob: quotes 2.4048 (41.58%)',
      '2 cat: quotes 2.5050 (39.92%)',
      '3 takers (account 0): accepts the quote of cat at 2.5050',
      '4 cat: declines',
      '4 service: takes prices again after a failed acceptance (generation 2)',
      '20 service: the window for quotes is over',
      '21 takers (account 0): accepts the quote of bob at 2.4048',
      '22 bob: confirms',
      '22 service: RFQ filled',
      '22 chain: begins operation 1, the fill of 120.10 USDC',
      '24 chain: operation 1 is done',
      '24 service: opens position 1: pot 120.00 USDC',
      '30 takers (account 0): opens cash-out RFQ 2: payout 120.00 USDC',
      '31 cat: bids 60.00 USDC in cash-out RFQ 2 (50.00% of the payout)',
      '32 bob: bids 55.00 USDC to buy it back in cash-out RFQ 2 (45.83% of the payout)',
      '33 takers (account 0): accepts the bid 60.00 USDC of cat',
      '34 cat: confirms (bid 60.00 USDC)',
      '34 chain: begins operation 2, the cash-out of 60.00 USDC',
      '38 chain: operation 2 is done, put off once',
      '38 takers (account 0): has sold by the bid of cat: price 60.00 USDC, 60.00 USDC to the seller, profit fee 0.00 USDC',
      '38 service: cat takes the position over',
      '40 cat: opens cash-out RFQ 3: payout 120.00 USDC',
      '41 bob: bids 70.00 USDC to buy it back in cash-out RFQ 3 (58.33% of the payout)',
      '42 cat: accepts the bid 70.00 USDC of bob',
      '44.000001 bob: has not confirmed in time (bid 70.00 USDC)',
      '70 service: cash-out RFQ 3 is over, nothing was taken',
      '90 service: results have decided the position, and the next batch settles it',
      '300 service: settles it won: 119.30 USDC to cat, who holds it, 0.00 USDC to the maker',
    ])
    // Ann got 60 USDC for her 50; Bob lost his risk.
    expect(money).toMatchObject({
      outcome: 'won', holder: 'cat', toHolderMicros: 119_299_000, profitFeeMicros: 701_000, bettorProfitMicros: 10_000_000, makerProfitMicros: -70_100_000,
    })
  })
})
