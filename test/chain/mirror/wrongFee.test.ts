import { afterEach, describe, expect, it, vi } from 'vitest'
import { SettlementDifference } from '../../../src/chain/mirror/settlementDifference.ts'
import { failureOf } from '../../../src/cli/failure.ts'
import { AuctionWord } from '../../../src/venue/parlay/machine/auctionRows.ts'
import { BidCell } from '../../../src/venue/parlay/machine/bidRows.ts'
import { PositionCell } from '../../../src/venue/parlay/machine/positionRows.ts'
import type { ParlayProfile } from '../../../src/venue/parlay/protocol/profile.ts'
import { isoOfTimeUs } from '../../../src/unit/time.ts'
import { type Leg, sec, T0, usd } from '../../venue/parlay/driver.ts'
import { ModelChain } from './modelChain.ts'
import { type FlushedDriver, mirroredTable, mirrorOf } from './parlayMirror.ts'

const wrong = vi.hoisted(() => ({ payoutMicros: 0, toSellerMicros: 0, refundMicros: 0 }))

// A fee that the engine rounds up. Bets here are whole USDC, so taker fees have no fraction and stay right.
vi.mock('../../../src/unit/micros.ts', async (original) => ({
  ...await original<typeof import('../../../src/unit/micros.ts')>(),
  feeFloor: (amountMicros: number, bps: number) => Math.ceil((amountMicros * bps) / 10_000),
}))

vi.mock('../../../src/unit/odds.ts', async (original) => {
  const real = await original<typeof import('../../../src/unit/odds.ts')>()
  return { ...real, payoutFloor: (...of: Parameters<typeof real.payoutFloor>) => real.payoutFloor(...of) + wrong.payoutMicros }
})

// Where a sale is paid the engine reads its price off the bid: the seller gets so much less than was bid, the other side so much more.
vi.mock('../../../src/venue/parlay/machine/cashOutSales.ts', async (original) => {
  const real = await original<typeof import('../../../src/venue/parlay/machine/cashOutSales.ts')>()
  return { ...real, commitCashout: (...[s, c]: Parameters<typeof real.commitCashout>) => {
    const b = s.auctions.words[s.auctions.rowOf(c.auction) + AuctionWord.bestBid]!
    s.bids.cells[b + BidCell.priceMicros]! -= wrong.toSellerMicros
    real.commitCashout(s, c)
  } }
})

vi.mock('../../../src/venue/parlay/machine/pots.ts', async (original) => {
  const real = await original<typeof import('../../../src/venue/parlay/machine/pots.ts')>()
  return { ...real, refundPot: (...[s, p]: Parameters<typeof real.refundPot>) => {
    const { cells } = s.positions
    cells[p + PositionCell.stakeMicros]! -= wrong.refundMicros
    cells[p + PositionCell.riskMicros]! += wrong.refundMicros
    real.refundPot(s, p)
    cells[p + PositionCell.stakeMicros]! += wrong.refundMicros
    cells[p + PositionCell.riskMicros]! -= wrong.refundMicros
  } }
})

afterEach(() => { Object.assign(wrong, { payoutMicros: 0, toSellerMicros: 0, refundMicros: 0 }) })

const legsFrom = (market: number): Leg[] => [[market, 'yes'], [market + 1, 'yes']]

/** Plays on a bench, mirrors it, and returns what stopped the mirror. */
async function stoppedBy(chain: ModelChain, act: (d: FlushedDriver) => void, profile: Partial<ParlayProfile> = {}): Promise<SettlementDifference> {
  const sink = mirrorOf(chain)
  act(mirroredTable((batch) => { sink.flush(batch) }, profile))
  sink.finish()
  const error: unknown = await sink.settled().then(() => null, (reason: unknown) => reason)
  expect(error).toBeInstanceOf(SettlementDifference)
  return error as SettlementDifference
}

describe('a wrong fee in the engine', () => {
  it('is caught at the first settlement that has it, with its row and the entries of both sides', async () => {
    const chain = new ModelChain()
    const error = await stoppedBy(chain, (d) => {
      // At 3.3333 a stake of 24.75 pays 82.499175 (rounded down): a profit of 57.749175, of which 1 % is 0.57749175.
      for (const [market, at] of [[1, 10], [3, 11], [5, 12]] as const) d.at(sec(at)).open(10, 20, 3.3333, legsFrom(market))
      d.at(sec(50))
      d.resolve(1, 'no')
      d.pulse(sec(51))
      d.at(sec(60))
      for (const market of [3, 4]) d.resolve(market, 'yes')
      d.pulse(sec(61))
      d.at(sec(70))
      for (const market of [5, 6]) d.resolve(market, 'yes')
      d.pulse(sec(71))
    })
    // 1,000 less three bets, and the payout less a fee of 577,491 on the chain and of 577,492 in the ledger.
    expect(error.difference).toEqual({
      place: { kind: 'account', number: 10 }, what: 'balance', ofChain: 925_000_000n + 81_921_684n, ofLedger: 925_000_000n + 81_921_683n,
    })
    expect(error.causes).toHaveLength(1)
    const [cause] = error.causes
    expect(cause).toMatchObject({ event: 'positionSettled', atUs: T0 + sec(60), call: { kind: 'settle', position: 2, outcome: 'won' } })
    expect(error.message.split('\n').map((line) => line.replace(/\(row \d+/, '(row n'))).toEqual([
      'svm and the parlay ledger differ in the balance of account 10: chain 1006921684 microUSDC, ledger 1006921683 microUSDC',
      '  found after 2025-06-15T15:07:40.000Z',
      `  after positionSettled (row n, ${isoOfTimeUs(T0 + sec(60))})`,
      '    ledger: settle 81921683 microUSDC from pot 2 to free 10 (row n)',
      '    ledger: profitFee 577492 microUSDC from pot 2 to house (row n)',
      '    ledger: takerFee 250000 microUSDC from escrow 2 to house (row n)',
      '    chain:  settle position 2, outcome won',
    ])
    expect(chain.landed.at(-1)).toMatchObject({ kind: 'settle', position: 2 })
    expect(chain.isClosed).toBe(true)
    const { exitCode, text, json } = failureOf(error)
    expect([exitCode, text]).toEqual([1, `error: ${error.message}`])
    expect(JSON.parse(JSON.stringify(json))).toMatchObject({
      error: { kind: 'settlement', name: 'SettlementDifference', ofChain: '1006921684', causes: [{ seq: cause!.seq, call: 'settle position 2, outcome won' }] },
    })
  })

  it('is caught at the first transfer when the venue asks for none and the vault takes one', async () => {
    const error = await stoppedBy(new ModelChain({ profitFeeOnTransfer: true, profitFeeOnMaker: false }), (d) => {
      const position = d.at(sec(10)).open(10, 20, 4, legsFrom(1))
      const auction = d.at(sec(20)).cashout(10, position)['auction'] as number
      d.bid(21, auction, usd(40))
      d.sell(10, auction)
    }, { profitFeeOnTransfer: 0 })
    // 1,000 − 25 + 40; the vault keeps 1 % of the 15.25 above the stake.
    expect(error.difference).toMatchObject({ place: { kind: 'account', number: 10 }, ofChain: 1_014_847_500n, ofLedger: 1_015_000_000n })
    expect(error.causes.map(({ event }) => event)).toEqual(['positionTransferred'])
  })

  it('is caught when the vault takes a fee of makers and the venue none', async () => {
    const error = await stoppedBy(new ModelChain({ profitFeeOnTransfer: true, profitFeeOnMaker: true }), (d) => {
      d.at(sec(10)).open(10, 20, 4, legsFrom(1))
      d.at(sec(50)).resolve(1, 'no')
      d.pulse(sec(51))
    })
    // 1,000 − 74.25 + 99; the vault keeps 1 % of the stake that the maker wins.
    expect(error.difference).toMatchObject({ place: { kind: 'account', number: 20 }, ofChain: 1_024_502_500n, ofLedger: 1_024_750_000n })
  })
})

describe('an engine that does not keep to what was agreed', () => {
  it.each([[20, 'positionBoughtBack', 'buyback'], [21, 'positionTransferred', 'transfer']] as const)(
    'is caught when it pays a seller too little, at the sale to %s', async (buyer, event, kind) => {
      wrong.toSellerMicros = usd(1)
      const error = await stoppedBy(new ModelChain(), (d) => {
        const position = d.at(sec(10)).open(10, 20, 4, legsFrom(1))
        const auction = d.at(sec(20)).cashout(10, position)['auction'] as number
        d.bid(buyer, auction, usd(20))
        d.sell(10, auction)
      })
      // The bettor has 975 left and was bid 20, which is below the stake: no fee.
      expect(error.difference).toMatchObject({ what: 'balance', place: { kind: 'account' } })
      const { place, ofChain, ofLedger } = error.difference
      expect([ofChain, ofLedger]).toEqual((place as { number: number }).number === 10 ? [995_000_000n, 994_000_000n] : buyer === 20
        ? [1_004_750_000n, 1_005_750_000n] : [980_000_000n, 981_000_000n])
      expect(error.causes.map((cause) => [cause.event, cause.call])).toMatchObject([[event, { kind, priceMicros: usd(20) }]])
    },
  )

  it.each([1, -1])('is caught when the risk of a maker is %d micro-unit off, at the fill', async (micros) => {
    wrong.payoutMicros = micros
    const error = await stoppedBy(new ModelChain(), (d) => { d.at(sec(10)).open(10, 20, 3.3333, legsFrom(1)) })
    // A stake of 24.75 pays 82.499175.
    expect(error.difference).toMatchObject({ place: { kind: 'position', number: 1 }, what: 'pot', ofChain: 82_499_175n, ofLedger: 82_499_175n + BigInt(micros) })
    expect(error.causes.map((cause) => [cause.event, cause.call])).toMatchObject([['positionOpened', { kind: 'open', riskMicros: 57_749_175 }]])
  })

  it('is caught when it gives a bettor too little of a fill back that the chain has dropped, at that row', async () => {
    wrong.refundMicros = 1
    const error = await stoppedBy(new ModelChain(), (d) => {
      d.at(sec(2)).fault('chainDropped', 1)
      d.at(sec(3)).open(10, 20, 4, legsFrom(1))
      d.at(sec(4)).fault('chainDropped', 0)
      d.pulse(sec(100))
    })
    const { place, ofChain, ofLedger } = error.difference
    expect([place, ofChain, ofLedger]).toEqual([{ kind: 'account', number: 10 }, 1_000_000_000n, 999_999_999n])
    expect(error.causes.map(({ event, call, movements }) => [event, call, movements.map(({ amountMicros }) => amountMicros)])).toEqual([
      ['vaultTransactionChanged', null, [24_749_999, 74_250_001, 250_000]],
    ])
  })
})
