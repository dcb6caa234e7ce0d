import { join } from 'node:path'
import { connect, type Socket } from 'node:net'
import { MessageChannel } from 'node:worker_threads'
import { loadScenario } from '../../../src/scenario/load.ts'
import { prepareScenario, runPlayed } from '../../../src/scenario/run.ts'
import { verifyRun } from '../../../src/proof/verify.ts'
import { brokenFramingAnswer } from '../../../src/serve/brokenFraming.ts'
import { handlersOf } from '../../../src/serve/handlers.ts'
import { IdentityProvider } from '../../../src/serve/http/identityProvider.ts'
import { Transport, type TransportTerms } from '../../../src/serve/http/transport.ts'
import { lineToHttp, lineToSession } from '../../../src/serve/packedMessages.ts'
import { hearExchanges } from '../../../src/serve/session/exchangePort.ts'
import { playServedInto } from '../../../src/serve/session/playServed.ts'
import type { ServedService, ServedSession } from '../../../src/serve/session/servedSession.ts'
import { wallMs } from '../../../src/serve/session/wallClock.ts'
import { WallDriver } from '../../../src/serve/session/wallDriver.ts'
import { newFolder, put, SMALL } from '../../scenario/small.ts'

/** Longer than the history: once the wall has gone on by so much, the session comes to its end at once. */
const FAR_MS = 1e10

const GATES = { parlay: 'parlay: { profile: parlay@2.1, gate: {} }', outcome: 'outcome: { profile: outcome@1, gate: {} }' } as const

/** A small scenario of a service, in which a maker and a bettor are clients. */
export const liveScenario = (service: ServedService): string => SMALL.replace('parlay: { profile: parlay@2.1 }', GATES[service])
  .replace('  - { use: shade, capital: 50000 USDC, count: 2 }\n', '  - { external: true, name: ours, capital: 50000 USDC }\n')
  .replace('bettors:\n', 'bettors:\n  - { external: true, name: me, bankroll: 1000 USDC }\n')

/** Where clients of a session go. */
export interface Doors {
  readonly url: string
  readonly port: number
  readonly served: ServedSession
  /** Headers with the credential of a seat. */
  readonly headersOf: (seat: 'ours' | 'me') => Readonly<Record<string, string>>
}

/**
 * Plays a session of one service over real sockets, on the wall's clock until `clients` are done, and then to its end at once.
 * Returns the digest of its run, and what is wrong with the run by `verify`.
 */
export async function playedOverSockets(service: ServedService, clients: (doors: Doors) => Promise<void>, terms: TransportTerms = {}): Promise<{ readonly digest: string; readonly faults: readonly string[] }> {
  const folder = newFolder()
  const path = put(folder, 'live.yaml', liveScenario(service))
  const loaded = loadScenario(path)
  const prepared = await prepareScenario(loaded, () => {}, { isServed: true })
  const lines = new MessageChannel()
  const transport = new Transport(lineToSession(lines.port2), await IdentityProvider.create(), { brokenFraming: brokenFramingAnswer, ...terms })
  const { url } = await transport.open(service, '127.0.0.1', 0)
  let failure: unknown = null
  const { path: dir, manifest } = await runPlayed(loaded, prepared.store.path, { target: { path: join(folder, 'run'), force: false, numbered: false } }, async (into) => {
    const manifest = await playServedInto(into, prepared, {
      handlers: handlersOf(prepared, path, { sessionKey: 'test', allowsLocalWebhooks: false, postWebhook: () => {} }), idKey: 'test', speed: 1, shiftUs: 0,
      drive: async (served) => {
        const credentials = Object.fromEntries(served.begin().map(({ seat: { name }, credentials: { api_key } }) => [name, api_key!]))
        let aheadMs = 0
        const driver = new WallDriver(served, 1, () => wallMs() + aheadMs)
        hearExchanges(served, lineToHttp(lines.port1), (arrival) => { driver.arrived(arrival) })
        const playing = driver.play(new AbortController().signal)
        const headersOf = (seat: 'ours' | 'me'): Readonly<Record<string, string>> => (service === 'parlay' ? { 'x-api-key': credentials[seat]! } : { authorization: `Bearer ${credentials[seat]!}` })
        await clients({ url, port: Number(new URL(url).port), served, headersOf }).catch((error: unknown) => { failure = error })
        aheadMs = FAR_MS
        return playing
      },
    })
    await transport.close()
    lines.port1.close()
    if (failure !== null) throw failure
    return { manifest }
  })
  const { checks } = await verifyRun(dir)
  return { digest: manifest.digest, faults: checks.filter(({ ok }) => !ok).map(({ name }) => name) }
}

/** Opens a connection, and says all that came over it once it has ended; a reset is an end. */
export function connection(port: number, options: { readonly allowHalfOpen?: boolean } = {}): { readonly socket: Socket; readonly said: Promise<string> } {
  const socket = connect({ port, host: '127.0.0.1', ...options })
  let text = ''
  socket.on('data', (part) => { text += part.toString('latin1') })
  socket.on('error', () => {})
  return { socket, said: new Promise((resolve) => { socket.on('close', () => { resolve(text) }) }) }
}
