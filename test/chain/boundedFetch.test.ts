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

/** A server that answers as it is told, once a request is whole if nobody reads it; returns its URL, with a name, a password and a key in it. */
function serve(answer: (request: IncomingMessage, response: ServerResponse) => unknown, isUnread = true): Promise<string> {
  const server = createServer((request, response) => {
    if (!isUnread) return void answer(request, response)
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

/** A chain whose answer to HTTP request 0, 1, … takes so many milliseconds; returns its URL, and which requests it has answered. */
async function slowChain(...takesMs: readonly number[]) {
  let asked = 0
  const answered: number[] = []
  const url = await serve(async (request, response) => {
    const n = asked++
    const [{ id }] = JSON.parse(Buffer.concat(await request.toArray()).toString()) as [{ id: number }]
    const timer = setTimeout(() => {
      answered.push(n)
      response.end(JSON.stringify([{ jsonrpc: '2.0', id, result: '0x3e7' }]))
    }, takesMs[n] ?? MINUTE_MS)
    response.on('close', () => { clearTimeout(timer) })
  }, false)
  return { url, answered }
}

it.each([
  ['takes longer for every answer than until it is asked again is waited for', [3_000, 3_000, 3_000], [0]],
  ['leaves a request without an answer is asked again', [MINUTE_MS, 0], [1]],
])('an EVM chain that %s', async (_, takesMs, which) => {
  const { url, answered } = await slowChain(...takesMs)
  // It is asked again after 2.56 s.
  expect(await new EvmRpc(url, undefined, 8_000).hex('eth_chainId')).toBe('0x3e7')
  expect(answered).toEqual(which)
}, MINUTE_MS)

it('an EVM chain that never answers is given up by its patience', async () => {
  const { url } = await slowChain()
  await expect(new EvmRpc(url, undefined, 1_200).hex('eth_chainId')).rejects.toThrow(/^no answer to eth_chainId from http:\S+ within 1\.2 s$/)
}, MINUTE_MS)

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
