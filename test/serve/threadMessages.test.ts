import { MessageChannel, type MessagePort } from 'node:worker_threads'
import { afterEach, describe, expect, it } from 'vitest'
import { joinSends, lineOf, type ToHttp, type ToSession } from '../../src/serve/threadMessages.ts'

const send = (id: number, text: string): ToHttp => ({ kind: 'send', ids: [id], text })
const close = (id: number): ToHttp => ({ kind: 'close', id, code: 1000, reason: '' })

const ports: MessagePort[] = []
afterEach(() => { for (const port of ports.splice(0)) port.close() })

/** What comes over of what is said at once, and how many crossings that takes. */
async function crossed(said: readonly ToHttp[]): Promise<{ readonly heard: readonly ToHttp[]; readonly crossings: number }> {
  const { port1, port2 } = new MessageChannel()
  ports.push(port1, port2)
  const heard: ToHttp[] = []
  let crossings = 0
  port2.on('message', () => { crossings++ })
  const over = new Promise<void>((resolve) => {
    lineOf<ToHttp, ToSession>(port2).hear((message) => {
      heard.push(message)
      if (message.kind === 'close' && message.id === 0) resolve()
    })
  })
  const line = lineOf<ToSession, ToHttp>(port1, joinSends)
  for (const message of [...said, close(0)]) line.say(message)
  await over
  return { heard: heard.slice(0, -1), crossings }
}

describe('what one thread says to another', () => {
  it('comes over in its order, and together', async () => {
    const said = [send(1, 'a'), close(2), send(1, 'b')]
    expect(await crossed(said)).toEqual({ heard: said, crossings: 1 })
  })

  it('goes over before the loop has a turn, 64 messages at a time', async () => {
    const said = Array.from({ length: 200 }, (_, i) => send(1, String(i)))
    expect(await crossed(said)).toEqual({ heard: said, crossings: 4 })
  })

  it('is one message where several channels in a row are told the same', async () => {
    const { heard } = await crossed([send(1, 'a'), send(2, 'a'), send(3, 'b'), send(1, 'a'), close(1), send(4, 'a')])
    expect(heard).toEqual([{ kind: 'send', ids: [1, 2], text: 'a' }, send(3, 'b'), send(1, 'a'), close(1), send(4, 'a')])
  })
})
