import { getAddress } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { VaultOutcome, type VaultSettings } from '../../../src/chain/evm/abi.ts'
import { partyOf, signerOf, START_S, VaultPositionState, VaultStage, WALLET_MICROS, ZERO_ADDRESS } from './contractHarness.ts'
import { noAnvil, skipped } from './bundledAnvil.ts'
import { cashoutOf, entryAt, fillOf, LEGS_HASH, positionIdOf, reductionIdOf, reductionOf, saleAt, withdrawalOf } from './signedTrades.ts'

const taker = partyOf('taker', 1)
const maker = partyOf('maker', 2)
const buyer = partyOf('buyer', 3)
/** What the three have deposited together. */
const DEPOSITED = 800_000_000n
const NOW = START_S + 100
/** The runtime code of a contract may be so long (EIP-170). */
const CODE_BYTES_MAX = 24_576

let stage: VaultStage
let undo: () => Promise<void>

async function admitAll(to: VaultStage): Promise<void> {
  await to.admit(taker, 100_000_000n)
  await to.admit(maker, 500_000_000n)
  await to.admit(buyer, 200_000_000n)
  await to.at(NOW)
}

/** The accounts on a vault with other settings. */
async function stageWith(settings: Partial<VaultSettings>): Promise<VaultStage> {
  const other = stage.with(await stage.deployVault(stage.usdc.address, settings))
  await admitAll(other)
  return other
}

const fill = (on: VaultStage, changes: Parameters<typeof entryAt>[3] = {}): Promise<number> =>
  on.send('fill', [fillOf(on, entryAt(on.nowS, taker, maker, changes))])
const settle = (on: VaultStage, outcome: number, number = 1): Promise<number> => on.send('settleMany', [[positionIdOf(number)], [outcome]])
const books = (on: VaultStage): Promise<readonly bigint[]> => on.books(taker, maker, buyer)

describe.skipIf(noAnvil)(`the vault of the outcome service${skipped}`, () => {
  beforeAll(async () => {
    stage = await VaultStage.open()
    await admitAll(stage)
  })
  beforeEach(async () => { undo = await stage.checkpoint() })
  afterEach(() => undo())
  afterAll(() => stage.close())

  it('fits into a contract', async () => {
    const code = await stage.rpc.hex('eth_getCode', [stage.vault.address, 'latest'])
    expect((code.length - 2) / 2).toBeLessThanOrEqual(CODE_BYTES_MAX)
  })

  it('credits deposits by authorization from wallets that have no gas', async () => {
    expect(await books(stage)).toEqual([100_000_000n, 500_000_000n, 200_000_000n, 0n, DEPOSITED, DEPOSITED])
    expect(await stage.tokensOf(taker.wallet.address)).toBe(WALLET_MICROS - 100_000_000n)
    expect(await stage.rpc.hex('eth_getBalance', [taker.wallet.address, 'latest'])).toBe('0x0')
  })

  it('credits a deposit that was approved', async () => {
    await stage.takeOn(taker.wallet.address)
    await stage.send('approve', [stage.vault.address, 3_000_001n], taker.wallet.address, stage.usdc)
    await stage.send('deposit', [taker.accountId, 3_000_001n], taker.wallet.address)
    expect(await books(stage)).toEqual([103_000_001n, 500_000_000n, 200_000_000n, 0n, DEPOSITED + 3_000_001n, DEPOSITED + 3_000_001n])
  })

  it('puts net stake and risk into the pot and the entry fee into the house', async () => {
    await fill(stage)
    // Taker 100,000,000 − 10,000,001. Maker 500,000,000 − (30,000,007 − 9,975,001).
    expect(await books(stage)).toEqual([89_999_999n, 479_974_994n, 200_000_000n, 25_000n, DEPOSITED, DEPOSITED])
    expect(await stage.read('potsOf', [[positionIdOf(1)]])).toEqual([[30_000_007n], [taker.accountId]])
    expect(await stage.read('positions', [positionIdOf(1)])).toEqual(
      [9_975_001n, 30_000_007n, 9_975_001n, 150, VaultPositionState.open, taker.accountId, maker.accountId, LEGS_HASH])
  })

  it('takes the core part of a stake out of the wallet in the same transaction', async () => {
    await fill(stage, { core: 4_000_000n })
    // Taker 100,000,000 − (10,000,001 − 4,000,000).
    expect(await books(stage)).toEqual([93_999_999n, 479_974_994n, 200_000_000n, 25_000n, DEPOSITED + 4_000_000n, DEPOSITED + 4_000_000n])
    expect(await stage.tokensOf(taker.wallet.address)).toBe(896_000_000n)
  })

  it('takes a whole stake out of the wallet, in the first second of its window and the last', async () => {
    await fill(stage, { core: 10_000_001n, validAfterS: NOW, validBeforeS: NOW + 1 })
    expect(await books(stage)).toEqual([100_000_000n, 479_974_994n, 200_000_000n, 25_000n, DEPOSITED + 10_000_001n, DEPOSITED + 10_000_001n])
  })

  it.each([
    // Profit 20,025,006 at 1.5% is 300,375.09.
    { outcome: 'won', after: [119_699_631n, 479_974_994n, 200_000_000n, 325_375n], state: 'claimed' },
    { outcome: 'lost', after: [89_999_999n, 509_975_001n, 200_000_000n, 25_000n], state: 'lost' },
    { outcome: 'void', after: [99_975_000n, 500_000_000n, 200_000_000n, 25_000n], state: 'void' },
  ] as const)('settles a position that is $outcome', async ({ outcome, after, state }) => {
    await fill(stage)
    await settle(stage, VaultOutcome[outcome])
    expect(await books(stage)).toEqual([...after, DEPOSITED, DEPOSITED])
    expect((await stage.read<readonly unknown[]>('positions', [positionIdOf(1)]))[4]).toBe(VaultPositionState[state])
    expect(await stage.read('potsOf', [[positionIdOf(1)]])).toEqual([[0n], [`0x${'0'.repeat(64)}`]])
  })

  it('keeps a won position until anyone claims it, for its holder', async () => {
    await fill(stage)
    await stage.send('resolve', [[positionIdOf(1)], [VaultOutcome.won]])
    expect(await books(stage)).toEqual([89_999_999n, 479_974_994n, 200_000_000n, 25_000n, DEPOSITED, DEPOSITED])
    expect(await stage.read('potsOf', [[positionIdOf(1)]])).toEqual([[30_000_007n], [taker.accountId]])
    const stranger = signerOf(950).address
    await stage.takeOn(stranger)
    await stage.send('claim', [positionIdOf(1)], stranger)
    expect(await books(stage)).toEqual([119_699_631n, 479_974_994n, 200_000_000n, 325_375n, DEPOSITED, DEPOSITED])
  })

  it('claims several at once', async () => {
    await fill(stage)
    await fill(stage, { number: 2 })
    const ids = [positionIdOf(1), positionIdOf(2)]
    await stage.send('resolve', [ids, [VaultOutcome.won, VaultOutcome.won]])
    await stage.send('claimMany', [ids])
    // The changes are twice −10,000,001 + 29,699,632 of the taker, twice −20,025,006 of the maker, and twice 25,000 + 300,375 of the house.
    expect(await books(stage)).toEqual([139_399_262n, 459_949_988n, 200_000_000n, 650_750n, DEPOSITED, DEPOSITED])
  })

  it('counts profit from the stake where the vault is set so', async () => {
    const gross = await stageWith({ profitOverGross: true })
    await fill(gross)
    await settle(gross, VaultOutcome.won)
    // Profit 20,000,006 at 1.5% is 300,000.09.
    expect(await books(gross)).toEqual([119_700_006n, 479_974_994n, 200_000_000n, 325_000n, DEPOSITED, DEPOSITED])
  })

  it('takes no fee on a payout that is below the basis', async () => {
    const gross = await stageWith({ profitOverGross: true })
    // Net stake 9,975,001; the payout lies between it and the stake.
    await fill(gross, { payout: 9_999_999n })
    await settle(gross, VaultOutcome.won)
    expect(await books(gross)).toEqual([99_999_998n, 499_975_002n, 200_000_000n, 25_000n, DEPOSITED, DEPOSITED])
  })

  it('closes a position out of its pot when the backing maker buys it', async () => {
    await fill(stage)
    await stage.send('cashout', [cashoutOf(stage, saleAt(NOW, taker, maker))])
    // Seller 89,999,999 + 12,345,678; maker 479,974,994 + 17,654,329.
    expect(await books(stage)).toEqual([102_345_677n, 497_629_323n, 200_000_000n, 25_000n, DEPOSITED, DEPOSITED])
    expect((await stage.read<readonly unknown[]>('positions', [positionIdOf(1)]))[4]).toBe(VaultPositionState.closed)
  })

  it('hands a position over to another maker, which is paid when it wins, and taxes profit at the claim only', async () => {
    await fill(stage)
    await stage.send('cashout', [cashoutOf(stage, saleAt(NOW, taker, buyer))])
    expect(await books(stage)).toEqual([102_345_677n, 479_974_994n, 187_654_322n, 25_000n, DEPOSITED, DEPOSITED])
    await settle(stage, VaultOutcome.won)
    expect(await books(stage)).toEqual([102_345_677n, 479_974_994n, 217_353_954n, 325_375n, DEPOSITED, DEPOSITED])
  })

  it('gives the net stake of a void position to whoever holds it', async () => {
    await fill(stage)
    await stage.send('cashout', [cashoutOf(stage, saleAt(NOW, taker, buyer))])
    await settle(stage, VaultOutcome.void)
    expect(await books(stage)).toEqual([102_345_677n, 500_000_000n, 197_629_323n, 25_000n, DEPOSITED, DEPOSITED])
  })

  it('lets a new holder sell on, to the backing maker as well', async () => {
    await fill(stage)
    await stage.send('cashout', [cashoutOf(stage, saleAt(NOW, taker, buyer))])
    await stage.send('cashout', [cashoutOf(stage, saleAt(NOW, buyer, maker, { number: 102, price: 20_000_000n }))])
    expect(await books(stage)).toEqual([102_345_677n, 489_975_001n, 207_654_322n, 25_000n, DEPOSITED, DEPOSITED])
  })

  it('takes the fee on a sale and counts from its price where the vault is set so', async () => {
    const taxed = await stageWith({ feeOnCashout: true })
    await fill(taxed)
    await taxed.send('cashout', [cashoutOf(taxed, saleAt(NOW, taker, buyer))])
    // Profit 2,370,677 at 1.5% is 35,560.155.
    expect(await books(taxed)).toEqual([102_310_117n, 479_974_994n, 187_654_322n, 60_560n, DEPOSITED, DEPOSITED])
    await settle(taxed, VaultOutcome.won)
    // Profit 17,654,329 at 1.5% is 264,814.935.
    expect(await books(taxed)).toEqual([102_310_117n, 479_974_994n, 217_389_515n, 325_374n, DEPOSITED, DEPOSITED])
  })

  it('takes the fee on a sale to the backing maker out of the pot', async () => {
    const taxed = await stageWith({ feeOnCashout: true })
    await fill(taxed)
    await taxed.send('cashout', [cashoutOf(taxed, saleAt(NOW, taker, maker))])
    expect(await books(taxed)).toEqual([102_310_117n, 497_629_323n, 200_000_000n, 60_560n, DEPOSITED, DEPOSITED])
  })

  it('pays a withdrawal into the wallet', async () => {
    await stage.send('withdraw', withdrawalOf(stage, taker, { amount: 40_000_001n }))
    expect(await books(stage)).toEqual([59_999_999n, 500_000_000n, 200_000_000n, 0n, DEPOSITED - 40_000_001n, DEPOSITED - 40_000_001n])
    expect(await stage.tokensOf(taker.wallet.address)).toBe(940_000_001n)
  })

  it('pays a withdrawal with an Exit into the wallet', async () => {
    await stage.send('withdrawExit', withdrawalOf(stage, taker, { amount: 100_000_000n, exitExpiryS: NOW + 1 }))
    expect(await books(stage)).toEqual([0n, 500_000_000n, 200_000_000n, 0n, 700_000_000n, 700_000_000n])
  })

  it('pays a reduction into the wallet after its delay, whoever asks', async () => {
    await stage.send('reduce', reductionOf(stage, maker, 60_000_000n))
    expect(await books(stage)).toEqual([100_000_000n, 500_000_000n, 200_000_000n, 0n, DEPOSITED, DEPOSITED])
    expect(await stage.read('accounts', [maker.accountId])).toEqual([getAddress(maker.wallet.address), 440_000_000n, 60_000_000n])
    await stage.at(NOW + 86_400)
    const stranger = signerOf(950).address
    await stage.takeOn(stranger)
    await stage.send('release', [reductionIdOf(1)], stranger)
    expect(await books(stage)).toEqual([100_000_000n, 440_000_000n, 200_000_000n, 0n, 740_000_000n, 740_000_000n])
    expect(await stage.tokensOf(maker.wallet.address)).toBe(560_000_000n)
  })

  it('pays the house out to whom the operator says', async () => {
    const treasury = signerOf(951).address
    await fill(stage)
    await stage.send('collect', [24_999n, treasury])
    expect(await books(stage)).toEqual([89_999_999n, 479_974_994n, 200_000_000n, 1n, DEPOSITED - 24_999n, DEPOSITED - 24_999n])
    expect(await stage.tokensOf(treasury)).toBe(24_999n)
  })

  it('hands the operator over in two steps', async () => {
    const next = signerOf(901).address
    await stage.takeOn(next)
    await stage.send('proposeOperator', [next])
    await stage.send('fill', [fillOf(stage, entryAt(NOW, taker, maker))])
    await stage.send('acceptOperator', [], next)
    expect((await stage.refusal('collect', [1n, taker.wallet.address]))?.name).toBe('NotOperator')
    await stage.send('collect', [1n, taker.wallet.address], next)
    expect(await stage.read('proposedOperator')).toBe(ZERO_ADDRESS)
  })
})
