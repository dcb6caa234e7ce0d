import { type Abi, decodeErrorResult, type Hex } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { VaultOutcome } from '../../../src/chain/evm/abi.ts'
import { compile } from '../../../tools/vaultContract/compile.ts'
import { noAnvil, skipped } from './bundledAnvil.ts'
import { partyOf, signerOf, START_S, VaultStage, ZERO_ADDRESS } from './contractHarness.ts'
import { cashoutOf, entryAt, fillOf, positionIdOf, reductionIdOf, reductionOf, saleAt, withdrawalOf } from './signedTrades.ts'

const taker = partyOf('taker', 1)
const maker = partyOf('maker', 2)
const payer = signerOf(950)
const NOW = START_S + 100
const DEPOSITED = 600_000_000n
/** `Vice` of the token. */
const Vice = { none: 0, returnsFalse: 1, returnsNothing: 2, keepsOne: 3, movesNothing: 4, callsBack: 5, reverts: 6 } as const

let stage: VaultStage
let undo: () => Promise<void>

const turn = (vice: number, target: Hex = ZERO_ADDRESS, data: Hex = '0x'): Promise<number> =>
  stage.send('turn', [vice, target, data], stage.operator, stage.usdc)
const told = <T>(functionName: string): Promise<T> => stage.read<T>(functionName, [], stage.usdc)

/** A call of each kind that moves tokens. */
const moves = (): readonly (readonly [string, readonly unknown[]])[] => [
  ['deposit', [taker.accountId, 1000n]],
  ['depositWithAuthorization', stage.depositOf(taker, 1000n, 'second')],
  ['withdraw', withdrawalOf(stage, taker, { amount: 1000n, key: 50 })],
  ['withdrawExit', withdrawalOf(stage, taker, { amount: 1000n, key: 51, exitExpiryS: stage.nowS + 60 })],
  ['fill', [fillOf(stage, entryAt(stage.nowS, taker, maker, { number: 60, core: 1000n }))]],
  ['release', [reductionIdOf(1)]],
  ['collect', [1000n, payer.address]],
]

describe.skipIf(noAnvil)(`the vault with a token that is not USDC${skipped}`, () => {
  beforeAll(async () => {
    const plain = await VaultStage.open()
    const { abi, bytecode } = compile('EvilToken', [new URL('EvilToken.sol', import.meta.url)])
    const token = await plain.deploy(abi as Abi, bytecode as Hex, [])
    stage = plain.with(await plain.deployVault(token.address), token)
    await stage.admit(taker, 100_000_000n)
    await stage.admit(maker, 500_000_000n)
    await stage.takeOn(payer.address)
    await stage.send('mint', [payer.address, 1_000_000n], stage.operator, token)
    await stage.at(NOW)
    for (const number of [1, 2, 3, 4]) await stage.send('fill', [fillOf(stage, entryAt(NOW, taker, maker, { number }))])
    await stage.send('resolve', [[positionIdOf(1)], [VaultOutcome.won]])
    await stage.send('reduce', reductionOf(stage, maker, 1000n, 1))
    await stage.send('reduce', reductionOf(stage, maker, 1000n, 2))
    await stage.at(NOW + 86_400)
  })
  beforeEach(async () => { undo = await stage.checkpoint() })
  afterEach(() => undo())
  afterAll(() => stage.close())

  const fromOf = (functionName: string): Hex => (functionName === 'deposit' ? payer.address : stage.operator)
  const expectMoves = async (): Promise<void> => {
    for (const [functionName, args] of moves()) {
      expect([functionName, await stage.refusal(functionName, args, fromOf(functionName))]).toEqual([functionName, null])
    }
  }

  it.each([
    ['keeps some of what it moves', Vice.keepsOne, 'TokenMovedWrong'],
    ['moves nothing', Vice.movesNothing, 'TokenMovedWrong'],
    ['reverts', Vice.reverts, 'Evil'],
  ] as const)('that %s moves no balance', async (_, vice, error) => {
    await expectMoves()
    await turn(vice)
    const pays = ['withdraw', 'withdrawExit', 'release', 'collect']
    for (const [functionName, args] of moves()) {
      const refusal = await stage.refusal(functionName, args, fromOf(functionName))
      // The vault can only see what leaves itself, so that a payee is on its own with a token that keeps some.
      const expected = vice === Vice.keepsOne && pays.includes(functionName) ? undefined : error
      expect([functionName, refusal?.name]).toEqual([functionName, expected])
    }
  })

  it('that answers false is not believed', async () => {
    await turn(Vice.returnsFalse)
    for (const functionName of ['deposit', 'withdraw', 'withdrawExit', 'release', 'collect']) {
      const args = moves().find(([name]) => name === functionName)![1]
      expect([functionName, (await stage.refusal(functionName, args, fromOf(functionName)))?.name]).toEqual([functionName, 'TokenFailed'])
    }
  })

  it('that answers nothing, as old ones do, is believed by what it moved', async () => {
    await turn(Vice.returnsNothing)
    await expectMoves()
  })

  it('that would burn them gets no fees of the house to burn', async () => {
    expect((await stage.refusal('collect', [1000n, ZERO_ADDRESS]))?.name).toBe('ZeroAddress')
  })

  describe('that calls back, as the operator even', () => {
    const calls = (): Readonly<Record<string, Hex>> => ({
      deposit: stage.dataOf('deposit', [taker.accountId, 1n]),
      depositWithAuthorization: stage.dataOf('depositWithAuthorization', stage.depositOf(taker, 5n, 'third')),
      withdraw: stage.dataOf('withdraw', withdrawalOf(stage, taker, { amount: 5n, key: 70 })),
      withdrawExit: stage.dataOf('withdrawExit', withdrawalOf(stage, taker, { amount: 5n, key: 71, exitExpiryS: stage.nowS + 60 })),
      reduce: stage.dataOf('reduce', reductionOf(stage, maker, 5n, 72)),
      release: stage.dataOf('release', [reductionIdOf(2)]),
      fill: stage.dataOf('fill', [fillOf(stage, entryAt(stage.nowS, taker, maker, { number: 73 }))]),
      cashout: stage.dataOf('cashout', [cashoutOf(stage, saleAt(stage.nowS, taker, maker, { number: 74, position: 2 }))]),
      resolve: stage.dataOf('resolve', [[positionIdOf(3)], [VaultOutcome.won]]),
      settleMany: stage.dataOf('settleMany', [[positionIdOf(4)], [VaultOutcome.won]]),
      claim: stage.dataOf('claim', [positionIdOf(1)]),
      claimMany: stage.dataOf('claimMany', [[positionIdOf(1)]]),
      collect: stage.dataOf('collect', [1n, payer.address]),
    })

    beforeEach(async () => {
      await stage.send('proposeOperator', [stage.usdc.address])
      await stage.send('act', [stage.vault.address, stage.dataOf('acceptOperator', [])], stage.operator, stage.usdc)
    })

    const act = (data: Hex): Promise<number> => stage.send('act', [stage.vault.address, data], stage.operator, stage.usdc)

    it('could make each of these calls at any other time', async () => {
      await stage.send('mint', [stage.usdc.address, 1n], stage.operator, stage.usdc)
      for (const [functionName, data] of Object.entries(calls())) {
        expect([functionName, await stage.refusal('act', [stage.vault.address, data], stage.operator, stage.usdc)]).toEqual([functionName, null])
      }
    })

    it('is not let in by any function, from any other', async () => {
      await stage.send('mint', [stage.usdc.address, 1_000_000n], stage.operator, stage.usdc)
      for (const [outer, args] of moves()) {
        for (const [inner, data] of Object.entries(calls())) {
          const back = await stage.checkpoint()
          const before = await stage.books(taker, maker)
          await turn(Vice.callsBack, stage.vault.address, data)
          await act(stage.dataOf(outer, args))
          const { errorName } = decodeErrorResult({ abi: stage.vault.abi, data: await told<Hex>('result') })
          expect([outer, inner, await told('calls'), await told('ok'), errorName]).toEqual([outer, inner, 1n, false, 'Reentered'])
          const after = await stage.books(taker, maker)
          expect(after.at(-1)).toBe(after.at(-2))
          expect(after).not.toEqual(before)
          await back()
        }
      }
    })

    it('nor through a batch', async () => {
      await turn(Vice.callsBack, stage.vault.address, stage.dataOf('batch', [[calls().withdraw!]]))
      await act(stage.dataOf('batch', [[calls().withdrawExit!]]))
      const { errorName, args } = decodeErrorResult({ abi: stage.vault.abi, data: await stage.read<Hex>('result', [], stage.usdc) })
      expect(errorName).toBe('CallFailed')
      expect(decodeErrorResult({ abi: stage.vault.abi, data: args![1] as Hex }).errorName).toBe('Reentered')
    })
  })

  it('leaves the vault open again after each call', async () => {
    const withdrawals = [80, 81].map((key) => stage.dataOf('withdraw', withdrawalOf(stage, taker, { amount: 5n, key })))
    await stage.send('batch', [[...withdrawals, stage.dataOf('claim', [positionIdOf(1)])]])
    expect((await stage.books(taker, maker)).slice(-2)).toEqual([DEPOSITED - 10n, DEPOSITED - 10n])
  })
})
