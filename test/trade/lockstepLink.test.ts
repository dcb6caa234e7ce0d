import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type WebSocket, WebSocketServer } from 'ws'
import type { Act, ChannelTerms, Turn } from '../../src/trade/link.ts'
import { LockstepLink } from '../../src/trade/lockstepLink.ts'

const NOTHING: readonly Act[] = []
const EVENTS: ChannelTerms = { kind: 'events', path: '/stream' }
const SOCKET: ChannelTerms = { kind: 'socket', path: '/socket', firstFrame: 'hello' }
const never = new AbortController().signal

/** A session of one client that the test plays: streams are channels `1`, sockets `2`, and the control socket is at `/control`. */
class Session {
  readonly streams: { readonly response: ServerResponse; readonly headers: IncomingHttpHeaders }[] = []
  readonly sockets: { readonly socket: WebSocket; readonly headers: IncomingHttpHeaders }[] = []
  readonly said: unknown[] = []
  control: WebSocket | null = null
  url = ''
  /** What a stream is answered with. */
  status = 200
  /** What the client has said on its control channel, ready among it. */
  hear: (frame: { readonly frame: string; readonly n?: number }) => void = () => {}
  opened: () => void = () => {}
  private readonly server: Server
  private readonly upgrades = new WebSocketServer({ noServer: true })

  constructor() {
    this.upgrades.on('headers', (headers, { url }) => { if (url === '/socket') headers.push('Parlor-Channel: 2') })
    this.server = createServer(({ url, headers }, response) => {
      if (url !== '/stream') return void response.end('{"ok":true}')
      response.writeHead(this.status, { 'parlor-channel': '1' }).flushHeaders()
      this.streams.push({ response, headers })
      this.opened()
    })
    this.server.on('upgrade', (request, stream, head) => {
      this.upgrades.handleUpgrade(request, stream, head, (socket) => {
        if (request.url === '/socket') {
          this.sockets.push({ socket, headers: request.headers })
          return this.opened()
        }
        this.control = socket
        socket.on('message', (data: Buffer) => {
          const frame = JSON.parse(data.toString()) as { frame: string }
          this.said.push(frame)
          this.hear(frame)
        })
      })
    })
  }

  async listen(): Promise<void> {
    await new Promise<void>((resolve) => { this.server.listen(0, '127.0.0.1', resolve) })
    this.url = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`
  }

  tell(frame: object): void {
    this.control!.send(JSON.stringify(frame))
  }

  turn(n: number, why: string, counts: Readonly<Record<string, number>> = {}, of?: object): void {
    this.tell({ frame: 'turn', n, at_us: 1000 * n, why, counts, ...(of === undefined ? {} : { of }) })
  }

  end(): void {
    this.tell({ frame: 'over' })
    this.control!.close(1000)
  }

  close(): void {
    this.server.close()
    this.server.closeAllConnections()
    for (const { socket } of this.sockets) socket.terminate()
    this.control?.terminate()
  }
}

let session: Session
beforeEach(async () => {
  session = new Session()
  await session.listen()
})
afterEach(() => { session.close() })

const linkOf = (...channels: readonly ChannelTerms[]): LockstepLink =>
  new LockstepLink({ url: session.url, controlUrl: `${session.url}/control`, token: 'token', headers: { 'x-api-key': 'key' }, channels })

describe('a link in time that waits', () => {
  it('takes as many frames in a turn as the session counted, and keeps the others', async () => {
    const turns: unknown[] = []
    session.hear = ({ frame, n }) => {
      if (frame === 'ready') {
        session.streams[0]!.response.write('data: a\n\ndata: b\n\ndata: c\n\n')
        session.turn(1, 'begin', { 1: 2 })
      } else if (n === 1) session.turn(2, 'onRequest', { 1: 3, 9: 4 })
      else session.end()
    }
    await linkOf(EVENTS).play(({ frames, why, atUs }: Turn) => {
      turns.push([why, atUs, frames.map(({ text }) => text)])
      return Promise.resolve(NOTHING)
    }, never)
    expect(turns).toEqual([['begin', 1000, ['data: a', 'data: b']], ['told', 2000, ['data: c']]])
    expect(session.said).toEqual([{ frame: 'ready' }, { frame: 'done', n: 1, calls: 0 }, { frame: 'done', n: 2, calls: 0 }])
  })

  it('goes on with a lost stream and a lost socket after the frames that it has', async () => {
    const frames: string[] = []
    session.hear = ({ frame, n }) => {
      if (frame === 'ready') {
        session.streams[0]!.response.write('data: a\n\ndata: b\n\n')
        session.sockets[0]!.socket.send('one')
        session.turn(1, 'begin', { 1: 2, 2: 1 })
      } else if (n === 1) {
        session.streams[0]!.response.destroy()
        session.sockets[0]!.socket.terminate()
        session.turn(2, 'onRequest', { 1: 3, 2: 2 })
      } else session.end()
    }
    session.opened = () => {
      if (session.streams.length + session.sockets.length < 4) return
      session.streams.at(-1)!.response.write('data: c\n\n')
      session.sockets.at(-1)!.socket.send('two')
    }
    await linkOf(EVENTS, SOCKET).play((turn) => {
      frames.push(...turn.frames.map(({ path, text }) => `${path} ${text}`))
      return Promise.resolve(NOTHING)
    }, never)
    expect(frames).toEqual(['/stream data: a', '/stream data: b', '/socket one', '/stream data: c', '/socket two'])
    const opening = ({ headers }: { readonly headers: IncomingHttpHeaders }) => [headers['parlor-channel'], headers['parlor-frames'], headers['parlor-frame']]
    expect(session.streams.map(opening)).toEqual([[undefined, undefined, undefined], ['1', '2', undefined]])
    expect(session.sockets.map(opening)).toEqual([[undefined, undefined, 'hello'], ['2', '1', undefined]])
  })

  it('fails where the control channel breaks off, and ends where the session says that it is over', async () => {
    session.hear = () => { session.control!.terminate() }
    await expect(linkOf().play(() => Promise.resolve(NOTHING), never)).rejects.toThrow(/^lost .*control in the middle of the session \(closed with 1006\)/)
    session.hear = () => { session.end() }
    await linkOf().play(() => Promise.resolve(NOTHING), never)
  })

  it('says that it was dropped, and what was refused', async () => {
    session.hear = () => { session.tell({ frame: 'left', n: 7 }) }
    await expect(linkOf().play(() => Promise.resolve(NOTHING), never)).rejects.toMatchObject({ name: 'InputError', message: 'the session goes on without this client: it has dropped turn 7' })
    session.hear = () => { session.tell({ frame: 'refused', reason: 'twice' }) }
    await expect(linkOf().play(() => Promise.resolve(NOTHING), never)).rejects.toMatchObject({ name: 'InputError', message: 'the session refused what this client sent: twice', hint: expect.stringContaining('before time begins') as string })
    session.hear = ({ frame }) => {
      if (frame === 'ready') session.turn(1, 'begin')
      else session.tell({ frame: 'refused', reason: 'twice' })
    }
    await expect(linkOf().play(() => Promise.resolve(NOTHING), never)).rejects.toMatchObject({ name: 'InputError', hint: 'parlor serve says what became of the turn' })
  })

  it('ends well where the session is over that refused the end of a turn', async () => {
    session.hear = ({ frame }) => {
      if (frame === 'ready') return session.turn(1, 'begin')
      session.tell({ frame: 'refused', reason: 'the client has no turn' })
      session.end()
    }
    await linkOf().play(() => Promise.resolve(NOTHING), never)
    expect(session.said).toEqual([{ frame: 'ready' }, { frame: 'done', n: 1, calls: 0 }])
  })

  it('opens no channel again that the session has closed', async () => {
    session.hear = ({ frame }) => {
      if (frame !== 'ready') return
      session.streams[0]!.response.end()
      session.sockets[0]!.socket.close(1001, 'left')
      session.sockets[0]!.socket.once('close', () => { setTimeout(() => { session.end() }, 400) })
    }
    await linkOf(EVENTS, SOCKET).play(() => Promise.resolve(NOTHING), never)
    expect([session.streams.length, session.sockets.length]).toEqual([1, 1])
  })

  it('leaves once the calls of its leaving are answered, each in a turn of its own', async () => {
    const leaving = new AbortController()
    const whys: string[] = []
    session.hear = ({ frame, n }) => {
      if (frame === 'ready') session.turn(1, 'begin')
      else if (n === 1) {
        leaving.abort()
        session.turn(2, 'onRequest')
      } else if (n === 2) {
        // What is refused while it leaves is no fault of its own, however long the rest takes.
        session.tell({ frame: 'refused', reason: 'the client has no turn' })
        setTimeout(() => { session.turn(3, 'answer', {}, { turn: 1, call: 1 }) }, 700)
      } else if (n === 3) session.turn(4, 'answer', {}, { turn: 2, call: 1 })
    }
    await linkOf().play(({ why, tag }) => {
      whys.push(`${why} ${String(tag)}`)
      if (why === 'begin') return Promise.resolve([{ method: 'PUT', path: '/quote', tag: 'quote' }])
      return Promise.resolve(why === 'told' ? [{ method: 'DELETE', path: '/quote', tag: 'withdrawal' }] : NOTHING)
    }, leaving.signal)
    expect(whys).toEqual(['begin undefined', 'told undefined', 'answer quote', 'answer withdrawal'])
  })

  it('fails where a stream is refused', async () => {
    session.status = 401
    session.hear = () => { session.end() }
    await expect(linkOf(EVENTS).play(() => Promise.resolve(NOTHING), never)).rejects.toMatchObject({ name: 'InputError', message: expect.stringContaining('401') as string })
  })

  it('leaves at once before time has begun', async () => {
    const leaving = new AbortController()
    session.hear = () => { leaving.abort() }
    await linkOf(EVENTS).play(() => Promise.reject(new Error('no turn is due')), leaving.signal)
    expect(session.said).toEqual([{ frame: 'ready' }])
  })
})
