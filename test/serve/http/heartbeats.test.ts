import { connect } from 'node:net'
import { expect, it } from 'vitest'
import { Transport } from '../../../src/serve/http/transport.ts'
import type { ToHttp } from '../../../src/serve/threadMessages.ts'
import { EventText, eventOf } from '../../../src/trade/eventText.ts'

it('PQ-336 a stream of events says that it stands while nothing happens, in lines that are no events', async () => {
  let tell: (message: ToHttp) => void = () => {}
  let opened = NaN
  const transport = new Transport({
    say: (message) => {
      if (message.kind !== 'open') return
      opened = message.id
      tell({ kind: 'accept', id: opened, subprotocol: undefined, headers: [] })
    },
    hear: (listen) => { tell = listen },
  }, { tokenOf: () => Promise.resolve(undefined) }, { pingMs: 10 })
  const port = Number(new URL((await transport.open('parlay', '127.0.0.1', 0)).url).port)
  const socket = connect(port, '127.0.0.1', () => { socket.write('GET /v1/stream HTTP/1.1\r\nhost: x\r\naccept: text/event-stream\r\n\r\n') }).setEncoding('utf8')
  let said = ''
  const heard = async (count: number): Promise<void> => {
    while (said.split(': heartbeat\n').length <= count) await new Promise((resolve) => { socket.once('data', (part: string) => { said += part; resolve(null) }) })
  }
  await heard(2)
  tell({ kind: 'send', ids: [opened], text: 'event: a\ndata: {"a":1}\n\n' })
  const before = said.split(': heartbeat\n').length
  await heard(before + 1)
  // What each chunk of the answer begins with is its length.
  const text = said.slice(said.indexOf('\r\n\r\n') + 4).split('\r\n').filter((_, i) => i % 2 === 1).join('')
  const events: string[] = []
  new EventText((event) => { events.push(event) }).take(text)
  expect([events, events.map(eventOf)]).toEqual([['event: a\ndata: {"a":1}'], [{ event: 'a', data: { a: 1 } }]])
  socket.destroy()
  await transport.close()
})

it.each([
  ['once before an event', ': heartbeat\ndata: 2\n\n', ['data: 2']], ['before an event', ': heartbeat\n: heartbeat\nid: 1\ndata: 2\n\n', ['id: 1\ndata: 2']], ['within one', 'id: 1\n: heartbeat\ndata: 2\n\n', ['id: 1\ndata: 2']],
  ['alone, which counts as sent', ': lost\n\ndata: 2\n\n', [': lost', 'data: 2']], ['in the data', 'data: a\ndata: : b\n\n', ['data: a\ndata: : b']],
])('a comment %s', (_, text, told) => {
  const events: string[] = []
  new EventText((event) => { events.push(event) }).take(text)
  expect(events).toEqual(told)
})
