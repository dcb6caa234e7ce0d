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
/** Longer than the grace of whatever a client looks at again in a moment, ms. */
const LATE_MS = 700
/** Resolves when something is so. */
const until = async (isSo: () => boolean): Promise<void> => {
  while (!isSo()) await new Promise((resolve) => { setTimeout(resolve, 5) })
}

/** A session of one client that the test plays: streams are channels `1`, sockets `2`, `3`, …, and the control socket is at `/control`. */
class Session {
  readonly streams: { readonly response: ServerResponse; readonly headers: IncomingHttpHeaders }[] = []
  readonly sockets: { readonly socket: WebSocket; readonly headers: IncomingHttpHeaders }[] = []
  readonly said: unknown[] = []
  control: WebSocket | null = null
  url = ''
  /** Whether time has begun when a client comes. */
  hasBegun = false
  /** Told with the welcome. */
  openTurn: object | null = null
  /** What a stream is answered with. */
  status = 200
  /** What the client has said on its control channel, ready among it. */
  hear: (frame: { readonly frame: string; readonly n?: number }) => void = () => {}
  opened: () => void = () => {}
  call: (response: ServerResponse) => void = (response) => { response.end('{"ok":true}') }
  /** How long an answer that opens no stream takes, ms. */
  held = 0
  private readonly server: Server
  private readonly upgrades = new WebSocketServer({ noServer: true })

  constructor() {
    this.upgrades.on('headers', (headers, { url, headers: { 'parlor-channel': resumed } }) => { if (url === '/socket') headers.push(`Parlor-Channel: ${String(resumed ?? 2 + this.sockets.length)}`) })
    this.server = createServer(({ url, headers }, response) => {
      if (url !== '/stream') return this.call(response)
      const { status } = this
      if (status !== 200) {
        setTimeout(() => { response.writeHead(status).end() }, this.held)
        return this.opened()
      }
      response.writeHead(status, { 'parlor-channel': '1' }).flushHeaders()
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
        this.tell({ frame: 'welcome', has_begun: this.hasBegun })
        if (this.openTurn !== null) this.tell(this.openTurn)
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

  turn(n: number, why: string, counts: Readonly<Record<string, number>> = {}, more: { readonly of?: object; readonly is_ending?: boolean } = {}): void {
    this.tell({ frame: 'turn', n, at_us: 1000 * n, why, counts, ...more })
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
  said = []
  await session.listen()
})
afterEach(() => { session.close() })

/** What the client says of itself. */
let said: string[]
const linkOf = (...channels: readonly ChannelTerms[]): LockstepLink =>
  new LockstepLink({ url: session.url, controlUrl: `${session.url}/control`, token: 'token', headers: { 'x-api-key': 'key' }, channels, say: (text) => { said.push(text) } })

/** Where an opening has its place: turn, call, and what it resumes. */
const placeOf = ({ headers }: { readonly headers: IncomingHttpHeaders }) => [headers['parlor-turn'], headers['parlor-call'], headers['parlor-channel']]

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
    expect(turns).toEqual([['begin', 1000, ['data: a', 'data: b']], ['told', 2000, ['data: c']], ['over', 2000, []]])
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

  it('does not end before its client has read the rest, whose acts go nowhere', async () => {
    session.hear = ({ frame }) => {
      if (frame === 'ready') session.turn(1, 'begin')
      else session.end()
    }
    const read: string[] = []
    const link = linkOf()
    await link.play(async ({ why }) => {
      if (why !== 'over') return NOTHING
      await new Promise<void>((resolve) => { session.control!.once('close', () => { resolve() }) })
      read.push((await link.read('/desk')).body)
      return [{ method: 'PUT', path: '/quote', tag: 'quote' }, { wakeUs: 9000, tag: 'wake' }]
    }, never)
    expect([read, session.said]).toEqual([['{"ok":true}'], [{ frame: 'ready' }, { frame: 'done', n: 1, calls: 0 }]])
  })

  it('ends where the session, which is over, answers nothing any more, and fails where its client does', async () => {
    session.hear = ({ frame }) => {
      if (frame === 'ready') session.turn(1, 'begin')
    }
    const link = linkOf()
    session.call = () => {
      session.end()
      setTimeout(() => { session.close() }, 20)
    }
    await link.play(async ({ why }) => {
      if (why === 'begin') await link.read('/desk')
      return NOTHING
    }, never)
    session = new Session()
    await session.listen()
    session.hear = () => { session.end() }
    await expect(linkOf().play(({ why }) => (why === 'over' ? Promise.reject(new Error('the strategy fails')) : Promise.resolve(NOTHING)), never)).rejects.toThrow('the strategy fails')
  })

  it('says what was refused', async () => {
    session.hear = ({ frame }) => {
      if (frame === 'ready') session.turn(1, 'begin')
      else session.tell({ frame: 'refused', reason: 'twice' })
    }
    await expect(linkOf().play(() => Promise.resolve(NOTHING), never)).rejects.toMatchObject({
      name: 'InputError', message: 'the session refused what this client sent: twice', hint: 'parlor serve says what became of the turn',
    })
  })

  it('opens its channels in its first turn where it comes late, and hears them from their answers on', async () => {
    session.hasBegun = true
    // The turn that is open is of a client that was there before.
    session.openTurn = { frame: 'turn', n: 6, at_us: 6, why: 'onRequest', counts: { 1: 3 } }
    const turns: unknown[] = []
    session.hear = ({ frame, n }) => {
      if (frame === 'ready') {
        session.tell({ frame: 'left', n: 6, why: 'made way for another one' })
        session.turn(7, 'joined')
      } else if (n === 7) session.turn(8, 'answer', { 1: 0 }, { of: { turn: 7, call: 1 } })
      else if (n === 8) {
        session.streams[0]!.response.write('data: a\n\n')
        session.turn(9, 'answer', { 1: 1, 2: 0 }, { of: { turn: 7, call: 2 } })
      } else if (n === 9) session.turn(10, 'answer', { 1: 1, 2: 0 }, { of: { turn: 7, call: 3 } })
      else session.end()
    }
    await linkOf(EVENTS, SOCKET).play(({ why, frames, answer, tag }) => {
      turns.push([why, frames.map(({ text }) => text), answer?.body, tag])
      return Promise.resolve(why === 'joined' ? [{ method: 'PUT', path: '/quote', tag: 'quote' }] : NOTHING)
    }, never)
    expect(turns).toEqual([['joined', [], undefined, undefined], ['told', [], undefined, undefined], ['told', ['data: a'], undefined, undefined], ['answer', [], '{"ok":true}', 'quote'], ['over', [], undefined, undefined]])
    expect(session.said).toEqual([{ frame: 'ready' }, { frame: 'done', n: 7, calls: 3 }, ...[8, 9, 10].map((n) => ({ frame: 'done', n, calls: 0 }))])
    expect([...session.streams, ...session.sockets].map(placeOf)).toEqual([['7', '1', undefined], ['7', '2', undefined]])
    expect([session.sockets[0]!.headers['parlor-frame'], said]).toEqual(['hello', []])
  })

  it('comes back when it was dropped, with other channels, and does nothing of the turn that was dropped', async () => {
    const turns: unknown[] = []
    let release = (): void => {}
    session.hear = ({ frame, n }) => {
      if (frame === 'ready' && session.said.length === 1) session.turn(1, 'begin')
      else if (n === 1) session.turn(2, 'onRequest')
      else if (frame === 'ready') {
        session.tell({ frame: 'refused', reason: 'the client has no turn' })
        session.turn(4, 'joined')
        release()
      } else if (n === 4) {
        session.tell({ frame: 'refused', reason: 'the client\u2019s turn is 4' })
        session.turn(5, 'answer', { 1: 0 }, { of: { turn: 4, call: 1 } })
      } else if (n === 5) setTimeout(() => { session.end() }, 600)
    }
    await linkOf(EVENTS).play(async ({ why, tag }) => {
      turns.push([why, tag])
      if (why === 'begin') return [{ method: 'PUT', path: '/quote', tag: 'quote' }]
      if (why === 'told' && turns.length === 2) {
        session.tell({ frame: 'left', n: 2, why: 'did not end turn 2 in 30 s' })
        await new Promise<void>((resolve) => { release = resolve })
        return [{ method: 'PUT', path: '/late', tag: 'late' }]
      }
      return NOTHING
    }, never)
    expect(turns).toEqual([['begin', undefined], ['told', undefined], ['joined', undefined], ['told', undefined], ['over', undefined]])
    expect(session.said).toEqual([
      { frame: 'ready' }, { frame: 'done', n: 1, calls: 1 }, { frame: 'ready' }, { frame: 'done', n: 4, calls: 1 }, { frame: 'done', n: 5, calls: 0 },
    ])
    expect(session.streams.map(placeOf)).toEqual([[undefined, undefined, undefined], ['4', '1', undefined]])
    expect(said).toEqual(['the session has dropped this client, which did not end turn 2 in 30 s; it comes back'])
  })

  it('comes back too where time begins while it opens its channels', async () => {
    session.status = 409
    session.opened = () => {
      if (session.streams.length > 0) return
      session.status = 200
      setTimeout(() => {
        session.turn(1, 'begin')
        session.tell({ frame: 'left', n: 1, why: 'was not ready 30 s after the first one' })
      }, 100)
    }
    session.hear = ({ frame, n }) => {
      if (frame === 'ready') {
        // It may say so again when its channels are refused at last.
        if (++readies === 1) session.turn(2, 'joined')
      } else if (n === 2) session.turn(3, 'answer', { 1: 0 }, { of: { turn: 2, call: 1 } })
      else if (n === 3) session.end()
    }
    let readies = 0
    const whys: string[] = []
    await linkOf(EVENTS).play(({ why }) => {
      whys.push(why)
      return Promise.resolve(NOTHING)
    }, never)
    // The session drops the turn that it began without the client, whether the client does something in it or not.
    expect(whys.slice(-3)).toEqual(['joined', 'told', 'over'])
  })

  it('goes where it is dropped while it leaves, and where it is told to before it had a turn', async () => {
    const leaving = new AbortController()
    session.hear = ({ frame, n }) => {
      if (frame === 'ready') session.turn(1, 'begin')
      else if (n === 1) {
        leaving.abort()
        session.tell({ frame: 'left', n: 2, why: 'did not end turn 2 in 30 s' })
      }
    }
    await linkOf().play(() => Promise.resolve(NOTHING), leaving.signal)
    session.hasBegun = true
    const late = new AbortController()
    session.hear = () => { late.abort() }
    await linkOf(EVENTS).play(() => Promise.reject(new Error('no turn is due')), late.signal)
    expect([session.said, session.streams.length]).toEqual([[{ frame: 'ready' }, { frame: 'done', n: 1, calls: 0 }, { frame: 'ready' }], 0])
  })

  it('says that a channel was closed once a turn comes without it', async () => {
    const saidIn: string[][] = []
    session.hear = ({ frame, n }) => {
      if (frame === 'ready') {
        session.sockets[0]!.socket.close(4408, 'CONNECTION_DRAIN')
        session.streams[0]!.response.end()
        session.turn(1, 'begin', { 1: 0, 2: 0, 3: 0 })
      } else if (n === 1) {
        saidIn.push([...said])
        session.turn(2, 'onRequest', { 3: 0 })
      } else if (n === 2) {
        void until(() => said.length === 2).then(() => { session.turn(3, 'onRequest', { 3: 0 }) })
      } else {
        session.sockets[1]!.socket.close(1001, 'left')
        session.end()
      }
    }
    await linkOf(EVENTS, SOCKET, SOCKET).play(() => Promise.resolve(NOTHING), never)
    expect(saidIn).toEqual([[]])
    expect(said.toSorted()).toEqual(['the session has closed /socket (4408 CONNECTION_DRAIN): nothing comes on it any more', 'the session has closed /stream: nothing comes on it any more'])
  })

  it('says nothing of channels that a session closes because it ends, however late it says that it is over', async () => {
    session.hear = ({ frame, n }) => {
      if (frame === 'ready') session.turn(1, 'begin', { 1: 0, 2: 0 })
      else if (n === 1) {
        session.streams[0]!.response.end()
        session.sockets[0]!.socket.close(1000)
        session.turn(2, 'wake', {}, { is_ending: true })
      } else setTimeout(() => { session.end() }, LATE_MS)
    }
    await linkOf(EVENTS, SOCKET).play(() => Promise.resolve(NOTHING), never)
    expect(said).toEqual([])
  })

  it('says that a channel was closed without which the session went on, also where the close comes behind the end', async () => {
    session.hear = ({ frame, n }) => {
      if (frame === 'ready') session.turn(1, 'begin', { 1: 0 })
      else if (n === 1) session.turn(2, 'onRequest', {})
      else session.end()
    }
    await linkOf(EVENTS).play(() => Promise.resolve(NOTHING), never)
    expect(said).toEqual(['the session has closed /stream: nothing comes on it any more'])
  })

  it('opens no channels in a turn in which it leaves', async () => {
    session.hasBegun = true
    const leaving = new AbortController()
    session.hear = ({ frame, n }) => {
      if (frame === 'ready') session.turn(1, 'joined')
      else if (n === 1) session.tell({ frame: 'turn', n: 2, at_us: 2, why: 'onRequest', counts: {} })
    }
    await linkOf(EVENTS).play(() => {
      leaving.abort()
      return Promise.resolve(NOTHING)
    }, leaving.signal)
    expect([session.streams.length, session.said]).toEqual([0, [{ frame: 'ready' }, { frame: 'done', n: 1, calls: 0 }, { frame: 'done', n: 2, calls: 0 }]])
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
        setTimeout(() => { session.turn(3, 'answer', {}, { of: { turn: 1, call: 1 } }) }, 700)
      } else if (n === 3) session.turn(4, 'answer', {}, { of: { turn: 2, call: 1 } })
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

  it('is done before it comes where it is to leave already', async () => {
    const left = new AbortController()
    left.abort()
    await linkOf(EVENTS).play(() => Promise.reject(new Error('no turn is due')), left.signal)
    expect([session.control, session.streams.length]).toEqual([null, 0])
  })

  it('is not ready where it leaves while it opens its channels', async () => {
    const leaving = new AbortController()
    session.opened = () => { leaving.abort() }
    await linkOf(EVENTS, SOCKET).play(() => Promise.reject(new Error('no turn is due')), leaving.signal)
    expect(session.said).toEqual([])
  })

  it('takes a call whose connection breaks off for no fault of its own where the session ends before its answer', async () => {
    const rejected: unknown[] = []
    const record = (error: unknown): void => { rejected.push(error) }
    process.on('unhandledRejection', record)
    session.call = (response) => { response.destroy() }
    session.hear = ({ frame, n }) => {
      if (frame === 'ready') session.turn(1, 'begin')
      else if (n === 1) setTimeout(() => { session.end() }, 100)
    }
    await linkOf().play(() => Promise.resolve([{ method: 'PUT', path: '/quote', tag: 'quote' }]), never)
    process.off('unhandledRejection', record)
    expect([session.said.at(-1), rejected]).toEqual([{ frame: 'done', n: 1, calls: 1 }, []])
  })

  it('fails where its channels are refused when it is back, and not where it was dropped once more meanwhile', async () => {
    session.hasBegun = true
    session.status = 503
    session.hear = ({ frame, n }) => {
      if (frame === 'ready') session.turn(session.said.length, 'joined')
      else if (n === 3) session.turn(4, 'answer', { 1: 0 }, { of: { turn: 3, call: 1 } })
      else if (n === 4) setTimeout(() => { session.end() }, 200)
    }
    session.held = 100
    session.opened = () => {
      if (session.status === 200) return
      session.status = 200
      session.tell({ frame: 'left', n: 1, why: 'did not end turn 1 in 30 s' })
    }
    await linkOf(EVENTS).play(() => Promise.resolve(NOTHING), never)
    expect(session.said).toEqual([{ frame: 'ready' }, { frame: 'done', n: 1, calls: 1 }, { frame: 'ready' }, { frame: 'done', n: 3, calls: 1 }, { frame: 'done', n: 4, calls: 0 }])
    session.said.length = 0
    session.opened = () => {}
    session.status = 403
    session.hear = ({ frame }) => { if (frame === 'ready') session.turn(1, 'joined') }
    await expect(linkOf(EVENTS).play(() => Promise.resolve(NOTHING), never)).rejects.toMatchObject({ name: 'InputError', message: '/stream answers 403' })
  })

  it.each([409, 503])('comes back where its channels are answered %i before it hears that another client had its place', async (status) => {
    session.hasBegun = true
    session.status = status
    session.opened = () => {
      if (session.streams.length > 0) return
      session.status = 200
      setTimeout(() => { session.tell({ frame: 'left', n: 1, why: 'made way for another one' }) }, 100)
    }
    session.hear = ({ frame, n }) => {
      if (frame === 'ready') session.turn(session.said.length, 'joined')
      else if (n === 3) session.turn(4, 'answer', { 1: 0 }, { of: { turn: 3, call: 1 } })
      else if (n === 4) session.end()
    }
    await linkOf(EVENTS).play(() => Promise.resolve(NOTHING), never)
    expect(session.said).toEqual([{ frame: 'ready' }, { frame: 'done', n: 1, calls: 1 }, { frame: 'ready' }, { frame: 'done', n: 3, calls: 1 }, { frame: 'done', n: 4, calls: 0 }])
    expect(said).toEqual(['the session has dropped this client, which made way for another one; it comes back'])
  })

  it('ends well where its channels are refused because the session is over', async () => {
    session.hasBegun = true
    session.status = 503
    session.hear = ({ frame }) => { if (frame === 'ready') session.turn(1, 'joined') }
    session.opened = () => {
      setTimeout(() => {
        session.tell({ frame: 'over' })
        setTimeout(() => { session.control!.close(1000) }, 700)
      }, 50)
    }
    await linkOf(EVENTS).play(() => Promise.resolve(NOTHING), never)
    expect(session.streams).toEqual([])
  })

  it.each<[number, string]>([
    [409, 'another client may have taken the place of this one, or the credential is of no client of this session: see what parlor serve says'],
    [503, 'the session goes on without this client, or is over: see what parlor serve says'], [429, 'the seat has as many channels open as it may'], [403, 'the credential opens no such channel'],
  ])('says what an answer of %i to a channel may mean', async (status, hint) => {
    session.hasBegun = true
    session.status = status
    session.hear = ({ frame }) => { if (frame === 'ready') session.turn(1, 'joined') }
    await expect(linkOf(EVENTS).play(() => Promise.resolve(NOTHING), never)).rejects.toMatchObject({ name: 'InputError', message: `/stream answers ${status}`, hint })
  })

  describe('whose connections break off', () => {
    const asks: Act = { method: 'PUT', path: '/quote', tag: 'quote' }
    const breakOff = (then: () => void): void => {
      session.call = (response) => { response.destroy() }
      session.hear = ({ frame, n }) => {
        if (frame === 'ready') session.turn(1, 'begin')
        else if (n === 1) {
          session.turn(2, 'answer', {}, { of: { turn: 1, call: 1 } })
          then()
        }
      }
    }
    const play = (act: () => Promise<readonly Act[]>) => linkOf().play(act, never)

    it('has lost the session, whatever the connection says of it', async () => {
      breakOff(() => {})
      await expect(play(() => Promise.resolve([asks]))).rejects.toMatchObject({ name: 'InputError', message: `lost ${session.url} in the middle of the session (ECONNRESET)` })
      await expect(play(() => Promise.reject(Object.assign(new Error('read'), { code: 'ECONNRESET' })))).rejects.toMatchObject({ name: 'InputError', message: `lost ${session.url} in the middle of the session (ECONNRESET)` })
    })

    it('ends well where the session is over', async () => {
      breakOff(() => { setTimeout(() => { session.end() }, 100) })
      await expect(play(() => Promise.resolve([asks]))).resolves.toBeUndefined()
    })

    it('leaves what is no matter of a connection as it is', async () => {
      breakOff(() => {})
      await expect(play(() => Promise.reject(new Error('of the strategy')))).rejects.toThrow(/^of the strategy$/)
    })

    it('cannot reach the service before time has begun', async () => {
      const { url } = session
      const link = new LockstepLink({ url: 'http://127.0.0.1:1', controlUrl: `${url}/control`, token: 'token', headers: {}, channels: [EVENTS] })
      await expect(link.play(() => Promise.resolve(NOTHING), never)).rejects.toMatchObject({ name: 'InputError', message: 'cannot reach http://127.0.0.1:1 (ECONNREFUSED)' })
    })
  })

  it('leaves at once before time has begun', async () => {
    const leaving = new AbortController()
    session.hear = () => { leaving.abort() }
    await linkOf(EVENTS).play(() => Promise.reject(new Error('no turn is due')), leaving.signal)
    expect(session.said).toEqual([{ frame: 'ready' }])
  })
})
