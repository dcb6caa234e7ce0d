import { describe, expect, it } from 'vitest'
import { ParlayStatus, QuoteState, RequestState } from '../../../src/venue/parlay/protocol/events.ts'
import { type Driver, sec, table, usd } from './driver.ts'

/** Request 1 is of bettor 10. Quote 1 is maker 20's at 4.0, quote 2 maker 21's at 3.0. Quote 1 is selected at time 0. */
function pending(overrides = {}): Driver {
  const d = table(overrides)
  d.create(10)
  d.submit(20, 1, 4)
  d.submit(21, 1, 3)
  d.commit(10, 1)
  return d
}

describe('confirming', () => {
  it('PQ-113 PQ-114 PQ-177 commits the request, opens one position and answers both', () => {
    const d = pending()
    const commitSeq = d.seq
    expect(d.at(1000).confirm(20, 1, 1)).toEqual({
      event: 'reply', at: 1000, cause: d.seq, account: 20, op: 'confirmSelection', code: 'ok', request: 1, version: 1, quote: 1, position: 1,
    })
    expect(d.names()).toEqual([
      'quoteFilled', 'statusChanged', 'statusChanged', 'quoteInvalidated', 'bestQuoteChanged', 'requestCommitted', 'positionOpened',
      'statusChanged', 'reply ok', 'reply ok',
    ])
    expect(d.of('reply')[0]).toEqual({
      event: 'reply', at: 1000, cause: commitSeq, account: 10, maker: 20, op: 'commitRequest', code: 'ok', request: 1, version: 1, quote: 1,
      position: 1, oddsE4: 40_000, confirmBeforeUs: sec(5),
    })
    expect(d.of('quoteFilled')).toEqual([{
      event: 'quoteFilled', at: 1000, cause: d.seq, maker: 20, owner: 10, request: 1, version: 1, quote: 1, position: 1, oddsE4: 40_000,
    }])
    expect(d.of('requestCommitted')).toMatchObject([{ owner: 10, bookSeq: 3 }])
    expect(d.view.request(1)).toMatchObject({ state: RequestState.committed, pendingQuote: -1, bestQuote: -1 })
    expect([1, 2].map((quote) => d.view.quote(quote)!.state)).toEqual([QuoteState.filled, QuoteState.invalidated])
  })

  it('PQ-007 PQ-008 INV-04 moves stake, fee and risk into pot and escrow', () => {
    const d = pending()
    d.confirm(20, 1, 1)
    expect(d.moved).toEqual([
      'commit: reserved 10 -> pot 1 24750000', 'commit: reserved 10 -> escrow 1 250000', 'commit: reserved 20 -> pot 1 74250000',
    ])
    expect(d.of('positionOpened')).toEqual([{
      event: 'positionOpened', at: 0, cause: d.seq, holder: 10, backer: 20, request: 1, version: 1, quote: 1, position: 1, oddsE4: 40_000,
      netStakeMicros: 24_750_000, payoutMicros: 99_000_000, takerFeeMicros: 250_000, profitFeeBps: 100, list: [1, 1, 2, 0],
    }])
    expect(d.view.balance(10)).toEqual({
      freeMicros: usd(975), reservedMicros: 0, lockedMicros: 0, grossMicros: usd(975), hasVault: true, fenced: false,
    })
    expect(d.view.balance(20)).toEqual({
      freeMicros: 925_750_000, reservedMicros: 0, lockedMicros: 74_250_000, grossMicros: usd(1000), hasVault: true, fenced: false,
    })
    expect(d.view.totals()).toEqual({
      netDepositsMicros: usd(4000), houseMicros: 0, potMicros: 99_000_000, escrowMicros: 250_000, heldMicros: 3_900_750_000,
    })
  })

  it('PQ-098 PQ-100 shows the position with its parties, money, fee rates and legs, until it settles', () => {
    const d = pending()
    d.confirm(20, 1, 1)
    expect(d.view.position(1)).toEqual({
      number: 1, request: 1, quote: 1, holder: 10, backer: 20, stakeMicros: 24_750_000, payoutMicros: 99_000_000,
      costMicros: usd(25), basisMicros: 24_750_000, takerFeeMicros: 250_000, takerFeeBps: 100, profitFeeBps: 100, state: 1, legs: [{ market: 1, side: 1 }, { market: 2, side: 0 }],
    })
    d.resolve(1, 'no')
    d.pulse()
    expect(d.view.position(1)).toBeNull()
  })

  it('PQ-123 PQ-296 reports accepted, confirmed, executed with the accepted quote', () => {
    const d = pending()
    d.confirm(20, 1, 1)
    expect(d.of('statusChanged').map((row) => [row['owner'], row['status'], row['quote']])).toEqual([
      [10, ParlayStatus.accepted, 1], [10, ParlayStatus.confirmed, 1], [10, ParlayStatus.executed, 1],
    ])
  })

  it.each([[5_000], [8_000]])('PQ-415 INV-26 a window of %d ms takes a confirmation one microsecond before its end', (confirmationMs) => {
    const end = confirmationMs * 1000
    expect(pending({ confirmationMs }).at(end - 1).confirm(20, 1, 1).code).toBe('ok')
    const d = pending({ confirmationMs })
    expect(d.at(end).confirm(20, 1, 1)).toEqual({
      event: 'reply', at: end, cause: d.seq, account: 20, op: 'confirmSelection', code: 'noPendingSelection', request: 1,
    })
    expect(d.names()).toEqual(['quoteFailed', 'bestQuoteChanged', 'reply mmConfirmationTimeout', 'reply noPendingSelection'])
  })

  it.each(['confirm', 'decline'] as const)('PQ-007 %s is for the chosen maker, of that quote, once', (answer) => {
    const d = pending()
    expect(d[answer](21, 1, 1).code).toBe('noPendingSelection')
    expect(d[answer](20, 1, 2).code).toBe('noPendingSelection')
    expect(d[answer](21, 1, 2).code).toBe('noPendingSelection')
    expect(d[answer](20, 2, 1).code).toBe('notFound')
    expect(d[answer](20, Number.NaN, 1).code).toBe('invalid')
    expect(d[answer](20, 1, 1.5).code).toBe('invalid')
    expect(d[answer](20, 1, 1).code).toBe('ok')
    expect(d[answer](20, 1, 1).code).toBe('noPendingSelection')
  })

  it('the selected quote may run out during the wait (readings A12, A13)', () => {
    const d = table()
    d.create(10)
    d.submit(20, 1, 4)
    d.at(sec(15) - 1).commit(10, 1)
    expect(d.at(sec(19)).confirm(20, 1, 1).code).toBe('ok')
  })

  it('the request may run out during the wait, and commits when confirmed', () => {
    const d = table()
    d.create(10)
    d.at(sec(89)).submit(20, 1, 4)
    d.at(sec(90) - 1).commit(10, 1)
    expect(d.pulse(sec(91))).toEqual([])
    expect(d.at(sec(92)).confirm(20, 1, 1).code).toBe('ok')
    expect(d.view.request(1)).toMatchObject({ state: RequestState.committed })
  })

  it('other makers may still quote, and withdraw, during the wait', () => {
    const d = pending()
    expect(d.submit(22, 1, 9).code).toBe('ok')
    expect(d.withdrawQuote(21, 1).code).toBe('ok')
    expect(d.submit(20, 1, 9).code).toBe('conflict')
    d.confirm(20, 1, 1)
    expect(d.of('positionOpened')).toMatchObject([{ oddsE4: 40_000 }])
  })

  it('a halt during the wait does not stop the confirmation', () => {
    const d = pending()
    d.halt(1)
    expect(d.confirm(20, 1, 1).code).toBe('ok')
  })
})

describe('a missed confirmation', () => {
  it('PQ-115 PQ-095 PQ-364 answers the commit with the maker that failed, and the request stays active', () => {
    const d = pending()
    const commitSeq = d.seq
    expect(d.pulse(sec(5) - 1)).toEqual([])
    expect(d.pulse(sec(5))).toEqual([
      { event: 'quoteFailed', at: sec(5), cause: -1, maker: 20, owner: 10, request: 1, version: 1, quote: 1, isDeclined: 0, bookSeq: 3 },
      {
        event: 'bestQuoteChanged', at: sec(5), cause: -1, maker: 21, owner: 10, request: 1, version: 1, quote: 2, bookSeq: 3,
        oddsE4: 30_000, expiresAtUs: sec(15),
      },
      {
        event: 'reply', at: sec(5), cause: commitSeq, account: 10, maker: 20, op: 'commitRequest', code: 'mmConfirmationTimeout', request: 1,
        version: 1, quote: 1,
      },
    ])
    expect(d.view.request(1)).toMatchObject({ state: RequestState.active, pendingQuote: -1, bestQuote: 2 })
    expect(d.view.quote(1)).toMatchObject({ state: QuoteState.failed })
  })

  it('PQ-116 PQ-185 INV-10 leaves every balance as before the commit', () => {
    const d = pending()
    d.pulse(sec(5))
    expect(d.moved).toEqual(['release: reserved 10 -> free 10 25000000', 'release: reserved 20 -> free 20 74250000'])
    expect(d.balances(10, 20)).toEqual([[usd(1000), 0], [usd(1000), 0]])
  })

  it('PQ-365 a second commit takes the next quote, or leaves makers out', () => {
    const d = pending()
    d.pulse(sec(5))
    expect(d.commit(10, 1, {}, [21])!.code).toBe('commitFailed')
    d.commit(10, 1)
    expect(d.of('quoteSelected')).toMatchObject([{ quote: 2, maker: 21, confirmBeforeUs: sec(10) }])
    expect(d.confirm(21, 1, 2).code).toBe('ok')
  })

  it('the maker that failed may quote again, and is selected again', () => {
    const d = pending()
    d.pulse(sec(5))
    expect(d.withdrawQuote(20, 1).code).toBe('noActiveQuote')
    expect(d.submit(20, 1, 4).code).toBe('ok')
    d.commit(10, 1)
    expect(d.of('quoteSelected')).toMatchObject([{ quote: 3, maker: 20 }])
  })

  it('a decline is an immediate miss with the same reason (readings A11)', () => {
    const d = pending()
    const commitSeq = d.seq
    expect(d.at(sec(1)).decline(20, 1, 1)).toEqual({
      event: 'reply', at: sec(1), cause: d.seq, account: 20, op: 'declineSelection', code: 'ok', request: 1, version: 1, quote: 1,
    })
    expect(d.names()).toEqual(['quoteFailed', 'bestQuoteChanged', 'reply mmConfirmationTimeout', 'reply ok'])
    expect(d.of('quoteFailed')).toMatchObject([{ isDeclined: 1, cause: d.seq }])
    expect(d.of('reply')[0]).toMatchObject({ cause: commitSeq, code: 'mmConfirmationTimeout', maker: 20 })
    expect(d.balances(10, 20)).toEqual([[usd(1000), 0], [usd(1000), 0]])
    expect(d.pulse(sec(5))).toEqual([])
  })

  it('a deadline of an earlier selection does not end a later one', () => {
    const d = pending()
    d.at(sec(1)).decline(20, 1, 1)
    d.commit(10, 1)
    expect(d.pulse(sec(5))).toEqual([])
    expect(d.at(sec(6) - 1).confirm(21, 1, 2).code).toBe('ok')
  })

  it('a request whose expiry passed during the wait expires right after', () => {
    const d = table()
    d.create(10)
    d.at(sec(89)).submit(20, 1, 4)
    d.submit(21, 1, 3)
    d.at(sec(90) - 1).commit(10, 1)
    d.pulse(sec(95))
    expect(d.rows.map((row) => [row.event, row.at])).toEqual([
      ['quoteFailed', sec(95) - 1], ['bestQuoteChanged', sec(95) - 1], ['reply', sec(95) - 1], ['quoteInvalidated', sec(95) - 1],
      ['bestQuoteChanged', sec(95) - 1], ['requestExpired', sec(95) - 1],
    ])
  })

  it('and when the maker declines after it, after the reply to the decline', () => {
    const d = table()
    d.create(10)
    d.at(sec(89)).submit(20, 1, 4)
    d.commit(10, 1)
    d.at(sec(90)).decline(20, 1, 1)
    expect(d.names()).toEqual(['quoteFailed', 'bestQuoteChanged', 'reply mmConfirmationTimeout', 'reply ok', 'requestExpired'])
  })

  it('one microsecond before its expiry a request outlives the decline', () => {
    const d = table()
    d.create(10)
    d.at(sec(89)).submit(20, 1, 4)
    d.commit(10, 1)
    d.at(sec(90) - 1).decline(20, 1, 1)
    expect(d.names()).toEqual(['quoteFailed', 'bestQuoteChanged', 'reply mmConfirmationTimeout', 'reply ok'])
    expect(d.pulse(sec(90)).map((row) => row.event)).toEqual(['requestExpired'])
  })
})
