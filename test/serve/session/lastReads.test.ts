import { expect, it } from 'vitest'
import type { Answer, Exchange } from '../../../src/serve/exchange.ts'
import { LastReads } from '../../../src/serve/session/lastReads.ts'
import type { ToHttp, ToSession } from '../../../src/serve/threadMessages.ts'

const ANSWER: Answer = { status: 200, headers: [], body: 'the desk' }
/** Last of all: whoever hears it has heard every answer. */
const ENDED: ToHttp = { kind: 'ended' }
const call = (id: number, path: string): ToSession => ({ kind: 'call', id, readMs: 0, exchange: { path } as Exchange })

/** A line whose session is over when `end` is called, and whose desks have been read when so many calls for them were answered. */
function lineOf(readsDue: number) {
  const said: ToHttp[] = []
  const heard: ToSession[] = []
  const grace = { isRunning: false, end: () => {} }
  let send: (message: ToSession) => void = () => {}
  const reads = new LastReads({ say: (message) => { said.push(message) }, hear: (listen) => { send = listen } }, (run) => {
    Object.assign(grace, { isRunning: true, end: run })
    return () => { grace.isRunning = false }
  })
  reads.hear((message) => { heard.push(message) })
  const served = {
    besideAtEnd: ({ path }: Exchange) => (path === '/desk' ? ANSWER : null),
    get areDesksReadOut() { return said.length >= readsDue },
  }
  const state = { isOver: false }
  return {
    reads, said, heard, grace, state, send: (message: ToSession) => { send(message) },
    end: () => reads.after(served).then(() => { state.isOver = true }),
  }
}

it('the session hears everything until it is over, and from then on nothing', async () => {
  const { heard, send, end, said } = lineOf(0)
  send(call(1, '/v1/markets'))
  await end()
  send(call(2, '/v1/markets'))
  expect(heard.map(({ id }) => id)).toEqual([1])
  expect(said).toEqual([ENDED])
})

it('desks are answered until all of them have been read, and nothing else is', async () => {
  const { said, send, end, grace, state } = lineOf(2)
  const ended = end()
  send(call(1, '/desk'))
  for (const message of [call(2, '/v1/markets'), { kind: 'closed', id: 3, readMs: 0, code: 1006 } as const]) send(message)
  await new Promise((resolve) => { setImmediate(resolve) })
  expect([state.isOver, grace.isRunning]).toEqual([false, true])
  send(call(4, '/desk'))
  await ended
  expect(said).toEqual([...[1, 4].map((id) => ({ kind: 'answer', id, answer: ANSWER })), ENDED])
  expect(grace.isRunning).toBe(false)
})

it('nobody is waited for when the grace is over', async () => {
  const { send, end, grace, said } = lineOf(2)
  const ended = end()
  send(call(1, '/desk'))
  grace.end()
  await ended
  expect(said.slice(1)).toEqual([ENDED])
})
