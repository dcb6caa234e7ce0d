import { createServer, request as httpRequest, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { LiveViews } from '../../../src/serve/http/liveViews.ts'
import type { LiveAsk, LiveFrame, LiveTold, ShownBook } from '../../../src/serve/live/liveFrames.ts'
import { PATIENCE_MS } from '../../patience.ts'

const TOKEN = 'a-token-of-the-session'
const LOOK_MS = 10
const LAST_LOOK_MS = 30
const LINGER_MS = 50

const bookOf = (key: string, id = key): ShownBook => ({ key, id } as ShownBook)
const frameOf = (atUs: number, { count = 0, books = {}, tookMs = 0, filler = '' }: { count?: number; books?: LiveFrame['books']; tookMs?: number; filler?: string } = {}): LiveFrame =>
  ({ clock: { atUs, speed: 1, turns: null }, state: { requests: [], makers: [], positions: [], positionCount: count, filler } as LiveFrame['state'], books, tookMs })

let server: Server
let port = 0
let views: LiveViews
let asks: LiveAsk[]
/** Answers a look, as the session's thread would. */
let tell: (told: LiveTold) => void

beforeEach(async () => {
  asks = []
  views = new LiveViews({ say: (ask) => { asks.push(ask) }, hear: (listen) => { tell = listen } }, TOKEN, { lookMs: LOOK_MS, lastLookMs: LAST_LOOK_MS, lingerMs: LINGER_MS })
  server = createServer((request, response) => { views.answer('parlay', request, response) })
  await new Promise<void>((resolve) => { server.listen(0, '127.0.0.1', resolve) })
  port = (server.address() as AddressInfo).port
})

afterEach(async () => {
  await views.close()
  server.closeAllConnections()
  await new Promise((resolve) => { server.close(resolve) })
})

interface Opened {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  /** All that came so far. */
  text: string
  isEnded: boolean
  readonly leave: () => void
}

const open = (path = '/live', authorization: string | null = `Bearer ${TOKEN}`): Promise<Opened> => new Promise((resolve, reject) => {
  const call = httpRequest({ port, path, agent: false, headers: authorization === null ? {} : { authorization } }, (response) => {
    const opened: Opened = { status: response.statusCode!, headers: response.headers, text: '', isEnded: false, leave: () => { call.destroy() } }
    response.setEncoding('utf8').on('data', (part: string) => { opened.text += part }).on('end', () => { opened.isEnded = true }).on('error', () => {})
    resolve(opened)
  })
  call.on('error', reject).end()
})

const eventsOf = ({ text }: Opened): string[] => text.split('\n\n').slice(0, -1).map((event) => event.replace(/^event: (\w+)\ndata: /, '$1 '))
const WAIT = { timeout: PATIENCE_MS, interval: 5 }
const until = (isSo: () => boolean): Promise<void> => vi.waitFor(() => { expect(isSo()).toBe(true) }, WAIT)
const looks = (): LiveAsk[] => asks.filter(({ kind }) => kind === 'look')
/** Answers the look that was asked for last, once there are so many. */
async function answer(count: number, frame: LiveFrame): Promise<void> {
  await until(() => looks().length >= count)
  expect(looks()).toHaveLength(count)
  tell({ service: 'parlay', frame })
}

describe('the stream of the page', () => {
  it.each([
    ['no token', null], ['another token', 'Bearer another'], ['a token and more', `Bearer ${TOKEN}x`], ['an empty token', 'Bearer '], ['another scheme', `Basic ${TOKEN}`],
  ])('is not for who has %s', async (_, authorization) => {
    const opened = await open('/live', authorization)
    await until(() => opened.isEnded)
    expect([opened.status, JSON.parse(opened.text)]).toEqual([401, { error: 'the page is opened by the link that parlor serve told' }])
    // In the call's own address it would stand in logs.
    expect((await open(`/live?token=${TOKEN}`, null)).status).toBe(401)
    expect(asks).toEqual([])
  })

  it('has looks one after the other: each clock, and the state and the book where they are others', async () => {
    const opened = await open('/live?request=r7')
    expect([opened.status, opened.headers['content-type'], opened.headers['cache-control']]).toEqual([200, 'text/event-stream', 'no-store'])
    await answer(1, frameOf(1, { count: 5, books: { r7: bookOf('r7') } }))
    await answer(2, frameOf(2, { count: 5, books: { r7: bookOf('r7') } }))
    await answer(3, frameOf(3, { count: 6 }))
    await until(() => eventsOf(opened).length === 7)
    const state = (count: number): string => `state ${JSON.stringify(frameOf(0, { count }).state)}`
    const clock = (atUs: number): string => `clock {"atUs":${atUs},"speed":1,"turns":null}`
    expect(eventsOf(opened)).toEqual([clock(1), state(5), 'book {"key":"r7","id":"r7"}', clock(2), clock(3), state(6), 'book null'])
    expect(asks[0]).toEqual({ kind: 'look', service: 'parlay', keys: ['r7'] })
  })

  it('asks once for all who look, with the books that they have opened, and no more when they have left', async () => {
    const first = await open('/live?request=r7')
    const second = await open('/live?request=a8')
    const third = await open('/live?request=a8')
    await answer(1, frameOf(1))
    await answer(2, frameOf(2, { books: { r7: bookOf('r7', 'one'), a8: bookOf('a8', 'two') } }))
    expect(asks[1]).toEqual({ kind: 'look', service: 'parlay', keys: ['r7', 'a8'] })
    await until(() => [first, second, third].every(({ text }) => text.includes('"atUs":2')))
    expect([first, second, third].map((opened) => eventsOf(opened).filter((event) => event.startsWith('book {')).map((event) => (JSON.parse(event.slice(5)) as ShownBook).id)))
      .toEqual([['one'], ['two'], ['two']])
    first.leave()
    second.leave()
    third.leave()
    await until(() => asks.at(-1)!.kind === 'leave')
    const count = asks.length
    tell({ service: 'parlay', frame: frameOf(3) })
    await new Promise((resolve) => { setTimeout(resolve, 5 * LOOK_MS) })
    expect(asks).toHaveLength(count)
    // Who comes again is shown something at once.
    const again = await open()
    await answer(looks().length, frameOf(4))
    await until(() => again.text.includes('"atUs":4'))
  })

  it('does not let go of a service while a page opens one book after the other', async () => {
    // Long, so that a machine that is busy ends neither.
    const lingerMs = 3_600_000
    views = new LiveViews({ say: (ask) => { asks.push(ask) }, hear: (listen) => { tell = listen } }, TOKEN, { lookMs: 2 * lingerMs, lastLookMs: LAST_LOOK_MS, lingerMs })
    const waits = vi.spyOn(globalThis, 'setTimeout')
    const ended = vi.spyOn(globalThis, 'clearTimeout')
    let wait: unknown = null
    const keys = ['r1', 'r2', 'r3']
    for (const [i, key] of keys.entries()) {
      const opened = await open(`/live?request=${key}`)
      if (wait !== null) expect(ended).toHaveBeenCalledWith(wait)
      await answer(i + 1, frameOf(i))
      await until(() => opened.text.includes(`"atUs":${i}`))
      waits.mockClear()
      opened.leave()
      // The wait before the service is let go of has begun, and the next page ends it.
      const begun = (): number => waits.mock.calls.findIndex(([, ms]) => ms === lingerMs)
      await until(() => begun() >= 0)
      wait = waits.mock.results[begun()]!.value
    }
    expect(asks.filter(({ kind }) => kind === 'leave')).toEqual([])
    expect(asks.flatMap((ask) => (ask.kind === 'look' ? ask.keys : []))).toEqual(keys)
    waits.mockRestore()
    ended.mockRestore()
  })

  it('rests twenty times as long as a look took', async () => {
    await open()
    await until(() => looks().length === 1)
    const waits = vi.spyOn(globalThis, 'setTimeout')
    tell({ service: 'parlay', frame: frameOf(1, { tookMs: 7 }) })
    tell({ service: 'parlay', frame: frameOf(2, { tookMs: 0.1 }) })
    expect(waits.mock.calls.map(([, ms]) => ms)).toEqual([140, LOOK_MS])
    waits.mockRestore()
  })

  it('closes on who does not read, and goes on for the others', async () => {
    const reader = await open()
    const slow = await new Promise<Socket>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => {
        socket.pause()
        socket.write(`GET /live HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${TOKEN}\r\n\r\n`)
        resolve(socket)
      })
    })
    let isClosed = false
    slow.on('close', () => { isClosed = true }).on('error', () => {})
    const connections = (): Promise<number> => new Promise((resolve) => { server.getConnections((_, count) => { resolve(count) }) })
    await vi.waitFor(async () => { expect(await connections()).toBe(2) }, WAIT)
    let told = 0
    let answered = 0
    for (; told < 200 && await connections() === 2; told++) {
      // There is a second look at once where the page that does not read has come after the first was answered.
      await until(() => looks().length > answered)
      answered = looks().length
      tell({ service: 'parlay', frame: frameOf(told, { filler: `${told} ${'x'.repeat(400_000)}` }) })
    }
    expect(await connections()).toBe(1)
    await until(() => eventsOf(reader).filter((event) => event.startsWith('clock')).length === told)
    expect([reader.isEnded, isClosed]).toEqual([false, false])
    slow.destroy()
  })

  it('takes so many pages, and a book by its key alone', async () => {
    const opened = await Promise.all(Array.from({ length: 8 }, () => open()))
    expect(opened.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200))
    const refused = await open()
    await until(() => refused.isEnded)
    expect([refused.status, refused.text]).toEqual([503, '{"error":"8 pages are open already"}'])
    opened[0]!.leave()
    await vi.waitFor(async () => { expect((await open()).status).toBe(200) }, WAIT)
    for (const key of ['', '7', 'q7', 'r7x', 'r1234567890123456', '../r7']) expect((await open(`/live?request=${key}`)).status).toBe(400)
  })

  it('ends with a last look when the session is over, and takes nobody any more', async () => {
    // Long, so that a machine that is busy does not end it before its answer.
    views = new LiveViews({ say: (ask) => { asks.push(ask) }, hear: (listen) => { tell = listen } }, TOKEN, { lookMs: LOOK_MS, lastLookMs: PATIENCE_MS, lingerMs: LINGER_MS })
    const opened = await open()
    await answer(1, frameOf(1))
    await until(() => opened.text.includes('"atUs":1'))
    const before = looks().length
    const closing = views.close()
    expect(looks()).toHaveLength(before + 1)
    setImmediate(() => { tell({ service: 'parlay', frame: frameOf(9, { count: 1 }) }) })
    await closing
    await until(() => opened.isEnded)
    expect(eventsOf(opened).slice(-3).map((event) => event.split(' ')[0])).toEqual(['clock', 'state', 'over'])
    expect(eventsOf(opened).at(-3)).toContain('"atUs":9')
    const late = await open()
    await until(() => late.isEnded)
    expect([late.status, late.text]).toEqual([503, '{"error":"the session is over"}'])
    await views.close()
  })

  it('ends without a last look when there is no answer', async () => {
    const opened = await open()
    await until(() => looks().length === 1)
    await views.close()
    await until(() => opened.isEnded)
    expect(eventsOf(opened)).toEqual(['over {}'])
  })
})
