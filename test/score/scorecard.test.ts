import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readTable, type Table } from '../../src/arrow/tableReader.ts'
import { writeManifest } from '../../src/record/manifest.ts'
import { Recorder } from '../../src/record/recorder.ts'
import type { ReferencePort } from '../../src/record/reference.ts'
import { TERMS } from '../../src/score/attribution.ts'
import { scoresOf } from '../../src/score/scores.ts'
import { type Summary, summarise } from '../../src/score/summary.ts'
import { InputError } from '../../src/unit/inputError.ts'
import { SECOND_US } from '../../src/unit/time.ts'
import { type OutcomeCommand, OutcomeOp } from '../../src/venue/outcome/protocol/commands.ts'
import { CASH_OUT_PRICES, playCashOuts } from '../record/cashOutStory.ts'
import { JournalDriver, OutcomeSession } from '../record/outcomeSession.ts'
import { play, step } from '../record/randomSession.ts'
import { DIRECTORY, playStory, PRICES, T0 } from '../record/story.ts'
import { T0 as OUTCOME_T0 } from '../venue/outcome/driver.ts'
import { ACCOUNTS, startMoneyWalk, stepMoneyWalk } from '../venue/outcome/moneyWalk.ts'
import { drawsOf } from '../draws.ts'
import { recordRun } from './summaryRun.ts'

const USDC = 1_000_000
const IDENTITY = { sourceTree: '', node: '', scenario: {}, strategies: {}, data: null, seed: 'a' }

let root: string
beforeAll(() => { root = mkdtempSync(join(tmpdir(), 'parlor-scorecard-')) })
afterAll(() => rmSync(root, { recursive: true, force: true }))

type Maker = Summary['makers'][number]
const usdcOf = ({ attribution: { micros } }: Pick<Maker, 'attribution'>): number[] => TERMS.map((term) => micros[term] / USDC)
const sumOf = (micros: Readonly<Record<string, number>>): number => TERMS.reduce((sum, term) => sum + micros[term]!, 0)

describe('the story', () => {
  /** At their closes NYY is worth .8 and the others .5; drawn together, every parlay is worth an eighth more. The touch is 4 cents a leg away. */
  const port: ReferencePort = {
    ...PRICES,
    closingValue: (legCount, markets, _, from) => Array.from({ length: legCount }).reduce<number>((product, __, i) => product * (markets[from + i] === 0 ? 0.8 : 0.5), 1.125),
    touchValue(how, atUs, legCount, markets, sides, from) {
      let value = 1
      for (let i = from; i < from + legCount; i++) value *= PRICES.parlayValue(atUs, 1, markets, sides, i) + (how === 'ask' ? 0.04 : -0.04)
      return value
    },
  }
  let shade: Maker
  let clara: Maker
  beforeAll(async () => {
    const dir = join(root, 'story')
    recordRun(dir, playStory, {
      reference: port, directory: { ...DIRECTORY, markets: DIRECTORY.markets.map((market, i) => ({ ...market, category: i === 3 ? 'west' : 'east', exclusive: i === 1 || i === 2 ? 'one' : '' })) },
    });
    [shade, clara] = (await summarise(dir)).makers as [Maker, Maker]
  })

  it('splits what shade lost on a position that won, and what clara won on one that lost', () => {
    // 24.75, F .245, V .25 and .25, closes .8 · .5, jointly .45, of a payout of 99.
    expect(usdcOf(shade)).toEqual([0.495, -0.495, 0, 0, -19.8, 0, -54.45])
    // 24.75, no F, V .25, closes .25, jointly .28125, of a payout of 49.5.
    expect(usdcOf(clara)).toEqual([12.375, 0, 0, 0, -1.546875, 0, 13.921875])
    expect([shade.profitMicros, clara.profitMicros]).toEqual([-74_250_000, 24_750_000])
    expect([shade, clara].map(({ attribution: a }) => [a.withoutFair, a.withoutReference])).toEqual([[0, 0], [1, 0]])
    expect(shade.attribution.terms.drift).toMatchObject({ estimate: -19.8, low: null, count: 1 })
  })

  it('expects the hold by the prices at the close', () => {
    // (24.75 − .45 · 99) / 24.75 and (24.75 − .28125 · 49.5) / 24.75.
    expect(shade.expectedHold.estimate).toBeCloseTo(-0.8, 12)
    expect(clara.expectedHold.estimate).toBeCloseTo(0.4375, 12)
  })

  it('breaks fills down by legs, category and live rivals, those of open positions too', () => {
    const groups = (of: readonly { group: string; fills: number; ended: number; profitMicros: number }[]) =>
      of.map(({ group, fills, ended, profitMicros }) => [group, fills, ended, profitMicros / USDC])
    expect(groups(shade.breakdowns.legs)).toEqual([['2', 1, 1, -74.25]])
    // shade replaced its own quote beside one of clara.
    expect(groups(shade.breakdowns.rivals)).toEqual([['1', 1, 1, -74.25]])
    expect(groups(clara.breakdowns.category)).toEqual([['east', 1, 1, 24.75], ['mixed', 1, 0, 0]])
    // Nothing of that kind has ended, so the profit is unknown and not 0.
    expect(clara.breakdowns.category[1]!.profit).toMatchObject({ estimate: null, low: null })
    expect(clara.breakdowns.rivals[0]!.stakeMicros).toBe(2 * 24_750_000)
    expect(clara.breakdowns.legs[0]!.hold.estimate).toBe(1)
    expect(sumOf(clara.breakdowns.legs[0]!.attribution)).toBe(24_750_000)
  })

  it('values equity at the touch', () => {
    // At 30 s shade's position: V .75 · .5, asks .79 · .54 = .4266, worth 56.7666 of 99 where it had risked 74.25.
    const equity = readTable(join(root, 'story', 'tables', 'equity.arrow'))
    const maker = equity.column('maker')
    const rows = [...maker.codes!.keys()].filter((row) => maker.values![maker.codes![row]!] === 'shade')
    const executable = rows.map((row) => equity.column('liquidation_micros').numbers![row]! / USDC)
    expect(executable).toEqual([1000, 925.75 + 56.7666, 925.75, 925.75])
    // From 1,000 paid in, 56.7666 and then nothing is left of the 74.25 at risk.
    expect(shade.drawdown.liquidationMicros).toBe(74_250_000)
  })

  it('knows what the open books could have lost at worst', () => {
    expect(shade.worstJointLoss).toEqual({ micros: 74_250_000, isExact: false, label: 'not exceeded' })
    // 24.75 on BOS and LAD from 27 to 45 s, of which one at most comes true; 24.75 on NYY and SEA from 36 s on.
    expect(clara.worstJointLoss).toEqual({ micros: 24_750_000, isExact: false, label: 'not exceeded' })
  })
})

describe('the story of cash-outs', () => {
  let makers: readonly Maker[]
  beforeAll(async () => {
    const dir = join(root, 'cash-outs')
    recordRun(dir, playCashOuts, { reference: { ...CASH_OUT_PRICES, closingValue: () => 0.45 } })
    makers = (await summarise(dir)).makers
  })

  it('splits buybacks, and holdings apart from what is backed', () => {
    // Payouts of 99. Bought back for 39, F .41: 24.75 − 39.6 + 40.59 − 39 and 39.6 − 40.59. Lost: 24.75 − 39.6, 39.6 − 44.55, 44.55.
    expect(usdcOf(makers[0]!)).toEqual([-28.11, -0.99, 0, 0, -4.95, 0, 44.55])
    // Backed and lost as that one; held from 45 on, at V .5: 49.5 − 45, 44.55 − 49.5, −44.55.
    expect(usdcOf(makers[1]!)).toEqual([-10.35, 0, 0, 0, -9.9, 0, 0])
    expect(makers.map(({ profitMicros }) => profitMicros / USDC)).toEqual([10.5, -20.25])
    expect(makers.map(({ attribution }) => attribution.withoutFair)).toEqual([2, 2])
  })

  it('counts a holding among what ended, and no fill', () => {
    expect(makers[1]!.breakdowns.legs.map(({ group, fills, ended }) => [group, fills, ended])).toEqual([['2', 1, 2]])
  })
})

describe('the story of cash-outs, with prices that move between a bid and its sale', () => {
  /** Every open parlay is worth .37, .4 from 3.5 s on, .42 from 43.5 s on and .5 from 60 s on; a purchase costs 4 cents more, a sale brings 5 less. */
  const value = (atUs: number): number => [0.5, 0.42, 0.4].find((_, i) => atUs >= T0 + [60, 43.5, 3.5][i]! * SECOND_US) ?? 0.37
  const port: ReferencePort = { parlayValue: value, closingValue: () => 0.45, touchValue: (how, atUs) => value(atUs) + (how === 'ask' ? 0.04 : -0.05) }
  const dir = (): string => join(root, 'moving')
  beforeAll(() => { recordRun(dir(), playCashOuts, { reference: port, equityEveryUs: 10 * SECOND_US }) })

  it('has last looks of the quote and of the bid that bought the position back', async () => {
    // Position 1: quoted at .37, confirmed at .4; bid 39 with F .41 at .4, sold at .42. Position 2: .4, lost.
    const [shade] = (await summarise(dir())).makers
    expect(usdcOf(shade!)).toEqual([-25.14, -0.99, 0, -0.99, -6.93, 0, 44.55])
  })

  it('values what a maker holds at what its sale would bring', () => {
    // At 70 s clara backs position 3, (1 − .54) · 99, and holds position 2, taken over for 45: .45 · (99 − 1 % of 54).
    const equity = readTable(join(dir(), 'tables', 'equity.arrow'))
    const [maker, at] = [names(equity, 'maker'), numbers(equity, 'at')]
    const row = maker.findIndex((name, i) => name === 'clara' && at[i] === T0 + 70 * SECOND_US)
    const cash = numbers(equity, 'free_micros')[row]! + numbers(equity, 'reserved_micros')[row]!
    expect(numbers(equity, 'liquidation_micros')[row]! - cash).toBe(45_540_000 + 44_307_000)
  })
})

const numbers = (table: Table, name: string): ArrayLike<number> => table.column(name).numbers!
const names = (table: Table, name: string): (string | undefined)[] => Array.from(table.column(name).codes!, (code) => table.column(name).values![code])

/** By maker: fees and luck, calculated once more from the tables of a run in which every V is known and the closes are `closing`. */
function feesAndLuck(dir: string, closing: number): Map<string, { fees: number; luck: number }> {
  const of = new Map<string, { fees: number; luck: number }>()
  const add = (maker: string, fees: number, luck: number): void => {
    const own = of.get(maker) ?? { fees: 0, luck: 0 }
    of.set(maker, { fees: own.fees - fees, luck: own.luck + luck })
  }
  const table = readTable(join(dir, 'tables', 'settlements.arrow'))
  const [maker, holder, outcome] = [names(table, 'maker'), names(table, 'holder_maker'), names(table, 'outcome')]
  const [payout, toHolder] = [numbers(table, 'payout_micros'), numbers(table, 'to_holder_micros')]
  const [fee, makerFee] = [numbers(table, 'profit_fee_micros'), numbers(table, 'maker_profit_fee_micros')]
  for (let row = 0; row < table.rowCount; row++) {
    if (outcome[row] === 'failed') continue
    const close = Math.round(closing * payout[row]!)
    const isResult = outcome[row] === 'won' || outcome[row] === 'lost'
    add(maker[row]!, makerFee[row]!, isResult ? close - (outcome[row] === 'won' ? payout[row]! : 0) : 0)
    if (holder[row] === undefined) continue
    const holderFee = fee[row]! - makerFee[row]!
    add(holder[row]!, holderFee, outcome[row] === 'bought_back' ? 0 : toHolder[row]! + holderFee - close)
  }
  const auctions = readTable(join(dir, 'tables', 'auctions.arrow'))
  const [route, seller, saleFee] = [names(auctions, 'route'), names(auctions, 'seller_maker'), numbers(auctions, 'profit_fee_micros')]
  for (let row = 0; row < auctions.rowCount; row++) if (route[row] === 'transferred' && seller[row] !== undefined) add(seller[row]!, saleFee[row]!, 0)
  return of
}

/** What must hold of any run. */
function expectExact({ makers }: Summary): void {
  for (const { profitMicros, attribution, breakdowns } of makers) {
    expect(sumOf(attribution.micros)).toBe(profitMicros)
    for (const groups of [breakdowns.legs, breakdowns.category, breakdowns.rivals]) {
      expect(groups.reduce((sum, group) => sum + group.profitMicros, 0)).toBe(profitMicros)
      for (const group of groups) expect(sumOf(group.attribution)).toBe(group.profitMicros)
      for (const term of TERMS) expect(groups.reduce((sum, group) => sum + group.attribution[term], 0)).toBe(attribution.micros[term])
    }
  }
}

/** V moves every second; from time to time nothing is known. Legs come true together more often than their product says. */
const moving = (hasGaps: boolean): ReferencePort => ({
  isJoint: true,
  parlayValue(atUs, legCount, markets, _, from) {
    const second = Math.floor(atUs / SECOND_US)
    return hasGaps && second % 4 === 0 ? NaN : (0.3 + 0.1 * ((second + markets[from]!) % 5)) / legCount
  },
  productValue: () => 0.2,
  closingValue: (_, markets, __, from) => (hasGaps && markets[from] === 0 ? NaN : 0.37),
})

/** Makers say what they think fair, and most of them what it would be if legs were independent. */
class ValuingDriver extends JournalDriver {
  override apply(command: OutcomeCommand = this.command) {
    if (command.op === OutcomeOp.submitQuote) {
      command.memoE9 = 300_000_000 + this.seq
      command.productE9 = this.seq % 3 === 0 ? -1 : 250_000_000
    }
    return super.apply(command)
  }
}

describe('random sessions', () => {
  it('of the parlay service add up to the micro-unit, with cash-outs, voids, failed fills and fees on makers', async () => {
    let run = 0
    let sold = 0
    const seen = { model: 0, withoutFair: 0, withoutProduct: 0 }
    await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 60 }), fc.boolean(), fc.boolean(), async (steps, onMaker, hasGaps) => {
      const dir = join(root, `parlay-${run++}`)
      const fees = { parlay: { legsMax: 3, profitFees: { onTransfer: true, onMaker } } }
      play(dir, steps, { reference: moving(hasGaps), ...fees }, { profitFeeOnMaker: Number(onMaker), profitFeeBps: 500 })
      const summary = await summarise(dir)
      expectExact(summary)
      for (const { attribution } of summary.makers) {
        seen.model += Math.abs(attribution.micros.model)
        seen.withoutFair += attribution.withoutFair
        seen.withoutProduct += attribution.withoutProduct
      }
      sold += (summary.cashOut?.byRoute.transferred ?? 0) + (summary.cashOut?.byRoute.bought_back ?? 0)
      if (hasGaps) return
      const expected = feesAndLuck(dir, 0.37)
      for (const { name, attribution: { micros } } of summary.makers) {
        expect({ fees: micros.fees, luck: micros.luck }).toEqual(expected.get(name) ?? { fees: 0, luck: 0 })
      }
    }), { numRuns: 15, seed: 1106, endOnFailure: true })
    expect(sold).toBeGreaterThan(15)
    expect(Math.min(...Object.values(seen))).toBeGreaterThan(2)
  })

  it.each([
    ['as the profile has it', { settlementEveryMs: 20_000, reductionDelayMs: 30_000 }, false],
    ['with fees on cash-outs and profit over the gross stake', { settlementEveryMs: 7000, feeOnCashout: 1, profitOverGross: 1, feeBps: 500, takerFeeBps: 137, reductionDelayMs: 5000 }, true],
  ])('of the outcome service add up, %s', async (_, profile, feeOnCashout) => {
    const dir = join(root, `outcome-${feeOnCashout}`)
    const [driver, draw, open] = [new ValuingDriver(profile), drawsOf(23), new Set<number>()]
    startMoneyWalk(driver)
    for (let i = 0; i < 900; i++) {
      stepMoneyWalk(driver, draw, [...open])
      for (const { event, position } of driver.rows) {
        if (event === 'positionOpened') open.add(position as number)
        else if (event === 'positionSettled' || event === 'positionClosed') open.delete(position as number)
      }
    }
    const recorder = new Recorder({
      dir, identity: {}, reference: moving(false), outcome: { legsMax: 5, feeOnCashout, profitOverGross: feeOnCashout },
      directory: {
        accounts: Array.from({ length: ACCOUNTS }, (__, account) => {
          const isMaker = account >= 3 && account <= 5
          return { name: `a${account}`, role: isMaker ? 'maker' as const : 'bettor' as const, group: isMaker ? `a${account}` : 'takers' }
        }),
        markets: Array.from({ length: 401 }, (__, market) => ({ ticker: `M${market}`, cluster: `day ${market % 7}`, category: `kind ${market % 3}` })),
      },
    })
    new OutcomeSession([recorder], { profile, chunk: 5 }).play(driver.journal).finish(OUTCOME_T0 + driver.now + SECOND_US)
    writeManifest(dir, { label: 'interactive', digest: 'd'.repeat(64), identity: IDENTITY, counts: {}, tables: recorder.tables() })
    const summary = await summarise(dir)
    expectExact(summary)
    const expected = feesAndLuck(dir, 0.37)
    for (const { name, attribution: { micros } } of summary.makers) expect({ fees: micros.fees, luck: micros.luck }).toEqual(expected.get(name))
    expect(summary.makers.some(({ attribution }) => attribution.micros.model !== 0 && attribution.withoutProduct > 0)).toBe(true)
    expect(summary.cashOut!.byRoute.transferred > 1 && summary.cashOut!.byRoute.bought_back > 3).toBe(true)
    const [scores] = scoresOf(dir)
    const column = scores!.columns.indexOf('luck')
    const luck = scores!.sums.filter((__, cell) => cell % scores!.columns.length === column).reduce((sum, cell) => sum + cell, 0)
    expect(luck).toBe(summary.makers.reduce((sum, { attribution }) => sum + attribution.micros.luck, 0))
    // Positions count as undrawn where the manifest says that no outcome was drawn, and not where it says nothing.
    const undrawn = (): number => {
      const [of] = scoresOf(dir)
      return of!.sums.filter((__, cell) => cell % of!.columns.length === of!.columns.indexOf('undrawn')).reduce((sum, cell) => sum + cell, 0)
    }
    expect(undrawn()).toBe(0)
    const { lost, won, void: voided, open: left, bought_back: boughtBack = 0 } = summary.positions
    const funded = lost + won + voided + left + boughtBack
    const manifest = JSON.parse(readFileSync(join(dir, 'manifest.json'), 'utf8')) as Record<string, unknown>
    for (const [drawn, counted] of [[1, 0], [0, funded + summary.cashOut!.byRoute.transferred]] as const) {
      writeFileSync(join(dir, 'manifest.json'), JSON.stringify({ ...manifest, coverage: { drawn } }))
      expect(undrawn()).toBe(counted)
    }
  })
})

it('tells the user of an older run, whose tables have other columns, to play it again', async () => {
  const dir = join(root, 'older')
  recordRun(dir, playStory)
  copyFileSync(join(dir, 'tables', 'quotes.arrow'), join(dir, 'tables', 'positions.arrow'))
  await expect(summarise(dir)).rejects.toThrow(InputError)
  await expect(summarise(dir)).rejects.toThrow('an older version made the run: its table has no column reference_at_close')
  expect(() => scoresOf(dir)).toThrow(InputError)
})
