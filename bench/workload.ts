import { bettor } from '../src/agent/bettor.ts'
import type { BettorHandlers, BettorStrategy } from '../src/agent/bettor.ts'
import { HoldingDraw, IntentDraw } from '../src/agent/bettorDesk.ts'
import { NO_FAULTS } from '../src/agent/faults.ts'
import type { Latency } from '../src/agent/latency.ts'
import { maker } from '../src/agent/maker.ts'
import type { MakerHandlers, MakerStrategy } from '../src/agent/maker.ts'
import type { GateConfig, OperatorInput, ServiceName, ServiceParticipants, SessionConfig } from '../src/engine/config.ts'
import { internKeys } from '../src/market/exclusion.ts'
import type { Market } from '../src/market/market.ts'
import { MarketResult } from '../src/market/sides.ts'
import type { Ticks } from '../src/market/ticks.ts'
import type { Sink } from '../src/record/sink.ts'
import { oddsE4FloorOfProbability } from '../src/unit/odds.ts'
import { OUTCOME_SETTINGS } from '../src/venue/outcome/protocol/profile.ts'
import { ParlayOp } from '../src/venue/parlay/protocol/commands.ts'
import { PARLAY_SETTINGS } from '../src/venue/parlay/protocol/profile.ts'
import { PARLAY_GATE_SETTINGS } from '../src/venue/parlay/protocol/gate.ts'
import { profileOf } from '../src/venue/profile.ts'
import { mix, mixedUnit } from './mix.ts'

export const MAKERS = 10
const LIVE_MARKETS = 400
const BETTORS = 1_000
const REQUEST_GAP_US = 200_000
const TICKS_PER_REQUEST = 10
const EXPOSURE_LIMIT_MICROS = 5_000_000_000
const CAPITAL_MICROS = 1e12
const BET_MIN_MICROS = 1_000_000
const BET_MAX_MICROS = 100_000_000
const START_US = 1_750_000_000_000_000
/** Legs settle from 1 to 31 minutes after a bet: each market lives for that long on average, then another takes its place. */
const MARKET_LIFE_US = 32 * 60_000_000
const EVER_US = 3.15e13

/** Every command is checked and counted, and none meets a limit, so that the play is the same as without a gate. */
export const OPEN_GATE: GateConfig = {
  profile: profileOf(PARLAY_GATE_SETTINGS, { authenticatedLimit: 1e9, quoteServiceLimit: 1e9 }), keys: { lifeUs: 0, renewAfterUs: 0 }, endpoints: [],
}

/** Keeps the world's draws apart from those of other benches. */
const WORLD_SALT = 1

/** Makers do not bid for a position that is worth less than this, microUSDC. */
const WORTH_MIN_MICROS = 10_000

/** Prices each request that its limits allow at the product of leg prices less 1–11 %, drawn per request; bids 1–5 % below it in cash-outs. */
const pricer = (bids: boolean, exposureLimitMicros: number): MakerStrategy => maker({}, (_values, seat) => {
  const handlers: MakerHandlers = {
    onRequest(request, desk) {
      const fair = desk.price(request.legs, { priceType: 'mid', maxAgeUs: 1e12 })
      if (!fair || desk.exposure(request.legs).worst > exposureLimitMicros) return desk.pass('risk')
      desk.quote(request, { probability: fair / (1 - (0.01 + 0.1 * seat.random())), validUs: 15_000_000 })
    },
  }
  if (bids) {
    handlers.onCashOut = (auction, desk) => {
      const chance = desk.winProbability(auction.legs, { priceType: 'mid', maxAgeUs: 1e12 })
      if (!(chance * auction.payoutMicros >= WORTH_MIN_MICROS)) return
      desk.bid(auction, { probability: chance * (0.95 + 0.04 * seat.random()), validUs: 40_000_000 })
    }
  }
  return handlers
}) as unknown as MakerStrategy

/** The share of positions that a bettor intends to sell. A few of them end before their time has come, so that a fifth of all is left. */
const SELLING_SHARE = 0.24

/** Offers a fifth of the positions, half a minute to 5½ minutes after they open, and takes the best bid of three seconds. */
const selling: Pick<BettorHandlers, 'onOpened' | 'onCheck' | 'onListened'> = {
  onOpened(holding, desk) {
    const drawn = desk.uniform(holding, HoldingDraw.time) / SELLING_SHARE
    if (drawn < 1) desk.checkIn(holding, 30_000_000 + Math.floor(drawn * 300_000_000))
  },
  onCheck: (holding, desk) => desk.openCashOut(holding, 3_000_000),
  onListened(holding, desk) {
    if (holding.isAuctioned && holding.bestPriceMicros > 0) desk.takeBid(holding, holding.bestPriceMicros)
  },
}

/** `legsMin`–5 legs, 1 USDC to `betMaxMicros`, a floor at 93.2–97.2 % of fair odds, one decision after 1–20 s. */
const taker = (legsMin: number, sells: boolean, betMaxMicros: number): BettorStrategy => bettor({}, () => ({
  onArrival(intent, desk) {
    const legs = legsMin + Math.floor(desk.uniform(intent, IntentDraw.legCount) * (6 - legsMin))
    if (!desk.pickLegs(intent, legs, 0, 1e15)) return
    const fair = desk.price(intent.legs, { priceType: 'mid', maxAgeUs: 1e15 })
    const floor = oddsE4FloorOfProbability(fair / (0.932 + 0.04 * desk.uniform(intent, IntentDraw.floor)))
    const bet = BET_MIN_MICROS + Math.floor(desk.uniform(intent, IntentDraw.stake) * (betMaxMicros - BET_MIN_MICROS))
    const decideInUs = 1_000_000 + Math.floor(desk.uniform(intent, IntentDraw.delay) * 19_000_000)
    desk.requestQuote(intent, { betMicros: bet, minOddsE4: floor, decideInUs })
  },
  onDecision(intent, desk) {
    if (intent.bestOddsE4 >= intent.minOddsE4) desk.commit(intent)
  },
  ...(sells ? selling : {}),
})) as unknown as BettorStrategy

/** A fifth of the confirmations misses the end of the last look: 5 s on the parlay service, 2 s on the other. */
const latencyOn = (service: ServiceName): Latency => ({
  feedUs: 0, broadcast: { baseUs: 5_000, jitterUs: 45_000 }, submit: { baseUs: 20_000, jitterUs: 380_000 },
  confirm: { baseUs: 100_000, jitterUs: service === 'parlay' ? 6_150_000 : 2_390_000 },
})

interface Life {
  readonly row: number
  readonly fromUs: number
  readonly untilUs: number
}

/** Markets in `rows` rows: each lives until its end, then the next of its row takes over at the same instant; numbered by opening. */
function markets(endUs: number, lifeUs: number, rows: number): { markets: Market[]; rowOf: Int32Array; operator: OperatorInput[] } {
  const lives: Life[] = []
  for (let row = 0; row < rows; row++) {
    let fromUs = START_US
    for (let life = 0; fromUs < endUs; life++) {
      const untilUs = fromUs + 60_000_000 + Math.floor(mixedUnit(row * 65_536 + life, 904, WORLD_SALT) * 2 * lifeUs)
      lives.push({ row, fromUs, untilUs })
      fromUs = untilUs
    }
  }
  lives.sort((a, b) => a.fromUs - b.fromUs)
  const operator = lives.flatMap(({ fromUs, untilUs }, number): OperatorInput[] => [
    { atUs: fromUs, op: ParlayOp.listMarket, market: number, closeUs: START_US + EVER_US },
    { atUs: untilUs, op: ParlayOp.resolveMarket, market: number, value: mixedUnit(number, 905, WORLD_SALT) < 0.5 ? MarketResult.yes : MarketResult.no },
  ]).sort((a, b) => a.atUs - b.atUs)
  return { markets: lives.map(({ row, fromUs }, number) => market(number, row, fromUs)), rowOf: Int32Array.from(lives, (l) => l.row), operator }
}

const market = (number: number, row: number, openUs: number): Market => ({
  number, ticker: `B${number}`, venue: 'venue_a', event: `E${row >> 2}`, series: '', category: '', title: '', game: '', ladder: '',
  exclusionKeys: [`a${row >> 2}`, `b${100 + (row % 97)}`, `c${200 + ((row * 7) % 389)}`], openUs, scheduledCloseUs: null,
  scheduledCloseKnownUs: null, actualCloseUs: null, outcome: null, settlementE6: null, settledUs: null,
})

/** A first price for each market as it opens, then ten ticks to a request on random live rows. */
function ticks(all: readonly Market[], rowOf: Int32Array, rows: number, requests: number, perRequest: number): Ticks {
  const changes = Math.floor(requests * perRequest)
  const count = all.length + changes
  const column = (): Int32Array => new Int32Array(count).fill(-1)
  const t = { count, atUs: new Float64Array(count), market: new Int32Array(count), bidE6: column(), askE6: column(), bidSize: column(), askSize: column(), lastE6: column() }
  const current = new Int32Array(rows)
  let next = 0
  let change = 0
  let changeUs = START_US
  for (let i = 0; i < count; i++) {
    const opening = next < all.length && (change === changes || all[next]!.openUs <= changeUs)
    const number = opening ? next : current[mix(change, 902, WORLD_SALT) % rows]!
    if (opening) current[rowOf[number]!] = number
    t.atUs[i] = opening ? all[next++]!.openUs : changeUs
    t.market[i] = number
    const price = opening ? 0.2 + 0.6 * mixedUnit(number, 900, WORLD_SALT) : 0.05 + 0.9 * mixedUnit(change, 903, WORLD_SALT)
    t.bidE6[i] = t.askE6[i] = Math.floor(price * 1e6)
    if (!opening) changeUs += 1 + (mix(change++, 901, WORLD_SALT) % (2 * (REQUEST_GAP_US / perRequest)))
  }
  return t
}

export interface WorkloadSettings {
  /** Default: parlay. The participants, their draws and the world are the same on both. */
  readonly service?: ServiceName
  /** Whether the run is long. It then has fewer ticks and longer lives of markets, because the history itself lies in memory. */
  readonly ticksPerRequest?: number
  readonly marketLifeUs?: number
  /** Fewest legs of a request; default 2. */
  readonly legsMin?: number
  /** A fifth of the positions is offered to the makers before its end; default true. */
  readonly sells?: boolean
  /** Default 10. */
  readonly makers?: number
  /** The strategy of each maker, in their order. By default all of them have one function. */
  readonly strategies?: readonly MakerStrategy[]
  /** Markets that can be traded at once; default 400. */
  readonly liveMarkets?: number
  /** The capital of each maker, a million USDC by default. */
  readonly capitalMicros?: number
  /** A maker takes no more risk than this on one leg. The default is 5,000 USDC. */
  readonly exposureLimitMicros?: number
  /** Default 100 USDC. */
  readonly betMaxMicros?: number
}

/** The shape of `../shared/peers`: see bench/README.md for where the services differ from it. */
export function workload(requests: number, sinks: readonly Sink[], settings: WorkloadSettings = {}): SessionConfig {
  const { service = 'parlay', ticksPerRequest = TICKS_PER_REQUEST, marketLifeUs = MARKET_LIFE_US, liveMarkets = LIVE_MARKETS } = settings
  const untilUs = START_US + requests * REQUEST_GAP_US * 1.2
  const world = markets(untilUs, marketLifeUs, liveMarkets)
  return {
    seed: 'bench', startUs: START_US, arrivalsUntilUs: Number.MAX_SAFE_INTEGER, arrivalsMax: requests,
    marketCount: world.markets.length, keys: internKeys(world.markets),
    ticks: ticks(world.markets, world.rowOf, liveMarkets, requests, ticksPerRequest), operator: world.operator,
    ...serviceOf(service, participants(latencyOn(service), settings), world.markets.length), sinks,
  }
}

function participants(latency: Latency, settings: WorkloadSettings): ServiceParticipants {
  const {
    legsMin = 2, sells = true, makers = MAKERS, capitalMicros = CAPITAL_MICROS, exposureLimitMicros = EXPOSURE_LIMIT_MICROS,
    betMaxMicros = BET_MAX_MICROS, strategies,
  } = settings
  return {
    makers: Array.from({ length: makers }, (_, i) => ({
      name: `maker ${i}`, strategy: strategies?.[i] ?? pricer(sells, exposureLimitMicros), values: {}, capitalMicros, latency, faults: { ...NO_FAULTS, ignore: 0.2 },
    })),
    cohorts: [{
      name: 'takers', strategy: taker(legsMin, sells, betMaxMicros), values: {}, bettors: BETTORS, bankrollMicros: 1e12,
      everyUs: BETTORS * REQUEST_GAP_US, latency: { ...latency, submit: { baseUs: 0, jitterUs: 0 } },
    }],
  }
}

function serviceOf(service: ServiceName, participants: ServiceParticipants, marketCount: number): Pick<SessionConfig, 'parlay' | 'outcome'> {
  if (service === 'parlay') return { parlay: { profile: profileOf(PARLAY_SETTINGS), ...participants } }
  const outcomeIds = Array.from({ length: marketCount }, (_, market) => [1, market])
  // The ids of acceptances are what a long run remembers longest, seven days by default.
  const profile = profileOf(OUTCOME_SETTINGS, { acceptKeyRetentionMs: OUTCOME_SETTINGS.acceptKeyRetentionMs.min })
  return { outcome: { profile, signatures: 'tag', outcomeIds, ...participants } }
}
