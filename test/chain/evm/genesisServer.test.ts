import { expect, it, onTestFinished } from 'vitest'
import { startAnvil } from '../../../src/chain/evm/anvil.ts'
import { serveGenesis } from '../../../src/chain/evm/genesisServer.ts'
import { EvmRpc } from '../../../src/chain/evm/rpc.ts'

const GENESIS_S = 1_750_370_400
const ANYBODY = '0x00000000000000000000000000000000000000aa'

const ask = async (url: string, body: object): Promise<unknown> =>
  (await fetch(url, { method: 'POST', body: JSON.stringify(body) })).json()

it('serves one block and no account, one by one and in batches, and refuses other methods', async () => {
  const genesis = await serveGenesis(GENESIS_S)
  onTestFinished(() => { genesis.close() })
  expect(await ask(genesis.url, { id: 1, method: 'eth_getBlockByNumber', params: ['0x0', false] })).toMatchObject({ id: 1, result: { number: '0x0', timestamp: '0x68548860' } })
  expect(await ask(genesis.url, [{ id: 2, method: 'eth_chainId' }, { id: 3, method: 'eth_getCode', params: [ANYBODY] }, { id: 4, method: 'eth_call' }])).toEqual([
    { jsonrpc: '2.0', id: 2, result: '0x3e7' }, { jsonrpc: '2.0', id: 3, result: '0x' }, { jsonrpc: '2.0', id: 4, error: { code: -32601, message: 'no method eth_call' } },
  ])
})

it.each([['nothing', ''], ['no JSON', 'x'], ['no request', 'null'], ['a request without a method', '{"id":1}'], ['a list with one', '[null]'], ['more than anvil would ask', `"${'x'.repeat(1 << 20)}"`]])('is not ended by %s', async (_, body) => {
  const genesis = await serveGenesis(GENESIS_S)
  onTestFinished(() => { genesis.close() })
  expect((await fetch(genesis.url, body === '' ? {} : { method: 'POST', body })).status).toBe(400)
  expect(await ask(genesis.url, { id: 1, method: 'eth_chainId' })).toMatchObject({ result: '0x3e7' })
})

it('answers nobody once it is closed', async () => {
  const genesis = await serveGenesis(GENESIS_S)
  genesis.close()
  await expect(ask(genesis.url, { id: 1, method: 'eth_chainId' })).rejects.toThrow('fetch failed')
})

it('is where an anvil goes on, with the clock of the session and without the root of its state', async () => {
  const anvil = await startAnvil({ genesisS: GENESIS_S })
  onTestFinished(() => anvil.close())
  const rpc = new EvmRpc(anvil.ipcPath, anvil.ended)
  expect(await rpc.hex('eth_chainId')).toBe('0x3e7')
  expect(await rpc.hex('eth_getBalance', [ANYBODY, 'latest'])).toBe('0x0')
  await rpc.call('evm_mine', [{ timestamp: GENESIS_S + 5 }])
  expect(await rpc.call('eth_getBlockByNumber', ['latest', false])).toMatchObject({ number: '0x1', timestamp: '0x68548865', stateRoot: `0x${'0'.repeat(64)}` })
  await rpc.close()
})
