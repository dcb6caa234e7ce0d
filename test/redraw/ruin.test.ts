import { describe, expect, it } from 'vitest'
import { readTables } from '../../src/actions/readTables.ts'
import { redraw } from '../../src/actions/redraw.ts'
import { rootKey } from '../../src/kernel/random.ts'
import { drawNights } from '../../src/redraw/drawNights.ts'
import { readBooks } from '../../src/redraw/redrawRun.ts'
import { ran } from '../diff/runs.ts'
import { QUICKSTART_STORE } from '../scenario/small.ts'
import { isNear } from './byHand.ts'
import { recordedWorld } from './recordedWorld.ts'

/**
 * Five bets early in the night, each on an outsider of a game that ends before 00:22 and on one that ends at 00:52. In the recorded night the outsiders
 * lose, and the maker has all five pots when it fills the sixth bet at 00:25, which risks nearly all that it has.
 */
const OUTSIDERS = ['WINNER-12-WES-YAR-YAR', 'WINNER-07-MAY-NOR-NOR', 'WINNER-08-OAK-PEN-PEN', 'WINNER-11-ULM-VER-VER', 'WINNER-03-ELM-FAL-FAL']
const scene = (capitalMicros: number): string => `version: 1
mode: interactive
services: { parlay: { profile: parlay@2.1 } }
history: { store: ${QUICKSTART_STORE}, maxAge: 10m }
settlement: { lag: 10m, missing: exclude, scalar: void }
bettors:
  - kind: scripted
    name: alice
    bankroll: 5000 USDC
    requests:
${OUTSIDERS.map((ticker, i) => `      - { at: ${10 + i}m, legs: [${ticker} yes, WINNER-09-QUI-ROW-ROW yes], bet: 20 USDC }\n`).join('')}      - { at: 145m, legs: [ECON-GDP-4 yes, ECON-RATE-3 yes], bet: 61 USDC }
makers:
  - { use: fixed-margin, name: small, capital: ${(capitalMicros / 1e6).toFixed(6)} USDC, params: { margin: 4%, maxAge: 10m } }
`

/** The share with which each outsider comes true in a redraw: its closing price, over the sum of both closes of its game. */
const CHANCES = [0.0035 / 1.0015, 0.0045 / 0.9985, 0.0055 / 1.003, 0.004 / 1.0025, 0.0025 / 0.9995]
const OUTCOMES = 40_000

async function ruinOf(capitalMicros: number) {
  const run = await ran(scene(capitalMicros))
  const rows = [...(await readTables(run, { tables: ['positions'] })).get('positions').rows('position', 'net_stake_micros', 'risk_micros')]
  const positions = rows.map((row) => ({ position: Number(row['position']), stake: Number(row['net_stake_micros']), risk: Number(row['risk_micros']) })).toSorted((a, b) => a.position - b.position)
  const { services: [service] } = await redraw(run, { outcomes: OUTCOMES })
  return { run, positions, ruin: service!.makers[0]!.ruin }
}

const ruins = new Map<number, ReturnType<typeof ruinOf>>()

/** The ruin with a capital, whose run is played once. */
function ruinWith(capitalMicros: number): ReturnType<typeof ruinOf> {
  const ruin = ruins.get(capitalMicros) ?? ruinOf(capitalMicros)
  ruins.set(capitalMicros, ruin)
  return ruin
}

/** One night or another of these outsiders comes true. */
const oneOf = (chances: readonly number[]): number => 1 - chances.reduce((none, chance) => none * (1 - chance), 1)
const isAbout = (share: number, chance: number): boolean => isNear(Math.round(share * OUTCOMES), chance, OUTCOMES)

describe('the ruin of a maker with little capital, in a run that was played', () => {
  it('is where a pot that paid for a later fill comes too late, to the micro-unit of its capital', async () => {
    const CAPITAL = 330_000_000
    const { positions, ruin } = await ruinWith(CAPITAL)
    expect(positions.map(({ stake }) => stake)).toEqual([19_800_000, 19_800_000, 19_800_000, 19_800_000, 19_800_000, 60_390_000])
    // With all pots the maker has its capital and the five stakes, of which the sixth fill leaves something. Each pot is more than that.
    const left = CAPITAL + 5 * 19_800_000 - positions[5]!.risk
    const pots = positions.slice(0, 5).map(({ stake, risk }) => stake + risk)
    expect([left > 0, Math.min(...pots) > left]).toEqual([true, true])
    // So whichever outsider comes true, its pot waits for 00:52, and the sixth fill is not carried: about one night in fifty.
    expect([ruin.fills, ruin.uncarriedMost]).toEqual([6, 1])
    expect(isAbout(ruin.share.value, oneOf(CHANCES))).toBe(true)
    expect(ruin.uncarriedMean).toBe(ruin.share.value)

    // With so much more that the smallest pot is not needed, its outsider ruins nobody any more. One micro-unit less, and it does.
    const smallest = pots.indexOf(Math.min(...pots))
    expect(smallest).toBe(4)
    const enough = CAPITAL + pots[smallest]! - left
    const [carried, short] = [await ruinWith(enough), await ruinWith(enough - 1)]
    expect([carried, short].map((one) => one.positions)).toEqual([positions, positions])
    expect(short.ruin).toEqual(ruin)
    expect(carried.ruin.share.value).toBeLessThan(ruin.share.value)
    // Two missing pots are too many: the smallest with another one is among the nights of the other one.
    expect(isAbout(carried.ruin.share.value, oneOf(CHANCES.toSpliced(smallest, 1)))).toBe(true)
  })

  it('is none where the capital carries every fill whatever comes, and in the recorded night', async () => {
    const { run, positions, ruin } = await ruinWith(330_000_000)
    expect(ruin.share.value).toBeGreaterThan(0)
    const risks = positions.reduce((sum, { risk }) => sum + risk, 0)
    expect((await ruinWith(risks)).ruin).toMatchObject({ fills: 6, share: { value: 0 }, uncarriedMean: 0, uncarriedMost: 0 })
    const [book] = readBooks(run, recordedWorld(run))
    const nights = await drawNights(book!, 64, rootKey('any'))
    expect(new Set(nights.uncarried[0])).toEqual(new Set([0]))
  })
})

it('a redraw with the outcomes of the night pays what the tables of the run say, to the micro-unit', async () => {
  const { run, positions } = await ruinWith(330_000_000)
  const settled = [...(await readTables(run, { tables: ['settlements'] })).get('settlements').rows('to_maker_micros', 'to_holder_micros')]
  const sum = (column: 'to_maker_micros' | 'to_holder_micros'): number => settled.reduce((total, row) => total + Number(row[column]), 0)
  const costs = positions.reduce((total, { risk }) => total + risk, 0)
  const [book] = readBooks(run, recordedWorld(run))
  const { profits } = await drawNights(book!, 64, rootKey('any'))
  // The bettor paid 161 USDC, fees and all.
  const paid = { small: sum('to_maker_micros') - costs, alice: sum('to_holder_micros') - 161_000_000 }
  expect(settled.length).toBe(6)
  expect(Object.fromEntries(book!.owners.map(({ name, recordedMicros }) => [name, recordedMicros]))).toEqual(paid)
  for (const [owner, { name }] of book!.owners.entries()) expect(new Set(profits[owner])).toEqual(new Set([paid[name as keyof typeof paid]]))
})
