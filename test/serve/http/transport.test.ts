import { once } from 'node:events'
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { connect } from 'node:net'
import { MessageChannel } from 'node:worker_threads'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { loadScenario } from '../../../src/scenario/load.ts'
import { prepareScenario } from '../../../src/scenario/run.ts'
import { brokenFramingAnswer } from '../../../src/serve/brokenFraming.ts'
import { BODY_BYTES_MAX } from '../../../src/serve/exchange.ts'
import { IdentityProvider } from '../../../src/serve/http/identityProvider.ts'
import { Transport } from '../../../src/serve/http/transport.ts'
import { lineToHttp, lineToSession } from '../../../src/serve/packedMessages.ts'
import { hearExchanges } from '../../../src/serve/session/exchangePort.ts'
import { ServedSession } from '../../../src/serve/session/servedSession.ts'
import { WallDriver } from '../../../src/serve/session/wallDriver.ts'
import { newFolder, put, SMALL } from '../../scenario/small.ts'
import { tinyHandler } from '../session/tinyHandler.ts'

const LIVE = SMALL.replace('  - { use: shade, capital: 50000 USDC, count: 2 }\n', '  - { external: true, name: ours, capital: 50000 USDC }\n')
  .replace('until: 10m, max: 200', 'until: 50m').replace('bettors:\n', 'bettors:\n  - { external: true, name: me, bankroll: 1000 USDC }\n')
/** Virtual time for a time of the wall. */
const SPEED = 20

let url = ''
let port = 0
let transport: Transport
let identity: IdentityProvider
const stop = new AbortController()
let playing: Promise<number | null>
let served: ServedSession
const lines = new MessageChannel()

beforeAll(async () => {
  const prepared = await prepareScenario(loadScenario(put(newFolder(), 'live.yaml', LIVE)), () => {}, { isServed: true })
  served = new ServedSession(prepared, { handlers: { parlay: tinyHandler }, journal: { append: () => {} }, shiftUs: 0, sinksOf: () => [] })
  served.begin()
  const driver = new WallDriver(served, SPEED)
  hearExchanges(served, lineToHttp(lines.port1), (arrival) => { driver.arrived(arrival) })
  playing = driver.play(stop.signal)
  identity = await IdentityProvider.create()
  transport = new Transport(lineToSession(lines.port2), identity, { brokenFraming: brokenFramingAnswer })
  const opened = await transport.open('parlay', '127.0.0.1', 0)
  url = opened.url
  port = Number(new URL(url).port)
})

afterAll(async () => {
  stop.abort()
  await playing
  served.drain()
  await transport.close()
  lines.port1.close()
})

interface Told { readonly status: number; readonly headers: IncomingHttpHeaders; readonly body: string }

/** One call over a connection of its own. */
const call = (path: string, { method = 'POST', body = '', headers = {} }: { method?: string; body?: string | Buffer; headers?: Record<string, string | string[]> } = {}): Promise<Told> =>
  new Promise((resolve, reject) => {
    const sent = httpRequest(`${url}${path}`, { method, headers: { 'content-length': Buffer.byteLength(body), ...headers }, agent: false }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (part: string) => { text += part })
      response.on('end', () => { resolve({ status: response.statusCode!, headers: response.headers, body: text }) })
      response.on('error', reject)
    })
    sent.on('error', reject)
    sent.end(body)
  })

/** All that the server says to some bytes until it closes, or until it has said `enough`. */
const raw = (bytes: string, enough = '\0', at = port): Promise<string> => new Promise((resolve, reject) => {
  let text = ''
  const socket = connect(at, '127.0.0.1', () => { socket.write(bytes) })
  socket.on('data', (part) => {
    text += part.toString()
    if (text.includes(enough)) socket.destroy()
  })
  socket.on('close', () => { resolve(text) })
  socket.on('error', reject)
})

describe('a call over HTTP', () => {
  it('reaches the handler as it was sent, and its answer the client', async () => {
    const { status, headers, body } = await call('/echo?a=1&b=%20', { body: '{"x":1}', headers: { 'X-Two': ['1', '2'], 'content-type': 'application/json' } })
    expect([status, headers['content-type']]).toEqual([200, 'text/plain'])
    const exchange = JSON.parse(body) as { headers: [string, string][] }
    expect(exchange).toMatchObject({ service: 'parlay', method: 'POST', path: '/echo', query: 'a=1&b=%20', body: '{"x":1}', remote: '127.0.0.1' })
    expect(exchange.headers.filter(([name]) => name === 'x-two')).toEqual([['x-two', '1'], ['x-two', '2']])
  })

  it('has the headers that handlers may read, and none of those between a client and HTTP itself', async () => {
    const { body } = await call('/echo', { headers: { 'X-API-Key': 'k', authorization: 'Basic x', 'user-agent': 'u', accept: '*/*', cookie: 'c', origin: 'o' } })
    const names = (JSON.parse(body) as { headers: [string, string][] }).headers.map(([name]) => name)
    expect(names.toSorted()).toEqual(['authorization', 'cookie', 'origin', 'x-api-key'])
  })

  it('trades: a bettor asks for prices, and is answered by the venue', async () => {
    expect((await call('/ask', { body: '[[0,1],[7,1]]' })).body).toMatch(/^\d+ -?\d+$/)
    expect((await call('/quote', { body: '{"request":999999,"version":1,"oddsE4":30000,"validMs":5000}' })).body).toMatch(/^\d+ -?\d+$/)
  })

  it('is answered when virtual time has come, and not before', async () => {
    const askedUs = served.session.reachedUs
    const { status, body } = await call('/later')
    expect(status).toBe(200)
    expect(Number(body)).toBeGreaterThan(askedUs + 1_000_000)
  })

  it.each([0, 1, BODY_BYTES_MAX - 1, BODY_BYTES_MAX])('has its body of %i bytes whole', async (bytes) => {
    expect((await call('/size', { body: Buffer.alloc(bytes, 1) })).body).toBe(String(bytes))
  })

  it.each([BODY_BYTES_MAX + 1, 10_000_000])('has one byte too many of a body of %i bytes, so that the service refuses it', async (bytes) => {
    const answer = await call('/size', { body: Buffer.alloc(bytes, 1) }).catch((error: NodeJS.ErrnoException) => error.code)
    // A server that answers before it has read everything may be heard as a broken pipe.
    expect(typeof answer === 'string' ? ['EPIPE', 'ECONNRESET'].includes(answer) : answer!.body === String(BODY_BYTES_MAX + 1)).toBe(true)
  })

  it.each(['garbage', '/', '', 'a/b/c', 'text/plain'])('has its body whatever media type it says that it has (%j)', async (type) => {
    const said = await raw(`POST /echo HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-type: ${type}\r\ncontent-length: 2\r\n\r\n{}`)
    expect([said.split('\r\n')[0], JSON.parse(said.split('\r\n\r\n')[1]!)]).toMatchObject(['HTTP/1.1 200 OK', { body: '{}' }])
  })

  it.each(['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'QUERY', 'PROPFIND'])('may have the method %s, whatever the service says to it', async (method) => {
    expect(await call('/nothing', { method })).toMatchObject({ status: 404, body: '/nothing' })
  })

  it.each(['/%zz', '//', '/a/../b', '/%00'])('may have the path %s', async (path) => {
    expect(await raw(`GET ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`)).toContain(path)
  })

  it.each([
    ['no HTTP', 'hello\r\n\r\n'], ['no host', 'GET / HTTP/1.1\r\nconnection: close\r\n\r\n'], ['a flood of headers', `GET / HTTP/1.1\r\nhost: x\r\n${'x-a: 1\r\n'.repeat(5000)}\r\n`],
    ['two lengths', 'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab'], ['a length that is none', 'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: -1\r\n\r\n'],
  ])('that is %s is refused and closed', async (_, bytes) => {
    expect(await raw(bytes)).toMatch(/^HTTP\/1\.1 4\d\d /)
  })

  it.each(['parlay', 'outcome', 'control'] as const)('that is no HTTP has the answer of its service (%s) where the document has one, or no body', async (service) => {
    const own = await transport.open(service, '127.0.0.1', 0)
    const refused = async (bytes: string): Promise<readonly string[]> => {
      const [head, body] = (await raw(bytes, '\0', Number(new URL(own.url).port))).split('\r\n\r\n')
      const [status, ...headers] = head!.split('\r\n')
      expect(headers).toContain('connection: close')
      expect(headers).toContain(`content-length: ${Buffer.byteLength(body!)}`)
      return [status!, body!, headers.find((line) => line.startsWith('X-Request-ID: '))?.slice(14) ?? '']
    }
    const [status, body, id] = await refused('hello\r\n\r\n')
    expect(status).toBe('HTTP/1.1 400 Bad Request')
    const said = {
      parlay: { error: { code: 'VALIDATION_ERROR', message: 'The request is malformed or out of range.' } },
      outcome: { error: { code: 'INVALID_REQUEST', message: 'The body, a path parameter or a header is invalid.', retry: 'NEVER', request_id: id } },
      control: null,
    }[service]
    expect(body).toBe(said === null ? '' : JSON.stringify(said))
    expect(id).toMatch(service === 'outcome' ? /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/ : /^$/)
    // Neither document has an error for headers that are too long.
    expect(await refused(`GET / HTTP/1.1\r\nhost: x\r\n${'x-a: 1\r\n'.repeat(5000)}\r\n`)).toEqual(['HTTP/1.1 431 Request Header Fields Too Large', '', ''])
  })

  it('brings what its JWT says to the handler, once the signature is checked, and nothing of a JWT that is wrong', async () => {
    const token = await identity.issue('me', 1_000_000, 2_000_000)
    const tokenOf = async (authorization: string): Promise<unknown> => (JSON.parse((await call('/echo', { headers: { authorization } })).body) as { token?: unknown }).token
    expect(await tokenOf(`Bearer ${token}`)).toEqual({ subject: 'me', notBeforeUs: 1_000_000, expiresAtUs: 2_000_000 })
    expect([await tokenOf(`Bearer ${token.slice(0, -2)}`), await tokenOf('Bearer x')]).toEqual([undefined, undefined])
  })

  it('for a page of the port is answered by the port, and any other call is the service\'s', async () => {
    transport.publish('parlay', { '/page': { type: 'text/html; charset=utf-8', text: '<p>é</p>' } })
    const [got, head, posted, queried] = await Promise.all([call('/page', { method: 'GET' }), call('/page', { method: 'HEAD' }), call('/page'), call('/page?a', { method: 'GET' })])
    expect(got).toMatchObject({ status: 200, headers: { 'content-type': 'text/html; charset=utf-8', 'x-content-type-options': 'nosniff' }, body: '<p>é</p>' })
    expect(head).toMatchObject({ status: 200, headers: { 'content-type': 'text/html; charset=utf-8' }, body: '' })
    expect([posted, queried]).toMatchObject([{ status: 404, body: '/page' }, { status: 404, body: '/page' }])
    expect(await call('/constructor', { method: 'GET' })).toMatchObject({ status: 404 })
    transport.publish('parlay', { '/was': { status: 301, type: 'text/plain', text: '', headers: [['location', '/page']] } })
    expect(await call('/was', { method: 'GET' })).toMatchObject({ status: 301, headers: { location: '/page' }, body: '' })
  })

  it('that is given up by its client costs nobody anything', async () => {
    const socket = connect(port, '127.0.0.1', () => { socket.write('POST /later HTTP/1.1\r\nhost: x\r\ncontent-length: 0\r\n\r\n', () => { socket.destroy() }) })
    await new Promise((resolve) => { socket.on('close', resolve) })
    expect((await call('/later')).status).toBe(200)
  })
})

describe('a channel', () => {
  const opened = (path: string, protocols: string[] = []): Promise<WebSocket> => new Promise((resolve, reject) => {
    const socket = new WebSocket(`${url.replace('http', 'ws')}${path}`, protocols)
    socket.on('open', () => { resolve(socket) })
    socket.on('error', reject)
  })

  it('of server-sent events tells what happens', async () => {
    const said = await raw('GET /events HTTP/1.1\r\nhost: x\r\naccept: text/event-stream\r\n\r\n', '"to":"ours"')
    expect(said).toMatch(/^HTTP\/1\.1 200 OK\r\ncontent-type: text\/event-stream\r\ncache-control: no-cache\r\n/)
    expect(said).toContain('data: {"to":"ours"')
  })

  it('may be asked for with a JWT, by a client that may be gone before the signature is checked', async () => {
    const token = await identity.issue('me', 1_000_000, 2_000_000)
    const asking = `GET /events HTTP/1.1\r\nhost: x\r\naccept: text/event-stream\r\nauthorization: Bearer ${token}\r\n\r\n`
    for (let i = 0; i < 20; i++) {
      const socket = connect(port, '127.0.0.1', () => { socket.write(asking, () => { socket.destroy() }) })
      await new Promise((resolve) => { socket.on('close', resolve) })
    }
    expect(await raw(asking, '"to":"ours"')).toMatch(/^HTTP\/1\.1 200 OK/)
  })

  it('of a WebSocket says and hears frames', async () => {
    const socket = await opened('/socket')
    const heard = new Promise<string>((resolve) => {
      socket.on('message', (data: Buffer) => { if (data.toString().startsWith('heard')) resolve(data.toString()) })
    })
    socket.send('hello')
    expect(await heard).toBe('heard hello')
    socket.close()
  })

  it('may be refused', async () => {
    await expect(opened('/refused')).rejects.toThrow('Unexpected server response: 403')
    expect(await raw('GET /refused HTTP/1.1\r\nhost: x\r\naccept: text/event-stream\r\nconnection: close\r\n\r\n')).toMatch(/^HTTP\/1\.1 403 /)
  })

  it('is closed for a frame over 1 MiB, and the others go on', async () => {
    const [big, other] = await Promise.all([opened('/socket'), opened('/socket')])
    const closed = new Promise<number>((resolve) => { big!.on('close', resolve) })
    big!.on('error', () => {})
    big!.send(Buffer.alloc((1 << 20) + 1))
    expect(await closed).toBe(1009)
    const heard = new Promise<string>((resolve) => { other!.on('message', (data: Buffer) => { if (data.toString().startsWith('heard')) resolve(data.toString()) }) })
    other!.send('still')
    expect(await heard).toBe('heard still')
    other!.close()
  })
})

it('a client that reads nothing of an answer is cut off', async () => {
  const line = new MessageChannel()
  const impatient = new Transport(lineToSession(line.port2), identity, { unreadMs: 20 })
  // More than the system keeps for a connection.
  impatient.publish('parlay', { '/long': { type: 'text/plain', text: 'x'.repeat(1 << 26) } })
  const at = Number(new URL((await impatient.open('parlay', '127.0.0.1', 0)).url).port)
  const socket = connect(at, '127.0.0.1').pause()
  // The end of a connection that is not read shows when something is sent on it.
  const talking = setInterval(() => { socket.write('GET /long HTTP/1.1\r\nhost: x\r\n\r\n') }, 10)
  const [error] = await once(socket, 'error') as [NodeJS.ErrnoException]
  clearInterval(talking)
  expect(['ECONNRESET', 'EPIPE']).toContain(error.code)
  await impatient.close()
  line.port1.close()
})
