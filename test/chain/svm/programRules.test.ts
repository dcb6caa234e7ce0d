import type { PublicKey, TransactionInstruction } from '@solana/web3.js'
import { describe, expect, it } from 'vitest'
import { DELEGATED_S } from '../../../src/chain/svm/layout.ts'
import { idOf, key, type ProgramHarness, tokensOf } from './programHarness.ts'
import { BETTOR, busyVault, MAKER, OTHER, refusal, tampered } from './tampering.ts'

const U64_MAX = 2n ** 64n - 1n
const DAY_S = 86_400n

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
    const delegate = (wallet: PublicKey, on: boolean): void => {
      harness.mustSend(harness.program.setDelegation(wallet, harness.program.user(wallet), on))
      if (!on) harness.setClock(harness.nowS() + DAY_S)
    }
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

describe('a delegation that its wallet takes back', () => {
  const AT_S = 1_750_000_000n

  /** A vault where every user has taken its delegation back at an instant, seen at another. */
  function takenBack(nowS: bigint): ProgramHarness {
    const harness = busyVault()
    harness.setClock(AT_S)
    for (const wallet of [BETTOR, MAKER, OTHER]) harness.mustSend(setDelegation(harness, wallet, false))
    harness.setClock(nowS)
    return harness
  }

  const setDelegation = (harness: ProgramHarness, wallet: PublicKey, on: boolean) =>
    harness.program.setDelegation(wallet, harness.program.user(wallet), on)

  it('does not free a balance that a trade is coming for', () => {
    const harness = busyVault()
    expect(refusal(harness, setDelegation(harness, BETTOR, false), harness.withdraw(BETTOR, 100_000_000n, false))).toBe('notSigner')
  })

  it('holds to the last second of the notice: opens, transfers, buybacks, and withdrawals with the operator only', () => {
    const harness = takenBack(AT_S + 86_399n)
    expect(refusal(harness, harness.withdraw(BETTOR, 5n, false))).toBe('notSigner')
    const trades = [harness.open('q', BETTOR, MAKER), harness.transfer('p', BETTOR, OTHER, 5n), harness.buyback('q', BETTOR, MAKER, 5n)]
    expect(harness.send(harness.withdraw(BETTOR, 5n), ...trades).error).toBeNull()
  })

  it('is over from the second after it on', () => {
    const harness = takenBack(AT_S + 86_400n)
    expect(refusal(harness, harness.open('q', BETTOR, MAKER))).toBe('notDelegated')
    expect(refusal(harness, harness.transfer('p', BETTOR, OTHER, 5n))).toBe('notDelegated')
    expect(refusal(harness, harness.buyback('p', BETTOR, MAKER, 5n))).toBe('notDelegated')
    harness.mustSend(harness.withdraw(BETTOR, 5n, false))
  })

  it('is not put off by being taken back again, and begins anew when it was given in between', () => {
    const harness = takenBack(AT_S + 86_000n)
    harness.mustSend(setDelegation(harness, BETTOR, false))
    expect(harness.user(BETTOR).delegatedUntilS).toBe(AT_S + 86_400n)
    harness.mustSend(setDelegation(harness, BETTOR, true))
    expect(harness.user(BETTOR).delegatedUntilS).toBe(DELEGATED_S)
    harness.mustSend(setDelegation(harness, BETTOR, false))
    expect(harness.user(BETTOR).delegatedUntilS).toBe(AT_S + 86_000n + 86_400n)
  })

  it('that has ended does not come back by being taken back', () => {
    const harness = takenBack(AT_S + 200_000n)
    harness.mustSend(setDelegation(harness, BETTOR, false))
    expect(harness.user(BETTOR).delegatedUntilS).toBe(AT_S + 86_400n)
  })

  it('and was never given needs no notice', () => {
    const harness = busyVault()
    const wallet = harness.makeUser('free', 5n, 0n, false)
    harness.mustSend(setDelegation(harness, wallet, false))
    expect(harness.user(wallet).delegatedUntilS).toBe(0n)
    harness.mustSend(harness.withdraw(wallet, 5n, false))
  })
})

describe('a step sent again', () => {
  it('is done only as it was: the last number with another kind, amount or receiver is refused', () => {
    const harness = busyVault()
    const treasury = tokensOf(key('treasury'))
    harness.setTokens(tokensOf(OTHER), OTHER)
    const again = (...[first, ...others]: TransactionInstruction[]): void => {
      harness.mustSend(first!)
      expect(refusal(harness, first!)).toBe('sequenceDone')
      for (const other of others) expect(refusal(harness, other)).toBe('sequenceHasOtherTerms')
    }
    again(harness.deposit(BETTOR, 5n, 2n), harness.deposit(BETTOR, 6n, 2n), harness.withdraw(BETTOR, 5n, true, 2n))
    again(harness.withdraw(BETTOR, 5n, true, 3n), harness.withdraw(BETTOR, 4n, true, 3n), harness.deposit(BETTOR, 5n, 3n))
    again(harness.program.collect(treasury, 9n, 1n), harness.program.collect(treasury, 8n, 1n), harness.program.collect(tokensOf(OTHER), 9n, 1n))
    const buyer = harness.makeUser('buyer', 100n)
    again(harness.transfer('p', BETTOR, OTHER, 7n), harness.transfer('p', BETTOR, OTHER, 8n), harness.transfer('p', BETTOR, buyer, 7n))
    // The vault knows nothing of older numbers but that they are spent.
    expect(refusal(harness, harness.deposit(BETTOR, 6n, 2n))).toBe('sequenceDone')
    // No deposit or withdrawal ever had the number 0.
    const fresh = harness.makeUser('fresh', 0n, 5n)
    expect(refusal(harness, harness.deposit(fresh, 5n, 0n))).toBe('sequenceHasOtherTerms')
  })

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
    expect(open({ takerFeeBps: 10_001, takerFeeMicros: 10_001_000n })).toBe('feeAboveCap')
    expect(open({ profitFeeBps: 10_001 })).toBe('feeAboveCap')
    expect(open({ flags: 4 })).toBe('badValue')
    harness.mustSend(harness.open('dust', BETTOR, MAKER, { stakeMicros: 99n, takerFeeMicros: 0n, riskMicros: 1n }))
    harness.mustSend(harness.settle('dust', BETTOR, MAKER, 'won'))
    expect(harness.config().houseMicros).toBe(100_000n)
  })

  it('may have fees of everything, but of no more', () => {
    const harness = busyVault()
    // The fee of a bet of 10 at 99.99 % is floor(9.999) = 9. At 100 % nothing is left to stake.
    const terms = { stakeMicros: 1n, takerFeeMicros: 9n, takerFeeBps: 9_999, profitFeeBps: 10_000 }
    expect(refusal(harness, harness.open('q', BETTOR, MAKER, { ...terms, stakeMicros: 0n, takerFeeMicros: 10n, takerFeeBps: 10_000 }))).toBe('zeroAmount')
    const [bettor, maker, house] = [harness.balance(BETTOR), harness.balance(MAKER), harness.config().houseMicros]
    harness.mustSend(harness.open('q', BETTOR, MAKER, { ...terms, riskMicros: 5n }), harness.settle('q', BETTOR, MAKER, 'won'))
    // All of the profit of 5 is the fee: 1 comes back of 10.
    expect([harness.balance(BETTOR) - bettor, harness.balance(MAKER) - maker, harness.config().houseMicros - house]).toEqual([-9n, -5n, 14n])
    harness.mustSend(harness.open('r', BETTOR, MAKER, { ...terms, riskMicros: 5n, flags: 1 }), harness.settle('r', BETTOR, MAKER, 'lost'))
    expect([harness.balance(BETTOR) - bettor, harness.balance(MAKER) - maker, harness.config().houseMicros - house]).toEqual([-19n, -5n, 24n])
    setBalance(harness, MAKER, U64_MAX)
    harness.mustSend(harness.open('s', BETTOR, MAKER, { ...terms, riskMicros: 2n ** 63n }), harness.settle('s', BETTOR, MAKER, 'won'))
    expect(harness.config().houseMicros - house).toBe(24n + 9n + 2n ** 63n)
  })

  it.each([
    ['stake', { stakeMicros: 9_899_999n }], ['risk', { riskMicros: 19_799_999n }], ['taker fee', { takerFeeMicros: 100_001n }],
    ['rate of the taker fee', { takerFeeBps: 101 }], ['rate of the profit fee', { profitFeeBps: 101 }],
    ['flag of a fee on the maker', { flags: 1 }], ['flag of a fee on transfers', { flags: 2 }],
  ])('of a position that exists are others with another %s', (_, other) => {
    const harness = busyVault()
    expect(refusal(harness, harness.open('p', BETTOR, MAKER))).toBe('positionExists')
    expect(refusal(harness, harness.open('p', BETTOR, MAKER, other))).toBe('positionHasOtherTerms')
  })

  it('of a position that exists are others with another holder or backer, though not another holder once it was transferred', () => {
    const harness = busyVault()
    expect(refusal(harness, harness.open('p', OTHER, MAKER))).toBe('positionHasOtherTerms')
    expect(refusal(harness, harness.open('p', BETTOR, OTHER))).toBe('positionHasOtherTerms')
    harness.mustSend(harness.transfer('p', BETTOR, OTHER, 5n))
    expect(refusal(harness, harness.open('p', BETTOR, MAKER))).toBe('positionExists')
    expect(refusal(harness, harness.open('p', BETTOR, OTHER))).toBe('positionHasOtherTerms')
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
