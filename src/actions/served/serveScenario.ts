import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { MessageChannel } from 'node:worker_threads'
import { writeWholeJson } from '../../arrow/wholeFile.ts'
import type { LoadedScenario } from '../../scenario/load.ts'
import { type RunResult, runPlayed } from '../../scenario/run.ts'
import { callLimitsOf } from '../../scenario/strategyLimits.ts'
import { brokenFramingAnswer } from '../../serve/brokenFraming.ts'
import { IdentityProvider } from '../../serve/http/identityProvider.ts'
import { LiveViews } from '../../serve/http/liveViews.ts'
import { type Opened, Transport } from '../../serve/http/transport.ts'
import type { LiveAsk, LiveTold } from '../../serve/live/liveFrames.ts'
import { lineToSession } from '../../serve/packedMessages.ts'
import type { Course, Serving } from '../../serve/session/serveThread.ts'
import { lineOf } from '../../serve/threadMessages.ts'
import { summariseRun } from '../../score/summary.ts'
import { InputError } from '../../unit/inputError.ts'
import { SERVICE_NAMES } from '../../unit/services.ts'
import { DAY_US } from '../../unit/time.ts'
import { loadedOf } from '../loaded.ts'
import { calling, sayOf, signalOf } from '../options.ts'
import { leaveRunPage } from '../pages.ts'
import type { Scenario } from '../scenario.ts'
import type { ServedClock, ServedRun, ServedSession, ServeOptions } from '../servedSession.ts'
import { CredentialsFile } from './credentialsFile.ts'
import { servedPages } from './servedPages.ts'
import { RunThread } from '../watch/runThread.ts'

const LOOPBACK = '127.0.0.1'
const TOKEN_BYTES = 32
/** After the signal the session may take so long to end by itself, ms: clients have some seconds to read what they were told last. */
const SILENT_MS = 15_000
/** Tokens outlast the history: what was traded on it may end later. */
const TOKEN_LASTS_US = 30 * DAY_US

/** Does what `serve` says. HTTP is loaded with it. */
export async function serveScenario(scenario: Scenario, options: ServeOptions): Promise<ServedRun> {
  const loaded = loadedOf(scenario)
  const { out, host = LOOPBACK, pace = { clock: 'wall', speed: 1 }, credentials: credentialsPath = `${out}.credentials.json`, trusted = false } = options
  const shift = options.shift ?? (pace.clock === 'wall' ? 'now' : 'none')
  const say = sayOf(options)
  const credentials = new CredentialsFile(credentialsPath)
  const { port1: ours, port2: theirs } = new MessageChannel()
  const { port1: looks, port2: seen } = new MessageChannel()
  const liveToken = randomBytes(TOKEN_BYTES).toString('base64url')
  const views = new LiveViews(lineOf<LiveTold, LiveAsk>(looks), liveToken)
  const opened: Opened[] = []
  const identity = await IdentityProvider.create()
  let course: Course | undefined
  let announced = Promise.resolve()
  const unannounced = new AbortController()
  const { origin, overrides } = loaded
  const thread = new RunThread({
    data: { origin, overrides, isTrusted: trusted, serve: { port: theirs, livePort: seen, pace, shift, allowsLocalWebhooks: options.allowLocalWebhooks === true } },
    signal: AbortSignal.any([signalOf(options), unannounced.signal]), silentMs: SILENT_MS, limits: callLimitsOf(loaded.file.strategies), say, onProgress: () => {}, onSettling: () => {},
    onServing: (serving) => {
      for (const { service } of opened) {
        const description = serving.descriptions[service]
        if (description === undefined || service === 'control') continue
        transport.publish(service, servedPages(description), (request, response) => { views.answer(service, request, response) })
      }
      announced = credentialsOf(opened, { ...serving, liveToken }, identity).then((held) => {
        credentials.write(held)
        calling(options.onServing)(sessionOf(opened, { ...serving, liveToken }, credentialsPath))
      })
      // Nobody can come without them: the session ends, and what was thrown is thrown then.
      announced.catch(() => { unannounced.abort() })
    },
    onServed: (told) => { course = told },
  })
  const transport = new Transport(lineToSession(ours), identity, { brokenFraming: brokenFramingAnswer })
  const playing = async (): Promise<RunResult> => {
    const { hasTables, store } = await thread.prepared
    await openAll(transport, loaded, pace.clock, { host, firstPort: options.port ?? null, opened })
    return runPlayed(loaded, store, {
      target: { path: out, force: options.taken === 'replace', numbered: options.taken === 'number' }, say,
      finishing: async (folder) => {
        await views.close()
        await Promise.all([announced, transport.heardOut().then(() => transport.close())])
        if (!hasTables) return
        const summary = await summariseRun(folder)
        writeWholeJson(join(folder, 'summary.json'), summary)
        if (options.report === true) await leaveRunPage(folder, summary, say)
      },
    }, (folder) => thread.play(folder))
  }
  const { path, manifest } = await playing().finally(async () => {
    // A session that fails at once ends before its credentials have been written.
    await announced.catch(() => {})
    await views.close()
    await Promise.all([transport.close(), thread.close()])
    ours.close()
    looks.close()
    try {
      credentials.remove()
    } catch (error) {
      say(`the credentials could not be removed: ${error instanceof Error ? error.message : String(error)}`)
    }
  })
  return { path, digest: manifest.digest, counts: manifest.counts, manifest, course: course ?? null }
}

/** Opens the port of each service, and with lockstep the one for turns. */
async function openAll(transport: Transport, { file }: LoadedScenario, clock: ServedClock['clock'], { host, firstPort, opened }: { readonly host: string; readonly firstPort: number | null; readonly opened: Opened[] }): Promise<void> {
  const services = SERVICE_NAMES.filter((name) => file.services[name] !== undefined)
  for (const service of clock === 'lockstep' ? [...services, 'control' as const] : services) {
    const port = firstPort === null ? 0 : firstPort + opened.length
    try {
      opened.push(await transport.open(service, host, port))
    } catch (cause) {
      const { code = String(cause) } = cause as { code?: string }
      throw new InputError(`cannot listen at ${host}:${port} (${code})`, { hint: 'choose another --port or --host', cause })
    }
  }
}

interface ToldServing extends Serving {
  /** Opens the page of the session. */
  readonly liveToken: string
}

/** The page of the session on a service's port. What stands behind the # is in no call, and in no log of one. */
const liveUrl = (url: string, token: string): string => `${url}/#${token}`

/** Credentials of each seat by service and name, with the service's address and page, and the process that ends the session when it is told to. */
async function credentialsOf(opened: readonly Opened[], { seats, shiftUs, fromUs, toUs, liveToken }: ToldServing, identity: IdentityProvider): Promise<object> {
  // Wallets, not tokens, are how users of the outcome service sign in.
  const tokenOf = async (credentials: Serving['seats'][number]['credentials']) =>
    (credentials['user_id'] === undefined ? {} : { jwt: await identity.issue(credentials['user_id'], fromUs, toUs + TOKEN_LASTS_US) })
  const held = await Promise.all(seats.map(async ({ seat, credentials }) => ({ seat, credentials: { ...credentials, ...await tokenOf(credentials) } })))
  const services = Object.fromEntries(opened.map(({ service, url }) => [service, service === 'control' ? { url } : {
    url, live: liveUrl(url, liveToken), seats: Object.fromEntries(held.filter(({ seat }) => seat.service === service).map(({ seat: { name, role }, credentials }) => [name, { role, ...credentials }])),
  }]))
  return { pid: process.pid, shift_us: shiftUs, jwks: identity.keys, ...services }
}

const sessionOf = (opened: readonly Opened[], { seats, shiftUs, descriptions, liveToken }: ToldServing, credentials: string): ServedSession => ({
  services: opened.map(({ service, url }) => ({ service, url, hasReference: descriptions[service] !== undefined })),
  seats: seats.map(({ seat: { service, role, name } }) => ({ service, role, name })), credentials, shiftUs,
  pages: opened.filter(({ service }) => service !== 'control').map(({ url }) => liveUrl(url, liveToken)),
})
