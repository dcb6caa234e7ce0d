import { describe, expect, it } from 'vitest'
import { ParlayFault, ParlayOp } from '../../../src/venue/parlay/protocol/commands.ts'
import { AuctionState, PositionOutcome, VaultStatus } from '../../../src/venue/parlay/protocol/events.ts'
import { PARLAY_PROFILES, PARLAY_SETTINGS, type ParlayProfile } from '../../../src/venue/parlay/protocol/profile.ts'
import { profileOf } from '../../../src/venue/profile.ts'
import { commandOf, type ModelCommand, tagOf } from '../../model/parlay/command.ts'
import { newCoverage } from '../../model/parlay/coverage.ts'
import { duelOf, type Script } from '../../model/parlay/duel.ts'
import { freeOf, houseOf, lockedOf, type State } from '../../model/parlay/state.ts'

/** Corners of cash-outs and delayed transactions that chance seldom meets, on both sides, with the figures by hand. */

/** Market 0 closes 40 s after the start, market 3 later; each account of 0 to 3 begins with 2000 USDC. */
const LEGS = [{ market: 0, side: 1 }, { market: 3, side: 1 }]
const BET = 25_000_000
const SECOND = 1_000_000

const play = (script: Script, overrides: Partial<ParlayProfile> = {}): State =>
  duelOf(profileOf(PARLAY_SETTINGS, overrides), script, newCoverage())

const fault = (value: number, value2: number): ModelCommand => commandOf(ParlayOp.setFault, 0, { value, value2 })
const resolve = (market: number, value: number): ModelCommand => commandOf(ParlayOp.resolveMarket, 0, { market, value })
const deposit = (account: number, amountMicros: number): ModelCommand => commandOf(ParlayOp.deposit, account, { amountMicros })
const open = (account: number): ModelCommand => commandOf(ParlayOp.openCashout, account, { position: 1 })
const bid = (account: number, auction: number, amountMicros: number, validMs = -1): ModelCommand =>
  commandOf(ParlayOp.submitBid, account, { auction, amountMicros, validMs })
const sell = (account: number, auction: number): ModelCommand => commandOf(ParlayOp.commitCashout, account, { auction })

/** Account 0 bets 25 USDC at 4.0 against account 1: stake 24.75, taker fee 0.25, risk 74.25, payout 99. */
const opened: Script = [
  [0, commandOf(ParlayOp.createRequest, 0, { legs: LEGS, betMicros: BET })],
  [0, commandOf(ParlayOp.submitQuote, 1, { request: 1, version: 1, contentTag: tagOf(LEGS, BET), oddsE4: 40_000 })],
  [0, commandOf(ParlayOp.commitRequest, 0, { request: 1, version: 1, quote: 1, bookSeq: 1, oddsE4: 10_001 })],
  [0, commandOf(ParlayOp.confirmSelection, 1, { request: 1, quote: 1 })],
]
/** … and account 2 takes it over for 40 USDC: profit 15.25, fee 0.1525. */
const transferred: Script = [...opened, [SECOND, open(0)], [SECOND, bid(2, 1, 40_000_000)], [SECOND, sell(0, 1)]]

describe('corners of a profile that imitates another service', () => {
  const settings = PARLAY_PROFILES['kalshi-rfq@2026-07']!

  it('INV-09 INV-26 takes its window of 30 s for its bound, and executes after 15.78 s', () => {
    const late = opened.map(([, command], i) => [i === 3 ? 30 * SECOND - 1 : 0, command] as const)
    const funded = (afterUs: number) => play([...late, [afterUs, null]], settings).positions.get(1)!.isFunded
    expect([funded(45_780_000 - 2), funded(45_780_000 - 1)]).toEqual([false, true])
  })
})

describe('corners of cash-outs', () => {
  it('A27 takes 1 % of the whole gain over a transfer and a win, none twice', () => {
    const state = play([...transferred, [2 * SECOND, resolve(0, 1)], [2 * SECOND, resolve(3, 1)], [2 * SECOND, null]])
    expect([0, 1, 2].map((account) => freeOf(state, account))).toEqual([2_014_847_500, 1_925_750_000, 2_058_410_000])
    // 0.1525 of 15.25, 0.59 of 59, and the taker fee
    expect(houseOf(state)).toBe(992_500)
  })

  it('A24 gives a later holder stake and taker fee of a void position, whatever it paid', () => {
    const state = play([...transferred, [2 * SECOND, resolve(0, 2)], [2 * SECOND, null]])
    expect([0, 1, 2].map((account) => freeOf(state, account))).toEqual([2_014_847_500, 2_000_000_000, 1_985_000_000])
    expect(houseOf(state)).toBe(152_500)
  })

  it('A30 pays a buyback out of the pot, with the fees of both parties where the maker pays one', () => {
    const at = (price: number, profitFeeOnMaker: number) =>
      play([...opened, [SECOND, open(0)], [SECOND, bid(1, 1, price)], [SECOND, sell(0, 1)]], { profitFeeOnMaker })
    const above = at(40_000_000, 1)
    expect([freeOf(above, 0), freeOf(above, 1), houseOf(above)]).toEqual([2_014_847_500, 1_984_750_000, 402_500])
    // 4.75 below the stake: the maker's fee is 0.0475
    const below = at(20_000_000, 1)
    expect([freeOf(below, 0), freeOf(below, 1), houseOf(below)]).toEqual([1_995_000_000, 2_004_702_500, 297_500])
    expect(freeOf(at(20_000_000, 0), 1)).toBe(2_004_750_000)
  })

  it('lets a position come back to its first seller, whose first auction is then over and not transferred', () => {
    const state = play([
      ...transferred, [2 * SECOND, sell(0, 1)], [2 * SECOND, open(2)], [2 * SECOND, bid(0, 2, 50_000_000)], [2 * SECOND, sell(2, 2)],
      [3 * SECOND, sell(0, 1)],
    ])
    expect(state.positions.get(1)!.holdings.map((holding) => holding.account)).toEqual([0, 2, 0])
    // 2014.8475 − 50; 1960 + 50 − 0.10
    expect([freeOf(state, 0), freeOf(state, 2)]).toEqual([1_964_847_500, 2_009_900_000])
  })

  it('A33 opens, bids and sells until one microsecond before the cutoff of 30 s', () => {
    const cutoff = 10 * SECOND
    const auctions = (atUs: number) => play([...opened, [atUs, open(0)]]).auctions.size
    expect([auctions(cutoff - 1), auctions(cutoff)]).toEqual([1, 0])
    const late = (atUs: number) => play([...opened, [9 * SECOND, open(0)], [9 * SECOND, bid(2, 1, 30_000_000)], [atUs, sell(0, 1)]])
    expect([cutoff - 1, cutoff].map((atUs) => late(atUs).auctions.get(1)!.state)).toEqual([AuctionState.committed, AuctionState.active])
  })

  it('expires a bid before its auction at one instant, and forgets the auction there under a retention of zero', () => {
    const state = play([...opened, [0, open(0)], [0, bid(2, 1, 30_000_000, 10_000)], [10 * SECOND, null]], { auctionRetentionMs: 0 })
    expect(state.auctions.size + state.bids.size).toBe(0)
  })
})

describe('corners of delayed transactions', () => {
  const unfunded: Script = [[0, fault(ParlayFault.chainUnclear, 1)], ...opened, [6 * SECOND, fault(ParlayFault.chainUnclear, 0)]]

  it('pays a position, decided before it was funded, at the try that follows the funding or meets its instant', () => {
    // funded at 30 s: 20 s chain, 10 s mirror
    const at = (settlementRetryMs: number, afterUs: number) =>
      play([...unfunded, [7 * SECOND, resolve(0, 0)], [afterUs, null]], { settlementRetryMs }).positions.get(1)!.end?.how ?? null
    expect(at(23_000, 30 * SECOND)).toBe('settled')
    expect([at(30_000, 37 * SECOND - 1), at(30_000, 37 * SECOND)]).toEqual([null, 'settled'])
  })

  it('pays both parties back when the chain drops the fill of a decided position', () => {
    const state = play([[0, fault(ParlayFault.chainDropped, 1)], ...opened, [SECOND, resolve(0, 0)], [20 * SECOND, null]])
    expect(state.positions.get(1)).toMatchObject({ outcome: PositionOutcome.lost, end: { how: 'failed' } })
    expect([freeOf(state, 0), freeOf(state, 1), houseOf(state)]).toEqual([2_000_000_000, 2_000_000_000, 0])
  })

  it('keeps the outcome of the deciding instant over a loss that comes before the payment', () => {
    const state = play([...unfunded, [7 * SECOND, resolve(0, 2)], [7 * SECOND, null], [8 * SECOND, resolve(3, 0)], [60 * SECOND, null]])
    expect(state.positions.get(1)!.outcome).toBe(PositionOutcome.void)
    expect(freeOf(state, 0)).toBe(2_000_000_000)
  })

  it('holds a withdrawal that the chain delays, and releases it when it is dropped', () => {
    const withdraw = commandOf(ParlayOp.withdraw, 0, { amountMicros: 2_000_000_000 })
    const script: Script = [[0, fault(ParlayFault.chainDropped, 1)], [0, withdraw]]
    const pending = play([...script, [20 * SECOND - 1, null]])
    expect([freeOf(pending, 0), lockedOf(pending, 0)]).toEqual([0, 2_000_000_000])
    const over = play([...script, [20 * SECOND, null]])
    expect([freeOf(over, 0), over.transactions.get(1)!.status]).toEqual([2_000_000_000, VaultStatus.failed])
  })

  it('counts a pending deposit against the most that the vault takes, and no longer once it failed', () => {
    // 3 × 10^15 and the prelude's 8030 USDC stand; 4 × 10^15 is the most
    const rest = 4e15 - 3e15 - 8_030_000_000
    const script: Script = [
      [0, deposit(0, 1e15)], [0, deposit(1, 1e15)], [0, deposit(2, 1e15)], [0, fault(ParlayFault.chainDropped, 1)], [0, deposit(0, rest + 1)],
      [0, deposit(0, rest)], [0, fault(ParlayFault.chainDropped, 0)], [SECOND, deposit(3, 1)],
    ]
    expect(freeOf(play(script), 3)).toBe(2_000_000_000)
    expect(freeOf(play([...script, [20 * SECOND, deposit(3, 1)]]), 3)).toBe(2_000_000_001)
    expect(freeOf(play([...script, [20 * SECOND, deposit(3, rest + 1)]]), 3)).toBe(2_000_000_000)
  })
})
