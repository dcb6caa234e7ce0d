import { type Latency, NO_DELAY } from '../../agent/latency.ts'
import { maker, type MakerStrategy } from '../../agent/maker.ts'
import { entityOfName } from '../../kernel/names.ts'
import { Draws, Purpose, rootKey } from '../../kernel/random.ts'
import { MS_US, SECOND_US } from '../../unit/time.ts'
import { meanOf, scaled } from '../estimates.ts'
import { figureOf, type ItemFigure, type Task, type ValidationItem } from '../figure.ts'
import { payoutOf } from '../fillLog.ts'
import { lastLookWorth } from '../known.ts'
import { asker, VALID_US } from '../oneLeg.ts'
import { playSession, WIDENED } from '../playSession.ts'
import { type MadeMarket, WORLD_BEGIN_US, type World, worldOf } from '../world.ts'

/** Standard deviation of a price, dollars per root second. */
const DEVIATION = 0.001
const LOOKS_S = [2, 5] as const
const SELECTIONS = { small: 4_000, full: 15_000 } as const
/** Cents. */
const WIDTH_MAX = { small: 0.03, full: 0.01 } as const
const CENTS = 100
const GAP_US = SECOND_US / 2
const STEP_US = SECOND_US / 4
/** The taker decides so long after the quote came: between two steps of the price. */
const DECIDES_US = MS_US
const IMMEDIATE: Latency = { feedUs: 0, broadcast: NO_DELAY, submit: NO_DELAY, confirm: NO_DELAY }

/** When request `i` is made: half a step away from all steps of its market's price. */
const requestUs = (i: number): number => WORLD_BEGIN_US + SECOND_US + i * GAP_US + STEP_US / 2

/** Prices that walk by normal steps while their request lives. */
function walks(count: number, lookS: number, deviation: number, draws: Draws, seed: string): World {
  const steps = Math.ceil(((2 * lookS + 1) * SECOND_US) / STEP_US)
  const stepDeviation = deviation * Math.sqrt(STEP_US / SECOND_US)
  return worldOf(Array.from({ length: count }, (_, i): MadeMarket => {
    const fromUs = requestUs(i) - STEP_US / 2
    let price = 0.5
    const prices = [{ atUs: fromUs, bid: price }]
    for (let step = 1; step <= steps; step++) {
      price += stepDeviation * draws.normal(entityOfName('walk'), i * 1000 + step)
      prices.push({ atUs: fromUs + step * STEP_US, bid: price })
    }
    return { prices, settledUs: fromUs + 60 * SECOND_US, outcome: null }
  }), seed, { missing: 'draw' })
}

/** Quotes the price, and at its last look confirms only what has not risen above its quote. */
const looker: MakerStrategy = maker({}, () => ({
  onRequest(request, desk) {
    const price = desk.price(request.legs, { priceType: 'mid', maxAgeUs: 60_000_000 })
    if (price > 0) desk.quote(request, { probability: price, validUs: VALID_US })
  },
  onSelected(selection, desk) {
    const price = desk.price(selection.legs, { priceType: 'mid', maxAgeUs: 60_000_000 })
    return price <= selection.netStakeMicros / selection.payoutMicros ? desk.confirm(selection) : desk.decline(selection)
  },
}))

async function measureLook(task: Task, lookS: number): Promise<ItemFigure> {
  const count = SELECTIONS[task.size]
  const seed = `${task.seed} last look ${lookS}`
  const draws = new Draws(rootKey(seed), Purpose.signalNoise)
  const lookUs = lookS * SECOND_US
  const log = await playSession({
    seed, service: 'outcome', world: walks(count, lookS, task.wrong ? DEVIATION * 1.3 : DEVIATION, draws, seed),
    makers: [{ name: 'maker', strategy: looker, latency: { ...IMMEDIATE, broadcast: { baseUs: lookUs, jitterUs: 0 } } }],
    cohorts: [{
      name: 'takers', strategy: asker(undefined, lookUs + DECIDES_US), bettors: 1000, latency: IMMEDIATE,
      arrivalsUs: Array.from({ length: count }, (_, i) => requestUs(i)),
    }],
    outcome: { confirmMs: 10_000 },
  }, task)
  const gains = log.fills.map((fill) => fill.paidMicros / payoutOf(fill) - fill.valueAtConfirm)
  const declined = Array.from({ length: log.failed }, () => 0)
  return figureOf({
    id: `10.${lookS}-seconds`, title: `worth of a last look of ${lookS} s at no margin, per selection`, unit: '¢',
    settings: { seconds: lookS, centsPerRootSecond: DEVIATION * CENTS, selections: log.selected, declined: log.failed },
    remark: `the quote less V at the confirmation, declined selections count 0; the look is the way in to the maker: broadcasts reach it after the whole look, it answers at once, and all other ways take no time; ten seconds to confirm instead of two; one leg; ${WIDENED.outcome}`,
  }, { known: lastLookWorth(DEVIATION, lookS) * CENTS, widthMax: WIDTH_MAX[task.size] }, scaled(meanOf([...gains, ...declined]), CENTS), log.fills)
}

export const lastLook: ValidationItem = {
  id: '10', title: 'worth of the last look', source: 'the mean of max(0, N(0, σ²τ)): σ√τ/√2π', wrong: 'prices move 30 % more',
  requests: (size) => LOOKS_S.length * SELECTIONS[size],
  measure: async (task) => {
    const figures: ItemFigure[] = []
    for (const lookS of LOOKS_S) figures.push(await measureLook(task, lookS))
    return figures
  },
}
