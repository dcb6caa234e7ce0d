import { describe, expect, it } from 'vitest'
import { ClusteredSums } from '../../src/score/clusteredSums.ts'
import type { Transfer } from '../../src/score/cashOuts.ts'
import { BETTOR_COLUMNS, BettorColumn, MakerColumn } from '../../src/score/columns.ts'
import { Names } from '../../src/score/runTables.ts'
import type { Scorecard } from '../../src/score/scorecard.ts'
import { EquitySamples, Settlements } from '../../src/score/settlements.ts'
import { type Row, tablesOf } from './madeTables.ts'

describe('the falls of a maker’s equity', () => {
  const samples = tablesOf({
    equity: [
      { maker: 'a', seq: 5, at: 10, mark_to_market_micros: 70, liquidation_micros: 60 },
      { maker: 'b', seq: 5, at: 10, mark_to_market_micros: 50, liquidation_micros: null },
      { maker: 'a', seq: 9, at: 20, mark_to_market_micros: 145, liquidation_micros: null },
      { maker: 'b', seq: 9, at: 20, mark_to_market_micros: 40, liquidation_micros: null },
    ],
  })
  const makers = new Names()
  for (const maker of ['a', 'b']) makers.number(maker)
  const sums = { collateralMicrosUs: 0n }
  // Maker a pays 100 in by row 5 and 50 more by row 9. Its profit is −30 and −5 at V, and −40 at the touch.
  const equity = new EquitySamples(samples, makers, [{ ...sums, depositSeqs: [5, 9], depositMicros: [100, 150] }, { ...sums, depositSeqs: [6], depositMicros: [10] }])

  it('begin at a profit of 0, after the deposits up to the row of a sample', () => {
    expect([equity.markToMarketDrawdownMicros(0), equity.liquidationDrawdownMicros(0), equity.lastUs]).toEqual([30, 40, 20])
  })

  it('count no deposit before its row', () => {
    // Maker b: 50 at row 5, and 40 − 10 at row 9.
    expect([equity.markToMarketDrawdownMicros(1), equity.liquidationDrawdownMicros(1)]).toEqual([20, null])
  })
})

const CARD = { positionEnded() {}, holdingEnded() {}, transferred() {} } as unknown as Scorecard

function settled(rows: readonly Row[], transfers: readonly Transfer[] = []) {
  const names = { makers: new Names(), groups: new Names(), clusters: new Names() }
  for (const maker of ['a', 'b']) names.makers.number(maker)
  names.groups.number('crowd')
  const [makerSums, bettorSums] = [new ClusteredSums(2, 1, MakerColumn.marks), new ClusteredSums(1, 1, BETTOR_COLUMNS)]
  const settlements = new Settlements(tablesOf({ settlements: rows }), names, transfers, CARD, makerSums, bettorSums)
  return { settlements, makerSums, bettorSums }
}

describe('what ended positions brought', () => {
  const backed: Row = {
    maker: 'a', holder_cohort: 'crowd', cluster: 'day', at: 10, net_stake_micros: 100, payout_micros: 300, taker_fee_micros: 2, profit_fee_micros: 0, maker_profit_fee_micros: 0,
    holder_cost_micros: 102,
  }
  const lost: Row = { ...backed, seq: 1, position: 1, outcome: 'lost', to_holder_micros: 0, to_maker_micros: 300 }
  const voided: Row = { ...backed, seq: 2, position: 2, outcome: 'void', to_holder_micros: 102, to_maker_micros: 200 }

  it('leaves voids out of a maker’s stakes and losses, and counts them in all of a cohort’s columns', () => {
    const { makerSums, bettorSums } = settled([lost, voided])
    const { settled: ended, profit, stake, hold, grossBet, bettorLoss } = MakerColumn
    expect([ended, profit, stake, hold, grossBet, bettorLoss].map((column) => makerSums.total(0, column))).toEqual([2n, 100n, 100n, 100n, 102n, 102n])
    expect([BettorColumn.profit, BettorColumn.grossBet, BettorColumn.loss].map((column) => bettorSums.total(0, column))).toEqual([-102n, 204n, 102n])
  })
})

describe('what a maker’s taken-over positions cost over time', () => {
  const taken = (atUs: number, buyer: number, priceMicros: number): Transfer => ({
    seq: atUs, position: 1, bid: 1, atUs, maker: 0, group: 0, cluster: 0, sellerMaker: -1, sellerCostMicros: 10, buyer, priceMicros, toSellerMicros: priceMicros, feeMicros: 0,
  })

  it.each([[20, 3000n], [40, 3000n], [50, 4000n]])('reaches from the instant of each to an end at %d µs, or to the last change', (endUs, held) => {
    const { settlements } = settled([], [taken(10, 0, 100), taken(40, 1, 5)])
    expect(settlements.heldMicrosUs(0, endUs)).toBe(held)
  })
})
