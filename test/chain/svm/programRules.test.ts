import type { PublicKey } from '@solana/web3.js'
import { describe, expect, it } from 'vitest'
import { idOf, key, type ProgramHarness, tokensOf } from './programHarness.ts'
import { BETTOR, busyVault, MAKER, OTHER, refusal, tampered } from './tampering.ts'

const U64_MAX = 2n ** 64n - 1n

/** Gives a user a balance that no deposits could make. */
function setBalance(harness: ProgramHarness, wallet: PublicKey, balanceMicros: bigint): void {
  const address = harness.program.user(wallet)
  const data = Buffer.from(harness.data(address))
  data.writeBigUInt64LE(balanceMicros, 40)
  harness.setAccount(address, data, harness.program.programId)
}

describe('an operator', () => {
  it('that is none cannot open, settle, buy back, transfer or collect, though it signs', () => {
    const harness = busyVault()
    const thief = { pubkey: key('thief') }
    const treasury = tokensOf(key('treasury'))
    expect(refusal(harness, tampered(harness.open('q', BETTOR, MAKER), { accounts: { 1: thief } }))).toBe('wrongOperator')
    for (const trade of [
      harness.settle('p', BETTOR, MAKER, 'won'), harness.buyback('p', BETTOR, MAKER, 5n), harness.transfer('p', BETTOR, OTHER, 5n),
      harness.program.collect(treasury, 5n, 1n),
    ]) expect(refusal(harness, tampered(trade, { accounts: { 0: thief } }))).toBe('wrongOperator')
    expect(refusal(harness, tampered(harness.withdraw(BETTOR, 5n), { accounts: { 1: thief } }))).toBe('wrongOperator')
  })

  it('cannot withdraw for a wallet, nor delegate for it', () => {
    const harness = busyVault()
    const operator = { pubkey: key('operator') }
    expect(refusal(harness, tampered(harness.withdraw(BETTOR, 5n), { accounts: { 0: { isSigner: false } } }))).toBe('notSigner')
    expect(refusal(harness, tampered(harness.withdraw(BETTOR, 5n), { accounts: { 0: operator } }))).toBe('wrongWallet')
    const setDelegation = harness.program.setDelegation(BETTOR, harness.program.user(BETTOR), false)
    expect(refusal(harness, tampered(setDelegation, { accounts: { 0: operator } }))).toBe('wrongWallet')
  })

  it('cannot trade for wallets that are not delegated, but settles what they hold', () => {
    const harness = busyVault()
    const delegate = (wallet: PublicKey, on: boolean): void =>
      void harness.mustSend(harness.program.setDelegation(wallet, harness.program.user(wallet), on))
    for (const wallet of [BETTOR, MAKER]) {
      delegate(wallet, false)
      expect(refusal(harness, harness.open('q', BETTOR, MAKER))).toBe('notDelegated')
      expect(refusal(harness, harness.buyback('p', BETTOR, MAKER, 5n))).toBe('notDelegated')
      delegate(wallet, true)
    }
    for (const wallet of [BETTOR, OTHER]) {
      delegate(wallet, false)
      expect(refusal(harness, harness.transfer('p', BETTOR, OTHER, 5n))).toBe('notDelegated')
      delegate(wallet, true)
    }
    delegate(BETTOR, false)
    delegate(MAKER, false)
    harness.mustSend(harness.settle('p', BETTOR, MAKER, 'won'))
  })
})

describe('a step sent again', () => {
  it('moves nothing: deposits, withdrawals and collections', () => {
    const harness = busyVault()
    const steps = [
      harness.deposit(BETTOR, 5n, 2n), harness.withdraw(BETTOR, 7n, true, 3n), harness.program.collect(tokensOf(key('treasury')), 9n, 1n),
    ]
    for (const step of steps) {
      harness.mustSend(step)
      expect(refusal(harness, step)).toBe('sequenceDone')
    }
    expect(refusal(harness, harness.deposit(BETTOR, 5n, 0n))).toBe('sequenceDone')
    expect(refusal(harness, harness.withdraw(BETTOR, 5n, true, 5n))).toBe('sequenceGap')
    expect(refusal(harness, harness.deposit(BETTOR, 5n, U64_MAX))).toBe('sequenceGap')
  })

  it('pays no position twice, in any way, and opens none twice', () => {
    const harness = busyVault()
    const outcomes = ['won', 'lost', 'void'] as const
    for (const first of outcomes) {
      harness.mustSend(harness.open(first, BETTOR, MAKER), harness.settle(first, BETTOR, MAKER, first))
      for (const then of outcomes) {
        expect(refusal(harness, harness.settle(first, BETTOR, MAKER, then))).toBe(then === first ? 'positionEnded' : 'positionEndedOtherwise')
      }
      expect(refusal(harness, harness.buyback(first, BETTOR, MAKER, 5n))).toBe('positionEndedOtherwise')
      expect(refusal(harness, harness.transfer(first, BETTOR, OTHER, 5n))).toBe('positionEndedOtherwise')
      expect(refusal(harness, harness.open(first, BETTOR, MAKER))).toBe('positionExists')
      expect(refusal(harness, harness.open(first, OTHER, MAKER))).toBe('positionHasOtherTerms')
    }
    harness.mustSend(harness.buyback('p', BETTOR, MAKER, 5_000_000n))
    for (const outcome of outcomes) expect(refusal(harness, harness.settle('p', BETTOR, MAKER, outcome))).toBe('positionEndedOtherwise')
  })

  it('sells no position twice, though it has come back to its seller', () => {
    const harness = busyVault()
    const sale = harness.transfer('p', BETTOR, OTHER, 5_000_000n, 1n)
    harness.mustSend(sale)
    harness.mustSend(harness.transfer('p', OTHER, BETTOR, 6_000_000n, 2n))
    expect(refusal(harness, sale)).toBe('sequenceDone')
    expect(refusal(harness, harness.transfer('p', BETTOR, OTHER, 5_000_000n, 4n))).toBe('sequenceGap')
  })
})

describe('sums', () => {
  it('of stake, risk and fee never wrap around, nor does what a balance receives', () => {
    const harness = busyVault()
    setBalance(harness, BETTOR, U64_MAX)
    setBalance(harness, MAKER, U64_MAX)
    const free = { takerFeeMicros: 0n, takerFeeBps: 0 }
    const open = (terms: object): string | null => refusal(harness, harness.open('q', BETTOR, MAKER, { ...free, ...terms }))
    expect(open({ stakeMicros: 2n ** 63n, riskMicros: 2n ** 63n })).toBe('sumOverflow')
    expect(open({ stakeMicros: 2n, riskMicros: U64_MAX })).toBe('sumOverflow')
    expect(open({ stakeMicros: U64_MAX, riskMicros: 0n, takerFeeMicros: 1n })).toBe('sumOverflow')
    // The gross bet fits, and so does the payout, but not both.
    expect(open({ stakeMicros: 9_900n, takerFeeMicros: 100n, takerFeeBps: 100, riskMicros: U64_MAX - 9_950n })).toBe('sumOverflow')
    expect(refusal(harness, harness.settle('p', BETTOR, MAKER, 'won'))).toBe('sumOverflow')
    expect(refusal(harness, harness.deposit(BETTOR, 1n))).toBe('sumOverflow')
  })

  it('are never more than there is', () => {
    const harness = busyVault()
    const balance = harness.balance(BETTOR)
    expect(balance).toBe(90_000_000n)
    expect(refusal(harness, harness.withdraw(BETTOR, balance + 1n))).toBe('insufficientBalance')
    expect(refusal(harness, harness.withdraw(BETTOR, U64_MAX))).toBe('insufficientBalance')
    expect(refusal(harness, harness.deposit(BETTOR, 100_000_001n))).toBe('insufficientTokens')
    const free = { takerFeeMicros: 0n, takerFeeBps: 0 }
    expect(refusal(harness, harness.open('q', BETTOR, MAKER, { ...free, stakeMicros: balance + 1n }))).toBe('insufficientBalance')
    expect(refusal(harness, harness.open('q', BETTOR, MAKER, { ...free, riskMicros: 100_000_000n }))).toBe('insufficientBalance')
    // The fee counts, too: 10,000,000 are 9,900,000 and 100,000.
    setBalance(harness, BETTOR, 9_999_999n)
    expect(refusal(harness, harness.open('q', BETTOR, MAKER))).toBe('insufficientBalance')
    setBalance(harness, OTHER, 4_999_999n)
    expect(refusal(harness, harness.transfer('p', BETTOR, OTHER, 5_000_000n))).toBe('insufficientBalance')
    const house = harness.config().houseMicros
    expect(house).toBe(100_000n)
    expect(refusal(harness, harness.program.collect(tokensOf(key('treasury')), house + 1n, 1n))).toBe('insufficientBalance')
  })

  it('of nothing are refused', () => {
    const harness = busyVault()
    const nothing = [
      harness.deposit(BETTOR, 0n), harness.withdraw(BETTOR, 0n), harness.buyback('p', BETTOR, MAKER, 0n),
      harness.transfer('p', BETTOR, OTHER, 0n), harness.program.collect(tokensOf(key('treasury')), 0n, 1n),
      harness.open('q', BETTOR, MAKER, { stakeMicros: 0n, takerFeeMicros: 0n }),
    ]
    for (const instruction of nothing) expect(refusal(harness, instruction)).toBe('zeroAmount')
  })
})

describe('terms', () => {
  it('have the fee of the formula and no other, at rates up to the cap', () => {
    const harness = busyVault()
    const open = (terms: object): string | null => refusal(harness, harness.open('q', BETTOR, MAKER, terms))
    // 9,900,000 is the stake of a bet of 9,999,999 too, whose fee is 99,999.
    for (const takerFeeMicros of [0n, 99_998n, 100_001n]) expect(open({ takerFeeMicros })).toBe('wrongFee')
    // floor(99 · 100 / 10,000) = 0 and floor(100 · 100 / 10,000) = 1.
    expect(open({ stakeMicros: 98n, takerFeeMicros: 1n })).toBe('wrongFee')
    expect(open({ takerFeeBps: 2_001, takerFeeMicros: 2_475_000n })).toBe('feeAboveCap')
    expect(open({ profitFeeBps: 2_001 })).toBe('feeAboveCap')
    expect(open({ flags: 4 })).toBe('badValue')
    harness.mustSend(harness.open('at the cap', BETTOR, MAKER, { stakeMicros: 8n, takerFeeMicros: 2n, takerFeeBps: 2_000, profitFeeBps: 2_000 }))
    harness.mustSend(harness.open('dust', BETTOR, MAKER, { stakeMicros: 99n, takerFeeMicros: 0n, riskMicros: 1n }))
    harness.mustSend(harness.settle('dust', BETTOR, MAKER, 'won'))
    expect(harness.config().houseMicros).toBe(100_000n)
  })

  it('may have one user for both parties, who pays for both and is paid for both', () => {
    const harness = busyVault()
    // 100,000,000 − 10,000,000 for the stake and the fee of `p`.
    expect(harness.balance(BETTOR)).toBe(90_000_000n)
    const both = { stakeMicros: 40_000_000n, takerFeeMicros: 0n, takerFeeBps: 0 }
    expect(refusal(harness, harness.open('q', BETTOR, BETTOR, { ...both, riskMicros: 50_000_001n }))).toBe('insufficientBalance')
    harness.mustSend(harness.open('q', BETTOR, BETTOR, { ...both, riskMicros: 50_000_000n }))
    expect(harness.balance(BETTOR)).toBe(0n)
    expect(refusal(harness, harness.buyback('q', BETTOR, BETTOR, 5n))).toBe('sameAccount')
    expect(refusal(harness, harness.settle('q', BETTOR, MAKER, 'won'))).toBe('wrongWallet')
    // 1 % of 50,000,000.
    harness.mustSend(harness.settle('q', BETTOR, BETTOR, 'won'))
    expect(harness.balance(BETTOR)).toBe(89_500_000n)
  })

  it('have two parties in a sale, of whom the buyer is not the backer', () => {
    const harness = busyVault()
    expect(refusal(harness, harness.transfer('p', BETTOR, BETTOR, 5n))).toBe('sameAccount')
    expect(refusal(harness, harness.transfer('p', BETTOR, MAKER, 5n))).toBe('buyerIsBacker')
    expect(refusal(harness, harness.settle('p', BETTOR, BETTOR, 'won'))).toBe('wrongWallet')
    expect(refusal(harness, harness.settle('p', MAKER, MAKER, 'lost'))).toBe('wrongWallet')
  })

  it('have the parties of the position, in their roles, and the holder of now', () => {
    const harness = busyVault()
    for (const [holder, backer] of [[MAKER, BETTOR], [OTHER, MAKER], [BETTOR, OTHER]] as const) {
      for (const outcome of ['won', 'lost', 'void'] as const) expect(refusal(harness, harness.settle('p', holder, backer, outcome))).toBe('wrongWallet')
      expect(refusal(harness, harness.buyback('p', holder, backer, 5n))).toBe('wrongWallet')
    }
    expect(refusal(harness, harness.transfer('p', OTHER, BETTOR, 5n))).toBe('wrongWallet')
    harness.mustSend(harness.transfer('p', BETTOR, OTHER, 5_000_000n))
    expect(refusal(harness, harness.settle('p', BETTOR, MAKER, 'won'))).toBe('wrongWallet')
    expect(refusal(harness, harness.buyback('p', BETTOR, MAKER, 5n))).toBe('wrongWallet')
  })

  it('have prices up to the payout, and outcomes that are some', () => {
    const harness = busyVault()
    // 9,900,000 + 19,800,000.
    expect(refusal(harness, harness.buyback('p', BETTOR, MAKER, 29_700_001n))).toBe('priceAbovePayout')
    expect(refusal(harness, harness.transfer('p', BETTOR, OTHER, 29_700_001n))).toBe('priceAbovePayout')
    expect(refusal(harness, harness.buyback('p', BETTOR, MAKER, U64_MAX))).toBe('priceAbovePayout')
    for (const outcome of [0, 1, 5, 6, 255]) {
      const data = Buffer.from(harness.settle('p', BETTOR, MAKER, 'won').data)
      data[1] = outcome
      expect(refusal(harness, tampered(harness.settle('p', BETTOR, MAKER, 'won'), { data }))).toBe('badValue')
    }
    for (const tag of [10, 11, 255]) {
      const data = Buffer.alloc(8, 0)
      data[0] = tag
      expect(refusal(harness, tampered(harness.settle('p', BETTOR, MAKER, 'won'), { data }))).toBe('unknownInstruction')
    }
  })
})

describe('a transaction', () => {
  it('of several instructions has them all or none', () => {
    const harness = busyVault()
    const good = harness.settle('p', BETTOR, MAKER, 'won')
    const before = harness.state()
    const sent = harness.send(harness.open('q', OTHER, MAKER), good, good)
    expect(sent).toMatchObject({ error: 'positionEnded', at: 2 })
    expect(harness.state()).toBe(before)
    expect(harness.svm.getAccount(harness.program.position(idOf('q')).toBytes())).toBeNull()
  })
})
