import { getAddress, type Hex } from 'viem'
import { describe, expect, it } from 'vitest'
import { VAULT, VaultOutcome } from '../../../src/chain/evm/abi.ts'
import { idOfText } from '../../../src/chain/evm/terms.ts'
import { noAnvil, skipped } from './bundledAnvil.ts'
import { signerOf, type VaultEvent } from './contractHarness.ts'
import { cashoutOf, fillOf, keyTextOf, positionIdOf, reductionIdOf, reductionOf, withdrawalOf } from './signedTrades.ts'
import { buyer, entry, fill, maker, nobody, NOW, sale, setScene, stage, stranger, taker } from './vaultScene.ts'

const POSITION = positionIdOf(1)
const [TAKER, MAKER, BUYER] = [taker.accountId, maker.accountId, buyer.accountId]
const NO_ID: Hex = `0x${'0'.repeat(64)}`
const seen = new Set<string>()

/** The call says these things and nothing else. */
async function expectSaid(functionName: string, args: readonly unknown[], events: readonly VaultEvent[], from = stage.operator): Promise<void> {
  for (const [name] of events) seen.add(name)
  expect([functionName, await stage.eventsOf(functionName, args, from)]).toEqual([functionName, events])
}

/** Whoever watches a chain sees the events alone. */
describe.skipIf(noAnvil)(`what the vault says${skipped}`, () => {
  setScene()

  it('of accounts and of the operator', async () => {
    const { accountId, wallet, quoteSigner } = nobody
    await expectSaid('register', [accountId, wallet.address, quoteSigner.address, stage.registrationOf(nobody)], [
      ['Registered', { accountId, owner: getAddress(wallet.address), quoteSigner: getAddress(quoteSigner.address) }]])
    await expectSaid('setQuoteSigner', stage.signerChangeOf(maker, stranger.address, NOW - 7), [
      ['QuoteSignerChanged', { accountId: MAKER, quoteSigner: getAddress(stranger.address), since: BigInt(NOW - 7) }]])
    await expectSaid('proposeOperator', [stranger.address], [['OperatorProposed', { proposed: getAddress(stranger.address) }]])
    await expectSaid('acceptOperator', [], [['OperatorChanged', { operator: getAddress(stranger.address) }]], stranger.address)
  })

  it('of money that comes and goes', async () => {
    await expectSaid('depositWithAuthorization', stage.depositOf(taker, 7n, 'second'), [
      ['Deposited', { accountId: TAKER, amount: 7n, depositId: idOfText('second') }]])
    await stage.takeOn(taker.wallet.address)
    await stage.send('approve', [stage.vault.address, 8n], taker.wallet.address, stage.usdc)
    await expectSaid('deposit', [TAKER, 8n], [['Deposited', { accountId: TAKER, amount: 8n, depositId: NO_ID }]], taker.wallet.address)
    await expectSaid('withdraw', withdrawalOf(stage, taker, { amount: 9n, key: 3 }), [
      ['Withdrawn', { accountId: TAKER, amount: 9n, requestKey: idOfText(keyTextOf(3)) }]])
    await expectSaid('withdrawExit', withdrawalOf(stage, taker, { amount: 10n, key: 4, exitExpiryS: NOW + 60 }), [
      ['Withdrawn', { accountId: TAKER, amount: 10n, requestKey: idOfText(keyTextOf(4)) }]])
    await expectSaid('reduce', reductionOf(stage, maker, 11n, 5), [
      ['ReductionStarted', { reductionId: reductionIdOf(5), accountId: MAKER, amount: 11n, releaseAt: BigInt(NOW + 86_400) }]])
    await stage.at(NOW + 86_400)
    await expectSaid('release', [reductionIdOf(5)], [['ReductionReleased', { reductionId: reductionIdOf(5), accountId: MAKER, amount: 11n }]])
  })

  it('of a position from its entry to its claim, and of the house', async () => {
    await expectSaid('fill', [fill({ core: 4_000_000n })], [['PositionOpened', {
      positionId: POSITION, holder: TAKER, backer: MAKER, stake: 10_000_001n, core: 4_000_000n, netStake: 9_975_001n, payout: 30_000_007n,
    }]])
    await expectSaid('cashout', [cashoutOf(stage, sale({ maker: buyer }))], [
      ['PositionTransferred', { positionId: POSITION, seller: TAKER, buyer: BUYER, price: 12_345_678n, fee: 0n }]])
    await expectSaid('resolve', [[POSITION], [VaultOutcome.won]], [['PositionResolved', { positionId: POSITION, outcome: VaultOutcome.won }]])
    // Profit 20,025,006 at 1.5% is 300,375.09.
    const claimed: VaultEvent = ['PositionClaimed', { positionId: POSITION, holder: BUYER, paid: 29_699_632n, fee: 300_375n }]
    await expectSaid('claim', [POSITION], [claimed])
    const treasury = signerOf(951).address
    await expectSaid('collect', [25_000n, treasury], [['Collected', { to: getAddress(treasury), amount: 25_000n }]])
  })

  it('of several settlements, of each in turn', async () => {
    for (const number of [1, 2, 3, 4]) await stage.send('fill', [fill({ number })])
    const [first, second, third, fourth] = [1, 2, 3, 4].map(positionIdOf) as [Hex, Hex, Hex, Hex]
    const resolved = (positionId: Hex, outcome: number): VaultEvent => ['PositionResolved', { positionId, outcome }]
    const claimed = (positionId: Hex): VaultEvent => ['PositionClaimed', { positionId, holder: TAKER, paid: 29_699_632n, fee: 300_375n }]
    const { lost, won, void: none } = VaultOutcome
    await expectSaid('settleMany', [[first, second, third], [lost, won, none]], [
      resolved(first, lost), resolved(second, won), claimed(second), resolved(third, none)])
    await stage.send('resolve', [[fourth], [won]])
    await expectSaid('claimMany', [[fourth]], [claimed(fourth)])
  })

  it('of a sale to the backing maker, with the fee where one is taken', async () => {
    await stage.send('fill', [fill()])
    await expectSaid('cashout', [cashoutOf(stage, sale())], [['PositionClosed', { positionId: POSITION, seller: TAKER, price: 12_345_678n, fee: 0n }]])
    const taxed = stage.with(await stage.deployVault(stage.usdc.address, { feeOnCashout: true }))
    for (const party of [taker, maker, buyer]) await taxed.admit(party, 100_000_000n)
    await taxed.send('fill', [fillOf(taxed, entry())])
    await taxed.send('fill', [fillOf(taxed, entry({ number: 2 }))])
    // Profit 2,370,677 at 1.5% is 35,560.155.
    expect(await taxed.eventsOf('cashout', [cashoutOf(taxed, sale())])).toEqual([
      ['PositionClosed', { positionId: POSITION, seller: TAKER, price: 12_345_678n, fee: 35_560n }]])
    expect(await taxed.eventsOf('cashout', [cashoutOf(taxed, sale({ number: 102, position: 2, maker: buyer }))])).toEqual([
      ['PositionTransferred', { positionId: positionIdOf(2), seller: TAKER, buyer: BUYER, price: 12_345_678n, fee: 35_560n }]])
  })

  it('is all that it can say', () => {
    expect(seen).toEqual(new Set(VAULT.abi.filter((item) => item.type === 'event').map(({ name }) => name)))
  })
})
