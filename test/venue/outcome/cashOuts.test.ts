import { describe, expect, it } from 'vitest'
import { PositionState, QuoteState, RfqState } from '../../../src/venue/outcome/protocol/events.ts'
import { type Driver, sec, T0, table, usd } from './driver.ts'

/** 25 USDC at odds 4: fee 50,000, net 24,950,000, risk 74,850,000 (settlement.test.ts). Opened at 2 s. */
const PAYOUT = 99_800_000

/** Position 1 of participant 10, backed by maker 20, on 1 yes and 2 no. */
function held(overrides: Parameters<typeof table>[0] = {}): Driver {
  const d = table(overrides)
  d.open(10, 20, PAYOUT)
  return d
}

/** Opens the cash-out and quotes the price: the RFQ and the quote. */
function priced(d: Driver, maker: number, priceMicros: number, holder = 10): { rfq: number; quote: number } {
  const rfq = d.cashout(holder, 1)['rfq'] as number
  return { rfq, quote: d.quote(maker, rfq, priceMicros)['quote'] as number }
}

describe('a cash-out RFQ', () => {
  it('OM-009 OM-093 the holder opens it on the legs of its position, for 30 s', () => {
    const d = held()
    d.at(sec(5)).cashout(10, 1)
    expect(d.rows).toEqual([
      { event: 'rfqCreated', at: sec(5), cause: d.seq, seller: 10, backer: 20, rfq: 2, generation: 1, position: 1, payoutMicros: PAYOUT, netStakeMicros: 24_950_000, profitFeeBps: 100, openUntilUs: sec(35), list: [1, 1, 2, 0] },
      { event: 'reply', at: sec(5), cause: d.seq, code: 'ok', op: 'openCashout', account: 10, rfq: 2, generation: 1, position: 1, openUntilUs: sec(35) },
    ])
    expect(d.view.rfq(2)).toMatchObject({ owner: 10, state: RfqState.open, position: 1, stakeMicros: -1, netStakeMicros: -1, openUntilUs: T0 + sec(35) })
    expect(d.accept(10, d.quote(21, 2, usd(40))['quote'] as number)).toBeUndefined()
  })

  it('refuses a number that is none, an unknown position and one that is held by another', () => {
    const d = held()
    expect(d.cashout(10, 1.5)).toMatchObject({ code: 'invalidRequest', invalidField: 10 })
    expect(d.cashout(10, Number.NaN)).toMatchObject({ code: 'invalidRequest', invalidField: 10 })
    expect(d.cashout(10, 2)).toEqual({ event: 'reply', at: sec(2), cause: d.seq, code: 'notFound', op: 'openCashout', account: 10 })
    for (const account of [11, 20, 21]) expect(d.cashout(account, 1)).toEqual({ event: 'reply', at: sec(2), cause: d.seq, code: 'notFound', op: 'openCashout', account })
    d.at(sec(3)).resolve(1, 'no')
    d.pulse(sec(200))
    expect(d.cashout(10, 1).code).toBe('notFound')
  })

  it('OM-195 refuses another while one is open or in flight, and shows the position', () => {
    const d = held()
    const { rfq, quote } = priced(d, 21, usd(40))
    const refused = { event: 'reply', code: 'stateConflict', op: 'openCashout', account: 10, position: 1 }
    expect(d.cashout(10, 1)).toEqual({ ...refused, at: sec(2), cause: d.seq })
    d.accept(10, quote)
    expect(d.cashout(10, 1)).toEqual({ ...refused, at: sec(2), cause: d.seq })
    d.decline(21, quote)
    d.cancel(10, rfq)
    expect(d.cashout(10, 1).code).toBe('ok')
  })

  it('OM-195 refuses a decided position before its batch, and a closing one', () => {
    const d = held()
    const { quote } = priced(d, 21, usd(40))
    d.accept(10, quote)
    d.confirm(21, quote)
    expect(d.view.position(1)!.state).toBe(PositionState.closing)
    expect(d.cashout(10, 1)).toMatchObject({ code: 'stateConflict', position: 1 })
    d.pulse(sec(4))
    expect(d.cashout(21, 1).code).toBe('ok')
    d.at(sec(10)).resolve(1, 'no')
    expect(d.cashout(21, 1)).toMatchObject({ code: 'stateConflict', position: 1 })
  })

  it('OM-227 refuses it while financial actions are disabled, and shows nothing', () => {
    const d = held()
    d.at(sec(3)).fault('financialActionsDisabled', 1)
    expect(d.cashout(10, 1)).toEqual({ event: 'reply', at: sec(3), cause: d.seq, code: 'financialActionsDisabled', op: 'openCashout', account: 10 })
    expect(d.cashout(10, 1.5).code).toBe('invalidRequest')
  })

  it('OM-218 counts among the open RFQs of the account', () => {
    const d = held({ rfqIntentLimit: 2 })
    d.create(10)
    d.create(10)
    expect(d.cashout(10, 1)).toMatchObject({ code: 'rfqIntentLimit', position: 1 })
    d.cancel(10, 2)
    expect(d.cashout(10, 1).code).toBe('ok')
    expect(d.create(10).code).toBe('rfqIntentLimit')
  })

  it('opening the next one cancels the last when that is closed and still known', () => {
    const d = held()
    const { rfq, quote } = priced(d, 21, usd(40))
    d.at(sec(32) - 1)
    expect(d.cashout(10, 1).code).toBe('stateConflict')
    d.at(sec(32)).cashout(10, 1)
    // The quote left the listing at 10 s.
    expect(d.names()).toEqual(['quoteExpired', 'rfqClosed', 'rfqCancelled', 'rfqCreated', 'reply ok'])
    expect(d.of('rfqCancelled')).toMatchObject([{ reason: 'superseded', rfq, position: 1 }])
    expect(d.view.rfq(rfq)!.state).toBe(RfqState.cancelled)
    expect(d.view.quote(quote)!.state).toBe(QuoteState.expired)
  })

  it('a live quote on the one that is cancelled so is dead', () => {
    const d = held()
    d.cashout(10, 1)
    // At 12 s for 42 s: the window ends at 32 s.
    const quote = d.at(sec(12)).quote(21, 2, usd(40))['quote'] as number
    d.pulse(sec(32))
    d.at(sec(33)).cashout(10, 1)
    expect(d.names()).toEqual(['quoteDead', 'rfqCancelled', 'rfqCreated', 'reply ok'])
    expect(d.accept(10, quote)!.code).toBe('rfqNotOpen')
  })

  it('no cancellation of the last one when it was filled, cancelled or is forgotten', () => {
    const d = held({ retentionMs: 1_000 })
    d.cashout(10, 1)
    d.cancel(10, 2)
    d.cashout(10, 1)
    expect(d.names()).toEqual(['rfqCreated', 'reply ok'])
    d.pulse(sec(32))
    d.at(sec(33)).cashout(10, 1)
    expect(d.names()).toEqual(['rfqCreated', 'reply ok'])
    const quote = d.quote(21, 4, usd(40))['quote'] as number
    d.accept(10, quote)
    d.confirm(21, quote)
    d.at(sec(34)).fault('chainDropped', 1)
    d.pulse(sec(35))
    d.cashout(10, 1)
    expect(d.names()).toEqual(['rfqCreated', 'reply ok'])
  })
})

describe('the price', () => {
  it('is at most the payout of the position: 99,800,000 passes and 99,800,001 fails', () => {
    const d = held()
    d.cashout(10, 1)
    expect(d.quote(21, 2, PAYOUT + 1)).toMatchObject({ code: 'invalidRequest', invalidField: 12 })
    expect(d.quote(21, 2, PAYOUT)).toMatchObject({ code: 'ok', riskMicros: PAYOUT })
    expect(d.quote(20, 2, 1)).toMatchObject({ code: 'ok', riskMicros: 0 })
  })

  it('OM-208 is what another maker needs in free capital, and the backing maker nothing', () => {
    const d = held()
    d.cashout(10, 1)
    d.reduce(21, usd(960))
    d.reduce(20, d.free(20))
    expect(d.quote(21, 2, usd(40) + 1)).toMatchObject({ code: 'quoteCapacityExceeded', requiredMicros: usd(40) + 1, availableMicros: usd(40) })
    expect(d.quote(21, 2, usd(40)).code).toBe('ok')
    const own = d.quote(20, 2, usd(99))['quote'] as number
    d.accept(10, own)
    expect(d.moved).toEqual([])
    expect(d.confirm(20, own).code).toBe('ok')
  })

  it('the seller\'s own maker account cannot price its position', () => {
    const d = held()
    d.sell(10, 21, 1, usd(40))
    d.cashout(21, 1)
    expect(d.quote(21, 3, usd(50)).code).toBe('forbidden')
    expect(d.quote(20, 3, usd(50)).code).toBe('ok')
  })
})

describe('a sale to the backing maker', () => {
  it('OM-009 INV-06 closes the position: the pot pays the price, the rest goes to the maker', () => {
    const d = held()
    const { rfq, quote } = priced(d, 20, usd(40))
    d.accept(10, quote)
    d.confirm(20, quote)
    d.pulse(sec(4))
    expect(d.moved).toEqual(['buyback: pot 1 -> free 10 40000000', 'buyback: pot 1 -> free 20 59800000'])
    expect(d.rows).toEqual([
      { event: 'operationUpdated', at: sec(4), cause: -1, account: 10, maker: 20, rfq, generation: 2, quote, position: 1, acceptance: 2, operation: 2, operationKind: 'cashout', amountMicros: usd(40), status: 2 },
      { event: 'positionClosed', at: sec(4), cause: -1, holder: 10, backer: 20, rfq, generation: 2, quote, position: 1, acceptance: 2, priceMicros: usd(40), toHolderMicros: usd(40), profitFeeMicros: 0, toBackerMicros: 59_800_000 },
    ])
    // 975 + 40; 925.15 + 59.8.
    expect(d.balances(10, 20)).toEqual([[usd(1015), 0], [984_950_000, 0]])
    expect(d.view.position(1)).toBeNull()
    expect(d.view.totals()).toMatchObject({ potMicros: 0, houseMicros: 50_000 })
  })

  it('OM-253 with feeOnCashout the seller bears the fee on its profit out of the price', () => {
    // Profit 40 − 24.95 = 15.05; 1% of it is 150,500.
    const d = held({ feeOnCashout: 1 })
    d.sell(10, 20, 1, usd(40))
    expect(d.moved).toEqual(['buyback: pot 1 -> free 10 39849500', 'profitFee: pot 1 -> house 150500', 'buyback: pot 1 -> free 20 59800000'])
    expect(d.of('positionClosed')[0]).toMatchObject({ priceMicros: usd(40), toHolderMicros: 39_849_500, profitFeeMicros: 150_500, toBackerMicros: 59_800_000 })
    expect(d.view.totals().houseMicros).toBe(200_500)
  })

  it('OM-263 INV-07 with feeOnCashout a profit of 99 micro-units costs nothing, of 100 one; a loss costs nothing', () => {
    for (const [priceMicros, fee] of [[24_950_099, 0], [24_950_100, 1], [1, 0]] as const) {
      const d = held({ feeOnCashout: 1 })
      d.sell(10, 20, 1, priceMicros)
      expect(d.of('positionClosed')[0]).toMatchObject({ toHolderMicros: priceMicros - fee, profitFeeMicros: fee })
    }
  })

  it('the whole payout as the price leaves the maker nothing, without a posting of nothing', () => {
    const d = held()
    d.sell(10, 20, 1, PAYOUT)
    expect(d.moved).toEqual(['buyback: pot 1 -> free 10 99800000'])
    expect(d.of('positionClosed')[0]).toMatchObject({ toHolderMicros: PAYOUT, toBackerMicros: 0 })
  })
})

describe('a sale to another maker', () => {
  it('OM-009 INV-21 hands the position over: only its holder and cost change', () => {
    const d = held()
    const before = d.view.position(1)!
    const { rfq, quote } = priced(d, 21, usd(40))
    d.accept(10, quote)
    expect(d.moved).toEqual(['hold: free 21 -> reserved 21 40000000'])
    d.confirm(21, quote)
    expect(d.view.position(1)).toEqual({ ...before, state: PositionState.closing })
    d.pulse(sec(4))
    expect(d.moved).toEqual(['transfer: reserved 21 -> free 10 40000000'])
    expect(d.rows[1]).toEqual({ event: 'positionTransferred', at: sec(4), cause: -1, seller: 10, buyer: 21, rfq, generation: 2, quote, position: 1, acceptance: 2, priceMicros: usd(40), toSellerMicros: usd(40), profitFeeMicros: 0 })
    expect(d.view.position(1)).toEqual({ ...before, holder: 21, costMicros: usd(40) })
    expect(d.view.totals().potMicros).toBe(PAYOUT)
  })

  it('OM-253 INV-08 sold twice and won: the last holder claims, profit counts from the net stake at the rate of the fill', () => {
    const d = held()
    d.sell(10, 21, 1, usd(40))
    d.setFees(500, 9_000)
    d.sell(21, 22, 1, usd(60))
    d.at(sec(10)).resolve(1, 'yes')
    d.resolve(2, 'no')
    d.pulse(sec(200))
    expect(d.of('positionClaimed')).toMatchObject([{ holder: 22, backer: 20, toHolderMicros: 99_051_500, profitFeeMicros: 748_500 }])
    // In order: 1000 − 25 + 40, 1000 − 40 + 60, 1000 − 60 + 99.0515, and 1000 − 74.85.
    expect([10, 21, 22, 20].map((account) => d.free(account))).toEqual([usd(1015), usd(1020), 1_039_051_500, 925_150_000])
    expect(d.view.totals().houseMicros).toBe(798_500)
  })

  it('OM-253 with feeOnCashout each holder pays on its own gain, and all together what one would', () => {
    const d = held({ feeOnCashout: 1 })
    d.sell(10, 21, 1, usd(40))
    // (40 − 24.95) × 1% = 0.1505.
    expect(d.moved).toEqual(['transfer: reserved 21 -> free 10 39849500', 'profitFee: reserved 21 -> house 150500'])
    expect(d.view.position(1)).toMatchObject({ holder: 21, costMicros: usd(40), basisMicros: usd(40), netStakeMicros: 24_950_000 })
    d.sell(21, 22, 1, usd(60))
    // (60 − 40) × 1% = 0.2.
    expect(d.of('positionTransferred')[0]).toMatchObject({ priceMicros: usd(60), toSellerMicros: 59_800_000, profitFeeMicros: 200_000 })
    d.at(sec(10)).resolve(1, 'yes')
    d.resolve(2, 'no')
    d.pulse(sec(200))
    // (99.8 − 60) × 1% = 0.398; together 0.7485.
    expect(d.of('positionClaimed')).toMatchObject([{ holder: 22, toHolderMicros: 99_402_000, profitFeeMicros: 398_000 }])
    expect(d.view.totals().houseMicros).toBe(50_000 + 748_500)
  })

  it('void after a sale: the net stake goes to the present holder, the risk to the backing maker', () => {
    const d = held()
    d.sell(10, 21, 1, usd(40))
    d.at(sec(10)).resolve(1, 'void')
    d.pulse(sec(200))
    expect(d.moved).toEqual(['void: pot 1 -> free 21 24950000', 'void: pot 1 -> free 20 74850000'])
  })

  it('lost after a sale: the backing maker gets the pot, the holder nothing', () => {
    const d = held()
    d.sell(10, 21, 1, usd(40))
    d.at(sec(10)).resolve(1, 'no')
    d.pulse(sec(200))
    expect(d.moved).toEqual(['settle: pot 1 -> free 20 99800000'])
    expect(d.of('positionSettled')).toMatchObject([{ holder: 21, backer: 20, rfq: 1, outcome: 'lost' }])
  })
})

describe('a sale that fails', () => {
  it('INV-10 on chain: the price is free again, the position open and for sale', () => {
    const d = held()
    const { quote } = priced(d, 21, usd(40))
    d.accept(10, quote)
    d.confirm(21, quote)
    d.at(sec(3)).fault('chainDropped', 1)
    d.pulse(sec(4))
    expect(d.moved).toEqual(['release: reserved 21 -> free 21 40000000'])
    expect(d.rows).toMatchObject([{ event: 'operationUpdated', operationKind: 'cashout', status: 3 }])
    expect(d.view.position(1)).toMatchObject({ holder: 10, state: PositionState.open })
    expect(d.cashout(10, 1).code).toBe('ok')
  })

  it('INV-10 on chain, of the backing maker: nothing was held', () => {
    const d = held()
    const { quote } = priced(d, 20, usd(40))
    d.accept(10, quote)
    d.confirm(20, quote)
    d.at(sec(3)).fault('chainDropped', 1)
    d.pulse(sec(4))
    expect(d.moved).toEqual([])
    expect(d.names()).toEqual(['operationUpdated'])
    expect(d.view.position(1)!.state).toBe(PositionState.open)
  })

  it('INV-10 by decline or at the deadline: the price is free again and the RFQ open', () => {
    const d = held()
    const { rfq, quote } = priced(d, 21, usd(40))
    d.accept(10, quote)
    d.decline(21, quote)
    expect(d.moved).toEqual(['release: reserved 21 -> free 21 40000000'])
    const second = d.quote(22, rfq, usd(41))['quote'] as number
    d.accept(10, second)
    d.pulse(sec(4) + 1)
    expect(d.moved).toEqual(['release: reserved 22 -> free 22 41000000'])
    expect(d.view.rfq(rfq)!.state).toBe(RfqState.open)
  })
})

describe('a position that results decide while it is for sale', () => {
  it('its open RFQ is cancelled in the same step, with its quotes', () => {
    const d = held()
    const { rfq, quote } = priced(d, 21, usd(40))
    d.at(sec(10)).resolve(2, 'yes')
    expect(d.names()).toEqual(['outcomeResolved', 'quoteDead', 'bestQuoteChanged', 'rfqCancelled', 'reply ok'])
    expect(d.of('rfqCancelled')).toMatchObject([{ reason: 'decided', rfq, position: 1, owner: 10 }])
    expect(d.accept(10, quote)!.code).toBe('rfqNotOpen')
  })

  it('a closed one too; a result that does not decide cancels nothing', () => {
    const d = held()
    const { rfq } = priced(d, 21, usd(40))
    d.at(sec(10)).resolve(1, 'yes')
    expect(d.names()).toEqual(['outcomeResolved', 'reply ok'])
    d.pulse(sec(32))
    expect(d.view.rfq(rfq)!.state).toBe(RfqState.closed)
    d.at(sec(33)).resolve(2, 'no')
    expect(d.of('rfqCancelled')).toMatchObject([{ reason: 'decided', rfq }])
  })

  it('several are cancelled in the order of their positions', () => {
    const d = held()
    d.open(11, 20, usd(30))
    d.cashout(11, 2)
    d.cashout(10, 1)
    d.at(sec(10)).resolve(1, 'no')
    expect(d.of('rfqCancelled').map((row) => row['position'])).toEqual([1, 2])
  })

  it('OM-195 one in flight is cancelled when its acceptance is resolved, and cannot be confirmed', () => {
    const d = held()
    const { rfq, quote } = priced(d, 21, usd(40))
    d.accept(10, quote)
    d.at(sec(3)).resolve(1, 'no')
    expect(d.names()).toEqual(['outcomeResolved', 'reply ok'])
    expect(d.confirm(21, quote).code).toBe('stateConflict')
    d.decline(21, quote)
    expect(d.names()).toEqual(['quoteFailed', 'rfqCancelled', 'reply declined', 'reply ok'])
    expect(d.of('rfqCancelled')).toMatchObject([{ reason: 'decided', rfq, position: 1, generation: 2 }])
  })

  it('OM-195 one in flight through the batch that settles its position is cancelled at the deadline', () => {
    const d = held()
    d.at(sec(198) + 1).cashout(10, 1)
    const quote = d.quote(21, 2, usd(40))['quote'] as number
    d.accept(10, quote)
    d.at(sec(199)).resolve(1, 'no')
    expect(d.pulse(sec(200)).map((row) => row.event)).toEqual(['positionSettled'])
    expect(d.confirm(21, quote).code).toBe('stateConflict')
    d.pulse(sec(200) + 2)
    expect(d.names()).toEqual(['quoteFailed', 'rfqCancelled', 'reply timedOut'])
    expect(d.moved).toEqual(['release: reserved 21 -> free 21 40000000'])
  })

  it('OM-262 a closing one is not settled in its batch but, sold, in the next', () => {
    const d = held({ operationMs: 10_000 })
    d.at(sec(195))
    const { quote } = priced(d, 21, usd(40))
    d.accept(10, quote)
    d.confirm(21, quote)
    d.at(sec(196)).resolve(1, 'no')
    expect(d.names()).toEqual(['outcomeResolved', 'reply ok'])
    expect(d.pulse(sec(204))).toEqual([])
    expect(d.pulse(sec(205))).toMatchObject([{ event: 'operationUpdated' }, { event: 'positionTransferred', buyer: 21 }])
    expect(d.cashout(21, 1)).toMatchObject({ code: 'stateConflict' })
    expect(d.pulse(sec(500) - 1)).toEqual([])
    expect(d.pulse(sec(500))).toMatchObject([{ event: 'positionSettled', holder: 21, outcome: 'lost' }])
  })

  it('OM-262 a closing one that was closed in time is not settled at all', () => {
    const d = held()
    const { quote } = priced(d, 20, usd(40))
    d.accept(10, quote)
    d.confirm(20, quote)
    d.at(sec(3)).resolve(1, 'no')
    d.pulse(sec(4))
    expect(d.of('positionClosed').length).toBe(1)
    expect(d.pulse(sec(900))).toEqual([])
    expect(d.view.totals().potMicros).toBe(0)
  })

  it('OM-262 a sale done at the instant of a batch comes first: the position is settled then', () => {
    const d = held()
    d.at(sec(198))
    const { quote } = priced(d, 21, usd(40))
    d.accept(10, quote)
    d.confirm(21, quote)
    d.at(sec(199)).resolve(1, 'no')
    expect(d.pulse(sec(200)).map((row) => row.event)).toEqual(['operationUpdated', 'positionTransferred', 'positionSettled'])
  })
})
