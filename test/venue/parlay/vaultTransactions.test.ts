import { describe, expect, it } from 'vitest'
import { Deposit, SetWallet, Token } from '../../../src/venue/parlay/protocol/commands.ts'
import { Driver, sec, table, usd } from './driver.ts'

const START = 'vaultTransactionStarted'
const CHANGE = 'vaultTransactionChanged'
const DEPOSIT = 1
const WITHDRAWAL = 2
const CHAIN_FAULTS = ['chainUnclear', 'chainDropped', 'mirrorBehind'] as const
type ChainFault = (typeof CHAIN_FAULTS)[number]

const fenced = (d: Driver, ...accounts: number[]): boolean[] => accounts.map((account) => d.view.balance(account).fenced)

describe('tokens', () => {
  it('PQ-026 PQ-027 native USDC alone credits: another token and bridged USDC leave every balance unchanged', () => {
    const d = new Driver()
    d.pulse()
    const before = d.venue.stateHash()
    for (const value of [Token.bridgedUsdc, Token.other]) {
      expect(d.send('deposit', 7, { amountMicros: usd(5), value })).toMatchObject({ code: 'tokenNotCredited' })
      expect([d.names(), d.moved, d.view.balance(7).hasVault]).toEqual([['reply tokenNotCredited'], [], false])
    }
    expect(d.venue.stateHash()).toBe(before)
    expect(d.send('deposit', 7, { amountMicros: 1, [Deposit.token]: Token.usdc })).toMatchObject({ code: 'ok' })
    expect(d.send('deposit', 7, { amountMicros: 1 })).toMatchObject({ code: 'ok' })
    expect(d.free(7)).toBe(2)
  })

  it.each([[-2, 'invalid'], [3, 'invalid'], [0.5, 'invalid'], [Number.NaN, 'invalid']])('PQ-026 token %d is %s', (value, code) => {
    expect(new Driver().send('deposit', 7, { amountMicros: 1, value })!.code).toBe(code)
  })
})

describe('a transaction while no fault of the chain is on', () => {
  it('PQ-078 is completed at once, credited before its answer, and fences nothing', () => {
    const d = new Driver()
    d.deposit(7, 5)
    expect(d.names()).toEqual(['fundsDeposited', 'reply ok'])
    d.fault('chainDisabled', 1)
    d.fault('chainDisabled', 0)
    d.withdraw(7, 2)
    expect(d.names()).toEqual(['fundsWithdrawn', 'reply ok'])
    expect([d.free(7), ...fenced(d, 7)]).toEqual([3, false])
  })
})

describe('a deposit while the chain is at fault', () => {
  it('PQ-079 PQ-078 PQ-083 unclear: chain_pending for 20 s, balance_pending for 10 s, then completed and credited', () => {
    const d = new Driver()
    d.fault('chainUnclear', 1)
    const row = { cause: d.seq + 1, account: 7, amountMicros: usd(5), effect: DEPOSIT, transaction: 1 }
    expect(d.deposit(7, usd(5))).toEqual({ event: 'reply', at: 0, cause: row.cause, account: 7, op: 'deposit', code: 'chainPending', transaction: 1 })
    expect(d.rows[0]).toEqual({ event: START, at: 0, ...row, status: 'chain pending', nextStepAtUs: sec(20) })
    expect([d.rows.length, d.moved, d.view.balance(7).grossMicros, ...fenced(d, 7)]).toEqual([2, [], 0, true])
    expect(d.pulse(sec(20) - 1)).toEqual([])
    expect(d.pulse(sec(20))).toEqual([{ event: CHANGE, at: sec(20), ...row, cause: -1, status: 'balance pending', nextStepAtUs: sec(30) }])
    expect([d.moved, d.free(7), ...fenced(d, 7)]).toEqual([[], 0, true])
    expect(d.pulse(sec(30) - 1)).toEqual([])
    expect(d.pulse(sec(30))).toEqual([
      { event: CHANGE, at: sec(30), ...row, cause: -1, status: 'completed' },
      { event: 'fundsDeposited', at: sec(30), cause: -1, account: 7, amountMicros: usd(5), grossBalanceMicros: usd(5) },
    ])
    expect([d.moved, ...fenced(d, 7)]).toEqual([['deposit: external -> free 7 5000000'], false])
  })

  it('PQ-080 PQ-083 the mirror behind: balance_pending for 10 s, then completed', () => {
    const d = new Driver()
    d.fault('mirrorBehind', 1)
    expect(d.deposit(7, usd(5))).toMatchObject({ code: 'balancePending', transaction: 1 })
    expect(d.rows[0]).toMatchObject({ event: START, status: 'balance pending', nextStepAtUs: sec(10) })
    expect(d.pulse(sec(10) - 1)).toEqual([])
    d.pulse(sec(10))
    expect(d.names()).toEqual([CHANGE, 'fundsDeposited'])
    expect(d.free(7)).toBe(usd(5))
  })

  it('PQ-079 dropped: chain_pending for 20 s, then failed: nothing moved, and no vault came into being', () => {
    const d = new Driver()
    d.fault('chainDropped', 1)
    expect(d.deposit(7, usd(5))).toMatchObject({ code: 'chainPending' })
    expect(d.pulse(sec(20) - 1)).toEqual([])
    expect(d.pulse(sec(20))).toEqual([
      { event: CHANGE, at: sec(20), cause: -1, account: 7, amountMicros: usd(5), effect: DEPOSIT, transaction: 1, status: 'failed' },
    ])
    expect([d.moved, d.view.balance(7).hasVault, ...fenced(d, 7)]).toEqual([[], false, false])
    expect(d.pulse(sec(999))).toEqual([])
    expect(d.withdraw(7, 1).code).toBe('noVault')
  })

  it('the chain dropping comes before its being unclear, and that before the mirror', () => {
    const start = (faults: readonly ChainFault[]): unknown[] => {
      const d = new Driver()
      for (const fault of faults) d.fault(fault, 1)
      d.deposit(7, 1)
      return [d.rows[0]!['status'], d.pulse(sec(20)).at(-1)!['status']]
    }
    expect(start(['mirrorBehind', 'chainUnclear', 'chainDropped'])).toEqual(['chain pending', 'failed'])
    expect(start(['mirrorBehind', 'chainUnclear'])).toEqual(['chain pending', 'balance pending'])
    expect(start(['mirrorBehind', 'chainDropped'])).toEqual(['chain pending', 'failed'])
  })

  it('goes its way whatever is switched later', () => {
    const d = new Driver()
    d.fault('chainDropped', 1)
    d.deposit(1, 5)
    d.fault('chainDropped', 0)
    d.fault('chainUnclear', 1)
    d.deposit(2, 5)
    d.fault('chainUnclear', 0)
    d.deposit(3, 5)
    d.fault('chainDropped', 1)
    d.fault('chainDisabled', 1)
    d.pulse(sec(60))
    expect(d.rows.map((row) => [row.event, row.at, row['account'], row['status']])).toEqual([
      [CHANGE, sec(20), 1, 'failed'], [CHANGE, sec(20), 2, 'balance pending'], [CHANGE, sec(30), 2, 'completed'],
      ['fundsDeposited', sec(30), 2, undefined],
    ])
    expect([1, 2, 3].map((account) => d.free(account))).toEqual([0, 5, 5])
  })

  it('INV-01 counts against what a vault can hold from its start, and no more once it has failed', () => {
    const d = new Driver()
    for (let account = 0; account < 3; account++) d.deposit(account, 1e15)
    d.fault('chainDropped', 1)
    expect(d.deposit(3, 1e15).code).toBe('chainPending')
    d.fault('chainDropped', 0)
    expect(d.deposit(9, 1).code).toBe('invalid')
    expect(d.at(sec(20)).deposit(9, 1).code).toBe('ok')
  })
})

describe('a withdrawal while the chain is at fault', () => {
  function begun(fault: ChainFault, op: 'withdraw' | 'walletWithdraw' = 'withdraw'): Driver {
    const d = new Driver()
    d.deposit(7, usd(9))
    d.fault(fault, 1)
    d.send(op, 7, { amountMicros: usd(4) })
    return d
  }

  it.each((['withdraw', 'walletWithdraw'] as const).flatMap((op) => CHAIN_FAULTS.map((fault) => [op, fault] as const)))(
    'PQ-084 %s answers with its error while recovery is pending (%s), and holds the money', (op, fault) => {
      const d = begun(fault, op)
      expect(d.of('reply')).toEqual([{ event: 'reply', at: 0, cause: d.seq, account: 7, op, code: 'recoveryPending', transaction: 1 }])
      expect(d.rows[0]).toMatchObject({ event: START, account: 7, amountMicros: usd(4), effect: WITHDRAWAL, transaction: 1 })
      expect(d.moved).toEqual(['hold: free 7 -> reserved 7 4000000'])
      expect(d.view.balance(7)).toMatchObject({ freeMicros: usd(5), reservedMicros: usd(4), grossMicros: usd(9), fenced: true })
    },
  )

  it('PQ-078 is paid out at its completion', () => {
    const d = begun('mirrorBehind')
    expect(d.pulse(sec(10) - 1)).toEqual([])
    expect(d.pulse(sec(10))).toEqual([
      { event: CHANGE, at: sec(10), cause: -1, account: 7, amountMicros: usd(4), effect: WITHDRAWAL, transaction: 1, status: 'completed' },
      { event: 'fundsWithdrawn', at: sec(10), cause: -1, account: 7, amountMicros: usd(4), grossBalanceMicros: usd(5) },
    ])
    expect(d.moved).toEqual(['withdraw: reserved 7 -> external 4000000'])
    expect(d.view.balance(7)).toMatchObject({ freeMicros: usd(5), reservedMicros: 0, fenced: false })
  })

  it('is released when the chain drops it', () => {
    const d = begun('chainDropped')
    d.pulse(sec(20))
    expect(d.rows).toMatchObject([{ event: CHANGE, status: 'failed' }])
    expect(d.moved).toEqual(['release: reserved 7 -> free 7 4000000'])
    expect(d.view.balance(7)).toMatchObject({ freeMicros: usd(9), reservedMicros: 0, fenced: false })
  })
})

describe('a fenced vault', () => {
  it('PQ-081 PQ-085 takes no money-moving call and no new lock, for as long as its transaction is pending', () => {
    const d = table()
    d.create(10)
    d.create(21)
    d.submit(20, 1, 4)
    d.submit(20, 2, 4)
    d.submit(22, 2, 3)
    d.fault('mirrorBehind', 1)
    for (const account of [10, 20]) d.deposit(account, 1)
    d.fault('mirrorBehind', 0)
    const refused = (): unknown[] => [
      d.deposit(10, 1).code, d.withdraw(10, 1).code, d.send('walletWithdraw', 10, { amountMicros: 1 })!.code,
      d.commit(10, 1)?.code, d.submit(20, 1, 4.5).code,
    ]
    expect(d.withdraw(10, usd(9999)).code).toBe('vaultFenced')
    expect(refused()).toEqual(['vaultFenced', 'vaultFenced', 'vaultFenced', 'commitFailedRetryable', 'collateralCheckUnavailable'])
    expect(d.at(sec(10) - 1).view.balance(10).fenced).toBe(true)
    expect(refused()).toEqual(['vaultFenced', 'vaultFenced', 'vaultFenced', 'commitFailedRetryable', 'collateralCheckUnavailable'])
    // Another's commit passes the fenced maker over, as if it were short of collateral.
    d.commit(21, 2)
    expect(d.of('quoteSelected')).toMatchObject([{ maker: 22, oddsE4: 30_000 }])
    d.at(sec(10))
    expect(refused()).toEqual(['ok', 'ok', 'ok', undefined, 'conflict'])
    expect(d.view.balance(10).fenced).toBe(false)
  })

  it('PQ-085 PQ-363 a commit that only a maker\'s fence keeps from a quote may be tried again', () => {
    const d = table()
    d.create(10)
    d.submit(20, 1, 4)
    d.submit(21, 1, 3)
    d.submit(22, 1, 2)
    d.fault('mirrorBehind', 1)
    d.deposit(20, 1)
    d.withdraw(22, usd(1000))
    d.fault('mirrorBehind', 0)
    const code = (excluded: number[], oddsE4 = 10_001): unknown => d.commit(10, 1, { oddsE4 }, excluded)?.code
    // 20 is fenced with collateral, 21 open, 22 fenced and short.
    expect([code([21]), code([21, 22]), code([], 30_001)]).toEqual(Array(3).fill('commitFailedRetryable'))
    expect([code([20, 21]), code([20, 21, 22]), code([20], 30_001)]).toEqual(Array(3).fill('commitFailed'))
    d.withdraw(21, usd(1000))
    expect(code([])).toBe('commitFailedRetryable')
    expect(code([], 40_001)).toBe('quoteExpired')
    d.at(sec(10))
    expect(d.commit(10, 1)).toBeUndefined()
  })

  it('PQ-081 PQ-085 INV-23 confirms and settles what was held before the fence, with no fault on any more', () => {
    const d = table()
    d.open(10, 20, 4)
    d.create(10, [[3, 'yes'], [4, 'yes']])
    d.submit(20, 2, 4)
    d.commit(10, 2)
    d.fault('mirrorBehind', 1)
    for (const account of [10, 20]) d.deposit(account, 1)
    d.fault('mirrorBehind', 0)
    expect(fenced(d, 10, 20)).toEqual([true, true])
    expect(d.at(sec(1)).confirm(20, 2, 2).code).toBe('ok')
    expect(d.moved).toEqual([
      'commit: reserved 10 -> pot 2 24750000', 'commit: reserved 10 -> escrow 2 250000', 'commit: reserved 20 -> pot 2 74250000',
    ])
    expect(d.names()).not.toContain(START)
    d.resolve(1, 'no')
    d.pulse()
    expect(d.of('positionSettled')).toMatchObject([{ position: 1, outcome: 'lost' }])
    expect(fenced(d, 10, 20)).toEqual([true, true])
    // 1000 − 74.25 − 74.25 + 99
    expect(d.balances(10, 20)).toEqual([[usd(950), 0], [usd(950.5), 0]])
  })

  it('PQ-081 INV-23 gives back what was held before the fence, on a decline and on a timeout', () => {
    const d = table()
    for (const request of [1, 2]) {
      d.create(10)
      d.submit(20, request, 4)
      d.commit(10, request)
    }
    d.fault('mirrorBehind', 1)
    for (const account of [10, 20]) d.deposit(account, 1)
    d.fault('mirrorBehind', 0)
    expect(d.decline(20, 1, 1).code).toBe('ok')
    d.pulse(sec(5))
    expect(d.of('quoteFailed')).toMatchObject([{ quote: 2 }])
    expect([fenced(d, 10, 20), d.balances(10, 20)]).toEqual([[true, true], [[usd(1000), 0], [usd(1000), 0]]])
  })

  it('PQ-082 PQ-085 can be read, its pending money not counted, and may quote-withdraw, cancel and confirm', () => {
    const d = table()
    d.create(10)
    d.create(10)
    d.submit(20, 1, 4)
    d.submit(20, 2, 4)
    d.commit(10, 1)
    d.fault('mirrorBehind', 1)
    d.deposit(10, usd(50))
    d.deposit(20, usd(50))
    expect(d.view.balance(10)).toMatchObject({ freeMicros: usd(975), reservedMicros: usd(25), grossMicros: usd(1000), fenced: true })
    expect(d.view.portfolio(10).balance).toEqual(d.view.balance(10))
    expect([d.withdrawQuote(20, 2).code, d.cancel(10, 2).code, d.confirm(20, 1, 1).code]).toEqual(['ok', 'ok', 'ok'])
  })

  it('PQ-081 the fence of two transactions goes with the later one', () => {
    const d = table()
    for (const request of [1, 2]) {
      d.create(10)
      d.submit(20, request, 2)
      d.commit(10, request)
    }
    d.fault('mirrorBehind', 1)
    d.confirm(20, 1, 1)
    d.at(sec(3)).confirm(20, 2, 2)
    d.pulse(sec(10))
    expect(fenced(d, 10, 20, 21)).toEqual([true, true, false])
    d.pulse(sec(13) - 1)
    expect(fenced(d, 10, 20)).toEqual([true, true])
    d.pulse(sec(13))
    expect(fenced(d, 10, 20)).toEqual([false, false])
  })
})

describe('the chain disabled', () => {
  it('PQ-225 refuses the vault\'s calls with 503, before fences and funds and after the vault\'s existence', () => {
    const d = table()
    d.create(10)
    d.submit(20, 1, 4)
    d.fault('chainDisabled', 1)
    const amount = { amountMicros: usd(9999) }
    expect([
      d.deposit(10, 1).code, d.send('withdraw', 10, amount)!.code, d.send('walletWithdraw', 10, amount)!.code,
      d.send('submitTransaction', 10)!.code, d.commit(10, 1)!.code,
    ]).toEqual(['chainDisabled', 'chainDisabled', 'chainDisabled', 'chainDisabled', 'commitFailedRetryable'])
    expect([d.withdraw(99, 1).code, d.withdraw(10, 0).code, d.deposit(10, 0).code]).toEqual(['noVault', 'invalid', 'invalid'])
    expect(d.send('deposit', 10, { amountMicros: 1, [Deposit.token]: Token.other })!.code).toBe('tokenNotCredited')
    expect(d.submit(20, 1, 3.9).code).toBe('ok')
    d.fault('chainDisabled', 0)
    expect([d.deposit(10, 1).code, d.withdraw(10, 1).code, d.send('submitTransaction', 10)!.code]).toEqual(['ok', 'ok', 'ok'])
    expect(d.rows).toEqual([{ event: 'reply', at: 0, cause: d.seq, account: 10, op: 'submitTransaction', code: 'ok' }])
  })

  it('PQ-225 comes before the fence', () => {
    const d = table()
    d.fault('mirrorBehind', 1)
    d.deposit(10, 1)
    d.fault('chainDisabled', 1)
    expect([d.deposit(10, 1).code, d.withdraw(10, 1).code]).toEqual(['chainDisabled', 'chainDisabled'])
    expect(d.names()).toEqual(['reply chainDisabled'])
  })

  it('changes nothing that is under way: a selection confirms and settles', () => {
    const d = table()
    d.create(10)
    d.submit(20, 1, 4)
    d.commit(10, 1)
    d.fault('chainDisabled', 1)
    expect(d.confirm(20, 1, 1).code).toBe('ok')
    expect(d.names()).not.toContain(START)
    d.resolve(1, 'no')
    d.pulse()
    expect(d.names()).toEqual(['positionSettled'])
  })
})

describe('wallets', () => {
  it.each<[number, number, string]>([
    [0, 0, 'ok'], [16_777_215, 1, 'ok'], [16_777_216, 1, 'invalid'], [-1, 1, 'invalid'], [0.5, 1, 'invalid'],
    [5, 2, 'invalid'], [5, -1, 'invalid'], [5, 0.5, 'invalid'],
  ])('of account %d set to %d: %s', (value, value2, code) => {
    const d = new Driver()
    expect(d.send('setWallet', 0, { value, value2 })!.code).toBe(code)
    expect(d.rows.length).toBe(code === 'ok' ? 2 : 1)
  })

  it('are told, and told again when nothing changes; the hash sees which are off record', () => {
    const d = new Driver()
    d.pulse()
    const hash = d.venue.stateHash()
    for (const value of [16_777_215, 3, 40, 40, 0]) d.send('setWallet', 0, { value, [SetWallet.isOnRecord]: 0 })
    expect(d.rows[0]).toEqual({ event: 'walletChanged', at: 0, cause: 5, account: 0, isOnRecord: 0 })
    const off = d.venue.stateHash()
    expect(off).not.toBe(hash)
    const other = new Driver()
    for (const value of [0, 3, 41, 40, 16_777_215]) other.send('setWallet', 0, { value, [SetWallet.isOnRecord]: 0 })
    other.send('setWallet', 0, { [SetWallet.walletOf]: 41, [SetWallet.isOnRecord]: 1 })
    expect(other.venue.stateHash()).toBe(off)
    for (const value of [40, 0, 3, 3, 16_777_215]) d.send('setWallet', 0, { value, [SetWallet.isOnRecord]: 1 })
    expect(d.venue.stateHash()).toBe(hash)
  })
})
