import { describe, expect, it } from 'vitest'
import { ChainPositionState, DELEGATED_S, PositionFlag, VaultInstruction } from '../../../src/chain/svm/layout.ts'
import { key, ProgramHarness, tokensOf } from './programHarness.ts'

/**
 * A bet of 12,345,679 at a taker fee of 1.37 %: floor(12,345,679 · 137 / 10,000) = floor(169,135.8) = 169,135, so a stake of
 * 12,176,544; with a risk of 16,386,377 the payout is 28,562,921. The profit fee is 2.13 %.
 */
const TERMS = { stakeMicros: 12_176_544n, riskMicros: 16_386_377n, takerFeeMicros: 169_135n, takerFeeBps: 137, profitFeeBps: 213 }
const START = 100_000_000n

/** A bettor, the backing maker and another maker with 100 USDC each, and position `p` between the first two. */
function opened(flags = 0): ProgramHarness {
  const harness = ProgramHarness.initialized()
  for (const name of ['bettor', 'maker', 'other']) harness.makeUser(name, START)
  harness.mustSend(harness.open('p', key('bettor'), key('maker'), { ...TERMS, flags }))
  return harness
}

/** What each balance has come to, counted from 100 USDC, and the house from nothing. */
function gains(harness: ProgramHarness): readonly bigint[] {
  return [...['bettor', 'maker', 'other'].map((name) => harness.balance(key(name)) - START), harness.config().houseMicros]
}

describe('money of a wallet', () => {
  it('goes into the vault and back, each step by the next number', () => {
    const harness = ProgramHarness.initialized()
    const wallet = harness.makeUser('bettor', 0n, 5_000_000n)
    harness.mustSend(harness.deposit(wallet, 3_000_001n))
    harness.mustSend(harness.withdraw(wallet, 1_000_000n))
    expect(harness.user(wallet)).toEqual({
      wallet, balanceMicros: 2_000_001n, sequence: 2n, lastMicros: 1_000_000n, lastTag: VaultInstruction.withdraw, delegatedUntilS: DELEGATED_S,
    })
    expect(harness.tokens(tokensOf(wallet))).toBe(2_999_999n)
    expect(harness.tokens(harness.program.vault)).toBe(2_000_001n)
    expect(harness.config()).toMatchObject({ owedMicros: 2_000_001n, deposits: 1n })
  })

  it('is withdrawn without the operator a day after the wallet has taken its delegation back', () => {
    const harness = ProgramHarness.initialized()
    const wallet = harness.makeUser('bettor', 5_000_000n)
    expect(harness.send(harness.withdraw(wallet, 1n, false)).error).toBe('notSigner')
    harness.setClock(1_000_000n)
    harness.mustSend(harness.program.setDelegation(wallet, harness.program.user(wallet), false))
    expect(harness.user(wallet).delegatedUntilS).toBe(1_086_400n)
    harness.setClock(1_086_400n)
    harness.mustSend(harness.withdraw(wallet, 5_000_000n, false))
    expect(harness.tokens(tokensOf(wallet))).toBe(5_000_000n)
  })

  it('needs no SOL in the wallet, from its account in the vault to its withdrawal, with every signature checked', () => {
    const harness = new ProgramHarness()
    const { program, sponsor } = harness
    harness.svm.setSigverify(true)
    const [bettor, maker] = [key('bettor'), key('maker')]
    harness.mustSendSigned(['program', 'operator', 'sponsor'], program.initialize(sponsor))
    for (const name of ['bettor', 'maker']) {
      harness.setTokens(tokensOf(key(name)), key(name), { amount: START })
      harness.mustSendSigned([name, 'sponsor'], program.createUser(sponsor, key(name), program.user(key(name))))
      harness.mustSendSigned([name], harness.deposit(key(name), START))
    }
    harness.mustSendSigned(['operator', 'sponsor'], harness.open('p', bettor, maker, TERMS))
    harness.mustSendSigned(['operator'], harness.settle('p', bettor, maker, 'void'))
    harness.mustSendSigned(['operator', 'bettor'], harness.withdraw(bettor, START))
    expect(harness.tokens(tokensOf(bettor))).toBe(START)
    expect(harness.svm.getAccount(bettor.toBytes())).toBeNull()
    expect(harness.svm.getAccount(maker.toBytes())).toBeNull()
  })
})

describe('a position', () => {
  it('takes stake, fee and risk out of the balances and remembers its terms', () => {
    const harness = opened(PositionFlag.feeOnMaker)
    expect(gains(harness)).toEqual([-12_345_679n, -16_386_377n, 0n, 0n])
    const { id: _, ...position } = harness.position('p')
    expect(position).toEqual({
      ...TERMS, holder: key('bettor'), backer: key('maker'), basisMicros: 12_176_544n, priceMicros: 0n, transfers: 0n, transferMicros: 0n,
      flags: PositionFlag.feeOnMaker, state: ChainPositionState.open,
    })
  })

  it('that is won pays the holder, less the fee on its profit', () => {
    const harness = opened()
    // Fee: floor(16,386,377 · 213 / 10,000) = floor(349,029.8); the holder gets 28,562,921 − 349,029 = 28,213,892.
    harness.mustSend(harness.settle('p', key('bettor'), key('maker'), 'won'))
    expect(gains(harness)).toEqual([28_213_892n - 12_345_679n, -16_386_377n, 0n, 349_029n + 169_135n])
    expect(harness.position('p').state).toBe(ChainPositionState.won)
  })

  it('that is lost pays the backer everything', () => {
    const harness = opened()
    harness.mustSend(harness.settle('p', key('bettor'), key('maker'), 'lost'))
    expect(gains(harness)).toEqual([-12_345_679n, 12_176_544n, 0n, 169_135n])
  })

  it('that is lost pays the backer less the fee on the stake, where the maker pays it too', () => {
    const harness = opened(PositionFlag.feeOnMaker)
    // floor(12,176,544 · 213 / 10,000) = floor(259,360.3).
    harness.mustSend(harness.settle('p', key('bettor'), key('maker'), 'lost'))
    expect(gains(harness)).toEqual([-12_345_679n, 12_176_544n - 259_360n, 0n, 259_360n + 169_135n])
  })

  it('that is void gives everything back, the taker fee too', () => {
    const harness = opened(PositionFlag.feeOnMaker | PositionFlag.feeOnTransfer)
    harness.mustSend(harness.settle('p', key('bettor'), key('maker'), 'void'))
    expect(gains(harness)).toEqual([0n, 0n, 0n, 0n])
  })

  it('is bought back above its stake with a fee on the profit', () => {
    const harness = opened(PositionFlag.feeOnMaker)
    // Fee: floor((14,000,001 − 12,176,544) · 213 / 10,000) = floor(38,839.6); the maker keeps 28,562,921 − 14,000,001 = 14,562,920.
    harness.mustSend(harness.buyback('p', key('bettor'), key('maker'), 14_000_001n))
    expect(gains(harness)).toEqual([14_000_001n - 38_839n - 12_345_679n, 14_562_920n - 16_386_377n, 0n, 38_839n + 169_135n])
    expect(harness.position('p')).toMatchObject({ state: ChainPositionState.boughtBack, priceMicros: 14_000_001n })
  })

  it('is bought back below its stake: no fee for the seller, one for the maker where it pays one', () => {
    const free = opened()
    free.mustSend(free.buyback('p', key('bettor'), key('maker'), 9_000_000n))
    expect(gains(free)).toEqual([9_000_000n - 12_345_679n, 19_562_921n - 16_386_377n, 0n, 169_135n])

    const charged = opened(PositionFlag.feeOnMaker)
    // floor((12,176,544 − 9,000,000) · 213 / 10,000) = floor(67,660.3).
    charged.mustSend(charged.buyback('p', key('bettor'), key('maker'), 9_000_000n))
    expect(gains(charged)).toEqual([9_000_000n - 12_345_679n, 19_562_921n - 67_660n - 16_386_377n, 0n, 67_660n + 169_135n])
  })

  it('is bought back for its whole payout', () => {
    const harness = opened()
    harness.mustSend(harness.buyback('p', key('bettor'), key('maker'), 28_562_921n))
    expect(gains(harness)).toEqual([28_213_892n - 12_345_679n, -16_386_377n, 0n, 349_029n + 169_135n])
  })

  it('changes hands with a fee, and its profit then counts from the price', () => {
    const harness = opened(PositionFlag.feeOnTransfer)
    harness.mustSend(harness.transfer('p', key('bettor'), key('other'), 14_000_001n))
    expect(gains(harness)).toEqual([14_000_001n - 38_839n - 12_345_679n, -16_386_377n, -14_000_001n, 38_839n])
    expect(harness.position('p')).toMatchObject({ holder: key('other'), basisMicros: 14_000_001n, transfers: 1n, transferMicros: 14_000_001n })
    // floor((28,562,921 − 14,000,001) · 213 / 10,000) = floor(310,190.2).
    harness.mustSend(harness.settle('p', key('other'), key('maker'), 'won'))
    expect(gains(harness)[2]).toBe(28_562_921n - 310_190n - 14_000_001n)
    expect(harness.config().houseMicros).toBe(38_839n + 310_190n + 169_135n)
  })

  it('changes hands without a fee, and its profit still counts from the stake', () => {
    const harness = opened()
    harness.mustSend(harness.transfer('p', key('bettor'), key('other'), 14_000_001n))
    expect(gains(harness)).toEqual([14_000_001n - 12_345_679n, -16_386_377n, -14_000_001n, 0n])
    harness.mustSend(harness.settle('p', key('other'), key('maker'), 'won'))
    expect(gains(harness)[2]).toBe(28_562_921n - 349_029n - 14_000_001n)
  })

  it('goes from hand to hand and back, and when void refunds whoever holds it', () => {
    const harness = opened()
    harness.mustSend(
      harness.transfer('p', key('bettor'), key('other'), 10_000_000n, 1n), harness.transfer('p', key('other'), key('bettor'), 11_000_000n, 2n),
      harness.transfer('p', key('bettor'), key('other'), 12_000_000n, 3n), harness.settle('p', key('other'), key('maker'), 'void'),
    )
    expect(gains(harness)).toEqual([-12_345_679n + 10_000_000n - 11_000_000n + 12_000_000n, 0n, -11_000_000n + 12_345_679n, 0n])
  })

  it('may have no risk and no fees', () => {
    const harness = opened()
    harness.mustSend(harness.open('q', key('other'), key('maker'), {
      stakeMicros: 1n, riskMicros: 0n, takerFeeMicros: 0n, takerFeeBps: 100, profitFeeBps: 0,
    }))
    harness.mustSend(harness.settle('q', key('other'), key('maker'), 'won'))
    expect(gains(harness)[2]).toBe(0n)
  })
})

describe('the house', () => {
  it('collects its fees by the next number into any USDC account', () => {
    const harness = opened()
    harness.setTokens(tokensOf(key('treasury')), key('treasury'))
    harness.mustSend(harness.settle('p', key('bettor'), key('maker'), 'lost'))
    harness.mustSend(harness.program.collect(tokensOf(key('treasury')), 69_135n, 1n))
    expect(harness.tokens(tokensOf(key('treasury')))).toBe(69_135n)
    expect(harness.config()).toMatchObject({ 
      houseMicros: 100_000n, owedMicros: 299_930_865n, collectSequence: 1n, collectedMicros: 69_135n, collectedTo: tokensOf(key('treasury')),
    })
    expect(harness.tokens(harness.program.vault)).toBe(299_930_865n)
  })
})

describe('what has happened before', () => {
  it('is told from what never can', () => {
    const harness = opened()
    const [bettor, maker, other] = [key('bettor'), key('maker'), key('other')]
    harness.setTokens(tokensOf(bettor), bettor, { amount: 50n })
    const errorOf = (instruction: Parameters<ProgramHarness['send']>[0]): string | null => harness.send(instruction).error
    expect(errorOf(harness.program.initialize(harness.sponsor))).toBe('alreadyInitialized')
    expect(errorOf(harness.program.createUser(harness.sponsor, bettor, harness.program.user(bettor)))).toBe('userExists')
    expect(errorOf(harness.deposit(bettor, START, 1n))).toBe('sequenceDone')
    expect(errorOf(harness.deposit(bettor, 1n, 3n))).toBe('sequenceGap')
    expect(errorOf(harness.withdraw(bettor, START, true, 1n))).toBe('sequenceHasOtherTerms')
    expect(errorOf(harness.open('p', bettor, maker, TERMS))).toBe('positionExists')
    expect(errorOf(harness.open('p', bettor, maker, { ...TERMS, riskMicros: 1n }))).toBe('positionHasOtherTerms')
    expect(errorOf(harness.open('p', other, maker, TERMS))).toBe('positionHasOtherTerms')

    harness.mustSend(harness.transfer('p', bettor, other, 9_000_000n))
    expect(errorOf(harness.transfer('p', bettor, other, 9_000_000n))).toBe('sequenceDone')
    expect(errorOf(harness.open('p', bettor, maker, TERMS))).toBe('positionExists')
    harness.mustSend(harness.buyback('p', other, maker, 8_000_000n))
    expect(errorOf(harness.buyback('p', other, maker, 8_000_000n))).toBe('positionEnded')
    expect(errorOf(harness.buyback('p', other, maker, 8_000_001n))).toBe('positionEndedOtherwise')
    expect(errorOf(harness.settle('p', other, maker, 'won'))).toBe('positionEndedOtherwise')
    expect(errorOf(harness.transfer('p', bettor, other, 9_000_000n, 1n))).toBe('sequenceDone')
    expect(errorOf(harness.transfer('p', other, bettor, 9_000_000n, 2n))).toBe('positionEndedOtherwise')
    expect(errorOf(harness.open('p', bettor, maker, TERMS))).toBe('positionExists')
  })
})
