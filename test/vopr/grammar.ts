import { Dice, type Json, type Written } from './dice.ts'
import { RECORDED_FROM_MS, RECORDED_MINUTES, type Recordings, recordingsOf } from './recordings.ts'
import { bettorStrategyOf, type DrawnStrategy, makerStrategyOf, withDepth } from './strategyGrammar.ts'

/** What is drawn from a seed: a scenario, and the strategies and recordings beside it that it names. */
export interface World extends Written {
  scenario: Written
  strategies: { [file: string]: DrawnStrategy }
  /** Folders of recorded files, which the scenario imports. */
  recordings: { [folder: string]: Recordings }
}

export const MAKER_FILE = '../strategies/restlessMaker.ts'
export const BETTOR_FILE = '../strategies/restlessBettor.ts'
/** The made-up night of the repository begins then. */
export const NIGHT_US = Date.UTC(2025, 5, 19, 22) * 1000
const NIGHT_MINUTES = 240
const MINUTE_US = 60_000_000

const ms = (value: number): string => `${value}ms`
const percent = (value: number): string => `${value}%`
const usdc = (value: number): string => `${value} USDC`

const delay = (dice: Dice, mostMs: number): Json => (dice.chance(40) ? ms(dice.from(0, mostMs)) : { base: ms(dice.from(0, mostMs)), jitter: ms(dice.from(1, 2 * mostMs)) })

/**
 * The world of a seed: services, profiles, latencies, faults of agents, gates, chains and endpoints, and strategies that try everything.
 * `drawnPercent`: how often a participant's strategy is drawn.
 */
export function worldOf(seed: number, drawnPercent = DRAWN_PERCENT): World {
  const dice = new Dice(seed)
  const which = dice.of(['parlay', 'parlay', 'outcome', 'outcome', 'both'] as const)
  const names = which === 'both' ? ['parlay', 'outcome'] : [which]
  const lengthMinutes = dice.of([6, 12, 20, 40])
  const isRecorded = dice.chance(RECORDED_PERCENT)
  const fromMinute = isRecorded ? dice.from(1, RECORDED_MINUTES / 2) : dice.from(0, NIGHT_MINUTES - 10)
  const fromUs = (isRecorded ? RECORDED_FROM_MS * 1000 : NIGHT_US) + fromMinute * MINUTE_US
  const recordings: World['recordings'] = isRecorded ? { [`${seed}-recorded`]: recordingsOf(dice) } : {}
  const participants: Participants = { seed, drawnPercent, makers: [], bettors: [], strategies: {} }
  for (const name of names) addParticipants(dice, name, names.length > 1, participants)
  const services: Written = {}
  if (names.includes('parlay')) services['parlay'] = parlayOf(dice, lengthMinutes, participants)
  if (names.includes('outcome')) services['outcome'] = outcomeOf(dice, lengthMinutes)
  const history: Written = {
    ...(isRecorded ? { store: `./${seed}-store`, import: { format: 'polymarket-mlb-book', files: [`./${seed}-recorded`] } } : { store: 'quickstart' }), from: instant(fromUs), ...(dice.chance(60) ? { to: instant(fromUs + lengthMinutes * MINUTE_US) } : {}),
    ...(dice.chance(30) ? { legs: dice.of(['mid', 'bid', 'ask', 'executable', 'devigged']) } : {}), ...(dice.chance(50) ? { maxAge: dice.of(['30s', '2m', '1h']) } : {}),
  }
  // Books have two sides. It takes no draw, so that worlds stay what they were.
  if (isRecorded && (history['legs'] ?? 'executable') === 'executable') {
    history['depth'] = 1 + seed % DEPTH_MAX
    for (const [file, strategy] of Object.entries(participants.strategies)) participants.strategies[file] = withDepth(strategy)
  }
  const scenario: Written = {
    version: 1, mode: 'interactive', seed: `vopr ${seed}`, services,
    history,
    arrivals: { max: dice.of([40, 120, 300]) },
    settlement: settlementOf(dice, isRecorded),
    ...operatorsOf(dice, isRecorded ? 0 : Math.max(0, Math.min(lengthMinutes, LATE_MINUTES - fromMinute)), participants),
    bettors: participants.bettors, makers: participants.makers,
    ...(dice.chance(40) ? { inference: { cluster: dice.of(['gameDay', 'game', 'event', 'day', 'week']) } } : {}),
    record: { marks: dice.of([['10s'], ['1s', '1m'], ['1m', '30m', '1000h']]), equityEvery: dice.of(['10s', '1m', '1m', '10m', '1h']) },
  }
  return { scenario, strategies: participants.strategies, recordings }
}

interface Participants {
  readonly seed: number
  readonly drawnPercent: number
  readonly strategies: World['strategies']
  readonly makers: Written[]
  readonly bettors: Written[]
}

const instant = (us: number): string => new Date(us / 1000).toISOString()

function settlementOf(dice: Dice, isRecorded: boolean): Written {
  // What was recorded says of no game when it ended.
  const missing = dice.of(isRecorded ? ['void', 'draw'] : ['exclude', 'void', 'draw'])
  const isDrawn = dice.chance(50)
  const draws = missing === 'draw' || isDrawn
  return {
    lag: dice.of(['0', '1s', '1m', '10m']), missing, ...(isDrawn ? { outcomes: 'drawn' } : {}),
    ...(draws && dice.chance(40) ? { correlation: percent(dice.of([0, 30, 90, 100])), ...(dice.chance(50) ? { within: dice.of(['all', 'category', 'game', 'day']) } : {}) } : {}),
  }
}

/** Markets that are traded until the last half hour of the night: those that may be halted, and those that may be taken off the list. */
export const LATE_TICKERS = ['TEMP-NORTH-B2', 'TEMP-SOUTH-B4']
export const DELISTED_TICKERS = ['TEMP-NORTH-B4', 'TEMP-SOUTH-B5']
export const LATE_MINUTES = 200
/** A market is traded from its first price in the session on, and whenever a session begins, each of these has a price within so long. */
export const FIRST_PRICE_S = 20

/** Halts, delistings and withdrawals; halts and delistings in the first `minutes` of the session. */
function operatorsOf(dice: Dice, minutes: number, { makers, bettors }: Participants): Written {
  const found: Written = {}
  const at = (firstS = 5): string => `${dice.from(firstS, Math.max(firstS, 60 * minutes - 1))}s`
  if (minutes > 0 && dice.chance(25)) found['halts'] = LATE_TICKERS.slice(0, dice.from(1, 2)).map((market) => ({ market, from: at(FIRST_PRICE_S), for: `${dice.from(1, 300)}s` }))
  if (minutes > 0 && dice.chance(15)) found['delist'] = [{ market: dice.of(DELISTED_TICKERS), at: at(FIRST_PRICE_S) }]
  if (dice.chance(35)) {
    const names = [...makers, ...bettors].flatMap(({ name, count }) => (typeof name === 'string' && count === undefined ? [name] : []))
    found['withdrawals'] = Array.from({ length: dice.from(1, 3) }, () => ({ of: dice.of(names), at: at(), amount: dice.chance(70) ? usdc(dice.from(1, 200)) : usdc(100_000) }))
  }
  return found
}

/** Levels of books that a history of recorded files shows at most. */
const DEPTH_MAX = 4

/** How often the history is one of recorded files. */
const RECORDED_PERCENT = 20

/** How often a participant's strategy is drawn, and how often it is the one that tries everything; else it is a built-in one. */
const DRAWN_PERCENT = 40
const RESTLESS_PERCENT = 55

function addParticipants(dice: Dice, service: string, named: boolean, { seed, drawnPercent, strategies, makers, bettors }: Participants): void {
  const at: Written = named ? { service } : {}
  const prefix = service === 'parlay' ? 'p' : 'o'
  const drawn = (name: string, strategy: () => DrawnStrategy): Written | null => {
    if (!dice.chance(drawnPercent)) return null
    const file = `${seed}-${name}.ts`
    strategies[file] = strategy()
    return { use: `./${file}` }
  }
  for (let i = dice.from(1, 3); i > 0; i--) {
    const name = `${prefix}m${i}`
    makers.push({ ...makerOf(dice, name, named, drawn(name, () => makerStrategyOf(dice))), ...at })
  }
  for (let i = dice.from(1, 2); i > 0; i--) {
    const name = `${prefix}b${i}`
    bettors.push({ ...cohortOf(dice, name, service, drawn(name, () => bettorStrategyOf(dice, leastLegs(service)))), ...at })
  }
}

const leastLegs = (service: string): number => (service === 'parlay' ? 2 : 1)

/** @param drawn its strategy, null for another one. */
function makerOf(dice: Dice, name: string, layOff: boolean, drawn: Written | null): Written {
  const quick = (share: number): Json => percent(share)
  const builtIn = (): Written => dice.of<() => Written>([
    () => ({ use: 'fixed-margin', params: { margin: quick(dice.from(0, 10)), ...(dice.chance(60) ? { bid: quick(dice.from(1, 10)) } : {}) } }),
    () => ({ use: 'shade' }), () => ({ use: 'exposure-limited' }), () => ({ use: 'cashout-bidder', params: { resellAfter: `${dice.from(1, 60)}s` } }),
    () => ({ use: 'last-look' }), () => ({ use: 'inventory' }), () => ({ use: 'copula' }), () => ({ use: 'random' }), () => ({ use: 'logistic-demand' }),
    () => (layOff ? { use: 'lay-off' } : { use: 'random' }),
  ])()
  const params = (): Written => dice.some(50, {
    marginMin: percent(dice.of([-40, -10, -3, 0, 1])), marginMax: percent(dice.from(1, 60)), pass: percent(dice.from(0, 40)), later: percent(dice.from(0, 70)),
    requote: percent(dice.from(0, 60)), withdraw: percent(dice.from(0, 50)), decline: percent(dice.from(0, 60)), mute: percent(dice.from(0, 50)),
    ponder: percent(dice.from(0, 80)), bid: percent(dice.from(20, 100)), sell: percent(dice.from(0, 100)), lay: percent(dice.from(0, 100)),
    think: ms(dice.from(1, 20_000)), validMin: ms(dice.from(1, 30_000)), validMax: ms(dice.from(30_000, 100_000)),
  })
  return {
    ...(drawn ?? (dice.chance(RESTLESS_PERCENT) ? { use: MAKER_FILE, params: params() } : builtIn())), name,
    capital: usdc(dice.of([5, 300, 5000, 20_000, 100_000, 100_000])),
    ...(dice.chance(60) ? { latency: dice.some(60, { feed: ms(dice.from(0, 500)), broadcast: delay(dice, 300), quote: delay(dice, 500), confirm: delay(dice, dice.of([200, 3000])) }) } : {}),
    ...(dice.chance(40) ? { faults: dice.some(60, { ignore: percent(dice.from(0, 50)), missConfirm: percent(dice.from(0, 40)), disconnect: { every: `${dice.from(20, 600)}s`, for: `${dice.from(1, 120)}s` } }) } : {}),
    ...(layOff && dice.chance(70) ? { layOff: { bankroll: usdc(dice.of([20, 1000, 20_000])) } } : {}),
  }
}

function cohortOf(dice: Dice, name: string, service: string, drawn: Written | null): Written {
  const least = leastLegs(service)
  const legsMax = dice.from(least, 5)
  const strategy = (): Written => dice.chance(RESTLESS_PERCENT)
    ? { use: BETTOR_FILE, params: { legsMin: dice.chance(90) ? least : 1, legsMax, betMin: usdc(dice.of([0.5, 1, 3])), betMax: usdc(dice.of([20, 99.999999, 150])), ...dice.some(50, {
      floor: percent(dice.from(0, 120)), commit: percent(dice.from(20, 100)), cancel: percent(dice.from(0, 60)), wait: percent(dice.from(0, 100)), sell: percent(dice.from(0, 100)),
      dropAuction: percent(dice.from(0, 50)), decideMax: ms(dice.of([50, 3000, 20_000, 100_000])), lookMax: `${dice.from(1, 600)}s`, looks: dice.from(0, 20),
    }) } }
    : { kind: dice.of(['noise', 'informed', 'impatient', 'stop-loss', 'take-profit', 'price-sensitive', 'favourite']), legsMin: least, legsMax, betMin: usdc(2), betMax: usdc(dice.of([20, 100])) }
  const arrivals = (): Json => (dice.chance(50) ? { kind: 'hawkes', excitation: percent(dice.from(0, 80)), decay: ms(dice.from(10, 20_000)) } : { kind: 'poisson' })
  return {
    ...(drawn ?? strategy()), name, n: dice.of([1, 20, 40]), bankroll: usdc(dice.of([30, 500, 5000, 5000])), every: dice.of(['20s', '1m', '4m']),
    ...(dice.chance(30) ? { arrivals: arrivals() } : {}),
    ...(dice.chance(50) ? { latency: dice.some(60, { feed: ms(dice.from(0, 500)), broadcast: delay(dice, 300), submit: delay(dice, 500) }) } : {}),
  }
}

const faultsOf = (dice: Dice, names: readonly string[], minutes: number): Json =>
  [...new Set(Array.from({ length: dice.from(1, 3) }, () => dice.of(names)))].map((fault) => ({ fault, from: `${dice.from(0, 60 * minutes)}s`, for: `${dice.from(1, 200)}s` }))

function parlayOf(dice: Dice, minutes: number, { makers, bettors }: Participants): Written {
  const set = dice.some(25, {
    takerFee: dice.of([0, 1, 250, 9999]), profitFee: dice.of([0, 1, 777, 5000]), confirmation: ms(dice.from(5000, 8000)),
    requestExpiry: ms(dice.of([3000, 20_000, 200_000])), executionMs: 0, settlementRetry: ms(dice.from(1, 60_000)), profitFeeOnTransfer: dice.chance(50), profitFeeOnMaker: dice.chance(50),
    buybackBoundAtBid: dice.chance(50), buybackBoundGrossedUp: dice.chance(50), cutoffSkipsResolvedLegs: dice.chance(50), cashoutCutoff: ms(dice.of([0, 30_000, 600_000])),
    cashoutWindow: ms(dice.of([500, 10_000, 60_000])), execution: ms(dice.from(0, 30_000)), chainRecovery: ms(dice.from(1, 60_000)), mirrorRecovery: ms(dice.from(1, 60_000)),
  })
  delete set['executionMs']
  // Few buybacks are a gain of the maker, on which alone this fee falls.
  if (dice.chance(30)) set['profitFeeOnMaker'] = true
  const fees: Written = Object.fromEntries(Object.entries(set).map(([key, value]) => [key, key.endsWith('Fee') ? `${value as number} bps` : value]))
  const faults = ['collateralUnavailable', 'feeUnavailable', 'chainUnclear', 'chainDropped', 'mirrorBehind', 'chainDisabled']
  const first = <T extends Written>(of: readonly T[]): string[] => of.flatMap(({ name, service }) => (service === undefined || service === 'parlay' ? [name as string] : []))
  return {
    profile: 'parlay@2.1', ...(Object.keys(fees).length > 0 ? { set: fees } : {}),
    ...(dice.chance(35) ? { gate: parlayGateOf(dice, first(makers), first(bettors)) } : {}),
    ...(dice.chance(30) ? { faults: faultsOf(dice, faults, minutes) } : {}),
    ...(dice.chance(15) ? { walletsOff: [dice.of(first(makers))] } : {}),
  }
}

function parlayGateOf(dice: Dice, makers: readonly string[], bettors: readonly string[]): Written {
  const answers = (): Written => dice.some(50, {
    timeout: percent(dice.from(0, 30)), serverError: percent(dice.from(0, 30)), tooManyRequests: percent(dice.from(0, 20)), clientError: percent(dice.from(0, 10)), networkError: percent(dice.from(0, 10)),
  })
  const endpoint = (of: string): Written => ({
    of, answers: answers(), delay: delay(dice, 5000), ...(dice.chance(30) ? { outages: { every: `${dice.from(10, 600)}s`, for: `${dice.from(1, 300)}s` } } : {}), ...(dice.chance(50) ? { redeliver: true } : {}),
  })
  return {
    ...(dice.chance(50) ? { set: dice.some(50, { authenticatedLimit: dice.from(2, 60), deliveryTimeout: ms(dice.from(10, 10_000)), deliveryAttemptsMax: dice.from(1, 5), deliveryBackoff: ms(dice.from(1, 30_000)) }) } : {}),
    ...(dice.chance(30) ? { keys: { life: `${dice.from(10, 600)}s`, renewAfter: `${dice.from(0, 20)}s` } } : {}),
    ...(dice.chance(60) ? { endpoints: [dice.of(makers), dice.of(bettors)].slice(0, dice.from(1, 2)).map(endpoint) } : {}),
  }
}

function outcomeOf(dice: Dice, minutes: number): Written {
  const set: Written = dice.some(25, {
    takerFee: dice.of(['0 bps', '1 bps', '333 bps']), fee: dice.of(['0 bps', '1 bps', '777 bps', '5000 bps']), profitOverGross: dice.chance(50), feeOnCashout: dice.chance(50), strictWindow: dice.chance(50),
    entryOpen: ms(dice.of([2000, 20_000, 60_000])), cashoutOpen: ms(dice.of([5000, 30_000])), confirm: ms(dice.of([500, 2000, 4000])), rfqIntentLimit: dice.from(1, 20), exposureMultiple: dice.from(1, 10),
    operation: ms(dice.of([0, 1, 2000, 30_000])), settlementEvery: ms(dice.of([1000, 60_000, 300_000])), settlementPhase: ms(dice.from(0, 60_000)), retention: ms(dice.of([200, 60_000])), reductionDelay: ms(dice.of([0, 1000, 600_000])),
  })
  const faults = ['financialActionsDisabled', 'coreFundingUnavailable', 'quoteExposureStale', 'chainDropped', 'chainStalled']
  const gate = dice.chance(35)
  const gateFaults = ['authorizationUnavailable', 'dependencyStale', 'sourceUnavailable', 'contractUnavailable', 'marketDataUnavailable', 'sponsorshipUnavailable', 'contractSignatureOverloaded', 'comboAutomaticDisabled', 'embeddedWalletUnavailable']
  return {
    profile: 'outcome@1', ...(Object.keys(set).length > 0 ? { set } : {}), ...(dice.chance(4) ? { signatures: 'eip712' } : {}),
    ...(gate ? { gate: dice.some(50, { set: dice.some(60, { rfqLimit: dice.from(1, 30), acceptLimit: dice.from(1, 30), quoteLimit: dice.from(1, 120), confirmLimit: dice.from(1, 60) }), retries: { most: dice.from(0, 5), backoff: ms(dice.from(1, 5000)) } }) } : {}),
    ...(dice.chance(35) ? { faults: faultsOf(dice, gate ? [...faults, ...gateFaults] : faults, minutes) } : {}),
  }
}
