import { createServer, type Server, type Socket } from 'node:net'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { NodeSocket } from '../../../src/chain/evm/nodeSocket.ts'

const reply = (id: number, result: unknown): string => `${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`

let server: Server
let socket: NodeSocket
let path: string
/** The node's end of the connection. */
let node: Promise<Socket>

beforeEach(async () => {
  path = join(mkdtempSync(join(tmpdir(), 'parlor-socket-')), 'ipc')
  server = createServer()
  node = new Promise((resolve) => { server.once('connection', resolve) })
  await new Promise<void>((resolve) => { server.listen(path, resolve) })
  socket = new NodeSocket(path)
})
afterEach(async () => {
  socket.fail(new Error('closed'))
  server.close()
})

it('gives each request its reply, in whatever order and pieces replies come', async () => {
  const asked = socket.ask([{ method: 'first', params: [1] }, { method: 'second' }])
  const end = await node
  const text = await new Promise<string>((resolve) => { end.once('data', (bytes: Buffer) => { resolve(bytes.toString()) }) })
  expect(text.split('\n').map((line) => JSON.parse(line) as unknown)).toEqual([
    { jsonrpc: '2.0', id: 0, method: 'first', params: [1] }, { jsonrpc: '2.0', id: 1, method: 'second', params: [] },
  ])
  const replies = `${reply(1, 'zwei ☂')}${JSON.stringify({ jsonrpc: '2.0', id: 0, error: { message: 'no', data: '0x01' } })}\n`
  const bytes = Buffer.from(replies)
  // In the middle of a letter of three bytes.
  const middle = bytes.indexOf(Buffer.from('☂')) + 1
  end.write(bytes.subarray(0, middle))
  await new Promise((resolve) => { setImmediate(resolve) })
  end.write(bytes.subarray(middle))
  expect(await Promise.all(asked)).toEqual([{ jsonrpc: '2.0', error: { message: 'no', data: '0x01' } }, { jsonrpc: '2.0', result: 'zwei ☂' }])
})

it.each([
  ['the node closes it', (end: Socket) => { end.destroy() }, /closed|EPIPE|ECONNRESET/],
  ['what comes is no JSON', (end: Socket) => { end.write('<html>\n') }, /JSON/],
])('rejects what is under way, and all that comes later, when %s', async (_, breakIt, message) => {
  const [first] = socket.ask([{ method: 'first' }])
  breakIt(await node)
  await expect(first).rejects.toThrow(message)
  await expect(socket.ask([{ method: 'second' }])[0]).rejects.toThrow(message)
})

it('rejects where nobody listens', async () => {
  const nobody = new NodeSocket(`${path}-of-nobody`)
  await expect(nobody.ask([{ method: 'first' }])[0]).rejects.toThrow('ENOENT')
})
