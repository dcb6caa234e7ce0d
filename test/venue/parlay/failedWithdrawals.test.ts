import { describe, expect, it } from 'vitest'
import { Driver, usd } from './driver.ts'

const KINDS = ['withdraw', 'walletWithdraw'] as const
const take = (d: Driver, op: (typeof KINDS)[number], amountMicros: number) => d.send(op, 7, { amountMicros })!.code

function vaultOf(micros: number): Driver {
  const d = new Driver()
  d.deposit(7, micros)
  return d
}

describe('while withdrawals fail', () => {
  it.each(KINDS)('PQ-224 %s moves nothing and tells nobody, after all other checks', (op) => {
    const d = vaultOf(usd(5))
    d.fault('withdrawalFails', 1)
    expect(take(d, op, usd(2))).toBe('withdrawalFailed')
    expect([d.names(), d.moved, d.free(7)]).toEqual([['reply withdrawalFailed'], [], usd(5)])
    expect([take(d, op, 0), take(d, op, usd(6)), d.send(op, 8, { amountMicros: 1 })!.code]).toEqual(['invalid', 'insufficientFunds', 'noVault'])
    d.fault('withdrawalFails', 0)
    expect([take(d, op, usd(2)), d.free(7)]).toEqual(['ok', usd(3)])
  })

  it('PQ-224 a deposit is taken as ever', () => {
    const d = vaultOf(1)
    d.fault('withdrawalFails', 1)
    expect(d.deposit(7, 1).code).toBe('ok')
  })

  it('PQ-225 PQ-084 a chain that is off is told first, and a fault of the chain does not come to its part', () => {
    const d = vaultOf(usd(5))
    d.fault('withdrawalFails', 1)
    d.fault('chainDisabled', 1)
    expect(take(d, 'withdraw', 1)).toBe('chainDisabled')
    d.fault('chainDisabled', 0)
    d.fault('mirrorBehind', 1)
    expect([take(d, 'withdraw', 1), d.view.balance(7).fenced]).toEqual(['withdrawalFailed', false])
  })
})

describe('while the wallet fails', () => {
  it('PQ-352 a wallet withdrawal leaves the vault, is told as a withdrawal, and is answered with what left', () => {
    const d = vaultOf(usd(5))
    d.fault('walletFails', 1)
    expect(take(d, 'walletWithdraw', usd(2))).toBe('partialVaultOnly')
    expect(d.of('reply')).toEqual([{ event: 'reply', at: 0, cause: d.seq, account: 7, op: 'walletWithdraw', code: 'partialVaultOnly', amountMicros: usd(2) }])
    expect(d.names()).toEqual(['fundsWithdrawn', 'reply partialVaultOnly'])
    expect(d.free(7)).toBe(usd(3))
  })

  it('PQ-352 the same call again takes as much again: the wallet is not asked what it has', () => {
    const d = vaultOf(usd(5))
    d.fault('walletFails', 1)
    take(d, 'walletWithdraw', usd(2))
    d.fault('walletFails', 0)
    expect([take(d, 'walletWithdraw', usd(2)), d.free(7)]).toEqual(['ok', usd(1)])
  })

  it('PQ-213 a vault withdrawal ends in the wallet and is completed', () => {
    const d = vaultOf(usd(5))
    d.fault('walletFails', 1)
    expect([take(d, 'withdraw', usd(2)), d.free(7)]).toEqual(['ok', usd(3)])
  })

  it('PQ-084 PQ-224 what did not leave the vault at once is no partial success', () => {
    const d = vaultOf(usd(5))
    d.fault('walletFails', 1)
    d.fault('mirrorBehind', 1)
    expect(take(d, 'walletWithdraw', 1)).toBe('recoveryPending')
    const e = vaultOf(usd(5))
    e.fault('walletFails', 1)
    e.fault('withdrawalFails', 1)
    expect([take(e, 'walletWithdraw', 1), e.free(7)]).toEqual(['withdrawalFailed', usd(5)])
  })
})
