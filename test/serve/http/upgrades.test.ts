import { connect, type Socket } from 'node:net'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { Transport } from '../../../src/serve/http/transport.ts'
import type { ToHttp, ToSession } from '../../../src/serve/threadMessages.ts'
import { PATIENCE_MS } from '../../patience.ts'

const ASKED = 'GET /v1/stream HTTP/1.1\r\nhost: x\r\nconnection: Upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n'

let transport: Transport
let port = 0
let told: ToSession[]
let tell: (message: ToHttp) => void
let hear: (message: ToSession) => void

beforeEach(async () => {
  told = []
  hear = () => {}
  transport = new Transport({
    say: (message) => {
      told.push(message)
      hear(message)
    },
    hear: (listen) => { tell = listen },
  }, { tokenOf: () => Promise.resolve(undefined) })
  port = Number(new URL((await transport.open('outcome', '127.0.0.1', 0)).url).port)
})

/** Asks for an upgrade, and waits until the session has been asked. */
const asked = (bytes = ASKED, options = {}): Promise<{ readonly socket: Socket; readonly id: number }> => new Promise((resolve) => {
  const socket = connect({ port, host: '127.0.0.1', ...options }, () => { socket.write(bytes) })
  hear = ({ id }) => { resolve({ socket, id }) }
})

const closed = (socket: Socket): Promise<void> => new Promise((resolve) => {
  socket.on('close', () => { resolve() })
  socket.resume()
})

describe('an upgrade', () => {
  it.each([
    ['that the session has not answered', () => {}],
    ['whose client has gone', (socket: Socket) => { socket.end() }],
  ])('%s does not keep the port open', async (_, act) => {
    const { socket } = await asked()
    const over = closed(socket)
    act(socket)
    await Promise.all([transport.close(), over])
    expect(socket.destroyed).toBe(true)
  })

  it('that is refused ends, also where the client holds its side open', async () => {
    const { socket, id } = await asked(ASKED, { allowHalfOpen: true })
    let text = ''
    socket.on('data', (data) => { text += String(data) })
    const ended = new Promise((resolve) => { socket.on('end', resolve) })
    tell({ kind: 'answer', id, answer: { status: 403, headers: [['x-why', 'y']], body: 'no' } })
    await ended
    expect(text).toBe('HTTP/1.1 403 Forbidden\r\nx-why: y\r\ncontent-length: 2\r\nconnection: close\r\n\r\nno')
    // What arrives at a connection that is cut off is answered by its reset.
    const reset = new Promise<unknown>((resolve) => { socket.on('error', ({ code }: NodeJS.ErrnoException) => { resolve(code) }) })
    const writing = setInterval(() => { socket.write('x') }, 100)
    expect(['ECONNRESET', 'EPIPE']).toContain(await reset)
    clearInterval(writing)
    await transport.close()
  })

  it.each([
    ['is no upgrade to a WebSocket', ASKED.replace('sec-websocket-version: 13', 'sec-websocket-version: 9'), () => {}],
    ['has lost its client', ASKED, (socket: Socket) => { socket.resetAndDestroy() }],
  ])('that is let in and %s is closed once', async (_, bytes, act) => {
    const { socket, id } = await asked(bytes)
    socket.on('error', () => {})
    const over = closed(socket)
    act(socket)
    tell({ kind: 'accept', id, subprotocol: undefined, headers: [] })
    await over
    await vi.waitFor(() => { expect(told.length).toBeGreaterThan(1) }, { timeout: PATIENCE_MS })
    await transport.close()
    expect(told.map((message) => message.kind)).toEqual(['open', 'closed'])
  })
})
