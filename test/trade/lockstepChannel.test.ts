import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type WebSocket, WebSocketServer } from 'ws'
import { HttpCalls } from '../../src/trade/httpCalls.ts'
import type { ChannelTerms } from '../../src/trade/link.ts'
import { LockstepChannel } from '../../src/trade/lockstepChannel.ts'

const EVENTS: ChannelTerms = { kind: 'events', path: '/stream' }
const SOCKET: ChannelTerms = { kind: 'socket', path: '/socket', subprotocol: 'v1', firstFrame: 'hello' }

let server: Server
let url: string
let calls: HttpCalls
let channel: LockstepChannel
/** What each opening brought, and how it is answered. */
let openings: IncomingHttpHeaders[]
let status: number
let streams: ServerResponse[]
let sockets: WebSocket[]
/** What the channel told whoever opened it. */
let told: string[]
let hear: () => void

/** Resolves when something is so. */
const until = async (isSo: () => boolean): Promise<void> => {
  while (!isSo()) await new Promise((resolve) => { setTimeout(resolve, 5) })
}

beforeEach(async () => {
  openings = []
  streams = []
  sockets = []
  told = []
  status = 200
  hear = () => {}
  const upgrades = new WebSocketServer({ noServer: true })
  upgrades.on('headers', (headers) => { headers.push('Parlor-Channel: 7') })
  server = createServer(({ headers }, response) => {
    openings.push(headers)
    if (status !== 200) return void response.writeHead(status).end()
    response.writeHead(200, { 'parlor-channel': '7' }).flushHeaders()
    streams.push(response)
  }).on('upgrade', (request, socket, head) => {
    openings.push(request.headers)
    if (status !== 200) return void socket.end(`HTTP/1.1 ${status} No\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
    upgrades.handleUpgrade(request, socket, head, (made) => { sockets.push(made) })
  })
  await new Promise<void>((resolve) => { server.listen(0, '127.0.0.1', resolve) })
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterEach(() => {
  channel.close()
  calls.close()
  server.close()
  server.closeAllConnections()
  for (const socket of sockets) socket.terminate()
})

const make = (terms: ChannelTerms): LockstepChannel => {
  const site = { url, headers: { 'x-api-key': 'key' } }
  calls = new HttpCalls(site)
  channel = new LockstepChannel(terms, site, calls, {
    failed: (error) => {
      told.push(`failed: ${(error as Error).message}`)
      hear()
    },
    closed: (number, why) => { told.push(`closed: ${number} ${why}`) },
  })
  return channel
}
const kindOf = { stream: EVENTS, socket: SOCKET } as const
type Kind = keyof typeof kindOf
const send = (kind: Kind, text: string): void => {
  if (kind === 'stream') streams.at(-1)!.write(`${text}\n\n`)
  else sockets.at(-1)!.send(text)
}
const breakOff = (kind: Kind): void => {
  if (kind === 'stream') streams.at(-1)!.destroy()
  else sockets.at(-1)!.terminate()
}
const texts = async (count: number): Promise<string[]> => (await channel.take(count)).map(({ path, text }) => `${path} ${text}`)

describe.each(['stream', 'socket'] as const)('a %s of a client for whom time waits', (kind) => {
  const path = kindOf[kind].path

  it('is opened with the seat’s headers and its place in a turn, and has the number that the session gives it', async () => {
    expect(await make(kindOf[kind]).open({ 'parlor-turn': '4', 'parlor-call': '1' })).toBe('7')
    expect(openings).toHaveLength(1)
    expect(openings[0]).toMatchObject({ 'x-api-key': 'key', 'parlor-turn': '4', 'parlor-call': '1', ...(kind === 'socket' ? { 'parlor-frame': 'hello', 'sec-websocket-protocol': 'v1' } : {}) })
  })

  it('waits for as many frames as are asked for, counted from the first, and keeps the others', async () => {
    await make(kindOf[kind]).open()
    for (const text of ['a', 'b', 'c']) send(kind, text)
    expect(await texts(2)).toEqual([`${path} a`, `${path} b`])
    const both = texts(4)
    send(kind, 'd')
    expect(await both).toEqual([`${path} c`, `${path} d`])
    expect(await texts(4)).toEqual([])
  })

  it('is opened again where it was, each time that its connection breaks', async () => {
    await make(kindOf[kind]).open()
    send(kind, 'a')
    await texts(1)
    breakOff(kind)
    await until(() => streams.length + sockets.length === 2)
    send(kind, 'b')
    expect(await texts(2)).toEqual([`${path} b`])
    breakOff(kind)
    await until(() => openings.length === 3)
    expect(openings.map((headers) => [headers['parlor-channel'], headers['parlor-frames'], headers['parlor-frame']])).toEqual([
      [undefined, undefined, kind === 'socket' ? 'hello' : undefined], ['7', '1', undefined], ['7', '2', undefined],
    ])
    expect(told).toEqual([])
  })

  it('fails where it cannot be opened again, unless it is closed meanwhile', async () => {
    await make(kindOf[kind]).open()
    status = 409
    breakOff(kind)
    await new Promise<void>((resolve) => { hear = resolve })
    expect(told).toEqual([`failed: ${path} answers 409`])
  })

  it('says that the session has closed it, and is not opened again', async () => {
    await make(kindOf[kind]).open()
    if (kind === 'stream') streams[0]!.end()
    else sockets[0]!.close(4000, 'drained')
    await until(() => told.length > 0)
    expect(told).toEqual([kind === 'stream' ? 'closed: 7 ' : 'closed: 7 4000 drained'])
    await new Promise((resolve) => { setTimeout(resolve, 150) })
    expect(openings).toHaveLength(1)
  })

  it('ends what waits for its frames when it is closed, and is not opened again', async () => {
    await make(kindOf[kind]).open()
    const waiting = texts(1)
    channel.close()
    expect(await waiting).toEqual([])
    await new Promise((resolve) => { setTimeout(resolve, 150) })
    expect([openings.length, told]).toEqual([1, []])
  })

  it('is refused with the status', async () => {
    status = 429
    await expect(make(kindOf[kind]).open()).rejects.toMatchObject({ name: 'InputError', status: 429, message: `${path} answers 429`, hint: 'the seat has as many channels open as it may' })
  })
})
