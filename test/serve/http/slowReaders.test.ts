import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, onTestFinished, vi } from 'vitest'
import { WebSocket } from 'ws'
import { Transport } from '../../../src/serve/http/transport.ts'
import type { ToHttp, ToSession } from '../../../src/serve/threadMessages.ts'

const EVENT_BYTES = 1 << 16
/** Far more than the system and the transport keep for a connection. */
const EVENTS_MAX = 2000
const FILL = 'x'.repeat(EVENT_BYTES)

/** A transport whose session lets everybody in, and how to tell all of its clients something. */
async function telling() {
  const told: ToSession[] = []
  let tell: (message: ToHttp) => void = () => {}
  const transport = new Transport({
    say: (message) => {
      told.push(message)
      if (message.kind === 'open') tell({ kind: 'accept', id: message.id, subprotocol: undefined, headers: [] })
    },
    hear: (listen) => { tell = listen },
  }, { tokenOf: () => Promise.resolve(undefined) })
  const { url } = await transport.open('outcome', '127.0.0.1', 0)
  const ids = (): number[] => told.flatMap((message) => (message.kind === 'open' ? message.id : []))
  return { transport, url, port: Number(new URL(url).port), told, ids, tell: (text: string) => { tell({ kind: 'send', ids: ids(), text }) } }
}

/** Reads server-sent events by their numbers. */
function readEvents(port: number): { readonly socket: Socket; readonly numbers: number[] } {
  const socket = connect(port, '127.0.0.1', () => { socket.write('GET /v1/stream HTTP/1.1\r\nhost: x\r\naccept: text/event-stream\r\n\r\n') })
  const numbers: number[] = []
  let rest = ''
  socket.on('error', () => {})
  socket.setEncoding('latin1').on('data', (part: string) => {
    const lines = (rest + part).split('\n')
    rest = lines.pop()!
    numbers.push(...lines.flatMap((line) => (/^data: (\d+) x/.exec(line)?.[1] ?? [])).map(Number))
  })
  return { socket, numbers }
}

const until = async (isSo: () => boolean): Promise<void> => {
  while (!isSo()) await sleep(1)
}

it('PQ-336 a client that reads nothing of its stream is cut off, and others have every event', async () => {
  const { transport, port, told, ids, tell } = await telling()
  const [slow, quick, other] = [readEvents(port), readEvents(port), readEvents(port)]
  await until(() => ids().length === 3)
  slow.socket.pause()
  const isCutOff = (): boolean => told.some(({ kind }) => kind === 'closed')
  let count = 0
  for (; count < EVENTS_MAX && !isCutOff(); count++) {
    tell(`data: ${count} ${FILL}\n\n`)
    await until(() => quick.numbers.length > count && other.numbers.length > count)
  }
  expect([isCutOff(), told.filter(({ kind }) => kind === 'closed').length]).toEqual([true, 1])
  // The others go on.
  tell(`data: ${count} ${FILL}\n\n`)
  await until(() => quick.numbers.length > count && other.numbers.length > count)
  const all = Array.from({ length: count + 1 }, (_, i) => i)
  expect([quick.numbers, other.numbers]).toEqual([all, all])
  for (const { socket } of [slow, quick, other]) socket.destroy()
  await transport.close()
})

it('OM-238 a socket that reads nothing is closed with SLOW_CONSUMER, and others have every frame', async () => {
  const { transport, url, told, ids, tell } = await telling()
  const opened = (): WebSocket => new WebSocket(url.replace('http', 'ws') + '/v1/stream')
  const [slow, quick, other] = [opened(), opened(), opened()]
  await Promise.all([slow, quick, other].map((socket) => once(socket, 'open')))
  expect(ids()).toHaveLength(3)
  const numbersOf = (socket: WebSocket): number[] => {
    const numbers: number[] = []
    socket.on('message', (data: Buffer) => { numbers.push(Number(data.toString('latin1', 0, 8).split(' ')[0])) })
    return numbers
  }
  const read = [slow, quick, other].map(numbersOf)
  slow.pause()
  // The second that a client has to read its close does not pass, whatever else the machine does meanwhile.
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  onTestFinished(() => { vi.useRealTimers() })
  const closing = once(slow, 'close') as Promise<[number, Buffer]>
  const { sockets } = transport as unknown as { readonly sockets: ReadonlySet<WebSocket> }
  let count = 0
  for (; count < EVENTS_MAX && ![...sockets].some(({ readyState }) => readyState === WebSocket.CLOSING); count++) {
    tell(`${count} ${FILL}`)
    await until(() => read[1]!.length > count && read[2]!.length > count)
  }
  expect(count).toBeLessThan(EVENTS_MAX)
  // What it is told last is why.
  slow.resume()
  const [code, reason] = await closing
  vi.useRealTimers()
  expect([code, reason.toString()]).toEqual([1008, 'SLOW_CONSUMER'])
  await until(() => told.some(({ kind }) => kind === 'closed'))
  tell(`${count} ${FILL}`)
  await until(() => read[1]!.length > count && read[2]!.length > count)
  const all = Array.from({ length: count + 1 }, (_, i) => i)
  // The slow one has none twice and misses none before its end.
  expect(read).toEqual([all.slice(0, read[0]!.length), all, all])
  for (const socket of [quick, other]) socket.terminate()
  await transport.close()
})
