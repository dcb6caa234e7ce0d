import { describe, expect, it } from 'vitest'
import { PostingField } from '../../../src/ledger/postingRows.ts'
import { OperationKind, OperationStatus } from '../../../src/venue/outcome/protocol/events.ts'
import { Driver, ms, sec, table, unix, usd } from './driver.ts'

/** `InvalidField` numbers that replies show. */
const FIELD = { account: 2, amount: 3, validAfter: 15, validBefore: 16, exitExpiry: 17 } as const
const PAYOUT = 99_800_000
const MILLION = usd(1_000_000)

/** A quote on a new RFQ of the taker, ready to be accepted. */
function quoted(d: Driver, taker = 10, maker = 20, payoutMicros = PAYOUT): number {
  return d.quote(maker, d.create(taker)['rfq'] as number, payoutMicros)['quote'] as number
}

describe('deposits', () => {
  it('INV-01 credit a participant\'s balance and a maker\'s capital at once', () => {
    const d = table()
    expect(d.deposit(10, usd(5))).toEqual({ event: 'reply', at: 0, cause: d.seq, code: 'ok', op: 'deposit', account: 10, accountBalanceMicros: usd(1005) })
    expect(d.rows[0]).toEqual({ event: 'fundsDeposited', at: 0, cause: d.seq, account: 10, amountMicros: usd(5), accountBalanceMicros: usd(1005) })
    expect(d.moved).toEqual(['deposit: external -> free 10 5000000'])
    d.deposit(20, 1)
    expect(d.free(20)).toBe(usd(1000) + 1)
    expect(d.view.totals().netDepositsMicros).toBe(usd(5005) + 1)
  })

  it('show what is held beside what is free', () => {
    const d = table()
    d.withdraw(10, usd(400))
    expect(d.deposit(10, usd(1))).toMatchObject({ accountBalanceMicros: usd(1001) })
    expect(d.balances(10)).toEqual([[usd(601), usd(400)]])
  })

  it('take 1 micro-unit to a thousand million USDC, and no number that is none', () => {
    const d = table()
    for (const amount of [0, -1, 1.5, Number.NaN, 1e15 + 1]) expect(d.deposit(10, amount)).toMatchObject({ code: 'invalidRequest', invalidField: FIELD.amount })
    expect(d.deposit(10, 1).code).toBe('ok')
    expect(d.deposit(11, 1e15).code).toBe('ok')
  })

  it('leave the vault at or below 4,000,000,000 USDC in all', () => {
    const d = table()
    for (let i = 0; i < 3; i++) d.deposit(10, 1e15)
    const room = 1e15 - usd(5000)
    expect(d.deposit(11, room + 1)).toMatchObject({ code: 'invalidRequest', invalidField: FIELD.amount })
    expect(d.deposit(11, room).code).toBe('ok')
    expect(d.deposit(11, 1)).toMatchObject({ code: 'invalidRequest', invalidField: FIELD.amount })
    d.withdraw(11, usd(2))
    expect(d.deposit(11, 1).code).toBe('invalidRequest')
    d.pulse(sec(2))
    expect(d.deposit(11, usd(2)).code).toBe('ok')
  })

  it('OM-192 need an identity of either role', () => {
    const d = table()
    expect(d.deposit(30, usd(1))).toEqual({ event: 'reply', at: 0, cause: d.seq, code: 'identityNotFound', op: 'deposit', account: 30 })
    d.bind(30, 'maker')
    expect(d.deposit(30, usd(1)).code).toBe('ok')
  })

  it('OM-227 are taken while financial actions are disabled', () => {
    const d = table()
    d.fault('financialActionsDisabled', 1)
    expect(d.deposit(10, usd(1)).code).toBe('ok')
  })
})

describe('a withdrawal', () => {
  it('OM-010 OM-050 OM-095 holds the amount, and leaves when the chain is done', () => {
    const d = table()
    d.at(sec(1)).withdraw(10, usd(300))
    expect(d.moved).toEqual(['hold: free 10 -> reserved 10 300000000'])
    expect(d.rows).toEqual([
      { event: 'operationStarted', at: sec(1), cause: d.seq, account: 10, operation: 1, operationKind: 'withdrawal', amountMicros: usd(300), nextStepAtUs: sec(3) },
      { event: 'reply', at: sec(1), cause: d.seq, code: 'ok', op: 'withdraw', account: 10, operation: 1, nextStepAtUs: sec(3) },
    ])
    expect(d.view.operation(1)).toEqual({
      number: 1, kind: OperationKind.withdrawal, status: OperationStatus.pending, account: 10, acceptance: -1, amountMicros: usd(300),
    })
    expect(d.view.operationsOf(10)).toEqual([1])
    expect(d.balances(10)).toEqual([[usd(700), usd(300)]])
    expect(d.pulse(sec(3) - 1)).toEqual([])
    expect(d.pulse(sec(3))).toEqual([
      { event: 'operationUpdated', at: sec(3), cause: -1, account: 10, operation: 1, operationKind: 'withdrawal', amountMicros: usd(300), status: OperationStatus.done },
      { event: 'fundsWithdrawn', at: sec(3), cause: -1, account: 10, operation: 1, amountMicros: usd(300), accountBalanceMicros: usd(700) },
    ])
    expect(d.moved).toEqual(['withdraw: reserved 10 -> external 300000000'])
    expect(d.balances(10)).toEqual([[usd(700), 0]])
    expect(d.view.totals().netDepositsMicros).toBe(usd(4700))
    expect([d.view.operation(1)?.status, d.view.operationsOf(10)]).toEqual([OperationStatus.done, []])
  })

  it('INV-23 takes at most what is free: all of it passes and a micro-unit more fails', () => {
    const d = table()
    d.accept(10, quoted(d))
    expect(d.withdraw(10, usd(975) + 1)).toEqual({ event: 'reply', at: 0, cause: d.seq, code: 'stateConflict', op: 'withdraw', account: 10 })
    expect(d.withdraw(10, usd(975)).code).toBe('ok')
  })

  it('takes 1 micro-unit to 1,000,000 USDC', () => {
    const d = table()
    d.deposit(10, 2 * MILLION)
    for (const amount of [0, -1, 0.5, Number.NaN, MILLION + 1]) {
      expect(d.withdraw(10, amount)).toEqual({ event: 'reply', at: 0, cause: d.seq, code: 'invalidRequest', op: 'withdraw', account: 10, invalidField: FIELD.amount })
    }
    expect(d.withdraw(10, MILLION).code).toBe('ok')
    d.pulse(sec(2))
    expect(d.withdraw(10, 1).code).toBe('ok')
  })

  it('OM-272 its Exit ends 5 s ahead or later: 5 passes, 4 and a microsecond less than 5 fail', () => {
    const window = (atUs: number, exitS: number): string => table().at(atUs).withdraw(10, 1, { exitUntilS: unix(exitS), validBeforeS: unix(exitS + 300) }).code!
    expect([window(0, 5), window(0, 4), window(1, 5), window(1, 6)]).toEqual(['ok', 'invalidRequest', 'invalidRequest', 'ok'])
  })

  it('OM-272 OM-273 and at most 3,600 s ahead less the margin of 5: 3595 passes, 3596 and 3601 fail', () => {
    const far = (exitS: number) => table().withdraw(10, 1, { exitUntilS: unix(exitS), validBeforeS: unix(exitS + 300) })
    expect([far(3595).code, far(3596).code, far(3600).code, far(3601).code]).toEqual(['ok', 'invalidRequest', 'invalidRequest', 'invalidRequest'])
    expect(far(3596)['invalidField']).toBe(FIELD.exitExpiry)
    // From 1 s on it is 3,595 s ahead, from a microsecond before not yet.
    expect(table().at(sec(1)).withdraw(10, 1, { exitUntilS: unix(3596), validBeforeS: unix(3896) }).code).toBe('ok')
    expect(table().at(sec(1) - 1).withdraw(10, 1, { exitUntilS: unix(3596), validBeforeS: unix(3896) }).code).toBe('invalidRequest')
  })

  it('OM-273 exitMarginAtNear narrows the near end: 10 and 3600 pass, 9 and 3601 fail', () => {
    const near = (exitS: number): string =>
      table({ exitMarginAtNear: 1 }).withdraw(10, 1, { exitUntilS: unix(exitS), validBeforeS: unix(exitS + 300) }).code!
    expect([near(9), near(10), near(3600), near(3601)]).toEqual(['invalidRequest', 'ok', 'ok', 'invalidRequest'])
  })

  it('OM-272 an Exit that is no second at all is refused', () => {
    for (const exitUntilS of [-2, 0, Number.NaN, unix(10) + 0.5]) {
      expect(table().withdraw(10, 1, { exitUntilS, validBeforeS: unix(900) })).toMatchObject({ code: 'invalidRequest', invalidField: FIELD.exitExpiry })
    }
  })

  it('OM-274 its payout spans 4,500 s: 4500 passes and 4501 fails', () => {
    const span = (validAfterS: number, validBeforeS: number) => table().withdraw(10, 1, { validAfterS: unix(validAfterS), validBeforeS: unix(validBeforeS) })
    expect([span(0, 4500).code, span(0, 4501).code, span(-4200, 300).code, span(-4201, 300).code]).toEqual(['ok', 'invalidRequest', 'ok', 'invalidRequest'])
    expect(span(0, 4501)['invalidField']).toBe(FIELD.validBefore)
  })

  it('OM-276 without an Exit it is payable for 300 s from now: 300 passes, 299 and a microsecond less than 300 fail', () => {
    const ahead = (atUs: number, validBeforeS: number) => table().at(atUs).withdraw(10, 1, { validBeforeS: unix(validBeforeS) })
    expect([ahead(0, 300).code, ahead(0, 299).code, ahead(1, 300).code, ahead(1, 301).code]).toEqual(['ok', 'invalidRequest', 'invalidRequest', 'ok'])
    expect(ahead(0, 299)['invalidField']).toBe(FIELD.validBefore)
  })

  it('OM-275 with an Exit it is payable for 300 s after that: 300 passes and 299 fails', () => {
    const after = (validBeforeS: number) => table().withdraw(10, 1, { exitUntilS: unix(1000), validBeforeS: unix(validBeforeS) })
    expect([after(1300).code, after(1299).code]).toEqual(['ok', 'invalidRequest'])
    expect(after(1299)['invalidField']).toBe(FIELD.validBefore)
  })

  it('is not valid before it is sent: valid_after now passes, a second later and what is no second fail', () => {
    const from = (validAfterS: number) => table().withdraw(10, 1, { validAfterS })
    expect(from(unix(0)).code).toBe('ok')
    for (const bad of [unix(1), -1, Number.NaN, unix(0) - 0.5]) expect(from(bad)).toMatchObject({ code: 'invalidRequest', invalidField: FIELD.validAfter })
    expect(from(0)).toMatchObject({ code: 'invalidRequest', invalidField: FIELD.validBefore })
  })

  it('fails when the chain is too late for its valid_before, and is done a millisecond earlier', () => {
    for (const [operationMs, status] of [[299_999, OperationStatus.done], [300_000, OperationStatus.failed]] as const) {
      const d = table({ operationMs })
      d.withdraw(10, usd(300), { validBeforeS: unix(300) })
      d.pulse(ms(operationMs))
      expect(d.rows[0]).toMatchObject({ event: 'operationUpdated', status: status })
      expect(d.free(10)).toBe(usd(status === OperationStatus.done ? 700 : 1000))
    }
  })

  it('INV-10 fails when the chain is too late for its Exit: all is free again', () => {
    for (const [operationMs, status] of [[4_999, OperationStatus.done], [5_000, OperationStatus.failed]] as const) {
      const d = table({ operationMs })
      d.withdraw(10, usd(300), { exitUntilS: unix(5), validBeforeS: unix(305) })
      d.pulse(ms(operationMs))
      expect(d.rows[0]!['status']).toBe(status)
      if (status === OperationStatus.failed) expect([d.names(), d.moved]).toEqual([['operationUpdated'], ['release: reserved 10 -> free 10 300000000']])
    }
  })

  it('INV-10 fails when the chain drops it, and waits while it is stalled', () => {
    const d = table()
    d.withdraw(10, usd(300))
    d.fault('chainStalled', 1)
    d.pulse(sec(2))
    expect(d.rows).toEqual([{ event: 'operationUpdated', at: sec(2), cause: -1, account: 10, operation: 1, operationKind: 'withdrawal', amountMicros: usd(300), status: OperationStatus.pending, nextStepAtUs: sec(4) }])
    d.at(sec(3)).fault('chainDropped', 1)
    d.pulse(sec(4))
    expect(d.moved).toEqual(['release: reserved 10 -> free 10 300000000'])
    expect(d.balances(10)).toEqual([[usd(1000), 0]])
  })

  it('OM-190 is a participant\'s', () => {
    const d = table()
    expect(d.withdraw(20, usd(1))).toEqual({ event: 'reply', at: 0, cause: d.seq, code: 'forbidden', op: 'withdraw', account: 20 })
    expect(d.withdraw(30, usd(1)).code).toBe('identityNotFound')
  })

  it('OM-227 is refused while financial actions are disabled, after its fields and before its signature', () => {
    const d = table()
    d.fault('financialActionsDisabled', 1)
    expect(d.withdraw(10, 0).code).toBe('invalidRequest')
    expect(d.withdraw(10, usd(1), { signer: -1 })).toEqual({ event: 'reply', at: 0, cause: d.seq, code: 'financialActionsDisabled', op: 'withdraw', account: 10 })
    d.at(1).fault('financialActionsDisabled', 0)
    expect(d.withdraw(10, usd(1)).code).toBe('ok')
  })
})

describe('the core wallet', () => {
  it('OM-211 a withdrawal is a move in flight: the next, and a core-funded accept, wait for its end', () => {
    const d = table()
    const quote = quoted(d)
    d.withdraw(10, usd(1))
    expect(d.view.balance(10).core).toBe('moving')
    expect(d.withdraw(10, usd(1)).code).toBe('coreMoveInFlight')
    expect(d.accept(10, quote, { coreMicros: 1 })!.code).toBe('coreMoveInFlight')
    expect(d.withdraw(11, usd(1)).code).toBe('ok')
    expect(d.accept(10, quote, { coreMicros: 0 })).toBeUndefined()
    d.pulse(sec(2))
    expect(d.withdraw(10, usd(1)).code).toBe('ok')
  })

  it('OM-209 OM-211 a withdrawal waits for a core-funded acceptance that is pending, and for its fill', () => {
    const d = table()
    const quote = quoted(d)
    d.accept(10, quote, { coreMicros: usd(5) })
    expect(d.view.balance(10).core).toBe('funding')
    expect(d.withdraw(10, usd(1)).code).toBe('coreFundingConflict')
    d.confirm(20, quote)
    expect(d.withdraw(10, usd(1)).code).toBe('coreMoveInFlight')
    d.pulse(sec(2))
    expect(d.withdraw(10, usd(1)).code).toBe('ok')
  })

  it('OM-209 without a core part an acceptance and its fill leave it idle', () => {
    const d = table()
    const quote = quoted(d)
    d.accept(10, quote, { coreMicros: 0 })
    expect(d.view.balance(10).core).toBe('idle')
    d.confirm(20, quote)
    expect(d.withdraw(10, usd(1)).code).toBe('ok')
  })
})

describe('a collateral reduction', () => {
  it('OM-014 OM-087 OM-277 leaves the capital at once and the vault 86,400 s later', () => {
    const d = table()
    d.at(sec(1)).reduce(20, usd(300))
    expect(d.moved).toEqual(['hold: free 20 -> reserved 20 300000000'])
    expect(d.rows).toEqual([
      { event: 'reductionStarted', at: sec(1), cause: d.seq, account: 20, amountMicros: usd(300), reduction: 1, releaseAtUs: sec(86_401) },
      { event: 'reply', at: sec(1), cause: d.seq, code: 'ok', op: 'reduceCollateral', account: 20, reduction: 1, releaseAtUs: sec(86_401) },
    ])
    expect(d.pulse(sec(86_401) - 1)).toEqual([])
    expect(d.pulse(sec(86_401))).toEqual([{ event: 'fundsWithdrawn', at: sec(86_401), cause: -1, account: 20, amountMicros: usd(300), accountBalanceMicros: usd(700), reduction: 1 }])
    expect(d.moved).toEqual(['withdraw: reserved 20 -> external 300000000'])
    expect(d.view.totals().netDepositsMicros).toBe(usd(4700))
  })

  it('OM-277 several are numbered from 1 and released in that order', () => {
    const d = table({ reductionDelayMs: 1_000 })
    expect([d.reduce(20, 1)['reduction'], d.reduce(21, 2)['reduction'], d.reduce(20, 3)['reduction']]).toEqual([1, 2, 3])
    expect(d.pulse(sec(1)).map((row) => [row['account'], row['amountMicros'], row['reduction']])).toEqual([[20, 1, 1], [21, 2, 2], [20, 3, 3]])
    expect(d.reduce(21, 1)['reduction']).toBe(4)
  })

  it('OM-011 OM-052 OM-086 the capital shows what is free, held, backed, leaving and quoted', () => {
    const d = table()
    d.open(10, 20, PAYOUT)
    const [accepted] = [quoted(d, 10, 20, usd(30)), quoted(d, 11, 20, usd(40))]
    d.accept(10, accepted)
    d.reduce(20, usd(100))
    // Risks 30 − 24.95 and 40 − 24.95; 1000 − 74.85 − 5.05 − 100.
    expect(d.view.capital(20)).toEqual({
      freeMicros: 820_100_000, pendingMicros: 5_050_000, backedMicros: 74_850_000, reductionsMicros: usd(100), quotedMicros: 15_050_000,
    })
    expect([d.view.capital(10), d.view.capital(99)]).toEqual([null, null])
    d.pulse(sec(86_500))
    // The second quote expired, the acceptance timed out.
    expect(d.view.capital(20)).toEqual({ freeMicros: 825_150_000, pendingMicros: 0, backedMicros: 74_850_000, reductionsMicros: 0, quotedMicros: 0 })
  })

  it('OM-208 OM-277 covers no quote any more', () => {
    const d = table()
    const rfq = d.create(10)['rfq'] as number
    d.reduce(20, usd(1000) - 74_849_999)
    expect(d.quote(20, rfq, PAYOUT)).toMatchObject({ code: 'quoteCapacityExceeded', requiredMicros: 74_850_000, availableMicros: 74_849_999 })
    expect(d.quote(20, rfq, PAYOUT - 1).code).toBe('ok')
  })

  it('INV-23 takes at most what is free: all of it passes and a micro-unit more fails', () => {
    const d = table()
    d.accept(10, quoted(d))
    expect(d.reduce(20, usd(1000) - 74_850_000 + 1)).toEqual({ event: 'reply', at: 0, cause: d.seq, code: 'stateConflict', op: 'reduceCollateral', account: 20 })
    expect(d.reduce(20, usd(1000) - 74_850_000).code).toBe('ok')
    expect(d.reduce(20, 1).code).toBe('stateConflict')
  })

  it('takes 1 micro-unit to 1,000,000 USDC, of a maker', () => {
    const d = table()
    d.deposit(20, 2 * MILLION)
    for (const amount of [0, -1, 0.5, Number.NaN, MILLION + 1]) expect(d.reduce(20, amount)).toMatchObject({ code: 'invalidRequest', invalidField: FIELD.amount })
    expect([d.reduce(20, MILLION).code, d.reduce(20, 1).code]).toEqual(['ok', 'ok'])
    expect(d.reduce(10, 1)).toEqual({ event: 'reply', at: 0, cause: d.seq, code: 'forbidden', op: 'reduceCollateral', account: 10 })
  })

  it('OM-227 is refused while financial actions are disabled, and one that is under way is released all the same', () => {
    const d = table()
    d.reduce(20, usd(1))
    d.fault('financialActionsDisabled', 1)
    expect(d.reduce(20, 0).code).toBe('invalidRequest')
    expect(d.reduce(20, usd(1), { signer: -1 }).code).toBe('financialActionsDisabled')
    expect(d.pulse(sec(86_400)).length).toBe(1)
  })
})

describe('account −0', () => {
  it('is account 0 in rows and postings', () => {
    const d = new Driver()
    d.bind(0, 'maker')
    d.deposit(-0, usd(5))
    expect([d.rows[0]!['account'], d.moved]).toEqual([0, ['deposit: external -> free 0 5000000']])
    expect(d.postings.cells[PostingField.creditOwner]).toBe(0)
    d.reduce(-0, usd(1))
    expect(d.rows[0]!['account']).toBe(0)
    expect([d.postings.cells[PostingField.debitOwner], d.postings.cells[PostingField.creditOwner]]).toEqual([0, 0])
    d.setSigner(-0, -0)
    expect(d.rows[0]).toEqual({ event: 'signerChanged', at: 0, cause: d.seq, account: 0, signer: 0 })
    const taker = new Driver()
    taker.bind(0, 'participant')
    taker.deposit(0, usd(5))
    taker.withdraw(-0, usd(1))
    expect(taker.rows[0]!['account']).toBe(0)
    expect(taker.postings.cells[PostingField.debitOwner]).toBe(0)
  })
})

describe('views of money', () => {
  it('OM-067 are copies, and know nothing of accounts that were never bound', () => {
    const d = table()
    const balance = d.view.balance(10)
    expect(balance).toEqual({ role: 0, freeMicros: usd(1000), reservedMicros: 0, core: 'idle', signer: 10 })
    balance.freeMicros = 0
    expect(d.free(10)).toBe(usd(1000))
    expect(d.view.balance(20).role).toBe(1)
    for (const account of [15, 99, -1]) expect(d.view.balance(account)).toEqual({ role: null, freeMicros: 0, reservedMicros: 0, core: 'idle', signer: -1 })
  })
})
