import { describe, expect, it } from 'vitest'
import type { BettorHandlers, BettorStrategy } from '../../src/agent/bettor.ts'
import type { Delay, Latency } from '../../src/agent/latency.ts'
import { type MakerStrategy, maker } from '../../src/agent/maker.ts'
import { NO_FAULTS } from '../../src/agent/faults.ts'
import type { CohortEntry, SessionConfig } from '../../src/engine/config.ts'
import { Session } from '../../src/engine/session.ts'
import { MarketResult, Side } from '../../src/market/sides.ts'
import { PositionOpened as OpenedOnOutcome, OutcomeEvent } from '../../src/venue/outcome/protocol/events.ts'
import { ParlayOp } from '../../src/venue/parlay/protocol/commands.ts'
import { ParlayEvent, PositionOpened } from '../../src/venue/parlay/protocol/events.ts'
import { PARLAY_SETTINGS } from '../../src/venue/parlay/protocol/profile.ts'
import { Resolve } from '../../src/venue/contract.ts'
import { profileOf } from '../../src/venue/profile.ts'
import { RequestArrivals } from '../../src/unit/requestArrivals.ts'
import { Service } from '../../src/unit/services.ts'
import { ofKind } from './loggedRow.ts'
import { outcomeAuctionConfig } from './outcomeWorld.ts'
import { OutcomeLog } from './outcomeLog.ts'
import { RowLog } from './rowLog.ts'
import { auctionConfig, cohorts, parlayConfig } from './world.ts'

const START = 1_750_000_000_000_000
const usd = (amount: number): number => Math.round(amount * 1_000_000)
const sec = (s: number): number => Math.round(s * 1_000_000)
const fixed = (s: number): Delay => ({ baseUs: sec(s), jitterUs: 0 })
const LATENCY: Latency = { feedUs: sec(0.1), broadcast: fixed(0.02), submit: fixed(0.05), confirm: fixed(0.2) }
const none = new Int32Array(0)

const strategyOf = (handlers: BettorHandlers): BettorStrategy => ({ role: 'bettor', parameters: {}, create: () => handlers })
const quarter = maker({}, () => ({
  onRequest: (request, desk) => { desk.quote(request, { probability: 0.25, validUs: 60_000_000 }) },
})) as unknown as MakerStrategy

/** Market pairs (0, 1), (2, 3), … end with these results at 100 s, 200 s, …; a bettor comes 50 s before each, and bets on both. */
function play(results: readonly number[], strategy: BettorStrategy, entry: Partial<CohortEntry> = {}): Session {
  const markets = 2 * results.length
  const listed = Array.from({ length: markets }, (_, market) => market)
  const session = new Session(parlayConfig({
    seed: 'a', startUs: START, arrivalsUntilUs: START + sec(1000), profile: profileOf(PARLAY_SETTINGS), marketCount: markets,
    keys: { texts: listed.map(String), start: Int32Array.from([...listed, markets]), keys: Int32Array.from(listed) },
    ticks: { count: 0, atUs: new Float64Array(0), market: none, bidE6: none, askE6: none, bidSize: none, askSize: none, lastE6: none },
    operator: [
      ...listed.map((market) => ({ atUs: START, op: ParlayOp.listMarket, market, closeUs: START + sec(3600) })),
      ...listed.map((market) => ({ atUs: START + sec(100 * (1 + (market >> 1))), op: ParlayOp.resolveMarket, market, [Resolve.result]: results[market >> 1]! })),
    ],
    makers: [{ name: 'a', strategy: quarter, values: {}, capitalMicros: usd(10_000), latency: LATENCY, faults: NO_FAULTS }],
    cohorts: [{
      name: 'bettor', strategy, values: {}, bettors: 1, bankrollMicros: usd(500), everyUs: 0,
      arrivalsUs: results.map((_, i) => START + sec(50 + 100 * i)), latency: LATENCY, ...entry,
    }],
    sinks: [],
  }))
  session.runToEnd()
  return session
}

const { yes, no, void: neither } = MarketResult

describe('a bettor that bets a tenth of what it has', () => {
  it('goes through wins, losses and voids as the ledger says', () => {
    const told: unknown[] = []
    const session = play([yes, no, neither, yes], strategyOf({
      onArrival(intent, desk) {
        for (const leg of [0, 1]) intent.setLeg(leg, 2 * intent.arrival + leg, Side.yes)
        intent.setLegCount(2)
        desk.requestQuote(intent, { betMicros: Math.floor(desk.freeMicros(intent) / 10), minOddsE4: 20_000, decideInUs: sec(5) })
      },
      onDecision(intent, desk) { desk.commit(intent) },
      onSettled(holding, desk) { told.push([(desk.nowUs - START) / 1e6, holding.costMicros, holding.returnedMicros, desk.freeMicros(holding)]) },
    }))
    // At odds of 4, 1 % of each bet off, and 1 % of each profit. Of 50, 49.5 pays 198 less 1.485: 450 + 196.515. Of 646.515 it loses 64.6515, and of
    // 581.8635 it gets 58.18635 back, fee and all, as a leg is void. The last bet is the same, with a fee of 0.581863, rounded down: a stake of 57.604487
    // pays 230.417948, less 1 % of 172.813461, rounded down.
    expect(told).toEqual([
      [100.02, usd(50), usd(196.515), usd(646.515)], [200.02, usd(64.6515), 0, usd(581.8635)], [300.02, usd(58.18635), usd(58.18635), usd(581.8635)],
      [400.02, usd(58.18635), usd(228.689814), usd(752.366964)],
    ])
    expect(session.parlay!.venue.view.balance(0).freeMicros).toBe(usd(752.366964))
  })

  describe.each([['that hears of ends', true], ['that hears of none', false]] as const)('%s', (_, hearsEnds) => {
    it('hears that a position opened although it has ended by then, and sees nothing of its end', () => {
      const told: unknown[] = []
      const at = (desk: { readonly nowUs: number }): number => (desk.nowUs - START) / 1e6
      // It commits at 95.05 s, the maker confirms 0.22 s later, and the markets end at 100 s. It is told of each 7 s after.
      const session = play([yes], strategyOf({
        onArrival(intent, desk) {
          for (const leg of [0, 1]) intent.setLeg(leg, leg, Side.yes)
          intent.setLegCount(2)
          desk.requestQuote(intent, { betMicros: usd(100), minOddsE4: 20_000, decideInUs: sec(15) })
        },
        onDecision(intent, desk) { desk.commit(intent) },
        onOpened(holding, desk) {
          told.push(['opened', at(desk), holding.canCashOut, holding.returnedMicros])
          // Nothing comes of this: the position has ended.
          desk.openCashOut(holding)
          desk.checkIn(holding, sec(1))
        },
        onCheck(_holding, desk) { told.push(['check', at(desk)]) },
        onCashOutRefused(_holding, _refusal, desk) { told.push(['refused', at(desk)]) },
        ...(hearsEnds && { onSettled: (holding, desk) => { told.push(['settled', at(desk), holding.canCashOut, holding.returnedMicros]) } }),
      }), { latency: { ...LATENCY, broadcast: fixed(7) }, arrivalsUs: [START + sec(80)] })
      expect(told).toEqual([['opened', 102.27, true, NaN], ...(hearsEnds ? [['settled', 107, false, usd(393.03)]] : [])])
      expect(session.parlay!.venue.view.balance(0).freeMicros).toBe(usd(793.03))
    })
  })

  it('learns of its money as late as of its bets', () => {
    const seen: number[] = []
    // It commits at 65.05 s. The maker confirms 0.22 s later, and the bettor is told 7 s after that. Markets end at 100 s.
    const late = { ...LATENCY, broadcast: fixed(7) }
    play([yes], strategyOf({
      onArrival(intent, desk) {
        seen.push((desk.nowUs - START) / 1e6, desk.freeMicros(intent))
        if (intent.arrival > 0) return
        for (const leg of [0, 1]) intent.setLeg(leg, leg, Side.yes)
        intent.setLegCount(2)
        desk.requestQuote(intent, { betMicros: usd(100), minOddsE4: 20_000, decideInUs: sec(15) })
      },
      onDecision(intent, desk) { desk.commit(intent) },
      onSettled() {},
    }), { latency: late, arrivalsUs: [50, 72, 73, 106.9, 107.1].map((at) => START + sec(at)) })
    expect(seen).toEqual([50, usd(500), 72, usd(500), 73, usd(400), 106.9, usd(400), 107.1, usd(793.03)])
  })
})

describe.each([
  ['parlay', auctionConfig, ParlayEvent.positionOpened, PositionOpened], ['outcome', outcomeAuctionConfig, OutcomeEvent.positionOpened, OpenedOnOutcome],
] as const)('bettors of one cohort (%s)', (service, config, kind, cells) => {
  /** What the desk last showed of each position's bettor, by the arrival that became the position, after a session in which a fill is sold now and then. */
  function played(): { session: Session; free: Map<number, number>; log: RowLog | OutcomeLog; requestArrivals: RequestArrivals } {
    const free = new Map<number, number>()
    const log = service === 'parlay' ? new RowLog() : new OutcomeLog()
    const requestArrivals = new RequestArrivals()
    const strategy = strategyOf({
      onArrival(intent, desk) {
        if (desk.pickLegs(intent, 2, 0.05, 1e15)) desk.requestQuote(intent, { betMicros: Math.floor(desk.freeMicros(intent) / 20), minOddsE4: 10_001, decideInUs: 1_000_000 })
      },
      onDecision(intent, desk) { if (intent.bestOddsE4 >= intent.minOddsE4) desk.commit(intent) },
      onOpened(holding, desk) {
        free.set(holding.arrival, desk.freeMicros(holding))
        if (holding.arrival % 3 === 0) desk.openCashOut(holding)
      },
      onBid(holding, desk) { if (holding.isAuctioned && holding.bestPriceMicros > 0) desk.takeBid(holding, 1) },
      onAuctionEnded(holding, _outcome, desk) { free.set(holding.arrival, desk.freeMicros(holding)) },
      onSettled(holding, desk) { free.set(holding.arrival, desk.freeMicros(holding)) },
    })
    const entry = { ...cohorts[0]!, name: 'sharing', bettors: 4, strategy: strategy as CohortEntry['strategy'], values: {} }
    const session = new Session({ ...config(40, { cohorts: [entry] }), sinks: [log], requestArrivals } as SessionConfig)
    session.runToEnd()
    return { session, free, log, requestArrivals }
  }

  it('know what they have in a session that goes on from an image', () => {
    const seen: number[] = []
    const strategy = strategyOf({
      onArrival(intent, desk) {
        seen.push(desk.freeMicros(intent))
        if (desk.pickLegs(intent, 2, 0.05, 1e15)) desk.requestQuote(intent, { betMicros: usd(10), minOddsE4: 10_001, decideInUs: 1_000_000 })
      },
      onDecision(intent, desk) { if (intent.bestOddsE4 >= intent.minOddsE4) desk.commit(intent) },
      onSettled(holding, desk) { seen.push(desk.freeMicros(holding)) },
    })
    const terms = config(20, { cohorts: [{ ...cohorts[0]!, name: 'kept', bettors: 2, everyUs: 2_000_000, strategy: strategy as CohortEntry['strategy'], values: {} }] }) as SessionConfig
    new Session(terms).runToEnd()
    const unbroken = seen.splice(0)
    const first = new Session(terms)
    while (seen.every((micros) => micros === usd(1000))) first.run(5)
    const other = new Session(terms)
    other.restore(first.snapshot())
    other.runToEnd()
    expect(unbroken.length).toBeGreaterThan(10)
    expect(seen).toEqual(unbroken)
  })

  it('know what they have to the last, each its own', () => {
    const { session, free, log, requestArrivals } = played()
    const arrivalOf = (request: number): number => requestArrivals.take(Service[service], request)
    const holders = new Map(ofKind(log.rows, kind as never, cells as never).map((row) => [arrivalOf(row['request' as never] ?? row['rfq' as never]), row['holder' as never] as number]))
    const { view } = session[service]!.venue
    const told = new Map<number, number[]>()
    for (const [arrival, micros] of free) told.set(holders.get(arrival)!, [...told.get(holders.get(arrival)!) ?? [], micros])
    expect(told.size).toBe(4)
    // The balances differ, and what each was told last is its own.
    const balances = [...told.keys()].map((account) => view.balance(account).freeMicros)
    expect(new Set(balances).size).toBe(4)
    for (const [account, seen] of told) expect(seen).toContain(view.balance(account).freeMicros)
  })
})
