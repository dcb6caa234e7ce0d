import type { Hex } from 'viem'
import { describe, expect, it } from 'vitest'
import { TEST_USDC, VAULT, VaultOutcome } from '../../../src/chain/evm/abi.ts'
import { noAnvil, skipped } from './bundledAnvil.ts'
import { SETTINGS, ZERO_ADDRESS, type Refusal, VaultPositionState } from './contractHarness.ts'
import { fillOf, positionIdOf, reductionOf, withdrawalOf } from './signedTrades.ts'
import {
  buyer, cashout, DEPOSITED, entry, expectRefused, fill, lowered, maker, nobody, NOW, open, setScene, settle, stage, stranger, taker,
} from './vaultScene.ts'

const OWED_MAX = 4_000_000_000_000_000n

describe.skipIf(noAnvil)(`the vault against those who would cheat it${skipped}`, () => {
  setScene()

  describe('positions', () => {
    it('that are open, lost, void, sold back or unknown are not claimed', async () => {
      for (let number = 1; number <= 4; number++) await open({ number })
      await stage.send(...settle(VaultOutcome.lost, 2))
      await stage.send(...settle(VaultOutcome.void, 3))
      await stage.send('cashout', [cashout({ position: 4 })])
      const states = ['none', 'open', 'lost', 'void', 'closed'] as const
      for (const [number, state] of states.entries()) {
        await expectRefused('claim', [positionIdOf(number)], 'PositionNotWon', positionIdOf(number), VaultPositionState[state])
        await expectRefused('claimMany', [[positionIdOf(number)]], 'PositionNotWon')
      }
      for (const number of [0, 4]) await expectRefused(...settle(VaultOutcome.won, number), 'PositionNotOpen')
    })

    it('are sold by their holder alone, and not after they are decided', async () => {
      await open()
      await expectRefused('cashout', [cashout({ seller: buyer })], 'NotHolder', positionIdOf(1), buyer.accountId)
      await stage.send('cashout', [cashout({ maker: buyer })])
      await expectRefused('cashout', [cashout({ number: 102 })], 'NotHolder')
      await stage.send('resolve', [[positionIdOf(1)], [VaultOutcome.won]])
      await expectRefused('cashout', [cashout({ number: 103, seller: buyer })], 'PositionNotOpen', positionIdOf(1), VaultPositionState.won)
      await stage.send('claim', [positionIdOf(1)])
      await expectRefused('cashout', [cashout({ number: 103, seller: buyer })], 'PositionNotOpen', positionIdOf(1), VaultPositionState.claimed)
      await expectRefused('cashout', [cashout({ number: 103, position: 9 })], 'PositionNotOpen', positionIdOf(9), VaultPositionState.none)
    })

    it('are not sold to oneself, above the payout, for nothing, at another rate or on other legs', async () => {
      await open()
      await expectRefused('cashout', [cashout({ maker: taker })], 'SameAccount', taker.accountId)
      await expectRefused('cashout', [cashout({ price: 30_000_008n })], 'PriceTooHigh', 30_000_008n, 30_000_007n)
      await expectRefused('cashout', [cashout({ price: 0n })], 'AmountOutOfRange')
      await expectRefused('cashout', [cashout({ price: 2n ** 64n + 1n })], 'AmountOutOfRange')
      await expectRefused('cashout', [cashout({ feeBps: 151n })], 'TermsDiffer')
      await expectRefused('cashout', [cashout({ feeBps: 150n + 2n ** 16n })], 'TermsDiffer')
      await expectRefused('cashout', [cashout({ legs: [{ outcomeId: '1234567890', side: 'NO' }] })], 'TermsDiffer')
      expect(await stage.refusal('cashout', [cashout({ price: 30_000_007n })])).toBeNull()
    })

    it('are settled with an outcome each, of those that there are', async () => {
      await open()
      await expectRefused('settleMany', [[positionIdOf(1)], []], 'LengthMismatch', 1n, 0n)
      await expectRefused('resolve', [[], [1]], 'LengthMismatch', 0n, 1n)
      expect((await stage.refusal('settleMany', [[positionIdOf(1)], [3]]))?.name).toBe('no reason')
    })
  })

  describe('money', () => {
    it('that an account does not have is not spent', async () => {
      const rich = fill({ stake: 100_000_001n, netStake: 99_750_001n, payout: 200_000_000n })
      await expectRefused('fill', [rich], 'InsufficientBalance', taker.accountId, 100_000_000n, 100_000_001n)
      await expectRefused('fill', [fill({ payout: 509_975_002n })], 'InsufficientBalance', maker.accountId, 500_000_000n, 500_000_001n)
      await expectRefused('fill', [fillOf(stage, entry({ taker: nobody }))], 'UnknownAccount', nobody.accountId)
      await expectRefused('fill', [fillOf(stage, entry({ maker: nobody }))], 'UnknownAccount', nobody.accountId)
      await expectRefused('withdraw', withdrawalOf(stage, taker, { amount: 100_000_001n }), 'InsufficientBalance')
      await expectRefused('withdraw', withdrawalOf(stage, nobody, { amount: 1n }), 'UnknownAccount')
      await expectRefused('withdrawExit', withdrawalOf(stage, taker, { amount: 100_000_001n, exitExpiryS: NOW + 60 }), 'InsufficientBalance')
      await expectRefused('reduce', reductionOf(stage, maker, 500_000_001n), 'InsufficientBalance')
      await expectRefused('reduce', reductionOf(stage, nobody, 1n), 'UnknownAccount')
      await stage.send('reduce', reductionOf(stage, maker, 500_000_000n))
      await expectRefused('fill', [fill()], 'InsufficientBalance', maker.accountId, 0n, 20_025_006n)
    })

    it('of a buyer who lacks the price buys nothing', async () => {
      await open()
      await stage.send('withdraw', withdrawalOf(stage, buyer, { amount: 187_654_323n }))
      await expectRefused('cashout', [cashout({ maker: buyer })], 'InsufficientBalance', buyer.accountId, 12_345_677n, 12_345_678n)
    })

    it('of a core wallet that lacks it fills nothing, not even the rest', async () => {
      await stage.takeOn(taker.wallet.address)
      await stage.send('transfer', [stranger.address, 899_999_997n], taker.wallet.address, stage.usdc)
      await expectRefused('fill', [fill({ core: 4n })], 'InsufficientBalance', taker.wallet.address, 3n, 4n)
      expect(await stage.refusal('fill', [fill({ core: 3n })])).toBeNull()
      await expectRefused('depositWithAuthorization', stage.depositOf(taker, 4n, 'second'), 'InsufficientBalance')
    })

    it('is counted by the service’s rules: net stake, payout, rates, core', async () => {
      await expectRefused('fill', [fill({ netStake: 9_975_002n })], 'NetStakeWrong', 9_975_001n, 9_975_002n)
      await expectRefused('fill', [fill({ netStake: 9_975_000n })], 'NetStakeWrong', 9_975_001n, 9_975_000n)
      await expectRefused('fill', [fill({ payout: 9_975_001n })], 'PayoutTooLow', 9_975_001n, 9_975_001n)
      await expectRefused('fill', [fill({ takerFeeBps: 10_001n })], 'RateTooHigh', 10_001n)
      await expectRefused('fill', [fill({ feeBps: 10_001n })], 'RateTooHigh', 10_001n)
      await expectRefused('fill', [fill({ feeBps: 2n ** 16n })], 'RateTooHigh', 2n ** 16n)
      await expectRefused('fill', [fill({ takerFeeBps: 10_000n, netStake: 0n })], 'AmountOutOfRange', 0n)
      await expectRefused('fill', [fill({ core: 10_000_002n })], 'CoreTooHigh', 10_000_002n, 10_000_001n)
      await expectRefused('fill', [fill({ maker: taker })], 'SameAccount', taker.accountId)
    })

    it('in amounts that overflow is refused', async () => {
      for (const amount of [0n, OWED_MAX + 1n, 2n ** 64n, 2n ** 64n + 5n, 2n ** 256n - 1n]) {
        await expectRefused('withdraw', withdrawalOf(stage, taker, { amount }), 'AmountOutOfRange', amount)
        await expectRefused('withdrawExit', withdrawalOf(stage, taker, { amount, exitExpiryS: NOW + 60 }), 'AmountOutOfRange', amount)
        await expectRefused('reduce', reductionOf(stage, maker, amount), 'AmountOutOfRange', amount)
        await expectRefused('deposit', [taker.accountId, amount], 'AmountOutOfRange', amount)
        await expectRefused('depositWithAuthorization', stage.depositOf(taker, amount, 'second'), 'AmountOutOfRange', amount)
        await expectRefused('collect', [amount, taker.wallet.address], 'AmountOutOfRange', amount)
        await expectRefused('fill', [fill({ stake: amount, netStake: amount, takerFeeBps: 0n })], 'AmountOutOfRange', amount)
        await expectRefused('fill', [fill({ payout: amount })], 'AmountOutOfRange', amount)
        if (amount > 0n) await expectRefused('fill', [fill({ core: amount })], 'CoreTooHigh', amount, 10_000_001n)
      }
    })

    it('beyond what the vault may owe is not taken', async () => {
      await stage.send('mint', [taker.wallet.address, OWED_MAX], stage.operator, stage.usdc)
      const room = OWED_MAX - DEPOSITED
      await expectRefused('depositWithAuthorization', stage.depositOf(taker, room + 1n, 'second'), 'OwedTooMuch', OWED_MAX + 1n)
      await stage.send('depositWithAuthorization', stage.depositOf(taker, room, 'second'))
      await expectRefused('fill', [fill({ core: 1n })], 'OwedTooMuch', OWED_MAX + 1n)
    })

    it('that is sent to the vault without a call is nobody’s', async () => {
      await stage.takeOn(taker.wallet.address)
      const before = await stage.books(taker, maker, buyer)
      await stage.send('transfer', [stage.vault.address, 7n], taker.wallet.address, stage.usdc)
      expect(await stage.books(taker, maker, buyer)).toEqual([...before.slice(0, 5), DEPOSITED + 7n])
    })

    it('of a foreign token is nobody’s', async () => {
      const foreign = await stage.deploy(TEST_USDC.abi, TEST_USDC.bytecode, [])
      await stage.send('mint', [stranger.address, 1000n], stage.operator, foreign)
      await stage.send('approve', [stage.vault.address, 1000n], stranger.address, foreign)
      await stage.send('transfer', [stage.vault.address, 500n], stranger.address, foreign)
      expect((await stage.refusal('deposit', [taker.accountId, 500n], stranger.address))?.name).toBe('InsufficientAllowance')
      // An authorization of the foreign token says nothing to the vault's own.
      const other = stage.with(stage.vault, foreign)
      await expectRefused('depositWithAuthorization', other.depositOf(taker, 5n, 'second'), 'InvalidAuthorizationSignature')
      expect(await stage.books(taker, maker, buyer)).toEqual([100_000_000n, 500_000_000n, 200_000_000n, 0n, DEPOSITED, DEPOSITED])
    })

    it('of gas is not taken', async () => {
      const params = [{ from: stage.operator, to: stage.vault.address, value: '0x1' }, 'latest']
      const [answer] = await stage.rpc.batch([{ method: 'eth_call', params }])
      expect(answer).toHaveProperty('refusal')
    })

    it('of the house alone is collected, and not into the vault or nowhere', async () => {
      await open()
      await expectRefused('collect', [25_001n, taker.wallet.address], 'InsufficientHouse', 25_000n, 25_001n)
      await expectRefused('collect', [1n, ZERO_ADDRESS], 'ZeroAddress')
      await expectRefused('collect', [1n, stage.vault.address], 'ZeroAddress')
    })
  })

  describe('authorities', () => {
    it('a stranger sends nothing that is the operator’s', async () => {
      await stage.send('fill', [fill()])
      const { accountId, wallet, quoteSigner } = nobody
      const calls: Readonly<Record<string, readonly unknown[]>> = {
        batch: [[]], proposeOperator: [stranger.address], collect: [1n, stranger.address],
        register: [accountId, wallet.address, quoteSigner.address, stage.registrationOf(nobody)],
        setQuoteSigner: stage.signerChangeOf(maker, wallet.address, NOW),
        depositWithAuthorization: stage.depositOf(taker, 5n, 'second'),
        withdraw: withdrawalOf(stage, taker, { amount: 5n }),
        withdrawExit: withdrawalOf(stage, taker, { amount: 5n, exitExpiryS: NOW + 60 }),
        reduce: reductionOf(stage, maker, 5n), fill: [fill({ number: 2 })], cashout: [cashout()],
        resolve: [[positionIdOf(1)], [VaultOutcome.won]], settleMany: settle(VaultOutcome.won)[1],
      }
      for (const [functionName, args] of Object.entries(calls)) {
        for (const from of [stranger.address, taker.wallet.address]) {
          const refusal = await stage.refusal(functionName, args, from)
          expect([functionName, refusal?.name, lowered(refusal!)]).toEqual([functionName, 'NotOperator', [from]])
        }
        expect([functionName, await stage.refusal(functionName, args)]).toEqual([functionName, null])
      }
      const open = ['deposit', 'claim', 'claimMany', 'release', 'acceptOperator']
      const writing = VAULT.abi.filter((item) => item.type === 'function' && item.stateMutability !== 'view').map((item) => 'name' in item && item.name)
      expect(new Set([...Object.keys(calls), ...open])).toEqual(new Set(writing))
    })

    it('nobody is the operator but who was proposed and accepts', async () => {
      const refusal = await stage.refusal('acceptOperator', [], stranger.address)
      expect(refusal?.name).toBe('NotProposed')
      await stage.send('proposeOperator', [stranger.address])
      await expectRefused('acceptOperator', [], 'NotProposed')
      await stage.send('proposeOperator', [ZERO_ADDRESS])
      expect((await stage.refusal('acceptOperator', [], stranger.address))?.name).toBe('NotProposed')
    })

    it('accounts and signers are somebody', async () => {
      const { accountId, wallet, quoteSigner } = nobody
      const signature = stage.registrationOf(nobody)
      await expectRefused('register', [accountId, ZERO_ADDRESS, quoteSigner.address, signature], 'ZeroAddress')
      await expectRefused('register', [accountId, stage.vault.address, quoteSigner.address, signature], 'ZeroAddress')
      await expectRefused('register', [accountId, wallet.address, ZERO_ADDRESS, signature], 'ZeroAddress')
      await expectRefused('setQuoteSigner', [maker.accountId, ZERO_ADDRESS, BigInt(NOW), signature], 'ZeroAddress')
      await expectRefused('setQuoteSigner', [accountId, wallet.address, BigInt(NOW), signature], 'UnknownAccount')
      await expectRefused('deposit', [accountId, 5n], 'UnknownAccount')
      await expectRefused('depositWithAuthorization', stage.depositOf(nobody, 5n, 'first'), 'UnknownAccount')
    })

    it('a batch is all or nothing, and says which call it broke on', async () => {
      const { fillData, withdrawData } = callData()
      const refusal = await stage.refusal('batch', [[fillData, withdrawData, fillData]])
      expect(refusal).toMatchObject({ name: 'CallFailed', args: [2n, expect.stringMatching(/^0x/)] })
      expect(await stage.refusalOf(fillData)).toBeNull()
      await stage.send('batch', [[fillData, withdrawData]])
      expect(await stage.books(taker, maker)).toEqual([89_999_994n, 479_974_994n, 25_000n, DEPOSITED - 5n, DEPOSITED - 5n])
    })

    it('a vault is made for chain 999, a token and an operator', async () => {
      const deploy = (usdc: Hex, operator: Hex): Promise<Refusal | null> => stage.refusalOfDeployment(VAULT, [usdc, operator, SETTINGS])
      expect(await deploy(stage.usdc.address, stage.operator)).toBeNull()
      expect((await deploy(stranger.address, stage.operator))?.name).toBe('NotContract')
      expect((await deploy(stage.usdc.address, ZERO_ADDRESS))?.name).toBe('ZeroAddress')
      const chainId = await stage.rpc.call('anvil_setChainId', [1])
      expect(chainId).toBeNull()
      expect((await deploy(stage.usdc.address, stage.operator))?.name).toBe('WrongChain')
      await stage.rpc.call('anvil_setChainId', [999])
    })
  })
})

const callData = (): { fillData: Hex; withdrawData: Hex } => ({
  fillData: stage.dataOf('fill', [fill()]),
  withdrawData: stage.dataOf('withdraw', withdrawalOf(stage, taker, { amount: 5n })),
})
