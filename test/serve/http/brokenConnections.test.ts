import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setImmediate as round } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Transport } from '../../../src/serve/http/transport.ts'
import type { ToHttp, ToSession } from '../../../src/serve/threadMessages.ts'

const call = (path: string, more = ''): string => `GET ${path} HTTP/1.1\r\nhost: x\r\n${more}\r\n`
const stream = (path: string): string => call(path, 'accept: text/event-stream\r\n')
const NO_HTTP = 'hello\r\n\r\n'
/** A call whose body is no chunks. */
const HALF = 'POST /half HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n'

let transport: Transport
let port = 0
let tell: (message: ToHttp) => void
/** What the session has been asked, as the number of its connection by path. */
let asked: Map<string, number>

beforeEach(async () => {
  asked = new Map()
  transport = new Transport({
    say: (message: ToSession) => { if (message.kind === 'call' || message.kind === 'open') asked.set(message.exchange.path, message.id) },
    hear: (listen) => { tell = listen },
  }, { tokenOf: () => Promise.resolve(undefined) })
  port = Number(new URL((await transport.open('parlay', '127.0.0.1', 0)).url).port)
})

afterEach(() => transport.close())

const answer = (path: string): void => { tell({ kind: 'answer', id: asked.get(path)!, answer: { status: 200, headers: [], body: `of ${path}` } }) }
const accept = (path: string): void => {
  tell({ kind: 'accept', id: asked.get(path)!, subprotocol: undefined, headers: [] })
  tell({ kind: 'send', ids: [asked.get(path)!], text: `first of ${path}` })
}

/** Sends all at once, does what `told` says when the session has been asked everything, and resolves to the statuses and texts that came until the end. */
async function said(bytes: string, paths: readonly string[], told: (socket: Socket) => void | Promise<void>): Promise<readonly string[]> {
  let text = ''
  const socket = connect(port, '127.0.0.1', () => { socket.write(bytes) })
  socket.on('data', (part) => { text += part.toString() })
  const over = new Promise((resolve) => { socket.on('close', resolve) })
  while (!paths.every((path) => asked.has(path))) await round()
  // The rest of the same bytes has been read by then.
  await round()
  await told(socket)
  await over
  return text.match(/HTTP\/1\.1 \d+|(first )?of \/\w/g) ?? []
}

describe('a connection on which something comes that is no HTTP', () => {
  it('has the answers of the calls before it first, in their order, and then its own', async () => {
    expect(await said(call('/a') + NO_HTTP, ['/a'], () => { answer('/a') })).toEqual(['HTTP/1.1 200', 'of /a', 'HTTP/1.1 400'])
    expect(await said(call('/b') + call('/c') + NO_HTTP, ['/b', '/c'], async () => {
      answer('/c')
      await round()
      answer('/b')
    })).toEqual(['HTTP/1.1 200', 'of /b', 'HTTP/1.1 200', 'of /c', 'HTTP/1.1 400'])
  })

  it('has its own at once where the call before it does not come to an end', async () => {
    expect(await said(HALF, [], () => {})).toEqual(['HTTP/1.1 400'])
    expect(await said(call('/a') + HALF, ['/a'], () => { answer('/a') })).toEqual(['HTTP/1.1 200', 'of /a', 'HTTP/1.1 400'])
  })

  it('has none where a stream is open, which ends, behind the answers before it', async () => {
    expect(await said(stream('/s') + NO_HTTP, ['/s'], () => { accept('/s') })).toEqual(['HTTP/1.1 200'])
    expect(await said(stream('/u'), ['/u'], async (socket) => {
      accept('/u')
      await once(socket, 'data')
      socket.write(NO_HTTP)
    })).toEqual(['HTTP/1.1 200', 'first of /u'])
    expect(await said(call('/a') + stream('/t') + NO_HTTP, ['/a', '/t'], async () => {
      accept('/t')
      await round()
      answer('/a')
    })).toEqual(['HTTP/1.1 200', 'of /a', 'HTTP/1.1 200', 'first of /t'])
  })
})
