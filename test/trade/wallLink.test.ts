import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { HttpCalls } from '../../src/trade/httpCalls.ts'
import type { Act, ChannelTerms, Turn } from '../../src/trade/link.ts'
import { WallLink } from '../../src/trade/wallLink.ts'

const EVENTS: ChannelTerms = { kind: 'events', path: '/stream' }
const SOCKET: ChannelTerms = { kind: 'socket', path: '/socket', firstFrame: 'hello' }

/** A service whose channels and answers are the test's. */
class Service {
  readonly streams: ServerResponse[] = []
  readonly sockets: WebSocket[] = []
  readonly heard: string[] = []
  url = ''
  nowUs = 1_000_000
  /** It says that the session is over. */
  isOver = false
  /** It answers nothing about the desk. */
  isSilent = false
  asked: () => void = () => {}
  /** Status of a stream that is asked for. */
  status = 200
  call: (request: IncomingMessage, response: ServerResponse) => void = (_, response) => { response.end('{}') }
  /** A channel has been opened. */
  opened: () => void = () => {}
  private readonly server: Server
  private readonly upgrades = new WebSocketServer({ noServer: true })

  constructor() {
    this.server = createServer((request, response) => {
      if (request.url!.startsWith('/desk')) {
        this.asked()
        if (!this.isSilent) response.end(JSON.stringify({ now_us: this.nowUs, is_over: this.isOver }))
      } else if (request.url !== '/stream') this.call(request, response)
      else {
        response.writeHead(this.status, { 'content-type': 'text/event-stream' })
        response.flushHeaders()
        this.streams.push(response)
        if (this.status !== 200) response.end()
        this.opened()
      }
    })
    this.server.on('upgrade', (request, socket, head) => {
      if (this.status !== 200) return void socket.end(`HTTP/1.1 ${this.status} No\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
      this.upgrades.handleUpgrade(request, socket, head, (channel) => {
        this.sockets.push(channel)
        channel.on('message', (data: Buffer) => {
          this.heard.push(data.toString())
          this.opened()
        })
      })
    })
  }

  async listen(): Promise<void> {
    await new Promise<void>((resolve) => { this.server.listen(0, '127.0.0.1', resolve) })
    this.url = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`
  }

  connections(): Promise<number> {
    return new Promise((resolve) => { this.server.getConnections((_, count) => { resolve(count) }) })
  }

  /** No connection is taken from now on, and those that are there break off, unless they have ended. */
  breakOff(): void {
    this.server.close()
    for (const { socket } of this.streams) socket?.destroy()
    for (const socket of this.sockets) socket.terminate()
    this.server.closeAllConnections()
  }

  /** As a session that ends: its channels are closed in good order, and then it takes no connection any more. */
  async end(): Promise<void> {
    for (const stream of this.streams) stream.end()
    for (const socket of this.sockets) socket.close(1001, 'over')
    await Promise.all(this.sockets.filter(({ readyState }) => readyState !== WebSocket.CLOSED).map((socket) => new Promise((resolve) => { socket.once('close', resolve) })))
    this.server.close()
    this.server.closeAllConnections()
  }
}

let service: Service
afterEach(() => { service.breakOff() })

const begin = async (channels: readonly ChannelTerms[] = [EVENTS, SOCKET]): Promise<WallLink> => {
  service = new Service()
  await service.listen()
  return new WallLink({ url: service.url, headers: { 'x-api-key': 'key' }, channels })
}

const never = new AbortController().signal
const NOTHING: readonly Act[] = []

describe('a link by the wall’s clock', () => {
  it('brings frames of every channel in the order of each, and the answer of a call with its tag', async () => {
    const link = await begin()
    const frames: string[] = []
    const answers: unknown[] = []
    let whyFirst = ''
    service.call = ({ method, url }, response) => { response.writeHead(409, { 'retry-after': '3' }).end(`${method} ${url}`) }
    await link.play(async ({ why, frames: fresh, answer, tag, atUs }: Turn) => {
      whyFirst ||= why
      frames.push(...fresh.map(({ path, text }) => `${path} ${text}`))
      if (why === 'begin') {
        service.streams[0]!.write('event: a\ndata: 1\n\nevent: b\nda')
        service.streams[0]!.write('ta: 2\n\n')
        service.sockets[0]!.send('one')
        service.sockets[0]!.send('two')
        return [{ method: 'PUT', path: '/v1/x', body: '{}', tag: 'the call' }]
      }
      if (why === 'answer') answers.push([answer!.status, answer!.body, answer!.headers['retry-after'], tag, atUs])
      if (frames.length === 4 && answers.length === 1) await service.end()
      return NOTHING
    }, never)
    expect([whyFirst, service.heard]).toEqual(['begin', ['hello']])
    expect(frames.filter((text) => text.startsWith('/stream'))).toEqual(['/stream event: a\ndata: 1', '/stream event: b\ndata: 2'])
    expect(frames.filter((text) => text.startsWith('/socket'))).toEqual(['/socket one', '/socket two'])
    expect(answers).toEqual([[409, 'PUT /v1/x', '3', 'the call', 1_000_000]])
  })

  it('gives turns one after the other, and wakes when the session’s clock has got there', async () => {
    const link = await begin([EVENTS])
    let open = 0
    let asleep = true
    const woken: unknown[] = []
    await link.play(async ({ why, atUs, tag }) => {
      expect(++open).toBe(1)
      await new Promise((resolve) => { setTimeout(resolve, 5) })
      open--
      if (why === 'begin') return [{ wakeUs: 5_000_000, tag: 'late' }, { wakeUs: 1_000_001, tag: 'soon' }]
      if (why === 'wake') woken.push([tag, atUs])
      else if (asleep) {
        asleep = false
        service.nowUs = 1_000_001
      }
      if (woken.length === 1) service.nowUs = 5_000_000
      if (woken.length === 2) await service.end()
      return NOTHING
    }, never)
    expect(woken).toEqual([['soon', 1_000_001], ['late', 5_000_000]])
  })

  it('opens a stream and a socket that were lost again, and hears what they tell then', async () => {
    const link = await begin()
    const frames: string[] = []
    let isLost = false
    service.opened = () => {
      if (service.streams.length === 2 && service.sockets.length === 2 && service.heard.length === 2) {
        service.streams[1]!.write('data: again\n\n')
        service.sockets[1]!.send('again')
      }
    }
    await link.play(async ({ why, frames: fresh }) => {
      frames.push(...fresh.map(({ path, text }) => `${path} ${text}`))
      if (!isLost) {
        isLost = true
        service.streams[0]!.destroy()
        service.sockets[0]!.terminate()
      }
      if (frames.length === 2 && why !== 'begin') await service.end()
      return NOTHING
    }, never)
    expect(frames.toSorted()).toEqual(['/socket again', '/stream data: again'])
    expect(service.heard).toEqual(['hello', 'hello'])
  })

  it('says that it lost a service whose connections break off, and does not take this for an end', async () => {
    const link = await begin()
    await expect(link.play(({ why }) => {
      if (why === 'begin') service.breakOff()
      return Promise.resolve(NOTHING)
    }, never)).rejects.toMatchObject({ name: 'InputError', message: expect.stringMatching(/^lost http:.* in the middle of the session \(ECONN/) as string })
  })

  it('says so too where one of two channels was closed in good order', async () => {
    const link = await begin()
    await expect(link.play(({ why }) => {
      if (why === 'begin') {
        service.streams[0]!.end()
        service.sockets[0]!.once('close', () => { service.breakOff() }).terminate()
      }
      return Promise.resolve(NOTHING)
    }, never)).rejects.toThrow('in the middle of the session')
  })

  it('refuses a service that cannot be reached, and one that opens no channel for it', async () => {
    const link = await begin()
    service.status = 403
    await expect(link.play(() => Promise.resolve(NOTHING), never)).rejects.toThrow('/stream answers 403')
    const unreached = await begin()
    service.breakOff()
    await expect(unreached.play(() => Promise.resolve(NOTHING), never)).rejects.toThrow(/cannot reach .* \(ECONNREFUSED\)/)
  })

  it('fails where a socket is refused', async () => {
    const link = await begin([SOCKET])
    service.status = 403
    await expect(link.play(() => Promise.resolve(NOTHING), never)).rejects.toMatchObject({ name: 'InputError', message: '/socket answers 403' })
  })

  it('makes the calls of leaving, also for an answer that comes only then, and goes when they are answered', async () => {
    const link = await begin([EVENTS])
    const leaving = new AbortController()
    const called: string[] = []
    let hold: (() => void) | null = null
    service.call = ({ method }, response) => {
      called.push(method!)
      if (method === 'PUT') {
        hold = () => { response.end('{}') }
        leaving.abort()
      } else response.end('{}')
    }
    await link.play(({ why }) => {
      if (why === 'begin') return Promise.resolve([{ method: 'PUT', path: '/x', tag: 0 }])
      if (!leaving.signal.aborted) return Promise.resolve(NOTHING)
      // Leaving has begun: the answer to the quote comes now, and its withdrawal after that.
      const release = hold
      hold = null
      release?.()
      return Promise.resolve(why === 'answer' && called.length === 1 ? [{ method: 'DELETE', path: '/x', tag: 1 }] : NOTHING)
    }, leaving.signal)
    expect(called).toEqual(['PUT', 'DELETE'])
  })

  it('tells in one turn what came while another went on', async () => {
    const link = await begin([EVENTS])
    let turns = 0
    let frames = 0
    await link.play(async ({ why, frames: fresh }) => {
      frames += fresh.length
      if (why === 'begin') {
        for (let i = 0; i < 50; i++) service.streams[0]!.write(`data: ${i}\n\n`)
        await sleep(300)
        return NOTHING
      }
      if (why === 'wake') await service.end()
      else turns++
      // Its turn comes after those that are due already.
      return why === 'told' && frames === 50 && turns <= 50 ? [{ wakeUs: service.nowUs, tag: null }] : NOTHING
    }, never)
    expect(frames).toBe(50)
    expect(turns).toBeLessThan(40)
  })

  it('leaves a service that answers nothing any more, and one that has not answered yet', async () => {
    const link = await begin([EVENTS])
    const leaving = new AbortController()
    service.call = () => { leaving.abort() }
    const whys: string[] = []
    await link.play(({ why }) => {
      whys.push(why)
      return Promise.resolve(why === 'begin' ? [{ method: 'PUT', path: '/x', tag: 0 }] : NOTHING)
    }, leaving.signal)
    const early = await begin([EVENTS])
    const leavingEarly = new AbortController()
    service.isSilent = true
    service.asked = () => { leavingEarly.abort() }
    await early.play(() => Promise.reject(new Error('no turn is due')), leavingEarly.signal)
    expect([whys[0], whys.includes('answer')]).toEqual(['begin', false])
  })

  it('opens a stream again that is one too many for now', async () => {
    const link = await begin([EVENTS])
    const texts: string[] = []
    service.opened = () => {
      if (service.streams.length === 2) service.status = 200
      if (service.streams.length === 3) service.streams[2]!.write('data: back\n\n')
    }
    await link.play(async ({ why, frames }) => {
      texts.push(...frames.map(({ text }) => text))
      if (why === 'begin') {
        service.status = 429
        service.streams[0]!.destroy()
      }
      if (texts.length > 0) await service.end()
      return NOTHING
    }, never)
    expect(texts).toEqual(['data: back'])
  })

  it('gives a last turn when the session says that it is over, behind what it still answers, and opens nothing again', async () => {
    const link = await begin([EVENTS])
    const whys: string[] = []
    const called: string[] = []
    service.call = ({ url }, response) => {
      called.push(url!)
      service.isOver = true
      service.nowUs = 2_000_000
      service.streams[0]!.end()
      setTimeout(() => { response.end('{}') }, 50)
    }
    await link.play(async ({ why }) => {
      whys.push(why)
      if (why === 'begin') return [{ method: 'PUT', path: '/x', tag: 'the call' }, { wakeUs: 1_000_001, tag: 'too late' }]
      if (why !== 'over' && why !== 'answer') return NOTHING
      // Longer than a lost stream waits before it is opened again.
      if (why === 'over') await sleep(600)
      return [{ method: 'PUT', path: '/nowhere', tag: 0 }]
    }, never)
    expect([whys.filter((why) => why !== 'told'), called]).toEqual([['begin', 'answer', 'over'], ['/x']])
    expect(whys.at(-1)).toBe('over')
    expect(service.streams).toHaveLength(1)
  })

  it('ends where a session that is over answers no more, and fails where its client does then', async () => {
    const link = await begin([EVENTS])
    service.isOver = true
    await link.play(async ({ why }) => {
      if (why !== 'over') return NOTHING
      await service.end()
      await link.read('/desk')
      return NOTHING
    }, never)
    const failing = await begin([])
    service.isOver = true
    await expect(failing.play(({ why }) => (why === 'over' ? Promise.reject(new Error('the strategy fails')) : Promise.resolve(NOTHING)), never)).rejects.toThrow('the strategy fails')
  })

  it('fails where a stream that was lost is not opened again for the seat', async () => {
    const link = await begin([EVENTS])
    await expect(link.play(({ why }) => {
      if (why === 'begin') {
        service.status = 401
        // One that asks again and again is told that the session is over.
        service.opened = () => { if (service.streams.length === 3) void service.end() }
        service.streams[0]!.destroy()
      }
      return Promise.resolve(NOTHING)
    }, never)).rejects.toMatchObject({ name: 'InputError', message: '/stream answers 401' })
  })

  it('opens nothing where it is to leave already, and lets go of its connections', async () => {
    const link = await begin([EVENTS])
    const left = new AbortController()
    left.abort()
    await link.play(() => Promise.reject(new Error('no turn is due')), left.signal)
    expect(service.streams).toEqual([])
    const leaving = new AbortController()
    await link.play(() => {
      leaving.abort()
      return Promise.resolve(NOTHING)
    }, leaving.signal)
    while (await service.connections() > 0) await sleep(5)
    expect(service.streams).toHaveLength(1)
  })

  it('fails where a call does that the service did not break off', async () => {
    const link = await begin([])
    service.call = ({ socket }) => { socket.end('no HTTP') }
    await expect(link.play(({ why }) => Promise.resolve(why === 'begin' ? [{ method: 'GET', path: '/x', tag: 0 }] : NOTHING), never)).rejects.toThrow('Parse Error')
    await expect((await begin([])).play(() => Promise.reject(new Error('the strategy fails')), never)).rejects.toThrow('the strategy fails')
  })

  it('looks for what comes without a frame, and hears a wake no earlier than its instant', async () => {
    const link = await begin([])
    const leaving = new AbortController()
    const whys: string[] = []
    let asked = 0
    service.asked = () => { if (++asked > 12) service.nowUs = 1_000_002 }
    await link.play(({ why, atUs }) => {
      whys.push(why)
      if (why === 'wake') {
        whys.push(`${atUs}`)
        leaving.abort()
      }
      return Promise.resolve(why === 'begin' ? [{ wakeUs: 1_000_002, tag: 0 }] : NOTHING)
    }, leaving.signal)
    expect(whys.slice(0, 1)).toEqual(['begin'])
    expect(whys).toContain('1000002')
    const quiet = await begin([])
    let told = 0
    const done = new AbortController()
    await quiet.play(({ why }) => {
      if (why === 'told' && ++told === 2) done.abort()
      return Promise.resolve(NOTHING)
    }, done.signal)
    expect(told).toBeGreaterThan(1)
  })

  it('waits for a read as long as it was told to', async () => {
    await begin()
    service.isSilent = true
    const calls = new HttpCalls({ url: service.url, headers: {} }, 50)
    await expect(calls.read('/desk')).rejects.toMatchObject({ name: 'InputError', message: `${service.url}/desk has not been answered for 0.05 s`, hint: 'see what parlor serve says' })
    calls.close()
  })
})

describe('what a client says of an answer that is none', () => {
  it.each([
    [401, 'the credential is of no seat of this session'], [410, 'the client is further behind than the session keeps notes: begin it again (docs/desk-feed.md)'],
    [404, 'expected the address of a service that parlor serve has opened'],
  ])('with status %i', async (status, hint) => {
    await begin()
    service.call = (_, response) => { response.writeHead(status).end('x'.repeat(300)) }
    const calls = new HttpCalls({ url: service.url, headers: {} })
    await expect(calls.read('/prices')).rejects.toMatchObject({ name: 'InputError', message: `${service.url}/prices answers ${status}: ${'x'.repeat(200)}`, hint })
    calls.close()
  })

  it('sends its headers, and says what its body is where it has one', async () => {
    await begin()
    const sent: unknown[] = []
    service.call = ({ method, headers }, response) => {
      sent.push([method, headers['x-api-key'], headers['content-type'], headers['content-length'], headers['extra']])
      response.end('answer')
    }
    const calls = new HttpCalls({ url: service.url, headers: { 'x-api-key': 'key' } })
    expect(await calls.call('PUT', '/x', '{"é":1}', { extra: 'more' })).toMatchObject({ status: 200, body: 'answer' })
    await calls.callSoon('DELETE', '/x')
    expect(sent).toEqual([['PUT', 'key', 'application/json', '8', 'more'], ['DELETE', 'key', undefined, '0', undefined]])
    service.breakOff()
    await expect(calls.callSoon('GET', '/x')).rejects.toMatchObject({ code: expect.stringMatching(/^ECONN/) as string })
    calls.close()
  })
})
