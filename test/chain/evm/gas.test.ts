import { afterAll, describe, expect, it } from 'vitest'
import { type Anvil, startAnvil } from '../../../src/chain/evm/anvil.ts'
import type { VaultCall } from '../../../src/chain/vaultCall.ts'
import { EvmRpc } from '../../../src/chain/evm/rpc.ts'
import { noAnvil, skipped } from './bundledAnvil.ts'
import {
  buyback, DAY_S, deposit, funded, MAKER, reduce, roundFill, settle, START_S, TAKER, transfer, USDC, withdraw,
} from './vaultSession.ts'

const ROOM = 0.8

describe.skipIf(noAnvil)(`gas${skipped}`, () => {
  let anvil: Anvil | undefined
  afterAll(async () => { await anvil?.close() })

  it.each([1, 100])('is offered with room for each kind of call, with up to %i in a transaction', async (callsPerBundle) => {
    anvil ??= await startAnvil({ genesisS: START_S, http: true, automine: true })
    const rpc = new EvmRpc(anvil.httpUrl!)
    const chain = await funded({ rpcUrl: anvil.httpUrl!, callsPerBundle })
    const groups: VaultCall[][] = [
      [deposit(TAKER, 5), deposit(MAKER, 5)], [withdraw(TAKER, 5, 1)], [withdraw(TAKER, 5, 2, START_S + DAY_S)],
      // The first with a core part, and a change of the quote signer before it.
      [roundFill(1, { coreMicros: 5, signerChanges: [{ signer: 77, sinceS: START_S }] }), roundFill(2)],
      [3, 4, 5, 6].map((position) => roundFill(position)),
      [buyback(1, 101, 100 * USDC)], [transfer(2, 102, 100 * USDC)],
      [settle(2, 'won'), settle(3, 'void'), settle(4, 'lost'), settle(5, 'won'), settle(6, 'void')], [reduce(8, MAKER, 5)],
    ]
    for (const calls of groups) {
      const bundles = await chain.prepare(calls)
      await chain.broadcast(bundles)
      expect(await chain.statuses(bundles)).toEqual(bundles.map(() => ({ state: 'final' })))
      for (const { id } of bundles) {
        const { gasUsed } = await rpc.call('eth_getTransactionReceipt', [id]) as { gasUsed: string }
        const { gas } = await rpc.call('eth_getTransactionByHash', [id]) as { gas: string }
        expect(Number(gasUsed)).toBeLessThan(ROOM * Number(gas))
      }
    }
    await chain.close()
  })
})
