import { request } from 'node:http'
import { expect, it, onTestFinished } from 'vitest'
import { Transport } from '../../../src/serve/http/transport.ts'
import type { ToHttp, ToSession } from '../../../src/serve/threadMessages.ts'

it('what the session says last goes out before the ports close, however late it comes', async () => {
  const asked: ToSession[] = []
  let tell: (message: ToHttp) => void = () => {}
  const transport = new Transport({ say: (message) => { asked.push(message) }, hear: (listen) => { tell = listen } }, { tokenOf: () => Promise.resolve(undefined) })
  onTestFinished(() => transport.close())
  const { url } = await transport.open('parlay', '127.0.0.1', 0)
  const answered = new Promise<string>((resolve, reject) => {
    request(`${url}/desk`, (response) => { response.setEncoding('utf8').once('data', resolve) }).on('error', reject).end()
  })
  while (asked.length === 0) await new Promise((resolve) => { setImmediate(resolve) })
  const closed = transport.heardOut().then(() => transport.close())
  await new Promise((resolve) => { setTimeout(resolve, 20) })
  tell({ kind: 'answer', id: asked[0]!.id, answer: { status: 200, headers: [], body: 'the last notes' } })
  tell({ kind: 'ended' })
  await closed
  expect(await answered).toBe('the last notes')
})
