import type { Hex } from 'viem'
import { describe, expect, it } from 'vitest'
import { VaultOutcome } from '../../../src/chain/evm/abi.ts'
import { idOfText } from '../../../src/chain/evm/terms.ts'
import { noAnvil, skipped } from './bundledAnvil.ts'
import { VaultPositionState } from './contractHarness.ts'
import {
  cashoutOf, entryMessages, keyTextOf, positionIdOf, reductionIdOf, reductionOf, signMessages, withdrawalOf, withKey,
} from './signedTrades.ts'
import { buyer, cashout, entry, expectRefused, fill, maker, NOW, open, sale, setScene, settle, stage, stranger, taker } from './vaultScene.ts'

describe.skipIf(noAnvil)(`the vault and time${skipped}`, () => {
  setScene()

  describe('time', () => {
    it('of a quote: its expiry is over, the second before is not', async () => {
      await expectRefused('fill', [fill({ expiryS: NOW })], 'QuoteExpired', BigInt(NOW), BigInt(NOW))
      expect(await stage.refusal('fill', [fill({ expiryS: NOW + 1 })])).toBeNull()
      await open()
      await expectRefused('cashout', [cashout({ expiryS: NOW })], 'QuoteExpired')
      expect(await stage.refusal('cashout', [cashout({ expiryS: NOW + 1 })])).toBeNull()
    })

    it('of an acceptance is not to come, and not longer ago than the vault lets it be', async () => {
      await expectRefused('fill', [fill({ acceptedAtS: NOW + 1, expiryS: NOW + 9 })], 'AcceptedAtWrong')
      const old = fill({ acceptedAtS: NOW, expiryS: NOW + 1, validBeforeS: NOW + 5000 })
      await stage.at(NOW + 600)
      expect(await stage.refusal('fill', [old])).toBeNull()
      await stage.at(NOW + 601)
      await expectRefused('fill', [old], 'AcceptedAtWrong', BigInt(NOW), BigInt(NOW + 601))
      await open()
      await expectRefused('cashout', [cashout({ acceptedAtS: NOW + 602 })], 'AcceptedAtWrong')
      await expectRefused('cashout', [cashout({ acceptedAtS: NOW })], 'AcceptedAtWrong')
    })

    it('of a window: before and after it nothing is filled or paid', async () => {
      await expectRefused('fill', [fill({ validAfterS: NOW + 1 })], 'OutsideWindow')
      await expectRefused('fill', [fill({ validBeforeS: NOW })], 'OutsideWindow')
      await expectRefused('fill', [fill({ acceptedAtS: NOW - 2, validAfterS: NOW - 1 })], 'OutsideWindow')
      await expectRefused('withdraw', withdrawalOf(stage, taker, { amount: 1n, validAfterS: NOW + 1 }), 'OutsideWindow')
      await expectRefused('withdraw', withdrawalOf(stage, taker, { amount: 1n, validBeforeS: NOW }), 'OutsideWindow')
      await expectRefused('withdrawExit', withdrawalOf(stage, taker, { amount: 1n, exitExpiryS: NOW }), 'ExitExpired')
      await expectRefused('withdrawExit', withdrawalOf(stage, taker, { amount: 1n, exitExpiryS: NOW + 9, validBeforeS: NOW }), 'OutsideWindow')
      await expectRefused('withdrawExit', withdrawalOf(stage, taker, { amount: 1n, exitExpiryS: NOW + 9, validAfterS: NOW + 1 }), 'OutsideWindow')
      const edge = { amount: 1n, validAfterS: NOW, validBeforeS: NOW + 1 }
      expect(await stage.refusal('withdraw', withdrawalOf(stage, taker, edge))).toBeNull()
    })

    it('of a reduction: a second early it is not released', async () => {
      await stage.send('reduce', reductionOf(stage, maker, 5n))
      await expectRefused('release', [reductionIdOf(1)], 'ReductionNotDue', reductionIdOf(1), BigInt(NOW + 86_400))
      await stage.at(NOW + 86_399)
      await expectRefused('release', [reductionIdOf(1)], 'ReductionNotDue')
      await stage.at(NOW + 86_400)
      expect(await stage.refusal('release', [reductionIdOf(1)])).toBeNull()
    })

    it('of an authorization: an ended one deposits nothing', async () => {
      const [accountId, amount, id] = stage.depositOf(taker, 5n, 'second') as [Hex, bigint, Hex]
      const ended = stage.authorizationOf(taker.wallet, amount, BigInt(NOW), stage.depositNonceOf(accountId, id))
      await expectRefused('depositWithAuthorization', [accountId, amount, id, BigInt(NOW), ended], 'AuthorizationExpired')
    })
  })

  describe('what has landed once', () => {
    it('is no second fill, under the same position or another', async () => {
      const args = fill()
      await stage.send('fill', [args])
      await expectRefused('fill', [args], 'AcceptanceUsed', taker.accountId, args.acceptance.acceptanceId)
      await expectRefused('fill', [{ ...args, positionId: positionIdOf(2) }], 'AcceptanceUsedOtherwise')
      await expectRefused('fill', [{ ...fill({ number: 2 }), positionId: positionIdOf(1) }], 'PositionExists', positionIdOf(1))
      expect(await stage.read('isAcceptanceUsed', [taker.accountId, args.acceptance.acceptanceId])).toBe(true)
    })

    it('is no fill of a position that was paid out before', async () => {
      await open()
      await stage.send(...settle(VaultOutcome.lost))
      await expectRefused('fill', [{ ...fill({ number: 2 }), positionId: positionIdOf(1) }], 'PositionExists')
    })

    it('under one taker’s key leaves the same key to another', async () => {
      await open()
      // Clients choose their keys: two may choose alike.
      const alike = withKey(entryMessages(entry({ number: 2, taker: buyer })), keyTextOf(1))
      expect(await stage.refusal('fill', [{ ...fill({ number: 2 }), ...signMessages(alike, buyer.wallet, maker.quoteSigner, stage.domain, NOW) }])).toBeNull()
    })

    it('is no second sale, and its key no entry', async () => {
      await open()
      const sold = cashoutOf(stage, sale({ maker: buyer }))
      await stage.send('cashout', [sold])
      await expectRefused('cashout', [sold], 'AcceptanceUsed')
      await expectRefused('fill', [fill({ number: 101 })], 'AcceptanceUsedOtherwise')
    })

    it('is no second withdrawal, with or without an Exit, and no reduction', async () => {
      await stage.send('withdraw', withdrawalOf(stage, maker, { amount: 5n, key: 1 }))
      await expectRefused('withdraw', withdrawalOf(stage, maker, { amount: 5n, key: 1 }), 'RequestUsed', maker.accountId, idOfText(keyTextOf(1)))
      await expectRefused('withdrawExit', withdrawalOf(stage, maker, { amount: 5n, key: 1, exitExpiryS: NOW + 60 }), 'RequestUsedOtherwise')
      await expectRefused('withdraw', withdrawalOf(stage, maker, { amount: 6n, key: 1 }), 'RequestUsedOtherwise')
      await expectRefused('reduce', reductionOf(stage, maker, 5n, 1), 'RequestUsedOtherwise')
      expect(await stage.read('isRequestUsed', [maker.accountId, idOfText(keyTextOf(1))])).toBe(true)
    })

    it('is no second reduction under the same signature or the same id, and no second release', async () => {
      await stage.send('reduce', reductionOf(stage, maker, 5n, 1))
      await expectRefused('reduce', reductionOf(stage, maker, 5n, 1), 'RequestUsed')
      const [, terms, signature] = reductionOf(stage, maker, 5n, 1)
      await expectRefused('reduce', [reductionIdOf(2), terms, signature], 'RequestUsedOtherwise')
      await expectRefused('reduce', [reductionIdOf(1), ...reductionOf(stage, maker, 5n, 2).slice(1)], 'ReductionExists')
      await stage.at(NOW + 86_400)
      await stage.send('release', [reductionIdOf(1)])
      await expectRefused('release', [reductionIdOf(1)], 'AlreadyReleased', reductionIdOf(1))
      await expectRefused('release', [reductionIdOf(2)], 'UnknownReduction', reductionIdOf(2))
    })

    it('is no second deposit, registration or change of the quote signer', async () => {
      const deposit = stage.depositOf(taker, 5n, 'second')
      await stage.send('depositWithAuthorization', deposit)
      await expectRefused('depositWithAuthorization', deposit, 'DepositUsed', taker.accountId, idOfText('second'))
      await expectRefused('depositWithAuthorization', stage.depositOf(taker, 6n, 'second'), 'DepositUsedOtherwise', taker.accountId, idOfText('second'))
      expect(await stage.read('isDepositUsed', [taker.accountId, idOfText('second')])).toBe(true)
      const { accountId, wallet, quoteSigner } = taker
      const registration = [accountId, wallet.address, quoteSigner.address, stage.registrationOf(taker)]
      await expectRefused('register', registration, 'AlreadyRegistered', accountId, wallet.address)
      const change = stage.signerChangeOf(maker, stranger.address, NOW)
      await stage.send('setQuoteSigner', change)
      await expectRefused('setQuoteSigner', change, 'WrongSigner')
    })

    it.each([['won', 'claimed'], ['lost', 'lost'], ['void', 'void']] as const)('as %s is settled so for good', async (outcome, state) => {
      await open()
      await stage.send(...settle(VaultOutcome[outcome]))
      for (const other of ['lost', 'won', 'void'] as const) {
        const [name, args] = other === outcome
          ? ['AlreadyResolved', [positionIdOf(1), VaultOutcome[outcome]]] : ['ResolvedOtherwise', [positionIdOf(1), VaultPositionState[state]]]
        await expectRefused(...settle(VaultOutcome[other]), name as string, ...args as unknown[])
        await expectRefused('resolve', [[positionIdOf(1)], [VaultOutcome[other]]], name as string)
      }
    })

    it('as won and not claimed yet is not void after all', async () => {
      await open()
      await stage.send('resolve', [[positionIdOf(1)], [VaultOutcome.won]])
      await expectRefused('resolve', [[positionIdOf(1)], [VaultOutcome.void]], 'ResolvedOtherwise')
      await stage.send('claim', [positionIdOf(1)])
      await expectRefused('claim', [positionIdOf(1)], 'AlreadyClaimed', positionIdOf(1))
      await expectRefused('claimMany', [[positionIdOf(1)]], 'AlreadyClaimed')
    })

    it('twice in one batch is refused as a whole', async () => {
      await open()
      await expectRefused('settleMany', [[positionIdOf(1), positionIdOf(1)], [VaultOutcome.won, VaultOutcome.won]], 'AlreadyResolved')
      await stage.send('resolve', [[positionIdOf(1)], [VaultOutcome.won]])
      await expectRefused('claimMany', [[positionIdOf(1), positionIdOf(1)]], 'AlreadyClaimed')
    })
  })
})
