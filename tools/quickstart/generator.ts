import { deriveKeys } from '../../src/market/exclusion.ts'
import type { MarketOutcome } from '../../src/market/market.ts'
import { NO_PRICE, PRICE_ONE_E6 } from '../../src/market/ticks.ts'
import { assert } from '../../src/unit/assert.ts'
import { DAY_US, HOUR_US, MINUTE_US, SECOND_US } from '../../src/unit/time.ts'
import { CoinWalk, WalkChances } from './coinWalk.ts'
import { CounterDraws } from './counterDraws.ts'
import { importedHistory } from '../../src/feed/importedHistory.ts'
import type { ImportResult } from '../../src/feed/importer.ts'
import { ImportTally } from '../../src/feed/importTally.ts'
import { type MarketDraft } from '../../src/feed/marketDraft.ts'
import { TickBuffer } from '../../src/feed/tickBuffer.ts'

/** What differs between made-up nights. */
export interface NightOptions {
  /** 32-bit integer. The same options give the same night. */
  readonly seed: number
  /** When the night begins, µs since the epoch. It lasts four hours. */
  readonly startUs?: number
  readonly games?: number
  readonly weatherEvents?: number
  readonly economicMarkets?: number
}

export const NIGHT_HOURS = 4
/** 2025-06-19 22:00 UTC. */
const NIGHT_START_US = 1_750_370_400_000_000
const SLOT_US = 10 * SECOND_US
const SLOTS = (NIGHT_HOURS * HOUR_US) / SLOT_US
const CENT_E6 = 10_000
const TENTH_E6 = 1_000
/** Chance that a game's step follows the night's common factor. */
const GAME_LOADING = 0.5
/** Which economic market is voided, and which is still open when the night ends. */
const VOID_INDEX = 3
const OPEN_INDEX = 6

const Purpose = { factor: 1, plan: 2, score: 3, total: 4, book: 5 } as const
const FIRST_ENTITY = { factor: 0, game: 100, weather: 200, economic: 300, market: 1000 } as const

const TEAMS = [
  'ALB', 'BRK', 'CAM', 'DOV', 'ELM', 'FAL', 'GLE', 'HAV', 'IPS', 'JUN', 'KEN', 'LOR',
  'MAY', 'NOR', 'OAK', 'PEN', 'QUI', 'ROW', 'SAL', 'TAM', 'ULM', 'VER', 'WES', 'YAR',
]
const SERIES = ['CPI', 'JOBS', 'RATE', 'GDP', 'HOME', 'OIL', 'RETAIL', 'TRADE']
const TOWNS = ['NORTH', 'SOUTH', 'EAST', 'WEST']

const chances = new WalkChances()

/** One market of the night before its ticks are made. */
interface Plan {
  readonly draft: MarketDraft
  readonly walk: CoinWalk
  /** Chance of YES with a number of steps to come, from a position of the walk. */
  chance(remaining: number, position: number): number
  /** No tick at or after this instant. */
  readonly quietFromUs: number
  readonly gridE6: number
}

interface Terms {
  readonly ticker: string
  readonly venue: 'venue_a' | 'venue_b'
  readonly event: string
  readonly series: string
  readonly category: string
  readonly title: string
  readonly game?: string
  readonly ladder?: string
  readonly startUs: number
  readonly scheduledCloseUs: number
  readonly actualCloseUs: number | null
  readonly settledUs: number | null
  /** Given where the walk does not decide. */
  readonly outcome?: MarketOutcome | null
}

function planOf(terms: Terms, walk: CoinWalk, chance: Plan['chance']): Plan {
  const { startUs, outcome: given, game = '', ladder = '', ...rest } = terms
  const decided = (): MarketOutcome => {
    const final = chance(0, walk.position(walk.endSlot))
    assert(final === 0 || final === 1, `market ${terms.ticker} is not decided by its walk`)
    return final === 1 ? 'yes' : 'no'
  }
  const names = { ticker: terms.ticker, event: terms.event, game, ladder }
  return {
    draft: {
      ...rest,
      game,
      ladder,
      exclusionKeys: deriveKeys(names),
      openUs: startUs - DAY_US,
      scheduledCloseKnownUs: startUs - DAY_US,
      outcome: given === undefined ? decided() : given,
      settlementE6: null,
    },
    walk,
    chance,
    quietFromUs: Math.min(terms.actualCloseUs ?? Infinity, startUs + NIGHT_HOURS * HOUR_US),
    gridE6: terms.venue === 'venue_a' ? CENT_E6 : TENTH_E6,
  }
}

/** Five markets of one game: who wins, as two tokens of one book, and a ladder of three totals. */
function planGame(seed: number, startUs: number, index: number, homeFactor: Int8Array, scoreFactor: Int8Array): Plan[] {
  const entity = FIRST_ENTITY.game + index
  const draws = new CounterDraws(seed, entity, Purpose.plan)
  const liveSlot = draws.whole(120, 480)
  const endSlot = liveSlot + draws.whole(480, 720)
  const actualCloseUs = startUs + endSlot * SLOT_US + draws.whole(40 * SECOND_US, 90 * SECOND_US)
  const times = {
    startUs,
    scheduledCloseUs: startUs + Math.round((liveSlot + 660) / 30) * 30 * SLOT_US,
    actualCloseUs,
    settledUs: actualCloseUs + draws.whole(3 * MINUTE_US, 12 * MINUTE_US),
  }
  const [away, home] = [TEAMS[(2 * index) % TEAMS.length]!, TEAMS[(2 * index + 1) % TEAMS.length]!]
  const number = String(index + 1).padStart(2, '0')
  const game = `${number}-${away}-${home}`
  const score = new CoinWalk(liveSlot, endSlot, new CounterDraws(seed, entity, Purpose.score), homeFactor, GAME_LOADING)
  const lead = score.tieless(draws.whole(-20, 20))
  const homeWins = (remaining: number, position: number): number => chances.above(remaining, lead + position)
  const winner = {
    ...times, venue: 'venue_b', event: `WINNER-${game}`, series: 'WINNER', category: 'sports', game,
  } as const
  const plans = [
    planOf({ ...winner, ticker: `WINNER-${game}-${home}`, title: `${away} at ${home}: ${home} wins` }, score, homeWins),
    planOf({ ...winner, ticker: `WINNER-${game}-${away}`, title: `${away} at ${home}: ${away} wins` }, score,
      (remaining, position) => 1 - homeWins(remaining, position)),
  ]
  const total = new CoinWalk(liveSlot, endSlot, new CounterDraws(seed, entity, Purpose.total), scoreFactor, GAME_LOADING)
  const middle = draws.whole(-8, 8)
  const line = draws.whole(38, 50)
  for (const rung of [-1, 0, 1]) {
    const distance = total.tieless(middle - 18 * rung)
    const strike = line + 4 * rung
    plans.push(planOf({
      ...times, venue: 'venue_a', event: `TOTAL-${game}`, series: 'TOTAL', category: 'sports', game, ladder: `TOTAL-${game}`,
      ticker: `TOTAL-${game}-${strike}`, title: `${away} at ${home}: more than ${strike} points`,
    }, total, (remaining, position) => chances.above(remaining, distance + position)))
  }
  return plans
}

/** Six buckets of one temperature: exactly one wins. */
function planWeather(seed: number, startUs: number, index: number, noFactor: Int8Array): Plan[] {
  const entity = FIRST_ENTITY.weather + index
  const draws = new CounterDraws(seed, entity, Purpose.plan)
  const walk = new CoinWalk(600, 1230, new CounterDraws(seed, entity, Purpose.score), noFactor, 0)
  const actualCloseUs = startUs + walk.endSlot * SLOT_US + MINUTE_US
  const shift = draws.whole(-5, 5)
  const degrees = draws.whole(60, 85)
  const town = TOWNS[index % TOWNS.length]!
  const bounds = [-2, -1, 0, 1, 2].map((step) => walk.tieless(shift - 18 * step))
  return Array.from({ length: 6 }, (_, bucket) => {
    const low = bucket === 0 ? null : bounds[bucket - 1]!
    const high = bucket === 5 ? null : bounds[bucket]!
    const above = (remaining: number, position: number, bound: number | null, absent: number): number =>
      bound === null ? absent : chances.above(remaining, bound + position)
    const from = degrees + 2 * (bucket - 3)
    return planOf({
      startUs, venue: 'venue_a', event: `TEMP-${town}`, series: 'TEMP', category: 'weather',
      scheduledCloseUs: startUs + 1260 * SLOT_US, actualCloseUs, settledUs: actualCloseUs + 10 * MINUTE_US,
      ticker: `TEMP-${town}-B${bucket + 1}`,
      title: bucket === 0 ? `${town}: below ${from + 2}°` : bucket === 5 ? `${town}: ${from}° or more` : `${town}: ${from}° to ${from + 1}°`,
    }, walk, (remaining, position) => above(remaining, position, low, 1) - above(remaining, position, high, 0))
  })
}

/** One market on a figure that is published during the night; one of them is voided, one stays open. */
function planEconomic(seed: number, startUs: number, index: number, noFactor: Int8Array): Plan {
  const entity = FIRST_ENTITY.economic + index
  const draws = new CounterDraws(seed, entity, Purpose.plan)
  const isOpen = index === OPEN_INDEX
  const isVoid = index === VOID_INDEX
  const endSlot = isOpen ? SLOTS + 360 : draws.whole(600, 1260)
  const walk = new CoinWalk(endSlot - 180, endSlot, new CounterDraws(seed, entity, Purpose.score), noFactor, 0)
  const distance = walk.tieless(draws.whole(-12, 12))
  const decidedUs = startUs + endSlot * SLOT_US
  const actualCloseUs = isVoid ? decidedUs - 60 * SLOT_US : decidedUs + MINUTE_US
  const series = SERIES[index % SERIES.length]!
  const settled = { actualCloseUs, settledUs: actualCloseUs + draws.whole(MINUTE_US, 5 * MINUTE_US) }
  return planOf({
    startUs, venue: 'venue_a', event: `ECON-${series}-${index + 1}`, series: 'ECON', category: 'economics',
    ticker: `ECON-${series}-${index + 1}`, title: `${series} above forecast`, scheduledCloseUs: decidedUs,
    ...(isOpen ? { actualCloseUs: null, settledUs: null, outcome: null } : settled),
    ...(isVoid ? { outcome: 'void' as const } : {}),
  }, walk, (remaining, position) => chances.above(remaining, distance + position))
}

const sizeOf = (draws: CounterDraws): number => draws.whole(5, 15) * 2 ** draws.whole(0, 6)
const onGrid = (e6: number, gridE6: number): number => Math.round(e6 / gridE6) * gridE6

/** Ticks of one market: every 2–20 s while it is live, every 12–20 s and wider while it is quiet. */
function quote(plan: Plan, place: number, draws: CounterDraws, startUs: number, ticks: TickBuffer): void {
  const { walk, gridE6 } = plan
  let lastE6 = NO_PRICE
  for (let atUs = startUs + draws.whole(0, 20 * SECOND_US); atUs < plan.quietFromUs;) {
    const slot = Math.floor((atUs - startUs) / SLOT_US)
    const isLive = slot >= walk.liveSlot
    const fairE6 = plan.chance(walk.remaining(slot), walk.position(slot)) * PRICE_ONE_E6
    const spreadE6 = draws.whole(isLive ? 10 : 20, isLive ? 20 : 30) * TENTH_E6
    const middleE6 = fairE6 + draws.whole(-3, 3) * TENTH_E6
    const bidE6 = Math.min(onGrid(middleE6 - spreadE6 / 2, gridE6), PRICE_ONE_E6 - gridE6)
    const askE6 = Math.max(onGrid(middleE6 + spreadE6 / 2, gridE6), bidE6 + gridE6, gridE6)
    const hasBid = bidE6 > 0
    const hasAsk = askE6 < PRICE_ONE_E6
    const [bidSize, askSize] = [sizeOf(draws), sizeOf(draws)]
    const trade = draws.uniform()
    if (trade < 0.15 && hasBid) lastE6 = bidE6
    if (trade > 0.85 && hasAsk) lastE6 = askE6
    ticks.add(atUs, place, hasBid ? bidE6 : NO_PRICE, hasAsk ? askE6 : NO_PRICE,
      hasBid ? bidSize : NO_PRICE, hasAsk ? askSize : NO_PRICE, lastE6)
    atUs += draws.whole(isLive ? 2 * SECOND_US : 12 * SECOND_US, 20 * SECOND_US)
  }
}

function factorOf(seed: number, entity: number): Int8Array {
  const draws = new CounterDraws(seed, entity, Purpose.factor)
  return Int8Array.from({ length: SLOTS }, () => (draws.uniform() < 0.5 ? -1 : 1))
}

/**
 * Makes up a night of four hours: games that move together, temperatures, published figures. Every price follows the exact
 * chance of its outcome along a coin walk, so that prices are martingales and agree with each other: two tokens of a game add
 * up to 1, ladders fall, one bucket of a temperature wins. The same options give the same night on every machine.
 */
export function generateNight(options: NightOptions): ImportResult {
  const { seed, startUs = NIGHT_START_US, games = 12, weatherEvents = 2, economicMarkets = 8 } = options
  assert(Number.isSafeInteger(seed) && Number.isSafeInteger(startUs), 'seed and start must be whole numbers')
  assert(games <= TEAMS.length / 2 && weatherEvents <= TOWNS.length && economicMarkets <= 100, 'more than there are names for')
  const homeFactor = factorOf(seed, FIRST_ENTITY.factor)
  const scoreFactor = factorOf(seed, FIRST_ENTITY.factor + 1)
  const noFactor = new Int8Array(SLOTS)
  const plans: Plan[] = []
  for (let i = 0; i < games; i++) plans.push(...planGame(seed, startUs, i, homeFactor, scoreFactor))
  for (let i = 0; i < weatherEvents; i++) plans.push(...planWeather(seed, startUs, i, noFactor))
  for (let i = 0; i < economicMarkets; i++) plans.push(planEconomic(seed, startUs, i, noFactor))
  const ticks = new TickBuffer(1 << 16)
  plans.forEach((plan, place) => {
    quote(plan, place, new CounterDraws(seed, FIRST_ENTITY.market + place, Purpose.book), startUs, ticks)
  })
  const tally = new ImportTally()
  const file = tally.file(`generated, seed ${seed}`)
  file.read(ticks.count)
  file.accept(ticks.count)
  return importedHistory('generated', tally, plans.map((plan) => plan.draft), ticks)
}
