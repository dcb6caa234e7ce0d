import { describe, expect, it } from 'vitest'
import { callOnce, LockstepClient } from './lockstepClient.ts'
import { digestAgain, playedOutside, preparedOf, scenarioOf, tokenOf } from './served.ts'
import { wireHandlers } from './wirePlay.ts'

const WAY = '{ broadcast: 5ms, quote: 5ms, confirm: 5ms }'
const MAKERS = ['a', 'b'] as const

describe('a call is answered to the client that made it, by its turn, and is played again', () => {
  it.each<[string, 'a' | 'b' | null, number]>([['its own', 'a', 200], ['nobody\'s', null, 401], ['another seat\'s', 'b', 200]])('with a credential that is %s', async (_, credential, status) => {
    const prepared = await preparedOf(scenarioOf(MAKERS.map((name) => ({ name, use: 'x', latency: WAY })), true, 10))
    const calls: Promise<{ readonly status: number }>[] = []
    let answeredTo = ''
    let requests = 0
    const { rows, digest } = await playedOutside(prepared, async ({ url, controlUrl, served, credentials }) => {
      const token = (name: string): string => tokenOf(served.seats.find((seat) => seat.name === name)!.account)
      return Promise.all(MAKERS.map((name) => LockstepClient.connect({
        url, controlUrl, token: token(name), headers: { 'x-api-key': credentials[name]!['api_key']! }, streams: ['/v1/mm/stream'],
        act: ({ n, why }) => {
          if (why === 'answer') answeredTo = name
          if (name !== 'a' || why !== 'onRequest' || ++requests !== 3) return []
          const key = credential === null ? {} : { 'x-api-key': credentials[credential]!['api_key']! }
          calls.push(callOnce(`${url}/v1/mm/positions`, 'GET', '', { 'parlor-turn': String(n), 'parlor-done': '1', 'parlor-token': token('a'), ...key }))
          return null
        },
      })))
    }, { handlers: wireHandlers(prepared) })
    expect((await Promise.all(calls)).map((answer) => answer.status)).toEqual([status])
    expect(answeredTo).toBe('a')
    expect(digestAgain(prepared, rows)).toBe(digest)
  })
})
