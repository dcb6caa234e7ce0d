import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { boundedFetch } from '../../src/chain/boundedFetch.ts'
import { EvmRpc } from '../../src/chain/evm/rpc.ts'
import { openSvmChain } from '../../src/chain/svm/svmChain.ts'
import { InputError } from '../../src/unit/inputError.ts'

const MINUTE_MS = 60_000
let closeAll: (() => void) | undefined
afterEach(() => { closeAll?.() })

/** A server that answers as it is told; returns its URL, with a name, a password and a key in it. */
function serve(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  const server = createServer((request, response) => {
    request.resume()
    request.on('end', () => { answer(request, response) })
  })
  closeAll = () => {
    server.close()
    server.closeAllConnections()
  }
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => { resolve(`http://me:secret@127.0.0.1:${(server.address() as AddressInfo).port}/v3/secret?key=secret`) })
  })
}

it('an answer that never ends is given up by its length', async () => {
  const url = await serve((_, response) => {
    const more = (): void => { if (!response.destroyed) response.write('a'.repeat(2 ** 16), more) }
    more()
  })
  await expect(boundedFetch(MINUTE_MS, 2 ** 20)(url)).rejects.toThrow('an answer of more than 1 MiB')
})

it('an answer that begins and does not go on is given up by its time', async () => {
  const url = await serve((_, response) => { response.write('{"jsonrpc":') })
  await expect(boundedFetch(300, 2 ** 20)(url)).rejects.toMatchObject({ name: 'TimeoutError' })
})

it('an answer that goes on by a blank at a time is given up by its time', async () => {
  const url = await serve((_, response) => {
    const timer = setInterval(() => { response.write(' ') }, 20)
    response.on('close', () => { clearInterval(timer) })
  })
  await expect(boundedFetch(300, 2 ** 20)(url)).rejects.toMatchObject({ name: 'TimeoutError' })
})

it('a name and a password in a URL go into a header, and the answer comes whole', async () => {
  const url = await serve(({ headers }, response) => { response.writeHead(203, { 'x-kind': 'test' }).end(headers.authorization) })
  const response = await boundedFetch(MINUTE_MS, 2 ** 20)(url)
  expect([response.status, response.headers.get('x-kind'), await response.text()]).toEqual([203, 'test', `Basic ${Buffer.from('me:secret').toString('base64')}`])
})

it.each([
  ['EVM', (url: string) => new EvmRpc(url).hex('eth_chainId')],
  ['SVM', (url: string) => openSvmChain({ seed: '1', rpcUrl: url, profitFeeOnMaker: false, profitFeeOnTransfer: false })],
])('what is secret in the URL of an %s chain stands in no message', async (_, open) => {
  const url = await serve((_, response) => { response.writeHead(401).end('no') })
  const error = await open(url).then(() => null, (thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(InputError)
  expect(`${(error as InputError).message} ${(error as InputError).hint}`).toContain('http://127.0.0.1:')
  expect((error as InputError).describe()).not.toContain('secret')
})

it('an EVM chain by URL that refuses its id, or answers with what is no number, is named', async () => {
  const answering = (body: object) => serve((_, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify([{ jsonrpc: '2.0', id: 0, ...body }]))
  })
  const id = async (body: object): Promise<unknown> => new EvmRpc(await answering(body)).hex('eth_chainId').catch(({ name, message }: Error) => `${name}: ${message}`)
  expect(await id({ error: { code: -32_000, message: 'not today' } })).toMatch(/^InputError: the chain at \S+ refuses eth_chainId: not today$/)
  expect(await id({ result: { a: 1 } })).toMatch(/^InputError: the chain at \S+ answers eth_chainId with \{"a":1\}, which cannot be read$/)
})
