import type { BettorStrategy } from '../../agent/bettor.ts'
import informed from '../../agent/bettors/informed.ts'
import noise from '../../agent/bettors/noise.ts'
import type { MakerStrategy } from '../../agent/maker.ts'
import fixedMargin from '../../agent/makers/fixedMargin.ts'
import type { ServiceName } from '../../engine/config.ts'
import { entityOfName } from '../../kernel/names.ts'
import { Draws, Purpose, rootKey } from '../../kernel/random.ts'
import { Side } from '../../market/sides.ts'
import { MINUTE_US, MS_US, SECOND_US } from '../../unit/time.ts'
import { assert } from '../../unit/assert.ts'
import { changedPlaces, BIN, type Outcome, outcomesMoved } from '../changedPlaces.ts'
import { type Estimate, ratioOf, scaled } from '../estimates.ts'
import { figureOf, type ItemFigure, type Task, type ValidationItem } from '../figure.ts'
import { type Fill, type FillLog, payoutOf } from '../fillLog.ts'
import { type PlayedCohort, playSession, WAYS, WIDENED } from '../playSession.ts'
import { type MadeMarket, type PriceChange, WORLD_BEGIN_US, type World, worldOf } from '../world.ts'

/** Sessions of several evenings. Markets of one evening are settled together, and nothing is left for the next. */
const EVENINGS = { small: 25, full: 500 } as const
const MARKETS = 20
const EVENING_US = 15 * MINUTE_US
const STEP_US = 10 * SECOND_US
const STEPS = EVENING_US / STEP_US - 1
const STEP = 0.01
/** A price at one of these stays there. */
const BOUNDS = [0.02, 0.98] as const
const GAP_US = 6 * SECOND_US
const INFORMED_SHARE = 0.2
const HORIZON_US = MINUTE_US
const CENTS = 100
/** Cents per dollar of payout: of cash, and against V. */
const CASH_WIDTH_MAX = { small: 10, full: 1.8 } as const
const VALUE_WIDTH_MAX = { small: 0.1, full: 0.02 } as const
const INFORMED_WIDTH_MAX = 0.3
const WRONG_MARGIN = 0.1

/** A walk that is as likely to rise as to fall by the same step while it is within its bounds: a martingale. */
function walk(market: number, fromUs: number, draws: Draws): PriceChange[] {
  const [low, high] = BOUNDS
  const at = (index: number): number => draws.uniform(entityOfName('walk'), market * (STEPS + 1) + index)
  // In whole cents, so that a price meets its bounds exactly.
  let cents = Math.round((0.2 + 0.6 * at(0)) * CENTS)
  const prices: PriceChange[] = [{ atUs: fromUs, bid: cents / CENTS }]
  for (let step = 1; step <= STEPS && cents > low * CENTS && cents < high * CENTS; step++) {
    cents += (at(step) < 0.5 ? -STEP : STEP) * CENTS
    prices.push({ atUs: fromUs + step * STEP_US, bid: cents / CENTS })
  }
  return prices
}

/** Recorded outcomes, by a uniform draw against the last price, or none, so that the engine draws them at that price. */
function eveningsMade(evenings: number, isRecorded: boolean, draws: Draws): MadeMarket[] {
  const made: MadeMarket[] = []
  for (let evening = 0; evening < evenings; evening++) {
    const fromUs = WORLD_BEGIN_US + evening * EVENING_US
    const markets = Array.from({ length: MARKETS }, (_, i) => evening * MARKETS + i)
    const prices = markets.map((market) => walk(market, fromUs, draws))
    for (const [i, market] of markets.entries()) {
      const isYes = draws.uniform(entityOfName('outcome'), market) < prices[i]!.at(-1)!.bid
      made.push({ prices: prices[i]!, settledUs: fromUs + EVENING_US, outcome: isRecorded ? (isYes ? 'yes' : 'no') : null })
    }
  }
  return made
}

/** Recorded outcomes with changed places, among markets of one evening whose last prices are alike, and how many differ from the record. */
function movedOutcomes(made: readonly MadeMarket[]): { readonly outcomes: readonly Outcome[]; readonly moved: number } {
  const outcomes: Outcome[] = []
  let moved = 0
  for (let from = 0; from < made.length; from += MARKETS) {
    const recorded = made.slice(from, from + MARKETS).map(({ prices, outcome }): Outcome => ({ lastPrice: prices.at(-1)!.bid, isYes: outcome === 'yes' }))
    const changed = changedPlaces(recorded)
    moved += outcomesMoved(recorded, changed)
    outcomes.push(...changed)
  }
  return { outcomes, moved }
}

const HABITS = { legsMin: 1, legsMax: 3, priceMin: 0.1, decideMax: 8 * SECOND_US, maxAge: EVENING_US } as const

const NOISE: PlayedCohort = { name: 'noise', strategy: noise as unknown as BettorStrategy, values: HABITS, bettors: 1000 }
const INFORMED: PlayedCohort = {
  name: 'informed', strategy: informed as unknown as BettorStrategy, bettors: 1000,
  values: { legsMin: 1, legsMax: 3, priceMin: 0.1, maxAge: EVENING_US, horizon: HORIZON_US, noise: 0 },
}

interface Played {
  readonly log: FillLog
  readonly world: World
  readonly made: readonly MadeMarket[]
}

async function playEvenings(task: Task, service: ServiceName, label: string, share = 0): Promise<Played> {
  const seed = `${task.seed} martingale ${label}`
  const evenings = EVENINGS[task.size]
  const made = eveningsMade(evenings, service === 'parlay', new Draws(rootKey(seed), Purpose.settlement))
  const world = worldOf(made, seed, { missing: 'draw' })
  const cohorts = share === 0 ? [{ ...NOISE, gapUs: GAP_US }] : [{ ...NOISE, gapUs: GAP_US / (1 - share) }, { ...INFORMED, gapUs: GAP_US / share }]
  // It confirms whatever is selected, because a last look would be worth something.
  const values = { margin: task.wrong ? WRONG_MARGIN : 0, cap: 1e15, maxAge: EVENING_US, tolerance: 1 }
  const log = await playSession({
    seed, service, world, cohorts,
    makers: [{ name: 'maker', strategy: fixedMargin as unknown as MakerStrategy, values, latency: { ...WAYS, feedUs: 50 * MS_US } }],
  }, task)
  return { log, world, made }
}

const eveningOf = ({ committedUs }: Fill): number => Math.floor((committedUs - WORLD_BEGIN_US) / EVENING_US)

/** An amount in cents per dollar of payout, over evenings. */
function perEvening({ fills }: FillLog, amountOf: (fill: Fill) => number): Estimate {
  const amounts = new Map<number, number>()
  const payouts = new Map<number, number>()
  for (const fill of fills) {
    const evening = eveningOf(fill)
    amounts.set(evening, (amounts.get(evening) ?? 0) + amountOf(fill))
    payouts.set(evening, (payouts.get(evening) ?? 0) + payoutOf(fill))
  }
  return scaled(ratioOf([...amounts.values()], [...payouts.values()]), CENTS)
}

/** The maker's profit against V so long after the commit. */
function profitAgainst({ log, world }: Played, afterUs: number): Estimate {
  const valueOf = world.values()
  const inTime = log.fills.toSorted((a, b) => a.committedUs - b.committedUs)
  const value = new Map(inTime.map((fill) => [fill.position, valueOf(fill.committedUs + afterUs, fill.markets, fill.sides)]))
  return perEvening(log, (fill) => fill.paidMicros - value.get(fill.position)! * payoutOf(fill))
}

/** The maker's cash if these had been the outcomes. All quotes, choices and confirmations stay. */
const cashHad = ({ log }: Played, outcomes: readonly Outcome[]): Estimate => perEvening(log, (fill) => {
  const hits = fill.markets.every((market, i) => outcomes[market]!.isYes === (fill.sides[i] === Side.yes))
  return hits ? -fill.riskedMicros : fill.paidMicros
})

const cashProfit = ({ log }: Played): Estimate => perEvening(log, (fill) => fill.toMakerMicros - fill.riskedMicros)

async function measure(task: Task): Promise<ItemFigure[]> {
  const { size } = task
  const unit = '¢ per $'
  const remarkOf = (service: ServiceName): string =>
    `built-in makers and bettors; the maker has no limit on its risk and confirms whatever is selected, its prices come 50 ms late; intervals over evenings; one to three legs; outcomes ${service === 'parlay' ? 'recorded' : 'drawn by the engine at the last price'}; ${WIDENED[service]}`
  const settings = { evenings: EVENINGS[size], markets: MARKETS, legs: '1 … 3', stepCents: STEP * CENTS, margin: 0 }
  const cash = { known: 0, widthMax: CASH_WIDTH_MAX[size] }
  const onService = (service: ServiceName, played: Played): ItemFigure[] => {
    const remark = remarkOf(service)
    const { fills } = played.log
    return [
      figureOf({ id: `M.cash-${service}`, title: `a zero-margin maker's cash, ${service} service`, unit, settings, remark }, cash, cashProfit(played), fills),
      figureOf({ id: `M.value-${service}`, title: `the same against V at the commit, ${service} service`, unit, settings, remark },
        { known: 0, widthMax: VALUE_WIDTH_MAX[size] }, profitAgainst(played, 0), fills),
    ]
  }
  const onParlay = await playEvenings(task, 'parlay', 'parlay')
  const onOutcome = await playEvenings(task, 'outcome', 'outcome')
  const met = await playEvenings(task, 'parlay', 'informed', INFORMED_SHARE)
  const { outcomes, moved } = movedOutcomes(onParlay.made)
  assert(moved > 0, 'outcomes changed places')
  return [
    ...onService('parlay', onParlay), ...onService('outcome', onOutcome),
    figureOf({
      id: 'M.permuted', title: 'the cash of the same fills when outcomes change places within evenings', unit, settings: { ...settings, bin: BIN, outcomesMoved: moved },
      remark: `the fills of M.cash-parlay, paid by outcomes in changed places among markets of one evening whose last prices fall in one bin; ${remarkOf('parlay')}`,
    }, cash, cashHad(onParlay, outcomes), onParlay.log.fills),
    figureOf({
      id: 'M.informed', title: 'where a fifth are informed it loses, against V a minute after the commit', unit, remark: remarkOf('parlay'),
      settings: { ...settings, informed: INFORMED_SHARE, horizonSeconds: HORIZON_US / SECOND_US },
    }, { claim: 'below', known: 0, widthMax: INFORMED_WIDTH_MAX }, profitAgainst(met, HORIZON_US), met.log.fills),
  ]
}

export const martingale: ValidationItem = {
  id: 'M', title: "the sceptic's martingale", source: 'a fair price of a driftless walk earns nothing', wrong: `the maker's margin is ${WRONG_MARGIN * CENTS} %`,
  requests: (size) => (3 * EVENINGS[size] * EVENING_US) / GAP_US, measure,
}
