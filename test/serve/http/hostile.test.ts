import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { connection, type Doors, playedOverSockets } from './servedWorld.ts'

/** Idle connections that are held, with `npm run soak -- --wire` ten thousand. */
const CONNECTIONS = Number(process.env['PARLOR_SOAK_CONNECTIONS'] ?? 2000)
/** Files that a process has open besides. */
const OTHER_FILES = 500
/** Between two calls of the others, who would keep the machine busy for as long as slow clients are waited for. */
const PAUSE_MS = 25
const HOLD = fileURLToPath(new URL('holdConnections.ts', import.meta.url))
const SHORT = { headersMs: 2000, requestMs: 3000 }
const LONG = { headersMs: 200_000, requestMs: 300_000 }

/** How many files a process may have open. Node raises the soft limit to the hard one. */
function filesMax(): number {
  try {
    return Number(/^Max open files +\d+ +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1] ?? Infinity)
  } catch {
    return Infinity
  }
}
const held = Math.min(CONNECTIONS, filesMax() - OTHER_FILES)
if (held < CONNECTIONS) console.warn(`NOT TESTED: more than ${held} connections, since a process may have ${filesMax()} files open here (ulimit -n)`)

/** Asks for prices as a seat sees them, which the session's thread answers, and which is no event of the session. */
async function isServed({ url, headersOf }: Doors): Promise<void> {
  const answer = await fetch(`${url}/prices`, { headers: headersOf('me') })
  expect([answer.status, Object.keys(await answer.json() as object)]).toEqual([200, expect.arrayContaining(['prices'])])
}

/** Others come, one call after the other, while something is done. Returns how many did. */
async function whileOthersCome(doors: Doors, run: () => Promise<void>): Promise<number> {
  const over = new AbortController()
  let calls = 0
  const others = (async () => {
    for (; !over.signal.aborted; calls++) {
      await isServed(doors)
      await sleep(PAUSE_MS)
    }
  })()
  try {
    await run()
  } finally {
    over.abort()
    await others
  }
  return calls
}

/** Connections that another process holds while something is done. */
async function whileHeld(port: number, run: () => Promise<void>): Promise<void> {
  const child = spawn(process.execPath, [HOLD, String(port), String(held)], { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface(child.stdout)
  const next = async (): Promise<string> => (await once(lines, 'line') as [string])[0]
  try {
    expect(await next()).toBe(`held ${held}`)
    await run()
    const still = next()
    child.stdin.write('\n')
    expect(await still).toBe(`still ${held}`)
  } finally {
    child.stdin.end()
    await once(child, 'close')
  }
}

/** A byte after the other, until the other side has enough. */
async function trickled(port: number, bytes: string, ms: number): Promise<string> {
  const { socket, said } = connection(port)
  for (let i = 0; !socket.closed; i++) {
    socket.write(bytes[i] ?? 'x')
    await sleep(ms)
  }
  return said
}

const HEAD = 'POST /v1/nothing HTTP/1.1\r\nhost: x\r\n'

describe.each(['parlay', 'outcome'] as const)('hostile connections to the %s service', (service) => {
  let undisturbed: Awaited<ReturnType<typeof playedOverSockets>>
  beforeAll(async () => { undisturbed = await playedOverSockets(service, () => Promise.resolve()) })

  it('PQ-343 OM-176 are answered as HTTP and the document say or closed, change nothing of the session, and keep nobody from being served', async () => {
    const disturbed = await playedOverSockets(service, async (doors) => expect(await whileOthersCome(doors, async () => {
      const { port } = doors
      const refused = (bytes: string | Buffer): Promise<string> => {
        const { socket, said } = connection(port)
        socket.write(bytes)
        return said
      }
      // It may be cut off before it has read the answer.
      const flood = `GET /v1/markets HTTP/1.1\r\nhost: x\r\n${'x-a: 1\r\n'.repeat(5000)}\r\n`
      const own = { parlay: '"code":"VALIDATION_ERROR"', outcome: '"code":"INVALID_REQUEST"' }[service]
      const flooded = await Promise.all(Array.from({ length: 50 }, () => refused(flood)))
      for (const text of flooded) expect(text).toMatch(/^(HTTP\/1\.1 431 [^]*)?$/)
      expect(flooded.filter((text) => text !== '')).not.toEqual([])
      for (const bytes of ['hello\r\n\r\n', Buffer.from([0xff, 0xfe, 0, 13, 10, 13, 10]), '\u0016\u0003\u0001\u0002\u0000\u0001']) expect(await refused(bytes)).toMatch(new RegExp(`^HTTP/1\\.1 400 [^]*${own}`))
      // Half-open: it says nothing more, or nothing at all, and ends its side alone.
      for (const [bytes, answer] of [['', /^$/], ['GET /v1/mar', /^HTTP\/1\.1 400 /], [`${HEAD}content-length: 10\r\n\r\nabc`, /^HTTP\/1\.1 400 /]] as const) {
        const { socket, said } = connection(port, { allowHalfOpen: true })
        socket.end(bytes)
        expect(await said).toMatch(answer)
      }
    })).toBeGreaterThan(0))
    expect([disturbed.digest, disturbed.faults, undisturbed.faults]).toEqual([undisturbed.digest, [], []])
  })

  it('PQ-343 OM-176 that are slow, in a head, in a body or with nothing at all, are closed when their time is over, and change nothing', async () => {
    const disturbed = await playedOverSockets(service, async (doors) => expect(await whileOthersCome(doors, async () => {
      const { port } = doors
      const slow = [trickled(port, `${HEAD}x-a: `, 20), trickled(port, `${HEAD}content-length: 100000\r\n\r\n`, 20), connection(port).said]
      const texts = await Promise.all(slow)
      for (const text of texts) expect(text).toMatch(/^(HTTP\/1\.1 408 Request Timeout\r\n[^]*)?$/)
      // Who goes on speaking may be cut off before it has read the answer: who says nothing reads it.
      expect(texts.at(-1)).not.toBe('')
    })).toBeGreaterThan(0), SHORT)
    expect([disturbed.digest, disturbed.faults]).toEqual([undisturbed.digest, []])
  })

  it('PQ-343 OM-176 may be many, which cost the others nothing', async () => {
    const disturbed = await playedOverSockets(service, (doors) => whileHeld(doors.port, async () => {
      for (let i = 0; i < 20; i++) await isServed(doors)
    }), LONG)
    expect([disturbed.digest, disturbed.faults]).toEqual([undisturbed.digest, []])
  })

  it('PQ-343 PQ-410 OM-176 bodies of 10 MB, with a name twice and of no UTF-8 have the document\'s error, and the run is verified', async () => {
    const path = { parlay: '/v1/quote-requests', outcome: '/v1/rfqs' }[service]
    const { faults } = await playedOverSockets(service, async (doors) => {
      const headers = { ...doors.headersOf('me'), 'idempotency-key': '01890000-0000-7000-8000-000000000000' }
      const refused = async (body: string | Uint8Array<ArrayBuffer>): Promise<unknown> => {
        const answer = await fetch(`${doors.url}${path}`, { method: 'POST', headers, body }).catch(() => null)
        return answer === null ? 'cut off' : [answer.status, (await answer.json() as { error: { code: string } }).error.code]
      }
      const [shape, size] = { parlay: [[400, 'VALIDATION_ERROR'], [413, 'PAYLOAD_TOO_LARGE']], outcome: [[400, 'INVALID_REQUEST'], [400, 'INVALID_REQUEST']] }[service]
      const bodies = ['{"legs":[],"legs":[]}', '{"a":{"b":1,"b":1}}', new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), new Uint8Array([0xed, 0xa0, 0x80])]
      for (const body of bodies) {
        // Each is another body under one key, which the outcome service tells only of bodies that it binds.
        expect([shape, [422, 'IDEMPOTENCY_KEY_REUSED'], [409, 'IDEMPOTENCY_KEY_REUSED']]).toContainEqual(await refused(body))
        await isServed(doors)
      }
      const floods = await Promise.all(Array.from({ length: 5 }, () => refused(new Uint8Array(10_000_000))))
      for (const told of floods) expect([size, 'cut off', [422, 'IDEMPOTENCY_KEY_REUSED'], [409, 'IDEMPOTENCY_KEY_REUSED']]).toContainEqual(told)
      expect(floods.filter((told) => told !== 'cut off')).not.toEqual([])
      await isServed(doors)
    })
    expect(faults).toEqual([])
  })

  it('a socket that answers no ping is ended, and one that does stays', async () => {
    const { path, protocol } = { parlay: { path: '/v1/ws', protocol: [] as string[] }, outcome: { path: '/v1/market-stream', protocol: ['outcome-rfq.v1'] } }[service]
    const { faults } = await playedOverSockets(service, async ({ url, port }) => {
      const live = new WebSocket(url.replace('http', 'ws') + path, protocol)
      await once(live, 'open')
      const { socket, said } = connection(port)
      socket.write([
        `GET ${path} HTTP/1.1`, 'host: x', 'connection: Upgrade', 'upgrade: websocket', 'sec-websocket-version: 13', 'sec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==',
        ...protocol.map((name) => `sec-websocket-protocol: ${name}`), '', '',
      ].join('\r\n'))
      expect(await said).toMatch(/^HTTP\/1\.1 101 /)
      expect(live.readyState).toBe(WebSocket.OPEN)
      live.terminate()
    }, { pingMs: 1000 })
    expect(faults).toEqual([])
  })
})
