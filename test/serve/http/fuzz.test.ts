import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { type Draw, drawsOf, oneOf } from '../../draws.ts'
import { callOnce, LockstepClient } from '../lockstep/lockstepClient.ts'
import { digestAgain, type Doors as Turns, type PlayedMaker, playedOutside, preparedOf, scenarioOf, tokenOf } from '../lockstep/served.ts'
import { connection, type Doors, playedOverSockets } from './servedWorld.ts'

/** Malformed inputs that are tried, with `npm run soak -- --wire N` a hundredth of N. */
const INPUTS = Math.max(100, Number(process.env['PARLOR_SOAK'] ?? 0) / 100)
const seed = Number(process.env['PARLOR_SOAK_SEED'] ?? Date.now() % 1e6)
/** What the documents and HTTP itself answer such calls with. */
const OF_DOCUMENTS = [200, 201, 202, 204, 400, 401, 403, 404, 405, 408, 409, 410, 413, 417, 422, 429, 431]
/** Inputs that are on their way at a time. */
const AT_ONCE = 20

const text = (draw: Draw, most: number): string => Buffer.from(Array.from({ length: draw(most) }, () => draw(256))).toString('latin1')

/** Bytes that are no HTTP: no method begins with a sign of this kind. */
const noHttp = (draw: Draw): string => `${oneOf(draw, ['\u0000', '\u0001', '{', ' ', '"', '(', '\u00ff'])}${text(draw, 400)}\r\n\r\n`

/** A call in which some bytes are others, are gone or stand twice. */
function spoilt(draw: Draw, call: string): string {
  let bytes = call
  for (let n = 1 + draw(4); n > 0; n--) {
    const at = draw(bytes.length)
    const [before, after] = [bytes.slice(0, at), bytes.slice(at)]
    bytes = oneOf(draw, [`${before}${String.fromCharCode(draw(256))}${after.slice(1)}`, before + after.slice(1 + draw(20)), before + after.slice(0, draw(20)) + after])
  }
  return bytes
}

/** Sends bytes, and ends its side once it is answered, or once others were. Returns the statuses that came back. */
async function statusesOf(port: number, bytes: string, others: Promise<void>): Promise<readonly number[]> {
  const { socket, said } = connection(port, { allowHalfOpen: true })
  socket.write(Buffer.from(bytes, 'latin1'))
  socket.once('data', () => { socket.end() })
  void others.then(() => { socket.end() })
  return [...(await said).matchAll(/^HTTP\/1\.1 (\d{3}) /gm)].map(([, status]) => Number(status))
}

async function tried(doors: Doors, draw: Draw, bytesOf: (draw: Draw) => string): Promise<void> {
  const isServed = async (): Promise<void> => { expect((await fetch(`${doors.url}/prices`, { headers: doors.headersOf('me') })).status).toBe(200) }
  let answered = 0
  for (let sent = 0; sent < INPUTS; sent += AT_ONCE) {
    const others = sleep(50).then(isServed).then(isServed)
    const statuses = await Promise.all(Array.from({ length: AT_ONCE }, () => statusesOf(doors.port, bytesOf(draw), others)))
    await others
    answered += statuses.filter((of) => of.length > 0).length
    for (const status of statuses.flat()) expect(OF_DOCUMENTS).toContain(status)
  }
  await isServed()
  expect(answered).toBeGreaterThan(INPUTS / 2)
}

it.each(['parlay', 'outcome'] as const)(`PQ-351 OM-176 bytes that are no call change nothing of a session of the %s service, and spoilt calls nothing that is not verified, seed ${seed}`, async (service) => {
  const draw = drawsOf(seed)
  const path = { parlay: '/v1/quote-requests', outcome: '/v1/rfqs' }[service]
  const body = JSON.stringify({ parlay: { legs: [{ market_ticker: 'X', side: 'yes' }], bet_amount: 5 }, outcome: { stake: '5000000', legs: [{ outcome_id: '1', side: 'YES' }] } }[service])
  const undisturbed = await playedOverSockets(service, () => Promise.resolve())
  const garbage = await playedOverSockets(service, (doors) => tried(doors, draw, noHttp))
  expect([garbage.digest, garbage.faults]).toEqual([undisturbed.digest, []])
  const calls = await playedOverSockets(service, (doors) => {
    const credential = Object.entries(doors.headersOf('me')).map(([name, value]) => `${name}: ${value}`).join('\r\n')
    const whole = `POST ${path} HTTP/1.1\r\nhost: x\r\n${credential}\r\nidempotency-key: 01890000-0000-7000-8000-000000000000\r\ncontent-length: ${body.length}\r\n\r\n${body}`
    return tried(doors, draw, (own) => spoilt(own, whole))
  })
  expect(calls.faults).toEqual([])
})

const MAKERS: readonly PlayedMaker[] = [{ name: 'a', use: 'x', latency: '{ broadcast: 5ms, quote: 5ms, confirm: 5ms }' }]
const HEADERS = ['parlor-turn', 'parlor-call', 'parlor-done', 'parlor-hold'] as const

/** A frame that is none: no JSON, JSON of another form, or a field that is doubled, unknown or of another kind. */
const noFrame = (draw: Draw): string => oneOf(draw, [
  () => text(draw, 200), () => '{"frame":"ready"', () => '{"frame":"ready","frame":"ready"}', () => '{"frame":"ready","n":1}', () => '[]', () => 'null', () => '"ready"',
  () => `{"frame":"done","n":${oneOf(draw, ['0', '-1', '1.5', '1e999', '"1"', 'null', '{}'])},"calls":0}`, () => `{"frame":"done","n":1,"calls":${oneOf(draw, ['-1', '0.5', '"0"', '[]'])}}`,
  () => `{"frame":"wake","n":1,"call":${oneOf(draw, ['0', '-3', '"x"'])},"at_us":1}`, () => `{"frame":${'['.repeat(draw(2000))}`, () => '{"frame":"__proto__"}',
])()

/** Headers of a call of no turn: a number that is none, or numbers that contradict each other. */
const noPlace = (draw: Draw): Readonly<Record<string, string>> => oneOf(draw, [
  () => ({ [oneOf(draw, HEADERS)]: oneOf(draw, ['', '0', '-1', '1.5', 'x', '1e3', '01', '9999999999', '1, 2']) }), () => ({}),
  () => ({ 'parlor-turn': '1', 'parlor-call': '1', 'parlor-done': '2' }), () => ({ 'parlor-turn': '1', 'parlor-call': '1', 'parlor-hold': '1' }), () => ({ 'parlor-call': '1' }),
])()

/** Plays a session in lockstep whose only client does nothing; `disturb` comes in each of its first turns. */
async function inTurns(turns: number, disturb: (at: Turns, client: LockstepClient) => Promise<void>) {
  const session = await preparedOf(scenarioOf(MAKERS, true, 20))
  let client: LockstepClient | null = null
  let disturbed = 0
  const play = await playedOutside(session, async (at) => {
    client = await LockstepClient.connect({
      url: at.url, controlUrl: at.controlUrl, token: tokenOf(at.served.seats[0]!.account), headers: { 'x-seat': 'a' }, streams: ['/events'],
      act: async () => {
        if (client !== null && disturbed < turns) {
          disturbed++
          await disturb(at, client)
        }
        return []
      },
    })
    return [client]
  })
  expect(digestAgain(session, play.rows)).toBe(play.digest)
  return { digest: play.digest, refusals: client!.refusals.length, disturbed }
}

it(`frames and headers of lockstep that are none are refused, and change nothing, seed ${seed}`, async () => {
  const draw = drawsOf(seed)
  const turns = 10
  const each = Math.ceil(INPUTS / turns / 3)
  const undisturbed = await inTurns(0, () => Promise.resolve())
  const { digest, refusals, disturbed } = await inTurns(turns, async ({ url, controlUrl }, client) => {
    const { control } = client as unknown as { readonly control: WebSocket }
    for (let i = 0; i < each; i++) {
      const frame = noFrame(draw)
      control.send(draw(4) === 0 ? Buffer.from(frame, 'latin1') : frame)
      const answer = await callOnce(`${url}/call`, 'POST', '{}', { 'x-seat': 'a', ...noPlace(draw) })
      expect(answer.status).toBe(409)
      // Whoever has no token of a seat is nobody's client.
      const stranger = new WebSocket(controlUrl, { headers: { authorization: `Bearer ${oneOf(draw, ['', 'x', 'token-', 'token-999', 'a b'])}` } })
      const [error] = await once(stranger, 'error') as [Error]
      expect(error.message).toBe('Unexpected server response: 401')
    }
  })
  // A call that is refused is told of on the control channel, too.
  expect([digest, disturbed, refusals]).toEqual([undisturbed.digest, turns, 2 * turns * each])
})
