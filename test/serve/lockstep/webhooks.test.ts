import { describe, expect, it } from 'vitest'
import { parlayHandler } from '../../../src/serve/parlay/handler.ts'
import type { WebhookAttempt } from '../../../src/serve/parlay/webhookSends.ts'
import { SECOND_US } from '../../../src/unit/time.ts'
import { AnswerDelivery, ParlayOp } from '../../../src/venue/parlay/protocol/commands.ts'
import type { LockstepDriver } from '../../../src/serve/session/lockstep/lockstepDriver.ts'
import { type Act, LockstepClient } from './lockstepClient.ts'
import { digestAgain, type PlayedMaker, playedOutside, preparedOf, scenarioOf, tokenOf } from './served.ts'

const LATENCY = '{ broadcast: 5ms, quote: 5ms, confirm: 5ms }'
const MAKERS: readonly PlayedMaker[] = [{ name: 'a', use: 'x', latency: LATENCY }]
const ENDPOINT: readonly Act[] = [
  { method: 'PUT', path: '/v1/webhooks?owner_kind=mm', body: JSON.stringify({ url: 'https://endpoint.example/hook', events: ['position.settled'] }) },
  { method: 'POST', path: '/v1/webhooks/rotate-secret?owner_kind=mm' },
]

/** A maker that has an endpoint, offers more than anybody on every request, and confirms. */
function acts(why: string, frames: readonly string[]): readonly Act[] {
  if (why === 'begin') return ENDPOINT
  return frames.flatMap((frame): Act[] => {
    const event = /^id: \d+\nevent: quote_request\ndata: (.*)$/.exec(frame)
    if (event !== null) {
      const { id, version, request_hash } = JSON.parse(event[1]!) as Record<string, string>
      return [{ method: 'PUT', path: `/v1/mm/quote-requests/${id}/quote`, body: JSON.stringify({ request_version: version, request_hash, payout_odds: 300 }) }]
    }
    if (frame.startsWith('id: ')) return []
    const { type, data } = JSON.parse(frame) as { readonly type: string; readonly data: Record<string, string> }
    return type === 'quote:accepted' ? [{ method: 'POST', path: `/v1/mm/quote-requests/${data['quote_request_id']}/quote/confirm`, body: JSON.stringify({ quote_id: data['quote_id'] }) }] : []
  })
}

/** A session whose maker's endpoint answers as `answerOf` says. */
async function played(answerOf: (count: number) => Promise<number>, losesPatience = false) {
  let losing: NodeJS.Timeout | undefined
  const session = await preparedOf(scenarioOf(MAKERS, true, 12))
  const attempts: WebhookAttempt[] = []
  /** POSTs that have gone out. */
  const calls: AbortSignal[] = []
  let post: LockstepDriver['post'] = () => {}
  const patience = { end: () => {} }
  const handlers = {
    parlay: parlayHandler({
      sessionKey: 'a key of tests', allowsLocalWebhooks: true, ticks: session.store.ticks,
      postWebhook: (attempt, answered) => {
        attempts.push(attempt)
        post(attempt.url, (signal) => {
          calls.push(signal)
          return answerOf(calls.length)
        }, answered)
      },
    }),
  }
  const play = await playedOutside(session, async ({ url, controlUrl, served, driver, credentials }) => {
    post = (url, send, answered) => { driver.post(url, send, answered) }
    // Only endpoints lose patience: a client has a turn while it is waited for. What ends a patience that is over does nothing.
    if (losesPatience) losing = setInterval(() => { if (served.session.turn === null) patience.end() }, 10)
    const { account } = served.seats[0]!
    return [await LockstepClient.connect({
      url, controlUrl, token: tokenOf(account), headers: { 'x-api-key': credentials['a']!['api_key']! }, streams: ['/v1/mm/stream'], sockets: ['/v1/ws'],
      act: ({ why }, { frames }) => acts(why, frames),
    })]
  }, { handlers, patience })
  clearInterval(losing)
  const answers = play.rows.filter(({ op }) => op === ParlayOp.answerDelivery)
  return { ...play, attempts, calls, answers, again: digestAgain(session, play.rows) }
}

const after = (ms: number, status: number): Promise<number> => new Promise((resolve) => { setTimeout(resolve, ms, status) })
const idsOf = (attempts: readonly WebhookAttempt[]): Set<string> => new Set(attempts.map(({ headers }) => headers['X-Service-Event-Id']))

describe('webhooks to an endpoint of a client for whom time waits', () => {
  it('are delivered when it answers, however long that takes and in whatever order, and the session is played again with the answers', async () => {
    const atOnce = await played(() => Promise.resolve(204))
    expect(atOnce.attempts.length).toBeGreaterThan(2)
    expect(idsOf(atOnce.attempts).size).toBe(atOnce.attempts.length)
    expect(atOnce.answers).toHaveLength(atOnce.attempts.length)
    for (const { account, turn, atUs } of atOnce.answers) expect([account, turn, atUs % SECOND_US]).toEqual([-1, undefined, 0])
    expect(atOnce.again).toBe(atOnce.digest)
    const late = await played((count) => after(count % 2 === 0 ? 0 : 20, 204))
    expect(late.digest).toBe(atOnce.digest)
  })

  it('are repeated when it is at fault, and not when it refuses them', async () => {
    const { attempts, answers, digest, again } = await played((count) => Promise.resolve([500, 404, 204][count - 1] ?? 204))
    // The first delivery comes again; the second one is dead at once.
    expect(attempts).toHaveLength(idsOf(attempts).size + 1)
    expect(answers).toHaveLength(attempts.length)
    expect(again).toBe(digest)
  })

  it('are not posted any more once it has let patience end, and have no answer', async () => {
    const { attempts, calls, answers, said, digest, again } = await played(() => new Promise(() => {}), true)
    expect(said).toEqual(['the webhook endpoint at https://endpoint.example did not answer in 30 s, and is not called any more'])
    expect(calls.map(({ aborted }) => aborted)).toEqual([true])
    expect(attempts.length).toBeGreaterThan(idsOf(attempts).size)
    expect(answers.length).toBeGreaterThan(2)
    expect([...new Set(answers.map(({ fields }) => fields[AnswerDelivery.status]))]).toEqual([0])
    expect(again).toBe(digest)
  })
})
