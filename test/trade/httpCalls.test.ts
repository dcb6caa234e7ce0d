import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { HttpCalls } from '../../src/trade/httpCalls.ts'

/** A service that answers the first call on each connection, and ends the connection at the second. */
async function forgetful(): Promise<{ readonly calls: HttpCalls; readonly asked: string[] }> {
  const asked: string[] = []
  const server = createServer((incoming, answer) => {
    const { socket, method, url } = incoming
    asked.push(`${method} ${url}`)
    if (known.has(socket)) socket.resetAndDestroy()
    else answer.end('{}')
    known.add(socket)
  })
  const known = new WeakSet<object>()
  await new Promise<void>((resolve) => { server.listen(0, '127.0.0.1', resolve) })
  const calls = new HttpCalls({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, headers: {} })
  onTestFinished(() => {
    calls.close()
    server.close()
    server.closeAllConnections()
  })
  return { calls, asked }
}

it('a read is asked for again when the service ends a kept connection just then', async () => {
  const { calls, asked } = await forgetful()
  await calls.callSoon('GET', '/first')
  expect(await calls.callSoon('GET', '/second')).toMatchObject({ status: 200, body: '{}' })
  expect(asked).toEqual(['GET /first', 'GET /second', 'GET /second'])
})

it('what changes something is never sent twice', async () => {
  const { calls, asked } = await forgetful()
  await calls.callSoon('GET', '/first')
  await expect(calls.callSoon('POST', '/second', '{}')).rejects.toMatchObject({ code: 'ECONNRESET' })
  expect(asked).toEqual(['GET /first', 'POST /second'])
})
