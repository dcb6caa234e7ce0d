import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { MINUTE_US, SECOND_US } from '../../../src/unit/time.ts'
import { callOnce } from './lockstepClient.ts'
import { outcomeHandlers, outcomeWireClients, SUBSCRIBE } from './outcomeWirePlay.ts'
import { digestAgain, type Doors, type Play, type PlayedMaker, playedOutside, preparedOf, scenarioOf, tokenOf } from './served.ts'
import { WAYS } from './wirePlay.ts'

const MAKERS: readonly PlayedMaker[] = [{ name: 'a', use: 'fixed-margin', latency: WAYS.equal }]
const BETTORS = ['me', 'you'] as const
type Bettor = (typeof BETTORS)[number]
const HOLDS = { 'parlor-hold': '1', 'parlor-done': '1' }
const OF_ACCOUNT = SUBSCRIBE.replace(',"maker"', '')

const prepared = () => preparedOf(scenarioOf(MAKERS, true, 10, 'outcome').replace('bettors:\n', `bettors:\n${BETTORS.map((name) => `  - { external: true, name: ${name}, bankroll: 1000 USDC, latency: { broadcast: 1s, submit: 1s } }\n`).join('')}`))
const keyOf = ({ credentials }: Doors, name: Bettor): Readonly<Record<string, string>> => ({ authorization: `Bearer ${credentials[name]!['api_key']!}` })
/** A client sleeps until an instant, and is answered there or when the session is over. */
const wake = ({ controlUrl, served }: Doors, name: Bettor, atUs: number) => {
  const token = tokenOf(served.seats.find((seat) => seat.name === name)!.account)
  return callOnce(`${controlUrl.replace('ws', 'http')}/wake`, 'POST', JSON.stringify({ at_us: atUs }), { authorization: `Bearer ${token}`, ...HOLDS })
}
/** Opens a socket that subscribes with its upgrade. */
async function subscribed(doors: Doors, name: Bettor, headers: Readonly<Record<string, string>> = {}): Promise<WebSocket> {
  const socket = new WebSocket(`${doors.url.replace('http', 'ws')}/v1/stream`, ['outcome-rfq.v1'], { headers: { ...keyOf(doors, name), 'parlor-frame': OF_ACCOUNT, ...headers } })
  socket.on('error', () => {})
  await once(socket, 'open')
  return socket
}

/** A session in which bettors do something before time begins, and then sleep to its end. */
async function begun(before: (doors: Doors) => Promise<void>): Promise<Play & { readonly again: string }> {
  const session = await prepared()
  const played = await playedOutside(session, async (doors) => {
    const makers = await outcomeWireClients(session, MAKERS)(doors)
    await before(doors)
    for (const name of BETTORS) void wake(doors, name, session.resolved.history.toUs + 30 * 24 * 60 * MINUTE_US)
    return makers
  }, { handlers: outcomeHandlers(session) })
  return { ...played, again: digestAgain(session, played.rows) }
}

describe('sockets of the outcome service that are open before time begins', () => {
  it('come in in one order, whichever the network has', async () => {
    const open = (names: readonly Bettor[]) => begun(async (doors) => { for (const name of names) await subscribed(doors, name) })
    const [one, other] = [await open(['me', 'you']), await open(['you', 'me'])]
    expect(one.rows.filter(({ op, turn }) => op >= 0 && turn === 1)).toHaveLength(2)
    expect([other.digest, one.again, other.again]).toEqual([one.digest, one.digest, one.digest])
  })

  it.each<[string, (socket: WebSocket) => void]>([
    ['is lost', (socket) => { socket.terminate() }], ['is closed for a second frame', (socket) => { socket.send('{}') }],
  ])('leave a session that is played again where one %s', async (_, end) => {
    const { digest, again } = await begun(async (doors) => {
      const socket = await subscribed(doors, 'me')
      end(socket)
      await once(socket, 'close')
      // The session's thread has heard of it, or hears of it later: both are played again.
      await sleep(50)
    })
    expect(again).toBe(digest)
  })
})

describe('a client that goes on when every market is over', () => {
  it.each<[string, (doors: Doors) => Promise<unknown>]>([
    ['subscribes', async (doors) => {
      await subscribed(doors, 'me', HOLDS)
      return wake(doors, 'me', doors.served.turnsEndUs + 365 * 24 * 60 * MINUTE_US)
    }],
    ['polls', async (doors) => {
      for (;;) if ((await callOnce(`${doors.url}/v1/markets?limit=1`, 'GET', '', { ...keyOf(doors, 'me'), ...HOLDS })).status >= 500) return
    }],
  ])('does not keep the session going when it %s', async (_, goOn) => {
    const session = await prepared()
    const { digest, rows, stoppedUs } = await playedOutside(session, async (doors) => {
      const { turnsEndUs } = doors.served
      const makers = await outcomeWireClients(session, MAKERS)(doors)
      void wake(doors, 'you', turnsEndUs + MINUTE_US)
      // A second before streams are ended, so that the upgrade is on its way then.
      void wake(doors, 'me', turnsEndUs - 2 * MINUTE_US - SECOND_US).then(() => goOn(doors)).catch(() => {})
      return makers
    }, { handlers: outcomeHandlers(session) })
    expect(stoppedUs).toBeNull()
    expect(digestAgain(session, rows)).toBe(digest)
  })
})
